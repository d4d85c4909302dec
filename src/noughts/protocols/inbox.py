"""The commands that another program sends: read in a thread, so that one of them can stop the work on those before."""

import os
from collections.abc import Callable, Iterator
from queue import Queue
from threading import Event, Lock, Thread
from typing import NamedTuple

__all__ = ["LONGEST_COMMAND", "Command", "Inbox"]

LONGEST_COMMAND = 1 << 20
"""The most bytes of a line that is read; the rest of a longer one is dropped."""

MOST_WAITING = 1_000
"""How many commands wait to be carried out; those after them are not read yet."""


class Command(NamedTuple):
    """A line that was sent, without its end."""

    text: str
    is_whole: bool
    """Whether it was short enough to be kept."""
    stopped: Event
    """Set once a later command has stopped the work on this one."""


class Inbox:
    """The commands from a file descriptor, in order. `stops` says of each word whether it stops the work before it."""

    def __init__(self, source: int, stops: Callable[[str], bool]) -> None:
        self._source, self._stops = source, stops
        self._waiting: Queue[Command | None] = Queue(MOST_WAITING)
        self._open: set[Event] = set()
        self._lock = Lock()
        self.ended = Event()
        """Set once there is nothing more to read."""
        Thread(target=self._read, daemon=True).start()

    def __iter__(self) -> Iterator[Command]:
        """Yield each command; it counts as carried out when the next one is asked for."""
        while True:
            command = self._waiting.get()
            if command is None:
                return
            yield command
            with self._lock:
                self._open.discard(command.stopped)

    def _read(self) -> None:
        for line, is_whole in _lines(self._source):
            text = line.decode(errors="replace").strip().strip("\ufeff")
            command = Command(text, is_whole, Event())
            with self._lock:
                if self._stops(text.split(maxsplit=1)[0] if text else ""):
                    for each in self._open:
                        each.set()
                self._open.add(command.stopped)
            self._waiting.put(command)
        self.ended.set()
        self._waiting.put(None)


def _lines(source: int) -> Iterator[tuple[bytes, bool]]:
    """Yield each line, and whether it is whole; the last one need not have an end."""
    unread, is_whole = b"", True
    while True:
        try:
            read = os.read(source, 1 << 16)
        except OSError:  # treat unreadable input as ended
            read = b""
        *lines, unread = (unread + read).split(b"\n")
        for line in lines:
            yield line, is_whole and len(line) <= LONGEST_COMMAND
            is_whole = True
        if len(unread) > LONGEST_COMMAND:
            unread, is_whole = b"", False
        if not read:
            if unread or not is_whole:
                yield unread, is_whole
            return
