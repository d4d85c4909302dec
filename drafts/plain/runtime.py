"""What translated functions call: whole numbers of 64 bits that never wrap around, and sequences in one array.

The text of this file is compiled together with the translated functions of a game; it also runs interpreted. `m` is the
memory, an array of whole numbers; `m[0]` is where the free part begins. A tuple, list or set is the place of its header:

    m[h]      how many items it has
    m[h + 1]  how many fit
    m[h + 2]  where they begin

What Python would answer with an exception, or with a number that needs more than 64 bits, raises an exception here too.
Nothing is freed until the search goes back: then everything from there on is free again.
"""

LARGEST = 9223372036854775807
SMALL = 2147483647


def add(a, b):
    if (b > 0 and a > LARGEST - b) or (b < 0 and a < -LARGEST - b):
        raise OverflowError("a sum")
    return a + b


def subtract(a, b):
    if (b < 0 and a > LARGEST + b) or (b > 0 and a < -LARGEST + b):
        raise OverflowError("a difference")
    return a - b


def multiply(a, b):
    if a > SMALL or a < -SMALL or b > SMALL or b < -SMALL:
        raise OverflowError("a product")
    return a * b


def quotient(a, b):
    if b == 0:
        raise ZeroDivisionError("a quotient")
    return a // b


def remainder(a, b):
    if b == 0:
        raise ZeroDivisionError("a remainder")
    return a % b


def shift_left(a, b):
    if b < 0 or b > 62 or a < 0 or a > LARGEST >> b:
        raise OverflowError("a shift")
    return a << b


def shift_right(a, b):
    if b < 0:
        raise ValueError("a shift")
    if b > 62:
        b = 62 if a >= 0 else 63
        if a >= 0:
            return 0
    return a >> b


def new(m, fits):
    h = m[0]
    if h + 3 + fits >= m[1]:
        raise MemoryError("the memory is full")
    m[h] = 0
    m[h + 1] = fits
    m[h + 2] = h + 3
    m[0] = h + 3 + fits
    return h


def item(m, h, i):
    size = m[h]
    if i < 0:
        i += size
    if i < 0 or i >= size:
        raise IndexError("an index")
    return m[m[h + 2] + i]


def set_item(m, h, i, x):
    size = m[h]
    if i < 0:
        i += size
    if i < 0 or i >= size:
        raise IndexError("an index")
    m[m[h + 2] + i] = x


def append(m, h, x):
    size = m[h]
    if size == m[h + 1]:
        fits = 2 * size + 4
        start = m[0]
        if start + fits >= m[1]:
            raise MemoryError("the memory is full")
        m[0] = start + fits
        old = m[h + 2]
        for i in range(size):
            m[start + i] = m[old + i]
        m[h + 1] = fits
        m[h + 2] = start
    m[m[h + 2] + size] = x
    m[h] = size + 1


def pop(m, h, i):
    size = m[h]
    if i < 0:
        i += size
    if i < 0 or i >= size:
        raise IndexError("an index")
    start = m[h + 2]
    x = m[start + i]
    for j in range(i + 1, size):
        m[start + j - 1] = m[start + j]
    m[h] = size - 1
    return x


def extend(m, h, other):
    for i in range(m[other]):
        append(m, h, m[m[other + 2] + i])


def copied(m, h):
    size = m[h]
    c = new(m, size)
    m[c] = size
    old = m[h + 2]
    for i in range(size):
        m[c + 3 + i] = m[old + i]
    return c


def joined(m, a, b):
    first, second = m[a], m[b]
    c = new(m, first + second)
    m[c] = first + second
    old = m[a + 2]
    for i in range(first):
        m[c + 3 + i] = m[old + i]
    old = m[b + 2]
    for i in range(second):
        m[c + 3 + first + i] = m[old + i]
    return c


def repeated(m, h, times):
    size = m[h]
    if times < 0:
        times = 0
    if times > 1000000:
        raise MemoryError("the memory is full")
    c = new(m, size * times)
    m[c] = size * times
    old = m[h + 2]
    for k in range(times):
        for i in range(size):
            m[c + 3 + k * size + i] = m[old + i]
    return c


def within(place, size):
    """Return an end of a slice as a place from 0 to the size."""
    if place < 0:
        place += size
    return 0 if place < 0 else size if place > size else place


def cut(m, h, low, high):
    size = m[h]
    low, high = within(low, size), within(high, size)
    if high < low:
        high = low
    c = new(m, high - low)
    m[c] = high - low
    old = m[h + 2] + low
    for i in range(high - low):
        m[c + 3 + i] = m[old + i]
    return c


def set_cut(m, h, low, high, other):
    size = m[h]
    low, high = within(low, size), within(high, size)
    if high < low or m[other] != high - low:
        raise ValueError("a slice of another length")
    for i in range(high - low):
        m[m[h + 2] + low + i] = m[m[other + 2] + i]


def contains(m, h, x):
    start = m[h + 2]
    for i in range(m[h]):
        if m[start + i] == x:
            return 1
    return 0


def index_of(m, h, x):
    start = m[h + 2]
    for i in range(m[h]):
        if m[start + i] == x:
            return i
    raise ValueError("an item that is not there")


def count_of(m, h, x):
    found, start = 0, m[h + 2]
    for i in range(m[h]):
        if m[start + i] == x:
            found += 1
    return found


def add_to_set(m, h, x):
    if contains(m, h, x) == 0:
        append(m, h, x)


def equal(m, a, b):
    if m[a] != m[b]:
        return 0
    first, second = m[a + 2], m[b + 2]
    for i in range(m[a]):
        if m[first + i] != m[second + i]:
            return 0
    return 1


def contains_sequence(m, h, x):
    start = m[h + 2]
    for i in range(m[h]):
        if equal(m, m[start + i], x) != 0:
            return 1
    return 0


def total(m, h):
    found, start = 0, m[h + 2]
    for i in range(m[h]):
        found = add(found, m[start + i])
    return found


def lowest(m, h):
    found = item(m, h, 0)
    for i in range(1, m[h]):
        found = min(found, m[m[h + 2] + i])
    return found


def highest(m, h):
    found = item(m, h, 0)
    for i in range(1, m[h]):
        found = max(found, m[m[h + 2] + i])
    return found


def any_of(m, h):
    start = m[h + 2]
    for i in range(m[h]):
        if m[start + i] != 0:
            return 1
    return 0


def all_of(m, h):
    start = m[h + 2]
    for i in range(m[h]):
        if m[start + i] == 0:
            return 0
    return 1


def in_order(m, h):
    c = copied(m, h)
    start = m[c + 2]
    for i in range(1, m[c]):
        x, j = m[start + i], i
        while j > 0 and m[start + j - 1] > x:
            m[start + j] = m[start + j - 1]
            j -= 1
        m[start + j] = x
    return c


def expect_size(m, h, size):
    if m[h] != size:
        raise ValueError("another number of items")


def put(m, c, x, kind):
    """Add a number to the key that is being made, in the bits that numbers of this kind have.

    The kinds are in `c` from place 64 on, two words each: the lowest number, and how many bits.
    """
    low, bits = c[64 + 2 * kind], c[65 + 2 * kind]
    x -= low
    if x < 0 or x >> bits != 0:
        c[8] = kind
        raise KeyError("a number is larger than all those seen before")
    if c[6] + bits > 63:
        c[7] += 1
        c[6] = 0
        if c[7] >= c[9]:
            c[8] = -1
            raise KeyError("a key is longer than all those seen before")
        m[c[10] + c[7]] = 0
    m[c[10] + c[7]] |= x << c[6]
    c[6] += bits
