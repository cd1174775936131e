"""Which files a call walks through: ``python -m tools.walk``, ``--write`` puts it into the docs.

Someone who follows a call in a debugger has to understand each file that it enters. This counts the
files of the package in which a Python function is called, and how often some functions are. What is
compiled is not seen: one call of a compiled loop is one step.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "braided"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- walk: begin -->", "<!-- walk: end -->"
ROWS = 2000
"""Rows of the CSV file that commands are given."""


@dataclass
class Walk:
    """The files that were entered, in order, and how often each function was called."""

    files: dict[str, None] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def called(self, function: str) -> int:
        """How often a function was called, as in ``rows/as_rows.py:as_rows``."""
        return self.calls[function]


@contextlib.contextmanager
def walking() -> Iterator[Walk]:
    """Note what is called."""
    walk = Walk()
    prefix = str(PACKAGE) + "/"

    def profile(frame, event, argument) -> None:
        code = frame.f_code
        # A module's own body runs once for all, when it is imported: that is not on the way.
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(prefix):
            file = code.co_filename.removeprefix(prefix)
            walk.files[file] = None
            walk.calls[f"{file}:{code.co_qualname if _HAS_QUALNAME else code.co_name}"] += 1

    sys.setprofile(profile)
    try:
        yield walk
    finally:
        sys.setprofile(None)


_HAS_QUALNAME = sys.version_info >= (3, 11)


def single_rows(learner: str) -> dict[str, Walk]:
    """The first row of a fresh model, and a row when everything is warm."""
    from braided import registry

    x, y = {"cheap": 1.0, "now": 2.0}, "spam"
    warm_up = registry.create(learner)  # so that compiling is not on the way
    for _ in range(3):
        warm_up.learn_one(x, y)
        warm_up.learn_one({"lunch": 1.0}, "mail")
        warm_up.predict_one(x)
    model = registry.create(learner)
    with walking() as first:
        model.learn_one(x, y)
    for _ in range(3):
        model.learn_one({"lunch": 1.0}, "mail")
        model.learn_one(x, y)
    with walking() as warm:
        model.learn_one(x, y)
    with walking() as predicted:
        model.predict_one(x)
    return {"first learn_one": first, "learn_one": warm, "predict_one": predicted}


def commands() -> dict[str, Walk]:
    """Training and evaluating by the command line, with a CSV file."""
    from braided.cli import main

    def run(*arguments: str) -> Walk:
        with walking() as walk, contextlib.redirect_stdout(io.StringIO()):
            code = main(list(arguments))
        assert code == 0, arguments
        return walk

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        lines = (f"{t % 7},{t % 5}.5,{'ab'[t % 2]},{'yes' if t % 3 else 'no'}" for t in range(ROWS))
        path.write_text("\n".join(["age,size,pet,label", *lines]) + "\n")
        run("train", str(path), "--model", f"{folder}/warm.braided")
        trained = run("train", str(path), "--model", f"{folder}/m.braided")
        evaluated = run("evaluate", str(path))
    return {"braided train rows.csv": trained, "braided evaluate rows.csv": evaluated}


def blocks(walk: Walk) -> int:
    """How many blocks of rows were learned."""
    return sum(walk.calls[name] for name in LEARNED_BLOCKS)


LEARNED_BLOCKS = ("learner/engine.py:Engine.learn",)
COUNTED: dict[str, tuple[str, ...]] = {
    "as_rows, per block": ("records/inputs.py:as_rows",),
    "rows placed, per block": ("features/space.py:FeatureSpace.place",),
    "readers built": ("readers/reader.py:read",),
    "learners built": ("registry/learners.py:create",),
}
# A first row also makes the schema of its records, and the table of names, which knows texts (one
# file) and other names (another). A training of a file enters the room of records (nine files),
# what makes it go on tomorrow, warn and answer on a pipe, and what reads ahead.
LIMITS: dict[str, int] = {
    "OLSF: first learn_one": 18,
    "OLSF: learn_one": 4,
    "Braid: first learn_one": 18,
    "Braid: learn_one": 4,
    "braided train rows.csv": 65,
}


def measured() -> dict[str, Walk]:
    """All walks by name."""
    walks = {}
    for learner, name in (("olsf", "OLSF"), ("braid", "Braid")):
        for what, walk in single_rows(learner).items():
            walks[f"{name}: {what}"] = walk
    return walks | commands()


def table(walks: dict[str, Walk]) -> str:
    """The walks as a table in Markdown."""
    lines = ["| call | files | which |", "|---|---|---|"]
    for name, walk in walks.items():
        shown = ", ".join(f"`{file}`" for file in walk.files) if len(walk.files) <= 15 else ""
        lines.append(f"| {name} | {len(walk.files)} | {shown} |")
    lines += ["", "| count | train | evaluate |", "|---|---|---|"]
    train, evaluate = walks["braided train rows.csv"], walks["braided evaluate rows.csv"]
    for what, functions in COUNTED.items():
        counts = []
        for walk in (train, evaluate):
            calls = sum(walk.called(function) for function in functions)
            counts.append(f"{calls / blocks(walk):g}" if "per block" in what else str(calls))
        lines.append(f"| {what} | {' | '.join(counts)} |")
    return "\n".join(lines)


def write(text: str) -> None:
    """Put the table into docs/architecture.md."""
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


def complaints(walks: dict[str, Walk]) -> list[str]:
    """What is not as it should be: too many files, something done twice, docs of another day."""
    wrong = [
        f"{name}: {len(walks[name].files)} files, at most {most}"
        for name, most in LIMITS.items()
        if len(walks[name].files) > most
    ]
    for name in ("braided train rows.csv", "braided evaluate rows.csv"):
        for what, functions in COUNTED.items():
            calls = sum(walks[name].called(function) for function in functions)
            if calls != (blocks(walks[name]) if "per block" in what else 1):
                wrong.append(f"{name}: {what}: {calls} for {blocks(walks[name])} blocks")
    if table(walks) not in PAGE.read_text():
        wrong.append(f"{PAGE.name} has another table: python -m tools.walk --write")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """Print the walks, or write them into the docs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Formatter)
    parser.add_argument("--write", action="store_true", help="write into docs/architecture.md")
    parser.add_argument("--check", action="store_true", help="fail if a limit is broken")
    parser.add_argument("--files", metavar="CALL", help="list all files of one call")
    given = parser.parse_args(arguments)
    walks = measured()
    if given.files:
        print("\n".join(walks[given.files].files))
        return 0
    print(table(walks))
    if given.write:
        write(table(walks))
    wrong = complaints(walks) if given.check else []
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


_Formatter: Callable[..., argparse.HelpFormatter] = argparse.RawDescriptionHelpFormatter

if __name__ == "__main__":
    sys.exit(main())
