"""The page in a real browser: whole games by mouse, keyboard and touch, and the state in the address."""

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route, ViewportSize, expect

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.skins import skin_of
from tests.web.conftest import watch
from tests.web.game_page import GamePage
from tests.web.serving import Server

EXAMPLES = [
    pytest.param(example, marks=[pytest.mark.long] * (number > 0))
    for entry in GAMES.values()
    for number, example in enumerate(entry.examples)
]
"""One example of each game in the usual run, and all of them in the long one."""


@pytest.fixture
def game_page(page: Page) -> GamePage:
    return GamePage(page)


@pytest.fixture
def phone(browser: Browser, server: Server, trouble: list[str]) -> Iterator[BrowserContext]:
    """A small touch screen."""
    screen = ViewportSize(width=320, height=568)
    context = browser.new_context(base_url=server.url, viewport=screen, has_touch=True, is_mobile=True)
    watch(context, server.url, trouble)
    yield context
    context.close()
    assert trouble == []


def ended(game: str, position: str) -> tuple[bool, int]:
    """Return whether a game is over, and its utility if it is."""
    rules = noughts.load(game)
    state = noughts.replay(rules, position)
    over = rules.terminal(state)
    return over, rules.utility(state) if over else 0


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_by_mouse_against_the_unbeatable_computer(game_page: GamePage, seed: int) -> None:
    chance = random.Random(seed)
    game_page.open()
    assert game_page.find("title").inner_text() == "Tic-tac-toe"
    assert game_page.status == "Your turn (X)"
    moves = 0
    while game_page.free:
        game_page.cell(chance.choice(game_page.free)).click()
        moves += 2
        game_page.answered(moves)
    over, utility = ended("tic-tac-toe", game_page.position)
    assert over
    assert utility <= 0
    assert game_page.status == ("The computer wins." if utility else "A draw.")
    assert game_page.find("announcement").inner_text().rstrip("\u00a0").endswith(game_page.status), (
        "it is announced too"
    )


def test_a_won_game_has_its_line_drawn(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "")
    for count, name in enumerate("14253", 1):
        game_page.cell(name).click()
        game_page.after(count)
    assert game_page.status == "X wins."
    assert game_page.page.locator('[role="gridcell"].lit').count() == 3
    lines = game_page.page.locator("svg.strike line")
    assert lines.count() == 1
    ends = [float(lines.first.get_attribute(name) or "nan") for name in ("x1", "y1", "x2", "y2")]
    boxes = [game_page.cell(name).bounding_box() for name in "13"]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert ends[1] == pytest.approx(ends[3], abs=1), "the line is horizontal"
    assert ends[2] - ends[0] >= boxes[1]["x"] - boxes[0]["x"], "and reaches from the first cell to the last"
    game_page.cell("9").click()
    expect(game_page.find("note")).to_have_text("The game is over: X wins.")
    assert game_page.position == "1 4 2 5 3"


