"""The page in a real browser: whole games by mouse, by keys and by touch, and the address that holds everything."""

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route, ViewportSize, expect

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from tests.web.conftest import watch
from tests.web.seat import Seat
from tests.web.serving import Server

EXAMPLES = [example for entry in GAMES.values() for example in entry.examples]


@pytest.fixture
def seat(page: Page) -> Seat:
    return Seat(page)


@pytest.fixture
def phone(browser: Browser, server: Server, trouble: list[str]) -> Iterator[BrowserContext]:
    """A small screen that is touched."""
    screen = ViewportSize(width=320, height=568)
    context = browser.new_context(base_url=server.url, viewport=screen, has_touch=True, is_mobile=True)
    watch(context, server.url, trouble)
    yield context
    context.close()
    assert trouble == []


def ended(game: str, position: str) -> tuple[bool, int]:
    """Say whether a game is over, and who has won."""
    rules = noughts.load(game)
    state = noughts.replay(rules, position)
    over = rules.terminal(state)
    return over, rules.utility(state) if over else 0


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_by_mouse_against_a_computer_that_nobody_beats(seat: Seat, seed: int) -> None:
    chance = random.Random(seed)
    seat.open()
    assert seat.find("title").inner_text() == "Tic-tac-toe"
    assert seat.status == "Your move: X"
    moves = 0
    while seat.free:
        seat.cell(chance.choice(seat.free)).click()
        moves += 2
        seat.answered(moves)
    over, utility = ended("tic-tac-toe", seat.position)
    assert over
    assert utility <= 0
    assert seat.status == ("O wins." if utility else "A draw.")
    assert seat.find("said").inner_text().rstrip("\u00a0").endswith(seat.status), "it is spoken too"


def test_a_won_game_has_its_line_drawn(seat: Seat) -> None:
    seat.open("tic-tac-toe", "")
    for count, name in enumerate("14253", 1):
        seat.cell(name).click()
        seat.after(count)
    assert seat.status == "X wins."
    assert seat.page.locator('[role="gridcell"].lit').count() == 3
    lines = seat.page.locator("svg.strike line")
    assert lines.count() == 1
    ends = [float(lines.first.get_attribute(name) or "nan") for name in ("x1", "y1", "x2", "y2")]
    boxes = [seat.cell(name).bounding_box() for name in "13"]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert ends[1] == pytest.approx(ends[3], abs=1), "the line is level"
    assert ends[2] - ends[0] >= boxes[1]["x"] - boxes[0]["x"], "and goes from the first cell to the last"
    seat.cell("9").click()
    expect(seat.find("note")).to_have_text("The game is over: X wins.")
    assert seat.position == "1 4 2 5 3"


