"""A kernel is never used for other rules than its own, wherever the values that are compiled in come from."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts import bits
from noughts.compiled import build
from noughts.compiled.build import Plan
from noughts.errors import BrokenGame
from noughts.game import Game
from noughts.gamefile import game_from_file
from noughts.sources.kernel import NativeSearch

GAME = """
from noughts.bits import count
{head}
longest = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
FULL = 511


def plies(position):
    return count(position[0] | position[1])


def expand(position):
    return FULL ^ position[0] ^ position[1]


def play(position, move):
    return position[1], position[0] | move


def key(position):
    return position[0] << longest | position[1]


def score_bounds(position):
    for line in LINES:
        if position[1] & line == line:
            soon = longest + 1 - plies(position)
            score = soon if {misere} else -soon
            return score, score
    if position[0] | position[1] == FULL:
        return 0, 0
    return -longest, longest


def initial():
    return 0, 0


def player(state):
    return -1 if plies(state) % 2 else 1


def actions(state):
    return [1 << n for n in range(9) if expand(state) >> n & 1]


def result(state, action):
    return play(state, action)


def terminal(state):
    low, high = score_bounds(state)
    return low == high


def utility(state):
    score = score_bounds(state)[0]
    return player(state) * ((score > 0) - (score < 0))
"""
POSITION = "1 2 8 4"
VALUES = {0: "win", 1: "loss"}
"""The value of a position for the player to move: by the normal rules, and in misère."""

WAYS = {
    "an attribute of a module": ("import {cfg}", "{cfg}.MISERE"),
    "a name of another module": ("from {cfg} import MISERE", "MISERE"),
    "under another name": ("import {cfg} as settings", "settings.MISERE"),
    "a module within a package": ("import {cfg}_package.inner as inner", "inner.MISERE"),
    "a truth": ("import {cfg}\nMISERE = {cfg}.MISERE == 1", "MISERE"),
    "a tuple in a tuple": ("import {cfg}\nTABLE = ((1, 2), (3, ({cfg}.MISERE, 4)))", "TABLE[1][1][0]"),
    "a tuple of another module": ("import {cfg}", "{cfg}.TABLE[1]"),
    "a default": ("import {cfg}\ndef misere(given={cfg}.MISERE):\n    return given", "misere()"),
    "a function that depends on it": (
        "import {cfg}\ndef misere():\n    return 0\nif {cfg}.MISERE:\n    def misere():\n        return 1",
        "misere()",
    ),
    "the environment": ("import os\nMISERE = int(os.environ['MISERE_HERE'])", "MISERE"),
    "data beside the file": (
        "from pathlib import Path\nMISERE = int(Path(__file__).with_name('misere.txt').read_text())",
        "MISERE",
    ),
    "a function within a function": (
        "import {cfg}\ndef misere():\n    return sum([{cfg}.MISERE for _ in range(1)])",
        "misere()",
    ),
}
"""How the constant gets into the rules, and how they use it; `{cfg}` is another module."""


class Place:
    """A folder with a game whose rules depend on one value, which is stored in every possible way."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.game = folder / "game.py"
        self._monkeypatch = monkeypatch
        self.cfg = f"cfg_{abs(hash(str(folder)))}"
        monkeypatch.syspath_prepend(folder)

    def write(self, head: str, misere: str) -> None:
        head, misere = head.replace("{cfg}", self.cfg), misere.replace("{cfg}", self.cfg)
        self.game.write_text(GAME.replace("{head}", head).replace("{misere}", misere), encoding="utf-8")

    def set(self, value: int) -> None:
        """Give the constant a value, and unload the modules that have another."""
        text = (
            f"MISERE = {value}\nTABLE = (7, {value})  #{'#' * value}\n"  # another size, which Python checks
            f"import numpy\nARRAY = numpy.array([5, {value}])\ndef helper():\n    return MISERE\n"
        )
        inner = self.folder / f"{self.cfg}_package"
        inner.mkdir(exist_ok=True)
        (inner / "__init__.py").touch()
        for path in (self.folder / f"{self.cfg}.py", inner / "inner.py"):
            path.write_text(text, encoding="utf-8")
        (self.folder / "misere.txt").write_text(str(value), encoding="utf-8")
        self._monkeypatch.setenv("MISERE_HERE", str(value))
        for name in [name for name in sys.modules if name.startswith(self.cfg)]:
            del sys.modules[name]
        importlib.invalidate_caches()

    def fresh_game(self) -> Game[Any, Any]:
        """Run the file again, as another process would; `noughts.load` returns the same game for the same file."""
        return game_from_file(str(self.game))

    def plan(self) -> Plan:
        return plan_of(self.fresh_game())


