"""Translating expressions: each becomes an expression of numbers, and statements that must run before it."""

# ruff: noqa: D102, N802 - methods are named after the nodes of a syntax tree

import ast
import builtins
from collections.abc import Callable, Iterator
from operator import add, mul, sub
from typing import Any

from noughts.plain.kinds import INT, NOTHING, Cell, Kind, Mixed, Seq, Tup, common, item_of, kind_of_value, shown_kind
from noughts.plain.source import Refused, function_of

__all__ = ["Constant", "Cuts", "Expressions", "Term"]

Term = tuple[str, Kind]
"""An expression of compiled code, and its type."""

ARITHMETIC: dict[type[ast.AST], str] = {
    ast.Add: "add({}, {})",
    ast.Sub: "subtract({}, {})",
    ast.Mult: "multiply({}, {})",
    ast.FloorDiv: "quotient({}, {})",
    ast.Mod: "remainder({}, {})",
    ast.LShift: "left({}, {})",
    ast.RShift: "right({}, {})",
    ast.BitAnd: "({} & {})",
    ast.BitOr: "({} | {})",
    ast.BitXor: "({} ^ {})",
}

COMPARISONS: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}

FOLDED: dict[type[ast.AST], Callable[[int, int], int]] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}
"""Operators that are applied at once to constants."""

MISSING = object()


class Cuts(str):
    """The expression of a tuple that is made of parts of others: of which, and from where to where in each."""

    parts: list[tuple[str, str, str]]

    def __new__(cls, text: str, parts: list[tuple[str, str, str]]) -> "Cuts":
        """Return an expression with its parts."""
        found = super().__new__(cls, text)
        found.parts = parts
        return found


def cuts_of(text: str) -> list[tuple[str, str, str]]:
    """Return the parts that a tuple is made of: itself, if no others are known."""
    return text.parts if isinstance(text, Cuts) else [(text, "0", "LARGEST")]


