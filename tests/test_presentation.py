"""Each convention walks through its own examples, on the one engine."""

import pytest

from noughts.errors import BadPosition
from noughts.games.lines import LineGame, Marks
from noughts.games.tictactoe import LINES
from noughts.presentation import PRESENTATIONS, PRODUCT, Presentation, line_product
from noughts.search.answer import Answer

ROWS, PAGE, FORMAL, PRODUCTS, CONSOLE = (
    PRESENTATIONS[name] for name in ("rows", "page", "formal", "product", "console")
)


def test_rows_example_of_four_moves() -> None:
    """O begins at the top left, X takes the centre, O the top middle: X must answer at the top right."""
    board = ROWS.after(1, 5, 2)
    assert board == [["O", "O", None], [None, "X", None], [None, None, None]]
    assert ROWS.draw(board, "X") == "O | O |  \n---------\n  | X |  \n---------\n  |   |  "
    assert ROWS.best(board, "X") == 3
    assert ROWS.score(board, "X") == 0


def test_rows_closing_example_is_a_win_for_o() -> None:
    board = [["O", "O", None], ["X", "X", None], ["X", None, None]]
    assert ROWS.score(board, "O") == 10
    assert ROWS.best(board, "O") == 3


def test_rows_boards_are_immutable_values() -> None:
    board = ROWS.after()
    ROWS.play(board, 1, "O")
    assert board == [[None] * 3] * 3


@pytest.mark.parametrize("mark", ["X", "O"])
def test_rows_score_either_side_to_move(mark: str) -> None:
    """A win in hand is +10 for O, who is MAX, and -10 for X."""
    other = "O" if mark == "X" else "X"
    board = [[mark, mark, None], [other, other, None], [None, None, None]]
    assert ROWS.score(board, mark) == (10 if mark == "O" else -10)
    assert ROWS.best(board, mark) == 3


def test_page_counts_depth() -> None:
    """10 - depth for the computer, which is O; depth - 10 for the person, who is X."""
    won_by_o = [["O", "O", "O"], ["X", "X", None], ["X", None, None]]
    assert PAGE.score(won_by_o, "X") == 10
    assert PAGE.score([["O", "O", None], ["X", "X", None], ["X", None, None]], "O") == 9
    assert PAGE.score([["X", "X", None], ["O", "O", None], [None, None, None]], "X") == -9
    assert PAGE.score(PAGE.after(1, 2), "X") == -5
    assert PAGE.score(PAGE.after(), "X") == 0


