"""Skins are whole and readable, and pictures of positions show the position."""

import re
import struct
import zlib
from xml.etree import ElementTree

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.notation import read_position
from noughts.skins import Skin, skin_of, skins
from noughts.skins.geometry import cells_of
from noughts.skins.picture import picture
from noughts.skins.preview import SIZE, preview
from noughts.skins.raster import Canvas

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = [example for entry in GAMES.values() for example in entry.examples]
LAYOUTS = {"lines", "squares", "frame", "crossings", "layers", "heaps"}


@pytest.mark.parametrize("skin", skins().values(), ids=skins())
def test_a_skin_names_only_what_it_has(skin: Skin) -> None:
    assert skin.layout in LAYOUTS
    assert skin.motion in {"draw", "fall", "turn", "appear"}
    assert {"board", "line"} <= set(skin.colours)
    assert set(skin.tints.values()) <= set(skin.colours)
    for light, dark in skin.colours.values():
        assert re.fullmatch(r"#[0-9a-f]{6}", light)
        assert re.fullmatch(r"#[0-9a-f]{6}", dark)
    for shapes in skin.marks.values():
        for tag, attributes in shapes:
            assert tag in {"path", "circle"}
            assert {attributes[kind] for kind in ("fill", "stroke") if kind in attributes} <= set(skin.colours)
    assert set(skin.games) <= set(GAMES)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("skin", skins().values(), ids=skins())
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_tints_can_be_read_as_lines_on_the_page(skin: Skin, scheme: int) -> None:
    card = ("#fffdf8", "#212327")[scheme]
    for tint in skin.tints.values():
        one, other = sorted(luminance(colour) for colour in (card, skin.colours[tint][scheme]))
        assert (other + 0.05) / (one + 0.05) >= 4.5, tint


@pytest.mark.parametrize("skin", skins().values(), ids=skins())
def test_the_marks_of_players_differ_in_shape(skin: Skin) -> None:
    colours = ("fill", "stroke")
    forms = [
        [(tag, [each for each in attributes.items() if each[0] not in colours]) for tag, attributes in shapes]
        for shapes in skin.marks.values()
    ]
    assert all(forms.count(form) == 1 for form in forms)


@pytest.mark.parametrize("notation", [each for each in EXAMPLES if not each.startswith("numbers")])
def test_every_game_has_a_picture_of_every_mark(notation: str) -> None:
    """But trees of numbers, which have no board."""
    game = resolve(noughts.load(notation))
    state = game.initial()
    for _ in range(2):
        state = game.result(state, game.legal_actions(state)[0])
    tree = ElementTree.fromstring(picture(game, notation, state))
    skin = skin_of(notation, max(map(len, game.board(state)), default=0) if game.board else 0)
    board = cells_of(game, state, skin.layout)
    assert board is not None
    marks = sum(bool(cell.mark) for row in board for cell in row)
    drawn = [each for each in tree.iter(f"{SVG}g") if (each.get("class") or "").startswith("mark")]
    assert len(drawn) == marks > 0
    assert tree.find(f"{SVG}title") is not None
    assert int(tree.get("width", "0")) <= 480 >= int(tree.get("height", "0"))


def test_a_finished_game_has_the_rest_dimmed() -> None:
    game = resolve(noughts.load("tic-tac-toe"))
    won = read_position(game, "1 4 2 5 3")
    assert picture(game, "tic-tac-toe", won.state).count('class="mark faded"') == 2


def test_a_game_without_a_board_is_drawn_as_text() -> None:
    game = resolve(noughts.load("examples/three_mens_morris.py"))
    said = picture(game, "./three_mens_morris.py", noughts.replay(game, "2 1"))
    assert 'xml:space="preserve"' in said or "white-space: pre" in said


def test_heaps_keep_the_places_of_the_matches_that_are_gone() -> None:
    game = resolve(noughts.load("nim:3,4"))
    board = cells_of(game, noughts.replay(game, "a2"), "heaps")
    assert [[cell.mark for cell in row] for row in board or ()] == [["match", "", ""], ["match"] * 4]


def pixels(png: bytes) -> list[bytes]:
    """Return the lines of pixels of a PNG file as `preview` writes it."""
    at, data, size = 8, b"", (0, 0)
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        chunk = png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0]
        size = struct.unpack(">II", chunk[:8]) if kind == b"IHDR" else size
        data += chunk if kind == b"IDAT" else b""
        at += 12 + length
    lines = zlib.decompress(data)
    step = 1 + 3 * size[0]
    assert len(lines) == step * size[1]
    return [lines[start + 1 : start + step] for start in range(0, len(lines), step)]


@pytest.mark.parametrize("notation", ["connect-four", "nim:3,4,5"])
def test_a_preview_has_the_colours_of_the_board(notation: str) -> None:
    game = resolve(noughts.load(notation))
    skin = skin_of(notation, 7)
    found = preview(game, notation, noughts.replay(game, "4 4" if notation == "connect-four" else "a1"))
    assert found is not None
    lines = pixels(found)
    assert (len(lines), len(lines[0])) == (SIZE[1], 3 * SIZE[0])
    seen = {line[at : at + 3] for line in lines for at in range(0, len(line), 3)}
    for mark in skin.marks.values():
        for _, attributes in mark:
            colour = skin.colours[attributes.get("fill") or attributes["stroke"]][0]
            assert bytes.fromhex(colour[1:]) in seen


def test_shapes_are_filled_exactly_and_edges_softly() -> None:
    canvas = Canvas(4, 3, "#ffffff")
    canvas.fill([[(1.0, 1.0), (2.5, 1.0), (2.5, 2.0), (1.0, 2.0)]], "#000000")
    assert pixels(canvas.png()) == [b"\xff" * 12, bytes([255] * 3 + [0] * 3 + [128] * 3 + [255] * 3), b"\xff" * 12]


def test_a_game_without_a_board_has_no_preview() -> None:
    game = resolve(noughts.load("examples/three_mens_morris.py"))
    assert preview(game, "./three_mens_morris.py", game.initial()) is None
