"""Ultimate tic-tac-toe: nine fields of tic-tac-toe in a field of tic-tac-toe.

The rules, in the variant in which a decided field is closed:

1. X, who is MAX, begins, in any cell of any field.
2. The cell that a player marks sends the other to the field in the same place: who marks the upper right cell of
   whatever field makes the other play in the upper right field.
3. Three marks in a row in a field win that field. A field that is won or full is closed: nobody plays there any
   more, and whoever is sent there plays in any open field instead.
4. Three fields in a row win the game. With no open field left and no such row, it is a draw.

(In another variant, play goes on in fields that are won; its value is not the value of this game.)

An action is two digits, field and cell: 53 is cell 3 of field 5. Both are numbered in reading order:

         1 | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import NamedTuple

from noughts.board import GAP, Board, Cell
from noughts.capabilities import Kernel
from noughts.errors import BadPosition, IllegalAction, shown
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, Marks, quoted
from noughts.games.tictactoe import LINES, TIC_TAC_TOE

__all__ = ["ULTIMATE", "Fields", "Ultimate", "make"]

PLACES = range(1, 10)
"""The numbers of fields, and of cells in a field."""

CENTRE = 5

ALL = 0b111_111_111
"""All nine places, as a set of bits."""

MASKS = tuple(sum(1 << place - 1 for place in line) for line in LINES)

LINED = tuple(any(held & mask == mask for mask in MASKS) for held in range(ALL + 1))
"""For every set of places, whether it holds three in a row."""

FIELD_WORTH = 20
"""How much more a field counts than a cell in the heuristic."""

SIGN = re.compile(r"[1-9][1-9]|[^\s|+\[\]-]")
"""One cell of a diagram: the name of an action that can be played, or a single character."""

NineSets = tuple[int, ...]


class Fields(NamedTuple):
    """A state: which cells each player holds, field by field, and what follows from it.

    All numbers are sets of places, in which place n is bit n - 1. This is tic-tac-toe's layout of bits, used for the
    cells of a field and for the fields alike:

         bit 0   bit 1   bit 2
         bit 3   bit 4   bit 5
         bit 6   bit 7   bit 8
    """

    first: NineSets = (0,) * 9
    """The cells of X in field 1, in field 2, and so on."""
    second: NineSets = (0,) * 9
    """The cells of O, likewise."""
    first_won: int = 0
    """The fields that X has won."""
    second_won: int = 0
    playable: int = ALL
    """The fields in which the next mark may be placed: one, or every open one; none once the game is over."""


class Ultimate:
    """Ultimate tic-tac-toe, in the variant in which decided fields are closed."""

    title = "Ultimate tic-tac-toe (won fields are closed)"
    marks = ("X", "O")
    longest = 81

    def __init__(self) -> None:
        lines_through = {place: sum(place in line for line in LINES) for place in PLACES}
        by_lines = sorted(PLACES, key=lambda place: -lines_through[place])
        self.preferred = [10 * field + cell for field, cell in product(by_lines, by_lines)]

    # The six functions.

    def initial(self) -> Fields:
        """Return the empty board."""
        return Fields()

    def player(self, state: Fields) -> int:
        """Return MAX, who begins, while both have placed equally many marks."""
        return MAX if _size(state.first) == _size(state.second) else MIN

    def actions(self, state: Fields) -> list[int]:
        """Return the empty cells of the fields that may be played in, lowest first."""
        return [
            10 * field + cell
            for field in PLACES
            if state.playable >> field - 1 & 1
            for cell in PLACES
            if not (state.first[field - 1] | state.second[field - 1]) >> cell - 1 & 1
        ]

    def result(self, state: Fields, action: int) -> Fields:
        """Return the board with the mover's mark in the cell, and the field in which the other player must play."""
        self._check_legal(state, action)
        field, cell = divmod(action, 10)
        first, second = state.first, state.second
        if self.player(state) == MAX:
            first = _toggled(first, field, cell)
        else:
            second = _toggled(second, field, cell)
        return _sent(first, second, cell)

    def _check_legal(self, state: Fields, action: int) -> None:
        """Raise IllegalAction, with the reason, unless an action can be played."""
        if not isinstance(action, int) or action // 10 not in PLACES or action % 10 not in PLACES:
            raise IllegalAction(
                f"{action!r} is not an action; 11 to 99 are, a digit for the field and one for the cell"
            )
        field, cell = divmod(action, 10)
        if not state.playable:
            raise IllegalAction(f"{action} cannot be played: the game is over in {self.diagram(state)}")
        if not state.playable >> field - 1 & 1:
            there = _fields_named(state.playable)
            raise IllegalAction(f"{action} cannot be played, only {there}, in {self.diagram(state)}")
        if (state.first[field - 1] | state.second[field - 1]) >> cell - 1 & 1:
            raise IllegalAction(f"{action} is taken in {self.diagram(state)}")

    def terminal(self, state: Fields) -> bool:
        """Say whether three fields in a row are won, or no field is open."""
        return not state.playable

    def utility(self, state: Fields) -> int:
        """Return 1 if MAX has three fields in a row, -1 if MIN has, 0 for a draw."""
        return LINED[state.first_won] - LINED[state.second_won]

    # Optional functions.

    def key(self, state: Fields) -> tuple[NineSets, NineSets, int]:
        """Return the cells and where to play; which fields are won follows from the cells."""
        return state.first, state.second, state.playable

    def symmetries(self, state: Fields) -> list[Fields]:
        """Return the eight symmetric images: fields change places, and so do the cells in each field."""
        images = []
        for turn in range(8):
            cells = [tuple(_images(held)[turn] for held in sets) for sets in state[:2]]
            order = [_images(1 << place)[turn] for place in range(9)]
            first, second = (tuple(held for _, held in sorted(zip(order, sets, strict=True))) for sets in cells)
            images.append(Fields(first, second, *(_images(fields)[turn] for fields in state[2:])))
        return images

    def heuristic(self, state: Fields) -> int:
        """Return a guess from each player's standing in each open field and, with more weight, among the fields.

        Both use the same measure: the number of places held, plus one for the centre, plus two for each row with two
        places held and the third still available.
        """
        closed = _closed(state.first, state.second)
        guess = FIELD_WORTH * (
            _standing(state.first_won, closed & ~state.first_won)
            - _standing(state.second_won, closed & ~state.second_won)
        )
        for field, (first, second) in enumerate(zip(state.first, state.second, strict=True)):
            if not closed >> field & 1:
                guess += _standing(first, second) - _standing(second, first)
        return guess

    def kernel(self) -> Kernel:
        """Return the kernel's rules."""
        return Kernel(KERNELS + "ultimate.py", self._packed)

    def _packed(self, state: Fields) -> tuple[int, ...]:
        """Return a state as the kernel has it."""
        first, second, first_won, second_won, playable = state
        if self.player(state) == MIN:
            first, second, first_won, second_won = second, first, second_won, first_won
        full = _closed(first, second) & ~(first_won | second_won)
        cells = [sum(held << 9 * field for field, held in enumerate(sets)) for sets in (first, second)]
        low, high = (1 << 54) - 1, 54
        fields = ((playable << 9 | full) << 9 | second_won) << 9 | first_won
        return cells[0] & low, cells[0] >> high, cells[1] & low, cells[1] >> high, fields

    def action_name(self, action: int) -> str:
        """Return the digit of the field and the digit of the cell."""
        return str(action)

    def board(self, state: Fields) -> Board:
        """Return nine rows of nine cells, with gaps between fields, the winning marks lit.

        A cell without a mark has an action only if it can be played now.
        """
        lit, actions = self._lit(state), self.actions(state)

        def cell_at(action: int) -> Cell:
            mark = self._mark(state, action)
            return Cell(mark, action if mark or action in actions else None, action in lit)

        rows: list[tuple[Cell, ...]] = []
        for row in range(9):
            if row in (3, 6):
                rows.append(())
            cells = [cell_at(_action_at(row, column)) for column in range(9)]
            rows.append((*cells[:3], GAP, *cells[3:6], GAP, *cells[6:]))
        return tuple(rows)

    def _mark(self, state: Fields, action: int) -> str:
        field, cell = divmod(action, 10)
        if state.first[field - 1] >> cell - 1 & 1:
            return self.marks[0]
        return self.marks[1] if state.second[field - 1] >> cell - 1 & 1 else ""

    def _lit(self, state: Fields) -> set[int]:
        """Return the cells of the rows that won fields; once the game is won, only of the fields that won it."""
        won = Marks(state.first_won, state.second_won)
        fields = {field for line in TIC_TAC_TOE.completed(won) for field in line} or range(1, 10)
        return {
            10 * field + cell
            for field in fields
            for line in TIC_TAC_TOE.completed(Marks(state.first[field - 1], state.second[field - 1]))
            for cell in line
        }

    def diagram(self, state: Fields) -> str:
        """Return the nine rows on one line, then the field that must be played in, if there is only one.

        `parse` reads it back: `X......../........./ ... /......... 1`.
        """
        actions = ([_action_at(row, column) for column in range(9)] for row in range(9))
        rows = "/".join("".join(self._mark(state, action) or "." for action in row) for row in actions)
        return f"{rows} {state.playable.bit_length()}" if state.playable.bit_count() == 1 else rows

    def parse(self, diagram: str) -> Fields:
        """Read nine rows of nine cells on one line, then the field to play in, if only one may be; or a drawing.

        In a drawing, cells that can be played show their names, which gives the field. Unreachable boards are refused
        unless X has as many marks as O or one more, play in each field ended with its first row of three, and some mark
        can have been the last: it fits its field, and sends the next player where the diagram says. Whether every
        earlier mark can have been placed in its field is not checked.
        """
        rows = [signs for signs in map(SIGN.findall, diagram.replace("/", "\n").split("\n")) if signs]
        word = ""
        if len(rows) == 10 and len(rows[-1]) == 1:
            word = rows.pop()[0]
        elif rows and len(rows[-1]) == 10:
            word = rows[-1].pop()
        if len(rows) != 9 or any(len(row) != 9 for row in rows):
            raise BadPosition(f"a board here has 9 rows of 9 cells: {quoted(diagram)}")
        signs = {_action_at(row, column): rows[row][column] for row, column in product(range(9), range(9))}
        first, second, named = self._read(signs)
        return self._reachable(first, second, _field_asked_for(word, named), named)

    def _read(self, signs: dict[int, str]) -> tuple[NineSets, NineSets, list[int]]:
        """Return the cells of X, those of O, and the actions whose cells show their names."""
        held = {mark: [0] * 9 for mark in self.marks}
        named = []
        for action, sign in sorted(signs.items()):
            field, cell = divmod(action, 10)
            if sign.upper() in held:
                held[sign.upper()][field - 1] |= 1 << cell - 1
            elif sign == self.action_name(action):
                named.append(action)
            elif sign != ".":
                raise BadPosition(f"{shown(sign)} is not a mark; use {' and '.join(self.marks)}, and . for empty")
        return tuple(held[self.marks[0]]), tuple(held[self.marks[1]]), named

    def _reachable(self, first: NineSets, second: NineSets, field: int, named: list[int]) -> Fields:
        """Return the state in which `field` must be played in, 0 for any, or raise BadPosition."""
        if _size(first) - _size(second) not in (0, 1):
            raise BadPosition("X begins and O follows, so X has as many marks or one more")
        for place, both in enumerate(zip(first, second, strict=True), 1):
            lines = TIC_TAC_TOE.completed(Marks(*both))
            if lines and not set.intersection(*map(set, lines)):
                raise BadPosition(f"play in field {place} would have ended before these rows were made")
        found = _sent(first, second, field)
        if field and found.playable != 1 << field - 1:
            raise BadPosition(f"field {field} cannot be played in: it is closed, or the game is over")
        if found.playable not in self._possibly_playable(found):
            where = _fields_named(found.playable) if found.playable else "the end of the game"
            hint = "" if field else "; if one field must be played in, end the diagram with a space and its digit"
            raise BadPosition(f"no last mark leads to {where} here{hint}")
        if named and named != self.actions(found):
            raise BadPosition("the cells that bear their names are not those that can be played")
        return found

    def _possibly_playable(self, state: Fields) -> set[int]:
        """Return the sets of fields that may be open to the next player, since some mark must have been the last.

        The start has no last mark.
        """
        if not any(state.first):
            return {ALL}
        last_is_first = self.player(state) == MIN
        found = set()
        for field, cell in product(PLACES, PLACES):
            own = state.first if last_is_first else state.second
            if own[field - 1] >> cell - 1 & 1:
                before = _toggled(own, field, cell)
                pair = (before, state.second) if last_is_first else (state.first, before)
                if _sent(*pair, 0).playable >> field - 1 & 1:
                    found.add(_sent(state.first, state.second, cell).playable)
        return found


