"""Compiling a kernel, and keeping what was compiled for the next process.

A kernel is two files in a folder of its own: the rules and the search, which takes its functions from the rules. The
folder is named by a digest of both, of the instructions in `native.py`, and of the versions of Python and numba, so a
change of any of them is another kernel. A list of checksums, written last, says that the folder is whole; a folder
without it, or with anything that differs from it, is thrown away and made anew.
"""

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from noughts.compiled import kernel as kernel_source
from noughts.compiled.rules import Rules, with_parameters
from noughts.errors import BrokenGame, one_line, shown

__all__ = ["Announce", "Plan", "available", "build", "cache_folder", "tell_terminal"]

Announce = Callable[[str], None]
"""Is told, in a line, of work that takes a while."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Threads run at once, and nothing is checked that rules do not do."""

CHECKSUMS = "checksums.json"

FROM_RULES = ("expand", "play", "key", "bounds", "plies", "order", "foresee")

DEFAULTS = {
    "order": """

def order(position, move):
    return 0
""",
    "foresee": """

def foresee(position, beta):
    return -longest - 1, longest + 1
""",
}
"""What the rules may leave out."""


def available() -> bool:
    """Say whether numba is installed and not switched off, without importing it."""
    switched_off = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return importlib.util.find_spec("numba") is not None and not switched_off


