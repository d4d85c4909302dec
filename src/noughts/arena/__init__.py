"""One player against every possible sequence of replies."""

from noughts.arena.every_line import AllLines, against_everyone

__all__ = ["AllLines", "against_everyone"]
