"""Finds puzzles in plausible play, the same ones for the same seed, and daily ones by the date."""

from collections.abc import Callable, Hashable, Iterator
from datetime import UTC, date, datetime
from random import Random
from typing import Generic, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine, game_of
from noughts.errors import NoughtsError, counted, shown
from noughts.game import Action, Game, State
from noughts.puzzles.judge import FURTHEST, Judge, Kind, Verdict
from noughts.puzzles.plausible import LONGEST, plausible, plausible_game
from noughts.search.limits import Limits, OutOfBudget
from noughts.symmetry import symmetry_key

__all__ = ["LEVELS", "Puzzle", "Wanted", "day_of", "find", "puzzle", "today"]

GAMES = 400
"""How many games are played in the search for puzzles."""

LEVELS = (0, 1, 3, 6)
"""The most plausible moves that fail in puzzles of levels 1, 2, 3 and 4; in those of level 5 more do."""

FIRST = 100
"""In so many games, only puzzles of at most `SHORT` moves are looked for, unless a length is given."""

SHORT = 5

TRIVIAL = 1
"""Puzzles of this level, and wins at once, are found only if they are asked for."""


class Wanted(NamedTuple):
    """Which puzzles are wanted; None is any."""

    kind: Kind | None = None
    moves: int | None = None
    level: int | None = None

    def fits(self, kind: Kind, moves: int, most: int) -> bool:
        """Return whether puzzles of this kind and length are wanted: without a length, from 2 to `most` moves."""
        return self.kind in (None, kind) and (moves == self.moves if self.moves else 1 < moves <= most)

    def fits_level(self, level: int) -> bool:
        """Return whether puzzles of this level are wanted: any but the trivial, unless the length or one is given."""
        return level == self.level if self.level else level > TRIVIAL or self.moves is not None

    def __str__(self) -> str:
        parts = [] if self.moves is None else [f"of {counted(self.moves, 'move')}"]
        parts += [] if self.level is None else [f"of level {self.level}"]
        return " ".join([{None: "puzzle", "win": "puzzle to win", "save": "puzzle to save"}[self.kind], *parts])


class Puzzle(NamedTuple, Generic[State, Action]):
    """A position in which exactly one move is right, proven."""

    state: State
    played: tuple[Action, ...]
    """The moves that lead to the position."""
    kind: Kind
    moves: int
    """In how many moves, of both players, the right move wins; or any other move loses, at the latest."""
    solution: Action
    only: bool
    """Whether no other move wins at all. If not, no other wins in so many moves, and it is not known of more."""
    plausible: tuple[Action, ...]
    """The moves that look good to a player who looks one move ahead for each side."""

    @property
    def failing(self) -> int:
        """How many plausible moves fail."""
        return sum(action != self.solution for action in self.plausible)

    @property
    def level(self) -> int:
        """From 1 to 5: by the number of plausible moves that fail, and one more if the right move is not plausible."""
        level = 1 + sum(self.failing > most for most in LEVELS)
        return min(5, level + (self.solution not in self.plausible))


def today() -> date:
    """Return today's date in UTC, so that it is the same everywhere."""
    return datetime.now(UTC).date()


def day_of(text: str) -> date:
    """Return the day that a text such as 2026-01-31 names, or raise NoughtsError."""
    try:
        if len(text) != len("2026-01-31"):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise NoughtsError(f"a date is a day such as 2026-01-31, not {shown(text)}") from None


