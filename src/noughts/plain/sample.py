"""States of a game from random play in Python: what its states look like, and whether its functions can be compared."""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.plain.program import Shape, shape_of
from noughts.plain.source import Refused

__all__ = ["Samples", "numbers_like", "numbers_of", "sampled"]

MOST_STATES = 1500
"""How many states are sampled at most."""

SECONDS = 0.3
"""How long to sample, about; but at least a few games."""

GAMES = 4
"""Games that are played in any case."""

FARTHEST = 300
"""The most plies of a game: one that takes more may go on for ever."""


class Samples(NamedTuple):
    """States that play can reach, and what is common to them."""

    states: list[Any]
    shape: Shape
    action: Any
    """One of the actions, whose type all others have."""
    lengths: set[int]
    """How many plies the games took."""

    @property
    def same_length(self) -> bool:
        """Whether all games had the same length.

        In such a game, actions usually lead to the same position in whatever order they are taken. Then a search should
        try them in the same order everywhere, so that it meets positions that it knows.
        """
        return len(self.lengths) == 1


def sampled(game: ResolvedGame[Any, Any], check: Callable[[], None] = lambda: None) -> Samples:
    """Return states of random games; raise Refused if they are not tuples of whole numbers, all of one shape.

    `check` is called in each state, and may raise an exception to stop.
    """
    random, started = Random(0), perf_counter()
    states: list[Any] = []
    shape: Shape | None = None
    some_action: Any = None
    games, lengths = 0, set[int]()
    while games < GAMES or (perf_counter() - started < SECONDS and len(states) < MOST_STATES):
        games += 1
        state = game.initial()
        for plies in range(FARTHEST):
            check()
            found = _shape(state, "its states")
            if shape is not None and found != shape:
                raise Refused("its states differ in their length, or in what they hold")
            shape = found
            states.append(state)
            if game.terminal(state):
                lengths.add(plies)
                break
            actions = game.legal_actions(state)
            action = random.choice(actions)
            kind = _shape(action, "its actions")
            if some_action is None:
                some_action = action
            elif _shape(some_action, "its actions") != kind:
                raise Refused("its actions differ in their length, or in what they hold")
            state = game.result(state, action)
        else:
            raise Refused(f"a game takes more than {FARTHEST} plies")
    if shape is None or some_action is None:
        raise Refused("the game is over at the start")
    return Samples(states, shape, some_action, lengths)


def _shape(value: Any, what: str) -> Shape:
    try:
        return shape_of(value)
    except Refused as refused:
        raise Refused(f"{what}: {refused}") from None


def numbers_of(state: Any) -> list[int]:
    """Return the whole numbers of a state, one after the other."""
    if isinstance(state, int):
        return [int(state)]
    return [number for each in state for number in numbers_of(each)]


def numbers_like(shape: Shape, value: Any) -> list[int] | None:
    """Return the whole numbers of a state, one after the other; None if it does not have this shape."""
    if isinstance(shape, int):
        return [int(value)] if isinstance(value, int) else None
    if type(value) is not tuple or len(value) != len(shape):
        return None
    if ONLY_NUMBERS.issuperset(map(type, value)) and ONLY_NUMBERS.issuperset(map(type, shape)):
        return list(map(int, value))
    found: list[int] = []
    for part, each in zip(shape, value, strict=True):
        numbers = numbers_like(part, each)
        if numbers is None:
            return None
        found += numbers
    return found


ONLY_NUMBERS = {int, bool}
