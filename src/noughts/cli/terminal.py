"""Reading lines from people and scripts, and writing to them: any bytes in, never a stuck terminal."""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import get_terminal_size
from time import perf_counter
from typing import Any, TextIO

__all__ = ["EndOfInput", "OutputLost", "Terminal", "live_line", "prepare", "restore", "silence", "wants_color"]

PASTE = 200
"""With this many bytes waiting behind a line that makes no sense, a page was pasted."""


class EndOfInput(Exception):
    """There is nothing more to read."""


class OutputLost(OSError):
    """Standard output cannot be written."""


class _Output(io.FileIO):
    """Standard output, whose errors can be told from those of anything else."""

    def write(self, data: Any, /) -> int:
        try:
            written = super().write(data)
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None
        if written is None:
            raise OutputLost(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return written


class _Errors(io.FileIO):
    """Standard error, of which nothing depends: what cannot be written there is dropped."""

    def write(self, data: Any, /) -> int:
        with suppress(OSError):
            return super().write(data) or 0
        return memoryview(data).nbytes


class Terminal:
    """Where a dialogue takes place."""

    @property
    def interactive(self) -> bool:
        """Whether a person sits at the other end."""
        return sys.stdin.isatty()

    def say(self, text: str = "") -> None:
        """Write a line, or several."""
        print(text, flush=True)

    def ask(self, prompt: str) -> str:
        """Return the line typed after a prompt, without the blanks around it; raise EndOfInput at the end."""
        print(prompt, end="", flush=True)
        try:
            line = sys.stdin.readline()
        except OSError:  # what cannot be read has ended
            line = ""
        if not line:
            print(flush=True)
            raise EndOfInput
        return line.strip().strip("\ufeff")

    def drop_paste(self) -> bool:
        """Throw away what is still waiting to be read if it is a pasted page; say whether it was."""
        if not self.interactive or self._waiting() < PASTE:
            return False
        import select

        while select.select([sys.stdin], [], [], 0.05)[0]:
            if not os.read(sys.stdin.fileno(), 65536):
                break
        return True

    @staticmethod
    def _waiting() -> int:
        """Return how many bytes of complete lines the terminal holds for us."""
        try:
            import fcntl
            import termios
        except ImportError:  # not on this system
            return 0
        waiting = bytearray(4)
        fcntl.ioctl(sys.stdin.fileno(), termios.FIONREAD, waiting)
        return int.from_bytes(waiting, sys.byteorder)


@contextmanager
def live_line() -> Iterator[Callable[[str], None]]:
    """Give a function that shows how far long work has come, on one line of the terminal that is wiped at the end.

    Nothing is shown where nobody watches, nor in the first half second.
    """
    started, shown_at, width = perf_counter(), 0.0, 0
    watched = sys.stderr.isatty()

    def show(text: str) -> None:
        nonlocal shown_at, width, watched
        now = perf_counter()
        if watched and now - started > 0.5 and now - shown_at > 0.1:
            try:
                columns = get_terminal_size(sys.stderr.fileno()).columns
            except OSError:  # the terminal was closed
                watched = False
                return
            shown_at, width = now, max(width, min(len(text), columns - 1))
            print("\r" + text[: columns - 1].ljust(width), end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if width:
            print("\r" + " " * width + "\r", end="", file=sys.stderr, flush=True)


def prepare() -> None:
    """Make the standard streams take and give anything: no text is unwritable, and a closed stream is an empty one.

    An error in writing to standard output is an OutputLost; an error in writing to standard error ends nothing.
    """
    for name, mode, errors in (("stdin", "r", "replace"), ("stdout", "w", "backslashreplace"), ("stderr", "w", "")):
        stream = getattr(sys, name)
        if stream is None:
            empty = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 - open for as long as we run
            os.set_inheritable(empty.fileno(), True)  # else it would be closed in the processes that we start
            setattr(sys, name, empty)
        elif errors and isinstance(stream, io.TextIOWrapper) and stream.errors != errors:
            stream.reconfigure(errors=errors)
    sys.stdout = _through(sys.stdout, _Output)
    sys.stderr = _through(sys.stderr, _Errors)


def _through(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    """Return a stream like this one whose raw file is of this kind; or this one, if it is no stream of the system's."""
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(stream, io.TextIOWrapper):
        return stream
    buffered = isinstance(stream.buffer, io.BufferedWriter)
    raw = stream.buffer.raw if isinstance(stream.buffer, io.BufferedWriter) else stream.buffer
    if type(raw) is not io.FileIO:
        return stream
    own: Any = kind(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(own) if buffered else own,
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def wants_color(choice: str) -> bool:
    """Decide on colour: `always`, `never`, or by whether a person's terminal can show it."""
    if choice != "auto":
        return choice == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def restore() -> None:
    """Leave the terminal as it was found: no colour left on, and on a line of its own."""
    if sys.stdout.isatty():
        print("\033[0m", flush=True)
    else:
        print(flush=True)


def silence() -> None:
    """Write no more, since it goes nowhere; without this the interpreter complains when it leaves."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
