"""How the states that a player is asked about have come about: the actions to each, to tell another program."""

from collections import deque
from collections.abc import Hashable
from typing import Generic, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.errors import NoughtsError, one_line
from noughts.game import Action, State

__all__ = ["Course", "History"]

MOST_STATES = 20_000
"""How many states are looked at for a way to a new one, before a diagram tells where the game stands."""


class Course(NamedTuple, Generic[Action]):
    """How a state has come about: a diagram, empty for the initial state, and the actions since."""

    diagram: str
    actions: tuple[Action, ...]
    continues: bool
    """Whether it continues the one before, without another start or anything taken back."""


class History(Generic[State, Action]):
    """The states of a game so far. A player is told them one by one, and never how they have come about."""

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        self._game = game
        self._begin("", game.initial())

    def _begin(self, diagram: str, state: State) -> None:
        self._diagram, self._states = diagram, [state]
        self._actions: list[Action] = []

    def follow(self, state: State) -> Course[Action]:
        """Return how a state has come about, and remember it."""
        key, continues = self._game.key(state), True
        path = self._path(self._states[-1], key, furthest=1)
        if path is None:
            continues = False
            path = self._back_to(key)
        if path is None:
            path = self._path(self._states[-1], key)
            continues = path is not None
        if path is None:
            self._begin("", self._game.initial())
            path = self._path(self._states[-1], key)
        if path is None:
            self._begin(self._drawn(state), state)
            path = ()
        for action in path:
            self.play(action)
        return Course(self._diagram, tuple(self._actions), continues)

    def play(self, action: Action) -> None:
        """Remember an action that is played in the last state."""
        self._states.append(self._game.result(self._states[-1], action))
        self._actions.append(action)

    def _back_to(self, key: Hashable) -> tuple[Action, ...] | None:
        """Forget what was played after the latest state that a state is, or follows; return the actions to it."""
        for kept in range(len(self._states) - 1, -1, -1):
            path = self._path(self._states[kept], key, furthest=1)
            if path is not None:
                del self._states[kept + 1 :], self._actions[kept:]
                return path
        return None

    def _path(self, start: State, key: Hashable, furthest: int | None = None) -> tuple[Action, ...] | None:
        """Return the shortest way to the state with a key, if it is no longer than `furthest` and soon found."""
        game = self._game
        if game.key(start) == key:
            return ()
        waiting: deque[tuple[State, tuple[Action, ...]]] = deque([(start, ())])
        seen = {game.key(start)}
        looked_at = 0
        while waiting and looked_at < MOST_STATES:
            state, path = waiting.popleft()
            if game.terminal(state) or len(path) == furthest:
                continue
            for action in game.actions(state):
                child = game.result(state, action)
                child_key = game.key(child)
                looked_at += 1
                if child_key == key:
                    return *path, action
                if child_key not in seen:
                    seen.add(child_key)
                    waiting.append((child, (*path, action)))
        return None

    def _drawn(self, state: State) -> str:
        """Return a diagram of a state, on one line."""
        game = self._game
        diagrams = []
        if game.parse is not None:
            if game.board is not None:
                rows = ("".join(cell.mark or "." for cell in row) for row in game.board(state) if row)
                diagrams.append("/".join(rows))
            diagrams.append(one_line(game.draw(state)))
        for diagram in diagrams:
            try:
                if game.parse is not None and game.key(game.parse(diagram)) == game.key(state):
                    return diagram
            except NoughtsError:
                continue
        raise NoughtsError("another program cannot be told this position: the game has no diagrams; begin at its start")
