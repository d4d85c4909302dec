"""The games of lines on other boards: mnk, misère, cube, connect and Connect Four."""

from collections import Counter
from collections.abc import Hashable
from itertools import product

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.errors import BadPosition, IllegalAction, UnknownGame
from noughts.games import GAMES
from noughts.games.connect import LARGEST, DropGame, make
from noughts.games.lines import LineGame, Marks
from noughts.search.memo import Memo
from noughts.testing import check_game
from tests.helpers import every_state, in_the_long_run, without_kernel

UTILITY = {"win": 1, "draw": 0, "loss": -1}

ONE_COLUMN = "mnk:1,19,19"


def line_game(notation: str) -> LineGame:
    game = noughts.load(notation)
    assert isinstance(game, LineGame)
    return game


def drop_game(notation: str) -> DropGame:
    game = noughts.load(notation)
    assert isinstance(game, DropGame)
    return game


def cells(held: int) -> set[int]:
    return {bit + 1 for bit in range(held.bit_length()) if held >> bit & 1}


# Conformance.


SMALL = ("misere", "connect:3x3,3", "mnk:1,1,1", "connect:4x3", "mnk:2,2,2")
LARGE = {"mnk:4,3,3": 400, "mnk:3,3,3,misere": 400, "cube:3": 100, "connect-four": 200, "mnk:4,4,3,torus": 60}
"""How many positions are looked at; five times as many in the long run."""


@pytest.mark.parametrize("notation", in_the_long_run(SMALL, all_but=SMALL[:3]))
def test_the_checker_finds_nothing_in_all_positions(notation: str) -> None:
    report = check_game(without_kernel(noughts.load(notation)))
    assert report.ok, report
    assert report.complete


@pytest.mark.parametrize(("notation", "positions"), LARGE.items())
def test_the_checker_finds_nothing_in_some_positions(notation: str, positions: int) -> None:
    report = check_game(without_kernel(noughts.load(notation)), positions=positions)
    assert report.ok, report


@pytest.mark.parametrize("notation", in_the_long_run(SMALL, all_but=["misere"]))
def test_the_checker_finds_nothing_in_the_kernels_of_small_boards(notation: str) -> None:
    """Each takes seconds to compile."""
    report = check_game(noughts.load(notation))
    assert report.ok, report
    assert report.complete


@pytest.mark.parametrize(
    ("notation", "positions"),
    [
        *in_the_long_run(LARGE.items(), all_but=[("connect-four", 200), ("mnk:4,4,3,torus", 60)]),
        *in_the_long_run([(notation, 5 * positions) for notation, positions in LARGE.items()], all_but=[]),
    ],
)
def test_the_checker_finds_nothing_in_the_kernels_of_large_boards(notation: str, positions: int) -> None:
    report = check_game(noughts.load(notation), positions=positions)
    assert report.ok, report


# How many positions there are.


@pytest.mark.parametrize(
    ("notation", "positions"),
    [
        ("connect:2x2", 18),
        ("connect:3x3", 869),
        ("connect:3x4", 6_000),
        ("connect:4x3", 12_031),
        ("connect:3x5", 38_310),
        ("misere", 5_478),
        ("mnk:3,3,3", 5_478),
    ],
)
def test_number_of_positions(notation: str, positions: int) -> None:
    assert len(every_state(noughts.load(notation))) == positions


def test_positions_of_connect_four_by_ply() -> None:
    game = drop_game("connect-four")
    level, counts = {game.initial()}, []
    for _ in range(6):
        counts.append(len(level))
        level = {game.result(state, action) for state in level for action in game.actions(state)}
    assert counts == [1, 7, 49, 238, 1_120, 4_263]


@pytest.mark.long
def test_values_of_all_positions_of_connect_4x4() -> None:
    game = drop_game("connect:4x4")
    memo = Memo(game)
    values = Counter(game.player(state) * UTILITY[memo.value(state).value] for state in every_state(game))
    assert values == {1: 36_499, 0: 90_120, -1: 34_410}
    assert values.total() == 161_029


# What they are worth.


