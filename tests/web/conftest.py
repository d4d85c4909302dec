"""Fixtures: a server as a user starts it, and a real browser."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.helpers import TIMEOUT
from tests.web.serving import Client, Server, running

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

WITHOUT = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),  # pages behind the address bar: two processes for each window
    *(
        "AvoidUnnecessaryBeforeUnloadCheckSync",
        "DestroyProfileOnBrowserClose",
        "PaintHolding",
        "ThirdPartyStoragePartitioning",
    ),
    *(
        "AimEnabled",
        "LensOverlay",
        "MediaRouter",
        "NetworkTimeServiceQuerying",
        "OptimizationHints",
        "PreconnectToSearch",
    ),
    *("AvoidCorsURLLoaderRestartOnRedirect", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades"),
)
"""Features of the browser that are off: those without which a page costs half the time, and playwright's own choice,
which the switch replaces."""

SWITCHES = (
    f"--disable-features={','.join(WITHOUT)}",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Keep the browser from making requests of its own."""

MILLISECONDS = 1000 * TIMEOUT
"""How long the browser is waited for."""

expect.set_options(timeout=MILLISECONDS)

REPORTS_POLICY_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture(scope="session")
def server(noughts_command: str) -> Iterator[Server]:
    """One server for all tests that this process runs; it must not have written any errors in the end."""
    with running(noughts_command) as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for each file: while it runs, this process has an event loop, so no other can be started."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found is not None, "the browser tests need Chromium: `make browser` installs it"
    switches = [*SWITCHES, *(["--no-sandbox"] if os.geteuid() == 0 else [])]  # root cannot have a sandbox
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=switches)
        yield browser
        browser.close()


@pytest.fixture
def trouble() -> list[str]:
    """Errors in the browser; a test that provokes an error checks and clears it."""
    return []


def watch(context: BrowserContext, url: str, trouble: list[str]) -> None:
    """Record every error, every policy violation, and every request to another server; be patient with the rest."""
    context.set_default_timeout(MILLISECONDS)
    context.add_init_script(REPORTS_POLICY_VIOLATIONS)
    context.on("console", lambda told: trouble.append(f"console: {told.text}") if told.type == "error" else None)
    context.on("weberror", lambda error: trouble.append(f"error: {error.error}"))
    own = (f"{url}/", "file:///")
    context.on(
        "request",
        lambda request: (
            None if request.url.startswith(own) else trouble.append(f"request to another server: {request.url}")
        ),
    )


@pytest.fixture
def context(browser: Browser, server: Server, trouble: list[str]) -> Iterator[BrowserContext]:
    """A fresh browser profile. Any error in it fails the test."""
    context = browser.new_context(base_url=server.url)
    watch(context, server.url, trouble)
    yield context
    context.close()
    assert trouble == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
