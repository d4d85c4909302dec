"""Functions of bits and memory for rules and kernels.

The interpreter runs them as they are. In a compiled kernel each becomes a machine instruction or two, and memory is an
address.
"""

from typing import Any

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

SPREAD = 0x9E3779B97F4A7C15
"""An odd number of 64 well-mixed bits: 2**64 divided by the golden ratio."""

Memory = Any
"""A list of numbers; in a kernel, the address of an array of them."""


def count(bits: int) -> int:
    """Return how many bits are set; raise ValueError for a negative number.

    >>> count(0b1011)
    3
    """
    if bits < 0:
        raise ValueError("count of a negative number")
    return bits.bit_count()


def place(bit: int) -> int:
    """Return the place of the lowest bit that is set; raise ValueError for 0.

    >>> place(0b1000), place(0b0110)
    (3, 1)
    """
    if not bit:
        raise ValueError("place of the lowest bit of 0")
    return (bit & -bit).bit_length() - 1


def shift_left(number: int, places: int) -> int:
    """Return `number << places`, for any number of places; compiled, the lowest 64 bits of that."""
    return number << places


def shift_right(number: int, places: int) -> int:
    """Return `number >> places`, for any number of places."""
    return number >> places


def invert(number: int) -> int:
    """Return `~number`; a truth value counts as 0 or 1."""
    return ~number


def word(number: int) -> int:
    """Return the lowest 64 bits of a number, as one from -2**63 to 2**63 - 1: what a compiled number is anyway.

    >>> word(1 << 63), word((1 << 64) + 5)
    (-9223372036854775808, 5)
    """
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def spread(key: int) -> int:
    """Return 32 bits that depend on all bits of a key, so that similar keys are spread over the table."""
    return key * SPREAD >> 32 & 0xFFFFFFFF


def read(memory: Memory, index: int) -> Any:
    """Return a number from memory."""
    return memory[index]


def write(memory: Memory, index: int, number: int) -> None:
    """Write a number to memory."""
    memory[index] = number


def read_in_order(memory: Memory, index: int) -> Any:
    """Return a number from memory that other threads write; no later access happens before this one."""
    return memory[index]


def write_in_order(memory: Memory, index: int, number: int) -> None:
    """Write a number to memory that other threads read; no earlier access happens after this one."""
    memory[index] = number


def claim(memory: Memory, index: int, expected: int) -> int:
    """Add 1 to a number in memory if it is the expected one, at once; return 1 if so, 0 if another thread was first."""
    if memory[index] != expected:
        return 0
    memory[index] = expected + 1
    return 1


def read_like(sample: tuple[int, ...], memory: Memory, index: int) -> Any:
    """Return a tuple of numbers from memory, as long as the sample."""
    return tuple(memory[index : index + len(sample)])


def write_all(memory: Memory, index: int, numbers: tuple[int, ...]) -> None:
    """Write the numbers of a tuple to memory."""
    memory[index : index + len(numbers)] = numbers


def prefetch(memory: Memory, index: int) -> None:
    """Start loading a number into the processor's cache; interpreted, do nothing."""


def poll(memory: Memory) -> None:
    """Let interpreted memory check the limits of the search that uses it; compiled, do nothing: another thread does."""
    memory.poll()