def test_a_whole_game_by_keyboard_alone(game_page: GamePage) -> None:
    """Tab reaches the board once; arrows, Home and End move inside it; Enter and Space play."""
    game_page.open()
    keys = game_page.page.keyboard
    for _ in range(40):
        keys.press("Tab")
        if game_page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    assert game_page.evaluate("document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1
    here = "document.activeElement.dataset.name"
    assert game_page.evaluate(here) == "1"
    for key, name in [
        *(("End", "3"), ("ArrowDown", "6"), ("Home", "4"), ("ArrowUp", "1"), ("ArrowUp", "1"), ("ArrowLeft", "1")),
        *(("Control+End", "9"), ("ArrowRight", "9"), ("Control+Home", "1"), ("PageDown", "7"), ("PageUp", "1")),
    ]:
        keys.press(key)
        assert game_page.evaluate(here) == name, key
    moves = 0
    while game_page.free:
        target = int(game_page.free[0])
        row, column = divmod(target - 1, 3)
        keys.press("Control+Home")
        for key, count in (("ArrowDown", row), ("ArrowRight", column)):
            for _ in range(count):
                keys.press(key)
        assert game_page.evaluate(here) == str(target)
        keys.press("Enter" if moves % 4 else "Space")
        moves += 2
        game_page.answered(moves)
        assert game_page.evaluate(here) == str(target), "the focus stays where it was"
    over, utility = ended("tic-tac-toe", game_page.position)
    assert over
    assert utility <= 0
    keys.press("Tab")
    assert game_page.evaluate("document.activeElement.getAttribute('role')") != "gridcell", "one tab stop"


def test_a_whole_game_by_touch_on_a_phone(phone: BrowserContext) -> None:
    game_page = GamePage(phone.new_page())
    game_page.open("connect:4x3,3", "", first="human", second="human")
    assert game_page.evaluate("document.documentElement.scrollWidth") <= 320, "nothing overflows"
    rules = noughts.load("connect:4x3,3")
    for count, column in enumerate("221134", 1):
        cells = game_page.page.locator(f'[role="gridcell"][data-actions="{column}"]')
        box = cells.first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, "large enough for a finger"
        cells.first.tap()
        game_page.after(count)
        if rules.terminal(noughts.replay(rules, game_page.position)):
            break
    else:
        pytest.fail("the game should be over")
    assert game_page.status in ("Red wins.", "Yellow wins.")


@pytest.mark.parametrize("game", EXAMPLES)
def test_every_game_can_be_played(game_page: GamePage, game: str) -> None:
    """Some moves by mouse: exactly the legal moves can be clicked, and the board follows the rules."""
    chance = random.Random(game)
    rules = noughts.load(game)
    offers = resolve(rules)
    game_page.open(game, "", first="human", second="human")
    state = rules.initial()
    for count in range(1, 5):
        if rules.terminal(state):
            break
        legal = {offers.action_name(action): action for action in rules.actions(state)}
        buttons = game_page.page.locator("#actions button")
        pressed = [each.get_attribute("data-actions") for each in buttons.all()]
        assert {*game_page.free, *pressed} == set(legal)
        name = chance.choice(list(legal))
        click(game_page, name)
        game_page.after(count)
        state = rules.result(state, legal[name])
    board = offers.board
    if board is None:
        assert (game_page.find("drawing").text_content() or "").strip() == offers.draw(state).strip()
    else:
        marks = [cell.mark for row in board(state) for cell in row if not cell.gap]
        spoken = [each.get_attribute("aria-label") or "" for each in game_page.page.locator('[role="gridcell"]').all()]
        called = skin_of(game, len(board(state)[0])).players
        assert [called.get(mark, mark) or "empty" for mark in marks] == [marked(said) for said in spoken]
    assert noughts.replay(rules, game_page.position) == state


def click(game_page: GamePage, name: str) -> None:
    """Play an action by mouse, on a cell or on a button."""
    cells = game_page.page.locator(f'[role="gridcell"][data-actions~="{name}"]')
    if not cells.count():
        game_page.page.locator(f'#actions button[data-actions="{name}"]').click()
        return
    several = (cells.first.get_attribute("data-actions") or "").split(" ")
    cells.first.click()
    if len(several) > 1:
        game_page.page.locator(f'#choose-move-actions button[data-actions="{name}"]').click()


def marked(spoken: str) -> str:
    """Return the mark in a cell's accessible name, which follows the cell's name or its row and column."""
    parts = spoken.split(", ")
    return parts[2] if parts[0].startswith("row ") else parts[1]


def test_the_address_holds_the_whole_state(game_page: GamePage, context: BrowserContext) -> None:
    game_page.open("connect:4x3,3", "2 2", first="human", second="human", analyse="on", view="first")
    click(game_page, "3")
    game_page.after(3)
    address, labels, status = game_page.page.url, game_page.labels, game_page.status
    assert game_page.address == {"game": "connect:4x3,3", "position": "2 2 3", "analyse": "on", "view": "first"}
    game_page.page.reload()
    game_page.settled()
    assert (game_page.page.url, game_page.labels, game_page.status) == (address, labels, status)
    other = GamePage(context.new_page())
    other.page.goto(address)
    other.settled()
    assert (other.labels, other.status) == (labels, status)


def test_browser_history_and_undo_and_redo(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "", second="perfect")
    for count, name in ((2, "5"), (4, "2")):
        game_page.cell(name).click()
        game_page.after(count)
    four = game_page.position
    game_page.page.go_back()
    game_page.after(2)
    two = game_page.position
    assert four.startswith(f"{two} 2 "), "back leads to the person's last turn"
    game_page.page.go_back()
    game_page.after(0)
    game_page.page.go_forward()
    game_page.page.go_forward()
    game_page.after(4)
    assert game_page.position == four
    game_page.find("undo").click()
    game_page.after(2)
    assert game_page.address["then"].split() == four.split()[2:], "undone moves are in the address"
    game_page.page.reload()
    game_page.settled()
    game_page.find("redo").click()
    game_page.after(4)
    assert (game_page.position, "then" in game_page.address) == (four, False)
    game_page.find("first").click()
    game_page.after(0)
    game_page.find("last").click()
    game_page.after(4)
    assert game_page.position == four
    game_page.page.locator("#moves button").nth(1).click()
    game_page.after(1)
    assert game_page.page.locator("#moves [aria-current]").inner_text().split() == ["1.", "X", "5"]
    game_page.find("undo").click()
    game_page.after(0)
    game_page.cell("1").click()
    game_page.after(2)
    assert game_page.position.startswith("1 ")
    assert "then" not in game_page.address, "a new move discards undone ones"


def test_keys_do_what_buttons_do(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3", first="human", second="human")
    keys = game_page.page.keyboard
    for key, count in (("ArrowLeft", 2), ("u", 1), ("ArrowRight", 2), ("Home", 0), ("End", 3)):
        keys.press(key)
        game_page.after(count)
    keys.press("a")
    game_page.page.wait_for_selector("#board .label")
    game_page.settled()
    expect(game_page.page.locator('#board .label[data-action="7"]')).to_have_text("D")
    keys.press("h")
    expect(game_page.find("note")).to_have_text("Hint: O draws, with 7.")
    assert game_page.page.locator('[role="gridcell"].hint').get_attribute("data-name") == "7"
    keys.press("?")
    expect(game_page.page.locator("dialog[open]")).to_contain_text("Keys")
    keys.press("Escape")
    expect(game_page.page.locator("dialog[open]")).to_have_count(0)
    game_page.open("tic-tac-toe", "5 1 3", first="human", second="human")  # the dialog takes a while to give keys back
    keys.press("n")
    game_page.after(0)


def test_letter_keys_can_be_turned_off(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3", first="human", second="human")
    game_page.find("help").click()
    game_page.page.locator("dialog[open] input[type=checkbox]").uncheck()
    game_page.page.keyboard.press("Escape")
    expect(game_page.page.locator("dialog[open]")).to_have_count(0)
    game_page.page.keyboard.press("u")
    game_page.page.keyboard.press("ArrowLeft")
    game_page.after(2)


def test_moves_can_be_typed(game_page: GamePage, trouble: list[str]) -> None:
    game_page.open("mnk:4,4,4", "", first="human", second="human")
    game_page.menu()
    field = game_page.find("type-move")
    field.fill("b2")
    field.press("Enter")
    game_page.after(1)
    assert game_page.position == "b2"
    field.fill("b2")
    field.press("Enter")
    expect(game_page.find("type-error")).to_contain_text("'b2' cannot be played after b2; you can play a1 b1")
    trouble[:] = [each for each in trouble if "status of 400" not in each]  # the browser logs it too
    field.fill("7")  # cells can be named by number too
    field.press("Enter")
    game_page.after(2)
    assert game_page.position == "b2 c2"
    assert game_page.find("type-error").inner_text() == ""


@pytest.mark.parametrize(
    ("game", "position", "word"),
    [
        *(("connect-four", "4", "44"), ("connect-four", "", "44"), ("tic-tac-toe", "5", "1 3"), ("nim:3,4", "", "1,2")),
        *(("tic-tac-toe", "", "O.X/.X./..."), ("tic-tac-toe", "", "X........"), ("mnk:4,4,4", "b2", "a1|b1")),
    ],
)
def test_only_one_move_at_a_time_can_be_typed(
    game_page: GamePage, trouble: list[str], game: str, position: str, word: str
) -> None:
    game_page.open(game, position)
    game_page.menu()
    game_page.find("type-move").fill(word)
    game_page.find("type-move").press("Enter")
    expect(game_page.find("type-error")).not_to_have_text("")
    game_page.settled()
    assert game_page.position == position
    trouble[:] = [each for each in trouble if "status of 400" not in each]
    game_page.page.locator("#actions button, .cell.free").first.click()
    game_page.after(len(position.split()) + 1)
    expect(game_page.find("type-error")).to_have_text("")


def test_two_computers_play_each_other_and_can_be_paused(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "", first="perfect", second="perfect")
    game_page.page.wait_for_function("() => !document.querySelector('[role=gridcell].free')")
    game_page.settled()
    assert game_page.status == "A draw."
    game_page.find("new").click()
    game_page.page.wait_for_function("() => new URLSearchParams(location.search).get('position').includes(' ')")
    game_page.find("pause").click()
    game_page.settled()
    stopped = game_page.position
    assert game_page.address["pause"] == "on"
    game_page.find("pause").click()
    game_page.page.wait_for_function("() => !document.querySelector('[role=gridcell].free')")
    assert game_page.position.startswith(stopped)


def test_sides_can_be_swapped_and_players_changed(game_page: GamePage) -> None:
    game_page.open()
    game_page.find("swap").click()
    game_page.after(1)
    assert (game_page.address["first"], game_page.status) == ("perfect", "Your turn (O)")
    game_page.find("first-player").select_option("human")
    game_page.find("second-player").select_option("level-3")
    game_page.after(2)
    assert game_page.address["second"] == "level-3"


def test_the_time_to_think_can_be_chosen(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "", second="perfect")
    assert game_page.find("think").input_value() == "1"
    game_page.find("think").select_option("3")
    game_page.settled()
    assert game_page.address["think"] == "3"
    with game_page.page.expect_request(lambda request: "/api/move" in request.url) as asked:
        game_page.cell("5").click()
    assert "seconds=3" in asked.value.url
    game_page.after(2)
    game_page.page.reload()
    game_page.settled()
    assert game_page.find("think").input_value() == "3"


def test_another_game_can_be_chosen_or_typed(game_page: GamePage) -> None:
    game_page.home()
    game_page.page.get_by_role("link", name="Connect Four four in a row").click()
    game_page.page.wait_for_selector('[role="gridcell"]')
    game_page.settled()
    assert (game_page.find("title").inner_text(), game_page.page.locator('[role="gridcell"]').count()) == (
        "Connect Four",
        42,
    )
    game_page.find("games").click()
    game_page.find("game-notation").fill("mnk:5,3,3")
    game_page.find("game-notation").press("Enter")
    game_page.page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 15")
    assert game_page.address["game"] == "mnk:5,3,3"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "tic-tac-toe", "position": "5 5"}, "'5' cannot be played after 5"),
        ({"game": "tic-tac-toe", "position": "5", "second": "god"}, "There is no player “god”"),
    ],
)
def test_a_wrong_address_shows_what_is_wrong(
    game_page: GamePage, trouble: list[str], query: dict[str, str], said: str
) -> None:
    game_page.open(**query)
    expect(game_page.find("failure-text")).to_contain_text(said)
    expect(game_page.find("title")).to_have_text("Page not found")
    expect(game_page.find("try-again")).to_be_hidden()
    trouble[:] = [each for each in trouble if "status of 400" not in each]  # the browser logs it too
    game_page.page.locator("#failure").get_by_role("link", name="All games").click()
    game_page.page.get_by_role("link", name="Tic-tac-toe three in a row").click()
    game_page.page.wait_for_selector('[role="gridcell"]')
    game_page.settled()
    assert game_page.status == "Your turn (X)"


