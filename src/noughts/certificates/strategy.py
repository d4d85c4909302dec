"""Builds strategies: what the engine plays against every possible reply, position by position."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine
from noughts.errors import NoughtsError, one_line, shown
from noughts.game import Action, State
from noughts.search.answer import Answer
from noughts.search.limits import Budget, Limits

__all__ = ["Building", "Cancelled", "Strategy", "build", "name_of", "plain", "proven_answer"]

NOW_AND_THEN = 64
"""How many positions are visited between two reports of progress."""


class Cancelled(NoughtsError):
    """Raised when the person who wanted a strategy has changed their mind."""


class Building(NamedTuple):
    """How far a strategy has been built."""

    positions: int
    """Positions of the player with their moves."""
    waiting: int
    """Positions that were found and not followed yet."""
    seconds: float


class Strategy(NamedTuple):
    """A move for every position of a player that can arise, closed under all replies."""

    parents: list[int]
    """For each position that play can reach: the one from which it was first reached; -1 for the start."""
    names: list[str]
    """And the move that led there; empty for the start."""
    moves: dict[int, str]
    """What the player does, in each position where it is the player's turn."""

    def entries(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the moves that lead to each position of the player, and the move to play there, in order of play."""
        follow: list[list[int]] = [[] for _ in self.parents]
        for number, parent in enumerate(self.parents[1:], 1):
            follow[parent].append(number)
        line: list[str] = []
        waiting = [(0, 0)]
        while waiting:
            number, ply = waiting.pop()
            line[max(ply - 1, 0) :] = [self.names[number]] if ply else []
            if number in self.moves:
                yield tuple(line), self.moves[number]
            waiting += [(child, ply + 1) for child in reversed(follow[number])]


def build(
    engine: Engine[State, Action],
    start: State,
    player: int,
    limits: Limits,
    progress: Callable[[Building], None] | None = None,
) -> Strategy:
    """Return what the engine plays as `player` from a state, against every reply.

    Positions are visited in order of their distance from the start, so each is written as a shortest line to it.
    Raises NoughtsError if a limit stops the work, or if a move is not proven.
    """
    game, budget, key = engine.game, Budget(limits), engine.game.key
    name = name_of(game)
    numbers: dict[Hashable, int] = {key(start): 0}
    strategy = Strategy([-1], [""], {})
    waiting: list[State | None] = [start]
    for number, state in enumerate(waiting):  # which grows meanwhile
        assert state is not None
        waiting[number] = None
        if game.terminal(state):
            continue
        actions = game.legal_actions(state)
        if game.to_move(state) == player:
            if progress is not None and len(strategy.moves) % NOW_AND_THEN == 0:
                progress(Building(len(strategy.moves), len(waiting) - number, budget.seconds))
            actions = [proven_answer(engine, state, budget).best[0]]
            strategy.moves[number] = plain(name(actions[0]))
        for action in actions:
            child = game.result(state, action)
            if numbers.setdefault(key(child), len(waiting)) == len(waiting):
                waiting.append(child)
                strategy.parents.append(number)
                strategy.names.append(plain(name(action)))
    return strategy


def name_of(game: ResolvedGame[Any, Action]) -> Callable[[Action], str]:
    """Return the function that names actions in certificates: the game's own, else the text of the action.

    The checker relies on no other function of a game.
    """
    own = getattr(game.game, "action_name", None)
    return own if callable(own) else str


def plain(name: str) -> str:
    """Return a name without blanks, as a certificate writes it.

    >>> plain(str((0, 2)))
    '(0,2)'
    """
    return "".join(name.split())


def proven_answer(engine: Engine[State, Action], state: State, budget: Budget) -> Answer[Action]:
    """Return the value of an unfinished state with one best action; raise NoughtsError if they are not proven."""
    game = engine.game
    if budget.stopped is None:
        answer = engine.value(state, limits=budget.left)
        budget.add(answer.nodes)
        if answer.proven and answer.best:
            return answer
    stopped = budget.stopped
    if stopped == "cancelled":
        raise Cancelled("stopped before the strategy was complete")
    why = "is too large to solve here" if stopped is None else f"was not solved before the {stopped}"
    raise NoughtsError(f"there is no proof: a position {why}: {shown(one_line(game.draw(state)), 80)}")
