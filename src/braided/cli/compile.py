"""``braided compile``: compile learners ahead of their first use."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Hashable, Mapping
from contextlib import redirect_stdout
from functools import partial
from typing import Annotated, Any

import typer

from braided.cli.options.learner import learner_names
from braided.cli.options.panels import LEARNER
from braided.errors import InputError
from braided.registry import DEFAULT, LEARNERS, create

__all__ = ["compile", "read_once", "use_once"]

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LEARNER",
        help=f"Learners to compile: {learner_names()}.",
        rich_help_panel=LEARNER,
    ),
]
All = Annotated[bool, typer.Option("--all", help="Compile all learners.", rich_help_panel=LEARNER)]

ROWS = "a,b,label\n1,2,yes\n0.5,-1,no\n-2,0.25,yes\n"
FILES = {
    "csv": "a,pet,note,label\n1,cat,a big cat,yes\n2,dog,a dog,no\n",
    "jsonl": '{"a": 1, "pet": "cat", "label": 1}\n{"a": 2, "v": [1, 2], "label": 0}\n',
    "svmlight": "1 1:0.5 3:1\n0 2:1\n",
    "vw": "1 |words cheap:2 now\n-1 |words lunch\n",
}
"""A small file of each text format that has a compiled reader."""

OTHER_KERNELS: dict[str, tuple[dict[str, Any], ...]] = {DEFAULT: ({"experts": "all"},)}
"""Settings with which a learner has kernels that it does not compile without them."""


def compile(learner: Names = None, *, every: All = False) -> None:
    """Compile learners (by default braid) and the readers of files now, not at their first use."""
    if every and learner:
        raise InputError("--all compiles all learners: name none")
    names = [entry.name for entry in LEARNERS if entry.alias_of is None] if every else learner
    names = names or [DEFAULT]
    for name in names:
        create(name)  # a wrong name is refused before anything is compiled

    from braided.compiled.notice import COMPILED

    steps: dict[str, Callable[[], None]] = {name: partial(use_once, name) for name in names}
    steps["readers of files"] = read_once
    total = 0.0
    for what, step in steps.items():
        before = len(COMPILED)
        step()
        seconds = sum(seconds for _, seconds in COMPILED[before:])
        total += seconds
        made = len(COMPILED) - before
        print(f"{what}: {made} functions in {seconds:.1f} s" if made else f"{what}: was compiled")
    print(f"compiled in {total:.1f} s" if total else "nothing was left to compile")


def read_once() -> None:
    """Read a few rows of each text format, as from a large file."""
    from braided.streams import read

    for name, text in FILES.items():
        read(io.BytesIO(text.encode()), format=name).rows()


def use_once(name: str) -> None:
    """Learn and predict a few rows in the usual ways, so that all of it is compiled.

    Parameters
    ----------
    name : str
        The learner.
    """
    import numpy as np

    from braided.learner.single_row import MANY

    models = [create(name, **settings) for settings in ({}, *OTHER_KERNELS.get(name, ()))]
    rows: list[Mapping[Hashable, Any]] = [
        {"a": 1.0, "b": 2.0},
        {"a": 0.5, "b": -1.0},
        {"b": 0.25, "c": 1.0},
        {"a": -2.0},
    ]
    labels = [1, 0, 1, 0]
    for model in models:
        for i in range(2 * MANY):  # so many that compiled code reads them
            row, label = rows[i % len(rows)], labels[i % len(rows)]
            model.predict_one(row)
            model.learn_one(row, label)
        model.partial_fit(rows, labels)
        model.predict(rows)
        model.partial_fit(np.array([[1.0, np.nan], [0.5, 2.0]]), labels[:2])
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        data, saved = os.path.join(folder, "rows.csv"), os.path.join(folder, "m.braided")
        with open(data, "w") as file:
            file.write(ROWS)
        with redirect_stdout(nowhere):
            _run("train", data, "--learner", name, "--model", saved)
            _run("predict", saved, data)


def _run(*arguments: str) -> None:
    from braided.cli import main

    if main(arguments) != 0:
        raise InputError(f"braided {arguments[0]} did not work")
