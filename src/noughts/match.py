"""A match: a game being played, with its moves, and undo; a position that occurs too often makes it a draw."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Generic

from noughts.capabilities import resolve
from noughts.errors import IllegalAction
from noughts.game import Action, Game, State, to_move
from noughts.players.base import Player
from noughts.score import whole_utility

__all__ = ["TOO_OFTEN", "Match", "play_out"]

TOO_OFTEN = 3
"""When a position occurs for the third time, the match can be ended as a draw; between computers, it is."""


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
        self._times: Counter[Hashable] = Counter([self.game.key(self.state)])
        """How often each position has occurred, by key."""
        self.drawn = False
        """Whether the match was ended as a draw by repetition."""

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
        return self.drawn or self.game.terminal(self.state)

    @property
    def utility(self) -> int:
        """The utility of the finished game, for MAX."""
        return 0 if self.drawn else whole_utility(self.game.utility(self.state))

    def play(self, action: Action) -> None:
        """Play an action for the player to move; if it is illegal, raise IllegalAction and change nothing."""
        if self.over or action not in self.game.actions(self.state):
            raise IllegalAction(f"{self.game.action_name(action)} cannot be played after {self._so_far() or 'nothing'}")
        self._states.append(self.game.result(self.state, action))
        self._played.append(action)
        self._times[self.game.key(self.state)] += 1

    @property
    def times(self) -> int:
        """How often the current position has occurred."""
        return self._times[self.game.key(self.state)]

    @property
    def can_be_drawn(self) -> bool:
        """Whether the current position has occurred so often that the match can be ended as a draw."""
        return self.times >= TOO_OFTEN and not self.game.terminal(self.state)

    def end_as_draw(self) -> None:
        """End the match as a draw by repetition; raise IllegalAction if no position was repeated so often."""
        if not self.can_be_drawn:
            raise IllegalAction("the position has not occurred three times")
        self.drawn = True

    def _so_far(self) -> str:
        return " ".join(map(self.game.action_name, self._played))

    def undo(self) -> Action:
        """Take back the last action and return it; raise IllegalAction if there is none."""
        if not self._played:
            raise IllegalAction("there is nothing to take back")
        self._times[self.game.key(self._states.pop())] -= 1
        self.drawn = False
        return self._played.pop()


def play_out(
    game: Game[State, Action], players: Mapping[int, Player[State, Action]], start: State | None = None
) -> Match[State, Action]:
    """Play a game to its end between two players, given by MAX and MIN, and return the match.

    When a position occurs for the third time, the match ends as a draw.

    >>> import noughts
    >>> from noughts.players import computer
    >>> game = noughts.load("tic-tac-toe")
    >>> play_out(game, {noughts.MAX: computer("perfect", game), noughts.MIN: computer("rules", game)}).utility
    0
    """
    match = Match(game, start)
    while not match.over:
        match.play(players[match.to_move].choose(match.state))
        if match.can_be_drawn:
            match.end_as_draw()
    return match
