"""Compiling a kernel, and keeping what was compiled for the next process.

A kernel is three files in a folder: the rules, the search, which takes its functions from the rules, and the tasks that
Python calls. The folder is named by a digest of everything that is compiled in: the texts, the values of all constants,
the memory layout, the instructions in `instructions.py`, the processor, and the versions of Python and numba. A change
of any of them makes another kernel. A list of checksums, written last, shows that the folder is complete; a folder
without it, or with anything that differs from it, is removed and made again. Where nothing can be kept, a kernel is
compiled without files and lasts as long as the process.
"""

import hashlib
import importlib
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from noughts import bits
from noughts.compiled import cache
from noughts.compiled.check_rules import check_rules
from noughts.compiled.fingerprint import described, fingerprint, functions_in
from noughts.compiled.rules import Rules, with_parameters
from noughts.compiled.searches import added_functions, search_for
from noughts.errors import BrokenGame, NoKernel, NoughtsError, one_line, shown
from noughts.gamefile import named_error
from noughts.interrupts import DeferredCtrlC
from noughts.notices import SlowerSearch, tell_once
from noughts.search.recursion_limit import steady_limit

__all__ = ["INSTRUCTIONS", "OPTIONS", "Announce", "Plan", "available", "build", "digest_of", "tell_terminal"]

Announce = Callable[[str], None]
"""Called with a line of text before work that takes some seconds."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "python"}
"""Threads run in parallel, and a division by zero raises an error. Indices of tuples are not checked."""

INSTRUCTIONS = Path(__file__).with_name("instructions.py")

_broken: str | None = None
"""Why numba cannot be loaded, once it has failed; it is not tried again."""

_failed: dict[str, str] = {}
"""Why kernels could not be built through no fault of their games, by digest; these are not tried again either."""

_plans: "WeakKeyDictionary[Rules, Plan]" = WeakKeyDictionary()
"""The plans for rules that cannot change."""


def available() -> bool:
    """Return whether numba is installed and not switched off, without importing it."""
    switched_off = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return importlib.util.find_spec("numba") is not None and not switched_off


def tell_terminal(text: str) -> None:
    """Print a line on standard error if that is a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)


class Plan:
    """A kernel to be built: its texts, its digest and its folder, and whether it is loaded or kept already."""

    @classmethod
    def of(cls, rules: Rules) -> "Plan":
        """Return the plan for some rules; for rules that cannot change, it is made once."""
        if not rules.is_fixed:
            return cls(rules)
        if rules not in _plans:
            _plans[rules] = cls(rules)
        return _plans[rules]

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.name = rules.path.stem
        _check_unchanged(rules)
        self.search = search_for(rules)
        self.texts = _texts(rules)
        self.digest = self._digest(fingerprint(rules.compiled))

    def _digest(self, values: list[str]) -> str:
        """Return the digest of everything that is compiled in: the texts, these values, and what compiles them."""
        ours = (
            Path(str(path)).read_text(encoding="utf-8")
            for path in (bits.__file__, self.search.layout, INSTRUCTIONS, __file__)
        )
        return digest_of(*self.texts.values(), *values, *ours)

    def check(self) -> None:
        """Try the rules before they are compiled; raise BrokenGame if they break a promise."""
        check_rules(self.rules)

    def functions(self, filename: str) -> ModuleType:
        """Return the module of the functions that are compiled together with the search."""
        return _rules_module(self, filename)

    @property
    def folder(self) -> Path:
        """Where the kernel is kept, if it is."""
        return cache.cache_folder() / self.digest

    @property
    def loaded(self) -> ModuleType | None:
        """The kernel, if this process has it."""
        module = sys.modules.get(f"noughts_kernel_{self.digest}")
        return module if hasattr(module, "is_whole") else None  # another thread may be compiling it

    def is_kept(self) -> bool:
        """Return whether the cache holds it, complete, in a folder that can be trusted."""
        return cache.is_whole(self.folder, self.texts)

    def load(self, folder: Path | None, fresh: bool) -> ModuleType:
        """Return the kernel: compiled if it is `fresh` or there is no folder, else loaded from the folder."""
        return _load(folder, self, fresh)


def build(plan: Plan, announce: Announce = tell_terminal) -> ModuleType:
    """Return the kernel, a module with the functions of its search: from the cache, or else compiled.

    Raises BrokenGame if numba cannot compile the rules, and NoKernel if numba itself does not work.
    """
    if plan.loaded is not None:
        return plan.loaded
    _import_numba()
    if plan.digest not in _failed:
        try:
            return _built(plan, announce)
        except (NoughtsError, SlowerSearch):
            raise
        except Exception as error:
            _failed[plan.digest] = f"numba does not work here: {_in_a_line(error)}"
    raise NoKernel(_failed[plan.digest])


