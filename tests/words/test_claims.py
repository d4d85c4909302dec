"""Every number and claim in the text of an explanation, read back from the text and derived again from the rules."""

import operator
import re
from collections.abc import Callable, Hashable, Iterator
from functools import cache, reduce
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.game import MAX, Game
from noughts.games.lines import LineGame
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.notation import Position
from noughts.wire.answers import explanation as explanation_facts
from noughts.words.explanation import Explainer
from noughts.words.report import MOST_PLIES, names_of, report
from noughts.words.values import MOST_NAMED
from tests.helpers import altered
from tests.words.naive import Naive
from tests.words.test_explanation import check


class Worth(NamedTuple):
    """The utility at the end and how soon, for some player; the higher, the better."""

    utility: int
    haste: int
    """Of wins the plies to the end, negated; of losses the plies to the end; of draws 0."""

    @property
    def value(self) -> int:
        return (self.utility > 0) - (self.utility < 0)

    def said(self) -> str:
        """Return the words for it."""
        if not self.value:
            return "draws"
        by = f" by {abs(self.utility)}" if abs(self.utility) > 1 else ""
        far = " at once" if abs(self.haste) == 1 else f" in {abs(self.haste)} moves"
        return f"{'wins' if self.value > 0 else 'loses'}{by}{far}"