def _sent(first: NineSets, second: NineSets, cell: int) -> Fields:
    """Return the state with these marks after a player was sent by a cell, or by 0 to any open field."""
    first_won, second_won = (_places(LINED[held] for held in sets) for sets in (first, second))
    over = LINED[first_won] or LINED[second_won]
    are_open = 0 if over else ALL & ~_closed(first, second)
    sent_to = 1 << cell - 1 if cell else 0
    return Fields(first, second, first_won, second_won, are_open & sent_to or are_open)


def _closed(first: NineSets, second: NineSets) -> int:
    """Return the fields that are won or full."""
    return _places(LINED[own] or LINED[other] or own | other == ALL for own, other in zip(first, second, strict=True))


def _places(chosen: Iterable[bool]) -> int:
    """Return the set of places whose flag is true."""
    return sum(1 << bit for bit, is_chosen in enumerate(chosen) if is_chosen)


def _toggled(sets: NineSets, field: int, cell: int) -> NineSets:
    """Return nine sets with one cell added, or taken away if it was there."""
    return (*sets[: field - 1], sets[field - 1] ^ 1 << cell - 1, *sets[field:])


def _size(sets: NineSets) -> int:
    return sum(map(int.bit_count, sets))


def _standing(own: int, blocked: int) -> int:
    """Return the measure of a player who holds some of nine places, when others are no longer available."""
    twos = sum((own & mask).bit_count() == 2 and not blocked & mask for mask in MASKS)
    return own.bit_count() + (own >> CENTRE - 1 & 1) + 2 * twos


