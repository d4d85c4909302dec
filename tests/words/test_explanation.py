"""Every claim of an explanation, derived a second time; and the same explanations as people and scripts see them."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.errors import IllegalAction
from noughts.games.connect import DropGame
from noughts.games.lines import LineGame, Marks
from noughts.notation import read_position
from noughts.score import Scale
from noughts.search.answer import Scored, answer_from
from noughts.search.limits import Limits
from noughts.wire.answers import explanation as explanation_facts
from noughts.words.explanation import Explained, Explainer, Explanation, explain
from noughts.words.reasons import ForcedSequence, Reason, kind
from noughts.words.replies import only_reply
from noughts.words.report import first_sentence, names_of
from tests.command import Noughts
from tests.helpers import altered
from tests.words.golden import EXAMPLES, FOLDER, file_of, shown
from tests.words.naive import Claim, Naive, Worth

FIELDS = [
    *("game", "position", "to_move", "value", "distance", "proven", "sentence", "best", "guess", "actions"),
    *("groups", "notes", "equal", "trickiest", "method", "depth", "nodes", "seconds", "stopped"),
]
VALUES = {1: "win", 0: "draw", -1: "loss"}


def as_board(game: LineGame, state: Marks) -> str:
    return game.diagram(state).replace("/", "")


def as_claim(reason: Reason) -> Claim:
    """Return a reason as the naive rules state it; the order of lines does not count."""
    fields = reason._asdict()
    return kind(reason), *(frozenset(found) if field == "lines" else found for field, found in fields.items())


def check(naive: Naive, game: LineGame, explanation: Explanation[Marks, int]) -> None:
    """Derive everything that an explanation states a second time."""
    board = as_board(game, explanation.state)
    actions = list(naive.cells(board))
    worths = {action: naive.leads_to(board, action) for action in actions}
    best = max(worths.values())
    assert [each.value.action for each in explanation.actions] == actions
    assert list(explanation.answer.best) == [action for action in actions if worths[action] == best]
    for each in explanation.actions:
        check_action(naive, board, each, worths[each.value.action], best)
    check_equal(naive, board, explanation, worths)
    check_traps(explanation, best)


def check_action(naive: Naive, board: str, each: Explained[int], worth: Worth, best: Worth) -> None:
    value, after = each.value, naive.put(board, each.value.action, naive.mover(board))
    assert value.exact
    assert (value.value, value.distance) == (VALUES[worth.value], abs(worth.haste) if worth.value else None)
    sequences = [reason for reason in each.reasons if isinstance(reason, ForcedSequence)]
    assert {as_claim(reason) for reason in each.reasons if reason not in sequences} == naive.claims(
        board, value.action
    ), board
    for sequence in sequences:
        check_sequence(naive, board, value.action, sequence)
    assert bool(each.refutation) == (worth < best and worth.value < 1 and not naive.over(after))
    if each.refutation:
        check_best_play(naive, after, each.refutation)
    if naive.over(after):
        assert each.traps is None
    else:
        assert each.traps == (naive.mistakes(after), len(naive.cells(after)))


def check_sequence(naive: Naive, board: str, action: int, claim: ForcedSequence) -> None:
    me = naive.mover(board)
    assert claim.sequence[0] == action
    assert naive.leads_to(board, action).value == 1
    assert len(claim.sequence) >= (3 if claim.fork else 4)
    for ply, step in enumerate(claim.sequence):
        if ply % 2:
            only = naive.only_reply(board)
            assert only is not None
            assert only[0] == step
        elif ply:
            assert naive.leads_to(board, step) == naive.worth(board)
        board = naive.put(board, step, naive.mover(board))
    if claim.fork:
        threats = naive.threats(board, me)
        assert len(threats) >= 2
        assert set(claim.fork) == set().union(*threats.values())
        assert not naive.threats(board, "O" if me == "X" else "X")


def check_best_play(naive: Naive, board: str, line: tuple[int, ...]) -> None:
    for step in line:
        assert naive.leads_to(board, step) == naive.worth(board)
        board = naive.put(board, step, naive.mover(board))
    assert naive.over(board)


def check_equal(naive: Naive, board: str, explanation: Explanation[Marks, int], worths: dict[int, Worth]) -> None:
    assert explanation.equal is not None
    stated = {action: equal for equal in explanation.equal for alike in equal.classes for action in alike.actions}
    images = {action: naive.symmetry_key(naive.put(board, action, naive.mover(board))) for action in worths}
    for one in worths:
        equal = {other for other in worths if worths[other] == worths[one]}
        assert (one in stated) == (len(equal) > 1)
        if one in stated:
            classes = [alike.actions for alike in stated[one].classes]
            assert {action for alike in classes for action in alike} == equal
            (alike,) = (alike for alike in classes if one in alike)
            assert set(alike) == {other for other in equal if images[other] == images[one]}


def check_traps(explanation: Explanation[Marks, int], best: Worth) -> None:
    counts = {
        each.value.action: each.traps.mistakes
        for each in explanation.actions
        if each.traps is not None and each.value.action in explanation.answer.best
    }
    if best.value == 0 and len(counts) > 1 and max(counts.values()):
        most = tuple(action for action, count in counts.items() if count == max(counts.values()))
        assert explanation.trickiest == most
    else:
        assert explanation.trickiest == ()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
def test_every_claim_in_every_position_of_tic_tac_toe(game: LineGame, states: list[Marks], step: int) -> None:
    """Every fifth position in the usual run, and all of them in the long one."""
    naive, explainer = Naive(3, 3, 3), Explainer(game)
    unfinished = [state for state in states if not game.terminal(state)]
    assert len(unfinished) == 4_520
    for state in unfinished[::step]:
        check(naive, game, explainer.explain(state))


def test_every_claim_where_a_line_loses(states: list[Marks]) -> None:
    game = noughts.load("misere")
    assert isinstance(game, LineGame)
    naive, explainer = Naive(3, 3, 3, misere=True), Explainer(game)
    for state in states[::5]:
        if not game.terminal(state):
            check(naive, game, explainer.explain(state))


def drawn_by_chance(game: DropGame, plies: int, games: int) -> Iterator[Marks]:
    random = Random(4)
    for _ in range(games):
        state = game.initial()
        while not game.terminal(state):
            if (state.first | state.second).bit_count() >= plies:
                yield state
            state = game.result(state, random.choice(game.actions(state)))


@pytest.mark.parametrize(
    ("rows", "in_a_row", "plies", "games"),
    [
        (3, 3, 2, 3),
        (4, 4, 7, 3),
        pytest.param(4, 3, 2, 40, marks=pytest.mark.long),
        pytest.param(4, 4, 7, 20, marks=pytest.mark.long),
    ],
)
def test_every_claim_where_stones_fall(rows: int, in_a_row: int, plies: int, games: int) -> None:
    game = noughts.load(f"connect:4x{rows},{in_a_row}")
    assert isinstance(game, DropGame)
    naive, explainer = Naive(4, rows, in_a_row, drops=True), Explainer(game)
    for state in drawn_by_chance(game, plies, games):
        check(naive, game, explainer.explain(state))


def test_every_kind_of_claim_about_lines_is_made(states: list[Marks]) -> None:
    """So that the tests above have something to look at."""
    made: set[str] = set()
    for notation in ("tic-tac-toe", "misere"):
        game = noughts.load(notation)
        explainer = Explainer(game)
        for state in states[::5]:
            if not game.terminal(state):
                made |= {kind(reason) for each in explainer.explain(state).actions for reason in each.reasons}
    assert made == {
        *("completes", "blocks", "forks", "forces reply", "allows win", "allows fork", "spares", "poisons", "squeezes"),
        *("ends", "only move", "only best", "only reply", "forced sequence", "symmetric"),
    }


def test_other_games_have_reasons_from_the_search() -> None:
    matches = explain(noughts.load("examples/matches.py"))
    by_action = {each.value.action: [kind(reason) for reason in each.reasons] for each in matches.actions}
    assert by_action == {1: ["only reply"], 2: ["only best"], 3: ["only reply"]}
    nim = noughts.load("nim:3,4,5")
    (last,) = explain(nim, noughts.replay(nim, "a3 b4 c4")).actions
    assert [kind(reason) for reason in last.reasons] == ["ends", "only move"]


def test_who_moves_again_is_told_and_sets_no_traps() -> None:
    class Twice:
        """First takes two stones, one by one; then Second takes one, and loses by it."""

        def initial(self) -> int:
            return 3

        def player(self, state: int) -> int:
            return 1 if state > 1 else -1

        def actions(self, state: int) -> list[int]:
            return [1] if state else []

        def result(self, state: int, action: int) -> int:
            return state - action

        def terminal(self, state: int) -> bool:
            return state == 0

        def utility(self, state: int) -> int:
            return 1

    explanation = explain(Twice())
    (only,) = explanation.actions
    assert [kind(reason) for reason in only.reasons] == ["again", "only move"]
    assert only.traps is None
    assert (
        first_sentence(explanation, names_of(Twice(), 3)) == "First wins in 3 moves, with 1: it lets First move again."
    )


def test_the_same_without_lines_and_symmetries(game: LineGame) -> None:
    """A game of six functions gets its reasons from the search."""
    plain = altered(game)
    (explained,) = explain(plain, noughts.replay(plain, [5, 1, 3]), 7).actions
    assert [kind(reason) for reason in explained.reasons] == ["only best", "only reply"]


def test_what_is_not_known_is_unknown() -> None:
    game = noughts.load("connect:7x7")
    explanation = explain(Engine(game), limits=Limits(nodes=100))
    assert {each.value.value for each in explanation.actions} == {"unknown"}
    assert explanation.answer.nodes <= 100
    assert (explanation.equal, explanation.trickiest) == ((), ())
    assert all(each.traps is None and not each.refutation for each in explanation.actions)
    threat = explain(Engine(game), noughts.replay(game, "4141"), 4, limits=Limits(nodes=10))
    assert [kind(reason) for reason in threat.actions[0].reasons] == ["forces reply"]


def test_values_that_a_search_left_open_are_looked_up_after_each_action() -> None:
    """A win is found at a glance, and what the other actions lead to only by asking again."""
    game = noughts.load("connect:5x5,3")
    state = noughts.replay(game, "3 1")
    explanation = explain(Engine(game), state, limits=Limits(nodes=9_000))
    known = {each.value.action: each.value for each in explanation.actions if each.value.exact}
    assert {action: value.distance for action, value in known.items()} == {2: 7, 3: 5, 4: 3}
    for action, value in known.items():
        after = noughts.alphabeta(game, game.result(state, action))
        assert (value.value, after.value, value.distance) == ("win", "loss", 1 + (after.distance or 0))


def test_all_that_is_known_of_the_actions_is_known_of_the_state(game: LineGame) -> None:
    """The first question runs out of nodes, those about what follows do not."""
    state = noughts.replay(game, "6 5 8 2 1 3")
    assert not Engine(game).analyse(state, limits=Limits(nodes=45)).proven
    found = explain(Engine(game), state, limits=Limits(nodes=60)).answer
    whole = noughts.analyse(game, state)
    assert found.proven
    assert (found.value, found.distance, found.best) == (whole.value, whole.distance, whole.best)


def test_a_reply_is_not_forced_if_it_loses_as_soon() -> None:
    """It may lose by less, where margins count."""
    scored = [Scored("a", -Scale(9).score(margin, plies=2), ()) for margin in (2, 8)]
    scored[1] = scored[1]._replace(action="b")
    answer = answer_from(scored, scale=Scale(9), method="", nodes=0, seconds=0.0)
    assert answer.best == ("a",)
    assert only_reply(answer) is None


def test_only_an_action_that_can_be_played_is_explained(game: LineGame) -> None:
    with pytest.raises(IllegalAction, match="6 cannot be played"):
        explain(game, noughts.replay(game, "1 4 2 5 3"), 6)
    with pytest.raises(IllegalAction, match="5 cannot be played"):
        explain(game, noughts.replay(game, "5"), 5)


def test_a_finished_game_is_explained_by_its_result(game: LineGame, command: Noughts) -> None:
    explanation = explain(game, noughts.replay(game, "1 4 2 5 3"))
    assert (explanation.answer.value, explanation.answer.distance, explanation.actions) == ("loss", 0, ())
    done = command("explain", "tic-tac-toe", "1", "4", "2", "5", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over: O has lost." in done.stdout


# Golden files.


@pytest.mark.parametrize("arguments", EXAMPLES)
def test_the_text_is_what_it_was(arguments: str) -> None:
    kept = file_of(arguments).read_text(encoding="utf-8")
    assert shown(arguments) == kept, "if this is wanted: python -m tests.words.golden"


def test_every_file_belongs_to_an_example() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_of(arguments).name for arguments in EXAMPLES}


# The command.


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def answered(command: Noughts, *args: str) -> dict[str, Any]:
    done = command("explain", *args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_the_json_holds_every_claim(command: Noughts) -> None:
    facts = answered(command, "tic-tac-toe", "5", "1", "3")
    assert list(facts) == FIELDS
    assert (facts["game"], facts["position"], facts["to_move"]) == ("tic-tac-toe", "5 1 3", "O")
    assert (facts["value"], facts["distance"], facts["proven"], facts["stopped"]) == ("draw", None, True, "done")
    assert facts["sentence"] == "O draws, with 7: it blocks 3-5-7."
    assert facts["equal"] == [["2", "4", "6", "8", "9"]]
    assert facts["notes"] == ["2, 4, 6, 8 and 9 are not symmetric, but equal: all lose in 2 moves."]
    (seven,) = (each for each in facts["actions"] if each["action"] == "7")
    assert seven == {
        "action": "7",
        "value": "draw",
        "distance": None,
        "margin": 0,
        "exact": True,
        "bound": None,
        "text": (
            "draws: blocks 3-5-7; threatens 1-4-7 and so forces 4; is the only move that draws; "
            "4 of 5 replies are mistakes"
        ),
        "reasons": [
            {"kind": "blocks", "text": "blocks 3-5-7", "lines": ["3-5-7"]},
            {
                "kind": "forces reply",
                "text": "threatens 1-4-7 and so forces 4",
                "reply": "4",
                "lines": ["1-4-7"],
            },
            {"kind": "only best", "text": "is the only move that draws", "value": "draw"},
        ],
        "refutation": [],
        "traps": {"mistakes": 4, "replies": 5},
        "examined": True,
    }


@pytest.mark.parametrize(
    "args",
    [
        ["tic-tac-toe", "5 1 3", "9"],
        ["tic-tac-toe", "5,1,3", "9"],
        ["tic-tac-toe", "O.X/.X./...", "9"],
        ["tic-tac-toe", "5", "1", "3", "--action", "9"],
    ],
)
def test_an_action_by_itself_however_it_is_given(command: Noughts, args: list[str]) -> None:
    facts = answered(command, *args)
    assert [each["action"] for each in facts["actions"]] == ["9"]
    assert facts["actions"][0]["refutation"] == ["7"]
    wanted = "With 9, O loses in 2 moves: it lets X complete 3-5-7 with 7; better is 7, which draws."
    assert facts["sentence"] == wanted


def test_two_words_are_a_position_unless_the_first_is_one(command: Noughts) -> None:
    assert answered(command, "tic-tac-toe", "5", "1")["position"] == "5 1"
    assert answered(command, "tic-tac-toe", "", "1")["actions"][0]["action"] == "1"
    facts = answered(command, "connect:4x4", "1221", "3")
    assert (facts["position"], len(facts["actions"])) == ("1 2 2 1", 1)


def test_limits_are_kept_and_told(command: Noughts) -> None:
    facts = answered(command, "connect:7x6,5", "--nodes", "100")
    assert (facts["value"], facts["proven"], facts["stopped"]) == ("unknown", False, "node limit")
    text = command("explain", "connect:7x6,5", "--nodes", "100").stdout
    assert "Not known. A guess" in text
    assert "1  unknown" in text
    assert "stopped by the node limit" in " ".join(text.split())
    assert (
        "What 4 leads to is not known." in command("explain", "connect:7x6,5", "--action", "4", "--nodes", "9").stdout
    )


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "GAME"),
        (["tic-tac-toe", "1 4 2 5 3", "6"], "'6' cannot be played here: the game is over"),
        (["tic-tac-toe", "1 4 2 5 3", "--action", "6"], "'6' cannot be played here: the game is over"),
        (["tic-tac-toe", "5 1", "1"], "'1' cannot be played here; you can play 2 3 4 6 7 8 9"),
        (["tic-tac-toe", "--action", "x"], "'x' cannot be played here"),
        (["tic-tac-toe", "5", "5"], "'5' cannot be played after 5"),
        (["tic-tac-toe", "--nodes", "0"], "--nodes must be a number above 0"),
        (["tic-tac-toe", "--seconds", "-1"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["tic-tac-toe", "--seconds", "nan"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["tic-tac-toe", "--sconds", "1"], "did you mean --seconds?"),
        (["tictactoe"], "did you mean tic-tac-toe?"),
    ],
)
def test_wrong_calls_get_one_line_and_exit_code_2(command: Noughts, args: list[str], complaint: str) -> None:
    done = command("explain", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_when_nobody_wants_to_know_any_more_no_reasons_are_looked_for() -> None:
    large = noughts.load("mnk:9,9,5")
    explanation = explain(Engine(large), limits=Limits(cancel=lambda: True))
    assert explanation.answer.stopped == "cancelled"
    assert len(explanation.actions) == 81
    assert not any(each.reasons or each.examined for each in explanation.actions)
    assert explanation.equal is None
    told = explanation_facts("", read_position(large, ""), resolve(large), explanation)
    assert told["notes"] == [
        "There was no time to look for the reasons of any move.",
        "There was no time to look for moves that are equal.",
    ]
