"""Compiling modules of this package whole, and keeping what was compiled: for code that is the same for all games."""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from noughts import bits
from noughts.compiled.build import INSTRUCTIONS, OPTIONS, Plan, digest_of
from noughts.interrupts import DeferredCtrlC

__all__ = ["Modules"]


class Modules(Plan):
    """Modules to be compiled together, each of which may use functions of those before it.

    `entries` are the functions that are called from Python: `build` returns a module with them, and they are kept.
    `recursive` are functions that call themselves, whose types numba cannot find out. All arguments and results are
    whole numbers; memory is an address. Two things would compile, but not work when loaded: two entries that use the
    same recursive function, and a constant as an argument of one.
    """

    def __init__(
        self,
        name: str,
        modules: Sequence[ModuleType],
        *,
        entries: Sequence[str],
        recursive: Sequence[str],
    ) -> None:
        self.name = name
        self._modules = modules
        self._entries, self._recursive = entries, recursive
        self.texts = {
            f"{_short(module)}.py": Path(str(module.__file__)).read_text(encoding="utf-8") for module in modules
        }
        ours = (Path(str(path)).read_text(encoding="utf-8") for path in (bits.__file__, INSTRUCTIONS, __file__))
        self.digest = digest_of(*self.texts.values(), *ours)

    def load(self, folder: Path | None, fresh: bool) -> ModuleType:
        """Return a module with the entries: compiled if it is `fresh` or there is no folder, else from the folder."""
        numba: Any = importlib.import_module("numba")
        config: Any = importlib.import_module("numba.core.config")
        where = "<compiled>" if folder is None else str(folder)
        whole: Any = ModuleType(f"noughts_kernel_{self.digest}")
        copies: dict[str, ModuleType] = {}
        elsewhere, config.CACHE_DIR = config.CACHE_DIR, ""  # so that numba writes beside the files
        try:
            for module in self._modules:
                copies[module.__name__] = self._copy(module, os.path.join(where, f"{_short(module)}.py"), copies, numba)
            functions = {name: value for copy in copies.values() for name, value in vars(copy).items()}
            with DeferredCtrlC():
                for name in self._recursive if fresh else ():
                    functions[name].compile(numba.int64(*_types(functions[name].py_func, numba)))
                for name in self._entries:
                    entry = numba.njit(**OPTIONS, cache=folder is not None)(functions[name].py_func)
                    entry.compile(_types(entry.py_func, numba))
                    setattr(whole, name, entry)
        finally:
            config.CACHE_DIR = elsewhere
        whole.is_whole = True
        sys.modules[whole.__name__] = whole
        return whole  # type: ignore[no-any-return]

    def _copy(self, module: ModuleType, filename: str, copies: dict[str, ModuleType], numba: Any) -> ModuleType:
        """Return a copy of a module whose functions are compiled, and call the compiled ones of the modules before."""
        from noughts.compiled import instructions

        copy = ModuleType(f"noughts_{_short(module)}_{self.digest}")
        sys.modules[copy.__name__] = copy  # where numba looks a recursive function up
        code = compile(self.texts[f"{_short(module)}.py"], filename, "exec", dont_inherit=True)
        exec(code, vars(copy))
        for name, value in list(vars(copy).items()):
            if isinstance(value, FunctionType) and value.__module__ == bits.__name__:
                setattr(copy, name, getattr(instructions, name))
            elif isinstance(value, FunctionType) and value.__module__ in copies:
                setattr(copy, name, getattr(copies[value.__module__], name))
            elif isinstance(value, FunctionType) and value.__module__ == copy.__name__:
                setattr(copy, name, numba.njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(value))
        return copy


def _types(function: FunctionType, numba: Any) -> tuple[Any, ...]:
    """Return the types of a function's arguments: all are whole numbers of 64 bits."""
    return (numba.int64,) * function.__code__.co_argcount


def _short(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]
