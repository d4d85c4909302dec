"""How games between players end, as exact chances: every position that they can reach is counted."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Generic, NamedTuple

from noughts.arena.openings import too_short
from noughts.arena.tournament import labels, too_few
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import EndlessGame, NoughtsError
from noughts.game import MAX, Action, Game, State
from noughts.notation import load, normalised
from noughts.players import Player, computer
from noughts.players.base import chances, close, even
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.score import Value, value_of, whole_utility
from noughts.search.limits import Limits

__all__ = ["Chances", "ExactPairing", "ExactTournament", "exact_chances", "exact_tournament"]

MOST_POSITIONS = 200_000
"""A game in which players can reach more positions is refused."""


class Chances(NamedTuple):
    """How likely a player is to win, draw and lose; together 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def score(self) -> Fraction:
        """The expected points of a game, from 0 to 1."""
        return self.win + self.draw / 2

    @property
    def reversed(self) -> "Chances":
        """The same as the other player sees it."""
        return Chances(self.loss, self.draw, self.win)


class ExactPairing(NamedTuple):
    """What two players expect of each other, as `one` sees it: if it begins, and if `other` does."""

    one: str
    other: str
    begun: Chances
    replied: Chances

    @property
    def both(self) -> Chances:
        """Of a game in which either is equally likely to begin."""
        pairs = zip(self.begun, self.replied, strict=True)
        return Chances(*((one + other) / 2 for one, other in pairs))


class ExactTournament(NamedTuple):
    """What players expect of each other."""

    game: str
    opening_moves: int
    players: tuple[str, ...]
    pairings: tuple[ExactPairing, ...]

    @property
    def standings(self) -> tuple[tuple[str, Fraction], ...]:
        """The players with their expected scores against all others, the best first."""
        points = dict.fromkeys(self.players, Fraction(0))
        for each in self.pairings:
            points[each.one] += each.both.score
            points[each.other] += each.both.reversed.score
        found = ((player, score / (len(points) - 1)) for player, score in points.items())
        return tuple(sorted(found, key=lambda item: -item[1]))


def exact_tournament(
    game: Any, players: Sequence[str], *, opening_moves: int = 0, limits: Limits = MOVE_LIMITS
) -> ExactTournament:
    """Return what each two players expect of each other, from the start or after so many random moves.

    >>> found = exact_tournament("tic-tac-toe", ["random", "random"])
    >>> print(*found.pairings[0].begun)
    737/1260 8/63 121/420
    """
    rules = resolve(load(game))
    if len(players) < 2:
        raise too_few()
    names = labels(players)
    made: list[Player[Any, Any]] = []

    def expected(first: int, second: int) -> Chances:
        seats = (names[first], names[second])
        return exact_chances(
            rules, made[first], made[second], opening_moves=opening_moves, names=seats, cancel=limits.cancel
        )

    try:
        for name in players:
            made.append(computer(name, rules.game, 0, limits=limits))  # noqa: PERF401 - those that were made are closed
        pairings = tuple(
            ExactPairing(names[one], names[other], expected(one, other), expected(other, one).reversed)
            for one, other in combinations(range(len(players)), 2)
        )
    finally:
        close(made)
    notation = normalised(game) if isinstance(game, str) else rules.display_title
    return ExactTournament(notation, opening_moves, names, pairings)


def exact_chances(
    game: Game[State, Action],
    first: Player[State, Action],
    second: Player[State, Action],
    *,
    opening_moves: int = 0,
    names: tuple[str, str] = ("the first player", "the second player"),
    cancel: Callable[[], bool] | None = None,
) -> Chances:
    """Return how likely the first player, who begins the game, is to win, draw and lose.

    With an opening, they play on after so many random moves, unless the game is over by then. Raises NoughtsError if a
    player cannot say how likely its moves are, or if too many positions can be reached; `names` are for such errors.
    """
    rules = resolve(game)
    begins = rules.to_move(rules.initial())
    players = {begins: (first, names[0]), -begins: (second, names[1])}
    known = _Graph(rules, players, cancel)
    total = [Fraction(0)] * 3
    for state, weight in _openings(rules, opening_moves):
        for place, chance in enumerate(known.chances_from(state)):
            total[place] += weight * chance
    for_max = Chances(*total)
    return for_max if begins == MAX else for_max.reversed