@pytest.mark.parametrize(
    ("notation", "value", "margin"),
    [
        ("mnk:3,3,3", "draw", 0),
        ("mnk:4,3,3", "win", 1),
        pytest.param("mnk:4,4,3", "win", 1, marks=pytest.mark.long),
        ("mnk:4,4,4", "draw", 0),
        ("cube:3", "win", 1),
        ("connect:4x4", "draw", 0),
        ("connect:5x4", "draw", 0),
        ("misere", "draw", 0),
        ("wild", "win", 1),
        ("notakto", "win", 1),
        ("notakto:2", "loss", -1),
        ("reversi:4", "loss", -8),
    ],
)
def test_value(notation: str, value: str, margin: int) -> None:
    answer = noughts.value(noughts.load(notation))
    assert answer.proven
    assert (answer.value, answer.margin) == (value, margin)


@pytest.mark.parametrize("notation", ["misere", "mnk:3,3,3,misere"])
def test_misere_is_drawn_by_the_centre_only(notation: str) -> None:
    answer = noughts.analyse(noughts.load(notation))
    assert answer.best == (5,)
    assert {action.action: action.value for action in answer.actions} == {
        cell: "draw" if cell == 5 else "loss" for cell in range(1, 10)
    }


def test_a_line_loses_in_misere() -> None:
    for notation in ("misere", "mnk:3,3,3,misere"):
        game = line_game(notation)
        assert game.misere
        assert game.utility(noughts.replay(game, "1 4 2 5 3")) == -1
        assert game.utility(noughts.replay(game, "1 4 2 5 9 6")) == 1


# Notation of games.


@pytest.mark.parametrize(
    "notation",
    [
        "mnk",
        "mnk:",
        "mnk:3",
        "mnk:3,3",
        "mnk:,,",
        "mnk:a,b,c",
        "mnk:3x3x3",
        "mnk:3.0,3,3",
        "mnk:-3,3,3",
        "mnk:+3,3,3",
        "mnk:²,3,3",
        "mnk:0,3,3",
        "mnk:3,0,3",
        "mnk:0,0,0",
        "mnk:3,3,0",
        "mnk:3,3,9",
        "mnk:99,3,3",
        "mnk:3,99,3",
        "mnk:21,3,3",
        "mnk:3,3,99999999999",
        "mnk:3,3,3,",
        "mnk:3,3,3,foo",
        "mnk:3,3,3,3",
        "mnk:3,3,3,torus,torus",
        "mnk:3,3,3,torus,misere,torus",
        "mnk:3,3,3:misere",
        "connect",
        "connect:",
        "connect:7",
        "connect:7x",
        "connect:x6",
        "connect:x",
        "connect:0x4",
        "connect:4x0",
        "connect:-7x6",
        "connect:7,6",
        "connect:7x6x4",
        "connect:7x6,",
        "connect:7x6,0",
        "connect:7x6,x",
        "connect:7x6,4,4",
        "connect:13x6",
        "connect:7x13",
        "connect:7x6,13",
        "connect:99x99",
        "cube",
        "cube:",
        "cube:0",
        "cube:1",
        "cube:6",
        "cube:9",
        "cube:-3",
        "cube:3,3",
        "cube:three",
        "connect-four:1",
        "connect-four:7x6",
        "misere:1",
        "misere:mnk",
        "tic-tac-toe:1",
        "tic-tac-toe:3,3,3",
    ],
)
def test_a_malformed_notation_gets_one_clear_line(notation: str) -> None:
    name = notation.partition(":")[0]
    with pytest.raises(UnknownGame) as caught:
        noughts.load(notation)
    message = str(caught.value)
    assert f"'{notation[:20]}" in message
    assert f"is not written {GAMES[name].notation}" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("notation", "same"),
    [
        ("mnk:4,3,3,torus,misere", "mnk:4,3,3,misere,torus"),
        ("MNK:4,3,3", " mnk: 4, 3 ,3"),
        ("connect:7X6", "connect:7 x 6, 4"),
    ],
)
def test_spaces_case_and_order_of_options_do_not_matter(notation: str, same: str) -> None:
    one, other = line_game(notation), line_game(same)
    assert (one.title, one.lines, one.misere) == (other.title, other.lines, other.misere)


