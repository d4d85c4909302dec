"""Draw the picture of the rooms in docs/architecture.md: `python docs/pictures/draw_rooms.py` writes rooms.svg."""

from pathlib import Path

from noughts.svg import document

LAYERS = [
    ("shells", ["cli", "site", "web"]),
    ("facts", ["wire", "testing", "node_counts", "bookmaking"]),
    ("play", ["players", "match", "record", "arena", "puzzles", "reviews", "presentation", "protocols"]),
    ("telling", ["words", "trees", "learn", "certificates", "statistics", "notebook", "pages", "skins", "svg"]),
    ("answers", ["engine", "sources", "solving"]),
    ("searches", ["search", "compiled", "plain", "tables"]),
    ("texts", ["notation", "gamefile", "games"]),
    ("what a game offers", ["capabilities", "symmetry", "keys", "serial", "board", "bits", "book"]),
    ("model", ["game", "score", "errors", "kept", "notices", "interrupts", "guard"]),
]
"""From the top of the picture to the bottom."""

WIDTH, HEIGHT, LEFT, GAP = 104, 34, 150, 12
STYLE = """
.room { fill: none; stroke: var(--ink); stroke-width: 1; }
.arrow { stroke: var(--ink); stroke-width: 1.5; fill: none; }
.head { fill: var(--ink); stroke: none; }
.layer { font-style: italic; }
"""


def picture() -> str:
    """Return the picture as SVG: a row for each layer, and arrows from each to the one below it."""
    across = max(len(rooms) for _, rooms in LAYERS)
    width = LEFT + across * (WIDTH + GAP)
    height = len(LAYERS) * (HEIGHT + 2 * GAP) + GAP
    body = []
    for row, (layer, rooms) in enumerate(LAYERS):
        top = GAP + row * (HEIGHT + 2 * GAP)
        middle = top + HEIGHT / 2 + 5
        body.append(f'<text x="{GAP}" y="{middle:g}" class="layer">{layer}</text>')
        for place, room in enumerate(rooms):
            left = LEFT + place * (WIDTH + GAP)
            body.append(f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" rx="6" class="room"/>')
            body.append(f'<text x="{left + WIDTH / 2:g}" y="{middle:g}" text-anchor="middle">{room}</text>')
        if row + 1 < len(LAYERS):
            x, start, end = LEFT + WIDTH / 2, top + HEIGHT + 3, top + HEIGHT + 2 * GAP - 3
            body.append(f'<path d="M{x:g} {start:g}V{end - 6:g}" class="arrow"/>')
            body.append(f'<path d="M{x - 4:g} {end - 7:g}h8l-4 7z" class="head"/>')
    about = "Each layer imports from the layers below it, and from none above."
    return document(width, height, "The rooms of noughts", about, body, STYLE)


if __name__ == "__main__":
    Path(__file__).with_name("rooms.svg").write_text(picture(), encoding="utf-8")
