from random import Random

import pytest

from noughts.board import GAP, text
from noughts.capabilities import resolve
from noughts.errors import BadPosition, IllegalAction
from noughts.game import MAX, MIN
from noughts.games.ultimate import ULTIMATE, Fields, make
from noughts.notation import replay
from noughts.testing import check_game
from noughts.trees.labels import diagram

EMPTY = "........."
O_WINS_FIELD_1 = "21 14 41 17 71 11"
X_WINS = "42 21 13 35 58 86 65 54 43 39 99 92 22 24 41 14 55 56 66 61 11 19 97 75 52 25 28 84 64"


def diagram_of(**rows: str) -> str:
    """Return a diagram in which some rows, `r1` to `r9`, are not empty, and `field` stands at the end."""
    field = rows.pop("field", "")
    board = "/".join(rows.get(f"r{number}", EMPTY) for number in range(1, 10))
    return f"{board} {field}" if field else board


def playout(seed: int) -> list[Fields]:
    """Return the states of a game of chance, the last one over."""
    random, state = Random(seed), ULTIMATE.initial()
    states = [state]
    while not ULTIMATE.terminal(state):
        state = ULTIMATE.result(state, random.choice(ULTIMATE.actions(state)))
        states.append(state)
    return states


def count_lines(state: Fields, plies: int) -> int:
    """Return how many lines of play of so many plies there are."""
    if plies == 0:
        return 1
    return sum(count_lines(ULTIMATE.result(state, action), plies - 1) for action in ULTIMATE.actions(state))


class SlowBoard:
    """The rules once more, on lists of lists and without bits: what the game is compared with."""

    def __init__(self) -> None:
        self.fields = [[" "] * 9 for _ in range(9)]
        self.played: list[tuple[int, int]] = []

    @staticmethod
    def owner(field: list[str]) -> str:
        """Return who has three in a row among nine signs."""
        rows = [field[0:3], field[3:6], field[6:9], field[0::3], field[1::3], field[2::3], field[0::4], field[2:7:2]]
        for row in rows:
            if row in (["X"] * 3, ["O"] * 3):
                return row[0]
        return " "

    def winner(self) -> str:
        return self.owner([self.owner(field) for field in self.fields])

    def is_open(self, number: int) -> bool:
        return self.owner(self.fields[number]) == " " and " " in self.fields[number]

    def moves(self) -> list[tuple[int, int]]:
        if self.winner() != " ":
            return []
        numbers = [self.played[-1][1]] if self.played and self.is_open(self.played[-1][1]) else range(9)
        return [(f, c) for f in numbers if self.is_open(f) for c in range(9) if self.fields[f][c] == " "]

    def play(self, move: tuple[int, int]) -> None:
        self.fields[move[0]][move[1]] = "XO"[len(self.played) % 2]
        self.played.append(move)

    def take_back(self) -> None:
        field, cell = self.played.pop()
        self.fields[field][cell] = " "

    def count_lines(self, plies: int) -> int:
        if plies == 0:
            return 1
        total = 0
        for move in self.moves():
            self.play(move)
            total += self.count_lines(plies - 1)
            self.take_back()
        return total


def test_lines_of_play() -> None:
    assert [count_lines(ULTIMATE.initial(), plies) for plies in range(4)] == [1, 81, 72 * 9 + 9 * 8, 6336]


@pytest.mark.parametrize("plies", [3, 4])
def test_lines_of_play_agree_with_a_slow_board(plies: int) -> None:
    assert count_lines(ULTIMATE.initial(), plies) == SlowBoard().count_lines(plies)


@pytest.mark.parametrize("seed", range(30))
def test_whole_games_agree_with_a_slow_board(seed: int) -> None:
    random, slow, state = Random(seed), SlowBoard(), ULTIMATE.initial()
    while True:
        moves = slow.moves()
        assert ULTIMATE.actions(state) == [10 * (field + 1) + cell + 1 for field, cell in moves]
        assert ULTIMATE.terminal(state) == (not moves)
        assert ULTIMATE.player(state) == (MIN if len(slow.played) % 2 else MAX)
        if not moves:
            break
        field, cell = random.choice(moves)
        slow.play((field, cell))
        state = ULTIMATE.result(state, 10 * (field + 1) + cell + 1)
    assert ULTIMATE.utility(state) == {"X": 1, "O": -1, " ": 0}[slow.winner()]