def test_connect_four_is_an_instance_of_connect() -> None:
    four, other = drop_game("connect-four"), drop_game("connect:7x6")
    assert (four.columns, four.rows, four.lines) == (other.columns, other.rows, other.lines)
    assert len(four.lines) == 69


@pytest.mark.parametrize(
    "notation", ["mnk:19,19,5", "mnk:20,20,5", f"connect:{LARGEST}x{LARGEST}", "cube:5", ONE_COLUMN]
)
def test_the_largest_boards_can_be_drawn_and_read(notation: str) -> None:
    game = line_game(notation)
    offers = resolve(game)
    state = game.initial()
    for action in (game.actions(state)[0], game.actions(state)[-1]):
        state = game.result(state, action)
        assert game.parse(offers.draw(state)) == game.parse(game.diagram(state)) == state


# Notation of positions.


@pytest.mark.parametrize("text", ["4453", "4 4 5 3", "4,4,5,3", "44 53", " 4 453 ", "4, 4, 5, 3"])
def test_columns_may_be_run_together(text: str) -> None:
    game = drop_game("connect-four")
    state = noughts.replay(game, text)
    assert state == noughts.replay(game, [4, 4, 5, 3])
    assert game.diagram(state) == "......./......./......./......./...O.../..OXX.."


def test_nine_columns_can_be_run_together_and_ten_cannot() -> None:
    nine, ten = drop_game("connect:9x4"), drop_game("connect:10x4")
    assert noughts.replay(nine, "9191") == noughts.replay(nine, [9, 1, 9, 1])
    assert noughts.replay(ten, "10 1 10") == noughts.replay(ten, "10,1,10") == noughts.replay(ten, [10, 1, 10])
    with pytest.raises(BadPosition, match=r"'1010' cannot be played at the start; you can play 1 2 3 4 5 6 7 8 9 10$"):
        noughts.replay(ten, "1010")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("48", "'8' cannot be played after 4; you can play 1 2 3 4 5 6 7"),
        ("0", "'0' cannot be played at the start"),
        ("4444444", "'4' cannot be played after 4 4 4 4 4 4; you can play 1 2 3 5 6 7"),
        ("12121213", "'3' cannot be played after 1 2 1 2 1 2 1: the game is over"),
        ("a", "'a' cannot be played"),
    ],
)
def test_columns_that_cannot_be_played(text: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint):
        noughts.replay(drop_game("connect-four"), text)


@pytest.mark.parametrize("action", [0, 8, -1, 4.0, "4", None])
def test_no_such_column(action: int) -> None:
    game = drop_game("connect-four")
    with pytest.raises(IllegalAction, match="is not a column; columns are 1 to 7"):
        game.result(game.initial(), action)


def test_a_full_column_and_a_finished_game_name_the_state() -> None:
    game = drop_game("connect:4x4")
    full, over = noughts.replay(game, "1111"), noughts.replay(game, "1212121")
    with pytest.raises(IllegalAction, match=r"column 1 is full in O\.\.\./X\.\.\./O\.\.\./X\.\.\."):
        game.result(full, 1)
    assert game.terminal(over)
    assert game.actions(over) == []
    with pytest.raises(IllegalAction, match="the game is over in X"):
        game.result(over, 3)


@pytest.mark.parametrize("text", ["b2 a1 d3", "6 1 12", "b2 1 12", "B2, A1, D3", "6,a1,D3"])
def test_cells_have_coordinates_and_numbers(text: str) -> None:
    game = line_game("mnk:4,3,3")
    assert game.diagram(noughts.replay(game, text)) == "O.../.X../...X"


@pytest.mark.parametrize("text", ["e1", "a4", "13", "0", "2b", "b", "b22"])
def test_cells_that_are_none(text: str) -> None:
    with pytest.raises(BadPosition, match="cannot be played at the start"):
        noughts.replay(line_game("mnk:4,3,3"), text)


# Reading boards of dropped stones.


