"""Numbers for running rules in the interpreter, which notice where compiled numbers would differ.

A compiled number is a Python number modulo 2**64, seen as one from -2**63 to 2**63 - 1. Sums, products, `&`, `|`, `^`,
`~` and shifts to the left stay right modulo 2**64 whatever overflows on the way. Everything else needs the number
itself: shifts to the right, division, comparisons, truth, indices, `count`, `place`, and what a function returns. A
`CheckedNumber` holds the number that Python has, and raises `Inexact` where it matters that a compiled one differs.
"""

import ast
import operator
from collections.abc import Callable, Iterator
from copy import deepcopy
from types import FunctionType
from typing import Any

from noughts import bits
from noughts.compiled.python_subset import LARGEST, PREFIX, SMALLEST, CompiledFunctions, attribute_of, digits, power
from noughts.search.recursion_limit import steady_limit

__all__ = ["RULES", "CheckedNumber", "Inexact", "as_checked", "checked_functions", "plain"]

FARTHEST = 10_000
"""Shifts to the left by more places are refused, since they would fill the memory."""

LITERAL, WRAP = f"{PREFIX}literal_", f"{PREFIX}checked"

RULES = "rules being checked"
"""The name of their file, in tracebacks."""

Operation = Callable[[Any, Any], Any]


class Inexact(Exception):
    """Raised where compiled code would continue with a different number than Python."""


def _modular(operation: Operation) -> Operation:
    """Return an operation that is right modulo 2**64 if its operands are."""

    def apply(self: Any, other: Any) -> Any:
        if isinstance(other, CheckedNumber):
            return CheckedNumber(operation(self.value, other.value))
        return CheckedNumber(operation(self.value, int(other))) if isinstance(other, int) else NotImplemented

    return apply


def _exactly(operation: Operation, symbol: str) -> Operation:
    """Return an operation that is right if its operands are the numbers themselves."""

    def apply(self: Any, other: Any) -> Any:
        if not isinstance(other, CheckedNumber):
            if not isinstance(other, int):
                return NotImplemented
            other = CheckedNumber(other)
        if not (SMALLEST <= self.value <= LARGEST and SMALLEST <= other.value <= LARGEST):
            raise Inexact(f"{self!r} {symbol} {other!r}: {TOO_LARGE}")
        return CheckedNumber(operation(self.value, other.value))

    return apply


def _shifted_left(number: Any, places: Any) -> Any:
    count = _exact(places, lambda: f"{number!r} << {places!r}")
    if not 0 <= count <= FARTHEST:
        raise Inexact(f"{number!r} << {places!r}: numbers are shifted by 0 to {FARTHEST:,} places")
    return CheckedNumber(number.value << count)


def _shifted_right(number: int, places: int) -> int:
    if places < 0:
        raise Inexact(f"{number} >> {places}: the number of places is negative")
    return number >> places


def _quotient(number: int, divisor: int) -> int:
    if (number, divisor) == (SMALLEST, -1):
        raise Inexact(f"{number} // {divisor}: {TOO_LARGE}")
    return number // divisor


def _turned(operation: Operation) -> Operation:
    """Return an operation with its operands the other way round."""
    return lambda self, other: operation(CheckedNumber(other), self) if isinstance(other, int) else NotImplemented


TOO_LARGE = "compiled, numbers go from -2**63 to 2**63 - 1"


class CheckedNumber:
    """A whole number in rules that are being checked, or a truth value, which is 0 or 1."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    made = 0
    """How many have been made: a measure of work that does not depend on the clock."""

    def __init__(self, value: int) -> None:
        self.value = int(value)
        CheckedNumber.made += 1

    def __repr__(self) -> str:
        return digits(self.value)

    __add__ = _modular(operator.add)
    __sub__ = _modular(operator.sub)
    __mul__ = _modular(operator.mul)
    __and__ = _modular(operator.and_)
    __or__ = _modular(operator.or_)
    __xor__ = _modular(operator.xor)
    __lshift__ = _shifted_left
    __rshift__ = _exactly(_shifted_right, ">>")
    __floordiv__ = _exactly(_quotient, "//")
    __mod__ = _exactly(operator.mod, "%")
    __eq__ = _exactly(operator.eq, "==")
    __ne__ = _exactly(operator.ne, "!=")
    __lt__ = _exactly(operator.lt, "<")
    __le__ = _exactly(operator.le, "<=")
    __gt__ = _exactly(operator.gt, ">")
    __ge__ = _exactly(operator.ge, ">=")
    __radd__ = _turned(__add__)
    __rsub__ = _turned(__sub__)
    __rmul__ = _turned(__mul__)
    __rand__ = _turned(__and__)
    __ror__ = _turned(__or__)
    __rxor__ = _turned(__xor__)
    __rlshift__ = _turned(__lshift__)
    __rrshift__ = _turned(__rshift__)
    __rfloordiv__ = _turned(__floordiv__)
    __rmod__ = _turned(__mod__)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __neg__(self) -> "CheckedNumber":
        return CheckedNumber(-self.value)

    def __pos__(self) -> "CheckedNumber":
        return self

    def __invert__(self) -> "CheckedNumber":
        return CheckedNumber(~self.value)

    def __abs__(self) -> "CheckedNumber":
        return CheckedNumber(abs(_exact(self, lambda: f"abs({self!r})")))

    def __bool__(self) -> bool:
        return bool(_exact(self, lambda: f"whether {self!r} is 0"))

    def __index__(self) -> int:
        return _exact(self, lambda: f"{self!r} as an index")


def _exact(number: Any, operation: Callable[[], str]) -> int:
    """Return a number that compiled code has too, or raise Inexact."""
    value: int = number.value if isinstance(number, CheckedNumber) else number
    if SMALLEST <= value <= LARGEST:
        return value
    raise Inexact(f"{operation()}: {TOO_LARGE}")


def as_checked(value: Any) -> Any:
    """Return whole numbers, and those in tuples, as checked numbers."""
    if isinstance(value, tuple):
        return tuple(map(as_checked, value))
    return CheckedNumber(value) if isinstance(value, int) else value


def plain(value: Any) -> Any:
    """Return checked numbers, and those in tuples, as plain ones; raise Inexact if compiled code returns others."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return _exact(value, lambda: f"{value!r} is returned") if isinstance(value, CheckedNumber) else value


