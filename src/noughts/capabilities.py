"""What a game may offer beyond the six functions, and the one object that holds a game with all it offers.

A game offers something by having a function or constant of that name; nothing is registered. `CAPABILITIES` is the
table of those names. `resolve(game)` looks each of them up once, fills in the default where the game has none, and
returns a `ResolvedGame`, which searches, players and shells pass on: no algorithm asks a game what it can do.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import index
from types import MappingProxyType, ModuleType
from typing import Any, Generic, NamedTuple

from noughts.board import Board, Cell, text
from noughts.errors import BrokenGame
from noughts.game import MAX, Action, Game, State, as_game, legal_actions, to_move
from noughts.kept import kept
from noughts.keys import default_key
from noughts.score import Scale

__all__ = ["CAPABILITIES", "KERNEL_FUNCTIONS", "Capability", "Kernel", "Lineup", "ResolvedGame", "Theory", "resolve"]


class Lineup(NamedTuple, Generic[Action]):
    """A state as its winning lines see it. Cells are numbers, and a line is the cells that one player must hold."""

    lines: Sequence[tuple[int, ...]]
    held: Mapping[int, frozenset[int]]
    """The cells of MAX, and those of MIN."""
    cells: Mapping[Action, int]
    """Which cell each legal action would take, whoever moves."""
    is_free: bool = False
    """Whether players take any empty cell in turn, and whoever first completes a line wins; a full board is a draw."""


class Kernel(NamedTuple):
    """Rules over small tuples of whole numbers, from which `noughts.compiled` makes a search at native speed."""

    rules: str
    """The path of a file with the functions of `KERNEL_FUNCTIONS`, and `order` if it has one."""
    pack: Callable[[Any], tuple[int, ...]]
    """Converts a state of the game to the same position as the rules have it."""
    parameters: Mapping[str, int | tuple[int, ...]] = MappingProxyType({})
    """Constants of the file that take other values here."""
    module: ModuleType | None = None
    """The file as it was loaded, if it is the game itself."""
    action: Callable[[int], Any] | None = None
    """Converts a move of the rules, a bit, to the action of the game; without it, the positions are compared."""


class Theory(NamedTuple):
    """What is known about an unfinished state without a search."""

    utility: int
    """What best play leads to, in MAX's view."""
    about: str
    """What the state is, in words that go after "leaves": such as `heaps with xor 0`."""


KERNEL_FUNCTIONS = ("expand", "play", "key", "score_bounds")
"""What a file of rules must have to be searched at native speed; docs/own-game.md lists what it may have besides."""


class Kind(NamedTuple):
    """What sort of thing a capability is: how to recognise it, and how to describe it in a message."""

    fits: Callable[[Any], bool]
    expected: str


FUNCTION = Kind(callable, "a function")
TEXT = Kind(lambda found: isinstance(found, str), "a text")
FLAG = Kind(lambda found: isinstance(found, bool), "True or False")
POSITIVE = Kind(lambda found: isinstance(found, int) and found > 0, "a whole number above 0")
PAIR_OF_TEXTS = Kind(lambda found: _is_pair(found, str), "two texts, such as ('X', 'O')")
RANGE = Kind(lambda found: _is_pair(found, int) and found[0] <= found[1], "two whole numbers, the lower first")
LIST = Kind(lambda found: isinstance(found, (list, tuple)), "a list of actions")


class Capability(NamedTuple):
    """One thing that a game may offer."""

    name: str
    """What the function or constant is called, in a game and in a `ResolvedGame`."""
    signature: str
    """How it is written."""
    kind: Kind
    about: str
    default: str
    """What holds where the game does not offer it."""


