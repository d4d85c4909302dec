"""Damaged tables: whatever happens to a file, the answer is right or a BadTable that names the file."""

import json
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts import BadTable, Engine
from noughts.capabilities import resolve
from noughts.notices import SlowerSearch
from noughts.serial import rules_digest
from noughts.tables.table import Table
from tests.helpers import every_state
from tests.tables.reference import make_table

Says = dict[Any, tuple[int, int | None]]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_table(tmp_path_factory.mktemp("sound") / "table", "tic-tac-toe", part=60)


@pytest.fixture
def table(sound: Path, tmp_path: Path) -> Path:
    """A copy of the table, to be damaged."""
    return Path(shutil.copytree(sound, tmp_path / "table"))


@pytest.fixture(scope="module")
def states() -> list[Any]:
    """One state for each stored position, more or less."""
    return Random(0).sample(every_state(noughts.load("tic-tac-toe")), 150)


@pytest.fixture(scope="module")
def right(sound: Path, states: list[Any]) -> Says:
    return says(sound, states)


def opened(folder: Path) -> Table[Any, Any]:
    """Open a table; its rules are known to be right, and not compared, which takes longest."""
    return Table(str(folder), noughts.load("tic-tac-toe"), rules=digest())


@cache
def digest() -> str:
    """Return the digest of the rules."""
    return rules_digest(resolve(noughts.load("tic-tac-toe")))


def says(folder: Path, states: list[Any]) -> Says:
    """Return what a table says of some states."""
    table = opened(folder)
    found = {state: table.find(state) for state in states}
    return {state: (each.utility, each.distance) for state, each in found.items() if each is not None}


def files(folder: Path) -> list[str]:
    """Return the names of the files of a table."""
    return sorted(each.name for each in folder.iterdir())


def damaged_bytes(folder: Path, count: int, seed: int) -> Iterator[tuple[str, int]]:
    """Yield after each of some changes of one random byte, which is undone when the next is wanted."""
    random = Random(seed)
    sizes = {name: (folder / name).stat().st_size for name in files(folder)}
    for _ in range(count):
        name = random.choices(list(sizes), weights=[size + 200 for size in sizes.values()])[0]
        place = random.randrange(sizes[name])
        with open(folder / name, "r+b") as file:
            file.seek(place)
            before = file.read(1)
            file.seek(place)
            file.write(bytes([before[0] ^ random.randrange(1, 256)]))
            file.flush()
            yield name, place
            file.seek(place)
            file.write(before)


def check_damage(folder: Path, states: list[Any], right: Says, count: int, seed: int) -> int:
    """Change bytes, and return how often it was noticed; fail if an answer is ever wrong."""
    noticed, random = 0, Random(seed)
    for name, place in damaged_bytes(folder, count, seed):
        some = random.sample(states, 40)
        why = ""
        try:
            found = says(folder, some)
        except BadTable as error:
            why = str(error)
        if why:
            assert name in why, f"{name} at {place}: {why}"
            noticed += 1
        else:
            assert found == {state: right[state] for state in some}, f"{name} at {place}"
    return noticed


def test_a_changed_byte_is_noticed_or_does_no_harm(table: Path, states: list[Any], right: Says) -> None:
    assert 100 < check_damage(table, states, right, 300, seed=1) < 300


@pytest.mark.long
def test_ten_thousand_changed_bytes(table: Path, states: list[Any], right: Says) -> None:
    assert check_damage(table, states, right, 10_000, seed=2) > 5_000


def test_every_byte_of_a_part_is_guarded(table: Path) -> None:
    """Whoever reads all blocks notices every single changed byte of the files of a part."""
    parts = opened(table).manifest.parts
    number = max(range(len(parts)), key=lambda each: parts[each].positions)
    part = parts[number]
    assert part.distances is not None
    for listed in (part.values, part.distances):
        content = (table / listed.name).read_bytes()
        for place in range(len(content)):
            (table / listed.name).write_bytes(content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :])
            with pytest.raises(BadTable, match=listed.name):
                opened(table).check_part(number)
        (table / listed.name).write_bytes(content)
    opened(table).check_part(number)


