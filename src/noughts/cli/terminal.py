"""Reads lines from people and scripts, and writes text: accepts any bytes, wraps to the terminal's width."""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import get_terminal_size
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from noughts.board import grid

if TYPE_CHECKING:
    from noughts.capabilities import ResolvedGame

__all__ = [
    "EndOfInput",
    "OutputLost",
    "Terminal",
    "complain",
    "drawn",
    "filled",
    "fits",
    "live_line",
    "prepare",
    "restore",
    "silence",
    "wants_color",
    "wrapped",
]

PASTE = 200
"""If this many bytes wait behind a line that is not understood, a page was pasted."""


class EndOfInput(Exception):
    """There is nothing more to read."""


class OutputLost(OSError):
    """Standard output cannot be written."""


class _Output(io.FileIO):
    """Standard output; its errors are raised as OutputLost, so that they differ from all others."""

    def write(self, data: Any, /) -> int:
        try:
            written = super().write(data)
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None
        if written is None:
            raise OutputLost(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return written


class _Errors(io.FileIO):
    """Standard error; what cannot be written there is dropped."""

    def write(self, data: Any, /) -> int:
        with suppress(OSError):
            return super().write(data) or 0
        return memoryview(data).nbytes


class Terminal:
    """The terminal of a dialogue: a person or a script types to standard input, and reads from `output`.

    Text is wrapped to the terminal's width if `wrap` says so; drawings never are.
    """

    def __init__(self, output: TextIO | None = None, wrap: bool = True) -> None:
        self.output = output or sys.stdout
        self._wrap = wrap

    @property
    def interactive(self) -> bool:
        """Whether a person types the input."""
        return sys.stdin.isatty()

    def say(self, text: str = "") -> None:
        """Write one or more lines."""
        self._print(text)

    def show(self, drawing: str) -> None:
        """Write a drawing, which is never wrapped."""
        print(drawing, file=self.output, flush=True)

    def ask(self, prompt: str) -> str:
        """Return the line typed after a prompt, without surrounding blanks; raise EndOfInput at the end."""
        self._print(prompt, end="")
        try:
            line = sys.stdin.readline()
        except OSError:  # treat unreadable input as ended
            line = ""
        if not line:
            self._print("")
            raise EndOfInput
        return line.strip().strip("\ufeff")

    def _print(self, text: str, end: str = "\n") -> None:
        print(wrapped(text, self.output) if self._wrap else text, end=end, file=self.output, flush=True)

    def drop_paste(self) -> bool:
        """Discard the waiting input if it is a pasted page; say whether it was."""
        if not self.interactive or self._waiting() < PASTE:
            return False
        import select

        while select.select([sys.stdin], [], [], 0.05)[0]:
            if not os.read(sys.stdin.fileno(), 65536):
                break
        return True

    @staticmethod
    def _waiting() -> int:
        """Return how many bytes of complete lines are waiting to be read."""
        try:
            import fcntl
            import termios
        except ImportError:  # not on this system
            return 0
        waiting = bytearray(4)
        fcntl.ioctl(sys.stdin.fileno(), termios.FIONREAD, waiting)
        return int.from_bytes(waiting, sys.byteorder)


def wrapped(text: str, stream: TextIO | None = None) -> str:
    """Return text whose lines fit the terminal, broken at spaces. For a file or a pipe the text is unchanged.

    Do not pass it drawings or tables: their lines belong side by side. `stream` is where the text goes, standard
    output by default.
    """
    columns, _ = _size(stream or sys.stdout)
    return "\n".join(_broken(line, columns) for line in text.split("\n")) if columns else text


def fits(drawing: str, stream: TextIO | None = None, around: int | None = None) -> bool:
    """Say whether a drawing fits the terminal's width, and its height with some lines `around` it; a file fits all."""
    columns, rows = _size(stream or sys.stdout)
    lines = drawing.split("\n")
    high = around is not None and rows and len(lines) + around > rows
    return not (high or (columns and max(map(len, lines)) > columns))


def drawn(game: "ResolvedGame[Any, Any]", state: Any) -> str:
    """Return a state as text for standard output: as a narrow grid if its drawing is too wide for the terminal."""
    drawing = game.draw(state)
    if fits(drawing) or game.board is None:
        return drawing
    return grid(game.board(state), game.action_name) or drawing


def _size(stream: TextIO) -> tuple[int, int]:
    """Return the columns and rows of a stream's terminal; zeros if it has none or does not know them."""
    try:
        return get_terminal_size(stream.fileno()) if stream.isatty() else (0, 0)
    except (OSError, ValueError):  # a stream without a terminal, or a closed one
        return 0, 0


def filled(text: str, columns: int) -> str:
    """Return text that fits `columns`: paragraphs are filled; indented lines are not joined.

    >>> print(filled("one two\\nthree four\\n\\nexamples:\\n  go north      to leave the house", 24))
    one two three four
    <BLANKLINE>
    examples:
      go north      to leave
                    the
                    house
    """
    joined: list[str] = []
    open_paragraph = False
    for line in text.split("\n"):
        plain = bool(line) and not line[0].isspace()
        if plain and open_paragraph and not joined[-1].endswith(":"):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
        open_paragraph = plain
    return "\n".join(_broken(line, columns) for line in joined)


def _broken(line: str, columns: int) -> str:
    """Return a line broken at spaces; the rest is aligned with its last column, or else a little more than the line."""
    if len(line) <= columns:
        return line
    from textwrap import wrap  # only when it is needed: it costs start-up time

    indent = len(line) - len(line.lstrip())
    gap = line.rstrip().rfind("  ")
    if indent <= gap <= columns // 2:
        indent = gap + 2
    elif indent:
        indent += 2
    lines = wrap(
        line,
        columns,
        subsequent_indent=" " * min(indent, columns // 2),
        drop_whitespace=True,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + " " * (len(line) - len(line.rstrip()))


def complain(message: object) -> None:
    """Write a message of the command to standard error: one line, or several at a terminal that is narrower."""
    print(wrapped(f"noughts: {message}", sys.stderr), file=sys.stderr, flush=True)


@contextmanager
def live_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows progress on one line of the terminal, which is cleared at the end.

    Nothing is shown if standard error is not a terminal, nor in the first half second.
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
    """Make the standard streams accept any text, and replace closed streams by empty ones.

    An error while writing to standard output raises OutputLost; an error on standard error is ignored.
    """
    for name, mode, errors in (("stdin", "r", "replace"), ("stdout", "w", "backslashreplace"), ("stderr", "w", "")):
        stream = getattr(sys, name)
        if stream is None:
            empty = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 - open for as long as we run
            os.set_inheritable(empty.fileno(), True)  # otherwise it would be closed in child processes
            setattr(sys, name, empty)
        elif errors and isinstance(stream, io.TextIOWrapper) and stream.errors != errors:
            stream.reconfigure(errors=errors)
    sys.stdout = _with_raw(sys.stdout, _Output)
    sys.stderr = _with_raw(sys.stderr, _Errors)


def _with_raw(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    """Return a stream like this one whose raw file is of this kind; or the same stream, unless it is the system's."""
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


def wants_color(choice: str, output: TextIO) -> bool:
    """Say whether to use colour: `always`, `never`, or by whether `output` is a terminal that can show it."""
    if choice != "auto":
        return choice == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and output.isatty()


def restore() -> None:
    """Reset the terminal: switch colour off and begin a new line."""
    if sys.stdout.isatty():
        print("\033[0m", flush=True)
    else:
        print(flush=True)


def silence() -> None:
    """Send standard output nowhere; otherwise the interpreter complains on exit that it cannot be flushed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
