"""Taking actions back: the positions from which one action leads to a given one, for any game of six functions.

What an action changes in a state is learnt from examples: which bits, and what they are afterwards. Where these bits of
another state are the same, they are changed back. If the game's own functions say that the action leads from what this
gives to the state, and if in the same way actions can be taken back from there to positions that are known to be
reachable, then it is a parent. So no parent is ever wrong; one is missed only if its action changed bits in a way that
was never seen, or if this search was given up.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.solving.first_tiers import FirstTiers, identity_of

__all__ = ["NoTakingBack", "TakeBack"]

NARROW, WIDE = 10, 192
"""Bits of a small number of a state, and of one that is a set of cells."""

MOST_CHANGES = 20_000
"""How many different changes are learnt at most."""

MOST_KEPT = 200_000
"""How many positions are remembered to be reachable or not."""

MOST_STEPS = 3_000
"""After how many positions the search for a way back is given up."""

Found = tuple[int, Any, int]
"""The code of a state, the state, and its tier."""


class NoTakingBack(Exception):
    """States of this game are not made of numbers and texts, or not always in the same way."""


class TakeBack:
    """Finds the parents of states, by what it has learnt."""

    def __init__(self, game: ResolvedGame[Any, Any], first: FirstTiers, examples: list[Any]) -> None:
        self._game, self._first, self._last = game, first, first.tiers[-1].tier
        self._identity, self._tier_of = identity_of(game), game.tier or game.plies
        self._make = _maker(game.initial())
        columns = list(zip(*(_flat(state) for state in examples), strict=False))
        if any(len(_flat(state)) != len(columns) for state in examples):
            raise NoTakingBack
        widths = [NARROW if max(map(abs, column)) < 1 << NARROW - 2 else WIDE for column in columns]
        shifts = [sum(widths[place + 1 :]) for place in range(len(widths))]
        self._fields = [(shift, (1 << width) - 1, 1 << width - 1) for shift, width in zip(shifts, widths, strict=True)]
        self._changes: dict[tuple[int, int], list[Any]] = {}
        self._can: dict[int, bool] = {}
        self.given_up = 0
        """How often it was not decided whether a position can be reached."""

    def learn(self, state: Any, action: Any, child: Any) -> None:
        """Learn what an action changes."""
        if len(self._changes) < MOST_CHANGES:
            before, after = self._code(state), self._code(child)
            changed = before ^ after
            actions = self._changes.setdefault((changed, after & changed), [])
            if action not in actions:
                actions.append(action)

    def parents(self, state: Any, tier: int) -> set[Hashable]:
        """Return the identities of the reachable positions from which one action leads to a state of a tier."""
        if len(self._can) > MOST_KEPT:
            self._can.clear()
        found = self._before(self._code(state), state, tier)
        return {self._identity(parent) for code, parent, lower in found if self._reachable(code, parent, lower)}

    def _reachable(self, code: int, state: Any, tier: int) -> bool:
        """Return whether actions can be taken back until the position is a known one: depth first."""
        if (known := self._is_known(code, state, tier)) is not None:
            return known
        path = [(code, self._before(code, state, tier))]
        for _ in range(MOST_STEPS):
            for parent in path[-1][1]:
                known = self._is_known(*parent)
                if known:
                    self._can.update((each, True) for each, _ in path)
                    return True
                if known is None:
                    path.append((parent[0], self._before(*parent)))
                    break
            else:
                self._can[path.pop()[0]] = False
                if not path:
                    return False
        self.given_up += 1
        return True

    def _is_known(self, code: int, state: Any, tier: int) -> bool | None:
        """Return whether a position can be reached, if that is known."""
        if tier <= self._last and code not in self._can:
            known = self._first.known.get(self._identity(state))
            self._can[code] = known is not None and (self._game.canonical is not None or known == state)
        return self._can.get(code)

    def _before(self, code: int, state: Any, tier: int) -> Iterator[Found]:
        """Yield what one action leads from to a state, unless it is known that it cannot be reached."""
        can = self._can
        met = [
            (code ^ changed, actions)
            for (changed, after), actions in self._changes.items()
            if code & changed == after and can.get(code ^ changed) is not False
        ]
        met.sort(key=lambda each: each[0] not in can)  # those that can be reached first: one is enough
        for earlier, actions in met:
            parent = self._make([(earlier >> shift & mask) - half for shift, mask, half in self._fields])
            if self._leads(parent, actions, state):
                yield earlier, parent, self._tier_of(parent) if self._tier_of else tier - 1

    def _leads(self, state: Any, actions: list[Any], wanted: Any) -> bool:
        """Return whether any of the actions leads from what may not be a state at all to the one that is wanted.

        Equal keys are not enough: what is no state may have the key of one, and differ in a note that a game keeps.
        """
        game = self._game
        try:
            if game.terminal(state):
                return False
            legal = list(game.actions(state))
            return any(each in legal and game.result(state, each) == wanted for each in actions)
        except Exception:  # whatever functions raise for what is no state
            return False

    def _code(self, state: Any) -> int:
        """Return the numbers of a state as one."""
        numbers, code = _flat(state), 0
        if len(numbers) != len(self._fields):
            raise NoTakingBack
        for number, (shift, mask, half) in zip(numbers, self._fields, strict=True):
            value = number + half
            if value & ~mask:
                raise NoTakingBack
            code |= value << shift
        return code


def _flat(value: Any) -> list[int]:
    """Return the numbers that a state is made of.

    >>> _flat(((1, True), "A", None))
    [1, 1, 65, 0]
    """
    found: list[int] = []
    _collect(value, found)
    return found


def _collect(value: Any, found: list[int]) -> None:
    if isinstance(value, int):
        found.append(int(value))
    elif isinstance(value, str):
        found.extend(map(ord, value))
    elif isinstance(value, tuple):
        for each in value:
            _collect(each, found)
    elif value is None:
        found.append(0)
    else:
        raise NoTakingBack


def _maker(shape: Any) -> Callable[[list[int]], Any]:
    """Return a function that makes a state of its numbers, in the shape of another state."""
    if isinstance(shape, tuple) and all(type(each) in (int, bool) for each in shape):
        make: Callable[[Any], Any] = getattr(shape, "_make", tuple)
        kinds = [type(each) for each in shape]
        if bool not in kinds:
            return make
        return lambda numbers: make([kind(each) for kind, each in zip(kinds, numbers, strict=True)])
    return lambda numbers: _rebuilt(shape, iter(numbers))


def _rebuilt(shape: Any, numbers: Iterator[int]) -> Any:
    """Return a state from its numbers, in the shape of another state."""
    if isinstance(shape, bool):
        return bool(next(numbers))
    if isinstance(shape, int):
        return next(numbers)
    if isinstance(shape, str):
        return "".join(chr(next(numbers)) for _ in shape)
    if shape is None:
        next(numbers)
        return None
    parts = [_rebuilt(each, numbers) for each in shape]
    make: Callable[[list[Any]], Any] = getattr(shape, "_make", tuple)
    return make(parts)
