"""The page's own searches, step by step, against the package's searches and against the book's, written out here."""

import json
from collections import Counter
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import noughts
from noughts.capabilities import ResolvedGame, resolve
from noughts.learn.lessons import LESSONS
from noughts.learn.page import lessons_page
from noughts.learn.positions import positions
from noughts.score import one_ply_later
from noughts.search.events import Event
from noughts.search.limits import Budget
from noughts.search.minimax import minimax
from noughts.search.variants import VARIANTS, Variant, search_variant
from noughts.words.values import in_short

POSITIONS = [
    ("tic-tac-toe", "5 7 3 1"),
    ("tic-tac-toe", "1 2 9 5 4"),
    ("misere", "1 2 3 4 5"),
    ("nim:1,2,3", "c2"),
    ("connect:3x3,3", "3 2 1 1"),
    ("numbers:((3,12,8),(2,4,6),(14,5,2))", ""),
    ("numbers:min(((5,6),(7,4,-5)),3,((2,2),9))", ""),
    ("tic-tac-toe", "1 4 2 5 3"),
]
REVERSI = ("reversi:4", "c4 b4 a1 d3 a4 a3 a2")
"""Here players move twice in a row, and margins count."""

RUN = """([data, search, view, seed]) => {
  const run = new Run(new Tree(data), search, view, seed ?? 0);
  window.shownRun = run;
  const { tree } = run;
  const isCut = (visit) => ["cutoff", "enough"].includes(run.reason[visit]);
  const skips = (visit) => isCut(visit) ? run.skipped(visit).map((edge) => actionOf(run, visit, edge)) : [];
  return Array.from({ length: run.visits }, (_, visit) => ({
    action: visit ? actionOf(run, run.parent[visit], run.edge[visit]) : null, parent: run.parent[visit],
    alpha: Math.abs(run.alpha[visit]) === Infinity ? null : Math.floor(run.alpha[visit]),
    beta: Math.abs(run.beta[visit]) === Infinity ? null : Math.ceil(run.beta[visit]),
    value: Math.floor(run.result[visit]) + 0, bound: ["exact", "lower", "upper"][run.bound[visit]],
    reason: run.reason[visit], skipped: skips(visit),
  }));
}"""

STEPS = """() => {
  const run = window.shownRun, names = new Names(run), lines = codeOf(run);
  return Array.from({ length: run.steps }, (_, step) => {
    const told = stepAt(run, step), lit = litLine(run, told);
    const written = (value) => Math.abs(value) === Infinity ? (value > 0 ? "inf" : "-inf") : value + 0;
    const number = (value) => value === null || value === undefined ? null : written(value);
    return {
      whole: lines[lit].kind, says: sentence(run, told, (visit) => names.visit(visit)),
      best: number(told.best), low: number(told.low), cut: told.cut ?? null,
      path: run.path(told.visit).slice(1).map((each) => actionOf(run, run.parent[each], run.edge[each])).join(" "),
      window: shownWindow(run, told.visit), arithmetic: told.kind === "backup" ? arithmetic(run, told) : null,
    };
  });
}"""


