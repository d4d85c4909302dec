"""docs/browser.md: its commands and requests work, and its pictures exist."""

import re
import shlex
from pathlib import Path

from noughts.cli.serve import parser
from noughts.web.endpoints import ENDPOINTS
from tests.web.serving import Client

DOCUMENT = Path("docs/browser.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
    for line in block.splitlines()
    if not line.startswith("pip ")
]


def test_every_command_in_the_guide_is_valid() -> None:
    served = [shlex.split(line, comments=True) for line in COMMANDS if line.startswith("noughts ")]
    assert len(served) >= 5
    for command, name, *arguments in served:
        assert (command, name) == ("noughts", "serve")
        parser().parse_args(arguments)


def test_every_request_in_the_guide_is_answered(client: Client) -> None:
    asked = [shlex.split(line) for line in COMMANDS if line.startswith("curl ")]
    assert len(asked) >= 4
    for *options, address in asked:
        headers = dict(each.split(": ") for each in options if ": " in each)
        answer = client.get(address.removeprefix("http://127.0.0.1:8000"), headers)
        assert answer.status == 200, answer.body
        wanted = headers.get("Accept", "application/json")
        assert answer.headers["content-type"].startswith(wanted)


def test_the_error_in_the_guide_is_the_real_one(client: Client) -> None:
    answer = client.get("/api/analyse?game=tic-tac-toe&position=5+5")
    assert f"`{answer.body.decode()}`" in DOCUMENT


def test_every_api_path_is_in_the_guide() -> None:
    for endpoint in ENDPOINTS:
        if not endpoint.html:
            assert f"| `{endpoint.path}` |" in DOCUMENT


def test_every_picture_exists() -> None:
    for path in (Path("README.md"), Path("docs/browser.md")):
        for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / picture).read_bytes().startswith(b"\x89PNG")