def _openings(game: ResolvedGame[State, Action], moves: int) -> list[tuple[State, Fraction]]:
    """Return the positions after an opening, each with its chance."""
    reached: dict[Hashable, tuple[State, Fraction]] = {game.key(game.initial()): (game.initial(), Fraction(1))}
    for _ in range(moves):
        after: dict[Hashable, tuple[State, Fraction]] = {}
        for state, weight in reached.values():
            if not game.terminal(state):
                for action, chance in even(game.legal_actions(state)).items():
                    _add(game, after, game.result(state, action), weight * chance)
        if len(after) > MOST_POSITIONS:
            raise _too_many()
        reached = after
    going_on = [(state, weight) for state, weight in reached.values() if not game.terminal(state)]
    if not going_on:
        raise too_short(moves)
    share = sum((weight for _, weight in going_on), Fraction(0))
    return [(state, weight / share) for state, weight in going_on]


def _add(
    game: ResolvedGame[State, Action], found: dict[Hashable, tuple[State, Fraction]], state: State, weight: Fraction
) -> None:
    """Add to the chance of a position."""
    key = game.key(state)
    _, before = found.get(key, (state, Fraction(0)))
    found[key] = (state, before + weight)


class _Graph(Generic[State, Action]):
    """The positions that two players can reach, with the chances of each for MAX."""

    def __init__(
        self,
        game: ResolvedGame[State, Action],
        players: Mapping[int, tuple[Player[State, Action], str]],
        cancel: Callable[[], bool] | None,
    ) -> None:
        self._game = game
        self._players = players
        self._cancel = cancel
        self._known: dict[Hashable, Chances] = {}

    def chances_from(self, start: State) -> Chances:
        """Return the chances of a position. Each position is looked at once; those after it come first."""
        game, known = self._game, self._known
        following: dict[Hashable, list[tuple[Hashable, Fraction]]] = {}
        above: set[Hashable] = set()
        waiting: list[tuple[State, bool]] = [(start, False)]
        while waiting:
            state, done = waiting.pop()
            key = game.key(state)
            if done:
                above.remove(key)
                known[key] = self._sum(following.pop(key))
            elif key in above:
                raise EndlessGame("a position can be repeated, so there is no end to count")
            elif key not in known and game.terminal(state):
                known[key] = ENDS[value_of(whole_utility(game.utility(state)))]
            elif key not in known:
                self._check(len(known) + len(above))
                moves = [(game.result(state, action), chance) for action, chance in self._choices(state)]
                following[key] = [(game.key(child), chance) for child, chance in moves]
                above.add(key)
                waiting.append((state, True))
                waiting.extend((child, False) for child, _ in moves)
        return known[game.key(start)]

    def _sum(self, following: list[tuple[Hashable, Fraction]]) -> Chances:
        total = [Fraction(0)] * 3
        for key, chance in following:
            for place, each in enumerate(self._known[key]):
                total[place] += chance * each
        return Chances(*total)

    def _choices(self, state: State) -> Iterable[tuple[Action, Fraction]]:
        """Return what the player to move may do, and how likely each of it is."""
        player, name = self._players[self._game.to_move(state)]
        found = chances(player, state)
        self._check(0)  # before a caveat that is due to Ctrl-C
        if found is None:
            raise NoughtsError(f"{name} does not say how likely its moves are, so nothing about it is exact")
        if player.caveat:
            raise NoughtsError(f"{name} can only guess, so nothing about it is exact: {player.caveat}")
        if sum(found.values()) != 1:
            raise NoughtsError(f"the chances of the moves of {name} add up to {sum(found.values())}, not to 1")
        return found.items()

    def _check(self, positions: int) -> None:
        if positions >= MOST_POSITIONS:
            raise _too_many()
        if self._cancel is not None and self._cancel():
            raise NoughtsError("stopped before all positions were counted")


def _too_many() -> NoughtsError:
    return NoughtsError(
        f"these players can reach more than {MOST_POSITIONS:,} positions, which is too many to be exact"
    )


ENDS: dict[Value, Chances] = {
    "win": Chances(Fraction(1), Fraction(0), Fraction(0)),
    "draw": Chances(Fraction(0), Fraction(1), Fraction(0)),
    "loss": Chances(Fraction(0), Fraction(0), Fraction(1)),
}
"""The chances at the end of a game, for MAX."""
