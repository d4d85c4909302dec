"""Games of lines written a second time, as simply as can be, and every claim about them derived by trying it out.

A board is a text, one sign a cell, `.` if it is empty. Nothing here knows of the package that it checks.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

Line = tuple[int, ...]
Lines = frozenset[Line]
Claim = tuple[Any, ...]


class Worth(NamedTuple):
    """A value and a distance for the player to move; the higher, the better."""

    value: int
    haste: int
    """Of wins the plies to the end, negated; of losses the plies to the end."""


class Naive:
    """The rules. With `drops`, an action is a column in which a stone falls; else it is a cell."""

    def __init__(self, columns: int, rows: int, in_a_row: int, *, misere: bool = False, drops: bool = False) -> None:
        self.columns, self.rows, self.misere, self.drops = columns, rows, misere, drops
        self.lines = list(self._straight(in_a_row))
        self.worth = lru_cache(maxsize=None)(self._worth)

    def _straight(self, in_a_row: int) -> Iterator[Line]:
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ends = row + down * (in_a_row - 1), column + right * (in_a_row - 1)
                    if ends[0] < self.rows and 0 <= ends[1] < self.columns:
                        yield tuple((row + down * i) * self.columns + column + right * i + 1 for i in range(in_a_row))

    def mover(self, board: str) -> str:
        return "X" if board.count("X") == board.count("O") else "O"

    def cells(self, board: str) -> dict[int, int]:
        """Return the cell that each action takes."""
        empty = [cell for cell, mark in enumerate(board, start=1) if mark == "."]
        if not self.drops:
            return {cell: cell for cell in empty}
        by_column = {(cell - 1) % self.columns + 1: cell for cell in empty}  # the lowest comes last
        return {column: by_column[column] for column in sorted(by_column)}

    def put(self, board: str, action: int, mark: str) -> str:
        cell = self.cells(board)[action]
        return board[: cell - 1] + mark + board[cell:]

    def made(self, board: str) -> Lines:
        """Return the lines that somebody holds."""
        return frozenset(
            line
            for line in self.lines
            if len({board[cell - 1] for cell in line} - {"."}) == 1 and "." not in {board[cell - 1] for cell in line}
        )

    def over(self, board: str) -> bool:
        return bool(self.made(board)) or "." not in board

    def threats(self, board: str, mark: str) -> dict[int, Lines]:
        """Return the lines that each action would make, were it that player's turn."""
        if self.made(board):
            return {}
        made = {action: self.made(self.put(board, action, mark)) for action in self.cells(board)}
        return {action: lines for action, lines in made.items() if lines}

    def _worth(self, board: str) -> Worth:
        if self.made(board):
            return Worth(1 if self.misere else -1, 0)
        if "." not in board:
            return Worth(0, 0)
        return max(self.leads_to(board, action) for action in self.cells(board))

    def leads_to(self, board: str, action: int) -> Worth:
        """Return what an action is worth to who takes it."""
        value, haste = self.worth(self.put(board, action, self.mover(board)))
        if value == 0:
            return Worth(0, 0)
        # The opponent's win after n plies (haste -n) is a loss after n + 1, and the other way round.
        return Worth(-value, -haste + 1 if value > 0 else -haste - 1)

    def symmetry_key(self, board: str) -> str:
        """Return one board for all that are this one turned or mirrored."""
        rows = [board[i : i + self.columns] for i in range(0, len(board), self.columns)]
        views = []
        for _ in range(1 if self.drops else 4):
            views += ["".join(rows), "".join(row[::-1] for row in rows)]
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        return min(views)

    def mistakes(self, board: str) -> int:
        """Return how many actions give value away."""
        return sum(self.leads_to(board, action).value < self.worth(board).value for action in self.cells(board))

    # The claims, each a tuple of its kind and what it says.

    def claims(self, board: str, action: int) -> set[Claim]:
        """Return every claim that holds of an action, but for forced sequences."""
        return {*self._about_lines(board, action), *self._about_values(board, action)}

    def _about_lines(self, board: str, action: int) -> Iterator[Claim]:
        me = self.mover(board)
        you = "O" if me == "X" else "X"
        after = self.put(board, action, me)
        cell = self.cells(board)[action]
        blocked = self.made(self.put(board, action, you))
        if self.made(after):
            yield "completes", self.made(after)
            return
        mine, yours = self.threats(after, me), self.threats(after, you)
        if self.misere:
            if blocked:
                yield "spares", blocked
            new = {reply: {line for line in lines if cell in line} for reply, lines in mine.items()}
            if any(new.values()):
                replies = tuple(reply for reply, lines in new.items() if lines)
                yield "poisons", replies, frozenset().union(*new.values())
            if yours and set(yours) == set(self.cells(after)):
                yield ("squeezes",)
            return
        if blocked:
            yield "blocks", blocked
        lines = frozenset[Line]().union(*mine.values())
        if len(mine) >= 2:
            yield "forks", lines, any(cell in line for line in lines)
        if len(mine) == 1 and not yours:
            yield "forces reply", next(iter(mine)), lines
        if yours:
            opened = any(self.cells(after)[reply] not in self.cells(board).values() for reply in yours)
            yield "allows win", tuple(yours), frozenset().union(*yours.values()), opened
            return
        for reply in self.cells(after):
            then = self.put(after, reply, you)
            fork = self.threats(then, you)
            if len(fork) >= 2 and not self.threats(then, me):
                yield "allows fork", reply, frozenset().union(*fork.values())
                return

    def _about_values(self, board: str, action: int) -> Iterator[Claim]:
        after = self.put(board, action, self.mover(board))
        if self.over(after) and not self.made(after):
            yield ("ends",)
        mine = self.leads_to(board, action).value
        others = [self.leads_to(board, each).value for each in self.cells(board) if each != action]
        if not others:
            yield ("only move",)
        elif mine >= 0 and max(others) < mine:
            yield "only best", "win" if mine else "draw"
        told = {claim[0] for claim in self._about_lines(board, action)}
        only = None if self.over(after) else self.only_reply(after)
        if only is not None and not told & {"forces reply", "allows win"}:
            yield "only reply", *only
        same = [
            each
            for each in self.cells(board)
            if self.symmetry_key(self.put(board, each, self.mover(board))) == self.symmetry_key(after)
        ]
        if same[0] != action:
            yield "symmetric", same[0], self.put(board, same[0], self.mover(board)) == after

    def only_reply(self, board: str) -> tuple[int, str] | None:
        """Return the one good action in a board that has just one, and why it is."""
        worths = {action: self.leads_to(board, action) for action in self.cells(board)}
        best, *others = sorted(worths, key=lambda action: worths[action], reverse=True)
        if not others:
            return best, "legal"
        if worths[best].value == 1:
            return (best, "wins") if worths[others[0]].value < 1 else None
        if worths[best] != Worth(-1, 2) and all(worths[other] == Worth(-1, 2) for other in others):
            return best, "lose at once"
        if worths[best].value == 0 and worths[others[0]].value < 0:
            return best, "draws"
        return None
