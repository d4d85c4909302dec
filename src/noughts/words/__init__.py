"""Values and reasons in words: why a position has its value."""
