"""The code in the docs runs, and does what the docs say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.run_page import blocks_of

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ["extending.md"]
"""The pages whose code is complete, so that it can be run from top to bottom."""


def run(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *map(os.path.abspath, filter(None, sys.path))])
    return subprocess.run(
        [sys.executable, "-m", "tests.support.run_page", str(page)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, tmp_path):
    pytest.importorskip("pandas")
    done = run(DOCS / page, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", ["../README.md", "records.md", "report.md"])
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("plotly")
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    code = [block.code for block in blocks_of(text) if block.language == "python"]
    assert code
    exec(compile("\n".join(code), page, "exec"), {"__name__": "page"})


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
