"""`noughts play`: a game in the terminal."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from noughts.cli.commands import Parser
from noughts.cli.dialogue import Dialogue, Friendly, Plain
from noughts.cli.limits import check_limits
from noughts.cli.seats import arrange, seated
from noughts.cli.terminal import EndOfInput, Terminal, complain, wants_color
from noughts.errors import BadPosition, BrokenGame, IllegalAction, shown
from noughts.game import Game
from noughts.match import Match
from noughts.notation import Position, load, normalised, read_action, read_position
from noughts.players import COMPUTERS, HUMAN
from noughts.search.limits import Limits

if TYPE_CHECKING:
    from noughts.cli.records import Recorded
    from noughts.wire.types import MatchFacts, SeatFacts

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts play                             you are X and begin against a perfect computer
  noughts play --mark O                    you are O, the computer begins
  noughts play --opponent easy             an opponent that makes mistakes
  noughts play --opponent human            two people, one keyboard
  noughts play --you rules --opponent perfect --seed 7
                                           watch two computers
  noughts play ultimate --think 5          more time for each move of the computer
  noughts play tic-tac-toe 5 1 3           go on from a position
  noughts play --save games.txt            add each game to a file
  noughts play --from games.txt            go on from the last game in it
  noughts play ./mygame.py                 your own game: a file of six functions
  noughts play --you easy --opponent easy --json
                                           the moves and the result, as JSON

players: human, """ + ", ".join(COMPUTERS)

DEFAULT_GAME = "tic-tac-toe"

THINK = 1.0
"""Seconds for a computer's move, unless somebody sets another time; a move that needs less takes less."""

HELP = """\
Type a move to play it, or one of these:
  hint    the best moves, and what they lead to
  undo    take your last move back
  moves   what was played, and what can be played
  board   draw the board again
  draw    end the game as a draw, once a position has occurred three times
  help    this list
  quit    leave the game"""


class Quit(Exception):
    """The person wants to leave."""


