"""Games in which positions can repeat, and their values by brute force."""

from random import Random
from types import SimpleNamespace
from typing import Any

import noughts
from noughts.capabilities import resolve
from noughts.game import MAX, MIN
from noughts.score import one_ply_later
from tests.helpers import every_state

CORRIDOR = SimpleNamespace(
    initial=lambda: 2,
    player=lambda place: MAX if place % 2 else MIN,
    actions=lambda place: ["left", "right"],
    result=lambda place, action: place + (1 if action == "right" else -1),
    terminal=lambda place: place in (0, 5),
    utility=lambda place: 1 if place else -1,
    draw=lambda place: f"at {place}",
)


class RandomGraph:
    """A game on a random graph: with cycles, moves of one player in a row, margins, dead ends and loops."""

    def __init__(self, seed: int, most: int) -> None:
        random = Random(seed)
        size = random.randint(2, most)
        self.utility_range = low, high = random.choice([(-1, 1), (-3, 3), (-2, 5), (0, 2)])
        share = random.choice([0.1, 0.3, 0.5])
        self.ends = {place: random.randint(low, high) for place in range(1, size) if random.random() < share}
        self.movers = [random.choice([MAX, MIN]) for _ in range(size)]
        self.edges = [[random.randrange(size) for _ in range(random.randint(1, 4))] for _ in range(size)]

    def initial(self) -> int:
        return 0

    def player(self, place: int) -> int:
        return self.movers[place]

    def actions(self, place: int) -> list[int]:
        return list(range(len(self.edges[place])))

    def result(self, place: int, action: int) -> int:
        return self.edges[place][action]

    def terminal(self, place: int) -> bool:
        return place in self.ends

    def utility(self, place: int) -> int:
        return self.ends[place]


def random_graph(seed: int, most: int = 25) -> RandomGraph:
    """Return a game on a random graph of at most so many positions."""
    return RandomGraph(seed, most)


def by_brute_force(game: Any) -> dict[Any, int]:
    """Return MAX's score of every position, by key, where play that goes on for ever counts 0.

    The score of a position within n plies follows from those within n - 1. When none changes any more, these are the
    scores however long play goes on.
    """
    game = resolve(game)
    states = {game.key(state): state for state in every_state(game)}
    after = {
        key: [] if game.terminal(state) else [game.key(game.result(state, each)) for each in game.actions(state)]
        for key, state in states.items()
    }
    movers = {key: game.player(state) for key, state in states.items()}
    scores = {key: 0 if after[key] else game.scale.score(game.utility(state)) for key, state in states.items()}
    while True:
        better = {
            key: movers[key] * max(movers[key] * one_ply_later(scores[each]) for each in after[key])
            if after[key]
            else scores[key]
            for key in states
        }
        if better == scores:
            return scores
        scores = better


def example(name: str) -> Any:
    """Return a game of the folder `examples`."""
    return noughts.load(f"examples/{name}.py")


def check_claims(game: Any, state: Any, answer: noughts.Answer[Any], scores: dict[Any, int]) -> None:
    """Assert that everything an answer claims is true: values, bounds and best actions."""
    game = resolve(game)
    mover = game.player(state)
    true = mover * scores[game.key(state)]
    check_bounds(answer.low, answer.high, true)
    if answer.proven:
        assert answer.margin == game.scale.utility(true)
        assert answer.distance in (None, game.scale.distance(true))
    elif answer.bound is not None and answer.margin is not None:
        utility = game.scale.utility(true)
        assert answer.margin <= utility if answer.bound == "lower" else answer.margin >= utility
    after = {}
    if not game.terminal(state):
        after = {
            action: mover * one_ply_later(scores[game.key(game.result(state, action))])
            for action in game.actions(state)
        }
    exact = answer.proven and answer.score is not None
    for action in answer.best:
        assert after[action] == true if exact else game.scale.utility(after[action]) == game.scale.utility(true)
    for each in answer.actions:
        check_bounds(each.low, each.high, after[each.action])
        if each.exact:
            assert each.distance in (None, game.scale.distance(after[each.action]))


def check_bounds(low: int | None, high: int | None, score: int) -> None:
    """Assert that a score lies within bounds."""
    assert low is None or low <= score
    assert high is None or score <= high
