"""Reasons as a person would give them, each a claim held as data: tests check the claim, `text` says it.

A claim is about one action. *Mover* is who takes the action, *other* the opponent. In games of lines, a line that lacks
one cell which can be taken now is a *threat*.
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
"""Of how many lines the names are told; large boards have many."""


class Names(NamedTuple):
    """What actions, lines and players are called."""

    action: Callable[[Any], str]
    line: Callable[[Line], str]
    mover: str
    other: str
    misere: bool

    def lines(self, lines: Sequence[Line], last: str = "and") -> str:
        """Return the names of some lines."""
        names = [self.line(line) for line in lines[:MOST_NAMED]]
        if len(lines) > MOST_NAMED:
            names.append(f"{len(lines) - MOST_NAMED} more")
        return listed(names, last)

    def replies(self, replies: Sequence[Any]) -> str:
        """Return the names of some actions as alternatives."""
        return either([self.action(reply) for reply in replies])


def listed(names: Sequence[str], last: str = "and") -> str:
    """Join names.

    >>> listed(["1"]), listed(["1", "3"]), listed(["1", "3", "7"])
    ('1', '1 and 3', '1, 3 and 7')
    """
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final


# Reasons that lines give.


class Completes(NamedTuple):
    """The mover completes these lines by it."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"completes {names.lines(self.lines)}{' and loses by it' if names.misere else ''}"


class Blocks(NamedTuple):
    """The other could have completed these lines on the cell that it takes."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"blocks {names.lines(self.lines)}"


class Forks(NamedTuple):
    """After it the mover has these threats, on two cells or more; `made` if the action is part of one of them."""

    lines: tuple[Line, ...]
    made: bool

    def text(self, names: Names) -> str:
        """Say it."""
        return f"{'makes' if self.made else 'keeps'} a fork, {names.lines(self.lines)}"


class ForcesReply(NamedTuple):
    """After it the mover has threats on one cell only, which the other, who has none, must take by this reply."""

    reply: Any
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"threatens {names.lines(self.lines)} and so forces {names.action(self.reply)}"


class AllowsWin(NamedTuple):
    """After it the other can complete these lines, by any of these replies; `opened` if one could not be played before.

    Where stones fall, an action opens the cell above its own.
    """

    replies: tuple[Any, ...]
    lines: tuple[Line, ...]
    opened: bool

    def text(self, names: Names) -> str:
        """Say it."""
        above = " on top of it" if self.opened and len(self.replies) == 1 else f" with {names.replies(self.replies)}"
        return f"lets {names.other} complete {names.lines(self.lines, 'or')}{above}"


class AllowsFork(NamedTuple):
    """After it the other can make these threats on two cells or more, by this reply, when the mover has none."""

    reply: Any
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"lets {names.other} make a fork with {names.action(self.reply)}, {names.lines(self.lines)}"


# The same where whoever completes a line loses.


class Spares(NamedTuple):
    """It takes the cell on which the other would have completed these lines, and lost."""

    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"takes the cell where {names.other} would lose by {names.lines(self.lines)}"


class Poisons(NamedTuple):
    """After it the mover would complete these lines, which it is part of, by any of these actions, and lose."""

    replies: tuple[Any, ...]
    lines: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return f"makes {names.replies(self.replies)} deadly for {names.mover} ({names.lines(self.lines)})"


class Squeezes(NamedTuple):
    """After it every reply of the other completes a line, and loses."""

    def text(self, names: Names) -> str:
        """Say it."""
        return f"leaves {names.other} nothing but to complete a line"


# Reasons that any game has, from its rules and from the search.


class Ends(NamedTuple):
    """The game is over after it."""

    def text(self, _: Names) -> str:
        """Say it."""
        return "ends the game"


class Again(NamedTuple):
    """The mover is to move again after it."""

    def text(self, names: Names) -> str:
        """Say it."""
        return f"lets {names.mover} move again"


class OnlyMove(NamedTuple):
    """There is no other legal action."""

    def text(self, _: Names) -> str:
        """Say it."""
        return "is the only move there is"


class OnlyBest(NamedTuple):
    """Every other action is of less value than this one."""

    value: Value

    def text(self, _: Names) -> str:
        """Say it."""
        return f"is the only move that {self.value}s"


class OnlyReply(NamedTuple):
    """The other has one good reply: the only one "legal", or the only one that "wins" or "draws".

    Or it loses as well, but later, while all others "lose at once".
    """

    reply: Any
    because: Literal["legal", "lose at once", "wins", "draws"]

    def text(self, names: Names) -> str:
        """Say it."""
        reply = names.action(self.reply)
        return {
            "legal": f"leaves {names.other} one move, {reply}",
            "lose at once": f"forces {reply}, since all else loses at once",
            "wins": f"is beaten by {reply} only",
            "draws": f"has one good answer, {reply}",
        }[self.because]


class ForcedSequence(NamedTuple):
    """It begins this sequence, in which the other has one good reply each time, in the sense of `OnlyReply`.

    The last action of the sequence is the mover's and makes these threats, on two cells or more, if it makes any.
    """

    sequence: tuple[Any, ...]
    fork: tuple[Line, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        said = f"begins the forced line {' '.join(map(names.action, self.sequence))}"
        return f"{said}, which ends in a fork, {names.lines(self.fork)}" if self.fork else said


class Symmetric(NamedTuple):
    """It leads to the same position as this earlier action does, or, unless `identical`, to a symmetric one."""

    to: Any
    identical: bool

    def text(self, names: Names) -> str:
        """Say it."""
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
    | OnlyMove
    | OnlyBest
    | OnlyReply
    | ForcedSequence
    | Symmetric
)


def kind(reason: Reason) -> str:
    """Return the name of a claim's type, in words.

    >>> kind(OnlyMove())
    'only move'
    """
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in type(reason).__name__).strip()


def details(reason: Reason, names: Names) -> dict[str, Any]:
    """Return a claim as JSON holds it, with actions and lines by their names.

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
