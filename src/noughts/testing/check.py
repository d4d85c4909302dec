"""Checks that look at many positions together: keys, symmetries, repetition, and whose win is whose."""

from collections.abc import Hashable
from itertools import islice
from typing import Any

from noughts.capabilities import capabilities, contents
from noughts.errors import NoughtsError
from noughts.game import MAX, MIN, Game
from noughts.testing.explore import Explorer, Node, Stop
from noughts.testing.report import Report

__all__ = ["check_game"]

ORBITS = 300
"""In how many positions symmetries are compared action by action; their ends are compared in all."""


def check_game(game: Game[Any, Any], positions: int = 20_000, seed: int = 0) -> Report:
    """Look for mistakes in a game, in all of its positions, or in `positions` of them if it has more.

    Finds: functions that raise or answer the wrong kind of thing; a `result` that changes its argument;
    unstable or duplicate actions; dead ends; actions offered after the end; a utility outside its range or
    of the wrong sign; a win on the last cell taken for a draw; a key that merges different states; a
    symmetry that is none; a game that can go on for ever. Each comes with the line of play that shows it.

    >>> import noughts
    >>> print(check_game(noughts.load("tic-tac-toe")))
    no problem in all 5,478 positions
    """
    explorer = Explorer(game, capabilities(game), positions, seed)
    try:
        explorer.run()
        _check_repetition(explorer)
        _check_keys(explorer)
        _check_symmetries(explorer)
        _check_sign(explorer)
        _check_last_cell(explorer)
    except Stop:
        pass
    return Report(tuple(explorer.problems.values()), len(explorer.nodes), explorer.complete)


def _check_repetition(explorer: Explorer) -> None:
    """Look for a position that comes back on its own path, by depth-first search with its own stack."""
    done: set[Node] = set()
    for root in explorer.nodes.values():
        if root in done:
            continue
        path = {root: iter(root.children)}
        while path:
            node, children = next(reversed(path.items()))
            child = next(children, None)
            if child is None:
                done.add(node)
                del path[node]
            elif child in path:
                _report_cycle(explorer, list(path), child)
                return
            elif child not in done:
                path[child] = iter(child.children)


def _report_cycle(explorer: Explorer, path: list[Node], back: Node) -> None:
    """Play round the cycle from the position that comes back, to show a line that a person can follow."""
    walk = back
    for node in [*path[path.index(back) + 1 :], back]:
        index = walk.children.index(node)
        step = Node(node.state, walk, walk.actions[index])
        step.children, step.actions = node.children, node.actions
        walk = step
    explorer.endless(back, walk)


def _check_keys(explorer: Explorer) -> None:
    """States with equal keys must have the same mover, the same end and the same actions to the same keys."""
    key = explorer.offers.key
    first_with: dict[Hashable, Node] = {}
    for node in explorer.nodes.values():
        try:
            found = key(node.state)
            same = key(node.state) == found and hash(found) == hash(found)
        except Exception as error:
            explorer.report(
                "key",
                node,
                f"key(state) failed: {type(error).__name__}: {error}",
                "It must return a hashable value.",
            )
            return
        if not same:
            explorer.report("key", node, "key(state) is different each time", "Equal states must have equal keys.")
            return
        other = first_with.setdefault(found, node)
        if other is not node and _behaviour(other, key) != _behaviour(node, key):
            explorer.report(
                "key-merges",
                node,
                f"it has the key {found!r}, and so has the different state after"
                f" {explorer.names(other.line) or 'the start'}",
                "A key must tell states apart; what is merely symmetric belongs in symmetries(state).",
            )


def _behaviour(node: Node, key: Any) -> tuple[Any, ...]:
    steps = [(contents(action), key(child.state)) for action, child in zip(node.actions, node.children, strict=False)]
    return (
        node.mover,
        node.utility,
        [contents(action) for action in node.actions],
        steps if node.children else None,
    )


def _check_symmetries(explorer: Explorer) -> None:
    """A symmetric state must have the same mover, end and number of actions, and actions that correspond."""
    symmetries = explorer.offers.symmetries
    if symmetries is None:
        return
    game, key = explorer.game, explorer.offers.key

    def orbit(state: Any) -> frozenset[Hashable]:
        return frozenset(key(guise) for guise in symmetries(state))

    def children(state: Any) -> dict[frozenset[Hashable], int]:
        counts: dict[frozenset[Hashable], int] = {}
        for action in game.actions(state):
            found = orbit(game.result(state, action))
            counts[found] = counts.get(found, 0) + 1
        return counts

    start = next(iter(explorer.nodes.values()))
    closed = explorer.complete and orbit(start.state) == {key(start.state)}
    for number, node in enumerate(explorer.nodes.values()):
        for guise in symmetries(node.state):
            try:
                difference = _difference(game, node, guise)
                if not difference and closed and contents(guise) not in explorer.nodes:
                    difference = "which no play can reach"
                if not difference and number < ORBITS and node.utility is None:
                    difference = "" if children(guise) == children(node.state) else "whose actions lead elsewhere"
            except NoughtsError as error:
                difference = f"in which the game fails: {error}"
            if difference:
                drawn = " / ".join(explorer.offers.draw(guise).splitlines())
                explorer.report(
                    "symmetry",
                    node,
                    f"symmetries(state) holds a state {difference}: {drawn}",
                    "Only states in which the game goes on in the same way are symmetric.",
                )
                break


