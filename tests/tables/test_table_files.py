"""The files of a table: what is written is read, the same from lists and from arrays, and damage is found."""

from pathlib import Path
from random import Random

import pytest

from noughts.tables.layout import BLOCK
from noughts.tables.part import PartFile
from noughts.tables.writer import Part, PartWriter

Rows = list[tuple[int, int, int]]


def rows_of(count: int, bits: int, highest: int, seed: int = 0) -> Rows:
    """Return random positions in the order of their codes."""
    random = Random(seed)
    codes = sorted({random.getrandbits(bits) for _ in range(count)})
    utilities = [random.randint(-highest, highest) for _ in codes]
    return [
        (code, utility, random.randrange(300) if utility else 0) for code, utility in zip(codes, utilities, strict=True)
    ]


def write(folder: Path, rows: Rows, highest: int, chunk: int = 100_000, name: str = "part") -> Part:
    """Write a part, some positions at a time."""
    with PartWriter(str(folder), name, 0, highest=highest) as writer:
        for start in range(0, len(rows), chunk):
            writer.add(*zip(*rows[start : start + chunk], strict=True))
        return writer.close()


def read(folder: Path, part: Part, highest: int) -> Rows:
    """Return all positions of a part."""
    file = PartFile(str(folder), part, highest, has_distances=True)
    found: Rows = []
    for number in range(file.blocks):
        block = file.block(number)
        assert block.distances is not None
        shifted = [utility - highest for utility in block.utilities]
        found += zip(block.codes, shifted, block.distances, strict=True)
    return found


@pytest.mark.parametrize("highest", [1, 3, 64, 300, 70_000])
@pytest.mark.parametrize("bits", [3, 20, 64, 65, 500])
@pytest.mark.parametrize("count", [1, BLOCK, 2 * BLOCK + 1])
def test_what_is_written_is_read(tmp_path: Path, count: int, bits: int, highest: int) -> None:
    rows = rows_of(count, bits, highest)
    part = write(tmp_path, rows, highest)
    assert read(tmp_path, part, highest) == rows
    assert (part.positions, part.first, part.last) == (len(rows), rows[0][0], rows[-1][0])


def test_the_bytes_do_not_depend_on_how_positions_are_added(tmp_path: Path) -> None:
    rows = rows_of(5000, 40, 1)
    parts = [write(tmp_path, rows, 1, chunk, f"by-{chunk}") for chunk in (1, 700, BLOCK, 10_000)]
    assert len({(part.values.digest, part.distances and part.distances.digest) for part in parts}) == 1


@pytest.mark.parametrize(("bits", "highest"), [(64, 1), (30, 5), (34, 100), (20, 1000)])
def test_arrays_give_the_same_bytes_as_lists(tmp_path: Path, bits: int, highest: int) -> None:
    numpy = pytest.importorskip("numpy")
    rows = rows_of(3000, bits, highest)
    codes, utilities, distances = zip(*rows, strict=True)
    arrays = [numpy.array(codes, "u8"), numpy.array(utilities, "i2"), numpy.array(distances, "u2")]
    with PartWriter(str(tmp_path), "arrays", 0, highest=highest) as writer:
        for start in range(0, len(rows), 901):
            writer.add(*(array[start : start + 901] for array in arrays))
        part = writer.close()
    assert part.values.digest == write(tmp_path, rows, highest).values.digest
    assert read(tmp_path, part, highest) == rows


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(5, 1, 1), (5, 1, 1)], "must ascend"),
        ([(5, 1, 1), (4, 1, 1)], "must ascend"),
        ([(5, 2, 1)], "utility"),
        ([(5, -2, 1)], "utility"),
        ([], "needs a position"),
    ],
)
def test_what_no_table_holds_is_not_written(tmp_path: Path, rows: Rows, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        write(tmp_path, rows, 1)
    assert list(tmp_path.iterdir()) == []


def test_codes_must_ascend_from_block_to_block(tmp_path: Path) -> None:
    rows = [(code, 0, 0) for code in range(BLOCK)]
    with pytest.raises(ValueError, match="must ascend"):
        write(tmp_path, [*rows, (BLOCK - 1, 0, 0)], 1)