@pytest.fixture(scope="module")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The lessons, opened as a file: their functions can be called."""
    file: Path = tmp_path_factory.mktemp("learn") / "learn.html"
    file.write_text(lessons_page(), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    yield page
    page.close()


def data_of(name: str, played: str) -> tuple[ResolvedGame[Any, Any], Any, dict[str, Any]]:
    game = resolve(noughts.load(name))
    state = noughts.replay(game, played)
    return game, state, json.loads(json.dumps(positions(game, state)))


def visits_of(game: ResolvedGame[Any, Any], state: Any, search: Variant) -> list[dict[str, Any]]:
    """Return what a search of the package did at each node, in the order of entering."""
    visits: list[dict[str, Any]] = []
    path: list[int] = []

    def watch(event: Event[Any, Any]) -> None:
        if event.kind == "enter":
            action = None if event.action is None else game.action_name(event.action)
            parent = path[-1] if path else -1
            path.append(len(visits))
            visits.append({"action": action, "parent": parent, "alpha": event.alpha, "beta": event.beta})
        elif event.kind == "leave":
            assert event.bound is not None
            skipped = [game.action_name(action) for action in event.skipped]
            told = {"value": event.value, "bound": event.bound.value, "reason": event.reason, "skipped": skipped}
            visits[path.pop()].update(told)

    search_variant(game, state, search, Budget(), watch)
    return visits


@pytest.mark.parametrize("search", VARIANTS)
@pytest.mark.parametrize(("name", "played"), [*POSITIONS, REVERSI])
def test_every_visit_is_that_of_the_package(lab: Page, name: str, played: str, search: Variant) -> None:
    """Windows, values, bounds, reasons and what was pruned, of all six searches, in the view of who is to move.

    In a tree of numbers the page leaves distance out, so only values are compared there.
    """
    game, state, data = data_of(name, played)
    found = lab.evaluate(RUN, [data, search, "negamax"])
    expected = visits_of(game, state, search)
    if not data["numbers"]:
        assert found == expected
    else:
        value = game.scale.utility(expected[0]["value"])
        assert found[0]["value"] == value


@pytest.mark.parametrize("search", ["minimax", "alphabeta"])
def test_all_of_tic_tac_toe_is_searched(lab: Page, search: str) -> None:
    """More steps than anybody follows; each can be shown, and the last one is the right value."""
    lab.evaluate(
        "(search) => { window.shownRun = new Run(trees.find((tree) => tree.size === 5478), search, 'textbook'); }",
        search,
    )
    visits, steps, value = lab.evaluate("() => [shownRun.visits, shownRun.steps, shownRun.result[0]]")
    counts = {"minimax": (549_946, 2_494_560), "alphabeta": (18_297, 112_565)}
    assert (visits, steps, value) == (*counts[search], 0)
    kinds = lab.evaluate(
        "(steps) => steps.map((step) => stepAt(shownRun, step)).map(({ kind, step }) => [kind, step])",
        [*range(0, steps, steps // 500)],
    )
    assert [step for _, step in kinds] == [*range(0, steps, steps // 500)]
    assert {kind for kind, _ in kinds} >= {"enter", "loop", "backup", "leave"}


@pytest.mark.parametrize("view", ["textbook", "negamax"])
def test_guesses_are_shown_as_they_are(lab: Page, view: str) -> None:
    """At a horizon, each leaf has the game's own guess, whatever its window; alpha-beta finds what minimax finds."""
    game = resolve(noughts.load("connect-four"))
    data = json.loads(json.dumps(positions(game, depth=2)))
    assert game.heuristic is not None
    roots = set()
    for search in ("minimax", "alphabeta"):
        visits = lab.evaluate(RUN, [data, search, view])
        roots.add(visits[0]["value"])
        leaves = [each for each in visits if each["reason"] == "horizon"]
        assert len(leaves) == 49 if search == "minimax" else len(leaves) < 49
        for leaf in leaves:
            state = noughts.replay(game, f"{visits[leaf['parent']]['action']} {leaf['action']}")
            assert (leaf["value"], leaf["bound"]) == (max(-99, min(99, game.heuristic(state))), "exact")
    assert len(roots) == 1


Told = dict[str, Any]


class Book:
    """Minimax and alpha-beta as the book has them, with max_value and min_value apart; each line that runs is told."""

    def __init__(self, game: Any, prunes: bool) -> None:
        self.game, self.prunes = game, prunes
        self.lines: list[Told] = []

    def tell(self, line: str, path: str, **more: Any) -> None:
        self.lines.append({"line": line, "path": path, **more})

    def value(self, state: Any, path: str = "", alpha: float = -inf, beta: float = inf) -> float:
        side = self.max_value if self.game.player(state) > 0 else self.min_value
        return side(state, path, alpha, beta)

    def max_value(self, state: Any, path: str, alpha: float, beta: float) -> float:
        self.tell("max enter", path, alpha=alpha, beta=beta)
        if self.game.terminal(state):
            utility: float = self.game.utility(state)
            self.tell("max end", path, v=utility)
            return utility
        v = -inf
        self.tell("max init", path, v=v)
        for action in self.game.actions(state):
            self.tell("max loop", path, v=v)
            below = self.value(
                self.game.result(state, action), f"{path} {self.game.action_name(action)}".strip(), alpha, beta
            )
            self.tell("max backup", path, before=v, above=below, v=max(v, below))
            v = max(v, below)
            if self.prunes:
                self.tell("max test", path, v=v, cut=v >= beta)
                if v >= beta:
                    self.tell("max test", path, v=v)
                    return v
                alpha = max(alpha, v)
                self.tell("max raise", path, alpha=alpha)
        self.tell("max return", path, v=v)
        return v

    def min_value(self, state: Any, path: str, alpha: float, beta: float) -> float:
        self.tell("min enter", path, alpha=alpha, beta=beta)
        if self.game.terminal(state):
            utility: float = self.game.utility(state)
            self.tell("min end", path, v=utility)
            return utility
        v = inf
        self.tell("min init", path, v=v)
        for action in self.game.actions(state):
            self.tell("min loop", path, v=v)
            below = self.value(
                self.game.result(state, action), f"{path} {self.game.action_name(action)}".strip(), alpha, beta
            )
            self.tell("min backup", path, before=v, above=below, v=min(v, below))
            v = min(v, below)
            if self.prunes:
                self.tell("min test", path, v=v, cut=v <= alpha)
                if v <= alpha:
                    self.tell("min test", path, v=v)
                    return v
                beta = min(beta, v)
                self.tell("min raise", path, beta=beta)
        self.tell("min return", path, v=v)
        return v


