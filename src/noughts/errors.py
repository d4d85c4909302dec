"""The errors of noughts, each with a message of one line: what was wrong, and what would be right."""

from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "ENDLESS",
    "BadBook",
    "BadCertificate",
    "BadPosition",
    "BadRecord",
    "BadTable",
    "BrokenGame",
    "EndlessGame",
    "IllegalAction",
    "NoKernel",
    "NoughtsError",
    "PlayerFailed",
    "UnknownGame",
    "counted",
    "one_line",
    "shown",
    "shown_path",
    "suggest",
]


class NoughtsError(Exception):
    """Anything a user of noughts can put right; `str(error)` is one line fit to show them.

    Where options would help, `remedy` has their names and values, and each shell writes them in its own way.

    >>> error = NoughtsError("there are too many nodes; allow them", remedy={"most": 300})
    >>> print(error)
    there are too many nodes; allow them: most=300
    >>> error.worded(lambda name, value: f"--{name} {value}")
    'there are too many nodes; allow them: --most 300'
    """

    def __init__(self, message: str = "", *, remedy: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.remedy = dict(remedy or {})

    def worded(self, option: Callable[[str, object], str]) -> str:
        """Return the message in one line, with each option that would help written by a function."""
        helpful = ", ".join(option(name, value) for name, value in self.remedy.items())
        message = one_line(super().__str__())
        return f"{message}: {helpful}" if helpful else message

    def __str__(self) -> str:
        return self.worded(lambda name, value: f"{name}={value}")


class IllegalAction(NoughtsError, ValueError):
    """An action that the rules do not allow in that state."""


class UnknownGame(NoughtsError, ValueError):
    """A name or notation that is not a game."""


class BadPosition(NoughtsError, ValueError):
    """A text that is not a position of the game."""


class BadBook(NoughtsError):
    """A file that is not an opening book, is damaged, or is a book of another game."""


class BadCertificate(NoughtsError):
    """A file that is not a certificate, is damaged, or is one of another game."""


class BadTable(NoughtsError):
    """A folder that is not a table, or a file of a table that is missing, damaged or of another game."""


class BadRecord(NoughtsError, ValueError):
    """A text that is not a record of games; the message names the line."""


class PlayerFailed(NoughtsError):
    """A player that cannot go on, such as a program that has ended or plays an illegal move: it loses its game."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = one_line(reason)


class BrokenGame(NoughtsError):
    """A game that breaks the contract of the six functions, or a file without a game."""


class NoKernel(NoughtsError):
    """A kernel that cannot run here, though the game is right: numba is missing or cannot be loaded."""


class EndlessGame(BrokenGame):
    """A game in which a position can repeat, for a search or a count that follows all play to its end."""


ENDLESS = "the game can go on for ever, which noughts.analyse can value, and this search cannot"
"""What a search says of a game in which a position is repeated."""


def one_line(text: str) -> str:
    """Return lines joined into one, for messages that must not contain a line break.

    >>> one_line("X|O\\n-+-\\n")
    'X|O / -+-'
    """
    return " / ".join(text.splitlines())


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    >>> counted(1, "ply"), counted(4, "ply"), counted(0, "move"), counted(1_000, "node")
    ('1 ply', '4 plies', '0 moves', '1,000 nodes')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("ly") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def shown(text: str, most: int = 24) -> str:
    """Return typed text in quotes, cut short and without control characters, so that it fits into a message.

    >>> print(shown("5\\x00.5"), shown("a pasted page that goes on and on"))
    '5?.5' 'a pasted page that goes ...'
    """
    clean = "".join(sign if sign.isprintable() else "?" for sign in text[: most + 1])
    return f"'{clean}'" if len(text) <= most else f"'{clean[:most].rstrip()} ...'"


def shown_path(path: str) -> str:
    """Return a path in quotes, without control characters, and whole unless it is very long: its end names the file."""
    return shown(path, 400)


def suggest(wrong: str, right: Iterable[str]) -> str:
    """Return `"; did you mean X?"` for the name in `right` nearest to `wrong`; an empty text if none is near.

    >>> suggest("tictactoe", ["tic-tac-toe", "nim"])
    '; did you mean tic-tac-toe?'
    >>> suggest("chess", ["tic-tac-toe"])
    ''
    """
    from difflib import get_close_matches  # imported only after an error, since it costs start-up time

    near = get_close_matches(wrong.lower(), list(right), n=1)
    return f"; did you mean {near[0]}?" if near else ""
