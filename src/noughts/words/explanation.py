"""Explanations of positions: every action with its value, its reasons, its refutation and its traps.

Values and lines of play come from the game's engine; `noughts.words.reasons` defines the reasons.
"""

from collections.abc import Callable, Hashable, Iterable
from time import perf_counter
from typing import Generic, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine, engine_of
from noughts.errors import IllegalAction
from noughts.game import Action, Game, State, to_move
from noughts.score import Value, one_ply_later
from noughts.search.answer import ActionValue, Answer, Scored, Stopped, action_value, answer_from, unknown
from noughts.search.limits import Limits, OutOfBudget
from noughts.symmetry import symmetry_key
from noughts.words.reasons import (
    Again,
    AllowsWin,
    Completes,
    Ends,
    ForcedSequence,
    ForcesReply,
    Forks,
    Leaves,
    OnlyBest,
    OnlyMove,
    Reason,
    Symmetric,
)
from noughts.words.replies import Traps, is_only_best, only_reply, traps_in
from noughts.words.threats import line_reasons

__all__ = ["Alike", "Equal", "Explained", "Explainer", "Explanation", "explain"]


FOR_SEARCHES = 0.9
"""The share of the time for searches; the rest is for finding reasons in their answers."""


class Explained(NamedTuple, Generic[Action]):
    """The value of one action for the player who takes it, and the reasons for it."""

    value: ActionValue[Action]
    reasons: tuple[Reason, ...]
    refutation: tuple[Action, ...]
    """Best play after the action, for an action that is worse than the best and does not win; else empty."""
    traps: Traps | None
    """None if the action ends the game, if its player moves again, or if the values of the replies are unknown."""
    examined: bool = True
    """Whether there was time to look for reasons, refutation and traps; if not, they are empty."""


class Equal(NamedTuple, Generic[Action]):
    """Actions with the same value, distance and margin; those that lead to symmetric positions form a class."""

    value: Value
    distance: int | None
    margin: int | None
    classes: tuple["Alike[Action]", ...]


class Alike(NamedTuple, Generic[Action]):
    """Actions that lead to the same position up to symmetry."""

    actions: tuple[Action, ...]
    identical: bool
    """Whether the positions are identical, not only symmetric."""


class Explanation(NamedTuple, Generic[State, Action]):
    """A position explained, in the view of the player to move."""

    state: State
    answer: Answer[Action]
    """The answer of the engine; nodes and seconds are those of the whole explanation."""
    actions: tuple[Explained[Action], ...]
    """Every action, or only the one that was asked about."""
    equal: tuple[Equal[Action], ...] | None
    """Groups of equal actions; None if there was no time to find the symmetric ones."""
    trickiest: tuple[Action, ...]
    """If several best actions draw: those after which most of the opponent's replies are mistakes."""
    asked: Action | None
    """The action that was asked about, or None for all actions."""
    has_symmetry: bool = True
    """Whether the game declares its symmetries; if not, symmetric actions are not recognised."""


