"""Checks that a game gives the same answers about the same state: later, in another order, and in another process.

That a function gives the same answer twice in a row is checked where positions are visited. Here positions are visited
again: rebuilt by playing the actions that lead to them, and in another order. This finds hidden state in a function,
such as a counter, a cache, or a remembered turn.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from random import Random
from typing import Any

from noughts.capabilities import KERNEL_FUNCTIONS, ResolvedGame, resolve
from noughts.game import Game
from noughts.gamefile import file_of
from noughts.keys import contents
from noughts.testing.explore import Explorer, Node, brief, same

__all__ = ["check_again", "check_in_another_process"]

AGAIN = 1_000
"""How many positions are checked again."""

MOST_ROUNDS = 10
"""How often each is checked in a game with few positions."""

REPLAYED = 20_000
"""How many actions may be played to rebuild them."""

MANY_ACTIONS = 30
"""For how many actions of a position the result is checked again."""

IN_OTHER_PROCESS = 200
"""How many positions are checked in another process."""

LONGEST_LINE = 300
"""How many plies may lead to each of those."""

PATIENCE = 60
"""Seconds that the other process may take. If it takes longer, it is stopped and nothing is reported."""


def check_again(explorer: Explorer) -> None:
    """Check positions a second time, and report what has changed."""
    if any(problem.fatal for problem in explorer.problems.values()):
        return
    nodes = explorer.sample(AGAIN)
    before = {node: dict(_capabilities(explorer, node)) for node in nodes if not explorer.late}
    again = list(before) * max(1, min(MOST_ROUNDS, AGAIN // 4 // max(1, len(before))))
    Random(0).shuffle(again)
    left = REPLAYED
    for node in again:
        if explorer.late:
            return
        left -= node.ply
        rebuilt = _replayed(explorer, node) if left >= 0 else node
        _compare_six(explorer, node, rebuilt)
        for name, found in _capabilities(explorer, rebuilt):
            if not same(found, before[node][name]):
                explorer.report(
                    f"unstable-{name}",
                    node,
                    f"{name}(state) is {brief(_plain(before[node][name]))}, and later {brief(_plain(found))}",
                    "It must depend on nothing but the state: not on chance, the clock, or what was asked before.",
                )


def _replayed(explorer: Explorer, node: Node) -> Node:
    """Return a position rebuilt by playing its line again from the start."""
    start, *path = node.path
    state = explorer.call("initial")
    if contents(state) != start.identity:
        explorer.unstable("start", start, f"initial() is {brief(start.state)}, and later {brief(state)}")
    at = Node(state, None, None)
    for step in path:
        at = Node(explorer.call("result", at, step.action), at, step.action)
        if at.identity != step.identity:
            assert at.parent is not None
            explorer.unstable_result(at.parent, step.action, step.state, at.state)
    at.mover, at.utility, at.actions = node.mover, node.utility, node.actions
    return at


def _compare_six(explorer: Explorer, node: Node, rebuilt: Node) -> None:
    """Call the six functions again and report different answers."""
    over = node.utility is not None

    def compare(name: str, before: Any, now: Any) -> None:
        if not same(before, now):
            explorer.unstable(name, node, f"{name}(state) is {brief(before)}, and later {brief(now)}")

    compare("terminal", over, bool(explorer.call("terminal", rebuilt)))
    if over:
        compare("utility", node.utility, explorer.call("utility", rebuilt))
        return
    compare("player", node.mover, explorer.call("player", rebuilt))
    actions = explorer.call("actions", rebuilt)
    if "unstable-actions" not in explorer.problems:
        compare("actions", node.actions, actions)
    for index, child in list(node.children.items())[:MANY_ACTIONS]:
        state = explorer.call("result", rebuilt, node.actions[index])
        if contents(state) != child.identity:
            explorer.unstable_result(node, node.actions[index], child.state, state)


def _capabilities(explorer: Explorer, node: Node) -> Iterator[tuple[str, Hashable]]:
    """Yield the answers of the game's optional functions about a position, with the name of each function."""
    game, offers = explorer.game, explorer.offers
    functions: dict[str, tuple[Callable[[Any], Any] | None, Callable[[Any], Any]]] = {
        "draw": (offers.draw if callable(getattr(game, "draw", None)) else None, str),
        "board": (offers.board, contents),
        "symmetries": (offers.symmetries, _unordered),
        "canonical": (offers.canonical, contents),
    }
    if not callable(getattr(game, KERNEL_FUNCTIONS[0], None)):  # the `plies` of a kernel is checked with the kernel
        functions["plies"] = offers.plies, lambda found: found
    if node.utility is None:
        functions |= {
            "heuristic": (offers.heuristic, lambda found: found),
            "utility_bounds": (_own_bounds(game, offers), contents),
            "lineup": (offers.lineup, _lined),
        }
    for name, (function, normal) in functions.items():
        if function is not None:
            asked = function
            yield name, explorer.unchanged(f"{name}(state)", node, lambda state: normal(asked(state)))  # noqa: B023
    actions = node.actions[:MANY_ACTIONS]
    yield "action_name", tuple(explorer.guarded("action_name", node, offers.action_name, action) for action in actions)
    aliases = (explorer.guarded("action_aliases", node, offers.action_aliases, action) for action in actions)
    yield "action_aliases", tuple(map(tuple, aliases))


