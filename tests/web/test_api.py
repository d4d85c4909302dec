"""The API gives the same answers as the command line and the library, for every game."""

import json
import subprocess
from collections.abc import Iterator
from html import escape
from http.client import HTTPConnection
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.games import GAMES
from noughts.games.lines import LineGame, Marks
from noughts.match import Match
from noughts.players import COMPUTERS
from noughts.search.variants import VARIANTS
from noughts.web.endpoints import ENDPOINTS
from noughts.web.handlers import Handlers
from tests.helpers import TIMEOUT
from tests.web.serving import Client, Server, running
from tests.web.test_pool import asked

EXAMPLES = [name for entry in GAMES.values() for name in entry.examples]

SPENT = ("nodes", "seconds", "peak_mib")
"""Fields that differ from one run to the next."""

POSITIONS = [
    ("tic-tac-toe", ""),
    ("tic-tac-toe", "5 1 3"),
    ("tic-tac-toe", "O.X/.X./... then 7"),
    ("tic-tac-toe", "1 5 9 3 7"),
    ("misere", "5"),
    ("notakto", "a1"),
    ("mnk:3,3,3,torus", "a1 c3"),
    ("connect:4x3,3", "1 2"),
    ("nim:3,4,5", ""),
    ("nim:3,4,5,misere", "c2"),
]
"""Positions of games small enough to be solved completely, so that time limits make no difference."""

HARD: dict[str, Any] = {"game": "ultimate", "position": ""}
"""A question that cannot be answered within the time limit."""


def plain(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in SPENT}


def printed(command: str, *arguments: str) -> str:
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=True).stdout


# The same as the command line


@pytest.mark.parametrize(("game", "position"), POSITIONS)
def test_analysis_equals_the_commands(client: Client, noughts_command: str, game: str, position: str) -> None:
    answer = client.get("/api/analyse", game=game, position=position, seconds=10)
    assert answer.status == 200
    assert answer.json()["stopped"] == "done"
    wanted = json.loads(printed(noughts_command, "analyse", game, position, "--json"))
    assert plain(answer.json()) == plain(wanted)


@pytest.mark.parametrize(("game", "position"), POSITIONS[1:])
def test_explanation_equals_the_commands(client: Client, noughts_command: str, game: str, position: str) -> None:
    whole = client.get("/api/explain", game=game, position=position, seconds=10)
    assert plain(whole.json()) == plain(json.loads(printed(noughts_command, "explain", game, position, "--json")))
    action = whole.json()["actions"][-1]["action"]
    one = client.get("/api/explain", game=game, position=position, action=action, seconds=10)
    wanted = json.loads(printed(noughts_command, "explain", game, position, "--action", action, "--json"))
    assert plain(one.json()) == plain(wanted)
    assert [each["action"] for each in one.json()["actions"]] == [action]


@pytest.mark.parametrize("search", VARIANTS)
@pytest.mark.parametrize(("game", "position"), [("tic-tac-toe", "5 1 3"), ("nim:2,3", ""), ("connect:3x3,3", "1 2")])
def test_tree_equals_the_commands(client: Client, noughts_command: str, game: str, position: str, search: str) -> None:
    command = ["tree", game, position, "--format", "json", "--search", search]
    assert client.get("/api/tree", game=game, position=position, search=search).json() == json.loads(
        printed(noughts_command, *command)
    )
    kept: dict[str, Any] = {"depth": 3, "most": 40, "merge": True}
    assert client.get("/api/tree", game=game, position=position, search=search, **kept).json() == json.loads(
        printed(noughts_command, *command, "--depth", "3", "--most", "40", "--merge")
    )


