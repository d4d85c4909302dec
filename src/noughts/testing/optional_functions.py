"""Checks of optional functions, one position at a time: heuristic, theory, lineup, plies, parse; and of the book."""

from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

from noughts.book.file import Book
from noughts.capabilities import Lineup, Theory
from noughts.errors import BadBook, one_line
from noughts.game import MAX, MIN
from noughts.gamefile import named_error
from noughts.interrupts import was_pressed
from noughts.testing.explore import Explorer, Node, brief, same

__all__ = ["check_book", "check_heuristic", "check_lineup", "check_parse", "check_plies", "check_theory"]

MOST = 1_000_000
"""The absolute value of a guess must be below this."""

DRAWN = 300
"""How many drawings are read back."""


def check_heuristic(explorer: Explorer) -> None:
    """Check that the heuristic returns a whole number below a million in every unfinished position."""
    heuristic = explorer.offers.heuristic
    if heuristic is None:
        return
    for node in explorer.nodes.values():
        if node.utility is not None:
            continue
        if explorer.late:
            return
        found = explorer.unchanged("heuristic(state)", node, heuristic)
        wrong = _wrong_guess(found)
        if wrong:
            advice = "It must be a whole number between -1,000,000 and 1,000,000, in MAX's view; 0 if both stand alike."
            explorer.report("heuristic", node, f"heuristic(state) is {brief(found)}, {wrong}", advice)


def _wrong_guess(found: Any) -> str:
    """Say what is wrong with a guess; return an empty text if it is right."""
    try:
        number = abs(found + 0.0)
        whole = isfinite(number) and int(found) == found
    except (TypeError, ValueError, OverflowError):
        return "which is not a number"
    if not number < MOST:  # nan is not below it either
        return "which is not below a million"
    return "" if whole else f"which is cut to {int(found)}"


def check_theory(explorer: Explorer) -> None:
    """Check that what the theory says about a position follows from what it says about the positions after it."""
    theory = explorer.offers.theory
    if theory is None:
        return
    advice = "It must return noughts.capabilities.Theory(utility, about) for what best play leads to, or None."
    for node in list(explorer.nodes.values()):
        if node.utility is not None:
            continue
        if explorer.late:
            return
        found = explorer.unchanged("theory(state)", node, theory)
        if found is None:
            continue
        if not isinstance(found, Theory) or not isinstance(found.about, str):
            explorer.report("theory", node, f"theory(state) is {brief(found)}, which is not a Theory", advice)
            continue
        after = [_by_theory(explorer, child) for child in node.children.values()]
        if len(after) < len(node.actions) or None in after:
            continue
        best = (max if node.mover == MAX else min)(each for each in after if each is not None)
        if found.utility != best:
            message = f"theory(state) says {found.utility}; by what it says about the next positions, it is {best}"
            explorer.report("theory", node, message, advice)


def _by_theory(explorer: Explorer, node: Node) -> int | None:
    """Return the utility that a position leads to by the theory; None if it does not say."""
    if node.utility is not None:
        return node.utility
    theory = explorer.offers.theory
    found = None if theory is None else explorer.unchanged("theory(state)", node, theory)
    return found.utility if isinstance(found, Theory) else None


def check_plies(explorer: Explorer) -> None:
    """Check that `plies` counts the plies before each position.

    The `plies` of a kernel is checked with the kernel, so this is checked only if there is no other mistake.
    """
    plies = explorer.offers.plies
    if plies is None or explorer.problems:
        return
    advice = "It must count the plies since the start, whichever way they were played; else leave it out."
    if explorer.repetition:
        start = next(iter(explorer.nodes.values()))
        explorer.report("plies", start, f"plies(state) cannot be right, since {explorer.repetition}", advice)
        return
    for node in explorer.nodes.values():
        if explorer.late:
            return
        found = explorer.unchanged("plies(state)", node, plies)
        if found != node.ply:
            explorer.report("plies", node, f"plies(state) is {brief(found)} after {node.ply}", advice)


def check_lineup(explorer: Explorer) -> None:
    """Check that a game that says `is_free` is one: any empty cell, in turn, and whoever first completes a line wins.

    Another mistake would show here too, so it is checked only if there is none.
    """
    lineup = explorer.offers.lineup
    if lineup is None or explorer.problems:
        return
    for node in explorer.sample(DRAWN):
        if explorer.late:
            return
        if node.utility is not None:
            continue
        found = explorer.unchanged("lineup(state)", node, lineup)
        wrong = explorer.guarded("lineup(state)", node, _wrong_freedom, node, found) if found.is_free else ""
        if wrong:
            advice = "Leave `is_free` out, unless players take any empty cell in turn and the first line wins."
            explorer.report("lineup", node, f"lineup(state) says that the game is free, but {wrong}", advice)


