"""The subset of Python that means the same when it is compiled; rules that use anything else are refused.

Compiled numbers have 64 bits; Python's have as many as they need. This module reads the functions of a rules file that
a kernel compiles. It refuses what cannot mean the same: fractions, powers, constants of more than 64 bits, objects of
other modules. It rewrites what would mean something else: shifts, since processors do not shift by 64 places or more,
and `~`, which numba compiles as `not` for a truth value. What is left is exact as long as numbers stay within 64 bits;
`noughts.compiled.checked_numbers` detects where they do not.
"""

import ast
import builtins
import dis
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from types import CodeType, FunctionType, ModuleType
from typing import Any

from noughts import bits
from noughts.compiled.checked_numbers import CALLS, LARGEST, SMALLEST, digits
from noughts.errors import BrokenGame
from noughts.search.recursion_limit import steady_limit

__all__ = ["PREFIX", "REFUSED_SYNTAX", "CompiledFunctions", "Function", "attribute_of", "power"]

PREFIX = "_noughts_"
"""How names begin that are added to the source of rules."""

Function = ast.FunctionDef | ast.Lambda

REFUSED_SYNTAX: dict[type[ast.AST], str] = {
    ast.Div: "/ makes fractions; // divides whole numbers",
    ast.Pow: "** is not exact; multiply, or shift 1 to the left for a power of two",
    ast.MatMult: "@ is not for whole numbers",
    ast.Global: "it changes a constant of the file, which is compiled in",
    ast.Nonlocal: "it changes a variable of another function",
    ast.Match: "`match` is not compiled; `if` is",
    ast.Is: "`is` compares objects; == compares numbers",
    ast.IsNot: "`is not` compares objects; != compares numbers",
}
"""Syntax that is refused, and why."""

REWRITTEN: dict[type[ast.AST], str] = {
    ast.LShift: bits.shift_left.__name__,
    ast.RShift: bits.shift_right.__name__,
    ast.Invert: bits.invert.__name__,
}
"""Operators that mean something else when they are compiled, and the functions of `noughts.bits` in their place."""


class CompiledFunctions:
    """The functions of a rules file that are compiled: the given ones, and all that these call.

    `nodes` holds the syntax tree of each, `constants` the values that they read, and `from_bits` the functions of
    `noughts.bits` that they call. Raises BrokenGame for anything that would not mean the same when it is compiled.
    """

    def __init__(self, module: ModuleType, source: str, names: Sequence[str]) -> None:
        self.module = module
        with steady_limit():
            self._tree = ast.parse(source)
        self._functions = [node for node in ast.walk(self._tree) if isinstance(node, Function)]
        self.nodes: dict[str, Function] = {}
        self.constants: dict[str, Any] = {}
        self.from_bits: dict[str, Callable[[int], int]] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in self.nodes:
                self.nodes[name] = self._checked(name)
                waiting.extend(self._read_by(name))

    def native_source(self) -> str:
        """Return the source of the whole file, with the operators of compiled functions rewritten."""
        tree = deepcopy(self._tree)
        compiled = {_place_of(node) for node in self.nodes.values()}
        for node in ast.walk(tree):
            if isinstance(node, Function) and _place_of(node) in compiled:
                _RewriteOperators().generic_visit(node)
        names = (ast.alias(name, PREFIX + name) for name in REWRITTEN.values())
        first = next((index for index, node in enumerate(tree.body) if not _comes_first(node)), len(tree.body))
        tree.body.insert(first, ast.ImportFrom(bits.__name__, list(names), 0))
        return ast.unparse(ast.fix_missing_locations(tree))

    def _checked(self, name: str) -> Function:
        """Return the syntax tree of a function, or raise BrokenGame if something in it is refused."""
        function = getattr(self.module, name)
        if not isinstance(function, FunctionType) or function.__closure__ or function.__kwdefaults__:
            raise _refused(name, "it must be a plain function of the file, without decorators")
        places = (function.__code__.co_firstlineno, function.__code__.co_name)
        found = [node for node in self._functions if _place_of(node) == places]
        if len(found) != 1 or (isinstance(found[0], ast.FunctionDef) and found[0].decorator_list):
            raise _refused(name, "it must be a plain function of the file, on lines of its own, without decorators")
        (node,) = found
        for part in ast.walk(node):
            for kind in _kinds(part):
                if kind in REFUSED_SYNTAX:
                    raise _refused(name, REFUSED_SYNTAX[kind])
            if isinstance(part, ast.AugAssign) and not isinstance(part.target, ast.Name):
                raise _refused(name, f"`{ast.unparse(part)}` changes a part of something; only variables can change")
        for default in function.__defaults__ or ():
            if not _is_constant(default):
                raise _refused(name, f"{default!r} is no whole number, nor a tuple of them")
            self._check_size(name, "it", default)
        rewritten = _RewriteOperators().visit(deepcopy(node))
        statement = ast.Expr(rewritten) if isinstance(rewritten, ast.Lambda) else rewritten
        with steady_limit():
            code = compile(ast.fix_missing_locations(ast.Module([statement], [])), "rules", "exec")
        for constant in _constants(code):
            if isinstance(constant, (float, complex)):
                raise _refused(name, f"{constant!r} is a fraction, not a whole number")
            self._check_size(name, "it", constant)
        return node

    def _read_by(self, name: str) -> Iterator[str]:
        """Yield the other functions that a function calls; note the constants that it reads."""
        function, namespace = getattr(self.module, name), vars(self.module)
        for read in _global_names(function.__code__):
            value: Any = namespace.get(read, getattr(builtins, read, None))
            if read in namespace and isinstance(value, FunctionType) and value.__globals__ is namespace:
                yield read
            elif any(value is each for each in CALLS if each.__module__ == bits.__name__):
                self.from_bits[read] = value
            elif read not in namespace and _is_allowed(value):
                pass
            elif isinstance(value, ModuleType):
                self._check_module(name, read, value)
            elif _is_constant(value):
                self._check_size(name, read, value)
                self.constants[read] = value
            elif read not in namespace and value is None:
                raise _refused(name, f"{read} is not defined")
            else:
                what = "no function of this file" if callable(value) else f"of the type {type(value).__name__}"
                can = "it can use whole numbers, tuples of them, functions of its own file, count and place"
                raise _refused(name, f"{read} is {what}; {can}")

    def _check_module(self, name: str, read: str, module: ModuleType) -> None:
        """Note what is read from another module; raise BrokenGame unless these are constants."""
        parts = list(ast.walk(self.nodes[name]))
        attributes = [attribute for part in parts if (attribute := attribute_of(part, read)) is not None]
        if len(attributes) < sum(isinstance(part, ast.Name) and part.id == read for part in parts):
            raise _refused(name, f"{read} is a module; it can read the constants in it, as {read}.NAME")
        for attribute in attributes:
            value, what = getattr(module, attribute, None), f"{read}.{attribute}"
            if not _is_constant(value):
                raise _refused(name, f"{what} is no whole number, nor a tuple of them")
            self._check_size(name, what, value)
            self.constants[what] = value

    def _check_size(self, name: str, what: str, constant: object) -> None:
        if isinstance(constant, tuple):
            for each in constant:
                self._check_size(name, what, each)
        elif isinstance(constant, int) and not SMALLEST <= constant <= LARGEST:
            said = "it has the number" if what == "it" else f"{what} has the value"
            raise _refused(name, f"{said} {digits(constant)}, which does not fit in 64 bits")


