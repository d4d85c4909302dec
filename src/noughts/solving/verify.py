"""Verifying a table: every stored value is derived again from the children, and no position is missing or too many.

Some processes walk through the game at the same time, each in an order of its own. They share one byte for each stored
position, which says whether somebody has come to it: so each position is checked once, or twice by chance. In the end
every byte must be set, for what no walk has come to is not reached by any play.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from noughts.errors import BadTable, counted
from noughts.game import Game
from noughts.solving.derive import Derivation, Problem, Walk, starting_points
from noughts.solving.sources import GameSource, source_of
from noughts.tables.table import Table, open_table

__all__ = ["Progress", "Verified", "verify_table", "walk"]

IN_VAIN = 200
"""How many games in a row may lead to no new position of a sample."""
LONGEST = 2_000
"""The most plies of a game for a sample."""
STARTS = 200
"""How many starting points there are for each process."""
MOST_NAMED = 5
"""How many positions that are too many are named."""

Progress = Callable[[int, int], None]
"""Called with how many positions are checked, and how many there are to check."""


Step = int | Problem | None
"""How many positions were checked, or what is wrong with one, or nothing in particular."""


class Verified(NamedTuple):
    """What a verification found."""

    problems: list[str]
    positions: int
    """How many positions the table has."""
    checked: int
    """How many were derived again."""
    complete: bool
    """Whether nothing stopped it."""
    sampled: bool
    """Whether only a sample was to be checked."""


class _Problems:
    """Collects problems, each once: two processes may find the same one, or two positions miss the same child."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._met: set[tuple[int, str]] = set()

    def add(self, problem: Problem) -> None:
        """Add a problem, unless it is known."""
        if (problem.code, problem.wrong) not in self._met:
            self._met.add((problem.code, problem.wrong))
            self.told.append(str(problem))


def verify_table(
    table: Table[Any, Any] | str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    sample: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _done, _total: None,
) -> Verified:
    """Derive every value of a table again, and check that it has every position and no other.

    With `sample`, only so many positions are checked, from random games. It takes as many processes as there are
    processors, or `workers`. Raises BadTable if it is no table at all, or one of another game.
    """
    opened = table if isinstance(table, Table) else open_table(table, game)
    try:
        if sample is not None:
            return _sampled(opened, sample, Random(seed), cancelled, progress)
        source = source_of(opened.game.game, opened.manifest.game if game is None else None)
        count = workers or os.cpu_count() or 1
        if source is None or len(opened) < 20_000:  # not worth a process
            count = 1
        return _whole(opened, source, count, cancelled, progress)
    except BadTable as why:
        return Verified([str(why)], len(opened), 0, True, sample is not None)


def _whole(
    table: Table[Any, Any], source: GameSource | None, workers: int, cancelled: Callable[[], bool], progress: Progress
) -> Verified:
    total, checked = len(table), 0
    problems = _Problems()
    with _marks(total) as (path, marks):
        if workers == 1:
            found: Iterator[Step] = walk(table, marks, 0, 1)
        else:
            from noughts.solving.verify_workers import walks

            assert source is not None
            found = walks(table.folder, source, path, workers)
        for each in found:
            if isinstance(each, Problem):
                problems.add(each)
            elif each is not None:
                checked += each
                progress(min(checked, total), total)
            if cancelled():
                return Verified(problems.told, total, min(checked, total), False, False)
        left = list(_unset(marks, total))
        if left:
            codes = ", ".join(f"{table.code_at(rank):x}" for rank in left[:MOST_NAMED])
            more = ", ..." if len(left) > MOST_NAMED else ""
            which = f"{counted(len(left), 'stored position')} {'is' if len(left) == 1 else 'are'}"
            problems.told.append(f"{which} reached by no play: code {codes}{more}")
    return Verified(problems.told, total, total - len(left), True, False)


@contextmanager
def _marks(total: int) -> Iterator[tuple[str, mmap]]:
    """Yield the path of a file with a byte for each position, and its content."""
    with TemporaryDirectory(prefix="noughts-verify-") as folder:
        path = os.path.join(folder, "marks")
        with open(path, "w+b") as file:
            file.truncate(total)
            with mmap(file.fileno(), total) as marks:
                yield path, marks


def _unset(marks: mmap, total: int) -> Iterator[int]:
    """Yield the places of the bytes that are 0."""
    place = marks.find(b"\0", 0)
    while 0 <= place < total:
        yield place
        place = marks.find(b"\0", place + 1)


def walk(table: Table[Any, Any], marks: Any, number: int, workers: int) -> Iterator[Step]:
    """Yield how many positions were checked, again and again, and what is wrong; None while files are read.

    This is the share of one of some processes: every so many files, and all positions to which it comes first.
    """
    for part in range(number, len(table.manifest.parts), workers):
        table.check_part(part)
        yield None
    found = Walk(table, marks, Random(number))
    starts = starting_points(table.game, STARTS * workers)
    for place in range(len(starts)):
        found.start(starts[(place + len(starts) * number // workers) % len(starts)])
        while done := found.step():
            yield done
            yield from found.problems


def _sampled(
    table: Table[Any, Any], sample: int, random: Random, cancelled: Callable[[], bool], progress: Progress
) -> Verified:
    """Check the positions of random games, until there are enough of them, or hardly any new ones."""
    game, derivation, met = table.game, Derivation(table), set[int]()
    problems = _Problems()
    goal, in_vain = min(sample, len(table)), 0
    while len(met) < goal and in_vain < IN_VAIN:
        before, state = len(met), game.initial()
        for _ in range(LONGEST):
            found = table.find(state)
            if found is None or found.rank not in met:
                for each in derivation.check(state, found)[0]:
                    problems.add(each)
            if found is not None:
                met.add(found.rank)
            if cancelled():
                return Verified(problems.told, len(table), len(met), False, True)
            if len(met) >= goal or game.terminal(state):
                break
            state = game.result(state, random.choice(game.legal_actions(state)))
        progress(len(met), goal)
        in_vain = in_vain + 1 if len(met) == before else 0
    return Verified(problems.told, len(table), len(met), True, True)
