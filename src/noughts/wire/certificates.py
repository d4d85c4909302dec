"""Certificates as JSON."""

from noughts.certificates.certificate import Certificate, Checked, Start
from noughts.certificates.estimate import Estimate
from noughts.wire.types import CertificateEstimateFacts, CheckedCertificateFacts, ProvedFacts

__all__ = ["checked", "estimated", "proved"]


def proved(certificate: Certificate, file: str | None, size: int, seconds: float) -> ProvedFacts:
    """Return what was proved, and where it was written; `size` is that of the file."""
    return {
        "game": certificate.game,
        "player": certificate.player,
        "after": " ".join(certificate.after),
        "claim": certificate.claim,
        "moves": certificate.moves,
        "positions": certificate.positions,
        "bytes": size,
        "seconds": round(seconds, 3),
        "file": file,
    }


def checked(file: str, found: Checked, seconds: float) -> CheckedCertificateFacts:
    """Return what a check found."""
    return {
        "file": file,
        "game": found.game,
        "player": found.player,
        "after": " ".join(found.after),
        "claim": found.claim,
        "moves": found.moves,
        "holds": found.holds,
        "positions": found.positions,
        "reached": found.reached,
        "longest": found.longest,
        "refutation": None if found.holds else " ".join(found.line),
        "why": found.why or None,
        "seconds": round(seconds, 3),
    }


def estimated(notation: str, start: Start, found: Estimate) -> CertificateEstimateFacts:
    """Return how large a certificate would be."""
    return {
        "game": notation,
        "player": start.seat,
        "after": " ".join(start.after),
        "positions": found.positions,
        "exact": found.exact,
        "samples": [round(size) for size in found.sizes],
        "asked": found.asked,
        "seconds": round(found.seconds, 3),
    }
