"""What a game may offer beyond the six functions. Each capability is optional and has a protocol of its own.

A game offers one by having a function or constant of that name; nothing is registered. Searches, players
and shells call `capabilities(game)` once and then use what it found, or the stated default: no algorithm
asks a game what it can do.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from noughts.board import Board, Cell, text
from noughts.errors import BrokenGame
from noughts.game import MAX, Action, Game, State
from noughts.keys import default_key
from noughts.score import Scale

__all__ = [
    "Aliased",
    "Bounded",
    "Canonical",
    "Capabilities",
    "Compiled",
    "Drawn",
    "Estimated",
    "Kernel",
    "Keyed",
    "Limited",
    "Lined",
    "Lineup",
    "Marked",
    "Misere",
    "Named",
    "OnBoard",
    "Parsed",
    "Preferring",
    "Ranged",
    "Remarked",
    "Splitting",
    "Symmetric",
    "Titled",
    "capabilities",
]

StateIn = TypeVar("StateIn", contravariant=True)
StateOut = TypeVar("StateOut", covariant=True)
ActionIn = TypeVar("ActionIn", contravariant=True)
ActionOut = TypeVar("ActionOut", covariant=True)


class Keyed(Protocol[StateIn]):
    """A hashable key, equal exactly for states that are the same. Default: the state, or its contents."""

    def key(self, state: StateIn, /) -> Hashable: ...  # noqa: D102


class Symmetric(Protocol[State]):
    """Every state that is this one in another guise, such as its rotations and reflections; itself included."""

    def symmetries(self, state: State, /) -> Iterable[State]: ...  # noqa: D102


class Canonical(Protocol[StateIn]):
    """A key that all guises of a state share and no other state has, where it is cheaper than drawing them all up."""

    def canonical(self, state: StateIn, /) -> Hashable: ...  # noqa: D102


class Estimated(Protocol[StateIn]):
    """A guess at who stands better in an unfinished state, in MAX's view, for games too large to finish.

    Any whole number below a million either way will do; beyond two million all count alike. Guesses are compared with
    each other, and every proven win counts for more than every guess.
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

    def utility_bounds(self, state: StateIn, /) -> tuple[int, int]: ...  # noqa: D102


class Drawn(Protocol[StateIn]):
    """A state as text. Default: its board if it has one, else the state as text, rows under each other."""

    def draw(self, state: StateIn, /) -> str: ...  # noqa: D102


class OnBoard(Protocol[StateIn]):
    """A state as cells in rows, for every drawing there is: text, colour, pictures."""

    def board(self, state: StateIn, /) -> Board: ...  # noqa: D102


class Parsed(Protocol[StateOut]):
    """Reading a state back from its drawing; raises BadPosition for what no play can reach."""

    def parse(self, diagram: str, /) -> StateOut: ...  # noqa: D102


class Preferring(Protocol[ActionOut]):
    """The actions in the order in which a player without look-ahead tries them."""

    @property
    def preferred(self) -> Sequence[ActionOut]: ...  # noqa: D102


class Titled(Protocol):
    """What the game is called. Default: the name of its file or class."""

    title: str


class Marked(Protocol):
    """What its two players are called: who is MAX, then MIN. Default: First and Second."""

    marks: tuple[str, str]


class Remarked(Protocol):
    """The same game with other marks, so that people can choose theirs."""

    def with_marks(self, marks: tuple[str, str], /) -> Game[Any, Any]: ...  # noqa: D102


class Bounded(Protocol):
    """No game takes more than `longest` plies. Default: 999,999."""

    longest: int


class Ranged(Protocol):
    """The lowest and the highest utility. Default: (-1, 1)."""

    utility_range: tuple[int, int]


class Misere(Protocol):
    """True if the player who makes the deciding move loses by it. Default: False."""

    misere: bool


class Lineup(NamedTuple, Generic[Action]):
    """A state as its winning lines see it. Cells are numbers, and a line is the cells that one player must hold."""

    lines: Sequence[tuple[int, ...]]
    held: Mapping[int, frozenset[int]]
    """The cells of MAX, and those of MIN."""
    cells: Mapping[Action, int]
    """Which cell each legal action would take, whoever moves."""


class Lined(Protocol[StateIn, Action]):
    """The lines by which a game is decided, so that an explanation can name them. Default: reasons without lines."""

    def lineup(self, state: StateIn, /) -> Lineup[Action]: ...  # noqa: D102

    def line_name(self, line: tuple[int, ...], /) -> str: ...  # noqa: D102


class Kernel(NamedTuple):
    """Rules over small tuples of whole numbers, from which `noughts.compiled` makes a search at native speed."""

    rules: str
    """The path of a file with the functions `expand`, `play`, `key`, `score_bounds`, `plies`, and perhaps `order`."""
    pack: Callable[[Any], tuple[int, ...]]
    """From a state of the game to the same position as the rules have it."""
    parameters: Mapping[str, int | tuple[int, ...]] = MappingProxyType({})
    """Constants of the file that take other values here."""
    module: ModuleType | None = None
    """The file as it was loaded, if it is the game itself."""


KERNEL_FUNCTIONS = ("expand", "play", "key", "score_bounds", "plies")
"""What a file of rules must have to be searched at native speed; `order` may be left out."""


class Compiled(Protocol):
    """A kernel, or None where there is none for just this board. Default: the game's file if it has the functions."""

    def kernel(self) -> Kernel | None: ...  # noqa: D102


