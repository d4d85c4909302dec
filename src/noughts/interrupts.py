"""Distinguishes a user's Ctrl-C from a KeyboardInterrupt raised by a game, and defers it while work is half done."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident, main_thread
from typing import Any

__all__ = ["CtrlC", "DeferredCtrlC", "marked_ctrl_c", "was_pressed"]


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

    Where Ctrl-C raises CtrlC, is deferred or is ignored, a plain KeyboardInterrupt has another cause.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    handler = signal.getsignal(signal.SIGINT)
    deferred = isinstance(getattr(handler, "__self__", None), DeferredCtrlC)
    return isinstance(error, CtrlC) or not (deferred or handler in (_raise, signal.SIG_IGN))


SIGINT = int(signal.SIGINT)

_signals: Any = sys.modules.get("_signal", signal)
"""The same functions without the conversion of numbers to enums, which takes longer than many a search."""


class DeferredCtrlC:
    """A context in which Ctrl-C waits: the handler that was there gets it at the end, or when `deliver` is called.

    Use it where an exception between two statements would leave something half done. In threads other than the main
    one it does nothing: Python runs no signal handlers there. Nor does it if Ctrl-C is ignored or ends the process.
    """

    __slots__ = ("_before", "_pressed")

    def __init__(self) -> None:
        self._before: Any = None
        self._pressed: list[tuple[int, Any]] | None = None

    def __enter__(self) -> "DeferredCtrlC":
        if get_ident() == main_thread().ident:
            before = _signals.getsignal(SIGINT)
            if callable(before):
                self._before = before
                _signals.signal(SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            _signals.signal(SIGINT, self._before)
            self.deliver()

    def deliver(self) -> None:
        """Call the handler that was there before for each time Ctrl-C was pressed by now; it may raise CtrlC."""
        if self._pressed is not None:
            pressed, self._pressed = self._pressed, None
            for each in pressed:
                self._before(*each)

    def _note(self, number: int, frame: Any) -> None:
        self._pressed = [*(self._pressed or ()), (number, frame)]


def _raise(*_: object) -> None:
    raise CtrlC