def written(number: float, always: bool) -> str:
    """Return a number as the page writes it in the textbook's view."""
    size = "∞" if abs(number) == inf else str(int(abs(number)))
    plus = "+" if number > 0 and (always or size == "∞") else ""
    return ("−" if number < 0 else plus) + size


def as_number(told: Any) -> float:
    return float(told)


@pytest.mark.parametrize("search", ["minimax", "alphabeta"])
@pytest.mark.parametrize(("name", "played"), [*POSITIONS, REVERSI])
def test_the_textbook_view_runs_the_lines_of_the_book(lab: Page, name: str, played: str, search: str) -> None:
    """Which line is lit, at which node, with which v, α and β, and the arithmetic: every step, in order."""
    game, state, data = data_of(name, played)
    lab.evaluate(RUN, [data, search, "textbook"])
    found = lab.evaluate(STEPS)
    book = Book(game, search == "alphabeta")
    book.value(state)
    assert [(each["whole"], each["path"]) for each in found] == [(each["line"], each["path"]) for each in book.lines]
    for step, line in zip(found, book.lines, strict=True):
        side, kind = line["line"].split()
        mover = 1 if side == "max" else -1

        def show(value: float) -> str:
            return written(value, not data["numbers"])

        if kind == "enter":
            assert step["window"] == [show(line["alpha"]), show(line["beta"])]
            if search == "alphabeta" and not game.terminal(state_at(game, state, line["path"])):
                assert f"α = {show(line['alpha'])} and β = {show(line['beta'])}" in step["says"]
        elif kind in ("init", "loop", "return", "test") and step["best"] is not None:
            assert mover * as_number(step["best"]) == line["v"]
        if kind == "backup":
            assert (
                step["arithmetic"] == f"v = {side}({show(line['before'])}, {show(line['above'])}) = {show(line['v'])}"
            )
            assert step["says"].startswith(step["arithmetic"] + ". ")
        if "cut" in line:
            assert step["cut"] == line["cut"]
            assert (": yes, a cutoff." in step["says"]) == line["cut"]
        if kind == "raise":
            name_of = "α" if side == "max" else "β"
            end = line["alpha" if side == "max" else "beta"]
            assert mover * as_number(step["low"]) == end
            assert step["says"].startswith(f"{name_of} = {side}(")
            assert f"= {show(end)}" in step["says"]
        if kind == "end":
            assert f"Return {show(line['v'])}" in step["says"]


