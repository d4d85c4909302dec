"""A description of everything in the rules that is compiled into a kernel, as text for the kernel's digest.

numba compiles in the value that a global name has at the time. A kernel must not be used after that value has changed.
`noughts.compiled.python_subset` finds all functions and constants that rules use, in any module, and refuses the rest.
"""

from collections.abc import Iterator
from types import CodeType

from noughts.compiled.python_subset import CompiledFunctions

__all__ = ["described", "fingerprint", "functions_in"]


def fingerprint(compiled: CompiledFunctions) -> list[str]:
    """Return a line for each function and each constant that is compiled in."""
    functions = ((name, getattr(compiled.module, name)) for name in sorted(compiled.nodes))
    return [
        *(f"{name}: {described(function.__code__)} {function.__defaults__!r}" for name, function in functions),
        *(f"{name}: {value!r}" for name, value in sorted(compiled.constants.items())),
    ]


def described(code: CodeType) -> str:
    """Return a text of everything in a function that is compiled, without its place in the file."""
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
