"""What translated functions call: arithmetic that never wraps around, and sequences in memory.

The text of this file is compiled together with the translated functions of a game; it also runs interpreted, on a list.
`m` is the memory, and `m[FREE]` is where its free part begins. A tuple, list or set is the place of its header:

    m[h]      how many items it has
    m[h + 1]  how many fit
    m[h + 2]  where they begin

What Python would answer with an exception, or with a number of more than 64 bits, raises an exception here too. Nothing
is freed until the search goes back: then everything from there on is free again.
"""

# ruff: noqa: D103 - each function is the operation of Python that its name says
# mypy: disable-error-code="no-any-return"

from noughts.bits import Memory, read, shift_left, shift_right, write
from noughts.plain.layout import END, FREE, KEY, WIDEN

__all__ = [
    "LARGEST",
    "add",
    "add_to_set",
    "all_of",
    "any_of",
    "append",
    "as_set",
    "backwards",
    "contains",
    "contains_sequence",
    "copied",
    "copy_to",
    "count_of",
    "cut",
    "discard",
    "equal",
    "expect_size",
    "extend",
    "highest",
    "in_order",
    "index_of",
    "insert",
    "item",
    "joined",
    "joined_cuts",
    "joined_three",
    "left",
    "lowest",
    "multiply",
    "new",
    "numbers",
    "place_in",
    "pop",
    "put",
    "quotient",
    "remainder",
    "remove",
    "repeated",
    "right",
    "set_cut",
    "sort",
    "subtract",
    "total",
    "within",
]

LARGEST = 9223372036854775807
SMALL = 2147483647


def add(a: int, b: int) -> int:
    if (b > 0 and a > LARGEST - b) or (b < 0 and a < -LARGEST - b):
        raise OverflowError("a sum of more than 64 bits")
    return a + b


def subtract(a: int, b: int) -> int:
    if (b < 0 and a > LARGEST + b) or (b > 0 and a < -LARGEST + b):
        raise OverflowError("a difference of more than 64 bits")
    return a - b


def multiply(a: int, b: int) -> int:
    if a > SMALL or a < -SMALL or b > SMALL or b < -SMALL:
        raise OverflowError("a product of more than 64 bits")
    return a * b


def quotient(a: int, b: int) -> int:
    if b == 0 or a < -LARGEST:  # a processor cannot divide the lowest number by -1
        raise ZeroDivisionError("a division by zero, or of the lowest number")
    return a // b


def remainder(a: int, b: int) -> int:
    if b == 0 or a < -LARGEST:
        raise ZeroDivisionError("a division by zero, or of the lowest number")
    return a % b


def left(a: int, b: int) -> int:
    if b < 0 or b > 62 or a < 0 or a > shift_right(LARGEST, b):
        raise OverflowError("a shift beyond 63 bits")
    return shift_left(a, b)


def right(a: int, b: int) -> int:
    if b < 0:
        raise ValueError("a negative shift")
    return shift_right(a, b)


def new(m: Memory, fits: int) -> int:
    h = read(m, FREE)
    if fits < 0 or fits > 1048576 or h + 3 + fits >= read(m, END):
        raise MemoryError("too many items")
    write(m, h, 0)
    write(m, h + 1, fits)
    write(m, h + 2, h + 3)
    write(m, FREE, h + 3 + fits)
    return h


def place_in(m: Memory, h: int, i: int) -> int:
    size = read(m, h)
    if i < 0:
        i += size
    if i < 0 or i >= size:
        raise IndexError("an index out of range")
    return read(m, h + 2) + i


def item(m: Memory, h: int, i: int) -> int:
    return read(m, place_in(m, h, i))


def append(m: Memory, h: int, x: int) -> int:
    size = read(m, h)
    if size == read(m, h + 1):
        fits = 2 * size + 8
        start = read(m, FREE)
        if start + fits >= read(m, END):
            raise MemoryError("too many items")
        write(m, FREE, start + fits)
        old = read(m, h + 2)
        for i in range(size):
            write(m, start + i, read(m, old + i))
        write(m, h + 1, fits)
        write(m, h + 2, start)
    write(m, read(m, h + 2) + size, x)
    write(m, h, size + 1)
    return 0


def insert(m: Memory, h: int, i: int, x: int) -> int:
    size = read(m, h)
    place = within(i, size)
    append(m, h, x)
    start = read(m, h + 2)
    for j in range(size - place):
        write(m, start + size - j, read(m, start + size - j - 1))
    write(m, start + place, x)
    return 0


