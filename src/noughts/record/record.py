"""A game as it was played: its moves, who played, how it ended, and all of that as text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from noughts.capabilities import resolve
from noughts.errors import BadRecord, UnknownGame, one_line, shown, shown_path
from noughts.game import Game
from noughts.match import Match
from noughts.notation import Position, is_path, load, normalised, read_action, read_position

__all__ = ["NUMBER", "OWN_TAGS", "Move", "Record", "Result", "built_in", "ending", "write_records"]

Result = Literal["first wins", "draw", "second wins", "unfinished"]
"""How a game ended. The first player is the one who moves first from the start of the game."""

OWN_TAGS = ("Game", "Position", "First", "Second", "Result")
"""The tags that are fields of a record; any others are in `tags`."""

COLUMNS = 80
"""Lines of moves are no longer than this, if their words allow it."""

NUMBER = re.compile(r"[0-9]+\.+")
"""The number of a move."""

PLAIN = re.compile(r'[^\s{}\[\]",]+')
"""A name of a move that needs no quotes."""

UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
"""Signs that no record contains."""


class Move(NamedTuple):
    """A move by its name in the game's notation, and what was said about it."""

    name: str
    comment: str = ""


class Record(NamedTuple):
    """A game as it was played. `str(record)` is the text, from which `read_records` reads the same record.

    >>> moves = tuple(map(Move, "5 1 3 7 4 6 2 8 9".split()))
    >>> print(Record("tic-tac-toe", moves, players=("perfect", "easy"), result="draw"), end="")
    [Game "tic-tac-toe"]
    [First "perfect"]
    [Second "easy"]
    [Result "draw"]
    <BLANKLINE>
    1. 5 1 2. 3 7 3. 4 6 4. 2 8 5. 9
    """

    game: str
    """The notation of the game."""
    moves: tuple[Move, ...] = ()
    position: str = ""
    """The position before the first move, as text; empty for the start of the game."""
    players: tuple[str, str] = ("", "")
    """Who moves first from the start of the game, and who second; empty if that is not known."""
    result: Result = "unfinished"
    margin: int | None = None
    """By how much the winner won, in a game that counts it."""
    comment: str = ""
    """What was said before the first move."""
    tags: tuple[tuple[str, str], ...] = ()
    """All other tags, with their values."""

    @classmethod
    def of_match(
        cls,
        match: Match[Any, Any],
        game: str,
        *,
        position: str = "",
        players: Mapping[int, str] | None = None,
        result: Result | None = None,
        tags: Iterable[tuple[str, str]] = (),
        comments: Mapping[int, str] | None = None,
    ) -> "Record":
        """Return the record of a match of the game with this notation, which began in `position`.

        The players are given by MAX and MIN, and comments by the number of moves played before them. Give the result of
        a match that ended otherwise than by its rules.

        >>> match = Match(load("tic-tac-toe"))
        >>> for cell in (1, 5, 2, 9, 3):
        ...     match.play(cell)
        >>> record = Record.of_match(match, "tic-tac-toe", players={1: "Ann", -1: "Ben"}, comments={4: "A mistake."})
        >>> record.result, record.players, record.moves[3]
        ('first wins', ('Ann', 'Ben'), Move(name='9', comment='A mistake.'))
        """
        rules, said = match.game, {number: _comment(text) for number, text in (comments or {}).items()}
        begins = rules.to_move(rules.initial())
        named = {player: _value(name) for player, name in (players or {}).items()}
        ended, margin = (result, None) if result is not None else ending(match)
        return cls(
            game=_value(normalised(game)),
            moves=tuple(
                Move(rules.action_name(action), said.get(number, "")) for number, action in enumerate(match.played, 1)
            ),
            position=_value(one_line(position)),
            players=(named.get(begins, ""), named.get(-begins, "")),
            result=ended,
            margin=margin,
            comment=said.get(0, ""),
            tags=tuple((_tag(name), _value(value)) for name, value in tags),
        )

    def tag(self, name: str) -> str | None:
        """Return the value of one of the other tags, such as `Date`; None if the record has no such tag."""
        return dict(self.tags).get(name)

    def match(self, game: Game[Any, Any] | None = None) -> Match[Any, Any]:
        """Return the match that was played; pass the game if it is a file of your own, which no record loads."""
        rules = resolve(built_in(self.game) if game is None else game)
        match = Match(rules, read_position(rules, self.position).state)
        for move in self.moves:
            match.play(read_action(rules.actions(match.state), rules, move.name))
        if self.result == "draw" and match.can_be_drawn:
            match.end_as_draw()
        return match

    def replayed(self, game: Game[Any, Any] | None = None) -> Position[Any, Any]:
        """Return the last position with all moves and states, those of `position` included."""
        rules = resolve(built_in(self.game) if game is None else game)
        start, match = read_position(rules, self.position), self.match(game)
        actions, states = [*start.actions], [*start.states]
        for action in match.played:
            actions.append(action)
            states.append(rules.result(states[-1], action))
        return Position(start.diagram, tuple(actions), tuple(states))

    def __str__(self) -> str:
        ended = self.result if self.margin is None else f"{self.result} by {self.margin}"
        own = zip(OWN_TAGS, (self.game, self.position, *self.players, ended), strict=True)
        given = [*((name, value) for name, value in own if value), *self.tags]
        tags = [f"[{name} {_quoted(value)}]" for name, value in given]
        return "\n".join([*tags, "", *_filled(self._words())]) + "\n"

    def _words(self) -> Iterator[str]:
        """Yield the words of the moves and comments."""
        if self.comment:
            yield from _braced(self.comment)
        for number, move in enumerate(self.moves):
            if number % 2 == 0:
                yield f"{number // 2 + 1}."
            yield _written(move.name)
            if move.comment:
                yield from _braced(move.comment)


def built_in(notation: str) -> Game[Any, Any]:
    """Return the built-in game with a notation; raise UnknownGame for a path, since no record may run a file."""
    if is_path(notation):
        raise UnknownGame(f"{shown_path(notation)} is a file, and a file is only run if you name it yourself")
    return load(notation)


def write_records(records: Iterable[Record]) -> str:
    """Return several games as one text, with an empty line between them."""
    return "\n".join(map(str, records))


def ending(match: Match[Any, Any]) -> tuple[Result, int | None]:
    """Return the result of a match by its rules, and the margin if the game counts it."""
    if not match.over:
        return "unfinished", None
    rules, utility = match.game, match.utility
    if not utility:
        return "draw", None
    first = (utility > 0) == (rules.to_move(rules.initial()) > 0)
    return "first wins" if first else "second wins", abs(utility) if rules.has_margins else None


def _filled(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of words, none longer than COLUMNS unless a single word is."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > COLUMNS:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line


def _written(name: str) -> str:
    """Return the name of a move as it is written: in quotes if it could be taken for something else."""
    return name if PLAIN.fullmatch(name) and not NUMBER.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _braced(comment: str) -> list[str]:
    return ("{" + comment.replace("\\", "\\\\").replace("}", "\\}") + "}").split()


def _tag(name: str) -> str:
    """Return the name of another tag, or raise BadRecord if it cannot be one."""
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or name in OWN_TAGS:
        raise BadRecord(f"{shown(name)} cannot be a tag; a tag is a word of letters, and none of {', '.join(OWN_TAGS)}")
    return name


def _value(text: str) -> str:
    """Return text as a tag can hold it: without line breaks and other control characters."""
    return "".join("?" if UNWRITABLE.match(sign) else sign for sign in text)


def _comment(text: str) -> str:
    """Return text as a comment can hold it: its words, with one space between them."""
    return _value(" ".join(text.split()))
