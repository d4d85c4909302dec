"""Reviews: every mark recomputed from the exhaustive truth; what is not proven is never called a mistake."""

import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import noughts
from noughts import MAX, MIN
from noughts.capabilities import resolve
from noughts.notation import read_position
from noughts.record import Record, read_records
from noughts.reviews.marks import marked
from noughts.reviews.picture import course
from noughts.reviews.plot import plot
from noughts.reviews.retry import Retry
from noughts.reviews.review import Reviewable, judge, review
from noughts.reviews.sentences import said_of
from noughts.score import Scale
from noughts.search.answer import action_between, answer_between, unknown
from noughts.search.limits import Budget, Limits
from tests.truth import Truth


def a_game(game: Any, random: Random) -> list[Any]:
    """Return the actions of a game played at random, which may be left before its end."""
    state = game.initial()
    played: list[Any] = []
    most = random.randint(1, game.longest) if random.random() < 0.3 else game.longest
    while not game.terminal(state) and len(played) < most:
        played.append(random.choice(list(game.actions(state))))
        state = game.result(state, played[-1])
    return played


def expected(scores: dict[Any, int], action: Any) -> tuple[str, bool]:
    """Return the mark of an action, and whether it was a decision, from the true scores of all actions."""
    best, own = max(scores.values()), scores[action]
    decision = min(scores.values()) < best
    if own == best:
        return "good", decision
    same_value = (own > 0) - (own < 0) == (best > 0) - (best < 0)
    return "inaccuracy" if same_value else "mistake", decision


def test_every_mark_of_thousands_of_games_is_the_true_one() -> None:
    game = resolve(noughts.load("tic-tac-toe"))
    engine, truth, random = noughts.Engine(game), Truth(game), Random(15)
    marks: dict[str, int] = {}
    for _ in range(3_000):
        where = read_position(game, a_game(game, random))
        moves, after = judge(engine, where, 0, Budget())
        assert len(moves) == len(where.actions)
        assert (after.value == "win") == (truth.score(where.state) > 0)
        for each, state in zip(moves, where.states, strict=False):
            scores = truth.actions(state)
            assert (each.mark, each.decision) == expected(scores, each.action)
            marks[each.mark] = marks.get(each.mark, 0) + 1
            score = scores[each.action]
            assert each.value.value == ("win" if score > 0 else "loss" if score else "draw")
            assert each.value.distance == (truth.moves(score) if score else None)
            best = max(scores.values())
            assert each.before.distance == (truth.moves(best) if best else None)
            assert set(each.before.best) == {action for action, score in scores.items() if score == best}
    assert set(marks) == {"good", "inaccuracy", "mistake"}
    assert min(marks.values()) > 500


@pytest.mark.parametrize("notation", ["misere", "nim:3,4,5", "examples/matches.py"])
def test_marks_and_accuracy_are_the_true_ones_in_other_games(notation: str) -> None:
    game = resolve(noughts.load(notation))
    engine, truth, random = noughts.Engine(noughts.load(notation)), Truth(game), Random(3)
    for _ in range(15):
        found = review(engine, a_game(game._replace(longest=min(game.longest, 30)), random))
        points: dict[int, list[float]] = {MAX: [], MIN: []}
        for each in found.moves:
            mark, decision = expected(truth.actions(each.state), each.action)
            assert (each.mark, each.decision) == (mark, decision)
            if decision:
                points[each.player].append({"good": 1, "inaccuracy": 0.5, "mistake": 0}[mark])
        for player, own in points.items():
            accuracy = found.accuracy(player)
            assert (accuracy.decisions, accuracy.points) == (len(own), sum(own))
            assert accuracy.percent == (int(100 * sum(own) / len(own)) if own else None)


def test_what_is_said_about_a_game() -> None:
    found = review(noughts.load("tic-tac-toe"), "5 2 1 9 3 7 6 4")
    assert [each.text for each in found.mistakes] == [
        "With 2, O loses in 6 moves; better is 1, 3, 7 or 9, which draws.",
        "With 3, X draws: it threatens 3-5-7 and so forces 7; better is 4 or 7, which wins in 3 moves.",
        "With 6, X loses in 2 moves: it lets O complete 7-8-9 with 8; better is 8, which draws.",
        "With 4, O draws: it blocks 4-5-6; better is 8, which wins at once.",
    ]
    assert [each.better for each in found.moves[:2]] == [(), (1, 3, 7, 9)]
    assert found.stopped == "done"
    assert found.accuracy(MIN).percent == 50


