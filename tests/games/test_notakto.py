"""Notakto, against brute force over all 512 fillings of a board and a search of its own."""

from collections import Counter
from functools import cache
from itertools import permutations, product
from random import Random

import pytest

import noughts
from noughts import MAX, MIN
from noughts.capabilities import resolve
from noughts.errors import BadPosition, IllegalAction
from noughts.games.notakto import DEAD, Boards, Notakto, make
from noughts.games.tictactoe import LINES
from noughts.testing import check_game
from tests.helpers import every_state

Filled = frozenset[int]
"""The cells of a board that hold an X, for the brute force, which knows nothing of bits."""

ONE, TWO, THREE = Notakto(1), Notakto(2), Notakto(3)
EVERY_FILLING = [frozenset(cell for cell in range(1, 10) if number >> cell - 1 & 1) for number in range(512)]


def lined(filled: Filled) -> bool:
    return any(filled.issuperset(line) for line in LINES)


def reachable(filled: Filled) -> bool:
    return not lined(filled) or any(not lined(filled - {last}) for last in filled)


def diagram_of(filled: Filled) -> str:
    marks = "".join("X" if cell in filled else "." for cell in range(1, 10))
    return f"{marks[:3]}/{marks[3:6]}/{marks[6:]}"


def by_chance(game: Notakto, games: int) -> list[Boards]:
    """Return the states of some games played at random."""
    random = Random(0)
    states = [game.initial()]
    for _ in range(games):
        state = game.initial()
        while not game.terminal(state):
            state = game.result(state, random.choice(game.actions(state)))
            states.append(state)
    return states


@pytest.mark.parametrize(("game", "positions", "complete"), [(ONE, 20_000, True), (TWO, 500, False)])
def test_the_checker_finds_nothing(game: Notakto, positions: int, complete: bool) -> None:
    report = check_game(game, positions)
    assert report.ok, report
    assert report.complete == complete


@pytest.mark.long
def test_the_checker_finds_nothing_on_three_boards() -> None:
    report = check_game(THREE, positions=200)
    assert report.ok, report


def test_position_counts_by_ply() -> None:
    by_ply = Counter(state.crosses[0].bit_count() for state in every_state(ONE))
    assert [by_ply[ply] for ply in range(8)] == [1, 9, 36, 84, 126, 126, 62, 6]
    assert by_ply == Counter(len(filled) for filled in EVERY_FILLING if reachable(filled))
    assert by_ply.total() == 450


def test_positions_up_to_symmetry() -> None:
    states = every_state(ONE)
    assert len({min(map(ONE.key, ONE.symmetries(state))) for state in states}) == 87
    assert len({ONE.canonical(state) for state in states}) == 87


def test_dead_boards() -> None:
    assert len(DEAD) == sum(map(lined, EVERY_FILLING))
    assert {board for board in range(512) if lined(EVERY_FILLING[board])} == DEAD


def test_the_longest_game() -> None:
    assert max(len(filled) for filled in EVERY_FILLING if reachable(filled)) == ONE.longest == 7
    assert (TWO.longest, THREE.longest) == (14, 21)


def test_one_board_is_won_by_the_centre() -> None:
    answer = noughts.analyse(ONE)
    assert answer.proven
    assert (answer.value, answer.best) == ("win", ("a5",))


def test_two_boards_are_lost() -> None:
    answer = noughts.analyse(TWO)
    assert answer.proven
    assert answer.value == "loss"


@cache
def images(board: int) -> frozenset[int]:
    return frozenset(image.crosses[0] for image in ONE.symmetries(Boards((board,))))


@cache
def mover_wins(live: tuple[int, ...]) -> bool:
    """Say who wins with these live boards, by the rules alone: without any, the other player has just lost."""
    if not live:
        return True
    for place, board in enumerate(live):
        for cell in range(9):
            if not board >> cell & 1:
                filled = board | 1 << cell
                still_live = [] if lined(EVERY_FILLING[filled]) else [min(images(filled))]
                if not mover_wins(tuple(sorted([*live[:place], *live[place + 1 :], *still_live]))):
                    return True
    return False


