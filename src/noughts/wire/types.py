"""The format: the JSON objects that noughts answers with, as types. The OpenAPI description is derived from them."""

from typing import Any, Literal, NotRequired, TypedDict

from noughts.record.record import Result as RecordedResult
from noughts.reviews.marks import Mark
from noughts.score import Value
from noughts.search.answer import BoundSide, Stopped

__all__ = [
    "AccuracyFacts",
    "ActionFacts",
    "Analysis",
    "ArenaFacts",
    "CatalogFacts",
    "CellFacts",
    "CertificateEstimateFacts",
    "ChanceFacts",
    "CheckFacts",
    "CheckedCertificateFacts",
    "CountFacts",
    "CourseFacts",
    "ErrorFacts",
    "EstimateFacts",
    "EstimatedFacts",
    "ExactArenaFacts",
    "ExactPairingFacts",
    "ExactStandingFacts",
    "ExplainedFacts",
    "ExplanationFacts",
    "FollowingFacts",
    "GameFacts",
    "GameResultCounts",
    "GroupFacts",
    "LevelFacts",
    "LevelsFacts",
    "MatchFacts",
    "MeasureFacts",
    "MoveFacts",
    "NodeFacts",
    "NodeScoreFacts",
    "OpeningFacts",
    "OpeningsFacts",
    "OpponentFacts",
    "OutcomeFacts",
    "PairingFacts",
    "PlayedFacts",
    "PlayerFacts",
    "PlyFacts",
    "PositionFacts",
    "ProblemFacts",
    "ProvedFacts",
    "PuzzleFacts",
    "PuzzlesFacts",
    "ReasonFacts",
    "RecordFacts",
    "RecordTextFacts",
    "RecordedMoveFacts",
    "ResultFacts",
    "ReviewFacts",
    "ReviewedMoveFacts",
    "SafeReplyFacts",
    "ScoreFacts",
    "SearchCountFacts",
    "SearchFacts",
    "SeatFacts",
    "SprtFacts",
    "StandingFacts",
    "StateFacts",
    "TallyFacts",
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
    endless: bool
    """Whether best play goes on for ever: the line ends where a position is repeated."""
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


class GroupFacts(ActionFacts):
    """Actions with the same value for the same reasons, in one sentence; `action` is the first of them."""

    actions: list[str]
    text: str


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
    groups: list[GroupFacts]
    """The same actions, those with the same reasons together."""
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
    times: int
    """How often the position has occurred; when it occurs for the third time, a match of computers is a draw."""
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
    caveat: str | None


class GameResultCounts(TypedDict):
    """How the games below a position end."""

    won_by_max: int
    won_by_min: int
    drawn: int


class PlyFacts(TypedDict):
    """What there is at one ply."""

    ply: int
    nodes: int
    positions: int
    positions_up_to_symmetry: int | None
    games: int


class SearchCountFacts(TypedDict):
    """How many nodes a search visits; more than these if it is not complete."""

    search: str
    nodes: int
    stopped: Stopped
    complete: bool


class CountFacts(TypedDict):
    """How large a game is below a position; totals are lower bounds if the count is not complete."""

    game: str
    position: str
    complete: bool
    stopped: Stopped
    endless: bool
    """Whether play can go on for ever: then there are infinitely many nodes and games, and only positions are total."""
    nodes: int
    nodes_past_wins: int | None
    positions: int
    positions_up_to_symmetry: int | None
    games: int
    results: GameResultCounts
    plies: list[PlyFacts]
    searches: list[SearchCountFacts]


class ChanceFacts(TypedDict):
    """Exact chances, as fractions."""

    win: str
    draw: str
    loss: str
    win_decimal: float
    win_bounds: list[str] | None
    """The wins of the unluckiest and of the luckiest choice among best moves; null for random play."""


class OpeningFacts(ChanceFacts):
    """The chances of an opening: actions that lead to the same position up to symmetry."""

    actions: list[str]


class OpponentFacts(TypedDict):
    """An opponent who errs, or plays at random, at a rate."""

    rate: str
    wilful: bool


class MeasureFacts(TypedDict):
    """The chances of each opening in one pairing of players."""

    players: str
    perfect: bool
    opponent: OpponentFacts
    claim_holds: bool | None
    openings: list[OpeningFacts]
    before: ChanceFacts


class SafeReplyFacts(TypedDict):
    """How many replies to an opening throw nothing away."""

    actions: list[str]
    safe: int
    replies: int


class OpeningsFacts(TypedDict):
    """Which opening is best against opponents who err; a finished game has a result instead."""

    game: str
    position: str
    to_move: str | None
    result: ResultFacts | None
    measures: list[MeasureFacts]
    safe_replies: list[SafeReplyFacts]


class LevelFacts(TypedDict):
    """How often players of one level err, win at once, and stop the opponent from doing so, where they can."""

    level: int
    player: str
    errors: float
    wins: float | None
    blocks: float | None


class LevelsFacts(TypedDict):
    """The levels in one game, and on how many positions they were measured."""

    game: str
    complete: bool
    positions: int
    decisions: int
    levels: list[LevelFacts]


class SeatFacts(TypedDict):
    """Who played which side, and why a choice of theirs may have been no more than a guess."""

    mark: str
    player: str
    caveat: str | None


class MatchFacts(TypedDict):
    """A game that was played; the result is null if it was left early."""

    game: str
    position: str
    players: list[SeatFacts]
    result: ResultFacts | None


class RecordedMoveFacts(TypedDict):
    """A move of a record, and what was said about it."""

    action: str
    comment: str


class RecordFacts(TypedDict):
    """A game as it was played; who played is empty if it is not known."""

    game: str
    position: str
    """Where the moves begin; empty for the start of the game."""
    first: str
    second: str
    moves: list[RecordedMoveFacts]
    result: RecordedResult
    margin: int | None
    comment: str
    tags: dict[str, str]


class EstimatedFacts(TypedDict):
    """An estimate with its 95 % confidence interval; null is infinite."""

    value: float | None
    low: float | None
    high: float | None


class TallyFacts(TypedDict):
    """What a player has reached, and what that says of its strength."""

    games: int
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    """How many pairs of games gave 0, 0.5, 1, 1.5 and 2 points."""
    score: EstimatedFacts
    elo: EstimatedFacts
    normalised_elo: EstimatedFacts | None
    """Null if all pairs ended alike."""
    superiority: float


class PairingFacts(TallyFacts):
    """The games of two players, as `one` sees them."""

    one: str
    other: str
    begun: list[int]
    """Wins, draws and losses where `one` began."""


class StandingFacts(TallyFacts):
    """All games of a player."""

    player: str
    caveat: str | None
    failures: list[str]


class SprtFacts(TypedDict):
    """A sequential test of two differences in Elo."""

    elo0: float
    elo1: float
    ratio: float
    low: float
    high: float
    decision: Literal["elo0", "elo1"] | None


class ArenaFacts(TypedDict):
    """A tournament; players are the best first."""

    game: str
    seed: int
    opening_moves: int
    games: int
    """How many games each two players were to play."""
    played: int
    complete: bool
    players: list[StandingFacts]
    pairings: list[PairingFacts]
    sprt: SprtFacts | None


class OutcomeFacts(TypedDict):
    """Exact chances, as fractions, of a win, a draw and a loss, and the expected points of a game."""

    win: str
    draw: str
    loss: str
    score: str
    score_decimal: float


class ExactPairingFacts(TypedDict):
    """What two players expect of each other, as `one` sees it."""

    one: str
    other: str
    begun: OutcomeFacts
    """If `one` begins."""
    replied: OutcomeFacts
    """If `other` begins."""


class ExactStandingFacts(TypedDict):
    """What a player expects to score against all others."""

    player: str
    score: str
    score_decimal: float


class ExactArenaFacts(TypedDict):
    """What players expect of each other, exactly."""

    game: str
    opening_moves: int
    players: list[ExactStandingFacts]
    pairings: list[ExactPairingFacts]


class ProblemFacts(TypedDict):
    """A mistake in a game, with the first position that shows it."""

    kind: str
    message: str
    advice: str
    position: str
    drawing: str
    fatal: bool
    seen: int


class CheckFacts(TypedDict):
    """What a check of a game found."""

    game: str
    ok: bool
    positions: int
    complete: bool
    compared: str
    in_time: bool
    notes: list[str]
    """What is no mistake, but good to know."""
    problems: list[ProblemFacts]


class BookFacts(TypedDict):
    """An opening book: of which game, up to which ply, and how large it is."""

    file: str
    game: str
    plies: int
    positions: int
    bytes: int
    rules: str


class BuiltBookFacts(TypedDict):
    """A book that was built; `complete` is false if the work was stopped, and then there is no file yet."""

    file: str
    game: str
    plies: int
    complete: bool
    positions: int
    leaves: int
    known: int
    solved: int
    nodes: int
    seconds: float
    bytes: int | None


class VerifiedBookFacts(TypedDict):
    """What a verification of a book found; `complete` is false if it was stopped."""

    file: str
    game: str
    plies: int | None
    ok: bool
    complete: bool
    positions: int
    derived: int
    leaves: int
    solved: int
    nodes: int
    seconds: float
    problems: list[str]


class TableTierFacts(TypedDict):
    """How many positions of a tier a table has."""

    tier: int
    stored: int


class TableFacts(TypedDict):
    """What a table says about itself; `summary` is what its solver counted."""

    directory: str
    game: str
    stored: int
    distances: bool
    bytes: int
    rules: str
    coding: dict[str, Any]
    tiers: list[TableTierFacts]
    summary: dict[str, Any]


class VerifiedTableFacts(TypedDict):
    """What a verification of a table found; `complete` is false if it was stopped."""

    directory: str
    game: str
    ok: bool
    complete: bool
    sampled: bool
    stored: int
    checked: int
    seconds: float
    problems: list[str]


class TierFacts(TypedDict):
    """The positions of one tier, for the player to move; without symmetry, but for `stored`, and null if not known."""

    tier: int
    positions: int | None
    wins: int | None
    draws: int | None
    losses: int | None
    stored: int
    ends: int | None
    longest: int | None


class SolvedFacts(TypedDict):
    """A game whose every position is solved; `positions` without symmetry, `stored` up to symmetry."""

    game: str
    positions: int | None
    stored: int
    value: Value
    distance: int | None
    longest: int | None
    tiers: list[TierFacts]
    directory: str
    bytes: int
    seconds: float


class RangeFacts(TypedDict):
    """A number that is not known exactly: `likely` is null if only limits are known, `high` if there is none."""

    low: int
    likely: int | None
    high: int | None


class TierEstimateFacts(TypedDict):
    """The positions of one tier: counted, or an estimate."""

    tier: int
    positions: int | None
    stored: int
    counted: bool


class EstimateFacts(TypedDict):
    """What solving a game will take; `positions` without symmetry, `stored` up to symmetry."""

    game: str
    exact: bool
    positions: RangeFacts | None
    stored: RangeFacts
    tiers: list[TierEstimateFacts]
    populations: int
    method: str
    workers: int
    seconds: RangeFacts | None
    table_bytes: RangeFacts | None
    disk_bytes: RangeFacts | None
    memory_bytes: int
    free_bytes: int
    took: float


class ProvedFacts(TypedDict):
    """A certificate that was made: what it claims, for how many positions it has a move, and where it was written."""

    game: str
    player: Literal["first", "second"]
    after: str
    claim: str
    moves: int | None
    """In how many moves the player wins at most; null if the claim is `never loses`."""
    positions: int
    bytes: int
    seconds: float
    file: str | None


class CheckedCertificateFacts(TypedDict):
    """What a check of a certificate found: the line of play that refutes it, or how many positions it went through."""

    file: str
    game: str
    player: Literal["first", "second"]
    after: str
    claim: str
    moves: int | None
    holds: bool
    positions: int | None
    reached: int | None
    longest: int | None
    refutation: str | None
    why: str | None
    seconds: float


class CertificateEstimateFacts(TypedDict):
    """How large a certificate would be, and what each of several samples says."""

    game: str
    player: Literal["first", "second"]
    after: str
    positions: int
    exact: bool
    samples: list[int]
    asked: int
    seconds: float


class RecordTextFacts(TypedDict):
    """A game as text, in the format of records, and the position in which it stands."""

    game: str
    position: str
    text: str


class PuzzleFacts(TypedDict):
    """A position in which exactly one move is right, proven."""

    position: str
    to_move: str
    goal: str
    """What is asked, in one sentence."""
    kind: Literal["win", "save"]
    moves: int
    """In how many moves, of both players, the right move wins; or any other move loses, at the latest."""
    level: int
    """From 1 to 5."""
    plausible: list[str]
    """The moves that look good to a player who looks one move ahead for each side."""
    failing: int
    """How many plausible moves fail."""
    only: bool
    """Whether no other move wins at all. If not, no other wins in so many moves, and it is not known of more."""
    solution: str
    line: list[str]
    """The solution, and the moves to the end if the puzzle is to win: the opponent holds out as long as possible."""


class PuzzlesFacts(TypedDict):
    """Puzzles of a game: those of a seed, or those of a day."""

    game: str
    seed: int | None
    day: str | None
    puzzles: list[PuzzleFacts]


class ReviewedMoveFacts(TypedDict):
    """A move of a game that was reviewed; values are in the view of its player."""

    number: int
    player: str
    position: str
    """The position before the move."""
    action: str
    before: ScoreFacts | None
    """What the position before it was worth; null if that is not known."""
    after: ActionFacts
    """What the move led to."""
    mark: Mark
    sign: str
    """What stands behind the move: `?` for a mistake, `?!` for an inaccuracy, `(?)` for a doubtful move, or nothing."""
    decision: bool
    """Whether some move in the position is known to be worse than the best."""
    text: str
    better: list[str]
    """The best moves, if the move is not known to be as good."""
    guess: bool
    """Whether `better` is no more than what looks best."""
    refutation: list[str]
    """Best play after a move that is not good."""


class AccuracyFacts(TypedDict):
    """How well a player decided, where a worse move was possible: 1 for a good move, a half for an inaccuracy."""

    player: str
    percent: int | None
    """Null if there was nothing to decide."""
    decisions: int
    points: float
    inaccuracies: int
    mistakes: int
    doubtful: int
    unknown: int


class CourseFacts(TypedDict):
    """What the game was worth at one point, in the view of the first of `players`."""

    number: int
    """How many moves were played."""
    value: Value
    distance: int | None


class ReviewFacts(TypedDict):
    """A game move by move: mistakes, what was better and why, accuracy, and how its value changed."""

    game: str
    position: str
    players: list[str]
    """MAX, whose view `course` takes, and MIN."""
    result: ResultFacts | None
    """How the game ended; null if it did not."""
    sentence: str
    moves: list[ReviewedMoveFacts]
    accuracy: list[AccuracyFacts]
    course: list[CourseFacts]
    """Before the first move, and after each."""
    seconds: float
    stopped: Stopped
