"""The site, built as ``make docs`` builds it, and opened in a real browser."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tools.site import check

from tests.support.browser import CHROMIUM

WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def test_the_site_is_built_strictly_and_works_in_a_browser():
    """One test, since the site is built in one place."""
    pytest.importorskip("zensical")
    from tools.site.__main__ import build

    site = build()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        if CHROMIUM is not None:
            in_a_browser(site, f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()


def in_a_browser(site, home):
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        # Without a sandbox, since CI runs as root; the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for device, theme in (("desktop", "light"), ("phone", "dark")):
            width, height = WIDTHS[device]
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme
            )
            no_page_complains(context, site, home)
            context.close()
        for start in (home, site.as_uri()):
            the_search_finds(browser, start)
        browser.close()


def no_page_complains(context, site, home):
    """No message on the console, no 404, nothing from elsewhere, nothing wider than the screen."""
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda said: complaints.append(f"{tab.url}: {said.text}"))
    tab.on("pageerror", lambda error: complaints.append(f"{tab.url}: {error}"))
    tab.on("requestfailed", lambda asked: complaints.extend(failed(asked)))
    tab.on(
        "response",
        lambda told: complaints.append(f"{told.url}: {told.status}") if told.status >= 400 else 0,
    )
    tab.on(
        "request",
        lambda asked: (
            0 if asked.url.startswith((home, "data:", "blob:")) else complaints.append(asked.url)
        ),
    )
    for page in sorted(site.rglob("*.html")):
        tab.goto(f"{home}/{page.relative_to(site)}", wait_until="load")
        wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{page.name} is {wide} pixels too wide"
    assert not complaints, "\n".join(complaints)


def failed(asked):
    """What is aborted because the next page is opened has not failed."""
    return [] if "ABORTED" in (asked.failure or "") else [f"{asked.url}: {asked.failure}"]


def the_search_finds(browser, start):
    """Also in pages that are opened from a folder."""
    tab = browser.new_page()
    tab.goto(f"{start.rstrip('/')}/index.html")
    tab.click(".md-search__button")
    tab.locator("input[role=combobox]").press_sequentially("trapezoidal")
    tab.get_by_text("results").first.wait_for(timeout=20_000)
    tab.close()


def test_what_is_wrong_with_a_page_is_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="other.html#here">x</a><a href="gone.html">x</a><a href="#nowhere">x</a>'
        '<script src="https://example.org/x.js"></script><img src="no.svg"><p id="here">'
    )
    (tmp_path / "other.html").write_text('<p id="here"><a href="index.html#here">x</a>')
    assert sorted(check.problems_of(tmp_path)) == [
        "index.html: #nowhere has no such place in index.html",
        "index.html: gone.html leads nowhere",
        "index.html: loads https://example.org/x.js",
        "index.html: no.svg leads nowhere",
    ]
    assert check.problems_of(tmp_path / "empty") == [f"no page in {tmp_path / 'empty'}"]