def test_a_file_that_is_cut_short_while_it_is_open(table: Path, states: list[Any], right: Says) -> None:
    whole = opened(table)
    for state in states:
        whole.find(state)
    whole._unpacked.clear()
    for name in files(table):
        if name.endswith(".ntb"):
            os.truncate(table / name, (table / name).stat().st_size // 2)
    for state in states:
        with pytest.raises(BadTable, match=r"ntb' is damaged and not used: it has been changed since it was opened"):
            whole.find(state)


def test_files_that_are_missing_cut_short_exchanged_or_foreign(table: Path, sound: Path, tmp_path: Path) -> None:
    for name in files(table):
        if not name.endswith(".ntb"):
            continue
        content = (table / name).read_bytes()
        (table / name).unlink()
        with pytest.raises(BadTable, match=f"{name}' is missing"):
            noughts.open_table(table)
        (table / name).write_bytes(content[:-1])
        with pytest.raises(BadTable, match=f"{name}' is damaged and not used: it has .* bytes, and should have"):
            noughts.open_table(table)
        (table / name).write_bytes(content)
    a, b = table / "wdl-4-0.ntb", table / "wdl-4-1.ntb"
    first, second = a.read_bytes(), b.read_bytes()
    a.write_bytes(second.ljust(len(first), b"\0")[: len(first)])
    exchanged = opened(table)
    number = [part.values.name for part in exchanged.manifest.parts].index(a.name)
    with pytest.raises(BadTable, match=r"wdl-4-0\.ntb"):
        exchanged.check_part(number)


def test_a_table_of_another_game_or_other_rules(table: Path, sound: Path) -> None:
    for other in ("misere", "connect:4x4", "mnk:3,3,2"):
        with pytest.raises(BadTable, match=r"is not used: it is for other rules \(tic-tac-toe\)"):
            noughts.open_table(table, noughts.load(other))
        with pytest.raises(BadTable, match="other rules"):
            Engine(noughts.load(other), table=noughts.open_table(sound))


def manifest(folder: Path, **changes: Any) -> None:
    """Change facts of a manifest without changing its digest."""
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"version": 2}, "is of a newer version, 2; this noughts reads version 1"),
        ({"version": 0}, "does not match its digest"),
        ({"format": "another"}, "is not the manifest of a table"),
        ({"highest": 2}, "does not match its digest"),
        ({"parts": []}, "does not match its digest"),
        ({"digest": None}, "does not match its digest"),
    ],
)
def test_a_manifest_that_was_changed(table: Path, changes: dict[str, Any], why: str) -> None:
    manifest(table, **changes)
    with pytest.raises(BadTable, match=why):
        noughts.open_table(table)


def test_what_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for name, content in (("text", "noughts"), ("list", "[]"), ("number", "1" * 5000), ("deep", "[" * 100_000)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(content, encoding="utf-8")
    for name, why in (
        ("nothing", "there is no such folder"),
        ("file", "a table is a folder"),
        ("empty", r"it has no manifest\.json"),
        ("text", "it is not JSON"),
        ("list", "is not the manifest of a table"),
        ("number", "manifest"),
        ("deep", "manifest"),
    ):
        with pytest.raises(BadTable, match=why):
            noughts.open_table(tmp_path / name)


def test_a_damaged_table_is_told_of_once_and_the_engine_goes_on(table: Path) -> None:
    game = noughts.load("tic-tac-toe")
    engine = Engine(game, table=table)
    path = table / "dtm-1-0.ntb"
    content = bytearray(path.read_bytes())
    content[-30] ^= 1
    path.write_bytes(content)
    with pytest.warns(SlowerSearch, match=r"dtm-1-0\.ntb' is damaged and not used"):
        answer = engine.analyse()
    assert (answer.value, answer.best) == ("draw", tuple(range(1, 10)))
    assert answer.method != "table"