def run(argv: Sequence[str]) -> int:
    """Play games until the person stops; return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "think")
    found = None
    if args.file is not None or args.game_number is not None or args.save is not None:
        from noughts.cli.records import check_appendable, recorded  # only with a file

        found = recorded(args)
        check_appendable(args.save)
    args.game = args.game or DEFAULT_GAME if found is None else found.notation
    game = load(args.game) if found is None else found.game
    if args.game.endswith(".py"):
        _vet(game, args.game)
    args.you, args.opponent, args.first = seated(args, None if found is None else found.record.players)
    play = Play(game, args, found)
    code = 0
    try:
        while play.one_game():
            pass
    except Quit:
        play.terminal.say("Bye.")
    except EndOfInput:
        complain("input ended before the game did")
        code = 1
    finally:
        play.save()
    if args.json:
        print(json.dumps(play.facts()))
    return code


class DrawCalled(Exception):
    """The person has ended the game as a draw."""


class Play:
    """Games at a terminal, one after another."""

    def __init__(self, game: Game[Any, Any], args: argparse.Namespace, found: "Recorded | None" = None) -> None:
        self._record = None if found is None else found.record
        self.terminal = Terminal(sys.stderr if args.json else sys.stdout, wrap=not args.plain)
        self._loaded = game
        self._args = args
        self._limits = Limits(seconds=args.think or None)
        """What a computer may spend on one move."""
        self._sit()

    def _sit(self) -> None:
        """Assign the players according to the options, and set up the starting position."""
        args = self._args
        self._table = arrange(
            self._loaded,
            self._ask,
            you=args.you,
            opponent=args.opponent,
            mark=args.mark,
            first=args.first,
            seed=args.seed,
            limits=self._limits,
            table=args.table,
        )
        game = self._table.game
        output = self.terminal.output
        self._dialogue: Dialogue = (
            Plain(self._table) if args.plain else Friendly(self._table, wants_color(args.color, output), output)
        )
        position = " ".join(args.position) if self._record is None else self._record.position
        self._start = read_position(game, position)
        self._match: Match[Any, Any] = (
            Match(game, self._start.state) if self._record is None else self._record.match(game)
        )
        self._given = self._match.played
        """The moves that nobody has played here."""
        self._saved = False
        self._caveats: dict[str, str] = {}
        if self._match.over:
            where = f"in {shown(position)}; start before its end" if self._record is None else f"in {args.file}"
            raise BadPosition(f"the game is already over {where}")

    def one_game(self) -> bool:
        """Play a game to its end; return whether the person wants another one."""
        say, show, dialogue, match, name = (
            self.terminal.say,
            self.terminal.show,
            self._dialogue,
            self._match,
            self._table.offers.action_name,
        )
        say(dialogue.opening())
        show(dialogue.board(match.state))
        while not match.over:
            seat = self._table.seats[match.to_move]
            try:
                action = seat.player.choose(match.state)
            except DrawCalled:
                break
            match.play(action)
            if seat.human:
                say()
            else:
                say(dialogue.moved(seat, name(action)))
                if seat.player.caveat and not self._caveats:
                    say(f"({seat.player.caveat[0].upper()}{seat.player.caveat[1:]}: this player can be beaten.)\n")
                if seat.player.caveat:
                    self._caveats.setdefault(seat.mark, seat.player.caveat)
            show(dialogue.board(match.state))
            if match.can_be_drawn:
                say(dialogue.repeated(match))
                if not self._humans():
                    match.end_as_draw()
        say(dialogue.result(match))
        self.save()
        return self._again()

    def save(self) -> None:
        """Add the game to the file of `--save`, once, as far as it was played; not if no move was played here."""
        match, args = self._match, self._args
        if args.save is None or self._saved or match.played == self._given:
            return
        self._saved = True
        from noughts.cli.records import append, played_here  # only for --save

        start = self._start.text(self._table.offers.action_name)
        seats = {player: seat.kind for player, seat in self._table.seats.items()}
        append(args.save, played_here(match, args.game, start, seats, args.seed, self._record))

    def facts(self) -> "MatchFacts":
        """Return the match for --json. A caveat says why a player fell short of their description."""
        from noughts.wire.matches import match as match_facts  # only for --json

        start, match, table = self._start, self._match, self._table
        played = Position(start.diagram, (*start.actions, *match.played), (match.state,))
        players: list[SeatFacts] = [
            {"mark": seat.mark, "player": seat.kind, "caveat": self._caveats.get(seat.mark)}
            for seat in table.seats.values()
        ]
        return match_facts(normalised(self._args.game), played, table.offers, players, drawn=match.drawn)

    def _again(self) -> bool:
        """Ask a person at a terminal whether to play again, and set up that game."""
        if self._args.plain or self._args.json or not self.terminal.interactive or not self._humans():
            return False
        from noughts.cli.after_game import AfterGame  # only at the end of a game at a terminal

        start = self._start.text(self._table.offers.action_name)
        after = AfterGame(self._match, start, self._humans())
        if after.offer():
            self.terminal.say(after.offer())
        while True:
            try:
                wish = self.terminal.ask("\nPlay again? yes, no, or swap sides: ").lower()
            except EndOfInput:
                return False
            if wish in ("n", "no", "q", "quit", "exit"):
                return False
            if wish in ("s", "swap"):
                self._swap()
            if wish in ("review", "retry"):
                after.review(self.terminal) if wish == "review" else after.retry(self.terminal, self._args.color)
                continue
            if wish in ("", "y", "yes", "s", "swap"):
                self._sit()
                self.terminal.say()
                return True
            self.terminal.say(f"{shown(wish)} is not an answer; type yes, no or swap.")
            self.terminal.drop_paste()

    def _swap(self) -> None:
        """Let the other side begin, with the first mark."""
        begins_now = next(iter(self._table.seats.values())).human
        self._args.mark, self._args.first = None, "computer" if begins_now else "you"
        if self._args.opponent == HUMAN:
            self._args.first = None

    def _humans(self) -> list[int]:
        return [player for player, seat in self._table.seats.items() if seat.human]

    def _ask(self, _: Any) -> Any:
        """Ask the person for a move until they give one; run the commands they type meanwhile.

        `undo` changes the match, so the argument is ignored and the match's current position is used.
        """
        while True:
            match = self._match
            word = self.terminal.ask(self._dialogue.prompt(match))
            try:
                return read_action(match.game.actions(match.state), self._table.offers, word)
            except IllegalAction:
                command = COMMAND_WORDS.get(word.lower())
            if command is None:
                complaint = self._complaint(word)
                if self.terminal.drop_paste():
                    complaint = "That was a whole page; type one move, or help."
                self.terminal.say(complaint)
            else:
                command(self)

    def _complaint(self, word: str) -> str:
        """Return one line that says what is wrong with a move, and what can be played."""
        names = [self._table.offers.action_name(action) for action in self._match.game.actions(self._match.state)]
        can = " ".join(names) if len(names) <= 20 else f"{names[0]} ... {names[-1]}"
        if not word:
            what = "You typed nothing"
        elif self._is_taken(word):
            what = f"{shown(word)} is taken"
        else:
            what = f"{shown(word)} is not a move"
        return f"{what}; you can play {can}, or type help."

    def _is_taken(self, word: str) -> bool:
        offers = self._table.offers
        cells = [cell for row in offers.board(self._match.state) for cell in row] if offers.board else []
        taken = [cell.action for cell in cells if cell.mark and cell.action is not None]
        return any(
            word.lower() in (offers.action_name(action).lower(), *offers.action_aliases(action)) for action in taken
        )

    # The commands that a person can type.

    def hint(self) -> None:
        """Show the best moves."""
        from noughts.players.perfect import Perfect
        from noughts.words.values import leads_to, some

        judgement = Perfect(self._match.game, limits=self._limits).judge(self._match.state)
        names = some(judgement.choice, self._table.offers.action_name)
        value = leads_to(judgement.value, judgement.distance, judgement.margin)
        if judgement.doubt:
            self.terminal.say(f"Perhaps {names}: {judgement.doubt}.")
        elif len(judgement.choice) == len(list(self._match.game.actions(self._match.state))) > 2:
            self.terminal.say(f"Best: any move; each {value}.")
        else:
            which = "each of which" if len(judgement.choice) > 1 else "which"
            self.terminal.say(f"Best: {names}, {which} {value}.")

    def undo(self) -> None:
        """Take back a person's last move and the replies to it."""
        match, humans, name = self._match, self._humans(), self._table.offers.action_name
        if not set(match.movers) & set(humans):
            self.terminal.say("There is no move of yours to take back.")
            return
        taken = []
        while True:
            mover = match.movers[-1]
            taken.append(name(match.undo()))
            if mover in humans:
                break
        self.terminal.say(f"Taken back: {' '.join(reversed(taken))}\n")
        self.board()

    def moves(self) -> None:
        """Show what was played and what can be played."""
        match, name = self._match, self._table.offers.action_name
        self.terminal.say(f"Played: {' '.join(map(name, match.played)) or 'nothing yet'}")
        self.terminal.say(f"Can be played: {' '.join(map(name, match.game.actions(match.state)))}")

    def board(self) -> None:
        """Draw the board again."""
        self.terminal.show(self._dialogue.board(self._match.state))

    def draw(self) -> None:
        """End the game as a draw, if a position has been repeated often enough."""
        if not self._match.can_be_drawn:
            self.terminal.say("You can end the game as a draw when a position has occurred three times.")
            return
        self._match.end_as_draw()
        raise DrawCalled

    def help(self) -> None:
        """List the commands."""
        self.terminal.say(HELP)

    def quit(self) -> None:
        """Leave."""
        raise Quit


