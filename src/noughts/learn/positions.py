"""The positions of a game below a state, as data from which the page rebuilds its tree.

The page searches the tree itself, so that it can show any step of any search, in any order of the actions. Its searches
are compared with those of `noughts.search` in the tests.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypedDict

from noughts.board import Board
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError
from noughts.game import Game
from noughts.score import whole_utility
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.symmetry import symmetry_key

__all__ = ["MOST_POSITIONS", "Positions", "positions"]

MOST_POSITIONS = 6_000
"""How many positions a page holds: all of tic-tac-toe, in about 300 kB."""

MOST_CELLS = 400_000
"""How many cells their boards have together, at most; larger boards leave room for fewer positions."""

GUESSES = 99
"""The largest size of a guess, where an end of the game by one point counts 100."""

DEEPEST = 100
"""The furthest horizon."""

GAP = -1
"""Stands for a gap in the shape of a board."""


class Positions(TypedDict):
    """The positions below a state. Position 0 is the state itself; lists have one element for each position."""

    title: str
    players: tuple[str, str]
    """What MAX and MIN are called."""
    longest: int
    range: tuple[int, int]
    """The lowest and the highest utility, times `unit`."""
    numbers: bool
    """Whether utilities are only numbers, and not wins and losses; then distance does not count."""
    unit: int
    """What a utility of 1 counts: 1, or 100 if there are guesses, which lie between -99 and +99."""
    horizon: int | None
    """After how many plies positions are guessed; None if the whole tree is there."""
    shape: list[list[int]]
    """The rows of the board as numbers of cells, -1 for a gap; empty if there is no board of one shape."""
    cells: list[str]
    """The name of each cell."""
    marks: list[str]
    """The marks on the cells; the first is the empty mark."""
    boards: list[Any]
    """Each board as numbers of marks, written as one text if all have one digit; or a drawing."""
    lit: dict[str, list[int]]
    """The cells of completed lines, for the positions that have some."""
    movers: list[int]
    utilities: list[int | None]
    """MAX's utility of each finished position."""
    guesses: list[int | None]
    """The game's heuristic of each position at the horizon, in MAX's view."""
    actions: list[str]
    """The names of the actions."""
    children: list[list[int]]
    """The number of each action and of the position it leads to, in the game's order."""
    alike: list[int] | None
    """The same number for symmetric positions; None if the game declares no symmetry."""
    bounds: list[tuple[int, int]] | None
    """The lowest and highest utility that the game states for each position."""
    preferred: list[int]
    """The numbers of the actions that the game prefers, in that order."""


