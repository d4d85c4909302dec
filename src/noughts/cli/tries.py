"""A position that a person tries to solve: moves are asked for until one is right, or the right one is shown."""

from typing import Any, Protocol

from noughts.capabilities import ResolvedGame
from noughts.cli.dialogue import Friendly
from noughts.cli.seats import arrange
from noughts.cli.terminal import Terminal, wants_color
from noughts.errors import IllegalAction, shown
from noughts.game import Game
from noughts.match import Match
from noughts.notation import read_action
from noughts.players import HUMAN
from noughts.search.limits import Limits
from noughts.words.values import either

__all__ = ["Board", "Quit", "Task", "Tried", "try_until_right"]

HELP = "Type a move to try it, or hint, show (the right move), moves (all of them), board, or quit."


class Quit(Exception):
    """The person wants to leave."""


class Task(Protocol):
    """A position in which some moves are right."""

    state: Any

    @property
    def solution(self) -> Any: ...  # noqa: D102
    def is_right(self, action: Any, /) -> bool: ...  # noqa: D102
    def why_not(self, action: Any, /) -> str: ...  # noqa: D102
    def among(self) -> list[Any]: ...  # noqa: D102


class Tried:
    """How a person fared: the move at the end, how many wrong ones came before it, and whether it had to be shown."""

    def __init__(self) -> None:
        self.action: Any = None
        self.wrong = 0
        self.shown = False


class Board:
    """Draws positions and words prompts as `noughts play` does."""

    def __init__(self, game: Game[Any, Any], terminal: Terminal, color: str = "auto") -> None:
        self.terminal = terminal
        table = arrange(
            game, lambda _: None, you=HUMAN, opponent=HUMAN, mark=None, first=None, seed=None, limits=Limits()
        )
        self.game: ResolvedGame[Any, Any] = table.offers
        self._dialogue = Friendly(table, wants_color(color, terminal.output), terminal.output)

    def show(self, state: Any) -> None:
        """Draw a position."""
        self.terminal.show(self._dialogue.board(state))

    def ask(self, state: Any) -> str:
        """Ask for a move."""
        return self.terminal.ask(self._dialogue.prompt(Match(self.game, state)))


def try_until_right(board: Board, task: Task) -> Tried:
    """Ask for moves until one is right or the person wants to see it; raise Quit if they leave."""
    terminal, game, tried = board.terminal, board.game, Tried()
    name = game.action_name
    while True:
        word = board.ask(task.state)
        try:
            tried.action = read_action(game.legal_actions(task.state), game, word)
        except IllegalAction:
            command = word.lower()
            if command in ("quit", "q", "exit"):
                raise Quit from None
            if command in ("show", "s"):
                tried.action, tried.shown = task.solution, True
                terminal.say(f"The move is {name(tried.action)}.")
                return tried
            if command in ("hint", "h"):
                terminal.say(f"It is {either([name(action) for action in task.among()])}.")
            elif command in ("moves", "m"):
                names = map(name, game.legal_actions(task.state))
                terminal.say(f"Can be played: {' '.join(names)}")
            elif command in ("board", "b"):
                board.show(task.state)
            elif command in ("help", "?"):
                terminal.say(HELP)
            else:
                pasted = terminal.drop_paste()
                terminal.say("That was a whole page; type one move." if pasted else _complaint(game, task.state, word))
            continue
        if task.is_right(tried.action):
            return tried
        tried.wrong += 1
        terminal.say(f"No. {task.why_not(tried.action)}")


def _complaint(game: ResolvedGame[Any, Any], state: Any, word: str) -> str:
    """Return one line that says what can be typed."""
    names = [game.action_name(action) for action in game.legal_actions(state)]
    can = " ".join(names) if len(names) <= 20 else f"{names[0]} ... {names[-1]}"
    what = f"{shown(word)} is not a move here" if word else "You typed nothing"
    return f"{what}; you can play {can}, or type hint, show or quit."
