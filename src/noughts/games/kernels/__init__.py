"""Rules over small tuples of whole numbers, for `noughts.compiled`: the same functions run interpreted and natively."""
