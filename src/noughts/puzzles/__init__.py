"""Puzzles: positions in which exactly one move wins, or saves the game. They are found in play and proven."""
