"""Writes the site: the page, our package, Python for browsers, and what an installed page needs."""

import json
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from noughts import __version__
from noughts.errors import NoughtsError, shown_path
from noughts.learn.page import lessons_page
from noughts.pages import filled
from noughts.site.archive import package_archive
from noughts.site.asking import LESSONS_PAGE, STEPS_PAGE
from noughts.site.first_answers import first_answers
from noughts.site.icons import SIZES, icon
from noughts.site.policies import page_policy, sandbox_policy, steps_policy
from noughts.site.runtime import Runtime
from noughts.web.files import static_files

__all__ = ["Site", "site_files", "write_site"]

FIRST = "site/first.json.gzip"
"""The answers with which play begins."""

MODULES = ("connection", "consent", "files", "pictures", "progress", "python", "source", "workers")
"""Modules that the page needs at once, named in it so that one need not be read to find the next."""

CHARSET = '<meta charset="utf-8">\n'
MARK = "site/files.json"
"""A file by which a folder is known as a site, so that nothing else is overwritten."""

PACKED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Files of Pyodide that are compressed here, since many static hosts do not."""


class Site(NamedTuple):
    """The files of a site by path, and what its version is called."""

    version: str
    files: dict[str, bytes]

    @property
    def size(self) -> int:
        """The size of all files in bytes."""
        return sum(map(len, self.files.values()))


def site_files(runtime: Runtime) -> Site:
    """Return the files of the site."""
    own = _own_files()
    sandbox = own.pop("sandbox.js").decode()
    pages = {
        "index.html": (_board_page(), page_policy(sandbox)),
        STEPS_PAGE: (own.pop(STEPS_PAGE).decode(), steps_policy(sandbox)),
        "own.html": (own.pop("own.html").decode(), page_policy(sandbox)),
    }
    service, engine = own.pop("service.js").decode(), _engine(runtime, own.pop("engine.js"))
    parts = {"policy": sandbox_policy(sandbox), "script": sandbox}
    own["sandbox.html"] = filled(own["sandbox.html"].decode(), parts).encode()
    own[FIRST.removeprefix("site/")] = compress(json.dumps(first_answers()).encode(), 9, mtime=0)
    own["files.json"] = json.dumps({"engine": {name: len(body) for name, body in engine.items()}}).encode()
    found = {f"static/{name}": file.body for name, file in static_files().items() if name != "index.html"}
    found |= {f"site/{name}": body for name, body in own.items()}
    found |= {f"engine/{name}": body for name, body in engine.items()}
    found |= {f"site/icon-{size}.png": icon(size) for size in SIZES}
    found[LESSONS_PAGE] = lessons_page(home="./").encode()
    found |= {"manifest.webmanifest": _manifest(), "LICENCES.txt": _licences(runtime), ".nojekyll": b""}
    version = _version(found, service, *(_page(text, policy, "") for text, policy in pages.values()))
    found |= {name: _page(text, policy, version).encode() for name, (text, policy) in pages.items()}
    kept = sorted(set(found) - {".nojekyll", "LICENCES.txt"})
    found["service.js"] = filled(service, {"version": version, "files": json.dumps(kept)}).encode()
    return Site(version, found)


def write_site(site: Site, folder: str) -> None:
    """Write the site into a folder, which must be new, empty, or an older site; what that had is replaced."""
    target = Path(folder)
    try:
        if target.exists() and not target.is_dir():
            raise NoughtsError(f"{shown_path(folder)} is a file; choose a folder")
        if target.is_dir() and any(target.iterdir()) and not (target / MARK).is_file():
            raise NoughtsError(f"{shown_path(folder)} holds other files; choose a new or empty folder")
        _remove_old(target, set(site.files))
        for name, body in site.files.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
    except OSError as error:
        raise NoughtsError(f"cannot write to {shown_path(folder)}: {error.strerror}") from None


def _remove_old(target: Path, new: set[str]) -> None:
    """Remove files of an older site that this one does not have; other files stay."""
    for folder in ("engine", "site", "static"):
        for path in (target / folder).glob("*"):
            if path.is_file() and f"{folder}/{path.name}" not in new:
                path.unlink()


def _board_page() -> str:
    """Return the page with the board; its link to the lessons names the file that a static host has."""
    text, link = static_files()["index.html"].body.decode(), 'href="learn"'
    assert link in text, "the page links to the lessons"
    return text.replace(link, f'href="{LESSONS_PAGE}"')


def _own_files() -> dict[str, bytes]:
    folder = files("noughts.site").joinpath("browser")
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def _engine(runtime: Runtime, script: bytes) -> dict[str, bytes]:
    """Return what a worker is made of."""
    found = {"engine.js": script, "noughts.zip": package_archive(), "lock.json": json.dumps(runtime.lock).encode()}
    for name, body in runtime.files.items():
        if name in PACKED:
            found[f"{name}.gzip"] = compress(body, 9, mtime=0)
        else:
            found[name] = body
    return found


def _page(text: str, policy: str, version: str) -> str:
    """Return a page with its policy and its settings, by which it knows that there is no server."""
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="noughts-answers" content="browser">\n'
        f'<meta name="noughts-version" content="{version}">\n'
        '<link rel="manifest" href="manifest.webmanifest">\n'
        f'<link rel="apple-touch-icon" href="site/icon-{SIZES[0]}.png">\n'
        f'<link rel="preload" as="fetch" crossorigin href="{FIRST}">\n'
        + "".join(f'<link rel="modulepreload" href="site/{name}.js">\n' for name in MODULES)
    )
    before, found, after = text.partition(CHARSET)
    assert found, "the page states its encoding"
    return before + found + head + after


def _manifest() -> bytes:
    """Return what a browser reads when the page is installed."""
    sizes = [{"src": f"site/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES]
    facts = {
        "name": "noughts",
        "short_name": "noughts",
        "description": "Perfect play for two-player games: play, analyse and explain.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#0b5cad",
        "icons": [*sizes, {"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(facts, indent=1).encode()


def _licences(runtime: Runtime) -> bytes:
    """Return the licences of what the folder holds."""
    texts = files("noughts.site").joinpath("licences")
    mozilla, python = (texts.joinpath(name).read_text("utf-8") for name in ("MPL-2.0.txt", "Python.txt"))
    about = (
        f"This site was made with noughts {__version__}, which has the MIT License.\n\n"
        f"The folder engine/ holds Pyodide {runtime.version}, unchanged but for compression, under the Mozilla Public\n"
        "License 2.0. Its source is at https://github.com/pyodide/pyodide. Pyodide contains Python and its standard\n"
        "library (python_stdlib.zip), under the licence of Python. Both licences follow.\n"
    )
    line = "\n" + "=" * 78 + "\n\n"
    return line.join((about, mozilla, python)).encode()


def _version(found: dict[str, bytes], *texts: str) -> str:
    """Return a name that is different for different contents."""
    digest = sha256()
    for name, body in sorted(found.items()):
        digest.update(name.encode() + b"\0" + sha256(body).digest())
    for text in texts:
        digest.update(sha256(text.encode()).digest())
    return f"{__version__}-{digest.hexdigest()[:12]}"