def test_the_list_of_games_equals_the_commands(client: Client, noughts_command: str) -> None:
    found = client.get("/api/games").json()
    assert found["games"] == json.loads(printed(noughts_command, "games", "--json"))["games"]
    assert [each["game"] for each in found["games"]] == [entry.examples[0] for entry in GAMES.values()]
    assert [each["player"] for each in found["players"]] == list(COMPUTERS)
    assert {each["search"]: each["about"] for each in found["searches"]} == VARIANTS


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.long)])
def test_tic_tac_toe_positions_have_their_values(
    client: Client, game: LineGame, states: list[Marks], step: int
) -> None:
    """Every tenth in the usual run, all 5,478 in the long one, by diagram: their actions, best ones and distances."""
    engine = Engine(game)
    assert len(states) == 5478
    for state in states[::step]:
        found = client.get("/api/analyse", game="tic-tac-toe", position=game.diagram(state)).json()
        wanted = engine.ask(state)
        assert (found["value"], found["distance"], found["proven"]) == (wanted.value, wanted.distance, True)
        assert found["best"] == [str(action) for action in wanted.best]
        assert found["actions"] == [
            {
                "action": str(each.action),
                "value": each.value,
                "distance": each.distance,
                "margin": each.margin,
                "exact": each.exact,
                "bound": each.bound,
            }
            for each in wanted.actions
        ]


# Positions


def played(game: Any, seed: int) -> Match[Any, Any]:
    """Play at random to the end."""
    random = Random(seed)
    match: Match[Any, Any] = Match(game)
    while not match.over:
        match.play(random.choice(list(game.actions(match.state))))
    return match


def check_facts(found: dict[str, Any], game: Any, state: Any) -> None:
    """Check that the data about a state follows the rules."""
    offers = resolve(game)
    over = game.terminal(state)
    legal = [] if over else [offers.action_name(action) for action in game.actions(state)]
    marks = dict(zip((1, -1), offers.player_names, strict=True))
    assert found["over"] is over
    assert found["actions"] == legal
    assert found["to_move"] == (None if over else marks[game.player(state)])
    assert found["drawing"] == offers.draw(state)
    if over:
        utility = game.utility(state)
        winner = None if utility == 0 else marks[1 if utility > 0 else -1]
        assert (found["result"]["winner"], found["result"]["margin"]) == (winner, abs(utility))
        assert found["result"]["sentence"] == "A draw." or found["result"]["sentence"].startswith(f"{winner} wins")
    else:
        assert found["result"] is None
    cells = [cell for row in found["board"] or [] for cell in row if cell is not None]
    by_touch = [action for cell in cells for action in cell["actions"]]
    assert set(by_touch) <= set(legal)
    assert sorted({*by_touch, *found["elsewhere"]}) == sorted(legal)
    assert not set(by_touch) & set(found["elsewhere"])
    if offers.board is not None:
        shown = [cell for row in offers.board(state) for cell in row if not cell.gap]
        assert [(cell["mark"], cell["lit"]) for cell in cells] == [(cell.mark, cell.lit) for cell in shown]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_position_of_random_games_follows_the_rules(client: Client, name: str) -> None:
    game = noughts.load(name)
    offers = resolve(game)
    for seed in range(3):
        match = played(game, seed)
        words: list[str] = []
        movers: list[str] = []
        states = [game.initial()]
        for action in match.played:
            words.append(offers.action_name(action))
            movers.append(offers.player_names[0 if game.player(states[-1]) == 1 else 1])
            states.append(game.result(states[-1], action))
        for plies, state in enumerate(states):
            position = " ".join(words[:plies])
            answer = client.get("/api/position", game=name, position=position)
            assert answer.status == 200
            found = answer.json()
            check_facts(found, game, state)
            assert (found["game"], found["position"], found["start"]) == (name, position, "")
            assert [(each["action"], each["by"]) for each in found["moves"]] == list(
                zip(words[:plies], movers[:plies], strict=True)
            )
            assert found["marks"] == list(offers.player_names)
            assert sorted(found["players"]) == sorted(offers.player_names)
            assert found["players"][0] == movers[0]
            assert (found["board"] is None) == name.startswith(("nim", "numbers"))
            assert "after" not in found


