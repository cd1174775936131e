"""Reader: labelled rows from files, block by block; memory does not grow with the files."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from braided.errors import InputError, argument, warn
from braided.parameters import check_whole
from braided.readers.bad_lines import BadLines, Limits
from braided.readers.formats import (
    LARGE,
    SAMPLE,
    Layout,
    Reading,
    close_match,
    format_by_content,
    format_by_name,
    rows_of,
)
from braided.readers.read_ahead import KnownInTime, ReadAhead
from braided.readers.sources import STDIN, Peeked, Source, name_of, opened
from braided.records.observed import Observed
from braided.records.schema import Names, Schema
from braided.registry import FormatEntry
from braided.rows.rows import BLOCK, Rows, joined
from braided.targets import labelled as with_label

__all__ = ["Reader", "read"]

DEFAULT_LABEL = "label"


def read(
    source: Source | Sequence[Source],
    *,
    format: str | None = None,
    label: str | None = None,
    schema: Schema | None = None,
    separator: str | None = None,
    header: bool = True,
    columns: Sequence[str] | None = None,
    labelled: bool = True,
    keep_unlabelled: bool = False,
    on_error: str = "fail",
    quarantine: str | os.PathLike[str] | None = None,
    max_line_bytes: int = Limits().line,
    max_features: int = Limits().features,
    **declared: Names | bool,
) -> Reader:
    r"""Read labelled rows from one file, or from several one after another.

    Files are opened when rows are first asked for. Their columns may differ.

    Parameters
    ----------
    source : str, path, binary file or sequence of these
        The file or files; ``"-"`` is standard input. A file whose name ends in ``.gz``, ``.bz2``,
        ``.xz`` or ``.zst`` is decompressed; of a ``.zip``, the only file is read.
    format : str, optional
        ``"svmlight"``, ``"csv"``, ``"tsv"``, ``"arff"``, ``"jsonl"``, ``"parquet"``, ``"arrow"`` or
        ``"vw"``; by the suffix of the file name or by its content if left out.
    label : str, optional
        The name of the field with the label, ``"label"`` if left out; not for svmlight and vw.
    schema : Schema, optional
        The kinds of fields, as a model knows them (``model.schema``).
    separator : str, optional
        The character between two fields of a CSV file; found by itself if left out.
    header : bool, default True
        Whether the first line of a CSV file has the names of columns; else they are 1, 2, ...
    columns : sequence of str, optional
        The names of the columns of a CSV file without a header.
    labelled : bool, default True
        Whether files must have the field with the label. Rows in which it is empty are left out
        and counted.
    keep_unlabelled : bool, default False
        Whether rows without a label are kept, with the label None.
    on_error : "fail", "skip" or "quarantine", default "fail"
        What to do with bad lines: raise an error, skip them, or write them to a file.
    quarantine : str or path, optional
        The file for bad lines, with the reason of each.
    max_line_bytes : int, at least 1, default 16777216
        The most bytes of a line; a longer line is bad.
    max_features : int, at least 1, default 1048576
        The most features of a row; a row with more is bad.
    **declared : str, sequence of str or bool
        Kinds of fields, and what else ``braided.Schema`` takes, as in ``category="zip"``.

    Returns
    -------
    Reader
        The rows, to be read block by block.

    Raises
    ------
    InputError
        If an argument is not allowed; when rows are read, if a file or a line can not be read.

    Examples
    --------
    >>> import io
    >>> reader = read(io.BytesIO(b"age,pet,label\n31,cat,yes\n,dog,no\n"), format="csv")
    >>> for rows in reader.blocks(1):
    ...     print(list(rows.dicts()), rows.labels.tolist())
    [{'age': 31.0, 'pet=cat': 1.0}] ['yes']
    [{'pet=dog': 1.0}] ['no']
    >>> reader.rows_read, reader.skipped
    (2, 0)
    """
    check_whole("max_line_bytes", max_line_bytes, 1)
    check_whole("max_features", max_features, 1)
    several = not hasattr(source, "read") and not isinstance(source, str | os.PathLike)
    sources = list(source) if several else [source]
    if not sources:
        raise InputError("there is no file to read")
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise InputError(f"separator={separator!r} is not allowed: expected one character")
    layout = Layout(separator, header, None if columns is None else tuple(columns))
    known = _schema(label, schema, declared)
    formats = [format_by_name(one, format) for one in sources]
    chosen = [*(["label"] if label is not None else []), *declared]
    for entry in formats:
        if entry is not None:
            _check_options(entry, chosen, layout)
    bad_lines, limits = BadLines(on_error, quarantine), Limits(max_line_bytes, max_features)
    keep = keep_unlabelled or not labelled
    return Reader(sources, formats, known, bad_lines, limits, layout, labelled, keep)


def _schema(label: str | None, schema: Schema | None, declared: dict[str, Any]) -> Schema:
    if schema is not None and declared:
        raise InputError(
            f"give either {argument('schema')} or {', '.join(map(argument, declared))}, not both"
        )
    try:
        known = Schema(**declared) if schema is None else schema
    except TypeError:
        allowed = (
            "number, flag, category, text, date, day_first, month_first, tags, vector, ignore, "
            "null, weight, key, strict"
        )
        raise InputError(
            f"{', '.join(map(repr, declared))}: not all of these are arguments; besides those of "
            f"read there are {allowed}"
        ) from None
    wanted = label or known.label or DEFAULT_LABEL
    return known if known.label == wanted else known.with_roles(label=wanted)


def _check_options(entry: FormatEntry, about_fields: Sequence[str], layout: Layout) -> None:
    """Refuse options that mean nothing for a format."""
    if about_fields and "fields" not in entry.options:
        raise InputError(
            f"{', '.join(map(argument, about_fields))}: not for the format {entry.name}, which has "
            "no fields"
        )
    if layout != Layout() and "layout" not in entry.options:
        raise InputError(
            f"{argument('separator')}, {argument('header')} and {argument('columns')} are not for "
            f"the format {entry.name}"
        )


class Reader:
    r"""Labelled rows from files, made by ``read``; each pass reads the files again.

    Parameters
    ----------
    sources : sequence of str, path or binary file
        The files.
    formats : sequence of FormatEntry or None
        The format of each; None if its content tells.
    schema : Schema
        Which fields are what, as far as it is known before.
    bad_lines : BadLines
        What to do with bad lines.
    limits : Limits
        The limits of a line and of a row.
    layout : Layout, optional
        How columns are laid out.
    labelled : bool, default True
        Whether files must have the field with the label.
    keep_unlabelled : bool, default False
        Whether rows without a label are kept.

    Attributes
    ----------
    rows_read : int
        How many rows were read in this pass, or in the last one.
    unlabelled : int
        How many rows were left out because they have no label.
    observed : Observed
        What this pass saw of each field.
    recoded : int
        How many lines were not UTF-8 text.
    short : int
        How many lines had fewer fields than the header.
    long : int
        How many lines had more fields than the header and were left out.
    titles : int
        How many lines came before the header.
    repeated : int
        How many lines repeat the header, or are comments like those before it.

    Examples
    --------
    >>> import io
    >>> from braided import streams
    >>> reader = streams.read(io.BytesIO(b"age,label\n31,yes\n52,no\n"), format="csv")
    >>> [block.labels.tolist() for block in reader]
    [['yes', 'no']]
    >>> reader.rows_read
    2
    """

    def __init__(
        self,
        sources: Sequence[Source],
        formats: Sequence[FormatEntry | None],
        schema: Schema,
        bad_lines: BadLines,
        limits: Limits,
        layout: Layout | None = None,
        labelled: bool = True,
        keep_unlabelled: bool = False,
    ) -> None:
        self.sources, self.formats, self.limits = sources, formats, limits
        self.layout = layout or Layout()
        self.labelled, self.keep_unlabelled = labelled, keep_unlabelled
        self._schema, self._bad_lines = schema, bad_lines
        self.rows_read = self.unlabelled = self.recoded = self.short = self.long = 0
        self.titles = self.repeated = 0
        self.observed = Observed()
        self._used_up = False
        self._ahead: ReadAhead | None = None

    @property
    def schema(self) -> Schema:
        """The schema that was known before the rows were read."""
        return self._schema

    def __repr__(self) -> str:
        return f"<Reader of {self.name}>"

    @property
    def name(self) -> str:
        """The names of the files, for messages."""
        return ", ".join(map(name_of, self.sources))

    @property
    def skipped(self) -> int:
        """How many bad lines were skipped in this pass, or in the last one."""
        return self._bad_lines.count

    @property
    def quarantine(self) -> str | os.PathLike[str] | None:
        """The file that bad lines are written to; None if there is none."""
        return self._bad_lines.path

    def __iter__(self) -> Iterator[Rows]:
        return self.blocks()

    def blocks(self, size: int = BLOCK, *, skip: int = 0) -> Iterator[Rows]:
        """Read the rows in order, block by block; they do not depend on the size of the blocks.

        Parameters
        ----------
        size : int, at least 1, default 1024
            The number of rows in a block; the last may be shorter.
        skip : int, at least 0, default 0
            How many rows to leave out at the beginning, to continue where an earlier pass stopped.

        Returns
        -------
        iterator of Rows
            The blocks.
        """
        check_whole("size", size, 1)
        check_whole("skip", skip, 0)
        blocks = _cut(self._pass(size), size, skip, self.name, as_they_come=self.is_live)
        if self.is_live or any(hasattr(source, "read") for source in self.sources):
            return blocks  # an open file is read where it is used
        self._ahead = ReadAhead(blocks)
        return iter(self._ahead)

    @property
    def is_live(self) -> bool:
        """Whether rows come from a pipe: they are handed on as they come, in blocks of any size."""
        return any(source == STDIN or _is_pipe(source) for source in self.sources)

    def rows(self) -> Rows:
        """Read all rows at once.

        Returns
        -------
        Rows
            The rows.
        """
        return joined(list(self.blocks(2**16)))

    def _pass(self, size: int) -> Iterator[Rows]:
        self.rows_read = self.unlabelled = self.recoded = self.short = self.long = 0
        self.titles = self.repeated = 0
        self._refuse_second_pass()
        known: Schema | None = None
        self._known = KnownInTime(self._schema.features_known, self._ahead)
        self.observed = Observed()
        with self._bad_lines as bad_lines:
            for source, entry in zip(self.sources, self.formats, strict=True):
                bad_lines.begin_file(name_of(source))
                with opened(source) as file:
                    reading = self._reading(size, file, source)
                    reading.schema = known or reading.schema
                    known = reading.schema
                    file, format = self._format(file, entry)
                    for rows in rows_of(format, file, reading):
                        self._count(reading)
                        labelled_rows = self._labelled(rows)
                        self.rows_read += len(labelled_rows)
                        if len(labelled_rows):
                            yield labelled_rows
                    self._count(reading)
            if self.rows_read == 0:
                skipped = (
                    f" that can be read ({bad_lines.count} skipped)" if bad_lines.count else ""
                )
                if self.unlabelled:
                    skipped = f" with a label (field {self._schema.label!r})"
                hint = f"; {bad_lines.allowed}" if bad_lines.allowed else ""
                raise InputError(f"{self.name} holds no rows{skipped}{hint}")
        self._warn()

    def _count(self, reading: Reading) -> None:
        self.recoded, self.short, self.long = reading.recoded, reading.short, reading.long
        self.titles, self.repeated = reading.titles, reading.repeated

    def _warn(self) -> None:
        """Warn of what was seen in this pass, as far as a person would want to know it."""
        seen, name = self.observed, self.name
        if self.unlabelled:
            warn(f"{name}: {self.unlabelled} rows without a label were left out")
        for text, times in seen.no_labels.most_common(1):
            if self.unlabelled and text not in self._schema.null:
                warn(
                    f"{name}: {times} labels are {text!r}, which means missing; if it is a class, "
                    "give it another name"
                )
        if self.titles:
            warn(f"{name}: {self.titles} lines before the names of the columns were left out")
        if self.repeated:
            warn(
                f"{name}: {self.repeated} lines that repeat the names of the columns, or are "
                "comments, were left out"
            )
        if self.recoded:
            warn(f"{name}: {self.recoded} lines are not UTF-8 and were read as Windows-1252")
        if self.short:
            warn(f"{name}: {self.short} lines have fewer fields than the header")
        if self.long:
            warn(f"{name}: {self.long} lines with more fields than the header were left out")
        surprises = sorted(seen.surprises.items(), key=lambda item: (-item[1], str(item[0])))[:3]
        if surprises:
            some = ", ".join(f"{times} in {field!r}" for field, times in surprises)
            more = ", ..." if len(seen.surprises) > len(surprises) else ""
            warn(
                f"{name}: values that do not fit the kind of their field were read as categories: "
                f"{some}{more} (declare the kind if it is wrong: {argument('category')}, "
                f"{argument('text')}, ...)"
            )
        ids = seen.id_like()
        if ids:
            some = ", ".join(map(repr, ids[:5])) + (", ..." if len(ids) > 5 else "")
            warn(
                f"{name}: nearly every value of {some} is new, which costs memory and teaches "
                f"little: leave such a field out ({argument('ignore')}) or use a budget"
            )
        for text in self.never_seen():
            warn(text)

    def _reading(self, size: int, file: Any, source: Source) -> Reading:
        sample = 0 if source == STDIN or not _seekable(file) else SAMPLE
        large = source == STDIN or hasattr(source, "read") or os.path.getsize(source) >= LARGE
        options = (self.limits, self.layout, self.labelled, sample, large)
        reading = Reading(size, self._schema, self._bad_lines, *options)
        reading.schema.features_known = self._known
        reading.observed = self.observed
        reading.recoded, reading.short, reading.long = self.recoded, self.short, self.long
        reading.titles, reading.repeated = self.titles, self.repeated
        return reading

    def _format(self, file: Any, entry: FormatEntry | None) -> tuple[Any, FormatEntry]:
        """The file and its format, which the first bytes tell if it is not known."""
        if entry is not None:
            return file, entry
        file = Peeked(file)
        found = format_by_content(file.beginning)
        _check_options(found, (), self.layout)
        return file, found

    def _labelled(self, rows: Rows) -> Rows:
        """The rows that have a label, if others are to be left out."""
        if self.keep_unlabelled or rows.labels is None or rows.labels.dtype.kind != "O":
            return rows
        there = with_label(rows.labels)
        if there.all():
            return rows
        self.unlabelled += int((~there).sum())
        return rows[there]

    def never_seen(self) -> list[str]:
        """Name the declared fields that no row had, in words for people.

        Returns
        -------
        list of str
            A text for each such field or pattern.
        """
        seen = [str(field) for field in self.observed.every_field]
        missing = []
        for kind, names in self._schema.declared.items():
            for name in names:
                if name != self._schema.key and not any(fnmatchcase(f, name) for f in seen):
                    missing.append(
                        f"{argument(kind)}: no row has a field {name!r}{close_match(name, seen)}"
                    )
        return missing

    def _refuse_second_pass(self) -> None:
        for source in self.sources:
            if (source == STDIN or _is_pipe(source)) and self._used_up:
                raise InputError("standard input can be read only once")
            if hasattr(source, "seek") and source.seekable():
                source.seek(0)
        self._used_up = True


def _seekable(file: Any) -> bool:
    return not hasattr(file, "seekable") or bool(file.seekable())


def _is_pipe(source: Source) -> bool:
    return hasattr(source, "read") and not _seekable(source)


def _cut(
    parts: Iterable[Rows], size: int, skip: int, name: str, *, as_they_come: bool = False
) -> Generator[Rows, None, None]:
    """The same rows in blocks of one size, without the first ``skip``; or in the given parts."""
    pending: list[Rows] = []
    count, left = 0, skip
    for rows in parts:
        if left:
            dropped = min(left, len(rows))
            left -= dropped
            rows = rows[dropped:]
        if as_they_come:
            if len(rows):
                yield rows
            continue
        pending.append(rows)
        count += len(rows)
        if count >= size:
            whole, end = joined(pending), count - count % size
            for start in range(0, end, size):
                yield whole[start : start + size]
            pending, count = [whole[end:]], count - end
    if left:
        raise InputError(f"skip={skip}, but {name} has only {skip - left} rows")
    if count:
        yield joined(pending)
