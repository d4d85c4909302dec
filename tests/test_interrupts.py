"""Ctrl-C, marked and deferred."""

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from noughts.cli.limits import interruptible
from noughts.interrupts import CtrlC, DeferredCtrlC, marked_ctrl_c, was_pressed


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_deferred_ctrl_c_is_raised_at_the_end() -> None:
    done: list[str] = []

    def work() -> None:
        with marked_ctrl_c(), DeferredCtrlC():
            press()
            done.append("the work")

    with pytest.raises(CtrlC):
        work()
    assert done == ["the work"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_deferred_ctrl_c_can_be_delivered_between_two_steps() -> None:
    done: list[str] = []

    def work() -> None:
        with DeferredCtrlC() as ctrl_c:
            ctrl_c.deliver()
            press()
            done.append("one step")
            ctrl_c.deliver()
            done.append("never")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["one step"]


def test_the_handler_that_was_there_gets_a_deferred_ctrl_c() -> None:
    """Such as the command line's, which only sets a flag; once for each time that it is delivered."""
    numbers: list[int] = []

    def note(number: int, _: Any) -> None:
        numbers.append(number)

    signal.signal(signal.SIGINT, note)
    with DeferredCtrlC():
        with DeferredCtrlC() as inner:
            press()
            inner.deliver()
            assert numbers == []
        assert numbers == []
    assert numbers == [signal.SIGINT]
    assert signal.getsignal(signal.SIGINT) is note


def test_a_second_ctrl_c_is_not_lost_while_the_first_one_waits() -> None:
    """On the command line the first one asks for what is known by now, and the second one ends the command."""
    steps: list[str] = []

    def work() -> None:
        with marked_ctrl_c(), interruptible() as cancelled:
            with DeferredCtrlC():
                press()
            steps.append(f"cancelled: {cancelled()}")
            with DeferredCtrlC():
                press()
                steps.append("still at work")
            steps.append("never")

    def in_one_step() -> None:
        with marked_ctrl_c(), interruptible(), DeferredCtrlC():
            press()
            press()

    for each in (work, in_one_step):
        with pytest.raises(CtrlC):
            each()
    assert steps == ["cancelled: True", "still at work"]


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with DeferredCtrlC():
        press()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_in_other_threads_nothing_is_deferred() -> None:
    handlers: list[Any] = []

    def work() -> None:
        with DeferredCtrlC():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


def test_a_game_that_raises_keyboard_interrupt_is_not_taken_for_a_deferred_ctrl_c() -> None:
    assert was_pressed(KeyboardInterrupt())
    with DeferredCtrlC():
        assert not was_pressed(KeyboardInterrupt())
        assert was_pressed(CtrlC())
