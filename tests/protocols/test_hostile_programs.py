"""Programs that crash, cheat, flood, fork or hang lose their game with a clear reason, and leave no process behind."""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.errors import PlayerFailed
from noughts.players import computer
from noughts.players.base import close
from noughts.protocols import gomocup_player, ours, program
from noughts.search.limits import Limits
from noughts.web.endpoints import ENDPOINTS, RequestError
from tests.command import Noughts
from tests.helpers import TIMEOUT, until
from tests.protocols.hostile import Hostile
from tests.solving.faults import is_zombie, wait_until_gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

GAME: Any = noughts.load("tic-tac-toe")
LONG = Limits(seconds=TIMEOUT)


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait long to tell a closed pipe from an ended program, nor print megabytes."""
    monkeypatch.setattr(program, "MOST_OUTPUT", 1 << 18)
    monkeypatch.setattr(program, "END_SECONDS", 0.1)


def fault_of(name: str, game: Any = GAME, limits: Limits = LONG) -> str:
    """Ask a program for the first move, and return the reason why it has lost."""
    player = computer(name, game, limits=limits)
    with pytest.raises(PlayerFailed) as caught:
        player.choose(game.initial())
    close([player])
    assert str(caught.value).endswith(f"loses: it {caught.value.reason}")
    assert "\n" not in str(caught.value)
    return caught.value.reason


FAULTS = {
    "crashes": ("raise ValueError('oops')", "ended with exit code 1 ('ValueError: oops')"),
    "leaves": ("sys.exit(0)", "ended with exit code 0"),
    "answers with its last breath": ("print('bestmove 5', end='', flush=True); sys.exit(7)", "ended with exit code 7"),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
    "kills its guard": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)", "was ended by SIGKILL"),
    "floods": ("while True: say('info depth 1')", "printed more than 262,144 bytes before its answer"),
    "prints empty lines": ("while True: sys.stdout.write('\\n')", "printed more than 262,144 bytes before its answer"),
    "never ends its line": ("while True: sys.stdout.write('x')", "printed a line of more than 65,536 bytes"),
    "plays nonsense": ("say('bestmove zz')", "played 'zz', which is not a legal move"),
    "plays nothing": ("say('bestmove')", "played '', which is not a legal move"),
    "plays two moves": ("say('bestmove 1 2')", "played '1 2', which is not a legal move"),
    "plays bytes": (
        "sys.stdout.buffer.write(bytes(range(256)) + b'\\nbestmove \\xff\\x00\\n'); sys.stdout.flush()",
        "played '\N{REPLACEMENT CHARACTER}?', which is not a legal move",
    ),
    "complains": ("say('error I do not know')", "answered with an error: 'I do not know'"),
    "closes its output": ("os.close(1); time.sleep(1000)", "closed its output"),
    "closes all pipes": ("os.closerange(0, 3); time.sleep(1000)", "closed its output"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_a_loss_with_a_reason(kind: str, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    if "closes" in kind:
        monkeypatch.setattr(program, "GRACE", 0.2)
    then, reason = FAULTS[kind]
    assert fault_of(hostile.ours(then)) == reason
    wait_until_gone(hostile.processes, seconds=0 if kind != "kills its guard" else 5)


def test_a_move_that_was_legal_before(hostile: Hostile) -> None:
    player = computer(hostile.ours("say('bestmove 5')"), GAME, limits=LONG)
    assert player.choose(GAME.initial()) == 5
    with pytest.raises(PlayerFailed, match=r"it played '5', which is not a legal move$"):
        player.choose(noughts.replay(GAME, "5 1"))
    wait_until_gone(hostile.processes, seconds=0)


SILENT = {
    "sleeps": "time.sleep(1000)",
    "computes": "while True: pass",
    "ignores every signal": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(1000)",
    "talks of other things": "while True: say('hm'); time.sleep(0.01)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("kind", SILENT)
def test_a_silent_program_has_its_time_and_the_grace(
    kind: str, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be silent for ever, so these limits may be short."""
    monkeypatch.setattr(ours, "GRACE", 0.25)
    name = hostile.ours(SILENT[kind])
    assert fault_of(name, limits=Limits(seconds=0.25)) == "did not answer within 0.5 seconds"
    wait_until_gone(hostile.processes, seconds=0)


