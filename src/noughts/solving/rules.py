"""The compiled rules of a game for all its positions."""

from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.compiled.all_positions import rules_module, source_of_rules
from noughts.compiled.build import available, build
from noughts.solving.plans import SweepPlan

__all__ = ["NativeRules", "has_native_rules"]


def has_native_rules(game: ResolvedGame[Any, Any]) -> bool:
    """Return whether a game has rules for all positions, and they can be compiled here."""
    return available() and game.solver() is not None


class NativeRules:
    """The loops over all positions of a game, with its rules compiled in."""

    def __init__(self, game: ResolvedGame[Any, Any]) -> None:
        kernel = game.solver()
        assert kernel is not None
        self.choices: int = rules_module(source_of_rules(kernel), kernel.rules).choices
        """The most actions that a position has."""
        self.module: Any = build(SweepPlan(kernel))
