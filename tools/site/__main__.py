"""``python -m tools.site``: write the pages that are made from code, build, check every link.

Pages written by hand are in ``docs/``. They are copied to ``build/docs``, the pages made from code
are written beside them, and Zensical builds ``site/`` from there. ``mkdocs.yml`` is its
configuration.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools.site.check import problems_of
from tools.site.pages import ROOT, write_all

SITE = ROOT / "site"


def build() -> Path:
    """Build the site; whatever is wrong ends the process."""
    write_all(ROOT / "build" / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run(
        [*command, "--config-file", "mkdocs.yml"], cwd=ROOT, capture_output=True, text=True
    )
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    if done.returncode or "Warning" in said or "griffe:" in said:
        sys.exit(said)
    problems = problems_of(SITE)
    if problems:
        sys.exit("\n".join(problems))
    return SITE


if __name__ == "__main__":
    pages = sum(1 for _ in build().rglob("*.html"))
    print(f"{pages} pages, no broken link: open {SITE.name}/index.html")