def _wrong_freedom(node: Node, found: Lineup[Any]) -> str:
    """Say why a position or one after it is not that of a free game; return an empty text if it is."""
    taken = found.held[MAX] | found.held[MIN]
    cells = set(found.cells.values())
    if len(cells) < len(found.cells) or set(found.cells) != set(node.actions) or cells & taken:
        return "its cells are not those that the actions take"
    if not {cell for line in found.lines for cell in line} <= cells | taken:
        return "some empty cell of a line cannot be taken"
    for index, child in node.children.items():
        cell = found.cells[node.actions[index]]
        mine = found.held[node.mover] | {cell}
        completes = any(cell in line and set(line) <= mine for line in found.lines)
        ended = node.mover if completes else 0 if len(cells) == 1 else None
        if child.utility != ended:
            return f"the utility after an action is {child.utility}, and by its lines {ended}"
        if ended is None and child.mover == node.mover:
            return "a player moves twice"
    return ""


def check_book(explorer: Explorer) -> None:
    """Check that the game's book can be opened, and is for its rules; `noughts book verify` checks the scores."""
    path = explorer.offers.book
    if path is None or not explorer.nodes:
        return
    try:
        Book(path, explorer.offers, check=explorer.check)
    except BadBook as why:
        advice = "Build it again: noughts book build GAME --plies N -o FILE"
        explorer.report("book", next(iter(explorer.nodes.values())), str(why), advice)


class _Form(NamedTuple):
    """A way in which a game writes a position."""

    shown: str
    write: Callable[[Any], str]


def check_parse(explorer: Explorer) -> None:
    """Check that `parse` reads the game's drawings, or its diagrams, as the position that was drawn.

    A form that `parse` refuses in every position is skipped. The two positions are compared by their drawing, mover,
    result and actions, since a drawing need not say how play reached it.
    """
    parse, offers, game = explorer.offers.parse, explorer.offers, explorer.game
    if parse is None:
        return
    diagram = getattr(game, "diagram", None)
    forms = [_Form("drawing", offers.draw)]
    if callable(diagram):
        forms.append(_Form("diagram", diagram))
    else:
        forms.append(_Form("drawing, rows separated by /,", lambda state: "/".join(offers.draw(state).split("\n"))))
    nodes = explorer.sample(DRAWN)
    for form in forms:
        refused: list[tuple[Node, str]] = []
        read = 0
        for node in nodes:
            if explorer.late:
                return
            text = explorer.unchanged(f"the {form.shown}", node, form.write)
            try:
                found = parse(text)
                again = parse(text)
            except BaseException as error:
                if was_pressed(error):
                    raise
                refused.append((node, named_error(error)))
                continue
            read += 1
            difference = _difference(explorer, node, found)
            if not difference and not same(explorer.offers.key(found), explorer.offers.key(again)):
                difference = "another position each time"
            if difference:
                explorer.report(
                    "parse",
                    node,
                    f"parse(text) reads the {form.shown} of this position as {difference}",
                    "It must return the state that was drawn, rows and columns the same way round.",
                )
        if refused and read > len(refused):
            node, error_name = refused[0]
            explorer.report(
                "parse",
                node,
                f"parse(text) reads the {form.shown} of other positions, and refuses this one: {error_name}",
                "It must read every position that play can reach.",
            )
        if read:
            return


def _difference(explorer: Explorer, node: Node, found: Any) -> str:
    """Say how the position that was read differs from the one drawn; return an empty text if it does not."""
    game, offers = explorer.game, explorer.offers

    def compare() -> str:
        if offers.key(found) == offers.key(node.state):
            return ""
        drawn = offers.draw(found)
        if drawn != offers.draw(node.state):
            return f"another: {one_line(drawn)}"
        if bool(game.terminal(found)) != (node.utility is not None):
            return "one that is over" if node.utility is None else "one that is not over"
        if node.utility is not None:
            utility = game.utility(found)
            return "" if utility == node.utility else f"one that is worth {utility}, not {node.utility}"
        if game.player(found) != node.mover:
            return "one in which the other player is to move"
        actions = [offers.action_name(action) for action in game.actions(found)]
        if sorted(actions) != sorted(map(offers.action_name, node.actions)):
            return f"one with other actions: {' '.join(actions)}"
        return ""

    difference: str = explorer.guarded("what parse(text) read", node, compare)
    return difference
