"""How numbers are laid out in the blocks of a table, the same from Python's lists as from arrays of numpy.

Numbers are stored in *planes*: how many bytes the largest number of the block takes, then the lowest byte of every
number, the next byte of every number and so on. High bytes are mostly zero, so the planes compress well.
"""

import hashlib
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

__all__ = [
    "BLOCK",
    "DIGEST_BYTES",
    "FILE_DIGEST_BYTES",
    "digest",
    "pack_codes",
    "pack_numbers",
    "pack_small",
    "unpack_codes",
    "unpack_numbers",
    "unpack_small",
    "value_bits",
]

BLOCK = 2048
"""How many positions a block holds; only the last of a file may hold fewer."""
DIGEST_BYTES, FILE_DIGEST_BYTES = 8, 16
WORD = 8
"""The bytes of an array's number."""


def digest(content: Any, size: int) -> bytes:
    """Return a digest of some bytes."""
    return hashlib.blake2b(content, digest_size=size).digest()


def value_bits(highest: int) -> int:
    """Return how many bits a utility takes if it is from -`highest` to `highest`: 2, 4, 8 or a multiple of 8.

    >>> value_bits(1), value_bits(7), value_bits(64), value_bits(300)
    (2, 4, 8, 16)
    """
    bits = (2 * highest).bit_length()
    return next((few for few in (2, 4) if bits <= few), -(-bits // 8) * 8)


def pack_numbers(numbers: Any) -> bytes:
    """Return numbers of 0 or more, in a sequence or an array of numpy, as planes."""
    if hasattr(numbers, "astype"):
        used = _bytes_for(int(numbers.max())) if len(numbers) else 0
        rows = numbers.astype("<u8").view("u1").reshape(-1, WORD)
        return used.to_bytes(2, "little") + bytes(rows[:, :used].T.tobytes())
    width = max(WORD, _bytes_for(max(numbers, default=0)))
    if width == WORD:
        return _planes(_little(array("Q", numbers)).tobytes(), WORD, len(numbers))
    return _planes(b"".join(number.to_bytes(width, "little") for number in numbers), width, len(numbers))


def _planes(content: bytes, width: int, count: int) -> bytes:
    """Return little-endian numbers, each of `width` bytes, as planes without those that are zero everywhere."""
    planes = [content[place::width] for place in range(width)]
    empty = bytes(count)
    while planes and planes[-1] == empty:
        planes.pop()
    return b"".join([len(planes).to_bytes(2, "little"), *planes])


def unpack_numbers(content: bytes, count: int) -> tuple[Sequence[int], int]:
    """Return `count` numbers from the planes that a text of bytes begins with, and how many bytes they take."""
    width = int.from_bytes(content[:2], "little")
    end = 2 + width * count
    if width == 1:
        return content[2:end], end
    step = max(width, WORD)
    buffer = bytearray(step * count)
    for plane in range(width):
        start = 2 + plane * count
        buffer[plane::step] = content[start : start + count]
    if step == WORD:
        words = array("Q")
        words.frombytes(buffer)
        return _little(words), end
    return [int.from_bytes(buffer[place : place + step], "little") for place in range(0, len(buffer), step)], end


def pack_codes(codes: Any) -> bytes:
    """Return codes in ascending order as the planes of the gaps between them; the first gap is 0."""
    if hasattr(codes, "astype"):
        gaps = codes.astype("<u8")
        gaps[1:] -= gaps[:-1].copy()
        gaps[0] = 0
        return pack_numbers(gaps)
    return pack_numbers([0, *(after - before for before, after in pairwise(codes))])


def unpack_codes(content: bytes, first: int, count: int, width: int) -> tuple[Sequence[int], int]:
    """Return the codes of a block, whose first code is given, and how many bytes of the content they take.

    No code of the file takes more than `width` bytes.
    """
    gaps, end = unpack_numbers(content, count)
    codes = accumulate(gaps[1:], initial=first)
    return array("Q", codes) if width <= WORD else list(codes), end


def pack_small(numbers: Any, bits: int) -> bytes:
    """Return numbers of `bits` bits, given one to a byte, packed: the first of each byte in its lowest bits.

    They are bytes, or an array of numpy of such numbers.
    """
    share = 8 // bits
    if hasattr(numbers, "astype"):
        packs = numbers[::share].copy()
        for place in range(1, share):
            later = numbers[place::share]
            packs[: len(later)] |= later << bits * place
        return bytes(packs.tobytes())
    numbers += bytes(-len(numbers) % share)
    packed = 0
    for place in range(share):
        packed |= int.from_bytes(numbers[place::share], "little") << bits * place
    return packed.to_bytes(len(numbers) // share, "little")


def unpack_small(packed: bytes, bits: int, count: int) -> bytes:
    """Return `count` numbers of `bits` bits, one to a byte.

    >>> list(unpack_small(pack_small(bytes([2, 0, 1, 1, 2]), 2), 2, 5))
    [2, 0, 1, 1, 2]
    """
    share = 8 // bits
    together, size = int.from_bytes(packed, "little"), len(packed)
    mask = int.from_bytes(bytes([(1 << bits) - 1]) * size, "little")
    numbers = bytearray(size * share)
    for place in range(share):
        numbers[place::share] = (together >> bits * place & mask).to_bytes(size, "little")
    return bytes(numbers[:count])


def _bytes_for(number: int) -> int:
    return -(-number.bit_length() // 8)


def _little(words: "array[int]") -> "array[int]":
    """Return an array in the order of bytes that files have; on nearly all machines, as it is."""
    if sys.byteorder == "big":
        words.byteswap()
    return words
