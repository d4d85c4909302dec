"""Native search of games in plain Python: the six functions are translated, compiled, and compared with themselves."""
