"""Reasons in words: why a position is worth what it is."""
