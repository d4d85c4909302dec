from random import Random

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.errors import BadPosition, IllegalAction
from noughts.game import MAX, MIN
from noughts.games.reversi import PASS, Discs, Reversi, make
from noughts.notation import replay
from noughts.testing import check_game
from tests.helpers import every_state

SIZES = (4, 6, 8)
EARLIEST_PASS = "b1 c1 d3 a1 pass"
"""On 4 x 4: how play comes to a pass as soon as possible."""


@pytest.fixture(scope="module")
def small_states() -> list[Discs]:
    """All 62,789 states of the game on 4 x 4."""
    return every_state(Reversi(4))


def playout(game: Reversi, seed: int) -> list[Discs]:
    """Return the states of a game of chance, the last one over."""
    random, state = Random(seed), game.initial()
    states = [state]
    while not game.terminal(state):
        state = game.result(state, random.choice(game.actions(state)))
        states.append(state)
    return states


def count_lines(game: Reversi, state: Discs, plies: int) -> int:
    """Return how many lines of play of so many plies there are."""
    if plies == 0:
        return 1
    return sum(count_lines(game, game.result(state, action), plies - 1) for action in game.actions(state))


class SlowBoard:
    """The rules once more, on rows of signs, a step at a time: what the bits are compared with."""

    def __init__(self, size: int) -> None:
        self.rows = [["."] * size for _ in range(size)]
        half = size // 2
        self.rows[half - 1][half - 1] = self.rows[half][half] = "W"
        self.rows[half - 1][half] = self.rows[half][half - 1] = "B"

    def turned(self, row: int, column: int, own: str) -> list[tuple[int, int]]:
        if self.rows[row][column] != ".":
            return []
        found: list[tuple[int, int]] = []
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                run: list[tuple[int, int]] = []
                r, c = row + down, column + right
                while self.sign(r, c) not in (own, ".", ""):
                    run.append((r, c))
                    r, c = r + down, c + right
                if self.sign(r, c) == own:
                    found += run
        return found

    def sign(self, row: int, column: int) -> str:
        """Return what lies on a square, nothing outside the board."""
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows)
        return self.rows[row][column] if inside else ""

    def placements(self, own: str) -> list[int]:
        size = len(self.rows)
        return [r * size + c + 1 for r in range(size) for c in range(size) if self.turned(r, c, own)]

    def place(self, square: int, own: str) -> None:
        row, column = divmod(square - 1, len(self.rows))
        for r, c in [*self.turned(row, column, own), (row, column)]:
            self.rows[r][c] = own


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(8))
def test_bits_agree_with_a_slow_board_through_whole_games(size: int, seed: int) -> None:
    game, slow, random = Reversi(size), SlowBoard(size), Random(seed)
    state, mover = game.initial(), "B"
    while True:
        other = "W" if mover == "B" else "B"
        assert game.diagram(state) == "/".join(map("".join, slow.rows)) + " " + mover.lower()
        expected = slow.placements(mover) or ([PASS] if slow.placements(other) else [])
        assert game.actions(state) == expected
        assert game.terminal(state) == (not expected)
        if not expected:
            break
        action = random.choice(expected)
        state = game.result(state, action)
        if action != PASS:
            slow.place(action, mover)
        mover = other
    signs = "".join(map("".join, slow.rows))
    assert game.utility(state) == signs.count("B") - signs.count("W")


def test_lines_of_play_on_eight_by_eight_as_published() -> None:
    game = Reversi(8)
    counts = [count_lines(game, game.initial(), plies) for plies in range(7)]
    assert counts == [1, 4, 12, 56, 244, 1396, 8200]


def test_second_player_wins_four_by_four_by_eight() -> None:
    game = Reversi(4)
    answer = noughts.analyse(game)
    assert (answer.value, answer.margin, answer.distance) == ("loss", -8, 10)
    end = replay(game, answer.line)
    assert (end.black.bit_count(), end.white.bit_count()) == (3, 11)


@pytest.mark.long
def test_whole_game_on_four_by_four_keeps_the_contract() -> None:
    report = check_game(Reversi(4), positions=100_000)
    assert report.ok, report
    assert report.complete
    assert report.positions == 62_789


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("positions", [120, pytest.param(3000, marks=pytest.mark.long)])
def test_boards_keep_the_contract(size: int, positions: int) -> None:
    report = check_game(Reversi(size), positions=positions)
    assert report.ok, report


