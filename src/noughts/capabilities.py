"""What a game may offer beyond the six functions. Each capability is optional and has a protocol of its own.

A game offers one by having a function or constant of that name; nothing is registered. Searches, players
and shells call `capabilities(game)` once and then use what it found, or the stated default: no algorithm
asks a game what it can do.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from noughts.board import Board, text
from noughts.errors import BrokenGame
from noughts.game import Action, Game, State
from noughts.score import Scale

__all__ = [
    "Aliased",
    "Bounded",
    "Capabilities",
    "Drawn",
    "Estimated",
    "Keyed",
    "Limited",
    "Misere",
    "Named",
    "OnBoard",
    "Parsed",
    "Preferring",
    "Ranged",
    "Splitting",
    "Symmetric",
    "Titled",
    "capabilities",
    "contents",
]

StateIn = TypeVar("StateIn", contravariant=True)
ActionIn = TypeVar("ActionIn", contravariant=True)
ActionOut = TypeVar("ActionOut", covariant=True)


class Keyed(Protocol[StateIn]):
    """A hashable key, equal exactly for states that are the same. Default: the state, or its contents."""

    def key(self, state: StateIn, /) -> Hashable: ...  # noqa: D102


class Symmetric(Protocol[State]):
    """Every state that is this one in another guise, such as its rotations and reflections; itself included."""

    def symmetries(self, state: State, /) -> Iterable[State]: ...  # noqa: D102


class Estimated(Protocol[StateIn]):
    """A guess at who stands better in an unfinished state, in MAX's view, for games too large to finish.

    Any whole number below a million either way will do: guesses are compared with each other, and every proven win
    counts for more than every guess.
    """

    def heuristic(self, state: StateIn, /) -> int: ...  # noqa: D102


class Named(Protocol[ActionIn]):
    """A short name for an action, with no space or comma in it. Default: the action itself, as text."""

    def action_name(self, action: ActionIn, /) -> str: ...  # noqa: D102


class Aliased(Protocol[ActionIn]):
    """Other names that are accepted for an action, such as a cell's number beside its coordinates."""

    def action_aliases(self, action: ActionIn, /) -> Iterable[str]: ...  # noqa: D102


class Splitting(Protocol):
    """The names of actions in a position written as text. Default: what spaces and commas separate."""

    def split_actions(self, text: str, /) -> Sequence[str]: ...  # noqa: D102


class Limited(Protocol[StateIn]):
    """The lowest and highest utility that can still be reached; the tighter, the more a search may skip."""

    def bounds(self, state: StateIn, /) -> tuple[int, int]: ...  # noqa: D102


class Drawn(Protocol[StateIn]):
    """A state as text. Default: its board if it has one, else the state as text, rows under each other."""

    def draw(self, state: StateIn, /) -> str: ...  # noqa: D102


class OnBoard(Protocol[StateIn]):
    """A state as cells in rows, for every drawing there is: text, colour, pictures."""

    def board(self, state: StateIn, /) -> Board: ...  # noqa: D102


class Parsed(Protocol[ActionOut]):
    """Reading a state back from its drawing; raises BadPosition for what no play can reach."""

    def parse(self, diagram: str, /) -> ActionOut: ...  # noqa: D102


class Preferring(Protocol[ActionOut]):
    """The actions in the order in which a player without look-ahead tries them."""

    @property
    def preferred(self) -> Sequence[ActionOut]: ...  # noqa: D102


class Titled(Protocol):
    """What the game is called, and what its two players are called: who is MAX first, then MIN."""

    title: str
    marks: tuple[str, str]


class Bounded(Protocol):
    """No game takes more than `longest` plies. Default: 999,999."""

    longest: int


class Ranged(Protocol):
    """The lowest and the highest utility. Default: (-1, 1)."""

    utility_range: tuple[int, int]


class Misere(Protocol):
    """True if the player who makes the deciding move loses by it. Default: False."""

    misere: bool


class Capabilities(NamedTuple, Generic[State, Action]):
    """Everything a game offers beyond the six functions, with defaults for what it leaves out."""

    title: str | None
    marks: tuple[str, str] | None
    key: Callable[[State], Hashable]
    name: Callable[[Action], str]
    aliases: Callable[[Action], Iterable[str]]
    split: Callable[[str], Sequence[str]]
    draw: Callable[[State], str]
    board: Callable[[State], Board] | None
    parse: Callable[[str], State] | None
    symmetries: Callable[[State], Iterable[State]] | None
    heuristic: Callable[[State], int] | None
    bounds: Callable[[State], tuple[int, int]] | None
    preferred: Sequence[Action]
    scale: Scale
    utility_range: tuple[int, int]
    misere: bool


