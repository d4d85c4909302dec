"""Certificates in words: what they claim, and what refutes them."""

from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.certificates.certificate import Certificate, Checked, Seat
from noughts.errors import counted

__all__ = ["claim_in_words", "player_in_words", "refutation"]


def player_in_words(game: ResolvedGame[Any, Any], seat: Seat) -> str:
    """Return what the player is called who is first or second.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> player_in_words(resolve(noughts.load("tic-tac-toe")), "second")
    'O'
    """
    begins = game.to_move(game.initial())
    return game.player_name(begins if seat == "first" else -begins) if game.marks else seat.capitalize()


def claim_in_words(game: ResolvedGame[Any, Any], about: Certificate | Checked) -> str:
    """Return a claim as the predicate of a sentence: who does what, from where."""
    verb = "never loses" if about.moves is None else f"wins in at most {counted(about.moves, 'move')}"
    where = f" after {' '.join(about.after)}" if about.after else ""
    return f"{player_in_words(game, about.player)} {verb}{where}"


def refutation(found: Checked) -> str:
    """Return the line of play that refutes a claim, and what happens at its end."""
    line = " ".join(found.line)
    return f"refuted by {line}: {found.why}" if line else f"refuted at the start: {found.why}"
