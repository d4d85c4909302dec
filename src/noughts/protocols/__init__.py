"""The text protocols by which programs play each other: ours and Gomocup's, as an engine and as a player."""
