"""The JSON of everything: typed facts about positions, answers, explanations and games.

Every shell uses these functions: the command line, the server, files. The same question gives the same object, with the
game and the position in their usual spelling. Actions are given by name, and values are for the player to move.
The types below are the format; the server's OpenAPI description is derived from them.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NotRequired, TypedDict, cast

from noughts.board import GAP, Board
from noughts.capabilities import ResolvedGame, resolve
from noughts.game import MAX
from noughts.games import GAMES
from noughts.notation import Position, load, normalised
from noughts.score import Scale, Value, value_of, whole_utility
from noughts.search.answer import ActionValue, Answer, BoundSide, Stopped
from noughts.symmetry import guise
from noughts.words.explanation import Explained, Explanation
from noughts.words.reasons import Names, details
from noughts.words.report import about_action, first_sentence, names_of, notes
from noughts.words.values import leads_to, sentence

__all__ = [
    "ActionFacts",
    "Analysis",
    "ExplanationFacts",
    "GameFacts",
    "MoveFacts",
    "PositionFacts",
    "analysis",
    "explanation",
    "games",
    "move",
    "position",
]


class ScoreFacts(TypedDict):
    """A score: who wins, in how many plies, by how much."""

    value: Value
    distance: int | None
    margin: int


class ActionFacts(TypedDict):
    """What one action leads to, for the player who takes it."""

    action: str
    value: Value
    distance: int | None
    margin: int | None
    exact: bool
    bound: BoundSide | None


class Analysis(TypedDict):
    """What a position is worth to the player to move, and what each action leads to."""

    game: str
    position: str
    to_move: str
    value: Value
    distance: int | None
    margin: int | None
    proven: bool
    bound: BoundSide | None
    low: ScoreFacts | None
    """The worst that is still possible; null where nothing is known."""
    high: ScoreFacts | None
    """The best that is still possible; null where nothing is known."""
    sentence: str
    best: list[str]
    """The best actions; empty unless that is proven."""
    guess: list[str]
    """Where nothing is proven: what looks best `depth` plies ahead."""
    line: list[str]
    line_complete: bool
    actions: list[ActionFacts]
    method: str
    depth: int | None
    nodes: int
    seconds: float
    stopped: Stopped


class ReasonFacts(TypedDict):
    """A reason for or against an action. Other fields depend on its kind."""

    kind: str
    text: str


class TrapFacts(TypedDict):
    """How many of the opponent's replies are mistakes."""

    mistakes: int
    replies: int


class ExplainedFacts(ActionFacts):
    """What one action leads to, and why."""

    text: str
    reasons: list[ReasonFacts]
    refutation: list[str]
    traps: TrapFacts | None
    examined: bool


class ExplanationFacts(TypedDict):
    """Why a position is worth what it is: every action with its reasons, as data and in words."""

    game: str
    position: str
    to_move: str
    value: Value
    distance: int | None
    proven: bool
    sentence: str
    best: list[str]
    guess: list[str]
    actions: list[ExplainedFacts]
    notes: list[str]
    equal: list[list[str]]
    trickiest: list[str]
    method: str
    depth: int | None
    nodes: int
    seconds: float
    stopped: Stopped


class GameFacts(TypedDict):
    """A game that can be played, or a family of them."""

    name: str
    game: str
    title: str
    notation: str
    summary: str
    sizes: str
    """Which sizes of board, heap or line are allowed."""
    known: str
    examples: list[str]


class CellFacts(TypedDict):
    """A cell of a board."""

    mark: str
    name: str
    actions: list[str]
    lit: bool


class ResultFacts(TypedDict):
    """How a game ended."""

    winner: str | None
    margin: int
    sentence: str


class PlayedFacts(TypedDict):
    """A move that was played, and by whom."""

    action: str
    by: str


class StateFacts(TypedDict):
    """A state for whoever draws it: its cells, whose turn it is, what can be played, how it ended."""

    to_move: str | None
    over: bool
    result: ResultFacts | None
    board: list[list[CellFacts | None]] | None
    """Rows of cells; null stands for a gap between columns."""
    drawing: str
    actions: list[str]
    elsewhere: list[str]
    """The actions that no cell stands for."""


class FollowingFacts(StateFacts):
    """What an action leads to."""

    same: str


