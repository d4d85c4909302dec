"""What noughts knows, as JSON holds it: actions by their names, values in the view of the player to move.

The command line and the server answer with these same objects.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from noughts.board import GAP, Board
from noughts.capabilities import Capabilities, capabilities
from noughts.game import MAX, Game, legal_actions, to_move
from noughts.games import GAMES
from noughts.notation import Position, load
from noughts.score import value_of, whole_utility
from noughts.search.answer import Answer
from noughts.symmetry import guise
from noughts.words.explanation import Explained, Explanation
from noughts.words.reasons import Names, details
from noughts.words.report import about_action, first_sentence, notes
from noughts.words.values import leads_to, sentence

__all__ = ["analysis", "explanation", "games", "position"]


def games(known: Mapping[str, str | None] | None = None) -> list[dict[str, Any]]:
    """Return what there is to play: one of every family of games, or the ones given, each with its title if any."""
    if known is None:
        known = {each: capabilities(load(each)).title for each in (entry.examples[0] for entry in GAMES.values())}
    return [_game(notation, title) for notation, title in known.items()]


def _game(notation: str, title: str | None) -> dict[str, Any]:
    name = notation.partition(":")[0].lower()
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


def analysis(notation: str, position: str, game: Game[Any, Any], state: Any, answer: Answer[Any]) -> dict[str, Any]:
    """Return what a position is worth, and what each action leads to."""
    offers = capabilities(game)
    mover = _mark(offers, to_move(game, state))
    return {
        "game": notation,
        "position": position,
        "to_move": mover,
        "value": answer.value,
        "distance": answer.distance,
        "margin": answer.margin,
        "proven": answer.proven,
        "bound": answer.bound,
        "sentence": sentence(mover, answer, offers.name),
        "best": [offers.name(action) for action in answer.best],
        "line": [offers.name(action) for action in answer.line],
        "line_complete": answer.line_complete,
        "actions": [{**each._asdict(), "action": offers.name(each.action)} for each in answer.actions],
        "method": answer.method,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def explanation(notation: str, position: str, found: Explanation[Any, Any], names: Names) -> dict[str, Any]:
    """Return why a position is worth what it is: every action with its reasons, as data and in words."""
    answer = found.answer
    return {
        "game": notation,
        "position": position,
        "to_move": names.mover,
        "value": answer.value,
        "distance": answer.distance,
        "proven": answer.proven,
        "sentence": first_sentence(found, names),
        "actions": [_explained(each, names, each.value.action in answer.best) for each in found.actions],
        "notes": notes(found, names),
        "equal": [
            [names.action(action) for alike in equal.classes for action in alike.actions] for equal in found.equal or ()
        ],
        "trickiest": [names.action(action) for action in found.trickiest],
        "method": answer.method,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def _explained(each: Explained[Any], names: Names, is_best: bool) -> dict[str, Any]:
    return {
        **each.value._asdict(),
        "action": names.action(each.value.action),
        "text": about_action(each, names, is_best),
        "reasons": [details(reason, names) for reason in each.reasons],
        "refutation": [names.action(action) for action in each.refutation],
        "traps": None if each.traps is None else each.traps._asdict(),
        "examined": each.examined,
    }


def position(notation: str, game: Game[Any, Any], where: Position[Any, Any], after: bool = False) -> dict[str, Any]:
    """Return a position for whoever draws it: its cells, whose turn it is, what can be played, how it ended.

    With `after`, also what each action leads to, and `same`, which is equal for positions that are each other in
    another guise.
    """
    offers = capabilities(game)
    played = zip(where.states, where.actions, strict=False)
    begins = to_move(game, game.initial())
    facts = {
        "game": notation,
        "title": offers.title or notation,
        "position": where.text(offers.name),
        "start": where.diagram,
        "moves": [
            {"action": offers.name(action), "by": _mark(offers, to_move(game, state))} for state, action in played
        ],
        "players": [_mark(offers, begins), _mark(offers, -begins)],
        "marks": list(offers.players),
        **_state(game, offers, where.state),
    }
    if after:
        same = guise(offers)

        def known_by(state: Any) -> dict[str, str]:
            return {"same": sha256(repr(same(state)).encode()).hexdigest()[:16]}

        actions = [] if game.terminal(where.state) else legal_actions(game, where.state)
        results = {offers.name(action): game.result(where.state, action) for action in actions}
        facts |= known_by(where.state)
        facts["after"] = {name: _state(game, offers, state) | known_by(state) for name, state in results.items()}
    return facts


def _state(game: Game[Any, Any], offers: Capabilities[Any, Any], state: Any) -> dict[str, Any]:
    over = game.terminal(state)
    legal = [] if over else legal_actions(game, state)
    board = None if offers.board is None else _board(offers, offers.board(state), legal)
    on_board = {name for row in board or () for cell in row if cell for name in cell["actions"]}
    names = [offers.name(action) for action in legal]
    return {
        "to_move": None if over else _mark(offers, to_move(game, state)),
        "over": over,
        "result": _result(game, offers, state) if over else None,
        "board": board,
        "drawing": offers.draw(state),
        "actions": names,
        "elsewhere": [name for name in names if name not in on_board],
    }


def _board(offers: Capabilities[Any, Any], board: Board, legal: list[Any]) -> list[list[dict[str, Any] | None]]:
    """Return the cells of a board in rows; a gap in a row is None."""
    return [
        [
            None
            if cell is GAP
            else {
                "mark": cell.mark,
                "name": "" if cell.action is None else offers.name(cell.action),
                "actions": [offers.name(action) for action in cell.plays or (cell.action,) if action in legal],
                "lit": cell.lit,
            }
            for cell in row
        ]
        for row in board
    ]


def _result(game: Game[Any, Any], offers: Capabilities[Any, Any], state: Any) -> dict[str, Any]:
    utility = whole_utility(game.utility(state))
    if utility == 0:
        return {"winner": None, "margin": 0, "sentence": "A draw."}
    winner = _mark(offers, MAX if utility > 0 else -MAX)
    said = leads_to(value_of(abs(utility)), None, abs(utility))
    return {"winner": winner, "margin": abs(utility), "sentence": f"{winner} {said}."}


def _mark(offers: Capabilities[Any, Any], player: int) -> str:
    first, second = offers.players
    return first if player == MAX else second