def plan_of(game: Game[Any, Any]) -> Plan:
    return Plan(NativeSearch(game).rules)


def compiled_value(plan: Plan, name: str) -> Any:
    """Return the value of a constant that would be compiled in."""
    return getattr(build._rules_module(plan, "rules.py"), name)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    found = Place(tmp_path, monkeypatch)
    yield found
    for name in [name for name in sys.modules if name.startswith(found.cfg)]:
        del sys.modules[name]


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_is_compiled_in_is_part_of_the_digest(place: Place, way: str) -> None:
    """Another value makes another kernel; the first value again, the first kernel."""
    place.write(*WAYS[way])
    digests = []
    for value in (0, 1, 0):
        place.set(value)
        digests.append(place.plan().digest)
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_the_answer_follows_the_value(place: Place, way: str) -> None:
    """After each change, the compiled kernel agrees with the oracle."""
    place.write(*WAYS[way])
    for value in (0, 1):
        place.set(value)
        game = place.fresh_game()
        state = noughts.replay(game, POSITION)
        assert noughts.minimax(game, state).value == VALUES[value]
        assert NativeSearch(game, threads=1).ask(state).value == VALUES[value]


REFUSED = {
    "a dict": ("RULES = {'misere': 0}", "RULES['misere']", "score_bounds(): RULES is of the type dict; it can use"),
    "a list": ("import {cfg}\n{cfg}.RULES = [0]", "{cfg}.RULES[0]", ".RULES is no whole number, nor a tuple of them"),
    "an object": ("class Rules:\n    misere = 0\nRULES = Rules()", "RULES.misere", "RULES is of the type Rules"),
    "a class": ("class Rules:\n    misere = 0", "Rules.misere", "Rules is no function of this file"),
    "an object in a tuple": ("RULES = (0, {1})", "RULES[0]", "RULES is of the type tuple"),
    "a helper elsewhere": ("from {cfg} import helper", "helper()", "helper is no function of this file"),
    "its attribute": ("import {cfg}", "{cfg}.helper()", ".helper is no whole number, nor a tuple of them"),
    "one that numba knows": (
        "import numba, {cfg}\nhelper = numba.njit({cfg}.helper)",
        "helper()",
        "helper is no function of this file",
    ),
    "a counter": ("from collections import Counter\nRULES = Counter()", "RULES[0]", "RULES is of the type Counter"),
    "Python within": (
        "import numba\ndef misere():\n    with numba.objmode():\n        print('now')\n    return 0",
        "misere()",
        "numba.objmode is no whole number",
    ),
    "a method of a list": ("RULES = [0]\npop = RULES.pop", "pop()", "pop is no function of this file"),
    "a partial": (
        "from functools import partial\nmisere = partial(int, 0)",
        "misere()",
        "misere is no function of this",
    ),
    "an attribute of an attribute": ("import {cfg}_package.inner", "{cfg}_package.inner.MISERE", ".inner is no whole"),
    "a module that is named locally": (
        "import {cfg}\ndef misere():\n    settings = {cfg}\n    return settings.MISERE",
        "misere()",
        "is a module; it can read the constants in it",
    ),
    "an array": ("import numpy\nTABLE = numpy.array([5, 0])", "TABLE[1]", "TABLE is of the type ndarray"),
    "an array of another module": ("import {cfg}", "{cfg}.ARRAY[1]", ".ARRAY is no whole number"),
    "a number of numpy": ("import numpy\nMISERE = numpy.int64(0)", "MISERE", "MISERE is of the type int64"),
    "a closure": (
        "def make(given):\n    def misere():\n        return given\n    return misere\nmisere = make(0)",
        "misere()",
        "misere(): it must be a plain function of the file",
    ),
    "numpy": ("import numpy", "numpy.int64(0)", "numpy.int64 is no whole number"),
    "math": ("import math", "math.gcd(0, 0)", "math.gcd is no whole number"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_values_that_could_change_unnoticed_are_refused_in_one_line(place: Place, what: str) -> None:
    head, misere, complaint = REFUSED[what]
    place.set(0)
    place.write(head, misere)
    with pytest.raises(BrokenGame) as refused:
        noughts.kernel(noughts.load(str(place.game)))
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_only_the_six_functions_use_is_not_refused(place: Place) -> None:
    place.set(0)
    place.write("NAMES = {0: 'nobody'}\nclass Board: pass\ndef draw(state):\n    return NAMES[0] + str(Board)", "0")
    assert place.plan().digest


def test_a_file_that_was_edited_is_loaded_again_before_it_is_compiled(place: Place) -> None:
    """The loaded game follows the old rules; a kernel of the new rules would contradict it."""
    place.set(0)
    place.write("", "0")
    old = noughts.load(str(place.game))
    before, stat = plan_of(old).digest, place.game.stat()
    place.write("", "1")
    os.utime(place.game, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # as if within the same second
    with pytest.raises(BrokenGame, match=r"game.py has changed since it was loaded; load the game again"):
        plan_of(old)
    new = noughts.load(str(place.game))
    assert plan_of(new).digest != before
    state = noughts.replay(new, POSITION)
    assert noughts.minimax(new, state).value == VALUES[1]
    place.write("# a remark changes nothing that is compiled", "0")
    assert plan_of(old).digest


def test_a_kernel_has_the_current_values_of_the_game(place: Place) -> None:
    """Values set by a running program, or kept from before a module was reloaded, and not those in the file."""
    place.set(0)
    place.write("from {cfg} import MISERE", "MISERE")
    game: Any = noughts.load(str(place.game))
    first = plan_of(game)
    place.set(1)
    importlib.import_module(place.cfg)
    again = plan_of(game)
    assert again.digest == first.digest
    assert compiled_value(again, "MISERE") == 0
    game.MISERE = 1
    assert plan_of(game).digest != first.digest
    assert compiled_value(plan_of(game), "MISERE") == 1


def test_a_function_that_the_file_would_now_define_differently_is_not_compiled(place: Place) -> None:
    """The file chose one version when it was loaded, and would choose another if it ran again."""
    place.set(0)
    place.write(*WAYS["a function that depends on it"])
    plan = place.plan()
    assert compiled_value(plan, "misere")() == 0
    place.set(1)
    with pytest.raises(BrokenGame, match=r"game.py defines misere in another way than when it was loaded"):
        compiled_value(plan, "misere")


def test_constants_that_are_made_by_chance_or_place_are_the_same_in_all_parts(place: Place) -> None:
    head = (
        "import random\nfrom pathlib import Path\nCHANCE = random.getrandbits(60)\n"
        "HERE = len(__file__), len(__name__), len(str(Path.cwd()))"
    )
    place.write(head, "CHANCE == HERE[0]")
    plan = place.plan()
    for name in ("CHANCE", "HERE"):
        assert compiled_value(plan, name) == getattr(plan.rules.functions, name)
    assert place.plan().digest != plan.digest


def test_rules_find_the_data_beside_their_file(place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This includes the copy that is compiled, whatever the current folder; the file may contain a dataclass."""
    head = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom pathlib import Path\n"
        "MISERE = int(Path(__file__).with_name('misere.txt').read_text())\n@dataclass\nclass Move:\n    cell: int"
    )
    place.set(1)
    place.write(head, "MISERE")
    text = place.game.read_text(encoding="utf-8")
    place.game.write_text(
        text.replace("from noughts.bits import count\n", "", 1) + "\nfrom noughts.bits import count\n"
    )
    monkeypatch.chdir("/")
    assert compiled_value(place.plan(), "MISERE") == 1


@pytest.mark.parametrize("missing", [True, False])
def test_a_file_that_can_no_longer_be_read_is_reported_in_one_line(place: Place, missing: bool) -> None:
    place.write("", "0")
    game = noughts.load(str(place.game))
    if missing:
        place.game.unlink()
    else:
        place.game.write_bytes(b"# coding: no-such\n\xff")
    with pytest.raises(BrokenGame, match=r"game.py' cannot be read: (No such file|unknown encoding)"):
        noughts.kernel(game)


def test_the_digest_knows_the_processor_and_the_instructions(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba compiles for one processor, and the instructions that replace `noughts.bits` are compiled in too."""
    place.write("", "0")
    digests = {place.plan().digest}
    monkeypatch.setattr(build, "_machine", lambda: ["another"])
    digests.add(place.plan().digest)
    other = place.folder / "bits.py"
    other.write_text("SPREAD = 3", encoding="utf-8")
    monkeypatch.setattr(bits, "__file__", str(other))
    digests.add(place.plan().digest)
    assert len(digests) == 3
    monkeypatch.undo()
    assert build._machine() == build._machine()
