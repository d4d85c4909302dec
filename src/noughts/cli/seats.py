"""Assigns players to sides: marks, who begins, and a player for each side."""

from argparse import Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError
from noughts.game import MAX, MIN, Game, to_move
from noughts.players import COMPUTERS, HUMAN, Player, computer
from noughts.search.limits import Limits

__all__ = ["Seat", "Table", "arrange", "seated"]

DEFAULT_OPPONENT = "perfect"


class Seat(NamedTuple):
    """One side of a match."""

    mark: str
    player: Player[Any, Any]
    kind: str
    """`human`, or the name of a computer player."""

    @property
    def human(self) -> bool:
        """Whether a person plays this side."""
        return self.kind == HUMAN


class Table(NamedTuple):
    """A game and its two seats, by MAX and MIN; the player who begins comes first."""

    game: Game[Any, Any]
    offers: ResolvedGame[Any, Any]
    title: str
    seats: dict[int, Seat]

    @property
    def person_and_computer(self) -> bool:
        """Whether a person plays a computer, so that messages can say `you` and `the computer`."""
        return self.seats[MAX].human != self.seats[MIN].human


def arrange(
    game: Game[Any, Any],
    ask: Callable[[Any], Any],
    *,
    you: str,
    opponent: str,
    mark: str | None,
    first: str | None,
    seed: int | None,
    limits: Limits,
    table: str | None = None,
) -> Table:
    """Return a table with both players. `ask` is called to ask a person for an action; computers take `limits`.

    They look positions up in the folder `table`, if one is given.

    The player who begins has the game's first mark, unless both `mark` and `first` say otherwise.
    """
    offers = resolve(game)
    begins = to_move(game, game.initial())
    marks = _marks(offers, begins)
    if mark is None:
        begin = first != "computer"
    else:
        mark = _known_mark(mark, offers.marks)
        begin = mark == marks[0] if first is None else first == "you"
        if begin != (mark == marks[0]):
            game = _remarked(offers, begins)
            offers = resolve(game)
            marks = _marks(offers, begins)
    if table is not None:
        from noughts.engine import engine_of

        engine_of(game).use_table(table)
    kinds = (you, opponent) if begin else (opponent, you)
    # Two computers with one seed must not make the same choices.
    seeds = (None, None) if seed is None else (2 * seed, 2 * seed + 1)
    players = (_player(kind, game, ask, own_seed, limits) for kind, own_seed in zip(kinds, seeds, strict=True))
    seats = map(Seat, marks, players, kinds)
    return Table(game, offers, offers.display_title, dict(zip((begins, -begins), seats, strict=True)))


def seated(args: Namespace, players: tuple[str, str] | None) -> tuple[str, str, str | None]:
    """Return who plays `--you`, `--opponent`, and `--first`, where that was not typed: the first and second player of a
    record, else a person and the perfect player.

    Only built-in players are taken from a record, so that it cannot run a program. Anybody else is a person.
    """
    first, second = (name if name in COMPUTERS or not name else HUMAN for name in players or ("", ""))
    you, opponent, begins = args.you or HUMAN, args.opponent, args.first
    if first in COMPUTERS and second in COMPUTERS and args.you is None and args.opponent is None:
        you, opponent = first, second
    elif first in COMPUTERS and second == HUMAN:
        opponent = opponent or first
        begins = begins or ("computer" if args.mark is None else None)
    elif first == HUMAN:
        opponent = opponent or second
    return you, opponent or DEFAULT_OPPONENT, begins


def _marks(offers: ResolvedGame[Any, Any], begins: int) -> tuple[str, str]:
    """Return the marks of the player who begins and of the one who follows."""
    if offers.marks is None:
        return ("First", "Second")
    return offers.marks if begins == MAX else offers.marks[::-1]


def _known_mark(mark: str, marks: tuple[str, str] | None) -> str:
    if marks is None:
        raise NoughtsError("this game has no marks to choose from; say who begins with --first you|computer")
    by_name = {each.lower(): each for each in marks}
    if mark.lower() not in by_name:
        raise NoughtsError(f"there is no mark {mark!r}; choose {' or '.join(marks)}")
    return by_name[mark.lower()]


def _remarked(offers: ResolvedGame[Any, Any], begins: int) -> Game[Any, Any]:
    """Return the game with its two marks exchanged."""
    assert offers.marks is not None
    if offers.with_marks is None:
        raise NoughtsError(f"in this game {_marks(offers, begins)[0]} begins; choose either --mark or --first")
    return offers.with_marks(offers.marks[::-1])


def _player(
    kind: str, game: Game[Any, Any], ask: Callable[[Any], Any], seed: int | None, limits: Limits
) -> Player[Any, Any]:
    if kind == HUMAN:
        from noughts.players.human import Human

        return Human(game, ask)
    return computer(kind, game, seed, limits=limits)