class Capabilities(NamedTuple, Generic[State, Action]):
    """Everything a game offers beyond the six functions, with defaults for what it leaves out."""

    title: str | None
    marks: tuple[str, str] | None
    with_marks: Callable[[tuple[str, str]], Game[State, Action]] | None
    key: Callable[[State], Hashable]
    name: Callable[[Action], str]
    aliases: Callable[[Action], Iterable[str]]
    split: Callable[[str], Sequence[str]]
    draw: Callable[[State], str]
    board: Callable[[State], Board] | None
    parse: Callable[[str], State] | None
    symmetries: Callable[[State], Iterable[State]] | None
    canonical: Callable[[State], Hashable] | None
    heuristic: Callable[[State], int] | None
    utility_bounds: Callable[[State], tuple[int, int]] | None
    lineup: Callable[[State], Lineup[Action]] | None
    line_name: Callable[[tuple[int, ...]], str]
    kernel: Callable[[], Kernel | None]
    preferred: Sequence[Action]
    scale: Scale
    utility_range: tuple[int, int]
    misere: bool

    @property
    def players(self) -> tuple[str, str]:
        """What the players are called: MAX, then MIN."""
        return self.marks or ("First", "Second")


def capabilities(game: Game[State, Action]) -> Capabilities[State, Action]:
    """Find out, once, what a game offers."""

    def offered(name: str, default: Any, fits: Callable[[Any], bool], what: str) -> Any:
        found = getattr(game, name, default)
        if found is default or fits(found):
            return found
        if isinstance(game, ModuleType):  # a file may use the word for something of its own
            return default
        raise BrokenGame(f"{name} is {found!r}; as a capability it must be {what}")

    def function(name: str) -> Any:
        return offered(name, None, callable, "a function")

    is_file = isinstance(game, ModuleType)
    has_kernel = is_file and all(callable(getattr(game, name, None)) for name in KERNEL_FUNCTIONS)
    name = function("action_name") or default_name
    board = _checked_board(function("board"))
    draw = function("draw") or ((lambda state: text(board(state), name=name)) if board else default_draw)
    return Capabilities(
        title=offered("title", None, _is_text, "a text"),
        marks=offered("marks", None, lambda pair: _is_pair(pair, str), "two texts, such as ('X', 'O')"),
        with_marks=function("with_marks"),
        key=function("key") or default_key,
        name=lambda action: _text(name(action), "action_name"),
        aliases=function("action_aliases") or (lambda _: ()),
        split=function("split_actions") or (lambda text: text.replace(",", " ").split()),
        draw=lambda state: _text(draw(state), "draw"),
        board=board,
        parse=function("parse"),
        symmetries=function("symmetries"),
        canonical=function("canonical"),
        heuristic=function("heuristic"),
        utility_bounds=function("utility_bounds") or (_utility_bounds(game) if has_kernel else None),
        lineup=function("lineup"),
        line_name=function("line_name") or default_name,
        kernel=_kernel_of(game) if has_kernel else (not is_file and function("kernel")) or _no_kernel,
        preferred=offered("preferred", (), lambda found: isinstance(found, (list, tuple)), "a list of actions"),
        scale=Scale(offered("longest", Scale().longest, _is_positive, "a whole number above 0")),
        utility_range=offered("utility_range", (-1, 1), _is_range, "two whole numbers, the lower first"),
        misere=offered("misere", False, lambda found: isinstance(found, bool), "True or False"),
    )


def default_name(action: object) -> str:
    """Name an action by its text, with nothing in it that separates actions in a position.

    >>> default_name(7), default_name((0, 2)), default_name(((0, 1), 2)), default_name("take two")
    ('7', '0-2', '0.1-2', 'take_two')
    """
    if isinstance(action, (tuple, list)):
        return "-".join(
            default_name(part).replace("-", ".") if isinstance(part, (tuple, list)) else default_name(part)
            for part in action
        )
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


def _no_kernel() -> None:
    return None


def _kernel_of(game: Any) -> Callable[[], Kernel | None]:
    """Return the kernel of a module: its own file, if it has one."""
    path = getattr(game, "__file__", None)
    return _no_kernel if path is None else lambda: Kernel(str(path), tuple, module=game)


def _utility_bounds(game: Any) -> Callable[[Any], tuple[int, int]]:
    """Return what a kernel's `score_bounds`, in the mover's view, say about utilities, in MAX's view."""

    def bounds(state: Any) -> tuple[int, int]:
        low, high = ((score > 0) - (score < 0) for score in game.score_bounds(state))
        return (low, high) if game.player(state) == MAX else (-high, -low)

    return bounds


def _checked_board(board: Callable[[Any], Board] | None) -> Callable[[Any], Board] | None:
    """Return a board function that raises BrokenGame if what it returns is not rows of cells."""
    if board is None:
        return None

    def checked(state: Any) -> Board:
        rows = board(state)
        if not isinstance(rows, tuple) or not all(isinstance(cell, Cell) for row in rows for cell in row):
            raise BrokenGame("board() must return rows of noughts.board.Cell; for a text, offer draw(state)")
        return rows

    return checked


def _text(found: object, function: str) -> str:
    if not isinstance(found, str):
        raise BrokenGame(f"{function}() returned {found!r}; it must return a text")
    return found


def _is_text(found: object) -> bool:
    return isinstance(found, str)


def _is_positive(found: object) -> bool:
    return isinstance(found, int) and found > 0


def _is_range(found: Any) -> bool:
    return _is_pair(found, int) and found[0] <= found[1]


def _is_pair(found: object, kind: type) -> bool:
    return isinstance(found, (list, tuple)) and len(found) == 2 and all(isinstance(item, kind) for item in found)
