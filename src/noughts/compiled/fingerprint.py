"""Everything that is compiled into a kernel, as text, so that no kernel is used for rules that it was not made from.

numba compiles in the value that a global name has at the time: a number, a tuple, an array, a default argument, an
attribute of a module. So the functions are followed to all that they use, in whatever module it is. What cannot be put
into text, and so could change unnoticed, is refused.
"""

import builtins
import hashlib
import sys
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from noughts import bits
from noughts.errors import BrokenGame

__all__ = ["Fingerprint", "described", "functions_in"]

PLAIN = (int, float, complex, str, bytes, type(None))

COMPILES = "a kernel can use whole numbers, tuples of them, and functions of the same file"


class Fingerprint:
    """What the functions of some rules use. `lines` describes it; `own` are those functions of the file that are used.

    Functions of `noughts.bits` are only named: machine instructions take their place. Those of numba, numpy and the
    standard library are named too, since their versions are part of a kernel's digest.
    """

    def __init__(self, rules: ModuleType, names: Iterable[str]) -> None:
        self.lines: list[str] = []
        self.own: dict[str, FunctionType] = {}
        self._rules = rules
        self._seen: set[tuple[int, object]] = set()
        for name in names:
            if hasattr(rules, name):
                self._add(name, getattr(rules, name), ())

    def _add(self, name: str, value: Any, used: tuple[str, ...]) -> None:
        """Describe a value under a name; of a module, those attributes that bear a name which is `used`."""
        seen = id(value), used if isinstance(value, ModuleType) else name  # modules may lead to each other
        if seen in self._seen:
            return
        self._seen.add(seen)
        if hasattr(value, "py_func"):  # the file itself has numba compile it
            value = value.py_func
        if isinstance(value, ModuleType):
            for attribute in used:
                if hasattr(value, attribute):
                    self._add(f"{name}.{attribute}", getattr(value, attribute), used)
        elif isinstance(value, FunctionType) and value.__globals__ is vars(self._rules):
            self.own[name] = value
            self._add_function(name, value)
        elif isinstance(value, FunctionType) and value.__globals__ is vars(bits):
            self.lines.append(f"{name}: bits {value.__name__}")
        elif isinstance(value, tuple) and not all(type(item) is int for item in value):
            self.lines.append(f"{name}: {type(value).__qualname__} of {len(value)} {getattr(value, '_fields', '')}")
            for index, item in enumerate(value):
                self._add(f"{name}[{index}]", item, used)
        else:
            self.lines.append(f"{name}: {self._text(name, value)}")

    def _add_function(self, name: str, function: FunctionType) -> None:
        self.lines.append(f"{name}: {described(function.__code__)}")
        used = tuple(_names(function.__code__))
        for each in used:
            if each in function.__globals__:
                self._add(each, function.__globals__[each], used)
            elif hasattr(builtins, each):
                self._add(each, getattr(builtins, each), used)
        for each, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._add(f"{each} in {name}", cell.cell_contents, used)
            except ValueError:  # it has no value yet
                self.lines.append(f"{each} in {name}: no value")
        for each, value in (function.__kwdefaults__ or {}).items():
            self._add(f"the default {each} of {name}", value, used)
        for index, value in enumerate(function.__defaults__ or ()):
            self._add(f"default {index + 1} of {name}", value, used)

    def _text(self, name: str, value: Any) -> str:
        """Return a value as a text that no other value has, or raise BrokenGame if there is none."""
        kind = type(value)
        if isinstance(value, (*PLAIN, tuple)):
            return f"{kind.__qualname__} {value!r}"
        if _from_numpy(kind, "ndarray", "generic") and not value.dtype.hasobject:
            return f"{value.dtype!r} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        if _is_of_a_library(value):
            code = described(value.__code__) if isinstance(value, FunctionType) else ""
            return f"{value!r}".split(" at 0x")[0] + code
        if isinstance(value, FunctionType):
            raise BrokenGame(
                f"its kernel calls {name}, a function of another file ({value.__module__}); "
                "write it into the file of the rules"
            )
        what = "class" if isinstance(value, type) else kind.__name__
        raise BrokenGame(f"its kernel uses {name}, which is a {what}; {COMPILES}")


def described(code: CodeType) -> str:
    """Return what a function does as text: all that is compiled, and not where it stands in its file."""
    constants = [described(each) if isinstance(each, CodeType) else _constant(each) for each in code.co_consts]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return repr((code.co_name, counts, names, code.co_code, code.co_exceptiontable, constants))


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of every function within some code, at any depth."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from functions_in(each)


def _names(code: CodeType) -> dict[str, None]:
    """Return the names of globals and attributes that a function uses, and those of functions within it, in order."""
    return dict.fromkeys(name for each in (code, *functions_in(code)) for name in each.co_names)


def _from_numpy(kind: type, *names: str) -> bool:
    return any(base.__module__ == "numpy" and base.__name__ in names for base in kind.__mro__)


def _is_of_a_library(value: Any) -> bool:
    """Say whether a value is a function or class of a library, or a type of numba's, and no object with contents."""
    if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
        holder = getattr(value, "__self__", None)
        where = holder.__name__ if isinstance(holder, ModuleType) else value.__module__
        return _root(where) in ("numba", "numpy") or _root(where) in sys.stdlib_module_names
    kind = type(value)
    return kind.__module__.startswith("numba.core.types") or (
        _root(kind.__module__) == "numpy" and kind.__name__ in ("ufunc", "_ArrayFunctionDispatcher")
    )


def _root(module: str | None) -> str:
    return (module or "").partition(".")[0]