def test_a_program_that_is_cancelled_has_the_grace(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "GRACE", 0.2)
    assert "did not answer" in fault_of(hostile.ours("time.sleep(1000)"), limits=Limits(cancel=lambda: True))


def test_it_is_told_to_stop(hostile: Hostile) -> None:
    name = hostile.ours("assert sys.stdin.readline() == 'stop\\n'; say('bestmove 4')")
    player = computer(name, GAME, limits=Limits(cancel=lambda: True))
    assert player.choose(GAME.initial()) == 4
    close([player])


@pytest.mark.parametrize("first", ["time.sleep(1000)", "sys.stdout.close(); time.sleep(1000)", "sys.stdin.close()"])
def test_a_program_that_never_gets_ready(first: str, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "START_SECONDS", 1.0)
    monkeypatch.setattr(program, "GRACE", 0.2)
    assert fault_of(hostile.ours("", first=first)).startswith(("did not answer within 1 s", "closed its", "ended with"))


def test_a_program_that_never_reads_does_not_block(hostile: Hostile) -> None:
    """More than a pipe holds waits to be read, and the program writes meanwhile."""
    name = hostile.ours("pass", first="while True: say('x' * 1000)")
    running = program.Program(name, name.removeprefix("cmd:"))
    running.start()
    with pytest.raises(PlayerFailed, match="printed more than"):
        running.ask(["position moves " + "5 " * 200_000], lambda _: None, seconds=TIMEOUT)
    wait_until_gone(hostile.processes, seconds=0)


FORKS = """
child = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)"]
for session in (False, True):
    note(subprocess.Popen(child, start_new_session=session).pid)
if not os.fork():
    os.setsid()
    if not os.fork():
        note(os.getpid())
        time.sleep(1000)
    os._exit(0)
os.wait()
if not os.fork():
    while not os.fork():  # each leaves at once and goes on in its child
        pass
    os._exit(0)
while sum(1 for _ in open({notes!r})) < 4:
    time.sleep(0.01)
"""


@pytest.mark.parametrize("then", ["say('bestmove zz')", "os._exit(3)", "time.sleep(1000)"])
def test_a_program_that_forks_leaves_no_child(
    then: str, hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "GRACE", 1.0)
    forks = FORKS.format(notes=str(tmp_path / "processes"))
    fault_of(hostile.ours(then, first=forks), limits=Limits(seconds=1.0))
    assert len(hostile.processes) >= 4
    wait_until_gone(hostile.processes, seconds=0)
    assert not with_in_command(str(tmp_path)), "a descendant that was not noted"