def capabilities(game: Game[State, Action]) -> Capabilities[State, Action]:
    """Find out, once, what a game offers."""

    def function(name: str) -> Any:
        found = getattr(game, name, None)
        if found is not None and not callable(found):
            raise BrokenGame(f"{name} is {found!r}; as a capability it must be a function")
        return found

    def constant(name: str, default: Any, fits: Callable[[Any], bool], what: str) -> Any:
        found = getattr(game, name, default)
        if found is not default and not fits(found):
            raise BrokenGame(f"{name} is {found!r}; it must be {what}")
        return found

    name = function("action_name") or default_name
    board = function("board")
    draw = function("draw") or ((lambda state: text(board(state), name=name)) if board else default_draw)
    return Capabilities(
        title=constant("title", None, _is_text, "a text"),
        marks=constant("marks", None, lambda pair: _is_pair(pair, str), "two texts, such as ('X', 'O')"),
        key=function("key") or default_key,
        name=lambda action: _text(name(action), "action_name"),
        aliases=function("action_aliases") or (lambda _: ()),
        split=function("split_actions") or (lambda text: text.replace(",", " ").split()),
        draw=lambda state: _text(draw(state), "draw"),
        board=board,
        parse=function("parse"),
        symmetries=function("symmetries"),
        heuristic=function("heuristic"),
        bounds=function("bounds"),
        preferred=constant("preferred", (), lambda found: isinstance(found, (list, tuple)), "a list of actions"),
        scale=Scale(constant("longest", Scale().longest, _is_positive, "a whole number above 0")),
        utility_range=constant("utility_range", (-1, 1), lambda pair: _is_pair(pair, int), "two whole numbers"),
        misere=constant("misere", False, lambda found: isinstance(found, bool), "True or False"),
    )


def default_name(action: object) -> str:
    """Name an action by its text, with nothing in it that separates actions in a position.

    >>> default_name(7), default_name((0, 2)), default_name("take two")
    ('7', '0-2', 'take_two')
    """
    if isinstance(action, (tuple, list)):
        return "-".join(default_name(part) for part in action)
    return "_".join(str(action).replace(",", " ").split())


def default_draw(state: object) -> str:
    """Draw a state as text; a sequence of rows is drawn as rows.

    >>> print(default_draw([["X", None], ["", "O"]]))
    X .
    . O
    """
    rows = state if isinstance(state, (list, tuple)) else ()
    if rows and all(isinstance(row, (list, tuple)) for row in rows):
        cells = [["." if cell in (None, "", " ") else str(cell) for cell in row] for row in rows]
        width = max((len(cell) for row in cells for cell in row), default=0)
        return "\n".join(" ".join(cell.ljust(width) for cell in row).rstrip() for row in cells)
    return str(state)


def default_key(state: object) -> Hashable:
    """Return the state itself if equal states hash alike, else its contents."""
    try:
        hash(state)
    except TypeError:
        return contents(state)
    return contents(state) if type(state).__hash__ is object.__hash__ else state


def contents(value: Any) -> Hashable:
    """Return something hashable that is equal for two values exactly when all they contain is equal.

    >>> contents([[1, 2], {"a": set()}]) == contents([[1, 2], {"a": set()}])
    True
    >>> contents([1]) == contents((1,)) or contents([1]) == contents([True])
    False
    """
    kind = type(value)
    if isinstance(value, (list, tuple)):
        return kind, tuple(contents(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(contents(item) for item in value)
    if isinstance(value, dict):
        return kind, frozenset((contents(key), contents(item)) for key, item in value.items())
    if hasattr(value, "tolist"):  # arrays, without importing whose they are
        return kind, contents(value.tolist())
    if hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        return kind, contents(vars(value))
    slots = [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]
    if slots and kind.__module__ != "builtins":
        return kind, tuple((name, contents(getattr(value, name, None))) for name in slots)
    try:
        hash(value)
    except TypeError:
        raise BrokenGame(
            f"a state holds a {kind.__name__}, which is not hashable; offer a function key(state)"
        ) from None
    return kind, cast(Hashable, value)


def _text(found: object, function: str) -> str:
    if not isinstance(found, str):
        raise BrokenGame(f"{function}() returned {found!r}; it must return a text")
    return found


def _is_text(found: object) -> bool:
    return isinstance(found, str)


def _is_positive(found: object) -> bool:
    return isinstance(found, int) and found > 0


def _is_pair(found: object, kind: type) -> bool:
    return isinstance(found, (list, tuple)) and len(found) == 2 and all(isinstance(item, kind) for item in found)