COMMANDS = {
    ("hint", "h"): Play.hint,
    ("undo", "u"): Play.undo,
    ("moves", "m"): Play.moves,
    ("board", "b"): Play.board,
    ("draw",): Play.draw,
    ("help", "?"): Play.help,
    ("quit", "q", "exit"): Play.quit,
}
COMMAND_WORDS = {word: command for words, command in COMMANDS.items() for word in words}


def _vet(game: Game[Any, Any], path: str) -> None:
    """Check a user's game briefly: raise BrokenGame if it cannot be played, warn about other problems."""
    from noughts.testing import check_game

    report = check_game(game, positions=300, seconds=3.0)
    for problem in sorted(report.problems, key=lambda problem: not problem.fatal):
        line = f"{path}: {problem.where}, {problem.message} (noughts lint {path} shows it)"
        if problem.fatal:
            raise BrokenGame(line)
        complain(line)


def _parser() -> Parser:
    parser = Parser(
        prog="noughts play",
        description="Play a game in the terminal.",
        epilog=EXAMPLES,
        usage="noughts play [GAME] [POSITION] [OPTIONS]",
    )
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="a game's name, or a path such as ./mygame.py (default: tic-tac-toe)",
    )
    parser.add_argument(
        "position",
        nargs="*",
        metavar="POSITION",
        help='where to start: moves such as 5 1 3, or a diagram "O.X/.X./..."',
    )
    parser.add_argument("--opponent", metavar="PLAYER", help="who plays against you (default: perfect)")
    parser.add_argument("--you", metavar="PLAYER", help="who plays your side (default: human)")
    parser.add_argument("--mark", metavar="X|O", help="your mark; the first mark, X, begins")
    parser.add_argument("--first", choices=("you", "computer"), help="who begins (default: you)")
    parser.add_argument(
        "--seed", type=int, metavar="N", help="vary the computer's choices, the same way for the same number"
    )
    parser.add_argument(
        "--think",
        type=float,
        default=THINK,
        metavar="SECONDS",
        help=f"how long a computer may think about a move (default: {THINK:g}; 0: no limit)",
    )
    parser.add_table()
    parser.add_from()
    parser.add_argument("--save", metavar="FILE", help="add each game to this file, finished or not")
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour (default: auto, which honours NO_COLOR)",
    )
    parser.add_argument("--plain", action="store_true", help="a fixed, plain dialogue for scripts and screen readers")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object after the game; the dialogue goes to standard error"
    )
    return parser