CAPABILITIES = (
    Capability("title", "title", TEXT, "the name of the game", "the name of its file or class"),
    Capability("marks", "marks", PAIR_OF_TEXTS, "the names of MAX and MIN, such as `('X', 'O')`", "First and Second"),
    Capability("with_marks", "with_marks(marks)", FUNCTION, "the same game with other marks", "marks cannot be chosen"),
    Capability("longest", "longest", POSITIVE, "the most plies a game can take; a longer game is refused", "`999_999`"),
    Capability(
        "utility_range",
        "utility_range",
        RANGE,
        "the lowest and the highest utility, for margins or if one side cannot win; others are refused",
        "`(-1, 1)`",
    ),
    Capability("misere", "misere", FLAG, "`True` if the player who makes the deciding move loses", "`False`"),
    Capability(
        "action_name", "action_name(action)", FUNCTION, "a short name to type, without spaces or commas", "its text"
    ),
    Capability(
        "action_aliases", "action_aliases(action)", FUNCTION, "other names that are accepted for the action", "none"
    ),
    Capability(
        "split_actions",
        "split_actions(text)",
        FUNCTION,
        "the names of the actions in a position written as text",
        "split at spaces and commas",
    ),
    Capability(
        "board", "board(state)", FUNCTION, "rows of `noughts.board.Cell`, for colour, pictures and the page", "no board"
    ),
    Capability("draw", "draw(state)", FUNCTION, "a state as text", "its board, or the state as Python shows it"),
    Capability("parse", "parse(diagram)", FUNCTION, "the state that a diagram shows, or BadPosition", "no diagrams"),
    Capability(
        "key", "key(state)", FUNCTION, "a hashable key, equal exactly for equal states", "the state, or its contents"
    ),
    Capability("symmetries", "symmetries(state)", FUNCTION, "all symmetric images of a state, itself included", "none"),
    Capability(
        "canonical",
        "canonical(state)",
        FUNCTION,
        "a key that all symmetric states share and no other state has, if it is cheaper than `symmetries`",
        "`symmetries`, used near the root only",
    ),
    Capability(
        "heuristic",
        "heuristic(state)",
        FUNCTION,
        "a guess who is ahead in an unfinished state: a whole number below a million, in MAX's view",
        "`0`",
    ),
    Capability(
        "utility_bounds",
        "utility_bounds(state)",
        FUNCTION,
        "the lowest and the highest utility still possible, in MAX's view",
        "`utility_range`",
    ),
    Capability(
        "plies",
        "plies(state)",
        FUNCTION,
        "how many plies were played before a state; a book is not searched beyond its last ply",
        "every state is looked up in the book",
    ),
    Capability(
        "tier",
        "tier(state)",
        FUNCTION,
        "a whole number that every action raises, such as stones played: positions are solved tier by tier",
        "`plies`, else plies from the start",
    ),
    Capability("preferred", "preferred", LIST, "actions in the order in which to try them", "the game's order"),
    Capability("lineup", "lineup(state)", FUNCTION, "the winning lines, so that reasons can name them", "no lines"),
    Capability("line_name", "line_name(line)", FUNCTION, "the name of a line", "its text"),
    Capability(
        "theory",
        "theory(state)",
        FUNCTION,
        "who wins an unfinished state, if that is known without a search: a `noughts.capabilities.Theory`, or `None`",
        "no theory",
    ),
    Capability("book", "book", TEXT, "the path of its opening book; in a file, from the file's own folder", "no book"),
    Capability(
        "kernel", "kernel()", FUNCTION, "rules for a search at native speed, or `None`", "those of its own file, if any"
    ),
    Capability(
        "solver",
        "solver()",
        FUNCTION,
        "rules for solving every position at native speed, or `None`",
        "the six functions, compiled if they can be",
    ),
)
"""Everything that a game may offer. The look-up below, `noughts lint` and docs/own-game.md follow this table."""


class ResolvedGame(NamedTuple, Generic[State, Action]):
    """A game with everything it offers, looked up once: the six functions, and `CAPABILITIES` with their defaults.

    It is a game itself, and `resolve` returns it as it is.
    """

    game: Game[State, Action]
    """The game as its author wrote it."""
    initial: Callable[[], State]
    player: Callable[[State], int]
    actions: Callable[[State], Iterable[Action]]
    result: Callable[[State, Action], State]
    terminal: Callable[[State], bool]
    utility: Callable[[State], int]
    title: str | None
    marks: tuple[str, str] | None
    with_marks: Callable[[tuple[str, str]], Game[State, Action]] | None
    longest: int
    utility_range: tuple[int, int]
    misere: bool
    action_name: Callable[[Action], str]
    action_aliases: Callable[[Action], Iterable[str]]
    split_actions: Callable[[str], Sequence[str]]
    board: Callable[[State], Board] | None
    draw: Callable[[State], str]
    parse: Callable[[str], State] | None
    key: Callable[[State], Hashable]
    symmetries: Callable[[State], Iterable[State]] | None
    canonical: Callable[[State], Hashable] | None
    heuristic: Callable[[State], int] | None
    utility_bounds: Callable[[State], tuple[int, int]] | None
    plies: Callable[[State], int] | None
    tier: Callable[[State], int] | None
    preferred: Sequence[Action]
    lineup: Callable[[State], Lineup[Action]] | None
    line_name: Callable[[tuple[int, ...]], str]
    theory: Callable[[State], Theory | None] | None
    book: str | None
    kernel: Callable[[], Kernel | None]
    solver: Callable[[], Kernel | None]
    scale: Scale
    """How the utilities and distances of this game become scores."""

    def __reduce__(self) -> tuple[Any, ...]:
        return resolve, (self.game,)

    @property
    def player_names(self) -> tuple[str, str]:
        """What MAX and MIN are called."""
        return self.marks or ("First", "Second")

    def player_name(self, player: int) -> str:
        """Return what MAX or MIN is called."""
        return self.player_names[0 if player == MAX else 1]

    @property
    def display_title(self) -> str:
        """The title, or the name of the game's file or class."""
        if self.title is not None:
            return self.title
        file = str(getattr(self.game, "__file__", type(self.game).__name__))
        return file.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".py")

    @property
    def has_symmetry(self) -> bool:
        """Whether the game says which states are symmetric."""
        return self.symmetries is not None or self.canonical is not None

    @property
    def has_margins(self) -> bool:
        """Whether a win can be worth more than another."""
        low, high = self.utility_range
        return low < -1 or high > 1

    def bounds_of(self, state: State) -> tuple[int, int]:
        """Return the lowest and the highest utility that the game states for a state, within its range."""
        assert self.utility_bounds is not None
        low, high = self.utility_bounds(state)
        lowest, highest = self.utility_range
        try:
            least, most = max(index(low), lowest), min(index(high), highest)
        except TypeError:
            raise BrokenGame(f"utility_bounds(state) returned {(low, high)}; they must be whole numbers") from None
        if least > most:
            raise BrokenGame(
                f"utility_bounds(state) returned {(low, high)}; nothing of utility_range {self.utility_range} is within"
            )
        return least, most

    def state(self, state: State | None) -> State:
        """Return the state, or the initial one for None."""
        return self.initial() if state is None else state

    def to_move(self, state: State) -> int:
        """Return who is to move, MAX or MIN; raise BrokenGame if the game says anything else."""
        return to_move(self, state)

    def mover_name(self, state: State) -> str:
        """Return what the player to move is called."""
        return self.player_name(to_move(self, state))

    def legal_actions(self, state: State) -> list[Action]:
        """Return the actions of an unfinished state; raise BrokenGame if there are none."""
        return legal_actions(self, state)


