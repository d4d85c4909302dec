"""Looking children up: hash tables against a dictionary, and the same bytes however little room there is for them."""

from pathlib import Path
from random import Random

import pytest

import noughts
from noughts.compiled.build import available
from noughts.solving import look_up
from noughts.solving import solve as module
from noughts.solving.files import facts_of, read_work, write_work
from noughts.solving.room import LARGEST, PART
from tests.solving.solved import bytes_of, check_against_oracle


@pytest.mark.parametrize("bits", [8, 0], ids=["entries of one word", "entries of two"])
def test_scores_are_found(bits: int) -> None:
    random, size = Random(bits), 7
    codes = sorted(random.sample(range(10**12), 60))
    lowest = -128 if bits else 0
    scores = [random.randint(-20, 20) for _ in codes]
    table = [look_up.EMPTY] * ((1 if bits else 2) << size)
    look_up.fill(codes, [score - lowest for score in scores], len(codes), table, size, bits)
    children = [*random.sample(codes, 40), codes[0] - 1, codes[3] + 1, codes[-1] + 1]
    expected = [look_up.WORST] * len(children)
    for at, child in enumerate(children[:40]):
        score = scores[codes.index(child)] * (1 if at % 2 else -1)  # every other child is of the same player
        expected[at] = score - (score > 0) + (score < 0)
    parents = [2 * at + at % 2 for at in range(len(children))]
    best = [look_up.WORST] * len(children)
    found = look_up.settle(children, parents, len(children), codes[0], codes[-1], table, size, bits, lowest, best)
    assert (found, best) == (40, expected)
    assert children == [look_up.SETTLED] * 40 + [codes[0] - 1, codes[3] + 1, codes[-1] + 1]


@pytest.mark.skipif(not available(), reason="rules are compiled with numba")
def test_same_bytes_with_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiers above that do not fit in memory at once, and few children at a time where they do."""
    from noughts.solving import native
    from noughts.solving.tasks import method_of

    game = noughts.load("connect:4x3,3")
    monkeypatch.setattr(module, "SMALL", 0)
    for each in (PART, LARGEST):
        monkeypatch.setitem(each, "native", 100)
    noughts.solve(game, tmp_path / "roomy", engine="local")
    check_against_oracle(game, tmp_path / "roomy")
    for above, families, name in ((0, 1 << 18, "none"), (10, 1 << 18, "little"), (10_000, 50, "few children")):
        monkeypatch.setattr(native, "ABOVE", above)
        monkeypatch.setattr(native, "FAMILIES", families)
        method_of.cache_clear()
        noughts.solve(game, tmp_path / name, engine="local")
        assert bytes_of(tmp_path / name) == bytes_of(tmp_path / "roomy")


def test_some_sections_of_a_work_file(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    write_work(path, {"sections": 3}, [b"one", b"two", b"three"])
    found = read_work(path, lambda facts: range(1, facts["sections"]))
    assert found is not None
    assert [bytes(section) for section in found.sections] == [b"two", b"three"]
    content = Path(path).read_bytes()
    Path(path).write_bytes(content.replace(b"one", b"onE"))
    assert read_work(path, lambda _: range(1, 3)) is not None, "the first section is not read"
    assert read_work(path) is None
    assert facts_of(path) is None
    for damaged in (content[:-1], content + b"x", content.replace(b"sizes", b"sizeS"), b""):
        Path(path).write_bytes(damaged)
        assert read_work(path, lambda _: range(1, 2)) is None