class Constant:
    """A value of Python that is known when a function is translated: a constant, a function, the game itself."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Expressions:
    """Translates the expressions of one function, with its variables and the statements written so far."""

    name: str
    namespace: dict[str, Any]
    scope: dict[str, Kind | Constant]
    """The variables that have a value here; Constant for the game itself."""
    cells: dict[object, Cell]
    """The type of the items of each list that is made, by where it is made; found out step by step."""
    changed: bool
    lines: list[str]
    level: int
    temporaries: int
    line_number: int
    place_constant: Callable[[Any], int]
    call_function: Callable[..., Term]

    # What the parts share

    def refuse(self, why: str) -> Refused:
        """Return the error for the line that is being translated."""
        return Refused(f"{self.name}(), line {self.line_number}: {why}")

    def emit(self, text: str) -> None:
        """Write a statement."""
        self.lines.append("    " * self.level + text)

    def temporary(self) -> str:
        """Return a new name of a variable."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def saved(self, text: str) -> str:
        """Return an expression that can be written twice: a name or number, to which the value is assigned."""
        if text.isidentifier() or text.removeprefix("-").isdigit():
            return text
        name = self.temporary()
        self.emit(f"{name} = {text}")
        return name

    def common(self, first: Kind, second: Kind) -> Kind:
        """Return the type of a value that has one of two types."""
        before = repr((first, second))
        try:
            found = common(first, second)
        except Mixed as mixed:
            raise self.refuse(str(mixed)) from None
        self.changed |= repr((first, second)) != before
        return found

    def note_item(self, cell: Cell, kind: Kind | None) -> None:
        """Note the type of an item that a list may have."""
        try:
            self.changed |= cell.add(kind)
        except Mixed as mixed:
            raise self.refuse(str(mixed)) from None

    def made(self, node: ast.AST, form: str, item: Kind | None = None) -> Seq:
        """Return the type of a sequence that is made here."""
        cell = self.cells.setdefault((node, form), Cell())
        self.note_item(cell, item)
        return Seq(form, cell)

    def item_kind(self, kind: Kind) -> Kind:
        """Return the type of the items of a sequence."""
        if not isinstance(kind, (Seq, Tup)):
            raise self.refuse(f"{shown_kind(kind)} has no items")
        try:
            found = item_of(kind)
        except Mixed as mixed:
            raise self.refuse(str(mixed)) from None
        if found is None:  # the list is empty as far as is known; the next round may know more
            self.unknown = True
            return INT
        return found

    unknown: bool

    def in_order(self, *nodes: ast.expr) -> list[Term]:
        """Translate expressions that are evaluated one after the other."""
        found: list[Term] = []
        for node in nodes:
            before = len(self.lines)
            term = self.value(node)
            written = self.lines[before:]
            if written:  # what comes first must be evaluated before these statements
                del self.lines[before:]
                found = [(self.saved(text), kind) for text, kind in found]
                self.lines += written
            found.append(term)
        return found

    def number(self, node: ast.expr) -> str:
        """Translate an expression that must be a whole number."""
        return self.as_number(self.value(node))

    def as_number(self, term: Term) -> str:
        """Return a term that must be a whole number."""
        if term[1] is not INT:
            raise self.refuse(f"{shown_kind(term[1])} stands where a whole number is needed")
        return term[0]

    def sequence(self, node: ast.expr) -> tuple[str, Seq | Tup]:
        """Translate an expression that must be a sequence."""
        text, kind = self.value(node)
        if not isinstance(kind, (Seq, Tup)):
            raise self.refuse(f"{shown_kind(kind)} stands where a sequence is needed")
        return text, kind

    def truth(self, term: Term) -> str:
        """Return the condition that a value counts as true."""
        text, kind = term
        if isinstance(kind, (Seq, Tup)):
            if isinstance(kind, Seq) and kind.form == "generator":
                raise self.refuse("a generator is always true")
            return f"(read(m, {text}) != 0)"
        if kind is NOTHING:
            raise self.refuse("None stands where a truth value is needed")
        return f"({text} != 0)"

    # Expressions

    def value(self, node: ast.expr) -> Term:
        """Translate an expression."""
        self.line_number = getattr(node, "lineno", self.line_number)
        constant = self.constant(node)
        if constant is not MISSING:
            return self.constant_term(constant)
        method = getattr(self, f"value_{type(node).__name__}", None)
        if method is None:
            raise self.refuse(f"`{_shown(node)}` is not translated")
        found: Term = method(node)
        return found

    def constant(self, node: ast.expr) -> Any:
        """Return the value of an expression that is known by now, or MISSING."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in self.scope:
                known = self.scope[node.id]
                return known.value if isinstance(known, Constant) else MISSING
            if node.id in self.local_names:
                raise self.refuse(f"{node.id} may have no value here")
            if node.id in self.namespace:
                self.read_global(self.namespace, node.id)
                return self.namespace[node.id]
            return getattr(builtins, node.id, MISSING)
        if isinstance(node, ast.Attribute):
            owner = self.constant(node.value)
            if owner is not MISSING:
                return self.attribute(owner, node.attr)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operand = self.constant(node.operand)
            return -operand if type(operand) is int else MISSING
        if isinstance(node, ast.BinOp) and type(node.op) in FOLDED:
            first, second = self.constant(node.left), self.constant(node.right)
            if type(first) is int and type(second) is int:
                return FOLDED[type(node.op)](first, second)
        if isinstance(node, ast.Tuple):
            items = [self.constant(each) for each in node.elts]
            if not any(each is MISSING or not isinstance(each, (int, tuple)) for each in items):
                return tuple(items)
        return MISSING

    local_names: set[str]
    read_global: Callable[[dict[str, Any], str], None]
    attribute: Callable[[Any, str], Any]

    def constant_term(self, value: Any) -> Term:
        """Return a constant as a term; sequences are in memory before a search begins."""
        try:
            kind = kind_of_value(value, constant=True)
        except Mixed as mixed:
            raise self.refuse(str(mixed)) from None
        return (str(int(value)), INT) if kind is INT else (str(self.place_constant(value)), kind)

    def value_Name(self, node: ast.Name) -> Term:
        known = self.scope.get(node.id)
        if not isinstance(known, Kind):
            raise self.refuse(f"{node.id} is not defined")
        return self.renamed.get(node.id, f"v_{node.id}"), known

    renamed: dict[str, str]
    """The variables of comprehensions, which may have the name of a variable outside."""

    def value_UnaryOp(self, node: ast.UnaryOp) -> Term:
        if isinstance(node.op, ast.Not):
            return f"(0 if {self.truth(self.value(node.operand))} else 1)", INT
        text = self.number(node.operand)
        if isinstance(node.op, ast.USub):
            return f"subtract(0, {text})", INT
        return (text, INT) if isinstance(node.op, ast.UAdd) else (f"(-1 - {text})", INT)

    def value_BinOp(self, node: ast.BinOp) -> Term:
        first, second = self.in_order(node.left, node.right)
        return self.operation(node, node.op, first, second)

    def operation(self, node: ast.AST, operator: ast.operator, first: Term, second: Term) -> Term:
        """Return the result of an operator."""
        kinds = first[1], second[1]
        if kinds == (INT, INT) and type(operator) in ARITHMETIC:
            return ARITHMETIC[type(operator)].format(first[0], second[0]), INT
        if isinstance(operator, ast.Add) and all(isinstance(kind, (Seq, Tup)) for kind in kinds):
            kind = self.joined_kind(node, *kinds)
            return self.joined(first[0], second[0], self.form(kind)), kind
        if isinstance(operator, ast.Mult) and INT in kinds and kinds != (INT, INT):
            (text, kind), times = (first, second[0]) if kinds[1] is INT else (second, first[0])
            return f"repeated(m, {text}, {times})", self.made(node, self.form(kind), self.item_kind(kind))
        shown = ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))
        raise self.refuse(f"`{shown}` is not translated for {shown_kind(kinds[0])} and {shown_kind(kinds[1])}")

    def joined(self, first: str, second: str, form: str) -> str:
        """Return the expression for one sequence after another; parts of tuples are copied only once."""
        parts = [*cuts_of(first), *cuts_of(second)]
        if form != "tuple" or len(parts) > 3:
            return f"joined(m, {first}, {second})"
        function = "joined_cuts" if len(parts) == 2 else "joined_three"
        return Cuts(f"{function}(m, {', '.join(', '.join(each) for each in parts)})", parts)

    def joined_kind(self, node: ast.AST, first: Kind, second: Kind) -> Kind:
        """Return the type of one sequence after another."""
        if isinstance(first, Tup) and isinstance(second, Tup):
            return Tup(first.items + second.items)
        if self.form(first) != self.form(second):
            raise self.refuse(f"{shown_kind(first)} + {shown_kind(second)}")
        kind = self.made(node, self.form(first))
        for each in (first, second):
            assert isinstance(each, (Seq, Tup))
            self.note_item(kind.cell, item_of(each) if isinstance(each, Seq) else self.item_kind(each))
        return kind

    def form(self, kind: Kind) -> str:
        """Return whether a sequence is a tuple, a list or something else."""
        if isinstance(kind, Tup):
            return "tuple"
        if isinstance(kind, Seq) and kind.form in ("tuple", "list"):
            return kind.form
        raise self.refuse(f"{shown_kind(kind)} stands where a tuple or list is needed")

    def value_BoolOp(self, node: ast.BoolOp) -> Term:
        text, kind = self.value(node.values[0])
        found = self.temporary()
        self.emit(f"{found} = {text}")
        depth = self.level
        for each in node.values[1:]:
            condition = self.truth((found, kind))
            self.emit(f"if {condition if isinstance(node.op, ast.And) else f'not {condition}'}:")
            self.level += 1
            text, other = self.value(each)
            kind = self.common(kind, other)
            self.emit(f"{found} = {text}")
        self.level = depth
        return found, kind

    def value_IfExp(self, node: ast.IfExp) -> Term:
        found = self.temporary()
        self.emit(f"if {self.truth(self.value(node.test))}:")
        kinds = []
        for each in (node.body, node.orelse):
            self.level += 1
            text, kind = self.value(each)
            self.emit(f"{found} = {text}")
            kinds.append(kind)
            self.level -= 1
            if each is node.body:
                self.emit("else:")
        return found, self.common(*kinds)

    def value_Compare(self, node: ast.Compare) -> Term:
        found = self.temporary()
        first, depth = self.value(node.left), self.level
        self.emit(f"{found} = 0")
        for operator, right in zip(node.ops, node.comparators, strict=True):
            first = self.saved(first[0]), first[1]
            condition, first = self.comparison(first, operator, right)
            self.emit(f"if {condition}:")
            self.level += 1
        self.emit(f"{found} = 1")
        self.level = depth
        return found, INT

    def comparison(self, first: Term, operator: ast.cmpop, node: ast.expr) -> tuple[str, Term]:
        """Return the condition of a comparison, and its second operand."""
        if isinstance(operator, (ast.In, ast.NotIn)):
            condition = self.is_in(first, node)
            return (f"not {condition}" if isinstance(operator, ast.NotIn) else condition), ("", INT)
        second = self.value(node)
        second = self.saved(second[0]), second[1]
        kinds = first[1], second[1]
        if kinds == (INT, INT) and type(operator) in COMPARISONS:
            return f"({first[0]} {COMPARISONS[type(operator)]} {second[0]})", second
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return ("not " * isinstance(operator, ast.NotEq)) + self.are_equal(first, second), second
        raise self.refuse(f"{shown_kind(kinds[0])} is compared with {shown_kind(kinds[1])}")

    def are_equal(self, first: Term, second: Term) -> str:
        """Return the condition that two values are equal."""
        for _, kind in (first, second):
            if not isinstance(kind, (Seq, Tup)) or self.item_kind(kind) is not INT or self.form(kind) == "set":
                raise self.refuse(f"{shown_kind(first[1])} is compared with {shown_kind(second[1])}")
        if self.form(first[1]) != self.form(second[1]):
            raise self.refuse("a tuple is compared with a list")
        return f"(equal(m, {first[0]}, {second[0]}) != 0)"

    def is_in(self, first: Term, node: ast.expr) -> str:
        """Return the condition that a value is an item of a sequence."""
        written_out = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []
        if written_out and first[1] is INT and not any(isinstance(each, ast.Starred) for each in written_out):
            texts = [self.saved(self.as_number(each)) for each in self.in_order(*written_out)]  # before any comparison
            return f"({' or '.join(f'{first[0]} == {text}' for text in texts)})"
        text, kind = self.sequence(node)
        inner = self.item_kind(kind)
        if inner is INT and first[1] is INT:
            return f"(contains(m, {text}, {first[0]}) != 0)"
        if isinstance(inner, (Seq, Tup)) and isinstance(first[1], (Seq, Tup)):
            self.are_equal(first, (text, inner))
            return f"(contains_sequence(m, {text}, {first[0]}) != 0)"
        raise self.refuse(f"`in` is not translated for {shown_kind(first[1])} in {shown_kind(kind)}")

    def value_Call(self, node: ast.Call) -> Term:
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            raise self.refuse(f"`{_shown(node)}` passes a list of arguments")
        callee = self.constant(node.func)
        if callee is MISSING:
            if isinstance(node.func, ast.Attribute):
                return self.method_call(node, node.func)
            raise self.refuse(f"`{_shown(node)}` is not translated")
        own = function_of(callee)
        if own is not None:
            terms = self.in_order(*node.args, *(each.value for each in node.keywords))
            names = [each.arg for each in node.keywords]
            for _, kind in terms:
                if isinstance(kind, Seq) and (kind.form == "generator" or kind.cell.kind is None):
                    if kind.form != "generator":
                        self.unknown = True
                        continue
                    raise self.refuse("a generator is passed to a function")
            return self.call_function(
                callee, terms[: len(node.args)], dict(zip(names, terms[len(node.args) :], strict=True))
            )
        return self.builtin_call(node, callee)

    def method_call(self, node: ast.Call, function: ast.Attribute) -> Term:
        """Translate a call of a method."""
        raise NotImplementedError

    def builtin_call(self, node: ast.Call, callee: Any) -> Term:
        """Translate a call of a function of Python."""
        raise NotImplementedError


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:57] + "..."


def names_in(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names that are assigned somewhere in nodes, other than in comprehensions."""
    for node in nodes:
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda)):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        yield from names_in(list(ast.iter_child_nodes(node)))
