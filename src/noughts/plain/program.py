"""The six functions of a game as one program: translated, with all functions that they call and the constants."""

from collections.abc import Callable, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.plain.expressions import Constant, Term
from noughts.plain.functions import Statements
from noughts.plain.kinds import INT, NOTHING, Cell, Kind, Mixed, Seq, Tup, common, kind_of_value, shown_kind
from noughts.plain.layout import CONSTANTS, MOST_NUMBERS
from noughts.plain.source import Refused, ends_without_actions, function_of

__all__ = ["Program", "Shape", "shape_of"]


MOST_CONSTANTS = 1 << 16
"""How many words the constants may take."""

MOST_FUNCTIONS = 200

Shape = int | tuple["Shape", ...]
"""What all states of a game look like: a tuple for each tuple, and 0 for each whole number."""


def shape_of(value: Any) -> Shape:
    """Return the shape of a state or an action; raise Refused if it holds anything but whole numbers and tuples."""
    if isinstance(value, int):
        return 0
    if type(value) is tuple:
        return tuple(shape_of(each) for each in value)
    named = "None" if value is None else f"a {type(value).__name__}"
    raise Refused(f"it holds {named}, which is neither a whole number nor a tuple")


class Program:
    """The translated functions of a game: `source`, the numbers of its `constants`, and what it has read.

    `also` names other functions of a state to translate: `symmetries`, or those that return a number.

    Raises Refused, with one line that says which function, where and why.
    """

    def __init__(
        self, game: ResolvedGame[Any, Any], state: Any, shape: Shape, action: Any, also: Sequence[str] = ()
    ) -> None:
        self._also = also
        self.constants: list[int] = []
        self._places: dict[tuple[int, str], int] = {}
        self._kept: list[Any] = []
        self._functions: dict[tuple[object, ...], tuple[str, Kind | None]] = {}
        self._running: list[tuple[tuple[object, ...], Statements]] = []
        self._texts: list[str] = []
        self._read: dict[tuple[int, str], tuple[Callable[[], Any], str]] = {}
        try:
            self._translate(game, kind_of_value(state), kind_of_value(action))
        except Mixed as mixed:
            raise Refused(str(mixed)) from None
        except RecursionError:
            raise Refused("a function is nested too deeply") from None
        self.source = "\n\n".join([*self._texts, _packing(shape), _unpacking(shape)])
        self.numbers = _leaves(shape)
        """How many whole numbers a state has."""
        if self.numbers > MOST_NUMBERS:
            raise Refused(f"its states have more than {MOST_NUMBERS} whole numbers")

    def is_current(self) -> bool:
        """Return whether all globals and attributes that the functions read still have the same values."""
        return all(repr(look()) == known for look, known in self._read.values())

    def _translate(self, game: ResolvedGame[Any, Any], state: Kind, action: Kind) -> None:
        # The types of a state and an action are those of the samples, and of what the functions return.
        for _ in range(4):
            before = repr((state, action))
            self._texts.clear()
            self._functions.clear()
            names = {}
            for name in ("player", "terminal", "utility"):
                names[name], kind = self._entry(getattr(game, name), [state])
                if kind is NOTHING or (name != "terminal" and kind is not INT):
                    raise Refused(f"{name}() may return {shown_kind(kind)}")
                truth = f"{names[name]}(m, state)"
                if isinstance(kind, (Seq, Tup)):
                    truth = f"read(m, {truth})"
                self._texts.append(f"def game_{name}(m, state):\n    return {truth}\n")
            names["actions"], found = self._entry(game.actions, [state])
            if not isinstance(found, (Seq, Tup)) or (isinstance(found, Seq) and found.form == "set"):
                raise Refused(f"actions() returns {shown_kind(found)}")
            for each in found.items if isinstance(found, Tup) else [found.cell.kind]:
                action = action if each is None else common(action, each)
            names["result"], after = self._entry(game.result, [state, action])
            state = common(state, after)
            self._texts.append(_choices(game, names))
            self._texts.append(f"def game_actions(m, state):\n    return {names['actions']}(m, state)\n")
            self._texts.append(f"def game_result(m, state, move):\n    return {names['result']}(m, state, move)\n")
            self._texts.append(_coding(action))
            for name in self._also:
                called, kind = self._entry(getattr(game, name), [state])
                if name != "symmetries" and kind is not INT:
                    raise Refused(f"{name}() may return {shown_kind(kind)}")
                if name == "symmetries":
                    state = self._with_images(state, kind)
                self._texts.append(f"def game_{name}(m, state):\n    return {called}(m, state)\n")
            if repr((state, action)) == before:
                return
        raise Refused("the types of its states cannot be found out")

    def _with_images(self, state: Kind, images: Kind) -> Kind:
        """Return the type of a state, which its symmetric images have, too."""
        if not isinstance(images, (Seq, Tup)):
            raise Refused(f"symmetries() returns {shown_kind(images)}")
        for each in images.items if isinstance(images, Tup) else [images.cell.kind]:
            state = state if each is None else common(state, each)
        return state

    def _entry(self, function: Any, arguments: list[Kind]) -> tuple[str, Kind]:
        """Translate one of the six functions; return its name in the program, and the type that it returns."""
        if function_of(function) is None:
            raise Refused(f"{getattr(function, '__name__', function)} is not a function in Python")
        text, kind = self._call(function, [("", each) for each in arguments], {})
        return text.partition("(")[0], kind

    def _call(self, callee: Any, terms: Sequence[Term], named: dict[str, Term]) -> Term:
        """Return the call of a function of the game, which is translated for the types of its arguments."""
        found = function_of(callee)
        assert found is not None
        function, bound = found
        values = self._arguments(function, bound, terms, named)
        kinds = [each if isinstance(each, Constant) else each[1] for each in values]
        key = (
            function,
            *(("the object", id(each.value)) if isinstance(each, Constant) else repr(each) for each in kinds),
        )
        if key not in self._functions:
            self._add(key, function, [each if isinstance(each, Constant) else _fresh(each) for each in kinds])
        name, returned = self._functions[key]
        if returned is None:  # it calls itself
            if self._running[-1][0] != key:
                raise self._running[-1][1].refuse(f"{function.__name__}() calls itself through other functions")
            running = self._running[-1][1]
            running.unknown |= running.returned is None
            returned = running.returned or INT
        texts = [each[0] for each in values if not isinstance(each, Constant)]
        return f"{name}({', '.join(['m', *texts])})", returned

    def _arguments(
        self, function: FunctionType, bound: Any, terms: Sequence[Term], named: dict[str, Term]
    ) -> list[Term | Constant]:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        if code.co_kwonlyargcount or code.co_flags & 0x0C:
            raise Refused(
                f"{function.__name__}(), line {code.co_firstlineno}: its arguments are of a kind not translated"
            )
        values: list[Term | Constant] = [] if bound is None else [Constant(bound)]
        values += terms
        defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ()), strict=False))
        for name in names[len(values) :]:
            if name in named:
                values.append(named[name])
            elif name in defaults:
                kind = kind_of_value(defaults[name], constant=True)
                text = str(int(defaults[name])) if kind is INT else str(self._place(defaults[name]))
                values.append((text, kind))
            else:
                raise Refused(f"{function.__name__}() is called without {name}")
        if len(values) != len(names) or not set(named) <= set(names):
            raise Refused(f"{function.__name__}() is called with other arguments than it takes")
        return values

    def _add(self, key: tuple[object, ...], function: FunctionType, kinds: list[Kind | Constant]) -> None:
        if len(self._functions) > MOST_FUNCTIONS:
            raise Refused("too many functions")
        name = f"f{len(self._functions)}_{function.__name__.strip('<>')}"
        self._functions[key] = name, None
        given = [repr(each) for each in kinds]
        statements = Statements(function, kinds, self._call, self._place, self._read_global, self._attribute)
        self._running.append((key, statements))
        text, returned = statements.translated(name)
        self._running.pop()
        if [repr(each) for each in kinds] != given:
            raise Refused(f"{function.__name__}() adds items of another type to a list that it is given")
        self._functions[key] = name, returned
        self._texts.append(text)
        self._note(lambda: function.__code__, (id(function), "__code__"))

    def _read_global(self, namespace: dict[str, Any], name: str) -> None:
        self._note(lambda: namespace.get(name), (id(namespace), name))

    def _attribute(self, owner: Any, name: str) -> Any:
        if isinstance(owner, (int, tuple, list, set, frozenset)):
            raise self._running[-1][1].refuse(f"the method {name} of a constant is not translated")
        if isinstance(owner, ModuleType):
            self._read_global(vars(owner), name)
        try:
            value = getattr(owner, name)
        except AttributeError:
            raise self._running[-1][1].refuse(f"{name} is not defined") from None
        if isinstance(getattr(type(owner), name, None), property):
            raise self._running[-1][1].refuse(f"{name} is a property, which is not translated")
        self._note(lambda: getattr(owner, name, None), (id(owner), name))
        return value

    def _note(self, look: Callable[[], Any], key: tuple[int, str]) -> None:
        """Note something that was read, to notice if it changes."""
        value = look()
        known = isinstance(value, (int, tuple, list, set, frozenset, CodeType)) or function_of(value) is not None
        if known and key not in self._read:
            self._read[key] = look, repr(value)

    def _place(self, value: Any) -> int:
        """Return where in memory a constant is."""
        key = id(value), repr(value)
        if key not in self._places:
            self._kept.append(value)  # or another object could get its number
            items = [each if isinstance(each, int) else self._place(each) for each in value]
            place = CONSTANTS + len(self.constants)
            self._places[key] = place
            self.constants += [len(items), len(items), place + 3, *map(int, items)]
            if len(self.constants) > MOST_CONSTANTS:
                raise Refused("its constants are too large")
        return self._places[key]


