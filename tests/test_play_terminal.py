"""The installed command in a real pseudo-terminal: what people see."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pexpect
import pytest

from noughts.cli.commands import COMMANDS
from tests.helpers import TIMEOUT

PROMPT = r"Your move \(1-9\): "
AGAIN = "Play again\\? yes, no, or swap sides: "

Start = Callable[..., "pexpect.spawn[str]"]


@pytest.fixture
def start(noughts_command: str, clean_env: dict[str, str]) -> Iterator[Start]:
    """Start the command in a terminal of its own; whatever still runs at the end is stopped."""
    running: list[pexpect.spawn[str]] = []

    def begin(*args: str, dimensions: tuple[int, int] = (40, 100), **env: str) -> "pexpect.spawn[str]":
        child = pexpect.spawn(
            noughts_command,
            list(args),
            env={**clean_env, **env},
            encoding="utf-8",
            timeout=TIMEOUT,
            dimensions=dimensions,
        )
        child.delaybeforesend = None
        running.append(child)
        return child

    yield begin
    for child in running:
        child.close(force=True)


def ended(child: "pexpect.spawn[str]") -> int | None:
    child.expect(pexpect.EOF)
    child.close()
    assert "Traceback" not in (child.before or "")
    return child.exitstatus


def test_three_games_in_a_row(start: Start) -> None:
    """Lose one, swap sides and draw one, then play on with yes, and leave."""
    child = start("play")
    for move in "532":
        child.expect(PROMPT)
        child.sendline(move)
    child.expect("The computer wins")
    child.expect(AGAIN)
    child.sendline("swap")
    child.expect(r"you are .*O.*, the computer is X \(perfect\) and begins")
    for move in "5348":
        child.expect(PROMPT)
        child.sendline(move)
    child.expect("It's a draw")
    child.expect(AGAIN)
    child.sendline("y")
    child.expect(PROMPT)
    child.sendline("quit")
    child.expect("Bye.")
    assert ended(child) == 0


def test_plain_in_a_terminal_shows_the_typed_move(start: Start) -> None:
    child = start("play", "--plain")
    child.expect_exact("Enter your move (1-9): ")
    child.sendline("5")
    child.expect_exact(" 7 | 8 | 9\r\n\r\nComputer chooses position 1\r\n\r\nBoard:\r\n O | 2 | 3\r\n")
    assert child.before is not None
    assert child.before.startswith("5\r\n\r\nBoard:\r\n 1 | 2 | 3\r\n---+---+---\r\n 4 | X | 6\r\n")
    child.sendline("q")
    assert ended(child) == 0


@pytest.mark.parametrize("typed", ["abc", "0", "10", "5.5", "", "\t", "é", "\x1b[A", "x" * 3000])
def test_bad_input_gets_one_line_and_another_try(start: Start, typed: str) -> None:
    child = start("play")
    child.expect(PROMPT)
    child.sendline(typed)
    child.expect(r"; you can play 1 2 3 4 5 6 7 8 9, or type help\.\r\n")
    child.expect(PROMPT)
    child.sendline("5")
    child.expect("The computer plays 1")


def test_a_taken_cell(start: Start) -> None:
    child = start("play")
    for _ in range(2):
        child.expect(PROMPT)
        child.sendline("5")
    child.expect("'5' is taken")
    child.expect(PROMPT)


def test_a_pasted_page_gets_one_line(start: Start) -> None:
    child = start("play")
    child.expect(PROMPT)
    child.send("lorem ipsum dolor sit amet\n" * 60)
    child.expect("That was a whole page; type one move, or help.")
    child.expect(PROMPT)
    child.sendline("5")
    child.expect("The computer plays 1")
    assert child.before is not None
    assert "not a move" not in child.before


def test_moves_typed_ahead_are_all_played(start: Start) -> None:
    child = start("play")
    child.send("abc\n5\n3\n2\n")
    child.expect("'abc' is not a move")
    child.expect("The computer wins")


@pytest.mark.parametrize("args", [["play"], ["play", "--plain"], []])
def test_control_c_leaves_at_once_with_a_clean_terminal(start: Start, args: list[str]) -> None:
    child = start(*args)
    child.expect(r"move \(1-9\): ")
    child.sendintr()
    assert ended(child) == 130
    assert child.before is not None
    assert re.fullmatch(r"(\^C)?(\x1b\[0m)?\r\n", child.before), "a fresh line, no colour left on"


def test_control_c_in_the_middle_of_a_line_and_at_play_again(start: Start) -> None:
    child = start("play")
    child.expect(PROMPT)
    child.send("12")
    child.sendintr()
    assert ended(child) == 130
    child = start("play")
    child.send("5\n3\n2\n")
    child.expect(AGAIN)
    child.sendintr()
    assert ended(child) == 130


def test_control_d_is_the_end_of_input(start: Start) -> None:
    child = start("play")
    child.expect(PROMPT)
    child.sendeof()
    child.expect("noughts: input ended before the game did\r\n")
    assert ended(child) == 1


def test_control_d_at_play_again_is_no(start: Start) -> None:
    child = start("play")
    child.send("5\n3\n2\n")
    child.expect(AGAIN)
    child.sendline("perhaps")
    child.expect("'perhaps' is not an answer; type yes, no or swap.")
    child.expect(AGAIN)
    child.sendeof()
    assert ended(child) == 0


def test_color_and_its_absence(start: Start) -> None:
    def opening(*args: str, **env: str) -> str:
        child = start("play", *args, **env)
        child.expect(PROMPT)
        child.sendline("5")
        child.expect("computer plays")
        return child.before or ""

    assert "\x1b[36m X \x1b[0m" in opening()
    assert "\x1b[" not in opening(NO_COLOR="1")
    assert "\x1b[" not in opening(TERM="dumb")
    assert "\x1b[" not in opening("--color", "never")
    assert "\x1b[" in opening("--color", "always", NO_COLOR="1")


def test_the_terminal_is_left_as_it_was(noughts_command: str, clean_env: dict[str, str]) -> None:
    """The settings of the terminal before and after a game that was interrupted are the same."""
    script = f'trap : INT; before=$(stty -a); {noughts_command} play; [ "$before" = "$(stty -a)" ] && echo SAME'
    child = pexpect.spawn("bash", ["-c", script], env=clean_env, encoding="utf-8", timeout=TIMEOUT)
    child.expect(PROMPT)
    child.sendintr()
    child.expect("SAME")
    child.close()


def test_importing_for_play_brings_in_no_third_party_package() -> None:
    """After a whole game, all that was imported is noughts and the standard library."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from noughts.cli import main\n"
        "main(['play'])\n"
        "main(['play', '--opponent', 'level-3', '--seed', '1'])\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print('third party:', sorted(new - set(sys.stdlib_module_names) - {'noughts'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="5\n3\nhint\n2\n5\nq\n", capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.stdout.splitlines()[-1] == "third party: []", done.stdout + done.stderr


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "games",
        "analyse tic-tac-toe 5 1 3",
        "explain tic-tac-toe 5 1 3",
        "count nim:1,2",
        "tree tic-tac-toe 1 2 3 4 5 6 7",
        "lint examples/matches.py",
        "play chess",
        *(f"{name} --help" for name in COMMANDS),
    ],
)
def test_words_are_not_broken_at_the_edge_of_the_terminal(start: Start, line: str, columns: int) -> None:
    """No line is longer than the terminal is wide, so that it breaks none."""
    child = start(*line.split(), dimensions=(40, columns), COLUMNS="")
    child.expect(pexpect.EOF)
    said = _shown(child).splitlines()
    assert len(said) > 1 or line in ("lint examples/matches.py", "play chess")
    # A name without a space in it cannot be broken.
    too_long = [each for each in said if len(each) > columns and " " in each.strip()]
    assert not too_long