@pytest.mark.parametrize("name", EXAMPLES)
def test_after_holds_the_position_after_each_action(client: Client, name: str) -> None:
    game = noughts.load(name)
    match = played(game, 7)
    offers = resolve(game)
    for plies in (0, len(match.played) // 2, len(match.played) - 1, len(match.played)):
        state = noughts.replay(game, match.played[:plies])
        position = " ".join(map(offers.action_name, match.played[:plies]))
        found = client.get("/api/position", game=name, position=position, after=True).json()
        legal = [] if game.terminal(state) else list(game.actions(state))
        assert list(found["after"]) == [offers.action_name(action) for action in legal]
        for action in legal:
            check_facts(found["after"][offers.action_name(action)], game, game.result(state, action))


def test_only_symmetric_positions_count_as_the_same(client: Client) -> None:
    after = client.get("/api/position", game="tic-tac-toe", after=True).json()["after"]
    same = {action: each["same"] for action, each in after.items()}
    assert len({same[corner] for corner in "1379"}) == 1
    assert len({same[edge] for edge in "2468"}) == 1
    assert len(set(same.values())) == 3


def test_a_cell_of_wild_plays_both_marks(client: Client) -> None:
    found = client.get("/api/position", game="wild", position="5x").json()
    cells = {cell["name"]: cell for row in found["board"] for cell in row}
    assert cells["1"]["actions"] == ["1x", "1o"]
    marked = next(cell for row in found["board"] for cell in row if cell["mark"])
    assert (marked["mark"], marked["actions"]) == ("X", [])


def test_any_free_cell_of_a_column_plays_it_in_connect_four(client: Client) -> None:
    """A full column plays nothing."""
    found = client.get("/api/position", game="connect-four", position="4 4 4 4 4 4 3").json()
    assert len(found["board"]) == 6
    for height, row in enumerate(found["board"]):
        for column, cell in enumerate(row, 1):
            free = not cell["mark"]
            assert cell["actions"] == ([str(column)] if free else []), (height, column)
    assert found["actions"] == ["1", "2", "3", "5", "6", "7"]


def test_a_pass_is_listed_as_an_action_without_a_cell(client: Client) -> None:
    """A player must pass somewhere in small Reversi."""
    game = noughts.load("reversi:4")
    for seed in range(50):
        words: list[str] = []
        match = played(game, seed)
        for action in match.played:
            if resolve(game).action_name(action) == "pass":
                found = client.get("/api/position", game="reversi:4", position=" ".join(words)).json()
                assert (found["actions"], found["elsewhere"]) == (["pass"], ["pass"])
                return
            words.append(resolve(game).action_name(action))
    pytest.fail("nobody had to pass in 50 games")


def test_the_winning_line_is_lit_and_the_result_is_given(client: Client) -> None:
    found = client.get("/api/position", game="tic-tac-toe", position="1 4 2 5 3").json()
    assert [[cell["lit"] for cell in row] for row in found["board"]] == [[True] * 3, [False] * 3, [False] * 3]
    assert found["result"] == {"winner": "X", "margin": 1, "sentence": "X wins."}
    assert client.get("/api/position", game="tic-tac-toe", position="5 1 3 7 4 6 2 8 9").json()["result"] == {
        "winner": None,
        "margin": 0,
        "sentence": "A draw.",
    }


@pytest.mark.parametrize(
    ("given", "normal", "start"),
    [
        (" 5,1 , 3 ", "5 1 3", ""),
        ("O.X/.X./...", "O.X/.X./...", "O.X/.X./..."),
        ("O.X/.X./... then 7 8", "O.X/.X./... then 7 8", "O.X/.X./..."),
        ("O.X\n.X.\n...", "O.X\n.X.\n...", "O.X\n.X.\n..."),
    ],
)
def test_positions_are_normalised_and_read_back(client: Client, given: str, normal: str, start: str) -> None:
    found = client.get("/api/position", game="tic-tac-toe", position=given).json()
    assert (found["position"], found["start"]) == (normal, start)
    again = client.get("/api/position", game="tic-tac-toe", position=normal).json()
    assert again == found


def test_a_finished_game_is_analysed_explained_and_drawn_but_has_nothing_to_play(client: Client) -> None:
    over: dict[str, Any] = {"game": "tic-tac-toe", "position": "1 4 2 5 3"}
    found = client.get("/api/analyse", **over).json()
    assert (found["best"], found["actions"]) == ([], [])
    assert found["sentence"].startswith("The game is over")
    assert client.get("/api/tree", **over).json()["searched"] == 1
    assert client.get("/steps", **over).status == 200
    explained = client.get("/api/explain", **over).json()
    assert (explained["sentence"], explained["actions"]) == ("The game is over: O has lost.", [])
    answer = client.get("/api/move", **over)
    assert answer.status == 400
    assert answer.error.startswith("the game is over")


# Players


@pytest.mark.parametrize("player", COMPUTERS)
@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "nim:3,4,5", "notakto"])
def test_every_player_moves_legally_and_repeats_itself_for_a_seed(client: Client, name: str, player: str) -> None:
    game = noughts.load(name)
    offers = resolve(game)
    match = played(game, 3)
    for plies in range(len(match.played)):
        position = " ".join(map(offers.action_name, match.played[:plies]))
        state = noughts.replay(game, position)
        asked: dict[str, Any] = {"game": name, "position": position, "player": player, "seed": plies}
        found = client.get("/api/move", **asked).json()
        assert found["action"] in [offers.action_name(action) for action in game.actions(state)]
        assert (found["game"], found["position"], found["player"]) == (name, position, player)
        other = client.get("/api/move", {"Cache-Control": "no-cache"}, seconds=1.5, **asked).json()
        assert other == found, "another question with the same seed"


