"""The code in the docs runs, and does what the docs say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.run_page import blocks_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RUN_BY = {"docs/spark.md": "tests/spark", "docs/live.md": "tests/live"}
"""Pages whose code needs a cluster, or does not end by itself, and the tests of the same things."""

PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
    if blocks_of(path.read_text(encoding="utf-8"))
    and path.relative_to(ROOT).as_posix() not in RUN_BY
}
"""The pages with code, each of which is run from top to bottom in a process of its own."""

NEEDS = {
    "docs/extending.md": ["pandas"],
    "docs/how-to/river.md": ["river"],
    "docs/report.md": ["plotly", "jinja2", "matplotlib"],
}


def run(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *map(os.path.abspath, filter(None, sys.path))])
    return subprocess.run(
        [sys.executable, "-m", "tests.support.run_page", str(page)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=900,  # a page of commands on a busy machine
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, tmp_path):
    for package in NEEDS.get(page, []):
        pytest.importorskip(package)
    done = run(PAGES[page], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_what_is_run_elsewhere_is_run(page):
    for block in blocks_of(PAGES[page].read_text(encoding="utf-8")):
        assert not block.elsewhere or (ROOT / block.elsewhere).is_file()


@pytest.mark.parametrize("page", RUN_BY)
def test_a_page_that_is_left_out_has_tests(page):
    assert list((ROOT / RUN_BY[page]).glob("test_*.py"))


def test_the_program_that_makes_files_is_the_one_on_the_page():
    shown = blocks_of((DOCS / "get-started.md").read_text(encoding="utf-8"))
    program = (ROOT / "examples" / "orders.py").read_text(encoding="utf-8")
    assert program in [block.code for block in shown]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("```python\nx = 1\nassert x == 2\n```\n", 'page.md", line 4'),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected:\n    3\nGot:\n    2"),
        ('```console\n$ python -c "print(4)"\n5\n```\n', 'page.md:2: python -c "print(4)"'),
        ('```console\n$ python -c "1 / 0"\n```\n', "ZeroDivisionError"),
        ("```ruby\nputs 1\n```\n", "nobody knows how to run ruby"),
    ],
)
def test_code_that_does_not_do_what_the_page_says_is_found(code, told, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("A page.\n" + code)
    done = run(page, tmp_path)
    assert done.returncode == 1
    assert told in done.stdout + done.stderr


def test_blocks_share_what_they_define_and_files_can_be_imported(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n# three.py\nTHREE = 3\n```\n"
        "```python\nfrom three import THREE\nfour = THREE + 1\n```\n"
        "```python\n>>> four\n4\n>>> five = four + 1\n```\n"
        "```python\nassert five == 5\n```\n"
        '```console\n$ python -c "import three; print(three.THREE)"\n3\n```\n'
    )
    assert [block.language for block in blocks_of(page.read_text())] == ["python"] * 4 + ["console"]
    done = run(page, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
