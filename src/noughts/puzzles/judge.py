"""Is a position a puzzle? Exactly one move wins, or exactly one does not lose; decided by proof, in whole numbers.

The decision is the same on every machine, with and without numba: it depends on the rules and on counts, never on time.
"""

from typing import Generic, Literal, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.score import value_of
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.retrograde import Retrograde
from noughts.search.within import WinsWithin

__all__ = ["Judge", "Kind", "Verdict"]

Kind = Literal["win", "save"]
"""`win`: one move wins. `save`: one move does not lose."""

SMALL = 20_000
"""A game of at most this many positions is solved whole, with symmetric ones counted once."""

LARGE = 32
"""A board of lines with more cells than this is not solved whole."""

NEAR_THE_END = 4_000
"""In a larger game, a position with at most this many below it is solved."""

MOST_VISITED = 60_000
"""How many positions the proof of one puzzle may visit where the game is too large to be solved."""

FURTHEST = 9
"""The most moves in which a puzzle is won, or lost by a wrong move, where the game is too large to be solved."""


class Verdict(NamedTuple, Generic[Action]):
    """What makes a position a puzzle."""

    kind: Kind
    solution: Action
    moves: int
    """In how many moves, of both players, the solution wins; or any other move loses, at the latest."""
    only: bool
    """Whether no other move wins at all. If not, no other wins in so many moves, and it is not known of more."""


class Judge(Generic[State, Action]):
    """Decides which positions of one game are puzzles. `limits` stop it by raising OutOfBudget."""

    def __init__(self, game: ResolvedGame[State, Action], limits: Limits) -> None:
        self._game, self._limits = game, limits
        self._all = Budget(limits)
        self._whole: Retrograde[State, Action] | None = Retrograde(game, SMALL)
        self.wins = WinsWithin(game, Budget(limits))
        """The search for forced wins, which also says what refutes a wrong move."""
        try:
            if game.lineup is not None and len(game.lineup(game.initial()).cells) > LARGE:
                raise OutOfBudget("node limit")  # not worth a try, which would note every symmetric image
            self._whole.solve(game.initial(), self._part(SMALL))
        except OutOfBudget:
            self._whole = None
            self._all.check()

    def check(self) -> None:
        """Raise OutOfBudget if the time is up or the search was cancelled."""
        self._all.check()

    @property
    def is_solved(self) -> bool:
        """Whether the whole game is solved."""
        return self._whole is not None

    def verdict(self, state: State, most: int = FURTHEST) -> Verdict[Action] | None:
        """Return what makes a position a puzzle, or None. In a large game it looks `most` moves ahead."""
        self._all.check()
        if self._game.terminal(state) or len(self._game.legal_actions(state)) < 2:
            return None
        if self._whole is not None:
            return self._by_scores(state, self._whole)
        self.wins = WinsWithin(self._game, self._part(MOST_VISITED))
        try:
            return self._won(state, most) or self._saved(state, most)
        except OutOfBudget:
            self._all.check()
            return None
        finally:
            self._all.add(self.wins.budget.nodes)

    def is_forced(self, state: State, player: int, plies: int) -> bool:
        """Return whether a player can force a win in so many plies, as far as a search of limited size can tell."""
        self.wins = WinsWithin(self._game, self._part(MOST_VISITED))
        try:
            return self.wins.forced(state, player, plies)
        except OutOfBudget:
            self._all.check()
            return False
        finally:
            self._all.add(self.wins.budget.nodes)

    def _part(self, nodes: int) -> Budget:
        """Return a budget of so many nodes, and of the time that is left."""
        return Budget(self._all.part(most_nodes=nodes))

    def _by_scores(self, state: State, solved: Retrograde[State, Action]) -> Verdict[Action] | None:
        """Return the verdict about a position that is solved, with all that can follow."""
        game, mover = self._game, self._game.to_move(state)
        scores = {
            action: mover * game.scale.one_ply_later(solved.score(game.result(state, action)))
            for action in game.legal_actions(state)
        }
        best = max(scores, key=scores.__getitem__)
        value = value_of(scores[best])
        if value == "loss" or sum(value_of(score) == value for score in scores.values()) > 1:
            return None
        others = [score for action, score in scores.items() if action != best]
        if value == "draw" and any(score >= 0 for score in others):
            return None
        kind: Kind = "win" if value == "win" else "save"
        if game.has_margins:  # then the distances of scores are those of the best margin, not of the fastest win
            return self._by_any_margin(state, kind, best)
        moves = max(game.scale.distance(score) or 0 for score in ([scores[best]] if kind == "win" else others))
        return Verdict(kind, best, moves, only=True)

    def _by_any_margin(self, state: State, kind: Kind, best: Action) -> Verdict[Action] | None:
        """Return the verdict about a position whose right move is known, with the moves to a win by any margin."""
        game, mover = self._game, self._game.to_move(state)
        wins = self.wins = WinsWithin(game, self._part(MOST_VISITED))
        try:
            if kind == "win":
                found = [wins.distance(state, mover, FURTHEST)]
            else:
                others = (action for action in game.legal_actions(state) if action != best)
                found = [wins.distance(game.result(state, action), -mover, FURTHEST - 1) for action in others]
        except OutOfBudget:
            self._all.check()
            return None
        lengths = [each for each in found if each is not None]
        if len(lengths) < len(found):
            return None
        return Verdict(kind, best, max(lengths) + (kind == "save"), only=True)

    def _won(self, state: State, most: int) -> Verdict[Action] | None:
        """Return the verdict if exactly one move wins as fast as possible."""
        game, wins, mover = self._game, self.wins, self._game.to_move(state)
        moves = wins.distance(state, mover, most)
        if moves is None:
            return None
        after = {action: game.result(state, action) for action in game.legal_actions(state)}
        winning = [action for action, child in after.items() if wins.forced(child, mover, moves - 1)]
        if len(winning) != 1:
            return None
        solved = self._solved(state)
        only = solved is not None and all(
            mover * solved.score(child) <= 0 for action, child in after.items() if action != winning[0]
        )
        return Verdict("win", winning[0], moves, only)

    def _saved(self, state: State, most: int) -> Verdict[Action] | None:
        """Return the verdict if all moves but one lose within the horizon, and that one is proven not to lose."""
        game, wins, mover = self._game, self.wins, self._game.to_move(state)
        holding: list[Action] = []
        longest = 0
        for action in game.legal_actions(state):
            lost = wins.distance(game.result(state, action), -mover, most - 1)
            if lost is None:
                holding.append(action)
                if len(holding) > 1:
                    return None
            else:
                longest = max(longest, lost + 1)
        if not holding:
            return None
        solved = self._solved(game.result(state, holding[0]))
        if solved is None:
            return None
        value = mover * solved.score(game.result(state, holding[0]))
        return Verdict("save", holding[0], longest, only=True) if value == 0 else None

    def _solved(self, state: State) -> Retrograde[State, Action] | None:
        """Return the scores of a position and of all that can follow, or None if that is too much."""
        found = Retrograde(self._game, NEAR_THE_END)
        try:
            found.solve(state, self._part(NEAR_THE_END))
        except OutOfBudget:
            self._all.check()
            return None
        return found
