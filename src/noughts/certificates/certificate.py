"""Certificates: strategies as text that anybody can check, and the two functions that make and check them."""

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, Literal, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.certificates import checker
from noughts.certificates.strategy import Building, Cancelled, build, name_of, plain, proven_answer
from noughts.engine import Engine, engine_of
from noughts.errors import BadCertificate, NoughtsError, shown, shown_path
from noughts.game import FUNCTIONS, MAX, MIN, Game
from noughts.gamefile import file_of
from noughts.notation import is_path, load, normalised, read_position
from noughts.search.limits import Budget, Limits

__all__ = [
    "MOST_BYTES",
    "Certificate",
    "Checked",
    "Seat",
    "Start",
    "check",
    "claim_text",
    "name_for",
    "opened",
    "prove",
    "seat_of",
    "start_of",
]

Seat = Literal["first", "second"]
"""The player who makes the first move of the game, or the other one."""

MOST_BYTES = 1 << 30
"""A larger file is not read."""

MOST_MOVES = 999_999_999
"""The largest number of moves that a claim can name."""


class Certificate(NamedTuple):
    """A strategy that never loses, or wins in at most so many moves, as text that anybody can check."""

    game: str
    """The notation of the game, or the name of its file."""
    player: Seat
    after: tuple[str, ...]
    """The moves before the strategy begins; none if it is about the whole game."""
    moves: int | None
    """In how many moves the player wins at most, counted for both players; None if the claim is `never loses`."""
    positions: int
    """For how many positions the strategy has a move."""
    text: str
    """The certificate as it is written to a file; docs/certificates.md describes it."""

    @property
    def claim(self) -> str:
        """The claim as the file has it."""
        return claim_text(self.moves)


class Checked(NamedTuple):
    """What a check of a certificate found."""

    holds: bool
    game: str
    player: Seat
    after: tuple[str, ...]
    moves: int | None
    """In how many moves the player wins at most; None if the claim is `never loses`."""
    positions: int | None
    """For how many positions it has a move; None if the check ended early, as in all that follow."""
    longest: int | None
    """In how many moves the player wins at most, as the check found it; None unless the claim is a win."""
    reached: int | None
    """How many positions play can reach, with those of the opponent and the ends of the game."""
    line: tuple[str, ...]
    """A line of play that refutes the claim, from the start of the game; empty if it holds, or fails at the start."""
    why: str
    """What is wrong at the end of that line; empty if the claim holds."""

    @property
    def claim(self) -> str:
        """The claim as the file has it."""
        return claim_text(self.moves)


def claim_text(moves: int | None) -> str:
    """Return a claim as a certificate writes it.

    >>> claim_text(None), claim_text(7)
    ('never loses', 'wins in 7')
    """
    return "never loses" if moves is None else f"wins in {moves}"


def prove(
    game: Game[Any, Any] | Engine[Any, Any] | str,
    player: str = "first",
    position: str | Iterable[Any] = (),
    *,
    notation: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[Building], None] | None = None,
) -> Certificate:
    """Return a certificate: a strategy for `player` that never loses, or always wins, against all replies.

    `player` is "first", "second", or a mark of the game, such as "X". The strategy begins after the moves of
    `position`, at the start of the game by default. `notation` is the name under which the certificate mentions the
    game; by default the notation or file that the game was loaded from, else its title.

    Raises NoughtsError if the player loses against best play, or if the limits do not allow a proof.

    >>> certificate = prove("tic-tac-toe", "X")
    >>> certificate.claim, check(certificate).holds
    ('never loses', True)
    """
    if isinstance(game, str):
        notation = notation or name_for(game)
        game = load(game)
    engine = engine_of(game)
    offers = engine.game
    start, budget = start_of(offers, player, position), Budget(limits)
    answer = proven_answer(engine, start.state, budget)
    score = (answer.margin or 0) * (1 if offers.to_move(start.state) == start.player else -1)
    if score < 0:
        own, other = offers.player_name(start.player), offers.player_name(-start.player)
        raise NoughtsError(
            f"{own} loses against best play, so there is nothing to prove; {other} has a winning strategy"
        )
    strategy = build(engine, start.state, start.player, budget.left, progress)
    body = "".join(f"{' '.join((*line, '=>', move))}\n" for line, move in strategy.entries())
    known_as = notation or _file_name(offers) or "-".join(offers.display_title.split()) or "game"

    def written(moves: int | None) -> Certificate:
        head = f"noughts certificate 1\ngame {known_as}\nplayer {start.seat}\n{' '.join(('after', *start.after))}\n"
        text = f"{head}claim {claim_text(moves)}\n{body}end\n"
        return Certificate(known_as, start.seat, start.after, moves, len(strategy.moves), text)

    certificate = written(MOST_MOVES if score > 0 else None)
    found = check(certificate, offers, cancelled=limits.cancel)
    if not found.holds:
        raise NoughtsError(f"the strategy of the engine does not hold: {' '.join(found.line)}: {found.why}")
    return certificate if certificate.moves is None else written(found.longest)


class Start(NamedTuple):
    """Where a strategy begins, and for whom."""

    state: Any
    player: int
    """MAX or MIN."""
    seat: Seat
    after: tuple[str, ...]
    """The moves that lead there, as a certificate names them."""


