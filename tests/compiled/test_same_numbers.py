"""Numbers of 64 bits: compiled rules return what the same Python returns, or they are refused."""

import ast
import operator
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import noughts
from noughts.capabilities import Kernel, resolve
from noughts.compiled.build import _make_native
from noughts.compiled.check_rules import check_rules
from noughts.compiled.checked_functions import checked_functions
from noughts.compiled.checked_numbers import LARGEST, SMALLEST, CheckedNumber, Inexact, as_checked, plain
from noughts.compiled.python_subset import REFUSED_SYNTAX, CompiledFunctions
from noughts.compiled.rules import Rules
from noughts.compiled.solver import Solver
from noughts.errors import BrokenGame

EXTREMES = (SMALLEST, SMALLEST + 1, -(2**32), -65, -64, -2, -1, 0, 1, 2, 3, 31, 63, 64, 65, 2**32, LARGEST - 1, LARGEST)


def test_the_shift_of_64_in_connect_9x6_9() -> None:
    """A line of nine spans 64 bits, and a processor takes a shift by 64 for none: the kernel proved a draw."""
    game = noughts.load("connect:9x6,9")
    state = noughts.replay(game, "OOXO...../XXOXO..../OXXXX.O../XXXXXXXX./XXOOOOXO./XOOOOOOO.")
    answer = noughts.analyse(game, state)
    assert (answer.value, answer.distance, answer.proven, answer.method) == ("loss", 12, True, "kernel")


METHODS = {
    "Add": "__add__",
    "Sub": "__sub__",
    "Mult": "__mul__",
    "FloorDiv": "__floordiv__",
    "Mod": "__mod__",
    "BitAnd": "__and__",
    "BitOr": "__or__",
    "BitXor": "__xor__",
    "LShift": "__lshift__",
    "RShift": "__rshift__",
    "Div": "__truediv__",
    "Pow": "__pow__",
    "MatMult": "__matmul__",
}
"""The method of a number behind each binary operator."""


def module_of(source: str, name: str = "numbers_being_checked") -> ModuleType:
    module = ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
    return module


def both(source: str, names: list[str]) -> tuple[dict[str, Callable[..., Any]], dict[str, Any]]:
    """Return functions as they run on checked numbers, and compiled."""
    compiled = CompiledFunctions(module_of(source), source, names)
    native = module_of(compiled.native_source())
    _make_native(native)
    import numba

    callable_ = {name: numba.njit(error_model="python")(getattr(native, name).py_func) for name in names}
    return dict(checked_functions(compiled)), callable_


def outcome(function: Callable[..., Any], *given: Any) -> Any:
    """Return what a function returns, or the kind of error that it raises."""
    try:
        return plain(function(*given))
    except (Inexact, ValueError, ZeroDivisionError) as error:
        return type(error)


def compare(source: str, names: list[str], inputs: list[tuple[int, ...]]) -> int:
    """Compare functions wherever checked numbers raise nothing; return how often they raised Inexact."""
    checked, compiled = both(source, names)
    refused = 0
    for name in names:
        for given in inputs:
            expected = outcome(checked[name], *map(as_checked, given))
            if expected is Inexact:
                refused += 1
                continue
            found = outcome(compiled[name], *given)
            assert found == expected, f"{name}{given} in:\n{source}"
    return refused


OPERATORS = """
def left(a, b): return (a << b) & 0x7FFFFFFFFFFFFFFF
def right(a, b): return a >> b
def left_assigned(a, b):
    a <<= b
    return a ^ a >> 1
def inverted(a, b): return ~(a == b) + ~a
def divided(a, b): return a // b
def modulo(a, b): return a % b
def both(a, b): return divmod(a, b)
def absolute(a, b): return abs(a) & 255
def compared(a, b): return (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (not a) + 16 * (a in (b, 3))
def chosen(a, b): return min(a, b), max(a, b == 0), a and b, (a == b) or b
def product(a, b): return (a * b + a - b) & 1023
def indexed(a, b): return (5, 6, 7)[a & 1] + TABLE[b & 3] + len(TABLE) + 2**10
def summed(a, b):
    total = 0
    for number, each in enumerate((a & 7, b & 7)):
        for step in range(-each, each, 2):
            total += number * step + (step == a)
    return total + sum((a & 7, b & 7))
TABLE = (1, 2, -3, 1 << 62)
"""


