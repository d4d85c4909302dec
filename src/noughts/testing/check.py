"""`check_game`, and the checks that compare many positions: keys, symmetries, bounds, repetition, signs."""

from collections.abc import Callable, Hashable
from functools import partial
from itertools import islice
from types import ModuleType
from typing import Any

from noughts.capabilities import CAPABILITIES, resolve
from noughts.game import MAX, MIN, Game, as_game
from noughts.gamefile import named_error
from noughts.interrupts import was_pressed
from noughts.keys import contents
from noughts.notation import load
from noughts.search.answer import Answer
from noughts.search.memo import Memo
from noughts.search.retrograde import Retrograde
from noughts.testing.explore import Explorer, Late, Node, Stop
from noughts.testing.kernels import check_kernel
from noughts.testing.optional_functions import (
    check_book,
    check_heuristic,
    check_lineup,
    check_parse,
    check_plies,
    check_theory,
)
from noughts.testing.reference import check_like
from noughts.testing.repeatability import check_again, check_in_another_process
from noughts.testing.report import Report

__all__ = ["check_game"]

MOST_IMAGES = 200_000
"""How many symmetric images may be built to compare them action by action. Their results are compared in any case."""

FEW = 3
"""With fewer deciding moves than this, the sign of utilities is not judged."""


def check_game(
    game: Game[Any, Any],
    positions: int = 20_000,
    seed: int = 0,
    seconds: float | None = None,
    like: Game[Any, Any] | str | None = None,
) -> Report:
    """Look for mistakes in a game, in all of its positions, or in about `positions` of them if it has more.

    With `seconds`, it stops after that time, and the report says so. It then neither compiles a kernel nor starts
    another process, since both take longer. `like` is a game known to be right, or the notation of one: both games are
    played side by side.

    Finds: functions that raise or return the wrong kind of thing; that change the state they are given; that do not
    answer the same about the same state; duplicate actions; dead ends; actions offered after the end; a utility outside
    its range or of the wrong sign; a win on the last cell taken for a draw; a key that merges different states;
    symmetries, bounds, heuristics and kernels that are wrong; a drawing that is read back as another position; play
    that goes on and on; differences from `like`. Each comes with the line of play that shows it. That positions repeat
    is no mistake, but noted.

    >>> import noughts
    >>> print(check_game(noughts.load("tic-tac-toe")))
    no problem in all 5,478 positions
    """
    game = as_game(game)
    reference = None if like is None else load(like)
    compared = ""
    explorer = Explorer(game, resolve(game), positions, seed, seconds)
    in_time = True
    try:
        explorer.run()
        check_heuristic(explorer)
        check_theory(explorer)
        check_book(explorer)
        check_again(explorer)
        check_parse(explorer)
        _check_repetition(explorer)
        check_kernel(explorer, compiled=seconds is None)
        _check_keys(explorer)
        _check_symmetries(explorer)
        _check_canonical(explorer)
        _check_bounds(explorer)
        _check_theory_of_endless_play(explorer)
        _check_sign(explorer)
        _check_late_decisions(explorer)
        _check_ignored(explorer)
        if reference is not None:
            compared = check_like(explorer, reference, _called(like, reference))
        check_lineup(explorer)
        check_plies(explorer)
        if seconds is None:
            check_in_another_process(explorer)
        explorer.check()
    except Late:
        in_time = False
    except Stop:
        pass
    notes = (f"positions can repeat; endless play is a draw: {explorer.repetition}",) if explorer.repetition else ()
    return Report(tuple(explorer.problems.values()), len(explorer.nodes), explorer.complete, compared, in_time, notes)


def _called(like: Game[Any, Any] | str | None, reference: Game[Any, Any]) -> str:
    """Return the name of the reference: the notation that was given, or its title."""
    return like if isinstance(like, str) else resolve(reference).title or "the other game"


def _check_repetition(explorer: Explorer) -> None:
    """Look for a position that repeats on its own path, by depth-first search with an explicit stack.

    A game with a kernel ends within `longest` plies, and `plies` counts them, so neither goes with repetition.
    """
    done: set[Node] = set()
    for root in explorer.visited():
        if root in done:
            continue
        path = {root: iter(root.children.values())}
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
                path[child] = iter(child.children.values())