class Explainer(Generic[State, Action]):
    """Explains positions of one game by the answers of its engine."""

    def __init__(self, game: Game[State, Action] | Engine[State, Action]) -> None:
        self._engine = engine_of(game)
        self._game = self._engine.game

    def explain(
        self,
        state: State,
        action: Action | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> Explanation[State, Action]:
        """Explain a state, or one action in it. A finished game has no actions to explain.

        Valuing the state may take three quarters of the limits, and each state after an action half of what is then
        left. A tenth of the time is reserved for the reasons. What the limits are too small for stays unknown, and no
        reason rests on it. When the time is up, the search for reasons stops, and `examined` is False for the actions
        that were not reached. Raises IllegalAction for an action that cannot be played.
        """
        is_over = self._game.terminal(state)
        legal = [] if is_over else self._game.legal_actions(state)
        if action is not None and action not in legal:
            raise IllegalAction(f"{self._game.action_name(action)} cannot be played in this position")
        spending = _Spending(limits)
        answer = self._ask(state, spending, spending.part(0.75))
        values = answer.actions or tuple(ActionValue(each, "unknown", None, exact=False) for each in legal)
        wanted = [action is None or each.action == action for each in values]
        children = [
            self._follow(state, each, spending) if asked else None for each, asked in zip(values, wanted, strict=True)
        ]
        values = tuple(self._by_what_follows(each, child) for each, child in zip(values, children, strict=True))
        answer = self._by_its_actions(answer._replace(actions=values), children)
        explained = [
            self._explained(state, each, child, answer, spending)
            for each, child, asked in zip(values, children, wanted, strict=True)
            if asked
        ]
        classes = self._classes(state, values, spending)
        if classes is not None:
            explained = _with_twins(explained, classes)
        return Explanation(
            state=state,
            answer=answer._replace(nodes=spending.nodes, seconds=spending.seconds, stopped=spending.stopped),
            actions=tuple(explained),
            equal=None if classes is None else tuple(_equal(values, classes, action)),
            trickiest=_trickiest(answer, explained),
            asked=action,
            has_symmetry=self._game.has_symmetry,
        )

    def _follow(
        self, state: State, value: ActionValue[Action], spending: "_Spending"
    ) -> "_Child[State, Action] | None":
        """Return the state after an action, with its answer; None if there is no time left."""
        if spending.over:
            return None
        child = self._game.result(state, value.action)
        if self._game.terminal(child):
            return _Child(child, None, moves_again=False)
        moves_again = to_move(self._game, child) == to_move(self._game, state)
        return _Child(child, self._ask_about_reply(child, spending), moves_again)

    def _ask(self, state: State, spending: "_Spending", limits: Limits) -> Answer[Action]:
        """Return the engine's answer about a state, and count what it spent."""
        answer = self._engine.analyse(state, limits=limits)
        spending.add(answer)
        return answer

    def _ask_about_reply(self, state: State, spending: "_Spending") -> Answer[Action]:
        """Return the answer about a state after an action, within half of what is left; unknown if nothing is left.

        With no time left the engine is not asked at all: only setting up a search takes long if there are many actions.
        """
        limits = spending.part(0.5)
        if limits.seconds == 0 and not self._engine.knows(state):
            return unknown("", 0, 0.0, "deadline")
        return self._ask(state, spending, limits)

    def _by_what_follows(
        self, value: ActionValue[Action], child: "_Child[State, Action] | None"
    ) -> ActionValue[Action]:
        """Return the value of an action; if it was unknown, derive it from the answer about the state after it."""
        after = None if child is None else child.answer
        if value.exact or child is None or after is None or not after.proven or after.score is None:
            return value
        score = one_ply_later(after.score)
        return action_value(value.action, score if child.moves_again else -score, self._game.scale)

    def _by_its_actions(self, answer: Answer[Action], children: "list[_Child[State, Action] | None]") -> Answer[Action]:
        """Return the answer about a state; if it was not proven but every action now is, it is proven too."""
        known = all(child is not None and (child.answer is None or child.answer.proven) for child in children)
        if answer.proven or not known or not all(each.exact for each in answer.actions):
            return answer
        scale = self._game.scale
        scored = [
            Scored(
                each.action,
                scale.score(each.margin or 0, each.distance or 0),
                () if child is None or child.answer is None else child.answer.line,
                child is not None and (child.answer is None or child.answer.line_complete),
            )
            for each, child in zip(answer.actions, children, strict=True)
        ]
        return answer_from(scored, scale=scale, method=answer.method, nodes=answer.nodes, seconds=answer.seconds)

    def _explained(
        self,
        state: State,
        value: ActionValue[Action],
        child: "_Child[State, Action] | None",
        answer: Answer[Action],
        spending: "_Spending",
    ) -> Explained[Action]:
        """Explain an action; if there is no time left, return it without reasons."""
        try:
            if child is not None:
                return self._examined(state, value, child, answer, spending)
        except OutOfBudget:
            pass
        return Explained(value, (), (), None, examined=False)

    def _examined(
        self,
        state: State,
        value: ActionValue[Action],
        child: "_Child[State, Action]",
        answer: Answer[Action],
        spending: "_Spending",
    ) -> Explained[Action]:
        spending.check()
        after, moves_again = child.answer, child.moves_again
        reasons = line_reasons(self._game, state, value.action, spending.check)
        if after is None and not any(isinstance(reason, Completes) for reason in reasons):
            reasons.append(Ends())
        if moves_again:
            reasons.append(Again())
        theory = None if after is None or self._game.theory is None else self._game.theory(child.state)
        if theory is not None:
            reasons.append(Leaves(theory.about))
        if len(answer.actions) == 1:
            reasons.append(OnlyMove())
        elif is_only_best(value, answer):
            reasons.append(OnlyBest(value.value))
        if after is not None and not moves_again:
            reply = only_reply(after)
            if reply is not None and not any(isinstance(reason, ForcesReply | AllowsWin) for reason in reasons):
                reasons.append(reply)
            wins = value.exact and value.value == "win"
            if wins and not any(isinstance(reason, Forks) for reason in reasons):
                reasons += self._forced_sequence(state, value.action, spending)
        worse = value.exact and value.value != "win" and value.action not in answer.best
        known = after if after is not None and after.proven else None
        refutation = known.line if known is not None and worse else ()
        traps = None if known is None or moves_again else traps_in(known)
        return Explained(value, tuple(reasons), refutation, traps)

    def _forced_sequence(self, state: State, action: Action, spending: "_Spending") -> list[Reason]:
        """Return a forced line: best play with one good reply each time, up to a fork or for at least two replies."""
        mover = to_move(self._game, state)
        sequence, forced = [action], 0
        state = self._game.result(state, action)
        while not self._game.terminal(state):
            spending.check()
            answer = self._ask_about_reply(state, spending)
            if to_move(self._game, state) != mover:
                reply = only_reply(answer)
                if reply is None:
                    break
                sequence.append(reply.reply)
                forced += 1
            elif answer.proven:
                sequence.append(answer.best[0])
                fork = _fork(self._game, state, answer.best[0], spending.check)
                if fork:
                    return [ForcedSequence(tuple(sequence), fork)]
            else:
                break
            state = self._game.result(state, sequence[-1])
        return [ForcedSequence(tuple(sequence), ())] if forced > 1 else []

    def _classes(
        self, state: State, values: Iterable[ActionValue[Action]], spending: "_Spending"
    ) -> "list[_Class[Action]] | None":
        """Return the actions in classes that lead to the same position up to symmetry; None if the time is up.

        A position may have thousands of symmetric images.
        """
        classes: dict[Hashable, _Class[Action]] = {}
        key_up_to_symmetry = symmetry_key(self._game, spending.check)
        try:
            for each in values:
                spending.check()
                child = self._game.result(state, each.action)
                classes.setdefault(key_up_to_symmetry(child), []).append((each.action, self._game.key(child)))
        except OutOfBudget:
            return None
        return list(classes.values())


def explain(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    action: Action | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Explanation[State, Action]:
    """Explain a state, the initial one by default, or one action in it.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> explained, = explain(game, noughts.replay(game, "5 1 3"), 7).actions
    >>> explained.value.value, explained.reasons
    ('draw', (Blocks(lines=((3, 5, 7),)), ForcesReply(reply=4, lines=((1, 4, 7),)), OnlyBest(value='draw')))
    """
    engine = engine_of(game)
    return Explainer(engine).explain(engine.game.state(state), action, limits)


def _fork(
    game: ResolvedGame[State, Action], state: State, action: Action, check: Callable[[], None]
) -> tuple[tuple[int, ...], ...]:
    """Return the threats of a fork that an action makes, unless the opponent can complete a line first."""
    reasons = line_reasons(game, state, action, check)
    if any(isinstance(reason, AllowsWin) for reason in reasons):
        return ()
    return next((reason.lines for reason in reasons if isinstance(reason, Forks)), ())


def _with_twins(explained: list[Explained[Action]], classes: "list[_Class[Action]]") -> list[Explained[Action]]:
    """Add the reason `Symmetric` to each action that leads to the same position as an earlier one."""
    found = []
    twins = [(action, key == alike[0][1], alike[0][0]) for alike in classes for action, key in alike[1:]]
    for each in explained:
        reasons = [Symmetric(first, identical) for action, identical, first in twins if action == each.value.action]
        found.append(each._replace(reasons=(*each.reasons, *reasons)))
    return found


def _equal(
    values: Iterable[ActionValue[Action]], classes: "list[_Class[Action]]", asked: Action | None
) -> Iterable[Equal[Action]]:
    """Yield groups of two or more actions with the same exact value, distance and margin."""
    groups: dict[tuple[Value, int | None, int | None], list[Action]] = {}
    for each in values:
        if each.exact:
            groups.setdefault((each.value, each.distance, each.margin), []).append(each.action)
    for (value, distance, margin), actions in groups.items():
        if len(actions) > 1 and (asked is None or asked in actions):
            alike = ([(action, key) for action, key in each if action in actions] for each in classes)
            equal = (Alike(tuple(a for a, _ in each), len({k for _, k in each}) == 1) for each in alike if each)
            yield Equal(value, distance, margin, tuple(equal))


def _trickiest(answer: Answer[Action], explained: list[Explained[Action]]) -> tuple[Action, ...]:
    best = [each for each in explained if each.value.action in answer.best]
    mistakes = [(each.traps.mistakes, each.value.action) for each in best if each.traps is not None]
    most = max((count for count, _ in mistakes), default=0)
    if answer.value != "draw" or len(best) < 2 or len(mistakes) < len(best) or not most:
        return ()
    return tuple(action for count, action in mistakes if count == most)


class _Child(NamedTuple, Generic[State, Action]):
    """The state after an action, the answer about it, and whether the same player moves again."""

    state: State
    answer: Answer[Action] | None
    """None if the game is over."""
    moves_again: bool


_Class = list[tuple[Action, Hashable]]
"""Actions that lead to the same position up to symmetry, each with the key of its position."""


class _Spending:
    """Counts what an explanation has spent of its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._started = perf_counter()
        self.nodes = 0
        self.stopped: Stopped = "done"

    @property
    def seconds(self) -> float:
        """The seconds since the explanation began."""
        return perf_counter() - self._started

    @property
    def over(self) -> bool:
        """Whether the time is up, or the explanation was cancelled."""
        _, seconds, cancel, _ = self._limits
        if cancel is not None and cancel():
            self.stopped = "cancelled"
        elif seconds is not None and self.seconds >= seconds:
            self.stopped = "deadline"
        else:
            return False
        return True

    def check(self) -> None:
        """Raise OutOfBudget if the time is up."""
        if self.over:
            raise OutOfBudget(self.stopped)

    def part(self, share: float) -> Limits:
        """Return a share of what is left, without the time reserved for the reasons."""
        nodes, seconds, _, _ = self._limits
        return self._limits._replace(
            nodes=None if nodes is None else int(max(0, nodes - self.nodes) * share),
            seconds=None if seconds is None else max(0.0, seconds * FOR_SEARCHES - self.seconds) * share,
        )

    def add(self, answer: Answer[Action]) -> None:
        """Add what an answer took, and note why the first answer that was stopped was stopped."""
        self.nodes += answer.nodes
        if self.stopped == "done":
            self.stopped = answer.stopped
