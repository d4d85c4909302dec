"""Puzzles as JSON."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.notation import Position
from noughts.puzzles.find import Puzzle
from noughts.puzzles.solving import Solving, goal
from noughts.wire.types import PuzzleFacts, PuzzlesFacts

__all__ = ["puzzles"]


def puzzles(
    notation: str, game: ResolvedGame[Any, Any], source: int | date, found: Iterable[Puzzle[Any, Any]]
) -> PuzzlesFacts:
    """Return the puzzles that were found for a seed or a day."""
    return {
        "game": notation,
        "seed": source if isinstance(source, int) else None,
        "day": None if isinstance(source, int) else source.isoformat(),
        "puzzles": [_puzzle(game, each) for each in found],
    }


def _puzzle(game: ResolvedGame[Any, Any], found: Puzzle[Any, Any]) -> PuzzleFacts:
    name = game.action_name
    return {
        "position": Position("", found.played, ()).text(name),
        "to_move": game.mover_name(found.state),
        "goal": goal(game, found),
        "kind": found.kind,
        "moves": found.moves,
        "level": found.level,
        "plausible": [name(action) for action in found.plausible],
        "failing": found.failing,
        "only": found.only,
        "solution": name(found.solution),
        "line": [name(action) for action in _line(game, found)],
    }


def _line(game: ResolvedGame[Any, Any], found: Puzzle[Any, Any]) -> list[Any]:
    """Return the solution and, if the puzzle is to win, best play to the end of the game."""
    solving, line = Solving(game, found), []
    while not solving.done:
        line.append(solving.solution)
        line += solving.play(line[-1])
    return line
