"""The arguments that name data and models."""

from __future__ import annotations

from typing import Annotated

import typer

from braided.cli.options.panels import DATA

__all__ = ["Data", "ModelFile", "SeveralData"]

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="Name of a dataset, path of a file, or - for standard input.",
        rich_help_panel=DATA,
    ),
]
SeveralData = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA", help="Names of datasets, or paths of files.", rich_help_panel=DATA
    ),
]
ModelFile = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="Path of a model file, as 'braided train' writes it.",
        rich_help_panel=DATA,
    ),
]