def _count(number: Any) -> CheckedNumber:
    value = _exact(number, lambda: f"count({number!r})")
    if value < 0:
        raise Inexact(f"count({value}): the number is negative")
    return CheckedNumber(bits.count(value))


def _place(number: Any) -> CheckedNumber:
    value = _exact(number, lambda: f"place({number!r})")
    if value == 0:
        raise Inexact("place(0): no bit is set")
    return CheckedNumber(bits.place(value))


def _range(*limits: Any) -> Iterator[CheckedNumber]:
    return map(CheckedNumber, range(*limits))


def _enumerate(items: Any, start: Any = 0) -> Iterator[tuple[CheckedNumber, Any]]:
    return ((CheckedNumber(number), item) for number, item in enumerate(items, start))


FROM_BITS: dict[Callable[[int], int], Callable[[Any], CheckedNumber]] = {bits.count: _count, bits.place: _place}

REPLACED: dict[str, Any] = {
    "range": _range,
    "enumerate": _enumerate,
    "len": lambda items: CheckedNumber(len(items)),
    "int": lambda number: +number,
    "bool": lambda number: CheckedNumber(bool(number)),
}
"""Builtins that would return plain numbers."""


class _Checked(ast.NodeTransformer):
    """Puts checked numbers in place of literal numbers and truth values, and of other modules' constants."""

    def __init__(self, modules: dict[str, Any]) -> None:
        self._modules = modules
        self.literals: dict[str, CheckedNumber] = {}

    def _name(self, value: Any) -> ast.Name:
        name = f"{LITERAL}{len(self.literals)}"
        self.literals[name] = as_checked(value)
        return ast.Name(name, ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._name(node.value) if isinstance(node.value, int) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        for name, value in self._modules.items():
            module, _, attribute = name.rpartition(".")
            if attribute_of(node, module) == attribute:
                return self._name(value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            node.slice = self.visit(node.slice)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        folded = power(node)
        return self.generic_visit(node) if folded is None else self._name(folded)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _as_checked(node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        return _as_checked(node) if any(isinstance(each, ast.In | ast.NotIn) for each in node.ops) else node


def _as_checked(node: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(WRAP, ast.Load()), [node], [])


def checked_functions(compiled: CompiledFunctions) -> dict[str, FunctionType]:
    """Return the functions that a kernel compiles, to be called with checked numbers; they return such, too."""
    constants = {name: value for name, value in compiled.constants.items() if "." not in name}
    namespace: dict[str, Any] = {**REPLACED, WRAP: as_checked}
    namespace.update((name, as_checked(value)) for name, value in constants.items())
    namespace.update((name, FROM_BITS[function]) for name, function in compiled.from_bits.items())
    checked = _Checked({name: value for name, value in compiled.constants.items() if name not in constants})
    for name, node in compiled.nodes.items():
        tree = checked.visit(deepcopy(node))
        for argument in ast.walk(tree.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
        if isinstance(tree, ast.Lambda):
            statement: ast.stmt = ast.Assign([ast.Name(name, ast.Store())], tree)
        else:
            tree.name, tree.returns, statement = name, None, tree
        with steady_limit():
            code = compile(ast.fix_missing_locations(ast.Module([statement], [])), RULES, "exec")
        exec(code, namespace)
        namespace[name].__defaults__ = as_checked(getattr(compiled.module, name).__defaults__)
    namespace.update(checked.literals)
    return {name: namespace[name] for name in compiled.nodes}