def test_only_proofs_make_mistakes() -> None:
    """All that may be known about a position and a move, and what follows from it."""
    scale = Scale(longest=9)

    def mark(best: tuple[int | None, int | None], own: tuple[int | None, int | None]) -> str:
        rows = [action_between(1, *best, scale), action_between(2, *own, scale)]
        before = answer_between(
            rows, None, None, scale=scale, method="", nodes=0, seconds=0, stopped="deadline", guess=(1,)
        )
        return marked(before, rows[1])

    assert mark((7, 7), (7, 7)) == "good"
    assert mark((7, 7), (5, 5)) == "inaccuracy"
    assert mark((7, 7), (None, 0)) == "mistake"
    assert mark((0, None), (-8, -8)) == "mistake"
    assert mark((-6, -6), (-8, -8)) == "inaccuracy"
    assert mark((None, None), (-8, -8)) == "doubtful"  # perhaps all moves lose
    assert mark((7, 7), (None, 5)) == "doubtful"  # it may win as well, but later
    assert mark((None, None), (None, None)) == "unknown"
    assert mark((0, None), (None, None)) == "unknown"
    assert mark((None, None), (5, 5)) == "good"  # it wins; whether another wins sooner is not known
    assert mark((0, 0), (0, 0)) == "good"


def test_a_guess_is_called_a_guess_on_a_large_board() -> None:
    game = noughts.load("mnk:9,9,5")
    found = review(noughts.Engine(game), "e5 a1 e6 a9 e4 i9 e7 e3 e8", limits=Limits(nodes=4_000))
    assert [each.mark for each in found.moves[:4]] == ["unknown"] * 4
    assert found.moves[0].text.startswith("Not known.")
    assert found.moves[5].mark in ("doubtful", "unknown")
    assert {each.mark for each in found.moves[6:]} == {"good"}
    assert found.stopped != "done"
    for player in (MAX, MIN):
        accuracy = found.accuracy(player)
        assert accuracy.unknown + accuracy.doubtful == sum(
            each.player == player and each.mark in ("unknown", "doubtful") for each in found.moves
        )
    assert "?" in course(found).splitlines()[1]


def test_a_doubtful_move_says_what_is_not_known() -> None:
    """As where a search was stopped before it had looked at the other moves."""
    engine = noughts.Engine(noughts.load("tic-tac-toe"))
    state = noughts.replay(engine.game, "5 1 3")
    before = unknown("", 0, 0.0, "deadline", (7,))._replace(depth=2)
    row = next(row for row in engine.analyse(state).actions if row.action == 9)
    said, refutation = said_of(engine, state, before, row, "doubtful", Limits())
    assert said == (
        "With 9, O loses in 2 moves: it lets X complete 3-5-7 with 7. "
        "Whether another move holds is not known; a guess, looking 2 moves ahead: 7."
    )
    assert refutation == (7,)
    said, _ = said_of(engine, state, before, row._replace(value="unknown", exact=False), "unknown", Limits())
    assert said == "Not known. A guess, looking 2 moves ahead: 7."
    winning = engine.analyse(noughts.replay(engine.game, "1 4 2 5"))
    played = winning.actions[-1]._replace(value="win", bound="upper", exact=False, distance=3)
    said, _ = said_of(engine, noughts.replay(engine.game, "1 4 2 5"), winning, played, "doubtful", Limits())
    assert said == "Whether X wins with 9 is not known; X wins with 3."


def test_no_time_at_all_is_enough_for_an_answer() -> None:
    found = review(noughts.load("connect:7x6,5"), "4 4 4 4", limits=Limits(seconds=0.0))
    assert {each.mark for each in found.moves} == {"unknown"}
    assert found.stopped == "deadline"
    assert found.accuracy(MAX).percent is None


def test_every_limit_is_kept_by_sharing() -> None:
    told: list[tuple[int, int]] = []
    review(noughts.load("tic-tac-toe"), "5 1 3 7", limits=Limits(seconds=9), progress=lambda *done: told.append(done))
    assert told == [(number, 5) for number in range(5)]


