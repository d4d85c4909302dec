"""Running a compiled search in a thread, while the calling thread watches its limits."""

from collections.abc import Callable
from threading import Event, Thread

from noughts.compiled.threads import POLL
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Budget, OutOfBudget

__all__ = ["watched"]


def watched(work: Callable[[], None], stop: Callable[[], None], budget: Budget) -> Stopped:
    """Do the work in a thread, and have it stopped when the time is up or the caller cancels; return what stopped it.

    `stop` is called from this thread, also after the work is done, and must make the work end soon.
    """
    failed: list[BaseException] = []
    done = Event()

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # raised below, in the thread that waits
            failed.append(error)
        finally:
            done.set()

    worker = Thread(target=guarded, daemon=True)
    stopped: Stopped = "done"
    with DeferredCtrlC() as ctrl_c:
        try:
            worker.start()
            while not done.wait(_patience(budget)):
                ctrl_c.deliver()
                budget.check()
        except OutOfBudget as out:
            stopped = out.stopped
        finally:
            stop()
            worker.join()
    if failed:
        raise failed[0]
    return stopped


def _patience(budget: Budget) -> float:
    """Return how long to wait until the next look at the limits."""
    left = budget.left.seconds
    return POLL if left is None else min(POLL, left)
