from collections import Counter
from itertools import product

import pytest

from noughts.errors import BadPosition, IllegalAction
from noughts.games.lines import LineGame, Marks, straight_lines
from noughts.notation import replay
from tests.helpers import every_state


def test_position_counts_by_ply(game: LineGame, states: list[Marks]) -> None:
    by_ply = Counter((state.first | state.second).bit_count() for state in states)
    assert [by_ply[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert len(states) == 5478


def test_ends(game: LineGame, states: list[Marks]) -> None:
    ends = Counter(game.utility(state) for state in states if game.terminal(state))
    assert ends == {1: 626, -1: 316, 0: 16}


def test_positions_up_to_symmetry(game: LineGame, states: list[Marks]) -> None:
    classes = {min(map(game.key, game.symmetries(state))) for state in states}
    assert len(classes) == 765


@pytest.mark.parametrize(
    ("columns", "rows", "in_a_row", "lines", "turns"),
    [(3, 3, 3, 8, 8), (4, 3, 3, 14, 4), (4, 4, 4, 10, 8), (5, 5, 4, 28, 8), (7, 6, 4, 69, 4), (1, 3, 3, 1, 2)],
)
def test_other_boards_are_instances(columns: int, rows: int, in_a_row: int, lines: int, turns: int) -> None:
    other = LineGame("other", columns, rows, straight_lines(columns, rows, in_a_row))
    assert len(other.lines) == lines
    assert len(list(other.symmetries(other.result(other.initial(), 1)))) == turns


def test_lines_that_only_some_turns_keep() -> None:
    top_row_only = LineGame("top", 3, 3, [(1, 2, 3)])
    assert {top_row_only.diagram(image) for image in top_row_only.symmetries(replay(top_row_only, "1"))} == {
        "X../.../...",
        "..X/.../...",
    }


def test_misere_turns_the_utility(game: LineGame) -> None:
    misere = LineGame("misère", 3, 3, game.lines, misere=True)
    line = "1 4 2 5 3"
    assert game.utility(replay(game, line)) == 1
    assert misere.utility(replay(misere, line)) == -1


def test_preference_is_centre_sides_corners(game: LineGame) -> None:
    assert game.preferred == [5, 2, 4, 6, 8, 1, 3, 7, 9]


def test_diagrams_of_all_positions_are_read_back(game: LineGame, states: list[Marks]) -> None:
    for state in states:
        assert game.parse(game.diagram(state)) == state


def test_drawings_of_all_positions_are_read_back(game: LineGame, states: list[Marks]) -> None:
    from noughts.capabilities import resolve

    draw = resolve(game).draw
    for state in states:
        assert game.parse(draw(state)) == state


def test_exactly_the_reachable_boards_are_read(game: LineGame, states: list[Marks]) -> None:
    """Of all 19,683 ways to fill nine cells, play reaches 5,478."""
    reachable = {game.diagram(state) for state in states}
    boards = ("".join(cells) for cells in product("XO.", repeat=9))
    for board in boards:
        diagram = f"{board[:3]}/{board[3:6]}/{board[6:]}"
        if diagram in reachable:
            game.parse(diagram)
        else:
            with pytest.raises(BadPosition):
                game.parse(diagram)


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("X../...", "3 rows of 3 cells"),
        ("X../..../...", "3 rows of 3 cells"),
        ("Z../.../...", "'Z' is not a mark"),
        ("OO./X../...", "X begins"),
        ("XXX/OOO/...", "ended before"),
        ("XXX/XXX/OO.", "X begins"),
        ("", "3 rows of 3 cells"),
    ],
)
def test_bad_diagrams_get_one_clear_line(game: LineGame, diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        game.parse(diagram)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", [0, 10, -1, 5.0, "5", None])
def test_no_such_cell(game: LineGame, action: int) -> None:
    with pytest.raises(IllegalAction, match="is not a cell"):
        game.result(game.initial(), action)


def test_a_taken_cell_names_the_cell_and_the_state(game: LineGame) -> None:
    with pytest.raises(IllegalAction, match=r"cell 5 is taken in \.\.\./\.X\./\.\.\."):
        game.result(replay(game, "5"), 5)


def test_no_cell_can_be_played_after_the_end(game: LineGame) -> None:
    won = replay(game, "1 4 2 5 3")
    assert game.actions(won) == []
    with pytest.raises(IllegalAction, match="the game is over in XXX/OO"):
        game.result(won, 9)


def test_states_are_values(game: LineGame) -> None:
    start = game.initial()
    game.result(start, 1)
    assert start == Marks() == game.initial()


def test_the_winning_line_is_lit(game: LineGame) -> None:
    board = game.board(replay(game, "1 4 2 5 3"))
    assert [cell.action for row in board for cell in row if cell.lit] == [1, 2, 3]
    assert not any(cell.lit for row in game.board(replay(game, "1 4 2 5")) for cell in row)


def test_every_state_of_a_game_of_one_cell() -> None:
    tiny = LineGame("tiny", 1, 1, [(1,)])
    assert [tiny.terminal(state) for state in every_state(tiny)] == [False, True]
