"""The JSON of everything: typed facts about positions, answers, explanations, trees, counts, matches and checks.

Every shell uses these functions: the command line, the server, files. The same question gives the same object, with the
game and the position in their usual spelling. Actions are given by name, and values are for the player to move.
`noughts.wire.types` is the format; each other module makes one kind of object, and is imported only where it is needed.
"""
