"""Lessons about minimax and alpha-beta: the page that steps through a search, line by line."""
