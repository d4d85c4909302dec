"""A player that is another program, which speaks the protocol of docs/protocol.md."""

from typing import Any, Generic

from noughts.capabilities import ResolvedGame
from noughts.errors import IllegalAction, shown
from noughts.game import Action, State
from noughts.notation import notation_of, read_action
from noughts.protocols.history import History
from noughts.protocols.program import GRACE, START_SECONDS, Program
from noughts.search.limits import Limits

__all__ = ["ProgramPlayer"]


class ProgramPlayer(Generic[State, Action]):
    """Asks another program for each move. It loses with PlayerFailed if it does anything wrong."""

    description = "another program"
    caveat = ""

    def __init__(self, game: ResolvedGame[State, Action], name: str, command: str, limits: Limits) -> None:
        self._game, self._limits = game, limits
        self._program = Program(name, command)
        self._history = History(game)

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions: a program may play any."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Ask the program, which is started when it is first asked."""
        program, limits = self._program, self._limits
        course = self._history.follow(state)
        lines = []
        if not program.is_running:
            self._start()
        elif not course.continues:
            lines.append("newgame")
        name = self._game.action_name
        lines.append(" ".join(["position", *filter(None, [course.diagram]), "moves", *map(name, course.actions)]))
        self._await("readyok", [*lines, "isready"])
        word = program.ask(
            [_go(limits)],
            self._move_in,
            None if limits.seconds is None else limits.seconds + GRACE,
            limits.cancel,
            ["stop"],
        )
        try:
            action = read_action(self._game.actions(state), self._game, word)
        except IllegalAction:
            program.fail(f"played {shown(word)}, which is not a legal move")
        self._history.play(action)
        return action

    def _start(self) -> None:
        self._program.start()
        self._await("ok", ["noughts"])
        self._await("readyok", [f"game {notation_of(self._game.game)}", "isready"])

    def _await(self, word: str, lines: list[str]) -> None:
        """Write lines, and wait for a word."""

        def seen(line: str) -> bool | None:
            self._check(line)
            return line.split()[:1] == [word] or None

        self._program.ask(lines, seen, START_SECONDS)

    def _move_in(self, line: str) -> str | None:
        """Return the move that a line names."""
        self._check(line)
        word, _, move = line.partition(" ")
        return move.strip() if word == "bestmove" else None

    def _check(self, line: str) -> None:
        """Fail if a line is an error."""
        word, _, what = line.partition(" ")
        if word == "error":
            self._program.fail(f"answered with an error: {shown(what.strip(), 100)}")

    def close(self) -> None:
        """End the program."""
        self._program.end(["quit"])


def _go(limits: Limits) -> str:
    words: list[Any] = ["go"]
    if limits.seconds is not None:
        words += ["seconds", f"{limits.seconds:g}"]
    if limits.nodes is not None:
        words += ["nodes", limits.nodes]
    return " ".join(map(str, words))
