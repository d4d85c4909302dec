"""Why a position is worth what it is: every action with its reasons, its refutation and its traps.

Values and lines of play are what `noughts.analysis.Analyst` found; reasons are claims, in `noughts.explain.reasons`.
"""

from collections.abc import Callable, Hashable, Iterable
from time import perf_counter
from typing import Generic, NamedTuple

from noughts.analysis import Analyst
from noughts.capabilities import capabilities
from noughts.errors import BadPosition, IllegalAction
from noughts.explain.guises import guise
from noughts.explain.reasons import (
    Again,
    AllowsWin,
    Completes,
    Ends,
    ForcedSequence,
    ForcesReply,
    Forks,
    OnlyBest,
    OnlyMove,
    Reason,
    Symmetric,
)
from noughts.explain.replies import Traps, is_only_best, only_reply, traps_in
from noughts.explain.threats import line_reasons
from noughts.game import Action, Game, State, as_game, legal_actions, to_move
from noughts.score import Value, one_ply_later
from noughts.search.answer import ActionValue, Answer, Scored, Stopped, action_value, answer_from
from noughts.search.limits import Limits

__all__ = ["Equal", "Explained", "Explainer", "Explanation", "explain"]


class Explained(NamedTuple, Generic[Action]):
    """What one action leads to, for the player who takes it, and why."""

    value: ActionValue[Action]
    reasons: tuple[Reason, ...]
    refutation: tuple[Action, ...]
    """The best play that follows, beginning with the reply; of actions worse than the best that do not win."""
    traps: Traps | None
    """None if the game ends with the action, if its player moves again, or where the replies are not known."""


class Equal(NamedTuple, Generic[Action]):
    """Actions that lead to the same value at the same distance, those together that lead to symmetric positions."""

    value: Value
    distance: int | None
    classes: tuple[tuple[Action, ...], ...]


class Explanation(NamedTuple, Generic[State, Action]):
    """A position explained, in the view of the player to move."""

    state: State
    answer: Answer[Action]
    """What the search found; nodes and seconds are those of the whole explanation."""
    actions: tuple[Explained[Action], ...]
    """Every action, or the one that was asked about."""
    equal: tuple[Equal[Action], ...]
    trickiest: tuple[Action, ...]
    """Of several best actions that draw, those that leave the opponent the most mistakes to make."""
    asked: Action | None
    """The action that was asked about."""


