"""`noughts prove` and `noughts check` as people and scripts run them."""

import json
from pathlib import Path

import pytest

import noughts
from noughts.certificates.certificate import MOST_BYTES
from noughts.certificates.estimate import SAMPLES, estimate
from noughts.errors import BadCertificate
from tests.certificates.own_rules import RULES, holds, read
from tests.command import Noughts
from tests.endless import example
from tests.helpers import in_the_long_run


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_prove_and_check(command: Noughts, tmp_path: Path) -> None:
    file = str(tmp_path / "proof.txt")
    done = command("prove", "tic-tac-toe", "--for", "x", "-o", file, "--json")
    facts = json.loads(done.stdout)
    size = Path(file).stat().st_size
    assert facts == {
        "game": "tic-tac-toe",
        "player": "first",
        "after": "",
        "claim": "never loses",
        "moves": None,
        "positions": 78,
        "bytes": size,
        "seconds": facts["seconds"],
        "file": file,
    }
    assert command("prove", "tic-tac-toe", "--for", "first").stdout == Path(file).read_text(encoding="utf-8")
    done = command("check", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Tic-tac-toe: X never loses.\nThe claim holds, against every reply: 78 moves")
    facts = json.loads(command("check", file, "tic-tac-toe", "--json").stdout)
    assert (facts["holds"], facts["positions"], facts["refutation"]) == (True, 78, None)


def test_check_tells_the_line_that_refutes(command: Noughts, tmp_path: Path) -> None:
    file = tmp_path / "proof.txt"
    text = noughts.prove("tic-tac-toe", "O").text
    file.write_text(text.replace("1 => 5\n", "1 => 2\n"), encoding="utf-8")
    done = command("check", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "Tic-tac-toe: O never loses.\nNo: refuted by 1 2 3: there is no move for this position.\n"
    facts = json.loads(command("check", str(file), "--json").stdout)
    assert (facts["holds"], facts["refutation"], facts["why"]) == (False, "1 2 3", "there is no move for this position")


def test_a_certificate_never_has_a_file_loaded(command: Noughts, tmp_path: Path) -> None:
    """The file of a game is run only if the person names it."""
    spy = tmp_path / "game.py"
    spy.write_text("raise SystemExit('run')\n", encoding="utf-8")
    proof = tmp_path / "proof.txt"
    text = noughts.prove("examples/dodgem.py", "first").text
    assert text.split("\n")[1] == "game dodgem.py"
    proof.write_text(text.replace("game dodgem.py", f"game {spy}"), encoding="utf-8")
    done = command("check", str(proof))
    assert done.returncode == 2
    assert "say where that is" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = command("check", str(proof), "examples/dodgem.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert "First wins in at most 19 moves" in done.stdout
    done = command("check", str(proof), "tic-tac-toe")
    assert done.returncode == 2
    assert "where that is no move of this game" in done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("prove", "tic-tac-toe", "--for", "Z"), "there is no player 'Z'; choose first or second, X or O"),
        (("prove", "nim:1,2,3", "--for", "first"), "First loses against best play, so there is nothing to prove"),
        (("prove", "tic-tac-toe", "1", "2", "3", "4", "5", "6", "7", "--for", "X"), "the game is over"),
        (("prove", "tic-tac-toe", "O.X/.X./...", "--for", "X"), "begins with moves, not with a diagram"),
        (("prove", "tic-tac-toe", "--for", "X", "--format", "htm"), "did you mean html?"),
        (("prove", "tic-tac-toe", "--for", "X", "--seconds", "-1"), "--seconds must be"),
        (("prove", "tic-tac-toe", "--for", "X", "--estimate", "--samples", "0"), "--samples must be a number above 0"),
        (("prove", "connect:7x6,5", "--for", "X", "--seconds", "0.01"), "was not solved before the deadline"),
        (("prove", "tic-tac-toe"), "the following arguments are required: --for"),
        (("check", "no-such-file"), "there is no file 'no-such-file'"),
        (("check", "src"), "is not a regular file"),
        (("check", "/dev/zero"), "is not a regular file"),
        (("check", "a\0b"), ""),
        (("check", "README.md"), "its first five lines are not those of a `noughts certificate 1`"),
        (("check", "docs/pictures/tic-tac-toe.png"), "its first five lines are not"),
    ],
)
def test_bad_input_gets_one_line(command: Noughts, args: tuple[str, ...], told: str) -> None:
    if "\0" in "".join(args):  # no shell can pass it on
        with pytest.raises(BadCertificate, match=r"cannot be read|there is no file"):
            noughts.check(args[1])
        return
    done = command(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_game_that_does_not_exist_is_named(tmp_path: Path) -> None:
    file = tmp_path / "proof"
    file.write_text(noughts.prove("mnk:2,2,2").text.replace("game mnk:2,2,2", "game chess"), encoding="utf-8")
    with pytest.raises(noughts.UnknownGame, match="chess"):
        noughts.check(file)
    with pytest.raises(noughts.UnknownGame, match="checkers"):
        noughts.check(file, "checkers")
    assert noughts.check(file, "mnk:2,2,2").holds


def test_a_file_of_any_size_is_told_apart(tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadCertificate, match="larger than"):
        noughts.check(huge)
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES)
    with pytest.raises(BadCertificate, match="first five lines"):
        noughts.check(huge)


