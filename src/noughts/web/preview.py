"""What a link to the page shows where links are previewed: a title, a sentence and a picture of the position."""

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

__all__ = ["with_preview"]

PLACE = b"<!-- preview -->"
"""Where the tags go in the page."""
EXAMPLE = ("connect-four", "4 4 4 4 4 2 6")
"""The position that stands for the whole page."""
MOST_TEXT = 300


def with_preview(page: bytes, query: Mapping[str, str], titles: Mapping[str, str], home: str) -> bytes:
    """Return the page with the tags of the Open Graph protocol for the position in its address.

    `titles` are those of the games that the server offers; `home` is the page's own address, which is needed since
    pictures must be named in full.

    >>> page = with_preview(b"<!-- preview -->", {"game": "mnk:4,4,4", "position": "a1 b2"}, {}, "http://host/")
    >>> page.decode().splitlines()[0]
    '<meta property="og:title" content="mnk:4,4,4, move 2 · noughts">'
    """
    game, position = query.get("game", "").strip()[:MOST_TEXT], query.get("position", "").strip()[:MOST_TEXT]
    title = "noughts: perfect play for two-player games"
    if game:
        moves = len(position.replace(",", " ").split())
        title = f"{titles.get(game, game)}{f', move {moves}' if moves else ''} · noughts"
    shown = (game, position) if game else EXAMPLE
    picture = f"{home}api/board.png?{urlencode(dict(zip(('game', 'position'), shown, strict=True)))}"
    facts = {
        "og:title": title,
        "og:description": "Play it, see what every move leads to and why, and send the position to someone.",
        "og:type": "website",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    card = '<meta name="twitter:card" content="summary_large_image">'
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in facts.items()]
    return page.replace(PLACE, "\n".join([*tags, card]).encode())
