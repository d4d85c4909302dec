"""`noughts site`: what it writes, and what it says when it cannot."""

import gzip
import hashlib
import html
import json
import re
import shutil
import struct
import subprocess
import zipfile
import zlib
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from noughts.errors import NoughtsError
from noughts.site.archive import package_archive
from noughts.site.asking import LINT_POSITIONS, start
from noughts.site.build import Site, site_files, write_site
from noughts.site.icons import icon
from noughts.site.runtime import FILES, FOLDERS, TESTED, Runtime, find_runtime
from tests.helpers import TIMEOUT

PAGES = ("index.html", "steps.html", "own.html")


@pytest.fixture(scope="module")
def site() -> Site:
    """A site with a stub of Pyodide, which no test here runs."""
    files = {name: f"stub of {name}".encode() for name in FILES}
    return site_files(Runtime("1.2.3", files, {"info": {}, "packages": {}}))


def text(site: Site, name: str) -> str:
    return site.files[name].decode()


def policy(site: Site, name: str) -> dict[str, list[str]]:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text(site, name))
    assert found is not None
    parts = [part.split() for part in html.unescape(found[1]).split("; ")]
    return {first: rest for first, *rest in parts}


def test_every_link_is_relative_and_to_a_file_of_the_site(site: Site) -> None:
    links = [(name, link) for name in PAGES for link in re.findall(r'(?:href|src)="([^"]+)"', text(site, name))]
    assert len(links) > 30
    for name, link in links:
        assert link in ("./", "steps") or link in site.files, f"{name} links to {link}"


def test_every_module_imports_files_of_the_site(site: Site) -> None:
    found = 0
    for name, body in site.files.items():
        if name.endswith(".js") and "/" in name:
            for link in re.findall(r'(?:from |\bimport\()"([^"]+)"', body.decode()):
                folder = name.rpartition("/")[0]
                path = link.replace("./", f"{folder}/", 1) if link.startswith("./") else link.removeprefix("../")
                assert path in site.files, f"{name} imports {link}"
                found += 1
    assert found > 60


def test_no_address_elsewhere_is_in_our_files(site: Site) -> None:
    """But the one that exists nowhere, and the name of SVG."""
    for name, body in site.files.items():
        if name.endswith((".js", ".html", ".css", ".webmanifest")):
            found = set(re.findall(r"https?://[^\s\"'`)]+", body.decode()))
            assert found <= {"https://noughts.invalid/", "http://www.w3.org/2000/svg"}, name


@pytest.mark.parametrize("name", PAGES)
def test_the_policy_of_a_page_allows_its_own_host_only(site: Site, name: str) -> None:
    found = policy(site, name)
    assert found["default-src"] == ["'none'"]
    assert found["connect-src"] == ["'self'"]
    assert found["img-src"] == ["'self'", "data:"]
    assert "frame-ancestors" not in found, "every site may embed it"
    allowed = {each for part in found.values() for each in part if not each.startswith("'sha256-")}
    assert allowed == {"'none'", "'self'", "blob:", "data:", "'wasm-unsafe-eval'"}, "neither inline scripts nor eval"


def test_other_peoples_games_have_no_network(site: Site) -> None:
    found = policy(site, "site/sandbox.html")
    assert found["default-src"] == ["'none'"]
    assert set(found) == {"default-src", "script-src", "worker-src", "form-action"}
    (script,) = re.findall(r"<script>(.*?)</script>", text(site, "site/sandbox.html"), re.DOTALL)
    digest = b64decode(found["script-src"][0].removeprefix("'sha256-").removesuffix("'"))
    assert digest == hashlib.sha256(script.encode()).digest()
    for name in PAGES:
        assert found["script-src"][0] in policy(site, name)["script-src"], "a frame obeys its page's policy, too"


def test_the_page_is_that_of_the_server_but_for_its_head(site: Site) -> None:
    """It also links to the lessons as a file."""
    served = Path("src/noughts/web/static/index.html").read_text(encoding="utf-8")
    assert served.count('href="learn"') == 1
    served = served.replace('href="learn"', 'href="learn.html"')
    lines = text(site, "index.html").splitlines()
    added = [line for line in lines if line not in served.splitlines()]
    assert all(line.startswith(("<meta ", "<link ")) for line in added)
    assert sum("modulepreload" not in line for line in added) == 6
    assert [line for line in lines if line not in added] == served.splitlines()