class Negamax:
    """Negamax with distance, as the page's pseudocode has it; each line that runs is told."""

    def __init__(self, game: ResolvedGame[Any, Any], prunes: bool) -> None:
        self.game, self.prunes = game, prunes
        self.lines: list[Told] = []

    def tell(self, line: str, path: str, **more: Any) -> None:
        self.lines.append({"line": line, "path": path, **more})

    def value(self, state: Any, alpha: float = -inf, beta: float = inf, path: str = "") -> float:
        game, mover = self.game, self.game.to_move(state)
        self.tell("enter", path, alpha=alpha, beta=beta)
        if game.terminal(state):
            score = mover * game.scale.score(game.utility(state))
            self.tell("end", path, best=score)
            return score
        best = -inf
        self.tell("init", path, best=best)
        for action in game.legal_actions(state):
            self.tell("loop", path, best=best)
            low = max(alpha, best) if self.prunes else -inf
            if self.prunes:
                self.tell("low", path, low=low, before=max(alpha, -inf), best=best)
            child = game.result(state, action)
            assert game.to_move(child) == -mover, "these examples alternate"
            under = f"{path} {game.action_name(action)}".strip()
            below = self.value(child, -nearer(beta), -nearer(low), under)
            above = one_ply_later(int(-below))
            self.tell("backup", path, before=best, below=below, above=above, best=max(best, above))
            best = max(best, above)
            if self.prunes:
                self.tell("test", path, best=best, cut=best >= beta)
                if best >= beta:
                    break
        self.tell("return", path, best=best)
        return best


def nearer(score: float) -> float:
    return score + (score > 0) - (score < 0)


@pytest.mark.parametrize("search", ["minimax", "alphabeta"])
@pytest.mark.parametrize(("name", "played"), [each for each in POSITIONS if not each[0].startswith("numbers")])
def test_the_negamax_view_runs_the_lines_of_negamax(lab: Page, name: str, played: str, search: str) -> None:
    """The same with values in the view of who is to move: "best = max(D, −W1) = max(D, L2) = D"."""
    game, state, data = data_of(name, played)
    lab.evaluate(RUN, [data, search, "negamax"])
    found = lab.evaluate(STEPS)
    oracle = Negamax(game, search == "alphabeta")
    oracle.value(state)
    assert [(each["whole"], each["path"]) for each in found] == [(each["line"], each["path"]) for each in oracle.lines]

    def show(score: float) -> str:
        return ("−∞" if score < 0 else "+∞") if abs(score) == inf else in_short(int(score), game.scale)

    for step, line in zip(found, oracle.lines, strict=True):
        if line["line"] == "backup":
            below = line["below"]
            turned = f" = max({show(line['before'])}, {show(line['above'])})" if below else ""
            assert (
                step["arithmetic"]
                == f"best = max({show(line['before'])}, −{show(below)}){turned} = {show(line['best'])}"
            )
        if line["line"] == "low":
            assert as_number(step["low"]) == line["low"]
        if "cut" in line:
            assert step["cut"] == line["cut"]
        if line["line"] == "end":
            mover, other = (
                game.player_name(side * game.to_move(state_at(game, state, line["path"]))) for side in (1, -1)
            )
            if line["best"]:
                assert f"{mover if line['best'] > 0 else other} has won" in step["says"]


def state_at(game: ResolvedGame[Any, Any], state: Any, path: str) -> Any:
    for name in path.split():
        state = game.result(state, next(each for each in game.actions(state) if game.action_name(each) == name))
    return state


@pytest.mark.parametrize("view", ["textbook", "negamax"])
def test_every_line_is_lit_at_some_step(lab: Page, view: str) -> None:
    """Of every search, by the standard examples; and every step lights exactly one line, and says something."""
    examples = [("tic-tac-toe", "1 5 2 9"), ("tic-tac-toe", "4 5 2 1 9")]
    for search in VARIANTS:
        if view == "textbook" and search in ("principal", "bounds"):
            continue
        seen: Counter[str] = Counter()
        lines: list[str] = []
        for name, played in examples:
            _, _, data = data_of(name, played)
            lab.evaluate(RUN, [data, search, view])
            for step in lab.evaluate(STEPS):
                seen[step["whole"]] += 1
                assert step["says"]
                assert "undefined" not in step["says"]
                assert "NaN" not in step["says"]
            lines = lab.evaluate("() => codeOf(shownRun).map((line) => line.kind)")
        assert {line: seen[line] for line in lines if not seen[line]} == {}, search
        assert set(seen) <= set(lines)


