"""Our own package as an archive that the browser unpacks."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

__all__ = ["package_archive"]

LEFT_OUT = {"cli", "site/browser", "site/licences", "web/static", "__pycache__"}
"""Folders of the package that nothing needs in a browser's Python."""

KINDS = (".py", ".html", ".css", ".js", ".json", ".book")


def package_archive() -> bytes:
    """Return a zip file with the package; the same package always makes the same bytes."""
    told = BytesIO()
    with ZipFile(told, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, body in sorted(_files(files("noughts"), "").items()):
            archive.writestr(ZipInfo(f"noughts/{name}"), body, ZIP_DEFLATED, 9)
    return told.getvalue()


def _files(folder: Traversable, prefix: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for each in folder.iterdir():
        name = f"{prefix}{each.name}"
        if each.is_dir():
            if not {each.name, name} & LEFT_OUT:
                found |= _files(each, f"{name}/")
        elif each.name.endswith(KINDS):
            found[name] = each.read_bytes()
    return found
