"""Reads records of games: tags, moves and comments, several games in a text; docs/records.md describes the format."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

from noughts.capabilities import resolve
from noughts.errors import BadPosition, BadRecord, IllegalAction, UnknownGame, counted, shown, shown_path
from noughts.game import Game
from noughts.match import Match
from noughts.notation import cannot_be_played, read_action, read_position
from noughts.record.record import NUMBER, OWN_TAGS, Record, Result, built_in, ending

__all__ = ["read_record", "read_record_file", "read_records"]

MOST_BYTES = 1 << 26
"""The size of the largest file that is read."""

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | \[[ \t]*(?P<tag>[A-Za-z]\w*)[ \t]+"(?P<value>(?:[^"\\\n]++|\\.)*+)"[ \t]*\]
    | \{(?P<comment>(?:[^}\\]++|\\.)*+)\}
    | "(?P<quoted>(?:[^"\\\n]++|\\.)*+)"
    | (?P<word>[^\s{}\[\]"]+)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
RESULT = re.compile(r"(first wins|second wins)(?: by ([0-9]{1,9}))?|(draw|unfinished)")
UNCLOSED = {
    "{": "this comment is not closed by }",
    "}": "there is a } without a { before it",
    "[": 'this is not a tag, which is written [Name "value"]',
    "]": "there is a ] without a tag before it",
    '"': "this quotation is not closed in its line",
}
"""What is wrong where no token begins, by the sign that stands there."""


def read_records(text: str, load: Callable[[str], Game[Any, Any]] = built_in) -> list[Record]:
    """Return the games of a text; raise BadRecord, which names the line, if there is a mistake in it.

    Every move is checked by the rules. `load` returns the game that a record names; by default, only built-in games.

    >>> [record] = read_records('[Game "tic-tac-toe"] 1. 5 {The centre.} 1 2. 3')
    >>> record.moves
    (Move(name='5', comment='The centre.'), Move(name='1', comment=''), Move(name='3', comment=''))
    >>> read_records('[Game "tic-tac-toe"]\\n5 5')
    Traceback (most recent call last):
    noughts.errors.BadRecord: line 2: '5' cannot be played as move 2; you can play 1 2 3 4 6 7 8 9
    """
    return [_record(tokens, load) for tokens in _games(text)]


def read_record(text: str, number: int | None = None, load: Callable[[str], Game[Any, Any]] = built_in) -> Record:
    """Return one game of a text by its number, from 1; the last one if no number is given."""
    wanted, games = None, 0
    for games, tokens in enumerate(_games(text), 1):
        if number in (None, games):
            wanted = tokens
    if not games:
        raise BadRecord('there is no game here; a game begins with its name, as in [Game "tic-tac-toe"]')
    if wanted is None:
        raise BadRecord(f"there is no game {number} here, but {counted(games, 'game')}")
    return _record(wanted, load)


def read_record_file(path: str) -> str:
    """Return the text of a file of records; raise BadRecord if it cannot be read, is not text, or is very large."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadRecord(f"cannot read {shown_path(path)}: {error.strerror}") from None
    except ValueError:  # a null character
        raise BadRecord(f"cannot read {shown_path(path)}: that is not a file name") from None
    if len(data) > MOST_BYTES:
        raise BadRecord(f"{shown_path(path)} has more than {MOST_BYTES >> 20} MiB, which is more than is read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(f"{shown_path(path)} is not a record of games: line {line} is not UTF-8 text") from None


class Token(NamedTuple):
    """A piece of a text, and the line where it begins."""

    kind: str
    text: str
    line: int
    name: str = ""
    """The name of a tag."""


NONE = Token("tag", "", 0)
"""Stands for a tag that is missing."""


def _tokens(text: str) -> Iterator[Token]:
    """Yield tags, comments, and words of moves, quoted or not."""
    line = 1
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise BadRecord(f"line {line}: {UNCLOSED[text[at]]}")
        kind = found.lastgroup or ""
        if kind == "value":
            yield Token("tag", ESCAPE.sub(r"\1", found["value"]), line, found["tag"])
        elif kind != "space":
            yield Token(kind, ESCAPE.sub(r"\1", found[kind]) if kind != "word" else found[kind], line)
        line += text.count("\n", at, found.end())
        at = found.end()


def _games(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each game, which begins with the tag `Game`."""
    game: list[Token] = []
    if "\0" in text:
        raise BadRecord(
            f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}: there is a null character; this is no text"
        )
    for token in _tokens(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        if token.name == "Game":
            if game:
                yield game
            game = []
        elif not game:
            raise BadRecord(f'line {token.line}: a game begins with its name, as in [Game "tic-tac-toe"]')
        elif token.kind == "tag" and game[-1].kind != "tag":
            raise BadRecord(f'line {token.line}: tags stand before the moves; the next game begins with [Game "..."]')
        game.append(token)
    if game:
        yield game


def _record(tokens: list[Token], load: Callable[[str], Game[Any, Any]]) -> Record:
    """Return the game with these tokens."""
    tags: dict[str, Token] = {}
    for token in tokens:
        if token.kind == "tag" and token.name in tags:
            raise BadRecord(f"line {token.line}: this game has a tag {token.name} already")
        if token.kind == "tag":
            tags[token.name] = token
    named = tags["Game"]
    with _at(named.line):
        rules = resolve(load(named.text))
    position = tags.get("Position", NONE)
    with _at(position.line):
        match = Match(rules, read_position(rules, position.text).state)
    comments = _played(match, [token for token in tokens if token.kind != "tag"])
    result, margin = _result(match, tags.get("Result"))
    begins = rules.to_move(rules.initial())
    return Record.of_match(
        match,
        named.text,
        position=position.text,
        players={begins: tags.get("First", NONE).text, -begins: tags.get("Second", NONE).text},
        result=result,
        tags=((name, token.text) for name, token in tags.items() if name not in OWN_TAGS),
        comments=comments,
    )._replace(margin=margin)


def _played(match: Match[Any, Any], tokens: Iterable[Token]) -> dict[int, str]:
    """Play the moves, and return the comments by the number of moves before them."""
    comments: dict[int, str] = {}
    rules = match.game
    for token in tokens:
        if token.kind == "comment":
            before = comments.get(len(match.played), "")
            comments[len(match.played)] = f"{before} {token.text}"
            continue
        for name in _names(match, token):
            legal = [] if match.over else list(rules.actions(match.state))
            try:
                match.play(read_action(legal, rules, name))
            except IllegalAction:
                where = f"as move {len(match.played) + 1}"
                raise BadRecord(f"line {token.line}: {cannot_be_played(rules, legal, where, name)}") from None
    return comments


def _names(match: Match[Any, Any], token: Token) -> Sequence[str]:
    """Return the moves that a word names: none for the number of a move, which may also be joined to it, as in `1.e4`.

    A game may have moves that are written together, as in `4453`.
    """
    rules, word = match.game, token.text
    number = NUMBER.match(word)
    if token.kind == "quoted":
        return [word]
    if number is not None and not (number.end() < len(word) and _is_legal(match, word)):
        word = word[number.end() :]
    return rules.split_actions(word)


def _is_legal(match: Match[Any, Any], word: str) -> bool:
    """Return whether a word as a whole is the name of a legal move."""
    try:
        read_action([] if match.over else match.game.actions(match.state), match.game, word)
    except IllegalAction:
        return False
    return True


def _result(match: Match[Any, Any], told: Token | None) -> tuple[Result, int | None]:
    """Return the result of a game: what its moves say, else its tag."""
    by_rules = ending(match)
    if told is None:
        return by_rules
    found = RESULT.fullmatch(" ".join(told.text.split()))
    if found is None:
        results = ", ".join(get_args(Result))
        raise BadRecord(f"line {told.line}: {shown(told.text)} is not a result; the results are {results}")
    result: Result = found[1] or found[3]  # type: ignore[assignment]
    margin = None if found[2] is None else int(found[2])
    if not match.over:
        return result, margin
    if result != by_rules[0] or margin not in (None, by_rules[1]):
        said = by_rules[0] if by_rules[1] is None else f"{by_rules[0]} by {by_rules[1]}"
        raise BadRecord(f"line {told.line}: the result is {shown(told.text)}, but by the moves it is {said}")
    return by_rules


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Raise BadRecord, with the line, for a game or a position that is not one."""
    try:
        yield
    except (UnknownGame, BadPosition) as error:
        raise BadRecord(f"line {line}: {error}") from None
