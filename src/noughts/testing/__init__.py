"""For authors of games: a checker that finds what is wrong with one, and shows it on a line of play."""

from noughts.testing.check import check_game
from noughts.testing.report import Problem, Report

__all__ = ["Problem", "Report", "check_game"]
