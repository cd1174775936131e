"""``braided datasets``: what there is to try things on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options.panels import DATA

if TYPE_CHECKING:
    from braided.datasets import Dataset

__all__ = ["datasets"]

QUICK_BYTES = 1_000_000


Large = Annotated[
    bool,
    typer.Option(
        "--large",
        help="Read files of more than 1 MB too, to count their rows.",
        rich_help_panel=DATA,
    ),
]


def datasets(*, large: Large = False) -> None:
    """List the shipped datasets, and yours in the folder that BRAIDED_DATA names."""
    import numpy as np
    from rich.console import Console
    from rich.table import Table

    from braided.datasets import folder, load, names
    from braided.errors import InputError

    table = Table("name", "rows", "features")
    table.add_column("labels, source, licence, what to know", overflow="fold")
    skipped = False
    for name in names():
        path = folder.find(name)
        if path is not None and path.stat().st_size > QUICK_BYTES and not large:
            skipped = True
            table.add_row(name, "-", "-", _plain(str(path)))
            continue
        try:
            dataset = load(name)
        except InputError as error:
            # One faulty file of yours should not hide the others.
            table.add_row(name, "-", "-", f"[red]{_plain(str(error))}[/]")
            continue
        features = np.unique(dataset.X.indices).size
        about = f"{_plain(_labels(dataset))}\n[dim]{_plain(_provenance(dataset))}[/]"
        table.add_row(name, str(len(dataset.X)), str(features), about)
    console = Console()
    console.print(table)
    if skipped:
        console.print("-: a file of more than 1 MB; --large reads it too")


def _labels(dataset: Dataset) -> str:
    import numpy as np

    values, counts = np.unique(dataset.y, return_counts=True)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return ", ".join(f"{value} ({count})" for value, count in pairs)


def _provenance(dataset: Dataset) -> str:
    facts = (dataset.source, f"licence {dataset.licence}", dataset.note)
    return "; ".join(fact for fact in facts if fact)


def _plain(text: str) -> str:
    """Text that may hold square brackets, which Rich would take for its markup."""
    from rich.markup import escape

    return escape(text)
