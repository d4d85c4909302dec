"""Players: perfect, weaker levels, rules of thumb, random and human. One file each; their names are here."""

from collections.abc import Callable
from typing import Any

from noughts.errors import NoughtsError, shown, suggest
from noughts.game import Game
from noughts.players.base import Player

__all__ = ["COMPUTERS", "HIGHEST_LEVEL", "HUMAN", "PROGRAMS", "Player", "computer"]

HUMAN = "human"
"""The name of a human player on the command line and in the API."""

HIGHEST_LEVEL = 10
"""Levels are numbered from 1, the weakest."""


def _perfect(game: Game[Any, Any], seed: int | None, **search: Any) -> Player[Any, Any]:
    from noughts.players.perfect import Perfect

    return Perfect(game, seed, **search)


def _textbook(game: Game[Any, Any], seed: int | None, **search: Any) -> Player[Any, Any]:
    from noughts.players.textbook import Textbook

    return Textbook(game, seed, **search)


def _level(number: int) -> "Maker":
    def make(game: Game[Any, Any], seed: int | None, **search: Any) -> Player[Any, Any]:
        from noughts.players.levels import Level

        return Level(game, number, seed, **search)

    return make


def _rule_of_thumb(game: Game[Any, Any], _: int | None, limits: Any = None, **__: Any) -> Player[Any, Any]:
    from noughts.players.rule_of_thumb import MOVE_LIMITS, RuleOfThumbPlayer

    return RuleOfThumbPlayer(_game(game), limits or MOVE_LIMITS)


def _random(game: Game[Any, Any], seed: int | None, **_: Any) -> Player[Any, Any]:
    from noughts.players.random_player import RandomPlayer

    return RandomPlayer(_game(game), seed)


def _game(game: Any) -> Game[Any, Any]:
    from noughts.engine import game_of

    return game_of(game)


Maker = Callable[..., Player[Any, Any]]
"""Makes a player from a game and a seed; keywords such as `limits` are for players that search."""

COMPUTERS: dict[str, Maker] = {
    "perfect": _perfect,
    "textbook": _textbook,
    **{f"level-{number}": _level(number) for number in range(HIGHEST_LEVEL, 0, -1)},
    "rules": _rule_of_thumb,
    "random": _random,
}
"""The computer players by name, strongest first; each imports its code when it is first needed."""


PROGRAMS = ("cmd", "gomocup")
"""What a name begins with, before a colon and a command, if another program is to play; see docs/protocol.md.

It runs whatever command the name says, so no name may come from somebody else over the network.
"""


def _program(name: str, game: Any, limits: Any = None) -> Player[Any, Any]:
    from noughts.engine import game_of
    from noughts.players.rule_of_thumb import MOVE_LIMITS
    from noughts.protocols.gomocup_player import GomocupPlayer
    from noughts.protocols.ours import ProgramPlayer

    protocol, _, command = name.partition(":")
    player = GomocupPlayer if protocol == "gomocup" else ProgramPlayer
    return player(game_of(game), name, command, limits or MOVE_LIMITS)


def computer(name: str, game: Any, seed: int | None = None, **search: Any) -> Player[Any, Any]:
    """Make the computer player with a name, for a game or an engine. Players that search take `limits` for each move.

    A name such as `cmd:./mybot` or `gomocup:./pbrain` has another program play; `players.base.close` ends it.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> computer("perfect", game).choose(noughts.replay(game, "5 1 3"))
    7
    """
    if name.partition(":")[0] in PROGRAMS and ":" in name:
        return _program(name, game, search.get("limits"))
    if name not in COMPUTERS:
        everyone = [HUMAN, *COMPUTERS, *(f"{each}:COMMAND" for each in PROGRAMS)]
        hint = suggest(name, everyone) or f"; there are: {', '.join(everyone)}"
        raise NoughtsError(f"there is no player {shown(name)}{hint}")
    return COMPUTERS[name](game, seed, **search)
