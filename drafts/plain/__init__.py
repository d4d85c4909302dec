"""The six functions of a person's own game, translated and compiled as they are, and searched at native speed."""
