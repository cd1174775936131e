"""Reader: labelled rows from files, block by block; memory does not grow with the files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence

from braided.errors import InputError
from braided.parameters import check_whole
from braided.readers.bad_lines import BadLines, Limits
from braided.readers.columns import Fields
from braided.readers.formats import Reading, format_of, rows_of
from braided.readers.sources import STDIN, Source, name_of, opened
from braided.registry import FormatEntry
from braided.rows.rows import BLOCK, Rows, joined

__all__ = ["Reader", "read"]


def read(
    source: Source | Sequence[Source],
    *,
    format: str | None = None,
    label: str | None = None,
    ignore: Collection[str] = (),
    categorical: Collection[str] = (),
    null: Collection[str] = (),
    labelled: bool = True,
    on_error: str = "fail",
    quarantine: str | os.PathLike[str] | None = None,
    max_line_bytes: int = Limits().line,
    max_features: int = Limits().features,
) -> Reader:
    r"""Read labelled rows from one file, or from several one after another.

    Files are opened when rows are first asked for. Their columns may differ.

    Parameters
    ----------
    source : str, path, binary file or sequence of these
        The file or files; ``"-"`` is standard input. A file whose name ends in ``.gz``, ``.bz2``,
        ``.xz`` or ``.zst`` is decompressed.
    format : str, optional
        ``"svmlight"``, ``"csv"``, ``"tsv"``, ``"jsonl"``, ``"parquet"``, ``"arrow"`` or ``"vw"``;
        by the suffix of the file name if left out.
    label : str, optional
        The name of the column of labels, ``"label"`` if left out; not for svmlight and vw.
    ignore : collection of str, default ()
        Columns to leave out.
    categorical : collection of str, default ()
        Columns of categories, also where they look like numbers.
    null : collection of str, default ()
        Texts of CSV and TSV files that mean unobserved, as an empty field does.
    labelled : bool, default True
        Whether every row must have a label; else a missing label is None.
    on_error : "fail", "skip" or "quarantine", default "fail"
        What to do with bad lines: raise an error, skip them, or write them to a file.
    quarantine : str or path, optional
        The file for bad lines, with the reason of each.
    max_line_bytes : int, at least 1, default 16777216
        The most bytes of a line; a longer line is bad.
    max_features : int, at least 1, default 1048576
        The most features of a row; a row with more is bad.

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
    columns = (frozenset(ignore), frozenset(categorical), frozenset(null))
    fields = Fields(label, *columns, labelled, len(sources) > 1)
    if not sources:
        raise InputError("there is no file to read")
    formats = [format_of(one, format) for one in sources]
    for entry in formats:
        fields.check(entry)
    bad_lines = BadLines(on_error, quarantine)
    return Reader(sources, formats, fields, bad_lines, Limits(max_line_bytes, max_features))


class Reader:
    """Labelled rows from files, made by ``read``; each pass reads the files again.

    Parameters
    ----------
    sources : sequence of str, path or binary file
        The files.
    formats : sequence of FormatEntry
        The format of each.
    fields : Fields
        Which fields are the label, left out, categories.
    bad_lines : BadLines
        What to do with bad lines.
    limits : Limits
        The limits of a line and of a row.

    Attributes
    ----------
    rows_read : int
        How many rows were read in this pass, or in the last one.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        formats: Sequence[FormatEntry],
        fields: Fields,
        bad_lines: BadLines,
        limits: Limits,
    ) -> None:
        self.sources, self.formats, self.limits = sources, formats, limits
        self._fields, self._bad_lines = fields, bad_lines
        self.rows_read = 0
        self._used_up = False

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
        return _cut(self._pass(size), size, skip, self.name)

    def rows(self) -> Rows:
        """Read all rows at once.

        Returns
        -------
        Rows
            The rows.
        """
        return joined(list(self.blocks(2**16)))

    def _pass(self, size: int) -> Iterator[Rows]:
        self.rows_read = 0
        self._refuse_second_pass()
        reading = Reading(size, self._fields, self._bad_lines, self.limits, {})
        with self._bad_lines as bad_lines:
            for source, entry in zip(self.sources, self.formats, strict=True):
                bad_lines.begin_file(name_of(source))
                with opened(source) as file:
                    for rows in rows_of(entry, file, reading):
                        self.rows_read += len(rows)
                        yield rows
            if self.rows_read == 0:
                skipped = (
                    f" that can be read ({bad_lines.count} skipped)" if bad_lines.count else ""
                )
                hint = f"; {bad_lines.allowed}" if bad_lines.allowed else ""
                raise InputError(f"{self.name} holds no rows{skipped}{hint}")

    def _refuse_second_pass(self) -> None:
        for source in self.sources:
            if source == STDIN and self._used_up:
                raise InputError("standard input can be read only once")
            if hasattr(source, "seek") and source.seekable():
                source.seek(0)
        self._used_up = True


def _cut(parts: Iterable[Rows], size: int, skip: int, name: str) -> Iterator[Rows]:
    """The same rows in blocks of one size, without the first ``skip``."""
    pending: list[Rows] = []
    count, left = 0, skip
    for rows in parts:
        if left:
            dropped = min(left, len(rows))
            left -= dropped
            rows = rows[dropped:]
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
