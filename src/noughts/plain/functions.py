"""Translating whole functions: statements, variables, and the functions that call each other."""

# ruff: noqa: D102, N802 - methods are named after the nodes of a syntax tree

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from noughts.plain.calls import Calls
from noughts.plain.expressions import MISSING, Constant, Term, names_in
from noughts.plain.kinds import INT, NOTHING, Kind, Seq, Tup, item_of, shown_kind
from noughts.plain.source import Function, node_of

__all__ = ["Statements"]

MOST_ROUNDS = 12
"""How often a function is translated until the types of its variables are known."""

Scope = dict[str, Kind | Constant]


class Statements(Calls):
    """Translates one function for arguments of given types."""

    def __init__(
        self,
        function: FunctionType,
        arguments: list[Kind | Constant],
        call_function: Callable[..., Term],
        place_constant: Callable[[Any], int],
        read_global: Callable[[dict[str, Any], str], None],
        attribute: Callable[[Any, str], Any],
    ) -> None:
        self.name, self.namespace = function.__name__, function.__globals__
        self.node: Function = node_of(function)
        self.line_number = self.node.lineno
        self.call_function, self.place_constant = call_function, place_constant
        self.read_global, self.attribute = read_global, attribute
        self.cells = {}
        self.arguments = arguments
        self.returned: Kind | None = None
        self.loops: dict[ast.AST, Scope] = {}
        self.statements: list[ast.stmt]
        if isinstance(self.node, ast.Lambda):
            self.statements = [ast.Return(self.node.body, lineno=self.line_number)]
        else:
            self.statements = self.node.body
        self.is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(self.node))
        self.parameters = [each.arg for each in (*self.node.args.posonlyargs, *self.node.args.args)]
        self.local_names = {*self.parameters, *names_in(list(self.statements))}

    def translated(self, name: str) -> tuple[str, Kind]:
        """Return the source of the function under a new name, and the type that it returns."""
        for _ in range(MOST_ROUNDS):
            self._round()
            if not self.changed:
                break
        else:
            raise self.refuse("its types cannot be found out")
        if self.unknown:
            raise self.refuse("what a list holds cannot be found out")
        names = [
            f"v_{each}" for each, kind in zip(self.parameters, self.arguments, strict=True) if isinstance(kind, Kind)
        ]
        variables = sorted(self.written - set(names))
        start = [f"    {each} = 0" for each in variables]
        head = f"def {name}({', '.join(['m', *names])}):"
        return "\n".join([head, *start, *self.lines, ""]), self.returned or NOTHING

    def _round(self) -> None:
        self.changed = self.unknown = False
        self.lines, self.level, self.temporaries = [], 1, 0
        self.written: set[str] = set()
        self.renamed = {}
        self.around = []
        self.scope = dict(zip(self.parameters, self.arguments, strict=True))
        if self.is_generator:
            self.emit("found = new(m, 8)")
            self.returned = self.made(self.node, "generator")
        ends = self.block(self.statements)
        if not ends:
            if self.is_generator:
                self.emit("return found")
            else:
                self.note_return(NOTHING)
                self.emit("return 0")

    def note_return(self, kind: Kind) -> None:
        """Note the type of what is returned."""
        before = repr(self.returned)
        self.returned = kind if self.returned is None else self.common(self.returned, kind)
        self.changed |= repr(self.returned) != before

    # Statements: each returns whether nothing runs after it

    def block(self, statements: list[ast.stmt]) -> bool:
        """Translate statements one after the other; return whether nothing can run after them."""
        for statement in statements:
            self.line_number = statement.lineno
            method = getattr(self, f"do_{type(statement).__name__}", None)
            if method is None:
                raise self.refuse(f"`{type(statement).__name__.lower()}` is not translated")
            if method(statement):
                return True
        return False

    def inner(self, statements: list[ast.stmt]) -> tuple[Scope, bool]:
        """Translate statements that may or may not run; return the variables after them, and whether they end."""
        before = dict(self.scope)
        self.level += 1
        size = len(self.lines)
        ends = self.block(statements)
        if len(self.lines) == size:
            self.emit("pass")
        self.level -= 1
        after, self.scope = self.scope, before
        return after, ends

    def merged(self, scopes: list[Scope]) -> Scope:
        """Return the variables that have a value at the end of each of several ways."""
        first, *others = scopes
        found = dict(first)
        for other in others:
            for name in list(found):
                kind, second = found[name], other.get(name)
                if second is None:
                    del found[name]
                elif isinstance(kind, Kind) and isinstance(second, Kind):
                    found[name] = self.common(kind, second)
        return found

    def do_Pass(self, _: ast.Pass) -> bool:
        self.emit("pass")
        return False

    def do_Return(self, node: ast.Return) -> bool:
        if self.is_generator:
            if node.value is not None:
                raise self.refuse("a generator returns a value")
            self.emit("return found")
            return True
        text, kind = ("0", NOTHING) if node.value is None else self.value(node.value)
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            text, kind = "0", NOTHING
        self.note_return(kind)
        self.emit(f"return {text}")
        return True

    def do_Raise(self, _: ast.Raise) -> bool:
        self.emit('raise ValueError("an exception of the game")')
        return True

    def do_Assert(self, node: ast.Assert) -> bool:
        self.emit(f"if not {self.truth(self.value(node.test))}:")
        self.emit('    raise ValueError("an assertion of the game")')
        return False

    def do_Expr(self, node: ast.Expr) -> bool:
        if isinstance(node.value, ast.Constant):
            return False
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            assert isinstance(self.returned, Seq)
            text, kind = self.value(node.value.value)
            self.note_item(self.returned.cell, self.stored(kind))
            self.emit(f"append(m, found, {text})")
        elif isinstance(node.value, ast.YieldFrom):
            assert isinstance(self.returned, Seq)
            text, items = self.items(node.value.value)
            if isinstance(items, Seq) and items.form == "set":
                raise self.refuse("the order of a set is not defined")
            self.note_item(self.returned.cell, self.item_kind(items) if isinstance(items, Tup) else item_of(items))
            self.emit(f"extend(m, found, {text})")
        else:
            self.emit(self.value(node.value)[0])
        return False

    def do_If(self, node: ast.If) -> bool:
        condition = self.truth(self.value(node.test))
        self.emit(f"if {condition}:")
        ways = [self.inner(node.body)]
        if node.orelse:
            self.emit("else:")
            ways.append(self.inner(node.orelse))
        else:
            ways.append((dict(self.scope), False))
        reaching = [scope for scope, ends in ways if not ends]
        if reaching:
            self.scope = self.merged(reaching)
        return not reaching

    def do_Assign(self, node: ast.Assign) -> bool:
        if len(node.targets) == 1 and self._assign_items(node.targets[0], node.value):
            return False
        text, kind = self.value(node.value)
        text, kind = (self.saved(text) if len(node.targets) > 1 else text), self.stored(kind)
        for target in node.targets:
            self.assign(target, (text, kind))
        return False

    def _assign_items(self, target: ast.expr, value: ast.expr) -> bool:
        """Translate `a, b = c, d` without a tuple; return whether the statement is of that form."""
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return False
        both = [*target.elts, *value.elts]
        if len(target.elts) != len(value.elts) or any(isinstance(each, ast.Starred) for each in both):
            return False
        terms = []
        for each, kind in self.in_order(*value.elts):
            copy = self.temporary()
            self.emit(f"{copy} = {each}")
            terms.append((copy, self.stored(kind)))
        for one, term in zip(target.elts, terms, strict=True):
            self.assign(one, term)
        return True

    def do_AnnAssign(self, node: ast.AnnAssign) -> bool:
        if node.value is not None:
            text, kind = self.value(node.value)
            self.assign(node.target, (text, self.stored(kind)))
        return False

    def do_AugAssign(self, node: ast.AugAssign) -> bool:
        if isinstance(node.target, ast.Name):
            owner = self.value(ast.Name(node.target.id, ast.Load(), lineno=node.lineno))
            if isinstance(owner[1], Seq) and owner[1].form in ("list", "set"):
                raise self.refuse("a list is changed by an operator; use append or extend")
            before = len(self.lines)
            operand = self.value(node.value)
            if len(self.lines) > before:
                owner = owner if owner[1] is INT else (self.saved(owner[0]), owner[1])
            self.assign(node.target, self.operation(node, node.op, owner, operand))
            return False
        if not isinstance(node.target, ast.Subscript) or isinstance(node.target.slice, ast.Slice):
            raise self.refuse("this assignment is not translated")
        owner, index = self.in_order(node.target.value, node.target.slice)
        kind = self.changed_list(owner[1])
        place = f"place_in(m, {self.saved(owner[0])}, {self.saved(self.as_number(index))})"
        here = self.saved(f"read(m, {place})")
        found = self.operation(node, node.op, (here, self.item_kind(kind)), self.value(node.value))
        self.note_item(kind.cell, self.stored(found[1]))
        self.emit(f"write(m, {place}, {found[0]})")
        return False

    def changed_list(self, kind: Kind) -> Seq:
        """Return the type of a list that is changed; refuse anything else."""
        if not isinstance(kind, Seq) or kind.form != "list":
            raise self.refuse(f"an item of {shown_kind(kind)} is changed")
        self.changeable(kind)
        return kind

    def assign(self, target: ast.expr, term: Term) -> None:
        """Assign a value to a name, to the names of a tuple, to an item or to a slice."""
        if isinstance(target, ast.Name):
            if isinstance(self.scope.get(target.id), Constant):
                raise self.refuse(f"{target.id} is assigned")
            name = self.renamed.get(target.id, f"v_{target.id}")
            self.emit(f"{name} = {term[0]}")
            self.written.add(name)
            self.scope[target.id] = term[1]
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, term)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, term)
        else:
            raise self.refuse("this assignment is not translated")

    def unpack(self, targets: list[ast.expr], term: Term) -> None:
        """Assign the items of a sequence to as many targets."""
        kind = term[1]
        if not isinstance(kind, Tup):
            self.form(kind)
        if any(isinstance(each, ast.Starred) for each in targets):
            raise self.refuse("an assignment with * is not translated")
        if isinstance(kind, Tup) and len(kind.items) != len(targets):
            raise self.refuse(f"a tuple of {len(kind.items)} is assigned to {len(targets)} names")
        place = self.saved(term[0])
        self.emit(f"expect_size(m, {place}, {len(targets)})")
        start = self.saved(f"read(m, {place} + 2)")
        items = kind.items if isinstance(kind, Tup) else (self.item_kind(kind),) * len(targets)
        for number, (target, item) in enumerate(zip(targets, items, strict=True)):
            self.assign(target, (f"read(m, {start} + {number})", item))

    def assign_item(self, target: ast.Subscript, term: Term) -> None:
        """Assign to an item or to a slice of a list."""
        text = self.saved(term[0])
        if isinstance(target.slice, ast.Slice):
            owner = self.value(target.value)
            kind, place = self.changed_list(owner[1]), self.saved(owner[0])
            if target.slice.step is not None or not isinstance(term[1], (Seq, Tup)):
                raise self.refuse("this assignment to a slice is not translated")
            low, high = (
                default if end is None else self.saved(self.number(end))
                for end, default in ((target.slice.lower, "0"), (target.slice.upper, f"read(m, {place})"))
            )
            self.note_item(kind.cell, self.item_kind(term[1]))
            self.emit(f"set_cut(m, {place}, {low}, {high}, {text})")
            return
        owner, index = self.in_order(target.value, target.slice)
        kind = self.changed_list(owner[1])
        self.note_item(kind.cell, term[1])
        self.emit(f"write(m, place_in(m, {owner[0]}, {self.as_number(index)}), {text})")

    # Loops

    def do_While(self, node: ast.While) -> bool:
        if node.orelse:
            raise self.refuse("`else` of a loop is not translated")
        constant = self.constant(node.test)
        endless = constant is not MISSING and bool(constant)

        def begin() -> None:
            self.emit("while True:")
            self.level += 1
            if not endless:
                self.emit(f"if not {self.truth(self.value(node.test))}:")
                self.emit("    break")

        return self.loop(node, begin, can_end=not endless)

    def do_For(self, node: ast.For) -> bool:
        if node.orelse:
            raise self.refuse("`else` of a loop is not translated")
        begin = self.iteration(node.iter, node.target)
        return self.loop(node, begin, can_end=True)

    def loop_head(self, iterated: ast.expr, target: ast.expr) -> None:
        """Write the beginning of a loop of a comprehension, whose variables are its own."""
        begin = self.iteration(iterated, target)
        for name in names_in([target]):
            self.renamed[name] = f"c_{self.temporary()}_{name}"
        begin()

    def loop(self, node: ast.For | ast.While, begin: Callable[[], None], *, can_end: bool) -> bool:
        """Translate a loop, whose first statements `begin` writes; return whether nothing can run after it."""
        if node in self.loops:  # at its beginning, variables may have the types that they have at its end
            known = {name: kind for name, kind in self.loops[node].items() if name in self.scope}
            self.scope = self.merged([self.scope, {**self.scope, **known}])
        before, level = dict(self.scope), self.level
        self.around.append((node, []))
        begin()
        if not self.block(node.body):
            self.note_loop(node, self.scope)
            self.emit("pass")
        self.level = level
        _, ways = self.around.pop()
        if can_end:
            ways.append(before)
        if ways:
            self.scope = self.merged(ways)
        return not ways

    around: list[tuple[ast.AST, list[Scope]]]
    """The loops around the statement that is being translated, and the variables wherever one is left by `break`."""

    def note_loop(self, node: ast.AST, after: Scope) -> None:
        """Note the variables at the end of a loop's body."""
        known = self.loops.get(node)
        found = dict(after) if known is None else self.merged([{**after, **known}, {**known, **after}])
        self.changed |= known is None or _described(found) != _described(known)
        self.loops[node] = found

    def do_Break(self, _: ast.Break) -> bool:
        self.around[-1][1].append(dict(self.scope))
        self.emit("break")
        return True

    def do_Continue(self, _: ast.Continue) -> bool:
        self.note_loop(self.around[-1][0], self.scope)
        self.emit("continue")
        return True

    def iteration(self, iterated: ast.expr, target: ast.expr) -> Callable[[], None]:
        """Translate what a loop runs over; return a function that writes the beginning of the loop."""
        called = self.constant(iterated.func) if isinstance(iterated, ast.Call) else None
        if isinstance(iterated, ast.Call) and called is range:
            low, high, step = self.range_ends(iterated)
            place = self.temporary()

            def begin() -> None:
                self.emit(f"for {place} in range({low}, {high}, {step}):")
                self.level += 1
                self.assign(target, (place, INT))

            return begin
        if isinstance(iterated, ast.Call) and called in (enumerate, zip):
            return self.parallel(iterated, called is enumerate, target)
        return self.along([iterated], lambda items: self.assign(target, items[0]))

    def along(
        self, nodes: list[ast.expr], assign: Callable[[list[Term]], None], counter: str = ""
    ) -> Callable[[], None]:
        """Return a function that writes the beginning of a loop over one or more sequences at once."""
        sequences = []
        for node in nodes:
            text, kind = self.sequence(node)
            if isinstance(kind, Seq) and kind.form == "set":
                raise self.refuse("the order of a set is not defined")
            sequences.append((self.saved(text), kind))
        place = counter or self.temporary()
        self.emit(f"{place} = 0")

        def begin() -> None:
            self.emit("while " + " and ".join(f"{place} < read(m, {text})" for text, _ in sequences) + ":")
            self.level += 1
            items = []
            for text, kind in sequences:
                found = self.temporary()
                self.emit(f"{found} = read(m, read(m, {text} + 2) + {place})")
                items.append((found, self.item_kind(kind)))
            self.emit(f"{place} += 1")
            assign(items)

        return begin

    def parallel(self, call: ast.Call, numbered: bool, target: ast.expr) -> Callable[[], None]:
        """Translate a loop over `enumerate` or `zip`."""
        size = 2 if numbered else len(call.args)
        if call.keywords or not isinstance(target, ast.Tuple) or len(target.elts) != size or (numbered and size < 1):
            raise self.refuse("enumerate and zip are translated for a name for each item")
        targets, counter = target.elts, self.temporary()
        first = "0"
        if numbered and len(call.args) == 2:
            first = self.saved(self.number(call.args[1]))

        def assign(items: list[Term]) -> None:
            if numbered:
                self.assign(targets[0], (f"{counter} - 1 + {first}", INT))
                self.assign(targets[1], items[0])
            else:
                for one, item in zip(targets, items, strict=True):
                    self.assign(one, item)

        return self.along(call.args[:1] if numbered else call.args, assign, counter)


def _described(scope: Scope) -> str:
    return repr(sorted((name, repr(kind)) for name, kind in scope.items() if isinstance(kind, Kind)))
