"""Our own engines in this process, and as commands, as the other side of a protocol sees them."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from noughts.engine import Engine
from noughts.players import computer
from noughts.protocols.gomocup import Gomocup
from noughts.protocols.session import Session
from noughts.search.limits import Limits


class Make:
    """Makes players by name."""

    def __init__(self, name: str = "perfect", searches: bool = False) -> None:
        self.name, self.searches = name, searches

    def __call__(self, engine: Engine[Any, Any], limits: Limits) -> Any:
        return computer(self.name, engine, 1, limits=limits)


def told(kind: type[Session] | type[Gomocup], typed: bytes, make: Make | None = None, think: float = 0.02) -> list[str]:
    """Return the lines that an engine in this process says, once all that is typed was carried out."""
    said: list[str] = []
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb") as to:
            to.write(typed)

    Thread(target=write, daemon=True).start()
    kind(said.append, make or Make(), "1.0", think).run(reading)
    os.close(reading)
    return said


@contextmanager
def engine(*command: str) -> Iterator[Callable[..., bytes]]:
    """Yield a function that writes lines to a running engine, and returns the next one that it says."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, out = process.stdin, process.stdout

        def ask(*lines: str, end: str = "\r\n") -> bytes:
            to.write("".join(f"{line}{end}" for line in lines).encode())
            to.flush()
            return out.readline()

        yield ask
