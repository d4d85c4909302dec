"""Solving games in which positions repeat, or are met at several depths: against brute force, and after every stop."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.solving.engines import LocalEngine
from noughts.solving.files import Facts
from noughts.solving.room import LARGEST, PART
from noughts.solving.tasks import Job, Task
from noughts.tables.table import open_table
from tests.endless import by_brute_force, example, random_graph
from tests.helpers import altered, every_state
from tests.solving.solved import bytes_of, check_against_oracle


def in_parts_of(positions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts have no more positions than this."""
    for each in (PART, LARGEST):
        monkeypatch.setitem(each, "interpreted", positions)


def check_by_brute_force(game: Any, folder: Path) -> None:
    """Assert that a table has the score of every position, and no position more."""
    offers, scores, ranks = resolve(game), by_brute_force(game), set()
    with open_table(folder, game) as table:
        for state in every_state(game):
            found = table.find(state)
            assert found is not None
            score = offers.player(state) * scores[offers.key(state)]
            assert (found.utility, found.distance) == (offers.scale.utility(score), offers.scale.distance(score) or 0)
            ranks.add(found.rank)
        assert len(ranks) == len(table)


@pytest.mark.parametrize("name", ["three_mens_morris", "dodgem"])
def test_every_position_of_the_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts of 200 positions, so that they lead to each other."""
    in_parts_of(200, monkeypatch)
    game = example(name)
    solved = noughts.solve(game, tmp_path, engine="local")
    check_by_brute_force(game, tmp_path)
    known = {"three_mens_morris": (5_390, 744, 9, 9), "dodgem": (1_963, 1_963, 19, 21)}
    assert solved.value == "win"
    assert (solved.positions, solved.stored, solved.distance, solved.longest) == known[name]


def test_every_position_of_random_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With margins, moves of one player in a row, and loops, in parts of 3 positions."""
    in_parts_of(3, monkeypatch)
    for seed in range(12):
        game = random_graph(seed)
        noughts.solve(game, tmp_path / str(seed), engine="local")
        check_by_brute_force(game, tmp_path / str(seed))


def test_a_game_that_ends_but_has_no_tiers(tmp_path: Path) -> None:
    """The heaps of nim are reached in one move or in many."""
    game = altered(noughts.load("nim:2,3,2"))
    noughts.solve(game, tmp_path, engine="local")
    check_against_oracle(game, tmp_path)


class Killed(Exception):
    """Stands for a signal."""


class Faltering(LocalEngine):
    """An engine that is killed after some tasks."""

    def __init__(self, tasks: int) -> None:
        super().__init__()
        self.left = tasks

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks until it is killed."""
        for each in super().run(job, tasks):
            if self.left == 0:
                raise Killed
            self.left -= 1
            yield each


def test_the_same_bytes_however_often_it_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_parts_of(500, monkeypatch)
    game = example("dodgem")
    noughts.solve(game, tmp_path / "whole", engine="local")
    kills = 0
    while True:
        try:
            noughts.solve(game, tmp_path / "killed", engine=Faltering(20))
        except Killed:
            kills += 1
        else:
            break
    assert kills > 4
    assert bytes_of(tmp_path / "killed") == bytes_of(tmp_path / "whole")
    noughts.solve(game, tmp_path / "pool", notation="examples/dodgem.py", workers=2)
    found, other = bytes_of(tmp_path / "pool"), bytes_of(tmp_path / "whole")
    found.pop("manifest.json"), other.pop("manifest.json")  # it names the game as it was given
    assert found == other


def test_no_files_of_rounds_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_parts_of(200, monkeypatch)
    most = SimpleNamespace(files=0, parts=0)

    class Watching(LocalEngine):
        def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
            if tasks and tasks[0].kind == "round":
                most.files = max(most.files, len(list(Path(job.work).glob("*round-*"))))
                most.parts = len(list(Path(job.work).glob("*.links")))
            return super().run(job, tasks)

    noughts.solve(example("dodgem"), tmp_path, engine=Watching())
    assert 0 < most.files <= most.parts + 1