def start_of(offers: ResolvedGame[Any, Any], player: str, position: str | Iterable[Any] = ()) -> Start:
    """Return where a strategy begins; raise NoughtsError if there is no such player or the game is over there."""
    seat = seat_of(offers, player)
    start = read_position(offers, position)
    if start.diagram:
        raise NoughtsError("a certificate begins with moves, not with a diagram")
    if offers.terminal(start.state):
        raise NoughtsError("the game is over in this position, so there is nothing to prove")
    begins = offers.to_move(offers.initial())
    after = tuple(plain(name_of(offers)(action)) for action in start.actions)
    return Start(start.state, begins if seat == "first" else -begins, seat, after)


def check(
    certificate: Certificate | bytes | str | os.PathLike[str],
    game: Game[Any, Any] | str | None = None,
    *,
    cancelled: Callable[[], bool] | None = None,
) -> Checked:
    """Check a certificate, the content of a file as bytes, or the path of a file, with nothing but the game's rules.

    `game` is the game, by default the built-in one that the certificate names. The file of a game is never loaded
    because a certificate names it. Raises BadCertificate for a file that cannot be used.

    >>> certificate = prove("mnk:2,2,2", "X")
    >>> found = check(certificate._replace(text=certificate.text.replace("a1 b1 => a2", "a1 b1 => b1")))
    >>> found.holds, found.line, found.why
    (False, ('a1', 'b1', 'b1'), 'the last move is not legal')
    """
    if isinstance(certificate, Certificate | bytes):
        content = certificate if isinstance(certificate, bytes) else certificate.text.encode()
        return _check(io.BytesIO(content), game, cancelled, "this certificate")
    path = os.fspath(certificate)
    try:
        file = _file(path)
    except (OSError, ValueError) as error:  # such as a null character
        raise BadCertificate(f"{shown_path(path)} cannot be read: {_reason(error)}") from None
    with file:
        return _check(file, game, cancelled, shown_path(path))


def _file(path: str) -> BinaryIO:
    """Return a regular file of a size that can be read."""
    if not Path(path).exists():
        raise BadCertificate(f"there is no file {shown_path(path)}")
    if not Path(path).is_file():
        raise BadCertificate(f"{shown_path(path)} is not a regular file")
    if Path(path).stat().st_size > MOST_BYTES:
        raise BadCertificate(f"{shown_path(path)} is larger than {MOST_BYTES:,} bytes")
    return open(path, "rb")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "that is not a file name"


def _check(
    file: BinaryIO, game: Game[Any, Any] | str | None, cancelled: Callable[[], bool] | None, called: str
) -> Checked:
    """Check an open file; `called` names it in messages."""
    try:
        notation, named, after, most = checker.read_header(file)
        seat: Seat = "first" if named == "first" else "second"
        file.seek(0)
        if game is None:
            if is_path(notation):
                raise BadCertificate(f"{called} is about the file {shown(notation, 60)}: say where that is, after it")
            game = notation
        offers = resolve(load(game))
        claimed = Checked(False, notation, seat, tuple(after), most or None, None, None, None, (), "")
        try:
            found = checker.check(file, _rules(offers, cancelled))
        except checker.Refuted as refuted:
            line, why = refuted.args
            return claimed._replace(line=tuple(line), why=why)
    except checker.Unusable as why:
        raise BadCertificate(f"{called} cannot be used: {why}") from None
    longest = found["moves"] if most else None
    return claimed._replace(holds=True, positions=found["entries"], reached=found["positions"], longest=longest)


def opened(offers: ResolvedGame[Any, Any], certificate: Certificate) -> tuple[Any, int, dict[Any, set[str]]]:
    """Return the state where a strategy begins, the player, and its moves by `checker.frozen` states."""
    file, rules = io.BytesIO(certificate.text.encode()), _rules(offers, None)
    _, seat, after, _ = checker.read_header(file)
    state = offers.initial()
    player = offers.to_move(state) if seat == "first" else -offers.to_move(state)
    for move in after:
        state = checker.play(rules, state, move)
    return state, player, checker.read_entries(file, rules, state)


def _rules(offers: ResolvedGame[Any, Any], cancelled: Callable[[], bool] | None) -> SimpleNamespace:
    """Return the six functions of a game with its names of actions, and nothing else; they may be `cancelled`."""
    game = offers.game

    def terminal(state: Any) -> bool:
        if cancelled is not None and cancelled():
            raise Cancelled("stopped before the check was complete")
        return game.terminal(state)

    rules = {name: getattr(game, name) for name in FUNCTIONS} | {"terminal": terminal}
    return SimpleNamespace(**rules, action_name=name_of(offers))


def name_for(game: str) -> str:
    """Return the notation of a game as a certificate has it: of a path only the name of the file.

    >>> name_for("MNK:4, 3,3"), name_for("../games/mygame.py")
    ('mnk:4,3,3', 'mygame.py')
    """
    return _base(game) if is_path(game) else normalised(game)


def _file_name(offers: ResolvedGame[Any, Any]) -> str | None:
    path = file_of(offers.game)
    return None if path is None else _base(path)


def _base(path: str) -> str:
    """Return the name of a file, without blanks and always recognisable as a file."""
    return "_".join(Path(path).name.split())


def seat_of(offers: ResolvedGame[Any, Any], player: str) -> Seat:
    """Return whether a player, given as first, second or a mark, begins the game."""
    word = player.lower()
    if word in ("first", "second"):
        return "first" if word == "first" else "second"
    begins = offers.to_move(offers.initial())
    for each in (MAX, MIN):
        if offers.marks is not None and offers.player_name(each).lower() == word:
            return "first" if each == begins else "second"
    marks = "" if offers.marks is None else f", {' or '.join(offers.marks)}"
    raise NoughtsError(f"there is no player {shown(player)}; choose first or second{marks}")
