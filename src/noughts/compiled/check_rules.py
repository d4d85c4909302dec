"""Checks of rules before they are compiled: what each function returns, and whether its numbers fit in 64 bits.

A function that returns something wrong would make the search prove something false: a key of more bits than the table
keeps, more moves than there is room for, a score beyond the scale. Such rules are refused, with one line that says why.
"""

from collections.abc import Callable
from random import Random
from traceback import walk_tb
from typing import Any

from noughts.compiled.checked_functions import FILE_NAME, checked_functions
from noughts.compiled.checked_numbers import LARGEST, SMALLEST, CheckedNumber, Inexact, as_checked, plain
from noughts.compiled.deep_layout import MOST_MOVES, MOST_SCORE, UNIT, WORD_MOVES
from noughts.compiled.layout import MOST_CHOICES
from noughts.compiled.rules import Position, Rules
from noughts.errors import BrokenGame, NoughtsError, one_line, shown

__all__ = ["LARGEST", "RulesCheck", "Wrong", "ask", "check_rules", "is_number", "rules_check"]

GAMES, FARTHEST = 4, 200
"""How many random games are played before rules are compiled, and how many plies of each at most."""

MOST_NUMBERS = 100_000
"""After this many checked numbers, about a tenth of a second, no further position is checked."""

FEWEST = 12
"""Positions that are checked in any case."""

MOST_PLIES = 10_000
"""The most plies of a game that a kernel searches: each takes some of a thread's stack."""

MOST_DEEP_PLIES = 2_000
"""The most plies of a game that the deep search searches: its table has 12 bits for a depth."""

LARGEST_RANK = 2**56 - 1
"""The highest value of `order`: the kernel shifts it by 6 places."""

EXACT = "Compiled, numbers have 64 bits, and shifts, division, comparisons and indices need them exact."


class Wrong(Exception):
    """A mistake in rules: two texts, what is wrong and what would be right."""


def ask(what: str, function: Callable[..., Any], *given: Any) -> Any:
    """Return what a function returns; raise Wrong if it raises anything. `what` names the call in the message."""
    try:
        return function(*given)
    except Wrong:
        raise
    except Inexact as inexact:
        frames = (frame.f_code for frame, _ in walk_tb(inexact.__traceback__))
        names = [code.co_name for code in frames if code.co_filename == FILE_NAME]
        where = f", in {names[-1]}()," if names else ""
        raise Wrong(f"{what} is not exact{where} {inexact}", EXACT) from None
    except NoughtsError as error:
        failure = str(error)
    except (Exception, SystemExit) as error:
        failure = f"{type(error).__name__}: {error}".strip().rstrip(":")
    raise Wrong(f"{what} raised {failure}", "It must work in every unfinished position that play can reach.")


def is_number(found: object, most: int = LARGEST, least: int = 0) -> bool:
    """Return whether something is a whole number from `least` to `most`."""
    return type(found) is int and least <= found <= most


