"""Errors that well-known programs of this kind contain. Each is planted here, caught, and shown absent in noughts."""

import subprocess
from itertools import combinations, zip_longest

import pytest

import noughts
from noughts import MAX, MIN
from noughts.games.lines import LineGame, Marks
from noughts.games.tictactoe import LINES
from noughts.players.textbook import Textbook
from noughts.presentation import PRESENTATIONS
from noughts.search.answer import Answer
from noughts.search.memo import Memo
from noughts.testing import check_game
from tests.helpers import TIMEOUT, altered


def test_error_score_with_the_wrong_sign(game: LineGame) -> None:
    """After a winning move the player to move is the loser; scoring it as the winner maximises losing."""
    board = [["O", "O", None], ["X", "X", None], ["X", None, None]]
    assert PRESENTATIONS["rows"].score(board, "O") == 10
    planted = altered(game, utility=lambda state: game.player(state) if state.lined else 0)
    assert noughts.minimax(planted, noughts.replay(game, "4 1 5 2 9")).best != (3,)
    assert [problem.kind for problem in check_game(planted).problems] == ["utility-sign"]


def first_found_without_distance(game: LineGame, state: Marks, wanted: str, oracle: dict[Marks, Answer[int]]) -> int:
    """The action a search without a depth term takes: the first of the right value, however long it takes."""
    return next(each.action for each in oracle[state].actions if each.value == wanted)


@pytest.mark.parametrize(("value", "positions", "slower"), [("win", 2836, 400), ("loss", 632, 85)])
def test_error_no_depth_term(
    game: LineGame, oracle: dict[Marks, Answer[int]], value: str, positions: int, slower: int
) -> None:
    """Without distance a first-found win is not the fastest in 400 of 2,836, a loss too fast in 85 of 632."""
    unfinished = [state for state in oracle if oracle[state].value == value and not game.terminal(state)]
    assert len(unfinished) == positions
    missed = [
        state
        for state in unfinished
        if first_found_without_distance(game, state, value, oracle) not in oracle[state].best
    ]
    assert len(missed) == slower
    for state in missed:
        assert noughts.analyse(game, state).best == oracle[state].best


def test_error_value_never_returned(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """A max-value function that forgets to return its value answers nothing above the ends of the game."""

    def max_value(state: Marks) -> int | None:
        if game.terminal(state):
            return game.utility(state)
        value = -2
        for action in game.actions(state):
            value = max(value, max_value(game.result(state, action)) or 0)
        return None  # what a function without a return gives

    last_but_one = noughts.replay(game, "1 2 3 5 4 6 8 7")
    assert max_value(last_but_one) is None
    assert (oracle[last_but_one].value, oracle[last_but_one].margin) == ("draw", 0)


@pytest.mark.parametrize("typed", [b"abc\n", b"abc", b"", b"\x00\xff\n" * 50])
def test_error_text_input_spins_for_ever(noughts_command: str, typed: bytes) -> None:
    """Text where a number is wanted, and the end of input, end in a message and not in a loop."""
    played = subprocess.run([noughts_command, "play", "--plain"], input=typed, capture_output=True, timeout=TIMEOUT)
    assert played.returncode == 1
    assert played.stderr.decode() == "noughts: input ended before the game did\n"
    assert len(played.stdout) < 10_000


def test_error_rules_defined_and_never_called(game: LineGame) -> None:
    """Here the rules for a win, a block and a good cell are a player that one can choose."""
    from noughts.players import computer

    player = computer("rules", game)
    chosen = [player.choose(noughts.replay(game, position)) for position in ("1 4 2 5", "1 5 2", "")]
    assert chosen == [3, 3, 5]


def test_error_549946_is_with_early_termination(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """549,946 already stops at won boards; without that the tree has 986,410 nodes."""
    assert oracle[game.initial()].nodes == 549_946
    assert noughts.minimax(LineGame("no lines to win by", 3, 3, [])).nodes == 986_410


def test_error_nodes_of_a_move(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """Plain minimax answers a first move with 55,505 to 63,905 nodes, not with 10,000 to 20,000."""
    nodes = {oracle[noughts.replay(game, [cell])].nodes for cell in range(1, 10)}
    assert nodes == {55_505, 59_705, 63_905}


def test_error_lowest_number_is_no_preference_for_the_centre(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """All nine openings draw; taking the lowest of them prefers corner 1, and not the centre."""
    assert oracle[game.initial()].best == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert Textbook(game).choose(game.initial()) == 1


def test_error_full_board_before_win(game: LineGame, states: list[Marks], oracle: dict[Marks, Answer[int]]) -> None:
    """Testing for a full board first calls a win on the last cell a draw: 392 states are then mis-valued."""
    full = (1 << 9) - 1
    planted = altered(
        game, utility=lambda state: 0 if state.first | state.second == full else game.utility(state), longest=9
    )
    memo = Memo(planted)
    wrong = [state for state in states if memo.analyse(state).value != oracle[state].value]
    assert len(wrong) == 392
    assert [problem.kind for problem in check_game(planted).problems] == ["last-cell-draw"]


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize("player", [MAX, MIN])
def test_every_line_wins_for_both_players(game: LineGame, line: tuple[int, ...], player: int) -> None:
    """The other side gets marks that make no line of their own, as far as it needs any."""
    others = [cell for cell in game.cells if cell not in line]
    wanted = 2 if player == MAX else 3
    harmless = next(cells for cells in combinations(others, wanted) if cells not in LINES)
    first, second = (line, harmless) if player == MAX else (harmless, line)
    order = [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]
    state = noughts.replay(game, order)
    assert game.completed(state) == [line]
    assert game.utility(state) == player
