"""Functions of games, translated and run uncompiled, return what they return in Python; or they are refused."""

from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.plain import layout
from noughts.plain.build import FROM_PROGRAM, PlainPlan
from noughts.plain.program import Program
from noughts.plain.sample import numbers_like, numbers_of
from noughts.plain.source import Refused, ends_without_actions

EXAMPLES = Path(__file__).parents[2] / "examples"

GAME = """
def initial():
    return (0, 1, 2, 3, 4), 0

def player(state):
    return 1 if state[1] % 2 == 0 else -1

def actions(state):
    return [] if terminal(state) else [0, 1]

def result(state, action):
    numbers, plies = state
    {body}
    return tuple(numbers), plies + 1

def terminal(state):
    return max(state[0]) >= 99 or sum(state[0]) < -99 or state[1] > 6

def utility(state):
    return state[1] % 3 - 1
"""


def uncompiled(plan: PlainPlan) -> Any:
    """Return the search of a game as a module that runs in Python, with lists as its memory."""
    functions = plan.functions("rules.py")
    module: Any = ModuleType("uncompiled")
    exec(compile(plan.texts["kernel.py"], "kernel.py", "exec"), vars(module))
    for name in FROM_PROGRAM:
        setattr(module, name, getattr(functions, name))
    return module


def memory(plan: PlainPlan, state: Any) -> list[int]:
    constants = plan.program.constants
    found = [0] * (layout.CONSTANTS + len(constants) + 50_000)
    found[layout.CONSTANTS : layout.CONSTANTS + len(constants)] = constants
    found[layout.FREE], found[layout.END] = layout.CONSTANTS + len(constants), len(found)
    numbers = numbers_of(state)
    found[layout.INPUT : layout.INPUT + len(numbers)] = numbers
    return found


def check(game: Any) -> PlainPlan:
    """Compare the translated functions with those of the game, in all the states that were sampled."""
    plan = PlainPlan(resolve(game))
    module, out = uncompiled(plan), [0] * 10_000
    for state in plan.samples.states[:100]:
        used = module.look(layout.DESCRIBE, out, None, memory(plan, state))
        ended = bool(game.terminal(state))
        expected = [int(ended), game.player(state)]
        if ended:
            expected.append(game.utility(state))
        else:
            actions = list(game.actions(state))
            after = [number for action in actions for number in numbers_of(game.result(state, action))]
            expected += [len(actions), *after]
        assert out[:used] == expected, state
    return plan


ENDS = [
    ("return not actions(state)", True),
    ("'No action is left.'\n    return not actions(state)", True),
    ("return not list(actions(state))", False),
    ("return not actions((state[0], state[1] + 1))", False),
    ("found = actions(state)\n    return not found", False),
    ("return actions(state) == []", False),
    ("return not others(state)", False),
]


@pytest.mark.parametrize(("body", "once"), ENDS)
def test_actions_are_found_once_where_a_game_ends_without_any(body: str, once: bool, tmp_path: Path) -> None:
    text = (
        "def initial():\n    return 4, 0\n\ndef player(state):\n    return 1 if state[1] % 2 == 0 else -1\n\n"
        "def actions(state):\n    return [n for n in (1, 2) if n <= state[0] and state[1] < 9]\n\n"
        "def others(state):\n    return actions(state)\n\n"
        "def result(state, action):\n    return state[0] - action, state[1] + 1\n\n"
        "def utility(state):\n    return -player(state)\n\n"
        f"def terminal(state):\n    {body}\n"
    )
    game = written(tmp_path, text)
    if "== []" in body or "+ 1" in body:
        assert not ends_without_actions(game.terminal, game.actions)
        return
    plan = check(game)
    assert ("game_terminal(m, state) != 0 else -1" not in plan.texts["rules.py"]) == once


