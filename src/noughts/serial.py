"""Whole numbers for positions, the same in every process, and a digest that tells a game's rules from others."""

import hashlib
from collections.abc import Callable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame

__all__ = ["least_of_images", "rules_digest", "serial_key"]

GAMES, PLIES = 24, 400
"""How many games are played for a digest, and up to which ply."""


def serial_key(game: ResolvedGame[Any, Any]) -> Callable[[Any], int]:
    """Return a function from states to whole numbers: equal for symmetric states, different for all others.

    The number is made from the game's `canonical` key if it has one; else it is the lowest number of all symmetric
    images. Raises BrokenGame if a key holds anything but numbers, texts, None, and tuples or sets of these.
    """
    return least_of_images(game, _number)


def least_of_images(game: ResolvedGame[Any, Any], number: Callable[[Any], int]) -> Callable[[Any], int]:
    """Return a function from states to the number of their `canonical` key, or the least of their images' keys."""
    canonical, key, symmetries = game.canonical, game.key, game.symmetries
    if canonical is not None:
        return lambda state: number(canonical(state))
    if symmetries is None:
        return lambda state: number(key(state))
    return lambda state: min(number(key(image)) for image in symmetries(state))


def _number(key: Any) -> int:
    """Return a whole number that no other key has: even for a whole number, odd for anything else.

    >>> _number(21), _number(0)
    (42, 0)
    >>> len({_number(key) for key in (1, -1, (1,), (1, ()), ((1,),), "1", None, 1.5)})
    8
    >>> _number((True, 2.0)) == _number((1, 2))  # as equal as the keys are
    True
    """
    if type(key) is int and key >= 0:
        return key << 1
    return int.from_bytes(b"\1" + _serial(key), "big") << 1 | 1


def _serial(value: Any) -> bytes:
    """Return bytes from which a value can be told, such that no value's bytes begin with those of another."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        value = int(value)
        return b"i" + _counted(value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    if isinstance(value, str):
        return b"s" + _counted(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, bytes):
        return b"b" + _counted(value)
    if isinstance(value, tuple):
        return b"t" + _counted(b"".join(map(_serial, value)))
    if isinstance(value, frozenset):
        return b"f" + _counted(b"".join(sorted(map(_serial, value))))
    if isinstance(value, type):
        return b"c" + _counted(f"{value.__module__}.{value.__qualname__}".encode())
    if value is None or isinstance(value, float):
        return b"o" + _counted(repr(value).encode())
    raise BrokenGame(
        f"the key of a state cannot be written to a file: it holds a {type(value).__name__};"
        " offer a function key(state) that returns a number or a tuple"
    )


def _counted(content: bytes) -> bytes:
    """Return bytes with their length before them."""
    length = len(content)
    return bytes([length]) + content if length < 255 else b"\xff" + length.to_bytes(8, "big") + content


def rules_digest(game: ResolvedGame[Any, Any], check: Callable[[], None] = lambda: None) -> str:
    """Return a digest of a game's rules and keys: different, in all likelihood, if anything about them is.

    It covers what the game's functions return in `GAMES` games, played by numbers that are always the same. `check` is
    called in each state, and may raise an exception to stop.
    """
    digest, key = hashlib.blake2b(digest_size=16), serial_key(game)

    def add(*facts: Any) -> None:
        digest.update(_serial(facts))

    add(game.longest, game.utility_range)
    number = 1
    for _ in range(GAMES):
        state = game.initial()
        for _ in range(PLIES):
            check()
            if game.terminal(state):
                add(key(state), game.utility(state))
                break
            actions = game.legal_actions(state)
            add(key(state), game.to_move(state), *map(game.action_name, actions))
            number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
            state = game.result(state, actions[(number >> 33) % len(actions)])
    return digest.hexdigest()
