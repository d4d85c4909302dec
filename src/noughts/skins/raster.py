"""Pictures as PNG, for programs that preview links but cannot read SVG: filled shapes and lines, without any text.

A picture is a grid of pixels, three bytes each. A shape is filled line by line; each line of pixels is sampled at
several heights, and where an edge crosses a pixel, the pixel takes the share of the colour that the shape covers.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin

from noughts.skins import Shape

__all__ = ["Canvas", "Point", "outlines", "stroked"]

Point = tuple[float, float]
Colour = tuple[int, int, int]

SAMPLES = 4
"""Heights at which each line of pixels is sampled."""
ARC = pi / 24
"""The angle between two points of a curve."""
CURVE = 16
"""The straight pieces of a Bezier curve."""
TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?")


def rgb(colour: str) -> Colour:
    """Return the parts of a colour.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class Canvas:
    """A picture to draw on."""

    def __init__(self, width: int, height: int, paper: str) -> None:
        self.width, self.height = width, height
        self._lines = [bytearray(bytes(rgb(paper)) * width) for _ in range(height)]

    def fill(self, outlines: Iterable[Sequence[Point]], colour: str, opacity: float = 1.0) -> None:
        """Fill what is inside the outlines by the non-zero rule."""
        edges = [
            (*upper, *lower, way)
            for outline in outlines
            for one, other in zip(outline, [*outline[1:], outline[0]], strict=True)
            if one[1] != other[1]
            for upper, lower, way in [(one, other, 1) if one[1] < other[1] else (other, one, -1)]
        ]
        if not edges:
            return
        top = max(0, int(min(edge[1] for edge in edges)))
        bottom = min(self.height, ceil(max(edge[3] for edge in edges)))
        parts = rgb(colour)
        for y in range(top, bottom):
            here = [edge for edge in edges if edge[1] < y + 1 and edge[3] > y]
            spans = [span for sample in range(SAMPLES) for span in _spans(here, y + (sample + 0.5) / SAMPLES)]
            self._blend(y, spans, parts, opacity)

    def _blend(self, y: int, spans: list[tuple[float, float]], colour: Colour, opacity: float) -> None:
        """Blend a colour into the pixels that the spans of all samples cover."""
        cover: dict[int, float] = {}
        solid: dict[tuple[int, int], int] = {}
        for left, right in spans:
            left, right = max(0.0, left), min(float(self.width), right)
            first, last = ceil(left), int(right)
            if left >= right:
                continue
            if first > last:  # within one pixel
                cover[last] = cover.get(last, 0.0) + right - left
                continue
            if first > left:
                cover[first - 1] = cover.get(first - 1, 0.0) + first - left
            if right > last:
                cover[last] = cover.get(last, 0.0) + right - last
            if last > first:
                solid[first, last] = solid.get((first, last), 0) + 1
        for (first, last), count in solid.items():
            if len(solid) == 1 and count == SAMPLES and opacity == 1.0:
                self._lines[y][3 * first : 3 * last] = bytes(colour) * (last - first)
            else:
                for x in range(first, last):
                    cover[x] = cover.get(x, 0.0) + count
        line = self._lines[y]
        for x, covered in cover.items():
            share = min(1.0, covered / SAMPLES) * opacity
            for part in range(3):
                at = 3 * x + part
                line[at] = round(line[at] + (colour[part] - line[at]) * share)

    def png(self) -> bytes:
        """Return the picture as a PNG file.

        >>> Canvas(1, 1, "#ffffff").png()[:8]
        b'\\x89PNG\\r\\n\\x1a\\n'
        """
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + line for line in self._lines), 9)
        chunks = (_chunk(b"IHDR", head), _chunk(b"IDAT", pixels), _chunk(b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _spans(edges: list[tuple[float, float, float, float, int]], y: float) -> list[tuple[float, float]]:
    """Return from where to where a height is inside the edges."""
    crossings = sorted((x1 + (y - y1) * (x2 - x1) / (y2 - y1), way) for x1, y1, x2, y2, way in edges if y1 <= y < y2)
    spans, winding, start = [], 0, 0.0
    for x, way in crossings:
        if winding == 0:
            start = x
        winding += way
        if winding == 0:
            spans.append((start, x))
    return spans


def outlines(shape: Shape) -> list[list[Point]]:
    """Return the points along a shape of a skin, for each of its parts.

    >>> outlines(("path", {"d": "M0 0H10V5"}))
    [[(0.0, 0.0), (10.0, 0.0), (10.0, 5.0)]]
    """
    tag, attributes = shape
    if tag == "circle":
        centre, radius = (attributes["cx"], attributes["cy"]), attributes["r"]
        return [_round(centre, radius, 0.0, 2 * pi)]
    return _path(attributes["d"])


def _round(centre: Point, radius: float, start: float, turn: float) -> list[Point]:
    steps = max(2, ceil(abs(turn) / ARC))
    angles = (start + turn * step / steps for step in range(steps + 1))
    return [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles]


def _path(d: str) -> list[list[Point]]:
    """Return the points along a path of absolute M, L, H, V, C, A and Z."""
    parts: list[list[Point]] = []
    tokens = TOKEN.findall(d)
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        take = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}[command]
        numbers = [float(tokens.pop(0)) for _ in range(take)]
        if command == "M":
            parts.append([(numbers[0], numbers[1])])
            command = "L"
            continue
        here = parts[-1][-1]
        if command == "Z":
            parts[-1].append(parts[-1][0])
        elif command == "H":
            parts[-1].append((numbers[0], here[1]))
        elif command == "V":
            parts[-1].append((here[0], numbers[0]))
        elif command == "L":
            parts[-1].append((numbers[0], numbers[1]))
        elif command == "C":
            parts[-1] += _bezier([here, *zip(numbers[::2], numbers[1::2], strict=True)])
        else:
            parts[-1] += _arc(here, numbers)
    return parts


def _bezier(points: Sequence[Point]) -> list[Point]:
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    found = []
    for step in range(1, CURVE + 1):
        t = step / CURVE
        a, b, c, e = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append((a * x0 + b * x1 + c * x2 + e * x3, a * y0 + b * y1 + c * y2 + e * y3))
    return found


def _arc(start: Point, numbers: list[float]) -> list[Point]:
    """Return the points of the smaller arc of a circle, clockwise as the skins draw it."""
    radius, end = numbers[0], (numbers[5], numbers[6])
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    half = hypot(end[0] - start[0], end[1] - start[1]) / 2
    away = max(0.0, radius**2 - half**2) ** 0.5
    across = ((start[1] - end[1]) / (2 * half), (end[0] - start[0]) / (2 * half))
    centre = (middle[0] + across[0] * away, middle[1] + across[1] * away)
    first = atan2(start[1] - centre[1], start[0] - centre[0])
    last = atan2(end[1] - centre[1], end[0] - centre[0])
    return _round(centre, radius, first, (last - first) % (2 * pi))[1:]


def stroked(points: Sequence[Point], width: float) -> list[list[Point]]:
    """Return the outlines of a line with round ends: a rectangle for each piece and a disc at each point."""
    radius = width / 2
    found = [_round(point, radius, 0.0, 2 * pi) for point in points]
    for (x1, y1), (x2, y2) in pairwise(points):
        length = hypot(x2 - x1, y2 - y1)
        if length:
            dx, dy = (y1 - y2) / length * radius, (x2 - x1) / length * radius
            found.append([(x1 - dx, y1 - dy), (x2 - dx, y2 - dy), (x2 + dx, y2 + dy), (x1 + dx, y1 + dy)])
    return found
