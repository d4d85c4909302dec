"""A table: the value, and if it has them the distance, of every position of a game, looked up in files."""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import BadPosition, BadTable, NoughtsError, shown, shown_path
from noughts.game import Action, Game, State
from noughts.notation import load
from noughts.score import value_of
from noughts.search.answer import Answer, answer_from, unknown
from noughts.serial import rules_digest
from noughts.symmetry import do_nothing
from noughts.tables.codings import coding_of
from noughts.tables.manifest import MANIFEST, Manifest, read_manifest
from noughts.tables.part import Block, PartFile, check_file

__all__ = ["Entry", "Found", "Table", "open_table"]

MOST_BLOCKS = 2048
"""How many blocks are kept unpacked, some 20 KB each; then the oldest are dropped."""
MOST_PARTS = 200
"""How many parts are kept open; then the oldest are closed."""


class Found(NamedTuple):
    """What a table says about one position."""

    utility: int
    """For the player to move."""
    distance: int | None
    """Plies to the end, 0 for a draw; None if the table has no distances."""
    rank: int
    """Its place among all positions of the table, counted from 0."""


class Entry(NamedTuple):
    """One position of a table, as it is stored."""

    tier: int
    code: int
    utility: int
    """For the player to move."""
    distance: int | None


class Table(Generic[State, Action]):
    """The table in a folder. Threads may share it.

    Raises BadTable, naming the file, if anything is missing or not as the manifest says, or if the table is of another
    game. Every block is checked when it is first needed. To compare the rules, some games are played, which takes a
    moment, unless the digest of the game's `rules` is given; `check` is called on the way, and may raise an exception
    to stop.

    >>> Table("no-such-folder")
    Traceback (most recent call last):
    noughts.errors.BadTable: there is no table 'no-such-folder': there is no such folder
    """

    def __init__(
        self,
        folder: str,
        game: Game[State, Action] | None = None,
        *,
        rules: str | None = None,
        check: Callable[[], None] = do_nothing,
    ) -> None:
        self.folder = folder
        self.manifest: Manifest = read_manifest(folder)
        self.game: ResolvedGame[State, Action] = resolve(self._loaded() if game is None else game)
        self.has_distances = self._check_files()
        if (rules or rules_digest(self.game, check)) != self.manifest.rules:
            raise self._bad(f"it is for other rules ({self.manifest.game})")
        try:
            self._code = coding_of(self.game, self.manifest.coding)
        except BadTable as why:
            raise self._bad(str(why)) from None
        self._tier = {"plies": self.game.plies, "tier": self.game.tier}.get(self.manifest.tiers)
        self._set_up_parts()
        self._open: dict[int, PartFile] = {}
        self._unpacked: dict[tuple[int, int], Block] = {}

    def _loaded(self) -> Game[State, Action]:
        """Return the game that the manifest names."""
        try:
            return load(self.manifest.game)
        except NoughtsError as error:
            raise self._bad(f"its game cannot be loaded, and none is given: {error}") from None

    def _check_files(self) -> bool:
        """Check that every file is there and whole; return whether the distances are there, all of them or none."""
        parts = self.manifest.parts
        for part in parts:
            check_file(self._path(part.values.name), part.values)
        listed = [part.distances for part in parts]
        paths = [self._path(each.name) for each in listed if each is not None]
        if len(paths) < len(parts) or not any(map(os.path.exists, paths)):
            return False
        for each in listed:
            assert each is not None
            check_file(self._path(each.name), each)
        return True

    def _path(self, name: str) -> str:
        if os.path.basename(name) != name:
            raise self._bad(f"its manifest lists {shown(name, 60)}, which is not the name of a file")
        return os.path.join(self.folder, name)

    def _set_up_parts(self) -> None:
        """Set up in which parts to look for a code, and how many positions come before each part."""
        parts = self.manifest.parts
        self._starts = [0]
        self._of_tier: dict[int, list[int]] = {}
        for number, part in enumerate(parts):
            self._starts.append(self._starts[-1] + part.positions)
            self._of_tier.setdefault(part.tier, []).append(number)

    def _bad(self, why: str) -> BadTable:
        return BadTable(f"the table {shown_path(self.folder)} is not used: {why}")

    def __len__(self) -> int:
        """Return how many positions are stored."""
        return self._starts[-1]

    def probe(self, state: State) -> Answer[Action]:
        """Return the value of a state for the player to move, its distance if the table has it, and no actions.

        Raises BadPosition if the table does not have the state, since no play leads to it.
        """
        found = self.find(state)
        if found is None:
            raise BadPosition(f"the table {shown(self.folder, 60)} does not have this position: no play leads to it")
        return self.answer(found, is_over=self.game.terminal(state))

    def answer(self, found: Found, is_over: bool) -> Answer[Action]:
        """Return what was found as an answer; a position that `is_over` has the distance 0 in any case."""
        scale, distance = self.game.scale, 0 if is_over else found.distance
        if distance is not None or found.utility == 0:
            score = scale.score(found.utility, distance or 0)
            exact: Answer[Action] = answer_from([], scale=scale, method="table", nodes=0, seconds=0.0, ended=score)
            return exact._replace(line_complete=is_over)
        low, high = scale.bounds(found.utility)
        answer: Answer[Action] = unknown("table", 0, 0.0, "done")
        return answer._replace(value=value_of(found.utility), margin=found.utility, proven=True, low=low, high=high)

    def find(self, state: State) -> Found | None:
        """Return what the table says about a state, or None if it does not have it."""
        code = self._code(state)
        everywhere = range(len(self.manifest.parts))
        for number in everywhere if self._tier is None else self._of_tier.get(self._tier(state), ()):
            part = self.manifest.parts[number]
            if part.first <= code <= part.last:
                found = self._find_in(number, code)
                if found is not None:
                    return found
        return None

    def _find_in(self, number: int, code: int) -> Found | None:
        """Return what one part says about a code, or None if the part does not have it."""
        file = self._part(number)
        place = file.number_of(code)
        if place is None:
            return None
        block = self._block(number, place)
        row = bisect_right(block.codes, code) - 1
        if block.codes[row] != code:
            return None
        distance = None if block.distances is None else block.distances[row]
        rank = self._starts[number] + file.start_of(place) + row
        return Found(block.utilities[row] - self.manifest.highest, distance, rank)

    def code(self, state: State) -> int:
        """Return the code of a state."""
        return self._code(state)

    def tier_of(self, rank: int) -> int:
        """Return the tier of the position at a place among all."""
        return self.manifest.parts[bisect_right(self._starts, rank) - 1].tier

    def code_at(self, rank: int) -> int:
        """Return the code of the position at a place among all."""
        number = bisect_right(self._starts, rank) - 1
        place, row = self._part(number).place_of(rank - self._starts[number])
        return self._block(number, place).codes[row]

    def check_part(self, number: int) -> None:
        """Read all blocks of a part; raise BadTable, naming the file, if anything in it cannot be right."""
        self._part(number).check(self.manifest.highest)

    def entries(self) -> Iterator[Entry]:
        """Yield every stored position, part by part, in the order of the codes of each part."""
        highest = self.manifest.highest
        for number, part in enumerate(self.manifest.parts):
            file = self._part(number)
            for place in range(file.blocks):
                codes, utilities, distances = file.block(place)
                for row, code in enumerate(codes):
                    distance = None if distances is None else distances[row]
                    yield Entry(part.tier, code, utilities[row] - highest, distance)

    def _part(self, number: int) -> PartFile:
        """Return a part, opened when it is first needed."""
        file = self._open.get(number)
        if file is None:
            file = PartFile(self.folder, self.manifest.parts[number], self.manifest.highest, self.has_distances)
            if len(self._open) >= MOST_PARTS:
                with suppress(StopIteration, RuntimeError):  # another thread changes it just now
                    self._open.pop(next(iter(self._open)), None)
            self._open[number] = file
        return file

    def _block(self, number: int, place: int) -> Block:
        """Return a block, unpacked when it is first needed."""
        key = number, place
        block = self._unpacked.get(key)
        if block is None:
            block = self._part(number).block(place)
            if len(self._unpacked) >= MOST_BLOCKS:
                with suppress(StopIteration, RuntimeError):  # another thread changes it just now
                    self._unpacked.pop(next(iter(self._unpacked)), None)
            self._unpacked[key] = block
        return block

    @property
    def size(self) -> int:
        """How many bytes the files in use take, the manifest included."""
        parts = self.manifest.parts
        values = os.path.getsize(self._path(MANIFEST)) + sum(part.values.size for part in parts)
        if not self.has_distances:
            return values
        return values + sum(part.distances.size for part in parts if part.distances is not None)

    @property
    def bytes(self) -> int:
        """About how much memory the unpacked blocks take."""
        return len(self._unpacked) * 24_000

    def close(self) -> None:
        """Close the files; the next question opens them again."""
        self._unpacked.clear()  # each file is closed with its last reference, which another thread may have
        self._open.clear()

    def __enter__(self) -> "Table[State, Action]":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.folder, self.game.game)


def open_table(folder: str | os.PathLike[str], game: Game[State, Action] | None = None) -> Table[State, Action]:
    """Open the table in a folder; of the game that it names, if none is given.

    Raises BadTable, naming the file, if it is not a table, or damaged, or of another game.
    """
    return Table(os.fspath(folder), game)
