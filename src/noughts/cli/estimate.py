"""What `noughts solve` says before it solves: how large a game is, and what solving it takes on this machine."""

import sys
from collections.abc import Callable
from math import floor, log10

from noughts.cli.terminal import Terminal, complain, wrapped
from noughts.errors import NoughtsError
from noughts.solving.estimate import Estimate
from noughts.solving.size import Range

__all__ = ["large", "told", "told_time", "warn"]

LONG = 3600
"""Seconds: a solve that is likely to take longer is asked about first."""

UNITS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


def told(found: Estimate, title: str) -> str:
    """Return an estimate in lines."""
    size = found.size
    lines = [f"{title}:"]
    if size.positions is not None:
        lines.append(f"  positions  {_range(size.positions, large)}")
    lines.append(f"  stored     {_range(size.stored, large)}{_up_to(found)}")
    lines.append(f"  time       {_time(found)}, with {_workers(found)}")
    if found.table is not None and found.disk is not None:
        lines.append(f"  table      {_range(found.table, bytes_of)}")
        lines.append(f"  disk       {_range(found.disk, bytes_of)} while it runs; {bytes_of(found.free)} are free here")
    lines.append(f"  memory     about {bytes_of(found.memory)}")
    return "\n".join([*lines, "", wrapped(_how(found))])


def _up_to(found: Estimate) -> str:
    positions = found.size.positions
    return "" if positions == found.size.stored else " up to symmetry"


def _how(found: Estimate) -> str:
    """Return how the estimate was made, and how sure it is."""
    size = found.size
    if size.exact:
        counted = "Every position was counted."
    elif size.stored.high is None:
        counted = (
            "So many were counted; there are more. "
            + ("Positions repeat, or are met at several depths" if not size.ordered else "Actions cannot be taken back")
            + ", so the rest cannot be sampled."
        )
    else:
        kind = "an upper limit" if size.stored.likely is None else "the number"
        counted = (
            f"{size.counted} of {len(size.tiers)} tiers were counted, the others sampled {size.populations} times:"
            f" in 95 of 100 cases {kind} is within the brackets."
        )
    measured = "" if found.seconds is None else " Time and disk come from solving some of the positions here."
    return f"{counted}{measured} This took {found.took:.1f} s."


def _workers(found: Estimate) -> str:
    return f"{found.workers} worker{'' if found.workers == 1 else 's'}"


def _time(found: Estimate) -> str:
    return "not known" if found.seconds is None else _range(found.seconds, told_time)


def _range(found: Range, words: Callable[[float], str]) -> str:
    if found.high is None:
        return f"at least {words(found.low)}"
    if found.likely is None:
        return f"at most about {words(found.high)}"
    likely, low, high = words(found.likely), words(found.low), words(found.high)
    return likely if low == high else f"about {likely}  [{low} to {high}]"


def large(number: float) -> str:
    """Return a number in words, to three digits if it is not exact.

    >>> large(5478), large(69_763_700), large(4_531_985_219_092), large(3e21)
    ('5,478', '69.8 million', '4.53 trillion', '3.00e+21')
    """
    if number < 1e6:
        return f"{number:,.0f}"
    if number >= 1e16:
        return f"{number:.2e}"
    unit, name = next(each for each in UNITS if number >= each[0])
    return f"{_three_digits(number / unit)} {name}"


def bytes_of(number: float) -> str:
    """Return a number of bytes in words.

    >>> bytes_of(900), bytes_of(81_000_000), bytes_of(4.4e13)
    ('900 bytes', '81.0 MB', '44.0 TB')
    """
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if number >= unit:
            return f"{_three_digits(number / unit)} {name}"
    return f"{number:.0f} bytes"


def _three_digits(number: float) -> str:
    return f"{number:,.{max(0, 2 - floor(log10(max(number, 1))))}f}"


def told_time(seconds: float) -> str:
    """Return a time in words, as short as it can be.

    >>> told_time(7.4), told_time(150), told_time(8000), told_time(3e6), told_time(5e9)
    ('7 s', '2 min 30 s', '2 h 13 min', '34 days', '158 years')
    """
    whole = round(seconds)
    if whole < 1:
        return "less than a second"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 100 * 3600:
        return f"{whole // 3600:,} h {whole % 3600 // 60} min"
    days = whole // 86400
    return f"{days} days" if days < 1000 else f"{large(days / 365.25)} years"


def warn(found: Estimate, title: str, name: str) -> None:
    """Ask before a solve that takes long or does not fit on the disk; raise NoughtsError if it is not to begin."""
    time, disk = _much(found.seconds), _much(found.disk)
    if time < LONG and disk < found.free:
        return
    likely = found.size.stored.likely
    how_many = "at most " + large(found.size.stored.high or 0) if likely is None else "about " + large(likely)
    reason = (
        f"{title} has {how_many} positions to store: solving it takes about {told_time(time)} and {bytes_of(disk)}"
        f" of disk here, where {bytes_of(found.free)} are free"
    )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NoughtsError(f"{reason}; --yes begins all the same, --estimate says more")
    complain(reason)
    answer = Terminal(sys.stderr).ask("Begin all the same? Type yes or no: ")
    if answer.lower() not in ("y", "yes"):
        raise NoughtsError(f"nothing was begun; noughts solve {name} --estimate says more")


def _much(found: Range | None) -> float:
    """Return what is likely, or the upper limit; 0 if nothing is known."""
    return 0 if found is None else found.likely or found.high or 0