def test_page_computer_tests_every_move_and_takes_the_best(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """For all positions with the computer to move: the move after which the page's own score is highest."""
    for state in list(oracle)[::7]:
        if game.player(state) == -1 and not game.terminal(state):
            board = PAGE.board(game, state)
            after = {cell: PAGE.score(PAGE.play(board, cell, "O"), "X") for cell in game.actions(state)}
            assert after[PAGE.best(board, "O")] == max(after.values())
            assert PAGE.score(board, "O") == max(after.values()) - (max(after.values()) > 0) + (max(after.values()) < 0)


def test_formal_utilities_are_one_nought_and_minus_one() -> None:
    assert FORMAL.score(FORMAL.after(), "X") == 0
    assert FORMAL.score(["X", "X", "X", "O", "O", " ", " ", " ", " "], "O") == 1
    assert FORMAL.score(["O", "O", " ", "X", "X", " ", "X", " ", " "], "O") == -1


def test_product_board_and_line_products() -> None:
    """2 empty, 3 X, 5 O: 18 is a win in hand for X, 50 for O, 27 and 125 are lines made."""
    board = PRODUCTS.after(1, 5, 2)
    assert board == [0, 5, 5, 2, 2, 3, 2, 2, 2, 2]
    assert line_product(board, (1, 2, 3)) == 50
    assert PRODUCTS.draw(board, "X") == "O O _ \n_ X _ \n_ _ _ "
    assert PRODUCTS.best(board, "X") == 3, "the computer blocks"
    assert {line_product([0] + [PRODUCT["X"]] * 9, line) for line in LINES} == {27}
    assert {line_product([0] + [PRODUCT["O"]] * 9, line) for line in LINES} == {125}


def test_products_tell_wins_and_threats_in_all_positions(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """The encoding says the same as the engine: who has a line, and who could complete one."""
    for state, answer in oracle.items():
        marks = [game.mark(state, cell) for cell in game.cells]
        board = PRODUCTS.encoding.write(marks)
        assert list(PRODUCTS.encoding.read(board)) == marks
        products = {line_product(board, line) for line in LINES}
        assert bool(products & {27, 125}) == state.lined
        if not game.terminal(state):
            own = 18 if game.player(state) == 1 else 50
            assert (own in products) == (answer.distance == 1)


def test_product_computer_is_max_and_the_person_begins() -> None:
    assert PRODUCTS.score([0, 3, 3, 2, 5, 5, 2, 5, 2, 2], "X") == 1
    assert PRODUCTS.score([0, 5, 5, 2, 3, 3, 2, 2, 2, 2], "O") == -1


def test_console_reference_lines() -> None:
    """The person plays 5, 3, 2 and loses; or 5, 9, after which the computer holds the draw."""
    board = CONSOLE.after()
    for cell, answer in ((5, 1), (3, 7), (2, 4)):
        board = CONSOLE.play(board, cell, "X")
        assert CONSOLE.best(board, "O") == answer
        board = CONSOLE.play(board, answer, "O")
    assert CONSOLE.score(board, "X") == -1
    assert CONSOLE.draw(board, "X") == " O | X | X\n---+---+---\n O | X | 6\n---+---+---\n O | 8 | 9"

    held = CONSOLE.after(5, 1, 9)
    assert CONSOLE.score(held, "O") == 0
    assert CONSOLE.score(CONSOLE.play(held, CONSOLE.best(held, "O"), "O"), "X") == 0


def test_console_sample_board() -> None:
    sample = ["X", "O", " ", " ", "X", " ", "O", " ", " "]
    assert CONSOLE.draw(sample, "X") == " X | O | 3\n---+---+---\n 4 | X | 6\n---+---+---\n O | 8 | 9"
    assert CONSOLE.score(sample, "X") == 1
    assert CONSOLE.best(sample, "X") == 9


def test_console_draw_is_a_draw() -> None:
    assert CONSOLE.score(["X", "O", "X", "O", "O", "X", "X", "X", "O"], "O") == 0


@pytest.mark.parametrize("presentation", PRESENTATIONS.values(), ids=list(PRESENTATIONS))
def test_all_conventions_show_one_engine(
    presentation: Presentation, game: LineGame, oracle: dict[Marks, Answer[int]]
) -> None:
    """The same position has the same best cells everywhere, and a score of the same meaning."""
    for state in list(oracle)[::11]:
        answer = oracle[state]
        to_move = "X" if game.player(state) == 1 else "O"
        board = presentation.board(game, state)
        score = presentation.score(board, to_move) * (1 if presentation.max_mark == to_move else -1)
        assert (score > 0) - (score < 0) == answer.margin
        if presentation.depth_counts and answer.distance is not None:
            assert abs(score) == 10 - answer.distance
        if answer.best:
            assert presentation.best(board, to_move) == answer.best[0]


def test_bad_boards_are_refused() -> None:
    with pytest.raises(BadPosition, match="must be X or O"):
        FORMAL.score(FORMAL.after(), "Z")
    with pytest.raises(BadPosition, match="X begins"):
        FORMAL.score(["X", "X", "X", " ", " ", " ", " ", " ", " "], "O")
    with pytest.raises(BadPosition, match="not a board of the convention"):
        PRODUCTS.score([0, 7, 2, 2, 2, 2, 2, 2, 2, 2], "O")
    with pytest.raises(BadPosition, match="the game is over"):
        FORMAL.best(["X", "X", "X", "O", "O", " ", " ", " ", " "], "O")


def test_who_begins_is_part_of_the_convention() -> None:
    first = {name: presentation.encoding.read(presentation.after(1))[0] for name, presentation in PRESENTATIONS.items()}
    assert first == {"rows": "O", "page": "X", "formal": "X", "product": "O", "console": "X"}
