"""How often players of each level err, measured over all positions of a small game or a fixed sample of a large one."""

from collections.abc import Iterator
from random import Random
from typing import Generic, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import game_of
from noughts.game import Action, Game, State
from noughts.players.levels import STRENGTHS, Level
from noughts.players.sight import Seen, sight_of
from noughts.search.limits import Budget, Limits
from noughts.symmetry import UpToSymmetry

__all__ = ["SAMPLE", "Calibration", "Rate", "calibrate"]

SAMPLE = 100
"""How many positions of a large game are looked at."""

JUDGE = 12
"""How many plies ahead the judge of a large game looks; of a small one, everything is known."""

PLAYING, LAST = 4, 12
"""The level that plays the games of a sample, and how many plies before their end the positions are taken from."""

LONGEST = 400
"""A game of a sample is left after so many plies."""

SEEN = 0.5
"""What is worth more than this is seen to win, and what is worth less than minus this, to lose."""


class Rate(NamedTuple):
    """How a level fared: averages of the probabilities of its moves."""

    level: int
    errors: float
    """How often it gives away a win or a draw, where it can."""
    wins: float | None
    """How often it wins at once, where it can; None if it never could."""
    blocks: float | None
    """How often it stops the opponent from winning at once, where it must and can; None if it never had to."""


class Calibration(NamedTuple):
    """The rates of all levels in one game, and what they were measured on."""

    complete: bool
    """Whether all positions were looked at; if not, a sample."""
    positions: int
    decisions: int
    """In how many of them some moves give something away, and others do not."""
    rates: tuple[Rate, ...]


class _Decision(NamedTuple, Generic[State, Action]):
    """A position, and which of its moves do what; a list is empty if there is nothing to decide."""

    state: State
    mistakes: list[Action]
    wins: list[Action]
    blocks: list[Action]


def calibrate(
    game: Game[State, Action],
    *,
    sample: int = SAMPLE,
    seed: int = 0,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Calibration:
    """Return how often each level errs; raise OutOfBudget if the limits are reached.

    >>> import noughts
    >>> found = calibrate(noughts.load("mnk:3,2,2"))
    >>> found.complete, found.rates[0].errors > found.rates[-1].errors
    (True, True)
    """
    resolved = game_of(game)
    budget = Budget(limits)
    complete = sight_of(resolved).solution() is not None
    states = list(_all(resolved) if complete else _sample(resolved, sample, Random(seed), budget))
    decisions = []
    for state in states:
        budget.check()
        decisions.append(_decision(resolved, state, resolved.scale.longest if complete else JUDGE, budget.left))
    rates = tuple(_rate(resolved, number, decisions, budget) for number in STRENGTHS)
    return Calibration(complete, len(states), sum(bool(each.mistakes) for each in decisions), rates)


def _all(game: ResolvedGame[State, Action]) -> Iterator[State]:
    """Yield the unfinished positions that can arise, one of each set of symmetric ones."""
    known: UpToSymmetry[State, bool] = UpToSymmetry(game)
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if state in known or game.terminal(state):
            continue
        known[state] = True
        yield state
        waiting += [game.result(state, action) for action in game.legal_actions(state)]


def _sample(game: ResolvedGame[State, Action], size: int, random: Random, budget: Budget) -> Iterator[State]:
    """Yield a position near the end of each of some games that a level plays against itself."""
    for _ in range(size):
        player: Level[State, Action] = Level(game, PLAYING, random.randrange(1 << 30), budget.left)
        states: list[State] = []
        state = game.initial()
        while not game.terminal(state) and len(states) < LONGEST:
            budget.check()
            states.append(state)
            state = game.result(state, player.choose(state))
        if states:
            yield random.choice(states[-LAST:])


def _decision(game: ResolvedGame[State, Action], state: State, plies: int, limits: Limits) -> _Decision[State, Action]:
    """Return what there is to decide in a position, as the judge sees it."""
    sight = sight_of(game)
    far, near = sight.look(state, plies, limits), sight.look(state, 2, limits)
    best = max(map(_kind, far))
    mistakes = [each.action for each in far if _kind(each) < best]
    wins = [each.action for each in near if each.plies == 1 and each.worth > 0]
    lost = [each.action for each in near if each.plies == 2 and each.worth < 0]
    blocks = [each.action for each in near if each.action not in lost] if lost and not wins else []
    return _Decision(state, mistakes, wins if len(wins) < len(near) else [], blocks)


def _kind(seen: Seen[Action]) -> int:
    """Return 1 for a win, -1 for a loss, 0 for what is neither."""
    return (seen.worth > SEEN) - (seen.worth < -SEEN)


def _rate(
    game: ResolvedGame[State, Action], number: int, decisions: list[_Decision[State, Action]], budget: Budget
) -> Rate:
    player: Level[State, Action] = Level(game, number, limits=budget.left)
    errors: list[float] = []
    wins: list[float] = []
    blocks: list[float] = []
    for state, *groups in decisions:
        if not any(groups):
            continue
        budget.check()
        chances = player.likely(state)
        for group, found in zip(groups, (errors, wins, blocks), strict=True):
            if group:
                found.append(sum(chance for action, chance in chances if action in group))
    return Rate(number, _mean(errors) or 0.0, _mean(wins), _mean(blocks))


def _mean(shares: list[float]) -> float | None:
    return sum(shares) / len(shares) if shares else None
