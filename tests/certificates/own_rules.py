"""Rules of games of lines that share nothing with the package, and verdicts on certificates by brute force."""

from functools import cache
from typing import NamedTuple

Board = str
"""The cells in reading order: x, o or a dot. Whoever is x began."""


class Rules(NamedTuple):
    """A board, how many in a row decide, and whether moves are columns into which stones fall."""

    columns: int
    rows: int
    in_a_row: int
    drop: bool = False
    misere: bool = False
    coordinates: bool = False

    @property
    def empty(self) -> Board:
        return "." * (self.columns * self.rows)

    @cache  # noqa: B019 - few games
    def moves(self, board: Board) -> dict[str, Board]:
        """Return the boards that can follow, by the names of the moves; none if the game is over."""
        if self.lined(board):
            return {}
        mark = "xo"[self.turn(board)]
        found = {}
        for cell in range(len(board)):
            column, row = cell % self.columns, cell // self.columns
            below = cell + self.columns
            if board[cell] == "." and not (self.drop and below < len(board) and board[below] == "."):
                name = f"{'abcdefghijkl'[column]}{row + 1}" if self.coordinates else str(cell + 1)
                found[str(column + 1) if self.drop else name] = f"{board[:cell]}{mark}{board[cell + 1 :]}"
        return found

    def turn(self, board: Board) -> int:
        """Return 0 if the player who began is to move, else 1."""
        return (board.count("x") + board.count("o")) % 2

    @cache  # noqa: B019
    def lined(self, board: Board) -> bool:
        """Say whether somebody has completed a line."""
        for row in range(self.rows):
            for column in range(self.columns):
                for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    last_column, last_row = (column + right * (self.in_a_row - 1), row + down * (self.in_a_row - 1))
                    if 0 <= last_column < self.columns and last_row < self.rows:
                        cells = [
                            board[(row + down * n) * self.columns + column + right * n] for n in range(self.in_a_row)
                        ]
                        if cells[0] != "." and len(set(cells)) == 1:
                            return True
        return False

    def result(self, board: Board, seat: int) -> int:
        """Return 1, 0 or -1 for a won, drawn or lost finished game, for the player who is 0 (began) or 1."""
        if not self.lined(board):
            return 0
        won = (self.turn(board) != seat) != self.misere
        return 1 if won else -1


RULES = {
    "tic-tac-toe": Rules(3, 3, 3),
    "misere": Rules(3, 3, 3, misere=True),
    "mnk:4,3,3": Rules(4, 3, 3, coordinates=True),
    "connect:4x4": Rules(4, 4, 4, drop=True),
    "connect:5x4": Rules(5, 4, 4, drop=True),
    "connect:6x4": Rules(6, 4, 4, drop=True),
}


class Text(NamedTuple):
    """A certificate as its text says, read without the package."""

    seat: int
    most: int | None
    entries: list[tuple[list[str], str]]

    def written(self, head: str) -> str:
        lines = [" ".join([*moves, "=>", move]) for moves, move in self.entries]
        return "\n".join([*head.split("\n")[:5], *lines, "end", ""])


def read(text: str) -> Text:
    """Read a certificate that is well formed."""
    head, lines = text.split("\n")[:5], text.split("\n")[5:-2]
    claim = head[4].split()
    entries = [line.split() for line in lines]
    return Text(
        ["player first", "player second"].index(head[2]),
        int(claim[3]) if claim[1] == "wins" else None,
        [(words[:-2], words[-1]) for words in entries],
    )


def holds(rules: Rules, text: Text) -> bool:
    """Return whether the claim holds, by following every line of play."""
    strategy: dict[Board, list[str]] = {}
    for moves, move in text.entries:
        board = rules.empty
        for each in moves:
            board = rules.moves(board)[each]
        strategy.setdefault(board, []).append(move)

    @cache
    def safe(board: Board, left: int) -> bool:
        moves = rules.moves(board)
        if not moves:
            return rules.result(board, text.seat) >= (0 if text.most is None else 1)
        if not left:
            return False
        if rules.turn(board) != text.seat:
            return all(safe(child, left - 1) for child in moves.values())
        chosen = strategy.get(board, [])
        return bool(chosen) and all(each in moves and safe(moves[each], left - 1) for each in chosen)

    return safe(rules.empty, len(rules.empty) if text.most is None else text.most)


def refutes(rules: Rules, text: Text, line: tuple[str, ...]) -> bool:
    """Return whether a line of play, in which the player follows the strategy, shows that the claim fails."""
    strategy: dict[Board, list[str]] = {}
    for moves, move in text.entries:
        strategy.setdefault(board_after(rules, moves), []).append(move)
    board = rules.empty
    for number, move in enumerate(line):
        own = rules.turn(board) == text.seat
        assert not own or move in strategy[board], "the player leaves the strategy"
        children = rules.moves(board)
        if move not in children:
            return own and number == len(line) - 1
        board = children[move]
    if rules.moves(board):
        too_long = text.most is not None and len(line) > text.most
        return too_long or (rules.turn(board) == text.seat and board not in strategy)
    return rules.result(board, text.seat) < (0 if text.most is None else 1) or len(line) > (text.most or len(board))


def board_after(rules: Rules, moves: list[str]) -> Board:
    """Return the board after some moves."""
    board = rules.empty
    for each in moves:
        board = rules.moves(board)[each]
    return board


class Change(NamedTuple):
    """Other entries in place of one entry of a certificate."""

    number: int
    entries: list[tuple[list[str], str]]

    def of(self, text: Text) -> Text:
        before, after = text.entries[: self.number], text.entries[self.number + 1 :]
        return text._replace(entries=[*before, *self.entries, *after])


def changes(rules: Rules, text: Text, *, adding: bool) -> list[Change]:
    """Return every change of one entry: another move in its place, legal or not, or none at all.

    With `adding`, also a second entry for the same position.
    """
    found = []
    every = list(rules.moves(rules.empty))
    for number, (moves, move) in enumerate(text.entries):
        found.append(Change(number, []))
        for other in every:
            if other != move:
                found.append(Change(number, [(moves, other)]))
                if adding:
                    found.append(Change(number, [(moves, move), (moves, other)]))
    return found
