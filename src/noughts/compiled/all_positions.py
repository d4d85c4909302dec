"""The rules of a game for all its positions, as `solver()` names them: read from their file, and run by Python.

A file of such rules has these functions, over positions that are tuples of whole numbers:

    initial()                 the initial position
    moves(position)           all legal actions, a bit each; 0 if the game is over
    play(position, move)      the position after an action, which is one of these bits
    result(position)          what a finished game is worth to the player to move
    code(position)            a number from 0 to 2**63 - 1: equal for symmetric positions, different for all others
    position(code)            the position that has a code, or one that is symmetric to it
    images(position)          how many different positions are symmetric to it, itself included; 0 if that is not known
    tier(position)            optional: a number that every action raises; without it, every action raises it by 1

and the constant `choices`, the most actions that a position has. Players alternate.
"""

import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from noughts.capabilities import Kernel
from noughts.compiled.rules import with_parameters

__all__ = ["rules_module", "run_rules", "source_of_rules"]


def source_of_rules(kernel: Kernel) -> str:
    """Return the source of rules, with their parameters filled in."""
    return with_parameters(Path(kernel.rules).read_text(encoding="utf-8"), kernel.parameters)


@lru_cache(maxsize=16)
def rules_module(source: str, filename: str) -> ModuleType:
    """Return rules as a module of plain Python functions, made once."""
    return run_rules(source, filename, "noughts_all_positions")


def run_rules(source: str, filename: str, name: str) -> ModuleType:
    """Return rules as a new module."""
    module = ModuleType(name)
    sys.modules[name] = module  # where numba looks it up
    exec(compile(source, filename, "exec", dont_inherit=True), vars(module))
    return module