def with_in_command(text: str) -> list[int]:
    """Return the processes that have a text in their command."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdecimal() and text.encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return [each for each in found if not is_zombie(each)]


def test_a_program_that_does_not_quit_is_ended(hostile: Hostile) -> None:
    first = "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)"
    player = computer(hostile.ours("say('bestmove 5')", first=first), GAME, limits=LONG)
    assert player.choose(GAME.initial()) == 5
    assert all(Path(f"/proc/{each}").exists() for each in hostile.processes)
    close([player])
    wait_until_gone(hostile.processes, seconds=0)
    close([player])  # once more does no harm


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    assert fault_of(f"cmd:{path}") == "could not be started ('Exec format error')"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("cmd:", "'cmd:' names no program; write cmd:COMMAND, such as cmd:./mybot"),
        ("cmd:./no-such-bot --x", "there is no program './no-such-bot' that can be run, in 'cmd:./no-such-bot --x'"),
        ("cmd:'a", "has a quotation mark that is not closed"),
        ("cmd:a\0b", "there is no program 'a?b' that can be run"),
        ("cmd:/etc", "there is no program '/etc' that can be run"),
        ("gomocup:true", "Gomocup's programs play five in a row, such as mnk:15,15,5, not tic-tac-toe"),
    ],
)
def test_a_command_that_is_wrong_is_told_before_the_game(name: str, complaint: str) -> None:
    with pytest.raises(noughts.NoughtsError) as caught:
        computer(name, GAME)
    assert complaint in str(caught.value)
    assert not isinstance(caught.value, PlayerFailed)


GOMOCUP_FAULTS = {
    "say('4,99')": "played 4,99, which is not a legal move",
    "say('ERROR no')": "answered with an error: 'ERROR no'",
    "say('UNKNOWN')": "answered with an error: 'UNKNOWN'",
    "say('MESSAGE hm'); sys.exit(2)": "ended with exit code 2",
}


@pytest.mark.parametrize("then", GOMOCUP_FAULTS)
def test_faults_in_the_protocol_of_gomocup(then: str, hostile: Hostile) -> None:
    assert fault_of(hostile.gomocup(then), noughts.load("mnk:7,7,5")) == GOMOCUP_FAULTS[then]


def test_a_silent_program_in_the_protocol_of_gomocup(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gomocup_player, "GRACE", 0.25)
    name = hostile.gomocup("time.sleep(1000)")
    assert fault_of(name, noughts.load("mnk:7,7,5"), Limits(seconds=0.25)) == "did not answer within 0.5 seconds"


def test_a_taken_square_and_a_suggestion(hostile: Hostile) -> None:
    game: Any = noughts.load("mnk:7,7,5")
    name = hostile.gomocup("say('SUGGEST 3,3'); say(sys.stdin.readline().split()[1])")
    player = computer(name, game, limits=LONG)
    assert game.action_name(player.choose(game.initial())) == "d4"
    with pytest.raises(PlayerFailed, match=r"it played 3,3, which is not a legal move$"):
        player.choose(noughts.replay(game, "d4 e5"))


# In the terminal.


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_play_says_that_the_program_has_lost_and_why(command: Noughts, hostile: Hostile) -> None:
    name = hostile.ours("raise ValueError('oops')")
    played = command("play", "--opponent", name, typed="5\n")
    assert played.returncode == 1
    assert f"O ({name}) loses: it ended with exit code 1 ('ValueError: oops').\nYou win!\n" in played.stdout
    played = command("play", "--plain", "--opponent", name, typed="5\n")
    assert played.stdout.endswith("loses: it ended with exit code 1 ('ValueError: oops').\n")
    played = command("play", "--you", "random", "--opponent", name, "--json")
    assert json.loads(played.stdout)["result"] == {
        "winner": "X",
        "margin": 1,
        "sentence": "X wins: O ended with exit code 1 ('ValueError: oops').",
    }
    wait_until_gone(hostile.processes, seconds=0)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_program_outlives_the_game(ending: signal.Signals, hostile: Hostile, noughts_command: str) -> None:
    name = hostile.ours("note('asked'); time.sleep(1000)")
    playing = subprocess.Popen(
        [noughts_command, "play", "--you", "random", "--opponent", name, "--think", "0"], stdout=subprocess.DEVNULL
    )
    notes = Path(shlex.split(name.removeprefix("cmd:"))[-1]).with_name("processes")
    until(lambda: notes.exists() and "asked" in notes.read_text())
    process = int(notes.read_text().split()[0])
    playing.send_signal(ending)
    assert playing.wait(TIMEOUT) == (130 if ending == signal.SIGINT else -ending)
    wait_until_gone([process], seconds=TIMEOUT)


def test_the_server_runs_no_programs(hostile: Hostile) -> None:
    """Somebody else's name for a player must not become a command."""
    players = [parameter for each in ENDPOINTS for parameter in each.parameters if parameter.name == "player"]
    assert players
    for each in players:
        assert not any(":" in name for name in each.schema["enum"])
        with pytest.raises(RequestError, match="there is no player 'cmd:true'"):
            each.read("cmd:true")
