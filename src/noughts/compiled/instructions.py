"""The functions of `noughts.bits` as machine instructions, for code that numba compiles.

Each function returns its types, and a function that generates its code. numba passes the types of the arguments even
where they are not needed.
"""
# ruff: noqa: ARG001

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from noughts.bits import SPREAD

__all__ = [
    "claim",
    "count",
    "invert",
    "place",
    "poll",
    "prefetch",
    "read",
    "read_in_order",
    "read_like",
    "shift_left",
    "shift_right",
    "spread",
    "word",
    "write",
    "write_all",
    "write_in_order",
]

WORD = ir.IntType(64)


@intrinsic
def count(_: Any, bits: Any) -> Any:
    """Return how many bits are set, of a number that is not negative."""

    return _of_integers(lambda _context, builder, _signature, arguments: builder.ctpop(arguments[0]), bits)


@intrinsic
def place(_: Any, bit: Any) -> Any:
    """Return the place of the lowest bit, of a number that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return _of_integers(generate, bit)


@intrinsic
def shift_left(_: Any, number: Any, places: Any) -> Any:
    """Return the lowest 64 bits of a number shifted to the left; raise ValueError for a negative number of places.

    A processor takes the number of places modulo 64, and LLVM leaves the result undefined from 64 on.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number, places = arguments
        _raise_if(context, builder, builder.icmp_signed("<", places, WORD(0)), "negative shift count")
        within = builder.icmp_unsigned("<", places, WORD(64))
        return builder.select(within, builder.shl(number, places), WORD(0))

    return _of_integers(generate, number, places)


@intrinsic
def shift_right(_: Any, number: Any, places: Any) -> Any:
    """Return a number shifted to the right; raise ValueError for a negative number of places."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number, places = arguments
        _raise_if(context, builder, builder.icmp_signed("<", places, WORD(0)), "negative shift count")
        within = builder.icmp_unsigned("<", places, WORD(64))
        return builder.ashr(number, builder.select(within, places, WORD(63)))

    return _of_integers(generate, number, places)


@intrinsic
def invert(_: Any, number: Any) -> Any:
    """Return a number with all its bits inverted; a truth value counts as the number 0 or 1."""
    return _of_integers(lambda _context, builder, _signature, arguments: builder.not_(arguments[0]), number)


@intrinsic
def word(_: Any, number: Any) -> Any:
    """Return a number as it is: it has 64 bits."""
    return _of_integers(lambda _context, _builder, _signature, arguments: arguments[0], number)


@intrinsic
def spread(_: Any, key: Any) -> Any:
    """Return 32 bits that depend on all bits of a key."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.lshr(builder.mul(arguments[0], WORD(SPREAD)), WORD(32))

    return types.int64(types.int64), generate


@intrinsic
def read(_: Any, memory: Any, index: Any) -> Any:
    """Return a number from memory."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(builder, *arguments))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def write(_: Any, memory: Any, index: Any, number: Any) -> Any:
    """Write a number to memory."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, number = arguments
        builder.store(number, _pointer(builder, memory, index))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def read_in_order(_: Any, memory: Any, index: Any) -> Any:
    """Return a number from memory that other threads write; no later access happens before this one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(builder, *arguments), "acquire", 8)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def write_in_order(_: Any, memory: Any, index: Any, number: Any) -> Any:
    """Write a number to memory that other threads read; no earlier access happens after this one."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, number = arguments
        builder.store_atomic(number, _pointer(builder, memory, index), "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def claim(_: Any, memory: Any, index: Any, expected: Any) -> Any:
    """Add 1 to a number in memory if it is the expected one, at once; return 1 if so, else 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, expected = arguments
        pointer, following = _pointer(builder, memory, index), builder.add(expected, WORD(1))
        found = builder.cmpxchg(pointer, expected, following, "acq_rel", "monotonic")
        return builder.zext(builder.extract_value(found, 1), WORD)

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def read_like(_: Any, sample: Any, memory: Any, index: Any) -> Any:
    """Return a tuple of numbers from memory, as long as the sample."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, memory, index = arguments
        places = (builder.add(index, WORD(step)) for step in range(sample.count))
        numbers = [builder.load(_pointer(builder, memory, place)) for place in places]
        return context.make_tuple(builder, signature.return_type, numbers)

    return sample(sample, types.int64, types.int64), generate


@intrinsic
def write_all(_: Any, memory: Any, index: Any, numbers: Any) -> Any:
    """Write the numbers of a tuple to memory."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, given = arguments
        for step in range(numbers.count):
            pointer = _pointer(builder, memory, builder.add(index, WORD(step)))
            builder.store(builder.extract_value(given, step), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, numbers), generate


@intrinsic
def prefetch(_: Any, memory: Any, index: Any) -> Any:
    """Start loading a number into the processor's cache."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(_pointer(builder, *arguments), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        builder.call(function, [address, number(0), number(3), number(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def poll(_: Any, _memory: Any) -> Any:
    """Do nothing: another thread checks the limits."""

    def generate(context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _of_integers(generate: Any, *kinds: Any) -> Any:
    """Return the signature of a function of whole numbers and its generator; None if an argument is not one."""
    if not all(isinstance(kind, (types.Boolean, types.Integer)) for kind in kinds):
        return None
    return types.int64(*(types.int64 for _ in kinds)), generate


def _raise_if(context: Any, builder: Any, wrong: Any, message: str) -> None:
    """Generate code that raises ValueError if a condition is true."""
    with builder.if_then(wrong, likely=False):
        context.call_conv.return_user_exc(builder, ValueError, (message,))


def _pointer(builder: Any, memory: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(memory, WORD.as_pointer()), [index])
