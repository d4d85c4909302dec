"""Where answers come from: a solved game, a kernel, interpreted search. `noughts.engine` asks them in order of cost."""
