"""Checks of a game's kernel: its rules must give the same scores as the six functions.

There are three steps, each of which needs the one before: what the functions return in each position, what scores the
rules give to positions, and, if numba is installed, what scores the compiled search finds.
"""

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from noughts.capabilities import KERNEL_FUNCTIONS, Kernel
from noughts.compiled.build import available
from noughts.compiled.check_rules import RulesCheck, Wrong, ask, rules_check
from noughts.compiled.rules import DeepRulesGame, Position, Rules, RulesGame
from noughts.errors import BrokenGame, NoKernel, NoughtsError, one_line
from noughts.game import FUNCTIONS
from noughts.notices import tell_once
from noughts.score import Scale, Value
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.testing.explore import Explorer, Node

__all__ = ["check_kernel"]

POSITIONS = 2_000
"""In how many positions the functions are called, about the same number for each ply."""

SHARE = 10
"""Valuing all positions may visit as many nodes as there are positions; valuing one, at most a tenth of that."""

COMPILED, COMPILED_NODES = 200, 1_000_000
"""How many positions the compiled search values, and how many nodes it may visit for each."""

CHECKED = 200
"""In how many of them the functions run on checked numbers, which detect what compiled ones cannot do."""

RULES_DIFFER = "Where bounds are equal they must be the score, in a finished game too; expand must keep a best move."

COMPILED_DIFFERS = "Compiled, numbers have 64 bits and indices are not checked: no step may need more, or go outside."

SIGN: dict[Value, int] = {"win": 1, "draw": 0, "loss": -1}


def check_kernel(explorer: Explorer, compiled: bool) -> None:
    """Compare a game's kernel, if it has one, with the game, and report the first mistake.

    If `compiled`, and numba is installed, also compile it and compare that.
    """
    if explorer.problems:
        return
    check = _KernelCheck(explorer)
    try:
        check.run(compiled and available())
    except Wrong as wrong:
        message, advice = wrong.args
        explorer.report("kernel", check.at, message, advice)


def _offered(explorer: Explorer) -> Kernel | None:
    """Return the game's kernel, or None; raise Wrong if it is incomplete."""
    game = explorer.game
    has = [name for name in (*KERNEL_FUNCTIONS, "plies") if callable(getattr(game, name, None))]
    lacks = [name for name in KERNEL_FUNCTIONS if name not in has]
    if isinstance(game, ModuleType) and lacks and {"expand", "play"} <= set(has):
        raise Wrong(
            f"there is {_listed(has)}, but no function {_listed(lacks)}",
            "A kernel needs all four; if none is meant, give these functions other names.",
        )
    kernel = ask("kernel()", explorer.offers.kernel)
    if kernel is not None and not isinstance(kernel, Kernel):
        raise Wrong(f"kernel() returned {kernel!r}", "It must return a noughts.capabilities.Kernel, or None.")
    return kernel


def _listed(names: list[str]) -> str:
    return ", ".join(names)