@pytest.mark.parametrize("view", ["textbook", "negamax"])
@pytest.mark.parametrize("seed", [0, 3, 8])
def test_the_order_changes_no_value(lab: Page, view: str, seed: int) -> None:
    """However the actions are shuffled, pruned or not, the root is worth the same. A seed gives one order."""
    game, state, data = data_of("tic-tac-toe", "5 7 3 1")
    answer = minimax(game, state)
    worth = {"win": 1, "draw": 0, "loss": -1}[answer.value]
    searches = ("minimax", "alphabeta", "table", "symmetry")
    for search in searches:
        first = lab.evaluate(RUN, [data, search, view, seed])
        assert first == lab.evaluate(RUN, [data, search, view, seed])
        assert (first[0]["value"] > 0) - (first[0]["value"] < 0) == worth
    plain = lab.evaluate(RUN, [data, "minimax", view, 0])
    shuffled = lab.evaluate(RUN, [data, "minimax", view, 3])
    assert [each["action"] for each in plain] != [each["action"] for each in shuffled]
    assert len(plain) == len(shuffled)


@pytest.mark.parametrize("seed", range(6))
def test_typed_trees_are_read_as_the_package_reads_them(lab: Page, seed: int) -> None:
    """What the page makes of a text is what `positions` makes of the same game."""
    text = lab.evaluate("(seed) => generateNumbers(2 + seed % 3, 2 + seed % 2, seed)", seed)
    if seed % 2:
        text = f"min {text}"
    read = lab.evaluate("(text) => positionsOf(readNumbers(text))", text)
    _, _, data = data_of(f"numbers:{text}", "")
    for name in ("longest", "title", "preferred"):
        read.pop(name), data.pop(name)
    assert read == data


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "A tree begins with a bracket"),
        ("3", "A tree begins with a bracket"),
        ("((3 12)", "A ) is missing."),
        ("(3 12))", "The tree ends before “)”."),
        ("(3 ())", "There is nothing between ( and )."),
        ("(3 x)", "“x” is not a whole number"),
        ("(3 1000)", "“1000” is not a whole number"),
        ("((((((((((((1))))))))))))", "That is too deep"),
        (f"({'1 ' * 900})", "That is too large"),
    ],
)
def test_a_tree_that_cannot_be_read_is_told_in_a_line(lab: Page, text: str, problem: str) -> None:
    script = "(text) => { try { readNumbers(text); return ''; } catch (problem) { return problem.message; } }"
    assert lab.evaluate(script, text).startswith(problem)


QUESTIONS = [(lesson, number) for lesson in LESSONS for number in range(len(lesson.questions))]


@pytest.mark.parametrize(("lesson", "number"), QUESTIONS, ids=lambda part: getattr(part, "name", part))
def test_answers_come_from_the_search_and_are_right(lab: Page, lesson: Any, number: int) -> None:
    """Each answer is compared with one that is found here by the package's own searches."""
    question = lesson.questions[number]
    example = lesson.examples[question.example]
    game = resolve(noughts.load(example.game))
    root = noughts.replay(game, example.position)
    place = [each.name for each in LESSONS].index(lesson.name)
    solved = lab.evaluate(
        """([lesson, number]) => {
          const question = lessons[lesson].questions[number], example = lessons[lesson].examples[question.example];
          const run = new Run(trees[example.tree], question.search || example.search, question.view || example.view);
          return solve(run, question);
        }""",
        [place, number],
    )
    answers = solved["answers"]
    if question.kind == "value":
        state = state_at(game, root, question.about["path"])
        assert answers == [written(plain_value(game, state), not example.game.startswith("numbers"))]
        assert set(answers) <= set(solved["choices"])
        assert len(solved["choices"]) >= 3
    elif question.kind == "best" and example.depth is None:
        mover = game.to_move(root)
        with_distance = example.view == "negamax"
        values = {
            game.action_name(action): mover
            * (
                minimax_score(game, game.result(root, action))
                if with_distance
                else plain_value(game, game.result(root, action))
            )
            for action in game.actions(root)
        }
        assert answers == [name for name, value in values.items() if value == max(values.values())]
    elif question.kind == "count":
        assert answers == [str(counted(game, root, question, example))]
    elif question.kind == "size":
        assert solved["note"] == "Exactly 549,946."
    elif question.kind == "fill":
        assert answers == ["3", "3", "2", "2"]
        assert solved["names"] == ["A", "B", "C", "D"]
    elif question.kind == "best":
        assert answers == best_by_guesses(game, root)
    else:
        assert set(answers) <= set(solved["choices"])
        book = Book(game, example.search == "alphabeta")
        book.value(root)
        if question.kind == "backup":
            steps = [line for line in book.lines if line["line"].endswith("backup")]
            assert answers == [written(steps[question.about["number"] - 1]["v"], always=False)]
        elif question.kind == "cutoff":
            steps = [line for line in book.lines if "cut" in line]
            assert answers == [{True: "yes", False: "no"}[steps[question.about["number"] - 1]["cut"]]]


