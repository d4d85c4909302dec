"""The file of a book: exact scores by key, in blocks, each with a digest that is checked before it is believed.

    noughts book 1 DIGEST LENGTH\\n     what the next LENGTH bytes, the header and the index, must hash to
    {"game": "connect-four", ...}\\n     the header: one line of JSON, see `Header`
    index                              for each block: its lowest key, its size in bytes, its digest
    blocks                             rows of key, utility and distance in the order of their keys, compressed

docs/book.md is the whole specification.
"""

import hashlib
import json
import os
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import BadBook, shown
from noughts.game import Game
from noughts.serial import rules_digest, serial_key

__all__ = ["Book", "BookFile", "Header", "Row", "book_bytes", "is_shipped", "open_book", "read_book"]

MAGIC = re.compile(rb"noughts book 1 ([0-9a-f]{32}) ([0-9]{1,9})\n")
BLOCK = 256
"""How many rows a block holds; only the last may hold fewer."""
MOST_BLOCKS = 256
"""How many blocks are kept unpacked; then they are dropped."""
SIZE_BYTES, DIGEST_BYTES = 4, 8


class Row(NamedTuple):
    """One position: its key, the utility of best play for the player to move, and the plies to the end."""

    key: int
    utility: int
    distance: int
    """0 for a draw, whose distance does not count."""


class Header(NamedTuple):
    """What a book says about itself."""

    game: str
    """The notation of the game."""
    plies: int
    """Every unfinished position that can be reached in this many plies, or fewer, is in the book."""
    positions: int
    rules: str
    """The digest of the game's rules; the book is for no others."""
    widths: tuple[int, int, int]
    """How many bytes the key, the utility and the distance take in a row."""
    highest: int
    """Added to each utility, so that none is negative."""


class BookFile:
    """The content of a book's file; raises BadBook if it is not a book, or if a part that is needed is damaged."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        start = MAGIC.match(content)
        if start is None:
            raise BadBook(f"{shown(path, 60)} is not a book")
        self.size = len(content)
        first, length = start.end(), int(start[2])
        described = content[first : first + length]
        if len(described) != length or _digest(described, 16).hex() != start[1].decode():
            raise self._damaged("its header or index does not match the digest")
        line, _, index = described.partition(b"\n")
        facts = json.loads(line)
        self.header = Header(**{**facts, "widths": tuple(facts["widths"])})
        self._read_index(index, first + length, content)
        self._unpacked: dict[int, dict[bytes, bytes]] = {}

    def _read_index(self, index: bytes, place: int, content: bytes) -> None:
        """Set up where each block is; check that the blocks fill the rest of the file."""
        key_bytes = self.header.widths[0]
        self._lowest: list[bytes] = []
        self._blocks: list[tuple[bytes, bytes]] = []
        for entry in range(0, len(index), key_bytes + SIZE_BYTES + DIGEST_BYTES):
            size_at = entry + key_bytes
            digest_at = size_at + SIZE_BYTES
            size = int.from_bytes(index[size_at:digest_at], "big")
            self._lowest.append(index[entry:size_at])
            self._blocks.append((content[place : place + size], index[digest_at : digest_at + DIGEST_BYTES]))
            place += size
        if place != len(content):
            raise self._damaged(f"it has {len(content):,} bytes, and should have {place:,}")

    def _damaged(self, why: str) -> BadBook:
        return BadBook(f"the book {shown(self.path, 60)} is damaged and not used: {why}")

    def look_up(self, key: int) -> Row | None:
        """Return the row of a key, or None if the book does not have it; raise BadBook if its block is damaged."""
        key_bytes = self.header.widths[0]
        if key.bit_length() > 8 * key_bytes:
            return None
        wanted = key.to_bytes(key_bytes, "big")
        number = bisect_right(self._lowest, wanted) - 1
        if number < 0:
            return None
        found = self._block(number).get(wanted)
        return None if found is None else self._row(wanted, found)

    def rows(self) -> Iterator[Row]:
        """Yield every row in the order of the keys; raise BadBook if a block is damaged, or rows are missing."""
        before, count = -1, 0
        for number in range(len(self._blocks)):
            for key, rest in self._block(number).items():
                row = self._row(key, rest)
                if row.key <= before:
                    raise self._damaged("its keys are not in order")
                before, count = row.key, count + 1
                yield row
        if count != self.header.positions:
            raise self._damaged(f"it has {count:,} positions, and should have {self.header.positions:,}")

    def _row(self, key: bytes, rest: bytes) -> Row:
        middle = self.header.widths[1]
        utility = int.from_bytes(rest[:middle], "big") - self.header.highest
        return Row(int.from_bytes(key, "big"), utility, int.from_bytes(rest[middle:], "big"))

    def _block(self, number: int) -> dict[bytes, bytes]:
        """Return the rows of a block by key, once it is found to match its digest."""
        found = self._unpacked.get(number)
        if found is not None:
            return found
        packed, digest = self._blocks[number]
        if _digest(packed, DIGEST_BYTES) != digest:
            raise self._damaged(f"block {number} does not match its digest")
        columns = zlib.decompress(packed)
        key_bytes, width = self.header.widths[0], sum(self.header.widths)
        count = len(columns) // width
        rows = (bytes(columns[place::count]) for place in range(count))
        found = {row[:key_bytes]: row[key_bytes:] for row in rows}
        if len(self._unpacked) >= MOST_BLOCKS:
            self._unpacked.clear()
        self._unpacked[number] = found
        return found

    @property
    def bytes(self) -> int:
        """About how much memory the book takes now."""
        return self.size + len(self._unpacked) * BLOCK * 160


def read_book(path: str) -> BookFile:
    """Read the file of a book; raise BadBook if it cannot be read, or is not a book."""
    try:
        with open(path, "rb") as file:
            return BookFile(path, file.read())
    except (OSError, ValueError) as error:
        raise BadBook(f"cannot read {shown(path, 60)}: {getattr(error, 'strerror', None) or error}") from None


class Book:
    """The opening book of a game: the exact score of every position up to some ply, looked up in microseconds.

    Raises BadBook if the file is not a book, is damaged, or is for other rules. To compare the rules, some games are
    played, which takes a moment; a book that `is_trusted` is spared that. `check` is called on the way, and may raise
    an exception to stop.
    """

    def __init__(
        self, path: str, game: Game[Any, Any], *, is_trusted: bool = False, check: Callable[[], None] = lambda: None
    ) -> None:
        self.file = read_book(path)
        self.header = self.file.header
        self._game: ResolvedGame[Any, Any] = resolve(game)
        self._key = serial_key(self._game)
        self._plies, self._last = self._game.plies, self.header.plies
        if not is_trusted and rules_digest(self._game, check) != self.header.rules:
            raise BadBook(f"the book {shown(path, 60)} is not used: it is for other rules ({self.header.game})")

    def score(self, state: Any) -> int | None:
        """Return the score of a state on the game's scale, for the player to move; None if it is not in the book."""
        if self._plies is not None and self._plies(state) > self._last:
            return None
        row = self.file.look_up(self._key(state))
        return None if row is None else self._game.scale.score(row.utility, row.distance)


