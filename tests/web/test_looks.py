"""How the page looks: each game in its skin, the home page, phones, the best line, set-up and pictures to save."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

import noughts
from noughts.capabilities import resolve
from noughts.games import GAMES
from noughts.record import read_record
from noughts.skins import PLAIN, skins
from tests.web.conftest import watch
from tests.web.game_page import GamePage
from tests.web.serving import Client, Server

PORTRAIT, LANDSCAPE = ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)


@pytest.fixture
def game_page(page: Page) -> GamePage:
    return GamePage(page)


@pytest.fixture
def phone(browser: Browser, server: Server, trouble: list[str]) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, viewport=PORTRAIT, has_touch=True, is_mobile=True)
    watch(context, server.url, trouble)
    yield context
    context.close()
    assert trouble == []


IN_SKINS = {
    "tic-tac-toe": ("5 1", "strokes"),
    "notakto:2": ("a1 a5 a9", "notakto"),
    "connect-four": ("4 4", "discs"),
    "reversi:4": ("b1", "reversi"),
    "mnk:15,15,5": ("h8 i9", "stones"),
    "nim:3,4,5": ("c2", "matches"),
    "ultimate": ("55 51", "ultimate"),
    "cube:3": ("14 1", "cube"),
}


def test_every_skin_is_looked_at() -> None:
    assert {skin for _, skin in IN_SKINS.values()} | {PLAIN} == set(skins())


@pytest.mark.parametrize("game", IN_SKINS)
def test_each_game_wears_its_skin(game_page: GamePage, game: str) -> None:
    """The marks have the colours and the shapes of the skin, and every cell is where a pointer can reach it."""
    position, name = IN_SKINS[game]
    game_page.open(game, position)
    frame = game_page.page.locator("#board .frame")
    expect(frame).to_have_attribute("data-skin", name)
    skin = skins()[name]
    drawn = game_page.page.locator("#board .mark")
    expect(drawn.first).to_be_visible()
    assert set(drawn.evaluate_all("(marks) => marks.map((mark) => mark.tagName)")) == {"svg"}
    tag, attributes = next(iter(skin.marks.values()))[0]
    colour = attributes.get("fill") or attributes["stroke"]
    red, green, blue = (int(skin.colours[colour][0][start : start + 2], 16) for start in (1, 3, 5))
    kind = "fill" if "fill" in attributes else "stroke"
    found = drawn.evaluate_all(
        "(marks, [tag, kind]) => marks.flatMap((mark) => [...mark.querySelectorAll(tag)])"
        ".map((each) => getComputedStyle(each)[kind])",
        [tag, kind],
    )
    assert f"rgb({red}, {green}, {blue})" in found
    small = game_page.page.locator('[role="gridcell"]').evaluate_all(
        "(cells) => cells.filter((cell) => Math.min(...['width', 'height'].map((side) => "
        "cell.getBoundingClientRect()[side])) < 24).length"
    )
    assert small == 0


def test_an_own_name_of_the_players_is_used_everywhere(game_page: GamePage) -> None:
    game_page.open("connect-four", "4 5 4 5 4 5", analyse="on")
    assert game_page.status == "Red to move"
    expect(game_page.find("sentence")).to_have_text("Red wins at once, with 4.")
    assert game_page.find("moves").inner_text().split()[1:4] == ["1.", "Red", "4"]
    game_page.page.locator('[data-actions="4"]').first.click()
    game_page.after(7)
    assert game_page.status == "Red wins."
    assert "Red plays 4. Red wins." in game_page.find("announcement").inner_text()


def test_the_result_is_said_as_people_say_it(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5 3", second="perfect")
    assert game_page.status == "You win."
    game_page.open("tic-tac-toe", "1 4 2 5 3", first="perfect")
    assert game_page.status == "The computer wins."
    game_page.open("tic-tac-toe", "1 4 2 5", second="perfect", analyse="on")
    expect(game_page.find("sentence")).to_have_text("You win at once, with 3.")


def test_a_ghost_shows_where_a_disc_would_land(game_page: GamePage) -> None:
    game_page.open("connect-four", "4")
    cells = game_page.page.locator('[role="gridcell"][data-actions="4"]')
    cells.first.hover()
    ghost = game_page.page.locator("#board .ghost")
    expect(ghost).to_have_count(1)
    expect(cells.last.locator(".ghost")).to_have_count(1)
    game_page.find("title").hover()
    expect(ghost).to_have_count(0)


def test_the_rest_is_dimmed_when_a_line_has_won(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5 3")
    dimmed = game_page.page.locator('[role="gridcell"].dim').evaluate_all("(cells) => cells.map((c) => c.dataset.name)")
    assert dimmed == ["4", "5"]
    blue = "rgb(31, 78, 140)"
    line = game_page.page.locator("svg.strike line")
    assert line.evaluate("(line) => getComputedStyle(line).stroke") == blue, "the winner's colour"


def test_a_won_field_is_covered_and_a_dead_board_greyed(game_page: GamePage) -> None:
    game_page.open("ultimate", "55 51 11 15 52 22 21 19 91 18 81 12 24")
    expect(game_page.page.locator("#board .cover.won .mark")).to_have_count(1)
    covered = game_page.page.locator("#board .cover.won").bounding_box()
    first = game_page.page.locator('[role="gridcell"]').first.bounding_box()
    assert covered is not None
    assert first is not None
    assert covered["x"] == pytest.approx(first["x"], abs=2)
    assert covered["width"] == pytest.approx(3 * first["width"], abs=4)
    game_page.open("notakto:2", "a1 a5 a9")
    expect(game_page.page.locator("#board .cover.dead")).to_have_count(1)


def test_matches_are_taken_by_a_click(game_page: GamePage) -> None:
    game_page.open("nim:3,4,5", "", first="human", second="human")
    assert game_page.page.locator("#board .mark").count() == 12
    game_page.cell("b3").click()
    game_page.after(1)
    assert game_page.position == "b3"
    assert game_page.page.locator("#board .mark").count() == 9


def test_reversi_counts_its_discs(game_page: GamePage) -> None:
    game_page.open("reversi:8", "d3")
    assert (game_page.find("first-count").inner_text(), game_page.find("second-count").inner_text()) == ("4", "1")


def test_cells_are_named_when_asked(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5")
    names = game_page.page.locator("#board .name")
    expect(names).to_have_count(0)
    game_page.menu()
    game_page.find("names").check()
    expect(names).to_have_count(8)
    game_page.open("mnk:5,4,4", "")
    assert game_page.page.locator("#board .top span").all_inner_texts() == list("abcde")
    assert game_page.page.locator("#board .left span").all_inner_texts() == list("1234")


def test_the_home_page_shows_every_game(game_page: GamePage) -> None:
    game_page.home()
    cards = game_page.page.locator(".game-card")
    expect(cards).to_have_count(len(GAMES))
    for card in cards.all():
        card.scroll_into_view_if_needed()
    game_page.page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 50)")
    expect(game_page.find("match")).to_be_hidden()
    cards.filter(has_text="Reversi").click()
    expect(game_page.find("status")).to_have_text("Your turn (Black)")
    game_page.page.go_back()
    expect(cards.first).to_be_visible()


@pytest.mark.parametrize("screen", [PORTRAIT, LANDSCAPE], ids=["portrait", "landscape"])
def test_board_and_verdict_are_on_one_screen_of_a_phone(phone: BrowserContext, screen: ViewportSize) -> None:
    page = phone.new_page()
    page.set_viewport_size(screen)
    game_page = GamePage(page)
    area = "document.getElementById('board')"
    inside = f"""[...document.querySelectorAll("#board, #status")].map((each) => each.getBoundingClientRect()).every(
      (box) => box.left >= 0 && box.top >= 0 && box.right <= {screen["width"]} && box.bottom <= {screen["height"]})"""
    for game in ("connect-four", "tic-tac-toe", "reversi:8", "mnk:15,15,5", "cube:3", "ultimate"):
        game_page.open(game, "")
        assert game_page.evaluate(inside), game
        assert game_page.evaluate("document.documentElement.scrollWidth") <= screen["width"], "nothing overflows"
        wide = game_page.evaluate(f"{area}.scrollWidth > {area}.clientWidth + 4")
        assert wide == (game == "mnk:15,15,5" and screen == PORTRAIT), game
        assert page.locator(".stage.more-right").count() == wide, "a shade shows that there is more"
        long = game_page.evaluate(f"{area}.scrollHeight > {area}.clientHeight + 14")
        assert page.locator(".stage.more-down").count() == long
        assert not long or game == "mnk:15,15,5"


def test_the_best_line_is_shown_as_ghosts_and_played_through(game_page: GamePage) -> None:
    game_page.be_patient()
    game_page.open("tic-tac-toe", "5 1 3", analyse="on")
    line = game_page.page.locator("#best-line button")
    expect(line.first).to_have_text("7")
    line.nth(1).hover()
    ghosts = game_page.page.locator("#board .ghost-number")
    expect(ghosts).to_have_count(2)
    assert game_page.cell("7").locator(".ghost-number").inner_text() == "1"
    second = line.nth(1).inner_text()
    line.nth(1).click()
    game_page.after(5)
    assert game_page.position == f"5 1 3 7 {second}"
    assert game_page.address["then"], "the rest of the line is there to be redone"
    expect(ghosts).to_have_count(0)


def test_the_bar_shows_whose_the_game_is(game_page: GamePage) -> None:
    share = "getComputedStyle(document.getElementById('bar')).getPropertyValue('--share')"
    game_page.be_patient()
    shares = []
    for position in ("1 4 2 5", "", "1 4 2 5 9"):  # X wins, a draw, O wins
        game_page.open("tic-tac-toe", position, analyse="on")
        shares.append(float(game_page.evaluate(share)))
    assert shares[0] > 0.7
    assert shares[1] == 0.5
    assert shares[2] < 0.3


def test_large_boards_show_only_the_moves_that_matter(game_page: GamePage) -> None:
    game_page.open("mnk:15,15,5", "h8 i9", analyse="on")
    labels = game_page.page.locator("#board .label")
    expect(labels.first).to_be_visible()
    assert labels.count() <= 12
    expect(game_page.find("more-moves")).to_contain_text("Nothing is known of the other")


def test_known_facts_are_shown(game_page: GamePage) -> None:
    game_page.open("connect-four", "4", analyse="on")
    expect(game_page.find("known")).to_have_text(f"Known: {GAMES['connect-four'].known}.")


def test_tabs_follow_the_keys_and_the_address(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5", first="human", second="human")
    game_page.find("tab-play").focus()
    keys = game_page.page.keyboard
    for key, tab in (("ArrowRight", "analyse"), ("ArrowRight", "learn"), ("ArrowRight", "play"), ("End", "learn")):
        keys.press(key)
        expect(game_page.find(f"tab-{tab}")).to_be_focused()
        expect(game_page.find(f"tab-{tab}")).to_have_attribute("aria-selected", "true")
    game_page.settled()
    assert game_page.address["tab"] == "learn"
    assert game_page.position == "5", "the arrows did not move through the game"
    game_page.page.reload()
    game_page.settled()
    expect(game_page.find("learn")).to_be_visible()
    expect(game_page.find("play")).to_be_hidden()


def test_a_position_is_set_up_by_hand(game_page: GamePage, trouble: list[str]) -> None:
    game_page.open("tic-tac-toe", "")
    game_page.menu()
    game_page.find("set-up").click()
    dialog = game_page.page.locator("dialog.setup")
    done = dialog.get_by_role("button", name="Go to this position")
    for piece, places in (("X", ("0,0", "1,1", "0,1")), ("O", ("2,2",))):
        dialog.get_by_role("button", name=piece, exact=True).click()
        for place in places:
            dialog.locator(f'[data-place="{place}"]').click()
    expect(done).to_be_disabled()
    expect(dialog.locator(".error")).not_to_have_text("")
    dialog.get_by_role("button", name="Erase").click()
    dialog.locator('[data-place="0,1"]').click()
    expect(done).to_be_enabled()
    done.click()
    expect(dialog).to_have_count(0)
    game_page.settled()
    assert game_page.position == "X../.X./..O"
    assert game_page.cell("1").get_attribute("aria-label") == "1, X"
    trouble[:] = [each for each in trouble if "status of 400" not in each]


def test_discs_are_set_up_with_who_is_to_move(game_page: GamePage, trouble: list[str]) -> None:
    game_page.open("reversi:4", "b1")
    game_page.menu()
    game_page.find("set-up").click()
    dialog = game_page.page.locator("dialog.setup")
    dialog.get_by_label("To move").select_option("B")
    dialog.get_by_role("button", name="White", exact=True).click()
    dialog.locator('[data-place="0,0"]').click()
    dialog.get_by_role("button", name="Go to this position").click()
    expect(dialog).to_have_count(0)
    game_page.settled()
    assert game_page.position == "WB../.BB./.BW./.... b"
    trouble[:] = [each for each in trouble if "status of 400" not in each]


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg "), ("png", b"\x89PNG")])
def test_the_board_is_saved_as_a_picture(game_page: GamePage, tmp_path: Path, ending: str, start: bytes) -> None:
    game_page.open("connect-four", "4 4")
    game_page.menu()
    with game_page.page.expect_download() as saved:
        game_page.find(f"download-{ending}").click()
    assert saved.value.suggested_filename == f"connect-four.{ending}"
    saved.value.save_as(tmp_path / "board")
    assert (tmp_path / "board").read_bytes().startswith(start)


def test_a_link_is_copied_and_says_for_whom_it_works(game_page: GamePage, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    game_page.open("tic-tac-toe", "5 1")
    game_page.find("copy-link").click()
    expect(game_page.find("note")).to_contain_text("It works on this computer only")
    assert game_page.evaluate("navigator.clipboard.readText()") == game_page.page.url


def test_messages_do_not_move_the_board(game_page: GamePage, context: BrowserContext, trouble: list[str]) -> None:
    game_page.open("tic-tac-toe", "", first="human", second="human")
    before = game_page.find("board").bounding_box()
    context.set_offline(True)
    game_page.cell("5").click()
    expect(game_page.find("alert")).to_contain_text("cannot be reached")
    assert game_page.find("board").bounding_box() == before
    context.set_offline(False)
    trouble[:] = [each for each in trouble if "ERR_INTERNET_DISCONNECTED" not in each]


def test_work_shows_a_sign_within_a_tenth_of_a_second(game_page: GamePage) -> None:
    """The bar at the top appears by style alone, as soon as the page marks work as in progress."""
    game_page.open("tic-tac-toe", "", first="human", second="human")
    game_page.page.route("**/api/position*", lambda route: None)
    sign = "getComputedStyle(document.body, '::before')"
    assert game_page.evaluate(f"{sign}.content") == "none"
    game_page.evaluate("document.querySelector('[data-name=\"5\"]').click()")
    game_page.page.wait_for_function(f"{sign}.content !== 'none'")
    delay = float(game_page.evaluate(f"{sign}.animationDelay").removesuffix("s"))
    assert delay < 0.1


def test_a_finished_game_is_reviewed_and_a_mistake_tried_again(game_page: GamePage, client: Client) -> None:
    game_page.be_patient()
    game_page.open("tic-tac-toe", "1 4 2 5 9 6", first="human", second="perfect")
    assert game_page.status == "The computer wins."
    game_page.find("review-now").click()
    reviewed = game_page.find("reviewed")
    expect(reviewed).to_contain_text("X made ")
    found = client.get("/api/review", game="tic-tac-toe", position="1 4 2 5 9 6").json()
    wrong = [move["number"] for move in found["moves"] if move["sign"]]
    assert wrong == [int(text.split(".")[0]) for text in reviewed.locator(".review-move").all_inner_texts()]
    expect(reviewed).to_contain_text("better is 3")
    own = reviewed.get_by_role("button", name="Try again")
    expect(own).to_have_count(sum(number % 2 == 1 for number in wrong))
    own.last.click()
    game_page.after(4)
    expect(game_page.find("tab-play")).to_have_attribute("aria-selected", "true")
    game_page.cell("3").click()
    game_page.after(5)
    assert game_page.status == "You win."


def test_a_game_is_saved_as_text_and_opened_again(game_page: GamePage, tmp_path: Path, trouble: list[str]) -> None:
    game_page.open("mnk:4,4,3", "a1 b2 a2", then="b3", second="perfect")
    game_page.menu()
    with game_page.page.expect_download() as saved:
        game_page.find("save-game").click()
    saved.value.save_as(tmp_path / "game.txt")
    text = (tmp_path / "game.txt").read_text(encoding="utf-8")
    assert read_record(text).replayed().text(resolve(noughts.load("mnk:4,4,3")).action_name) == "a1 b2 a2 b3"
    assert '[Second "perfect"]' in text
    game_page.open("tic-tac-toe", "")
    game_page.menu()
    game_page.find("open-game").click()
    dialog = game_page.page.locator("dialog.open-game")
    for wrong, said in (
        ("5 1 3", "A record begins with its game"),
        ('[Game "tic-tac-toe"]\n5 5', "Line 2: '5' cannot be"),
    ):
        dialog.locator("textarea").fill(wrong)
        dialog.get_by_role("button", name="Open").click()
        expect(dialog.locator(".error")).to_contain_text(said)
    dialog.locator("textarea").fill(text)
    dialog.get_by_role("button", name="Open").click()
    expect(dialog).to_have_count(0)
    game_page.after(4)
    assert (game_page.address["game"], game_page.position) == ("mnk:4,4,3", "a1 b2 a2 b3")
    trouble[:] = [each for each in trouble if "status of 400" not in each]


def test_a_record_of_another_game_is_refused(client: Client) -> None:
    answer = client.get("/api/record", game="tic-tac-toe", text='[Game "connect-four"] 4 4')
    assert answer.error == "line 1: the text is a game of 'connect-four', not of 'tic-tac-toe'"