def best_by_guesses(game: ResolvedGame[Any, Any], root: Any) -> list[str]:
    """Return the actions whose worst reply is guessed best; no game ends within two plies here."""
    assert game.heuristic is not None
    worst = {
        game.action_name(action): min(
            max(-99, min(99, game.heuristic(game.result(after, reply)))) for reply in game.actions(after)
        )
        for action in game.actions(root)
        for after in [game.result(root, action)]
    }
    return [name for name, value in worst.items() if value == max(worst.values())]


def plain_value(game: Any, state: Any) -> int:
    """Return what a state is worth to MAX, without distance."""
    if game.has_margins or "numbers" in str(type(game.game)):
        return int(Book(game, prunes=False).value(state))
    answer = noughts.value(game.game, state)
    sign = {"win": 1, "draw": 0, "loss": -1}[answer.value]
    return sign * int(game.to_move(state))


def minimax_score(game: ResolvedGame[Any, Any], state: Any) -> int:
    """Return what a state is worth to MAX, one ply earlier, with distance."""
    score: int = visits_of(game, state, "minimax")[0]["value"]
    return one_ply_later(int(game.to_move(state)) * score)


def counted(game: ResolvedGame[Any, Any], root: Any, question: Any, example: Any) -> int:
    """Count what a question asks for."""
    whole = Book(game, prunes=False)
    whole.value(root)
    ends = [line["path"] for line in whole.lines if line["line"].endswith(" end")]
    nodes = [line["path"] for line in whole.lines if line["line"].endswith(" enter")]
    visited = Book(game, prunes=example.search == "alphabeta")
    visited.value(root)
    of = question.about["of"]
    if of == "ends" and "utility" in question.about:
        wanted: int = question.about["utility"]
        return [game.utility(state_at(game, root, path)) for path in ends].count(wanted)
    if of == "ends":
        return sum(str(line["line"]).endswith(" end") for line in visited.lines)
    if of == "pruned":
        return len(nodes) - sum(str(line["line"]).endswith(" enter") for line in visited.lines)
    if of == "positions":
        return len({game.key(state_at(game, root, path)) for path in nodes})
    if of == "best":
        mover: int = game.to_move(root)
        values: list[int] = [mover * plain_value(game, game.result(root, action)) for action in game.actions(root)]
        return values.count(max(values))
    assert of == "hits"
    return table_hits(game, root, example.search == "symmetry")


def table_hits(game: ResolvedGame[Any, Any], root: Any, with_symmetry: bool) -> int:
    """Count the table hits of the book's alpha-beta with a table, without distance, in MAX's view."""
    table: dict[Any, tuple[float, str]] = {}
    hits = 0

    def key(state: Any, is_root: bool) -> Any:
        if not with_symmetry or is_root:
            return game.key(state)
        assert game.symmetries is not None
        return "any of", min(map(repr, map(game.key, game.symmetries(state))))

    def value(state: Any, alpha: float, beta: float, is_root: bool = False) -> float:
        nonlocal hits
        if game.terminal(state):
            return float(game.utility(state))
        entry = table.get(key(state, is_root))
        if entry is not None:
            known, bound = entry
            if bound == "=" or (bound == ">" and known >= beta) or (bound == "<" and known <= alpha):
                hits += 1
                return known
        mover = game.to_move(state)
        best, low, high = -mover * inf, alpha, beta
        for action in game.actions(state):
            child = value(game.result(state, action), low, high)
            best = max(best, child) if mover > 0 else min(best, child)
            if (mover > 0 and best >= beta) or (mover < 0 and best <= alpha):
                break
            low, high = (max(low, best), high) if mover > 0 else (low, min(high, best))
        table[key(state, is_root)] = best, "<" if best <= alpha else ">" if best >= beta else "="
        return best

    value(root, -inf, inf, is_root=True)
    return hits
