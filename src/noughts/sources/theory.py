"""The theory of a game as a source: who wins, without a search and without distances."""

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.game import Action, State
from noughts.score import Value, value_of, whole_utility
from noughts.search.answer import ActionValue, Answer, unknown
from noughts.sources.question import Question, Source

__all__ = ["TheoryOf"]


class TheoryOf(Source[State, Action]):
    """The value of a state and of every action, from the game's `theory`.

    Distances are unknown, so every action that keeps the value is a best action.
    """

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        self._game = game

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the proven value and all best actions, without distances; None if it says nothing or time is up."""
        game, state = self._game, question.state
        if game.terminal(state):
            return None
        mover, rows = game.to_move(state), []
        utility = self._utility(state)
        for action in game.legal_actions(state):
            if question.budget.stopped in ("deadline", "cancelled"):  # it needs no nodes
                return None
            child = self._utility(game.result(state, action))
            if child is None or utility is None:
                return None
            rows.append(self._row(action, mover * child))
        assert utility is not None
        margin = mover * utility
        if margin != max(each.margin or 0 for each in rows):
            raise BrokenGame(f"theory(state) says {utility}, and does not agree about the children, in {state!r}")
        best = tuple(each.action for each in rows if each.margin == margin)
        low, high = self._game.scale.bounds(margin)
        return unknown("theory", 0, 0.0, "done")._replace(
            value=value_of(margin),
            distance=None,
            margin=margin,
            best=best,
            line=best[:1],
            actions=tuple(rows),
            proven=True,
            low=low,
            high=high,
            line_complete=game.terminal(game.result(state, best[0])),
        )

    def knows(self, state: State) -> bool:
        """Return whether the theory values a state."""
        return not self._game.terminal(state) and self._utility(state) is not None

    def _utility(self, state: State) -> int | None:
        """Return what best play leads to, in MAX's view, or None if the theory does not say."""
        game = self._game
        if game.terminal(state):
            return whole_utility(game.utility(state), game.utility_range)
        assert game.theory is not None
        found = game.theory(state)
        return None if found is None else whole_utility(found.utility, game.utility_range)

    def _row(self, action: Action, margin: int) -> ActionValue[Action]:
        low, high = self._game.scale.bounds(margin)
        value: Value = value_of(margin)
        return ActionValue(action, value, None, exact=True, margin=margin, low=low, high=high)
