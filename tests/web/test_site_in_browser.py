"""The static site in a browser: it plays, analyses and works offline, with nothing behind it but a file server."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.notation import load
from noughts.site.asking import start
from tests.web.game_page import GamePage
from tests.web.serving import Server
from tests.web.static_site import ask, hosted, until_offline, until_true, visiting, write


@pytest.fixture(scope="module")
def folder(noughts_command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(noughts_command, tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with hosted(folder) as url:
        yield url


@pytest.fixture
def visit(browser: Browser, url: str, trouble: list[str]) -> Iterator[BrowserContext]:
    with visiting(browser, url, trouble) as context:
        yield context


@pytest.fixture
def page(visit: BrowserContext) -> Page:
    return visit.new_page()


def test_play_begins_before_python_is_there_and_goes_on_with_it(page: Page) -> None:
    """The first answers are precomputed; here Python comes only after two moves of each side."""
    waiting: list[Route] = []
    page.route(re.compile(r"/engine/"), lambda route: waiting.append(route))
    game = GamePage(page)
    game.open()
    expect(page.locator("#loading-python progress")).to_be_visible()
    for moves, cell in ((2, "5"), (4, None)):
        game.cell(cell or game.free[0]).click()
        game.answered(moves)
    assert len(waiting) > 0
    for route in waiting:
        route.continue_()
    game.tab("analyse")
    expect(page.locator("#sentence")).to_contain_text(re.compile("draw|win|lose"))
    game.settled()
    assert set(game.labels) == set(game.free)
    expect(page.locator("#loading-python")).to_have_count(0)


def test_the_home_page_shows_every_game_before_python_is_there(page: Page, trouble: list[str]) -> None:
    page.route(re.compile(r"/engine/"), lambda route: route.abort())
    page.goto("/")
    GamePage(page).settled()
    pictures = page.locator(".thumbnail img")
    expect(pictures).to_have_count(len(GAMES))
    for number in range(len(GAMES)):
        pictures.nth(number).scroll_into_view_if_needed()
        until_true(page, f"document.querySelectorAll('.thumbnail img')[{number}].naturalWidth > 0")
    assert not [each for each in trouble if "policy" in each]
    page.get_by_role("link", name="Your own game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your own game")
    trouble.clear()  # there was no Python


def test_boards_and_games_are_saved(page: Page) -> None:
    game = GamePage(page)
    game.open("connect-four", "4 4 3")
    assert "--skin-hole" in (game.find("first-piece").get_attribute("style") or ""), "it has its skin"
    saved = {}
    for item in ("download-svg", "download-png", "save-game"):
        game.menu()
        with page.expect_download() as download:
            game.find(item).click()
        saved[download.value.suggested_filename] = Path(download.value.path()).read_bytes()
    assert saved["connect-four.svg"].decode() == start()("/api/board.svg", "game=connect-four&position=4+4+3", None)[1]
    assert saved["connect-four.png"].startswith(b"\x89PNG")
    assert int.from_bytes(saved["connect-four.png"][16:20], "big") == 1200
    assert b"1. 4 4" in saved["connect-four.txt"]
    game.menu()
    game.page.get_by_role("link", name="Your own game").click()
    page.wait_for_url("**/own.html")


def test_it_is_at_home_in_any_folder_and_offline(browser: Browser, folder: Path, trouble: list[str]) -> None:
    """Below a path, as most static hosts have it. The second visit finds no server at all."""
    with hosted(folder.parent) as host, visiting(browser, f"{host}/{folder.name}", trouble) as context:
        page = context.new_page()
        page.goto(f"{host}/{folder.name}/")
        GamePage(page).settled()
        until_offline(page)
        context.set_offline(True)
        page.goto(f"{host}/{folder.name}/?game=nim:1,2&position=&analyse=on")
        GamePage(page).settled()
        expect(page.locator("#sentence")).to_contain_text("win")
        page.goto(f"{host}/{folder.name}/steps.html?game=tic-tac-toe&position=5+1+3+7+4&search=minimax")
        expect(page.get_by_role("heading", level=1)).to_have_text("Tic-tac-toe after 5 1 3 7 4")
        page.get_by_role("link", name="Back to the board").click()
        GamePage(page).settled()
        assert GamePage(page).position == "5 1 3 7 4"


QUESTIONS = [
    ("/api/games", {}),
    ("/api/position", {"game": "tic-tac-toe", "position": "5 1", "after": "true"}),
    ("/api/position", {"game": "Connect-Four ", "position": "4453"}),
    ("/api/explain", {"game": "tic-tac-toe", "position": "5 1 3", "action": "9"}),
    ("/api/move", {"game": "nim:3,4,5", "player": "easy", "seed": "7"}),
    ("/api/tree", {"game": "tic-tac-toe", "position": "5 1 3 7 4"}),
    ("/api/record", {"game": "tic-tac-toe", "position": "5 1 3", "first": "human"}),
    ("/api/review", {"game": "tic-tac-toe", "position": "5 2 1 9"}),
    ("/api/position", {"game": "chess"}),
    ("/api/position", {"game": "tic-tac-toe", "position": "5 5"}),
    ("/api/analyse", {"game": "tic-tac-toe", "seconds": "-1"}),
    ("/api/move", {"game": "tic-tac-toe", "position": "1 2 3", "player": "perfekt"}),
]


def without_effort(text: str) -> object:
    """Return an answer without what it took to find it."""
    return json.loads(text, object_hook=lambda found: {name: found[name] for name in found.keys() - EFFORT})


EFFORT = {"seconds", "nodes", "method", "depth", "line"}
"""Native search, which the browser does not have, may end at another of several best lines."""


def same_answer(page: Page, server: Server, path: str, **values: str) -> None:
    query = urlencode(values)
    status, text = ask(page, f"{path[1:]}?{query}" if query else path[1:])
    with server.client() as client:  # a new one, since the server closes idle ones
        served = client.get(path, None, **values)
    assert status == served.status, text
    assert without_effort(text) == without_effort(served.body.decode()), (path, values)


def test_answers_are_those_of_the_server(page: Page, server: Server) -> None:
    page.goto("/")
    for path, values in QUESTIONS:
        same_answer(page, server, path, **values)
    path = "api/board.svg?game=reversi:4&position="
    with server.client() as client:
        assert ask(page, path) == (200, client.get("/api/board.svg", None, game="reversi:4", position="").body.decode())
    status, text = ask(page, "api/analyse?game=mnk:4,4,4&position=&seconds=3", Accept="text/event-stream")
    assert status == 200
    assert text.startswith("event: progress\n")
    answer = re.fullmatch(r"event: answer\ndata: (.*)\n\n", text[text.rindex("event:") :])
    assert answer is not None
    assert json.loads(answer[1])["game"] == "mnk:4,4,4"


def some_position(name: str, chance: Random) -> str:
    """Return up to eight moves by chance, as a text."""
    game = resolve(load(name))
    state, moves = game.initial(), []
    for _ in range(chance.randrange(9)):
        if not game.terminal(state):
            action = chance.choice(list(game.actions(state)))
            moves.append(game.action_name(action))
            state = game.result(state, action)
    return " ".join(moves)


@pytest.mark.long
@pytest.mark.parametrize("game", ["tic-tac-toe", "misere", "mnk:3,3,3", "connect:3x3,3", "nim:3,4,5", "notakto"])
def test_two_hundred_positions_are_answered_as_the_server_does(page: Page, server: Server, game: str) -> None:
    """34 of each of 6 games, reached by moves that a seed chooses: the board, the values and the reasons."""
    chance = Random(game)
    page.goto("/")
    asked: set[str] = set()
    while len(asked) < 34:
        position = some_position(game, chance)
        if position in asked:
            continue
        asked.add(position)
        same_answer(page, server, "/api/position", game=game, position=position, after="true")
        same_answer(page, server, "/api/analyse", game=game, position=position)
        same_answer(page, server, "/api/explain", game=game, position=position)


def test_cancelling_a_search_ends_its_worker_and_the_next_is_ready(page: Page) -> None:
    page.goto("/")
    found = page.evaluate(
        """async () => {
          const { ask } = await import("./site/connection.js");
          await (await ask("api/position?game=nim:2&position=", {})).text();
          let ended = 0;
          const { terminate } = Worker.prototype;
          Worker.prototype.terminate = function end() {
            ended += 1;
            terminate.call(this);
          };
          const cancel = new AbortController();
          const search = ask("api/analyse?game=reversi:8&position=&seconds=10", { signal: cancel.signal });
          await new Promise((resolve) => setTimeout(resolve, 200));
          cancel.abort();
          const problem = await search.then(() => "answered", (error) => error.name);
          const next = await ask("api/analyse?game=tic-tac-toe&position=5+1+3", {});
          const { value } = await next.json();
          while (!ended) await new Promise((resolve) => setTimeout(resolve, 20));
          return [problem, value, ended];
        }"""
    )
    assert found == ["AbortError", "draw", 1]


@pytest.mark.long
def test_a_page_of_another_site_may_embed_it(browser: Browser, url: str, trouble: list[str], tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        f'<!doctype html><link rel="icon" href="data:,">'
        f'<iframe width="900" height="900" src="{url}/?game=tic-tac-toe"></iframe>'
    )
    with hosted(tmp_path) as course, visiting(browser, url, trouble) as context:
        page = context.new_page()
        page.goto(course)
        frame = page.frame_locator("iframe")
        frame.locator('[role="gridcell"][data-name="5"]').click()
        expect(frame.locator("#moves")).to_contain_text("O 1")
        frame.locator("#tab-analyse").click()
        expect(frame.locator("#sentence")).to_contain_text("draw")
        assert [each for each in trouble if course not in each] == []
        trouble.clear()


@pytest.mark.long
def test_a_new_version_replaces_the_copies_of_the_old_one(
    browser: Browser, folder: Path, trouble: list[str], tmp_path: Path
) -> None:
    """The old version is kept whole until its last page is closed; then the new one is."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    with hosted(copy) as url, visiting(browser, url, trouble) as context:
        page = context.new_page()
        page.goto("/")
        until_offline(page)
        (old,) = page.evaluate("caches.keys()")
        for name in ("index.html", "steps.html", "own.html", "service.js"):
            text = (copy / name).read_text(encoding="utf-8")
            (copy / name).write_text(text.replace(old.rpartition(" ")[2], "newer"), encoding="utf-8")
        page.goto("/")
        until_true(page, "(await caches.keys()).length === 2")
        assert old.rpartition(" ")[2] in page.content(), "both would be mixed otherwise"
        until_true(page, "(await navigator.serviceWorker.getRegistration()).waiting !== null")
        page.close()
        page = context.new_page()
        page.goto("/")
        until_true(page, "(await caches.keys()).length === 1")
        assert page.evaluate("caches.keys()")[0].endswith(" newer")
        assert 'content="newer"' in page.content()
