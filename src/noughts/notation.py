"""One notation everywhere: the text that names a game, and the text that names a position of it."""

from collections.abc import Iterable
from os import PathLike
from typing import Any

from noughts.capabilities import Capabilities, capabilities
from noughts.errors import BadPosition, BrokenGame, shown
from noughts.game import SIX, Action, Game, State
from noughts.games import named

__all__ = ["load", "read_action", "replay"]


def load(game: object) -> Game[Any, Any]:
    """Return the game that a name, a path to a Python file, or an object with the six functions stands for.

    A class is instantiated. A file holds the six functions, or one class or object that has them.

    >>> load("tic-tac-toe").title
    'Tic-tac-toe'
    """
    if isinstance(game, PathLike):
        game = str(game)
    if isinstance(game, str):
        if game.endswith(".py") or "/" in game or "\\" in game:
            from noughts.gamefile import game_from_file  # only here: it needs the import machinery

            return game_from_file(game)
        return named(game)
    return as_game(game)


def as_game(candidate: Any) -> Game[Any, Any]:
    """Return an object with the six functions as it is, a class as an instance; raise BrokenGame otherwise."""
    called = getattr(candidate, "__name__", type(candidate).__name__)
    missing = [name for name in SIX if not callable(getattr(candidate, name, None))]
    if missing:
        raise BrokenGame(f"{called} is no game: it has no function {', '.join(missing)}")
    if isinstance(candidate, type):
        try:
            candidate = candidate()
        except TypeError as error:
            raise BrokenGame(f"{called} cannot be made without arguments ({error}); make one yourself") from None
    game: Game[Any, Any] = candidate
    return game


def replay(game: Game[State, Action], position: str | Iterable[Any]) -> State:
    """Return the state after the actions of a position, given as text or one by one.

    Text is the names of the actions, separated by spaces or commas, or a diagram where the game reads one.

    >>> game = load("tic-tac-toe")
    >>> print(game.diagram(replay(game, "5 1 3")))
    O.X/.X./...
    >>> replay(game, "5 1 3") == replay(game, [5, 1, 3]) == replay(game, "O.X/.X./...")
    True
    """
    offers = capabilities(game)
    if isinstance(position, str):
        if offers.parse is not None and any(sign in position for sign in "/\n|"):
            return offers.parse(position)
        position = offers.split(position)
    state = game.initial()
    played: list[str] = []
    for step in position:
        action = step if not isinstance(step, str) else read_action(game, offers, state, step)
        legal = [] if game.terminal(state) else list(game.actions(state))
        if action is None or action not in legal:
            raise BadPosition(_illegal(offers, legal, played, step))
        played.append(offers.name(action))
        state = game.result(state, action)
    return state


def read_action(
    game: Game[State, Action], offers: Capabilities[State, Action], state: State, word: str
) -> Action | None:
    """Return the legal action that a word names, by its name or an alias, in any case of letters, or None."""
    if game.terminal(state):
        return None
    by_word: dict[str, Action] = {}
    for action in game.actions(state):
        for name in (offers.name(action), *offers.aliases(action)):
            by_word.setdefault(name.lower(), action)
    return by_word.get(word.lower())


def _illegal(offers: Capabilities[State, Action], legal: list[Action], played: list[str], step: Action | str) -> str:
    where = f"after {' '.join(played)}" if played else "at the start"
    word = shown(step) if isinstance(step, str) else offers.name(step)
    if not legal:
        return f"{word} cannot be played {where}: the game is over"
    names = [offers.name(action) for action in legal]
    can = " ".join(names[:12]) + (" ..." if len(names) > 12 else "")
    return f"{word} cannot be played {where}; what can: {can}"
