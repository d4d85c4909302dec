"""The command `noughts serve`: its output, its errors, and how it stops."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import noughts
from tests.helpers import TIMEOUT, until
from tests.web.serving import Client, Server, offspring, running, runs

WITHOUT = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

sys.meta_path.insert(0, Blocker())
from noughts.cli import main
sys.exit(main(["serve", "--no-browser", "--port", "0"]))
"""

OTHER_MARKS = """
from noughts.games import tictactoe
game = tictactoe.TIC_TAC_TOE.with_marks(("{first}", "{second}"))
"""


def called(command: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([command, "serve", *arguments], capture_output=True, text=True, timeout=TIMEOUT)


def complaint(command: str, *arguments: str) -> str:
    """Return the error of a call that starts no server: one line on stderr, exit code 2."""
    done = called(command, "--no-browser", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("noughts: ")
    return line.removeprefix("noughts: ")


def test_the_help_names_every_option_and_fits_80_columns(noughts_command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = called(noughts_command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: noughts serve [GAME ...] [OPTIONS]" in done.stdout
    for option in (
        "--host",
        "--port",
        "--no-browser",
        "--allow-host",
        "--workers",
        "--log",
        "--trust-proxy",
        "--prefix",
    ):
        assert option in done.stdout
    assert "pip install 'noughts[web]'" in done.stdout
    assert "examples:\n  noughts serve " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_server_answers_at_the_address_it_prints(server: Server) -> None:
    assert server.port > 0
    with server.client() as client:
        answer = client.get("/")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>" in answer.body


# Errors


def test_a_port_in_use_is_refused(noughts_command: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = complaint(noughts_command, "--port", str(port))
    other = port + 1 if port < 65535 else 8000
    assert said == f"port {port} is in use; choose another, such as --port {other}, or any free one with --port 0"


@pytest.mark.parametrize("port", ["65536", "-1", "123456789"])
def test_a_port_out_of_range_is_refused(noughts_command: str, port: str) -> None:
    assert (
        complaint(noughts_command, f"--port={port}")
        == "--port must be a number from 0 to 65535; 0 chooses any free port"
    )


def test_a_port_that_is_not_a_number_is_refused(noughts_command: str) -> None:
    assert "--port" in complaint(noughts_command, "--port", "http")


def test_an_unknown_host_is_refused(noughts_command: str) -> None:
    said = complaint(noughts_command, "--port", "0", "--host", "no host")
    assert said == "unknown host 'no host'; 127.0.0.1 always works"


def test_an_address_of_another_machine_is_refused(noughts_command: str) -> None:
    said = complaint(noughts_command, "--port", "0", "--host", "192.0.2.1")
    assert said == "'192.0.2.1' is not an address of this machine; 127.0.0.1 always works"


@pytest.mark.parametrize("workers", ["0", "-1", "257"])
def test_a_bad_number_of_workers_is_refused(noughts_command: str, workers: str) -> None:
    assert complaint(noughts_command, f"--workers={workers}") == "--workers must be a number from 1 to 256"


def test_an_unknown_game_is_refused(noughts_command: str) -> None:
    assert complaint(noughts_command, "tictactoe") == "there is no game 'tictactoe'; did you mean tic-tac-toe?"
    assert complaint(noughts_command, "tic-tac-toe", "chess").startswith("there is no game 'chess'; there are: ")


def test_a_missing_or_broken_game_file_is_refused(noughts_command: str, tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    assert str(path.name) in complaint(noughts_command, str(path))
    path.write_text("1 / 0\n", encoding="utf-8")
    assert "division by zero" in complaint(noughts_command, str(path))
    path.write_text("def initial(): return 0\n", encoding="utf-8")
    assert "mygame.py" in complaint(noughts_command, str(path))


def test_two_files_of_the_same_name_are_refused(noughts_command: str, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        shutil.copy("examples/matches.py", tmp_path / folder / "same.py")
    said = complaint(noughts_command, str(tmp_path / "one/same.py"), str(tmp_path / "two/same.py"))
    assert said == "two of the files are called 'same.py'; rename one of them"


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_a_missing_dependency_is_named_with_the_install_command(missing: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(missing=missing)], capture_output=True, text=True, timeout=TIMEOUT
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: the server needs Starlette and uvicorn: pip install 'noughts[web]'\n"


# Games


def test_only_the_given_games_are_served(noughts_command: str, tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    path.write_text(OTHER_MARKS.format(first="A", second="B"), encoding="utf-8")
    with running(noughts_command, str(path), "NIM:3,4,5") as server, server.client() as client:
        found = client.get("/api/games").json()["games"]
        assert [each["game"] for each in found] == ["./mygame.py", "nim:3,4,5"]
        assert client.get("/api/position", game="./mygame.py", position="5").json()["to_move"] == "B"
        analysis = client.get("/api/analyse", game="./mygame.py")
        assert (analysis.status, analysis.json()["value"]) == (200, "draw")
        assert analysis.headers["cache-control"] == "no-cache", "the file may hold another game at the next start"
        unchanged = client.get("/api/analyse", {"If-None-Match": analysis.headers["etag"]}, game="./mygame.py")
        assert (unchanged.status, unchanged.headers["cache-control"]) == (304, "no-cache")
        assert client.get("/api/analyse", game="nim:3,4,5").headers["cache-control"] == "public, max-age=3600"
        for other in ("tic-tac-toe", "mygame.py", str(path), "nim:3,4", "./other.py", "././mygame.py"):
            refused = client.get("/api/position", game=other)
            assert refused.status == 400, other
            assert refused.error.endswith("it has: ./mygame.py, nim:3,4,5")
        for other in (" ./mygame.py ", "./MYGAME.PY"):
            same = client.get("/api/analyse", game=other)
            assert (same.status, same.headers["cache-control"]) == (200, "no-cache"), "it is the same file"
            assert same.headers["etag"] == analysis.headers["etag"]
        first = analysis.headers["etag"]
    with running(noughts_command, str(path)) as server, server.client() as client:
        assert client.get("/api/analyse", game="./mygame.py").headers["etag"] == first
    path.write_text(OTHER_MARKS.format(first="C", second="D"), encoding="utf-8")
    with running(noughts_command, str(path)) as server, server.client() as client:
        changed = client.get("/api/analyse", {"If-None-Match": first}, game="./mygame.py")
        assert (changed.status, changed.json()["to_move"]) == (200, "C")
        assert changed.headers["etag"] != first


def test_files_beside_a_game_file_are_not_imported(noughts_command: str, tmp_path: Path) -> None:
    """A file named like a standard module must not replace that module in the server."""
    shutil.copy("examples/matches.py", tmp_path / "mygame.py")
    (tmp_path / "json.py").write_text("raise SystemExit('this is not the json you want')\n", encoding="utf-8")
    with running(noughts_command, str(tmp_path / "mygame.py")) as server, server.client() as client:
        assert client.get("/api/analyse", game="./mygame.py").status == 200


def test_the_examples_can_be_served(noughts_command: str) -> None:
    with (
        running(noughts_command, "examples/matches.py", "examples/domineering.py") as server,
        server.client() as client,
    ):
        for name in ("./matches.py", "./domineering.py"):
            found = client.get("/api/position", game=name)
            assert found.status == 200
            assert found.json()["actions"]


# Hosts


def test_it_says_when_others_on_the_network_can_reach_it(noughts_command: str) -> None:
    with running(noughts_command, "--host", "0.0.0.0", "tic-tac-toe") as server:
        assert server.process.stdout is not None
        said = server.process.stdout.readline()
        assert said == "Others on the network can reach it: it listens on every address of this machine.\n"
        with server.client() as client:
            assert client.get("/", {"Host": "192.0.2.7"}).status == 200
            assert client.get("/", {"Host": "games.example"}).status == 421


def test_a_host_name_can_be_allowed(noughts_command: str) -> None:
    with (
        running(noughts_command, "--allow-host", "Games.Example", "--allow-host", "other.example", "wild") as server,
        server.client() as client,
    ):
        for host, status in (("games.example", 200), ("other.example:80", 200), ("third.example", 421)):
            assert client.get("/", {"Host": host}).status == status
        same = {"Host": "games.example", "Origin": "https://games.example"}
        assert client.get("/api/games", same).status == 200


# Stopping


@contextmanager
def searching(server: Server, game: str) -> Iterator[bool]:
    """Ask a long question, and yield whether it is being searched: it has reported progress, and has no answer yet."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as connection:
        request = f"GET /api/analyse?game={game}&seconds=10 HTTP/1.1\r\nHost: {server.url[7:]}\r\n"
        connection.sendall(f"{request}Accept: text/event-stream\r\n\r\n".encode())
        received = b""
        while b"event: progress" not in received and b"event: answer" not in received:
            more = connection.recv(4096)
            assert more, received
            received += more
        yield b"event: answer" not in received


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("busy", [False, True])
def test_it_stops_cleanly_and_leaves_nothing_behind(noughts_command: str, how: signal.Signals, busy: bool) -> None:
    large = "connect:12x12"  # which has no kernel that would have to be compiled before there is any progress
    with running(noughts_command, "tic-tac-toe", large, "--workers", "1") as server, ExitStack() as stack:
        with server.client() as client:
            assert client.get("/api/analyse", game="tic-tac-toe").status == 200
        while busy and not stack.enter_context(searching(server, large)):
            pass  # on a busy machine, the time of a search may be over before it has made any progress
        processes = offspring(server.process.pid)
        assert len(processes) >= 2
        assert (server.stop(how), server.process.returncode) == ("Stopped.\n", 0)
        assert server.errors.read_text(encoding="utf-8") == ""
        until(lambda: not any(map(runs, processes)))


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_does_no_harm(noughts_command: str, first: signal.Signals) -> None:
    with running(noughts_command, "tic-tac-toe") as server:
        server.process.send_signal(first)
        assert (server.stop(signal.SIGTERM), server.process.returncode) == ("Stopped.\n", 0)
        assert server.errors.read_text(encoding="utf-8") == ""


IGNORING_CTRL_C = "trap '' INT; exec \"$0\" serve --no-browser --port {port} {game} {output}"
"""How a non-interactive shell starts a background process."""


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("", True),
        ("> /dev/full", True),
        (">&- 2>&-", False),
        ("> /dev/full --log 2>/dev/full", False),
    ],
    ids=["nobody reads", "full", "closed", "log"],
)
def test_serve_goes_on_when_stdout_cannot_be_written(noughts_command: str, output: str, told: bool) -> None:
    """Its workers run too, and SIGTERM ends it. It prints its address to standard error if that can be written."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        ["sh", "-c", IGNORING_CTRL_C.format(port=port, game="tic-tac-toe", output=output), noughts_command],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    client = Client(port)
    try:

        def answered() -> bool:
            try:
                return client.get("/api/analyse", game="tic-tac-toe").status == 200
            except OSError:
                client.close()
                return False

        until(answered)
        processes = offspring(process.pid)
        process.terminate()
        _, said = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0
        assert said == (f"noughts is running at http://127.0.0.1:{port}/ (press Ctrl-C to stop)\n" if told else "")
        until(lambda: not any(map(runs, processes)))
    finally:
        client.close()
        process.kill()
        process.communicate(timeout=TIMEOUT)


def test_sigterm_ends_a_server_that_has_just_started(noughts_command: str, tmp_path: Path) -> None:
    game = tmp_path / "mygame.py"
    text = Path("examples/matches.py").read_text(encoding="utf-8")
    game.write_text(f"import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\n{text}", encoding="utf-8")
    script = IGNORING_CTRL_C.format(port=0, game=game, output="")
    done = subprocess.run(["sh", "-c", script, noughts_command], capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, "", "")


def test_workers_end_when_the_server_is_killed(noughts_command: str) -> None:
    with running(noughts_command, "tic-tac-toe", "--workers", "2") as server:
        with server.client() as client:
            assert client.get("/api/analyse", game="tic-tac-toe").status == 200
        processes = offspring(server.process.pid)
        server.stop(signal.SIGKILL)
        until(lambda: not any(map(runs, processes)))


# The log


def test_the_log_has_a_line_of_json_for_each_request(noughts_command: str) -> None:
    requests = [
        ("GET", "/", "", {}, 200),
        ("GET", "/api/analyse", "game=tic-tac-toe&position=5+1", {}, 200),
        ("GET", "/api/analyse", "game=tic-tac-toe&position=5+1", {"If-None-Match": "*"}, 304),
        ("HEAD", "/api/games", "", {}, 200),
        ("POST", "/api/games", "", {}, 405),
        ("GET", "/api/position", "game=%0a%22", {}, 400),
        ("GET", "/nothing", "", {}, 404),
        ("GET", "/", "", {"Host": "evil.example"}, 421),
    ]
    sizes = []
    with running(noughts_command, "--log", "tic-tac-toe", quiet=False) as server:
        with server.client() as client:
            for method, path, query, headers, _ in requests:
                answer = client.get(f"{path}?{query}" if query else path, headers, method=method)
                sizes.append(len(answer.body))
        server.stop()
        lines = [json.loads(line) for line in server.errors.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(requests)
    for line, (method, path, query, _, status), size in zip(lines, requests, sizes, strict=True):
        assert list(line) == ["time", "client", "method", "path", "query", "status", "bytes", "ms"]
        assert (line["method"], line["path"], line["query"], line["status"]) == (method, path, query, status)
        assert line["client"] == "127.0.0.1"
        assert method == "HEAD" or line["bytes"] == size
        assert line["ms"] >= 0
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None


# The browser


def fake_browser(folder: Path) -> Path:
    """A program that only records the address it should open."""
    script = folder / "browser"
    script.write_text(
        f'#!/bin/sh\necho "$1" > "{folder}/being-written"\nmv "{folder}/being-written" "{folder}/opened"\n'
    )
    script.chmod(0o755)
    return script


def test_a_browser_is_opened_at_the_address(noughts_command: str, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = str(fake_browser(tmp_path))
    with running(noughts_command, "wild", browser=True, BROWSER=browser, DISPLAY=":9") as server:
        until(opened.exists)
        assert opened.read_text() == f"{server.url}/\n"
        assert server.stop() == "Stopped.\n"


def test_with_no_browser_none_is_opened(noughts_command: str, tmp_path: Path) -> None:
    browser = str(fake_browser(tmp_path))
    with running(noughts_command, "wild", BROWSER=browser, DISPLAY=":9") as server, server.client() as client:
        assert client.get("/").status == 200
        assert server.stop() == "Stopped.\n"
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    "env",
    [
        {"DISPLAY": "", "WAYLAND_DISPLAY": ""},
        {"DISPLAY": ":9", "BROWSER": "/nowhere/browser", "PATH": "/nowhere"},
    ],
    ids=["no screen", "no program"],
)
def test_a_missing_browser_is_reported(noughts_command: str, env: dict[str, Any]) -> None:
    with running(noughts_command, "wild", browser=True, **env) as server:
        assert server.process.stdout is not None
        assert server.process.stdout.readline() == "Could not open a browser; open the address yourself.\n"
        with server.client() as client:
            assert client.get("/").status == 200


def test_the_description_has_the_version_of_the_package(server: Server) -> None:
    assert urlsplit(server.url).hostname == "127.0.0.1"
    with server.client() as client:
        assert client.get("/api/openapi.json").json()["info"]["version"] == noughts.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", noughts.__version__)


@pytest.mark.parametrize("host", ["0", "0.0.0.0", ""])
def test_every_spelling_of_all_addresses_prints_the_warning(noughts_command: str, host: str) -> None:
    with running(noughts_command, "tic-tac-toe", "--host", host) as server:
        with server.client() as client:
            assert client.get("/api/games", {"Host": "192.0.2.7"}).status == 200
            assert client.get("/api/games", {"Host": "evil.example"}).status == 421
        assert server.process.stdout is not None
        said = server.process.stdout.readline()
        assert said == "Others on the network can reach it: it listens on every address of this machine.\n"


def test_an_invalid_allowed_host_is_refused(noughts_command: str) -> None:
    done = subprocess.run(
        [noughts_command, "serve", "--allow-host", "a b"], capture_output=True, text=True, timeout=TIMEOUT
    )
    said = "noughts: 'a b' is not a host name; write one like games.example\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_game_with_a_one_character_drawing_can_be_stepped_through(noughts_command: str, tmp_path: Path) -> None:
    """Three matches, of which each player takes one; the drawing is a single character."""
    rules = {
        "initial()": "3",
        "player(s)": "1 if s % 2 else -1",
        "actions(s)": "[1]",
        "result(s, a)": "s - a",
        "terminal(s)": "s == 0",
        "utility(s)": "1",
    }
    path = tmp_path / "mygame.py"
    path.write_text("".join(f"def {head}: return {body}\n" for head, body in rules.items()), encoding="utf-8")
    with running(noughts_command, str(path)) as server, server.client() as client:
        for page in ("/steps", "/api/position", "/api/analyse", "/api/explain", "/api/tree"):
            answer = client.get(page, game="./mygame.py")
            assert answer.status == 200, answer.body
        assert client.get("/api/position", game="./mygame.py", after=True).json()["after"]["1"]["drawing"] == "2"