def pop(m: Memory, h: int, i: int) -> int:
    place = place_in(m, h, i)
    x = read(m, place)
    size = read(m, h)
    end = read(m, h + 2) + size
    for j in range(place + 1, end):
        write(m, j - 1, read(m, j))
    write(m, h, size - 1)
    return x


def remove(m: Memory, h: int, x: int) -> int:
    pop(m, h, index_of(m, h, x))
    return 0


def extend(m: Memory, h: int, other: int) -> int:
    for i in range(read(m, other)):
        append(m, h, read(m, read(m, other + 2) + i))
    return 0


def copied(m: Memory, h: int) -> int:
    return cut(m, h, 0, read(m, h), 1)


def joined(m: Memory, a: int, b: int) -> int:
    first, second = read(m, a), read(m, b)
    c = new(m, first + second)
    write(m, c, first + second)
    old = read(m, a + 2)
    for i in range(first):
        write(m, c + 3 + i, read(m, old + i))
    old = read(m, b + 2)
    for i in range(second):
        write(m, c + 3 + first + i, read(m, old + i))
    return c


def joined_cuts(m: Memory, a: int, a_low: int, a_high: int, b: int, b_low: int, b_high: int) -> int:
    """Return `a[a_low:a_high] + b[b_low:b_high]`."""
    a_low, b_low = within(a_low, read(m, a)), within(b_low, read(m, b))
    a_size, b_size = within(a_high, read(m, a)) - a_low, within(b_high, read(m, b)) - b_low
    a_size, b_size = max(a_size, 0), max(b_size, 0)
    c = new(m, a_size + b_size)
    write(m, c, a_size + b_size)
    place = copy_to(m, c + 3, read(m, a + 2) + a_low, a_size)
    copy_to(m, place, read(m, b + 2) + b_low, b_size)
    return c


def joined_three(
    m: Memory, a: int, a_low: int, a_high: int, b: int, b_low: int, b_high: int, c: int, c_low: int, c_high: int
) -> int:
    """Return `a[a_low:a_high] + b[b_low:b_high] + c[c_low:c_high]`, such as a tuple with another item in one place."""
    a_low, b_low, c_low = within(a_low, read(m, a)), within(b_low, read(m, b)), within(c_low, read(m, c))
    a_size = max(within(a_high, read(m, a)) - a_low, 0)
    b_size = max(within(b_high, read(m, b)) - b_low, 0)
    c_size = max(within(c_high, read(m, c)) - c_low, 0)
    size = a_size + b_size + c_size
    d = new(m, size)
    write(m, d, size)
    place = copy_to(m, d + 3, read(m, a + 2) + a_low, a_size)
    place = copy_to(m, place, read(m, b + 2) + b_low, b_size)
    copy_to(m, place, read(m, c + 2) + c_low, c_size)
    return d


def copy_to(m: Memory, place: int, start: int, size: int) -> int:
    """Copy items to a place in memory; return where they end."""
    for i in range(size):
        write(m, place + i, read(m, start + i))
    return place + size


def repeated(m: Memory, h: int, times: int) -> int:
    size = read(m, h)
    if times < 0:
        times = 0
    if times > 1048576:
        raise MemoryError("too many items")
    c = new(m, size * times)
    write(m, c, size * times)
    old = read(m, h + 2)
    for k in range(times):
        for i in range(size):
            write(m, c + 3 + k * size + i, read(m, old + i))
    return c


def within(place: int, size: int) -> int:
    if place < 0:
        place += size
    return 0 if place < 0 else size if place > size else place


def cut(m: Memory, h: int, low: int, high: int, step: int) -> int:
    size = read(m, h)
    low, high = within(low, size), within(high, size)
    if step < 1:
        raise ValueError("a step that is not above 0")
    number = (high - low + step - 1) // step if high > low else 0
    c = new(m, number)
    write(m, c, number)
    old = read(m, h + 2) + low
    for i in range(number):
        write(m, c + 3 + i, read(m, old + i * step))
    return c


def backwards(m: Memory, h: int) -> int:
    size = read(m, h)
    c = new(m, size)
    write(m, c, size)
    old = read(m, h + 2)
    for i in range(size):
        write(m, c + 3 + i, read(m, old + size - 1 - i))
    return c


