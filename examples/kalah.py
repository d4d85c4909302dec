"""Kalah: sow the seeds of a house; a last seed in your store moves again, one in your own empty house captures."""

HOUSES, SEEDS = 4, 3
STORE = HOUSES  # the pits of a player are its houses and then its store


def initial():
    side = (SEEDS,) * HOUSES + (0,)
    return side + side, +1  # the seeds in First's pits and in Second's, and who is to move


def player(state):
    return state[1]


def actions(state):
    pits, mover = state
    start = 0 if mover == 1 else HOUSES + 1
    return [house for house in range(HOUSES) if pits[start + house]]


def result(state, action):
    pits, mover = list(state[0]), state[1]
    start = 0 if mover == 1 else HOUSES + 1
    other = HOUSES + 1 - start
    pit = start + action
    seeds = pits[pit]
    pits[pit] = 0
    while seeds:
        pit = (pit + 1) % (2 * HOUSES + 2)
        if pit != other + STORE:
            pits[pit] += 1
            seeds -= 1
    again = pit == start + STORE
    if start <= pit < start + STORE and pits[pit] == 1:
        opposite = other + HOUSES - 1 - (pit - start)
        if pits[opposite]:
            pits[start + STORE] += pits[opposite] + 1
            pits[pit] = pits[opposite] = 0
    for side in (0, HOUSES + 1):  # when one side is empty, the rest belongs to the other
        if not any(pits[side : side + HOUSES]):
            rest = HOUSES + 1 - side
            pits[rest + STORE] += sum(pits[rest : rest + HOUSES])
            pits[rest : rest + HOUSES] = [0] * HOUSES
    return tuple(pits), mover if again else -mover


def terminal(state):
    pits = state[0]
    return pits[STORE] + pits[-1] == sum(pits)


def utility(state):
    pits = state[0]
    return (pits[STORE] > pits[-1]) - (pits[STORE] < pits[-1])
