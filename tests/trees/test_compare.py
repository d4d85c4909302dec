"""What searches take, side by side: the same numbers as those of who watches each to its end."""

from collections import Counter
from typing import Any, get_args

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.search.events import Event
from noughts.search.limits import Budget, Limits
from noughts.search.variants import Variant, search_variant
from noughts.trees.compare import compare

POSITIONS = [("tic-tac-toe", "5 1 3"), ("nim:1,2,3", ""), ("connect:3x3,3", "1 2"), ("reversi:4", "b1 a1 c4")]


@pytest.mark.parametrize(("name", "played"), POSITIONS)
def test_the_counts_are_those_of_the_events(name: str, played: str) -> None:
    game = noughts.load(name)
    state = noughts.replay(game, played)
    found = compare(game, state, limits=Limits())
    assert [each.search for each in found] == [*get_args(Variant)]
    for each in found:
        seen: Counter[str] = Counter()

        def watch(event: Event[Any, Any], seen: Counter[str] = seen) -> None:
            seen[event.kind] += 1

        search_variant(resolve(game), state, each.search, Budget(), watch)
        assert (each.nodes, each.cutoffs, each.hits) == (seen["enter"], seen["cutoff"], seen["table"])
        assert each.events == seen.total()
        assert each.complete


def test_the_limit_of_nodes_holds_for_each_search() -> None:
    """Whoever did not finish takes more than that many; minimax more than the alpha-beta that prunes it."""
    for each in compare(noughts.load("connect-four"), limits=Limits(nodes=300)):
        assert not each.complete
        assert each.stopped == "node limit"
        assert each.nodes == 300 or (each.search == "minimax" and each.nodes > 300)


def test_what_alpha_beta_visited_minimax_would_have() -> None:
    def stop_at_once() -> bool:
        asked.append(True)
        return len(asked) <= 1

    asked: list[bool] = []
    whole, pruned, *_ = compare(noughts.load("connect-four"), limits=Limits(nodes=300, cancel=stop_at_once))
    assert whole.stopped == "cancelled"
    assert (whole.nodes, whole.events) == (pruned.nodes, 2 * pruned.nodes) == (300, 600)


def test_time_and_cancelling_stop_them() -> None:
    game = noughts.load("connect-four")
    assert {each.stopped for each in compare(game, limits=Limits(seconds=0.0))} == {"deadline"}
    assert {each.stopped for each in compare(game, limits=Limits(cancel=lambda: True))} == {"cancelled"}