class _KernelCheck:
    """The steps of the check. `at` is the position in which a mistake is reported."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self.at = next(iter(explorer.nodes.values()))
        self._scores: dict[Node, int] = {}
        """The score of each position by the six functions, on the kernel's scale."""

    def run(self, compiled: bool) -> None:
        """Run the steps; raise Wrong at the first mistake."""
        kernel = _offered(self._explorer)
        if kernel is None:
            return
        self._kernel = kernel
        self._rules: Rules = ask("kernel()", Rules, kernel)
        self._functions = ask(f"{self._rules.path.name}, run as the rules of a kernel,", lambda: self._rules.functions)
        self._check = self._rules_check(checked=False)
        nodes = self._explorer.sample(POSITIONS)
        self._open = [node for node in nodes if node.utility is None]
        for node in nodes:
            self._explorer.check()
            self._check_turn(node)
        for node in self._open:
            self._explorer.check()
            self._check_functions(node)
        check = self._rules_check(checked=True)
        for node in self._open[:: max(1, -(-len(self._open) // CHECKED))]:
            self._explorer.check()
            self.at = node
            check.check_position(self._position(node.state), node.ply)
        self._check_scores()
        if compiled and self._open:
            self._check_compiled()

    def _rules_check(self, checked: bool) -> RulesCheck:
        self.at = next(iter(self._explorer.nodes.values()))
        try:
            return rules_check(self._rules, checked)
        except BrokenGame as error:
            raise Wrong(one_line(str(error)), "docs/own-game.md says what can be compiled.") from None

    def _check_turn(self, node: Node) -> None:
        """Check that players alternate and that games are won, drawn or lost, unless the rules say otherwise."""
        self.at = node
        by_turns = not self._rules.is_deep or not hasattr(self._functions, "player")
        if by_turns and node.parent is not None and node.mover == node.parent.mover:
            raise Wrong(
                "the same player moves twice in a row" if node.utility is None else "the last player moves again",
                "Rules without `evaluate` are for games in which the players take turns, always; others have `player`.",
            )
        most = self._rules.most if self._rules.is_deep else 1
        if node.utility is not None and abs(node.utility) > most:
            raise Wrong(
                f"utility(state) is {node.utility}",
                "Rules without `evaluate` are for games that are won, drawn or lost: 1, 0, -1; others have"
                " `utility_range`.",
            )
        if node.ply > self._rules.longest:
            raise Wrong(f"longest is {self._rules.longest}", "No game may take more plies than that.")

    def _position(self, state: Any) -> Position:
        return self._check.position(ask("pack(state)", self._kernel.pack, state))

    def _check_functions(self, node: Node) -> None:
        """Check what each function returns in a position, and that its moves are actions of the game."""
        self.at = node
        position = self._position(node.state)
        moves = self._check.check_position(position, node.ply, thorough=True)
        if not moves:
            return
        game = self._explorer.game
        after = []
        for action in node.actions:
            child = ask("result(state, action)", game.result, node.state, action)
            try:
                after.append(self._position(child))
            except Wrong:
                if not game.terminal(child):  # the kernel need not represent finished positions
                    raise
        for move in moves:
            child = self._check.call("play", position, move)
            if child not in after:
                raise Wrong(
                    f"play(position, {move}) is {child!r}, which no action leads to",
                    "Each move of expand(position) must lead to the state after some legal action.",
                )

    def _check_scores(self) -> None:
        """Compare the scores of positions by the rules with those by the six functions, the latest positions first.

        That way a difference is reported where it arises, not in a position that leads there.
        """
        game = self._explorer.game
        six = {name: getattr(game, name) for name in FUNCTIONS}
        by_six: Memo[Any, Any] = Memo(SimpleNamespace(**six, longest=self._explorer.offers.scale.longest))
        by_rules = _scores_by(self._rules)
        left = self._explorer.limit
        each = max(1, left // SHARE)
        same_key: dict[Any, Node] = {}
        for node in reversed(self._open):
            # 1. Value it by the six functions.
            self.at = node
            self._explorer.check()
            limits = self._explorer.limits
            answer = ask("best play", by_six.value, node.state, limits._replace(nodes=min(left, each)))
            left -= answer.nodes
            if answer.value == "unknown":
                continue
            score = self._scores[node] = self._score_of(node, answer)
            # 2. Compare the score by the rules.
            position = self._position(node.state)
            self._check_bounds(node, position)
            found = ask("best play by the rules", by_rules, position, limits._replace(nodes=each))
            if found not in (score, None):
                raise Wrong(f"by the rules of the kernel it scores {found}, yet {self._worth(node)}", RULES_DIFFER)
            low, high = self._rules.bounds(position)
            if low == high and self._check.offers("finish"):
                self._check_last(node, position, by_six.analyse(node.state, limits._replace(nodes=each)))
            # 3. Compare its key with those of positions that have other scores.
            key = self._functions.key(position)
            other = same_key.setdefault(key, node)
            if self._scores[other] != score:
                line = self._explorer.names(other.line) or "the start"
                raise Wrong(
                    f"key(position) is {key}, as after {line}, which is worth something else",
                    "Only positions of the same score may share a key.",
                )

    def _check_last(self, node: Node, position: Position, answer: Answer[Any]) -> None:
        """Check that the move of `finish`, if there is one, is among the best actions."""
        move = self._check.call("finish", position)
        if not move or not answer.proven:
            return
        if self._kernel.action is not None:
            right = ask(f"action({move})", self._kernel.action, move) in answer.best
        else:
            after = self._check.call("play", position, move)
            right = all(
                node.actions[index] in answer.best
                for index, child in node.children.items()
                if child.utility is None and self._position(child.state) == after
            )
        if not right:
            raise Wrong(
                f"finish(position) is {move}, which is no best move", "It must be one, or 0 if none is at hand."
            )

    def _check_bounds(self, node: Node, position: Position) -> None:
        """Check that a known score lies within all bounds that the rules give."""
        score, most = self._scores[node], self._rules.longest + 1

        def check(name: str, *given: Any) -> bool:
            low, high = self._check.bounds(name, position, *given)
            if self._rules.is_deep:
                low, high = self._rules.bounds(position)
            if low <= score <= high:
                return low < high
            raise Wrong(
                f"{name}({', '.join(['position', *map(str, given)])}) is {low} to {high}, yet {self._worth(node)}",
                f"A win after n plies scores {most} - n, a loss n - {most}, in the view of the player to move.",
            )

        if check("score_bounds") and self._check.offers("foresee"):
            for beta in (0, 1, score, score + 1):
                check("foresee", beta)

    def _won_after(self, plies: int) -> int:
        return self._rules.longest + 1 - plies

    def _score_of(self, node: Node, answer: Answer[Any]) -> int:
        """Return the score of a proven answer on the kernel's scale."""
        if self._rules.is_deep:
            return Scale(self._rules.longest).score(answer.margin or 0, answer.distance or 0)
        return SIGN[answer.value] * self._won_after(node.ply + (answer.distance or 0))

    def _worth(self, node: Node) -> str:
        """Return the value of a position by the six functions, in words."""
        score = self._scores[node]
        if score == 0:
            return "best play ends in a draw, which scores 0"
        fate = "wins" if score > 0 else "loses"
        if self._rules.is_deep:
            scale = Scale(self._rules.longest)
            by = f" by {abs(scale.utility(score))}" * (self._rules.most > 1)
            return f"the player to move {fate}{by} in {scale.distance(score)} plies, which scores {score}"
        ply = self._won_after(abs(score))
        return f"the player to move {fate} after ply {ply}, which scores {score}"

    def _check_compiled(self) -> None:
        """Compile the kernel, and compare its scores with the known ones."""
        self.at = self._open[0]
        try:
            find = _compiled_scores(self._rules)
        except NoKernel as why:
            tell_once(f"the compiled kernel is not checked: {why}")
            return
        except Exception as error:
            reason = str(error) if isinstance(error, NoughtsError) else f"{type(error).__name__}: {error}"
            advice = "docs/own-game.md says what numba compiles: functions of whole numbers, and little else."
            raise Wrong(one_line(reason), advice) from None
        known = list(self._scores)
        for node in known[:: max(1, -(-len(known) // COMPILED))]:
            self.at = node
            try:
                low, high = find(self._position(node.state))
            except NoughtsError as error:
                raise Wrong(f"compiled, {error}", COMPILED_DIFFERS) from None
            if not low <= self._scores[node] <= high:
                scored = f"{low}" if low == high else f"{low} to {high}"
                raise Wrong(f"compiled, the kernel scores it {scored}, yet {self._worth(node)}", COMPILED_DIFFERS)


def _scores_by(rules: Rules) -> Callable[[Position, Limits], int | None]:
    """Return a function that scores a position by the rules, interpreted; it returns None at a limit."""
    if rules.is_deep:
        deep = DeepRulesGame(rules)
        by_rules: Memo[Any, int] = Memo(deep)
        return lambda position, limits: by_rules.value(deep.state(position), limits).score
    by_solving: Memo[Position, int] = Memo(RulesGame(rules, ()))
    return lambda position, limits: by_solving.value(position, limits).margin


def _compiled_scores(rules: Rules) -> Callable[[Position], tuple[int, int]]:
    """Compile a kernel, and return a function that returns proven bounds of a position's score."""
    limits = Limits(nodes=COMPILED_NODES)
    if rules.is_deep:
        from noughts.compiled.deep_solver import DeepSolver, bounds_of

        deep = DeepSolver(rules, table_mib=1)
        return lambda position: bounds_of(deep, position, limits)
    from noughts.compiled.solver import Solver  # imports numpy, which nothing before this needs

    solver = Solver(rules, table_mib=1)

    def find(position: Position) -> tuple[int, int]:
        found = solver.solve(position, limits=limits)
        return found.low, found.high

    return find
