"""Pyodide, which is Python for browsers: finds its files in an npm package, and checks that they are all there."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from noughts.errors import NoughtsError, shown_path

__all__ = ["INSTALL", "TESTED", "Runtime", "find_runtime"]

TESTED = "314.0.7"
"""The version of Pyodide that the tests run with."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
FOLDERS = (".venv/pyodide/node_modules/pyodide", "node_modules/pyodide")
"""Where it is looked for: where `make pyodide` and `npm install` put it."""

INSTALL = f"npm install pyodide@{TESTED}"


class Runtime(NamedTuple):
    """The files of Pyodide that a browser needs, by name."""

    version: str
    files: dict[str, bytes]
    lock: dict[str, Any]
    """What Pyodide knows itself by, and that it has no packages to load."""


def find_runtime(given: str | None = None) -> Runtime:
    """Return Pyodide from a folder or, without one, from where npm installs it.

    Raises NoughtsError, with what to type, if it is not there or not complete.
    """
    folders = FOLDERS if given is None else (given, f"{given}/node_modules/pyodide")
    folder = next((Path(each) for each in folders if Path(each, "pyodide-lock.json").is_file()), None)
    if folder is None and given is None:
        raise NoughtsError(f"the site needs Pyodide, which is Python for browsers; get it with: {INSTALL}")
    if folder is None:
        raise NoughtsError(f"there is no Pyodide in {shown_path(str(given))}; get it with: {INSTALL}")
    try:
        files = {name: (folder / name).read_bytes() for name in FILES}
        info = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))["info"]
        version = str(json.loads((folder / "package.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, LookupError, TypeError):
        raise NoughtsError(
            f"the Pyodide in {shown_path(str(folder))} is not complete; get it with: {INSTALL}"
        ) from None
    return Runtime(version, files, {"info": info, "packages": {}})