class Explainer(Generic[State, Action]):
    """Explains positions of one game, and learns from each for the next; from an `analyst` it shares too."""

    def __init__(self, game: Game[State, Action], analyst: Analyst[State, Action] | None = None) -> None:
        self._game = as_game(game)
        self._offers = capabilities(self._game)
        self._guise = guise(self._offers)
        self._analyst = analyst or Analyst(self._game)
        self._proven: dict[Hashable, Answer[Action]] = {}

    def explain(
        self,
        state: State,
        action: Action | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> Explanation[State, Action]:
        """Explain an unfinished state, or one action in it.

        The value of the state may take three quarters of the limits, and what follows each action then half of what is
        left. What these do not suffice for is unknown, and reasons that rest on it are not given; when the time is up,
        no more reasons are looked for. Raises BadPosition if the game is over, and IllegalAction for an action that
        cannot be played.
        """
        if self._game.terminal(state):
            raise BadPosition("the game is over: there is no action to explain")
        legal = legal_actions(self._game, state)
        if action is not None and action not in legal:
            raise IllegalAction(f"{self._offers.name(action)} cannot be played in this position")
        spending = _Spending(limits)
        answer = self._ask(state, spending, share=0.75)
        values = answer.actions or tuple(ActionValue(each, "unknown", None, exact=False) for each in legal)
        children = [self._game.result(state, each.action) for each in values]
        asked = [action is None or each.action == action for each in values]
        after = [
            self._ask(child, spending) if wanted and not self._game.terminal(child) else None
            for child, wanted in zip(children, asked, strict=True)
        ]
        values = tuple(
            self._by_what_follows(state, each, child, answer_there)
            for each, child, answer_there in zip(values, children, after, strict=True)
        )
        answer = self._by_its_actions(answer._replace(actions=values), after)
        explained = [
            self._explained(state, each, child, answer_there, answer, spending)
            for each, child, answer_there, wanted in zip(values, children, after, asked, strict=True)
            if wanted
        ]
        classes = self._classes(state, values, spending)
        explained = [self._with_twin(state, each, classes) for each in explained]
        return Explanation(
            state=state,
            answer=answer._replace(nodes=spending.nodes, seconds=spending.seconds, stopped=spending.stopped),
            actions=tuple(explained),
            equal=tuple(_equal(values, classes, action)),
            trickiest=_trickiest(answer, explained),
            asked=action,
        )

    def _ask(self, state: State, spending: "_Spending", share: float = 0.5) -> Answer[Action]:
        """Return the answer about a state, for no more than a share of what is left."""
        key = self._offers.key(state)
        if key in self._proven:
            return self._proven[key]
        answer = self._analyst.ask(state, spending.part(share))
        spending.add(answer)
        if answer.proven:
            self._proven[key] = answer
        return answer

    def _by_what_follows(
        self, state: State, value: ActionValue[Action], child: State, after: Answer[Action] | None
    ) -> ActionValue[Action]:
        """Return the value of an action, from the state after it where that is known and the action was not."""
        if value.exact or after is None or not after.proven or after.score is None:
            return value
        score = one_ply_later(after.score)
        if to_move(self._game, child) != to_move(self._game, state):
            score = -score
        return action_value(value.action, score, self._offers.scale)

    def _by_its_actions(self, answer: Answer[Action], after: list[Answer[Action] | None]) -> Answer[Action]:
        """Return the answer about a state, proven where it was not if now every action is known."""
        if answer.proven or not all(each.exact for each in answer.actions):
            return answer
        scale = self._offers.scale
        scored = [
            Scored(each.action, scale.score(each.margin or 0, each.distance or 0), () if there is None else there.line)
            for each, there in zip(answer.actions, after, strict=True)
        ]
        return answer_from(scored, scale=scale, method=answer.method, nodes=answer.nodes, seconds=answer.seconds)

    def _explained(
        self,
        state: State,
        value: ActionValue[Action],
        child: State,
        after: Answer[Action] | None,
        answer: Answer[Action],
        spending: "_Spending",
    ) -> Explained[Action]:
        if spending.over:
            return Explained(value, (), (), None)
        moves_again = after is not None and to_move(self._game, child) == to_move(self._game, state)
        reasons = line_reasons(self._game, state, value.action)
        if after is None and not any(isinstance(reason, Completes) for reason in reasons):
            reasons.append(Ends())
        if moves_again:
            reasons.append(Again())
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
        """Follow best play while there is one good reply, to a fork, or over two replies at least."""
        mover = to_move(self._game, state)
        sequence, forced = [action], 0
        state = self._game.result(state, action)
        while not self._game.terminal(state):
            answer = self._ask(state, spending)
            if to_move(self._game, state) != mover:
                reply = only_reply(answer)
                if reply is None:
                    break
                sequence.append(reply.reply)
                forced += 1
            elif answer.proven:
                sequence.append(answer.best[0])
                fork = _fork(self._game, state, answer.best[0])
                if fork:
                    return [ForcedSequence(tuple(sequence), fork)]
            else:
                break
            state = self._game.result(state, sequence[-1])
        return [ForcedSequence(tuple(sequence), ())] if forced > 1 else []

    def _classes(
        self, state: State, values: Iterable[ActionValue[Action]], spending: "_Spending"
    ) -> list[list[Action]]:
        """Return the actions, those together that lead to the same position in one guise or another.

        There may be thousands of guises; when the time is up, each action is taken for itself.
        """
        classes: dict[Hashable, list[Action]] = {}
        for each in values:
            alike = each.action if spending.over else self._guise(self._game.result(state, each.action))
            classes.setdefault(alike, []).append(each.action)
        return list(classes.values())

    def _with_twin(self, state: State, explained: Explained[Action], classes: list[list[Action]]) -> Explained[Action]:
        """Return what is explained of an action, and that it is the same as an earlier one if there is such."""
        action = explained.value.action
        first = next(alike[0] for alike in classes if action in alike)
        if first == action:
            return explained
        keys = [self._offers.key(self._game.result(state, each)) for each in (first, action)]
        return explained._replace(reasons=(*explained.reasons, Symmetric(first, keys[0] == keys[1])))


def explain(
    game: Game[State, Action],
    state: State | None = None,
    action: Action | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Explanation[State, Action]:
    """Explain a state, the initial one by default, or one action in it.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> explained, = explain(game, noughts.replay(game, "5 1 3"), 7).actions
    >>> explained.value.value, explained.reasons
    ('draw', (Blocks(lines=((3, 5, 7),)), ForcesReply(reply=4, lines=((1, 4, 7),)), OnlyBest(value='draw')))
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    return Explainer(game).explain(root, action, Limits(nodes, seconds, cancel))


def _fork(game: Game[State, Action], state: State, action: Action) -> tuple[tuple[int, ...], ...]:
    """Return the threats of a fork that an action makes and that the opponent cannot answer by a line of their own."""
    reasons = line_reasons(game, state, action)
    if any(isinstance(reason, AllowsWin) for reason in reasons):
        return ()
    return next((reason.lines for reason in reasons if isinstance(reason, Forks)), ())


def _equal(
    values: Iterable[ActionValue[Action]], classes: list[list[Action]], asked: Action | None
) -> Iterable[Equal[Action]]:
    """Yield the actions of the same exact value and distance, where there are several."""
    groups: dict[Hashable, list[ActionValue[Action]]] = {}
    for each in values:
        if each.exact:
            groups.setdefault((each.value, each.distance, each.margin), []).append(each)
    for group in groups.values():
        actions = [each.action for each in group]
        if len(group) > 1 and (asked is None or asked in actions):
            alike = (tuple(action for action in each if action in actions) for each in classes)
            yield Equal(group[0].value, group[0].distance, tuple(each for each in alike if each))


def _trickiest(answer: Answer[Action], explained: list[Explained[Action]]) -> tuple[Action, ...]:
    best = [each for each in explained if each.value.action in answer.best]
    mistakes = [(each.traps.mistakes, each.value.action) for each in best if each.traps is not None]
    most = max((count for count, _ in mistakes), default=0)
    if answer.value != "draw" or len(best) < 2 or len(mistakes) < len(best) or not most:
        return ()
    return tuple(action for count, action in mistakes if count == most)


class _Spending:
    """What an explanation has spent of its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._started = perf_counter()
        self.nodes = 0
        self.stopped: Stopped = "done"

    @property
    def seconds(self) -> float:
        """Return the time since the explanation began."""
        return perf_counter() - self._started

    @property
    def over(self) -> bool:
        """Say whether the time is up, or nobody wants to know any more."""
        _, seconds, cancel, _ = self._limits
        if seconds is not None and self.seconds > seconds:
            self.stopped = "deadline"
        if cancel is not None and cancel():
            self.stopped = "cancelled"
        return self.stopped == "cancelled" or (seconds is not None and self.seconds > seconds)

    def part(self, share: float) -> Limits:
        """Return a share of what is left."""
        nodes, seconds, _, _ = self._limits
        return self._limits._replace(
            nodes=None if nodes is None else int(max(0, nodes - self.nodes) * share),
            seconds=None if seconds is None else max(0.0, seconds - self.seconds) * share,
        )

    def add(self, answer: Answer[Action]) -> None:
        """Note what an answer took, and what stopped the first one that was stopped."""
        self.nodes += answer.nodes
        if self.stopped == "done":
            self.stopped = answer.stopped
