"""A second opinion of a table: its positions, exported as CSV, are counted again by a database and by other rules."""

import csv
import sqlite3
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.command import Noughts
from tests.tables.reference import make_table

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
TURN = [6, 3, 0, 7, 4, 1, 8, 5, 2]
FLIP = [2, 1, 0, 5, 4, 3, 8, 7, 6]


@cache
def valued(board: str) -> tuple[str, int | None]:
    """Return the value and the distance of a board of X, O and dots, for the player to move: rules of our own."""
    me, other = "XO" if board.count("X") == board.count("O") else "OX"
    if any(all(board[cell] == other for cell in line) for line in LINES):
        return "loss", 0
    if "." not in board:
        return "draw", None
    children = [valued(board[:cell] + me + board[cell + 1 :]) for cell in range(9) if board[cell] == "."]
    lost = [far for value, far in children if value == "loss" and far is not None]
    if lost:
        return "win", 1 + min(lost)
    if any(value == "draw" for value, _ in children):
        return "draw", None
    return "loss", 1 + max(far for _, far in children if far is not None)


def images(board: str) -> set[str]:
    """Return the boards that are symmetric to a board."""
    found = set()
    for _ in range(4):
        board = "".join(board[cell] for cell in TURN)
        found |= {board, "".join(board[cell] for cell in FLIP)}
    return found


def reachable() -> list[str]:
    """Return one board for each of those that are symmetric, by our own rules."""
    seen, waiting = {"." * 9}, ["." * 9]
    for board in waiting:
        if valued(board) == ("loss", 0):
            continue
        me = "X" if board.count("X") == board.count("O") else "O"
        for cell in range(9):
            if board[cell] == ".":
                child = min(images(board[:cell] + me + board[cell + 1 :]))
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
    return waiting


def test_an_export_is_counted_again(noughts_command: str, clean_env: dict[str, str], tmp_path: Path) -> None:
    folder = make_table(tmp_path / "table", "tic-tac-toe")
    done = Noughts(noughts_command, clean_env)("table", "export", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE positions (tier INT, code TEXT UNIQUE, value TEXT, margin INT, distance INT)")
    values = [(row["tier"], row["code"], row["value"], row["margin"], row["distance"] or None) for row in rows]
    database.executemany("INSERT INTO positions VALUES (?, ?, ?, ?, ?)", values)
    counted = database.execute("SELECT tier, value, distance, count(*) FROM positions GROUP BY tier, value, distance")
    found = {(tier, value, distance): count for tier, value, distance, count in counted}
    database.close()
    assert found == Counter((9 - board.count("."), *valued(board)) for board in reachable())
    assert sum(found.values()) == 765


@pytest.mark.parametrize("turns", range(4))
def test_our_own_symmetries_are_symmetries(turns: int) -> None:
    board = "XO.X....O"
    for _ in range(turns):
        board = "".join(board[cell] for cell in TURN)
    assert len(images(board)) == 8
    assert all(valued(each) == valued(board) for each in images(board))