def test_who_wins_with_one_two_and_three_boards() -> None:
    assert [mover_wins((0,) * boards) for boards in (1, 2, 3)] == [True, False, True]


@pytest.mark.parametrize("game", [ONE, TWO])
def test_the_game_agrees_with_the_search_of_this_test_in_every_position_looked_at(game: Notakto) -> None:
    for state in by_chance(game, 12):
        if len(game.actions(state)) < 12:
            live = (min(images(board)) for board in state.crosses if not lined(EVERY_FILLING[board]))
            assert noughts.value(game, state).value == ("win" if mover_wins(tuple(sorted(live))) else "loss")


def test_killing_the_last_board_loses_and_killing_another_does_not() -> None:
    assert not TWO.terminal(noughts.replay(TWO, "a1 a2 a3"))
    second_killed = noughts.replay(TWO, "a1 b1 a2 b2 a3 b3")
    first_killed = noughts.replay(TWO, "a1 b1 a2 b2 b5 b3 a3")
    assert (TWO.terminal(second_killed), TWO.utility(second_killed)) == (True, MAX)
    assert (TWO.terminal(first_killed), TWO.utility(first_killed)) == (True, MIN)
    assert TWO.misere


@pytest.mark.parametrize(("game", "images"), [(ONE, 8), (TWO, 16), (THREE, 48)])
def test_symmetries_are_a_group(game: Notakto, images: int) -> None:
    """Every image has the same images, and the state is among its own."""
    for state in by_chance(game, 3):
        found = list(game.symmetries(state))
        assert len(found) == images
        assert state in found
        assert all(set(game.symmetries(image)) == set(found) for image in found)


@pytest.mark.parametrize("game", [ONE, TWO])
def test_the_canonical_image_is_the_lowest_of_the_full_product(game: Notakto) -> None:
    for state in by_chance(game, 5):
        product_of_images = (
            Boards(order) for turned in product(*map(images, state.crosses)) for order in permutations(turned)
        )
        assert game.canonical(state) == min(product_of_images, key=game.key)


def test_keys_tell_states_apart() -> None:
    states = set(by_chance(THREE, 50))
    assert len({THREE.key(state) for state in states}) == len(states)


def test_drawings_and_diagrams_of_all_positions_of_one_board_are_read_back() -> None:
    draw = resolve(ONE).draw
    for state in every_state(ONE):
        assert ONE.parse(ONE.diagram(state)) == ONE.parse(draw(state)) == state


@pytest.mark.parametrize("game", [TWO, THREE])
def test_drawings_and_diagrams_of_many_positions_are_read_back(game: Notakto) -> None:
    draw = resolve(game).draw
    for state in by_chance(game, 100):
        assert game.parse(game.diagram(state)) == game.parse(draw(state)) == state


def test_exactly_the_reachable_boards_are_read() -> None:
    for board, filled in enumerate(EVERY_FILLING):
        if reachable(filled):
            assert ONE.parse(diagram_of(filled)) == Boards((board,))
            assert TWO.parse(f".../.../...//{diagram_of(filled)}") == Boards((0, board))
        else:
            with pytest.raises(BadPosition, match="dead before"):
                ONE.parse(diagram_of(filled))
            with pytest.raises(BadPosition, match="dead before"):
                TWO.parse(f".../.../...//{diagram_of(filled)}")


@pytest.mark.parametrize("diagram", ["x__/___/__x", "X23/456/78X", "[X]|a2|A3/ | | /7|8|X", "X../.../..X\n"])
def test_other_ways_to_write_a_diagram(diagram: str) -> None:
    assert ONE.parse(diagram) == noughts.replay(ONE, "a1 a9")


