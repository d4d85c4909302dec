"""Programs that speak a protocol well enough to be asked for a move, and then do something wrong."""

import shlex
import sys
from pathlib import Path
from textwrap import dedent, indent

OURS = """
import os, signal, subprocess, sys, time

def say(*words):
    print(*words, flush=True)

def note(process):
    with open({notes!r}, "a") as file:
        file.write(f"{{process}}\\n")

note(os.getpid())
{first}
for line in sys.stdin:
    word = line.split()[0]
    if word == "noughts":
        say("ok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
{then}
"""

GOMOCUP = """
import sys, time

def say(*words):
    print(*words, end="\\r\\n", flush=True)

for line in sys.stdin:
    word = line.split()[0]
    if word in ("START", "RESTART"):
        say("OK")
    elif word in ("BEGIN", "TURN", "DONE"):
{then}
"""


class Hostile:
    """Writes such programs into a folder, and knows the processes that they have noted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._notes = folder / "processes"

    def ours(self, then: str, first: str = "") -> str:
        """Return the player that does something at `go`, and before that something at its start."""
        return f"cmd:{self._written(OURS, then, first)}"

    def gomocup(self, then: str) -> str:
        return f"gomocup:{self._written(GOMOCUP, then, '')}"

    def _written(self, text: str, then: str, first: str) -> str:
        path = self._folder / "hostile.py"
        then = indent(dedent(then).strip(), 8 * " ")
        path.write_text(text.format(notes=str(self._notes), first=dedent(first), then=then), encoding="utf-8")
        return shlex.join([sys.executable, "-I", "-S", str(path)])

    @property
    def processes(self) -> list[int]:
        return [int(line) for line in self._notes.read_text().split()]