def positions(
    game: Game[Any, Any],
    state: Any = None,
    *,
    depth: int | None = None,
    most: int = MOST_POSITIONS,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Positions:
    """Return the positions below a state, the initial one by default, to the end of the game if there are not too many.

    Otherwise, and where positions repeat, they end at a horizon: as many plies ahead as fit, or `depth`.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> found = positions(game, noughts.replay(game, "1 2 8 5 9 6"))
    >>> len(found["movers"]), found["utilities"].count(1), found["horizon"]
    (10, 2, None)
    >>> positions(noughts.load("connect-four"), depth=2)["horizon"]
    2
    """
    game = resolve(game)
    root = game.state(state)
    budget = Budget(limits._replace(nodes=None))
    most = max(50, min(most, MOST_CELLS // _cells(game, root)))
    try:
        with _UntilDeadline():
            growing = _share(budget, 1 / 4)
            grown = None if depth is not None else _grown_whole(game, root, most, growing)
            return _told(game, grown or _grown_to_horizon(game, root, depth, most, growing), _share(budget, 2 / 3))
        return _told(game, _grown_to_horizon(game, root, depth or 1, most, budget), budget)
    except OutOfBudget as out:
        raise NoughtsError(f"the search was stopped before there were steps to show: {out.stopped}") from None


class _UntilDeadline:
    """Leaves the block when its time is up; cancelling is passed on."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _trace: object) -> bool:
        return isinstance(error, OutOfBudget) and error.stopped != "cancelled"


def _share(budget: Budget, part: float) -> Budget:
    """Return a budget of a part of the time that is left."""
    left = budget.left
    return Budget(left._replace(seconds=None if left.seconds is None else left.seconds * part))


class _Grown:
    """The states that were found, and what leads from each to which."""

    def __init__(self, root: Any, horizon: int | None) -> None:
        self.states = [root]
        self.children: list[list[tuple[Any, int]]] = []
        self.plies = [0]
        self.horizon = horizon


def _grow(
    game: ResolvedGame[Any, Any], root: Any, most: int, budget: Budget, horizon: int | None = None
) -> _Grown | None:
    """Return the positions below a state; None if there are more than `most`, or if they repeat.

    With a horizon, the same position after different numbers of plies counts as two.
    """
    grown = _Grown(root, horizon)
    numbers: dict[Hashable, int] = {(game.key(root), 0 if horizon is not None else None): 0}
    for number, state in enumerate(grown.states):  # which grows meanwhile
        budget.check()
        found: list[tuple[Any, int]] = []
        ply = grown.plies[number]
        if not game.terminal(state) and ply != horizon:
            for action in game.legal_actions(state):
                budget.check()
                child = game.result(state, action)
                key = (game.key(child), ply + 1 if horizon is not None else None)
                if key not in numbers:
                    numbers[key] = len(grown.states)
                    grown.states.append(child)
                    grown.plies.append(ply + 1)
                    if len(grown.states) > most:
                        return None
                found.append((action, numbers[key]))
        grown.children.append(found)
    return None if horizon is None and _repeats(grown.children) else grown


def _grown_whole(game: ResolvedGame[Any, Any], root: Any, most: int, budget: Budget) -> _Grown | None:
    """Return all positions below a state; None if there are too many, or too many for a third of the time."""
    with _UntilDeadline():
        return _grow(game, root, most, _share(budget, 1 / 3))
    return None


def _grown_to_horizon(game: ResolvedGame[Any, Any], root: Any, depth: int | None, most: int, budget: Budget) -> _Grown:
    """Return the positions down to `depth`, or as deep as they fit; at least one ply."""
    if depth is not None:
        grown = _grow(game, root, most if depth > 1 else 1 << 30, budget, depth)
        if grown is None:
            raise NoughtsError(f"{depth} plies ahead there are more than {most:,} positions; choose fewer")
        return grown
    best = _grow(game, root, 1 << 30, budget, 1)
    assert best is not None
    with _UntilDeadline():
        for deeper in range(2, DEEPEST):
            grown = _grow(game, root, most, budget, deeper)
            if grown is None:
                break
            best = grown
    return best


def _repeats(children: list[list[tuple[Any, int]]]) -> bool:
    """Return whether some position leads back to itself."""
    into = [0] * len(children)
    for found in children:
        for _, child in found:
            into[child] += 1
    waiting = [number for number, arrows in enumerate(into) if not arrows]
    settled = 0
    while waiting:
        settled += 1
        for _, child in children[waiting.pop()]:
            into[child] -= 1
            if not into[child]:
                waiting.append(child)
    return settled < len(children)


def _told(game: ResolvedGame[Any, Any], grown: _Grown, budget: Budget) -> Positions:
    """Return the positions as data."""
    unit = 1 if grown.horizon is None else GUESSES + 1
    low, high = game.utility_range
    actions: dict[str, int] = {}
    children = [
        [
            part
            for action, child in found
            for part in (actions.setdefault(game.action_name(action), len(actions)), child)
        ]
        for found in grown.children
    ]
    utilities: list[int | None] = []
    guesses: list[int | None] = []
    for state, ply in _checked(zip(grown.states, grown.plies, strict=True), budget):
        is_end = game.terminal(state)
        utilities.append(whole_utility(game.utility(state), game.utility_range) * unit if is_end else None)
        guesses.append(None if is_end or ply != grown.horizon else _guess(game, state))
    bounds = None
    if game.utility_bounds is not None and grown.horizon is None:
        ended = zip(grown.states, utilities, strict=True)
        bounds = [(0, 0) if end is not None else game.bounds_of(state) for state, end in _checked(ended, budget)]
    drawn = _drawn(game, grown.states, budget)
    return {
        "title": game.display_title,
        "players": game.player_names,
        "longest": game.longest,
        "range": (low * unit, high * unit),
        "numbers": game.player_names == ("MAX", "MIN"),
        "unit": unit,
        "horizon": grown.horizon,
        "shape": drawn["shape"],
        "cells": drawn["cells"],
        "marks": drawn["marks"],
        "boards": drawn["boards"],
        "lit": drawn["lit"],
        "movers": [game.to_move(state) for state in _checked(grown.states, budget)],
        "utilities": utilities,
        "guesses": guesses,
        "actions": list(actions),
        "children": children,
        "alike": _alike(game, grown, budget) if game.has_symmetry else None,
        "bounds": bounds,
        "preferred": [actions[name] for name in map(game.action_name, game.preferred) if name in actions],
    }


def _checked(things: Iterable[Any], budget: Budget) -> Iterator[Any]:
    """Yield the things; raise OutOfBudget if there is no time for the next."""
    for thing in things:
        budget.check()
        yield thing


def _alike(game: ResolvedGame[Any, Any], grown: _Grown, budget: Budget) -> list[int] | None:
    """Return a number for each position, the same for symmetric ones that are equally far from a horizon.

    Return None if that takes more than a third of the time: a torus has thousands of images.
    """
    part = _share(budget, 1 / 3)
    same = symmetry_key(game, part.check)
    classes: dict[Hashable, int] = {}
    with _UntilDeadline():
        return [
            classes.setdefault((same(state), None if grown.horizon is None else ply), len(classes))
            for state, ply in zip(grown.states, grown.plies, strict=True)
        ]
    return None


def _guess(game: ResolvedGame[Any, Any], state: Any) -> int:
    """Return the game's guess, made small enough to lie between a loss and a win."""
    if game.heuristic is None:
        return 0
    return max(-GUESSES, min(GUESSES, int(game.heuristic(state))))


def _cells(game: ResolvedGame[Any, Any], state: Any) -> int:
    """Return how many cells or characters a position takes; one at least."""
    return max(1, len(game.draw(state)) // 4 if game.board is None else sum(map(len, game.board(state))))


def _drawn(game: ResolvedGame[Any, Any], states: list[Any], budget: Budget) -> dict[str, Any]:
    """Return the boards of the states, or their drawings if they are not all of one shape."""
    boards: list[Board] = []
    if game.board is not None:
        boards = [game.board(state) for state in _checked(states, budget)]
    shapes = {tuple(tuple(cell.gap for cell in row) for row in board) for board in boards}
    if len(shapes) != 1:
        drawings = [game.draw(state) for state in _checked(states, budget)]
        return {"shape": [], "cells": [], "marks": [""], "boards": drawings, "lit": {}}
    numbers = iter(range(1 << 30))
    shape = [[GAP if cell.gap else next(numbers) for cell in row] for row in boards[0]]
    marks: dict[str, int] = {"": 0}
    flat = [[cell for row in board for cell in row if not cell.gap] for board in boards]
    filled = [[marks.setdefault(cell.mark, len(marks)) for cell in cells] for cells in flat]
    lit = {str(number): [place for place, cell in enumerate(cells) if cell.lit] for number, cells in enumerate(flat)}
    return {
        "shape": shape,
        "cells": ["" if cell.action is None else game.action_name(cell.action) for cell in flat[0]],
        "marks": list(marks),
        "boards": ["".join(map(str, cells)) if len(marks) <= 10 else cells for cells in filled],
        "lit": {number: places for number, places in lit.items() if places},
    }
