"""ReadingOptions: how a file is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options.expand import HelpFrom
from braided.cli.options.panels import READING
from braided.errors import InputError, argument
from braided.registry import FORMATS

if TYPE_CHECKING:
    from braided.cli.data import DataSource
    from braided.records.schema import Schema

__all__ = ["ReadingOptions", "with_joined_values"]


def _formats() -> str:
    return f"Format: {', '.join(FORMATS.names())}."


def _names(kind: str, about: str, *other_flags: str) -> Any:
    """An option that names fields."""
    return typer.Option(
        f"--{kind}",
        *other_flags,
        metavar="FIELD",
        help=f"{about} (repeatable; a pattern such as 'utm_*' is allowed).",
        rich_help_panel=READING,
    )


@dataclass(frozen=True)
class ReadingOptions:
    """How a file is read: the arguments of ``braided.streams.read``."""

    format: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", show_default="by name or content", rich_help_panel=READING),
        HelpFrom(_formats),
    ] = None
    label: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            show_default="label",
            help="Field with the labels.",
            rich_help_panel=READING,
        ),
    ] = None
    weight: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD", help="Field with the weight of a row.", rich_help_panel=READING
        ),
    ] = None
    category: Annotated[
        list[str] | None,
        _names("category", "Field of categories, even if they look like numbers", "--categorical"),
    ] = None
    number: Annotated[list[str] | None, _names("number", "Field of numbers")] = None
    flag: Annotated[list[str] | None, _names("flag", "Field of true and false")] = None
    text: Annotated[list[str] | None, _names("text", "Field of text, cut into words")] = None
    date: Annotated[list[str] | None, _names("date", "Field of dates or times")] = None
    day_first: Annotated[
        list[str] | None, _names("day-first", "Field of dates such as 31/12/2020")
    ] = None
    month_first: Annotated[
        list[str] | None, _names("month-first", "Field of dates such as 12/31/2020")
    ] = None
    tags: Annotated[list[str] | None, _names("tags", "Field of lists of texts")] = None
    vector: Annotated[list[str] | None, _names("vector", "Field of lists of numbers")] = None
    ignore: Annotated[list[str] | None, _names("ignore", "Field to leave out")] = None
    null: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="Another text that means unobserved, besides NULL, NA, N/A, nan, None, ? and - "
            "(repeatable).",
            rich_help_panel=READING,
        ),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(
            metavar="CHARACTER",
            show_default="found by itself",
            help="Character between two fields of a CSV file; 'tab' for a tab.",
            rich_help_panel=READING,
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option(
            "--no-header",
            help="The first line of a CSV file is a row; columns are called 1, 2, ...",
            rich_help_panel=READING,
        ),
    ] = False
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C",
            help="Names of the columns of a CSV file without a header.",
            rich_help_panel=READING,
        ),
    ] = None
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Refuse values that do not fit the kind of their field, missing labels and lines "
            "of another length; by default they are read as well as possible, and counted.",
            rich_help_panel=READING,
        ),
    ] = False
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

    @property
    def declared(self) -> dict[str, Any]:
        """The arguments of ``braided.Schema`` that were given."""
        from braided.records.kinds import KINDS

        names = ("label", "weight", *KINDS, "null", "strict")
        return {name: value for name in names if (value := getattr(self, name))}

    @property
    def layout(self) -> dict[str, Any]:
        """The arguments of ``read`` that say how the columns of a file are laid out."""
        separator = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        columns = self.columns.split(",") if self.columns else None
        return {"separator": separator or None, "header": not self.no_header, "columns": columns}

    def schema(self) -> Schema:
        """Make the schema that these options declare.

        Returns
        -------
        Schema
            A new schema, in which nothing is decided yet.
        """
        from braided.records.schema import Schema

        return Schema(**self.declared)

    def open(
        self,
        data: str,
        *,
        labelled: bool = True,
        keep_unlabelled: bool = False,
        schema: Schema | None = None,
        on_silence: Callable[[], None] | None = None,
    ) -> DataSource:
        """Find the data; nothing is read yet.

        Parameters
        ----------
        data : str
            The name of a dataset, the path of a file, or ``-`` for standard input.
        labelled : bool, default True
            Whether a file must have the field with the label.
        keep_unlabelled : bool, default False
            Whether rows without a label are kept.
        schema : Schema, optional
            The schema of a model, which these options were added to.
        on_silence : callable, optional
            Called while standard input has nothing to read.

        Returns
        -------
        DataSource
            The data.

        Raises
        ------
        InputError
            If there is no such file, or options of files are given for a dataset.
        """
        from braided.cli.data import DataSource, is_file, is_journal
        from braided.streams import read

        if not is_file(data):
            given = [argument(field.name) for field in fields(self) if getattr(self, field.name)]
            if given:
                raise InputError(
                    f"{', '.join(given)}: only for files, and {data} is the name of a dataset"
                )
            return DataSource(data)
        if is_journal(data):
            return self._journal(data, schema)
        on_error, _, quarantine = (self.on_error or "fail").partition(" ")
        source: Any = data
        if data == "-":
            from braided.cli.live_input import LiveInput, is_pipe

            source = LiveInput(on_silence) if is_pipe() else data
        known = {"label": self.label, "schema": schema} if schema else self.declared
        reader = read(
            source,
            format=self.format or None,
            labelled=labelled,
            keep_unlabelled=keep_unlabelled,
            on_error=on_error,
            quarantine=quarantine or None,
            **known,
            **self.layout,
        )
        return DataSource(data, reader)

    def _journal(self, data: str, schema: Schema | None) -> DataSource:
        """The records of a service's journal, in the order in which they were learned."""
        from braided.cli.data import DataSource
        from braided.live.journal_lines import JournalLines, schema_of
        from braided.streams import read

        given = [argument(each.name) for each in fields(self) if getattr(self, each.name)]
        if given:
            raise InputError(f"{', '.join(given)}: {data} is a journal, which knows its own schema")
        known = schema_of(data)
        if schema is not None and not schema.is_blank:
            known = schema if schema.label else schema.with_roles(label=known.label)
        return DataSource(data, read(JournalLines(data), format="jsonl", schema=known))


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