class RulesCheck:
    """Calls the functions of rules in positions and checks what each returns. Raises Wrong at the first mistake.

    If `checked`, they run on checked numbers, which is about ten times slower.
    """

    limits = (("longest", MOST_PLIES), ("key_bits", 63), ("choices", MOST_CHOICES))
    """The constants, and the most that each can be."""
    smallest = 0
    """The smallest number of a position."""

    def __init__(self, rules: Rules, checked: bool = True) -> None:
        self._rules = rules
        self._checked = checked
        self._functions = checked_functions(rules.compiled) if checked else vars(rules.functions)
        self._constants: dict[str, Any] = rules.constants
        for name, most in self.limits:
            found = self._constants[name]
            if not is_number(found, most, 1):
                raise Wrong(f"{name} is {found!r}", f"It must be a whole number from 1 to {most:,}.")
        self._most = rules.longest + 1
        """The highest score of the scale; no position has it, since a win takes at least one ply."""

    def offers(self, name: str) -> bool:
        """Return whether the rules have a function that may be left out."""
        return name in self._functions

    def call(self, name: str, *given: Any) -> Any:
        """Return what a function of the rules returns for a position and perhaps a move or a score."""
        function, what = self._functions[name], f"{name}({', '.join(['position', *map(str, given[1:])])})"
        if not self._checked:
            return ask(what, function, *given)
        return ask(what, lambda: plain(function(*map(as_checked, given))))

    def position(self, position: Any) -> Position:
        """Return a position as it is; raise Wrong if it is not one."""
        least = self.smallest
        if not isinstance(position, tuple) or not position or not all(is_number(n, least=least) for n in position):
            raise Wrong(
                f"the kernel's position is {position!r}",
                f"It must be a tuple of whole numbers from {'-2**63' if least else 0} to 2**63 - 1.",
            )
        arity: int = self._constants["arity"]
        if len(position) != arity:
            raise Wrong(
                f"the position has {len(position)} numbers, and at the start {arity}",
                "All positions must be tuples of the same length.",
            )
        return position

    def check_position(self, position: Position, plies: int, thorough: bool = False) -> list[int]:
        """Check what the functions return in a position that is reached after `plies` plies, and return its moves.

        The list is empty if the score is known. Unless `thorough`, only one move and one value of beta are tried.
        """
        self._check_plies(position, plies)
        self._check_key(position)
        low, high = self.bounds("score_bounds", position)
        if low == high:
            if self.offers("finish"):
                self._check_last(position)
            return []
        moves = self._moves(position)
        betas = [low + 1, 0, 1, high]
        asked, betas = (moves, betas) if thorough else (moves[plies % len(moves) :][:1], betas[plies % 4 :][:1])
        self._check_optional(position, betas)
        for move in asked:
            child = self.position(self.call("play", position, move))
            if self.offers("order"):
                rank = self.call("order", position, move, *(() if self._order_arguments == 2 else (child,)))
                if not is_number(rank, LARGEST_RANK, -LARGEST_RANK):
                    raise Wrong(f"order(position, {move}) is {rank!r}", "It must be a whole number of 56 bits at most.")
        return moves

    _order_arguments = 2

    def _check_plies(self, position: Position, plies: int) -> None:
        found = self.call("plies", position)
        if found != plies or type(found) is not int:
            raise Wrong(f"plies(position) is {found!r} after {plies}", "It must count the plies from the start.")

    def _check_key(self, position: Position) -> None:
        bits: int = self._constants["key_bits"]
        key = self.call("key", position)
        if not is_number(key, (1 << bits) - 1):
            raise Wrong(
                f"key(position) is {key!r}", f"It must be a whole number from 0 to 2**{bits} - 1: see key_bits."
            )

    def _check_optional(self, position: Position, betas: list[int], /) -> None:
        """Check what functions return that may be left out and take no move."""
        if self.offers("foresee"):
            for beta in betas:
                self.bounds("foresee", position, beta)

    def bounds(self, name: str, *given: Any) -> tuple[int, int]:
        """Return the bounds that a function returns; raise Wrong if they are not scores."""
        found, most = self.call(name, *given), self._most
        if (
            not isinstance(found, tuple)
            or len(found) != 2
            or not all(is_number(score, most, -most) for score in found)
            or found[0] > found[1]
        ):
            what = f"{name}({', '.join(['position', *map(str, given[1:])])})"
            raise Wrong(
                f"{what} is {found!r}", f"It must be two scores, the lower first: whole numbers from {-most} to {most}."
            )
        low, high = found
        return low, high

    def _check_last(self, position: Position) -> None:
        move = self.call("finish", position)
        if not is_number(move) or move & (move - 1):
            raise Wrong(f"finish(position) is {move!r}", "It must be the bit of one move, or 0.")

    def _moves(self, position: Position) -> list[int]:
        moves = self.call("expand", position)
        choices: int = self._constants["choices"]
        if not is_number(moves):
            raise Wrong(f"expand(position) is {moves!r}", "It must be a number of 63 bits, a bit for each move.")
        if not 1 <= moves.bit_count() <= choices:
            raise Wrong(
                f"expand(position) has {moves.bit_count()} moves, where score_bounds(position) leaves the score open",
                f"Leave 1 to {choices} moves (see choices), or let score_bounds(position) return the score twice.",
            )
        return [1 << place for place in range(MOST_CHOICES) if moves >> place & 1]