def test_the_drawing_names_the_cells_that_can_be_played() -> None:
    drawn = resolve(TWO).draw(noughts.replay(TWO, "a1 b5 a2 a3")).splitlines()
    assert drawn[:3] == [" X  | X  | X", "----+----+----", " .  | .  | ."]
    assert drawn[5:9] == ["", " b1 | b2 | b3", "----+----+----", " b4 | X  | b6"]
    board = TWO.board(noughts.replay(TWO, "a1 b5 a2 a3"))
    assert [cell.action for row in board for cell in row if cell.lit] == ["a1", "a2", "a3"]


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "6 rows of 3 cells"),
        ("X../.../...", "6 rows of 3 cells"),
        ("X../.../...//.../.../....", "6 rows of 3 cells"),
        ("X../.../...//O../.../...", "'O' is not a mark of cell b1"),
        ("b1|.|./.../...//.../.../...", "'b1' is not a mark of cell a1"),
        ("1../.../...//.../.../...", "'1' is not a mark of cell a1"),
        ("XXX/XXX/...//.../.../...", "dead before"),
    ],
)
def test_bad_diagrams_get_one_clear_line(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        TWO.parse(diagram)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", ["a0", "a10", "c1", "A1", "5", "", 5, None, ["a5"]])
def test_no_such_cell(action: str) -> None:
    with pytest.raises(IllegalAction, match=r"is not a cell in \.\.\..*; cells are a1 to b9") as caught:
        TWO.result(TWO.initial(), action)
    assert repr(action) in str(caught.value)


@pytest.mark.parametrize(
    ("played", "action", "complaint"),
    [
        ("a5", "a5", r"a5 .* the cell is taken in \.\.\./\.X\./\.\.\.//"),
        ("a1 a2 a3", "a9", "a9 .* board a is dead in XXX/"),
        ("a1 a2 a3 b1 b2 b3", "b9", "b9 .* the game is over in XXX/"),
    ],
)
def test_illegal_actions_name_the_action_and_the_state(played: str, action: str, complaint: str) -> None:
    state = noughts.replay(TWO, played)
    assert action not in TWO.actions(state)
    with pytest.raises(IllegalAction, match=complaint):
        TWO.result(state, action)


def test_bare_numbers_are_read_on_one_board_only() -> None:
    assert noughts.replay(ONE, "5 1") == noughts.replay(ONE, "a5 a1")
    with pytest.raises(BadPosition, match="'5' cannot be played"):
        noughts.replay(TWO, "5")


def test_what_it_prefers() -> None:
    assert TWO.preferred[:4] == ("a5", "b5", "a2", "b2")
    assert sorted(TWO.preferred) == TWO.actions(TWO.initial())
    assert [TWO.action_name(action) for action in TWO.preferred] == list(TWO.preferred)


@pytest.mark.parametrize(("arguments", "boards"), [("", 1), ("1", 1), ("2", 2), (" 3 ", 3)])
def test_make(arguments: str, boards: int) -> None:
    game = make(arguments)
    assert game.initial() == Boards((0,) * boards)
    assert (str(boards) in game.title) == (boards > 1)


@pytest.mark.parametrize("arguments", ["0", "4", "-1", "two", "2,2", "9" * 5000, "²"])
def test_make_refuses(arguments: str) -> None:
    with pytest.raises(ValueError, match="the number of boards is 1 to 3, not ") as caught:
        make(arguments)
    assert len(str(caught.value)) < 80


@pytest.mark.parametrize("boards", [0, 4])
def test_so_does_the_class(boards: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 3 boards, not {boards}"):
        Notakto(boards)


def test_three_boards_are_won_by_search() -> None:
    """Alpha-beta, with one key for all images of three boards, proves it from the start."""
    answer = noughts.alphabeta(noughts.load("notakto:3"), wanted="one")
    assert (answer.value, answer.proven, answer.best) == ("win", True, ("a5",))
