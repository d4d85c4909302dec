"""Numbers about games: sizes, node counts, and chances against opponents who err."""
