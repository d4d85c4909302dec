"""Where the user keeps tables: a folder in which the engine looks for a table of its game."""

import os
import sys

__all__ = ["found_tables", "tables_folder"]

VARIABLE = "NOUGHTS_TABLES"
"""The environment variable that names another folder."""


def tables_folder() -> str | None:
    """Return the folder with the user's tables, whether it exists or not; None if they are to have none."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return given or None
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        data = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        data = os.path.join(home, "Library", "Application Support")
    else:
        data = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(data, "noughts", "tables")


def found_tables() -> list[str]:
    """Return the tables in the user's folder, by name."""
    folder = tables_folder()
    try:
        names = [] if folder is None else sorted(os.listdir(folder))
    except OSError:  # there is no such folder, in nearly all cases
        return []
    assert folder is not None or not names
    paths = [os.path.join(folder or "", name) for name in names]
    return [path for path in paths if os.path.exists(os.path.join(path, "manifest.json"))]
