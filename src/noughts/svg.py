"""SVG documents that are complete in one file and readable on light and dark backgrounds."""

from collections.abc import Iterable, Mapping
from html import escape

__all__ = ["COLOURS", "document", "element", "text"]

COLOURS = {
    "paper": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#e6edf3"),
    "faint": ("#d0d7de", "#3d444d"),
    "series-1": ("#0072b2", "#56b4e9"),
    "series-2": ("#b35900", "#e69f00"),
    "series-3": ("#007a5e", "#2fc79a"),
    "series-4": ("#a0438a", "#e29ac9"),
}
"""Colours by purpose, for light and dark backgrounds. Those of series follow Okabe and Ito, so that people with colour
blindness can distinguish them."""

STYLE = """
.paper { fill: var(--paper); }
text { fill: var(--ink); font-family: system-ui, "Liberation Sans", Arial, sans-serif; font-size: 13px; }
"""


def document(
    width: int,
    height: int,
    title: str,
    description: str,
    body: Iterable[str],
    style: str = "",
    colours: Mapping[str, tuple[str, str]] = {},
) -> str:
    """Return a whole SVG file. Screen readers read the title and the description; `body` holds elements.

    The `style` is CSS, in which `var(--ink)` and so on are replaced by colours: those of this module, and the given
    ones. Attributes cannot use them.

    >>> picture = document(10, 10, "A dot", "One dot.", [element("circle", cx=5, cy=5, r=2)])
    >>> picture.splitlines()[1]
    '<title id="title">A dot</title>'
    """
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="title description">'
    )
    return "\n".join(
        [
            opening,
            element("title", escape(_clean(title)), id="title"),
            element("desc", escape(_clean(description)), id="description"),
            element("style", escape(_in_light_and_dark(STYLE + style, {**COLOURS, **colours}), quote=False)),
            element("rect", class_="paper", width=width, height=height),
            *body,
            "</svg>\n",
        ]
    )


def _in_light_and_dark(style: str, colours: Mapping[str, tuple[str, str]]) -> str:
    """Return a style for light and dark. Colours are filled in here, since many SVG renderers lack variables."""
    light = dark = style
    for name, (on_light, on_dark) in colours.items():
        light, dark = light.replace(f"var(--{name})", on_light), dark.replace(f"var(--{name})", on_dark)
    return f"{light}@media (prefers-color-scheme: dark) {{{dark}}}\n"


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an element; `content` is markup, attributes are escaped, `_` in their names becomes `-`.

    >>> element("line", x1=0, x2=4.5, class_="axis", stroke_width=2)
    '<line x1="0" x2="4.5" class="axis" stroke-width="2"/>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_clean(_number(value)))}"' for key, value in attributes.items()
    )
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def text(x: float, y: float, content: str, **attributes: object) -> str:
    """Return a text element with escaped content.

    >>> text(1, 2, "a < b", text_anchor="end")
    '<text x="1" y="2" text-anchor="end">a &lt; b</text>'
    """
    return element("text", escape(_clean(content), quote=False), x=x, y=y, **attributes)


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _clean(content: str) -> str:
    """Return text in which characters that XML forbids are replaced by spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in content)
