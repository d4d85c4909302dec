"""The steps of a search: each event with its board, its values, and a sentence about it."""

from typing import Any, NamedTuple

from noughts.board import Cell
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError, counted, shown, suggest
from noughts.game import Game, to_move
from noughts.score import one_ply_later, value_of
from noughts.search.answer import Bound
from noughts.search.events import Event
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.variants import VARIANTS, Variant, search_variant
from noughts.symmetry import UpToSymmetry
from noughts.trees.pseudocode import REMEMBERING, pseudocode
from noughts.trees.tree import MOST_SEARCHED
from noughts.words.values import in_short

__all__ = ["MOST_STEPS", "steps"]

MOST_STEPS = 2_000
"""The most steps that a person might follow to the end."""

REASONS = {
    "end": "the game is over",
    "horizon": "the search looks no further",
    "bounds": "no more is possible here, or needed",
    "table": "the table knew it",
    "cutoff": "one action was good enough",
    "searched": "its actions were searched",
    "enough": "nothing better is possible",
}
"""How a value was found."""

BOUNDS = {Bound.EXACT: "exactly", Bound.LOWER: "at least", Bound.UPPER: "at most"}
TURNED = {Bound.EXACT: Bound.EXACT, Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}
"""A bound in the view of the other player."""


def steps(
    game: Game[Any, Any],
    state: Any,
    *,
    search: Variant = "alphabeta",
    most: int = MOST_STEPS,
    truncate: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> list[dict[str, Any]]:
    """Return what the page shows at each step, as plain data: one element for each event of the search, in order.

    A search that has more than `most` events, or reaches the `limits`, raises NoughtsError; with `truncate`, its first
    events are returned instead.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> told = steps(game, noughts.replay(game, "1 4 2 5 7 8"))
    >>> len(told), told[-1]["says"]
    (18, 'Leave node 0, worth exactly a win in 1 move to X: its actions were searched.')
    """
    if search not in VARIANTS:
        raise NoughtsError(
            f"no search is called {shown(search)}{suggest(search, VARIANTS)}; there are {', '.join(VARIANTS)}"
        )
    game = resolve(game)
    recorder = _Recorder(game, search, most, truncate, Budget(limits._replace(nodes=None)))
    try:
        search_variant(game, state, search, Budget(limits._replace(nodes=MOST_SEARCHED)), recorder)
    except OutOfBudget as out:
        if not truncate or not recorder.steps:
            raise NoughtsError(f"the search was stopped before there were steps to show: {out.stopped}") from None
    return recorder.steps


class _Node(NamedTuple):
    """A node on the path: its number and its player."""

    number: int
    mover: int


class _Recorder:
    """Turns each event of a search into a step, and stops a search that has too many events."""

    def __init__(
        self, game: ResolvedGame[Any, Any], search: Variant, most: int, truncate: bool, budget: Budget
    ) -> None:
        self._game = game
        self._search = search
        self._most = most
        self._truncate = truncate
        self._lines = pseudocode(search)
        self._path: list[_Node] = []
        """The nodes from the root to the current one."""
        self._counts = {"nodes": 0, "cutoffs": 0, "hits": 0, "kept": 0}
        alike = self._game if search != "table" else self._game._replace(canonical=None, symmetries=None)
        self._stored: UpToSymmetry[Any, dict[str, Any]] = UpToSymmetry(alike, budget.check)
        self.steps: list[dict[str, Any]] = []

    def __call__(self, event: Event[Any, Any]) -> None:
        if len(self.steps) >= self._most:
            if self._truncate:
                raise OutOfBudget("node limit")
            other = "" if self._search in ("principal", "bounds") else ", or choose another search, such as principal"
            raise NoughtsError(
                f"the search takes more than {self._most:,} steps from here ({self._search}); start from a later "
                f"position{other}"
            )
        if event.kind == "enter":
            self._path.append(_Node(self._counts["nodes"], to_move(self._game, event.state)))
            self._counts["nodes"] += 1
        elif event.kind != "leave":
            self._counts["cutoffs" if event.kind == "cutoff" else "hits"] += 1
        stored = None
        if event.state in self._stored:
            stored = self._stored[event.state]
        stores = self._search in REMEMBERING and event.reason in ("searched", "enough", "cutoff")
        if stores:
            self._counts["kept"] += stored is None
        self.steps.append(self._step(event, stored, stores))
        if stores:
            kept = {"node": self._path[-1].number, "value": self._worth(event.value), "bound": _name(event.bound)}
            self._stored[event.state] = {"step": len(self.steps) - 1, **kept}
        if event.kind == "leave":
            self._path.pop()

    def _step(self, event: Event[Any, Any], stored: dict[str, Any] | None, stores: bool) -> dict[str, Any]:
        number, mover = self._path[-1]
        board = self._game.board
        return {
            "kind": event.kind,
            "ply": event.ply,
            "node": number,
            "parent": self._path[-2].number if event.ply else None,
            "action": None if event.action is None else self._game.action_name(event.action),
            "mover": self._mark(mover),
            "over": self._game.terminal(event.state),
            "board": None if board is None else [[self._cell(cell) for cell in row] for row in board(event.state)],
            "drawing": None if board is not None else self._game.draw(event.state),
            "alpha": self._limit(event.alpha, mover),
            "beta": self._limit(event.beta, mover),
            "value": self._worth(event.value),
            "bound": _name(event.bound),
            "reason": event.reason,
            "skipped": [self._game.action_name(action) for action in event.skipped],
            "above": self._above(event, mover),
            "stored": stored,
            "stores": stores,
            "counts": dict(self._counts),
            "lit": self._lit(event),
            "says": self._says(event, number, mover),
        }

    def _cell(self, cell: Cell) -> tuple[str, str, bool] | None:
        """Return the mark of a cell, its name, and whether it belongs to a win; None for a gap between columns."""
        return (
            None
            if cell.gap
            else (cell.mark, "" if cell.action is None else self._game.action_name(cell.action), cell.lit)
        )

    def _mark(self, mover: int) -> str:
        return self._game.player_name(mover)

    def _lit(self, event: Event[Any, Any]) -> list[int]:
        """Return the lines of pseudocode to highlight: by the kind of event, or by the reason for leaving a node."""
        at = "left by cutoff" if event.reason == "cutoff" else event.reason or event.kind
        return [number for number, line in enumerate(self._lines) if at in line.at]

    def _above(self, event: Event[Any, Any], mover: int) -> dict[str, Any] | None:
        """Return the value of a node that is being left in the view of its parent's player, one ply earlier."""
        if event.kind != "leave" or not event.ply or event.value is None or event.bound is None:
            return None
        same = self._path[-2].mover == mover
        value = self._worth(one_ply_later(event.value if same else -event.value))
        return {"value": value, "bound": (event.bound if same else TURNED[event.bound]).value}

    def _worth(self, score: int | None) -> dict[str, Any] | None:
        """Return a score as a number, in short and in words; a finished game has no distance."""
        if score is None:
            return None
        scale, value = self._game.scale, value_of(score)
        distance, margin = scale.distance(score), abs(scale.utility(score))
        if distance is None:
            return {"number": score, "short": "D", "words": "a draw"}
        by = f" by {margin}" if margin > 1 else ""
        words = f"a {value}{by} in {counted(distance, 'move')}"
        if not distance:
            words = f"a game {'won' if score > 0 else 'lost'}{by}"
        return {"number": score, "short": in_short(score, scale), "words": words}

    def _limit(self, score: int | None, mover: int) -> dict[str, Any] | None:
        """Return an end of a window. It may lie outside all scores, since windows widen on the way down."""
        low, high = sorted(mover * self._game.scale.score(utility) for utility in self._game.utility_range)
        if score is None or low < score < high:
            return self._worth(score)
        return {"number": score, "short": "−∞" if score <= low else "+∞", "words": "no limit"}

    def _says(self, event: Event[Any, Any], number: int, mover: int) -> str:
        """Return one or two sentences about an event."""
        mark = self._mark(mover)
        value = self._worth(event.value)
        words = "not known" if value is None else f"{BOUNDS[event.bound or Bound.EXACT]} {value['words']}"
        action = "" if event.action is None else self._game.action_name(event.action)
        if event.kind == "enter":
            arrival = f"{self._mark(self._path[-2].mover)} plays {action}" if event.ply else "The search starts"
            if self._game.terminal(event.state):
                return f"{arrival}, and the game is over: node {number}."
            return f"{arrival}: node {number}. {mark} is to move{self._window(event, mover)}."
        names = [self._game.action_name(each) for each in event.skipped]
        if event.kind == "cutoff":
            rest = f"not searched: {_few(names)}" if names else "it was the last action anyway"
            beta = self._limit(event.beta, mover)
            limit = "" if beta is None else f", and beta is {beta['words']}"
            return f"Cutoff at node {number}: {action} gives {mark} {words}{limit}; {rest}."
        if event.kind == "table":
            return f"The table knows node {number}: {words} for {mark}."
        reason = REASONS[event.reason or "searched"]
        rest = f"; not searched: {_few(names)}" if event.reason == "enough" else ""
        return f"Leave node {number}, worth {words} to {mark}: {reason}{rest}."

    def _window(self, event: Event[Any, Any], mover: int) -> str:
        if self._search == "minimax":
            return ""
        limits = self._limit(event.alpha, mover), self._limit(event.beta, mover)
        alpha, beta = ("no limit" if limit is None else limit["words"] for limit in limits)
        return f"; alpha is {alpha}, beta is {beta}"


def _few(names: list[str], most: int = 8) -> str:
    """Return names separated by commas, cut short if there are many.

    >>> _few(["1", "2"]), _few(["1", "2", "3"], most=2)
    ('1, 2', '1, 2 and 1 more')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _name(bound: Bound | None) -> str | None:
    return None if bound is None else bound.value
