"""What notebooks show: well-formed pictures with titles, and escaped text."""

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.notebook import show
from tests.helpers import altered

SVG = "{http://www.w3.org/2000/svg}"
STATE = noughts.replay(TIC_TAC_TOE, "5 1 3 7 4 6")


def test_a_board_is_a_picture_with_a_title() -> None:
    picture = show(TIC_TAC_TOE, STATE)._repr_svg_()
    assert picture is not None
    assert ElementTree.fromstring(picture).findtext(f"{SVG}title") == "Tic-tac-toe"


JUPYTER = (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_"), ("text/plain", "__repr__"))
"""What Jupyter asks an object for, in the order in which it prefers the answers; None is not an answer."""


def displayed(thing: object) -> tuple[str, str]:
    """Return what Jupyter would display of an object: the kind, and the content."""
    asked = ((kind, getattr(thing, function, lambda: None)()) for kind, function in JUPYTER)
    return next((kind, content) for kind, content in asked if content is not None)


def test_jupyter_shows_the_picture_of_a_board() -> None:
    kind, content = displayed(show(TIC_TAC_TOE, STATE))
    assert kind == "image/svg+xml"
    assert content == show(TIC_TAC_TOE, STATE)._repr_svg_()
    assert repr(show(TIC_TAC_TOE, STATE)).startswith(" O | 2 | X"), "text is there for other programs"


def test_a_drawing_is_escaped() -> None:
    shown = show(altered(TIC_TAC_TOE, draw=lambda _: "<script>"), STATE)
    assert shown._repr_svg_() is None
    assert shown._repr_html_() == "<pre>&lt;script&gt;</pre>"


def test_a_tree_is_a_picture() -> None:
    assert ElementTree.fromstring(noughts.tree(TIC_TAC_TOE, STATE)._repr_svg_()).tag == f"{SVG}svg"


def test_an_answer_is_a_table_and_escaped() -> None:
    assert "<td>* 2</td><td>draw</td>" in noughts.analyse(TIC_TAC_TOE, STATE)._repr_html_()
    ends = SimpleNamespace(
        initial=lambda: "",
        player=lambda state: -1 if state else 1,
        actions=lambda state: [] if state else ["<script>"],
        result=lambda state, action: action,
        terminal=bool,
        utility=lambda state: 1,
    )
    shown = noughts.minimax(ends)._repr_html_()
    assert "* &lt;script&gt;" in shown
    assert "<script>" not in shown


@pytest.mark.parametrize("notation", [example for entry in GAMES.values() for example in entry.examples[:1]])
def test_every_game_shows_itself(notation: str) -> None:
    shown = show(noughts.load(notation))
    kind, content = displayed(shown)
    if resolve(shown.game).board is None:
        assert (kind, content[:5]) == ("text/html", "<pre>")
    else:
        assert kind == "image/svg+xml"
        assert ElementTree.fromstring(content).tag == f"{SVG}svg"
