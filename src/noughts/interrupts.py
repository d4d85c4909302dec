"""Distinguishes a user's Ctrl-C from a KeyboardInterrupt raised by a game."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CtrlC", "marked_ctrl_c", "was_pressed"]


class CtrlC(KeyboardInterrupt):
    """Raised by Ctrl-C within `marked_ctrl_c`, and by nothing else."""


@contextmanager
def marked_ctrl_c() -> Iterator[None]:
    """Make Ctrl-C raise CtrlC, unless the process ignores it or handles it in another way."""
    before = signal.getsignal(signal.SIGINT)
    marked = before is signal.default_int_handler
    if marked:
        try:
            signal.signal(signal.SIGINT, _raise)
        except ValueError:  # only the main thread can set it, and only there Ctrl-C is raised
            marked = False
    try:
        yield
    finally:
        if marked:
            signal.signal(signal.SIGINT, before)


def was_pressed(error: BaseException) -> bool:
    """Say whether an exception is, or may be, a Ctrl-C.

    Where Ctrl-C raises CtrlC or is ignored, a plain KeyboardInterrupt has another cause.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    return isinstance(error, CtrlC) or signal.getsignal(signal.SIGINT) not in (_raise, signal.SIG_IGN)


def _raise(*_: object) -> None:
    raise CtrlC
