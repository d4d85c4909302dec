"""`noughts puzzle` as people and scripts use it."""

import json

import pytest

from tests.command import Noughts

SEED = ("tic-tac-toe", "--seed", "1", "--moves", "3")
"""After 3 9 1 2, X wins in 3 moves with 7."""


@pytest.fixture
def noughts(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_a_puzzle_is_solved_with_wrong_tries_on_the_way(noughts: Noughts) -> None:
    done = noughts("puzzle", *SEED, typed="9\nhint\nhelp\n\n4\n7\n6\n5\n")
    assert done.returncode == 0
    assert "X to move and win in 3 moves. (Level 3: 2 plausible moves fail.)" in done.stdout
    assert "Position: 3 9 1 2" in done.stdout
    assert "'9' is not a move here; you can play 4 5 6 7 8, or type hint, show or quit." in done.stdout
    assert "It is 4, 5 or 7." in done.stdout
    assert "You typed nothing; you can play" in done.stdout
    assert "No. With 4, X draws: it threatens 1-4-7 and so forces 7." in done.stdout
    assert "Right. O plays 4." in done.stdout
    assert done.stdout.count("No. ") == 2  # the second on the way to the win: it must be found, too
    assert "Solved, after 2 wrong moves." in done.stdout
    assert done.stderr == ""


def test_a_solution_is_shown_and_several_puzzles_follow_each_other(noughts: Noughts) -> None:
    done = noughts("puzzle", "nim:3,4,5", "--seed", "4", "--moves", "3", "--count", "2", typed="show\n" * 4)
    assert done.returncode == 0
    assert "Puzzle 1 of 2" in done.stdout
    assert "Puzzle 2 of 2" in done.stdout
    assert done.stdout.count("The move is") == 4
    assert done.stdout.count("That was it.") == 2


def test_leaving_and_the_end_of_the_input(noughts: Noughts) -> None:
    left = noughts("puzzle", *SEED, typed="quit\n")
    assert (left.returncode, left.stdout.splitlines()[-1].endswith("Bye.")) == (0, True)
    ended = noughts("puzzle", *SEED)
    assert (ended.returncode, ended.stderr) == (1, "noughts: input ended before the puzzle was solved\n")


def test_a_puzzle_of_a_file_of_ones_own(noughts: Noughts) -> None:
    done = noughts("puzzle", "examples/three_mens_morris.py", "--seed", "1", "--moves", "3", "--json")
    facts = json.loads(done.stdout)
    assert facts["game"] == "examples/three_mens_morris.py"
    [puzzle] = facts["puzzles"]
    assert (puzzle["kind"], puzzle["moves"], puzzle["only"], len(puzzle["line"])) == ("win", 3, True, 3)
    assert puzzle["solution"] == puzzle["line"][0]
    assert puzzle["failing"] == sum(move != puzzle["solution"] for move in puzzle["plausible"])


def test_a_date_is_a_puzzle_for_everybody(noughts: Noughts) -> None:
    facts = json.loads(noughts("puzzle", "--date", "2026-01-31", "--json").stdout)
    assert (facts["seed"], facts["day"]) == (None, "2026-01-31")
    assert facts == json.loads(noughts("puzzle", "tic-tac-toe", "--date", "2026-01-31", "--json").stdout)
    assert facts != json.loads(noughts("puzzle", "--date", "2026-02-01", "--json").stdout)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--level", "6"), "--level must be a whole number from 1 to 5"),
        (("--moves", "0"), "--moves must be a whole number above 0"),
        (("--count", "0"), "--count must be a whole number from 1 to 100"),
        (("--seed", "1", "--date", "2026-01-31"), "--seed and --date exclude each other; leave one of them out"),
        (("--date", "2026-02-30"), "a date is a day such as 2026-01-31, not '2026-02-30'"),
        (("--date", "tomorrow"), "a date is a day such as 2026-01-31, not 'tomorrow'"),
        (("--seconds", "-1"), "--seconds must be 0, which sets no limit, or a number above 0"),
        (("chess",), "there is no game 'chess'"),
        (("mnk:2,1,2",), "no puzzle was found in 400 games"),
        (("--kind", "save", "--moves", "7"), "no puzzle to save of 7 moves was found in 400 games; this game may have"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(noughts: Noughts, args: tuple[str, ...], said: str) -> None:
    done = noughts("puzzle", *args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"noughts: {said}")
    assert done.stderr.count("\n") == 1
