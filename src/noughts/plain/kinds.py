"""The types of values that translated functions work with: whole numbers, and tuples, lists and sets of them.

Every value is one number of 64 bits when it is compiled: a whole number itself, or where in memory a sequence is. Types
tell which of the two it is, so every expression must have one type, whatever happens before.
"""

from typing import Any

__all__ = ["INT", "NOTHING", "Cell", "Kind", "Mixed", "Seq", "Tup", "common", "item_of", "kind_of_value", "shown_kind"]


class Mixed(Exception):
    """Two types that no expression can have at once; the message says which."""


class Kind:
    """A type. `INT` is a whole number or truth value, `NOTHING` is None, which a procedure returns."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


INT = Kind("a whole number")
NOTHING = Kind("None")


class Cell:
    """The type of the items of a sequence, which may not be known yet; lists that may be the same share it."""

    def __init__(self, found: Kind | None = None) -> None:
        self._found = found
        self._same: Cell | None = None

    @property
    def root(self) -> "Cell":
        """The cell that stands for all that share its type."""
        cell = self
        while cell._same is not None:
            cell = cell._same
        return cell

    @property
    def kind(self) -> Kind | None:
        """The type of the items; None if it is not known yet."""
        return self.root._found

    def add(self, kind: Kind | None) -> bool:
        """Note that an item may have this type; return whether that is new. Raises Mixed if it cannot be."""
        root = self.root
        if kind is None:
            return False
        before = repr(root._found)
        root._found = kind if root._found is None else common(root._found, kind)
        return repr(root._found) != before

    def share(self, other: "Cell") -> bool:
        """Make two cells one; return whether that changed anything."""
        first, second = self.root, other.root
        if first is second:
            return False
        second._same = first
        first.add(second._found)
        return True


class Seq(Kind):
    """A tuple, list, set or generator of any length, whose items have one type."""

    def __init__(self, form: str, cell: Cell, constant: bool = False) -> None:
        self.form, self.cell, self.constant = form, cell, constant

    def __repr__(self) -> str:
        return f"{'constant ' * self.constant}{self.form} of {self.cell.kind!r}"


class Tup(Kind):
    """A tuple of known length, whose items may have different types."""

    def __init__(self, items: tuple[Kind, ...], constant: bool = False) -> None:
        self.items, self.constant = items, constant

    def __repr__(self) -> str:
        return f"{'constant ' * self.constant}tuple of {self.items!r}"


def item_of(kind: Seq | Tup) -> Kind | None:
    """Return the type that all items of a sequence have; None if that is not known yet. Raises Mixed if they differ."""
    if isinstance(kind, Seq):
        return kind.cell.kind
    found: Kind | None = None
    for each in kind.items:
        found = each if found is None else common(found, each)
    return found


def common(first: Kind, second: Kind) -> Kind:
    """Return the type of a value that has one of two types; raise Mixed if there is none."""
    if first is second:
        return first
    if isinstance(first, Tup) and isinstance(second, Tup) and len(first.items) == len(second.items):
        items = tuple(common(*pair) for pair in zip(first.items, second.items, strict=True))
        return Tup(items, first.constant or second.constant)
    if isinstance(first, (Seq, Tup)) and isinstance(second, (Seq, Tup)):
        forms = {each.form if isinstance(each, Seq) else "tuple" for each in (first, second)}
        if len(forms) == 1:
            constant = first.constant or second.constant
            if isinstance(first, Seq) and isinstance(second, Seq):
                first.cell.share(second.cell)
                return Seq(first.form, first.cell, constant)
            sequence, other = (first, second) if isinstance(first, Seq) else (second, first)
            cell = sequence.cell if isinstance(sequence, Seq) else Cell(item_of(sequence))
            cell.add(item_of(other))
            return Seq("tuple", cell, constant)
    raise Mixed(f"a value is {shown_kind(first)} here and {shown_kind(second)} there")


def shown_kind(kind: Kind) -> str:
    """Return a type in words."""
    if isinstance(kind, Tup):
        return f"a tuple of {len(kind.items)}"
    return f"a {kind.form}" if isinstance(kind, Seq) else kind.name


def kind_of_value(value: Any, constant: bool = False) -> Kind:
    """Return the type of a value of Python; raise Mixed for anything but whole numbers and sequences of them."""
    if isinstance(value, int):  # also a truth value
        if not -(2**63) < value < 2**63:
            raise Mixed("a number needs more than 64 bits")
        return INT
    if type(value) is tuple:
        return Tup(tuple(kind_of_value(each, constant) for each in value), constant)
    forms: dict[Any, str] = {list: "list", set: "set", frozenset: "set", range: "tuple"}
    if type(value) in forms:
        cell = Cell()
        for each in value:
            cell.add(kind_of_value(each, constant))
        return Seq(forms[type(value)], cell, constant)
    named = "None" if value is None else f"a {type(value).__name__}"
    raise Mixed(f"{named} is no whole number, nor a tuple or list of them")
