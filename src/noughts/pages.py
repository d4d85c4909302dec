"""Pages that stand alone: one HTML file that requests nothing and runs no script but its own."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256

__all__ = ["embedded", "filled", "policy"]

STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
SCRIPTS = re.compile(r'<script(?: type="module")?>(.*?)</script>', re.DOTALL)


def policy(page: str) -> str:
    """Return the content security policy of a page: only the style and the script that it contains may run.

    It belongs into the page itself; a server should also send it as a header.
    """
    (style,), (script,) = STYLES.findall(page), SCRIPTS.findall(page)
    own = f"style-src {_hash(style)}; script-src {_hash(script)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with each `%%name%%` replaced by the part of that name."""
    return re.sub(r"%%(\w+)%%", lambda found: parts[found[1]], template)


def embedded(data: object) -> str:
    """Return data as JSON that can be embedded in a script element: it cannot end the element or begin a comment.

    >>> embedded(["</script>"])
    '["\\\\u003c/script>"]'
    """
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
