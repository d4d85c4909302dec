"""Take pictures of the page: every game and tab, in light and dark, on four screens.

`make screenshots` writes them to the folder `screenshots`; `python docs/screenshots.py FOLDER [PART ...]` writes those
whose names contain all the parts, such as `connect-four analyse dark 390x844`. It needs Chromium and Playwright.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, ViewportSize, sync_playwright

GAMES = {
    "tic-tac-toe": "5 1 3",
    "misere": "5 1 9",
    "wild": "5x 1o",
    "notakto:2": "a1 a5 a9 b5",
    "mnk:4,4,4": "b2 c3 c2",
    "mnk:15,15,5": "h8 i9 h9 h7 i8 g8",
    "connect-four": "4 4 3 5 4 3",
    "cube:3": "14 1 2 27",
    "ultimate": "55 51 11 15 52 22 21 19 91 18 81 12 24",
    "nim:3,4,5": "c2",
    "reversi:8": "d3 c3 b3 b2",
    "reversi:4": "b1 a1",
}
"""Each game with a position in the middle of it."""
OTHERS = {
    "home": {},
    "won": {"game": "connect-four", "position": "4 5 4 5 4 5 4"},
    "row": {"game": "tic-tac-toe", "position": "1 4 2 5 3"},
    "thinking": {"game": "tic-tac-toe", "position": "5", "second": "perfect", "pause": "on"},
}
"""Pages that are not one of the tabs of a game."""
TABS = {"play": {}, "analyse": {"analyse": "on"}, "learn": {"tab": "learn"}}
SCREENS = ((390, 844), (844, 390), (1280, 800), (1920, 1080))
SCHEMES = ("light", "dark")
PATIENCE = 20_000
"""Milliseconds for which a page that searches is waited for."""


def pages() -> dict[str, dict[str, str]]:
    """Return every page by the name of its picture, as the parameters of its address."""
    found = {
        f"{game.replace(':', '-').replace(',', '-')}_{tab}": {"game": game, "position": position, **more}
        for (game, position), (tab, more) in product(GAMES.items(), TABS.items())
    }
    return {**OTHERS, **found}


@contextmanager
def served() -> Iterator[str]:
    """Run a server, and yield its address."""
    command = [sys.executable, "-m", "noughts", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None, "the server did not start"
        yield address[0]
    finally:
        process.terminate()
        process.wait()


def take(browser: Browser, home: str, folder: Path, parts: list[str]) -> int:
    """Write the pictures whose names contain all the parts; return how many."""
    count = 0
    for (width, height), scheme in product(SCREENS, SCHEMES):
        names = {name: f"{name}_{width}x{height}_{scheme}" for name in pages()}
        wanted = [name for name, whole in names.items() if all(part in whole for part in parts)]
        if not wanted:
            continue
        context = browser.new_context(
            viewport=ViewportSize(width=width, height=height),
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        for name in wanted:
            page.goto(f"{home}?{urlencode(pages()[name])}" if pages()[name] else home)
            page.wait_for_selector('body[data-ready="true"]', timeout=PATIENCE)
            page.wait_for_function("[...document.images].every((image) => image.complete || image.loading === 'lazy')")
            page.wait_for_timeout(700)
            page.screenshot(path=folder / f"{names[name]}.png")
            count += 1
        context.close()
    return count


def main() -> None:
    """Take the pictures that the command line asks for."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    with served() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        count = take(browser, home, folder, sys.argv[2:])
        browser.close()
    print(f"{count} pictures in {folder}")


if __name__ == "__main__":
    main()
