"""The checkpoint of a book that is being built: a text file with a line for each leaf that is solved.

    12345671 -3 12345

These are the moves that lead to the leaf, its score, and the nodes that it took. The score takes the view of the player
to move, and counts plies from the start of the game: `longest + 1 - n` for a win after n plies in all, as a kernel has
it. A line that is cut short, or about no leaf of this book, is passed over; a line that begins with # is a comment, and
the first one says which rules the scores are for.
"""

import os
from collections.abc import Iterator
from threading import Lock
from typing import Any

from noughts.bookmaking.positions import Leaf, Positions
from noughts.capabilities import ResolvedGame
from noughts.errors import NoughtsError, shown

__all__ = ["Checkpoint"]

HEADING = "# noughts book leaves, rules "


class Checkpoint:
    """The solved leaves of a book, in a file; threads may share it."""

    def __init__(self, path: str, game: ResolvedGame[Any, Any], rules: str) -> None:
        self.path = path
        self._game = game
        self._rules = rules
        self._lock = Lock()
        self._states: dict[tuple[str, ...], Any] = {(): game.initial()}

    def read(self, positions: Positions) -> dict[int, int]:
        """Return the scores of the leaves that the file has, by key, on the game's scale."""
        found: dict[int, int] = {}
        for names, score in self._lines():
            state = self._after(names)
            leaf = None if state is None else positions.leaves.get(positions.key(state))
            if leaf is None:
                continue
            seen = score + (len(names) if score > 0 else -len(names) if score < 0 else 0)
            if not self._is_possible(seen, len(names)):
                raise NoughtsError(f"{shown(self.path, 60)} has a score that no game has, after {' '.join(names)}")
            if found.setdefault(leaf.key, seen) != seen:
                raise NoughtsError(f"{shown(self.path, 60)} has two scores for the position after {' '.join(names)}")
        self._states = {(): self._game.initial()}
        return found

    def _is_possible(self, score: int, plies: int) -> bool:
        """Return whether an unfinished state can have a score, if it was reached in so many plies."""
        scale, (low, high) = self._game.scale, self._game.utility_range
        most = max(-low, high)
        return score == 0 or (
            abs(scale.utility(score)) <= most and 1 <= (scale.distance(score) or 0) <= scale.longest - plies
        )

    def _lines(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield the moves and the score of each whole line."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")[:-1]  # what follows the last line break is cut short
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise NoughtsError(
                f"cannot read {shown(self.path, 60)}: {getattr(error, 'strerror', None) or error}"
            ) from None
        for line in lines:
            if line.startswith(HEADING) and line.removeprefix(HEADING).strip() != self._rules:
                raise NoughtsError(f"{shown(self.path, 60)} was begun for other rules; give another file")
            words = line.split()
            if len(words) == 3 and _is_number(words[1]) and not line.startswith("#"):
                yield tuple(self._game.split_actions("" if words[0] == "-" else words[0])), int(words[1])

    def _after(self, names: tuple[str, ...]) -> Any | None:
        """Return the state after some moves, or None if they are not legal moves."""
        if names not in self._states:
            before = self._after(names[:-1])
            legal = () if before is None or self._game.terminal(before) else self._game.legal_actions(before)
            action = next((each for each in legal if self._game.action_name(each) == names[-1]), None)
            self._states[names] = None if action is None else self._game.result(before, action)
        return self._states[names]

    def begin(self) -> None:
        """Get the file ready for more lines: a new one gets its heading, and a line that was cut short is ended."""
        try:
            with open(self.path, "ab+") as file:
                if file.tell() == 0:
                    file.write(f"{HEADING}{self._rules}\n".encode())
                else:
                    file.seek(-1, os.SEEK_END)
                    if file.read() != b"\n":
                        file.write(b"\n")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise NoughtsError(f"cannot write {shown(self.path, 60)}: {why}") from None

    def add(self, leaf: Leaf, score: int, nodes: int) -> None:
        """Add a solved leaf, with its score on the game's scale."""
        names = [self._game.action_name(action) for action in leaf.actions]
        moves = "".join(names)
        if list(self._game.split_actions(moves)) != names:
            moves = ",".join(names)
        plies = len(names)
        seen = score - (plies if score > 0 else -plies if score < 0 else 0)
        with self._lock, open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{moves or '-'} {seen} {nodes}\n")


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isascii() and word.removeprefix("-").isdecimal() and len(word) < 20
