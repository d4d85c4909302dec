"""The icon of the page as PNG files, which some systems want of a page that is installed."""

import struct
from zlib import compress, crc32

__all__ = ["SIZES", "icon"]

SIZES = (192, 512)
"""Pixels across."""

BLUE, WHITE = (11, 92, 173), (255, 255, 255)
INNER, OUTER = 5.5 / 32, 10.5 / 32
"""The radii of the ring, as parts of the width, as in the page's icon."""
FINE = 3
"""Each pixel is the mean of as many points across and down."""


def icon(size: int) -> bytes:
    """Return a PNG file: a white ring on a blue square, which systems cut to the shape they like."""
    half = size // 2
    # The picture is symmetric: a quarter of it is worked out.
    quarter = [[_pixel(column, row, size) for column in range(half)] for row in range(half)]
    rows = [[*row, *reversed(row)] for row in quarter]
    rows += reversed(rows)
    body = b"".join(b"\0" + b"".join(row) for row in rows)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)  # 8 bits, in colour
    parts = (b"IHDR", header), (b"IDAT", compress(body, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _pixel(column: int, row: int, size: int) -> bytes:
    points = [(index + 0.5) / FINE for index in range(FINE)]
    inside = 0
    for down in points:
        for across in points:
            distance = ((column + across) / size - 0.5) ** 2 + ((row + down) / size - 0.5) ** 2
            inside += INNER**2 <= distance <= OUTER**2
    part = inside / FINE**2
    return bytes(round(blue + (white - blue) * part) for blue, white in zip(BLUE, WHITE, strict=True))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))
