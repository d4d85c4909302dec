"""Plays the games of a tournament, two at a time: the same opening twice, with the seats swapped."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from noughts.arena.openings import opening
from noughts.capabilities import ResolvedGame
from noughts.errors import PlayerFailed
from noughts.match import Match
from noughts.players import Player, computer
from noughts.players.base import close
from noughts.record.record import Move, Record, Result, ending
from noughts.search.limits import Limits

__all__ = ["Abandoned", "Maker", "PairTask", "Played", "Setting", "play_pair"]

Maker = Callable[..., Player[Any, Any]]
"""Makes a player from a game, a seed and `limits`."""


class Setting(NamedTuple):
    """What all games of a tournament have in common."""

    game: str
    """The notation of the game."""
    players: tuple[str, ...]
    """The names of the players."""
    seed: int
    opening_moves: int
    nodes: int | None
    """What a player may spend on a move."""
    seconds: float | None


class PairTask(NamedTuple):
    """Two games to play: between which players, by their places, and the number of the pair."""

    one: int
    other: int
    number: int


class Played(NamedTuple):
    """A game that was played. The first player is the one who begins the game."""

    opening: tuple[str, ...]
    moves: tuple[str, ...]
    result: Result
    margin: int | None
    failure: str
    """Why a player lost before the end; empty if nobody failed."""
    caveats: tuple[str, str]
    """Why the first and the second player may have fallen short of their description; empty if they did not."""

    @property
    def points(self) -> float:
        """What the first player got."""
        return {"first wins": 1.0, "draw": 0.5}.get(self.result, 0.0)

    def record(self, game: str, players: tuple[str, str], tags: Mapping[str, str]) -> Record:
        """Return the record of the game."""
        more = [("Termination", self.failure)] if self.failure else []
        return Record(
            game,
            tuple(map(Move, self.moves)),
            position=" ".join(self.opening),
            players=players,
            result=self.result,
            margin=self.margin,
            tags=(*tags.items(), *more),
        )


class Abandoned(Exception):
    """The tournament was stopped in the middle of a game."""


def play_pair(
    setting: Setting,
    game: ResolvedGame[Any, Any],
    task: PairTask,
    makers: Mapping[str, Maker] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Played, Played]:
    """Play both games of a pair: `one` begins the first, `other` the second. Everything random follows from the seed.

    `makers` are players of the caller's own, by name. Raises Abandoned once `cancelled` returns True.
    """
    name = f"{setting.seed}/{task.one}/{task.other}/{task.number}"
    moves = opening(game, setting.opening_moves, Random(name))
    limits = Limits(setting.nodes, setting.seconds, cancelled)

    def one_game(seats: tuple[int, int]) -> Played:
        names = (setting.players[seats[0]], setting.players[seats[1]])
        seeds = [Random(f"{name}/{seats[0]}/{each}").getrandbits(62) for each in range(2)]
        players: list[Player[Any, Any]] = []
        try:
            return _game(game, moves, names, seeds, limits, makers or {}, players)
        finally:
            close(players)

    return one_game((task.one, task.other)), one_game((task.other, task.one))


def _game(
    game: ResolvedGame[Any, Any],
    moves: tuple[Any, ...],
    names: tuple[str, str],
    seeds: list[int],
    limits: Limits,
    makers: Mapping[str, Maker],
    players: list[Player[Any, Any]],
) -> Played:
    """Play one game from an opening. The players that are made are added to `players`, so that they can be closed."""
    match: Match[Any, Any] = Match(game)
    for action in moves:
        match.play(action)
    begins = game.to_move(game.initial())
    caveats = ["", ""]
    failure = failed = None
    seat = 0
    try:
        for name, seed in zip(names, seeds, strict=True):
            seat = len(players)
            players.append(_made(name, game, seed, limits, makers))
        while not match.over:
            seat = 0 if match.to_move == begins else 1
            action = players[seat].choose(match.state)
            if limits.cancel is not None and limits.cancel():
                raise Abandoned
            if action not in game.actions(match.state):
                raise PlayerFailed(names[seat], f"played {action!r}, which is not a legal move")
            match.play(action)
            caveats[seat] = caveats[seat] or players[seat].caveat
            if match.can_be_drawn:
                match.end_as_draw()
    except PlayerFailed as error:  # the one place where a player's failure becomes a lost game
        failed, failure = seat, str(error)
    result, margin = ending(match)
    if failed is not None:
        result, margin = ("second wins", "first wins")[failed], None
    named = tuple(map(game.action_name, match.played))
    return Played(named[: len(moves)], named[len(moves) :], result, margin, failure or "", (caveats[0], caveats[1]))


def _made(
    name: str, game: ResolvedGame[Any, Any], seed: int, limits: Limits, makers: Mapping[str, Maker]
) -> Player[Any, Any]:
    """Return a player of the caller's own, or the computer player with that name."""
    if name in makers:
        return makers[name](game.game, seed, limits=limits)
    return computer(name, game.game, seed, limits=limits)