def test_the_perfect_player_never_loses(client: Client) -> None:
    """Against random play, first and second, in tic-tac-toe; and wins what is won in Nim."""
    for name, seats in (("tic-tac-toe", (1, -1)), ("nim:3,4,5", (1,))):
        game = noughts.load(name)
        offers = resolve(game)
        for seed in range(6):
            for seat in seats:
                random = Random(seed)
                match: Match[Any, Any] = Match(game)
                words: list[str] = []
                while not match.over:
                    if game.player(match.state) == seat:
                        found = client.get("/api/move", game=name, position=" ".join(words)).json()
                        assert found["caveat"] is None
                        action = next(a for a in game.actions(match.state) if offers.action_name(a) == found["action"])
                    else:
                        action = random.choice(list(game.actions(match.state)))
                    words.append(offers.action_name(action))
                    match.play(action)
                utility = seat * game.utility(match.state)
                assert utility >= (0 if name == "tic-tac-toe" else 1), words


def test_without_a_seed_moves_are_random(client: Client) -> None:
    found = {client.get("/api/move", game="tic-tac-toe", player="random").json()["action"] for _ in range(60)}
    assert len(found) > 1


# Caching


def question(path: str, game: str, position: str, instead: str = "5") -> dict[str, Any]:
    """Return the parameters of a question about a position; a puzzle has a seed, and a review needs a move."""
    if path == "/api/puzzle":
        return {"game": game, "seed": len(position)}
    return {"game": game, "position": position or instead if path == "/api/review" else position}


@pytest.mark.parametrize("path", [endpoint.path for endpoint in ENDPOINTS if not endpoint.html] + ["/steps"])
def test_proven_answers_are_cacheable_and_have_an_etag(client: Client, path: str) -> None:
    asked = question(path, "tic-tac-toe", "5 1 3")
    answer = client.get(path, **asked)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "public, max-age=3600"
    tag = answer.headers["etag"]
    for wanted in (tag, f'"other", {tag}', "*", tag.removeprefix("W/")):
        unchanged = client.get(path, {"If-None-Match": wanted}, **asked)
        assert (unchanged.status, unchanged.body) == (304, b"")
        assert unchanged.headers["etag"] == tag
        assert unchanged.headers["cache-control"] == answer.headers["cache-control"]
    assert client.get(path, {"If-None-Match": '"other"'}, **asked).status == 200
    assert client.get(path, **question(path, "tic-tac-toe", "5 1")).headers["etag"] != tag
    again = client.get(path, **asked)
    assert (again.body, again.headers["etag"]) == (answer.body, tag)


