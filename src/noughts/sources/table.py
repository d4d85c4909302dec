"""A table as a source: the value of every position, and the distance if the table has it, by look-up."""

from noughts.capabilities import ResolvedGame
from noughts.errors import BadTable, shown_path
from noughts.game import Action, State
from noughts.notices import tell_once
from noughts.score import value_of, whole_utility
from noughts.search.answer import ActionValue, Answer, action_between
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.serial import rules_digest
from noughts.sources.question import Question, Source
from noughts.tables.manifest import read_manifest
from noughts.tables.places import found_tables
from noughts.tables.table import Found, Table

__all__ = ["TableSource"]


class TableSource(Source[State, Action]):
    """Exact answers from a table: the one that is given, else one of this game in the user's folder of tables.

    The user's folder is looked through by the first question. A table that is found to be damaged is not believed: the
    user is told once, and the engine goes on without it.
    """

    def __init__(self, game: ResolvedGame[State, Action], table: Table[State, Action] | None) -> None:
        self._game = game
        self._table = table
        self._given = None if table is None else table.folder
        self._has_looked = table is not None

    @property
    def given(self) -> str | None:
        """The folder of the table that was given; None if there was none."""
        return self._given

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or None if there is no table or it does not have the state."""
        try:
            self._look(question.budget)
            return self._answer(question)
        except BadTable as why:
            self._refuse(why)
        except OutOfBudget:  # the game's functions are slow
            pass
        return None

    def knows(self, state: State) -> bool:
        """Return whether the table has a state, and so values every action; without a look at the user's folder."""
        try:
            return self._table is not None and self._table.find(state) is not None
        except BadTable as why:
            self._refuse(why)
            return False

    def prepare(self, limits: Limits) -> bool:
        """Return whether there is a table, after a look at the user's folder; it answers every question."""
        try:
            self._look(Budget(limits))
        except BadTable as why:
            self._refuse(why)
        except OutOfBudget:
            return False
        return self._table is not None

    def forget(self) -> None:
        """Drop the unpacked blocks."""
        if self._table is not None:
            self._table.close()

    @property
    def bytes(self) -> int:
        """About how much memory the unpacked blocks take."""
        return 0 if self._table is None else self._table.bytes

    def _refuse(self, why: BadTable) -> None:
        self._table, self._has_looked = None, True
        tell_once(str(why))

    def _look(self, budget: Budget) -> None:
        """Look for a table of this game in the user's folder, once."""
        if self._has_looked:
            return
        rules: str | None = None
        for folder in found_tables():
            try:
                manifest = read_manifest(folder)
                rules = rules or rules_digest(self._game, budget.check)
                if manifest.rules == rules:
                    self._table = Table(folder, self._game, rules=rules)
                    break
            except BadTable as why:
                tell_once(str(why))
        self._has_looked = True

    def _answer(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the value of a state and of every action, with a line of best play if all is wanted."""
        table, state, game = self._table, question.state, self._game
        if table is None or game.terminal(state):
            return None
        found = table.find(state)
        if found is None:
            return None
        rows = self._rows(table, state, question.budget)
        answer = self._consistent(table, found, rows)
        if answer.score is None:  # the table has no distances
            best = tuple(each.action for each in rows if each.margin == answer.margin)
        else:
            best = tuple(each.action for each in rows if each.low == each.high == answer.score)
        line, complete, endless = best[:1], game.terminal(game.result(state, best[0])), False
        if question.wanted == "all" and not question.to_play:
            line, complete, endless = self._line(table, state, best[0], question.budget)
        return answer._replace(
            best=best[:1] if question.wanted == "one" else best,
            actions=() if question.wanted == "one" else rows,
            line=line,
            line_complete=complete,
            endless=endless,
            seconds=question.budget.seconds,
        )

    def _rows(self, table: Table[State, Action], state: State, budget: Budget) -> tuple[ActionValue[Action], ...]:
        """Return what each action is worth; raise BadTable if the table does not have what it leads to."""
        game, scale, rows = self._game, self._game.scale, []
        mover = game.to_move(state)
        for action in game.legal_actions(state):
            budget.check()
            child = game.result(state, action)
            sign = mover * game.to_move(child)
            if game.terminal(child):
                score = scale.score(mover * whole_utility(game.utility(child), game.utility_range), 1)
                rows.append(action_between(action, score, score, scale))
                continue
            found = table.find(child)
            if found is None:
                raise self._contradiction(table)
            if found.distance is not None or found.utility == 0:
                score = sign * scale.one_ply_later(scale.score(found.utility, found.distance or 0))
                rows.append(action_between(action, score, score, scale))
                continue
            margin = sign * found.utility
            low, high = scale.bounds(margin)
            rows.append(ActionValue(action, value_of(margin), None, exact=True, margin=margin, low=low, high=high))
        return tuple(rows)

    def _consistent(
        self, table: Table[State, Action], found: Found, rows: tuple[ActionValue[Action], ...]
    ) -> Answer[Action]:
        """Return what a state is worth, with a distance if it is known; raise BadTable if its actions say otherwise."""
        answer: Answer[Action] = table.answer(found, is_over=False)
        if max(each.margin or 0 for each in rows) != found.utility:
            raise self._contradiction(table)
        highest = max(each.high or 0 for each in rows)
        if answer.score is None:
            at_once = any(each.low == each.high == highest for each in rows) and found.utility > 0
            return table.answer(found._replace(distance=1), is_over=False) if at_once else answer
        if highest != answer.score:
            raise self._contradiction(table)
        return answer

    def _contradiction(self, table: Table[State, Action]) -> BadTable:
        return BadTable(f"the table {shown_path(table.folder)} is not used: it contradicts itself")

    def _line(
        self, table: Table[State, Action], state: State, action: Action, budget: Budget
    ) -> tuple[tuple[Action, ...], bool, bool]:
        """Return best play from a state that begins with an action; whether it reaches the end; whether it never ends.

        Play that never ends is left where a position repeats. The line is cut short where the time is up, and where the
        table does not say how to win.
        """
        game, line, met = self._game, [action], {self._game.key(state)}
        state = game.result(state, action)
        while not game.terminal(state) and game.key(state) not in met:
            met.add(game.key(state))
            found = table.find(state)
            if found is None or (found.utility and found.distance is None):
                return tuple(line), False, False
            try:
                rows = self._rows(table, state, budget)
            except OutOfBudget:
                return tuple(line), False, False
            action = max(rows, key=lambda each: each.high or 0).action
            line.append(action)
            state = game.result(state, action)
        over = game.terminal(state)
        return tuple(line), over, not over
