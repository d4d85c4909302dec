"""What tests of solving share."""

import hashlib
from pathlib import Path
from typing import Any

from noughts.capabilities import resolve
from noughts.score import value_of
from noughts.tables.table import open_table


def bytes_of(folder: Path) -> dict[str, str]:
    """Return a digest of each file of a table."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def every_state(game: Any) -> list[Any]:
    """Return every state that play can reach, found by nothing but the six functions."""
    offers = resolve(game)
    found = {offers.key(game.initial()): game.initial()}
    waiting = list(found.values())
    while waiting:
        state = waiting.pop()
        for action in () if game.terminal(state) else game.actions(state):
            child = game.result(state, action)
            if found.setdefault(offers.key(child), child) is child:
                waiting.append(child)
    return list(found.values())


def check_against_oracle(game: Any, folder: Path) -> None:
    """Assert that a table has the value and distance of every state, and no position more."""
    states = every_state(game)
    scores = oracle(game, states)
    with open_table(folder, game) as table:
        ranks = set()
        for state in states:
            answer, found = table.probe(state), table.find(state)
            utility, distance = scores[resolve(game).key(state)]
            assert found is not None
            assert (answer.value, answer.distance) == (value_of(utility), distance if utility else None), state
            assert found.utility == utility
            ranks.add(found.rank)
        assert len(ranks) == len(table)


def oracle(game: Any, states: list[Any]) -> dict[Any, tuple[int, int]]:
    """Return the utility, for the player to move, and the distance of each state, by plain recursion."""
    key = resolve(game).key
    known: dict[Any, tuple[int, int]] = {}

    def rank(found: tuple[int, int]) -> tuple[int, int]:
        utility, distance = found
        return utility, -distance if utility > 0 else distance

    def value(state: Any) -> tuple[int, int]:
        if key(state) not in known:
            mover = game.player(state)
            if game.terminal(state):
                known[key(state)] = mover * game.utility(state), 0
            else:
                options = []
                for action in game.actions(state):
                    child = game.result(state, action)
                    utility, distance = value(child)
                    options.append((utility * mover * game.player(child), distance + 1))
                known[key(state)] = max(options, key=rank)
        return known[key(state)]

    return {key(state): value(state) for state in states}