def test_a_lost_server_is_reported(game_page: GamePage, context: BrowserContext, trouble: list[str]) -> None:
    game_page.open("tic-tac-toe", "", first="human", second="human")
    context.set_offline(True)
    game_page.cell("5").click()
    expect(game_page.find("alert")).to_contain_text("cannot be reached")
    for tab, button, place in (
        *(("play", "help", "alert"), ("play", "hint", "note")),
        *(("analyse", "explain", "explanation"), ("learn", "explore", "tree")),
    ):
        game_page.find(f"tab-{tab}").click()
        game_page.find(button).click()
        expect(game_page.find(place)).to_contain_text("The server cannot be reached. Is it still running?")
    game_page.settled()
    context.set_offline(False)
    trouble[:] = [each for each in trouble if "ERR_INTERNET_DISCONNECTED" not in each]
    game_page.cell("5").click()
    game_page.after(1)
    expect(game_page.page.locator('#tree [aria-level="2"]').first).to_be_visible()
    game_page.find("tab-analyse").click()
    expect(game_page.page.locator("#explanation li").first).to_be_visible()
    game_page.find("help").click()
    expect(game_page.page.locator("dialog[open]")).to_contain_text("Keys")


def test_a_page_that_could_not_reach_the_server_can_be_retried(game_page: GamePage, trouble: list[str]) -> None:
    game_page.page.route("**/api/games*", lambda route: route.abort())
    game_page.open("tic-tac-toe", "5")
    expect(game_page.find("title")).to_have_text("The server cannot be reached")
    trouble[:] = [each for each in trouble if "ERR_FAILED" not in each]
    game_page.page.unroute("**/api/games*")
    game_page.find("try-again").click()
    expect(game_page.find("status")).to_have_text("O to move")


