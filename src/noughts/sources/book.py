"""The opening book of a game as a source: exact scores by look-up."""

from noughts.book.file import Book, is_shipped
from noughts.capabilities import ResolvedGame
from noughts.errors import BadBook
from noughts.game import Action, State
from noughts.notices import tell_once
from noughts.score import whole_utility
from noughts.search.answer import Answer, Scored, action_between, answer_between, answer_from
from noughts.search.limits import Budget, OutOfBudget
from noughts.sources.question import Question, Source

__all__ = ["OpeningBook"]


class OpeningBook(Source[State, Action]):
    """Exact answers wherever the book has a state and all its children; at its last ply, the value alone.

    The file is opened by the first question. A book that is damaged or for other rules is not believed: the user is
    told once, and the engine goes on without it.
    """

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        self._game = game
        self._book: Book | None = None
        self._refused = game.book is None
        self._is_built_in = is_shipped(game.book or "") and type(game.game).__module__.startswith("noughts.games.")
        """Whether game and book both come with noughts: a test has compared their rules."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or the bounds of a state at the book's last ply; None if the book does not have it."""
        try:
            return self._answer(question)
        except BadBook as why:
            self._refuse(why)
        except OutOfBudget:  # the game's functions are slow
            pass
        return None

    def knows(self, state: State) -> bool:
        """Return whether the book has a state and its children, so that it values every action.

        A book has all positions up to some ply, so one child stands for all.
        """
        game = self._game
        try:
            if game.terminal(state) or self._score(state) is None:
                return False
            children = (game.result(state, action) for action in game.legal_actions(state))
            child = next((child for child in children if not game.terminal(child)), None)
            return child is None or self._score(child) is not None
        except BadBook as why:
            self._refuse(why)
            return False

    @property
    def bytes(self) -> int:
        """About how much memory the book takes."""
        return 0 if self._book is None else self._book.file.bytes

    def _refuse(self, why: BadBook) -> None:
        self._refused, self._book = True, None
        tell_once(str(why))

    def _score(self, state: State) -> int | None:
        """Return the score of an unfinished state for the player to move, or None if the book does not have it."""
        if self._refused:
            return None
        book = self._book
        if book is None:
            assert self._game.book is not None
            book = self._book = Book(self._game.book, self._game, is_trusted=self._is_built_in)
        return book.score(state)

    def _children(self, state: State, budget: Budget) -> dict[Action, int | None]:
        """Return the score of each action for the player who takes it; None where the book does not have the child."""
        game, scale = self._game, self._game.scale
        mover = game.to_move(state)
        found: dict[Action, int | None] = {}
        for action in game.legal_actions(state):
            budget.check()
            child = game.result(state, action)
            if game.terminal(child):
                found[action] = scale.score(mover * whole_utility(game.utility(child), game.utility_range), 1)
                continue
            score = self._score(child)
            found[action] = None if score is None else mover * game.to_move(child) * scale.one_ply_later(score)
        return found

    def _answer(self, question: Question[State, Action]) -> Answer[Action] | None:
        state, budget = question.state, question.budget
        if self._game.terminal(state):
            return None
        score = self._score(state)
        if score is None:
            return None
        scale, children = self._game.scale, self._children(state, budget)
        known = {action: found for action, found in children.items() if found is not None}
        if known and (max(known.values()) > score or (len(known) == len(children) and max(known.values()) < score)):
            raise BadBook(f"the book {self._game.book} is not used: it contradicts itself")
        if len(known) < len(children):
            rows = [
                action_between(action, found, score if found is None else found, scale)
                for action, found in children.items()
            ]
            guess = tuple(action for action, found in known.items() if found == score) or tuple(children)
            return answer_between(
                rows,
                score,
                score,
                scale=scale,
                method="book",
                nodes=0,
                seconds=0.0,
                stopped="done",
                guess=guess[:1],
                depth=0,
            )
        best = next(action for action, found in known.items() if found == score)
        after = self._game.result(state, best)
        line = self._line(after, budget) if question.wanted == "all" else ()
        for action in line:
            after = self._game.result(after, action)
        complete = self._game.terminal(after)
        scored = [Scored(action, found, line, complete) for action, found in known.items()]
        return answer_from(scored, scale=scale, method="book", nodes=0, seconds=0.0)

    def _line(self, state: State, budget: Budget) -> tuple[Action, ...]:
        """Return best play from a state, as far as the book goes and the time allows."""
        line: list[Action] = []
        while not self._game.terminal(state):
            score = self._score(state)
            try:
                children = self._children(state, budget) if score is not None else {}
            except OutOfBudget:
                break
            action = next((action for action, found in children.items() if found == score), None)
            if action is None:
                break
            line.append(action)
            state = self._game.result(state, action)
        return tuple(line)
