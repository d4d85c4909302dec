"""Choosing moves for another program: within its time, while the kernel may still be compiled, and with reports."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any, Generic, Protocol

from noughts.engine import Engine
from noughts.game import Action, Game, State
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Limits

__all__ = ["Chooser", "MakeChooser", "Thinker"]

READY_SECONDS = 20.0
"""How long to wait for a kernel to be compiled before the game; it goes on after that."""

SHARE_TO_WAIT, SHARE_UNTIL_READY = 0.25, 0.6
"""The share of the time for a move that may be spent on waiting for the kernel, and on that and a search without it.
The rest is kept, since compiling in another thread makes everything late."""

QUICK = 3.0
"""Seconds for a move without the kernel, after which it may be ready. With more, a search would wait for it."""

LOOK_EVERY = 0.05
"""Seconds between two looks at whether to stop waiting."""

Report = Callable[[Answer[Any] | Progress], None]


class Chooser(Protocol):
    """What chooses moves: a player."""

    def choose(self, state: Any, /) -> Any:
        """Return the action to play."""


class MakeChooser(Protocol):
    """Makes the player for one move, which may ask the engine and keeps to the limits."""

    searches: bool
    """Whether the players ask the engine; if not, it need not get ready."""

    def __call__(self, engine: Engine[Any, Any], limits: Limits, /) -> Chooser:
        """Return the player."""


class Thinker(Generic[State, Action]):
    """Chooses the moves of one game. Its engine gets ready in a thread as soon as the thinker is made.

    `make` makes the player for each move, and says whether that asks the engine at all.
    """

    def __init__(self, game: Game[State, Action], make: MakeChooser, report: Report | None = None) -> None:
        self.engine = _ReportingEngine(game, report)
        self.game = self.engine.game
        self._make = make
        self._ready = Event()
        if make.searches:
            Thread(target=self._prepare, daemon=True).start()
        else:
            self._ready.set()

    def _prepare(self) -> None:
        try:
            with suppress(Exception):  # the search will meet it again, and tell
                Engine.prepare(self.engine)
        finally:
            self._ready.set()

    @property
    def is_ready(self) -> bool:
        """Whether everything is compiled that is needed."""
        return self._ready.is_set()

    def get_ready(self, cancel: Callable[[], bool], seconds: float | None = READY_SECONDS) -> None:
        """Wait until everything is compiled, so many seconds at most."""
        started = monotonic()
        while not (self._ready.wait(LOOK_EVERY) or cancel()):
            if seconds is not None and monotonic() - started >= seconds:
                return

    def choose(self, state: State, limits: Limits) -> Action:
        """Return the action to play, within the limits."""
        started, seconds = monotonic(), limits.seconds

        def left() -> Limits:
            return limits if seconds is None else limits._replace(seconds=max(0.0, seconds - monotonic() + started))

        if not self.is_ready:
            self.get_ready(limits.cancel or (lambda: False), None if seconds is None else seconds * SHARE_TO_WAIT)
        was_ready, now = self.is_ready, left()
        if not was_ready and now.seconds is not None:
            assert seconds is not None
            now = now._replace(seconds=min(QUICK, max(0.0, now.seconds - seconds * (1 - SHARE_UNTIL_READY))))
        action = self._chosen(state, now)
        if not was_ready and self.is_ready and (left().seconds or 0) > QUICK:
            action = self._chosen(state, left())
        return action

    def _chosen(self, state: State, limits: Limits) -> Action:
        self.engine.asked = state
        action: Action = self._make(self.engine, limits).choose(state)
        return action


class _ReportingEngine(Engine[State, Action]):
    """An engine that reports what it finds about the state that a move is wanted for.

    It does not get ready when a player says so: a move must not wait for that.
    """

    def __init__(self, game: Game[State, Action], report: Report | None) -> None:
        super().__init__(game)
        self._report = report
        self.asked: State | None = None

    def prepare(self, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        """Do nothing."""

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
        *,
        to_play: bool = False,
    ) -> Answer[Action]:
        """Value a state, as any engine, and report it."""
        if self._report is None or state is not self.asked:
            return super().ask(state, limits, wanted, progress, to_play=to_play)
        answer = super().ask(state, limits, wanted, progress or self._report, to_play=to_play)
        self._report(answer)
        return answer
