"""Search trees: as data, as text and as pictures."""
