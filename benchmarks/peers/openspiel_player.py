"""OpenSpiel's MCTS bot as a player: reads a game's moves from a line of standard input, and prints the bot's move.

Moves are those of OpenSpiel's game, separated by spaces. Where a player of ultimate tic-tac-toe may choose the field,
OpenSpiel makes two moves of it, and so does the answer.
"""

import sys

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

EXPLORATION = 2.0
"""OpenSpiel's own default for `uct_c`."""


def main() -> None:
    name, simulations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 500, True, seed, False)
    for line in sys.stdin:
        state = game.new_initial_state()
        for move in line.split():
            state.apply_action(int(move))
        mover = state.current_player()
        found: list[int] = []
        while not state.is_terminal() and state.current_player() == mover and len(found) < 2:
            move = bot.step(state)
            found.append(move)
            state.apply_action(move)
            if name == "othello":
                break
        print(*found, flush=True)


if __name__ == "__main__":
    main()