def test_the_first_answers_are_those_of_the_package(site: Site) -> None:
    assert len(site.files["site/first.json.gzip"]) < 100_000
    found = json.loads(gzip.decompress(site.files["site/first.json.gzip"]))
    answer = start()
    # In Connect Four, which of several best moves it is may depend on the time that there was.
    certain = [known for known in found if not known.startswith("/api/move?game=connect-four")]
    sample = [*certain[:20], *certain[20::97]]
    for known in sample:
        path, _, query = known.partition("?")
        assert answer(path, query, None) == (200, found[known])
    starts = [known for known in found if known.startswith("/api/position") and known.endswith("position=")]
    openings = [json.loads(found[known]) for known in starts]
    assert len(openings) > 10


def test_the_first_answers_hold_every_match_against_the_perfect_player(site: Site) -> None:
    """A person begins: after each of nine moves there is a reply, and after it the next position, to the end."""
    found = json.loads(gzip.decompress(site.files["site/first.json.gzip"]))
    lengths = set()
    for known in found:
        values = dict(parse_qsl(known.partition("?")[2]))
        if values.get("game") == "tic-tac-toe" and "player" not in values:
            lengths.add(len(values.get("position", "").split()))
    assert lengths == set(range(10))
    for game, moves in (("tic-tac-toe", "123456789"), ("connect-four", "1234567")):
        for move in moves:
            reply = json.loads(found[f"/api/move?game={game}&player=perfect&position={move}"])
            assert not reply["caveat"], "nothing is guessed"
            assert f"/api/position?game={game}&position={move}+{reply['action']}" in found


def test_the_archive_holds_what_answers_need_and_is_always_the_same() -> None:
    body = package_archive()
    names = set(zipfile.ZipFile(BytesIO(body)).namelist())
    assert {
        "noughts/site/asking.py",
        "noughts/learn/assets/learn.html",
        "noughts/skins/discs.json",
        "noughts/games/books/connect-four.book",
    } <= names
    assert not any(name.startswith(("noughts/cli", "noughts/web/static", "noughts/site/browser")) for name in names)
    assert body == package_archive()


def test_the_licences_go_along(site: Site) -> None:
    found = text(site, "LICENCES.txt")
    for words in (
        "Pyodide 1.2.3",
        "Mozilla Public License Version 2.0",
        "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2",
    ):
        assert words in found
    assert "github.com/pyodide/pyodide" in found, "where the source is"


def test_the_page_can_be_installed(site: Site) -> None:
    manifest = json.loads(site.files["manifest.webmanifest"])
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert manifest["display"] == "standalone"
    for each in manifest["icons"]:
        assert each["src"] in site.files
    assert {"192x192", "512x512"} <= {each["sizes"] for each in manifest["icons"]}


def test_an_icon_is_a_ring_on_blue() -> None:
    body = icon(32)
    assert body.startswith(b"\x89PNG\r\n\x1a\n")
    place = body.index(b"IDAT")
    (length,) = struct.unpack(">I", body[place - 4 : place])
    rows = zlib.decompress(body[place + 4 : place + 4 + length])
    assert len(rows) == 32 * (1 + 32 * 3)

    def pixel(column: int, row: int) -> tuple[int, ...]:
        at = row * (1 + 32 * 3) + 1 + column * 3
        return tuple(rows[at : at + 3])

    assert pixel(0, 0) == pixel(16, 16) == pixel(31, 31) == (11, 92, 173)
    assert pixel(16, 8) == pixel(8, 16) == pixel(23, 16) == (255, 255, 255)


def test_the_version_is_that_of_the_contents(site: Site) -> None:
    files = {name: f"stub of {name}".encode() for name in FILES}
    lock: dict[str, Any] = {"info": {}, "packages": {}}
    assert site_files(Runtime("1.2.3", files, lock)).version == site.version
    assert site_files(Runtime("1.2.3", files | {"pyodide.mjs": b"another"}, lock)).version != site.version
    service = text(site, "service.js")
    assert f'"{site.version}"' in service
    kept = json.loads(service.partition("FILES = ")[2].partition(";")[0])
    assert set(kept) == set(site.files) - {"service.js", ".nojekyll", "LICENCES.txt"}
    for name in PAGES:
        assert f'<meta name="noughts-version" content="{site.version}">' in text(site, name)


