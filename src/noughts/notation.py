"""Notation: the texts that name games, positions and actions, the same in every shell."""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from os import PathLike
from threading import Lock
from typing import Any, Generic, NamedTuple
from weakref import WeakValueDictionary

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import BadPosition, IllegalAction, one_line, shown
from noughts.game import Action, Game, State, as_game
from noughts.games import named

__all__ = ["Position", "cannot_be_played", "is_path", "load", "normalised", "read_action", "read_position", "replay"]

THEN = "then"
"""The word between a diagram and the actions played from it."""


MOST_RECENT = 8
"""How many recently used games are kept in memory, with what their engines have learnt."""

_games: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
_recent: deque[Any] = deque(maxlen=MOST_RECENT)
_lock = Lock()


def load(game: object) -> Game[Any, Any]:
    """Return the game named by a notation or by the path of a Python file; an object with the six functions is a game.

    The same notation returns the same object for as long as it is in use; so does the same file while it is unchanged.
    For a class, an instance is made. A file contains the six functions, or one class or object that has them.

    >>> load("tic-tac-toe").title
    'Tic-tac-toe'
    >>> load("mnk:4, 4,4") is load("MNK:4,4,4")
    True
    """
    if isinstance(game, PathLike):
        game = str(game)
    if not isinstance(game, str):
        return as_game(game)
    if is_path(game):
        return _loaded(_file_key(game), lambda: _from_file(game))
    return _loaded(normalised(game), lambda: named(game, ", or a path such as ./mygame.py"))


def _loaded(key: Hashable, make: Callable[[], Game[Any, Any]]) -> Game[Any, Any]:
    """Return the loaded game with a key, or make it."""
    found: Game[Any, Any] | None = _games.get(key)
    made = make() if found is None else found
    with _lock:  # another thread may have made it meanwhile
        try:
            found = _games.setdefault(key, made)
        except TypeError:  # an object without weak references is made again each time
            found = made
        if not any(each is found for each in _recent):
            _recent.append(found)
    return found


def _file_key(path: str) -> Hashable:
    """Return a key for a file: its path and a hash of its content."""
    from hashlib import sha256  # imported here, so that the first board of a built-in game does not wait for it
    from pathlib import Path

    try:
        full = Path(path).resolve()
        return str(full), sha256(full.read_bytes()).digest()
    except (OSError, ValueError):  # no such file, or no path at all, such as one with a null character
        return path  # loading it will raise the right error


def _from_file(path: str) -> Game[Any, Any]:
    from noughts.gamefile import game_from_file  # imported here: it needs the import machinery

    return game_from_file(path)


def normalised(game: str) -> str:
    """Return the notation of a game in its usual spelling; a path as it is.

    >>> normalised(" MNK: 5, 05,4"), normalised("Connect-Four"), normalised("./MyGame.py")
    ('mnk:5,5,4', 'connect-four', './MyGame.py')
    """
    if is_path(game):
        return game
    return re.sub(r"0+(?=\d)", "", "".join(game.lower().split()))


def is_path(game: str) -> bool:
    """Return whether the notation of a game is the path of a file, not a name.

    >>> is_path("./mygame.py"), is_path("connect:5x4")
    (True, False)
    """
    return game.endswith(".py") or "/" in game or "\\" in game or game in (".", "..")


class Position(NamedTuple, Generic[State, Action]):
    """A position as it was written: the diagram it starts with, if any, and the actions played from there."""

    diagram: str
    """Empty if it starts with the initial state."""
    actions: tuple[Action, ...]
    states: tuple[State, ...]
    """The state at the start and after each action: one more than actions."""

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]

    def text(self, name: Callable[[Action], str]) -> str:
        """Return the position as text, from which `read_position` reads the same position."""
        diagram = [self.diagram] * bool(self.diagram)
        then = [THEN] * bool(self.diagram and self.actions)
        return " ".join([*diagram, *then, *map(name, self.actions)])


def replay(game: Game[State, Action], position: str | Iterable[Any]) -> State:
    """Return the state of a position, given as text or as a list of actions.

    A text consists of the names of the actions, separated by spaces or commas. If the game can read diagrams, it may
    also be a diagram, or a diagram followed by `then` and actions.

    >>> game = load("tic-tac-toe")
    >>> print(game.diagram(replay(game, "5 1 3")))
    O.X/.X./...
    >>> replay(game, "5 1 3") == replay(game, [5, 1, 3]) == replay(game, "O.X/.X./...")
    True
    >>> replay(game, "5 1 3 7") == replay(game, "O.X/.X./... then 7")
    True
    """
    return read_position(game, position).state


def read_position(game: Game[State, Action], position: str | Iterable[Any]) -> Position[State, Action]:
    """Read a position as `replay` does, and return it with its actions and states."""
    game = resolve(game)
    diagram, state = "", game.initial()
    if isinstance(position, str):
        if game.parse is not None and any(sign in position.strip() for sign in "/\n|"):
            diagram, _, position = position.partition(f" {THEN} ")
            diagram = diagram.strip()
            state = game.parse(diagram)
        position = game.split_actions(position)
    actions: list[Action] = []
    states = [state]
    for step in position:
        legal = [] if game.terminal(state) else list(game.actions(state))
        try:
            action = step if step in legal else read_action(legal, game, step)
        except IllegalAction:
            so_far = Position(one_line(diagram), tuple(actions), ()).text(game.action_name)
            where = f"after {so_far}" if so_far else "at the start"
            raise BadPosition(cannot_be_played(game, legal, where, step)) from None
        actions.append(action)
        state = game.result(state, action)
        states.append(state)
    return Position(diagram, tuple(actions), tuple(states))


def read_action(legal: Iterable[Action], game: ResolvedGame[State, Action], word: object) -> Action:
    """Return the legal action that a word names, or raise IllegalAction.

    A word is compared with names and aliases, first exactly and then ignoring case, if only one action then matches.
    """
    if not isinstance(word, str):
        raise IllegalAction(f"{word!r} is not a move here")
    words = [(name, action) for action in legal for name in (game.action_name(action), *game.action_aliases(action))]
    exact = [action for name, action in words if name == word]
    folded = exact or [action for name, action in words if name.lower() == word.lower()]
    if not folded or any(action != folded[0] for action in folded[1:]):
        raise IllegalAction(f"{shown(word)} is not a move here")
    return folded[0]


def cannot_be_played(game: ResolvedGame[State, Action], legal: list[Action], where: str, step: Action | str) -> str:
    """Return what is wrong with a move that is not legal: where it cannot be played, and what can be."""
    word = shown(step) if isinstance(step, str) else game.action_name(step)
    if not legal:
        return f"{word} cannot be played {where}: the game is over"
    names = [game.action_name(action) for action in legal]
    can = " ".join(names[:12]) + (" ..." if len(names) > 12 else "")
    return f"{word} cannot be played {where}; you can play {can}"