def _built(plan: Plan, announce: Announce) -> ModuleType:
    compiling = f"Compiling the search for {plan.name}, which takes some seconds"
    try:
        if plan.is_kept():
            return _load_kept(plan)
        cache.make_cache(plan.folder.parent)
        announce(f"{compiling} and is kept for the next time ...")
        cache.remove(plan.folder)
        return _made(plan)
    except OSError as error:
        # The folder cannot be written to, or was removed meanwhile.
        why = str(error) if isinstance(error, cache.Untrusted) else f"{plan.folder.parent}: {error.strerror or error}"
        tell_once(
            f"compiled searches are not kept, and each start takes some seconds longer: {why} "
            "(the environment variable NOUGHTS_CACHE can name another folder)"
        )
    announce(f"{compiling} ...")
    return plan.load(None, fresh=True)


def _texts(rules: Rules) -> dict[str, str]:
    """Return the names and contents of the files: the rules, and those of the search, its main file last."""
    search = search_for(rules)
    before = {path.name: path.read_text(encoding="utf-8") for path in search.before}
    source = with_parameters(search.source.read_text(encoding="utf-8"), rules.constants)
    return {"rules.py": rules.compiled.native_source() + added_functions(rules), **before, "kernel.py": source}


def _load_kept(plan: Plan) -> ModuleType:
    """Load a kernel from the cache. Numba reads only from folders that it can write to; if need be, from a copy."""
    folder = plan.folder
    if os.access(folder / cache.COMPILED, os.W_OK):
        cache.mark_used(folder)
        return plan.load(folder, fresh=False)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / plan.digest
        shutil.copytree(folder, copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o700)
        return plan.load(copy, fresh=False)


def _made(plan: Plan) -> ModuleType:
    """Compile in a temporary folder of the cache, and rename that when it is complete."""
    with cache.folder_to_make_in(plan.folder.parent) as folder:
        making = folder / plan.digest
        making.mkdir(mode=0o700)
        for file, text in plan.texts.items():
            cache.write(making / file, text)
        module = plan.load(making, fresh=True)
        cache.keep(plan.folder, making)
    return module


def _load(folder: Path | None, plan: Plan, fresh: bool) -> ModuleType:
    """Return the kernel from its texts: compiled if it is `fresh` or there is no folder, else loaded from the folder.

    Ctrl-C is deferred while numba works, but not while code of the rules runs, which may never end. LLVM calls back
    into Python, which would print an exception raised there and go on as if nothing had happened.
    """
    numba: Any = importlib.import_module("numba")
    from numba.core.errors import NumbaError

    if fresh:
        plan.check()
    where = "<compiled>" if folder is None else str(folder)
    rules = plan.functions(os.path.join(where, "rules.py"))
    kernel: Any = ModuleType(f"noughts_kernel_{plan.digest}")
    search = plan.search
    files = [path.name for path in search.before]
    for file in (*files, "kernel.py"):  # in this order: what they import from the search for the stub gives way
        with steady_limit():
            code = compile(plan.texts[file], os.path.join(where, file), "exec", dont_inherit=True)
        exec(code, vars(kernel))
    _make_native(rules)
    for name in search.from_rules:
        setattr(kernel, name, getattr(rules, name))
    config: Any = importlib.import_module("numba.core.config")
    elsewhere, config.CACHE_DIR = config.CACHE_DIR, ""  # so that numba writes beside the files, where the checksums are
    sys.modules[kernel.__name__] = kernel  # where numba looks a recursive function up
    try:
        _make_native(kernel, search.inlined)
        kinds = {
            "number": numba.int64,
            "pair": numba.typeof((0, 0)),
            "position": numba.typeof((0,) * kernel.arity),
        }
        if fresh and search.recursive:  # numba is faster if it knows the type that is returned
            with DeferredCtrlC():
                taken = (kinds[word] for word in search.takes.split())
                getattr(kernel, search.recursive).compile(kinds[search.returns](*taken))
        for name, takes in search.entries.items():
            entry = numba.njit(**OPTIONS, cache=folder is not None)(getattr(kernel, name).py_func)
            setattr(kernel, name, entry)
            with DeferredCtrlC():
                entry.compile(tuple(kinds[word] for word in takes.split()))
        for name in search.uncached:
            setattr(kernel, name, numba.njit(**OPTIONS)(getattr(kernel, name).py_func))
    except BaseException as error:
        del sys.modules[kernel.__name__]  # or it would look complete
        cause = getattr(error, "msg", None)  # numba wraps other errors in its own
        if isinstance(error, NumbaError) and not isinstance(cause, (MemoryError, OSError, SystemError)):
            raise BrokenGame(f"its kernel cannot be compiled: {_reason(error)}") from None
        raise
    finally:
        config.CACHE_DIR = elsewhere
    kernel.is_whole = True
    module: ModuleType = kernel
    return module


