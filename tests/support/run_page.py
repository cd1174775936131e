"""Run the code of a page of the docs: ``python -m tests.support.run_page PAGE``.

It is run in the current folder, block by block:

- python that begins with ``# name.py`` is written to that file;
- python with ``>>>`` is run as a doctest;
- other python is run;
- toml: its entry points are installed, as pip would do it;
- console: each line after ``$`` is run, and must print the lines below it, if there are any.

Python blocks share one namespace. It is a process of its own, since pages register things.
"""

from __future__ import annotations

import configparser
import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FILE = re.compile(r"# ([a-z_]+\.py)\n")
PROGRAMS = {"braided": ["-m", "braided"], "pytest": ["-m", "pytest"], "python": []}


class Block(NamedTuple):
    """A block of code of a page."""

    language: str
    line: int  # of the page, before the first line of the code
    code: str


def blocks_of(text: str) -> list[Block]:
    """All blocks of code, from top to bottom."""
    found = []
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start(2))
        found.append(Block(match[1], line, match[2]))
    return found


def run_page(page: Path) -> None:
    """Run all blocks in the current folder; the first that fails ends the process."""
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        named = FILE.match(block.code)
        if block.language == "python" and named:
            Path(named[1]).write_text(block.code, encoding="utf-8")
        elif block.language == "python" and ">>>" in block.code:
            _run_examples(block, page, namespace)
        elif block.language == "python":
            exec(compile("\n" * block.line + block.code, str(page), "exec"), namespace)
        elif block.language == "toml":
            _install(block.code)
        elif block.language == "console":
            _run_commands(block, page)
        else:
            sys.exit(f"{page}:{block.line}: nobody knows how to run {block.language}")


def _run_examples(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.code, namespace, page.name, str(page), block.line
    )
    test.globs = namespace  # not the copy: what a block defines is there for the next
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    if runner.run(test, clear_globs=False).failed:
        sys.exit(1)


def _install(toml: str) -> None:
    """Write the metadata of a package with these entry points."""
    parser = configparser.ConfigParser()
    parser.read_string(toml)
    lines = []
    for section in parser.sections():
        lines.append(f"[{section.partition('.entry-points.')[2].strip(chr(34))}]")
        lines += [f"{name} = {home.strip(chr(34))}" for name, home in parser[section].items()]
    folder = Path("page-1.0.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: page\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")


def _run_commands(block: Block, page: Path) -> None:
    for part in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command)
        done = subprocess.run(
            [sys.executable, *PROGRAMS[program], *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        )
        right = doctest.OutputChecker().check_output(expected, done.stdout, FLAGS)
        if done.returncode or (expected.strip() and not right):
            sys.exit(f"{page}:{block.line}: {command}\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    run_page(Path(sys.argv[1]))