class DeepRulesCheck(RulesCheck):
    """The same for the rules of a deep search, whose keys and moves may take several words."""

    limits = (("longest", MOST_DEEP_PLIES), ("choices", MOST_MOVES), ("most", MOST_SCORE))
    smallest = SMALLEST

    def __init__(self, rules: Rules, checked: bool = True) -> None:
        super().__init__(rules, checked)
        self._most = self._constants["most"] * (rules.longest + 1)
        if self._most > MOST_SCORE:
            raise Wrong(
                f"the highest score, {self._constants['most']} * (longest + 1), is {self._most:,}",
                f"It may be {MOST_SCORE:,} at most: see utility_range and longest.",
            )
        if self.offers("order"):
            self._order_arguments = rules.functions.order.__code__.co_argcount

    def _check_plies(self, position: Position, plies: int) -> None:
        if self.offers("plies"):
            super()._check_plies(position, plies)

    def _check_key(self, position: Position) -> None:
        key = self.call("key", position)
        words = key if isinstance(key, tuple) else (key,)
        if len(words) != self._constants["key_words"] or not all(is_number(word, least=SMALLEST) for word in words):
            raise Wrong(
                f"key(position) is {key!r}", "It must be a whole number of 64 bits, or a tuple of them, always as many."
            )

    def _check_optional(self, position: Position, _: list[int], /) -> None:
        if self.offers("evaluate"):
            guess = self.call("evaluate", position)
            if not is_number(guess, UNIT - 1, 1 - UNIT):
                raise Wrong(
                    f"evaluate(position) is {guess!r}", f"It must be a whole number from {1 - UNIT:,} to {UNIT - 1:,}."
                )
        if self.offers("plies_left"):
            left = self.call("plies_left", position)
            if not is_number(left):
                raise Wrong(f"plies_left(position) is {left!r}", "It must be a whole number, 0 or more.")
        if self.offers("player"):
            mover = self.call("player", position)
            if mover not in (1, -1):
                raise Wrong(f"player(position) is {mover!r}", "It must be 1 or -1.")

    def _moves(self, position: Position) -> list[int]:
        found, choices = self.call("expand", position), self._constants["choices"]
        if not isinstance(found, tuple):
            return super()._moves(position)
        if len(found) != self._constants["move_words"] or not all(map(is_number, found)):
            raise Wrong(f"expand(position) is {found!r}", "It must be a tuple of words of 63 bits, always as many.")
        moves = [
            WORD_MOVES * index + place
            for index, word in enumerate(found)
            for place in range(WORD_MOVES)
            if word >> place & 1
        ]
        if not 1 <= len(moves) <= choices:
            raise Wrong(
                f"expand(position) has {len(moves)} moves, where score_bounds(position) leaves the score open",
                f"Leave 1 to {choices} moves (see choices), or let score_bounds(position) return the score twice.",
            )
        return moves


def rules_check(rules: Rules, checked: bool = True) -> RulesCheck:
    """Return the check for the search that some rules are for."""
    return DeepRulesCheck(rules, checked) if rules.is_deep else RulesCheck(rules, checked)


def check_rules(rules: Rules, seed: int = 0, most_numbers: int = MOST_NUMBERS) -> None:
    """Try rules in positions of random games, on checked numbers; raise BrokenGame at the first mistake."""
    _ = rules.compiled  # refuses what is wrong in any position
    random = Random(seed)
    line: list[int] = []
    try:
        # 1. Play random games, with plain numbers.
        check = rules_check(rules, checked=False)
        seen: list[tuple[Position, list[int]]] = []
        for _ in range(GAMES):
            line, position = [], check.position(ask("initial()", rules.functions.initial))
            while moves := check.check_position(position, len(line)):
                seen.append((position, list(line)))
                if len(line) > rules.longest:
                    raise Wrong(f"longest is {rules.longest}", "No game may take more plies than that.")
                if len(line) > FARTHEST:
                    break
                line.append(random.choice(moves))
                position = check.call("play", position, line[-1])
            seen.append((position, list(line)))
        # 2. Check some of the positions again with checked numbers, the one after the most plies first.
        random.shuffle(seen)
        seen.insert(0, max(seen, key=lambda each: len(each[1])))
        check = rules_check(rules)
        before = CheckedNumber.made
        for number, (position, line) in enumerate(seen):
            if number >= FEWEST and CheckedNumber.made - before > most_numbers:
                break
            check.check_position(position, len(line))
    except Wrong as wrong:
        message, advice = wrong.args
        after = f"after the moves {shown(' '.join(map(str, line)), 80)}" if line else "at the start"
        raise BrokenGame(one_line(f"its kernel is refused: {message}, {after}. {advice}")) from None