def _rules_module(plan: Plan, filename: str) -> ModuleType:
    """Return the rules to be compiled: the functions of their text, with the constants that the loaded rules have.

    A file that runs again may compute other constants, depending on the time, on chance, or on the current folder.
    """
    functions = vars(plan.rules.functions)
    _check_same_functions(plan.rules)
    module = plan.rules.run(plan.texts["rules.py"], filename)
    for name, value in functions.items():
        own = getattr(getattr(value, "py_func", value), "__globals__", None) is functions
        if not own and not name.startswith("__"):
            setattr(module, name, value)
    return module


def _check_unchanged(rules: Rules) -> None:
    """Raise BrokenGame if the file of a game has changed since it was loaded, since its text is what is compiled."""
    if rules.kernel.module is None:
        return
    namespace = vars(rules.functions)
    own = (each for each in namespace.values() if isinstance(each, FunctionType) and each.__globals__ is namespace)
    written = {described(code) for code in _written(rules)}
    if not all(described(each.__code__) in written for each in own):
        raise BrokenGame(f"{rules.path.name} has changed since it was loaded; load the game again")


def _check_same_functions(rules: Rules) -> None:
    """Raise BrokenGame if a file defines a function twice, under conditions, and would now choose another version."""
    names = [code.co_qualname for code in _written(rules)]
    if len(set(names)) == len(names):
        return
    now = rules.run(rules.source, str(rules.path))
    for name in rules.compiled.nodes:
        loaded, other = getattr(rules.functions, name), getattr(now, name, None)
        if not isinstance(other, FunctionType) or described(other.__code__) != described(loaded.__code__):
            raise BrokenGame(f"{rules.path.name} defines {name} in another way than when it was loaded; load it again")


def _written(rules: Rules) -> list[CodeType]:
    """Return the code of all functions in the file of some rules; an empty list if it is no longer valid Python."""
    try:
        with steady_limit():
            return list(functions_in(compile(rules.source, "", "exec", dont_inherit=True)))
    except (SyntaxError, ValueError):
        return []


def digest_of(*texts: str) -> str:
    """Return a digest of what is compiled in: texts, the versions of Python and numba, and the processor."""
    versions = (f"{package} {_version(package)}" for package in ("numba", "llvmlite", "numpy"))
    everything = [*texts, platform.python_version(), *versions, *_machine()]
    return hashlib.sha256("\0".join(everything).encode(errors="surrogatepass")).hexdigest()[:32]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # it may be importable all the same; if not, the import says so
        return "unknown"


def _machine() -> list[str]:
    """Return a description of the processor: code compiled for one may not run on another."""
    chosen = [os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read(8192).split("\n\n")[0]
    except OSError:  # not on this system
        first = platform.processor()
    telling = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    lines = [line for line in first.splitlines() if line.startswith(telling)]
    return [platform.machine(), *chosen, *lines]


def _import_numba() -> None:
    """Import numba, or raise NoKernel with the reason; after a failure it is not tried again."""
    global _broken
    if _broken is None:
        try:
            with DeferredCtrlC():
                importlib.import_module("numpy")
                importlib.import_module("numba.core.errors")
                importlib.import_module("noughts.compiled.instructions")
        except Exception as error:  # whatever it is: ImportError, OSError, MemoryError, AttributeError, SystemError ...
            _broken = f"numba is installed but cannot be loaded: {_in_a_line(error)}"
    if _broken is not None:
        raise NoKernel(_broken)


def _in_a_line(error: Exception) -> str:
    return shown(named_error(error), 200)[1:-1]


def _reason(error: Exception) -> str:
    """Return the reason in an error of numba, without its trace of compilation steps."""
    lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    return shown(one_line(" ".join(lines)), 300)


def _make_native(module: ModuleType, inlined: tuple[str, ...] = ()) -> None:
    """Mark a module's functions for compilation; turn tuples into arrays, and functions of bits into instructions."""
    numba: Any = importlib.import_module("numba")
    from numpy import array, int64

    from noughts.compiled import instructions

    namespace: dict[str, Any] = vars(module)
    for name, value in list(namespace.items()):
        if isinstance(value, FunctionType) and value.__module__ == "noughts.bits":
            namespace[name] = getattr(instructions, value.__name__)
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            inline = "always" if name in inlined else "never"
            namespace[name] = numba.njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True, inline=inline)(
                value
            )
        elif isinstance(value, tuple) and value and all(type(item) is int for item in value):
            namespace[name] = array(value, dtype=int64)
