"""How questions are answered, in a process of its own: games and what was learnt about them are kept for the next."""

import json
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple
from urllib.parse import urlencode

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine
from noughts.errors import BadPosition, BadTable, BrokenGame, EndlessGame, NoughtsError, shown
from noughts.game import Game
from noughts.gamefile import blame, game_from_file, named_error
from noughts.games import named
from noughts.interrupts import was_pressed
from noughts.notation import Position, normalised, read_action, read_position
from noughts.notices import tell_once
from noughts.players import computer
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits
from noughts.sources.solved import SMALL
from noughts.wire.answers import analysis, explanation, move
from noughts.wire.positions import position
from noughts.words.explanation import explain

__all__ = ["A_MOMENT", "Handlers", "Reply", "ServedGame", "digest_of", "load_file"]

MOST_BYTES = 512 * 2**20
"""Memory for the games that are kept with what was learnt about them."""

AROUND = 2**20
"""Bytes that are set down for a game itself, beside what is measured."""

TABLE_MIB = 32
"""What the tables of one game may take."""

A_MOMENT = 0.3
"""Seconds of the processor within which a game that is light is set up."""

SOLVING = 1.0
"""Seconds of the processor within which a game that is small is solved."""

FOREVER = 1e9
"""Seconds, where there is no limit."""

MOST_CELLS = 25_000
"""Cells on all the boards that one answer may hold."""

Told = Callable[[dict[str, Any]], object]


class Reply(NamedTuple):
    """An answer, ready to be sent."""

    status: int
    body: str
    kept: bool = False
    """Whether the same question always has this answer, but for what it took to find it."""
    light: bool = False
    """Whether the game is set up in no time."""
    small: bool = False
    """Whether it is so small that every question about it is answered at once."""


class ServedGame:
    """One game with its engine, and what the server knows of how much work it is."""

    def __init__(self, make: Callable[[], Game[Any, Any]], table: str | None = None) -> None:
        started = process_time()
        self.engine: Engine[Any, Any] = _engine(make, table)
        self.light = process_time() - started < A_MOMENT
        self.small: bool | None = None
        """Whether all of the game can be solved in no time; None if that is not known."""
        self._fresh = True
        self._table = table
        self.bytes = 0

    @property
    def game(self) -> ResolvedGame[Any, Any]:
        """The game, with all it offers."""
        return self.engine.game

    def grown(self) -> int:
        """Measure about how many `bytes` of memory all of this takes, and return how many more that is than before."""
        before, self.bytes = self.bytes, AROUND + self.engine.bytes
        return self.bytes - before

    def solve(self, limits: Limits) -> Limits:
        """Solve the game if it is small, which is found out by that, once; return what is left of the limits.

        It is called before each search. The game is small if a fresh process, too, can solve it at one go. Where the
        limits do not suffice to tell, it is left for another question.
        """
        fresh, self._fresh = self._fresh, False
        seconds, nodes = limits.seconds or FOREVER, limits.nodes or SMALL
        if self.small is not None or seconds < SOLVING or nodes < SMALL:
            return limits
        started = perf_counter()
        engine = self.engine if fresh else _engine(lambda: self.game, self._table)
        try:
            solved = engine.solve(SOLVING, limits._replace(seconds=seconds / 2))
        except NoughtsError:  # no end, or a broken file: not so small
            solved = False
        taken = perf_counter() - started
        if solved or not (taken > seconds / 2 or (limits.cancel is not None and limits.cancel())):
            self.small = solved
        return limits if limits.seconds is None else limits._replace(seconds=max(0.0, seconds - taken))


def _engine(make: Callable[[], Game[Any, Any]], table: str | None) -> Engine[Any, Any]:
    game = make()
    try:
        return Engine(game, table_mib=TABLE_MIB, threads=1, table=table)
    except BadTable as why:  # damaged since the server was started
        tell_once(str(why))
        return Engine(game, table_mib=TABLE_MIB, threads=1)


