"""What other programs show of a link: its title and a picture of the position."""

import re
import struct
from html import unescape
from urllib.parse import urlparse

import pytest

from tests.web.serving import Client, Server


def tags(page: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page)}


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("", "noughts: perfect play for two-player games"),
        ("?game=connect-four&position=4+4", "Connect Four, move 2 · noughts"),
        ("?game=%22%3E%3Cscript%3E", '"><script> · noughts'),
    ],
)
def test_a_link_has_a_title_and_a_picture(server: Server, client: Client, query: str, title: str) -> None:
    page = client.get(f"/{query}").body.decode()
    found = tags(page)
    assert found["og:title"] == title
    assert "<script>" not in page.partition("<title>")[0]
    assert found["og:image"].startswith(f"{server.url}/api/board.png?")


def test_the_picture_of_a_link_is_the_board(client: Client) -> None:
    page = client.get("/?game=tic-tac-toe&position=5+1").body.decode()
    address = urlparse(tags(page)["og:image"])
    answer = client.get(f"{address.path}?{address.query}")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert answer.body.startswith(b"\x89PNG")
    assert struct.unpack(">II", answer.body[16:24]) == (1200, 630)
    again = client.get(f"{address.path}?{address.query}", {"If-None-Match": answer.headers["etag"]})
    assert again.status == 304
    answer = client.get("/api/board.svg", game="tic-tac-toe", position="5 1")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.body.count(b'class="mark"') == 2
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_picture_of_nothing_is_an_error(client: Client) -> None:
    assert client.get("/api/board.svg", game="chess").status == 400
    assert client.get("/api/board.svg", game="tic-tac-toe", position="5 5").error.startswith("'5' cannot be played")


def test_every_skin_is_sent_as_data(client: Client) -> None:
    from noughts.skins import skins

    found = client.get("/static/skins.json").json()
    assert set(found) == set(skins())
    assert found["discs"]["players"] == {"X": "Red", "O": "Yellow"}
