"""Translating calls of Python's own functions, and of the methods of lists and sets."""

# ruff: noqa: D102 - methods are named after the functions of Python that they translate

import ast
from typing import Any

from noughts.plain.expressions import Term
from noughts.plain.kinds import INT, NOTHING, Kind, Seq, Tup, item_of, shown_kind
from noughts.plain.sequences import Sequences

__all__ = ["Calls"]

Comprehension = ast.ListComp | ast.GeneratorExp | ast.SetComp

METHODS: dict[str, tuple[str, tuple[str, ...], int]] = {
    "append": ("append", ("list",), 1),
    "extend": ("extend", ("list",), 1),
    "insert": ("insert", ("list",), 2),
    "remove": ("remove", ("list", "set"), 1),
    "sort": ("sort", ("list",), 0),
    "add": ("add_to_set", ("set",), 1),
    "discard": ("discard", ("set",), 1),
}
"""Methods that change a list or set: the function of `memory`, what they are for, and how many arguments they take."""


class Calls(Sequences):
    """Translates calls of functions that are not the game's own."""

    def builtin_call(self, node: ast.Call, callee: Any) -> Term:
        """Translate a call of a function of Python."""
        named = getattr(callee, "__name__", repr(callee))
        method = getattr(self, f"call_{named}", None)
        if method is None or getattr(callee, "__module__", None) != "builtins":
            raise self.refuse(f"{named}() is not translated")
        if node.keywords:
            raise self.refuse(f"{named}() with keywords is not translated")
        found: Term = method(node, *node.args)
        return found

    def call_len(self, _: ast.Call, given: ast.expr) -> Term:
        text, kind = self.sequence(given)
        if isinstance(kind, Seq) and kind.form == "generator":
            raise self.refuse("a generator has no length")
        return f"read(m, {text})", INT

    def call_abs(self, _: ast.Call, given: ast.expr) -> Term:
        text = self.saved(self.number(given))
        return f"({text} if {text} >= 0 else subtract(0, {text}))", INT

    def call_int(self, _: ast.Call, given: ast.expr) -> Term:
        return self.number(given), INT

    def call_bool(self, _: ast.Call, given: ast.expr) -> Term:
        return f"(1 if {self.truth(self.value(given))} else 0)", INT

    def call_divmod(self, _: ast.Call, first: ast.expr, second: ast.expr) -> Term:
        a, b = (self.saved(self.as_number(each)) for each in self.in_order(first, second))
        return self.display([(f"quotient({a}, {b})", INT), (f"remainder({a}, {b})", INT)]), Tup((INT, INT))

    def call_min(self, node: ast.Call, *given: ast.expr) -> Term:
        return self.extreme(node, given, "lowest")

    def call_max(self, node: ast.Call, *given: ast.expr) -> Term:
        return self.extreme(node, given, "highest")

    def extreme(self, node: ast.Call, given: tuple[ast.expr, ...], function: str) -> Term:
        """Translate min or max, of several numbers or of one sequence of them."""
        if len(given) > 1:
            items = self.in_order(*given)
            return f"{function}(m, {self.display([(self.as_number(each), INT) for each in items])})", INT
        text, kind = self.sequence(node.args[0])
        if self.item_kind(kind) is not INT:
            raise self.refuse("min and max are translated for whole numbers only")
        return f"{function}(m, {text})", INT

    def call_sum(self, _: ast.Call, given: ast.expr) -> Term:
        if isinstance(given, Comprehension) and not isinstance(given, ast.SetComp):
            found = self.temporary()
            self.emit(f"{found} = 0")
            self.each_of(given, lambda: self.emit(f"{found} = add({found}, {self.number(given.elt)})"))
            return found, INT
        text, kind = self.sequence(given)
        if self.item_kind(kind) is not INT:
            raise self.refuse("sum is translated for whole numbers only")
        return f"total(m, {text})", INT

    def call_any(self, _: ast.Call, given: ast.expr) -> Term:
        return self.quantified(given, 1, "any_of")

    def call_all(self, _: ast.Call, given: ast.expr) -> Term:
        return self.quantified(given, 0, "all_of")

    def quantified(self, given: ast.expr, ends: int, function: str) -> Term:
        """Translate any or all, which ends at the first item that decides."""
        if isinstance(given, Comprehension) and not isinstance(given, ast.SetComp):
            found = self.temporary()
            self.emit(f"{found} = {1 - ends}")

            def take() -> None:
                condition = self.truth(self.value(given.elt))
                self.emit(f"if {condition}:" if ends else f"if not {condition}:")
                self.emit(f"    {found} = {ends}")

            self.each_of(given, take, f"{found} == {ends}")
            return found, INT
        text, kind = self.sequence(given)
        if self.item_kind(kind) is not INT:
            raise self.refuse("any and all are translated for whole numbers only")
        return f"{function}(m, {text})", INT

    def call_tuple(self, node: ast.Call, *given: ast.expr) -> Term:
        return self.converted(node, given, "tuple")

    def call_list(self, node: ast.Call, *given: ast.expr) -> Term:
        return self.converted(node, given, "list")

    def converted(self, node: ast.Call, given: tuple[ast.expr, ...], form: str) -> Term:
        """Translate a conversion to a tuple or list, which is a copy."""
        if not given:
            return "new(m, 8)", self.made(node, form)
        (only,) = given
        text, kind = self.items(only)
        if isinstance(kind, Seq) and kind.form == "set":
            raise self.refuse("the order of a set is not defined")
        if isinstance(kind, Tup) and form == "tuple":
            return text, kind
        found = self.item_kind(kind) if isinstance(kind, Tup) else item_of(kind)
        return f"copied(m, {text})", self.made(node, form, found)

    def items(self, node: ast.expr) -> tuple[str, Seq | Tup]:
        """Translate what a conversion takes: a sequence, or a range of numbers."""
        if isinstance(node, ast.Call) and self.constant(node.func) is range:
            low, high, step = self.range_ends(node)
            return f"numbers(m, {low}, {high}, {step})", self.made(node, "tuple", INT)
        return self.sequence(node)

    def range_ends(self, node: ast.Call) -> list[str]:
        """Return the first number, the end and the step of a range."""
        if node.keywords or not 1 <= len(node.args) <= 3:
            raise self.refuse("range() takes one to three numbers")
        found = [self.as_number(each) for each in self.in_order(*node.args)]
        step = self.constant(node.args[2]) if len(found) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise self.refuse("the step of a range must be a constant")
        return (["0"] if len(found) == 1 else found[:1]) + [found[0] if len(found) == 1 else found[1], str(step)]

    def call_range(self, node: ast.Call, *_: ast.expr) -> Term:
        low, high, step = self.range_ends(node)
        return f"numbers(m, {low}, {high}, {step})", self.made(node, "tuple", INT)

    def call_set(self, node: ast.Call, *given: ast.expr) -> Term:
        if not given:
            return "new(m, 8)", self.made(node, "set", INT)
        text, kind = self.sequence(given[0])
        if self.item_kind(kind) is not INT:
            raise self.refuse("a set of anything but whole numbers is not translated")
        return f"as_set(m, {text})", self.made(node, "set", INT)

    call_frozenset = call_set

    def call_sorted(self, node: ast.Call, given: ast.expr) -> Term:
        text, kind = self.sequence(given)
        if self.item_kind(kind) is not INT:
            raise self.refuse("sorted is translated for whole numbers only")
        return f"in_order(m, {text})", self.made(node, "list", INT)

    def call_reversed(self, node: ast.Call, given: ast.expr) -> Term:
        text, kind = self.sequence(given)
        self.form(kind)
        return f"backwards(m, {text})", self.made(node, "generator", self.item_kind(kind))

    # Methods

    def method_call(self, node: ast.Call, function: ast.Attribute) -> Term:
        """Translate a call of a method of a tuple, list or set."""
        owner = self.value(function.value)
        name, given = function.attr, node.args
        if node.keywords or not isinstance(owner[1], (Seq, Tup)):
            raise self.refuse(f"{name}() of {shown_kind(owner[1])} is not translated")
        owner = (self.saved(owner[0]), owner[1])
        if name in METHODS:
            return self.changing_call(owner, name, given)
        arguments = self.in_order(*given)
        if name in ("index", "count") and len(given) == 1 and self.item_kind(owner[1]) is INT:
            self.form(owner[1])
            return f"{name}_of(m, {owner[0]}, {self.as_number(arguments[0])})", INT
        if name == "pop" and len(given) <= 1 and isinstance(owner[1], Seq) and owner[1].form == "list":
            self.changeable(owner[1])
            place = self.as_number(arguments[0]) if given else "-1"
            return f"pop(m, {owner[0]}, {place})", self.item_kind(owner[1])
        if name == "copy" and not given and isinstance(owner[1], Seq) and owner[1].form in ("list", "set"):
            return f"copied(m, {owner[0]})", self.made(node, owner[1].form, item_of(owner[1]))
        raise self.refuse(f"{name}() of {shown_kind(owner[1])} is not translated")

    def changeable(self, kind: Kind) -> None:
        """Refuse to change a constant."""
        if getattr(kind, "constant", False):
            raise self.refuse("it changes a constant of the file")

    def changing_call(self, owner: Term, name: str, given: list[ast.expr]) -> Term:
        """Translate a method that changes its list or set."""
        kind = owner[1]
        function, forms, number = METHODS[name]
        if not isinstance(kind, Seq) or kind.form not in forms or len(given) != number:
            raise self.refuse(f"{name}() of {shown_kind(kind)} is not translated")
        self.changeable(kind)
        if name == "extend":
            text, other = self.items(given[0])
            if isinstance(other, Seq) and other.form == "set":
                raise self.refuse("the order of a set is not defined")
            if text == owner[0]:
                raise self.refuse("a list is extended by itself")
            self.note_item(kind.cell, self.item_kind(other) if isinstance(other, Tup) else item_of(other))
            return f"extend(m, {owner[0]}, {text})", NOTHING
        arguments = self.in_order(*given)
        if name == "insert":
            self.as_number(arguments[0])
        if name in ("append", "insert"):
            self.note_item(kind.cell, self.stored(arguments[-1][1]))
        elif name == "sort" or kind.form == "set" or name == "remove":
            if self.item_kind(kind) is not INT:
                raise self.refuse(f"{name}() is translated for whole numbers only")
            for each in arguments:
                self.as_number(each)
        return f"{function}({', '.join(['m', owner[0], *(text for text, _ in arguments)])})", NOTHING