def test_games_of_chance_end_in_every_way() -> None:
    assert {ULTIMATE.utility(playout(seed)[-1]) for seed in range(30)} == {1, 0, -1}


@pytest.mark.parametrize("positions", [200, pytest.param(3000, marks=pytest.mark.long)])
def test_keeps_the_contract(positions: int) -> None:
    report = check_game(ULTIMATE, positions=positions)
    assert report.ok, report


def test_a_cell_sends_to_the_field_in_its_place() -> None:
    assert ULTIMATE.actions(replay(ULTIMATE, "53")) == list(range(31, 40))
    assert ULTIMATE.actions(replay(ULTIMATE, "55")) == [51, 52, 53, 54, 56, 57, 58, 59]


def test_who_is_sent_to_a_won_field_plays_in_any_open_one() -> None:
    state = replay(ULTIMATE, O_WINS_FIELD_1)
    assert (state.first_won, state.second_won) == (0, 1)
    assert {action // 10 for action in ULTIMATE.actions(state)} == set(range(2, 10))
    assert not ULTIMATE.terminal(state)


def test_a_full_field_is_closed_too() -> None:
    closed_by_being_full = 0
    for state in (state for seed in range(30) for state in playout(seed)):
        for field, (first, second) in enumerate(zip(state.first, state.second, strict=True)):
            if first | second == 0b111_111_111:
                assert not state.playable >> field & 1
                closed_by_being_full += not (state.first_won | state.second_won) >> field & 1
    assert closed_by_being_full


def test_symmetries_are_eight_and_go_on_alike() -> None:
    for state in playout(5)[::9]:
        images = ULTIMATE.symmetries(state)
        assert len(images) == 8
        assert state in images
        assert {len(ULTIMATE.actions(image)) for image in images} == {len(ULTIMATE.actions(state))}
    corners = {ULTIMATE.diagram(image) for image in ULTIMATE.symmetries(replay(ULTIMATE, "12"))}
    expected = {ULTIMATE.diagram(replay(ULTIMATE, [first])) for first in (12, 32, 14, 36, 74, 96, 78, 98)}
    assert corners == expected


def test_symmetries_follow_every_line_of_play() -> None:
    """A turn of the board, applied to each action of a game, leads to the turned states."""
    quarter = dict(zip("123456789", "369258147", strict=True))
    random, state, turned = Random(7), ULTIMATE.initial(), ULTIMATE.initial()
    while not ULTIMATE.terminal(state):
        action = random.choice(ULTIMATE.actions(state))
        state = ULTIMATE.result(state, action)
        turned = ULTIMATE.result(turned, int("".join(quarter[digit] for digit in str(action))))
        assert turned in ULTIMATE.symmetries(state)


def test_keys_tell_equal_marks_apart_by_where_to_play() -> None:
    one, other = replay(ULTIMATE, "12 22 21 11"), replay(ULTIMATE, "21 11 12 22")
    assert (one.first, one.second) == (other.first, other.second)
    assert ULTIMATE.key(one) != ULTIMATE.key(other)


@pytest.mark.parametrize("seed", range(15))
def test_drawings_and_diagrams_are_read_back(seed: int) -> None:
    draw = resolve(ULTIMATE).draw
    for state in playout(seed):
        assert ULTIMATE.parse(draw(state)) == state
        assert ULTIMATE.parse(ULTIMATE.diagram(state)) == state
        assert ULTIMATE.parse(ULTIMATE.diagram(state).lower()) == state


def test_drawing_shows_where_one_must_play() -> None:
    lines = resolve(ULTIMATE).draw(replay(ULTIMATE, "53")).splitlines()
    assert lines[0] == " .  | .  | .  || .  | .  | .  || 31 | 32 | 33"
    assert lines[5:7] == ["", " .  | .  | .  || .  | .  | X  || .  | .  | ."]
    assert len(lines) == 17


def test_diagram_ends_with_the_field_if_it_must_be_that_one() -> None:
    assert ULTIMATE.diagram(ULTIMATE.initial()) == diagram_of()
    assert ULTIMATE.diagram(replay(ULTIMATE, "53")) == diagram_of(r4=".....X...", field="3")
    assert ULTIMATE.diagram(replay(ULTIMATE, O_WINS_FIELD_1)) == diagram_of(
        r1="O..X.....", r2="O........", r3="O........", r4="X........", r7="X........"
    )


def test_field_may_stand_on_a_line_of_its_own() -> None:
    state = replay(ULTIMATE, "53 35")
    assert ULTIMATE.parse(ULTIMATE.diagram(state).replace("/", "\n").replace(" ", "\n")) == state


def test_cells_offer_exactly_the_actions_and_what_is_taken() -> None:
    state = replay(ULTIMATE, "53 35")
    cells = [cell for row in ULTIMATE.board(state) for cell in row]
    assert sorted(cell.action for cell in cells if cell.action and not cell.mark) == ULTIMATE.actions(state)
    assert {cell.action: cell.mark for cell in cells if cell.mark} == {53: "X", 35: "O"}


def test_the_winning_rows_are_lit() -> None:
    state = replay(ULTIMATE, X_WINS)
    assert ULTIMATE.utility(state) == 1
    assert state.first_won == 0b000_111_000
    lit = {cell.action for row in ULTIMATE.board(state) for cell in row if cell.lit}
    assert {action // 10 for action in lit} == {4, 5, 6}
    assert {cell.mark for row in ULTIMATE.board(state) for cell in row if cell.lit} == {"X"}
    one_before = replay(ULTIMATE, X_WINS.split()[:-1])
    before = {cell.action // 10 for row in ULTIMATE.board(one_before) for cell in row if cell.lit}
    won = one_before.first_won | one_before.second_won
    assert before == {field for field in range(1, 10) if won >> field - 1 & 1}, "every field that is won so far"
    assert len(before & {4, 5, 6}) == 2


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "9 rows of 9 cells"),
        (diagram_of(r3="........"), "9 rows of 9 cells"),
        (diagram_of() + "/" + EMPTY, "9 rows of 9 cells"),
        (diagram_of(r3="Z........"), "'Z' is not a mark"),
        (diagram_of(r1="12........"), "'12' is not a mark"),
        (diagram_of(r1="O........", field="1"), "X begins"),
        (diagram_of(r1="X..X.....", field="1"), "X begins"),
        (diagram_of(r1="XXXX.....", r2="OOO......", field="1"), "play in field 1 would have ended"),
        (diagram_of(r1="X........", field="x"), "'x' is not a field"),
        (diagram_of(r1="X........", field="0"), "'0' is not a field"),
        (diagram_of(r1="X........", field="2"), "no last mark leads to field 2 here$"),
        (diagram_of(r1="X........"), "no last mark leads to fields 1 2 3 4 5 6 7 8 9 here; if one field must"),
        (diagram_of(field="5"), "no last mark leads to field 5"),
        (
            diagram_of(r1="O..X.....", r2="O........", r3="O........", r4="X........", r7="X........", field="1"),
            "closed",
        ),
        (diagram_of(r1="X2........"), "9 rows of 9 cells"),
        (diagram_of(r1="X12.......", field="1"), "bear their names"),
    ],
)
def test_bad_diagrams_get_one_clear_line(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        ULTIMATE.parse(diagram)
    assert "\n" not in str(caught.value)


def test_a_game_that_went_on_after_its_end_is_refused() -> None:
    """Take the last mark of a won game to another field: then nobody can have made the winning one last."""
    won = replay(ULTIMATE, X_WINS)
    assert ULTIMATE.parse(ULTIMATE.diagram(won)) == won
    rows = ULTIMATE.diagram(won).split("/")
    rows[0] = rows[0].replace(".", "O", 1)  # O moved after X had won
    with pytest.raises(BadPosition, match="no last mark leads to the end of the game"):
        ULTIMATE.parse("/".join(rows))


@pytest.mark.parametrize("action", [0, 5, 10, 50, 101, -12, 53.0, "53", None])
def test_no_such_cell(action: int) -> None:
    with pytest.raises(IllegalAction, match="is not an action; 11 to 99 are"):
        ULTIMATE.result(ULTIMATE.initial(), action)


@pytest.mark.parametrize(
    ("line", "action", "complaint"),
    [
        ("53", 44, "44 cannot be played, only field 3, in "),
        (O_WINS_FIELD_1, 12, "12 cannot be played, only fields 2 3 4 5 6 7 8 9, in "),
        ("55", 55, "55 is taken in "),
        (X_WINS, 91, "91 cannot be played: the game is over in "),
    ],
)
def test_illegal_actions_name_themselves_and_the_state(line: str, action: int, complaint: str) -> None:
    state = replay(ULTIMATE, line)
    with pytest.raises(IllegalAction) as caught:
        ULTIMATE.result(state, action)
    assert str(caught.value) == complaint + ULTIMATE.diagram(state)


def test_states_are_values() -> None:
    start = ULTIMATE.initial()
    assert ULTIMATE.result(start, 53) != start
    assert start == Fields() == ULTIMATE.initial()


def test_heuristic_counts_places_centres_and_twos() -> None:
    assert ULTIMATE.heuristic(ULTIMATE.initial()) == 0
    assert ULTIMATE.heuristic(replay(ULTIMATE, "51")) == 1
    assert ULTIMATE.heuristic(replay(ULTIMATE, "55")) == 2
    assert ULTIMATE.heuristic(replay(ULTIMATE, "21 14 41")) == 1
    # O has won field 1, worth 20; X has one mark each in fields 2, 4 and 7.
    assert ULTIMATE.heuristic(replay(ULTIMATE, O_WINS_FIELD_1)) == 3 - 20


def test_heuristic_sees_both_players_alike_and_favours_who_wins() -> None:
    for seed in range(10):
        for state in playout(seed):
            swapped = Fields(state.second, state.first, state.second_won, state.first_won, state.playable)
            assert ULTIMATE.heuristic(state) == -ULTIMATE.heuristic(swapped)
    assert ULTIMATE.heuristic(replay(ULTIMATE, X_WINS)) > 0


def test_preference_is_centre_corners_sides() -> None:
    assert ULTIMATE.preferred[:10] == [55, 51, 53, 57, 59, 52, 54, 56, 58, 15]
    assert sorted(ULTIMATE.preferred) == ULTIMATE.actions(ULTIMATE.initial())


def test_notation_title_and_players() -> None:
    assert make("") is ULTIMATE
    with pytest.raises(ValueError, match="ultimate takes no arguments"):
        make("3")
    offers = resolve(make(""))
    assert offers.title == "Ultimate tic-tac-toe (won fields are closed)"
    assert offers.marks == ("X", "O")
    assert offers.scale.longest == 81


def test_fields_stand_apart() -> None:
    state = replay(ULTIMATE, "55 53")
    board = ULTIMATE.board(state)
    assert [number for number, row in enumerate(board) if not row] == [3, 7]
    assert all([column for column, cell in enumerate(row) if cell == GAP] == [3, 7] for row in board if row)
    drawn = text(board)
    assert drawn.splitlines()[0] == " .  | .  | .  || .  | .  | .  || 31 | 32 | 33"
    assert drawn.splitlines()[1] == "----+----+----++----+----+----++----+----+----"
    assert ULTIMATE.parse(drawn) == state
    assert diagram(resolve(ULTIMATE), state).replace("//", "/") + " 3" == ULTIMATE.diagram(state)
    assert ULTIMATE.parse(ULTIMATE.diagram(state)) == state
