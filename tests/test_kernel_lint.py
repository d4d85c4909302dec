"""The checker on kernels: with one planted mistake each, and on correct ones, the documented example among them."""

from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.capabilities import Kernel, resolve
from noughts.compiled.rules import Rules, RulesGame
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.search.memo import Memo
from noughts.sources.kernel import NativeSearch
from noughts.testing import Problem, check_game, kernels
from tests.helpers import altered

EXAMPLE = Path("examples/domineering.py")

RIGHT = '''
"""Two rows of three cells: a whole row or a whole column of one's own marks wins."""

from noughts.bits import count

LINES = (0b000111, 0b111000, 0b001001, 0b010010, 0b100100)
CELLS = 6
FULL = (1 << CELLS) - 1
longest = CELLS
key_bits = 2 * CELLS
choices = CELLS


def lined(cells):
    for line in LINES:
        if cells & line == line:
            return True
    return False


def expand(position):
    return FULL ^ position[0] ^ position[1]


def play(position, move):
    return position[1], position[0] | move


def plies(position):
    return count(position[0] | position[1])


def key(position):
    return position[0] << CELLS | position[1]


def score_bounds(position):
    soon = CELLS + 1 - plies(position)
    if lined(position[1]):
        return -soon, -soon
    if soon == 1:
        return 0, 0
    return min(0, 2 - soon), soon - 1


def order(position, move):
    return move


def initial():
    return 0, 0


def player(state):
    return -1 if count(state[0] | state[1]) % 2 else 1


def actions(state):
    empty = FULL ^ state[0] ^ state[1]
    return [] if terminal(state) else [1 << n for n in range(CELLS) if empty >> n & 1]


def result(state, action):
    return state[1], state[0] | action


def terminal(state):
    return lined(state[1]) or state[0] | state[1] == FULL


def utility(state):
    return -player(state) if lined(state[1]) else 0
'''

EXPAND = "    return FULL ^ position[0] ^ position[1]\n"
WITHOUT_WINS = """\
    empty = moves = FULL ^ position[0] ^ position[1]
    for n in range(CELLS):
        if lined(position[0] | 1 << n):
            moves &= ~(1 << n)
    return moves or empty
"""
KEY = "position[0] << CELLS | position[1]\n"
PLAYER = "count(state[0] | state[1]) % 2"
OPEN = "return min(0, 2 - soon), soon - 1"
KNOWN_WINS = """\
for n in range(CELLS):
        if expand(position) >> n & 1 and lined(position[0] | 1 << n):
            return soon - 1, soon - 1
    return min(0, 2 - soon), soon - 1"""

