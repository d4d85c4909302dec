"""`noughts analyse`, `games` and `bench`, as people and scripts use them."""

import json
import re
import signal
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pexpect
import pytest

import noughts
from noughts.cli.commands import COMMANDS
from noughts.games import GAMES
from tests.command import Noughts
from tests.helpers import TIMEOUT, process_seconds, until

FIELDS = [
    *("game", "position", "to_move", "value", "distance", "margin", "proven", "bound", "low", "high", "sentence"),
    *("best", "guess", "line", "line_complete", "endless", "actions", "method", "depth", "nodes", "seconds", "stopped"),
    "peak_mib",
]


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def answered(command: Noughts, *args: str) -> dict[str, Any]:
    done = command("analyse", *args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_the_json_is_what_the_library_answers(command: Noughts) -> None:
    facts = answered(command, "tic-tac-toe", "5", "1", "3")
    game = noughts.load("tic-tac-toe")
    answer = noughts.Engine(game).analyse(noughts.replay(game, "5 1 3"))
    assert list(facts) == FIELDS
    assert (facts["game"], facts["position"], facts["to_move"]) == ("tic-tac-toe", "5 1 3", "O")
    assert (facts["value"], facts["distance"], facts["proven"]) == ("draw", None, True)
    assert (facts["best"], facts["sentence"]) == (["7"], "O draws, with 7.")
    assert facts["line"] == [str(action) for action in answer.line]
    assert facts["actions"][0] == {
        "action": "2",
        "value": "loss",
        "distance": 2,
        "margin": -1,
        "exact": True,
        "bound": None,
    }
    assert (facts["method"], facts["nodes"], facts["stopped"]) == ("memo", answer.nodes, "done")


@pytest.mark.parametrize("method", ["auto", "minimax", "alphabeta", "deepening", "mtd", "proof", "mcts"])
def test_every_method_answers_the_same(command: Noughts, method: str) -> None:
    facts = answered(command, "mnk:3,3,3", "b2 a1 c1", "--method", method)
    assert (facts["value"], facts["proven"]) == ("draw", True)
    assert facts["best"] == ["a3"]
    assert facts["method"] == ("memo" if method == "auto" else method)


def test_text_for_people(command: Noughts) -> None:
    done = command("analyse", "tic-tac-toe", "1 4 2 5")
    assert "X wins at once, with 3." in done.stdout
    assert "* 3  wins at once" in done.stdout
    assert "line: 3" in done.stdout
    assert "memo: to the end" in done.stdout
    assert "B loses by 8 in 10 moves" in command("analyse", "reversi:4").stdout
    assert "The game is over: O has lost." in command("analyse", "tic-tac-toe", "1 4 2 5 3").stdout
    assert "The game is over: a draw." in command("analyse", "tic-tac-toe", "XOX/OOX/XXO").stdout


def test_limits_are_kept_and_told(command: Noughts) -> None:
    facts = answered(command, "connect:7x6,5", "--nodes", "3000")
    assert (facts["value"], facts["proven"], facts["stopped"]) == ("unknown", False, "node limit")
    assert facts["nodes"] <= 3000
    assert (facts["best"], bool(facts["guess"])) == ([], True)
    assert answered(command, "connect:7x6,5", "--depth", "3")["stopped"] == "depth limit"
    assert answered(command, "connect:7x6,5", "--seconds", "0.2")["stopped"] == "deadline"
    said = command("analyse", "connect:7x6,5", "--nodes", "3000").stdout
    assert "Not known. A guess, looking " in said
    assert "stopped by the node limit" in " ".join(said.split())


def test_many_moves_of_which_nothing_is_known_take_one_line(command: Noughts) -> None:
    """JSON lists every move all the same."""
    said = command("analyse", "mnk:15,15,5", "h8", "--nodes", "1").stdout
    assert "\nNothing is known of any of the 224 moves.\n" in said
    assert "unknown" not in said
    assert len(answered(command, "mnk:15,15,5", "h8", "--nodes", "1")["actions"]) == 224


def test_a_line_without_end_is_cut_short(command: Noughts, tmp_path: Path) -> None:
    rules = """
        def initial(): return 0
        def player(state): return 1 if state % 2 == 0 else -1
        def actions(state): return [0]
        def result(state, action): return state + 1
        def terminal(state): return state == 300
        def utility(state): return 1
    """
    (tmp_path / "long.py").write_text(dedent(rules))
    (line,) = re.findall("line: (.*)", command("analyse", str(tmp_path / "long.py")).stdout)
    assert line == " ".join(["0"] * 100 + ["..."])


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "GAME"),
        (["tic-tac-toe", "--method", "alphabet"], "did you mean alphabeta?"),
        (["tic-tac-toe", "--method", "guess"], "there are: auto, minimax"),
        (["tic-tac-toe", "--depth", "0"], "--depth must be a number above 0"),
        (["tic-tac-toe", "--depth", "1.5"], "--depth must be a whole number, not '1.5'"),
        (["tic-tac-toe", "--seconds", "soon"], "--seconds must be a number, not 'soon'"),
        (["tic-tac-toe", "--nodes", "-1"], "--nodes must be a number above 0"),
        (["tic-tac-toe", "--seconds", "-1"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["tic-tac-toe", "--table-mib", "0"], "--table-mib must be a number above 0"),
        (["tic-tac-toe", "--table-mib", "inf"], "--table-mib must be a number above 0"),
        (["tic-tac-toe", "--seconds", "nan"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["tic-tac-toe", "--method", "proof", "--depth", "3"], "--depth does not go with proof"),
        (["tic-tac-toe", "5", "5"], "'5' cannot be played after 5"),
        (["tictactoe"], "did you mean tic-tac-toe?"),
        (["mnk:3,3"], "mnk:COLUMNS,ROWS,IN-A-ROW"),
    ],
)
def test_wrong_calls_get_one_line_and_exit_code_2(command: Noughts, args: list[str], complaint: str) -> None:
    done = command("analyse", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_control_c_gives_the_best_answer_so_far(noughts_command: str, clean_env: dict[str, str]) -> None:
    process = subprocess.Popen(
        [noughts_command, "analyse", "connect:7x6,5", "--json", "--seconds", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env,
    )
    until(lambda: process_seconds(process.pid) > 4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, err) == (0, b"")
    facts = json.loads(out)
    assert (facts["stopped"], facts["value"]) == ("cancelled", "unknown")
    assert facts["guess"]
    assert facts["depth"] >= 3


def test_a_live_line_for_people_and_none_for_scripts(noughts_command: str, clean_env: dict[str, str]) -> None:
    for seconds in (0, 1):
        child = pexpect.spawn(
            noughts_command,
            ["analyse", "connect:7x6,5", "--seconds", str(seconds)],
            env=clean_env,
            encoding="utf-8",
            timeout=TIMEOUT,
        )
        if not seconds:
            child.expect(r"depth \d+, [\d,]+ nodes, [\d,]+ nodes/s, 4 between (loses|draws|wins).* and ")
            child.sendintr()
        child.expect(r"stopped\s+by\s+" + (r"the\s+time\s+limit" if seconds else r"Ctrl-C"))
        child.close()


@pytest.mark.parametrize("method", ["auto", "minimax", "alphabeta", "deepening", "mtd", "proof", "mcts"])
@pytest.mark.parametrize("limit", [["--nodes", "10"], ["--seconds", "0.01"]])
def test_running_out_is_never_a_draw_nor_the_end(command: Noughts, method: str, limit: list[str]) -> None:
    done = command("analyse", "mnk:5,5,4", "--method", method, *limit)
    text, chosen = done.stdout, "" if method == "auto" else f" --method {method}"
    assert "Not known. A guess" in text
    if "--seconds" in limit:
        assert done.stderr.endswith(f"takes: noughts analyse mnk:5,5,4 --value{chosen} --seconds 0\n")
    assert "stopped by the" in " ".join(text.split())
    assert "0 plies" not in text
    facts = answered(command, "mnk:5,5,4", "--method", method, *limit)
    assert (facts["value"], facts["proven"], len(facts["guess"]) >= 1) == ("unknown", False, True)
    assert facts["best"] == []


@pytest.mark.parametrize("method", ["auto", "minimax", "alphabeta", "deepening", "mtd", "proof", "mcts"])
def test_a_finished_game_by_every_method(command: Noughts, method: str) -> None:
    facts = answered(command, "tic-tac-toe", "1 4 2 5 3", "--method", method)
    assert (facts["value"], facts["distance"], facts["best"], facts["proven"]) == ("loss", 0, [], True)
    assert "The game is over: O has lost." in command("analyse", "tic-tac-toe", "1 4 2 5 3", "--method", method).stdout


def test_games_are_listed(command: Noughts) -> None:
    text = command("games").stdout
    listed = json.loads(command("games", "--json").stdout)["games"]
    assert [game["name"] for game in listed] == list(GAMES)
    for game in listed:
        assert game["notation"] in text
        assert game["known"] in text
        assert game["sizes"] in text
        for example in game["examples"]:
            noughts.load(example)


@pytest.mark.parametrize(
    ("sizes", "accepted", "refused"),
    [
        ("1 to 3 boards (default: 1)", "notakto notakto:1 notakto:3", "notakto:0 notakto:4"),
        (
            "1 to 20 columns and rows; a line must fit on the board",
            "mnk:1,1,1 mnk:20,20,20 mnk:20,1,1 mnk:1,20,20",
            "mnk:0,1,1 mnk:1,0,1 mnk:21,20,5 mnk:20,21,5 mnk:20,20,21 mnk:3,3,4 mnk:3,3,0",
        ),
        (
            "width, height and line 1 to 12 (default line: 4)",
            "connect:1x1 connect:1x1,1 connect:12x12,12",
            "connect:0x1 connect:1x0 connect:13x12 connect:12x13 connect:12x12,13 connect:3x3,0",
        ),
        ("2 to 5", "cube:2 cube:5", "cube:1 cube:6"),
        (
            "1 to 9 heaps of 1 to 99 stones",
            "nim:1 nim:99 nim:1,1,1,1,1,1,1,1,1",
            "nim:0 nim:100 nim:1,1,1,1,1,1,1,1,1,1",
        ),
        ("4, 6 or 8 (default: 8)", "reversi reversi:4 reversi:6 reversi:8", "reversi:2 reversi:5 reversi:10"),
    ],
)
def test_limits_of_sizes_are_listed_and_true(sizes: str, accepted: str, refused: str) -> None:
    """The smallest and largest sizes are accepted, one more or less is refused."""
    names = {notation.partition(":")[0] for notation in (*accepted.split(), *refused.split())}
    assert {GAMES[name].sizes for name in names} == {sizes}
    for notation in accepted.split():
        noughts.load(notation)
    for notation in refused.split():
        with pytest.raises(noughts.UnknownGame):
            noughts.load(notation)


def test_every_game_with_a_choice_of_sizes_states_them() -> None:
    assert all(bool(entry.sizes) == (entry.notation != name) for name, entry in GAMES.items())


def test_bench_wants_to_know_what(command: Noughts) -> None:
    done = command("bench")
    assert done.returncode == 2
    assert "noughts bench --node-counts" in done.stderr


@pytest.mark.parametrize("notation", [example for entry in GAMES.values() for example in entry.examples])
def test_every_game_plays_in_the_terminal(command: Noughts, notation: str) -> None:
    """Two computers to the end, and a person who asks for everything and leaves."""
    watched = command("play", notation, "--you", "random", "--opponent", "rules", "--seed", "5")
    assert watched.returncode == 0, watched.stderr
    assert re.search(r"( wins( by \d+)?|draw)\.$", watched.stdout.rstrip())
    person = command("play", notation, "--opponent", "random", "--seed", "1", typed="help\nmoves\nboard\nxyzzy\nq\n")
    assert person.returncode == 0
    assert "'xyzzy' is not a move" in person.stdout
    assert person.stdout.endswith("Bye.\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(command: Noughts, name: str) -> None:
    done = command(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    _, _, examples = done.stdout.partition("\nexamples:\n")
    assert examples.startswith(f"  noughts {name}")
