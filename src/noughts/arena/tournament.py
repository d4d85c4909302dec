"""Tournaments: everybody against everybody, in pairs of games with the same opening, with their statistics."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations
from math import comb
from os import PathLike
from typing import Any, NamedTuple

from noughts.arena.openings import usual_depth
from noughts.arena.pairs import Maker, PairTask, Played, Setting
from noughts.arena.processes import in_processes, in_this_process
from noughts.arena.statistics import Sprt, Tally
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError
from noughts.notation import load, normalised
from noughts.players import computer
from noughts.players.base import close
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.record.record import Record
from noughts.search.limits import Limits

__all__ = ["MOST_SPRT_GAMES", "USUAL_GAMES", "Pairing", "Standing", "Tournament", "labels", "too_few", "tournament"]

USUAL_GAMES = 100
"""How many games each two players play."""

MOST_SPRT_GAMES = 20_000
"""How many they play at most if a test decides when to stop."""


class Pairing(NamedTuple):
    """The games of two players."""

    one: str
    other: str
    tally: Tally = Tally()
    """As `one` sees it."""
    begun: Tally = Tally()
    """The games that `one` began, without pairs."""

    @property
    def replied(self) -> Tally:
        """The games that `other` began, as `one` sees them, without pairs."""
        whole, part = self.tally, self.begun
        return Tally(whole.wins - part.wins, whole.draws - part.draws, whole.losses - part.losses)


class Standing(NamedTuple):
    """A player's place in a tournament."""

    player: str
    tally: Tally


