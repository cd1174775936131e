"""The site, built as ``make docs`` builds it, and opened in a real browser."""

from __future__ import annotations

import pytest
from tools.site import check

from tests.support import open_site
from tests.support.browser import CHROMIUM

OPENED = [
    "index.html",
    "get-started.html",
    "how-to/late-labels.html",
    "concepts/streams.html",
    "reference/command-line.html",
    "reference/learners/OLSF.html",
]
"""One page of each kind; ``python -m tests.support.open_site`` opens all."""


def test_the_site_is_built_strictly_and_works_in_a_browser():
    """One test, since the site is built in one place."""
    pytest.importorskip("zensical")
    from tools.site.__main__ import build

    site = build()
    if CHROMIUM is not None:
        pytest.importorskip("playwright.sync_api")
        open_site.open_pages(site, [page for page in OPENED if (site / page).is_file()])


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
