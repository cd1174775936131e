"""Open the built site in a real browser: ``python -m tests.support.open_site`` opens every page.

On a desktop in light colours and on a phone in dark ones: no message on the console, no 404,
nothing from elsewhere, nothing wider than the screen. The search is used, too.
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.browser import CHROMIUM

SITE = Path(__file__).parents[2] / "site"
DEVICES = (((1280, 900), "light"), ((390, 844), "dark"))


class Quiet(SimpleHTTPRequestHandler):
    """A server without a log."""

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def open_pages(site: Path, pages: list[str]) -> None:
    """Open these pages of the site; what is wrong is an AssertionError."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}"
    try:
        with sync_playwright() as playwright:
            # Without a sandbox, since CI runs as root; the pages are our own.
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for (width, height), theme in DEVICES:
                tab = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=theme
                )
                tab.set_default_timeout(120_000)
                _visit(tab, home, pages)
                tab.close()
            for start in (home, site.as_uri()):  # from a server, and from a folder
                _search(browser, start)
            browser.close()
    finally:
        server.shutdown()


def _visit(tab: Any, home: str, pages: list[str]) -> None:
    complaints: list[str] = []

    def failed(asked: Any) -> None:
        if "ABORTED" not in (asked.failure or ""):  # as when the next page is opened
            complaints.append(f"{asked.url}: {asked.failure}")

    def asked_for(asked: Any) -> None:
        if not asked.url.startswith((home, "data:", "blob:")):
            complaints.append(f"{tab.url}: asks for {asked.url}")

    def answered(told: Any) -> None:
        if told.status >= 400:
            complaints.append(f"{told.url}: {told.status}")

    tab.on("console", lambda said: complaints.append(f"{tab.url}: {said.text}"))
    tab.on("pageerror", lambda error: complaints.append(f"{tab.url}: {error}"))
    tab.on("requestfailed", failed)
    tab.on("request", asked_for)
    tab.on("response", answered)
    for page in pages:
        tab.goto(f"{home}/{page}", wait_until="load")
        wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            complaints.append(f"{page}: {wide} pixels too wide")
    assert not complaints, "\n".join(complaints)


def _search(browser: Any, start: str) -> None:
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(f"{start.rstrip('/')}/index.html")
    tab.click(".md-search__button")
    tab.locator("input[role=combobox]").press_sequentially("trapezoidal")
    tab.get_by_text("results").first.wait_for()
    tab.close()


if __name__ == "__main__":
    every = sorted(str(page.relative_to(SITE)) for page in SITE.rglob("*.html"))
    open_pages(SITE, every)
    print(f"{len(every)} pages, twice each: nothing to complain about")