@pytest.mark.parametrize("notation", ["connect:2x2", "connect:3x3,3"])
def test_exactly_the_reachable_boards_are_read(notation: str) -> None:
    """Of all ways to fill the cells, only those that play reaches are read."""
    game = drop_game(notation)
    reachable = {game.diagram(state): state for state in every_state(game)}
    for signs in product("XO.", repeat=len(game.cells)):
        rows = [signs[start : start + game.columns] for start in range(0, len(signs), game.columns)]
        diagram = "/".join(map("".join, rows))
        if diagram in reachable:
            assert game.parse(diagram) == reachable[diagram]
        else:
            with pytest.raises(BadPosition):
                game.parse(diagram)


def test_all_positions_of_connect_4x3_are_read_back() -> None:
    game = drop_game("connect:4x3")
    states = every_state(game)
    assert len(states) == 12_031
    for state in states:
        assert game.parse(game.diagram(state)) == state


def test_drawings_of_all_positions_of_connect_3x3_are_read_back() -> None:
    game = drop_game("connect:3x3,3")
    draw = resolve(game).draw
    for state in every_state(game):
        assert game.parse(draw(state)) == state


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("..../.X../..../....", "a stone hangs in the air in column 2"),
        ("...X/..../..../OX.O", "a stone hangs in the air in column 4"),
        # Both stones at the bottom are O's, so that X had nowhere to begin.
        ("..../..../XX../OO..", "no order of play leads to these stones"),
        # X's line lies under O's stones: it was made before them.
        ("..../..O./OOXO/XXXX", "no order of play leads to these stones"),
        ("..../..../OOOO/XXXX", "play would have ended before"),
        ("..../..../..../XX..", "X begins and O follows"),
        ("..../..../..../O...", "X begins and O follows"),
        ("..../..../....", "4 rows of 4 cells"),
        ("..../..../..../Z...", "'Z' is not a mark"),
    ],
)
def test_boards_of_stones_that_play_cannot_reach(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        drop_game("connect:4x4").parse(diagram)
    assert "\n" not in str(caught.value)


def test_one_stone_may_complete_two_lines() -> None:
    game = drop_game("connect:5x3,3")
    state = noughts.replay(game, "1 1 2 2 4 4 5 5 3")
    assert len(game.completed(state)) == 3
    assert game.parse(game.diagram(state)) == state
    assert game.utility(state) == 1


def test_a_drawing_shows_each_column_where_its_stone_would_land() -> None:
    game = drop_game("connect:4x3,3")
    assert resolve(game).draw(noughts.replay(game, "1 1 1 2")).splitlines()[::2] == [
        " X | . | . | .",
        " O | 2 | . | .",
        " X | O | 3 | 4",
    ]


def test_stones_have_one_mirror_image() -> None:
    game = drop_game("connect-four")
    images = {game.diagram(image) for image in game.symmetries(noughts.replay(game, "112"))}
    assert images == {
        "......./......./......./......./O....../XX.....",
        "......./......./......./......./......O/.....XX",
    }


# Cubes.


def test_layers_of_a_cube_are_drawn_apart_and_read_back() -> None:
    game = line_game("cube:3")
    draw = resolve(game).draw
    state = noughts.replay(game, "14 1 27 2 3")
    drawing = draw(state)
    layers = drawing.split("\n\n")
    assert len(layers) == 3
    assert [line.split() for line in layers[1].splitlines()[::2]] == [
        ["10", "|", "11", "|", "12"],
        ["13", "|", "X", "|", "15"],
        ["16", "|", "17", "|", "18"],
    ]
    assert [index for index, row in enumerate(game.board(state)) if not row] == [3, 7]
    assert game.parse(drawing) == game.parse(game.diagram(state)) == state


@pytest.mark.parametrize(("size", "lines"), [(2, 28), (3, 49), (4, 76), (5, 109)])
def test_lines_and_turns_of_a_cube(size: int, lines: int) -> None:
    game = line_game(f"cube:{size}")
    assert len(game.lines) == len(set(map(frozenset, game.lines))) == lines == ((size + 2) ** 3 - size**3) // 2
    assert all(len(line) == size for line in game.lines)
    assert len(list(game.symmetries(game.initial()))) == 48
    corners = {frozenset(cells(image.first)) for image in game.symmetries(noughts.replay(game, "1"))}
    assert len(corners) == 8


def test_a_line_through_the_layers_wins() -> None:
    game = line_game("cube:3")
    state = noughts.replay(game, "1 2 14 3 27")
    assert game.terminal(state)
    assert game.utility(state) == 1
    assert game.completed(state) == [(1, 14, 27)]


# The torus.


@pytest.mark.parametrize("line", ["d1 b3 a1 c3 b1", "a4 b3 a1 c3 a2", "d1 b4 a2 c4 b3"])
def test_lines_of_a_torus_wrap(line: str) -> None:
    torus, flat = line_game("mnk:4,4,3,torus"), line_game("mnk:4,4,3")
    assert torus.utility(noughts.replay(torus, line)) == 1
    assert not flat.terminal(noughts.replay(flat, line))


def test_every_cell_of_a_torus_is_alike() -> None:
    game = line_game("mnk:4,4,3,torus")
    assert len(game.lines) == 4 * 16
    assert set(Counter(cell for line in game.lines for cell in line).values()) == {12}


def test_symmetries_of_a_torus_include_shifts() -> None:
    torus, flat = line_game("mnk:4,4,3,torus"), line_game("mnk:4,4,3")

    def images(game: LineGame) -> set[frozenset[int]]:
        return {frozenset(cells(image.first)) for image in game.symmetries(noughts.replay(game, "a1"))}

    assert images(flat) == {frozenset({cell}) for cell in (1, 4, 13, 16)}
    assert images(torus) == {frozenset({cell}) for cell in torus.cells}
    assert len(list(torus.symmetries(torus.initial()))) == 8 * 16


# Bounds.


@pytest.mark.parametrize(
    "notation",
    [
        "connect:3x3",
        "connect:3x3,3",
        "mnk:3,3,3",
        "mnk:3,3,3,misere",
        "mnk:3,3,3,torus,misere",
    ],
)
def test_values_lie_within_bounds(notation: str) -> None:
    game = line_game(notation)
    memo = Memo(game)
    for state in every_state(game):
        low, high = game.utility_bounds(state)
        assert low <= game.player(state) * UTILITY[memo.value(state).value] <= high, game.diagram(state)


def utilities_in_reach(game: LineGame, states: list[Marks]) -> dict[Hashable, tuple[int, int]]:
    """Return the lowest and the highest utility at any end below each state, whoever plays how."""
    reach: dict[Hashable, tuple[int, int]] = {}
    for state in reversed(states):
        if game.terminal(state):
            reach[game.key(state)] = (game.utility(state), game.utility(state))
        else:
            below = [reach[game.key(game.result(state, action))] for action in game.actions(state)]
            reach[game.key(state)] = (min(low for low, _ in below), max(high for _, high in below))
    return reach


@pytest.mark.parametrize("notation", ["mnk:3,3,3", "mnk:3,3,3,misere", "connect:3x3,3"])
def test_all_that_can_be_reached_lies_within_bounds(notation: str) -> None:
    game = line_game(notation)
    states = every_state(game)
    reach = utilities_in_reach(game, states)
    for state in states:
        (low, high), (lowest, highest) = game.utility_bounds(state), reach[game.key(state)]
        if not game.terminal(state):
            assert low <= lowest <= highest <= high, game.diagram(state)


def test_an_empty_line_is_open_to_both() -> None:
    assert line_game("mnk:3,3,3").utility_bounds(Marks()) == line_game("misere").utility_bounds(Marks()) == (-1, 1)
    won_by_the_first = line_game("mnk:3,3,3,torus,misere")
    assert noughts.proof(won_by_the_first).value == Memo(won_by_the_first).value(Marks()).value == "win"


def test_a_touch_of_an_empty_cell_plays_its_column() -> None:
    game = make("3x2,2")
    board = game.board(noughts.replay(game, "1 1 3"))
    assert [[cell.plays for cell in row] for row in board] == [[(), (2,), (3,)], [(), (2,), ()]]
    assert [[cell.action for cell in row] for row in board] == [[None, None, 3], [None, 2, None]]
    over = game.board(noughts.replay(game, "1 3 2"))
    assert not any(cell.plays for row in over for cell in row)
