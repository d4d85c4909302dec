"""The protocol of docs/protocol.md from the side of the engine."""

from collections.abc import Callable
from math import isfinite
from time import monotonic
from typing import Any

from noughts.errors import NoughtsError, counted, one_line, shown
from noughts.notation import THEN, load, read_position
from noughts.protocols.inbox import LONGEST_COMMAND, Command, Inbox
from noughts.protocols.thinking import MakeChooser, Thinker
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Limits

__all__ = ["Session"]

REPORT_EVERY = 0.1
"""Seconds between two reports of the progress of a search."""

Say = Callable[[str], None]


class Session:
    """Answers the commands of one program. `think` is the time for a move without limits; None is no limit."""

    def __init__(self, say: Say, make: MakeChooser, version: str, think: float | None) -> None:
        self._say, self._make, self._version, self._think = say, make, version, think
        self._thinker: Thinker[Any, Any] | None = None
        self._state: Any = None
        self._reported = 0.0

    def run(self, source: int) -> None:
        """Carry out the commands from a file descriptor until `quit`, or the end of the input."""
        inbox = Inbox(source, lambda word: word in ("stop", "quit"))
        for command in inbox:
            word, _, rest = command.text.partition(" ")
            if word == "quit":
                return
            try:
                self._carry_out(inbox, command, word, rest.strip())
            except NoughtsError as error:
                self._say(f"error {error}")
            except (
                ArithmeticError,
                LookupError,
                TypeError,
                ValueError,
                RuntimeError,
                SystemExit,
                MemoryError,
            ) as error:
                self._say(f"error {type(error).__name__}: {one_line(str(error))}")  # a game file may raise anything

    def _carry_out(self, inbox: Inbox, command: Command, word: str, rest: str) -> None:
        if not command.is_whole:
            raise NoughtsError(f"a line has at most {counted(LONGEST_COMMAND, 'byte')}")
        if word in ("", "stop"):
            return
        if word == "noughts":
            self._say(f"id name noughts {self._version}")
            self._say("ok")
        elif word == "game":
            self._begin(rest)
        elif word == "newgame":
            self._state = self._at_work().game.initial()
        elif word == "position":
            self._set_up(rest)
        elif word == "isready":
            if self._thinker is not None:
                self._thinker.get_ready(command.stopped.is_set)
            self._say("readyok")
        elif word == "go":
            self._go(inbox, command, rest.split())
        else:
            known = "noughts, game, newgame, position, isready, go, stop, quit"
            raise NoughtsError(f"there is no command {shown(word)}; there are: {known}")

    def _begin(self, notation: str) -> None:
        game = load(notation)
        if self._thinker is None or self._thinker.game.game is not game:
            self._thinker = Thinker(game, self._make, self._report)
        self._state = self._thinker.game.initial()

    def _at_work(self) -> Thinker[Any, Any]:
        if self._thinker is None:
            raise NoughtsError("say first which game it is, such as: game tic-tac-toe")
        return self._thinker

    def _set_up(self, text: str) -> None:
        """Read a position: a diagram or none, and the moves since."""
        game = self._at_work().game
        diagram, _, moves = f" {text} ".partition(" moves ")
        parts = [diagram.strip(), moves.strip()]
        self._state = read_position(game, f" {THEN} ".join(parts) if all(parts) else "".join(parts)).state

    def _go(self, inbox: Inbox, command: Command, words: list[str]) -> None:
        thinker = self._at_work()
        game = thinker.game
        nodes, seconds = _limits_in(words)
        if nodes is None and seconds is None:
            seconds = self._think

        def cancel() -> bool:
            # A search with limits is finished, so that a file with commands can be given as input.
            return command.stopped.is_set() or (nodes is None and seconds is None and inbox.ended.is_set())

        if game.terminal(self._state):
            raise NoughtsError("the game is over in this position")
        action = thinker.choose(self._state, Limits(nodes, seconds, cancel))
        self._say(f"bestmove {game.action_name(action)}")

    def _report(self, found: Answer[Any] | Progress) -> None:
        """Write a line about a search: what it has found, or how far it is."""
        if isinstance(found, Progress):
            if monotonic() - self._reported >= REPORT_EVERY:
                self._reported = monotonic()
                line = f" line {' '.join(found.line)}" if found.line else ""
                self._say(f"info depth {found.depth} nodes {found.nodes} seconds {found.seconds:.3f}{line}")
            return
        name = self._at_work().game.action_name
        words = ["info", *([] if found.depth is None else ["depth", str(found.depth)]), "score", found.value]
        if found.distance is not None:
            words.append(str(found.distance))
        if found.bound is not None:
            words.append(found.bound)
        words += ["nodes", str(found.nodes), "seconds", f"{found.seconds:.3f}"]
        if found.line:
            words += ["line", *map(name, found.line)]
        self._say(" ".join(words))


def _limits_in(words: list[str]) -> tuple[int | None, float | None]:
    """Return the limits of nodes and of seconds that `go` names."""
    nodes: int | None = None
    seconds: float | None = None
    if len(words) % 2:
        raise NoughtsError("go takes seconds S, nodes N or both")
    for key, value in zip(words[::2], words[1::2], strict=True):
        try:
            if key == "nodes":
                nodes = int(value)
            elif key == "seconds":
                seconds = float(value)
            else:
                raise NoughtsError(f"go has no limit called {shown(key)}; it takes seconds S, nodes N or both")
        except ValueError:
            raise NoughtsError(f"{key} takes a number, not {shown(value)}") from None
    if (nodes is not None and nodes < 1) or (seconds is not None and not (isfinite(seconds) and seconds > 0)):
        raise NoughtsError("a limit is a number above 0")
    return nodes, seconds
