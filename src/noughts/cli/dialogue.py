"""The wording of the dialogue: friendly for people at a terminal, plain for scripts and screen readers.

The plain wording is fixed: other programs rely on every letter of it.
"""

from typing import Any, Protocol, TextIO

from noughts.board import Cell, grid, text
from noughts.cli.seats import Seat, Table
from noughts.cli.terminal import fits
from noughts.errors import PlayerFailed
from noughts.game import MAX, MIN
from noughts.match import Match

__all__ = ["Dialogue", "Friendly", "Plain"]

MARGIN = "  "
"""What is written before each line of a board."""

AROUND = 3
"""The lines that must be seen together with a board: the computer's move, an empty line, and the prompt."""

BOLD, DIM, CYAN, YELLOW, RESET = "\033[1m", "\033[2m", "\033[36m", "\033[33m", "\033[0m"


class Dialogue(Protocol):
    """The wording of everything that is said during a game."""

    def opening(self) -> str: ...  # noqa: D102
    def board(self, state: Any, /) -> str: ...  # noqa: D102
    def prompt(self, match: Match[Any, Any], /) -> str: ...  # noqa: D102
    def moved(self, seat: Seat, name: str, /) -> str: ...  # noqa: D102
    def repeated(self, match: Match[Any, Any], /) -> str: ...  # noqa: D102
    def result(self, match: Match[Any, Any], /) -> str: ...  # noqa: D102
    def failed(self, seat: Seat, failure: PlayerFailed, /) -> str: ...  # noqa: D102


class Plain:
    """The fixed dialogue."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def opening(self) -> str:
        """Return the title."""
        seats = self.table.seats.values()
        kinds = ["User" if seat.human else "Computer" for seat in seats]
        if not self.table.person_and_computer:
            kinds = [f"{kind} {number}" for number, kind in enumerate(kinds, 1)]
        pairs = sorted(zip(kinds, (seat.mark for seat in seats), strict=True), reverse=self.table.person_and_computer)
        title = self.table.title.replace("-", " ").title()
        return f"{title} ({', '.join(f'{kind} = {mark}' for kind, mark in pairs)})\n"

    def board(self, state: Any) -> str:
        """Return the board under its heading, with a blank line after it."""
        return f"Board:\n{self.table.offers.draw(state)}\n"

    def prompt(self, match: Match[Any, Any]) -> str:
        """Return the prompt for a move."""
        choices = f" ({_choices(self.table, match)})"
        if self.table.person_and_computer:
            return f"Enter your move{choices}: "
        return f"{self.table.seats[match.to_move].mark}, enter your move{choices}: "

    def moved(self, seat: Seat, name: str) -> str:
        """Return the announcement of a computer's move."""
        return f"{self._who(seat)} chooses position {name}\n"

    def repeated(self, match: Match[Any, Any]) -> str:
        """Return the announcement that a position has occurred so often that the game can be a draw."""
        return _repeated(self.table, match)

    def result(self, match: Match[Any, Any]) -> str:
        """Return the announcement of the result."""
        if match.utility == 0:
            return "It's a Draw!"
        seat = self.table.seats[MAX if match.utility > 0 else MIN]
        return "You Win!" if seat.human and self.table.person_and_computer else f"{self._who(seat)} Wins!"

    def failed(self, _: Seat, failure: PlayerFailed) -> str:
        """Return the announcement that a program has lost by its own fault."""
        return f"{failure}."

    def _who(self, seat: Seat) -> str:
        return "Computer" if self.table.person_and_computer else seat.mark


