"""Numbers for running rules in the interpreter that detect where compiled numbers would differ.

A compiled number is a Python number modulo 2**64, seen as one from -2**63 to 2**63 - 1. Sums, products, `&`, `|`, `^`,
`~` and shifts to the left stay right modulo 2**64, whatever overflows on the way. Everything else needs the number
itself: shifts to the right, division, comparisons, truth, indices, `count`, `place`, and what a function returns. A
`CheckedNumber` holds the number that Python has, and raises `Inexact` where it matters that a compiled one differs.

`CALLS` is the one list of functions that rules may call from outside their own file, each with its version for checked
numbers. `noughts.compiled.python_subset` refuses all others.
"""

import operator
from collections.abc import Callable, Iterator
from typing import Any

from noughts import bits

__all__ = ["CALLS", "LARGEST", "SMALLEST", "CheckedNumber", "Inexact", "as_checked", "digits", "plain"]

SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""The whole numbers of compiled code."""

MOST_PLACES = 10_000
"""Shifts to the left by more places are refused, since they would fill the memory."""

Operation = Callable[[Any, Any], Any]


def digits(number: int) -> str:
    """Return a number in digits, or how large it is if there are many.

    >>> digits(-5), digits(1 << 100), digits(-(1 << 100))
    ('-5', 'about 2**100', 'about -2**100')
    """
    return str(number) if abs(number) < 10**24 else f"about {'-' * (number < 0)}2**{number.bit_length() - 1}"


class Inexact(Exception):
    """Raised where compiled code would continue with a different number than Python."""


def _modular(operation: Operation) -> Operation:
    """Return an operation whose result is right modulo 2**64 if its operands are."""

    def apply(self: Any, other: Any) -> Any:
        if isinstance(other, CheckedNumber):
            return CheckedNumber(operation(self.value, other.value))
        return CheckedNumber(operation(self.value, int(other))) if isinstance(other, int) else NotImplemented

    return apply


def _needs_exact(operation: Operation, symbol: str) -> Operation:
    """Return an operation that raises Inexact unless compiled code has the same operands."""

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
    if not 0 <= count <= MOST_PLACES:
        raise Inexact(f"{number!r} << {places!r}: numbers are shifted by 0 to {MOST_PLACES:,} places")
    return CheckedNumber(number.value << count)


def _shifted_right(number: int, places: int) -> int:
    if places < 0:
        raise Inexact(f"{number} >> {places}: the number of places is negative")
    return number >> places


def _quotient(number: int, divisor: int) -> int:
    if (number, divisor) == (SMALLEST, -1):
        raise Inexact(f"{number} // {divisor}: {TOO_LARGE}")
    return number // divisor


def _reflected(operation: Operation) -> Operation:
    """Return an operation with its operands swapped, for a plain number on the left."""
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
    __rshift__ = _needs_exact(_shifted_right, ">>")
    __floordiv__ = _needs_exact(_quotient, "//")
    __mod__ = _needs_exact(operator.mod, "%")
    __eq__ = _needs_exact(operator.eq, "==")
    __ne__ = _needs_exact(operator.ne, "!=")
    __lt__ = _needs_exact(operator.lt, "<")
    __le__ = _needs_exact(operator.le, "<=")
    __gt__ = _needs_exact(operator.gt, ">")
    __ge__ = _needs_exact(operator.ge, ">=")
    __radd__ = _reflected(__add__)
    __rsub__ = _reflected(__sub__)
    __rmul__ = _reflected(__mul__)
    __rand__ = _reflected(__and__)
    __ror__ = _reflected(__or__)
    __rxor__ = _reflected(__xor__)
    __rlshift__ = _reflected(__lshift__)
    __rrshift__ = _reflected(__rshift__)
    __rfloordiv__ = _reflected(__floordiv__)
    __rmod__ = _reflected(__mod__)

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
    """Return the number if compiled code has the same one, else raise Inexact; `operation` says what needs it."""
    value: int = number.value if isinstance(number, CheckedNumber) else number
    if SMALLEST <= value <= LARGEST:
        return value
    raise Inexact(f"{operation()}: {TOO_LARGE}")


def as_checked(value: Any) -> Any:
    """Return a whole number, or each one in a tuple, as a checked number; return anything else unchanged."""
    if isinstance(value, tuple):
        return tuple(map(as_checked, value))
    return CheckedNumber(value) if isinstance(value, int) else value


def plain(value: Any) -> Any:
    """Return a checked number, or each one in a tuple, as a plain number; raise Inexact if compiled ones differ."""
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


def _word(number: Any) -> CheckedNumber:
    return CheckedNumber(bits.word(number.value))


def _range(*limits: Any) -> Iterator[CheckedNumber]:
    return map(CheckedNumber, range(*limits))


def _enumerate(items: Any, start: Any = 0) -> Iterator[tuple[CheckedNumber, Any]]:
    return ((CheckedNumber(number), item) for number, item in enumerate(items, start))


CALLS: dict[Callable[..., Any], Callable[..., Any]] = {
    bits.count: _count,
    bits.place: _place,
    bits.word: _word,
    abs: abs,
    bool: lambda number: CheckedNumber(bool(number)),
    divmod: divmod,
    enumerate: _enumerate,
    int: lambda number: +number,
    len: lambda items: CheckedNumber(len(items)),
    max: max,
    min: min,
    print: print,
    range: _range,
    sum: sum,
    zip: zip,
}
"""The functions that rules may call from outside their own file, and what is called on checked numbers instead."""
