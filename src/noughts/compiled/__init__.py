"""Search at native speed: one kernel, specialised by numba to a game's rules over small tuples of whole numbers."""
