"""Check a certificate: a strategy that is claimed never to lose, or to win in at most so many moves.

`python checker.py FILE GAME.py` needs the standard library and the six functions of the game, and nothing of noughts.
docs/certificates.md describes the format. Exit code 0: the claim holds; 1: it is refuted; 2: this is no certificate.
"""

import pickle
import re
import runpy
import sys
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, BinaryIO

__all__ = ["Refuted", "Unusable", "check", "frozen", "play", "read_entries", "read_header"]

LONGEST = 65_536  # bytes of a line
CLAIM = r"claim (?:never loses|wins in ([1-9]\d{0,8}))"
HEADER = re.compile(rf"noughts certificate 1\ngame (\S+)\nplayer (first|second)\nafter((?: \S+)*)\n{CLAIM}\n")


class Unusable(Exception):
    """Says in one line why a file is not a certificate of the game."""


class Refuted(Exception):
    """Holds a line of play that refutes a claim, and what is wrong at its end."""


def read_header(file: BinaryIO) -> tuple[str, str, list[str], int]:
    """Return the game, the player, the moves before, and in how many moves the player wins: 0 is `never loses`."""
    found = HEADER.fullmatch(b"".join(file.readline(LONGEST) for _ in range(5)).decode("utf-8", "replace"))
    if found is None:
        raise Unusable("its first five lines are not those of a `noughts certificate 1`")
    return found[1], found[2], found[3].split(), int(found[4] or 0)


def frozen(value: Any) -> Any:
    """Return a state as something that can be hashed, equal for equal states only."""
    kind: Any = type(value)
    if isinstance(value, (tuple, list)):
        return kind, *map(frozen, value)
    if isinstance(value, (dict, set, frozenset)):
        return kind, frozenset(map(frozen, value.items() if isinstance(value, dict) else value))
    if kind.__hash__ is object.__hash__ and hasattr(value, "__dict__"):
        return kind, frozen(vars(value))
    return kind, pickle.dumps(value) if kind.__hash__ is None else value


def named(game: Any, state: Any) -> list[tuple[str, Any]]:
    """Return the legal actions, each after its name, in which no blanks are left."""
    name = getattr(game, "action_name", None) or str
    return [] if game.terminal(state) else [("".join(name(each).split()), each) for each in game.actions(state)]


def play(game: Any, state: Any, move: str) -> Any:
    """Return the state after the action of that name."""
    for name, action in named(game, state):
        if name == move:
            return game.result(state, action)
    raise Unusable(f"it plays {move[:20]!a} where that is no move of this game")


def read_entries(file: BinaryIO, game: Any, start: Any) -> dict[Any, set[str]]:
    """Return the moves to choose from, by position; an entry writes its position as the moves that lead to it."""
    entries: dict[Any, set[str]] = {}
    line, states = [""], [start]  # the latest moves that were played, and the state after each
    while (text := file.readline(LONGEST)) != b"end\n":
        words = text.decode("utf-8", "replace").split()
        if words[-2:-1] != ["=>"] or not text.endswith(b"\n"):
            raise Unusable("it does not end with `end`" if text == b"" else "an entry is not `MOVES => MOVE`")
        for ply, move in enumerate(words[:-2], 1):
            if line[ply : ply + 1] != [move]:
                line[ply:], states[ply:] = [move], [play(game, states[ply - 1], move)]
        entries.setdefault(frozen(states[len(words) - 2]), set()).add(words[-1])
    return entries


def check(file: BinaryIO, game: Any) -> dict[str, int]:
    """Follow the strategy against every reply; return how much there was, or raise Refuted or Unusable."""
    _, seat, line, most = read_header(file)
    start = game.initial()
    player = game.player(start) if seat == "first" else -game.player(start)
    for move in line:
        start = play(game, start, move)
    entries, root = read_entries(file, game, start), frozen(start)
    lines = {root: line}  # how each position was reached first
    after: dict[Any, dict[Any, str]] = {}  # the positions that can follow each, and the moves that lead there
    waiting = [(root, start)]
    for key, state in waiting:  # which grows meanwhile
        actions, after[key] = named(game, state), {}
        if game.terminal(state):
            if player * game.utility(state) < bool(most):
                raise Refuted(lines[key], f"the {seat} player has {'not won' if most else 'lost'}")
        elif game.player(state) == player:
            moves = entries.get(key, set())
            for move in moves.difference(name for name, _ in actions):
                raise Refuted([*lines[key], move], "the last move is not legal")
            actions = [(name, action) for name, action in actions if name in moves]
        if not actions and not game.terminal(state):
            raise Refuted(lines[key], "there is no move for this position")
        for name, action in actions:
            following = frozen(child := game.result(state, action))
            after[key][following] = name
            if following not in lines:
                lines[following] = [*lines[key], name]
                waiting.append((following, child))
    plies: dict[Any, int] = {}  # how many moves can follow each position, counted for both players
    try:
        for key in TopologicalSorter(after).static_order() if most else ():  # what follows a position comes before it
            plies[key] = max((1 + plies[child] for child in after[key]), default=0)
    except CycleError as error:
        key, *cycle = error.args[1][::-1]
        around = [after[one][other] for one, other in pairwise([key, *cycle])]
        raise Refuted(lines[key] + around, "a position is repeated, so this can go on for ever") from None
    key, longest = root, line
    while most < plies.get(root, 0) and after[key]:
        *_, key = sorted(after[before := key], key=plies.__getitem__)
        longest = [*longest, after[before][key]]
    if longest != line:
        raise Refuted(longest, f"the win takes {plies[root]} moves")
    return {"entries": len(entries), "positions": len(after), "moves": plies.get(root, 0)}


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as opened:
            print("the claim holds:", check(opened, SimpleNamespace(**runpy.run_path(sys.argv[2]))))
    except (Refuted, Unusable) as found:
        print(f"{type(found).__name__.lower()}:", *found.args)
        sys.exit(1 if isinstance(found, Refuted) else 2)