def _difference(game: Game[Any, Any], node: Node, guise: Any) -> str:
    if game.player(guise) != node.mover:
        return "in which the other player is to move"
    if bool(game.terminal(guise)) != (node.utility is not None):
        return "that is over" if node.utility is None else "that is not over"
    if node.utility is not None:
        return "" if game.utility(guise) == node.utility else f"worth {game.utility(guise)}, not {node.utility}"
    return "" if len(list(game.actions(guise))) == len(node.actions) else "with more or fewer actions"


def _check_sign(explorer: Explorer) -> None:
    """Compare who made the deciding move with who is said to have won.

    A game says by `misere` who ought to: the maker of the move, or the other. Both signs among the ends of
    one player's moves are nothing to remark on; the same wrong sign in all of them is.
    """
    decided = [node for node in explorer.nodes.values() if node.utility and node.parent is not None]
    won_by_mover = [(node, node.utility * node.parent.mover > 0) for node in decided if node.utility and node.parent]
    if not won_by_mover:
        return
    last_movers = {node.parent.mover for node in decided if node.parent}
    signs = {node.utility > 0 for node in decided if node.utility}
    node = decided[0]
    assert node.parent is not None
    who = {MAX: "MAX", MIN: "MIN"}
    if last_movers == {MAX, MIN} and len(signs) == 1:
        wrong = next(node for node, won in won_by_mover if won == explorer.offers.misere)
        assert wrong.parent is not None
        explorer.report(
            "utility-sign",
            wrong,
            f"{who[wrong.parent.mover]} made the last move and utility(state) is {wrong.utility};"
            " it has that sign in every decided game, whoever wins",
            "utility(state) takes MAX's view, above 0 when MAX has won, and not the view of the player to move.",
        )
    elif all(won == explorer.offers.misere for _, won in won_by_mover):
        loser = "wins" if explorer.offers.misere else "loses"
        meant = "is not misère" if explorer.offers.misere else "is misère"
        stated = "leave misere = True out" if explorer.offers.misere else "state it: misere = True"
        explorer.report(
            "utility-sign",
            node,
            f"{who[node.parent.mover]} made the last move and utility(state) is {node.utility}:"
            f" in every decided game the player who decides it {loser}",
            f"Turn the sign of utility(state), which takes MAX's view; or if the game {meant}, {stated}.",
        )


def _check_last_cell(explorer: Explorer) -> None:
    """Look for a last action that decides the game, and is called a draw because nothing is left to play.

    In a game of placing, what an action decides early it also decides late. So: a drawn end whose last
    action, played by the same player some turns before, would have decided the game, is suspect. Whether
    this is a game of placing is not assumed but seen, in `_keeps_what_it_decides`.
    """
    suspects = []
    for node in explorer.nodes.values():
        if node.utility == 0 and node.parent is not None and len(node.parent.actions) == 1:
            early = _decided_early(explorer.game, node)
            if early is not None:
                suspects.append((node, early))
    if suspects and _keeps_what_it_decides(explorer):
        for node, early in suspects:
            explorer.report(
                "last-cell-draw",
                node,
                f"the last action, {explorer.names([node.action])}, ends in a draw, yet the same action decides"
                f" the game in {explorer.names(early)}",
                "Test for a win before testing for a full board.",
            )


def _decided_early(game: Game[Any, Any], node: Node) -> list[Any] | None:
    """Return a shorter line in which the node's last action, by the same player, decided the game."""
    *before, last = node.path
    assert last.parent is not None
    for earlier in before[:-1]:
        if earlier.mover == last.parent.mover and last.action in earlier.actions:
            state = game.result(earlier.state, last.action)
            if game.terminal(state) and game.utility(state):
                return [*earlier.line, last.action]
    return None


def _keeps_what_it_decides(explorer: Explorer, look_at: int = 2_000) -> bool:
    """Say whether no action that decides early was ever played late without deciding, but for drawn ends."""
    late_first = reversed(explorer.nodes.values())
    inner = (node for node in late_first if node.utility is None and node.parent is not None)
    return not any(_decided_early(explorer.game, node) for node in islice(inner, look_at))
