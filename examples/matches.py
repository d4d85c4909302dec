"""Matches: take one, two or three from a pile of ten; whoever takes the last one wins."""


def initial():
    return 10, +1  # how many are left, and who is to move


def player(state):
    return state[1]


def actions(state):
    return [n for n in (1, 2, 3) if n <= state[0]]


def result(state, action):
    left, mover = state
    return left - action, -mover


def terminal(state):
    return state[0] == 0


def utility(state):
    return -state[1]  # the player to move has nothing left to take: the other one won
