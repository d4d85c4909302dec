"""Which opening is best against opponents who can err, computed as exact chances."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from typing import Generic, Literal, NamedTuple, get_args

from noughts.capabilities import ResolvedGame, resolve
from noughts.engine import Engine, game_of
from noughts.errors import EndlessGame, NoughtsError, counted
from noughts.game import Action, Game, State, legal_actions, to_move
from noughts.games.lines import LineGame
from noughts.games.tictactoe import LINES
from noughts.score import one_ply_later, value_of, whole_utility
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.recursion_limit import STEP, deep_recursion, raise_limit
from noughts.symmetry import UpToSymmetry

__all__ = [
    "CLAIM",
    "RANDOM",
    "Chances",
    "Measure",
    "Opening",
    "Openings",
    "Opponent",
    "TooLarge",
    "chances",
    "claim_holds",
    "described",
    "luck",
    "openings",
]

CLAIM = ("corner", "centre", "edge")
"""A common claim about tic-tac-toe: the corner is the best opening, then the centre, then the edge."""

PLACES = {"corner": (1, 3, 7, 9), "centre": (5,), "edge": (2, 4, 6, 8)}

TieBreak = Literal["chance", "luckiest", "unluckiest"]
"""Which of several best actions a perfect player takes: a random one, or always the one with the most or the fewest
future wins (if these are equal, with the fewest or the most losses). The opponent chooses among best actions at
random."""


class TooLarge(NoughtsError):
    """The limits were reached before every chance was known."""


class Chances(NamedTuple):
    """How likely a player is to win, to draw and to lose: exact fractions that add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction


class Opponent(NamedTuple):
    """An opponent who plays perfectly, except at a given rate.

    If `wilful`, they then err if they can, else they play at random. To err is to throw away value, as a player who
    sees what is best, but picks the wrong move.
    """

    rate: Fraction
    wilful: bool


RANDOM = Opponent(Fraction(1), wilful=False)


class Measure(NamedTuple):
    """Who plays whom: a player, perfect or at random, and the opponent."""

    perfect: bool
    opponent: Opponent
    tie_break: TieBreak = "chance"


class Opening(NamedTuple, Generic[Action]):
    """Actions that lead to the same position up to symmetry, and their chances by each measure."""

    actions: tuple[Action, ...]
    replies: int
    """How many replies there are."""
    safe: int
    """How many of them keep the value."""
    chances: dict[Measure, Chances]


class Openings(NamedTuple, Generic[Action]):
    """The chances of each opening of a position, and of the player to move before choosing one."""

    player: int
    openings: tuple[Opening[Action], ...]
    before: dict[Measure, Chances]

    @property
    def measures(self) -> list[Measure]:
        """The measures in which ties between best moves are random; the others are their bounds."""
        return [measure for measure in self.before if measure.tie_break == "chance"]

    def strongest_first(self) -> "Openings[Action]":
        """Return the same with the openings sorted, the best against a random opponent first."""
        measure = Measure(True, RANDOM)
        in_order = sorted(self.openings, key=lambda each: each.chances[measure], reverse=True)
        return self._replace(openings=tuple(in_order))


def luck(by_measure: dict[Measure, Chances], measure: Measure) -> list[Fraction]:
    """Return the wins of the unluckiest and of the luckiest choice among best moves; nothing for random play."""
    if not measure.perfect:
        return []
    return [
        by_measure[measure._replace(tie_break="unluckiest")].win,
        by_measure[measure._replace(tie_break="luckiest")].win,
    ]


def described(measure: Measure, own: str, other: str) -> str:
    """Return a description of who plays whom, by their names."""
    if not measure.perfect:
        return f"{own} at random, {other} at random"
    if measure.opponent == RANDOM:
        return f"{own} perfect, {other} at random"
    share = f"{float(measure.opponent.rate * 100):.4g}%"
    if measure.opponent.wilful:
        return f"{own} perfect, {other} errs in {share} of the moves where it can"
    return f"{own} perfect, {other} plays {share} of its moves at random"


class _Position(NamedTuple):
    """A position up to symmetry: who moves, the score in MAX's view, and where each action leads."""

    number: int
    mover: int
    score: int
    children: tuple["_Position", ...]