def puzzle(
    game: Game[State, Action] | Engine[State, Action],
    *,
    seed: int | None = None,
    day: date | None = None,
    kind: Kind | None = None,
    moves: int | None = None,
    level: int | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Puzzle[State, Action]:
    """Return a puzzle: a position in which exactly one move wins, or saves the game.

    The same seed gives the same puzzle on every machine. Without one, it is the puzzle of the `day`, today by default.
    `kind` is "win" or "save", `moves` its length in moves of both players, `level` its difficulty from 1 to 5.
    Raises NoughtsError if none is found within the limits, or in some hundred games.

    >>> import noughts
    >>> found = puzzle(noughts.load("tic-tac-toe"), seed=1, moves=3)
    >>> found.kind, found.moves, found.only
    ('win', 3, True)
    """
    found = find(game, seed if seed is not None else day or today(), Wanted(kind, moves, level), limits=limits)
    return next(found)


def find(
    game: Game[State, Action] | Engine[State, Action],
    seed: int | date,
    wanted: Wanted = Wanted(),  # noqa: B008 - immutable
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[int], None] | None = None,
) -> Iterator[Puzzle[State, Action]]:
    """Yield puzzles, no two of them symmetric. `progress` is told how many games were played.

    Raises NoughtsError if there is none in some hundred games, or none within the limits.
    """
    resolved = game_of(game)
    count, played = 0, 0
    try:
        for played, found in enumerate(_in_games(resolved, seed, wanted, limits)):
            if progress is not None:
                progress(played)
            if found is not None:
                count += 1
                yield found
    except OutOfBudget as out:
        if not count:
            why = {"deadline": f"in {limits.seconds:g} seconds", "cancelled": "before it was stopped"}
            where = why.get(out.stopped, f"with {counted(limits.nodes or 0, 'node')}")
            raise NoughtsError(
                f"no {wanted} was found {where}, in {counted(played, 'game')}{_advice(wanted)}"
            ) from None
        return
    if not count:
        raise NoughtsError(f"no {wanted} was found in {counted(GAMES, 'game')}{_advice(wanted)}")


def _advice(wanted: Wanted) -> str:
    return "" if wanted == Wanted() else "; this game may have none, or other lengths and levels"


def _in_games(
    game: ResolvedGame[State, Action], seed: int | date, wanted: Wanted, limits: Limits
) -> Iterator[Puzzle[State, Action] | None]:
    """Yield one puzzle of each game that is played, or None if it has no new one."""
    judge = Judge(game, limits)
    same = symmetry_key(game)
    seen: set[Hashable] = set()
    for number in range(GAMES):
        random = Random(f"{game.display_title} {seed} {number}")
        states, played = plausible_game(game, random, judge.check)
        most = wanted.moves or (SHORT if number < FIRST else LONGEST)
        candidates = []
        for ply, verdict in _verdicts(judge, game, states, most):
            if wanted.fits(verdict.kind, verdict.moves, most):
                looks_good = tuple(plausible(game, states[ply], judge.check))
                found = Puzzle(states[ply], tuple(played[:ply]), *_of(verdict), looks_good)
                if wanted.fits_level(found.level) and same(states[ply]) not in seen:
                    candidates.append(found)
        if not candidates:
            yield None
            continue
        chosen = candidates[int(random.random() * len(candidates))]
        seen.add(same(chosen.state))
        yield chosen


def _of(verdict: Verdict[Action]) -> tuple[Kind, int, Action, bool]:
    return verdict.kind, verdict.moves, verdict.solution, verdict.only


def _verdicts(
    judge: Judge[State, Action], game: ResolvedGame[State, Action], states: list[State], most: int
) -> Iterator[tuple[int, Verdict[Action]]]:
    """Yield the plies of a game whose positions are puzzles, with the verdicts.

    In a game that is too large to be solved, these are looked for from the end backwards, for as long as the loser
    could not have helped it: only there is a puzzle near, and the proof short.
    """
    last = len(states) - 1
    if judge.is_solved:
        for ply in range(last):
            found = judge.verdict(states[ply])
            if found is not None:
                yield ply, found
        return
    if not game.terminal(states[last]) or not game.utility(states[last]):
        return
    winner = 1 if game.utility(states[last]) > 0 else -1
    for ply in range(last - 1, max(-1, last - min(FURTHEST, most) - 1), -1):
        left = last - ply
        winners = game.to_move(states[ply]) == winner
        forced = not winners and judge.is_forced(states[ply], winner, left)
        found = None if forced else judge.verdict(states[ply], left)
        if found is not None:
            yield ply, found
        if not winners and not forced:
            return
