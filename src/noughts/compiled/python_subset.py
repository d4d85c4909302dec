"""The subset of Python that means the same when it is compiled; rules that use anything else are refused.

Compiled numbers have 64 bits; Python's have as many as they need. This module looks at the functions of a rules file
that a kernel compiles, refuses what cannot mean the same (fractions, powers, constants of more than 64 bits, objects of
other modules), and rewrites what would mean something else: shifts, since processors do not shift by 64 or more, and
`~`, since numba takes that of a truth value for `not`. What is left is exact as long as numbers stay within 64 bits;
`noughts.compiled.checked_numbers` finds out whether they do.
"""

import ast
import builtins
import dis
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from types import CodeType, FunctionType, ModuleType
from typing import Any

from noughts import bits
from noughts.errors import BrokenGame
from noughts.search.recursion_limit import steady_limit

__all__ = ["LARGEST", "PREFIX", "SMALLEST", "CompiledFunctions", "Function", "attribute_of", "digits", "power"]

SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""The whole numbers of compiled code."""

BUILTINS = ("abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "print", "range", "sum", "zip")

FROM_BITS = (bits.count, bits.place)

PREFIX = "_noughts_"

Function = ast.FunctionDef | ast.Lambda

REFUSED = {
    ast.Div: "/ makes fractions; // divides whole numbers",
    ast.Pow: "** is not exact; multiply, or shift 1 to the left for a power of two",
    ast.MatMult: "@ is not for whole numbers",
    ast.Global: "it changes a constant of the file, which is compiled in",
    ast.Nonlocal: "it changes a variable of another function",
    ast.Match: "`match` is not compiled; `if` is",
    ast.Is: "`is` compares objects; == compares numbers",
    ast.IsNot: "`is not` compares objects; != compares numbers",
}

REWRITTEN: dict[type[ast.AST], str] = {
    ast.LShift: bits.shift_left.__name__,
    ast.RShift: bits.shift_right.__name__,
    ast.Invert: bits.invert.__name__,
}


class CompiledFunctions:
    """The functions of a rules file that are compiled: the given ones, and all that these call.

    `nodes` has the syntax tree of each, `constants` the values of what they read, `from_bits` what they call of
    `noughts.bits`. Raises BrokenGame for what would not mean the same when it is compiled.
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
                _Native().generic_visit(node)
        names = (ast.alias(name, PREFIX + name) for name in REWRITTEN.values())
        first = next((index for index, node in enumerate(tree.body) if not _comes_first(node)), len(tree.body))
        tree.body.insert(first, ast.ImportFrom(bits.__name__, list(names), 0))
        return ast.unparse(ast.fix_missing_locations(tree))

    def _checked(self, name: str) -> Function:
        """Return the syntax tree of a function, in which nothing is refused."""
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
                if kind in REFUSED:
                    raise _refused(name, REFUSED[kind])
            if isinstance(part, ast.AugAssign) and not isinstance(part.target, ast.Name):
                raise _refused(name, f"`{ast.unparse(part)}` changes a part of something; only variables can change")
        for default in function.__defaults__ or ():
            if not _is_constant(default):
                raise _refused(name, f"{default!r} is no whole number, nor a tuple of them")
            self._check_size(name, "it", default)
        rewritten = _Native().visit(deepcopy(node))
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
            value = namespace.get(read, getattr(builtins, read, None))
            if read in namespace and isinstance(value, FunctionType) and value.__globals__ is namespace:
                yield read
            elif any(value is each for each in FROM_BITS):
                self.from_bits[read] = namespace[read]
            elif read not in namespace and _is_allowed(read):
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
        """Look at what is read of another module: it must be constants."""
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


class _Native(ast.NodeTransformer):
    """Puts functions of `noughts.bits` in place of the operators that mean something else when they are compiled."""

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


def digits(number: int) -> str:
    """Return a number in digits, or how large it is if there are many.

    >>> digits(-5), digits(1 << 100), digits(-(1 << 100))
    ('-5', 'about 2**100', 'about -2**100')
    """
    return str(number) if abs(number) < 10**24 else f"about {'-' * (number < 0)}2**{number.bit_length() - 1}"


def attribute_of(node: ast.AST, name: str) -> str | None:
    """Return which attribute of a name an expression reads, if it does."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
        return node.attr
    return None


def power(node: ast.AST) -> int | None:
    """Return the value of a power of two literal numbers, such as `2**8`, which Python works out beforehand."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, exponent = (getattr(operand, "value", None) for operand in (node.left, node.right))
        if type(base) is int and type(exponent) is int and abs(base) <= 64 and 0 <= exponent <= 64:
            result: int = base**exponent
            return result
    return None


def _kinds(node: ast.AST) -> Iterator[type[ast.AST]]:
    """Yield what may be refused of a part of a function: its kind, and its operators."""
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
    """Say whether nothing may stand before a statement: the docstring, and imports from the future."""
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


def _is_allowed(name: str) -> bool:
    """Say whether compiled code can use a builtin: some functions, and the errors."""
    value = getattr(builtins, name, None)
    return name in BUILTINS or (isinstance(value, type) and issubclass(value, Exception))


def _is_constant(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(_is_constant, value)))
