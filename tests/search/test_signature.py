"""Node counts are a signature: a change in a search is a visible diff of one file."""

from pathlib import Path

from noughts.signature import signature

GOLDEN = Path("tests/search/signature.txt")


def test_node_counts_have_not_changed() -> None:
    """If they should have, `noughts bench --signature > tests/search/signature.txt` and say so in the commit."""
    assert "\n".join(signature()) + "\n" == GOLDEN.read_text(encoding="utf-8")
