"""An independent finder of near wins on boards of lines, and positions to try it on. Cells are bits."""

import random
from collections.abc import Iterator

from noughts.game import MAX
from noughts.games.lines import LineGame, Marks


def played_at_random(game: LineGame, seed: int, least: int, near: bool = False) -> Iterator[Marks]:
    """Yield unfinished positions; `near` puts each stone beside another."""
    chance = random.Random(seed)
    while True:
        state = game.initial()
        for _ in range(chance.randrange(least, len(game.cells) if not near else least + 16)):
            if game.terminal(state):
                break
            cells = game.actions(state)
            if near:
                middle = len(game.cells) // 2 + 1
                taken = [cell for cell in game.cells if cell not in cells] or [middle]
                near_by = [c for c in cells if any(abs(r) <= 2 and abs(s) <= 2 for r, s in apart(game, c, taken))]
                cells = near_by or cells
            state = game.result(state, chance.choice(cells))
        if not game.terminal(state):
            yield state


def apart(game: LineGame, cell: int, others: list[int]) -> list[tuple[int, int]]:
    """Return how many rows and columns other cells are away."""
    row, column = divmod(cell - 1, game.columns)
    return [((other - 1) // game.columns - row, (other - 1) % game.columns - column) for other in others]


class Finder:
    """Finds the near wins of one game; a position is the cells of the player to move, and those of the other."""

    def __init__(self, game: LineGame) -> None:
        self._game = game

    def sides(self, state: Marks) -> tuple[int, int]:
        """Return the cells of the player to move, and those of the other."""
        first_moves = self._game.player(state) == MAX
        return (state.first, state.second) if first_moves else (state.second, state.first)

    def empty(self, own: int, other: int) -> list[int]:
        """Return the empty cells."""
        return [1 << n for n in range(len(self._game.cells)) if not (own | other) >> n & 1]

    def completing(self, own: int, other: int) -> set[int]:
        """Return the cells that complete a line."""
        rests = (mask & ~own for mask in self._game._masks if not mask & other)
        return {rest for rest in rests if rest & (rest - 1) == 0}

    def winning_in_3(self, own: int, other: int) -> set[int]:
        """Return the cells that threaten two completions at once, in a position where the mover completes no line."""
        blocks = self.completing(other, own)
        rests = [mask & ~own for mask in self._game._masks if not mask & other]
        twos = [rest for rest in rests if rest.bit_count() == 2]
        found = set()
        for cell in {cell for rest in twos for cell in (rest & -rest, rest & (rest - 1))}:
            if blocks <= {cell} and len({rest ^ cell for rest in twos if rest & cell}) > 1:
                found.add(cell)
        return found

    def wins_soon(self, own: int, other: int) -> bool:
        """Return whether the player to move wins within 3 plies."""
        return bool(self.completing(own, other) or self.winning_in_3(own, other))

    def winning_in_5(self, own: int, other: int) -> set[int]:
        """Return the cells that win within 5 plies against every reply, in a position without a faster win.

        A stone never harms its owner, so a cell that would not win after a pass is left out.
        """
        blocks = self.completing(other, own)
        found = set()
        for cell in blocks or self.empty(own, other):
            after = own | cell
            if len(blocks) < 2 and self.wins_soon(after, other):
                replies = [] if self.completing(other, after) else self.empty(after, other)
                if replies and all(self.wins_soon(after, other | reply) for reply in replies):
                    found.add(cell)
        return found

    def right(self, own: int, other: int) -> tuple[str, set[int]]:
        """Return why only some cells are right, and which: a near win, or what prevents one; else an empty text."""
        near_wins = (("win", self.completing(own, other)), ("block", self.completing(other, own)))
        for why, cells in near_wins:
            if cells:
                return why, cells
        if cells := self.winning_in_3(own, other):
            return "win in 3", cells
        if cells := self.winning_in_5(own, other):
            return "win in 5", cells
        if self.winning_in_3(other, own):
            safe = {cell for cell in self.empty(own, other) if not self.wins_soon(other, own | cell)}
            return ("prevent a win in 3", safe) if safe else ("", set())
        return "", set()