def test_a_newer_site_replaces_an_older_one_and_nothing_else(site: Site, tmp_path: Path) -> None:
    write_site(site, str(tmp_path / "site"))
    (tmp_path / "site/static/gone.js").write_text("old", encoding="utf-8")
    (tmp_path / "site/CNAME").write_text("games.example", encoding="utf-8")
    write_site(site, str(tmp_path / "site"))
    written = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert written == set(site.files) | {"CNAME"}


def test_pyodide_is_asked_for_in_words(noughts_command: str, tmp_path: Path) -> None:
    wanted = f"get it with: npm install pyodide@{TESTED}\n"

    def refused(*more: str) -> str:
        command = [noughts_command, "site", "-o", "out", *more]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert refused() == f"noughts: the site needs Pyodide, which is Python for browsers; {wanted}"
    assert refused("--pyodide", "elsewhere") == f"noughts: there is no Pyodide in 'elsewhere'; {wanted}"
    (tmp_path / "half").mkdir()
    (tmp_path / "half/pyodide-lock.json").write_text("{}", encoding="utf-8")
    assert refused("--pyodide", "half") == f"noughts: the Pyodide in 'half' is not complete; {wanted}"
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_files_is_left_alone(site: Site, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(NoughtsError, match="holds other files; choose a new or empty folder"):
        write_site(site, str(tmp_path))
    with pytest.raises(NoughtsError, match="is a file; choose a folder"):
        write_site(site, str(tmp_path / "thesis.txt"))
    with pytest.raises(NoughtsError, match="cannot write to"):
        write_site(site, str(tmp_path / "thesis.txt/below"))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_figures_of_the_page_about_it(site: Site) -> None:
    page = Path("docs/site.md").read_text(encoding="utf-8")
    assert len(site.files["site/first.json.gzip"]) < 100_000
    assert "(less than 100 KB)" in page
    engine = site_files(find_runtime(FOLDERS[0]))
    size = sum(len(body) for name, body in engine.files.items() if name.startswith("engine/"))
    assert f"about {round(size / 1e6)} MB" in page
    assert f"up to {LINT_POSITIONS:,} positions" in page
    assert "const LONGEST = 60_000;" in text(site, "site/workers.js"), "a minute"
    assert f"pyodide@{TESTED}" in page
    assert sum(name.startswith("engine/") and name.endswith(".gzip") for name in site.files) == 3


def test_make_fetches_the_version_that_the_command_asks_for() -> None:
    makefile = Path("Makefile").read_text(encoding="utf-8")
    assert f"\nPYODIDE := {TESTED}\n" in makefile
    assert "\ntest: browser pyodide " in makefile
    assert "\ntest-long: browser pyodide " in makefile
    assert find_runtime(FOLDERS[0]).version == TESTED, "`make pyodide` fetches it"


def test_make_says_what_is_missing(tmp_path: Path) -> None:
    shutil.copy("Makefile", tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").touch()
    make, shell = shutil.which("make"), shutil.which("sh")
    assert make is not None
    assert shell is not None
    (tmp_path / "sh").symlink_to(shell)
    done = subprocess.run([make, "pyodide"], cwd=tmp_path, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 2
    assert "the static site needs Pyodide, which npm fetches: install Node.js" in done.stderr


def test_a_game_of_ones_own_is_answered_and_checked(tmp_path: Path) -> None:
    source = Path("src/noughts/site/browser/example.txt").read_text(encoding="utf-8")
    answer = start(source, str(tmp_path))
    assert json.loads(answer("/api/lint", source, None)[1])["ok"]
    assert json.loads(answer("/api/analyse", "game=own", None)[1])["value"] == "win"
    assert answer("/api/position", "game=nim", None)[0] == 400, "that worker has no other game"
    wrong = source.replace("-state[1]", "state[1]")
    (problem,) = json.loads(answer("/api/lint", wrong, None)[1])["problems"]
    assert problem["drawing"]
    assert problem["message"].startswith("MIN made the last move and utility(state) is 1")
    assert start()("/api/lint", source, None)[0] == 404, "nobody's source runs where it would have network"


@pytest.mark.parametrize("source", ["def f(:", "x = 1", "raise SystemExit", "1 / 0", "\0"])
def test_a_game_that_cannot_be_loaded_is_one_line(tmp_path: Path, source: str) -> None:
    answer = start(source, str(tmp_path))
    for path, query in (("/api/lint", source), ("/api/position", "game=own"), ("/api/analyse", "game=own")):
        status, body = answer(path, query, None)
        assert status in (400, 500)
        assert "\n" not in json.loads(body)["error"]
        assert "Traceback" not in body