PLANTED: dict[str, tuple[list[tuple[str, str]], str]] = {
    # name: what is put in place of what, and words of the message
    "plies of one player": ([("return count(position[0] | position[1])", "return count(position[0])")], "plies("),
    "a key that merges": ([(KEY, "position[0] | position[1]\n")], "which is worth something else"),
    "a key too large": ([(KEY, "position[0] << 60 | position[1]\n")], "key(position) is 1152921504606846978"),
    "a key of more bits than it says": ([("key_bits = 2 * CELLS", "key_bits = CELLS")], "key(position) is 66"),
    "a key that is a text": ([(KEY, "str(position)\n")], "key(position) is '(0, 0)'"),
    "a key that fails": ([(KEY, "position[2]\n")], "key(position) raised IndexError"),
    "the winning move left out": ([(EXPAND, WITHOUT_WINS)], "by the rules of the kernel it scores"),
    "moves that are no actions": ([(EXPAND, "    return FULL\n")], "which no action leads to"),
    "moves in a list": ([(EXPAND, "    return [1, 2]\n")], "expand(position) is [1, 2]"),
    "no moves": ([(EXPAND, "    return 0\n")], "expand(position) has 0 moves"),
    "more moves than it says": ([("choices = CELLS", "choices = 5")], "expand(position) has 6 moves"),
    "a finish that is not the best": (
        [
            (OPEN, KNOWN_WINS),
            ("def order(", "def finish(position):\n    return expand(position) & -expand(position)\n\n\ndef order("),
        ],
        "which is no best move",
    ),
    "a finish of two moves": (
        [("def order(", "def finish(position):\n    return 3\n\n\ndef order(")],
        "finish(position) is 3",
    ),
    "play unlike result": (
        [("return position[1], position[0] | move", "return position[1] | move, position[0]")],
        "play(position, 1) is (1, 0), which no action leads to",
    ),
    "bounds too tight above": ([(OPEN, "return min(0, 2 - soon), max(0, soon - 4)")], "score_bounds(position) is"),
    "bounds too tight below": ([(OPEN, "return min(0, 5 - soon), soon - 1")], "score_bounds(position) is"),
    "bounds too tight both ways": (
        [(OPEN, "return 0, 0")],
        "score_bounds(position) is 0 to 0, yet the player to move wins",
    ),
    "the loser's score turned round": ([("return -soon, -soon", "return soon, soon")], "by the rules of the kernel"),
    "bounds the wrong way round": ([(OPEN, "return soon - 1, min(0, 2 - soon)")], "score_bounds(position) is (6, -5)"),
    "bounds as utilities": ([("return -soon, -soon", "return -1, -1")], "by the rules of the kernel it scores"),
    "one bound": ([(OPEN, "return soon")], "score_bounds(position) is 7"),
    "an order that is no whole number": ([("return move\n", "return move / 2\n")], "order(position, 1) is 0.5"),
    "foresight of another score": (
        [("def order(", "def foresee(position, beta):\n    return 0, 0\n\n\ndef order(")],
        "foresee(position, 0) is 0 to 0, yet",
    ),
    "a function missing": (
        [("def key(", "def my_key(")],
        "there is expand, play, score_bounds, plies, but no function key",
    ),
    "several missing": (
        [("def key(", "def my_key("), ("def score_bounds(", "def my_score_bounds(")],
        "there is expand, play, plies, but no function key, score_bounds",
    ),
    "no longest": ([("longest = CELLS\n", "")], "it does not say `longest`"),
    "choices beyond the bits": ([("choices = CELLS", "choices = 64")], "choices is 64"),
    "two moves each": ([(PLAYER, "count(state[0] | state[1]) // 2 % 2")], "the same player moves twice in a row"),
    "who is next at the end": (
        [(PLAYER, "(count(state[0] | state[1]) - terminal(state)) % 2"), ("-player(state) if", "player(state) if")],
        "the last player moves again",
    ),
    "margins": (
        [("-player(state) if", "-2 * player(state) if"), ("CELLS = 6", "CELLS = 6\nutility_range = (-2, 2)")],
        "utility(state) is 2",
    ),
    "a state that is no tuple": (
        [
            ("return 0, 0\n\n\ndef player", "return 0\n\n\ndef player"),
            ("count(state[0] | state[1]) % 2", "state % 2"),
            ("lined(state[1]) or state[0] | state[1] == FULL", "state == CELLS"),
            ("-player(state) if lined(state[1]) else 0", "-player(state)"),
            ("FULL ^ state[0] ^ state[1]\n", "1 << state\n"),
            ("state[1], state[0] | action", "state + 1"),
        ],
        "its states are no tuples of whole numbers",
    ),
    "negative numbers": (
        [
            ("return 0, 0\n\n\ndef player", "return 0, 0, -1\n\n\ndef player"),
            ("position[0] | move\n", "position[0] | move, -1\n"),
            ("state[0] | action\n", "state[0] | action, -1\n"),
        ],
        "the kernel's position is (0, 0, -1)",
    ),
    "positions of several lengths": (
        [("position[0] | move\n", "position[0] | move, 0\n"), ("state[0] | action\n", "state[0] | action, 0\n")],
        "the position has 3 numbers, and at the start 2",
    ),
    "numba cannot": ([(KEY, "(position[0] << CELLS | position[1], (0,))[position[0] & 0]\n")], "cannot be compiled: "),
    "numbers that need more than 64 bits": (
        [("- plies(position)\n", "- (plies(position) << 62 >> 62)\n")],
        "compiled, ",
    ),
}


def written(folder: Path, changes: list[tuple[str, str]]) -> Any:
    """Return the correct game from a new file, with some of its text replaced."""
    source = RIGHT
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    path = folder / "rows.py"
    path.write_text(source, encoding="utf-8")
    return noughts.load(str(path))


def kernel_problem(game: Any) -> Problem:
    report = check_game(game)
    found = {problem.kind: problem for problem in report.problems}
    # A file's key is used by all searches, so a wrong one may be reported twice.
    assert found.keys() <= {"kernel", "key", "key-merges", "utility-sign"}, report
    assert "kernel" in found, report
    return found["kernel"]


@pytest.mark.parametrize(("changes", "words"), PLANTED.values(), ids=list(PLANTED))
def test_planted_mistakes_are_found(tmp_path: Path, changes: list[tuple[str, str]], words: str) -> None:
    game = written(tmp_path, changes)
    problem = kernel_problem(game)
    assert words in problem.message
    assert problem.advice
    assert "\n" not in problem.message + problem.advice
    noughts.replay(game, problem.position)


def test_the_right_kernel_passes(tmp_path: Path) -> None:
    game = written(tmp_path, [])
    assert resolve(game).kernel() is not None
    report = check_game(game)
    assert report.ok, report
    assert report.complete