def test_operators_mean_the_same_compiled() -> None:
    """Every operator of rules, on the largest and smallest numbers, and shifted by more than there are bits."""
    names = [line[4 : line.index("(")] for line in OPERATORS.splitlines() if line.startswith("def ")]
    refused = compare(OPERATORS, names, [(a, b) for a in EXTREMES for b in EXTREMES])
    assert 0 < refused < len(names) * len(EXTREMES) ** 2 / 4


def expression(random: Random, depth: int) -> str:
    """Return a random expression."""
    if depth == 0:
        return random.choice(["a", "b", "c", "a", "b", "c", "1", "7", "BIG", "-3", "64", "(a < b)", "(b == c)"])
    parts = [expression(random, depth - 1 - random.randrange(2) * (depth > 1)) for _ in range(3)]
    return random.choice(
        [
            "({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} & {1})", "({0} | {1})", "({0} ^ {1})", "(~{0})",
            "(-{0})", "({0} << ({1} & 127))", "({0} >> ({1} & 127))", "({0} << {1})", "({0} >> {1})",
            "({0} // {1})", "({0} % {1})", "({0} if {1} else {2})", "min({0}, {1})", "max({0}, {1})", "abs({0})",
            "({0} < {1} <= {2})",
            "({0} and {1})", "({0} or {1})", "(not {0})", "count({0} & BIG)", "place({0} | 1)", "int({0} > {1})",
        ]
    ).format(*parts)  # fmt: skip


@pytest.mark.parametrize("number", [20, pytest.param(1_000, marks=pytest.mark.long)])
def test_random_expressions_mean_the_same_compiled(number: int) -> None:
    """Where checked numbers raise nothing, compiled ones are the same. So no wrong result is missed."""
    random = Random(11)
    lines = [f"def f{n}(a, b, c): return {expression(random, 3)}" for n in range(number)]
    source = "\n".join(["from noughts.bits import count, place", f"BIG = {LARGEST}", *lines])
    inputs = [tuple(random.choice(EXTREMES) for _ in range(3)) for _ in range(60)]
    inputs += [tuple(random.getrandbits(64) - 2**63 >> random.randrange(64) for _ in range(3)) for _ in range(60)]
    refused = compare(source, [f"f{n}" for n in range(number)], inputs)
    assert refused < number * len(inputs) * 0.7


def test_every_operator_is_either_refused_or_checked() -> None:
    """Whatever rules may write, checked numbers know what it means."""
    for name, kind in vars(ast).items():
        if isinstance(kind, type) and issubclass(kind, ast.operator) and kind is not ast.operator:
            method = METHODS.get(name)
            assert (kind in REFUSED_SYNTAX) != (method is not None and hasattr(CheckedNumber, method)), name


def test_a_checked_number_is_exact_until_it_matters() -> None:
    large = CheckedNumber(1) << CheckedNumber(70)
    assert plain(large + 5 & 7) == 5
    for operation in (operator.rshift, operator.floordiv, operator.mod, operator.lt, operator.eq):
        with pytest.raises(Inexact, match=r"-2\*\*63 to 2\*\*63 - 1"):
            operation(large, CheckedNumber(3))
    for wrong in (lambda: bool(large), lambda: (1, 2)[large], lambda: abs(large), lambda: plain((large,))):
        with pytest.raises(Inexact):
            wrong()
    with pytest.raises(Inexact, match="negative"):
        _ = CheckedNumber(1) >> CheckedNumber(-1)
    with pytest.raises(Inexact, match="0 to 10,000 places"):
        _ = CheckedNumber(1) << CheckedNumber(-1)


RULES = """
from noughts.bits import count, place
import random as other
longest = 8
key_bits = 16
choices = 8
FULL = 255
TABLE = [1, 2]
HUGE = 2**64 - 1
def initial(): return 0, 0
def plies(position): return count(position[0] | position[1])
def expand(position): return FULL ^ position[0] ^ position[1]
def play(position, move): return position[1], position[0] | move
def key(position): return position[0] << 8 | position[1]
def score_bounds(position):
    left = longest - plies(position)
    return (-left, left) if left else (0, 0)
def order(position, move): return 0
"""


def rules_with(folder: Path, before: str, after: str) -> Rules:
    assert before in RULES
    path = folder / "rules.py"
    path.write_text(RULES.replace(before, after), encoding="utf-8")
    return Rules(Kernel(str(path), tuple))