class PositionFacts(StateFacts):
    """A position: how it came about, and what it looks like."""

    game: str
    title: str
    position: str
    start: str
    moves: list[PlayedFacts]
    players: list[str]
    marks: list[str]
    same: NotRequired[str]
    """With `after`: equal for positions that are symmetric."""
    after: NotRequired[dict[str, FollowingFacts]]
    """If asked for: what each action leads to, by its name."""


class MoveFacts(TypedDict):
    """What a computer player does in a position."""

    game: str
    position: str
    to_move: str
    player: str
    action: str
    caveat: str


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


def analysis(notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], answer: Answer[Any]) -> Analysis:
    """Return what a position is worth, and what each action leads to."""
    mover = game.mover_name(where.state)
    name = game.action_name
    return {
        "game": notation,
        "position": where.text(name),
        "to_move": mover,
        "value": answer.value,
        "distance": answer.distance,
        "margin": answer.margin,
        "proven": answer.proven,
        "bound": answer.bound,
        "low": _score(answer.low, game.scale),
        "high": _score(answer.high, game.scale),
        "sentence": sentence(mover, answer, name),
        "best": [name(action) for action in answer.best],
        "guess": [name(action) for action in answer.guess],
        "line": [name(action) for action in answer.line],
        "line_complete": answer.line_complete,
        "actions": [_action(each, game) for each in answer.actions],
        "method": answer.method,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def _score(score: int | None, scale: Scale) -> ScoreFacts | None:
    if score is None:
        return None
    return {"value": value_of(score), "distance": scale.distance(score), "margin": scale.utility(score)}


def _action(each: ActionValue[Any], game: ResolvedGame[Any, Any]) -> ActionFacts:
    return {
        "action": game.action_name(each.action),
        "value": each.value,
        "distance": each.distance,
        "margin": each.margin,
        "exact": each.exact,
        "bound": each.bound,
    }


def explanation(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], found: Explanation[Any, Any]
) -> ExplanationFacts:
    """Return why a position is worth what it is: every action with its reasons, as data and in words."""
    answer, names = found.answer, names_of(game, where.state)
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "to_move": names.mover,
        "value": answer.value,
        "distance": answer.distance,
        "proven": answer.proven,
        "sentence": first_sentence(found, names),
        "best": [names.action(action) for action in answer.best],
        "guess": [names.action(action) for action in answer.guess],
        "actions": [_explained(each, game, names, each.value.action in answer.best) for each in found.actions],
        "notes": notes(found, names),
        "equal": [
            [names.action(action) for alike in equal.classes for action in alike.actions] for equal in found.equal or ()
        ],
        "trickiest": [names.action(action) for action in found.trickiest],
        "method": answer.method,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def _explained(each: Explained[Any], game: ResolvedGame[Any, Any], names: Names, is_best: bool) -> ExplainedFacts:
    traps = each.traps
    return {
        **_action(each.value, game),
        "text": about_action(each, names, is_best),
        "reasons": [cast("ReasonFacts", details(reason, names)) for reason in each.reasons],
        "refutation": [names.action(action) for action in each.refutation],
        "traps": None if traps is None else {"mistakes": traps.mistakes, "replies": traps.replies},
        "examined": each.examined,
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
        "to_move": here["to_move"],
        "over": here["over"],
        "result": here["result"],
        "board": here["board"],
        "drawing": here["drawing"],
        "actions": here["actions"],
        "elsewhere": here["elsewhere"],
    }
    if after:
        same = guise(game)

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


def result(game: ResolvedGame[Any, Any], state: Any) -> ResultFacts:
    """Return how a finished game ended."""
    utility = whole_utility(game.utility(state))
    if utility == 0:
        return {"winner": None, "margin": 0, "sentence": "A draw."}
    winner = game.player_name(MAX if utility > 0 else -MAX)
    said = leads_to(value_of(abs(utility)), None, abs(utility))
    return {"winner": winner, "margin": abs(utility), "sentence": f"{winner} {said}."}


def move(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], player: str, action: Any, caveat: str
) -> MoveFacts:
    """Return what a computer player does in a position."""
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "to_move": game.mover_name(where.state),
        "player": player,
        "action": game.action_name(action),
        "caveat": caveat,
    }