def test_two_servers_send_the_same_etags_and_answers(server: Server, noughts_command: str) -> None:
    paths = [endpoint.path for endpoint in ENDPOINTS]
    with running(noughts_command, "tic-tac-toe", "nim:2,3") as other, server.client() as one, other.client() as two:
        for path in paths:
            for game, position in (("tic-tac-toe", "5 2"), ("nim:2,3", "")):
                asked = question(path, game, position, "a1")
                mine, theirs = one.get(path, **asked), two.get(path, **asked)
                assert mine.status == theirs.status == 200
                assert mine.headers["etag"] == theirs.headers["etag"]
                if mine.headers["content-type"] == "application/json":
                    assert plain(mine.json()) == plain(theirs.json())
                assert two.get(path, {"If-None-Match": mine.headers["etag"]}, **asked).status == 304
        for path in ("/", "/api/openapi.json", "/static/main.js"):
            assert one.get(path).headers["etag"] == two.get(path).headers["etag"]


@pytest.mark.parametrize("path", ["/api/analyse", "/api/explain"])
def test_unproven_answers_are_not_cacheable(client: Client, path: str) -> None:
    answer = client.get(path, **HARD, nodes=500)
    assert answer.status == 200
    assert answer.json()["stopped"] == "node limit"
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers


