"""Plain minimax over all of tic-tac-toe with OpenSpiel's Python `expectiminimax`.

OpenSpiel's `alpha_beta_search` prunes; its `expectiminimax` does not, and where nothing is left to chance it is
plain minimax. It runs in Python on states implemented in C++.

A node is a state that it visits: the root, and every child, for each of which it clones the parent once. The clones
are counted in a pass of its own through a wrapper around the states; the timed rounds run on the states themselves.
"""

from importlib.metadata import version
from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
from open_spiel.python.algorithms.minimax import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
    expectiminimax,
)
from report import FULL_TREE, best_of, report, rounds_wanted

DEPTH = 9


class Counted:
    """A state that counts its clones and those of its clones, and leaves everything else to OpenSpiel."""

    clones = 0

    def __init__(self, state: Any) -> None:
        self.state = state

    def clone(self) -> "Counted":
        """Return a copy of the state, counting it."""
        Counted.clones += 1
        return Counted(self.state.clone())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def main() -> None:
    rounds = rounds_wanted(__doc__)
    initial = pyspiel.load_game("tic_tac_toe").new_initial_state()

    def search(state: Any) -> float:
        value, _ = expectiminimax(state, DEPTH, None, initial.current_player())
        return float(value)

    value, timing = best_of(rounds, lambda: search(initial))
    assert value == 0, f"tic-tac-toe is a draw, not {value}"
    assert search(Counted(initial)) == 0
    nodes = Counted.clones + 1
    assert nodes == FULL_TREE, f"{nodes} nodes, not {FULL_TREE}"
    report("OpenSpiel expectiminimax", version("open_spiel"), nodes, timing, value=value, rounds=rounds)


if __name__ == "__main__":
    main()
