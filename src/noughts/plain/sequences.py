"""Translating what makes sequences: items and slices, tuples and lists that are written out, and comprehensions."""

# ruff: noqa: D102, N802 - methods are named after the nodes of a syntax tree

import ast
from collections.abc import Callable

from noughts.plain.expressions import Cuts, Expressions, Term
from noughts.plain.kinds import INT, NOTHING, Kind, Seq, Tup, item_of, shown_kind

__all__ = ["Sequences"]


class Sequences(Expressions):
    """Translates the expressions that take a sequence apart or make one."""

    def value_Subscript(self, node: ast.Subscript) -> Term:
        if isinstance(node.slice, ast.Slice):
            return self.slice(node, node.slice)
        owner, index = self.in_order(node.value, node.slice)
        place = self.constant(node.slice)
        text = f"item(m, {owner[0]}, {self.as_number(index)})"
        if isinstance(owner[1], Tup) and isinstance(place, int):
            if not -len(owner[1].items) <= place < len(owner[1].items):
                raise self.refuse(f"a tuple of {len(owner[1].items)} has no item {place}")
            within = place % len(owner[1].items)
            return f"read(m, read(m, {owner[0]} + 2) + {within})", owner[1].items[place]
        if isinstance(owner[1], Seq) and owner[1].form in ("set", "generator"):
            raise self.refuse(f"{shown_kind(owner[1])} has no item by number")
        return text, self.item_kind(owner[1])

    def slice(self, node: ast.Subscript, part: ast.Slice) -> Term:
        """Translate a slice."""
        owner = self.value(node.value)
        kind = owner[1]
        form = self.form(kind)
        assert isinstance(kind, (Seq, Tup))
        step = None if part.step is None else self.constant(part.step)
        if step == -1 and part.lower is None and part.upper is None:
            items = tuple(reversed(kind.items)) if isinstance(kind, Tup) else ()
            return f"backwards(m, {owner[0]})", Tup(items) if isinstance(kind, Tup) else self.made(
                node, form, item_of(kind)
            )
        if isinstance(step, int) and step < 1:
            raise self.refuse("a step below 1 is not translated, other than [::-1]")
        text = self.saved(owner[0])
        ends = [each or ast.Constant(other) for each, other in ((part.lower, 0), (part.step, 1))]
        upper = part.upper
        terms = self.in_order(ends[0], *([upper] if upper else ()), ends[1])
        numbers = [self.as_number(each) for each in terms]
        if upper is None:
            numbers.insert(1, f"read(m, {text})")
        cut = f"cut(m, {text}, {', '.join(numbers)})"
        if form == "tuple" and step in (None, 1):
            cut = Cuts(cut, [(text, numbers[0], numbers[1])])
        if isinstance(kind, Tup):
            values = [None if each is None else self.constant(each) for each in (part.lower, upper, part.step)]
            if all(each is None or isinstance(each, int) for each in values):
                return cut, Tup(kind.items[slice(*values)])
            return cut, self.made(node, form, self.item_kind(kind))
        return cut, self.made(node, form, item_of(kind))

    def value_Tuple(self, node: ast.Tuple) -> Term:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self.starred(node, node.elts, "tuple")
        items = self.in_order(*node.elts)
        return self.display(items), Tup(tuple(self.stored(kind) for _, kind in items))

    def value_List(self, node: ast.List) -> Term:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self.starred(node, node.elts, "list")
        items = self.in_order(*node.elts)
        kind = self.made(node, "list")
        for _, each in items:
            self.note_item(kind.cell, self.stored(each))
        return self.display(items), kind

    def value_Set(self, node: ast.Set) -> Term:
        items = self.in_order(*node.elts)
        for each in items:
            self.as_number(each)
        return f"as_set(m, {self.display(items)})", self.made(node, "set", INT)

    def stored(self, kind: Kind) -> Kind:
        """Return the type of a value that is assigned or stored; refuse what may be used only once, or not at all."""
        if kind is NOTHING or (isinstance(kind, Seq) and kind.form == "generator"):
            raise self.refuse(f"{shown_kind(kind)} is stored")
        return kind

    def display(self, items: list[Term]) -> str:
        """Write the items of a new sequence, and return where it is."""
        texts = [self.saved(text) for text, _ in items]
        found = self.temporary()
        self.emit(f"{found} = new(m, {len(items)})")
        self.emit(f"write(m, {found}, {len(items)})")
        for place, text in enumerate(texts):
            self.emit(f"write(m, {found} + {3 + place}, {text})")
        return found

    def starred(self, node: ast.expr, items: list[ast.expr], form: str) -> Term:
        """Translate a tuple or list some of whose items come from another sequence."""
        found, kind = self.temporary(), self.made(node, form)
        self.emit(f"{found} = new(m, {2 * len(items) + 8})")
        for each in items:
            if isinstance(each, ast.Starred):
                text, other = self.sequence(each.value)
                if isinstance(other, Seq) and other.form == "set":
                    raise self.refuse("the order of a set is not defined")
                self.note_item(kind.cell, self.item_kind(other))
                self.emit(f"extend(m, {found}, {text})")
            else:
                text, one = self.value(each)
                self.note_item(kind.cell, self.stored(one))
                self.emit(f"append(m, {found}, {text})")
        return found, kind

    def value_ListComp(self, node: ast.ListComp) -> Term:
        return self.collected(node, "list")

    def value_GeneratorExp(self, node: ast.GeneratorExp) -> Term:
        return self.collected(node, "generator")

    def value_SetComp(self, node: ast.SetComp) -> Term:
        return self.collected(node, "set")

    def collected(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, form: str) -> Term:
        """Translate a comprehension."""
        found, kind = self.temporary(), self.made(node, form)
        self.emit(f"{found} = new(m, 8)")

        def take() -> None:
            text, item = self.value(node.elt)
            if form == "set" and item is not INT:
                raise self.refuse("a set of anything but whole numbers is not translated")
            self.note_item(kind.cell, self.stored(item))
            self.emit(f"{'add_to_set' if form == 'set' else 'append'}(m, {found}, {text})")

        self.each_of(node, take)
        return found, kind

    def each_of(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, take: Callable[[], None], stop: str = ""
    ) -> None:
        """Write the loops of a comprehension around what `take` writes; they end when the condition `stop` is true."""
        outside, renamed, depth = dict(self.scope), dict(self.renamed), self.level
        ends: list[int] = []
        names = {name.id for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)}
        hidden = self.local_names
        self.local_names = hidden - names
        for part in node.generators:
            if part.is_async:
                raise self.refuse("an asynchronous loop is not translated")
            self.loop_head(part.iter, part.target)
            ends.append(self.level)
            for condition in part.ifs:
                self.emit(f"if {self.truth(self.value(condition))}:")
                self.level += 1
        take()
        for end in reversed(ends):
            if stop:
                self.level = end
                self.emit(f"if {stop}:")
                self.emit("    break")
        self.level, self.scope, self.renamed, self.local_names = depth, outside, renamed, hidden

    def loop_head(self, iterated: ast.expr, target: ast.expr) -> None:
        """Write the beginning of a loop."""
        raise NotImplementedError