def _report_cycle(explorer: Explorer, path: list[Node], back: Node) -> None:
    """Report a cycle as a line of play that starts and ends at the repeated position."""
    walk, at = back, back
    for node in [*path[path.index(back) + 1 :], back]:
        index = next(index for index, child in at.children.items() if child is node)
        walk, at = Node(node.state, walk, at.actions[index]), node
    explorer.endless(back, walk)


def _check_keys(explorer: Explorer) -> None:
    """Equal states must have equal keys, and equal keys the same mover, end, and actions to the same keys."""
    key = explorer.offers.key
    first_with: dict[Hashable, Node] = {}
    for node in explorer.visited():
        try:
            found = key(node.state)
            hash(found)
            same = key(node.state) == found
            if node.parent is not None:
                same = same and key(explorer.game.result(node.parent.state, node.action)) == found
        except BaseException as error:
            if was_pressed(error):
                raise
            failure = f"key(state) failed: {named_error(error)}"
            explorer.report("key", node, failure, "It must return a hashable value.", fatal=True)
            return
        if not same:
            advice = "Equal states must have equal keys; offer key(state) if Python cannot tell that they are equal."
            explorer.report("key", node, "the key of the same state is different each time", advice)
            return
        other = first_with.setdefault(found, node)
        if other is not node and not _behave_alike(other, node, key):
            explorer.report(
                "key-merges",
                node,
                f"it has the key {found!r}, and so has the different state after"
                f" {explorer.names(other.line) or 'the start'}",
                "A key must tell states apart; what is merely symmetric belongs in symmetries(state).",
            )


def _behave_alike(one: Node, other: Node, key: Any) -> bool:
    if (one.mover, one.utility) != (other.mover, other.utility):
        return False
    if [contents(action) for action in one.actions] != [contents(action) for action in other.actions]:
        return False
    common = one.children.keys() & other.children.keys()
    return all(key(one.children[index].state) == key(other.children[index].state) for index in common)


def _check_symmetries(explorer: Explorer) -> None:
    """A symmetric state must have the same mover, end and number of actions, and actions that correspond."""
    symmetries = explorer.offers.symmetries
    if symmetries is None:
        return
    game, key = explorer.game, explorer.offers.key

    def orbit(state: Any) -> frozenset[Hashable]:
        keys = []
        for image in symmetries(state):
            explorer.check()
            keys.append(key(image))
        return frozenset(keys)

    def children(state: Any) -> dict[frozenset[Hashable], int]:
        counts: dict[frozenset[Hashable], int] = {}
        for action in game.actions(state):
            found = orbit(game.result(state, action))
            counts[found] = counts.get(found, 0) + 1
        return counts

    left = MOST_IMAGES
    start = next(iter(explorer.nodes.values()))
    alone = explorer.guarded("symmetries(state)", start, lambda: orbit(start.state) == {key(start.state)})
    for node in explorer.visited():
        images = explorer.guarded("symmetries(state)", node, lambda state: list(symmetries(state)), node.state)
        if contents(node.state) not in map(contents, images):
            advice = "Return every symmetric image of the state, including the state itself."
            explorer.report("symmetry", node, "symmetries(state) does not hold the state itself", advice)
        for image in images:
            explorer.check()
            try:
                difference = _difference(game, node, image)
                if not difference and alone and explorer.complete and contents(image) not in explorer.nodes:
                    difference = "which no play can reach"
                if not difference and left > 0 and node.utility is None:
                    left -= 2 * len(node.actions) * len(images)
                    difference = "" if children(image) == children(node.state) else "whose actions lead elsewhere"
            except Stop:
                raise
            except BaseException as error:
                if was_pressed(error):
                    raise
                difference = f"in which the game fails with {type(error).__name__}"
            if difference:
                drawn = explorer.guarded("draw(state)", node, explorer.offers.draw, image)
                explorer.report(
                    "symmetry",
                    node,
                    f"symmetries(state) holds a state {difference}: {drawn}",
                    "Only states in which the game goes on in the same way are symmetric.",
                )
                break


def _difference(game: Game[Any, Any], node: Node, image: Any) -> str:
    """Say how a symmetric image differs from a position; return an empty text if it does not."""
    if game.player(image) != node.mover:
        return "in which the other player is to move"
    if bool(game.terminal(image)) != (node.utility is not None):
        return "that is over" if node.utility is None else "that is not over"
    if node.utility is not None:
        return "" if game.utility(image) == node.utility else f"worth {game.utility(image)}, not {node.utility}"
    return "" if len(list(game.actions(image))) == len(node.actions) else "with more or fewer actions"


