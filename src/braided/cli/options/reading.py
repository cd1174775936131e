"""ReadingOptions: how a file is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options.expand import HelpFrom
from braided.cli.options.panels import READING
from braided.errors import InputError, argument
from braided.registry import FORMATS

if TYPE_CHECKING:
    from braided.cli.data import DataSource

__all__ = ["PartlyLabelledOptions", "ReadingOptions", "with_joined_values"]


def _formats() -> str:
    return f"Format: {', '.join(FORMATS.names())}."


def _null() -> str:
    formats = ", ".join(entry.name for entry in FORMATS if "null" in entry.options)
    return f"Text that means unobserved, as an empty field does; for {formats} (repeatable)."


@dataclass(frozen=True)
class ReadingOptions:
    """How a file is read: the arguments of ``braided.streams.read``."""

    format: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", show_default="by the file's name", rich_help_panel=READING),
        HelpFrom(_formats),
    ] = None
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            show_default="label",
            help="Column with the labels.",
            rich_help_panel=READING,
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Column to exclude (repeatable).", rich_help_panel=READING
        ),
    ] = None
    categorical: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column to read as categories, even if it looks like numbers (repeatable).",
            rich_help_panel=READING,
        ),
    ] = None
    null: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", rich_help_panel=READING),
        HelpFrom(_null),
    ] = None
    on_error: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            show_default="fail",
            help="What to do with lines that can not be read: fail, skip, or quarantine FILE "
            "(write them to FILE, with the reasons).",
            rich_help_panel=READING,
        ),
    ] = None

    def open(self, data: str, *, labelled: bool = True) -> DataSource:
        """Find the data; nothing is read yet.

        Parameters
        ----------
        data : str
            The name of a dataset, the path of a file, or ``-`` for standard input.
        labelled : bool, default True
            Whether every row of a file must have a label.

        Returns
        -------
        DataSource
            The data.

        Raises
        ------
        InputError
            If there is no such file, or options of files are given for a dataset.
        """
        from braided.cli.data import DataSource, is_file
        from braided.streams import read

        if not is_file(data):
            given = [argument(field.name) for field in fields(self) if getattr(self, field.name)]
            if given:
                raise InputError(
                    f"{', '.join(given)}: only for files, and {data} is the name of a dataset"
                )
            return DataSource(data)
        on_error, _, quarantine = (self.on_error or "fail").partition(" ")
        reader = read(
            data,
            format=self.format or None,
            label=self.label or None,
            ignore=self.ignore or (),
            categorical=self.categorical or (),
            null=self.null or (),
            labelled=labelled,
            on_error=on_error,
            quarantine=quarantine or None,
        )
        return DataSource(data, reader)


@dataclass(frozen=True)
class PartlyLabelledOptions(ReadingOptions):
    """How a file is read of which rows may have no label."""

    unlabelled: Annotated[
        bool,
        typer.Option(
            "--unlabelled",
            help="Accept rows without a label: they are predicted, but not learned or counted.",
            rich_help_panel=READING,
        ),
    ] = False

    def open(self, data: str, *, labelled: bool = True) -> DataSource:
        """Find the data, as ``ReadingOptions`` does."""
        return super().open(data, labelled=labelled and not self.unlabelled)


def with_joined_values(arguments: Sequence[str]) -> list[str]:
    """Join ``quarantine FILE`` to one value, since an option takes one.

    Parameters
    ----------
    arguments : sequence of str
        The arguments of the command.

    Returns
    -------
    list of str
        The same arguments, with that value as one of them.

    Examples
    --------
    >>> with_joined_values(["a.csv", "--on-error", "quarantine", "bad.jsonl", "--json"])
    ['a.csv', '--on-error', 'quarantine bad.jsonl', '--json']
    """
    joined: list[str] = []
    for given in arguments:
        if joined[-2:] == ["--on-error", "quarantine"]:
            joined[-1] += f" {given}"
        else:
            joined.append(given)
    return joined