def openings(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    *,
    rates: Sequence[Fraction] = (Fraction(1, 10),),
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Openings[Action]:
    """Return the chances of each opening for the player to move; raise TooLarge if the limits are reached.

    The measures are: both random; perfect against random; and, for each rate, perfect against an opponent who errs at
    that rate, and against one who plays at random at that rate. `limits.nodes` limits positions up to symmetry.

    >>> import noughts
    >>> found = openings(noughts.load("tic-tac-toe"))
    >>> for opening in found.openings:
    ...     print(opening.actions, opening.chances[Measure(True, RANDOM)].win)
    (1, 3, 7, 9) 15941/16128
    (2, 4, 6, 8) 228239/241920
    (5,) 1321/1344
    """
    game = game_of(game)
    root = game.state(state)
    player = game.to_move(root)
    opponents = [RANDOM, *(Opponent(rate, wilful) for rate in rates for wilful in (True, False))]
    measures = [Measure(False, RANDOM)]
    measures += [Measure(True, opponent, tie_break) for opponent in opponents for tie_break in get_args(TieBreak)]
    with _told_if_too_large(limits):
        clock = Budget(limits._replace(nodes=None))
        order, openings = _graph(game, root, limits)
        found = {measure: _chances(order, player, measure, clock) for measure in measures}
    return Openings(
        player,
        tuple(
            Opening(
                tuple(actions),
                len(position.children),
                len(position.children) - len(_mistakes(position)),
                {measure: found[measure][position.number] for measure in measures},
            )
            for position, actions in openings
        ),
        {measure: found[measure][-1] for measure in measures},
    )


def chances(
    game: Game[State, Action],
    state: State | None,
    player: int,
    measure: Measure,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Chances:
    """Return the chances of `player` from a state, the initial one by default; either player may be to move.

    >>> import noughts
    >>> chances(noughts.load("tic-tac-toe"), None, noughts.MAX, Measure(False, RANDOM)).win
    Fraction(737, 1260)
    """
    game = resolve(game)
    with _told_if_too_large(limits):
        clock = Budget(limits._replace(nodes=None))
        order, _ = _graph(game, game.state(state), limits)
        return _chances(order, player, measure, clock)[-1]


@contextmanager
def _told_if_too_large(limits: Limits) -> Iterator[None]:
    try:
        yield
    except OutOfBudget as out:
        why = {
            "node limit": f"there are more than {counted(limits.nodes or 0, 'position')} up to symmetry",
            "deadline": f"it takes more than {limits.seconds or 0:g} {'second' if limits.seconds == 1 else 'seconds'}",
        }.get(out.stopped, "stopped before it was done")
        raise TooLarge(f"no exact chances from here: {why}") from None


def claim_holds(game: object, found: Openings[Action], measure: Measure) -> bool | None:
    """Say whether the corner wins most often, then the centre, then the edge; None for games other than tic-tac-toe."""
    if not isinstance(game, LineGame) or game.misere or set(game.lines) != set(LINES):
        return None
    wins: dict[tuple[object, ...], Fraction] = {each.actions: each.chances[measure].win for each in found.openings}
    if set(wins) != set(PLACES.values()):
        return None
    return all(wins[PLACES[better]] > wins[PLACES[worse]] for better, worse in pairwise(CLAIM))


# The positions up to symmetry, children before parents.


def _graph(
    game: ResolvedGame[State, Action], root: State, limits: Limits
) -> tuple[list[_Position], list[tuple[_Position, list[Action]]]]:
    """Return the positions below the root, the root last; and the positions after the openings, with the openings."""
    budget = Budget(limits)
    known: UpToSymmetry[State, _Position | None] = UpToSymmetry(game, budget.check)
    order: list[_Position] = []

    def visit(state: State, ply: int) -> _Position:
        if state in known:
            position = known[state]
            if position is None:
                raise EndlessGame("there are no exact chances, since play can go on for ever: a position is repeated")
            return position
        budget.visit()
        if ply % STEP == 0:
            raise_limit(ply)
        known[state] = None
        mover = to_move(game, state)
        children: list[_Position] = []
        if game.terminal(state):
            score = game.scale.score(whole_utility(game.utility(state)))
        else:
            for action in legal_actions(game, state):  # a list, since nested generators use up the C stack
                children.append(visit(game.result(state, action), ply + 1))  # noqa: PERF401
            score = mover * max(mover * one_ply_later(child.score) for child in children)
        known[state] = position = _Position(len(order), mover, score, tuple(children))
        order.append(position)
        return position

    with deep_recursion():
        top = visit(root, 0)
    openings: dict[int, tuple[_Position, list[Action]]] = {}
    for action, child in zip([] if game.terminal(root) else game.actions(root), top.children, strict=True):
        openings.setdefault(child.number, (child, []))[1].append(action)
    return order, list(openings.values())


# The chances, computed from finished games upwards.


def _chances(order: Sequence[_Position], player: int, measure: Measure, clock: Budget) -> list[Chances]:
    """Return the chances of a player from each position, in the same order."""
    found: list[Chances] = []
    rate, wilful = measure.opponent

    def fares(positions: Iterable[_Position]) -> list[Chances]:
        return [found[each.number] for each in positions]

    for position in order:
        clock.visit()
        if not position.children:
            fared = ENDS[value_of(player * position.score)]
        elif position.mover == player and measure.perfect:
            fared = _tied(fares(_best(position)), measure.tie_break)
        elif position.mover == player:
            fared = _average(fares(position.children))
        else:
            fared = _average(fares(_best(position)))
            astray = _mistakes(position) if wilful else position.children
            if astray:
                fared = _mixed(fared, _average(fares(astray)), rate)
        found.append(fared)
    return found


def _best(position: _Position) -> list[_Position]:
    """Return the positions after the best actions, by value and distance."""
    return [child for child in position.children if one_ply_later(child.score) == position.score]


def _mistakes(position: _Position) -> list[_Position]:
    """Return the positions after actions that throw away value, as `noughts.players.levels` counts errors."""
    return [child for child in position.children if value_of(child.score) != value_of(position.score)]


def _tied(best: Sequence[Chances], tie_break: TieBreak) -> Chances:
    if tie_break == "chance":
        return _average(best)
    return (max if tie_break == "luckiest" else min)(best, key=lambda each: (each.win, -each.loss))


def _average(several: Sequence[Chances]) -> Chances:
    if len(several) == 1:
        return several[0]
    win, _, loss = (sum(each) / Fraction(len(several)) for each in zip(*several, strict=True))
    return Chances(win, 1 - win - loss, loss)


def _mixed(usual: Chances, other: Chances, share: Fraction) -> Chances:
    if share == 1 or usual == other:
        return other
    return Chances(*(this * (1 - share) + that * share for this, that in zip(usual, other, strict=True)))


NEVER, ALWAYS = Fraction(0), Fraction(1)
ENDS = {
    "win": Chances(ALWAYS, NEVER, NEVER),
    "draw": Chances(NEVER, ALWAYS, NEVER),
    "loss": Chances(NEVER, NEVER, ALWAYS),
}