def test_without_numba_the_rest_is_still_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "available", lambda: False)
    assert check_game(written(tmp_path, PLANTED["numba cannot"][0])).ok
    assert "plies(" in kernel_problem(written(tmp_path, PLANTED["plies of one player"][0])).message


def test_with_little_time_nothing_is_compiled(tmp_path: Path) -> None:
    assert check_game(written(tmp_path, PLANTED["numba cannot"][0]), seconds=60).ok


def test_a_difference_is_shown_where_it_arises(tmp_path: Path) -> None:
    """The winning move is missing in many positions; the one reported is one ply before the end."""
    game = written(tmp_path, PLANTED["the winning move left out"][0])
    state = noughts.replay(game, kernel_problem(game).position)
    assert any(game.terminal(game.result(state, action)) for action in game.actions(state))


@pytest.mark.parametrize(
    "name",
    [
        *("tic-tac-toe", "mnk:4,3,3"),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("cube:2", "misere", "connect:4x3", "connect:5x4")),
    ],
)
def test_kernels_of_the_built_in_games_pass(name: str) -> None:
    game = noughts.load(name)
    assert resolve(game).kernel() is not None
    report = check_game(game, positions=3000)
    assert report.ok, report


def test_a_kernel_of_another_game_is_found() -> None:
    other = noughts.load("mnk:4,3,3")
    problem = kernel_problem(altered(TIC_TAC_TOE, kernel=resolve(other).kernel))
    assert problem.message == "play(position, 512) is (0, 512, 0, 0), which no action leads to"


def test_a_kernel_of_shorter_games_is_found() -> None:
    kernel = TIC_TAC_TOE.kernel()
    assert kernel is not None
    shorter = kernel._replace(parameters={**kernel.parameters, "longest": 8})
    assert kernel_problem(altered(TIC_TAC_TOE, kernel=lambda: shorter)).message == "longest is 8"


def test_something_that_is_not_a_kernel_is_found() -> None:
    assert "kernel() returned 5" in kernel_problem(altered(TIC_TAC_TOE, kernel=lambda: 5)).message
    assert "kernel() raised" in kernel_problem(altered(TIC_TAC_TOE, kernel=lambda _: None)).message


@pytest.mark.parametrize("constant", ["kernel = 3", "expand = 3", "choices = 'many'", "def expand(state):\n    pass"])
def test_names_of_a_kernel_may_mean_something_else(tmp_path: Path, constant: str) -> None:
    path = tmp_path / "matches.py"
    path.write_text(f"{Path('examples/matches.py').read_text(encoding='utf-8')}\n\n{constant}\n", encoding="utf-8")
    game = noughts.load(str(path))
    assert noughts.value(game).value == "win"
    kinds = [problem.kind for problem in check_game(game).problems]
    assert kinds == (["capability"] if constant == "kernel = 3" else [])


def sized(folder: Path, size: int) -> Any:
    path = folder / f"domineering{size}.py"
    source = EXAMPLE.read_text(encoding="utf-8")
    assert "\nSIZE = 6\n" in source
    path.write_text(source.replace("\nSIZE = 6\n", f"\nSIZE = {size}\n"), encoding="utf-8")
    return noughts.load(str(path))


@pytest.mark.parametrize("size", [pytest.param(3, marks=pytest.mark.long), 4])
def test_the_example_passes(tmp_path: Path, size: int) -> None:
    report = check_game(sized(tmp_path, size), positions=3000)
    assert report.ok, report


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (4, "win"),
        *(pytest.param(*each, marks=pytest.mark.long) for each in ((2, "win"), (3, "win"), (5, "loss"))),
    ],
)
def test_the_values_of_domineering(tmp_path: Path, size: int, value: str) -> None:
    """They are in Breuker, Uiterwijk and van den Herik, Solving 8 x 8 Domineering (2000)."""
    game = sized(tmp_path, size)
    answer = NativeSearch(game, threads=1).ask(game.initial(), wanted="best")
    assert (answer.value, answer.method) == (value, "kernel")
    if size <= 4:
        interpreted = noughts.alphabeta(game, wanted="all")
        assert (answer.distance, answer.best) == (interpreted.distance, interpreted.best)


def test_the_example_takes_other_sizes_as_parameters() -> None:
    rules = Rules(Kernel(str(EXAMPLE), tuple, {"SIZE": 4}))
    assert rules.longest == 8
    assert Memo(RulesGame(rules, (0, 0))).value((0, 0)).margin == 2  # a win after 7 plies


def test_the_document_shows_the_example_as_it_is() -> None:
    example = EXAMPLE.read_text(encoding="utf-8")
    assert f"```python\n{example}```" in Path("docs/own-game.md").read_text(encoding="utf-8")