REFUSED = {
    "a power": ("return 0\n", "return position[0] ** 2\n", r"order\(\): \*\* is not exact"),
    "a fraction": ("return 0\n", "return position[0] / 2\n", "/ makes fractions"),
    "a fraction in words": ("return 0\n", "return int(position[0] * 0.5)\n", r"0\.5 is a fraction"),
    "a large number": ("return 0\n", "return position[0] & 0xFFFFFFFFFFFFFFFF\n", "does not fit in 64 bits"),
    "a large constant": ("return 0\n", "return position[0] & HUGE\n", "HUGE has the value 18446744073709551615"),
    "a list": ("return 0\n", "return TABLE[0]\n", "TABLE is of the type list"),
    "a method of a module": ("return 0\n", "return other.randrange(2)\n", r"other\.randrange is no whole number"),
    "identity": ("return 0\n", "return move is position\n", "== compares numbers"),
    "a part of a list": (
        ": return 0\n",
        ":\n    x = [1]\n    x[0] <<= 3\n    return x[0]\n",
        "only variables can change",
    ),
    "a name that is not there": ("return 0\n", "return nothing\n", "nothing is not defined"),
    "a decorator": ("def order(", "from functools import cache\n@cache\ndef order(", "decorators"),
    "a key of more bits": ("key_bits = 16", "key_bits = 12", r"key\(position\) is .* see key_bits"),
    "more moves than choices": ("choices = 8", "choices = 7", "has 8 moves"),
    "a large rank": ("return 0\n", "return move << 57\n", "56 bits"),
    "a rank that overflows": ("return 0\n", "return (move << 62) >> 62\n", r"order\(position, \d+\) is not exact"),
    "a negative shift": ("return 0\n", "return 1 << plies(position) - 9\n", "negative shift count"),
    "a place of nothing": ("return 0\n", "return place(position[0] & move)\n", "place of the lowest bit of 0"),
    "a count of less": ("return 0\n", "return count(-move)\n", "count of a negative number"),
    "a division by zero": ("return 0\n", "return 8 // (position[0] & move)\n", "ZeroDivisionError"),
    "scores beyond the scale": ("left = longest", "left = 90 + longest", "whole numbers from -9 to 9"),
    "longer than longest": ("(-left, left) if left else (0, 0)", "(-1, 1)", "expand.position. has 0 moves"),
    "longest beyond reason": ("longest = 8", "longest = 10**9", "longest is 1000000000"),
}


@pytest.mark.parametrize(("before", "after", "line"), REFUSED.values(), ids=list(REFUSED))
def test_rules_that_could_differ_are_refused_in_one_line(tmp_path: Path, before: str, after: str, line: str) -> None:
    with pytest.raises(BrokenGame, match=line) as refused:
        check_rules(rules_with(tmp_path, before, after))
    assert "\n" not in str(refused.value)


def test_rules_that_cannot_differ_are_not_refused(tmp_path: Path) -> None:
    for order in (
        "0",
        "(1 << 64) - 1 & 3",
        "2**10",
        "(move << 70 & 255) >> 3",
        "max(move, True) & 3",
        "len((1, move))",
    ):
        check_rules(rules_with(tmp_path, "return 0\n", f"return {order}\n"))


def test_constants_of_another_module_are_compiled_in(tmp_path: Path) -> None:
    rules = rules_with(tmp_path, "return 0\n", "return other.BPF & move\n")  # random.BPF is 53
    check_rules(rules)
    assert rules.compiled.constants["other.BPF"] == 53


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("choices = 8", "choices = 5", "breaks a promise"),
        pytest.param("key_bits = 16", "key_bits = 11", "breaks a promise", marks=pytest.mark.long),
        ("return 0\n", "return 8 // (position[0] & move)\n", "raised ZeroDivisionError"),
    ],
)
def test_the_search_itself_notices_a_broken_promise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, line: str
) -> None:
    """In positions that no check has reached. Otherwise moves would overwrite others, and long keys would be cut."""
    monkeypatch.setattr("noughts.compiled.build.check_rules", lambda _: None)
    with pytest.raises(BrokenGame, match=line):
        Solver(rules_with(tmp_path, before, after), table_mib=1).solve((0, 0))


@pytest.mark.parametrize("notation", ["tic-tac-toe", "mnk:4,4,4", "connect-four", "examples/domineering.py"])
def test_no_shift_is_left_to_the_machine(notation: str) -> None:
    """LLVM leaves shifts by 64 or more undefined."""
    kernel = resolve(noughts.load(notation)).kernel()
    assert kernel is not None
    compiled = Rules(kernel).compiled
    tree = ast.parse(compiled.native_source())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in compiled.nodes]
    assert len(functions) == len(compiled.nodes)
    left = [node for each in functions for node in ast.walk(each) if isinstance(node, ast.LShift | ast.RShift)]
    assert not left
