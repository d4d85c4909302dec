"""Any board: `mnk:5,5,4` is four in a row on 5 columns and 5 rows. Options after that: `torus`, `misere`."""

from noughts.games.lines import LineGame, straight_lines

__all__ = ["make"]

MOST_COLUMNS = 20
"""The same limit holds for rows; the largest boards that people and programs play on have 19 and 20."""


def make(arguments: str) -> LineGame:
    """Return the game for `columns,rows,in-a-row[,torus][,misere]`.

    >>> len(make("4,3,3").lines), len(make("4,3,3,torus").lines)
    (14, 40)
    """
    words = [word.strip() for word in arguments.split(",")]
    numbers, options = words[:3], words[3:]
    if len(numbers) < 3 or not all(word.isdecimal() for word in numbers):
        raise ValueError("give three numbers: columns, rows, and how many in a row")
    if not set(options) <= {"torus", "misere"} or len(set(options)) < len(options):
        raise ValueError("only torus and misere may follow the numbers")
    columns, rows, in_a_row = map(int, numbers)
    if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_COLUMNS and in_a_row >= 1):
        raise ValueError(f"columns and rows are 1 to {MOST_COLUMNS}, and a line is 1 or more")
    torus, misere = "torus" in options, "misere" in options
    lines = straight_lines(columns, rows, in_a_row, torus) if in_a_row <= max(columns, rows) else ()
    if not lines:
        raise ValueError(f"no line of {in_a_row} fits on the board")
    kind = f"{in_a_row} in a row on {columns} x {rows}{', a torus' * torus}{', misère' * misere}"
    return LineGame(kind, columns, rows, lines, misere=misere, torus=torus, coordinates=True)
