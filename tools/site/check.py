"""What is wrong with the built site: links that lead nowhere, and anything that is not in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("object", "data"), ("iframe", "src")}
"""What a browser loads by itself; links wait for a click."""


class Page(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        for name in ("src", "href", "data"):
            if (tag, name) in LOADS and name in given and given.get("rel") != "canonical":
                self.loads.append(given[name])


@cache
def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def problems_of(site: Path) -> list[str]:
    """Every broken link, and everything that would be loaded from elsewhere."""
    read.cache_clear()
    files = sorted(site.rglob("*.html"))
    if not files:
        return [f"no page in {site}"]
    return [problem for file in files for problem in _of_page(site, file)]


def _of_page(site: Path, file: Path) -> Iterator[str]:
    page, name = read(file), file.relative_to(site)
    base = site if name.name == "404.html" else file.parent
    for url in page.loads:
        if urlsplit(url).scheme in ("http", "https") or url.startswith("//"):
            yield f"{name}: loads {url}"
    for url in {*page.links, *page.loads}:
        parts = urlsplit(url)
        if parts.scheme or parts.netloc:
            continue
        path = unquote(parts.path)
        start = site if path.startswith("/") else base
        target = (start / path.lstrip("/")).resolve() if path else file
        if target.is_dir():
            target = target / "index.html"
        if not target.is_file():
            yield f"{name}: {url} leads nowhere"
        elif parts.fragment and target.suffix == ".html":
            known = read(target).anchors | {"__comments"}
            if unquote(parts.fragment) not in known:
                yield f"{name}: {url} has no such place in {target.relative_to(site.resolve())}"
