"""A game move by move: the value before and after each move, which moves were mistakes, and what was better.

Positions are analysed from the last to the first: what is found near the end helps before it. Nothing that is only a
guess becomes a mistake: such moves are called doubtful, or unknown.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine, engine_of
from noughts.errors import NoughtsError
from noughts.game import Action, Game, State
from noughts.notation import Position, read_position
from noughts.record import Record
from noughts.reviews.accuracy import Accuracy, accuracy_of
from noughts.reviews.marks import Mark, is_decision, marked, played_value, with_played
from noughts.reviews.sentences import said_of
from noughts.search.answer import ActionValue, Answer, Stopped
from noughts.search.limits import Budget, Limits

__all__ = ["Review", "Reviewable", "ReviewedMove", "judge", "review"]

FOR_VALUES = 0.75
"""The share of the limits for values; the rest is for the reasons of mistakes."""

LONG = 5.0
"""With so many seconds for values, the kernel of a game is compiled first, which may take some seconds more."""

WRONG = ("inaccuracy", "mistake", "doubtful")
"""The marks of moves whose reasons are looked for."""


class ReviewedMove(NamedTuple, Generic[State, Action]):
    """A move that was played. Values are in the view of its player."""

    number: int
    """From 1, also where a game was reviewed from a later move on."""
    player: int
    state: State
    """The position before it."""
    action: Action
    before: Answer[Action]
    """What the position before it was worth."""
    value: ActionValue[Action]
    """What the move is worth."""
    mark: Mark
    decision: bool
    """Whether some move in the position is known to be worse than the best."""
    text: str
    """What is to be said about the move, in a sentence or two."""
    refutation: tuple[Action, ...]
    """Best play after a move that is not good."""

    @property
    def better(self) -> tuple[Action, ...]:
        """The best moves, or guesses at them, if the move is not known to be as good."""
        return () if self.mark == "good" else self.before.choice


class Review(NamedTuple, Generic[State, Action]):
    """A game that was reviewed."""

    game: ResolvedGame[State, Action]
    where: Position[State, Action]
    """The last position, with all moves and states."""
    moves: tuple[ReviewedMove[State, Action], ...]
    after: Answer[Action]
    """What the last position is worth."""
    drawn: bool
    """Whether the game was ended as a draw by repetition."""
    seconds: float
    stopped: Stopped
    """Why the last search stopped that proved nothing; "done" if everything is proven."""

    def accuracy(self, player: int) -> Accuracy:
        """Return how well MAX or MIN played."""
        return accuracy_of((each.mark, each.decision) for each in self.moves if each.player == player)

    @property
    def mistakes(self) -> tuple[ReviewedMove[State, Action], ...]:
        """The moves that were mistakes, or may have been."""
        return tuple(each for each in self.moves if each.mark in ("mistake", "doubtful"))

    @property
    def answers(self) -> tuple[Answer[Action], ...]:
        """What each position was worth to the player to move there: before each move, and at the end."""
        return (*(each.before for each in self.moves), self.after)


Reviewable = str | Iterable[Any] | Position[Any, Any] | Record
"""The moves of a game as text, as a list of actions, as a position with its moves, or as a record."""


def review(
    game: Game[State, Action] | Engine[State, Action],
    moves: Reviewable,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[int, int], None] | None = None,
) -> Review[State, Action]:
    """Review a game, given as its moves or a record: the value of each move, mistakes, and what was better.

    The limits are shared fairly among the positions. `progress` is told how many of them are done, and of how many.

    >>> import noughts
    >>> found = review(noughts.load("tic-tac-toe"), "5 2 1 9 7")
    >>> [each.mark for each in found.moves]
    ['good', 'mistake', 'good', 'good', 'good']
    >>> print(found.moves[1].text)
    With 2, O loses in 6 moves; better is 1, 3, 7 or 9, which draws.
    >>> found.accuracy(noughts.MAX).percent, found.accuracy(noughts.MIN).percent
    (100, 50)
    """
    engine = engine_of(game)
    where, first, drawn = _read(engine.game, moves)
    if first == len(where.actions):
        raise NoughtsError("there is nothing to review: no move was played")
    budget = Budget(limits)
    judged, after = judge(engine, where, first, Budget(budget.part(FOR_VALUES)), progress)
    told = tuple(_with_words(engine, judged, budget))
    answers = (*(each.before for each in judged), after)
    stopped: Stopped = next((each.stopped for each in answers if not each.proven), "done")
    return Review(engine.game, where, told, after, drawn, budget.seconds, stopped)


def judge(
    engine: Engine[State, Action],
    where: Position[State, Action],
    first: int,
    budget: Budget,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[ReviewedMove[State, Action]], Answer[Action]]:
    """Return the moves from number `first` on with their marks, without words, and what the last position is worth."""
    answers = _answers(engine, where, first, budget, progress)
    last = len(where.actions)
    judged = [_judged(engine.game, where, number, answers) for number in range(last - 1, first - 1, -1)]
    return judged[::-1], answers[last]


def _read(game: ResolvedGame[State, Action], moves: Reviewable) -> tuple[Position[State, Action], int, bool]:
    """Return the last position of a game, from which move on it is reviewed, and whether it was drawn by repetition."""
    if isinstance(moves, Record):
        where = moves.replayed(game)
        return where, len(where.actions) - len(moves.moves), moves.match(game).drawn
    return (moves if isinstance(moves, Position) else read_position(game, moves)), 0, False


def _answers(
    engine: Engine[State, Action],
    where: Position[State, Action],
    first: int,
    budget: Budget,
    progress: Callable[[int, int], None] | None,
) -> dict[int, Answer[Action]]:
    """Return what each position is worth, by the number of moves before it; the last ones are analysed first."""
    numbers = range(len(where.actions), first - 1, -1)
    nodes, seconds, *_ = budget.limits
    if nodes is None and (seconds is None or seconds >= LONG) and not engine.knows(where.states[first]):
        engine.prepare(budget.left)
    answers: dict[int, Answer[Action]] = {}

    def ask(number: int, share: float) -> None:
        answers[number] = engine.analyse(where.states[number], limits=budget.part(share))
        budget.add(answers[number].nodes)

    for done, number in enumerate(numbers):
        if progress is not None:
            progress(done, len(numbers))
        ask(number, 1 / (len(numbers) - done))
    open_ones = [number for number in numbers if not answers[number].proven]
    for done, number in enumerate(open_ones):  # with what is left, if others took less than their share
        if budget.stopped is None:
            ask(number, 1 / (len(open_ones) - done))
    return answers


def _judged(
    game: ResolvedGame[State, Action], where: Position[State, Action], number: int, answers: dict[int, Answer[Action]]
) -> ReviewedMove[State, Action]:
    """Return a move with its value and its mark, and without words."""
    state, action, after = where.states[number], where.actions[number], where.states[number + 1]
    mover = game.to_move(state)
    same_player = game.to_move(after) == mover
    legal = game.legal_actions(state)
    before = with_played(answers[number], action, answers[number + 1], same_player, legal, game.scale)
    answers[number] = before  # the move before this one gains by it
    value = played_value(before, action)
    mark = marked(before, value)
    return ReviewedMove(number + 1, mover, state, action, before, value, mark, is_decision(before), "", ())


def _with_words(
    engine: Engine[State, Action], moves: list[ReviewedMove[State, Action]], budget: Budget
) -> list[ReviewedMove[State, Action]]:
    """Return the moves with what is to be said about them."""
    left = sum(each.mark in WRONG for each in moves)
    told = []
    for each in moves:
        matters = each.mark in WRONG
        limits = budget.part(1 / left) if matters else Limits()
        left -= matters
        text, refutation = said_of(engine, each.state, each.before, each.value, each.mark, limits)
        told.append(each._replace(text=text, refutation=refutation))
    return told
