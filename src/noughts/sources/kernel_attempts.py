"""The kernel as two sources of an engine: a first attempt, for a moment, and a long one."""

from collections.abc import Callable

from noughts.errors import NoKernel
from noughts.game import Action, State
from noughts.notices import tell_once
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Limits, OutOfBudget
from noughts.sources.kernel import NativeSearch
from noughts.sources.question import Question, Source

__all__ = ["KernelAtOnce", "KernelSearch"]

AT_ONCE = 0.05
"""Seconds for a first attempt, before a short look ahead; most positions take far less."""

AT_ONCE_SHARE = 0.25
"""The share of what is left of the nodes that a first attempt may take; the glance needs some, too."""

SHARE: dict[Wanted, float] = {"one": 0.95, "best": 0.75, "all": 0.75}
"""The share of what is left that a long attempt may spend; the rest is for looking ahead if it does not finish."""

NO_LIMITS = Limits()

TOO_FEW_NODES = 10_000
"""For a question with a lower limit of nodes than this, a kernel is not worth loading."""


class KernelAtOnce(Source[State, Action]):
    """A kernel asked for what it can settle in a moment, if it is loaded."""

    def __init__(self, native: NativeSearch[State, Action]) -> None:
        self.native = native

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or the bounds found in a moment; None if the kernel is not loaded yet.

        If nothing will stop the search, and nobody waits for its progress, it goes on to the end: no guess is needed.
        """
        if not self.native.is_loaded:
            return None
        question.native = True
        if question.progress is None and question.limits == NO_LIMITS:
            if not question.to_play:
                return self.native.ask_beyond(question.known, question.state, NO_LIMITS, question.wanted)
            return _ask(self.native, question, lambda _: NO_LIMITS)
        return _ask(self.native, question, lambda wanted: self._limits(question, wanted))

    def _limits(self, question: Question[State, Action], wanted: Wanted) -> Limits:
        """Return the limits of a first attempt."""
        nodes, _, cancel, depth = question.budget.part(AT_ONCE_SHARE)
        left = question.budget.left.seconds
        return Limits(nodes, AT_ONCE if left is None else min(AT_ONCE, left * SHARE[wanted]), cancel, depth)


class KernelSearch(Source[State, Action]):
    """The same kernel, loaded if need be, and asked for as long as the limits allow."""

    def __init__(self, native: NativeSearch[State, Action]) -> None:
        self.native = native
        self._broken: str | None = None
        """Why the kernel cannot be built, once that has failed."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or the bounds proven when the limits stopped it; None if there is no time to load it."""
        if not self._ready(question):
            return None
        question.native = True
        return _ask(self.native, question, lambda wanted: question.budget.part(SHARE[wanted]), question.progress)

    def _ready(self, question: Question[State, Action]) -> bool:
        """Load the kernel if that is worth it; return whether it is loaded."""
        native, limits = self.native, question.budget.left
        if native.is_loaded:
            return True
        if self._broken is not None:
            return self._tell()
        few = question.limits.nodes is not None and question.limits.nodes < TOO_FEW_NODES
        if few or (limits.cancel is not None and limits.cancel()):
            return False
        if limits.seconds is not None and native.seconds_to_load > limits.seconds:
            return False
        self.load(limits)
        return native.is_loaded if self._broken is None else self._tell()

    def _tell(self) -> bool:
        """Tell the user, once, why the search is slower; return False, since there is no kernel."""
        tell_once(f"the search is interpreted, which is slower: {self._broken}")
        return False

    def load(self, limits: Limits) -> None:
        """Load the kernel, and compile it if need be, within limits. Once that has failed, it is not tried again.

        Says nothing of a failure: the server compiles kernels before anybody asks. The next question reports it.
        """
        if self._broken is not None:
            return
        try:
            self.native.load(limits)
        except OutOfBudget:
            return
        except NoKernel as why:
            self._broken = str(why)

    @property
    def is_loaded(self) -> bool:
        """Whether the kernel is loaded."""
        return self.native.is_loaded

    def prepare(self, limits: Limits) -> bool:
        """Load the kernel, and compile it if need be, however long that takes; return False: it may not know all."""
        self.load(Limits(cancel=limits.cancel))
        return False

    def forget(self) -> None:
        """Empty the table."""
        self.native.forget()

    @property
    def bytes(self) -> int:
        """How much memory the table may take."""
        return self.native.bytes


def _ask(
    native: NativeSearch[State, Action],
    question: Question[State, Action],
    limits: Callable[[Wanted], Limits],
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action] | None:
    """Ask a kernel for what is not known yet: for a player who is to move, one best move first, and then the others."""
    known = question.known
    if question.to_play and question.wanted != "one" and (known is None or not known.proven):
        question.add(native.ask_beyond(known, question.state, limits("one"), "one", progress))
        if question.stopped != "done":
            return None
    wanted = question.wanted
    return native.ask_beyond(question.known, question.state, limits(wanted), wanted, progress)