def _choices(game: ResolvedGame[Any, Any], names: dict[str, str]) -> str:
    """Return the source of `game_choices`: 0 for a finished state, else its actions, or -1 if they are yet to be found.

    Many a game is over when there is no action: `return not actions(state)`. Then they need not be found twice.
    """
    lines = ["def game_choices(m, state):"]
    if ends_without_actions(game.terminal, game.actions):
        lines += [f"    found = {names['actions']}(m, state)", "    return found if read(m, found) != 0 else 0"]
    else:
        lines.append("    return 0 if game_terminal(m, state) != 0 else -1")
    return "\n".join([*lines, ""])


def _fresh(kind: Kind) -> Kind:
    """Return a copy of a type whose items no other type shares."""
    if isinstance(kind, Tup):
        return Tup(tuple(_fresh(each) for each in kind.items), kind.constant)
    if isinstance(kind, Seq):
        inner = kind.cell.kind
        return Seq(kind.form, Cell(None if inner is None else _fresh(inner)), kind.constant)
    return kind


def _leaves(shape: Shape) -> int:
    return 1 if isinstance(shape, int) else sum(map(_leaves, shape))


def _packing(shape: Shape) -> str:
    """Return the source of `pack`, which adds a state's numbers to the key, and of `flatten`, which writes them."""
    pack, flatten = ["def pack(m, state):", "    found = 0"], ["def flatten(m, state, at):"]
    number = names = 0

    def walk(shape: Shape, place: str) -> None:
        nonlocal number, names
        if isinstance(shape, int):
            pack.append(f"    found = put(m, SLOTS + {4 * number}, {place}, found)")
            flatten.append(f"    write(m, at + {number}, {place})")
            number += 1
            return
        names += 1
        name, size = f"p{names}", len(shape)
        for lines in (pack, flatten):
            lines += [f"    {name} = {place}", f"    expect_size(m, {name}, {size})"]
            lines.append(f"    {name} = read(m, {name} + 2)")
        if size > 3 and all(isinstance(each, int) for each in shape):
            pack.append(f"    for i in range({size}):")
            pack.append(f"        found = put(m, SLOTS + {4 * number} + 4 * i, read(m, {name} + i), found)")
            flatten.append(f"    for i in range({size}):")
            flatten.append(f"        write(m, at + {number} + i, read(m, {name} + i))")
            number += size
            return
        for place_in, each in enumerate(shape):
            walk(each, f"read(m, {name} + {place_in})")

    walk(shape, "state")
    return "\n".join(
        [*pack, "    write(m, read(m, KEY), found)", "    return 0", "", "", *flatten, f"    return {number}", ""]
    )