def test_random_moves_are_not_cacheable(client: Client) -> None:
    for player in ("random", "level-1", "level-5", "level-10"):
        answer = client.get("/api/move", game="tic-tac-toe", player=player)
        assert (answer.headers["cache-control"], "etag" in answer.headers) == ("no-store", False), player
        with_seed = client.get("/api/move", game="tic-tac-toe", player=player, seed=1)
        assert with_seed.headers["cache-control"] == "public, max-age=3600", player


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/games", "/api/openapi.json", "/favicon.ico"])
def test_static_files_are_revalidated_and_compressed(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    tag = answer.headers["etag"]
    assert client.get(path, {"If-None-Match": tag}).status == 304
    zipped = client.get(path, {"Accept-Encoding": "gzip"})
    assert (zipped.headers["content-encoding"], zipped.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert len(zipped.body) < len(answer.body)


# Event streams


def events(connection: HTTPConnection, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the events of a stream: their names and data."""
    connection.request("GET", path, headers={"Accept": "text/event-stream"})
    response = connection.getresponse()
    assert response.status == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    name = ""
    for line in response:
        word, _, rest = line.decode().rstrip("\n").partition(": ")
        if word == "event":
            name = rest
        elif word == "data":
            yield name, json.loads(rest)


@pytest.fixture
def connection(server: Server) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    yield connection
    connection.close()


@pytest.mark.parametrize(("game", "position"), POSITIONS[1:4])
def test_a_stream_ends_with_the_same_answer(
    client: Client, connection: HTTPConnection, game: str, position: str
) -> None:
    wanted = client.get("/api/analyse", game=game, position=position).json()
    told = list(events(connection, f"/api/analyse?game={game}&position={position.replace(' ', '+')}"))
    assert [name for name, _ in told if name != "progress"] == ["answer"]
    assert told[-1][0] == "answer"
    assert plain(told[-1][1]) == plain(wanted)


def test_a_long_search_streams_its_progress(connection: HTTPConnection) -> None:
    for seconds in (1, 3, 10, 10):  # on a busy machine there may be no progress in the first seconds
        told = list(events(connection, f"/api/analyse?game=reversi:8&seconds={seconds}"))
        if len(told) > 1:
            break
    assert [name for name, _ in told] == ["progress"] * (len(told) - 1) + ["answer"]
    progress = [data for _, data in told[:-1]]
    assert progress
    assert all(set(data) == {"depth", "nodes", "seconds", "line"} for data in progress)
    assert [data["depth"] for data in progress] == sorted({data["depth"] for data in progress})
    assert [data["nodes"] for data in progress] == sorted(data["nodes"] for data in progress)
    assert told[-1][1]["stopped"] == "deadline"


def test_an_error_ends_a_stream_with_its_message(client: Client, connection: HTTPConnection) -> None:
    told = list(events(connection, "/api/analyse?game=tic-tac-toe&position=5+5"))
    said = client.get("/api/analyse", game="tic-tac-toe", position="5 5").error
    assert told == [("error", {"error": said, "status": 400})]


def test_a_bad_query_is_refused_before_a_stream_begins(client: Client) -> None:
    answer = client.get("/api/analyse", {"Accept": "text/event-stream"}, game="tic-tac-toe", seconds=0)
    assert answer.status == 400
    assert answer.error.startswith("seconds is ")


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_a_search_stops_when_its_client_leaves(noughts_command: str, accept: str) -> None:
    """Clients that leave have asked one worker for more searching than a client waits; the next one need not wait."""
    with running(noughts_command, "--workers", "1", "ultimate", "tic-tac-toe") as server:
        for turn in range(15):
            left = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
            left.request("GET", f"/api/analyse?game=ultimate&seconds=9.{turn:02}", headers={"Accept": accept})
            left.close()
        with server.client(timeout=2 * 60) as client:
            # Fifteen abandoned searches of nine seconds each would exceed the client's timeout.
            answer = client.get("/api/analyse", game="ultimate", nodes=100)
            assert answer.status == 200


# Errors


@pytest.mark.parametrize("path", ["/", "/api/games", "/static/main.js", "/api/position?game=tic-tac-toe&position=5"])
def test_head_is_get_without_the_body(client: Client, path: str) -> None:
    whole, head = client.get(path), client.get(path, method="HEAD")
    assert (head.status, head.body) == (200, b"")
    skipped = ("date",)
    assert {name: value for name, value in head.headers.items() if name not in skipped} == {
        name: value for name, value in whole.headers.items() if name not in skipped
    }


@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/", "/api/nothing", "/static/", "/static/nothing.js", "//"])
def test_an_unknown_path_gets_404(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 404
    assert answer.error == f"there is no page at {path}; the API is described at /api/openapi.json"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/api/games", "/api/analyse", "/steps", "/static/main.js"])
def test_methods_other_than_get_and_head_get_405(client: Client, method: str, path: str) -> None:
    answer = client.get(path, method=method)
    assert answer.status == 405
    assert answer.error == f"{method} is not supported here; use GET"
    assert sorted(answer.headers["allow"].split(", ")) == ["GET", "HEAD"]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.kind)
def test_missing_repeated_and_unknown_parameters_are_refused(client: Client, endpoint: Any) -> None:
    missing = client.get(endpoint.path)
    assert missing.status == 400
    assert missing.error.startswith("game is missing: the game, as on the command line")
    twice = client.get(f"{endpoint.path}?game=wild&game=wild")
    assert (twice.status, twice.error) == (400, "game is given twice; once is enough")
    unknown = client.get(endpoint.path, game="wild", zzz=1)
    assert unknown.status == 400
    names = ", ".join(parameter.name for parameter in endpoint.parameters)
    assert unknown.error == f"there is no parameter 'zzz'; there are: {names}"
    second = endpoint.parameters[1].name
    wrong = f"{second[:3]}{second[4:]}"
    near = client.get(f"{endpoint.path}?game=wild&{wrong}=5x")
    assert (near.status, near.error) == (400, f"there is no parameter '{wrong}'; did you mean {second}?")
    many = client.get(f"{endpoint.path}?{'&'.join('x' for _ in range(21))}")
    assert (many.status, many.error) == (400, "the query has too many parameters; 20 are enough")
    no_text = client.get(f"{endpoint.path}?game=%ff")
    assert (no_text.status, no_text.error) == (400, "the query is not text: it must be percent-encoded UTF-8")


SECONDS = "seconds is a number above 0, at most 10.0, not "
BAD = [
    ("analyse", {"seconds": "0"}, SECONDS + "'0'"),
    ("analyse", {"seconds": "-1"}, SECONDS + "'-1'"),
    ("analyse", {"seconds": "10.1"}, SECONDS + "'10.1'"),
    ("analyse", {"seconds": "nan"}, SECONDS + "'nan'"),
    ("analyse", {"seconds": "inf"}, SECONDS + "'inf'"),
    ("analyse", {"seconds": "1e999"}, SECONDS + "'1e999'"),
    ("analyse", {"seconds": "1e-999"}, SECONDS + "'1e-999'"),
    ("analyse", {"seconds": "1_0"}, SECONDS + "'1_0'"),
    ("analyse", {"seconds": "٣"}, SECONDS + "'٣'"),
    ("analyse", {"seconds": ""}, SECONDS + "''"),
    ("explain", {"seconds": "soon"}, SECONDS + "'soon'"),
    ("move", {"seconds": "11"}, SECONDS + "'11'"),
    ("tree", {"seconds": "11"}, SECONDS + "'11'"),
    ("analyse", {"nodes": "0"}, "nodes is a whole number from 1 to 500000000, not '0'"),
    ("analyse", {"nodes": "1.5"}, "nodes is a whole number from 1 to 500000000, not '1.5'"),
    ("analyse", {"nodes": "9" * 30}, f"nodes is a whole number from 1 to 500000000, not '{'9' * 24} ...'"),
    ("move", {"seed": "-1"}, "seed is a whole number from 0 to 9007199254740992, not '-1'"),
    ("move", {"seed": "x"}, "seed is a whole number from 0 to 9007199254740992, not 'x'"),
    ("move", {"player": "perfekt"}, "there is no player 'perfekt'; did you mean perfect?"),
    ("move", {"player": "human"}, f"there is no player 'human'; there are: {', '.join(COMPUTERS)}"),
    ("tree", {"search": "minmax"}, "there is no search 'minmax'; did you mean minimax?"),
    ("steps", {"search": "?"}, f"there is no search '?'; there are: {', '.join(VARIANTS)}"),
    ("tree", {"depth": "0"}, "depth is a whole number from 1 to 100, not '0'"),
    ("tree", {"most": "2001"}, "most is a whole number from 1 to 2000, not '2001'"),
    ("tree", {"merge": "yes"}, "merge is true or false, not 'yes'"),
    ("position", {"after": "True"}, "after is true or false, not 'True'"),
    ("explain", {"action": ""}, "action is 1 to 100 characters, not ''"),
    ("position", {"position": "5" * 2001}, f"position is 0 to 2,000 characters, not '{'5' * 24} ...'"),
    ("position", {"game": ""}, "game is 1 to 200 characters, not ''"),
    ("position", {"game": "g" * 201}, f"game is 1 to 200 characters, not '{'g' * 24} ...'"),
    ("position", {"game": "tictactoe"}, "there is no game 'tictactoe'; did you mean tic-tac-toe?"),
    ("position", {"game": "chess"}, f"there is no game 'chess'; there are: {', '.join(GAMES)}"),
    ("position", {"position": "5 5"}, "'5' cannot be played after 5; you can play 1 2 3 4 6 7 8 9"),
    ("position", {"position": "0"}, "'0' cannot be played at the start; you can play 1 2 3 4 5 6 7 8 9"),
    ("position", {"position": "1 4 2 5 3 6"}, "'6' cannot be played after 1 4 2 5 3: the game is over"),
    ("explain", {"position": "5 1", "action": "5"}, "'5' is not a move here"),
]


@pytest.mark.parametrize(("kind", "values", "said"), BAD)
def test_bad_values_are_refused_with_a_clear_message(
    client: Client, kind: str, values: dict[str, Any], said: str
) -> None:
    path = next(endpoint.path for endpoint in ENDPOINTS if endpoint.kind == kind)
    answer = client.get(path, **{"game": "tic-tac-toe", **values})
    assert answer.status == 400
    assert answer.error == said


@pytest.mark.parametrize(
    "game", ["mnk:1000,1000,3", "nim:9999999", "connect:99x99", "cube:99", "mnk:x", "nim:", "\x00"]
)
def test_invalid_and_oversized_games_are_refused(client: Client, game: str) -> None:
    answer = client.get("/api/analyse", game=game, seconds=1)
    assert answer.status == 400
    assert answer.error


@pytest.mark.parametrize(
    "position", ["XXX/XXX/XXX", "O../.../...", "X/O", "///", "...", "a" * 2000, "\x00/\x00", "5\n1"]
)
def test_invalid_positions_are_refused(client: Client, position: str) -> None:
    answer = client.get("/api/analyse", game="tic-tac-toe", position=position)
    assert answer.status == 400
    assert answer.error


def test_errors_name_no_command_line_options(client: Client) -> None:
    answer = client.get("/api/tree", game="connect-four", search="minimax", seconds=0.05)
    assert "--" not in answer.body.decode()


@pytest.mark.parametrize("path", ["/steps?game=chess", "/steps?game=tic-tac-toe&position=1+1", "/steps", "/<b>here"])
def test_errors_are_a_page_for_people_and_json_for_programs(client: Client, path: str) -> None:
    as_json = client.get(path)
    page = client.get(path, {"Accept": "text/html,*/*;q=0.8"})
    assert as_json.status == page.status in (400, 404)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert f"<p>{escape(as_json.error)}</p>" in page.body.decode()
    assert client.get("/api/analyse?game=chess", {"Accept": "text/html"}).headers["content-type"] == "application/json"


def test_the_stepper_links_back_to_the_page_it_came_from(client: Client) -> None:
    back = "game=tic-tac-toe&position=5+1&second=level-3&analyse=on"
    page = client.get("/steps", game="tic-tac-toe", position="5 1", back=back).body.decode()
    assert f'<a href="./?{escape(back)}">Back to the board</a>' in page
    assert 'href="./?&quot;&gt;' in client.get("/steps", game="tic-tac-toe", position="5 1", back='">').body.decode()


def test_after_is_refused_for_very_large_boards(client: Client) -> None:
    assert len(client.get("/api/position", game="mnk:9,9,5", after=True).json()["after"]) == 81
    refused = client.get("/api/position", game="mnk:19,19,5", after=True)
    assert refused.status == 400
    assert refused.error == "there are too many actions, 361, to show where each leads on so large a board"


def test_steps_that_ran_out_of_time_are_not_cacheable(client: Client) -> None:
    """On a busy machine there may not even be time for a page, and 400 says so."""
    short = client.get("/steps", game="ultimate", seconds="0.5")
    assert short.status in (200, 400)
    assert (short.headers["cache-control"], "etag" in short.headers) == ("no-store", False)


@pytest.mark.parametrize(
    ("accepted", "zipped"), [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0", False), ("br", False), ("", False)]
)
def test_responses_are_compressed_if_the_client_accepts_gzip(client: Client, accepted: str, zipped: bool) -> None:
    for path in ("/", "/steps?game=tic-tac-toe&position=5+1+3+7"):
        answer = client.get(path, {"Accept-Encoding": accepted})
        assert (answer.headers.get("content-encoding") == "gzip") is zipped


def test_errors_name_parameters_instead_of_command_line_options() -> None:
    """Without the server, so that there is no limit of time."""
    refused = Handlers().answer("tree", asked("tree", "connect-four", search="minimax").values)
    assert json.loads(refused.body)["error"].endswith("choose a later position or another search: search=alphabeta")