def test_an_estimate_of_a_small_game_is_exact(command: Noughts) -> None:
    facts = json.loads(command("prove", "tic-tac-toe", "--for", "X", "--estimate", "--json").stdout)
    assert (facts["positions"], facts["exact"], facts["samples"]) == (78, True, [78])
    told = command("prove", "tic-tac-toe", "--for", "O", "--estimate", "--samples", "20", "--seed", "1").stdout
    assert told.startswith("About ")
    assert f"by {SAMPLES} samples" in told


@pytest.mark.parametrize("seed", range(5))
def test_an_estimate_is_near_the_truth(seed: int) -> None:
    """With a sample of every fifth position of the broadest plies."""
    engine = noughts.Engine(noughts.load("tic-tac-toe"))
    found = estimate(engine, engine.game.initial(), noughts.MIN, sample=20, seed=seed)
    assert not found.exact
    assert len(found.sizes) == SAMPLES
    assert 298 / 2 < found.positions < 298 * 2


def test_cancelling_leaves_no_file(command: Noughts, tmp_path: Path) -> None:
    limits = noughts.Limits(cancel=lambda: True)
    with pytest.raises(noughts.NoughtsError, match="stopped before the strategy was complete"):
        noughts.prove("tic-tac-toe", limits=limits)
    certificate = noughts.prove("tic-tac-toe")
    with pytest.raises(noughts.NoughtsError, match="stopped before the check was complete"):
        noughts.check(certificate, cancelled=lambda: True)


EXAMPLES = [
    ("three_mens_morris", "X", (), "wins in 9"),
    ("three_mens_morris", "X", (9, 8, 4, 6), "never loses"),
    ("three_mens_morris", "O", (9, 8, 4, 6), "never loses"),
    ("dodgem", "first", (), "wins in 19"),
    ("king_and_rook", "White", (), "wins in 15"),
]


@pytest.mark.parametrize(("name", "player", "after", "claim"), in_the_long_run(EXAMPLES, all_but=EXAMPLES[1:4:2]))
def test_games_in_which_positions_repeat(name: str, player: str, after: tuple[int, ...], claim: str) -> None:
    game = example(name)
    certificate = noughts.prove(game, player, after)
    assert certificate.claim == claim
    found = noughts.check(certificate, game)
    assert (found.holds, found.positions) == (True, certificate.positions)
    if certificate.moves is not None:
        sooner = certificate.text.replace(f"claim {claim}", f"claim wins in {certificate.moves - 1}")
        refuted = noughts.check(certificate._replace(text=sooner), game)
        assert (refuted.holds, len(refuted.line)) == (False, certificate.moves)
    lines = certificate.text.split("\n")
    for number in range(5, len(lines) - 2, 7):
        text = "\n".join([*lines[:number], *lines[number + 1 :]])
        assert not noughts.check(certificate._replace(text=text), game).holds


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "player"),
    [
        *(("misere", "X"), ("misere", "O"), ("mnk:4,3,3", "X"), ("connect:4x4", "X"), ("connect:4x4", "O")),
        *(("connect:5x4", "X"), ("connect:5x4", "O"), ("connect:6x4", "O"), ("connect:6x4", "X")),
    ],
)
def test_larger_games(name: str, player: str) -> None:
    """Proved, checked, and judged by other rules."""
    try:
        certificate = noughts.prove(name, player)
    except noughts.NoughtsError:
        assert noughts.value(noughts.load(name)).value == ("loss" if player == "X" else "win")
        return
    assert noughts.check(certificate).holds
    assert holds(RULES[name], read(certificate.text))
