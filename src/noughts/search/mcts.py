"""Monte-Carlo tree search (UCT), for games that are too large to solve and have no heuristic.

A node whose value is proven is not visited again, and its parent gets the value, so that small games are proven.
"""

from math import log, sqrt
from random import Random
from typing import Generic

from noughts.capabilities import resolve
from noughts.game import Action, Game, State, legal_actions, to_move
from noughts.score import value_of, whole_utility
from noughts.search.answer import Answer, Stopped, unknown
from noughts.search.limits import Budget, Limits, OutOfBudget

__all__ = ["mcts"]

CURIOSITY = 1.4
"""The exploration constant: how much a rarely tried action is favoured. In theory the square root of 2."""

ENOUGH = 100_000
"""The node limit if none is given: unlike other searches, this one may never end by itself."""


class Node(Generic[State, Action]):
    """A position in the tree, with the results of the games that went through it."""

    def __init__(self, game: Game[State, Action], state: State, utilities: tuple[int, int]) -> None:
        self.state = state
        self.games = 0
        self.total = 0
        """The sum of the utilities of these games, in MAX's view."""
        self.certain: int | None = whole_utility(game.utility(state), utilities) if game.terminal(state) else None
        """MAX's utility under best play, once it is proven."""
        self.mover = 0 if self.certain is not None else to_move(game, state)
        self.untried = [] if self.certain is not None else legal_actions(game, state)[::-1]
        self.children: list[tuple[Action, Node[State, Action]]] = []

    def settle(self, utilities: tuple[int, int]) -> None:
        """Mark this node as proven if one child has the best possible utility, or if all children are proven."""
        known = [child.certain for _, child in self.children if child.certain is not None]
        best_possible = utilities[1] if self.mover > 0 else utilities[0]
        if best_possible in known:
            self.certain = best_possible
        elif not self.untried and len(known) == len(self.children):
            self.certain = self.mover * max(self.mover * utility for utility in known)

    def choose(self, spread: int) -> "Node[State, Action]":
        """Return the child to visit next: one that is good for the mover so far, or rarely tried."""
        open_children = [child for _, child in self.children if child.certain is None]
        games = log(self.games)

        def worth(child: "Node[State, Action]") -> float:
            return self.mover * child.total / (spread * child.games) + CURIOSITY * sqrt(games / child.games) / 2

        return max(open_children, key=worth)


def mcts(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    seed: int = 0,
) -> Answer[Action]:
    """Find a good action of a state, the initial one by default, by playing random games from it.

    The value is unknown unless the search happened to prove it. If so, `best` is one action of that value; if not,
    `guess` is the action tried most. Distances are not computed. The same seed and node limit give the same answer.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> answer = mcts(game, noughts.replay(game, "1 5 2"))
    >>> answer.value, answer.proven, answer.best
    ('draw', True, (3,))
    """
    game = resolve(game)
    utilities = game.utility_range
    tree = Node(game, game.state(state), utilities)
    mover = to_move(game, tree.state)
    if limits.nodes is None and limits.seconds is None and limits.cancel is None:
        limits = limits._replace(nodes=ENOUGH)
    budget = Budget(limits)
    random = Random(seed)
    stopped: Stopped = "done"
    try:
        while tree.certain is None:
            _one_game(game, tree, random, utilities, budget)
    except OutOfBudget as out:
        stopped = out.stopped
    answer: Answer[Action] = unknown("mcts", budget.nodes, budget.seconds, stopped)
    if tree.certain is not None:
        margin = mover * tree.certain
        ended = 0 if margin and game.terminal(tree.state) else None
        answer = answer._replace(value=value_of(margin), distance=ended, margin=margin, proven=True, stopped="done")
    favourite = _favourite(tree)
    after = next((child for action, child in tree.children if (action,) == favourite), None)
    ends = game.terminal(tree.state) if after is None else game.terminal(after.state)
    best, guess = (favourite, ()) if answer.proven else ((), favourite)
    return answer._replace(best=best, guess=guess, line=favourite, line_complete=bool(ends))


def _one_game(
    game: Game[State, Action], tree: Node[State, Action], random: Random, utilities: tuple[int, int], budget: Budget
) -> None:
    """Walk down the tree, add a node, play a random game from it, and update every node on the path with its result."""
    low, high = utilities
    path = [tree]
    while not path[-1].untried and path[-1].certain is None:
        path.append(path[-1].choose(max(1, high - low)))
    last = path[-1]
    budget.visit()
    if last.untried:
        action = last.untried.pop()
        child = Node(game, game.result(last.state, action), utilities)
        last.children.append((action, child))
        path.append(child)
    leaf = path[-1]
    utility = leaf.certain
    if utility is None:
        state = leaf.state
        while not game.terminal(state):
            budget.visit()
            state = game.result(state, random.choice(legal_actions(game, state)))
        utility = whole_utility(game.utility(state), utilities)
    for node in reversed(path):
        node.games += 1
        node.total += utility
        if node.children and node.certain is None:
            node.settle(utilities)


def _favourite(tree: Node[State, Action]) -> tuple[Action, ...]:
    """Return one action: one of the proven value, or else the most tried one that is not proven to lose."""
    if not tree.children:
        return tuple(tree.untried[-1:])
    if tree.certain is not None:
        return next((action,) for action, child in tree.children if child.certain == tree.certain)
    tried = {place: child for place, (_, child) in enumerate(tree.children)}
    hopeful = {place: child for place, child in tried.items() if child.certain is None} or tried
    return (tree.children[max(hopeful, key=lambda place: hopeful[place].games)][0],)
