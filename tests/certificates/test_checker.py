"""The checker against brute force: certificates with every change, random games, damaged and malicious files."""

import ast
import io
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.certificates import checker
from tests.certificates.own_rules import RULES, changes, holds, read, refutes
from tests.endless import by_brute_force, random_graph
from tests.helpers import TIMEOUT

CHECKER = Path(checker.__file__)


@pytest.mark.parametrize(
    ("name", "player", "share"),
    [
        ("tic-tac-toe", "X", 0.25),
        pytest.param("tic-tac-toe", "X", 1.0, marks=pytest.mark.long),
        ("tic-tac-toe", "O", 0.02),
        pytest.param("tic-tac-toe", "O", 1.0, marks=pytest.mark.long),
        pytest.param("misere", "X", 1.0, marks=pytest.mark.long),
        pytest.param("mnk:4,3,3", "X", 0.3, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("adding", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_change_of_an_entry_is_judged_as_by_brute_force(
    name: str, player: str, share: float, adding: bool
) -> None:
    """Each entry is removed, and given each other move, legal or not; then it is also joined by each other move."""
    rules, certificate = RULES[name], noughts.prove(name, player)
    whole = read(certificate.text)
    assert whole.written(certificate.text) == certificate.text
    assert holds(rules, whole)
    every = changes(rules, whole, adding=adding)
    why = set()
    for change in Random(1).sample(every, round(share * len(every))):
        case = change.of(whole)
        found = noughts.check(certificate._replace(text=case.written(certificate.text)))
        assert found.holds == holds(rules, case)
        assert found.holds or refutes(rules, case, found.line)
        why.add(found.why)
    assert {"", "there is no move for this position", "the last move is not legal"} < why


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1_000_000), player=st.sampled_from(["first", "second"]), change=st.randoms())
def test_random_games(seed: int, player: str, change: Random) -> None:
    """Games on random graphs: positions repeat, players move twice in a row, wins have margins."""
    game: Any = random_graph(seed, most=12)
    begins = game.player(0)
    seat = begins if player == "first" else -begins
    score = seat * by_brute_force(game)[0]
    low, high = game.utility_range
    if not low <= 0 <= high or game.terminal(0):
        return
    if score < 0:
        with pytest.raises(noughts.NoughtsError, match="nothing to prove"):
            noughts.prove(game, player)
        return
    certificate = noughts.prove(game, player, notation="graph")
    assert (certificate.moves is not None) == (score > 0)
    assert noughts.check(certificate, game).holds
    head, *lines = certificate.text.partition("\nclaim")[0], *certificate.text.split("\n")[5:-2]
    for _ in range(5):
        changed = list(lines)
        claim = certificate.claim
        for _ in range(change.randint(0, 2)):
            if changed:
                place = change.randrange(len(changed))
                moves = changed[place].rpartition(" ")[0]
                changed[place : place + 1] = change.choice([[], [f"{moves} {change.randrange(4)}"]])
        if certificate.moves is not None:
            claim = f"wins in {max(1, certificate.moves + change.randint(-1, 0))}"
        text = "\n".join([head, f"claim {claim}", *changed, "end", ""])
        found = noughts.check(certificate._replace(text=text), game)
        assert found.holds == graph_claim_holds(game, seat, claim, changed)


def graph_claim_holds(game: Any, seat: int, claim: str, lines: list[str]) -> bool:
    """Return whether a claim about a graph holds, by counting down: how a position can end within n moves."""
    strategy: dict[int, list[int]] = {}
    for line in lines:
        moves, _, move = line.rpartition("=> ")
        place = 0
        for each in moves.split():
            place = game.edges[place][int(each)]
        strategy.setdefault(place, []).append(int(move))
    wins = claim != "never loses"
    most = int(claim.split()[-1]) if wins else 2 * len(game.edges)
    places = range(len(game.edges))
    good = {place: game.terminal(place) and seat * game.utility(place) >= wins for place in places}
    if not wins:  # until it is shown to lose, it does not
        good = {place: good[place] or not game.terminal(place) for place in places}
    for _ in range(most):
        before, good = good, dict(good)
        for place in places:
            if game.terminal(place):
                continue
            choice = strategy.get(place, []) if game.player(place) == seat else game.actions(place)
            good[place] = bool(choice) and all(
                move < len(game.edges[place]) and before[game.edges[place][move]] for move in choice
            )
    return bool(good[0])


def test_the_checker_is_small_and_alone() -> None:
    """Under a hundred lines of code; the standard library, and not a module of the package."""
    source = CHECKER.read_text(encoding="utf-8")
    tree = ast.parse(source)
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    prose = {
        line
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    code = [n for n, line in enumerate(source.splitlines(), 1) if line.strip() and n not in prose]
    assert len(code) < 100
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """Without the package, on a game in a file."""
    certificate = noughts.prove("examples/dodgem.py", "first")
    sound, wrong, foreign = (tmp_path / name for name in ("sound", "wrong", "foreign"))
    sound.write_text(certificate.text, encoding="utf-8")
    wrong.write_text(certificate.text.replace("claim wins in 19", "claim wins in 18"), encoding="utf-8")
    foreign.write_text("a shopping list\n", encoding="utf-8")
    for file, code, told in ((sound, 0, "the claim holds"), (wrong, 1, "refuted:"), (foreign, 2, "unusable:")):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(CHECKER), str(file), "examples/dodgem.py"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout.startswith(told)


SMALL = noughts.prove("mnk:2,2,2", "first")


@pytest.mark.parametrize("length", range(len(SMALL.text)))
def test_a_file_that_is_cut_short_cannot_be_used(length: int) -> None:
    with pytest.raises(noughts.BadCertificate):
        noughts.check(SMALL._replace(text=SMALL.text[:length]))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damage_never_makes_a_wrong_claim_hold(data: st.DataObject) -> None:
    """Any bytes in any place: the file cannot be used, or is refuted, or what it says then is true."""
    content = bytearray(SMALL.text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        found = checker.check(io.BytesIO(bytes(content)), noughts.load("mnk:2,2,2"))
    except (checker.Unusable, checker.Refuted):
        return
    _, seat, after, most = checker.read_header(io.BytesIO(bytes(content)))
    answer = noughts.value(noughts.load("mnk:2,2,2"), noughts.replay(noughts.load("mnk:2,2,2"), after))
    assert found["positions"]
    if len(after) % 2 == ("first", "second").index(seat):  # the player is to move
        assert answer.value == "win" if most else answer.value in ("win", "draw")
        assert not most or (answer.distance or 0) <= most


HEAD = "noughts certificate 1\ngame tic-tac-toe\nplayer first\nafter\nclaim never loses\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00" * 1_000,
        "[" * 1_000_000,
        "noughts certificate 2\n" + HEAD.partition("\n")[2] + "=> 5\nend\n",
        HEAD.replace("first", "third") + "end\n",
        HEAD.replace("never loses", "wins in 0") + "end\n",
        HEAD.replace("never loses", f"wins in {'9' * 5_000}") + "end\n",
        HEAD.replace("never loses", "wins in -1") + "end\n",
        HEAD.replace("never loses", "wins in ٣") + "end\n",
        HEAD.replace("after", "after 5 5") + "end\n",
        HEAD + "=> 5",
        HEAD + "=> 5\nend",
        HEAD + "5\nend\n",
        HEAD + "\nend\n",
        HEAD + "=>\nend\n",
        HEAD + "5 5 => 1\nend\n",
        HEAD + "1 2 3 4 5 6 7 8 9 1 => 1\nend\n",
        HEAD + f"{'5 ' * 100_000}=> 1\nend\n",
        HEAD + "=> 5\n" * 10,
    ],
)
def test_files_that_are_no_certificates(text: str) -> None:
    with pytest.raises(noughts.BadCertificate) as caught:
        noughts.check(SMALL._replace(text=text))
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


def test_a_large_claim_needs_no_time() -> None:
    """Play goes round: found at once, however many moves are claimed."""
    game = noughts.load("examples/three_mens_morris.py")
    certificate = noughts.prove(game, "X")
    text = certificate.text.replace("claim wins in 9", "claim wins in 999999999")
    assert noughts.check(certificate._replace(text=text), game).holds
    loop = SimpleNamespace(
        initial=lambda: 0,
        player=lambda place: 1,
        actions=lambda place: ["on"],
        result=lambda place, action: (place + 1) % 1_000,
        terminal=lambda place: False,
        utility=lambda place: 0,
    )
    lines = "".join(f"{'on ' * place}=> on\n" for place in range(1_000))
    head = "noughts certificate 1\ngame loop\nplayer first\nafter\n"
    never = noughts.check(SMALL._replace(text=f"{head}claim never loses\n{lines}end\n"), loop)
    assert never.holds
    found = noughts.check(SMALL._replace(text=f"{head}claim wins in 999999999\n{lines}end\n"), loop)
    assert (found.holds, found.why) == (False, "a position is repeated, so this can go on for ever")
    assert len(found.line) == 1_000


class Pile:
    """A game whose states are lists, sets, dictionaries or objects: one or two matches are taken from four."""

    class State:
        def __init__(self, left: int, mover: int) -> None:
            self.left, self.mover = left, mover

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def make(self, left: int, mover: int) -> Any:
        made = {"list": [left, mover], "dict": {"left": left, "mover": mover}, "set": {left * mover, "pile"}}
        return self.State(left, mover) if self.kind == "object" else made[self.kind]

    def read(self, state: Any) -> tuple[int, int]:
        if self.kind == "set":
            (number,) = state - {"pile"}
            return abs(number) - 10, 1 if number > 0 else -1
        if self.kind == "object":
            return state.left, state.mover
        return (state["left"], state["mover"]) if self.kind == "dict" else tuple(state)

    def initial(self) -> Any:
        return self.make(4 + 10 * (self.kind == "set"), 1)

    def player(self, state: Any) -> int:
        return self.read(state)[1]

    def actions(self, state: Any) -> list[int]:
        return [n for n in (1, 2) if n <= self.read(state)[0]]

    def result(self, state: Any, action: int) -> Any:
        left, mover = self.read(state)
        return self.make(left - action + 10 * (self.kind == "set"), -mover)

    def terminal(self, state: Any) -> bool:
        return self.read(state)[0] == 0

    def utility(self, state: Any) -> int:
        return -self.read(state)[1]


@pytest.mark.parametrize("kind", ["list", "dict", "set", "object"])
def test_states_of_any_kind(kind: str) -> None:
    game: Any = Pile(kind)
    certificate = noughts.prove(game, "first", notation="pile")
    assert certificate.claim == "wins in 3"
    assert noughts.check(certificate, game).reached == 5
    wrong = certificate._replace(text=certificate.text.replace("=> 1", "=> 2", 1))
    assert not noughts.check(wrong, game).holds
