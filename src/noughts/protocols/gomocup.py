"""Gomocup's protocol from the side of the engine: five in a row, as Piskvork and other managers of tournaments ask."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from noughts.errors import NoughtsError, one_line, shown
from noughts.notation import load
from noughts.protocols.inbox import Command, Inbox
from noughts.protocols.thinking import MakeChooser, Thinker
from noughts.search.limits import Limits

__all__ = ["Gomocup", "seconds_for_a_move"]

PAIR = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})")
STONE = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*([123])")

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The rules other than freestyle, as bits of INFO rule."""
RULES = {
    EXACTLY_FIVE: "exactly five in a row",
    CONTINUOUS: "games that go on after a win",
    RENJU: "renju",
    CARO: "caro",
}

MARGIN, MARGIN_SHARE, LEAST_SHARE = 0.15, 0.1, 0.4
"""Of the time for a move, these seconds and this share are kept for everything but the search, which has at least the
last of these shares."""

MOVES_TO_COME = 15
"""Among how many moves what is left of the time for a game is shared."""

OWN, OTHER = 1, 2


class Gomocup:
    """Answers the commands of a manager. `think` is the time for a move until it sets one; None is no limit."""

    def __init__(self, say: Callable[[str], None], make: MakeChooser, version: str, think: float | None) -> None:
        self._say, self._make, self._version, self._think = say, make, version, think
        self._thinker: Thinker[Any, Any] | None = None
        self._columns = self._rows = 0
        self._stones: dict[int, int] = {}
        """The owner of each stone, by the number of its cell, in the order in which they came."""
        self._information: dict[str, int] = {}
        self._listed: dict[int, int] | None = None
        """The stones of a BOARD that is not whole yet."""
        self._skips = False
        """Whether the lines of a command that is not known are skipped."""

    def run(self, source: int) -> None:
        """Carry out the commands from a file descriptor until END, or the end of the input."""
        for command in Inbox(source, lambda word: word.upper() == "END"):
            if command.text.upper() == "END":
                return
            try:
                self._carry_out(command)
            except NoughtsError as error:
                self._say(f"ERROR {error}")
            except OSError:  # the output is lost
                raise
            except Exception as error:
                self._say(f"ERROR {type(error).__name__}: {one_line(str(error))}")

    def _carry_out(self, command: Command) -> None:
        word, _, rest = command.text.partition(" ")
        word, rest = word.upper(), rest.strip()
        if self._listed is not None or self._skips:
            in_list = word == "DONE" or STONE.fullmatch(command.text) or PAIR.fullmatch(command.text) or not word
            if self._listed is not None:
                self._take(command, word)
                return
            self._skips = bool(in_list) and word != "DONE"
            if in_list:
                return
        if not command.is_whole:
            raise NoughtsError("the line is too long")
        if not word:
            return
        handler = self._handlers.get(word)
        if handler is None:
            self._skips = word == "SWAP2BOARD"
            self._say("UNKNOWN")
        else:
            handler(self, command, rest)

    # Commands.

    def _about(self, *_: object) -> None:
        self._say(f'name="noughts", version="{self._version}", author="the authors of noughts", country="-"')

    def _start(self, command: Command, rest: str) -> None:
        if not rest.isdecimal():
            raise NoughtsError("START takes the size of the board, such as START 15")
        self._begin(command, int(rest[:4]), int(rest[:4]))

    def _rectstart(self, command: Command, rest: str) -> None:
        found = PAIR.fullmatch(rest)
        if found is None:
            raise NoughtsError("RECTSTART takes the columns and the rows of the board, such as RECTSTART 20,15")
        self._begin(command, int(found[1]), int(found[2]))

    def _begin(self, command: Command, columns: int, rows: int) -> None:
        try:
            game = load(f"mnk:{columns},{rows},5")
        except NoughtsError as error:
            raise NoughtsError(f"the board cannot be {columns} x {rows}: {str(error).rpartition(': ')[2]}") from None
        if self._thinker is None or self._thinker.game.game is not game:
            self._thinker = Thinker(game, self._make)
        self._columns, self._rows, self._stones = columns, rows, {}
        self._thinker.get_ready(command.stopped.is_set)
        self._say("OK")

    def _restart(self, command: Command, *_: object) -> None:
        self._at_work()
        self._begin(command, self._columns, self._rows)

    def _turn(self, command: Command, rest: str) -> None:
        cell = self._cell(rest, "TURN")
        if cell in self._stones:
            raise NoughtsError(f"{rest} is taken")
        before = dict(self._stones)
        self._stones[cell] = OTHER
        self._move(command, before)

    def _begin_game(self, command: Command, *_: object) -> None:
        if self._stones:
            raise NoughtsError("BEGIN is for an empty board; RESTART empties it")
        self._move(command, {})

    def _board(self, *_: object) -> None:
        self._at_work()
        self._listed = {}

    def _take(self, command: Command, word: str) -> None:
        """Take a line of BOARD: a stone, or the end."""
        assert self._listed is not None
        found = STONE.fullmatch(command.text)
        if word == "DONE":
            before, self._stones, self._listed = self._stones, self._listed, None
            self._move(command, before)
        elif found is None:
            self._listed, self._skips = None, True
            raise NoughtsError(f"{shown(command.text)} is not a stone; a line of BOARD is X,Y,1 or X,Y,2")
        else:
            cell = self._cell(f"{found[1]},{found[2]}", "BOARD")
            if cell in self._listed:
                self._listed, self._skips = None, True
                raise NoughtsError(f"{found[1]},{found[2]} is listed twice")
            self._listed[cell] = int(found[3])

    def _takeback(self, _: Command, rest: str) -> None:
        cell = self._cell(rest, "TAKEBACK")
        if cell not in self._stones:
            raise NoughtsError(f"there is no stone on {rest}")
        del self._stones[cell]
        self._say("OK")

    def _info(self, __: Command, rest: str) -> None:
        """Note a number; nothing is answered but to rules that are not played. Other keys are for other engines."""
        key, _, value = rest.partition(" ")
        value = value.strip()
        if re.fullmatch(r"-?\d{1,18}", value):
            self._information[key.lower()] = int(value)
            if key.lower() == "rule":
                self._check_rule()

    _handlers: ClassVar[dict[str, Callable[["Gomocup", Command, str], None]]] = {
        "ABOUT": _about,
        "START": _start,
        "RECTSTART": _rectstart,
        "RESTART": _restart,
        "TURN": _turn,
        "BEGIN": _begin_game,
        "BOARD": _board,
        "TAKEBACK": _takeback,
        "INFO": _info,
    }

    # Moves.

    def _move(self, command: Command, before: dict[int, int]) -> None:
        """Answer with a move in the position that the stones make; if that is impossible, go back to those before."""
        try:
            thinker = self._at_work()
            self._check_rule()
            state = self._state()
            seconds = seconds_for_a_move(self._information, self._think)
            cell = thinker.choose(state, Limits(seconds=seconds, cancel=command.stopped.is_set))
        except BaseException:
            self._stones = before
            raise
        self._stones[cell] = OWN
        y, x = divmod(cell - 1, self._columns)
        self._say(f"{x},{y}")
        most = self._information.get("max_memory", 0)
        if most > 0 and thinker.engine.bytes > most // 4:  # the rest is for the interpreter and the kernel
            thinker.engine.forget()

    def _state(self) -> Any:
        """Return the state that the stones make, with this engine to move."""
        game = self._at_work().game
        if 3 in self._stones.values():
            raise NoughtsError("stones of a line that has won are for games that go on after a win")
        own, other = ([cell for cell, each in self._stones.items() if each == owner] for owner in (OWN, OTHER))
        if len(other) - len(own) not in (0, 1):
            raise NoughtsError(f"with {len(own)} stones of mine and {len(other)} of the opponent's it is not my turn")
        first, second = (own, other) if len(own) == len(other) else (other, own)
        state = game.initial()
        for number in range(len(self._stones)):
            if not game.terminal(state):
                state = game.result(state, (first, second)[number % 2][number // 2])
        if game.terminal(state):
            raise NoughtsError("the game is over")
        return state

    def _cell(self, text: str, command: str) -> int:
        """Return the number of the cell that coordinates name."""
        self._at_work()
        found = PAIR.fullmatch(text)
        if found is None:
            raise NoughtsError(f"{command} takes a square, such as {command} 7,7, not {shown(text)}")
        x, y = int(found[1]), int(found[2])
        if x >= self._columns or y >= self._rows:
            raise NoughtsError(f"{x},{y} is not on the board of {self._columns} x {self._rows}")
        return y * self._columns + x + 1

    def _at_work(self) -> Thinker[Any, Any]:
        if self._thinker is None:
            raise NoughtsError("there is no board; START 15 sets one up")
        return self._thinker

    def _check_rule(self) -> None:
        rule = self._information.get("rule", 0)
        wrong = [what for bit, what in RULES.items() if rule & bit]
        if wrong:
            raise NoughtsError(f"this engine plays freestyle, five or more in a row, and not {' or '.join(wrong)}")


def seconds_for_a_move(information: dict[str, int], think: float | None) -> float | None:
    """Return how long to search for a move: less than the manager allows, for a part of the time is not the search's.

    Without any word of the manager about time, it is the time to `think`.

    >>> round(seconds_for_a_move({"timeout_turn": 5_000}, None), 2)
    4.35
    >>> round(seconds_for_a_move({"timeout_turn": 30_000, "timeout_match": 180_000, "time_left": 60_000}, None), 2)
    3.45
    """
    turn, match, left = (information.get(key) for key in ("timeout_turn", "timeout_match", "time_left"))
    times = [] if turn is None else [max(turn, 100) / 1000]  # 0 asks for a move as soon as possible
    if match and left is not None:
        times.append(max(left, 100) / 1000 / MOVES_TO_COME)
    if not times:
        return think
    seconds = min(times)
    return max(seconds * LEAST_SHARE, seconds * (1 - MARGIN_SHARE) - MARGIN)
