"""Nim: heaps of stones, and whoever takes the last stone wins; in misère nim, loses.

1. In turn, each player takes one stone or more from a single heap, as many as they like.
2. Whoever takes the last stone of all wins (misère: loses). There are no draws.

Heaps are a, b, c and so on, and `b2` takes two stones from the second. Unlike in games of placing,
the heaps do not show whose turn it is, so a state says it.

>>> from noughts.notation import replay
>>> game = make("3,4,5")
>>> print(game.draw(replay(game, "a3 c1")))
a 0
b 4 ****
c 4 ****
First to move

Who wins has been known since Bouton, 1901: the player to move loses exactly if the sizes of the heaps,
written in binary, add up to zero without carrying. Misère nim is the same, except that once no heap
holds more than one stone, the player to move loses exactly if the number of stones is odd.
"""

import operator
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import permutations
from typing import NamedTuple

from noughts.capabilities import Kernel, Theory
from noughts.errors import BadPosition, IllegalAction, counted, shown
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, quoted

__all__ = ["LARGEST_HEAP", "MOST_HEAPS", "Heaps", "Nim", "make"]

MOST_HEAPS = 9
LARGEST_HEAP = 99
MOST_COMPILED = 63
"""The most stones of a game with a kernel: a move is a bit, one for each number of stones of each heap."""

MOST_ORDERED = 4
"""Up to how many heaps every order of them is listed as a symmetry."""

LETTERS = "abcdefghi"
TAKES = {
    f"{letter}{count}": (heap, count) for heap, letter in enumerate(LETTERS) for count in range(1, LARGEST_HEAP + 1)
}
"""What each action takes, in every size of nim: from which heap, and how many stones."""
TURNS = {MAX: "First", MIN: "Second"}
HEAP_LINE = re.compile(r"(?:([a-z])\s+)?([0-9]{1,2})(?:\s+(\*+))?", re.IGNORECASE)
"""A heap as it is drawn, `b 4 ****`, or only its size."""


class Heaps(NamedTuple):
    """A state: how many stones each heap holds, and who is to move."""

    sizes: tuple[int, ...]
    mover: int = MAX


