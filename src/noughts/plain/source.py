"""The syntax trees of functions, found in their files, and checked to be what Python runs."""

import ast
import functools
from functools import lru_cache
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from noughts.compiled.fingerprint import described, functions_in
from noughts.errors import NoughtsError
from noughts.search.recursion_limit import steady_limit

__all__ = ["Function", "Refused", "ends_without_actions", "function_of", "node_of"]

Function = ast.FunctionDef | ast.Lambda


class Refused(NoughtsError):
    """Why functions are not translated, in one line: which function, where, and what."""


def function_of(value: Any) -> tuple[FunctionType, Any] | None:
    """Return the function behind a value and the object that it is bound to, or None if there is no such function.

    A cache such as `functools.cache` changes no answer of a function without side effects; it is left out.
    """
    bound = None
    if isinstance(value, MethodType):
        value, bound = value.__func__, value.__self__
    if isinstance(value, functools._lru_cache_wrapper):
        value = value.__wrapped__
    return (value, bound) if isinstance(value, FunctionType) else None


def node_of(function: FunctionType) -> Function:
    """Return the syntax tree of a function; raise Refused if its file cannot be read or says something else by now."""
    code, name = function.__code__, function.__name__
    try:
        tree, codes = _parsed(code.co_filename)
    except (OSError, SyntaxError, ValueError):
        raise Refused(f"{name}(): its source is not in a file that can be read") from None
    if described(code) not in codes:
        raise Refused(f"{name}(): its file has changed since it was loaded")
    found = [node for node in ast.walk(tree) if isinstance(node, Function) and _place(node) == code.co_firstlineno]
    found = [node for node in found if getattr(node, "name", "<lambda>") == code.co_name]
    if len(found) != 1:
        raise Refused(f"{name}(), line {code.co_firstlineno}: several functions are on one line")
    if function.__closure__:
        raise Refused(f"{name}(), line {code.co_firstlineno}: it uses variables of a function around it")
    return found[0]


def ends_without_actions(terminal: Any, actions: Any) -> bool:
    """Return whether a function says nothing but that there are no actions: `return not actions(state)`."""
    found, other = function_of(terminal), function_of(actions)
    assert found is not None
    function, bound = found
    node = node_of(function)
    body = [node.body] if isinstance(node, ast.Lambda) else [each for each in node.body if not _is_docstring(each)]
    said = body[0].value if isinstance(body[0], ast.Return) else body[0]
    if len(body) > 1 or not (isinstance(said, ast.UnaryOp) and isinstance(said.op, ast.Not)):
        return False
    call, state = said.operand, node.args.args[-1].arg
    if not isinstance(call, ast.Call) or call.keywords or [getattr(each, "id", "") for each in call.args] != [state]:
        return False
    if isinstance(call.func, ast.Name):
        callee = function.__globals__.get(call.func.id)
    elif isinstance(call.func, ast.Attribute) and bound is not None and isinstance(call.func.value, ast.Name):
        callee = getattr(bound, call.func.attr, None) if call.func.value.id == node.args.args[0].arg else None
    else:
        return False
    return function_of(callee) == other


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _place(node: Function) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


@lru_cache(maxsize=8)
def _parsed_text(text: str) -> tuple[ast.Module, frozenset[str]]:
    with steady_limit():
        code = compile(text, "", "exec", dont_inherit=True)
        return ast.parse(text), frozenset(described(each) for each in functions_in(code))


def _parsed(path: str) -> tuple[ast.Module, frozenset[str]]:
    return _parsed_text(Path(path).read_text(encoding="utf-8"))