def resolve(game: Game[State, Action]) -> ResolvedGame[State, Action]:
    """Return a game with everything it offers; looked up at the first call, and kept with the game.

    Of a class, an instance is made. Raises BrokenGame for what is not a game, or offers what cannot be right.
    """
    if isinstance(game, ResolvedGame):
        return game
    found: ResolvedGame[State, Action] = kept(game, _look_up)
    return found


def _look_up(candidate: Any) -> ResolvedGame[Any, Any]:
    """Look up everything that a game offers."""
    game = as_game(candidate)
    is_file = isinstance(game, ModuleType)
    offered: dict[str, Any] = {}
    for each in CAPABILITIES:
        found = getattr(game, each.name, None)
        if found is not None and not each.kind.fits(found):
            if not is_file:  # a file may use the word for something of its own
                raise BrokenGame(f"{each.name} is {found!r}; as a capability it must be {each.kind.expected}")
            found = None
        offered[each.name] = found
    has_kernel = is_file and all(callable(getattr(game, name, None)) for name in KERNEL_FUNCTIONS)
    if has_kernel:
        offered["kernel"] = _kernel_of(game)
        offered["utility_bounds"] = offered["utility_bounds"] or _utility_bounds(game)
    elif is_file:
        offered["kernel"] = None
    if is_file and offered["book"]:
        offered["book"] = os.path.join(os.path.dirname(getattr(game, "__file__", None) or ""), offered["book"])
    name = offered["action_name"] or default_name
    board = _checked_board(offered["board"])
    draw = offered["draw"] or ((lambda state: text(board(state), name=name)) if board else default_draw)
    scale = Scale() if offered["longest"] is None else Scale(offered["longest"])
    defaults: dict[str, Any] = {
        "longest": scale.longest,
        "utility_range": (-1, 1),
        "misere": False,
        "action_aliases": lambda _: (),
        "split_actions": lambda text: text.replace(",", " ").split(),
        "key": default_key,
        "preferred": (),
        "line_name": default_name,
        "kernel": _no_kernel,
        "solver": _no_kernel,
    }
    checked: dict[str, Any] = {
        "action_name": lambda action: _text(name(action), "action_name"),
        "draw": lambda state: _text(draw(state), "draw"),
        "board": board,
    }
    filled = {name: defaults.get(name) if found is None else found for name, found in offered.items()}
    return ResolvedGame(
        game=game,
        initial=game.initial,
        player=game.player,
        actions=game.actions,
        result=game.result,
        terminal=game.terminal,
        utility=game.utility,
        scale=scale,
        **{**filled, **checked},
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
    scale = Scale(game.longest) if isinstance(getattr(game, "longest", None), int) else Scale()

    def bounds(state: Any) -> tuple[int, int]:
        low, high = map(scale.utility, game.score_bounds(state))
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


def _is_pair(found: object, kind: type) -> bool:
    return isinstance(found, (list, tuple)) and len(found) == 2 and all(isinstance(item, kind) for item in found)
