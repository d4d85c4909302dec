"""A kernel that is told what other sources have proven: the same answers, for fewer nodes."""

from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.search.answer import Answer, action_between, answer_between
from noughts.search.limits import Limits
from noughts.sources.kernel import NativeSearch
from tests.helpers import every_state

GAME: Any = resolve(noughts.load("connect:4x4"))
WORST = GAME.scale.longest + 1


def loosened(answer: Answer[Any], chance: Random) -> Answer[Any]:
    """Return true bounds of a proven answer and its actions: some exact, some loose, some unknown."""

    def bounds(score: int) -> tuple[int | None, int | None]:
        low = chance.choice([None, score, chance.randint(1 - WORST, score)])
        return low, chance.choice([None, score, chance.randint(score, WORST - 1)])

    scale = GAME.scale
    rows = tuple(action_between(each.action, *bounds(each.low or 0), scale) for each in answer.actions)
    assert answer.score is not None
    guess = (answer.actions[0].action,)
    given = bounds(answer.score)
    return answer_between(
        chance.choice([rows, ()]), *given, scale=scale, method="", nodes=0, seconds=0.0, stopped="done",
        guess=guess, depth=0,
    )  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_no_answer_changes_by_what_is_known(part: int) -> None:
    states = [state for state in every_state(GAME)[part::600] if not GAME.terminal(state)]
    native: NativeSearch[Any, Any] = NativeSearch(GAME, 1, threads=1)
    chance = Random(part)
    for state in states:
        native.forget()
        proven = native.ask(state)
        for _ in range(3):
            known = loosened(proven, chance)
            native.forget()
            told = native.ask_beyond(known, state, Limits(), "all")
            assert (told.score, told.best, told.actions) == (proven.score, proven.best, proven.actions)
            native.forget()
            one = native.ask_beyond(known, state, Limits(), "one")
            assert one.score == proven.score
            assert one.best[0] in proven.best
            stopped = native.ask_beyond(known, state, Limits(nodes=3), "all")
            assert proven.score is not None
            assert stopped.low is None or stopped.low <= proven.score
            assert stopped.high is None or stopped.high >= proven.score


def test_fewer_nodes_are_visited_at_the_last_ply_of_a_book() -> None:
    game: Any = resolve(noughts.load("connect:5x4"))
    native: NativeSearch[Any, Any] = NativeSearch(game, 1, threads=1)
    state = noughts.replay(game, "1 2 3")
    proven = native.ask(state)
    assert proven.score is not None
    native.forget()
    book = answer_between(
        [], proven.score, proven.score, scale=game.scale, method="book", nodes=0, seconds=0.0, stopped="done",
        guess=proven.best[:1], depth=0,
    )  # fmt: skip
    told = native.ask_beyond(book, state, Limits(), "all")
    assert (told.score, told.best, told.actions) == (proven.score, proven.best, proven.actions)
    assert told.nodes < proven.nodes


def test_a_move_is_proven_before_the_other_actions_are_valued() -> None:
    game: Any = noughts.load("connect:5x4")
    state = noughts.replay(game, "5 4 3 2")
    engine = noughts.Engine(game, threads=1)
    engine.prepare()
    engine.ask(state, Limits())  # now the kernel is loaded
    engine.forget()
    answer = engine.ask(state, Limits(nodes=3000), to_play=True)
    assert (answer.proven, answer.best, answer.stopped) == (True, (3,), "node limit")
    assert not all(each.exact for each in answer.actions)
