"""What every peer shares: timing a piece of work and printing the one JSON object that the driver reads."""

import argparse
import json
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")

FULL_TREE = 549_946  # nodes of tic-tac-toe from the empty board, the root included


class Timing(NamedTuple):
    """The seconds that one piece of work took."""

    cpu: float
    wall: float


def timed(work: Callable[[], Result]) -> tuple[Result, Timing]:
    """Return what the work returns, and how long it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, Timing(time.process_time() - cpu, time.perf_counter() - wall)


def best_of(rounds: int, work: Callable[[], Result]) -> tuple[Result, Timing]:
    """Do the work so many times; return its result and the timing of the round that took the least CPU time."""
    results = [timed(work) for _ in range(rounds)]
    return min(results, key=lambda result: result[1].cpu)


def add_number(parser: argparse.ArgumentParser, name: str, default: int, meaning: str) -> None:
    """Add an option to the command line whose value is a whole number from 1 up."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
        return int(text)

    parser.add_argument(name, type=number, default=default, metavar="N", help=f"{meaning} (default {default})")


def rounds_wanted(description: str | None, default: int = 3) -> int:
    """Return how many rounds the command line asks for."""
    parser = argparse.ArgumentParser(description=description)
    add_number(parser, "--rounds", default, "report the best of so many")
    rounds: int = parser.parse_args().rounds
    return rounds


def report(peer: str, version: str, nodes: int | None, timing: Timing, **more: object) -> None:
    """Print the figures of one peer as a line of JSON."""
    figures: dict[str, object] = {"peer": peer, "version": version, "nodes": nodes}
    figures |= {"cpu_seconds": timing.cpu, "wall_seconds": timing.wall}
    if nodes is not None and timing.cpu > 0:
        figures["nodes_per_second"] = nodes / timing.cpu
    print(json.dumps(figures | more))
