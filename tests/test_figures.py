"""Every figure in prose is asserted: here is each of them, and where it comes from."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.arena import Chances, against_everyone, exact_tournament
from noughts.arena import statistics as arena
from noughts.arena.exact import MOST_POSITIONS
from noughts.book.file import BLOCK
from noughts.capabilities import resolve
from noughts.cli.review import SECONDS as REVIEW_SECONDS
from noughts.cli.tree import MOST
from noughts.compiled.breaker_lines import MOST_CELLS
from noughts.compiled.cache import MOST_KEPT
from noughts.compiled.checked_numbers import LARGEST
from noughts.compiled.deep_layout import UNIT, WORD_MOVES
from noughts.games.lines import LARGEST_DEEP_KERNEL, LARGEST_KERNEL
from noughts.games.mnk import MOST_COLUMNS
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.learn.positions import MOST_POSITIONS as MOST_IN_A_LESSON
from noughts.players import computer
from noughts.players.rule_of_thumb import RuleOfThumbPlayer
from noughts.protocols import gomocup, program
from noughts.protocols.inbox import LONGEST_COMMAND
from noughts.protocols.thinking import READY_SECONDS
from noughts.puzzles.judge import SMALL as SMALL_FOR_PUZZLES
from noughts.site.asking import LINT_POSITIONS
from noughts.skins.preview import SIZE
from noughts.solving import first_tiers, size
from noughts.sources.solved import SMALL
from noughts.statistics.counts import count, nodes_past_wins
from noughts.tables import layout as tables
from noughts.testing import optional_functions
from noughts.web.clients import client_key
from noughts.web.connections import MAX_CONNECTIONS
from noughts.web.loading import LOAD_TIMEOUT
from noughts.web.middleware import MAX_BODY, MAX_HOST
from noughts.web.protocol import MAX_HEAD, MAX_LINES
from noughts.web.server import CLIENT_TIMEOUT
from tests.helpers import every_state
from tests.test_perfect_player import chosen_by, most_wins

CONNECT_FOUR = resolve(noughts.load("connect-four"))
BOOK = noughts.open_book(CONNECT_FOUR.book or "", CONNECT_FOUR)

MORRIS, DODGEM, ROOK = (
    noughts.load(f"examples/{name}.py") for name in ("three_mens_morris", "dodgem", "king_and_rook")
)


def longest_win(game: Any) -> int:
    """Return the plies of the longest win of a game in which positions repeat, whoever moves."""
    engine = noughts.Engine(game)
    answers = (engine.value(state) for state in every_state(game))
    return max(each.distance or 0 for each in answers if each.value == "win")


def share_of_wins(seat: int) -> Fraction:
    """Return how often the perfect player wins tic-tac-toe against a random opponent."""
    return most_wins(TIC_TAC_TOE, seat, chosen_by(computer("perfect", TIC_TAC_TOE)))


PROSE = [Path("README.md"), Path("CONTRIBUTING.md"), *sorted(Path("docs").glob("*.md"))]


def steps_of_minimax() -> int:
    """Return the steps of the page: 3 for a node with actions, 2 for an end, and 2 for each action.

    The tests of the page count the same in the browser.
    """
    counts = count(TIC_TAC_TOE)
    return 3 * (counts.nodes - counts.games) + 2 * counts.games + 2 * (counts.nodes - 1)


FIGURES: dict[str, Callable[[], bool]] = {
    "549,946": lambda: noughts.minimax(TIC_TAC_TOE).nodes == 549_946,
    "2,494,560": lambda: steps_of_minimax() == 2_494_560,
    "6,000": lambda: MOST_IN_A_LESSON == 6_000,
    "5,478": lambda: noughts.Engine(TIC_TAC_TOE).analyse().nodes == 5_478,
    "114,883": lambda: noughts.alphabeta(noughts.load("mnk:4,4,4"), wanted="one").nodes == 114_883,
    "178,992": lambda: noughts.alphabeta(noughts.load("connect:5x4"), wanted="one").nodes == 178_992,
    "191": lambda: share_of_wins(MAX) == Fraction(191, 192),
    "192": lambda: share_of_wins(MAX) == Fraction(191, 192),
    "866": lambda: share_of_wins(MIN) == Fraction(866, 945),
    "945": lambda: share_of_wins(MIN) == Fraction(866, 945),
    "42": lambda: against_everyone(TIC_TAC_TOE, RuleOfThumbPlayer(TIC_TAC_TOE), MIN).losses == 42,
    "115": lambda: sum(against_everyone(TIC_TAC_TOE, RuleOfThumbPlayer(TIC_TAC_TOE), MAX)[:3]) == 115,
    "577": lambda: sum(against_everyone(TIC_TAC_TOE, RuleOfThumbPlayer(TIC_TAC_TOE), MIN)[:3]) == 577,
    "986,410": lambda: nodes_past_wins(TIC_TAC_TOE) == 986_410,
    "59,705": lambda: count(TIC_TAC_TOE, noughts.replay(TIC_TAC_TOE, "1")).nodes == 59_705,
    "63,905": lambda: count(TIC_TAC_TOE, noughts.replay(TIC_TAC_TOE, "2")).nodes == 63_905,
    "55,505": lambda: count(TIC_TAC_TOE, noughts.replay(TIC_TAC_TOE, "5")).nodes == 55_505,
    "4,520": lambda: sum(not TIC_TAC_TOE.terminal(state) for state in every_state(TIC_TAC_TOE)) == 4_520,
    "200": lambda: "== 200\n" in Path("tests/test_learners_mistakes.py").read_text(encoding="utf-8"),
    "150": lambda: MOST == 150,
    "100": lambda: MOST_KEPT == 100,
    "30": lambda: program.START_SECONDS == REVIEW_SECONDS == 30,
    "65,536": lambda: program.LONGEST_LINE == 65_536,
    "8,388,608": lambda: program.MOST_OUTPUT == 8_388_608,
    "1,048,576": lambda: LONGEST_COMMAND == 1_048_576,
    "0.15": lambda: gomocup.MARGIN == 0.15,
    "1,000,000": lambda: optional_functions.MOST == 1_000_000,
    "64": lambda: LARGEST == 2**63 - 1 and MAX_BODY == 64 * 1024 and client_key("2001:db8::1").endswith("/64"),
    "1,000": lambda: MAX_CONNECTIONS == 1_000,
    "1200": lambda: SIZE == (1200, 630),
    "630": lambda: SIZE == (1200, 630),
    "20": lambda: CLIENT_TIMEOUT == MOST_COLUMNS == READY_SECONDS == 20,
    "32": lambda: MAX_HEAD == 32 * 1024,
    "98": lambda: MAX_LINES - 2 == 98,
    "255": lambda: MAX_HOST == 255,
    "10": lambda: LOAD_TIMEOUT == 10,
    "256": lambda: BLOCK == 256,
    "2,048": lambda: tables.BLOCK == 2_048,
    "16": lambda: tables.FILE_DIGEST_BYTES == 16,
    "129,498": lambda: BOOK.header.positions == 129_498,
    "304,500": lambda: Path(BOOK.file.path).stat().st_size == 304_500,
    "63": lambda: WORD_MOVES == 63,
    "16,384": lambda: UNIT == 16_384,
    "31": lambda: LARGEST_KERNEL == 31,
    "126": lambda: LARGEST_DEEP_KERNEL == 126,
    "62": lambda: MOST_CELLS == 62,
    "268,104": lambda: "nodes == 268_104\n" in Path("tests/compiled/test_breaker.py").read_text(encoding="utf-8"),
    "304,201": lambda: "positions == 304_201\n" in Path("tests/compiled/test_breaker.py").read_text(encoding="utf-8"),
    "3,046,433": lambda: "nodes == 3_046_433\n" in Path("tests/compiled/test_breaker.py").read_text(encoding="utf-8"),
    "20,000": lambda: SMALL == SMALL_FOR_PUZZLES == 20_000,
    "5,390": lambda: len(every_state(MORRIS)) == 5_390 and noughts.value(MORRIS).distance == longest_win(MORRIS) == 9,
    "744": lambda: count(MORRIS).classes == 744,
    "1,963": lambda: len(every_state(DODGEM)) == 1_963,
    "19": lambda: noughts.value(DODGEM).distance == 19 and longest_win(ROOK) == 19,
    "21": lambda: longest_win(DODGEM) == 21,
    "17,960": lambda: len(every_state(ROOK)) == 17_960,
    "765": lambda: count(TIC_TAC_TOE).classes == 765,
    "161,029": lambda: "161_029" in Path("tests/solving/test_solving.py").read_text(encoding="utf-8"),
    "3,945,711": lambda: "3_945_711" in Path("tests/solving/test_solving.py").read_text(encoding="utf-8"),
    "69,763,700": lambda: "69_763_700" in Path("tests/solving/test_solving.py").read_text(encoding="utf-8"),
    "10,000": lambda: first_tiers.FEW == 10_000,
    "95": lambda: size.STUDENT[0] == 12.71,  # what 95 % lie within, with one degree of freedom
    "15": lambda: noughts.value(ROOK).distance == gomocup.MOVES_TO_COME == 15,
    "0.25": lambda: arena.SCORES == (0.0, 0.25, 0.5, 0.75, 1.0),
    "0.5": lambda: arena.SCORES[2] == 0.5,
    "0.75": lambda: arena.SCORES[3] == 0.75,
    "0.05": lambda: arena.Sprt(0, 1)[2:] == (0.05, 0.05),
    "0.95": lambda: 1 - arena.Sprt(0, 1).beta == 0.95,
    "2.94": lambda: [round(each, 2) for each in arena.Sprt(0, 1).bounds] == [-2.94, 2.94],
    "1.96": lambda: round(arena.NORMAL_95, 2) == 1.96,
    "737": lambda: str(random_games().win) == "737/1260",
    "1,260": lambda: random_games().win.denominator == 1_260,
    "121": lambda: str(random_games().loss) == "121/420",
    "420": lambda: random_games().loss.denominator == 420,
    "200,000": lambda: MOST_POSITIONS == 200_000,
    "50": lambda: round(arena.elo(arena.expected_score(50))) == 50,
    "400": lambda: round(arena.elo(10 / 11), 6) == 400,
    "800": lambda: round(2 * arena.elo(10 / 11), 6) == 800,
    "73": lambda: round(100 * arena.Tally(12, 0, 0, (0, 0, 0, 0, 6)).score.low) == 73,
    "2,000": lambda: LINT_POSITIONS == 2_000,
    "2.0": lambda: Path("src/noughts/site/licences/MPL-2.0.txt").is_file(),
    "3.11": lambda: 'requires-python = ">=3.11"' in Path("pyproject.toml").read_text(encoding="utf-8"),
}


def random_games() -> Chances:
    """Return how tic-tac-toe between two random players ends."""
    return exact_tournament("tic-tac-toe", ["random", "random"]).pairings[0].begun


def figures(path: Path) -> set[str]:
    """Return the figures in a document's prose; code, links, and the numbers 0 to 9 are passed over."""
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r"\d[\d,.]*\d%?|\d%", prose))


@pytest.mark.parametrize("path", PROSE, ids=str)
def test_every_figure_is_asserted(path: Path) -> None:
    assert figures(path) <= set(FIGURES), "assert the new figure in FIGURES"


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_hold_and_are_used(figure: str) -> None:
    assert FIGURES[figure]()
    assert any(figure in figures(path) for path in PROSE), "no document says this any more"