def test_utility_range_is_reached(small_states: list[Discs]) -> None:
    game = Reversi(4)
    utilities = [game.utility(state) for state in small_states if game.terminal(state)]
    assert (min(utilities), max(utilities)) == game.utility_range == (-16, 16)


def test_pass_is_offered_only_to_who_cannot_place(small_states: list[Discs]) -> None:
    game = Reversi(4)
    passes = [state for state in small_states if PASS in game.actions(state)]
    assert passes
    for state in passes:
        assert game.actions(state) == [PASS]
        after = game.result(state, PASS)
        assert after == (state.black, state.white, -state.mover)
        assert PASS not in game.actions(after)
        assert game.actions(after)


def test_pass_by_name() -> None:
    game = Reversi(4)
    *placed, passed = EARLIEST_PASS.split()
    before, after = replay(game, placed), replay(game, EARLIEST_PASS)
    assert game.action_name(PASS) == passed
    assert (before.mover, after.mover) == (MAX, MIN)
    assert game.parse(game.draw(before)) == before
    with pytest.raises(BadPosition, match="'pass' cannot be played after b1"):
        replay(game, "b1 pass")


def test_squares_have_names_and_numbers() -> None:
    game = Reversi(8)
    assert replay(game, "d3 c5") == replay(game, "20 35") == replay(game, "D3, C5") == replay(game, [20, 35])
    assert [game.action_name(square) for square in (1, 8, 57, 64)] == ["a1", "h1", "a8", "h8"]


def test_four_symmetries_keep_the_start() -> None:
    game = Reversi(6)
    assert set(game.symmetries(game.initial())) == {game.initial()}
    moved = game.result(game.initial(), game.actions(game.initial())[0])
    followers = {game.result(game.initial(), action) for action in game.actions(game.initial())}
    assert set(game.symmetries(moved)) == followers
    assert len(followers) == 4


def test_keys_tell_states_apart() -> None:
    game = Reversi(4)
    seen = {state for seed in range(300) for state in playout(game, seed)}
    other_mover = {Discs(state.black, state.white, -state.mover) for state in seen}
    assert len({game.key(state) for state in seen | other_mover}) == len(seen | other_mover) > len(seen) > 1000


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_drawings_and_diagrams_are_read_back(size: int, seed: int) -> None:
    game = Reversi(size)
    draw = resolve(game).draw
    for state in playout(game, seed):
        assert game.parse(draw(state)) == state
        assert game.parse(game.diagram(state)) == state
        assert game.parse(game.diagram(state).upper()) == state


def test_every_seventh_state_of_four_by_four_is_read_back(small_states: list[Discs]) -> None:
    game = Reversi(4)
    for state in small_states[::7]:
        assert game.parse(game.diagram(state)) == state


def test_drawing_shows_where_one_can_play() -> None:
    assert (
        Reversi(4).draw(Reversi(4).initial())
        == """\
 .  | b1 | .  | .
----+----+----+----
 a2 | W  | B  | .
----+----+----+----
 .  | B  | W  | d3
----+----+----+----
 .  | .  | c4 | .
B to move"""
    )


def test_cells_offer_exactly_the_actions_and_what_is_taken() -> None:
    game = Reversi(4)
    state = replay(game, "b1")
    cells = [cell for row in game.board(state) for cell in row]
    assert [cell.action for cell in cells if cell.action and not cell.mark] == game.actions(state)
    assert [cell.action for cell in cells if cell.mark] == [2, 6, 7, 10, 11]
    assert [cell.mark for cell in cells if cell.mark] == ["B", "B", "B", "B", "W"]


def test_names_in_a_drawing_tell_who_is_to_move() -> None:
    game = Reversi(4)
    state = replay(game, "b1")
    drawing = game.draw(state)
    assert drawing.endswith("\nW to move")
    assert game.parse(drawing.removesuffix("\nW to move")) == state


def test_names_that_fit_both_players_leave_the_word_to_tell() -> None:
    game = Reversi(4)
    black, white = (game.parse(f"BWW./BBWB/WWWW/WWWW {word}") for word in "bw")
    assert (black.mover, white.mover) == (MAX, MIN)
    assert game.actions(black) == game.actions(white) == [4]
    with pytest.raises(BadPosition, match="who is to move"):
        game.parse(game.draw(black).removesuffix("\nB to move"))


