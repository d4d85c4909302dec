"""Games and positions as JSON."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from noughts.board import GAP, Board
from noughts.capabilities import ResolvedGame, resolve
from noughts.game import MAX
from noughts.games import GAMES
from noughts.notation import Position, load, normalised
from noughts.score import value_of, whole_utility
from noughts.symmetry import symmetry_key
from noughts.wire.types import CellFacts, GameFacts, PositionFacts, ResultFacts, StateFacts
from noughts.words.values import leads_to

__all__ = ["games", "position", "result"]


def games(known: Mapping[str, str | None] | None = None) -> list[GameFacts]:
    """Return what there is to play: one of every family of games, or the ones given, each with its title if any."""
    if known is None:
        known = {each: resolve(load(each)).title for each in (entry.examples[0] for entry in GAMES.values())}
    return [_game(notation, title) for notation, title in known.items()]


def _game(notation: str, title: str | None) -> GameFacts:
    name = normalised(notation).partition(":")[0]
    entry = GAMES.get(name)
    return {
        "name": name,
        "game": notation,
        "title": title or notation,
        "notation": notation if entry is None else entry.notation,
        "summary": "" if entry is None else entry.summary,
        "known": "" if entry is None else entry.known,
        "sizes": "" if entry is None else entry.sizes,
        "examples": [notation] if entry is None else list(entry.examples),
    }


def position(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], after: bool = False
) -> PositionFacts:
    """Return a position for whoever draws it. With `after`, also what each action leads to."""
    played = zip(where.states, where.actions, strict=False)
    begins = game.to_move(game.initial())
    here = _state(game, where.state)
    facts: PositionFacts = {
        "game": notation,
        "title": game.title or notation,
        "position": where.text(game.action_name),
        "start": where.diagram,
        "moves": [{"action": game.action_name(action), "by": game.mover_name(state)} for state, action in played],
        "players": [game.player_name(begins), game.player_name(-begins)],
        "marks": list(game.player_names),
        "times": [game.key(state) for state in where.states].count(game.key(where.state)),
        "to_move": here["to_move"],
        "over": here["over"],
        "result": here["result"],
        "board": here["board"],
        "drawing": here["drawing"],
        "actions": here["actions"],
        "elsewhere": here["elsewhere"],
    }
    if after:
        same = symmetry_key(game)

        def known_by(state: Any) -> str:
            return sha256(repr(same(state)).encode()).hexdigest()[:16]

        state = where.state
        facts["same"] = known_by(state)
        actions = [] if game.terminal(state) else game.legal_actions(state)
        results = {game.action_name(action): game.result(state, action) for action in actions}
        facts["after"] = {name: {**_state(game, state), "same": known_by(state)} for name, state in results.items()}
    return facts


def _state(game: ResolvedGame[Any, Any], state: Any) -> StateFacts:
    over = game.terminal(state)
    legal = [] if over else game.legal_actions(state)
    board = None if game.board is None else _board(game, game.board(state), legal)
    on_board = {name for row in board or () for cell in row if cell for name in cell["actions"]}
    names = [game.action_name(action) for action in legal]
    return {
        "to_move": None if over else game.mover_name(state),
        "over": over,
        "result": result(game, state) if over else None,
        "board": board,
        "drawing": game.draw(state),
        "actions": names,
        "elsewhere": [name for name in names if name not in on_board],
    }


def _board(game: ResolvedGame[Any, Any], board: Board, legal: list[Any]) -> list[list[CellFacts | None]]:
    """Return the cells of a board in rows; a gap in a row is None."""
    return [
        [
            None
            if cell is GAP
            else {
                "mark": cell.mark,
                "name": "" if cell.action is None else game.action_name(cell.action),
                "actions": [game.action_name(action) for action in cell.plays or (cell.action,) if action in legal],
                "lit": cell.lit,
            }
            for cell in row
        ]
        for row in board
    ]


def result(game: ResolvedGame[Any, Any], state: Any, *, drawn: bool = False) -> ResultFacts:
    """Return how a finished game ended; `drawn` says that it was ended as a draw by repetition."""
    if drawn:
        return {"winner": None, "margin": 0, "sentence": "A draw by repetition."}
    utility = whole_utility(game.utility(state))
    if utility == 0:
        return {"winner": None, "margin": 0, "sentence": "A draw."}
    winner = game.player_name(MAX if utility > 0 else -MAX)
    said = leads_to(value_of(abs(utility)), None, abs(utility))
    return {"winner": winner, "margin": abs(utility), "sentence": f"{winner} {said}."}
