"""The server as a user starts it, and a real browser that looks at it."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.serving import Client, Server, running

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What keeps a browser from asking for anything but what it is told to."""

TELLS_ABOUT_THE_POLICY = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture(scope="session")
def server(noughts_command: str) -> Iterator[Server]:
    """One server for all tests that this process runs; it must have nothing to complain about in the end."""
    with running(noughts_command) as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium a file: while it is there, this process has an event loop, in which no other can be started."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found is not None, "the browser tests need Chromium: `make browser` installs it"
    switches = [*SWITCHES, *(["--no-sandbox"] if os.geteuid() == 0 else [])]  # root cannot have a sandbox
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=switches)
        yield browser
        browser.close()


@pytest.fixture
def trouble() -> list[str]:
    """What went wrong in the browser; a test that provokes something looks at it, and clears it."""
    return []


def watch(context: BrowserContext, url: str, trouble: list[str]) -> None:
    """Take note of every error, of what is against the policy, and of any request that leaves the server."""
    context.add_init_script(TELLS_ABOUT_THE_POLICY)
    context.on("console", lambda told: trouble.append(f"console: {told.text}") if told.type == "error" else None)
    context.on("weberror", lambda error: trouble.append(f"error: {error.error}"))
    at_home = (f"{url}/", "file:///")
    context.on(
        "request",
        lambda request: None if request.url.startswith(at_home) else trouble.append(f"asked elsewhere: {request.url}"),
    )


@pytest.fixture
def context(browser: Browser, server: Server, trouble: list[str]) -> Iterator[BrowserContext]:
    """A browser that has seen nothing yet. Any trouble in it fails the test."""
    context = browser.new_context(base_url=server.url)
    watch(context, server.url, trouble)
    yield context
    context.close()
    assert trouble == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
