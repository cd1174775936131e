"""All pages of the site: those written by hand, and those made from code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tools.site import command_line, entries, examples, history, http_api, reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def made_pages() -> dict[str, str]:
    """The pages that are made from code, by their path."""
    return {
        **reference.pages(),
        "reference/command-line.md": command_line.page(),
        "reference/http-api.md": http_api.page(),
        **entries.pages(),
        **examples.pages(),
        history.PATH: history.page(),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "contributing.md": (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
    }


def write_all(folder: Path) -> None:
    """Write all pages into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder)
    for path, text in made_pages().items():
        page = folder / path
        if page.exists():
            raise FileExistsError(f"docs/{path} is made from code: choose another name")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(within_site(text, path), encoding="utf-8")
    for path, picture in {**examples.pictures(), **history.pictures()}.items():
        data = picture if isinstance(picture, bytes) else picture.encode()
        (folder / path).write_bytes(data)


def within_site(text: str, path: str) -> str:
    """Links of pages at the top of the repository, as the site has them."""
    if "/" in path:
        return text
    text = re.sub(r"\]\(docs/", "](", text)
    text = re.sub(r"\]\(CHANGELOG\.md", "](changelog.md", text)
    text = re.sub(r"\]\(CONTRIBUTING\.md", "](contributing.md", text)
    return re.sub(r"\[([^\]]*)\]\((?:CODE_OF_CONDUCT|SECURITY|LICENSE)(?:\.md)?\)", r"\1", text)
