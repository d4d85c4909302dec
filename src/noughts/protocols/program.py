"""A program that runs beside this one to play a game: its lines in and out, its faults, and its end."""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import NoReturn, TypeVar

from noughts.errors import NoughtsError, PlayerFailed, counted, one_line, shown
from noughts.guard import NOT_STARTED, guarded

__all__ = ["GRACE", "LONGEST_LINE", "MOST_OUTPUT", "START_SECONDS", "Program"]

START_SECONDS = 30.0
"""How long a program may take to start, and for everything else but a move."""

GRACE = 2.0
"""Seconds that a program may take for a move beyond its time, before it is ended and loses."""

LONGEST_LINE = 1 << 16
"""The most bytes of a line that a program may print."""

MOST_OUTPUT = 1 << 23
"""The most bytes that it may print before one answer."""

LOOK_EVERY = 0.1
"""Seconds between two looks at whether the caller cancels."""

END_SECONDS = 0.5
"""How long a program that was told to quit has to do so; then it is killed."""

KILL_SECONDS = 10.0
"""How long to wait for the end of all that were killed."""

LAST_WORDS = 4096
"""How many bytes of standard error are kept, for the reason of a failure."""

Found = TypeVar("Found")


class Program:
    """A running program, under a guard that ends it and all its descendants.

    Whatever it does wrong raises PlayerFailed with the `name`, once it is ended.
    """

    def __init__(self, name: str, command: str) -> None:
        if os.name != "posix":
            raise NoughtsError("other programs can play on Linux and macOS only")
        self.name = name
        self._command = _words(name, command)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not ended since."""
        return self._process is not None

    def start(self) -> None:
        """Start it."""
        life, self._life = os.pipe()
        try:
            self._process = process = subprocess.Popen(
                guarded(self._command, "", life),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[life],
                start_new_session=True,
            )
        except BaseException:
            os.close(self._life)
            raise
        finally:
            os.close(life)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._in, self._out, self._err = process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()
        self._to_write, self._unread, self._said = b"", b"", b""
        self._lines: deque[bytes] = deque()
        """What it has printed, in lines."""
        self._printed, self._closed = 0, False
        self._selector = selectors.DefaultSelector()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        for pipe in (self._out, self._err):
            self._selector.register(pipe, selectors.EVENT_READ)

    def ask(
        self,
        lines: list[str],
        read: Callable[[str], Found | None],
        seconds: float | None,
        cancel: Callable[[], bool] | None = None,
        stop: list[str] | None = None,
    ) -> Found:
        """Write lines, and return what `read` finds in one that the program prints; None is nothing of interest.

        It has so many seconds, or any time. If the caller cancels, it is told to `stop`, and has the grace to answer.
        """
        self._send(lines)
        self._printed = 0
        started, patience = monotonic(), seconds
        while True:
            line = self._lines.popleft().decode(errors="replace").strip() if self._lines else None
            found = None if line is None else read(line)
            if found is not None:
                return found
            if line is None and self._closed:
                self._fail_at_the_end_of("output")
            left = LOOK_EVERY if patience is None else started + patience - monotonic()
            if left <= 0:
                self.fail(f"did not answer within {patience:g} seconds")
            if stop is not None and cancel is not None and cancel():
                self._send(stop)
                patience, stop = monotonic() - started + GRACE, None
            if line is None:
                self._exchange(min(left, LOOK_EVERY))

    def drop_output(self) -> None:
        """Forget what it has printed by now without being asked, as far as it can be read."""
        self._exchange(0)
        self._lines.clear()
        self._printed = 0

    def fail(self, reason: str) -> NoReturn:
        """End the program, and raise PlayerFailed."""
        self.end()
        raise PlayerFailed(self.name, reason)

    def end(self, farewell: list[str] | None = None) -> None:
        """End it and everything it has started; after a farewell, it has a moment to end by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if farewell is not None:
                self._farewell(process, farewell)
        finally:
            self._kill(process)

    def _farewell(self, process: "subprocess.Popen[bytes]", lines: list[str]) -> None:
        with suppress(OSError):
            os.write(self._in, _encoded(lines))
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)

    def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Have the guard kill everything; if it does not, kill the guard, which ends the program at least."""
        os.close(self._life)
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(KILL_SECONDS)
        finally:
            process.kill()
            process.wait()
            self._selector.close()
            for stream in (process.stdin, process.stdout, process.stderr):
                assert stream is not None
                with suppress(OSError):
                    stream.close()

    # Lines.

    def _send(self, lines: list[str]) -> None:
        """Add lines to those that are written as soon as the program reads them."""
        self._to_write += _encoded(lines)
        if self._in not in self._selector.get_map():
            self._selector.register(self._in, selectors.EVENT_WRITE)
        self._exchange(0)

    def _exchange(self, seconds: float) -> None:
        """Wait until it prints or reads something, and take or give that."""
        for key, _ in self._selector.select(seconds):
            if key.fd == self._in:
                self._write()
            elif key.fd == self._err:
                self._listen()
            else:
                self._read()

    def _write(self) -> None:
        try:
            self._to_write = self._to_write[os.write(self._in, self._to_write) :]
        except BlockingIOError:
            return
        except OSError:
            self._fail_at_the_end_of("input")
        if not self._to_write:
            self._selector.unregister(self._in)

    def _read(self) -> None:
        try:
            read = os.read(self._out, LONGEST_LINE)
        except BlockingIOError:
            return
        self._printed += len(read)
        *lines, self._unread = (self._unread + read).split(b"\n")
        if not read:
            self._closed = True  # the lines that wait come first
            self._selector.unregister(self._out)
        if any(len(line) > LONGEST_LINE for line in (*lines, self._unread)):
            self.fail(f"printed a line of more than {counted(LONGEST_LINE, 'byte')}")
        if self._printed > MOST_OUTPUT:
            self.fail(f"printed more than {counted(MOST_OUTPUT, 'byte')} before its answer")
        self._lines += lines

    def _listen(self) -> None:
        """Keep the end of what it says on standard error."""
        try:
            read = os.read(self._err, LONGEST_LINE)
        except BlockingIOError:
            return
        if not read:
            self._selector.unregister(self._err)
        self._said = (self._said + read)[-LAST_WORDS:]

    def _fail_at_the_end_of(self, pipe: str) -> NoReturn:
        """Fail because the program has ended, or has closed a pipe."""
        assert self._process is not None
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.fail(f"closed its {pipe}")
        if self._err in self._selector.get_map():
            self._listen()
        lines = self._said.decode(errors="replace").strip().splitlines()
        said = f" ({shown(one_line(lines[-1].strip()), 200)})" if lines else ""
        if code == NOT_STARTED:
            self.fail(f"could not be started{said}")
        number = -code if code < 0 else code - 128  # the guard was ended with it, or tells of it
        killed = next((each.name for each in signal.Signals if each == number), None)
        self.fail(f"was ended by {killed}{said}" if killed else f"ended with exit code {code}{said}")


def _words(name: str, command: str) -> list[str]:
    """Return the words of a command, or raise NoughtsError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError:  # an open quotation mark
        raise NoughtsError(f"{shown(name, 100)} has a quotation mark that is not closed") from None
    if not words:
        raise NoughtsError(
            f"{shown(name)} names no program; write {name.strip()}COMMAND, such as {name.strip()}./mybot"
        )
    if "\0" in command or shutil.which(words[0]) is None:
        raise NoughtsError(f"there is no program {shown(words[0], 100)} that can be run, in {shown(name, 100)}")
    return words


def _encoded(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")
