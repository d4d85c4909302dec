"""A player that is another program, which speaks Gomocup's protocol: five in a row on a board of squares."""

import re
from typing import Any, Generic

from noughts.capabilities import ResolvedGame
from noughts.errors import NoughtsError, shown
from noughts.game import MAX, Action, State
from noughts.notation import notation_of
from noughts.protocols.program import GRACE, START_SECONDS, Program
from noughts.search.limits import Limits

__all__ = ["GomocupPlayer"]

FIVE = re.compile(r"mnk:(\d+),(\d+),5")
MOVE = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})")
NO_LIMIT = 2_147_483_647
"""The milliseconds that stand for any time."""


class GomocupPlayer(Generic[State, Action]):
    """Asks another program for each move. It loses with PlayerFailed if it does anything wrong."""

    description = "another program"
    caveat = ""

    def __init__(self, game: ResolvedGame[State, Action], name: str, command: str, limits: Limits) -> None:
        notation = notation_of(game.game)
        board = FIVE.fullmatch(notation)
        if board is None or game.lineup is None:
            raise NoughtsError(f"Gomocup's programs play five in a row, such as mnk:15,15,5, not {notation}")
        self._columns, self._rows = map(int, board.groups())
        self._game, self._lineup, self._limits = game, game.lineup, limits
        self._program = Program(name, command)
        self._known: dict[int, bool] | None = None
        """The stones that the program knows of, by cell from 0: whether they are its own."""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions: a program may play any."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Ask the program, which is started when it is first asked."""
        program, limits = self._program, self._limits
        lineup, mover = self._lineup(state), self._game.player(state)
        stones = {cell - 1: player == mover for player in (MAX, -MAX) for cell in lineup.held[player]}
        if not program.is_running:
            self._start()
        program.drop_output()
        seconds = None if limits.seconds is None else limits.seconds + GRACE
        x, y = program.ask(self._told(stones), self._move_in, seconds)
        cell = y * self._columns + x
        by_cell = {each - 1: action for action, each in lineup.cells.items()}
        if not (x < self._columns and y < self._rows and cell in by_cell):
            program.fail(f"played {x},{y}, which is not a legal move")
        self._known = {**stones, cell: True}
        return by_cell[cell]

    def _start(self) -> None:
        seconds = self._limits.seconds
        info = {
            "timeout_turn": NO_LIMIT if seconds is None else min(NO_LIMIT, round(1000 * seconds)),
            "timeout_match": 0,
            "max_memory": 0,
            "game_type": 1,
            "rule": 0,
            "time_left": NO_LIMIT,
        }
        square = self._columns == self._rows
        start = f"START {self._columns}" if square else f"RECTSTART {self._columns},{self._rows}"
        self._program.start()
        self._program.ask([start], self._ok_in, START_SECONDS)
        self._known = {}
        self._information = [f"INFO {key} {value}" for key, value in info.items()]

    def _told(self, stones: dict[int, bool]) -> list[str]:
        """Return the lines that tell the program of the stones, and ask it to move."""
        assert self._known is not None
        information, self._information = self._information, []
        new = [cell for cell in stones if cell not in self._known]
        if {cell: own for cell, own in stones.items() if cell not in new} == self._known:
            if not stones:
                return [*information, "BEGIN"]
            if len(new) == 1 and not stones[new[0]]:
                return [*information, f"TURN {self._square(new[0])}"]
        if self._known:
            self._program.ask(["RESTART"], self._ok_in, START_SECONDS)
        if not stones:
            return [*information, "BEGIN"]
        listed = [f"{self._square(cell)},{1 if own else 2}" for cell, own in _in_turn(stones)]
        return [*information, "BOARD", *listed, "DONE"]

    def _square(self, cell: int) -> str:
        y, x = divmod(cell, self._columns)
        return f"{x},{y}"

    def _ok_in(self, line: str) -> bool | None:
        self._check(line)
        return line.upper() == "OK" or None

    def _move_in(self, line: str) -> tuple[int, int] | None:
        """Return the square that a line names; a suggestion is taken as the move."""
        self._check(line)
        found = MOVE.fullmatch(line)
        if found is None:
            suggested = MOVE.fullmatch(line[len("SUGGEST") :].strip()) if line.upper().startswith("SUGGEST") else None
            if suggested is not None:
                self._program.ask([f"PLAY {suggested[0]}"], lambda each: each == suggested[0] or None, START_SECONDS)
            found = suggested
        return None if found is None else (int(found[1]), int(found[2]))

    def _check(self, line: str) -> None:
        """Fail if a line says that the program cannot do what it was told."""
        word = line.split(maxsplit=1)[0].upper() if line else ""
        if word in ("ERROR", "UNKNOWN"):
            self._program.fail(f"answered with an error: {shown(line, 100)}")

    def close(self) -> None:
        """End the program."""
        self._program.end(["END"])


def _in_turn(stones: dict[int, bool]) -> list[tuple[int, bool]]:
    """Return the stones in an order in which they may have been played."""
    own = [cell for cell in stones if stones[cell]]
    other = [cell for cell in stones if not stones[cell]]
    first, second = (own, other) if len(own) >= len(other) else (other, own)
    order: list[Any] = [None] * len(stones)
    order[0::2], order[1::2] = first, second
    return [(cell, stones[cell]) for cell in order]
