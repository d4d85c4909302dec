"""Wild tic-tac-toe, against a brute force over all 19,683 boards that knows nothing of bits."""

from collections import Counter
from itertools import product

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.errors import BadPosition, IllegalAction
from noughts.games.tictactoe import LINES
from noughts.games.wild import WILD, Placed, make
from noughts.testing import check_game
from tests.helpers import every_state

BY_PLY = [1, 18, 144, 672, 2016, 4032, 5320, 4344, 1890, 316]


@pytest.fixture(scope="module")
def every_placed() -> list[Placed]:
    return every_state(WILD)


def lined(board: str) -> bool:
    return any({board[cell - 1] for cell in line} in ({"X"}, {"O"}) for line in LINES)


def reachable(board: str) -> bool:
    """Say whether no line was there before some last mark."""
    if not lined(board):
        return True
    without_one = (board[:cell] + "." + board[cell + 1 :] for cell in range(9))
    return any(before != board and not lined(before) for before in without_one)


def diagram_of(board: str) -> str:
    return f"{board[:3]}/{board[3:6]}/{board[6:]}"


EVERY_BOARD = ["".join(marks) for marks in product("XO.", repeat=9)]


def test_the_checker_finds_nothing() -> None:
    report = check_game(WILD)
    assert report.ok, report
    assert report.complete


def test_position_counts_by_ply(every_placed: list[Placed]) -> None:
    by_ply = Counter((state.crosses | state.noughts).bit_count() for state in every_placed)
    assert [by_ply[ply] for ply in range(10)] == BY_PLY
    assert len(every_placed) == sum(BY_PLY) == 18753
    counted = Counter(9 - board.count(".") for board in EVERY_BOARD if reachable(board))
    assert counted == by_ply


def test_positions_up_to_symmetry(every_placed: list[Placed]) -> None:
    turned = {min(map(WILD.key, WILD.symmetries(state)[:8])) for state in every_placed}
    exchanged_too = {min(map(WILD.key, WILD.symmetries(state))) for state in every_placed}
    assert (len(turned), len(exchanged_too)) == (2694, 1359)


def test_the_first_player_wins_by_the_centre_alone() -> None:
    answer = noughts.analyse(WILD)
    assert answer.proven
    assert (answer.value, answer.distance, answer.best) == ("win", 7, ("5x", "5o"))


def test_who_completes_a_line_wins_whoever_placed_the_rest() -> None:
    first_wins = noughts.replay(WILD, "1x 5o 2x 6o 3x")
    second_wins = noughts.replay(WILD, "1x 2x 9o 3x")
    assert (WILD.utility(first_wins), WILD.utility(second_wins)) == (1, -1)


def test_a_full_board_is_a_draw(every_placed: list[Placed]) -> None:
    full = [state for state in every_placed if WILD.terminal(state) and not state.lined]
    assert {WILD.utility(state) for state in full} == {0}
    assert len(full) == sum("." not in board and not lined(board) for board in EVERY_BOARD) == 32


def test_exactly_the_reachable_boards_are_read() -> None:
    for board in EVERY_BOARD:
        diagram = diagram_of(board)
        if reachable(board):
            assert WILD.diagram(WILD.parse(diagram)) == diagram
        else:
            with pytest.raises(BadPosition, match="ended before"):
                WILD.parse(diagram)


def test_drawings_and_diagrams_of_all_positions_are_read_back(every_placed: list[Placed]) -> None:
    draw = resolve(WILD).draw
    for state in every_placed:
        assert WILD.parse(WILD.diagram(state)) == state
        assert WILD.parse(draw(state)) == state


def test_the_drawing_numbers_empty_cells() -> None:
    drawn = resolve(WILD).draw(noughts.replay(WILD, "1x 5o"))
    assert drawn.splitlines() == [" X | 2 | 3", "---+---+---", " 4 | O | 6", "---+---+---", " 7 | 8 | 9"]


@pytest.mark.parametrize("diagram", ["x__/_o_/___", "X23/4O6/789", "[X]| | / |O| /7|8|9", "X../.O./...\n"])
def test_other_ways_to_write_a_diagram(diagram: str) -> None:
    assert WILD.parse(diagram) == noughts.replay(WILD, "1x 5o")


def test_the_winning_line_is_lit() -> None:
    board = WILD.board(noughts.replay(WILD, "1x 2x 9o 3x"))
    assert [cell.action for row in board for cell in row if cell.lit] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "3 rows of 3 cells"),
        ("X../...", "3 rows of 3 cells"),
        ("X../..../...", "3 rows of 3 cells"),
        ("Z../.../...", "'Z' is not a mark"),
        ("2../.../...", "'2' is not a mark"),
        ("XXX/OOO/...", "ended before"),
        ("XXX/XXX/...", "ended before"),
    ],
)
def test_bad_diagrams_get_one_clear_line(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        WILD.parse(diagram)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", ["0x", "10x", "5", "5X", "x5", "", 5, None, ["5x"], ("5", "x")])
def test_no_such_action(action: str) -> None:
    with pytest.raises(IllegalAction, match=r"is not an action in \.\.\./\.\.\./\.\.\.") as caught:
        WILD.result(WILD.initial(), action)
    assert repr(action) in str(caught.value)


@pytest.mark.parametrize("action", ["5x", "5o"])
def test_a_taken_cell_names_the_action_and_the_state(action: str) -> None:
    with pytest.raises(IllegalAction, match=rf"{action} .* cell 5 is taken in \.\.\./\.X\./\.\.\."):
        WILD.result(noughts.replay(WILD, "5x"), action)


@pytest.mark.parametrize("ended", ["XXX/OO./...", "XOX/OXO/OXO"])
def test_nothing_can_be_played_after_the_end(ended: str) -> None:
    state = WILD.parse(ended)
    assert WILD.actions(state) == []
    with pytest.raises(IllegalAction, match=f"9o cannot be played: the game is over in {ended[:7]}"):
        WILD.result(state, "9o")


def test_what_it_prefers() -> None:
    assert WILD.preferred[:4] == ("5x", "5o", "2x", "2o")
    assert sorted(WILD.preferred) == sorted(WILD.actions(WILD.initial()))
    assert [WILD.action_name(action) for action in WILD.preferred] == list(WILD.preferred)


def test_make() -> None:
    assert make("") is WILD
    with pytest.raises(ValueError, match="no arguments"):
        make("3")


def test_a_touch_of_an_empty_cell_may_mean_either_mark() -> None:
    def plays(position: str) -> list[tuple[str, ...]]:
        return [cell.plays for row in WILD.board(noughts.replay(WILD, position)) for cell in row]

    assert plays("5x")[:5] == [("1x", "1o"), ("2x", "2o"), ("3x", "3o"), ("4x", "4o"), ()]
    assert not any(plays("1x 2x 9o 3x"))
