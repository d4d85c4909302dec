"""The installed command through pipes: what scripts see."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import Noughts
from tests.helpers import TIMEOUT, until

BOARD = " 1 | 2 | 3\n---+---+---\n 4 | 5 | 6\n---+---+---\n 7 | 8 | 9\n"


@pytest.fixture
def noughts(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def board(*rows: str) -> str:
    return "\n---+---+---\n".join(rows) + "\n"


def test_plain_dialogue_to_the_letter(noughts: Noughts) -> None:
    played = noughts("play", "--plain", typed="5\n3\n2\n")
    assert (played.returncode, played.stderr) == (0, "")
    prompt = "Enter your move (1-9): "
    assert played.stdout == "\n".join(
        [
            "Tic Tac Toe (User = X, Computer = O)",
            "",
            "Board:",
            board(" 1 | 2 | 3", " 4 | 5 | 6", " 7 | 8 | 9"),
            f"{prompt}",
            "Board:",
            board(" 1 | 2 | 3", " 4 | X | 6", " 7 | 8 | 9"),
            "Computer chooses position 1",
            "",
            "Board:",
            board(" O | 2 | 3", " 4 | X | 6", " 7 | 8 | 9"),
            f"{prompt}",
            "Board:",
            board(" O | 2 | X", " 4 | X | 6", " 7 | 8 | 9"),
            "Computer chooses position 7",
            "",
            "Board:",
            board(" O | 2 | X", " 4 | X | 6", " O | 8 | 9"),
            f"{prompt}",
            "Board:",
            board(" O | X | X", " 4 | X | 6", " O | 8 | 9"),
            "Computer chooses position 4",
            "",
            "Board:",
            board(" O | X | X", " O | X | 6", " O | 8 | 9"),
            "Computer Wins!",
            "",
        ]
    )


def test_plain_draw(noughts: Noughts) -> None:
    played = noughts("play", "--plain", typed="5\n9\n2\n4\n7\n")
    assert played.returncode == 0
    assert played.stdout.endswith("\nIt's a Draw!\n")


def test_plain_win_against_a_weak_player(noughts: Noughts) -> None:
    played = noughts("play", "--plain", "--opponent", "rules", "--first", "you", typed="1\n8\n7\n9\n4\n")
    assert played.returncode == 0
    assert played.stdout.endswith("\nYou Win!\n")


def test_plain_with_the_computer_first(noughts: Noughts) -> None:
    played = noughts("play", "--plain", "--mark", "O", typed="5\n")
    assert played.stdout.startswith("Tic Tac Toe (User = O, Computer = X)\n\nBoard:\n" + BOARD)
    assert "Computer chooses position 1\n" in played.stdout


@pytest.mark.parametrize(
    ("options", "title", "opening"),
    [
        ([], "User = X, Computer = O", False),
        (["--mark", "X"], "User = X, Computer = O", False),
        (["--mark", "o"], "User = O, Computer = X", True),
        (["--first", "computer"], "User = O, Computer = X", True),
        (["--mark", "X", "--first", "computer"], "User = X, Computer = O", True),
        (["--mark", "O", "--first", "you"], "User = O, Computer = X", False),
    ],
)
def test_marks_and_who_begins(noughts: Noughts, options: list[str], title: str, opening: bool) -> None:
    played = noughts("play", "--plain", *options, typed="q\n")
    assert f"({title})" in played.stdout
    assert ("Computer chooses" in played.stdout) == opening


def test_two_people(noughts: Noughts) -> None:
    played = noughts("play", "--opponent", "human", typed="1\n4\n2\n5\n3\n")
    assert played.returncode == 0
    assert "X, your move (1-9): " in played.stdout
    assert "O, your move (1-9): " in played.stdout
    assert "  [X]|[X]|[X]\n" in played.stdout, "the winning line is marked"
    assert played.stdout.endswith("X wins.\n")
    plain = noughts("play", "--plain", "--opponent", "human", typed="1\n4\n2\n5\n3\n")
    assert plain.stdout.startswith("Tic Tac Toe (User 1 = X, User 2 = O)\n")
    assert plain.stdout.endswith("X Wins!\n")
    assert "[" not in plain.stdout


def test_two_computers(noughts: Noughts) -> None:
    played = noughts("play", "--you", "perfect", "--opponent", "perfect")
    assert played.returncode == 0
    assert "X (perfect) begins, O (perfect) follows." in played.stdout
    assert played.stdout.endswith("It's a draw.\n")
    weak = noughts("play", "--you", "random", "--opponent", "perfect", "--seed", "1")
    assert weak.stdout == noughts("play", "--you", "random", "--opponent", "perfect", "--seed", "1").stdout
    others = {noughts("play", "--you", "random", "--opponent", "random", "--seed", str(n)).stdout for n in range(4)}
    assert len(others) > 1


def test_levels_say_which_they_are_and_claim_nothing(noughts: Noughts) -> None:
    for number in (1, 5, 10):
        opening = noughts("play", "--level", str(number), "--seed", "1", typed="q\n").stdout
        assert opening == noughts("play", "--opponent", f"level-{number}", "--seed", "1", typed="q\n").stdout
        assert f"O (level {number} of 10)" in opening
        assert "beat" not in opening
        assert "perfect" not in opening


def test_start_from_a_position(noughts: Noughts) -> None:
    for position in (["5", "1", "3"], ["5 1 3"], ["5,1,3"], ["O.X/.X./..."]):
        played = noughts("play", "--plain", "tic-tac-toe", *position, typed="q\n")
        assert "Computer chooses position 7\n" in played.stdout


def test_commands_at_the_prompt(noughts: Noughts) -> None:
    played = noughts("play", typed="hint\n5\nmoves\nundo\nboard\nhelp\nundo\nHINT\nquit\n")
    out = played.stdout
    assert played.returncode == 0
    assert "Best: any move; each draws.\n" in out
    assert "Played: 5 1\nCan be played: 2 3 4 6 7 8 9\n" in out
    assert "Taken back: 5 1\n" in out
    assert "There is no move of yours to take back.\n" in out
    assert "hint    the best moves" in out
    assert out.endswith("Bye.\n")


def test_hints_tell_distances_in_moves(noughts: Noughts) -> None:
    assert "Best: 3, which wins at once." in noughts("play", "tic-tac-toe", "1 4 2 5", typed="hint\nq\n").stdout
    lost = noughts("play", "tic-tac-toe", "1 2 5", "--opponent", "human", typed="hint\nq\n").stdout
    assert "Best: 9, which loses in 4 moves." in lost


def test_a_hint_says_by_how_much(noughts: Noughts) -> None:
    said = noughts("play", "reversi:4", typed="hint\nq\n").stdout
    assert "Best: any move; each loses by 8 in 10 moves." in said


def test_hints_name_a_few_moves_and_never_all(noughts: Noughts) -> None:
    some = noughts("play", "nim:9,7,7", typed="hint\nq\n").stdout
    assert "Best: a9, which wins in" in some
    lost = noughts("play", "nim:20,30,40", "c30", "--opponent", "human", typed="hint\nq\n").stdout
    assert "Best: any move; each loses." in lost
    few = noughts("play", "tic-tac-toe", "1 5 9", "--opponent", "human", typed="hint\nq\n").stdout
    assert "Best: 2, 4, 6 or 8, each of which draws." in few
    many = noughts("play", "nim:7,7,7,7,7,7,1", "--opponent", "human", typed="hint\nq\n").stdout
    assert "Best: a1, b1, c1, d1, e1 or one of 2 others, each of which wins." in many


def test_thinking_time_is_a_setting(noughts: Noughts) -> None:
    words = ("play", "mnk:7,7,5", "--you", "random", "--seed", "3", "--json")
    quick = json.loads(noughts(*words, "--think", "0.01").stdout)
    assert quick["result"] is not None
    for wrong in ("-1", "nan", "inf"):
        refused = noughts("play", "--think", wrong)
        assert refused.returncode == 2
        assert refused.stderr == "noughts: --think must be 0, which sets no limit, or a number above 0\n"
    assert noughts("play", "--think", "0", typed="5\nq\n").returncode == 0


def test_undo_between_two_people_is_one_move(noughts: Noughts) -> None:
    out = noughts("play", "--opponent", "human", typed="5\nundo\n1\nq\n").stdout
    assert "Taken back: 5\n" in out
    assert out.count("O, your move") == 2, "once before the undo and once after the new move"


BAD = ["abc", "0", "10", "5.5", "", "   ", "-1", "5 5", "५", "\x00", "5\x00", "x" * 100_000, "hint me", "１"]


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        *((typed, ["--plain"] if number % 2 else []) for number, typed in enumerate(BAD)),
        *(
            pytest.param(typed, [] if number % 2 else ["--plain"], marks=pytest.mark.long)
            for number, typed in enumerate(BAD)
        ),
    ],
)
def test_bad_input_gets_one_line_and_another_try(noughts: Noughts, typed: str, plain: list[str]) -> None:
    good = noughts("play", *plain, typed="5\n3\n2\n")
    bad = noughts("play", *plain, typed=f"{typed}\n5\n3\n2\n")
    assert (bad.returncode, bad.stderr) == (0, "")
    extra = bad.stdout.replace("): ", "): \n").splitlines()
    expected = good.stdout.replace("): ", "): \n").splitlines()
    complaint = next(line for line in extra if line not in expected)
    assert complaint.endswith("; you can play 1 2 3 4 5 6 7 8 9, or type help.")
    assert len(complaint) < 100
    assert len(extra) == len(expected) + 2, "one complaint and one more prompt"


def test_a_taken_cell_is_called_taken(noughts: Noughts) -> None:
    assert "'5' is taken; you can play 2 3 4 6 7 8 9, or type help." in noughts("play", typed="5\n5\n").stdout


def test_broken_utf8_and_binary_input(noughts: Noughts) -> None:
    played = noughts("play", "--plain", typed=b"\xff\xfe\n\xc3\x28\n" + bytes(range(256)) + b"\n5\n3\n2\n")
    assert played.returncode == 0
    assert played.stdout.endswith("Computer Wins!\n")


def test_a_page_through_a_pipe(noughts: Noughts) -> None:
    page = "lorem ipsum dolor sit amet\n" * 200
    played = noughts("play", "--plain", typed=page + "5\n3\n2\n")
    assert played.returncode == 0
    assert played.stdout.count("is not a move") == 200


def test_windows_line_ends_and_byte_order_marks(noughts: Noughts) -> None:
    assert noughts("play", "--plain", typed="\ufeff5\r\n3\r\n2\r\n").stdout.endswith("Computer Wins!\n")


@pytest.mark.parametrize("typed", ["", "5\n", "5", "abc"])
def test_end_of_input_is_one_line_and_exit_code_1(noughts: Noughts, typed: str) -> None:
    played = noughts("play", typed=typed)
    assert played.returncode == 1
    assert played.stderr == "noughts: input ended before the game did\n"


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--colour", "never"], "did you mean --color?"),
        (["play", "--opponent", "prefect"], "did you mean perfect?"),
        (["play", "--opponent"], "expected one argument"),
        (["play", "--level", "0"], "--level must be from 1 to 10, not 0"),
        (["play", "--level", "11"], "--level must be from 1 to 10, not 11"),
        (["play", "--level", "hard"], "--level must be a whole number, not 'hard'"),
        (["play", "--level", "3", "--opponent", "perfect"], "give either --opponent or --level"),
        (["play", "--opponent", "level-11"], "did you mean level-1"),
        (["play", "--you", "me"], "there are: human, perfect, textbook, level-10,"),
        (["play", "--seed", "x"], "noughts: --seed must be a whole number, not 'x' (noughts play --help shows how)"),
        (["play", "--think", "soon"], "--think must be a number, not 'soon'"),
        (["play", "--mark", "Z"], "choose X or O"),
        (["play", "--first", "me"], "choose from"),
        (["play", "--color", "pink"], "choose from"),
        (["paly"], "did you mean play?"),
        (["tic-tac-toe"], "noughts play tic-tac-toe"),
        (["play", "tictactoe"], "did you mean tic-tac-toe?"),
        (["play", "chess"], "there are: tic-tac-toe"),
        (["play", "tic-tac-toe", "5", "5"], "'5' cannot be played after 5"),
        (["play", "tic-tac-toe", "1 4 2 5 3"], "already over"),
        (["play", "tic-tac-toe", "XXX/OOO/..."], "would have ended"),
        (["play", "./no/such/game.py"], "does not exist"),
        (["play", "examples"], "there is no game 'examples'"),
        (["play", "./examples"], "is a folder"),
        (["play", "examples/matches.py", "--mark", "X"], "no marks"),
        (["lint"], "GAME"),
        (["lint", "tic-tac-toe", "--positions", "0"], "--positions must be a number above 0"),
        (["lint", "nim?"], "there is no game"),
    ],
)
def test_wrong_calls_get_one_line_and_exit_code_2(noughts: Noughts, args: list[str], complaint: str) -> None:
    done = noughts(*args, typed="5\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.startswith("noughts: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("args", [["--help"], ["help"], ["play", "--help"], ["lint", "--help"], ["--version"]])
def test_help_and_version(noughts: Noughts, args: list[str]) -> None:
    done = noughts(*args)
    assert (done.returncode, done.stderr) == (0, "")
    assert "noughts" in done.stdout


def test_color_is_for_terminals_unless_asked_for(noughts: Noughts) -> None:
    assert "\033[" not in noughts("play", typed="5\n").stdout
    assert "\033[" not in noughts("play", "--color", "never", typed="5\n").stdout
    assert "\033[36m X \033[0m" in noughts("play", "--color", "always", typed="5\n").stdout
    assert "\033[" not in noughts("play", "--plain", "--color", "always", typed="5\n").stdout
    noughts.env["NO_COLOR"] = "1"
    assert "\033[" in noughts("play", "--color", "always", typed="5\n").stdout, "the option is the last word"


def test_an_own_game_plays(noughts: Noughts, tmp_path: Path) -> None:
    played = noughts("play", "examples/matches.py", typed="2\nhint\n1\n3\n1\n3\n")
    assert played.returncode == 0
    assert played.stderr == ""
    assert "matches: you are First and begin, the computer is Second (perfect)." in played.stdout
    assert "Your move (1-3): " in played.stdout
    plain = noughts("play", "--plain", "examples/matches.py", typed="2\n")
    assert plain.stdout.startswith(
        "Matches (User = First, Computer = Second)\n\nBoard:\n(10, 1)\n\nEnter your move (1-3): "
    )


GAME = Path("examples/matches.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "right", "complaint"),
    [
        ("return state[1]", "return 'X'", "at the start, player(state) returned 'X'"),
        ("if n <= state[0]", "if n <= missing", "actions(state) raised NameError"),
        ("state[0] == 0", "False", "after 1 3 3 3, there is nothing to play"),
        ("def utility", "def utilty", "it has no function utility"),
        ("def player(state):", "def player(state:", "cannot be loaded: line"),
    ],
)
def test_broken_game_files_get_one_line(
    noughts: Noughts, tmp_path: Path, wrong: str, right: str, complaint: str
) -> None:
    assert wrong in GAME
    path = tmp_path / "broken.py"
    path.write_text(GAME.replace(wrong, right), encoding="utf-8")
    done = noughts("play", str(path), typed="1\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_game_file_that_fails_late_is_to_blame(noughts: Noughts, tmp_path: Path) -> None:
    """The first look finds nothing, since it fails only where a match is played, and half-way."""
    path = tmp_path / "late.py"
    played = "sys._getframe(1).f_globals['__name__'] == 'noughts.match'"
    path.write_text(
        "import sys\n"
        + GAME.replace("left, mover = state", f"left, mover = state\n    assert left > 5 or not {played}, 'oh no'"),
        encoding="utf-8",
    )
    done = noughts("play", str(path), "--opponent", "random", "--you", "random", "--seed", "3")
    assert done.returncode == 2
    assert f"{path}, line " in done.stderr
    assert "AssertionError: oh no" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_doubtful_game_file_plays_with_a_remark(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "doubtful.py"
    path.write_text(GAME.replace("return -state[1]", "return state[1]"), encoding="utf-8")
    done = noughts("play", str(path), typed="q\n")
    assert done.returncode == 0
    assert "the player who decides it loses" in done.stderr


def test_a_game_too_large_to_solve_is_played_and_said_so(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_text(
        "from noughts.games.lines import LineGame, straight_lines\n"
        "game = LineGame('Seven by seven', 7, 7, straight_lines(7, 7, 5))\n",
        encoding="utf-8",
    )
    done = noughts("play", str(path), typed="25\nhint\nq\n")
    assert done.returncode == 0
    assert "(The game is too large to solve from here; this is a guess, looking " in done.stdout
    assert ": the game is too large to solve from here" in done.stdout


MIN_BEGINS = GAME.replace("return 10, +1", "return 10, -1")
CYCLE = """
def initial(): return 2
def player(place): return 1 if place % 2 else -1
def actions(place): return [] if place in (0, 7) else ["left", "right"]
def result(place, action): return place + (1 if action == "right" else -1)
def terminal(place): return place in (0, 7)
def utility(place): return -1 if place else 1
"""


def test_a_game_that_min_begins(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "min.py"
    path.write_text(MIN_BEGINS, encoding="utf-8")
    mine = noughts("play", str(path), typed="q\n").stdout
    assert "you are First and begin" in mine
    assert "The computer plays" not in mine
    theirs = noughts("play", str(path), "--first", "computer", typed="q\n").stdout
    assert "you are Second, the computer is First (perfect) and begins" in theirs
    assert "The computer plays 2." in theirs


def test_a_game_whose_positions_repeat_can_be_played_and_drawn(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "cycle.py"
    path.write_text(CYCLE, encoding="utf-8")
    done = noughts("play", str(path), typed="draw\nright\nhint\nright\nright\nright\ndraw\nn\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You can end the game as a draw when a position has occurred three times." in done.stdout
    assert "Best: right, which draws." in done.stdout
    assert "This position has occurred 3 times. Type draw to end the game as a draw, or play on." in done.stdout
    assert done.stdout.rstrip().endswith("It's a draw by repetition.")
    plain = noughts("play", str(path), "--plain", "--json", typed="right\nright\nright\nright\ndraw\n")
    assert json.loads(plain.stdout)["result"] == {"winner": None, "margin": 0, "sentence": "A draw by repetition."}
    assert plain.stderr.rstrip().endswith("It's a Draw!")
    two = noughts("play", str(path), "--you", "perfect", "--opponent", "perfect", "--json")
    assert (two.returncode, json.loads(two.stdout)["result"]["sentence"]) == (0, "A draw by repetition.")
    assert "This position has occurred 3 times." in two.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        "def draw(): pass",
        "def draw(state): return 1 / 0",
        "def board(state): return [[1]]",
        "def board(state): return ()",
        "def key(): pass",
        "def key(state): return []",
        "def symmetries(): pass",
        "def symmetries(state): return None",
        "def action_name(): pass",
        "def action_name(action): return 7",
        "def split_actions(): pass",
        "import sys\ndef draw(state): sys.exit('bye')",
        "class Me: pass\ndef draw(state): raise ValueError('a\\nb')",
    ],
)
def test_wrong_capabilities_get_one_line(noughts: Noughts, tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(f"{GAME}\n{wrong}\n", encoding="utf-8")
    done = noughts("play", str(path), "--first", "computer", typed="1\n")
    assert done.returncode == 2
    assert done.stderr.startswith("noughts: ")
    assert done.stderr.count("\n") == 1
    lint = noughts("lint", str(path))
    assert lint.returncode == (0 if "split" in wrong else 1)


@pytest.mark.parametrize("word", ["a\nb\x1b[31m", "", "5", "x" * 5000])
def test_strange_words_are_quoted_safely(noughts: Noughts, word: str) -> None:
    for args in ([word], ["play", word], ["play", "tic-tac-toe", word], ["--seed", word], [f"--x{word}"]):
        done = noughts(*args, typed="q\n")
        assert done.returncode in (0, 2)
        assert done.stderr.count("\n") == (1 if done.returncode else 0)
        assert "\x1b" not in done.stderr
        assert len(done.stderr) < 300


@pytest.mark.parametrize(
    ("redirect", "code", "said"),
    [
        ("play >&-", 1, "noughts: input ended before the game did\n"),
        ("play nope 2>&-", 2, ""),
        ("play --you perfect >/dev/full", 1, "noughts: cannot write: No space left on device\n"),
        ("lint examples/matches.py >/dev/full", 1, "noughts: cannot write: No space left on device\n"),
        ("play 0>/dev/null", 1, "noughts: input ended before the game did\n"),
    ],
)
def test_broken_streams(noughts_command: str, clean_env: dict[str, str], redirect: str, code: int, said: str) -> None:
    command = ["bash", "-c", f"{noughts_command} {redirect}"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, env=clean_env
    )
    assert (done.returncode, done.stderr) == (code, said)
    if "2>&-" in redirect:
        assert done.stdout == ""


def test_lint_in_an_ascii_only_environment(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "sign.py"
    path.write_text(GAME.replace("return -state[1]", "return state[1]"), encoding="utf-8")
    noughts.env.update({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert "is mis\\xe8re" in noughts("lint", str(path)).stdout


def test_whoever_reads_may_leave(noughts_command: str, clean_env: dict[str, str]) -> None:
    script = f"{noughts_command} play --you perfect --opponent perfect | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=TIMEOUT, env=clean_env)
    assert done.stderr == b""


def test_closed_input_is_the_end_of_input(noughts_command: str, clean_env: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{noughts_command} play <&-"], capture_output=True, timeout=TIMEOUT, env=clean_env
    )
    assert done.returncode == 1
    assert done.stderr == b"noughts: input ended before the game did\n"


def test_an_ascii_only_environment(noughts_command: str, clean_env: dict[str, str]) -> None:
    env = {**clean_env, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [noughts_command, "play"], input="é\n☃\nq\n".encode(), capture_output=True, timeout=TIMEOUT, env=env
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_interrupted_while_thinking(noughts_command: str, clean_env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text(GAME.replace("return 10, +1", "return 10, +1\nimport time") + "\n", encoding="utf-8")
    begun = tmp_path / "begun"
    waits = f"left, mover = state\n    open({str(begun)!r}, 'w').close()\n    time.sleep(0.5)"
    path.write_text(path.read_text().replace("left, mover = state", waits))
    process = subprocess.Popen(
        [noughts_command, "play", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env,
    )
    until(begun.exists)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert err == b""


def test_python_dash_m(clean_env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "--version"], capture_output=True, text=True, timeout=TIMEOUT, env=clean_env
    )
    assert done.stdout.startswith("noughts ")


def test_lint(noughts: Noughts, tmp_path: Path) -> None:
    good = noughts("lint", "tic-tac-toe")
    assert (good.returncode, good.stdout) == (0, "tic-tac-toe: no problem in all 5,478 positions\n")
    path = tmp_path / "broken.py"
    path.write_text(GAME.replace("state[0] == 0", "False"), encoding="utf-8")
    bad = noughts("lint", str(path))
    assert bad.returncode == 1
    assert "1. dead-end: there is nothing to play" in bad.stdout
    facts = json.loads(noughts("lint", str(path), "--json").stdout)
    assert (facts["ok"], facts["complete"], facts["problems"][0]["kind"]) == (False, True, "dead-end")
    assert facts["problems"][0]["position"] == "1 3 3 3"


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        ("reversi:4", "b1 a2 d3 c4"),
        ("reversi:4 b1 a1", "a2 d3 c4"),
        ("connect:4x3,3 1 1", "1-4"),
        ("connect:4x3,3 2 2 2 3", "1 3 4"),
        ("ultimate", "such as 11; type moves to list them"),
        ("ultimate 11 14", "41-49"),
        ("notakto a5", "a1 a2 a3 a4 a6 a7 a8 a9"),
        ("mnk:4,3,3 a1 b1", "such as c1; type moves to list them"),
        ("cube:3 1 2", "1-27"),
        ("tic-tac-toe 1 9", "1-9"),
    ],
)
def test_the_prompt_offers_what_can_be_played_now(noughts: Noughts, arguments: str, choices: str) -> None:
    """A range includes taken cells only where every cell has a number and the board shows which are taken."""
    played = noughts("play", "--plain", *arguments.split(), "--opponent", "human", typed="quit\n")
    assert f", enter your move ({choices}): Bye." in played.stdout


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (("--you", "rules", "--opponent", "perfect"), "W wins by {}."),
        (("--opponent", "perfect"), "The computer wins by {}."),
        (("--mark", "W", "--opponent", "random", "--seed", "3"), "You win by {}!"),
    ],
)
def test_the_result_of_a_game_with_margins_says_by_how_much(
    noughts: Noughts, sides: tuple[str, ...], said: str
) -> None:
    moves = [f"{column}{row}" for column in "abcd" for row in "1234"]
    played = noughts("play", "reversi:4", *sides, "--json", typed="\n".join(["pass", *moves] * 16))
    margin = json.loads(played.stdout)["result"]["margin"]
    assert margin > 1
    assert played.stderr.splitlines()[-1] == said.format(margin)


def test_json_of_a_match(noughts: Noughts) -> None:
    """Standard output holds one JSON object, whoever plays; the dialogue goes to standard error."""
    played = noughts("play", "--plain", "--json", typed="5\n3\n2\n")
    assert played.returncode == 0
    assert played.stderr == noughts("play", "--plain", typed="5\n3\n2\n").stdout
    assert json.loads(played.stdout) == {
        "game": "tic-tac-toe",
        "position": "5 1 3 7 2 4",
        "players": [
            {"mark": "X", "player": "human", "caveat": None},
            {"mark": "O", "player": "textbook", "caveat": None},
        ],
        "result": {"winner": "O", "margin": 1, "sentence": "O wins."},
    }
    watched = noughts("play", "reversi:4", "b1", "--you", "rules", "--opponent", "rules", "--json")
    facts = json.loads(watched.stdout)
    assert facts["position"].startswith("b1 ")
    assert [each["mark"] for each in facts["players"]] == ["B", "W"]
    assert facts["result"]["sentence"] == f"{facts['result']['winner']} wins by {facts['result']['margin']}."
    again = noughts("analyse", "reversi:4", facts["position"])
    assert "The game is over" in again.stdout


def test_json_of_a_match_that_did_not_end(noughts: Noughts) -> None:
    for typed, code in (("5\nquit\n", 0), ("5\n", 1)):
        played = noughts("play", "--json", typed=typed)
        assert played.returncode == code
        facts = json.loads(played.stdout)
        assert (facts["position"], facts["result"]) == ("5 1", None)
    played = noughts("play", "tic-tac-toe", "O.X/.X./...", "--json", "--opponent", "random", "--seed", "2", typed="q\n")
    assert json.loads(played.stdout)["position"].startswith("O.X/.X./... then ")


def test_json_says_that_a_perfect_player_guessed(noughts: Noughts) -> None:
    played = noughts("play", "mnk:7,7,5", "--first", "computer", "--json", typed="q\n")
    perfect, human = json.loads(played.stdout)["players"]
    assert "too large to solve" in perfect["caveat"]
    assert human["caveat"] is None