@cache
def _images(held: int) -> NineSets:
    """Return a set of places turned and reflected in tic-tac-toe's eight ways, always in the same order."""
    return tuple(image.first for image in TIC_TAC_TOE.symmetries(Marks(held)))


def _action_at(row: int, column: int) -> int:
    """Return the action that plays in a row and a column of the whole board, counted from 0.

    >>> _action_at(0, 0), _action_at(0, 8), _action_at(4, 3)
    (11, 33, 54)
    """
    field = row // 3 * 3 + column // 3 + 1
    cell = row % 3 * 3 + column % 3 + 1
    return 10 * field + cell


def _fields_named(fields: int) -> str:
    """Return the names of a set of fields: `field 5`, `fields 1 2 9`."""
    numbers = [str(place) for place in PLACES if fields >> place - 1 & 1]
    return f"field{'s' if len(numbers) > 1 else ''} {' '.join(numbers)}"


def _field_asked_for(word: str, named: list[int]) -> int:
    """Return the one field to play in that a diagram's last word, or else its named cells, determine; 0 for any."""
    if word:
        if word not in "123456789":
            raise BadPosition(f"{shown(word)} is not a field; end with a digit from 1 to 9, the field to play in")
        return int(word)
    fields = {action // 10 for action in named}
    return fields.pop() if len(fields) == 1 else 0


ULTIMATE = Ultimate()


def make(arguments: str) -> Ultimate:
    """Return the game, which takes no arguments."""
    if arguments:
        raise ValueError("ultimate takes no arguments")
    return ULTIMATE
