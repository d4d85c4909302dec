"""Node counts of every search on fixed positions. A change that should not affect a search must not change them."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from noughts.notation import load, replay
from noughts.score import Value
from noughts.search.answer import Answer
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits
from noughts.search.mcts import mcts
from noughts.search.memo import Memo
from noughts.search.minimax import minimax
from noughts.search.mtd import mtd
from noughts.search.proof import proof

__all__ = ["POSITIONS", "SEARCHES", "NodeCount", "node_counts"]

POSITIONS = [
    ("tic-tac-toe", "5 1"),
    ("misere", "1 5"),
    ("wild", "5x 1o"),
    ("notakto:2", "a5 b5 a1"),
    ("mnk:4,3,3", ""),
    ("mnk:4,4,4", "b2 c2 b3 c3"),
    ("connect:4x4", "12"),
    ("cube:3", "14 1"),
    ("nim:3,4,5", ""),
    ("reversi:4", ""),
]

SEARCHES: dict[str, Callable[[Any, Any], Answer[Any]]] = {
    "memo": lambda game, state: Memo(game).analyse(state, Limits(nodes=30_000)),
    "alphabeta": lambda game, state: alphabeta(game, state),
    "alphabeta, one": lambda game, state: alphabeta(game, state, wanted="one"),
    "alphabeta, no principal variation": lambda game, state: alphabeta(game, state, options=Options(principal=False)),
    "alphabeta, no killers": lambda game, state: alphabeta(game, state, options=Options(killers=False)),
    "alphabeta, no history": lambda game, state: alphabeta(game, state, options=Options(history=False)),
    "alphabeta, no symmetry": lambda game, state: alphabeta(game, state, options=Options(symmetry=0)),
    "deepening": lambda game, state: deepening(game, state),
    "mtd": lambda game, state: mtd(game, state),
    "proof": lambda game, state: proof(game, state, limits=Limits(nodes=30_000)),
    "mcts": lambda game, state: mcts(game, state, limits=Limits(nodes=5_000)),
}


class NodeCount(NamedTuple):
    """What one search visits to value one position, and what it finds; `str` is a line of text."""

    game: str
    position: str
    search: str
    nodes: int
    value: Value
    distance: int | None
    choice: tuple[str, ...]
    """The best actions, or guesses where nothing is proven."""

    def __str__(self) -> str:
        distance = "" if self.distance is None else f" {self.distance}"
        found = f"{self.nodes:,} nodes, {self.value}{distance}, best {' '.join(self.choice)}"
        return f"{self.game} [{self.position}] {self.search}: {found}"


def node_counts() -> Iterator[NodeCount]:
    """Yield the node count of each search on each position."""
    for notation, position in POSITIONS:
        game = load(notation)
        state = replay(game, position)
        searches = dict(SEARCHES)
        if notation in ("tic-tac-toe", "misere"):
            searches["minimax"] = lambda game, state: minimax(game, state)
        for name, search in searches.items():
            answer = search(game, state)
            choice = tuple(map(str, answer.choice))
            yield NodeCount(notation, position, name, answer.nodes, answer.value, answer.distance, choice)
