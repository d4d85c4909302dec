"""A checker for authors of games: finds mistakes, and shows each one on a line of play."""

from noughts.testing.check import check_game
from noughts.testing.report import Problem, Report

__all__ = ["Problem", "Report", "check_game"]
