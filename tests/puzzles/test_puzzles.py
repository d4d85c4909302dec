"""Puzzles: one right move and no other, by the plain oracle and by interpreted searches; the same on every machine."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from itertools import islice
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.puzzles.find import Puzzle, Wanted, find
from noughts.puzzles.plausible import plausible, sensible
from noughts.puzzles.solving import Solving, goal
from noughts.search.deepening import deepening
from noughts.search.drivers import Options
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.within import WinsWithin
from tests.helpers import every_state, in_the_long_run
from tests.truth import Truth

SMALL = ("tic-tac-toe", "misere", "wild", "nim:3,4,5", "notakto", "mnk:4,3,3", "examples/matches.py")
QUICK = ("tic-tac-toe", "misere", "nim:3,4,5", "notakto", "examples/matches.py")
"""Games of which the oracle values every position."""

LARGE = ("connect-four", "mnk:5,5,4", "ultimate", "examples/hex.py", "examples/isolation.py")
"""Games in which a search to the depth of a puzzle decides."""


ANY = Wanted()


def some(game: Any, seed: int, number: int, wanted: Wanted = ANY) -> list[Puzzle[Any, Any]]:
    return list(islice(find(game, seed, wanted), number))


def signs(scores: dict[Any, int]) -> dict[Any, int]:
    return {action: (score > 0) - (score < 0) for action, score in scores.items()}


@pytest.mark.parametrize("notation", in_the_long_run(SMALL, all_but=QUICK))
@pytest.mark.parametrize("wanted", [Wanted(), Wanted(level=1), Wanted(kind="win", moves=1)])
def test_exactly_one_move_is_right_by_the_oracle(notation: str, wanted: Wanted) -> None:
    game, truth = noughts.load(notation), Truth(noughts.load(notation))
    try:
        found = some(game, 7, 12, wanted)
    except noughts.NoughtsError:
        assert (notation, wanted) in NONE
        return
    for each in found:
        assert noughts.replay(game, each.played) == each.state
        scores = truth.actions(each.state)
        values = signs(scores)
        others = [score for action, score in scores.items() if action != each.solution]
        assert each.only or notation == "mnk:4,3,3"  # which is too large to be solved whole
        if each.kind == "win":
            assert values.pop(each.solution) == 1
            assert max(values.values()) < 1 if each.only else max(others) < scores[each.solution]
            assert each.moves == truth.moves(scores[each.solution])
        else:
            assert values.pop(each.solution) == 0
            assert set(values.values()) == {-1}
            assert each.moves == max(map(truth.moves, others))


NONE = {
    ("misere", Wanted(kind="win", moves=1)),
    ("notakto", Wanted(kind="win", moves=1)),
}
"""Nobody wins at once where completing a line loses."""


@pytest.mark.parametrize("notation", in_the_long_run(LARGE, all_but=("examples/hex.py", "examples/isolation.py")))
def test_exactly_one_move_is_right_by_a_search_of_that_depth(notation: str) -> None:
    game = resolve(noughts.load(notation))
    for each in some(game, 3, 4, Wanted(kind="win")):
        for action in game.actions(each.state):
            child = game.result(each.state, action)
            assert wins_within(game, child, game.player(each.state), each.moves - 1) == (action == each.solution)


def wins_within(game: Any, state: Any, player: int, plies: int) -> bool:
    """Return whether a player wins in so many plies, by iterative deepening."""
    if game.terminal(state):
        return bool(player * game.utility(state) > 0)
    if not plies:
        return False
    answer = deepening(game, state, limits=Limits(depth=plies), options=Options(endless=True))
    value = "win" if game.player(state) == player else "loss"
    return answer.proven and answer.value == value and (answer.distance or 0) <= plies


@pytest.mark.parametrize("kind", ["win", "save"])
def test_exactly_one_move_is_right_by_the_engine_where_wins_have_margins(kind: Any) -> None:
    game = noughts.load("reversi:4")
    engine = noughts.Engine(game)
    for each in some(game, 5, 4, Wanted(kind=kind)):
        values = {row.action: row.value for row in engine.analyse(each.state).actions}
        assert values.pop(each.solution) == ("win" if kind == "win" else "draw")
        assert set(values.values()) <= ({"draw", "loss"} if kind == "win" else {"loss"})


@pytest.mark.parametrize("notation", ["tic-tac-toe", "misere", "nim:2,3", "examples/matches.py"])
def test_forced_wins_are_those_of_the_oracle(notation: str) -> None:
    game = resolve(noughts.load(notation))
    truth, wins = Truth(game), WinsWithin(game, Budget())
    states = every_state(game)
    for state in Random(1).sample(states, min(40, len(states))):
        for player in (noughts.MAX, noughts.MIN):
            score = truth.score(state) * (1 if game.player(state) == player else -1)
            assert wins.distance(state, player, 9) == (truth.moves(score) if score > 0 else None)


def test_forced_wins_stop_at_their_budget_and_where_positions_repeat() -> None:
    rook = resolve(noughts.load("examples/king_and_rook.py"))
    wins = WinsWithin(rook, Budget())
    answer = noughts.value(rook)
    assert wins.distance(rook.initial(), noughts.MAX, 12) == (
        answer.distance if (answer.distance or 99) <= 12 else None
    )
    with pytest.raises(OutOfBudget):
        WinsWithin(rook, Budget(Limits(nodes=3))).forced(rook.initial(), noughts.MAX, 5)


def test_the_puzzle_of_a_day_is_the_same_everywhere() -> None:
    """Written down: they change with the rules of choosing puzzles, and with nothing else."""
    found = {(notation, day): puzzle_text(notation, day) for notation, day in DAYS}
    assert found == DAYS


def puzzle_text(notation: str, day: str) -> str:
    game = resolve(noughts.load(notation))
    found = noughts.puzzle(game, day=date.fromisoformat(day))
    played = " ".join(map(game.action_name, found.played))
    return f"{played}: {found.kind} {found.moves} {game.action_name(found.solution)}"


DAYS = {
    ("tic-tac-toe", "2026-01-31"): "7 3 8 9 6: win 3 1",
    ("tic-tac-toe", "2026-02-01"): "7 9 1 4: win 3 3",
    ("misere", "2026-01-31"): "8 2 6 9: save 5 7",
    ("connect-four", "2026-01-31"): "6 4 1 6 1 2 1 1 5 1 5 2 4 6 3: win 3 2",
    (
        "examples/dodgem.py",
        "2026-01-31",
    ): "a3-b3 b1-b2 b3-c3 c1-c2 a2-a1 b2-b3 a1-a2 c2-b2 a2-a1 b2-c2 a1-a2 c2-b2 c3-off b2-c2 a2-b2 c2-c3: win 3 b2-c2",
}


def test_puzzles_need_neither_numba_nor_a_hash_seed() -> None:
    code = (
        "import sys, datetime, noughts\n"
        "found = noughts.puzzle(noughts.load('connect-four'), day=datetime.date(2026, 1, 31))\n"
        "print(found.played, found.solution, 'numba' in sys.modules)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    found = noughts.puzzle(noughts.load("connect-four"), day=date(2026, 1, 31))
    assert said == {f"{found.played} {found.solution} False\n"}


def test_no_two_puzzles_of_a_seed_are_symmetric_and_seeds_differ() -> None:
    game: Any = noughts.load("tic-tac-toe")
    first, second = (some(game, seed, 10) for seed in (1, 2))
    assert len({frozenset(map(game.key, game.symmetries(each.state))) for each in first}) == 10
    assert [each.state for each in first] != [each.state for each in second]
    assert some(game, 1, 3) == first[:3]


def test_levels_count_the_plausible_moves_that_fail() -> None:
    game = resolve(noughts.load("tic-tac-toe"))
    state = noughts.replay(game, "1 5 9")  # O must not play a corner; every move looks safe, sides force the reply
    assert plausible(game, noughts.replay(game, "1 4 2 5")) == [3]  # a win at once
    assert plausible(game, noughts.replay(game, "5 1 3")) == [7]  # a threat to answer
    assert sensible(game, state) == [2, 3, 4, 6, 7, 8]
    assert plausible(game, state) == [2, 3, 4, 6, 7, 8]  # each of them threatens a line, through the centre or a corner
    one = Puzzle(state, (1, 5, 9), "save", 2, 2, True, (2, 4))
    assert (one.failing, one.level) == (1, 2)
    assert one._replace(solution=3).level == 4  # two fail, and the right move is not plausible
    assert one._replace(plausible=(2,)).level == 1


def test_plausible_moves_on_a_board_of_lines_are_those_of_the_general_rule() -> None:
    """The short cut for boards of lines finds what trying every move and every reply finds."""
    fast = resolve(noughts.load("mnk:4,4,3"))
    slow = fast._replace(lineup=lambda state: fast.lineup(state)._replace(is_free=False))  # type: ignore[misc]
    for state in positions(fast, 60):
        assert set(sensible(fast, state)) == set(sensible(slow, state))
        assert set(plausible(fast, state)) == set(plausible(slow, state))


def positions(game: Any, number: int) -> Iterator[Any]:
    random = Random(4)
    while number:
        state = game.initial()
        for _ in range(random.randint(0, 9)):
            if not game.terminal(state):
                state = game.result(state, random.choice(game.actions(state)))
        if not game.terminal(state):
            number -= 1
            yield state


@pytest.mark.parametrize("notation", ["tic-tac-toe", "reversi:4", "nim:3,4,5", "examples/dots_and_boxes.py"])
def test_a_puzzle_is_played_to_its_end(notation: str) -> None:
    """Right moves reach the win in the stated number of moves, and a wrong one has an answer in words."""
    game = resolve(noughts.load(notation))
    for each in some(game, 2, 10, Wanted(kind="win")):
        solving = Solving(game, each)
        assert str(each.moves) in goal(game, each)
        assert len(list(game.actions(each.state))) == 1 + sum(
            not solving.is_right(action) for action in game.actions(each.state)
        )
        wrong = next(action for action in game.actions(each.state) if action != each.solution)
        said = solving.why_not(wrong)
        assert game.action_name(wrong) in said
        assert f"better is {game.action_name(each.solution)}" not in said
        assert each.solution in solving.among()
        length = 0
        while not solving.done:
            length += 1 + len(solving.play(solving.solution))
        assert length <= each.moves
        assert game.utility(solving.state) * game.player(each.state) > 0


def test_a_game_without_puzzles_says_so() -> None:
    with pytest.raises(noughts.NoughtsError, match=r"no puzzle was found in 400 games$"):
        noughts.puzzle(noughts.load("mnk:2,1,2"), seed=1)
    with pytest.raises(noughts.NoughtsError, match="no puzzle to save of 7 moves of level 2 was found in 400 games;"):
        noughts.puzzle(noughts.load("nim:3,4,5"), seed=1, kind="save", moves=7, level=2)
    with pytest.raises(noughts.NoughtsError, match="no puzzle was found in 0 seconds, in 0 games"):
        noughts.puzzle(noughts.load("mnk:9,9,5"), seed=1, limits=Limits(seconds=0.0))
