"""Golden playthroughs: what a game shows and allows is what it showed and allowed before.

If a difference is wanted, `python -m tests.playthrough` writes the files anew.
"""

from pathlib import Path

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from tests.playthrough import FOLDER, examples, file_of, line_of, playthrough, steps

EXAMPLES = examples()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_an_example_of_its_own(name: str) -> None:
    assert GAMES[name].examples
    assert {notation.partition(":")[0] for notation in GAMES[name].examples} == {name}


def test_every_example_has_a_file_and_every_file_an_example() -> None:
    assert len(set(map(file_of, EXAMPLES))) == len(EXAMPLES)
    assert {path.name for path in FOLDER.iterdir()} == {file_of(notation).name for notation in EXAMPLES}


@pytest.mark.parametrize("notation", EXAMPLES)
def test_the_file_matches(notation: str) -> None:
    kept = file_of(notation).read_bytes().decode("utf-8")
    assert playthrough(notation) == kept, "if this is wanted: python -m tests.playthrough"


@pytest.mark.parametrize("notation", EXAMPLES)
def test_the_line_leads_to_the_same_end(notation: str) -> None:
    game = noughts.load(notation)
    *_, end = steps(game)
    *_, last = file_of(notation).read_text(encoding="utf-8").splitlines()
    assert last == f"line: {line_of(game)}"
    reached = noughts.replay(game, last.removeprefix("line: "))
    assert reached == end.state
    assert game.terminal(reached)


@pytest.mark.parametrize("notation", [each for each in EXAMPLES if not each.startswith("numbers")])
def test_every_drawing_is_read_back(notation: str) -> None:
    """But those of trees of numbers: the same numbers can be at two places."""
    game = noughts.load(notation)
    offers = resolve(game)
    assert offers.parse is not None
    for step in steps(game):
        assert offers.parse(offers.draw(step.state)) == step.state


def test_rewriting_removes_what_belongs_to_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import playthrough as module

    monkeypatch.setattr(module, "FOLDER", tmp_path)
    (tmp_path / "chess.txt").write_text("1. e4", encoding="utf-8")
    module.rewrite()
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in FOLDER.iterdir()}
