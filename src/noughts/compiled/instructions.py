"""The functions of `noughts.bits` as machine instructions, for code that numba compiles.

Each tells numba its types and how to generate its code; numba hands over the types of the arguments, wanted or not.
"""
# ruff: noqa: ARG001

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from noughts.bits import SPREAD

__all__ = [
    "count",
    "invert",
    "place",
    "prefetch",
    "read",
    "read_like",
    "shift_left",
    "shift_right",
    "spread",
    "write",
    "write_all",
]

WORD = ir.IntType(64)


@intrinsic
def count(_: Any, bits: Any) -> Any:
    """Return how many bits are set, of a number that is not negative."""

    return _on_words(lambda _context, builder, _signature, arguments: builder.ctpop(arguments[0]), bits)


@intrinsic
def place(_: Any, bit: Any) -> Any:
    """Return the place of the lowest bit, of a number that is not 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return _on_words(generate, bit)


@intrinsic
def shift_left(_: Any, number: Any, places: Any) -> Any:
    """Return the lowest 64 bits of a number shifted to the left; raise ValueError for a negative number of places.

    The machine takes the number of places modulo 64, and LLVM anything it likes.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number, places = arguments
        _refuse(context, builder, builder.icmp_signed("<", places, WORD(0)), "negative shift count")
        within = builder.icmp_unsigned("<", places, WORD(64))
        return builder.select(within, builder.shl(number, places), WORD(0))

    return _on_words(generate, number, places)


@intrinsic
def shift_right(_: Any, number: Any, places: Any) -> Any:
    """Return a number shifted to the right; raise ValueError for a negative number of places."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number, places = arguments
        _refuse(context, builder, builder.icmp_signed("<", places, WORD(0)), "negative shift count")
        within = builder.icmp_unsigned("<", places, WORD(64))
        return builder.ashr(number, builder.select(within, places, WORD(63)))

    return _on_words(generate, number, places)


@intrinsic
def invert(_: Any, number: Any) -> Any:
    """Return a number with all its bits turned round; a truth value is the number 0 or 1."""
    return _on_words(lambda _context, builder, _signature, arguments: builder.not_(arguments[0]), number)


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
    """Put a number into memory."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, number = arguments
        builder.store(number, _pointer(builder, memory, index))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def read_like(_: Any, sample: Any, memory: Any, index: Any) -> Any:
    """Return as many numbers from memory as a sample has, as a tuple."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, memory, index = arguments
        places = (builder.add(index, WORD(step)) for step in range(sample.count))
        numbers = [builder.load(_pointer(builder, memory, place)) for place in places]
        return context.make_tuple(builder, signature.return_type, numbers)

    return sample(sample, types.int64, types.int64), generate


@intrinsic
def write_all(_: Any, memory: Any, index: Any, numbers: Any) -> Any:
    """Put a tuple into memory."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        memory, index, given = arguments
        for step in range(numbers.count):
            pointer = _pointer(builder, memory, builder.add(index, WORD(step)))
            builder.store(builder.extract_value(given, step), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, numbers), generate


@intrinsic
def prefetch(_: Any, memory: Any, index: Any) -> Any:
    """Begin to load a number into the cache."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(_pointer(builder, *arguments), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        builder.call(function, [address, number(0), number(3), number(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def _on_words(generate: Any, *kinds: Any) -> Any:
    """Return the signature of a function of whole numbers, and what generates it; None, if some argument is not one."""
    if not all(isinstance(kind, (types.Boolean, types.Integer)) for kind in kinds):
        return None
    return types.int64(*(types.int64 for _ in kinds)), generate


def _refuse(context: Any, builder: Any, wrong: Any, message: str) -> None:
    """Have the compiled function raise ValueError if something is wrong."""
    with builder.if_then(wrong, likely=False):
        context.call_conv.return_user_exc(builder, ValueError, (message,))


def _pointer(builder: Any, memory: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(memory, WORD.as_pointer()), [index])
