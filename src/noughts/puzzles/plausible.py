"""Plausible moves and plausible play: what a player does who looks one move ahead for each side.

All of it is the same on every machine and for every version of Python, since puzzles are found by it.
"""

from collections.abc import Callable
from random import Random

from noughts.capabilities import Lineup, ResolvedGame
from noughts.game import Action, State
from noughts.words.threats import completions

__all__ = ["LONGEST", "plausible", "plausible_game", "sensible"]

AT_RANDOM = 0.2
"""How often a move of plausible play is any legal one."""

LOOKED_AT = 8
"""Of so many sensible moves, plausible play compares one by the game's heuristic, of fewer it compares two."""

LONGEST = 400
"""Play is broken off after so many moves."""

Check = Callable[[], object]
"""Called again and again in work that can be long where a game's functions are slow; it may raise OutOfBudget."""


def _no_check() -> None:
    pass


def sensible(game: ResolvedGame[State, Action], state: State, check: Check = _no_check) -> list[Action]:
    """Return the moves that win at once; else those after which the opponent cannot; if there are none, all moves."""
    actions, mover = game.legal_actions(state), game.to_move(state)
    lineup = None if game.lineup is None else game.lineup(state)
    if lineup is not None and lineup.is_free:
        wins, losses = completions(lineup, mover), completions(lineup, -mover)
        return list(wins) or (list(losses) if len(losses) == 1 else actions)
    after = []
    for action in actions:
        check()
        after.append(game.result(state, action))
    won = [action for action, child in zip(actions, after, strict=True) if _wins(game, child, mover)]
    if won:
        return won
    return [
        action for action, child in zip(actions, after, strict=True) if not _can_win(game, child, -mover, check)
    ] or actions


def plausible(game: ResolvedGame[State, Action], state: State, check: Check = _no_check) -> list[Action]:
    """Return the moves that look good to a player who looks one move ahead for each side.

    They are the sensible ones; in a game of lines, only those of them that threaten to complete a line, if any do.
    """
    actions = sensible(game, state, check)
    if game.lineup is None or game.misere:
        return actions
    mover, lineup = game.to_move(state), game.lineup(state)
    if lineup.is_free:
        threatening = _threatening(lineup, mover)
        return [action for action in actions if lineup.cells[action] in threatening] or actions
    after = [(action, game.result(state, action)) for action in actions]
    return [
        action for action, child in after if game.terminal(child) or completions(game.lineup(child), mover)
    ] or actions


def plausible_game(
    game: ResolvedGame[State, Action], random: Random, check: Check = _no_check
) -> tuple[list[State], list[Action]]:
    """Return the states and the actions of a game between two players who look one move ahead, and err at times."""
    states, played = [game.initial()], list[Action]()
    while not game.terminal(states[-1]) and len(played) < LONGEST:
        check()
        state = states[-1]
        if random.random() < AT_RANDOM:
            action = _one_of(_in_order(game, game.legal_actions(state)), random)
        else:
            action = _chosen(game, state, random, check)
        played.append(action)
        states.append(game.result(state, action))
    return states, played


def _chosen(game: ResolvedGame[State, Action], state: State, random: Random, check: Check) -> Action:
    """Return a sensible move: of some that are drawn, the one that the game's heuristic likes best."""
    actions = _in_order(game, sensible(game, state, check))
    if game.heuristic is None:
        return _one_of(actions, random)
    mover, heuristic = game.to_move(state), game.heuristic
    drawn = [_one_of(actions, random) for _ in range(max(2, len(actions) // LOOKED_AT))]

    def liked(action: Action) -> int:
        check()
        child = game.result(state, action)
        return mover * (game.utility(child) << 40 if game.terminal(child) else heuristic(child))

    return max(drawn, key=liked)


def _in_order(game: ResolvedGame[State, Action], actions: list[Action]) -> list[Action]:
    """Return actions in the order of their names: a game may list them in any order."""
    return sorted(actions, key=game.action_name)


def _one_of(actions: list[Action], random: Random) -> Action:
    """Return one of some actions by `random.random`, which alone is the same in all versions of Python."""
    return actions[int(random.random() * len(actions))]


def _wins(game: ResolvedGame[State, Action], state: State, player: int) -> bool:
    return game.terminal(state) and player * game.utility(state) > 0


def _can_win(game: ResolvedGame[State, Action], state: State, player: int, check: Check) -> bool:
    """Return whether the game is lost for the other player, or the player can win at once."""
    if game.terminal(state):
        return player * game.utility(state) > 0
    if game.to_move(state) != player:
        return False
    for action in game.legal_actions(state):
        check()
        if _wins(game, game.result(state, action), player):
            return True
    return False


def _threatening(lineup: Lineup[Action], player: int) -> set[int]:
    """Return the empty cells that complete a line of a player, or leave one cell of it empty."""
    own, other = lineup.held[player], lineup.held[-player]
    found: set[int] = set()
    for line in lineup.lines:
        missing = [cell for cell in line if cell not in own]
        if len(missing) <= 2 and not any(cell in other for cell in missing):
            found.update(missing)
    return found
