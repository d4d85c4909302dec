"""A match: a game being played, with its moves, and undo."""

from collections.abc import Mapping
from typing import Generic

from noughts.capabilities import resolve
from noughts.errors import EndlessGame, IllegalAction
from noughts.game import Action, Game, State, to_move
from noughts.players.base import Player
from noughts.score import whole_utility

__all__ = ["Match", "play_out"]


class Match(Generic[State, Action]):
    """A game played from its start or from a given state, with all actions since.

    >>> import noughts
    >>> match = Match(noughts.load("tic-tac-toe"))
    >>> for cell in (1, 5, 2, 9, 3):
    ...     match.play(cell)
    >>> match.over, match.utility
    (True, 1)
    """

    def __init__(self, game: Game[State, Action], start: State | None = None) -> None:
        self.game = resolve(game)
        self._states = [self.game.state(start)]
        self._played: list[Action] = []

    @property
    def state(self) -> State:
        """The current state."""
        return self._states[-1]

    @property
    def played(self) -> tuple[Action, ...]:
        """The actions played since the start."""
        return tuple(self._played)

    @property
    def movers(self) -> tuple[int, ...]:
        """The player of each action in `played`."""
        return tuple(to_move(self.game, state) for state in self._states[:-1])

    @property
    def to_move(self) -> int:
        """The player to move."""
        return to_move(self.game, self.state)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.terminal(self.state)

    @property
    def utility(self) -> int:
        """The utility of the finished game, for MAX."""
        return whole_utility(self.game.utility(self.state))

    def play(self, action: Action) -> None:
        """Play an action for the player to move; if it is illegal, raise IllegalAction and change nothing."""
        if self.over or action not in self.game.actions(self.state):
            raise IllegalAction(f"{self.game.action_name(action)} cannot be played after {self._so_far() or 'nothing'}")
        self._states.append(self.game.result(self.state, action))
        self._played.append(action)

    def check_repetition(self) -> None:
        """Raise EndlessGame if the current state occurred before, since computer players would then never stop."""
        key = self.game.key
        if key(self.state) in map(key, self._states[:-1]):
            raise EndlessGame(f"the position is repeated after {self._so_far()}, so this game need not end")

    def _so_far(self) -> str:
        return " ".join(map(self.game.action_name, self._played))

    def undo(self) -> Action:
        """Take back the last action and return it; raise IllegalAction if there is none."""
        if not self._played:
            raise IllegalAction("there is nothing to take back")
        self._states.pop()
        return self._played.pop()


def play_out(
    game: Game[State, Action], players: Mapping[int, Player[State, Action]], start: State | None = None
) -> Match[State, Action]:
    """Play a game to its end between two players, given by MAX and MIN, and return the match.

    >>> import noughts
    >>> from noughts.players import computer
    >>> game = noughts.load("tic-tac-toe")
    >>> play_out(game, {noughts.MAX: computer("perfect", game), noughts.MIN: computer("rules", game)}).utility
    0
    """
    match = Match(game, start)
    while not match.over:
        match.play(players[match.to_move].choose(match.state))
        match.check_repetition()
    return match
