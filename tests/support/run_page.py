"""Run the code of a page of the docs: ``python -m tests.support.run_page PAGE``.

It is run in the current folder, block by block:

- python that begins with ``# name.py`` is written to that file;
- python with ``>>>`` is run as a doctest;
- other python is run;
- toml: its entry points are installed, as pip would do it;
- console: each line after ``$`` is run, and must print the lines below it, if there are any;
- sh: run by bash, without the lines that install something (``pip``, ``make``);
- in both, port 8000 stands for a free port;
- text: shows something, and is not run;
- any block below ``<!-- run elsewhere: tests/... -->``: takes long, and that test runs the like.

Python blocks share one namespace. It is a process of its own, since pages register things. A block
inside ``<!-- ... -->`` is run and not shown: it makes the files that a page speaks of.
"""

from __future__ import annotations

import configparser
import doctest
import os
import re
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FILE = re.compile(r"# ([a-z_]+\.py)(?::.*)?\n")
ELSEWHERE = re.compile(r"<!-- run elsewhere: (\S+) -->\s*\Z")
PROGRAMS = {"braided": "-m braided", "pytest": "-m pytest", "python": ""}
INSTALLS = ("pip ", "make ", "python3 -m venv", ". .venv")


class Block(NamedTuple):
    """A block of code of a page."""

    language: str
    line: int  # of the page, before the first line of the code
    code: str
    elsewhere: str = ""  # the test that runs it


def blocks_of(text: str) -> list[Block]:
    """All blocks of code, from top to bottom."""
    found = []
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start(2))
        named = ELSEWHERE.search(text[: match.start()])
        found.append(Block(match[1], line, match[2], named[1] if named else ""))
    return found


def run_page(page: Path) -> None:
    """Run all blocks in the current folder; the first that fails ends the process."""
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if block.elsewhere:
            continue
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
        elif block.language == "sh":
            lines = block.code.splitlines()
            code = "\n".join(line for line in lines if not line.startswith(INSTALLS))
            _succeeds(code, block, page)
        elif block.language != "text":
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
        lines = part.split("\n")
        end = next(n for n, line in enumerate(lines) if not line.endswith("\\")) + 1
        command, expected = "\n".join(lines[:end]), "\n".join(lines[end:])
        said = _succeeds(command, block, page)
        if expected.strip() and not doctest.OutputChecker().check_output(expected, said, FLAGS):
            sys.exit(f"{page}:{block.line}: {command}\n{said}")


@cache
def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _succeeds(command: str, block: Block, page: Path) -> str:
    """What a command prints; one that fails ends the process."""
    programs = Path("programs-of-the-page").resolve()
    if not programs.is_dir():
        programs.mkdir()
        for name, how in PROGRAMS.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {how} "$@"\n')
            program.chmod(0o755)
    command = command.replace(":8000", f":{_port()}").replace("--port 8000", f"--port {_port()}")
    path = os.pathsep.join([str(programs), os.getcwd(), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "BRAIDED_QUIET": "1"},
    )
    if done.returncode:
        sys.exit(f"{page}:{block.line}: {command}\n{done.stdout}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    run_page(Path(sys.argv[1]))