def _own_bounds(game: Game[Any, Any], offers: ResolvedGame[Any, Any]) -> Callable[[Any], Any] | None:
    """Return the game's own bounds; those of a kernel are checked with the kernel."""
    return offers.utility_bounds if getattr(game, "utility_bounds", None) == offers.utility_bounds else None


def _unordered(found: Any) -> Hashable:
    """Return a value that is equal for the same items in any order."""
    return frozenset(Counter(map(contents, found)).items())


def _lined(found: Any) -> Hashable:
    held = {player: set(found.held[player]) for player in found.held}
    return contents([list(found.lines), held, dict(found.cells), found.is_free])


def _plain(found: Any) -> Any:
    """Return an answer without the types that `contents` adds to values, so that it can be shown."""
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], type):
        return _plain(found[1])
    if isinstance(found, tuple):
        return tuple(map(_plain, found))
    return frozenset(map(_plain, found)) if isinstance(found, frozenset) else found


# In another process


def check_in_another_process(explorer: Explorer) -> None:
    """Load a game file in a new process, where strings hash differently, and report answers that differ.

    Only this finds answers that depend on the order of a set, on a cache filled earlier, on random numbers drawn when
    the file was loaded, or on the time of day.
    """
    path = file_of(explorer.game)
    if path is None or explorer.problems:
        return
    nodes = [node for node in explorer.sample(IN_OTHER_PROCESS) if node.ply <= LONGEST_LINE]
    lines = [[explorer.offers.action_name(action) for action in node.line] for node in nodes]
    replies = _ask_other_process(path, lines)
    if replies is None:
        return
    root = next(iter(explorer.nodes.values()))
    if isinstance(replies, str):
        advice = "A game must be the same in every process."
        explorer.report("unstable-start", root, f"in a new process it fails: {replies}", advice)
        return
    for node, line, (now, then) in zip(nodes, lines, replies, strict=True):
        here = outline(explorer.game, line)
        for found, when, advice in (
            (
                now,
                "in another process",
                "Sort what comes out of a set, and do not use random numbers or earlier answers.",
            ),
            (then, "at another time of day", "A game must not look at the clock."),
        ):
            name = next((name for name in here if here[name] != found.get(name, found.get("line"))), None)
            if name is not None:
                other = found.get(name, found.get("line"))
                message = f"{name}(state) is {brief(here[name])} here, and {when} {brief(other)}"
                explorer.report(f"unstable-{name}", node, message, advice)
                break


def _ask_other_process(path: str, lines: list[list[str]]) -> list[tuple[dict[str, Any], dict[str, Any]]] | str | None:
    """Return two outlines of the position after each line, now and at another time; or an error text; or None.

    None means that the other process did not answer.
    """
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from noughts.testing.other_process import main; main()"],
            input=json.dumps({"path": path, "lines": lines, "search_path": sys.path}),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        found: Any = json.loads(done.stdout)
    except (
        OSError,
        ValueError,
        subprocess.SubprocessError,
    ):  # processes cannot be started here, or it was too slow, or it failed
        return None
    return str(found["error"]) if isinstance(found, dict) else [(now, then) for now, then in found]


def outline(game: Game[Any, Any], line: list[str]) -> dict[str, Any]:
    """Return the visible facts of the position after a line of play, to compare them between processes."""
    offers = resolve(game)
    state = game.initial()
    for name in line:
        named = {offers.action_name(action): action for action in game.actions(state)}
        if name not in named:
            return {"line": f"nowhere: {name} cannot be played"}
        state = game.result(state, named[name])
    over = bool(game.terminal(state))
    found: dict[str, Any] = {"terminal": over}
    if over:
        found["utility"] = int(game.utility(state))
    else:
        found["player"] = int(game.player(state))
        found["actions"] = [offers.action_name(action) for action in game.actions(state)]
        for name, function in (("heuristic", offers.heuristic), ("utility_bounds", _own_bounds(game, offers))):
            if function is not None:
                found[name] = repr(function(state))
    if callable(getattr(game, "draw", None)):
        found["draw"] = offers.draw(state)
    if offers.board is not None:
        found["board"] = [[cell.mark for cell in row] for row in offers.board(state)]
    return found