def test_a_method_may_say_that_there_are_no_actions() -> None:
    class Heap:
        def actions(self, left: int) -> list[int]:
            return [1] if left else []

        def terminal(self, left: int) -> bool:
            return not self.actions(left)

        def other(self, left: int) -> bool:
            return not self.terminal(left)

    heap = Heap()
    assert ends_without_actions(heap.terminal, heap.actions)
    assert not ends_without_actions(heap.other, heap.actions)
    assert not ends_without_actions(heap.terminal, Heap().actions)


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (((1, True), 3), [1, 1, 3]),
        (((1, 2), True), [1, 2, 1]),
        (((1, 2, 3), 3), None),
        (((1, 2.0), 3), None),
        (([1, 2], 3), None),
        (((1, (2,)), 3), None),
        (((1, 2), 3, 4), None),
        ((1, 3), None),
        (7, None),
    ],
)
def test_numbers_of_a_state_of_another_shape_are_none(value: Any, numbers: list[int] | None) -> None:
    assert numbers_like(((0, 0), 0), value) == numbers


def written(folder: Path, text: str) -> Any:
    path = folder / "game.py"
    path.write_text(text, encoding="utf-8")
    return noughts.load(str(path))


@pytest.mark.parametrize("name", ["hex", "isolation", "kalah", "dots_and_boxes", "matches"])
def test_examples_are_translated_exactly(name: str) -> None:
    check(noughts.load(str(EXAMPLES / f"{name}.py")))


BODIES = [
    "numbers = list(numbers)\n    numbers[action] += 2",
    "numbers = [n + 1 if n % 2 else n for n in numbers]\n    numbers[-1] += 2",
    "numbers = numbers[:action] + (numbers[action] + 3,) + numbers[action + 1 :]",
    "numbers = (*numbers[1:], numbers[0] + 3)",
    "numbers = numbers[-9:1] + numbers[3:2] + (numbers[1] + 3,) + (1, 1) + numbers[7:] + numbers[-1:]",
    "numbers = (numbers[:2] + (8,))[:-1] + numbers[-2:9] + (numbers[-1] + 9,)[action // 2 :]",
    "numbers = list(numbers)\n    numbers = numbers[:1] + [numbers.pop() + 3] + numbers[:3]",
    "numbers = tuple(n // -2 + 4 for n in numbers[::-1])",
    "numbers = sorted((n * -1) % 5 + 3 for n in numbers)",
    "numbers = [max(n, 3) + abs(n - 4) for n in numbers]\n    numbers.append(numbers.pop(0) + 1)",
    "numbers = [a + b + 1 for a, b in zip(numbers, numbers[1:] + numbers[:1])]",
    "numbers = [n + place for place, n in enumerate(numbers)]\n    numbers[0:2] = [7, 8]",
    "seen = set(numbers)\n    seen.add(action)\n    numbers = [n + (n + 1 in seen) + 1 for n in numbers]",
    "numbers = list(numbers)\n    n = 0\n    while True:\n        n += 1\n        if n > 3:\n            break\n"
    "        if n == 2:\n            continue\n        numbers[n] += 1",
    "numbers = [(n << 1) ^ (n >> 1) & ~n | 1 for n in numbers]",
    "numbers = [n + divmod(n, 3)[1] + (1 if 0 <= n < 3 and not n == 1 else 2) for n in numbers]",
    "n = [m for m in numbers if m > 1]\n"
    "    numbers = [n.count(m) + n.index(n[0]) + m + len(n or [1]) for m in numbers]",
    "numbers = [sum(1 for m in numbers if m < n) + any(m == 8 for m in numbers) + n + 1 for n in numbers]",
    "numbers = list(numbers)\n    numbers[0] += numbers.pop() + len(numbers)\n    numbers.append(1)",
    "found = []\n    for n in numbers:\n        found.append((n, n + 1))\n"
    "    numbers = [b + (a, b).count(a) for a, b in found]",
]


@pytest.mark.parametrize("body", BODIES)
def test_what_python_does_is_translated_exactly(body: str, tmp_path: Path) -> None:
    check(written(tmp_path, GAME.format(body=body)))


