"""The content security policies of the site's pages."""

from base64 import b64encode
from hashlib import sha256

from noughts.learn.page import policy as stepper_policy

__all__ = ["hash_of", "page_policy", "sandbox_policy", "steps_policy"]

WORKER = "blob: 'wasm-unsafe-eval'"
"""What a worker that runs Pyodide needs: to compile WebAssembly, and to load scripts that the page has handed to it.
Neither allows `eval`, nor a script from elsewhere."""


def hash_of(script: str) -> str:
    """Return what a policy calls an inline script or style."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def sandbox_policy(script: str) -> str:
    """Return the policy of the frame in which other people's games run: its own script, workers, and no network."""
    return f"default-src 'none'; script-src {hash_of(script)} {WORKER}; worker-src blob:; form-action 'none'"


def page_policy(sandbox: str, scripts: str = "", styles: str = "") -> str:
    """Return the policy of a page of the site: it loads from its own host only.

    Pictures of boards are in their addresses, since Python draws them here.

    A frame without an address of its own also obeys the policy of its page, which therefore allows the script
    `sandbox`. Every site may embed the page: there is no `frame-ancestors`, which a page could not state anyway.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {hash_of(sandbox)} {WORKER}{scripts}",
            "worker-src 'self' blob:",
            f"style-src 'self'{styles}",
            "img-src 'self' data:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def steps_policy(sandbox: str) -> str:
    """Return the policy of the page that steps through a search: it allows that page's own script and style, too."""
    allowed = dict(part.split(" ", 1) for part in stepper_policy().split("; "))
    return page_policy(sandbox, f" {allowed['script-src']}", f" {allowed['style-src']}")