BUSY = {"status": 503, "headers": {"Retry-After": "10"}, "json": {"error": "too busy: please ask again"}}


def test_requests_to_a_busy_server_are_retried(game_page: GamePage, trouble: list[str]) -> None:
    game_page.page.clock.install()
    game_page.open("tic-tac-toe", "", first="human", second="human")
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(**BUSY)  # type: ignore[arg-type]

    game_page.page.route("**/api/position*", refuse)
    game_page.cell("5").click()
    expect(game_page.find("busy")).to_have_text("The server is busy. Trying again …")
    game_page.page.unroute("**/api/position*")
    game_page.page.clock.fast_forward(10_000)
    game_page.after(1)
    expect(game_page.find("busy")).to_have_text("")
    game_page.page.route("**/api/position*", refuse)
    game_page.cell("1").click()
    for count in range(2, 5):
        while len(refused) < count:
            game_page.page.wait_for_timeout(10)
        expect(game_page.find("busy")).to_have_text("The server is busy. Trying again …")
        game_page.page.clock.fast_forward(10_000)
    expect(game_page.find("alert")).to_have_text("Too busy: please ask again")
    expect(game_page.find("busy")).to_have_text("")
    game_page.settled()
    assert game_page.position == "5"
    game_page.page.unroute("**/api/position*")
    game_page.cell("1").click()
    game_page.after(2)
    trouble[:] = [each for each in trouble if "status of 503" not in each]