class Handlers:
    """Answers questions. `files` are the games that whoever started the server gave as files, by what they are called:
    the path of each, and what its contents are known by.

    No other file is ever read: any other name is one of the games that noughts knows, or is refused. If `only` is
    given, it names all games that are answered for. `tables` are the folders of tables, by the usual name
    of their game. `lessons_page` is the address of the lessons, relative to the page of the game.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[str, str]] | None = None,
        only: tuple[str, ...] = (),
        tables: Mapping[str, str] | None = None,
        lessons_page: str = "learn",
    ) -> None:
        self._lessons_page = lessons_page
        self._files = dict(files or {})
        self._only = only
        self._tables = dict(tables or {})
        self._served: OrderedDict[str, ServedGame] = OrderedDict()
        self._bytes = 0
        """What they take, as far as it was measured."""

    def answer(
        self,
        kind: str,
        values: Mapping[str, Any],
        cancel: Callable[[], bool] | None = None,
        progress: Told | None = None,
    ) -> Reply:
        """Answer a question. What is wrong with it becomes a reply too, of status 400."""
        try:
            served = self._served_game(values["game"])
            where = read_position(served.game, values.get("position", ""))
            limits = Limits(values.get("nodes"), values.get("seconds"), cancel)
            if kind in ("analyse", "explain", "move", "review"):
                limits = served.solve(limits)
            if kind == "steps":
                values = {**values, "lessons_page": self._lessons_page}
            body, kept = _ANSWER[kind](served, where, values, limits, progress)
        except NoughtsError as error:
            broken = isinstance(error, BrokenGame) and not isinstance(error, EndlessGame)
            if broken and values["game"] in self._files:
                return Reply(500, _error(f"this game is broken: {error}"))
            return Reply(400, _error(str(error)))
        except BaseException as error:  # a file may raise anything
            if values["game"] not in self._files or isinstance(error, MemoryError) or was_pressed(error):
                raise
            place = blame(error, self._files[values["game"]][0]) or named_error(error)
            return Reply(500, _error(f"this game is broken: {place}"))
        finally:
            self._make_room(values["game"])
        return Reply(200, body, kept and not (cancel is not None and cancel()), served.light, bool(served.small))

    def game(self, name: str) -> Game[Any, Any]:
        """Return a game by its name; a file only if it was given when the server was started, and is still the same."""
        if name not in self._files:
            return named(name)
        path, digest = self._files[name]
        if digest_of(path) != digest:
            raise BrokenGame("its file has changed since the server was started; start it again")
        return game_from_file(path)

    def compile(self, name: str) -> None:
        """Compile the kernel of a game, so that later questions find it ready, unless none is needed to solve it."""
        try:
            Engine(self.game(name), table_mib=1, threads=1).prepare()
        except NoughtsError:
            pass  # who asks about it is told
        except MemoryError:
            raise
        except BaseException:
            if name not in self._files:
                raise

    def _served_game(self, name: str) -> ServedGame:
        if name in self._served:
            self._served.move_to_end(name)
            return self._served[name]
        if self._only and name not in self._only:
            raise BadPosition(f"this server has no game {shown(name, 60)}; it has: {', '.join(self._only)}")
        served = self._served[name] = ServedGame(lambda: self.game(name), self._tables.get(normalised(name)))
        return served

    def _make_room(self, name: str) -> None:
        """Measure the game that was asked about, and forget those that were not for longest if all take too much."""
        if name in self._served:
            self._bytes += self._served[name].grown()
        while self._bytes > MOST_BYTES and len(self._served) > 1:
            _, forgotten = self._served.popitem(last=False)
            self._bytes -= forgotten.bytes


def load_file(path: str, solve: bool, tell: Told) -> dict[str, Any]:
    """Load a game from a file and try it; return what the server must know of it, or an error in one line.

    `tell` is told once it is loaded. If `solve`, the whole game is solved if it is small.
    """
    digest, served = digest_of(path), None
    try:
        served = ServedGame(lambda: game_from_file(path))
        tell({"loaded": True})
        served.game.initial()
        if solve:
            served.solve(Limits())
    except NoughtsError as error:
        if served is None:
            return {"error": str(error)}
        # A game that breaks a rule later on is served: whoever plays it is told.
    except BaseException as error:
        where = blame(error, str(Path(path).resolve())) or named_error(error)
        return {"error": f"{path}, {where}"}
    return {"digest": digest, "title": served.game.title, "light": served.light, "small": bool(served.small)}


def digest_of(path: str) -> str:
    """Return what the contents of a file are known by."""
    try:
        return sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _error(line: str) -> str:
    """Return what was wrong as JSON."""
    return json.dumps({"error": line})


Where = Position[Any, Any]
Values = Mapping[str, Any]
"""The parameters of a question, each with its value."""

Found = tuple[str, bool]
"""The body of an answer, and whether it may be kept."""


def _position(served: ServedGame, where: Where, values: Values, *_: Any) -> Found:
    if values["after"] and not served.game.terminal(where.state):
        actions = len(list(served.game.actions(where.state)))
        # Each position that is shown has its cells, and about as many actions as this one.
        if actions * max(actions, _cells(served, where.state)) > MOST_CELLS:
            raise BadPosition(f"there are too many actions, {actions}, to show where each leads on so large a board")
    return json.dumps(position(normalised(values["game"]), where, served.game, values["after"])), True


def _analyse(served: ServedGame, where: Where, values: Values, limits: Limits, progress: Told | None) -> Found:
    answer = served.engine.analyse(where.state, limits=limits, progress=_telling(progress))
    found = analysis(normalised(values["game"]), where, served.game, answer)
    return json.dumps(found), answer.proven and all(each.exact for each in answer.actions)


def _explain(served: ServedGame, where: Where, values: Values, limits: Limits, _: Told | None) -> Found:
    state = where.state
    action = None
    if values["action"] is not None and not served.game.terminal(state):
        action = read_action(served.game.actions(state), served.game, values["action"])
    found = explain(served.engine, state, action, limits=limits)
    known = found.answer.stopped == "done" and all(each.value.exact for each in found.actions)
    return json.dumps(explanation(normalised(values["game"]), where, served.game, found)), known


def _move(served: ServedGame, where: Where, values: Values, limits: Limits, _: Told | None) -> Found:
    if served.game.terminal(where.state):
        raise BadPosition("the game is over: there is no move to make")
    player = computer(values["player"], served.engine, values["seed"], limits=limits)
    action = player.choose(where.state)
    notation = normalised(values["game"])
    chosen = move(notation, where, served.game, values["player"], action, player.caveat)
    by_chance = values["seed"] is None and values["player"] not in ("perfect", "textbook", "rules")
    return json.dumps(chosen), not by_chance and not player.caveat


def _review(served: ServedGame, where: Where, values: Values, limits: Limits, _: Told | None) -> Found:
    from noughts.reviews.review import review
    from noughts.wire.reviews import review as facts

    found = review(served.engine, where, limits=limits)
    return json.dumps(facts(normalised(values["game"]), found)), found.stopped == "done"


def _puzzle(served: ServedGame, _: Where, values: Values, limits: Limits, __: Told | None) -> Found:
    from noughts.puzzles.find import Wanted, day_of, find, today
    from noughts.wire.puzzles import puzzles

    if values["seed"] is not None and values["date"]:
        raise NoughtsError("a seed and a date exclude each other; leave one of them out")
    source = values["seed"] if values["seed"] is not None else day_of(values["date"]) if values["date"] else today()
    wanted = Wanted(None if values["kind"] == "any" else values["kind"], values["moves"], values["level"])
    found = list(islice(find(served.engine, source, wanted, limits=limits), values["count"]))
    facts = puzzles(normalised(values["game"]), served.game, source, found)
    of_today = values["seed"] is None and not values["date"]
    return json.dumps(facts), len(found) == values["count"] and not of_today


def _record(served: ServedGame, where: Where, values: Values, *_: Any) -> Found:
    from noughts.match import Match
    from noughts.record import Record, read_record

    rules, notation = served.game, normalised(values["game"])

    def same(named_in_text: str) -> Game[Any, Any]:
        if normalised(named_in_text) != notation:
            raise BadPosition(f"the text is a game of {shown(named_in_text)}, not of {shown(notation)}")
        return rules

    if values["text"]:
        told = read_record(values["text"], load=same)
        where = told.replayed(rules)
    else:
        match = Match(rules, where.states[0])
        for action in where.actions:
            match.play(action)
        begins = rules.to_move(rules.initial())
        players = {begins: values["first"], -begins: values["second"]}
        told = Record.of_match(match, notation, position=where.diagram or "", players=players)
    return json.dumps({"game": notation, "position": where.text(rules.action_name), "text": str(told)}), True


def _tree(served: ServedGame, where: Where, values: Values, limits: Limits, _: Told | None) -> Found:
    from noughts.search.recursion_limit import deep_recursion
    from noughts.trees.tree import tree
    from noughts.wire.trees import tree as tree_facts

    budget = Budget(limits._replace(nodes=None))
    grown = tree(
        served.game,
        where.state,
        search=values["search"],
        depth=values["depth"],
        most=values["most"],
        merge=values["merge"],
        limits=budget.left,
    )
    with deep_recursion(grown.depth):
        facts = tree_facts(normalised(values["game"]), where, served.game, grown, budget.left)
        return json.dumps(facts, ensure_ascii=False), True


def _cells(served: ServedGame, state: Any) -> int:
    """Return how many cells a drawing has, about; one at least."""
    board = served.game.board
    return max(1, len(served.game.draw(state)) // 4 if board is None else sum(map(len, board(state))))


def _steps(served: ServedGame, where: Where, values: Values, limits: Limits, _: Told | None) -> Found:
    from noughts.learn.page import page

    started = perf_counter()
    position = where.text(served.game.action_name)
    here = {"game": values["game"], "position": position, **({"back": values["back"]} if values["back"] else {})}
    body = page(
        served.game,
        where.state,
        search=values["search"],
        notation=values["game"],
        position=position,
        home=f"./?{values['back'] or urlencode(here)}",
        lessons=values["lessons_page"],
        limits=limits,
    )
    return body, perf_counter() - started < values["seconds"] / 6  # with less time, it looks less far ahead


def _board(served: ServedGame, where: Where, values: Values, *_: Any) -> Found:
    from noughts.skins.picture import picture

    last = where.actions[-1] if where.actions else None
    return picture(served.game, values["game"], where.state, last), True


def _preview(served: ServedGame, where: Where, values: Values, *_: Any) -> Found:
    from noughts.skins.preview import preview

    found = preview(served.game, values["game"], where.state)
    if found is None:
        raise BadPosition("this game has no board to draw")
    return b64encode(found).decode(), True


def _telling(progress: Told | None) -> Callable[[Progress], None] | None:
    """Turn what a search says while it runs into what is sent."""
    if progress is None:
        return None
    told = progress

    def tell(so_far: Progress) -> None:
        told(
            {
                "depth": so_far.depth,
                "nodes": so_far.nodes,
                "seconds": round(so_far.seconds, 3),
                "line": list(so_far.line[:12]),
            }
        )

    return tell


_ANSWER: dict[str, Callable[..., Found]] = {
    "position": _position,
    "analyse": _analyse,
    "explain": _explain,
    "move": _move,
    "review": _review,
    "puzzle": _puzzle,
    "record": _record,
    "tree": _tree,
    "steps": _steps,
    "board": _board,
    "preview": _preview,
}