def set_cut(m: Memory, h: int, low: int, high: int, other: int) -> int:
    size = read(m, h)
    low, high = within(low, size), within(high, size)
    if high < low or read(m, other) != high - low:
        raise ValueError("a slice of another length")
    for i in range(high - low):
        write(m, read(m, h + 2) + low + i, read(m, read(m, other + 2) + i))
    return 0


def contains(m: Memory, h: int, x: int) -> int:
    start = read(m, h + 2)
    for i in range(read(m, h)):
        if read(m, start + i) == x:
            return 1
    return 0


def index_of(m: Memory, h: int, x: int) -> int:
    start = read(m, h + 2)
    for i in range(read(m, h)):
        if read(m, start + i) == x:
            return i
    raise ValueError("an item that is not there")


def count_of(m: Memory, h: int, x: int) -> int:
    found, start = 0, read(m, h + 2)
    for i in range(read(m, h)):
        if read(m, start + i) == x:
            found += 1
    return found


def add_to_set(m: Memory, h: int, x: int) -> int:
    if contains(m, h, x) == 0:
        append(m, h, x)
    return 0


def discard(m: Memory, h: int, x: int) -> int:
    if contains(m, h, x) != 0:
        remove(m, h, x)
    return 0


def as_set(m: Memory, h: int) -> int:
    c = new(m, read(m, h))
    for i in range(read(m, h)):
        add_to_set(m, c, read(m, read(m, h + 2) + i))
    return c


def equal(m: Memory, a: int, b: int) -> int:
    if read(m, a) != read(m, b):
        return 0
    first, second = read(m, a + 2), read(m, b + 2)
    for i in range(read(m, a)):
        if read(m, first + i) != read(m, second + i):
            return 0
    return 1


def contains_sequence(m: Memory, h: int, x: int) -> int:
    start = read(m, h + 2)
    for i in range(read(m, h)):
        if equal(m, read(m, start + i), x) != 0:
            return 1
    return 0


def total(m: Memory, h: int) -> int:
    found, start = 0, read(m, h + 2)
    for i in range(read(m, h)):
        found = add(found, read(m, start + i))
    return found


def lowest(m: Memory, h: int) -> int:
    found = item(m, h, 0)
    for i in range(1, read(m, h)):
        found = min(found, read(m, read(m, h + 2) + i))
    return found


def highest(m: Memory, h: int) -> int:
    found = item(m, h, 0)
    for i in range(1, read(m, h)):
        found = max(found, read(m, read(m, h + 2) + i))
    return found


def any_of(m: Memory, h: int) -> int:
    start = read(m, h + 2)
    for i in range(read(m, h)):
        if read(m, start + i) != 0:
            return 1
    return 0


def all_of(m: Memory, h: int) -> int:
    start = read(m, h + 2)
    for i in range(read(m, h)):
        if read(m, start + i) == 0:
            return 0
    return 1


def sort(m: Memory, h: int) -> int:
    start = read(m, h + 2)
    for i in range(1, read(m, h)):
        x, j = read(m, start + i), i
        while j > 0 and read(m, start + j - 1) > x:
            write(m, start + j, read(m, start + j - 1))
            j -= 1
        write(m, start + j, x)
    return 0


def in_order(m: Memory, h: int) -> int:
    c = copied(m, h)
    sort(m, c)
    return c


def numbers(m: Memory, low: int, high: int, step: int) -> int:
    if step == 0:
        raise ValueError("a step of 0")
    c = new(m, 8)
    for i in range(low, high, step):
        append(m, c, i)
    return c


def expect_size(m: Memory, h: int, size: int) -> int:
    if read(m, h) != size:
        raise ValueError("another number of items")
    return 0


def put(m: Memory, slot: int, x: int, found: int) -> int:
    """Return a word of the key that is being made with one more number in it, of the slot that numbers like it have.

    A slot has four words: the lowest number, a mask of its bits, whether a new word of the key begins here, and by what
    to multiply, which shifts the number to its place. A word that is complete is written to memory.
    """
    x -= read(m, slot)
    if x & ~read(m, slot + 1):
        write(m, WIDEN, slot)
        raise KeyError("a number beyond all those seen before")
    if read(m, slot + 2):
        place = read(m, KEY)
        write(m, place, found)
        write(m, KEY, place + 1)
        found = 0
    return found | (x * read(m, slot + 3))
