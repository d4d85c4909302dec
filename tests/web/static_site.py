"""Helpers: the static site as a user writes it, served by Python's own file server, in a browser without a network."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.helpers import TIMEOUT
from tests.web.conftest import MILLISECONDS, REPORTS_POLICY_VIOLATIONS

ASK = """async ([address, headers]) => {
  const { ask } = await import(new URL("site/connection.js", document.baseURI));
  const response = await ask(address, { headers });
  return [response.status, await response.text()];
}"""


def write(command: str, folder: Path) -> Path:
    """Run `noughts site`, with the Pyodide that `make pyodide` fetched, and return the folder that it has written."""
    done = subprocess.run([command, "site", "-o", str(folder)], capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, f"{done.stderr}(`make pyodide` fetches what these tests need)"
    return folder


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve a folder with `python -m http.server` and yield its address; end the server afterwards."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found is not None
        yield f"http://127.0.0.1:{found[1]}"
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT)


@contextmanager
def visiting(browser: Browser, url: str, trouble: list[str]) -> Iterator[BrowserContext]:
    """A fresh browser profile for which there is no other host. Any error in it fails the test."""
    context = browser.new_context(base_url=url)
    context.set_default_timeout(MILLISECONDS)
    context.add_init_script(REPORTS_POLICY_VIOLATIONS)
    context.on("console", lambda told: trouble.append(f"console: {told.text}") if told.type == "error" else None)
    context.on("weberror", lambda error: trouble.append(f"error: {error.error}"))

    def check(address: str) -> None:
        if not address.startswith((f"{url}/", "blob:")):
            trouble.append(f"request to another server: {address}")

    context.on("request", lambda request: check(request.url))
    try:
        yield context
    finally:
        context.close()
    assert trouble == []


def ask(page: Page, address: str, **headers: str) -> tuple[int, Any]:
    """Ask a question as the page does, of a page of the site, and return status and text."""
    status, text = page.evaluate(ASK, [address, headers])
    return status, text


def until_offline(page: Page) -> None:
    """Wait until the browser keeps all of the site."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")


def until_true(page: Page, expression: str) -> None:
    """Wait until an expression, in which `await` may stand, is true in a page."""
    again = "await new Promise((resolve) => setTimeout(resolve, 50))"
    page.evaluate(f"async () => {{ while (!({expression})) {again}; }}")


def source_in_editor(page: Page, source: str) -> None:
    """Replace what is in the editor, and wait until it was checked."""
    page.fill("#source", source)
    page.wait_for_selector('body[data-ready="true"]')