def _unpacking(shape: Shape) -> str:
    """Return the source of `unpack`, which makes a state of numbers in memory."""
    lines, number, names = ["def unpack(m, at):"], 0, 0

    def walk(shape: Shape) -> str:
        nonlocal number, names
        if isinstance(shape, int):
            number += 1
            return f"read(m, at + {number - 1})"
        names += 1
        name, size = f"p{names}", len(shape)
        lines.extend([f"    {name} = new(m, {size})", f"    write(m, {name}, {size})"])
        if size > 3 and all(isinstance(each, int) for each in shape):
            lines.append(f"    for i in range({size}):")
            lines.append(f"        write(m, {name} + 3 + i, read(m, at + {number} + i))")
            number += size
            return name
        for place, each in enumerate(shape):
            lines.append(f"    write(m, {name} + {3 + place}, {walk(each)})")
        return name

    found = walk(shape)
    return "\n".join([*lines, f"    return {found}", ""])


def _coding(action: Kind) -> str:
    """Return the source of `code_of`, a number for each action, which says where its history is."""
    lines = ["def code_of(m, move):", "    found = 0"]
    names = 0

    def walk(kind: Kind, place: str) -> None:
        nonlocal names
        if kind is INT:
            lines.append(f"    found = found * 31 + ({place} & 1023)")
            return
        names += 1
        name = f"p{names}"
        lines.append(f"    {name} = read(m, {place} + 2)")
        for number, each in enumerate(kind.items if isinstance(kind, Tup) else ()):
            walk(each, f"read(m, {name} + {number})")

    walk(action, "move")
    return "\n".join([*lines, "    return found", ""])