def is_shipped(path: str) -> bool:
    """Return whether a book comes with noughts."""
    return os.path.dirname(path) == os.path.join(os.path.dirname(os.path.dirname(__file__)), "games", "books")


def open_book(path: str, game: Game[Any, Any]) -> Book:
    """Open the book of a game; raise BadBook if it is not one, or damaged, or for other rules."""
    return Book(path, game)


def book_bytes(game: str, plies: int, rules: str, rows: Iterable[Row]) -> bytes:
    """Return the file of a book as bytes: always the same for the same rows."""
    ordered = sorted(rows)
    highest = max((abs(row.utility) for row in ordered), default=0)
    widths = (
        _bytes_for(max((row.key for row in ordered), default=0)),
        _bytes_for(2 * highest),
        _bytes_for(max((row.distance for row in ordered), default=0)),
    )
    header = Header(game, plies, len(ordered), rules, widths, highest)
    index, blocks = [], []
    for start in range(0, len(ordered), BLOCK):
        part = [
            b"".join(map(_fixed, (row.key, row.utility + highest, row.distance), widths))
            for row in ordered[start : start + BLOCK]
        ]
        packed = zlib.compress(b"".join(map(bytes, zip(*part, strict=True))), 9)
        index += [part[0][: widths[0]], _fixed(len(packed), SIZE_BYTES), _digest(packed, DIGEST_BYTES)]
        blocks.append(packed)
    described = json.dumps(header._asdict()).encode() + b"\n" + b"".join(index)
    start_line = f"noughts book 1 {_digest(described, 16).hex()} {len(described)}\n".encode()
    return b"".join([start_line, described, *blocks])


def _bytes_for(number: int) -> int:
    return max(1, -(-number.bit_length() // 8))


def _fixed(number: int, width: int) -> bytes:
    return number.to_bytes(width, "big")


def _digest(content: bytes, size: int) -> bytes:
    return hashlib.blake2b(content, digest_size=size).digest()
