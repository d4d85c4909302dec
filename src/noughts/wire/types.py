"""The format: the JSON objects that noughts answers with, as types. The OpenAPI description is derived from them."""

from typing import NotRequired, TypedDict

from noughts.score import Value
from noughts.search.answer import BoundSide, Stopped

__all__ = [
    "ActionFacts",
    "Analysis",
    "CatalogFacts",
    "CellFacts",
    "ErrorFacts",
    "ExplainedFacts",
    "ExplanationFacts",
    "FollowingFacts",
    "GameFacts",
    "MoveFacts",
    "NodeFacts",
    "NodeScoreFacts",
    "PlayedFacts",
    "PlayerFacts",
    "PositionFacts",
    "ReasonFacts",
    "ResultFacts",
    "ScoreFacts",
    "SearchFacts",
    "StateFacts",
    "TrapFacts",
    "TreeFacts",
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


class PlayerFacts(TypedDict):
    """A computer player, and what to expect of it."""

    player: str
    about: str


class SearchFacts(TypedDict):
    """A search whose tree can be shown."""

    search: str
    about: str


class CatalogFacts(TypedDict):
    """What there is to play, who plays, and which searches there are."""

    games: list[GameFacts]
    players: list[PlayerFacts]
    searches: list[SearchFacts]


class ErrorFacts(TypedDict):
    """What was wrong with a question, and what would be right."""

    error: str


class NodeScoreFacts(ScoreFacts):
    """A score at a node of a tree, also as one number."""

    score: int


class NodeFacts(TypedDict):
    """A node that a search visited. Scores take the view of the player to move there."""

    number: int
    action: str | None
    ply: int
    board: str
    to_move: str
    alpha: NodeScoreFacts | None
    """The window on entering; null is no limit."""
    beta: NodeScoreFacts | None
    value: NodeScoreFacts | None
    """Null for a guess at the horizon."""
    bound: str | None
    reason: str | None
    skipped: list[str]
    why_skipped: str | None
    hidden: int
    principal: bool
    same_as: int | None
    column: float
    row: int
    children: list["NodeFacts"]


class TreeFacts(TypedDict):
    """The tree that a search went through."""

    game: str
    position: str
    title: str
    search: str
    about: str
    players: list[str]
    view: str
    searched: int
    drawn: int
    horizon: int | None
    depth: int
    merged: int
    columns: float
    rows: int
    root: NodeFacts


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
