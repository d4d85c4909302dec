"""OpenSpiel's alpha-beta on its C++ states of a game, some plies deep; a node is a state that it visits.

    python benchmarks/peers/openspiel_alphabeta.py othello 6

The search is `alpha_beta_search` of OpenSpiel's Python package. The states are counted in a pass of its own; the timed
pass runs on the states themselves.
"""

import sys
from importlib.metadata import version
from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
from open_spiel.python.algorithms.minimax import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
    alpha_beta_search,
)
from openspiel_tictactoe import Counted
from report import report, timed


def moves_at_hand(state: Any) -> float:
    """Return a guess who is ahead, as cheap as one can be: by the moves at hand."""
    return 0.0 if state.is_terminal() else len(state.legal_actions()) / 1000


def main() -> None:
    name, depth = sys.argv[1], int(sys.argv[2])
    game = pyspiel.load_game(name)

    def search(state: Any) -> None:
        alpha_beta_search(game, state=state, value_function=moves_at_hand, maximum_depth=depth, maximizing_player_id=0)

    search(Counted(game.new_initial_state()))
    _, timing = timed(lambda: search(game.new_initial_state()))
    report(f"OpenSpiel alpha-beta, {name}", version("open_spiel"), Counted.clones + 1, timing, depth=depth)


if __name__ == "__main__":
    main()
