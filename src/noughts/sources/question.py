"""One question to an engine: what is asked, what is left to spend on it, and what is known of the answer so far."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Stopped, answer_between, refined
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits

__all__ = ["Loadable", "Question", "Source"]


class Question(Generic[State, Action]):
    """A question about one state, within limits; `wanted` says for which actions: one best, all best, or all."""

    def __init__(
        self,
        game: ResolvedGame[State, Action],
        state: State,
        wanted: Wanted,
        limits: Limits,
        progress: Callable[[Progress], None] | None = None,
        *,
        to_play: bool = False,
    ) -> None:
        self.game = game
        self.state = state
        self.wanted = wanted
        self.limits = limits
        self.progress = progress
        self.to_play = to_play
        """Whether only the choice of an action matters, and not what the others are worth."""
        self.budget = Budget(limits)
        self.known: Answer[Action] | None = None
        """What the sources asked so far have found, put together."""
        self.stopped: Stopped = "done"
        """Why the last source stopped."""
        self._asked = 0
        self.native = False
        """Whether a kernel has searched for it."""
        self.is_clear = False
        """Whether a source has found that further search would not change which action to choose."""

    @property
    def is_complete(self) -> bool:
        """Whether everything that was asked is known."""
        known = self.known
        if known is None or not known.proven:
            return False
        if self.wanted != "all" or not known.best:  # one action is enough, or the game is over
            return True
        return bool(known.actions) and all(each.exact for each in known.actions)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is to be asked: all is known, or the choice if only that matters, or it is cancelled."""
        if self.is_complete:
            return True
        clear = self.stopped == "cancelled" or (self.to_play and self.is_clear)
        return clear and self.known is not None and bool(self.known.choice)

    def add(self, answer: Answer[Action]) -> None:
        """Add the answer of a source. Nothing that was proven before is lost."""
        self.budget.add(answer.nodes)
        self.stopped = answer.stopped
        self._asked += 1
        self.known = answer if self.known is None else self._combined(self.known, answer)

    def answer(self) -> Answer[Action]:
        """Return the answer, with what all sources spent on it."""
        known = self.known
        assert known is not None
        if self._asked == 1 and self.wanted == "one" and not known.actions and known.nodes == self.budget.nodes:
            return known  # the usual case, one source: return its answer as it is
        is_done = self.is_complete or (self.to_play and self.is_clear and known.proven)
        stopped: Stopped = "done" if is_done else self.stopped
        actions = () if self.wanted == "one" else known.actions
        return known._replace(actions=actions, nodes=self.budget.nodes, seconds=self.budget.seconds, stopped=stopped)

    def _combined(self, old: Answer[Action], new: Answer[Action]) -> Answer[Action]:
        """Return two answers combined: the tighter bounds, and the guess of the search that looked further ahead."""
        scale = self.game.scale
        rows = refined(old.actions or new.actions, new.actions or old.actions, scale)
        if new.proven or old.proven:
            proven = new if new.proven else old
            return proven._replace(actions=rows)
        lead = new if (new.depth or 0) >= (old.depth or 0) else old
        lows = [low for low in (old.low, new.low) if low is not None]
        highs = [high for high in (old.high, new.high) if high is not None]
        found = answer_between(
            rows,
            max(lows, default=None),
            min(highs, default=None),
            scale=scale,
            method=lead.method,
            nodes=0,
            seconds=0.0,
            stopped=new.stopped,
            guess=lead.guess,
            depth=lead.depth,
        )
        if found.proven:
            return found
        guess = _plausible(found, lead.guess)
        if not set(guess) & set(lead.guess):  # what looked best to the other search, if that is not known to be worse
            guess = _plausible(found, (old if lead is new else new).guess)
        line = lead.line if lead.line[:1] == guess[:1] else guess[:1]
        return found._replace(guess=guess, line=line)


def _plausible(found: Answer[Action], guess: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return a guess without the actions that are known to be worse than another one, or to lose if others may not."""
    low = found.low
    if not found.actions:
        return guess
    if low is None:
        safe = [each.action for each in found.actions if each.high is None or each.high >= 0]
        return tuple(action for action in guess if action in safe) or tuple(safe[:1]) or guess
    rows = [each for each in found.actions if each.high is None or each.high >= low]
    reaching = [each for each in rows if each.low == low]
    if low > 0 and reaching:  # prefer a proven win to guesses
        return (reaching[0].action,)
    kept = tuple(action for action in guess if any(each.action == action for each in rows))
    return kept or tuple(each.action for each in (reaching or rows)[:1]) or guess


class Source(ABC, Generic[State, Action]):
    """Something that can answer questions about one game, in full or in part.

    A source decides itself whether a question is worth its while; the engine only asks one after the other. All but
    `ask` have defaults, for a source that learns nothing and needs no preparation.
    """

    @abstractmethod
    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return what this source finds within its share of the budget, or None if it has nothing to add."""

    def knows(self, state: State) -> bool:  # noqa: ARG002
        """Return whether it has the values of a state and its actions at hand, so that asking costs next to nothing."""
        return False

    def prepare(self, limits: Limits) -> bool:  # noqa: ARG002
        """Get ready for questions; return whether it will answer them all, so that no other source need be prepared."""
        return False

    def forget(self) -> None:
        """Drop what was learnt from earlier questions."""

    @property
    def bytes(self) -> int:
        """About how much memory it takes to keep what was learnt."""
        return 0


class Loadable(Protocol):
    """A compiled search, which may be loaded or not."""

    @property
    def is_loaded(self) -> bool:
        """Whether it is loaded, so that a search in Python would only take time from it."""