def test_a_server_that_never_answers_is_reported(game_page: GamePage) -> None:
    game_page.page.add_init_script("""
      const timeout = AbortSignal.timeout;
      AbortSignal.timeout = () => timeout.call(AbortSignal, window.patience ?? 60_000);""")
    game_page.open("tic-tac-toe", "", first="human", second="human")
    game_page.evaluate("window.patience = 100")
    game_page.page.route("**/api/position*", lambda route: None)
    game_page.cell("5").click()
    expect(game_page.find("alert")).to_have_text("The server took too long to answer. Please try again.")
    game_page.settled()
    game_page.evaluate("window.patience = 60_000")
    game_page.page.unroute("**/api/position*")
    game_page.cell("5").click()
    game_page.after(1)


def test_a_refused_stream_is_retried(game_page: GamePage) -> None:
    refused: list[str] = []

    def refuse(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        told = json.dumps({"error": "too busy", "status": 503})
        route.fulfill(content_type="text/event-stream", body=f"event: error\ndata: {told}\n\n")

    game_page.page.clock.install()
    game_page.page.route("**/api/analyse?*", refuse)
    game_page.page.goto("/?game=tic-tac-toe&position=5+1+3&analyse=on")
    expect(game_page.find("busy")).to_have_text("The server is busy. Trying again …")
    game_page.page.clock.fast_forward(2_000)
    expect(game_page.find("sentence")).to_have_text("O draws, with 7.")
    expect(game_page.find("busy")).to_have_text("")


def test_the_list_of_moves_follows_the_game(game_page: GamePage) -> None:
    game_page.open("mnk:7,7,7", " ".join(f"{'abcdefg'[count % 7]}{count // 7 + 1}" for count in range(25)))
    shown = """() => {
      const list = document.getElementById("moves").getBoundingClientRect();
      const move = document.querySelector("#moves [aria-current]").getBoundingClientRect();
      return list.height > 0 && move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
    }"""
    assert game_page.evaluate(
        "document.getElementById('moves').scrollHeight > document.getElementById('moves').clientHeight"
    )
    assert game_page.evaluate(shown)
    top = game_page.evaluate("window.scrollY")
    for button, count in (("first", 0), ("last", 25), ("undo", 24)):
        game_page.find(button).click()
        game_page.after(count)
        assert game_page.evaluate(shown), button
    middle = game_page.page.locator("#moves button").nth(12)
    middle.click()
    game_page.after(12)
    assert game_page.evaluate(shown)
    expect(game_page.page.locator("#moves button").nth(12)).to_be_focused()
    assert top == 0


def test_a_held_key_adds_one_entry_to_the_history(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3 7 4 6", first="human", second="human")
    steps = game_page.evaluate("history.length")
    game_page.page.keyboard.down("ArrowLeft")
    game_page.after(5)
    for count in (4, 3, 2):
        game_page.page.keyboard.down("ArrowLeft")  # again without release: the key is held
        game_page.after(count)
    game_page.page.keyboard.up("ArrowLeft")
    assert game_page.evaluate("history.length") == steps + 1
    game_page.find("new").click()
    game_page.after(0)
    game_page.find("new").click()
    game_page.settled()
    assert game_page.evaluate("history.length") == steps + 2, "the same address is not pushed twice"


def test_the_move_dialog_closes_when_the_position_changes(game_page: GamePage) -> None:
    game_page.open("wild", "", first="human", second="human")
    click(game_page, "5x")
    game_page.after(1)
    game_page.cell("1").click()
    expect(game_page.find("choose-move")).to_be_visible()
    game_page.page.go_back()
    game_page.after(0)
    expect(game_page.find("choose-move")).to_be_hidden()


def test_game_names_are_case_insensitive(game_page: GamePage) -> None:
    game_page.open("TIC-TAC-TOE", "5", analyse="1")
    assert (game_page.address["game"], game_page.address["analyse"]) == ("tic-tac-toe", "on")
    assert game_page.find("summary").inner_text() == "three in a row on 3 x 3"
    assert game_page.page.title() == "Tic-tac-toe, move 1 · noughts"


def test_there_is_no_hint_on_the_computers_turn(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5", second="perfect", pause="on")
    expect(game_page.find("hint")).to_be_disabled()
    game_page.page.keyboard.press("h")
    expect(game_page.find("note")).to_contain_text("Press “Play on” to let it.")


@pytest.mark.parametrize(
    ("game", "position", "lines"),
    [("mnk:3,3,2", "a1 c3 b1", 1), ("mnk:4,4,3,torus", "a1 b3 b1 c3 d1", 0), ("mnk:4,4,3,torus", "a1 b3 b1 c3 c1", 1)],
)
def test_winning_lines_are_drawn_where_they_are_straight(
    game_page: GamePage, game: str, position: str, lines: int
) -> None:
    game_page.open(game, position)
    assert game_page.status == "X wins."
    assert game_page.page.locator("svg.strike line").count() == lines


def test_the_first_page_is_small(game_page: GamePage) -> None:
    """The uncompressed size of everything loaded until the page can be used."""
    sizes: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if not response.url.endswith("/skins.json"):  # what the boards look like
            sizes[response.url] = len(response.body())

    game_page.page.on("response", weigh)
    game_page.open()
    game_page.page.wait_for_load_state("networkidle")
    assert len(sizes) > 5
    assert sum(sizes.values()) < 120 * 1024, sizes


def test_animations_respect_reduced_motion(game_page: GamePage) -> None:
    moving = """[...document.querySelectorAll("*")].filter((each) => {
      const style = getComputedStyle(each);
      const long = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
      return (style.animationName !== "none" && long(style.animationDuration)) ||
        (style.transitionProperty !== "none" && long(style.transitionDuration));
    }).length"""
    for wish, moves in (("no-preference", True), ("reduce", False)):
        game_page.page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
        game_page.open("tic-tac-toe", "1 4 2 5", first="human", second="human")
        game_page.cell("3").click()
        game_page.after(5)
        assert (game_page.evaluate(moving) > 0) is moves, wish


def test_only_the_board_and_the_moves_are_printed(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3", analyse="on")
    game_page.page.emulate_media(media="print")
    assert all(
        not each.is_visible()
        for each in game_page.page.locator("button:not(:is(#moves, #history, #best-line) button)").all()
    )
    assert not game_page.find("type-move").is_visible()
    assert game_page.cell("7").is_visible()
    assert game_page.find("moves").is_visible()
    assert game_page.find("sentence").is_visible()
