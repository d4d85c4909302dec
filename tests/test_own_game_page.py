"""docs/own-game.md lists exactly the optional functions and constants that `CAPABILITIES` describes."""

from pathlib import Path

from noughts.capabilities import CAPABILITIES

PAGE = Path("docs/own-game.md")
HEADING = "## Optional functions and constants\n"
HEADER = ["| name | what it is | without it |", "|---|---|---|"]


def test_the_table_of_optional_functions_is_that_of_capabilities() -> None:
    section = PAGE.read_text(encoding="utf-8").split(HEADING)[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    rows = [f"| `{each.signature}` | {each.about} | {each.default} |" for each in CAPABILITIES]
    assert table == HEADER + rows, "copy the rows:\n" + "\n".join(rows)


def test_no_cell_of_the_table_breaks_it() -> None:
    for each in CAPABILITIES:
        assert each.signature.startswith(each.name)
        assert not any("|" in text or "\n" in text for text in (each.signature, each.about, each.default))