def test_generators_caches_defaults_and_methods_are_translated(tmp_path: Path) -> None:
    game = written(
        tmp_path,
        dedent(
            """
            from functools import cache

            @cache
            def near(cell, size=3):
                return [other for other in (cell - 1, cell + 1) if 0 <= other < size]

            def depth(n):
                return 0 if n < 1 else 1 + depth(n - 1)

            class Walk:
                size = 3

                def initial(self):
                    return (0, 0, +1)

                def player(self, state):
                    return state[2]

                def actions(self, state):
                    if not self.terminal(state):
                        yield from near(state[0])

                def result(self, state, action):
                    return (action, depth(state[1]) + 1, -state[2])

                def terminal(self, state):
                    return state[1] >= 2 * self.size

                def utility(self, state):
                    return state[0] - 1
            """
        ),
    )
    plan = check(game)
    assert plan.program.is_current()
    type(game).size = 4
    assert not plan.program.is_current()


REFUSED = {
    "numbers = [n / 2 for n in numbers]": "`a / b` is not translated",
    "numbers = [n**2 for n in numbers]": "`a ** b` is not translated",
    "numbers = [n for n in {5, 1, action}]": "the order of a set is not defined",
    "numbers = list({n for n in numbers})": "the order of a set is not defined",
    "import random": "`import` is not translated",
    "numbers = [float(n) for n in numbers]": "float() is not translated",
    "global mine\n    mine = 3": "`global` is not translated",
    "if action:\n        extra = 1\n    numbers = [n + extra for n in numbers]": "extra may have no value here",
    "try:\n        pass\n    except ValueError:\n        pass": "`try` is not translated",
    "numbers = [n if action else (n, n) for n in numbers]": "a value is a whole number here and a tuple of 2 there",
    "numbers = ['a' for n in numbers]": "a str is no whole number",
}


@pytest.mark.parametrize(("body", "why"), REFUSED.items())
def test_what_is_not_translated_is_refused_with_its_line(body: str, why: str, tmp_path: Path) -> None:
    # The result that is translated is another one than that which is played, which need not be refused by itself.
    played = GAME.format(body="numbers = [n + 2 for n in numbers]")
    game = written(tmp_path, GAME.format(body=body).replace("def result", "def broken") + played)
    samples = PlainPlan(resolve(game)).samples
    with pytest.raises(Refused) as refused:
        Program(resolve(game)._replace(result=game.broken), samples.states[0], samples.shape, samples.action)
    message = str(refused.value)
    assert "\n" not in message
    assert message.startswith("broken(), line ")
    assert why in message


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("None", "its states: it holds None, which is neither a whole number nor a tuple"),
        ("'abc'", "its states: it holds a str, which is neither a whole number nor a tuple"),
        ("frozenset()", "its states: it holds a frozenset, which is neither a whole number nor a tuple"),
    ],
)
def test_states_of_other_types_are_refused(start: str, why: str, tmp_path: Path) -> None:
    text = GAME.format(body="numbers = ()").replace("return (0, 1, 2, 3, 4), 0", f"return {start}, 0")
    with pytest.raises(Refused) as refused:
        PlainPlan(resolve(written(tmp_path, text.replace("max(state[0]) >= 99 or sum(state[0]) < -99 or", ""))))
    assert str(refused.value) == why


def test_overflow_and_bad_indices_raise_instead_of_wrapping_around() -> None:
    from noughts.plain import memory as operations

    largest = operations.LARGEST
    for operation, first, second in (
        (operations.add, largest, 1),
        (operations.subtract, -largest, 1),
        (operations.multiply, 1 << 32, 1 << 32),
        (operations.left, 1, 63),
    ):
        with pytest.raises(OverflowError):
            operation(first, second)
    m = [0] * 100
    m[layout.FREE], m[layout.END] = 20, 100
    place = operations.new(m, 2)
    with pytest.raises(IndexError):
        operations.item(m, place, 0)
    with pytest.raises(MemoryError):
        operations.new(m, 100)