def cache_folder() -> Path:
    """Return where compiled kernels are kept: `NOUGHTS_CACHE`, or a folder of the user's cache."""
    chosen = os.environ.get("NOUGHTS_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "noughts"
    except RuntimeError:  # nobody's home: a place where nothing can be kept
        return Path(os.devnull) / "noughts"


def tell_terminal(text: str) -> None:
    """Say something to the person at the terminal, if there is one."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)


class Plan:
    """A kernel to be built: its texts, the folder that is its own, and how far it is."""

    def __init__(self, rules: Rules) -> None:
        self.name = rules.path.stem
        self.texts = _texts(rules)
        native = Path(__file__).with_name("native.py").read_text(encoding="utf-8")
        machine = (platform.python_version(), platform.machine(), version("numba"))
        # Constants are compiled in, and may come from other files.
        constants = [(name, each) for name, each in vars(rules.functions).items() if isinstance(each, (int, tuple))]
        everything = [*self.texts.values(), repr(constants), native, *machine]
        self.digest = hashlib.sha256("\0".join(everything).encode()).hexdigest()[:32]
        self.folder = cache_folder() / self.digest

    @property
    def loaded(self) -> ModuleType | None:
        """The kernel, if this process has it."""
        return sys.modules.get(f"noughts_kernel_{self.digest}")

    def is_kept(self) -> bool:
        """Say whether the cache has it, whole."""
        return _is_whole(self.folder, self.texts)


def build(plan: Plan, announce: Announce = tell_terminal) -> ModuleType:
    """Return the search compiled for some rules, from the cache if it is there, as a module with `solve`, `minimax`."""
    if plan.loaded is not None:
        return plan.loaded
    folder = plan.folder
    try:
        if plan.is_kept():
            return _load_kept(folder, plan.digest)
        announce(f"Compiling the search for {plan.name}, which takes some seconds and is kept for the next time ...")
        if folder.exists():
            shutil.rmtree(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        return _made(folder, plan)
    except OSError as error:
        # No place to keep it, or it was taken away while we looked: then it lasts as long as this process.
        announce(f"Compiling the search for {plan.name}; it cannot be kept ({error.strerror}) ...")
        with tempfile.TemporaryDirectory() as name:
            return _made(Path(name) / plan.digest, plan)


def _texts(rules: Rules) -> dict[str, str]:
    """Return the two files: names and contents."""
    added = (text for name, text in DEFAULTS.items() if not hasattr(rules.functions, name))
    rules_text = "".join([rules.source, *added])
    source = Path(str(kernel_source.__file__)).read_text(encoding="utf-8")
    return {"rules.py": rules_text, "kernel.py": with_parameters(source, rules.constants)}


def _load_kept(folder: Path, digest: str) -> ModuleType:
    """Load a kernel from the cache; numba does not read from where it cannot write, and so gets a copy there."""
    if os.access(folder / "__pycache__", os.W_OK):
        return _load(folder, digest, fresh=False)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / digest
        shutil.copytree(folder, copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o700)
        return _load(copy, digest, fresh=False)


def _made(folder: Path, plan: Plan) -> ModuleType:
    """Compile in a folder beside the wanted one, and put it in place when it is whole."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="making-") as name:
        making = Path(name) / plan.digest
        making.mkdir()
        for file, text in plan.texts.items():
            (making / file).write_text(text, encoding="utf-8")
        module = _load(making, plan.digest, fresh=True)
        files = [path for path in making.rglob("*") if path.is_file()]
        checksums = {str(path.relative_to(making)): _checksum(path) for path in files}
        (making / CHECKSUMS).write_text(json.dumps(checksums), encoding="utf-8")
        if not folder.exists():  # else another process was faster
            making.rename(folder)
    return module


def _is_whole(folder: Path, texts: dict[str, str]) -> bool:
    """Say whether a folder holds these texts and what was compiled from them, bit for bit."""
    try:
        checksums: dict[str, str] = json.loads((folder / CHECKSUMS).read_text(encoding="utf-8"))
        return all(
            (folder / file).read_text(encoding="utf-8") == text and file in checksums for file, text in texts.items()
        ) and all(_checksum(folder / file) == checksum for file, checksum in checksums.items())
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _load(folder: Path, digest: str, fresh: bool) -> ModuleType:
    """Import both files and have their functions compiled, or loaded if they were."""
    numba: Any = importlib.import_module("numba")
    from numba.core.errors import NumbaError

    rules = _imported(folder / "rules.py", f"noughts_rules_{digest}")
    kernel: Any = _imported(folder / "kernel.py", f"noughts_kernel_{digest}")
    _make_native(rules)
    for name in FROM_RULES:
        setattr(kernel, name, getattr(rules, name))
    config: Any = importlib.import_module("numba.core.config")
    elsewhere, config.CACHE_DIR = config.CACHE_DIR, ""  # beside the files, where the checksums are
    try:
        _make_native(kernel)
        number = numba.int64
        position = numba.typeof((0,) * kernel.arity)
        if fresh:  # told what it returns, numba is faster
            kernel.search.compile(number(position, number, number, number, number))
        for name, signature in (
            ("solve", (position, number, number, number, number)),
            ("grow", (number, number)),
        ):
            entry = numba.njit(**OPTIONS, cache=True)(getattr(kernel, name).py_func)
            setattr(kernel, name, entry)
            entry.compile(signature)
        # Rarely wanted, and quick to compile: when it is first called.
        kernel.minimax = numba.njit(**OPTIONS)(kernel.minimax.py_func)
    except BaseException as error:
        del sys.modules[kernel.__name__]  # or it would be taken for whole
        if isinstance(error, NumbaError):
            raise BrokenGame(f"its kernel cannot be compiled: {_reason(error)}") from None
        raise
    finally:
        config.CACHE_DIR = elsewhere
    module: ModuleType = kernel
    return module


def _reason(error: Exception) -> str:
    """Return what numba complains of, without how it came to look there."""
    lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    return shown(one_line(" ".join(lines)), 300)


def _imported(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where numba looks a recursive function up
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # nothing in the folder but what is checked
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def _make_native(module: ModuleType) -> None:
    """Have a module's functions compiled when they are called, its tuples as arrays, its bits as instructions."""
    numba: Any = importlib.import_module("numba")
    from numpy import array, int64

    from noughts.compiled import native

    namespace: dict[str, Any] = vars(module)
    for name, value in list(namespace.items()):
        if isinstance(value, FunctionType) and value.__module__ == "noughts.bits":
            namespace[name] = getattr(native, value.__name__)
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            namespace[name] = numba.njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(value)
        elif isinstance(value, tuple) and value and all(type(item) is int for item in value):
            namespace[name] = array(value, dtype=int64)
