"""The reasons that a person would give for or against an action. Each is a claim that tests can check, and its text.

A claim is about one action. The *mover* is the player who takes the action, the *other* is the opponent. In games of
lines, a *threat* is a line with one empty cell left, which can be taken now.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from noughts.score import Value
from noughts.words.values import either

__all__ = [
    "Again",
    "AllowsFork",
    "AllowsWin",
    "Blocks",
    "Completes",
    "Ends",
    "ForcedSequence",
    "ForcesReply",
    "Forks",
    "Leaves",
    "Names",
    "OnlyBest",
    "OnlyMove",
    "OnlyReply",
    "Poisons",
    "Reason",
    "Spares",
    "Squeezes",
    "Symmetric",
    "details",
    "kind",
    "listed",
]

Line = tuple[int, ...]

MOST_NAMED = 3
"""How many lines are named in a text; large boards have many."""


class Names(NamedTuple):
    """The names of actions, lines and players in a game."""

    action: Callable[[Any], str]
    line: Callable[[Line], str]
    mover: str
    other: str
    misere: bool

    def lines(self, lines: Sequence[Line], last: str = "and") -> str:
        """Return the names of lines, joined; only the first few of many."""
        names = [self.line(line) for line in lines[:MOST_NAMED]]
        if len(lines) > MOST_NAMED:
            names.append(f"{len(lines) - MOST_NAMED} more")
        return listed(names, last)

    def replies(self, replies: Sequence[Any]) -> str:
        """Return the names of actions as alternatives."""
        return either([self.action(reply) for reply in replies])


def listed(names: Sequence[str], last: str = "and") -> str:
    """Join names in an enumeration.

    >>> listed(["1"]), listed(["1", "3"]), listed(["1", "3", "7"])
    ('1', '1 and 3', '1, 3 and 7')
    """
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final


# Reasons from the lines on the board.


class Completes(NamedTuple):
    """The action completes these lines of the mover."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"completes {names.lines(self.lines)}{' and loses by it' if names.misere else ''}"


class Blocks(NamedTuple):
    """The action takes a cell on which the other could have completed these lines."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"blocks {names.lines(self.lines)}"


class Forks(NamedTuple):
    """After the action the mover has these threats, on two cells or more; `made` if its cell is in one of them."""

    lines: tuple[Line, ...]
    made: bool

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"{'makes' if self.made else 'keeps'} a fork, {names.lines(self.lines)}"


class ForcesReply(NamedTuple):
    """After the action the mover has threats on one cell, which the other must take, having no threat to complete."""

    reply: Any
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"threatens {names.lines(self.lines)} and so forces {names.action(self.reply)}"


class AllowsWin(NamedTuple):
    """After the action the other can complete these lines by any of these replies.

    `opened` is True if one of the replies was not possible before. Where stones fall, an action makes the cell above
    its own playable.
    """

    replies: tuple[Any, ...]
    lines: tuple[Line, ...]
    opened: bool

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        above = " on top of it" if self.opened and len(self.replies) == 1 else f" with {names.replies(self.replies)}"
        return f"lets {names.other} complete {names.lines(self.lines, 'or')}{above}"


class AllowsFork(NamedTuple):
    """After the action the other can make these threats, on two cells or more, by this reply; the mover has none."""

    reply: Any
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"lets {names.other} make a fork with {names.action(self.reply)}, {names.lines(self.lines)}"


# The same for games in which the player who completes a line loses.


class Spares(NamedTuple):
    """The action takes a cell on which the other would have completed these lines and lost."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"takes the cell where {names.other} would lose by {names.lines(self.lines)}"


class Poisons(NamedTuple):
    """After the action the mover would complete these lines, which contain its cell, by these actions and lose."""

    replies: tuple[Any, ...]
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"makes {names.replies(self.replies)} deadly for {names.mover} ({names.lines(self.lines)})"


class Squeezes(NamedTuple):
    """After the action every reply of the other completes a line and loses."""

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"leaves {names.other} nothing but to complete a line"


# Reasons that apply to any game, from its rules and from the search.


class Ends(NamedTuple):
    """The action ends the game."""

    def text(self, _: Names) -> str:
        """Return the claim in words."""
        return "ends the game"


class Again(NamedTuple):
    """The mover moves again after the action."""

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        return f"lets {names.mover} move again"


class Leaves(NamedTuple):
    """The action leaves a state that the game's theory describes by this text."""

    about: str

    def text(self, _: Names) -> str:
        """Return the claim in words."""
        return f"leaves {self.about}"


class OnlyMove(NamedTuple):
    """There is no other legal action."""

    def text(self, _: Names) -> str:
        """Return the claim in words."""
        return "is the only move there is"


class OnlyBest(NamedTuple):
    """Every other action has a lower value than this one."""

    value: Value

    def text(self, _: Names) -> str:
        """Return the claim in words."""
        return f"is the only move that {self.value}s"


class OnlyReply(NamedTuple):
    """The other has one good reply. `because` says why the others are not.

    The reply is the only "legal" one, the only one that "wins" or "draws", or one that loses later while all others
    "lose at once".
    """

    reply: Any
    because: Literal["legal", "lose at once", "wins", "draws"]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        reply = names.action(self.reply)
        return {
            "legal": f"leaves {names.other} one move, {reply}",
            "lose at once": f"forces {reply}, since all else loses at once",
            "wins": f"is beaten by {reply} only",
            "draws": f"has one good answer, {reply}",
        }[self.because]


class ForcedSequence(NamedTuple):
    """The action begins this sequence, in which the other has only one good reply each time (see `OnlyReply`).

    `fork` holds the threats, on two cells or more, that the mover's last action in the sequence makes, if it makes any.
    """

    sequence: tuple[Any, ...]
    fork: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        said = f"begins the forced line {' '.join(map(names.action, self.sequence))}"
        return f"{said}, which ends in a fork, {names.lines(self.fork)}" if self.fork else said


class Symmetric(NamedTuple):
    """The action leads to the same position as an earlier action, or to a symmetric one if it is not `identical`."""

    to: Any
    identical: bool

    def text(self, names: Names) -> str:
        """Return the claim in words."""
        to = names.action(self.to)
        return f"leads to the same position as {to}" if self.identical else f"is the same as {to} by symmetry"


Reason = (
    Completes
    | Blocks
    | Forks
    | ForcesReply
    | AllowsWin
    | AllowsFork
    | Spares
    | Poisons
    | Squeezes
    | Ends
    | Again
    | Leaves
    | OnlyMove
    | OnlyBest
    | OnlyReply
    | ForcedSequence
    | Symmetric
)


def kind(reason: Reason) -> str:
    """Return the type of a reason in words.

    >>> kind(OnlyMove())
    'only move'
    """
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in type(reason).__name__).strip()


def details(reason: Reason, names: Names) -> dict[str, Any]:
    """Return a reason for JSON, with the names of its actions and lines.

    >>> details(Blocks(((1, 2, 3),)), Names(str, lambda line: "-".join(map(str, line)), "X", "O", misere=False))
    {'kind': 'blocks', 'text': 'blocks 1-2-3', 'lines': ['1-2-3']}
    """

    def named(field: str, found: Any) -> Any:
        if field in ("reply", "to"):
            return names.action(found)
        if field in ("replies", "sequence"):
            return [names.action(action) for action in found]
        return [names.line(line) for line in found] if field in ("lines", "fork") else found

    fields = {field: named(field, found) for field, found in reason._asdict().items()}
    return {"kind": kind(reason), "text": reason.text(names), **fields}