def test_a_whole_game_by_keyboard_alone(seat: Seat) -> None:
    """Tab reaches the board once; arrows, Home and End go about in it; Enter and Space play."""
    seat.open()
    keys = seat.page.keyboard
    for _ in range(40):
        keys.press("Tab")
        if seat.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    assert seat.evaluate("document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1
    here = "document.activeElement.dataset.name"
    assert seat.evaluate(here) == "1"
    for key, name in [
        *(("End", "3"), ("ArrowDown", "6"), ("Home", "4"), ("ArrowUp", "1"), ("ArrowUp", "1"), ("ArrowLeft", "1")),
        *(("Control+End", "9"), ("ArrowRight", "9"), ("Control+Home", "1"), ("PageDown", "7"), ("PageUp", "1")),
    ]:
        keys.press(key)
        assert seat.evaluate(here) == name, key
    moves = 0
    while seat.free:
        target = int(seat.free[0])
        row, column = divmod(target - 1, 3)
        keys.press("Control+Home")
        for key, count in (("ArrowDown", row), ("ArrowRight", column)):
            for _ in range(count):
                keys.press(key)
        assert seat.evaluate(here) == str(target)
        keys.press("Enter" if moves % 4 else "Space")
        moves += 2
        seat.answered(moves)
        assert seat.evaluate(here) == str(target), "the focus stays where it was"
    over, utility = ended("tic-tac-toe", seat.position)
    assert over
    assert utility <= 0
    keys.press("Tab")
    assert seat.evaluate("document.activeElement.getAttribute('role')") != "gridcell", "one tab stop"


def test_a_whole_game_by_touch_on_a_phone(phone: BrowserContext) -> None:
    seat = Seat(phone.new_page())
    seat.open("connect:4x3,3", "", first="human", second="human")
    assert seat.evaluate("document.documentElement.scrollWidth") <= 320, "nothing sticks out"
    rules = noughts.load("connect:4x3,3")
    for count, column in enumerate("221134", 1):
        cells = seat.page.locator(f'[role="gridcell"][data-actions="{column}"]')
        box = cells.first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, "large enough for a finger"
        cells.first.tap()
        seat.after(count)
        if rules.terminal(noughts.replay(rules, seat.position)):
            break
    else:
        pytest.fail("the game should be over")
    assert seat.status in ("X wins.", "O wins.")


@pytest.mark.parametrize("game", EXAMPLES)
def test_every_game_can_be_played(seat: Seat, game: str) -> None:
    """Some moves by mouse: what can be clicked is what the rules allow, and what comes of it is what they say."""
    chance = random.Random(game)
    rules = noughts.load(game)
    offers = resolve(rules)
    seat.open(game, "", first="human", second="human")
    state = rules.initial()
    for count in range(1, 5):
        if rules.terminal(state):
            break
        legal = {offers.action_name(action): action for action in rules.actions(state)}
        buttons = seat.page.locator("#actions button")
        pressed = [each.get_attribute("data-actions") for each in buttons.all()]
        assert {*seat.free, *pressed} == set(legal)
        name = chance.choice(list(legal))
        click(seat, name)
        seat.after(count)
        state = rules.result(state, legal[name])
    board = offers.board
    if board is None:
        assert seat.find("drawing").inner_text().strip() == offers.draw(state).strip()
    else:
        marks = [cell.mark for row in board(state) for cell in row if not cell.gap]
        spoken = [each.get_attribute("aria-label") or "" for each in seat.page.locator('[role="gridcell"]').all()]
        assert [mark or "empty" for mark in marks] == [marked(said) for said in spoken]
    assert noughts.replay(rules, seat.position) == state


def click(seat: Seat, name: str) -> None:
    """Play an action by the mouse, wherever it is to be found."""
    cells = seat.page.locator(f'[role="gridcell"][data-actions~="{name}"]')
    if not cells.count():
        seat.page.locator(f'#actions button[data-actions="{name}"]').click()
        return
    several = (cells.first.get_attribute("data-actions") or "").split(" ")
    cells.first.click()
    if len(several) > 1:
        seat.page.locator(f'#which-actions button[data-actions="{name}"]').click()


def marked(spoken: str) -> str:
    """Return the mark from what is said of a cell: after its name, or after its row and its column."""
    parts = spoken.split(", ")
    return parts[2] if parts[0].startswith("row ") else parts[1]


def test_the_address_is_the_state(seat: Seat, context: BrowserContext) -> None:
    seat.open("connect:4x3,3", "2 2", first="human", second="human", analyse="on", view="first")
    click(seat, "3")
    seat.after(3)
    address, labels, status = seat.page.url, seat.labels, seat.status
    assert seat.address == {"game": "connect:4x3,3", "position": "2 2 3", "analyse": "on", "view": "first"}
    seat.page.reload()
    seat.settled()
    assert (seat.page.url, seat.labels, seat.status) == (address, labels, status)
    other = Seat(context.new_page())
    other.page.goto(address)
    other.settled()
    assert (other.labels, other.status) == (labels, status)


def test_back_and_forward_and_undo_and_redo(seat: Seat) -> None:
    seat.open("tic-tac-toe", "", second="perfect")
    for count, name in ((2, "5"), (4, "2")):
        seat.cell(name).click()
        seat.after(count)
    four = seat.position
    seat.page.go_back()
    seat.after(2)
    two = seat.position
    assert four.startswith(f"{two} 2 "), "back leads to where the person was to move"
    seat.page.go_back()
    seat.after(0)
    seat.page.go_forward()
    seat.page.go_forward()
    seat.after(4)
    assert seat.position == four
    seat.find("undo").click()
    seat.after(2)
    assert seat.address["then"].split() == four.split()[2:], "what was taken back is in the address"
    seat.page.reload()
    seat.settled()
    seat.find("redo").click()
    seat.after(4)
    assert (seat.position, "then" in seat.address) == (four, False)
    seat.find("first").click()
    seat.after(0)
    seat.find("last").click()
    seat.after(4)
    assert seat.position == four
    seat.page.locator("#moves button").nth(1).click()
    seat.after(1)
    assert seat.page.locator("#moves [aria-current]").inner_text().split() == ["1.", "X", "5"]
    seat.find("undo").click()
    seat.after(0)
    seat.cell("1").click()
    seat.after(2)
    assert seat.position.startswith("1 ")
    assert "then" not in seat.address, "a new move makes a new line"


def test_keys_do_what_buttons_do(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3", first="human", second="human")
    keys = seat.page.keyboard
    for key, count in (("ArrowLeft", 2), ("u", 1), ("ArrowRight", 2), ("Home", 0), ("End", 3)):
        keys.press(key)
        seat.after(count)
    keys.press("a")
    seat.page.wait_for_selector("#board .label")
    seat.settled()
    assert seat.labels["7"] == "D"
    keys.press("h")
    expect(seat.find("note")).to_have_text("Hint: O draws, with 7.")
    assert seat.page.locator('[role="gridcell"].hint').get_attribute("data-name") == "7"
    keys.press("?")
    expect(seat.page.locator("dialog[open]")).to_contain_text("Keys")
    keys.press("Escape")
    expect(seat.page.locator("dialog[open]")).to_have_count(0)
    keys.press("n")
    seat.after(0)


def test_letters_can_be_turned_off(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3", first="human", second="human")
    seat.find("help").click()
    seat.page.locator("dialog[open] input[type=checkbox]").uncheck()
    seat.page.keyboard.press("Escape")
    expect(seat.page.locator("dialog[open]")).to_have_count(0)
    seat.page.keyboard.press("u")
    seat.page.keyboard.press("ArrowLeft")
    seat.after(2)


def test_moves_can_be_typed(seat: Seat, trouble: list[str]) -> None:
    seat.open("mnk:4,4,4", "", first="human", second="human")
    field = seat.find("type-move")
    field.fill("b2")
    field.press("Enter")
    seat.after(1)
    assert seat.position == "b2"
    field.fill("b2")
    field.press("Enter")
    expect(seat.find("type-error")).to_contain_text("'b2' cannot be played after b2; what can: a1 b1")
    trouble[:] = [each for each in trouble if "status of 400" not in each]  # the browser tells of it, too
    field.fill("7")  # cells have numbers too
    field.press("Enter")
    seat.after(2)
    assert seat.position == "b2 c2"
    assert seat.find("type-error").inner_text() == ""


@pytest.mark.parametrize(
    ("game", "position", "word"),
    [
        *(("connect-four", "4", "44"), ("connect-four", "", "44"), ("tic-tac-toe", "5", "1 3"), ("nim:3,4", "", "1,2")),
        *(("tic-tac-toe", "", "O.X/.X./..."), ("tic-tac-toe", "", "X........"), ("mnk:4,4,4", "b2", "a1|b1")),
    ],
)
def test_one_move_at_a_time_can_be_typed(seat: Seat, trouble: list[str], game: str, position: str, word: str) -> None:
    seat.open(game, position)
    seat.find("type-move").fill(word)
    seat.find("type-move").press("Enter")
    expect(seat.find("type-error")).not_to_have_text("")
    seat.settled()
    assert seat.position == position
    trouble[:] = [each for each in trouble if "status of 400" not in each]
    seat.page.locator("#actions button, .cell.free").first.click()
    seat.after(len(position.split()) + 1)
    expect(seat.find("type-error")).to_have_text("")


def test_two_computers_play_each_other_and_can_be_stopped(seat: Seat) -> None:
    seat.open("tic-tac-toe", "", first="perfect", second="perfect")
    seat.page.wait_for_function("() => !document.querySelector('[role=gridcell].free')")
    seat.settled()
    assert seat.status == "A draw."
    seat.find("new").click()
    seat.page.wait_for_function("() => new URLSearchParams(location.search).get('position').includes(' ')")
    seat.find("pause").click()
    seat.settled()
    stopped = seat.position
    assert seat.address["pause"] == "on"
    seat.find("pause").click()
    seat.page.wait_for_function("() => !document.querySelector('[role=gridcell].free')")
    assert seat.position.startswith(stopped)


def test_who_starts(seat: Seat) -> None:
    seat.open()
    seat.find("swap").click()
    seat.after(1)
    assert (seat.address["first"], seat.status) == ("perfect", "Your move: O")
    seat.find("first-player").select_option("human")
    seat.find("second-player").select_option("easy")
    seat.after(2)
    assert seat.address["second"] == "easy"


def test_another_game(seat: Seat) -> None:
    seat.open()
    seat.find("game").select_option("connect-four")
    seat.settled()
    assert (seat.find("title").inner_text(), seat.page.locator('[role="gridcell"]').count()) == ("Connect Four", 42)
    seat.find("game-notation").fill("mnk:5,3,3")
    seat.find("game-notation").press("Enter")
    seat.page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 15")
    assert seat.address["game"] == "mnk:5,3,3"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "tic-tac-toe", "position": "5 5"}, "'5' cannot be played after 5"),
        ({"game": "tic-tac-toe", "position": "5", "second": "god"}, "There is no player “god”"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(seat: Seat, trouble: list[str], query: dict[str, str], said: str) -> None:
    seat.open(**query)
    expect(seat.find("failure-text")).to_contain_text(said)
    expect(seat.find("title")).to_have_text("This address leads nowhere")
    expect(seat.find("try-again")).to_be_hidden()
    trouble[:] = [each for each in trouble if "status of 400" not in each]  # the browser tells of it, too
    seat.page.get_by_role("link", name="Start afresh", exact=True).click()
    seat.settled()
    assert seat.status == "Your move: X"


def test_the_server_gone_is_told_in_words(seat: Seat, context: BrowserContext, trouble: list[str]) -> None:
    seat.open("tic-tac-toe", "", first="human", second="human")
    context.set_offline(True)
    seat.cell("5").click()
    expect(seat.find("alert")).to_contain_text("cannot be reached")
    for button, place in (("help", "alert"), ("hint", "note"), ("explain", "explanation"), ("explore", "tree")):
        seat.find(button).click()
        expect(seat.find(place)).to_contain_text("The server cannot be reached; is it still running?")
    seat.settled()
    context.set_offline(False)
    trouble[:] = [each for each in trouble if "ERR_INTERNET_DISCONNECTED" not in each]
    seat.cell("5").click()
    seat.after(1)
    expect(seat.page.locator("#explanation li").first).to_be_visible()
    expect(seat.page.locator('#tree [aria-level="2"]').first).to_be_visible()
    seat.find("help").click()
    expect(seat.page.locator("dialog[open]")).to_contain_text("Keys")


def test_the_server_gone_at_the_start_can_be_tried_again(seat: Seat, trouble: list[str]) -> None:
    seat.page.route("**/api/games*", lambda route: route.abort())
    seat.open("tic-tac-toe", "5")
    expect(seat.find("title")).to_have_text("The server cannot be reached")
    trouble[:] = [each for each in trouble if "ERR_FAILED" not in each]
    seat.page.unroute("**/api/games*")
    seat.find("try-again").click()
    expect(seat.find("status")).to_have_text("O to move")


BUSY = {"status": 503, "headers": {"Retry-After": "10"}, "json": {"error": "too busy: please ask again"}}


def test_a_busy_server_is_asked_again(seat: Seat, trouble: list[str]) -> None:
    seat.page.clock.install()
    seat.open("tic-tac-toe", "", first="human", second="human")
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(**BUSY)  # type: ignore[arg-type]

    seat.page.route("**/api/position*", refuse)
    seat.cell("5").click()
    expect(seat.find("busy")).to_have_text("The server is busy; trying again …")
    seat.page.unroute("**/api/position*")
    seat.page.clock.fast_forward(10_000)
    seat.after(1)
    expect(seat.find("busy")).to_have_text("")
    seat.page.route("**/api/position*", refuse)
    seat.cell("1").click()
    for count in range(2, 5):
        while len(refused) < count:
            seat.page.wait_for_timeout(10)
        expect(seat.find("busy")).to_have_text("The server is busy; trying again …")
        seat.page.clock.fast_forward(10_000)
    expect(seat.find("alert")).to_have_text("Too busy: please ask again")
    expect(seat.find("busy")).to_have_text("")
    seat.settled()
    assert seat.position == "5"
    seat.page.unroute("**/api/position*")
    seat.cell("1").click()
    seat.after(2)
    trouble[:] = [each for each in trouble if "status of 503" not in each]


def test_a_server_that_never_answers_is_told_of(seat: Seat) -> None:
    seat.page.add_init_script("""
      const timeout = AbortSignal.timeout;
      AbortSignal.timeout = () => timeout.call(AbortSignal, window.patience ?? 60_000);""")
    seat.open("tic-tac-toe", "", first="human", second="human")
    seat.evaluate("window.patience = 100")
    seat.page.route("**/api/position*", lambda route: None)
    seat.cell("5").click()
    expect(seat.find("alert")).to_have_text("The server takes too long; try again.")
    seat.settled()
    seat.evaluate("window.patience = 60_000")
    seat.page.unroute("**/api/position*")
    seat.cell("5").click()
    seat.after(1)


def test_a_stream_that_is_refused_is_asked_for_again(seat: Seat) -> None:
    refused: list[str] = []

    def refuse(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        told = json.dumps({"error": "too busy", "status": 503})
        route.fulfill(content_type="text/event-stream", body=f"event: error\ndata: {told}\n\n")

    seat.page.clock.install()
    seat.page.route("**/api/analyse?*", refuse)
    seat.page.goto("/?game=tic-tac-toe&position=5+1+3&analyse=on")
    expect(seat.find("busy")).to_have_text("The server is busy; trying again …")
    seat.page.clock.fast_forward(2_000)
    expect(seat.find("sentence")).to_have_text("O draws, with 7.")
    expect(seat.find("busy")).to_have_text("")


def test_the_list_of_moves_follows_the_game(seat: Seat) -> None:
    seat.open("mnk:7,7,7", " ".join(f"{'abcdefg'[count % 7]}{count // 7 + 1}" for count in range(25)))
    shown = """() => {
      const list = document.getElementById("moves").getBoundingClientRect();
      const move = document.querySelector("#moves [aria-current]").getBoundingClientRect();
      return list.height > 0 && move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
    }"""
    assert seat.evaluate(
        "document.getElementById('moves').scrollHeight > document.getElementById('moves').clientHeight"
    )
    assert seat.evaluate(shown)
    top = seat.evaluate("window.scrollY")
    for button, count in (("first", 0), ("last", 25), ("undo", 24)):
        seat.find(button).click()
        seat.after(count)
        assert seat.evaluate(shown), button
    middle = seat.page.locator("#moves button").nth(12)
    middle.click()
    seat.after(12)
    assert seat.evaluate(shown)
    expect(seat.page.locator("#moves button").nth(12)).to_be_focused()
    assert top == 0


def test_a_held_key_leaves_one_step_to_go_back(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3 7 4 6", first="human", second="human")
    steps = seat.evaluate("history.length")
    seat.page.keyboard.down("ArrowLeft")
    seat.after(5)
    for count in (4, 3, 2):
        seat.page.keyboard.down("ArrowLeft")  # again without going up: it is held
        seat.after(count)
    seat.page.keyboard.up("ArrowLeft")
    assert seat.evaluate("history.length") == steps + 1
    seat.find("new").click()
    seat.after(0)
    seat.find("new").click()
    seat.settled()
    assert seat.evaluate("history.length") == steps + 2, "what is there already is not put there again"


def test_a_question_about_a_board_that_is_gone_is_closed(seat: Seat) -> None:
    seat.open("wild", "", first="human", second="human")
    click(seat, "5x")
    seat.after(1)
    seat.cell("1").click()
    expect(seat.find("which")).to_be_visible()
    seat.page.go_back()
    seat.after(0)
    expect(seat.find("which")).to_be_hidden()


def test_a_game_by_its_name_in_any_case(seat: Seat) -> None:
    seat.open("TIC-TAC-TOE", "5", analyse="1")
    assert (seat.address["game"], seat.address["analyse"]) == ("tic-tac-toe", "on")
    assert seat.find("game").input_value() == "tic-tac-toe"
    assert seat.find("summary").inner_text() == "three in a row on 3 x 3"
    assert seat.page.title() == "Tic-tac-toe, move 1 · noughts"


def test_no_hint_for_a_computer(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5", second="perfect", pause="on")
    expect(seat.find("hint")).to_be_disabled()
    seat.page.keyboard.press("h")
    expect(seat.find("note")).to_contain_text("“Play on” lets it")


@pytest.mark.parametrize(
    ("game", "position", "lines"),
    [("mnk:3,3,2", "a1 c3 b1", 1), ("mnk:4,4,3,torus", "a1 b3 b1 c3 d1", 0), ("mnk:4,4,3,torus", "a1 b3 b1 c3 c1", 1)],
)
def test_lines_are_drawn_where_they_are_straight(seat: Seat, game: str, position: str, lines: int) -> None:
    seat.open(game, position)
    assert seat.status == "X wins."
    assert seat.page.locator("svg.strike line").count() == lines


def test_the_first_page_is_small(seat: Seat) -> None:
    """All that is loaded until the page can be used, as it is, without the packing that browsers ask for."""
    sizes: dict[str, int] = {}

    def weigh(response: Response) -> None:
        sizes[response.url] = len(response.body())

    seat.page.on("response", weigh)
    seat.open()
    seat.page.wait_for_load_state("networkidle")
    assert len(sizes) > 5
    assert sum(sizes.values()) < 84 * 1024, sizes


def test_motion_is_for_those_who_like_it(seat: Seat) -> None:
    moving = """[...document.querySelectorAll("*")].filter((each) => {
      const style = getComputedStyle(each);
      const long = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
      return (style.animationName !== "none" && long(style.animationDuration)) ||
        (style.transitionProperty !== "none" && long(style.transitionDuration));
    }).length"""
    for wish, moves in (("no-preference", True), ("reduce", False)):
        seat.page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
        seat.open("tic-tac-toe", "1 4 2 5", first="human", second="human")
        seat.cell("3").click()
        seat.after(5)
        assert (seat.evaluate(moving) > 0) is moves, wish


def test_it_prints_the_board_and_the_moves_alone(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3", analyse="on")
    seat.page.emulate_media(media="print")
    assert all(
        not each.is_visible() for each in seat.page.locator("button:not(#moves button):not(#history button)").all()
    )
    assert not seat.find("type-move").is_visible()
    assert seat.cell("7").is_visible()
    assert seat.find("moves").is_visible()
    assert seat.find("sentence").is_visible()