class Tournament(NamedTuple):
    """What came of a tournament."""

    setting: Setting
    games: int
    """How many games each two players were to play."""
    players: tuple[str, ...]
    """The players, told apart by numbers if some have the same name."""
    pairings: tuple[Pairing, ...]
    caveats: Mapping[str, str]
    """Why a player fell short of their description, for those who did."""
    failures: Mapping[str, tuple[str, ...]]
    """Why a player lost before the end, for those who did, once for each such game."""
    sprt: Sprt | None
    complete: bool
    """Whether all games were played, or a test has come to a decision."""

    @property
    def played(self) -> int:
        """How many games were played."""
        return sum(pairing.tally.games for pairing in self.pairings)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The players with all their games, the best first."""
        found = dict.fromkeys(self.players, Tally())
        for each in self.pairings:
            found[each.one] |= each.tally
            found[each.other] |= each.tally.reversed
        places = sorted(found.items(), key=lambda item: -item[1].mean)
        return tuple(Standing(*place) for place in places)


def tournament(
    game: Any,
    players: Sequence[str] | Mapping[str, Maker],
    *,
    games: int | None = None,
    seed: int = 0,
    opening_moves: int | None = None,
    limits: Limits = MOVE_LIMITS,
    jobs: int = 1,
    sprt: Sprt | None = None,
    progress: Callable[[Tournament], None] | None = None,
    keep: Callable[[Record], None] | None = None,
) -> Tournament:
    """Have each two players play so many games of a game, which may be given by its notation.

    Players are given by name, or as functions that make them, called as `make(game, seed, limits=limits)`. A pair of
    games begins with the same random opening of `opening_moves` moves. The same seed gives the same games, whatever the
    number of processes `jobs`, unless players run out of time. After each pair, `progress` gets the results so far, and
    `keep` the record of each game. `limits.cancel` stops the tournament, and `sprt` ends it as soon as it is decided.

    >>> found = tournament("tic-tac-toe", ["perfect", "random"], games=10)
    >>> found.pairings[0].tally.losses, found.played
    (0, 10)
    """
    game = str(game) if isinstance(game, PathLike) else game
    rules = resolve(load(game))
    makers = {} if isinstance(players, Sequence) else dict(players)
    games = _games(games, sprt)
    _check(rules, list(players), makers, jobs, sprt, game)
    depth = usual_depth(rules) if opening_moves is None else opening_moves
    if depth < 0:
        raise NoughtsError("the moves of an opening must be 0 or more")
    notation = normalised(game) if isinstance(game, str) else rules.display_title
    setting = Setting(notation, tuple(players), seed, depth, limits.nodes, limits.seconds)
    cancelled = limits.cancel or (lambda: False)
    tasks = _tasks(len(setting.players), games // 2)
    results = (
        in_this_process(setting, rules, tasks, makers, cancelled)
        if jobs == 1
        else in_processes(setting, tasks, min(jobs, games // 2 * comb(len(players), 2)), cancelled)
    )
    found = _start(setting, games, sprt)
    with closing(results):
        for task, pair in results:
            found = _with_pair(found, task, pair)
            if keep is not None:
                _keep(found, task, pair, keep)
            if progress is not None:
                progress(found)
            if found.complete:
                break
    return found


def labels(players: Iterable[str]) -> tuple[str, ...]:
    """Return the names of players, with numbers where several have the same.

    >>> labels(["perfect", "random", "random"])
    ('perfect', 'random#1', 'random#2')
    """
    names = list(players)
    counts = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return tuple(
        f"{name}#{count}" if names.count(name) > 1 else name for name, count in zip(names, counts, strict=True)
    )


def too_few() -> NoughtsError:
    """Return the error for a tournament of one."""
    return NoughtsError("a tournament needs two players or more; the same player may be named twice")


def _games(games: int | None, sprt: Sprt | None) -> int:
    """Return how many games each two players play: an even number, since games are played in pairs."""
    if games is None:
        return USUAL_GAMES if sprt is None else MOST_SPRT_GAMES
    if games < 1:
        raise NoughtsError("the number of games must be 1 or more")
    return games + games % 2


def _check(
    rules: ResolvedGame[Any, Any],
    players: list[str],
    makers: Mapping[str, Maker],
    jobs: int,
    sprt: Sprt | None,
    game: Any,
) -> None:
    """Raise NoughtsError for a tournament that cannot be played; make each player once, to see whether that works."""
    if len(players) < 2:
        raise too_few()
    if sprt is not None:
        sprt.check()
        if len(players) > 2:
            raise NoughtsError("a sequential test is for two players")
    if jobs < 1:
        raise NoughtsError("the number of processes must be 1 or more")
    if jobs > 1 and (makers or not isinstance(game, str)):
        raise NoughtsError("several processes need the notation of the game, and the names of players")
    if rules.terminal(rules.initial()):
        raise NoughtsError("the game is over at its start, so nothing can be played")
    for name in dict.fromkeys(players):
        if name not in makers:
            close([computer(name, rules.game, 0)])


def _tasks(players: int, pairs: int) -> Iterator[PairTask]:
    """Yield the pairs of games: first one of each two players, then another, so that all have played about as often."""
    for number in range(pairs):
        for one, other in combinations(range(players), 2):
            yield PairTask(one, other, number)


def _start(setting: Setting, games: int, sprt: Sprt | None) -> Tournament:
    names = labels(setting.players)
    pairings = tuple(Pairing(one, other) for one, other in combinations(names, 2))
    return Tournament(setting, games, names, pairings, {}, {}, sprt, complete=False)


def _with_pair(found: Tournament, task: PairTask, pair: tuple[Played, Played]) -> Tournament:
    """Return the results with one more pair."""
    seats = ((task.one, task.other), (task.other, task.one))
    first, second = pair[0].points, 1 - pair[1].points
    place = list(combinations(range(len(found.players)), 2)).index((task.one, task.other))
    before = found.pairings[place]
    now = before._replace(
        tally=before.tally | Tally.of_pair(first, second),
        begun=before.begun | Tally(int(first == 1), int(first == 0.5), int(first == 0)),
    )
    caveats, failures = dict(found.caveats), dict(found.failures)
    for played, (begins, follows) in zip(pair, seats, strict=True):
        for player, caveat in zip((begins, follows), played.caveats, strict=True):
            if caveat:
                caveats.setdefault(found.players[player], caveat)
        if played.failure:
            loser = found.players[follows if played.result == "first wins" else begins]
            failures[loser] = (*failures.get(loser, ()), played.failure)
    pairings = (*found.pairings[:place], now, *found.pairings[place + 1 :])
    played_all = all(pairing.tally.games == found.games for pairing in pairings)
    decided = found.sprt is not None and found.sprt.decision(now.tally.pairs) is not None
    return found._replace(pairings=pairings, caveats=caveats, failures=failures, complete=played_all or decided)


def _keep(found: Tournament, task: PairTask, pair: tuple[Played, Played], keep: Callable[[Record], None]) -> None:
    """Hand over the records of a pair."""
    one, other = found.players[task.one], found.players[task.other]
    for played, names, game in zip(pair, ((one, other), (other, one)), (1, 2), strict=True):
        tags = {"Seed": str(found.setting.seed), "Round": f"{task.number + 1}.{game}"}
        keep(played.record(found.setting.game, names, tags))