def test_a_record_is_reviewed_from_where_it_begins() -> None:
    [record] = read_records('[Game "tic-tac-toe"]\n[Position "5 2"]\n1. 1 9 2. 7 3 3. 4')
    found = review(noughts.load("tic-tac-toe"), record)
    assert [each.number for each in found.moves] == [3, 4, 5, 6, 7]
    assert "5 " not in course(found).splitlines()[-1]
    diagram = review(noughts.load("tic-tac-toe"), "O.X/.X./... then 7 4")
    assert [each.action for each in diagram.moves] == [7, 4]


def test_nothing_to_review() -> None:
    game = noughts.load("tic-tac-toe")
    empty: list[Reviewable] = ["", [], Record("tic-tac-toe"), "O.X/.X./..."]
    for nothing in empty:
        with pytest.raises(noughts.NoughtsError, match="there is nothing to review: no move was played"):
            review(game, nothing)
    with pytest.raises(noughts.BadPosition):
        review(game, "5 5")


def test_a_game_that_repeats_positions_and_one_drawn_by_that() -> None:
    game = noughts.load("examples/king_and_rook.py")
    rules = resolve(game)
    state, names = rules.initial(), []
    engine = noughts.Engine(game)
    for number in range(12):  # White goes to and fro with the rook, if it can
        actions = rules.legal_actions(state)
        action = actions[number % len(actions)]
        names.append(rules.action_name(action))
        state = rules.result(state, action)
        if rules.terminal(state):
            break
    found = review(engine, " ".join(names))
    truth = {each.number: engine.analyse(each.state) for each in found.moves}
    for each in found.moves:
        row = next(row for row in truth[each.number].actions if row.action == each.action)
        assert each.value == row
        assert (each.mark == "mistake") == (row.value != truth[each.number].value)
    morris = resolve(noughts.load("examples/three_mens_morris.py"))
    played = to_and_fro(morris)
    record = Record("three", tuple(map(noughts.record.Move, played)), result="draw")
    drawn = review(morris, record)
    assert drawn.drawn
    assert course(drawn).splitlines()[1].rstrip().endswith("#")


def to_and_fro(game: Any) -> list[str]:
    """Return a game of three men's morris in which both slide to and fro until it can be drawn."""
    from noughts.match import Match

    match = Match(game)
    random = Random(2)
    while not match.can_be_drawn:
        quiet = [action for action in game.actions(match.state) if not game.terminal(game.result(match.state, action))]
        match = Match(game) if not quiet or len(match.played) > 300 else match
        if quiet:
            match.play(random.choice(quiet))
    return [game.action_name(action) for action in match.played]


def test_a_mistake_is_retried_until_a_move_is_as_good_as_the_best() -> None:
    game = resolve(noughts.load("tic-tac-toe"))
    engine, truth, random = noughts.Engine(game), Truth(game), Random(8)
    tried = 0
    for _ in range(40):
        for each in review(engine, a_game(game, random)).mistakes:
            retry, scores = Retry(engine, each), truth.actions(each.state)
            best = max(scores.values())
            assert scores[retry.solution] == best
            assert each.action in retry.among()
            assert any(scores[action] == best for action in retry.among())
            for action, score in scores.items():
                assert retry.is_right(action) == (score == best)
                if score < best and not tried % 20:
                    said = retry.why_not(action)
                    assert f"With {action}, " in said
                    assert "better is" not in said
                    if score > 0:
                        assert "There is a move that wins" in said
                tried += 1
    assert tried > 300


def test_the_picture_is_a_whole_svg_with_every_position_and_mistake() -> None:
    found = review(noughts.load("tic-tac-toe"), "5 2 1 9 3 7 6 4 8")
    root = ElementTree.fromstring(plot(found))
    dots = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == 10
    assert sum(each.get("class") == "mistake" for each in dots) == len(found.mistakes)
    heights = [float(each.get("cy") or 0) for each in dots]
    assert heights[0] == heights[1] > heights[2]  # X wins after the second move
    assert "2?" in plot(found)
    assert re.search(r"Mistakes: 2 2, ", plot(found))
    assert ElementTree.fromstring(plot(review(noughts.load("nim:3,4,5"), "a1"))) is not None


def test_a_long_course_is_told_in_parts() -> None:
    found = review(noughts.load("tic-tac-toe"), "5 2 1 9 3 7 6 4 8")
    parts = course(found, 30).split("\n\n")
    assert len(parts) > 1
    assert all(len(line) <= 30 for part in parts for line in part.splitlines())
    moves = " ".join(part.splitlines()[-1] for part in parts).split()
    assert moves == ["5", "2?", "1", "9", "3?", "7", "6?", "4?", "8"]