def test_boards_and_prompts_at_the_edge_of_the_terminal(start: Start) -> None:
    """Sentences are broken at spaces, a board never is; if it is too wide, it is drawn as a grid."""
    child = start("play", "mnk:12,3,3", dimensions=(40, 40))
    child.expect("type moves to\r\nlist them\\): ")
    assert "     a  b  c  d  e  f  g  h  i  j  k  l\r\n  1  .  .  ." in _shown(child)
    child.sendline("xyzzy")
    child.expect("'xyzzy' is not a move; you can play a1\r\n... l3, or type help.\r\n")


def test_five_in_a_row_fits_a_usual_terminal(start: Start) -> None:
    """A board that is too wide or too high names its columns and rows at the edges, and still marks the line."""
    moves = "h8 h1 i8 h2 j8 h3 k8 h4"
    child = start("play", "mnk:15,15,5", *moves.split(), "--opponent", "human", dimensions=(24, 80))
    child.expect("list them\\): ")
    board = _shown(child).split("\r\n\r\n")[1].split("\r\n")
    assert board[0].split() == list("abcdefghijklmno")
    assert board[8].split() == ["8", *"." * 7, *"X" * 4, *"." * 4]
    assert {len(line) for line in board[1:]} == {50}
    child.sendline("l8")
    child.expect("wins")
    assert "   8  .  .  .  .  .  .  . [X][X][X][X][X] .  .  . \r\n" in _shown(child)


@pytest.mark.parametrize(("rows", "narrow"), [(21, True), (22, False)])
def test_a_board_is_narrow_if_it_is_too_high_for_the_terminal(start: Start, rows: int, narrow: bool) -> None:
    child = start("play", "mnk:10,10,5", "--opponent", "human", dimensions=(rows, 80))
    child.expect("list them\\): ")
    assert ("  10  .  .  ." in _shown(child)) == narrow


@pytest.mark.parametrize("command", ["analyse", "explain"])
def test_an_analysis_draws_a_board_that_fits_the_terminal(start: Start, command: str) -> None:
    child = start(command, "mnk:19,19,5", "j10", "--nodes", "1", dimensions=(24, 80))
    child.expect(pexpect.EOF)
    assert "\r\n10  .  .  .  .  .  .  .  .  .  X  .  .  .  .  .  .  .  .  .\r\n" in _shown(child)


def _shown(child: "pexpect.spawn[str]") -> str:
    """Return what was printed before the last match, without colour."""
    assert child.before is not None
    return re.sub(r"\x1b\[[0-9;]*m", "", child.before)
