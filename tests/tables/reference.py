"""A small solver that makes tables to test with: minimax over all states, each remembered."""

from pathlib import Path
from typing import Any, NamedTuple

import noughts
from noughts.capabilities import ResolvedGame, resolve
from noughts.serial import rules_digest
from noughts.tables.codings import SERIAL, Coding, coding_of
from noughts.tables.manifest import Manifest, write_manifest
from noughts.tables.writer import Part, PartWriter


class Position(NamedTuple):
    """What the solver knows of one position."""

    tier: int
    utility: int
    """For the player to move."""
    distance: int


def solved(game: ResolvedGame[Any, Any], coding: Coding) -> dict[int, Position]:
    """Return every position that play can reach, by code, with the score of the textbook's minimax."""
    code = coding_of(game, coding)
    found: dict[int, Position] = {}

    def visit(state: Any, depth: int) -> Position:
        key = code(state)
        if key in found:
            return found[key]
        tier = depth if game.plies is None else game.plies(state)
        mover = game.player(state)
        if game.terminal(state):
            found[key] = Position(tier, mover * game.utility(state), 0)
            return found[key]
        rows = []
        for action in game.actions(state):
            child = game.result(state, action)
            _, utility, distance = visit(child, depth + 1)
            rows.append((mover * game.player(child) * utility, distance + 1))
        utility, distance = max(rows, key=lambda row: (row[0], -row[1] if row[0] > 0 else row[1]))
        found[key] = Position(tier, utility, distance if utility else 0)
        return found[key]

    visit(game.initial(), 0)
    return found


def make_table(
    folder: Path,
    notation: str,
    *,
    coding: Coding = SERIAL,
    distances: bool = True,
    positions: dict[int, Position] | None = None,
    part: int = 3000,
    tiers: str | None = None,
) -> Path:
    """Write the table of a game and return its folder."""
    game = resolve(noughts.load(notation))
    found = solved(game, coding) if positions is None else positions
    folder.mkdir(parents=True, exist_ok=True)
    highest = max(map(abs, game.utility_range))
    parts: list[Part] = []
    for tier in sorted({each.tier for each in found.values()}):
        codes = sorted(code for code, each in found.items() if each.tier == tier)
        for start in range(0, len(codes), part):
            some = codes[start : start + part]
            name = f"{tier}-{start // part}"
            with PartWriter(str(folder), name, tier, highest=highest, distances=distances) as writer:
                writer.add(some, [found[code].utility for code in some], [found[code].distance for code in some])
                parts.append(writer.close())
    where = tiers or ("depth" if game.plies is None else "plies")
    manifest = Manifest(notation, rules_digest(game), coding, where, highest, tuple(parts), {})
    write_manifest(str(folder), manifest)
    return folder
