"""One notation everywhere: the text that names a game, and the text that names a position of it."""

from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Generic, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import BadPosition, IllegalAction, one_line, shown
from noughts.game import Action, Game, State, as_game
from noughts.games import named

__all__ = ["Position", "is_path", "load", "read_action", "read_position", "replay"]

THEN = "then"
"""What stands between a diagram and the actions played from there."""


def load(game: object) -> Game[Any, Any]:
    """Return the game that a name, a path to a Python file, or an object with the six functions stands for.

    Of a class an instance is made. A file holds the six functions, or one class or object that has them.

    >>> load("tic-tac-toe").title
    'Tic-tac-toe'
    """
    if isinstance(game, PathLike):
        game = str(game)
    if isinstance(game, str):
        if is_path(game):
            from noughts.gamefile import game_from_file  # only here: it needs the import machinery

            return game_from_file(game)
        return named(game, ", or a path such as ./mygame.py")
    return as_game(game)


def is_path(game: str) -> bool:
    """Say whether a text that stands for a game is the path of a file, and not a name.

    >>> is_path("./mygame.py"), is_path("connect:5x4")
    (True, False)
    """
    return game.endswith(".py") or "/" in game or "\\" in game or game in (".", "..")


class Position(NamedTuple, Generic[State, Action]):
    """A position as it was written: the diagram it begins with, if any, and what was played from there."""

    diagram: str
    """Empty if it begins where the game does."""
    actions: tuple[Action, ...]
    states: tuple[State, ...]
    """Where it begins, and where each action led; one more than actions."""

    @property
    def state(self) -> State:
        """Where it ends."""
        return self.states[-1]

    def text(self, name: Callable[[Action], str]) -> str:
        """Write it down, so that it reads back as the same."""
        diagram = [self.diagram] * bool(self.diagram)
        then = [THEN] * bool(self.diagram and self.actions)
        return " ".join([*diagram, *then, *map(name, self.actions)])


def replay(game: Game[State, Action], position: str | Iterable[Any]) -> State:
    """Return the state after the actions of a position, given as text or one by one.

    Text is the names of the actions, separated by spaces or commas; or a diagram where the game reads one, after which
    may stand `then` and actions.

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
    """Read a position as `replay` does, and keep what was played on the way."""
    offers = resolve(game)
    diagram, state = "", game.initial()
    if isinstance(position, str):
        if offers.parse is not None and any(sign in position.strip() for sign in "/\n|"):
            diagram, _, position = position.partition(f" {THEN} ")
            diagram = diagram.strip()
            state = offers.parse(diagram)
        position = offers.split_actions(position)
    actions: list[Action] = []
    states = [state]
    for step in position:
        legal = [] if game.terminal(state) else list(game.actions(state))
        try:
            action = step if step in legal else read_action(legal, offers, step)
        except IllegalAction:
            so_far = Position(one_line(diagram), tuple(actions), ()).text(offers.action_name)
            raise BadPosition(_illegal(offers, legal, so_far, step)) from None
        actions.append(action)
        state = game.result(state, action)
        states.append(state)
    return Position(diagram, tuple(actions), tuple(states))


def read_action(legal: Iterable[Action], offers: ResolvedGame[State, Action], word: object) -> Action:
    """Return the one of the legal actions that a word names, or raise IllegalAction.

    The exact name goes first, then an alias, then either in other letters of case if that leaves no doubt.
    """
    if not isinstance(word, str):
        raise IllegalAction(f"{word!r} is not a move here")
    words = [
        (name, action) for action in legal for name in (offers.action_name(action), *offers.action_aliases(action))
    ]
    exact = [action for name, action in words if name == word]
    folded = exact or [action for name, action in words if name.lower() == word.lower()]
    if not folded or any(action != folded[0] for action in folded[1:]):
        raise IllegalAction(f"{shown(word)} is not a move here")
    return folded[0]


def _illegal(offers: ResolvedGame[State, Action], legal: list[Action], played: str, step: Action | str) -> str:
    where = f"after {played}" if played else "at the start"
    word = shown(step) if isinstance(step, str) else offers.action_name(step)
    if not legal:
        return f"{word} cannot be played {where}: the game is over"
    names = [offers.action_name(action) for action in legal]
    can = " ".join(names[:12]) + (" ..." if len(names) > 12 else "")
    return f"{word} cannot be played {where}; what can: {can}"