class Rules:
    """What the six functions of a game say, by plain minimax."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.offers = resolve(game)
        self._known: dict[Hashable, Worth] = {}

    def worth(self, state: Any) -> Worth:
        """Return what a state is worth to MAX; `haste` counts from here."""
        key = self.offers.key(state)
        if key not in self._known:
            if self.game.terminal(state):
                self._known[key] = Worth(int(self.game.utility(state)), 0)
            else:
                mover = self.game.player(state)
                found = max(self.leads_to(state, action) for action in self.game.actions(state))
                self._known[key] = Worth(mover * found.utility, mover * found.haste)
        return self._known[key]

    def leads_to(self, state: Any, action: Any) -> Worth:
        """Return what an action is worth to who takes it."""
        mover = self.game.player(state)
        utility, haste = self.worth(self.game.result(state, action))
        utility, haste = mover * utility, mover * haste
        return Worth(utility, haste - (utility > 0) + (utility < 0))

    def all(self, state: Any) -> dict[str, Worth]:
        """Return what each action is worth, by its name."""
        return {self.offers.action_name(action): self.leads_to(state, action) for action in self.game.actions(state)}

    def after(self, state: Any, *names: str) -> Any:
        for name in names:
            (action,) = (each for each in self.game.actions(state) if self.offers.action_name(each) == name)
            state = self.game.result(state, action)
        return state

    def wins_at_once(self, state: Any) -> set[str]:
        """Return the actions by which the player to move wins on the spot."""
        return {name for name, worth in self.all(state).items() if worth.value > 0 and worth.haste == -1}

    def same(self, one: Any, other: Any) -> bool:
        """Say whether two states are the same however they are turned."""
        if self.offers.canonical is not None:
            return bool(self.offers.canonical(one) == self.offers.canonical(other))
        symmetries = self.offers.symmetries
        key = self.offers.key
        return key(one) == key(other) or (symmetries is not None and key(one) in map(key, symmetries(other)))


def names_in(text: str) -> list[str]:
    return re.split(r", | and | or ", text)


class Reader:
    """Reads what is said of one state, and fails where it does not hold or is not understood."""

    def __init__(self, rules: Rules, state: Any) -> None:
        self.rules, self.state = rules, state
        first, second = rules.offers.player_names
        self.is_max = rules.game.player(state) == MAX
        self.mover, self.other = (first, second) if self.is_max else (second, first)
        self.worths = rules.all(state)
        top = max(self.worths.values())
        self.best = [name for name, worth in self.worths.items() if worth == top]
        self.top = top
        self.read: set[str] = set()

    def again(self, name: str) -> bool:
        """Say whether the same player moves again after an action."""
        after = self.rules.after(self.state, name)
        return bool(self.rules.game.player(after) == self.rules.game.player(self.state))

    def mistakes(self, name: str) -> tuple[int, int]:
        """Return how many replies give value away, and how many replies there are."""
        after = self.rules.after(self.state, name)
        if self.rules.game.terminal(after) or self.again(name):
            return 0, 0
        replies = self.rules.all(after)
        best = max(replies.values())
        return sum(each.value < best.value for each in replies.values()), len(replies)

    # The sentence.

    def sentence(self, text: str) -> None:
        found = re.fullmatch(
            rf"{re.escape(self.mover)} (?P<worth>.*?), (?:(?P<any>whatever the move)|with (?P<best>.*?))"
            r"(?:; (?P<tricky>.*) sets? the most traps|: (?P<who>it|even \S+|\S+) (?P<why>.*))?\.",
            text,
        )
        assert found is not None, text
        assert found["worth"] == self.top.said(), text
        if found["any"]:
            assert len(self.best) == len(self.worths), text
        else:
            self.some(found["best"], self.best)
        if found["tricky"]:
            assert names_in(found["tricky"]) == self.trickiest(), text
        if found["why"]:
            who = self.best[0] if found["who"] == "it" else found["who"].removeprefix("even ")
            assert who == self.best[0], text
            assert (found["who"] == "it") == (len(self.best) == 1 and self.top.value >= 0), text
            self.reason(who, found["why"])

    def some(self, text: str, wanted: list[str]) -> None:
        """Check a list of alternatives, the first of them where there are many."""
        more = re.fullmatch(r"(.*) or one of (\d+) others", text)
        if more is None:
            assert names_in(text) == wanted, text
        else:
            assert names_in(more[1]) == wanted[:MOST_NAMED], text
            assert int(more[2]) == len(wanted) - MOST_NAMED, text

    def trickiest(self) -> list[str]:
        counts = {name: self.mistakes(name)[0] for name in self.best}
        return [name for name, count in counts.items() if count == max(counts.values())]

    # The actions.

    def action(self, name: str, text: str) -> None:
        worth = self.worths[name]
        said, _, rest = text.partition(": ")
        if not rest:
            said, _, rest = text.partition("; ")
        assert said == worth.said(), (name, text)
        tails = {"refuted": False, "mistakes": False}
        for part in filter(None, rest.split("; ")):
            refuted = re.fullmatch(r"(refuted|met) by (.*?)( \.\.\.)?", part)
            mistakes = re.fullmatch(r"(\d+) of (\d+) replies (is a mistake|are mistakes)", part)
            if refuted:
                tails["refuted"] = True
                assert (refuted[1] == "refuted") == (worth.value < 0), (name, text)
                self.best_play(self.rules.after(self.state, name), refuted[2].split(), bool(refuted[3]))
            elif mistakes:
                tails["mistakes"] = True
                assert (int(mistakes[1]), int(mistakes[2])) == self.mistakes(name), (name, text)
                assert (mistakes[3] == "is a mistake") == (mistakes[1] == "1"), (name, text)
            else:
                self.reason(name, part)
        ends = self.rules.game.terminal(self.rules.after(self.state, name))
        assert tails["refuted"] == (name not in self.best and worth.value < 1 and not ends), (name, text)
        assert tails["mistakes"] == (name in self.best and self.mistakes(name)[0] > 0), (name, text)

    def best_play(self, state: Any, line: list[str], is_cut: bool) -> None:
        for name in line:
            worths = self.rules.all(state)
            assert worths[name] == max(worths.values()), (name, line)
            state = self.rules.after(state, name)
        assert (len(line) == MOST_PLIES and not self.rules.game.terminal(state)) == is_cut
        assert is_cut or self.rules.game.terminal(state)

    def reason(self, name: str, text: str) -> None:
        for pattern, holds in REASONS.items():
            found = re.fullmatch(pattern.format(mover=re.escape(self.mover), other=re.escape(self.other)), text)
            if found:
                self.read.add(pattern)
                assert holds(self, self.rules.after(self.state, name), name, *found.groups()), (name, text)
                return
        raise AssertionError(f"what does this say? {text}")

    # What is said at the end.

    def note(self, text: str) -> None:
        same = re.fullmatch(r"(.*) (are the same by symmetry|lead to the same position)\.", text)
        equal = re.fullmatch(r"(.*) are (not symmetric, but )?equal: (both|all) (win|draw|lose)(.*)\.", text)
        traps = re.fullmatch(r"Of the moves that draw, (.*) (sets?) the most traps: (.*)\.", text)
        if same:
            first, *others = names_in(same[1])
            for each in others:
                states = self.rules.after(self.state, first), self.rules.after(self.state, each)
                assert self.rules.same(*states), text
            keys = {self.rules.offers.key(self.rules.after(self.state, each)) for each in (first, *others)}
            assert (same[2] == "lead to the same position") == (len(keys) == 1), text
        elif equal:
            names = names_in(equal[1])
            assert (equal[2] is not None) == self.rules.offers.has_symmetry, text
            assert (equal[3] == "both") == (len(names) == 2), text
            for each in names:
                said = {"win": "wins", "draw": "draws", "lose": "loses"}[equal[4]] + equal[5]
                assert self.worths[each].said() == said, (each, text)
            after = [self.rules.after(self.state, each) for each in names]
            assert not any(self.rules.same(one, other) for one, other in combinations(after, 2)), text
        else:
            assert traps is not None, f"what does this say? {text}"
            assert self.top.value == 0, text
            self.traps(names_in(traps[1]), traps[2], traps[3])

    def traps(self, names: list[str], verb: str, counts: str) -> None:
        assert names == self.trickiest(), counts
        assert (verb == "sets") == (len(names) == 1), counts
        told: dict[str, tuple[int, int]] = {}
        for part in counts.split("; "):
            found = re.fullmatch(r"(\d+) of (\d+) replies (loses?)(?: after (.*))?", part)
            assert found is not None, f"what does this say? {part}"
            assert (found[3] == "loses") == (found[1] == "1"), part
            told |= dict.fromkeys(names_in(found[4]) if found[4] else names, (int(found[1]), int(found[2])))
        assert told == {name: self.mistakes(name) for name in names}, counts


def forces(reader: Reader, after: Any, _: str, reply: str) -> bool:
    """Every other reply lets the mover win at once, and no reply wins at once."""
    rules = reader.rules
    others = [each for each in rules.all(after) if each != reply]
    return not rules.wins_at_once(after) and all(rules.wins_at_once(rules.after(after, each)) for each in others)


def forks(reader: Reader, after: Any, *_: str) -> bool:
    """Whatever the reply, if it does not win at once, the mover can."""
    rules = reader.rules
    wins = rules.wins_at_once(after)
    return all(rules.wins_at_once(rules.after(after, each)) for each in rules.all(after) if each not in wins)


def lets_complete(reader: Reader, after: Any, _: str, replies: str) -> bool:
    return sorted(names_in(replies)) == sorted(reader.rules.wins_at_once(after))


def lets_fork(reader: Reader, after: Any, _: str, reply: str) -> bool:
    rules = reader.rules
    then = rules.after(after, reply)
    return not rules.wins_at_once(then) and all(rules.wins_at_once(rules.after(then, each)) for each in rules.all(then))


def others_of(reader: Reader, after: Any, reply: str) -> tuple[Worth, list[Worth]]:
    worths = reader.rules.all(after)
    return worths[reply], [worth for name, worth in worths.items() if name != reply]


def lose_at_once(reader: Reader, after: Any, _: str, reply: str) -> bool:
    own, others = others_of(reader, after, reply)
    late = own.value >= 0 or own.haste > 2
    return late and bool(others) and all(each.value < 0 and each.haste == 2 for each in others)


def only_reply(value: int) -> Callable[..., bool]:
    def holds(reader: Reader, after: Any, _: str, reply: str) -> bool:
        own, others = others_of(reader, after, reply)
        return own.value == value and bool(others) and all(each.value < value for each in others)

    return holds


def only_move(value: int) -> Callable[..., bool]:
    def holds(reader: Reader, _: Any, name: str) -> bool:
        others = [worth.value for each, worth in reader.worths.items() if each != name]
        return reader.worths[name].value == value and bool(others) and all(each < value for each in others)

    return holds


def forced_line(reader: Reader, _: Any, name: str, line: str, fork: str | None) -> bool:
    """Each reply in it is the only good one, each move of the mover a best one; at its end there is a fork."""
    rules, state = reader.rules, reader.state
    names = line.split()
    assert names[0] == name
    assert reader.worths[name].value > 0
    for ply, step in enumerate(names):
        worths = rules.all(state)
        if ply % 2:
            good = any(holds(reader, state, "", step) for holds in (lose_at_once, only_reply(0), only_reply(1)))
            assert good or list(worths) == [step], line
        elif ply:
            assert worths[step] == max(worths.values()), line
        state = rules.after(state, step)
    return forks(reader, state) if fork else len(names) >= 4


REASONS: dict[str, Callable[..., bool]] = {
    "completes (?:.*) and loses by it": lambda r, s, n: r.rules.game.terminal(s) and r.worths[n].value < 0,
    "completes (?:.*)": lambda r, s, n: r.rules.game.terminal(s) and r.worths[n].value > 0,
    "blocks (?:.*)": lambda r, s, n: True,  # the lines themselves: see `check`
    "(?:makes|keeps) a fork, (?:.*)": forks,
    r"threatens (?:.*) and so forces (\S+)": forces,
    "lets {other} complete (?:.*) on top of it": lambda r, s, n: r.rules.wins_at_once(s) == {n},
    "lets {other} complete (?:.*) with (.*)": lets_complete,
    r"lets {other} make a fork with (\S+), (?:.*)": lets_fork,
    "takes the cell where {other} would lose by (?:.*)": lambda r, s, n: True,
    "makes (?:.*) deadly for {mover} (?:.*)": lambda r, s, n: True,
    "leaves {other} nothing but to complete a line": lambda r, s, n: all(
        r.rules.game.terminal(r.rules.after(s, each)) for each in r.rules.all(s)
    ),
    "ends the game": lambda r, s, n: r.rules.game.terminal(s),
    "lets {mover} move again": lambda r, s, n: r.again(n) and not r.rules.game.terminal(s),
    r"leaves heaps with xor (\d+)": lambda r, s, n, xor: reduce(operator.xor, s.sizes) == int(xor),
    r"leaves an (odd|even) number of single stones": lambda r, s, n, which: (
        max(s.sizes) == 1 and sum(s.sizes) % 2 == (which == "odd")
    ),
    "is the only move there is": lambda r, s, n: list(r.worths) == [n],
    "is the only move that wins": only_move(1),
    "is the only move that draws": only_move(0),
    r"leaves {other} one move, (\S+)": lambda r, s, n, reply: list(r.rules.all(s)) == [reply],
    r"forces (\S+), since all else loses at once": lose_at_once,
    r"is beaten by (\S+) only": only_reply(1),
    r"has one good answer, (\S+)": only_reply(0),
    r"begins the forced line ([^,]*)(, which ends in a fork, .*)?": forced_line,
}
"""What can be said for or against an action, and when it holds: of the reader, the state after it and its name."""


def by_chance(game: Game[Any, Any], first_ply: int, games: int) -> Iterator[Any]:
    """Yield the unfinished states of games played by chance, from some ply on."""
    random = Random(11)
    for _ in range(games):
        state, ply = game.initial(), 0
        while not game.terminal(state):
            if ply >= first_ply:
                yield state
            state = game.result(state, random.choice(list(game.actions(state))))
            ply += 1


def read(rules: Rules, explainer: Explainer[Any, Any], state: Any) -> set[str]:
    """Explain a state, check all that is said, and return which kinds of reasons were given."""
    explanation = explainer.explain(state)
    names = names_of(rules.game, state)
    told = explanation_facts("", Position("", (), (state,)), resolve(rules.game), explanation)
    reader = Reader(rules, state)
    reader.sentence(told["sentence"])
    assert [each["action"] for each in told["actions"]] == list(reader.worths)
    for each in told["actions"]:
        reader.action(each["action"], each["text"])
    for note in told["notes"]:
        reader.note(note)
    assert told["trickiest"] in ([], reader.trickiest())
    whole = " ".join(report(explanation, names).split())
    for text in (told["sentence"], *told["notes"], *(each["text"] for each in told["actions"])):
        assert " ".join(text.split()) in whole
    return reader.read


class Pile:
    """Seven stones: one or two are taken, and who takes the last one wins. Who takes two moves again.

    There are two ways to take one, which come to the same. A state is what is left, who moves, and who took last.
    """

    def initial(self) -> tuple[int, int, int]:
        return 7, MAX, 0

    def player(self, state: tuple[int, int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int, int]) -> list[str]:
        return ["left", "right", "two"][: 3 if state[0] > 1 else 2]

    def result(self, state: tuple[int, int, int], action: str) -> tuple[int, int, int]:
        left, mover, _ = state
        return (left - 2, mover, mover) if action == "two" else (left - 1, -mover, mover)

    def terminal(self, state: tuple[int, int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int, int]) -> int:
        return state[2]


GAMES: dict[str, tuple[int, int]] = {
    "tic-tac-toe": (1, 10),
    "connect:4x4": (9, 8),
    "connect:5x4": (12, 12),
    "connect:4x3,3": (2, 8),
    "mnk:4,3,3": (5, 8),
    "misere": (2, 10),
    "wild": (4, 8),
    "notakto": (1, 8),
    "notakto:2": (9, 5),
    "nim:3,4,5": (0, 8),
    "nim:2,2,3,misere": (0, 10),
    "reversi:4": (5, 8),
    "examples/matches.py": (0, 6),
}
"""From which ply on, and in how many games."""


OWN: dict[str, tuple[Game[Any, Any], int, int]] = {
    "a pile": (Pile(), 0, 5),
    "tic-tac-toe without lines": (altered(TIC_TAC_TOE), 2, 8),
}


@cache
def checked(notation: str) -> set[str]:
    """Check what is said of positions of a game, and return which kinds of reasons were given."""
    game, first_ply, games = OWN.get(notation) or (noughts.load(notation), *GAMES[notation])
    rules, explainer = Rules(game), Explainer(game)
    return set().union(*(read(rules, explainer, state) for state in by_chance(game, first_ply, games)))


@pytest.mark.parametrize("notation", [*GAMES, *OWN])
def test_an_explanation_agrees_with_the_rules(notation: str) -> None:
    assert checked(notation)


def test_replies_are_counted_for_the_move_they_answer() -> None:
    """Of three moves with one mistake each to answer them, one has four replies and two have three."""
    game = noughts.load("connect:5x4")
    state = noughts.replay(game, "1231245123551")
    read(Rules(game), Explainer(game), state)
    told = explanation_facts("", Position("", (), (state,)), resolve(game), Explainer(game).explain(state))
    assert told["notes"][-1] == (
        "Of the moves that draw, 2, 4 and 5 set the most traps: "
        "1 of 3 replies loses after 2 and 5; 1 of 4 replies loses after 4."
    )


@pytest.mark.parametrize(
    ("notation", "naive", "first_ply", "games"),
    [("connect:5x4", Naive(5, 4, 4, drops=True), 12, 8), ("mnk:4,3,3", Naive(4, 3, 3), 6, 8)],
)
def test_lines_are_those_of_the_board(notation: str, naive: Naive, first_ply: int, games: int) -> None:
    game = noughts.load(notation)
    assert isinstance(game, LineGame)
    explainer = Explainer(game)
    for state in by_chance(game, first_ply, games):
        check(naive, game, explainer.explain(state))


def test_every_kind_of_reason_is_read() -> None:
    """So that the tests above have something to look at."""
    notations = ("tic-tac-toe", "misere", "connect:4x3,3", "nim:3,4,5", "nim:2,2,3,misere", *OWN)
    assert set().union(*map(checked, notations)) == set(REASONS)