def _check_canonical(explorer: Explorer) -> None:
    """States that share a canonical key must be worth the same, where all values are known."""
    canonical = explorer.offers.canonical
    if canonical is None or not explorer.complete or explorer.problems:
        return
    value = _valuer(explorer)
    worth: dict[Hashable, tuple[Any, Node]] = {}
    for node in explorer.visited():
        key = explorer.guarded("canonical(state)", node, canonical, node.state)
        found = node.mover, value(node).score
        known, other = worth.setdefault(key, (found, node))
        if known != found:
            explorer.report(
                "canonical",
                node,
                f"it has the canonical key {key!r}, and so has the state after"
                f" {explorer.names(other.line) or 'the start'}, which is worth something else",
                "Only symmetric images of the same state may share a canonical key.",
            )


def _check_bounds(explorer: Explorer) -> None:
    """Compare the bounds that a game offers with the values of its unfinished positions, where all are known."""
    bounds = explorer.offers.utility_bounds
    if bounds is None or not explorer.complete or explorer.problems:
        return
    value = _valuer(explorer)
    for node in explorer.visited():
        if node.utility is not None:  # no search asks for bounds there, and a kernel need not have them
            continue
        low, high = explorer.guarded("utility_bounds(state)", node, bounds, node.state)
        margin = value(node).margin
        assert margin is not None
        if not low <= node.mover * margin <= high:
            explorer.report(
                "utility_bounds",
                node,
                f"utility_bounds(state) is {low} to {high}, yet best play ends in {node.mover * margin}",
                "The utility that best play leads to must lie within the bounds, in MAX's view.",
            )


def _check_theory_of_endless_play(explorer: Explorer) -> None:
    """Compare the theory with the values, where all are known.

    Where positions repeat, a theory can agree with itself about all positions, and be wrong about them.
    """
    theory = explorer.offers.theory
    if theory is None or not explorer.repetition or not explorer.complete or explorer.problems:
        return
    value = _valuer(explorer)
    for node in explorer.visited():
        said = None if node.utility is not None else explorer.guarded("theory(state)", node, theory, node.state)
        margin = value(node).margin
        assert margin is not None
        if said is not None and said.utility != node.mover * margin:
            message = f"theory(state) says {said.utility}, yet best play leads to {node.mover * margin}"
            explorer.report("theory", node, message, "Endless play counts 0.")


def _valuer(explorer: Explorer) -> Callable[[Node], Answer[Any]]:
    """Return a function that values a position, or raises Late if time is up; it uses nothing but the rules."""
    if explorer.repetition:
        plain = resolve(explorer.game)._replace(canonical=None, symmetries=None)
        solve: Callable[..., Answer[Any]] = partial(Retrograde(plain).answer, wanted="one")
    else:
        solve = Memo(explorer.game).value

    def value(node: Node) -> Answer[Any]:
        found = solve(node.state, explorer.limits)
        explorer.check()
        return found

    return value


def _check_sign(explorer: Explorer) -> None:
    """Compare who made the deciding move with who is said to have won.

    `misere` says who should win: the player who made the move, or the other one. Both signs after one player's
    moves are fine; the same wrong sign after all of them is a mistake.
    """
    decided = [
        (Node(child.state, node, node.actions[index]), node.mover, child.utility)
        for node in explorer.visited()
        for index, child in node.children.items()
        if child.utility
    ]
    if len(decided) < FEW:
        return
    misere = explorer.offers.misere
    low, high = explorer.offers.utility_range
    one_sign = len({utility > 0 for _, _, utility in decided}) == 1
    if one_sign and not low < 0 < high:  # the game declares that one side cannot win
        return
    against = [each for each in decided if (each[1] * each[2] > 0) == misere]
    if one_sign and against:
        node, mover, utility = against[0]
        winner, loser = (_who(MAX), _who(MIN)) if utility > 0 else (_who(MIN), _who(MAX))
        declared = (0, high) if utility > 0 else (low, 0)
        other = "" if misere or len(against) < len(decided) else "; or misere = True, if whoever decides it loses"
        explorer.report(
            "utility-sign",
            node,
            f"{_who(mover)} made the last move and utility(state) is {utility}: {winner} has won;"
            f" it has that sign in every decided game, and {loser} never wins",
            f"utility(state) takes MAX's view, above 0 when MAX has won, below when MIN has. If {loser} cannot win in"
            f" this game, declare it: utility_range = {declared}{other}.",
        )
    elif len(against) == len(decided):
        node, mover, utility = decided[0]
        fate, meant = ("wins", "is not misère") if misere else ("loses", "is misère")
        stated = "leave misere = True out" if misere else "state it: misere = True"
        explorer.report(
            "utility-sign",
            node,
            f"{_who(mover)} made the last move and utility(state) is {utility}:"
            f" in every decided game the player who decides it {fate}",
            f"Turn the sign of utility(state), which takes MAX's view; or if the game {meant}, {stated}.",
        )


