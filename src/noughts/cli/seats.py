"""Who sits where: marks, who begins, and a player for each side."""

from collections.abc import Callable
from typing import Any, NamedTuple

from noughts.capabilities import Capabilities, capabilities
from noughts.errors import NoughtsError, suggest
from noughts.game import MAX, MIN, Game
from noughts.players import COMPUTERS, Player, computer

__all__ = ["HUMAN", "Seat", "Table", "arrange"]

HUMAN = "human"


class Seat(NamedTuple):
    """One side of the table."""

    mark: str
    player: Player[Any, Any]
    kind: str
    """`human`, or the name of a computer player."""

    @property
    def human(self) -> bool:
        """Whether a person sits here."""
        return self.kind == HUMAN


class Table(NamedTuple):
    """A game and who plays it, by MAX and MIN."""

    game: Game[Any, Any]
    offers: Capabilities[Any, Any]
    title: str
    seats: dict[int, Seat]

    @property
    def person_and_computer(self) -> bool:
        """Whether one person plays against a computer, so that `you` and `computer` say who is meant."""
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
) -> Table:
    """Seat two players. `ask` asks a person for an action.

    Who begins takes the game's first mark unless both `mark` and `first` say otherwise.
    """
    offers = capabilities(game)
    marks = offers.marks or ("First", "Second")
    if mark is None:
        begin = first != "computer"
    else:
        mark = _known_mark(mark, offers.marks)
        begin = mark == marks[0] if first is None else first == "you"
        if begin != (mark == marks[0]):
            game = _remarked(game, (marks[1], marks[0]))
            offers = capabilities(game)
            marks = (marks[1], marks[0])
    kinds = (you, opponent) if begin else (opponent, you)
    players = (_player(kind, game, ask, seed) for kind in kinds)
    seats = map(Seat, marks, players, kinds)
    title = offers.title or getattr(game, "__file__", type(game).__name__).rsplit("/")[-1].removesuffix(".py")
    return Table(game, offers, title, dict(zip((MAX, MIN), seats, strict=True)))


def _known_mark(mark: str, marks: tuple[str, str] | None) -> str:
    if marks is None:
        raise NoughtsError("this game has no marks to choose from; say who begins with --first you|computer")
    by_name = {each.lower(): each for each in marks}
    if mark.lower() not in by_name:
        raise NoughtsError(f"there is no mark {mark!r}; choose {' or '.join(marks)}")
    return by_name[mark.lower()]


def _remarked(game: Game[Any, Any], marks: tuple[str, str]) -> Game[Any, Any]:
    with_marks = getattr(game, "with_marks", None)
    if with_marks is None:
        raise NoughtsError(f"in this game {marks[1]} begins; choose either --mark or --first")
    changed: Game[Any, Any] = with_marks(marks)
    return changed


def _player(kind: str, game: Game[Any, Any], ask: Callable[[Any], Any], seed: int | None) -> Player[Any, Any]:
    if kind == HUMAN:
        from noughts.players.human import Human

        return Human(game, ask)
    if kind not in COMPUTERS:
        everyone = [HUMAN, *COMPUTERS]
        raise NoughtsError(
            f"there is no player {kind!r}" + (suggest(kind, everyone) or f"; there are: {', '.join(everyone)}")
        )
    return computer(kind, game, seed)
