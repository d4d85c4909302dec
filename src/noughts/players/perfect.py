"""The perfect player: never gives anything up, and of equally good moves takes the one that is hardest to answer."""

from collections.abc import Hashable, Sequence
from functools import cached_property

from noughts.engine import Engine
from noughts.game import Action, Game, State
from noughts.players.expectation import SAME, Expectation
from noughts.players.levels import Level
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.players.sight import sight_of
from noughts.players.textbook import Judgement, Textbook
from noughts.search.limits import Budget, Limits, OutOfBudget

__all__ = ["Perfect"]

MOST_COMPARED = 12
"""How many equally good moves are compared in a game that is too large to be solved whole."""

NODES = 20_000
"""The nodes that the values of the replies to one move may take."""

SHARE = 0.5
"""The share of a move's time that may be spent on choosing among equally good moves."""

FALLIBLE = 3
"""The level of the opponent that is expected."""

MOST_KEPT = 20_000
"""How many choices are remembered."""


class Perfect(Textbook[State, Action]):
    """Takes a best move by value and distance, and of several the one after which the opponent is likeliest to err.

    In a small game that is the one of which it can expect most against a random opponent, exactly. Otherwise, and of
    several such moves, it is the one that a player of level `FALLIBLE` answers with a mistake most often, as far as the
    values of the replies are found quickly. What is left is equally good: it takes the first in the game's order, or
    with a seed a random one.
    """

    description = "perfect"

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        seed: int | None = None,
        limits: Limits = MOVE_LIMITS,
    ) -> None:
        super().__init__(game, seed, limits)
        self._kept: dict[Hashable, tuple[Action, ...]] = {}
        self._expectation: Expectation[State, Action] | None = None
        """What can be expected in a small game; None if the game is large, or not solved yet."""

    def _choice(self, state: State) -> tuple[Action, ...]:
        """Return the best actions that are hardest to answer."""
        key = self._game.key(state)
        kept = self._kept.get(key)
        if kept is not None:
            self.caveat = ""
            return kept
        budget = Budget(self._limits)
        judgement = self.judge(state)
        self.caveat = judgement.doubt
        choice = self._hardest(state, judgement, budget)
        if not judgement.doubt:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = choice
        return choice

    def _hardest(self, state: State, judgement: Judgement[Action], budget: Budget) -> tuple[Action, ...]:
        """Return those of the best actions after which the opponent is likeliest to err."""
        choice = judgement.choice
        if len(choice) < 2 or judgement.doubt or budget.stopped is not None:
            return choice
        limits = budget.part(SHARE)
        try:
            if self._expectation is None:
                solved = sight_of(self._game).solution(limits)
                self._expectation = None if solved is None else Expectation(self._game, solved)
            if self._expectation is not None:
                choice = self._expectation.most(state, choice, Budget(limits._replace(nodes=None)))
            elif judgement.value == "win":  # the opponent has lost already
                return choice
            return self._most_tempting(state, choice[:MOST_COMPARED], Budget(limits)) if len(choice) > 1 else choice
        except OutOfBudget:
            return choice

    def _most_tempting(self, state: State, choice: Sequence[Action], budget: Budget) -> tuple[Action, ...]:
        """Return those actions that a fallible opponent answers with a mistake most often."""
        errors = []
        for number, action in enumerate(choice):
            limits = budget.part(1 / (len(choice) - number), most_nodes=NODES)
            errors.append((action, self._error(self._game.result(state, action), state, limits)))
        most = max(error for _, error in errors)
        return tuple(action for action, error in errors if error > most - SAME)

    def _error(self, child: State, state: State, limits: Limits) -> float:
        """Return how likely a fallible opponent errs after a move; 0 if the values of the replies are not known."""
        game = self._game
        if game.terminal(child) or game.player(child) == game.player(state):
            return 0.0
        answer = self._engine.ask(child, limits)
        if not answer.proven or answer.value == "loss":
            return 0.0
        mistakes = [each.action for each in answer.actions if each.value != answer.value and each.bound != "lower"]
        if not mistakes:
            return 0.0
        return sum(chance for action, chance in self._opponent.likely(child) if action in mistakes)

    @cached_property
    def _opponent(self) -> Level[State, Action]:
        return Level(self._engine, FALLIBLE, limits=self._limits)