class Friendly:
    """The dialogue for people: in colour if the terminal can show it; the winning line is marked in any case."""

    def __init__(self, table: Table, color: bool, output: TextIO | None = None) -> None:
        self.table = table
        self._color = color
        self._output = output

    def opening(self) -> str:
        """Return the players and how to play."""
        lines = [f"{self._paint(BOLD, self.table.title)}: {self._who_is_who()}"]
        if any(seat.human for seat in self.table.seats.values()):
            lines.append("Type a move and press Enter, or type help for other commands.")
        return "\n".join(lines) + "\n"

    def board(self, state: Any) -> str:
        """Return the board, marks in colour, the winning line in brackets; narrow if the terminal is too small."""
        offers = self.table.offers
        if offers.board is None:
            return offers.draw(state) + "\n"
        board, name = offers.board(state), offers.action_name
        drawn = text(board, name=name, paint=self._paint_cell)
        if not fits(_indented(text(board, name=name)), self._output, AROUND):
            drawn = grid(board, name, self._paint_cell) or drawn
        return _indented(drawn) + "\n"

    def prompt(self, match: Match[Any, Any]) -> str:
        """Return the prompt for a move."""
        who = "Your" if self.table.person_and_computer else f"{self.table.seats[match.to_move].mark}, your"
        return f"{who} move ({_choices(self.table, match)}): "

    def moved(self, seat: Seat, name: str) -> str:
        """Return the announcement of a computer's move."""
        who = "The computer" if self.table.person_and_computer else seat.mark
        return f"{who} plays {name}.\n"

    def repeated(self, match: Match[Any, Any]) -> str:
        """Return the announcement that a position has occurred so often that the game can be a draw."""
        return _repeated(self.table, match)

    def result(self, match: Match[Any, Any]) -> str:
        """Return the announcement of the result."""
        if match.drawn:
            return self._paint(BOLD, "It's a draw by repetition.")
        if match.utility == 0:
            return self._paint(BOLD, "It's a draw.")
        seat = self.table.seats[MAX if match.utility > 0 else MIN]
        by = f" by {abs(match.utility)}" if abs(match.utility) > 1 else ""
        if not self.table.person_and_computer:
            return self._paint(BOLD, f"{seat.mark} wins{by}.")
        return self._paint(BOLD, f"You win{by}!" if seat.human else f"The computer wins{by}.")

    def failed(self, seat: Seat, failure: PlayerFailed) -> str:
        """Return the announcement that a program has lost by its own fault."""
        won = "\nYou win!" if self.table.person_and_computer else ""
        return self._paint(BOLD, f"{seat.mark} ({seat.kind}) loses: it {failure.reason}.{won}")

    def _who_is_who(self) -> str:
        begins, follows = self.table.seats.values()
        if not self.table.person_and_computer:
            return f"{_introduced(begins)} begins, {_introduced(follows)} follows."
        if begins.human:
            return f"you are {begins.mark} and begin, the computer is {_introduced(follows)}."
        return f"you are {follows.mark}, the computer is {_introduced(begins)} and begins."

    def _paint_cell(self, cell: Cell, framed: str) -> str:
        if not cell.mark:
            return self._paint(DIM, framed)
        if cell.lit:
            framed = f"[{framed[1:-1]}]"
        color = CYAN if cell.mark == self.table.seats[MAX].mark else YELLOW
        return self._paint(color + BOLD if cell.lit else color, framed)

    def _paint(self, code: str, words: str) -> str:
        return f"{code}{words}{RESET}" if self._color else words


def _repeated(table: Table, match: Match[Any, Any]) -> str:
    """Return the announcement of a repeated position; people are told that they can go on."""
    said = f"This position has occurred {match.times} times."
    if any(seat.human for seat in table.seats.values()):
        return f"{said} Type draw to end the game as a draw, or play on.\n"
    return said


def _indented(drawn: str) -> str:
    return "\n".join(f"{MARGIN}{line}".rstrip() for line in drawn.splitlines())


def _introduced(seat: Seat) -> str:
    """Return a mark with the name of its player."""
    if seat.human:
        return seat.mark
    kind, about = seat.kind, seat.player.description
    return f"{seat.mark} ({about if about.startswith(kind.replace('-', ' ')) else f'{kind}, {about}'})"


def _choices(table: Table, match: Match[Any, Any]) -> str:
    """Return what can be typed now: a range of numbers, or the moves if they are few, or one of them as an example."""
    names = _numbered_cells(table, match) or [
        table.offers.action_name(action) for action in match.game.actions(match.state)
    ]
    numbers = [int(name) for name in names if name.isdecimal()]
    if len(numbers) == len(names) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{names[0]}-{names[-1]}"
    return " ".join(names) if len(names) <= 9 else f"such as {names[0]}; type moves to list them"


def _numbered_cells(table: Table, match: Match[Any, Any]) -> list[str]:
    """Return the numbers of all cells if each cell has one and every empty cell can be played; else an empty list.

    Such a board, for example that of tic-tac-toe, shows which numbers are taken, so the prompt need not.
    """
    offers = table.offers
    if offers.board is None:
        return []
    legal = match.game.actions(match.state)
    cells = [cell for row in offers.board(match.state) for cell in row if not cell.gap]
    if not all(cell.action is not None and (cell.mark or cell.action in legal) for cell in cells):
        return []
    names = [offers.action_name(cell.action) for cell in cells]
    return names if all(map(str.isdecimal, names)) else []