def test_four_discs_need_no_word() -> None:
    assert Reversi(4).parse("..../.WB./.BW./....") == Reversi(4).initial()


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "4 rows of 4 squares"),
        ("..../.WB./.BW. b", "4 rows of 4 squares"),
        ("..../.WB./.BW./..... b", "4 rows of 4 squares"),
        ("..../.ZB./.BW./.... b", "'Z' is not a disc"),
        ("a2.../.WB./.BW./.... b", "'a2' is not a disc"),
        ("..../..B./.BW./.... b", "centre are never empty"),
        ("B.../.WB./.BW./...B x", "'x' is nobody"),
        ("BB../.WB./.BW./...B", "who is to move"),
        ("..../.BW./.WB./.... b", "only ..../.WB./.BW./.... b"),
        ("..../.WB./.BW./.... w", "W cannot be to move"),
        ("..../.WB./.BW./b4... b", "'b4' is not a disc"),
        ("..../.WB./.BW./a4... b", "bear their names"),
        (".b1../a2WB./.BWd3/..c4. w", "W cannot be to move"),
    ],
)
def test_bad_diagrams_get_one_clear_line(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        Reversi(4).parse(diagram)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "diagram",
    [
        "....../....../..WB../..BW../....../B..... w",
        "....../....../..WBBB/B.BW../....../...... w",  # f3 and a4 follow each other as one reads, and do not touch
        "....../.....B/BBWB../..BW../....../...... w",  # nor do f2 and a3
    ],
)
def test_a_disc_apart_from_the_others_is_refused(diagram: str) -> None:
    with pytest.raises(BadPosition, match="hangs together"):
        Reversi(6).parse(diagram)


@pytest.mark.parametrize("action", [-1, 17, 2.0, "b1", None, 0.0])
def test_no_such_square(action: int) -> None:
    with pytest.raises(IllegalAction, match="is not a square; squares are 1 to 16"):
        Reversi(4).result(Reversi(4).initial(), action)


@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        (1, "a1 turns no disc over in ..../.WB./.BW./.... b"),
        (6, "b2 is taken in ..../.WB./.BW./.... b"),
        (PASS, "nobody may pass in ..../.WB./.BW./.... b"),
    ],
)
def test_illegal_actions_name_themselves_and_the_state(action: int, complaint: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        Reversi(4).result(Reversi(4).initial(), action)
    assert str(caught.value) == complaint


def test_nothing_can_be_played_after_the_end() -> None:
    game = Reversi(4)
    end = playout(game, 0)[-1]
    assert game.actions(end) == []
    for action in range(17):
        with pytest.raises(IllegalAction):
            game.result(end, action)


def test_states_are_values() -> None:
    game = Reversi(4)
    start = game.initial()
    assert game.result(start, 2) != start
    assert start == game.initial() == Reversi(4).initial()


def test_heuristic_sees_corners_and_choices_and_both_colours_alike() -> None:
    game = Reversi(6)
    assert game.heuristic(game.initial()) == 0
    guesses = []
    for state in playout(game, 3):
        swapped = Discs(state.white, state.black, -state.mover)
        assert game.heuristic(state) == -game.heuristic(swapped)
        guesses.append(game.heuristic(state))
    assert any(guesses)
    assert game.heuristic(Discs(0b1, 0)) == 30
    white_e2, black_f2 = 1 << 10, 1 << 11
    assert game.heuristic(Discs(black_f2, white_e2)) == 1  # d2 for Black, nothing for White


def test_preference_is_corners_edges_inside_and_then_their_neighbours() -> None:
    game = Reversi(8)
    names = [game.action_name(action) for action in game.preferred]
    assert names[:4] == ["a1", "h1", "a8", "h8"]
    assert names[4] == "c1"
    assert names[-5:] == ["b2", "g2", "b7", "g7", "pass"]
    assert sorted(game.preferred) == [PASS, *game.squares]


def test_notation() -> None:
    assert [make(arguments).size for arguments in ("", "4", "6", "8")] == [8, 4, 6, 8]
    for wrong in ("5", "10", "2", "x", "4,4", "-4", "４"):
        with pytest.raises(ValueError, match="the size is 4, 6 or 8"):
            make(wrong)
    with pytest.raises(ValueError, match="4, 6 or 8 squares a side"):
        Reversi(7)


def test_title_and_players() -> None:
    offers = resolve(Reversi(6))
    assert offers.title == "Reversi on 6 x 6"
    assert offers.marks == ("B", "W")
    assert Reversi(6).player(Reversi(6).initial()) == MAX