class Nim:
    """The game that begins with heaps of these sizes; `misere`: whoever takes the last stone loses."""

    marks = (TURNS[MAX], TURNS[MIN])

    def __init__(self, sizes: Sequence[int], misere: bool = False) -> None:
        if not 1 <= len(sizes) <= MOST_HEAPS:
            raise ValueError(f"there can be 1 to {MOST_HEAPS} heaps, not {len(sizes)}")
        if not all(1 <= size <= LARGEST_HEAP for size in sizes):
            raise ValueError(f"a heap holds 1 to {LARGEST_HEAP} stones to begin with")
        self.sizes = tuple(sizes)
        self.misere = misere
        self.title = f"{'Misère nim' if misere else 'Nim'} {', '.join(map(str, sizes))}"
        self.longest = sum(sizes)
        # Few stones first: a player without look-ahead should keep the game open.
        self.preferred = tuple(sorted(self.actions(self.initial()), key=lambda action: TAKES[action][1]))
        self._orders = _orders(len(sizes))

    # The six functions.

    def initial(self) -> Heaps:
        """Return the full heaps, MAX to move."""
        return Heaps(self.sizes)

    def player(self, state: Heaps) -> int:
        """Return whose turn it is."""
        return state.mover

    def actions(self, state: Heaps) -> list[str]:
        """Return what can be taken, heap by heap, few stones first."""
        return [
            f"{letter}{count}"
            for letter, size in zip(LETTERS, state.sizes, strict=False)
            for count in range(1, size + 1)
        ]

    def result(self, state: Heaps, action: str) -> Heaps:
        """Return the heaps after the stones have been taken, the other player to move."""
        if not isinstance(action, str) or action not in TAKES or TAKES[action][0] >= len(state.sizes):
            raise IllegalAction(f"{action!r} is not an action in {self.diagram(state)}; a2 takes 2 from the first heap")
        if self.terminal(state):
            raise IllegalAction(f"{action} cannot be played: the game is over in {self.diagram(state)}")
        heap, count = TAKES[action]
        left = state.sizes[heap] - count
        if left < 0:
            raise IllegalAction(
                f"{action} cannot be played: heap {action[0]} holds {state.sizes[heap]} in {self.diagram(state)}"
            )
        return Heaps((*state.sizes[:heap], left, *state.sizes[heap + 1 :]), -state.mover)

    def terminal(self, state: Heaps) -> bool:
        """Say whether all stones are taken."""
        return not any(state.sizes)

    def utility(self, state: Heaps) -> int:
        """Return 1 if MAX took the last stone, -1 if MIN did; the other way round if misère."""
        return state.mover if self.misere else -state.mover

    # Optional functions.

    def key(self, state: Heaps) -> tuple[int, ...]:
        """Return who is to move and the sizes, flat."""
        return (state.mover, *state.sizes)

    def symmetries(self, state: Heaps) -> Iterator[Heaps]:
        """Yield the heaps in other orders: in every order up to four heaps; more are only rotated.

        Five heaps have 120 orders and nine 362,880: listing them costs more than it saves. `canonical`
        covers all orders.
        """
        for order in self._orders:
            yield Heaps(tuple(state.sizes[heap] for heap in order), state.mover)

    def canonical(self, state: Heaps) -> Heaps:
        """Return the heaps in rising order, which of all orders has the lowest key."""
        return Heaps(tuple(sorted(state.sizes)), state.mover)

    def tier(self, state: Heaps) -> int:
        """Return how many stones are gone."""
        return self.longest - sum(state.sizes)

    def theory(self, state: Heaps) -> Theory:
        """Return who wins, by the xor of the heaps, or in misère nim by the number of heaps once all are single stones.

        >>> make("3,4,5").theory(Heaps((1, 4, 5)))
        Theory(utility=-1, about='heaps with xor 0')
        """
        heaps = [size for size in state.sizes if size]
        if self.misere and max(heaps, default=0) < 2:
            loses = len(heaps) % 2 == 1
            about = f"an {'odd' if loses else 'even'} number of single stones"
        else:
            xor = reduce(operator.xor, heaps, 0)
            loses, about = xor == 0, f"heaps with xor {xor}"
        return Theory(-state.mover if loses else state.mover, about)

    def kernel(self) -> Kernel | None:
        """Return the kernel's rules, unless there are too many stones."""
        if self.longest > MOST_COMPILED:
            return None
        return Kernel(KERNELS + "nim.py", _packed, {"SIZES": self.sizes, "MISERE": int(self.misere)})

    def action_name(self, action: str) -> str:
        """Return the action, which is also its name."""
        return action

    def draw(self, state: Heaps) -> str:
        """Return a line for each heap and one for whose turn it is; `parse` reads it back."""
        heaps = zip(LETTERS, state.sizes, strict=False)
        lines = [f"{letter} {size} {'*' * size}".rstrip() for letter, size in heaps]
        return "\n".join([*lines, f"{TURNS[state.mover]} to move"])

    def diagram(self, state: Heaps) -> str:
        """Return the sizes and whose turn it is on one line, separated by `/`; `parse` reads it back."""
        return "/".join([*map(str, state.sizes), TURNS[state.mover].lower()])

    def parse(self, diagram: str) -> Heaps:
        """Read heaps: `3/0/5/second`, or lines as they are drawn. Positions that play cannot reach are refused.

        Play can take as few actions as there are heaps that lost stones, or as many as there are stones
        lost, or any number between; and MAX is to move after an even number of them.
        """
        lines = [line.strip() for line in diagram.replace("/", "\n").splitlines() if line.strip()]
        movers = {word.lower(): mover for mover, word in TURNS.items()}
        mover = movers.get(lines[-1].lower().removesuffix(" to move")) if lines else None
        if mover is None:
            raise BadPosition(f"a position ends with whose turn it is, /first or /second: {quoted(diagram)}")
        if len(lines) - 1 != len(self.sizes):
            raise BadPosition(
                f"this game has {counted(len(self.sizes), 'heap')}, and then comes whose turn it is: {quoted(diagram)}"
            )
        sizes = tuple(map(_read_heap, LETTERS, lines[:-1]))
        lost = [full - size for full, size in zip(self.sizes, sizes, strict=True)]
        if min(lost) < 0:
            full = "/".join(map(str, self.sizes))
            raise BadPosition(f"the heaps began as {full}, and none can grow: {quoted(diagram)}")
        fewest, most = sum(map(bool, lost)), sum(lost)
        odd = mover == MIN
        if fewest == most and most % 2 != odd:
            raise BadPosition(f"it is not {TURNS[mover]}'s turn after {counted(most, 'action')}: {quoted(diagram)}")
        return Heaps(sizes, mover)


def _packed(state: Heaps) -> tuple[int]:
    """Return a state as the kernel has it: seven bits a heap, the first heap lowest."""
    return (sum(size << 7 * heap for heap, size in enumerate(state.sizes)),)


def _orders(heaps: int) -> list[tuple[int, ...]]:
    """Return the orders of heaps that are listed as symmetries, the unchanged order first."""
    as_they_are = tuple(range(heaps))
    if heaps <= MOST_ORDERED:
        return list(permutations(as_they_are))
    return [as_they_are[first:] + as_they_are[:first] for first in as_they_are]


def _read_heap(letter: str, line: str) -> int:
    """Return how many stones a heap holds; stars drawn beside the number must agree with it."""
    read = HEAP_LINE.fullmatch(line)
    if read is None:
        raise BadPosition(f"{shown(line)} is not a heap; write how many stones it holds, 0 to {LARGEST_HEAP}")
    named, size, stones = read.groups()
    if named is not None and named.lower() != letter:
        raise BadPosition(f"{shown(line)} stands where heap {letter} should")
    if stones is not None and len(stones) != int(size):
        raise BadPosition(f"{shown(line)} says {size} and shows {len(stones)}")
    return int(size)


def make(arguments: str) -> Nim:
    """Return nim with heaps of the given sizes; `misere` after them selects misère nim.

    >>> make("3,4,5,misere").title
    'Misère nim 3, 4, 5'
    """
    words = [word.strip() for word in arguments.split(",")]
    misere = words[-1] in ("misere", "misère")
    sizes = words[:-1] if misere else words
    if not any(sizes):
        raise ValueError("say how many stones each heap holds, such as nim:3,4,5")
    for size in sizes:
        if not (size.isascii() and size.isdecimal()):
            raise ValueError(f"{shown(size)} is not a number of stones")
    # Long numbers are cut first: converting thousands of digits is slow, and Python limits it.
    return Nim([int(size[:9]) for size in sizes], misere)
