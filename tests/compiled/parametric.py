"""Rules compiled once for all boards of a family: constants are looked up at run time instead of compiled in.

Compiling each board would take hours. The functions are those that a kernel compiles, but every constant of the file
that they read is a field of an argument.
"""

import ast
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy

from noughts.capabilities import Kernel
from noughts.compiled.build import _make_native
from noughts.compiled.checked_functions import checked_functions
from noughts.compiled.checked_numbers import as_checked, plain
from noughts.compiled.rules import Position, Rules
from noughts.compiled.searches import SOLVING

GIVEN = "_given"


class Asked(NamedTuple):
    """A position, a move from it (0 if none is played), and a score to ask `foresee` about."""

    position: Position
    move: int
    beta: int


class _ConstantsGiven(ast.NodeTransformer):
    """Makes functions take the constants as their first argument, and pass them on."""

    def __init__(self, constants: Sequence[str], functions: Sequence[str]) -> None:
        self._constants, self._functions = constants, functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.args.args.insert(0, ast.arg(GIVEN))
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._functions:
            node.args.insert(0, ast.Name(GIVEN, ast.Load()))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Attribute(ast.Name(GIVEN, ast.Load()), node.id, node.ctx) if node.id in self._constants else node


def answers_text(arity: int, offered: Sequence[str]) -> str:
    """Return the source of a function that records what all functions return for positions."""
    numbers = ", ".join(f"positions[i, {n}]" for n in range(arity))
    lines = [
        f"def answers({GIVEN}, positions, moves, betas, found):",
        "    for i in range(len(moves)):",
        f"        position = ({numbers},)",
        f"        found[i, 0] = plies({GIVEN}, position)",
        f"        found[i, 1] = key({GIVEN}, position)",
        f"        found[i, 2], found[i, 3] = score_bounds({GIVEN}, position)",
        f"        found[i, 4] = expand({GIVEN}, position)",
    ]
    if "foresee" in offered:
        lines.append(f"        found[i, 5], found[i, 6] = foresee({GIVEN}, position, betas[i])")
    lines.append("        if moves[i]:")
    if "order" in offered:
        lines.append(f"            found[i, 7] = order({GIVEN}, position, moves[i])")
    lines.append(f"            after = play({GIVEN}, position, moves[i])")
    lines += [f"            found[i, {8 + n}] = after[{n}]" for n in range(arity)]
    return "\n".join(lines)


class Family:
    """The rules of a family of boards, from the kernel that one of them offers: interpreted, checked and compiled."""

    def __init__(self, sample: Kernel) -> None:
        rules = Rules(sample)
        self._compiled = rules.compiled
        self._arity: int = rules.constants["arity"]  # type: ignore[assignment]
        self._checked = checked_functions(self._compiled)
        self._offered = [name for name in SOLVING.from_rules if name in self._compiled.nodes]
        names = [name for name, value in self._compiled.constants.items()]
        self._given = namedtuple("_given", names)  # type: ignore[misc]
        self._prepared = self._parameters_looked_up(rules.source, sample.parameters)
        self._native = self._compiled_once(names)

    def _parameters_looked_up(self, source: str, parameters: Mapping[str, Any]) -> Any:
        """Return the code of the file, in which parameters are looked up."""
        tree = ast.parse(source)
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", None) in parameters:
                statement.value = ast.parse(f"PARAMETERS[{statement.targets[0].id!r}]", mode="eval").body  # type: ignore[attr-defined]
        return compile(tree, "rules", "exec")

    def _compiled_once(self, names: list[str]) -> Any:
        tree = ast.parse(self._compiled.native_source())
        given = _ConstantsGiven(names, list(self._compiled.nodes))
        kept = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        functions = [
            node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in self._compiled.nodes
        ]
        for node in functions:
            node.returns = None
            for argument in node.args.args:
                argument.annotation = None
        module = ModuleType("parametric_rules")
        text = ast.unparse(ast.fix_missing_locations(ast.Module([*kept, *map(given.visit, functions)], [])))
        exec(text + "\n\n" + answers_text(self._arity, self._offered), module.__dict__)
        answers = module.__dict__.pop("answers")
        _make_native(module)
        import numba

        return numba.njit(error_model="python")(answers)

    def constants(self, namespace: Mapping[str, Any]) -> dict[str, Any]:
        return {name: namespace[name] for name in self._compiled.constants}

    def board(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rules of a board, interpreted, as a namespace."""
        namespace: dict[str, Any] = {"PARAMETERS": parameters, "__name__": "rules"}
        exec(self._prepared, namespace)
        return namespace

    def interpreted(self, namespace: Mapping[str, Any], asked: Asked) -> list[int]:
        """Return what all functions return for a position, interpreted."""
        return self._said(namespace, asked.position, asked.move, asked.beta)

    def checked(self, namespace: Mapping[str, Any], asked: Asked) -> list[int]:
        """Return the same, on checked numbers."""
        for function in self._checked.values():
            function.__globals__.update((name, as_checked(value)) for name, value in self.constants(namespace).items())
            break
        found: list[int] = plain(tuple(self._said(self._checked, *map(as_checked, asked))))
        return list(found)

    def _said(self, functions: Mapping[str, Any], position: Any, move: Any, beta: Any) -> list[Any]:
        said = [functions["plies"](position), functions["key"](position), *functions["score_bounds"](position)]
        said.append(functions["expand"](position))
        said += functions["foresee"](position, beta) if "foresee" in self._offered else (0, 0)
        said.append(functions["order"](position, move) if move and "order" in self._offered else 0)
        return said + list(functions["play"](position, move) if move else (0,) * self._arity)

    def compiled(self, namespace: Mapping[str, Any], asked: Sequence[Asked]) -> list[list[int]]:
        """Return the same for several positions, compiled."""
        values = (
            numpy.array(value, numpy.int64) if isinstance(value, tuple) else value
            for value in self.constants(namespace).values()
        )
        found = numpy.zeros((len(asked), 8 + self._arity), numpy.int64)
        positions, moves, betas = (numpy.array(each, numpy.int64) for each in zip(*asked, strict=True))
        self._native(self._given(*values), positions, moves, betas, found)
        rows: list[list[int]] = found.tolist()
        return rows


def line_of_play(namespace: Mapping[str, Any], random: Any) -> Iterator[Asked]:
    """Yield the positions of a random game until no move is left, even after a win."""
    position = tuple(namespace["initial"]())
    longest = namespace["longest"]
    while True:
        moves = [1 << place for place in range(63) if namespace["expand"](position) >> place & 1]
        move = random.choice(moves) if moves else 0
        yield Asked(position, move, random.randint(-longest, longest))
        if not move:
            return
        position = namespace["play"](position, move)
