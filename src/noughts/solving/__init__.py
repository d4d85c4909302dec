"""Strong solving: the value and distance of every position of a game, kept in a table on disk."""