class _RewriteOperators(ast.NodeTransformer):
    """Replaces the operators in `REWRITTEN` by calls of functions."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _call(node.op, node.left, node.right) if type(node.op) in REWRITTEN else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _call(node.op, node.operand) if type(node.op) in REWRITTEN else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if type(node.op) not in REWRITTEN or not isinstance(node.target, ast.Name):
            return node
        return ast.Assign([node.target], _call(node.op, ast.Name(node.target.id, ast.Load()), node.value))


def _call(operator: ast.AST, *operands: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(PREFIX + REWRITTEN[type(operator)], ast.Load()), list(operands), [])


def _refused(function: str, why: str) -> BrokenGame:
    return BrokenGame(f"its kernel cannot be compiled: {function}(): {why}")


def attribute_of(node: ast.AST, name: str) -> str | None:
    """Return which attribute of a name an expression reads, if it does."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
        return node.attr
    return None


def power(node: ast.AST) -> int | None:
    """Return the value of a power of two literal numbers, such as `2**8`, which Python computes when it compiles."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, exponent = (getattr(operand, "value", None) for operand in (node.left, node.right))
        if type(base) is int and type(exponent) is int and abs(base) <= 64 and 0 <= exponent <= 64:
            result: int = base**exponent
            return result
    return None


def _kinds(node: ast.AST) -> Iterator[type[ast.AST]]:
    """Yield what `REFUSED_SYNTAX` may have of a part of a function: the type of its node, and of its operator."""
    if not isinstance(node, ast.operator):
        yield type(node)
    if isinstance(node, ast.BinOp | ast.AugAssign) and power(node) is None:
        yield type(node.op)


def _place_of(node: Function) -> tuple[int, str]:
    """Return where the code of a function begins, and what it is called."""
    if isinstance(node, ast.Lambda):
        return node.lineno, "<lambda>"
    return min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.name


def _comes_first(statement: ast.stmt) -> bool:
    """Return whether nothing may come before a statement: a docstring, or an import from `__future__`."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _constants(code: CodeType) -> Iterator[object]:
    """Yield the constants in a piece of code, and in the functions in it."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield constant


def _global_names(code: CodeType) -> set[str]:
    """Return the names that code looks up in its module, or among the builtins."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_global_names(part) for part in code.co_consts if isinstance(part, CodeType)))


def _is_allowed(builtin: Any) -> bool:
    """Return whether compiled code can use a builtin: some functions, and exceptions."""
    is_error = isinstance(builtin, type) and issubclass(builtin, Exception)
    return is_error or any(builtin is each for each in CALLS)


def _is_constant(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(_is_constant, value)))
