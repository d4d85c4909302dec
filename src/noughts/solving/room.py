"""How much memory a solve takes, and how large its parts may be so that it keeps to a ceiling.

The size of parts follows from the ceiling and from the game alone. So whoever solves the same game under the same
ceiling writes the same files; the number of workers is what gives way.
"""

from typing import NamedTuple

from noughts.errors import NoughtsError

__all__ = ["Room", "memory_of", "read_size", "room_for"]

MIB = 1 << 20

MOST_PARTS = 32
"""How many parts a tier is divided into, about, before its parts become larger."""

DRIVER, DRIVER_AND_WORKER = 70 * MIB, 240 * MIB
"""What the process that drives the others takes, and what one takes that does the tasks, too."""

WORKER = {"native": 190 * MIB, "interpreted": 60 * MIB}
"""What a worker takes before it has read anything, by method."""

POSITION = {"native": 260, "interpreted": 6_000}
"""What a position of a part takes while it is expanded or valued, in bytes."""

PART = {"native": 1 << 18, "interpreted": 1 << 12}
"""The most positions of a part, about: a task of some tenths of a second."""

LARGEST = {"native": 1 << 21, "interpreted": 1 << 14}
"""The most positions of a part of a very large tier, about: else there are too many parts to look children up in."""


class Room(NamedTuple):
    """How a solve uses memory."""

    part: int
    """The most positions of a part, about."""
    largest: int
    """The same, of a large tier."""
    workers: int
    """How many workers there may be at once."""


def room_for(method: str, memory: int | None, workers: int) -> Room:
    """Return how to use so much memory, in bytes, with at most so many workers; raise NoughtsError if it is too little.

    >>> room_for("native", None, 2)
    Room(part=262144, largest=2097152, workers=2)
    >>> room_for("native", 600 << 20, 8)
    Room(part=262144, largest=262144, workers=2)
    >>> room_for("native", 100 << 20, 2)
    Traceback (most recent call last):
    noughts.errors.NoughtsError: 100 MiB of memory are too little: this game takes 262 MiB at least
    """
    if memory is None:
        return Room(PART[method], LARGEST[method], workers)
    base, each = WORKER[method], POSITION[method]
    least = DRIVER + base + each * (PART[method] >> 6)
    if memory < least:
        raise NoughtsError(
            f"{memory // MIB:,} MiB of memory are too little: this game takes {-(-least // MIB):,} MiB at least"
        )
    largest = LARGEST[method]
    while largest > PART[method] >> 6 and DRIVER + 2 * (base + each * largest) > memory:
        largest //= 2
    while DRIVER + base + each * largest > memory:
        largest //= 2
    fitting = (memory - DRIVER) // (base + each * largest)
    return Room(min(PART[method], largest), largest, max(1, min(workers, fitting)))


def memory_of(method: str, room: Room, widest: int) -> int:
    """Return about how many bytes all processes take together, if the largest tier has so many positions.

    >>> memory_of("native", room_for("native", None, 2), 10_000) // MIB
    454
    """
    part = min(widest, max(room.part, min(room.largest, widest // MOST_PARTS)))
    return DRIVER + room.workers * (WORKER[method] + POSITION[method] * part)


UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def read_size(text: str) -> int:
    """Return a size in bytes, written as `2G` or `500M`.

    >>> read_size("2G"), read_size("1.5 GiB"), read_size("500mb")
    (2147483648, 1610612736, 524288000)
    """
    number = text.strip().lower().removesuffix("b").removesuffix("i").strip()
    unit = UNITS.get(number[-1:], 0)
    try:
        size = float(number[:-1] if unit else number) * (unit or 1)
    except ValueError:
        size = 0
    if not 0 < size < 1 << 60:
        raise NoughtsError("--memory must be a size such as 2G or 500M")
    return int(size)