def _who(player: int) -> str:
    return "MAX" if player == MAX else "MIN"


def _check_late_decisions(explorer: Explorer) -> None:
    """Look for an action that decides the game early but, played later, decides it differently or not at all.

    In a game of placing marks, an action that decides the game early also does so late. A draw is therefore suspect if
    its last action would have decided the game some turns before: perhaps the board was full and nobody tested for a
    win. Whether this is a game of placing marks is found out by `_keeps_what_it_decides`.
    """
    suspects = []
    for node in explorer.visited():
        if node.utility is not None and node.parent is not None and (node.utility or len(node.parent.actions) == 1):
            early = _decided_early(explorer, node)
            if early is not None and early[1] * node.utility <= 0:
                suspects.append((node, *early))
    placed = _placed(explorer, [node.action for node, _, _ in suspects])
    suspects = [each for each in suspects if contents(each[0].action) in placed]
    if not suspects or not _keeps_what_it_decides(explorer):
        return
    for node, line, utility in suspects:
        action, shorter = explorer.names([node.action]), explorer.names(line)
        if node.utility == 0:
            explorer.report(
                "last-cell-draw",
                node,
                f"the last action, {action}, ends in a draw, yet the same action decides the game in {shorter}",
                "Test for a win before testing for a full board.",
            )
        else:
            explorer.report(
                "utility-sign",
                node,
                f"{action} ends in {node.utility}, yet by the same player it ends in {utility} in {shorter}",
                "utility(state) takes MAX's view, above 0 when MAX has won, however long the game took.",
            )


def _decided_early(explorer: Explorer, node: Node) -> tuple[list[Any], int] | None:
    """Return a shorter line in which the node's last action, by the same player, decided the game, and how."""
    game = explorer.game
    *before, last = node.path
    assert last.parent is not None
    for earlier in before[:-1]:
        explorer.check()
        if earlier.mover == last.parent.mover and last.action in earlier.actions:
            state = game.result(earlier.state, last.action)
            if game.terminal(state) and game.utility(state):
                return [*earlier.line, last.action], game.utility(state)
    return None


def _placed(explorer: Explorer, suspects: list[Any]) -> set[Hashable]:
    """Return the actions that are like placing a mark: possible only once in a game, and not always ending it.

    A pass is possible more than once, at least by the other player. An action that always ends the game does not place
    a mark either.
    """
    possible = set(map(contents, suspects))
    goes_on: set[Hashable] = set()
    for node in explorer.nodes.values() if possible else ():
        if node.utility is None and node.parent is not None:
            goes_on.add(contents(node.action))
            offered = possible & set(map(contents, node.actions))
            if offered:
                possible -= offered & set(map(contents, node.line))
    return possible & goes_on


def _keeps_what_it_decides(explorer: Explorer, look_at: int = 2_000) -> bool:
    """Say whether every action that decides the game early also ended it when played late."""
    late_first = reversed(explorer.nodes.values())
    inner = (node for node in late_first if node.utility is None and node.parent is not None)
    return not any(_decided_early(explorer, node) for node in islice(inner, look_at))


def _check_ignored(explorer: Explorer) -> None:
    """Report names in a file that look like a capability but have the wrong kind, since they are ignored silently."""
    if not isinstance(explorer.game, ModuleType):
        return
    root = next(iter(explorer.nodes.values()))
    for each in CAPABILITIES:
        found = getattr(explorer.game, each.name, None)
        if found is not None and not each.kind.fits(found):
            explorer.report(
                "capability",
                root,
                f"{each.name} is {found!r}; as a capability it must be {each.kind.expected}, so it is ignored",
                "Give it another name, or make it what docs/own-game.md says.",
            )
