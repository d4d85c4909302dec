"""The functions of rules, rewritten so that they run on checked numbers."""

import ast
import builtins
from copy import deepcopy
from types import FunctionType
from typing import Any

from noughts.compiled.checked_numbers import CALLS, CheckedNumber, as_checked
from noughts.compiled.python_subset import PREFIX, CompiledFunctions, attribute_of, power
from noughts.search.recursion_limit import steady_limit

__all__ = ["FILE_NAME", "checked_functions"]

LITERAL, WRAP = f"{PREFIX}literal_", f"{PREFIX}checked"

FILE_NAME = "rules being checked"
"""The name of the rewritten functions' file, in tracebacks."""


class _Checked(ast.NodeTransformer):
    """Replaces literal numbers, truth values and constants of other modules by checked numbers."""

    def __init__(self, modules: dict[str, Any]) -> None:
        self._modules = modules
        self.literals: dict[str, CheckedNumber] = {}

    def _name(self, value: Any) -> ast.Name:
        name = f"{LITERAL}{len(self.literals)}"
        self.literals[name] = as_checked(value)
        return ast.Name(name, ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._name(node.value) if isinstance(node.value, int) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        for name, value in self._modules.items():
            module, _, attribute = name.rpartition(".")
            if attribute_of(node, module) == attribute:
                return self._name(value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            node.slice = self.visit(node.slice)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        folded = power(node)
        return self.generic_visit(node) if folded is None else self._name(folded)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _as_checked(node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        return _as_checked(node) if any(isinstance(each, ast.In | ast.NotIn) for each in node.ops) else node


def _as_checked(node: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(WRAP, ast.Load()), [node], [])


def checked_functions(compiled: CompiledFunctions) -> dict[str, FunctionType]:
    """Return the functions that a kernel compiles, rewritten to take and return checked numbers."""
    constants = {name: value for name, value in compiled.constants.items() if "." not in name}
    from_builtins = {call.__name__: checked for call, checked in CALLS.items() if call.__module__ == builtins.__name__}
    namespace: dict[str, Any] = {**from_builtins, WRAP: as_checked}
    namespace.update((name, as_checked(value)) for name, value in constants.items())
    namespace.update((name, CALLS[function]) for name, function in compiled.from_bits.items())
    checked = _Checked({name: value for name, value in compiled.constants.items() if name not in constants})
    for name, node in compiled.nodes.items():
        tree = checked.visit(deepcopy(node))
        for argument in ast.walk(tree.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
        if isinstance(tree, ast.Lambda):
            statement: ast.stmt = ast.Assign([ast.Name(name, ast.Store())], tree)
        else:
            tree.name, tree.returns, statement = name, None, tree
        with steady_limit():
            code = compile(ast.fix_missing_locations(ast.Module([statement], [])), FILE_NAME, "exec")
        exec(code, namespace)
        namespace[name].__defaults__ = as_checked(getattr(compiled.module, name).__defaults__)
    namespace.update(checked.literals)
    return {name: namespace[name] for name in compiled.nodes}
