"""Solving a puzzle move by move: which moves are right, what refutes the others, and how the opponent replies."""

from typing import Generic

from noughts.capabilities import resolve
from noughts.engine import Engine, engine_of
from noughts.game import Action, Game, State
from noughts.puzzles.find import Puzzle
from noughts.puzzles.plausible import plausible
from noughts.search.limits import Budget
from noughts.search.within import WinsWithin
from noughts.words.report import names_of
from noughts.words.threats import completions
from noughts.words.tries import about_wrong_try

__all__ = ["Solving", "goal"]


def goal(game: Game[State, Action], puzzle: Puzzle[State, Action]) -> str:
    """Return in one sentence what a puzzle asks.

    >>> import noughts
    >>> from noughts.puzzles.find import puzzle
    >>> game = noughts.load("tic-tac-toe")
    >>> goal(game, puzzle(game, seed=1, moves=3, kind="win"))
    'X to move and win in 3 moves.'
    """
    rules = resolve(game)
    mover = rules.mover_name(puzzle.state)
    if puzzle.kind == "save":
        return f"{mover} to move. All moves but one lose, in {puzzle.moves} moves at most: find the one that holds."
    if puzzle.moves == 1:
        return f"{mover} to move and win at once."
    return f"{mover} to move and win in {puzzle.moves} moves."


class Solving(Generic[State, Action]):
    """A puzzle that a person solves. To win, each winning move must be found; the opponent holds out as long as it can.

    After the first move, any move is right that wins in the moves that are left.

    >>> import noughts
    >>> from noughts.puzzles.find import puzzle
    >>> game = noughts.load("tic-tac-toe")
    >>> solving = Solving(game, puzzle(game, seed=1, moves=3, kind="win"))
    >>> while not solving.done:
    ...     replies = solving.play(solving.solution)
    >>> game.utility(solving.state) != 0
    True
    """

    def __init__(self, game: Game[State, Action] | Engine[State, Action], puzzle: Puzzle[State, Action]) -> None:
        self._engine = engine_of(game)
        self._game = self._engine.game
        self.puzzle = puzzle
        self.state = puzzle.state
        """The position now."""
        self.left = puzzle.moves
        """How many moves, of both players, are left to win in."""
        self._player = self._game.to_move(puzzle.state)
        self._wins = WinsWithin(self._game, Budget())

    @property
    def done(self) -> bool:
        """Whether the puzzle is solved."""
        if self.puzzle.kind == "save":
            return self.state is not self.puzzle.state
        return self._game.terminal(self.state)

    @property
    def solution(self) -> Action:
        """A right move in the position now."""
        if self.state is self.puzzle.state:
            return self.puzzle.solution
        return next(action for action in self._game.legal_actions(self.state) if self.is_right(action))

    def is_right(self, action: Action) -> bool:
        """Return whether a move is right in the position now."""
        if self.state is self.puzzle.state:
            return action == self.puzzle.solution
        return self._wins.forced(self._game.result(self.state, action), self._player, self.left - 1)

    def play(self, action: Action) -> list[Action]:
        """Play a right move, and the opponent's replies if the puzzle goes on; return the replies."""
        self.state = self._game.result(self.state, action)
        self.left -= 1
        replies: list[Action] = []
        while not self.done and self._game.to_move(self.state) != self._player:
            replies.append(self._longest())
            self.state = self._game.result(self.state, replies[-1])
            self.left -= 1
        return replies

    def _longest(self) -> Action:
        """Return the reply of the opponent that holds out longest; of several, one that stops a threat."""
        game = self._game
        threats = () if game.lineup is None else completions(game.lineup(self.state), self._player)

        def lasting(action: Action) -> tuple[int, bool]:
            child = game.result(self.state, action)
            return self._wins.distance(child, self._player, self.left) or 0, action in threats

        return max(game.legal_actions(self.state), key=lasting)

    def among(self, most: int = 3) -> list[Action]:
        """Return some moves for a hint, in the game's order: a right one, and plausible ones that fail."""
        right = self.solution
        legal = self._game.legal_actions(self.state)
        looks_good = [action for action in plausible(self._game, self.state) if not self.is_right(action)]
        others = [*looks_good, *(action for action in legal if action not in looks_good and not self.is_right(action))]
        shown = [right, *others[: most - 1]]
        return [action for action in legal if action in shown]

    def why_not(self, action: Action) -> str:
        """Return in words why a move is not right, and what the opponent then does, without telling the right one."""
        game, name = self._game, self._game.action_name
        said = about_wrong_try(self._engine, self.state, action)
        wins = said is not None and f" {game.mover_name(self.state)} wins" in said
        if said is not None and not wins:
            return said
        child = game.result(self.state, action)
        nothing = f"After {name(action)} there is no win in {self.left} moves"
        reply = None
        if not game.terminal(child) and game.to_move(child) != self._player:
            reply = self._wins.move(child, self._player, self.left - 1)
        answered = "" if reply is None else f": {names_of(game, self.state).other} plays {name(reply)}"
        return " ".join(filter(None, [said, f"{nothing}{answered}."]))
