"""Reader: labelled rows from files, block by block, in bounded memory however long they are."""

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
    r"""A stream of labelled rows from one file or several, one after another.

    Nothing is read before somebody asks for rows. Columns may differ from file to file.

    Parameters
    ----------
    source
        a path, ``"-"`` for standard input, a binary file, or several of them. Files that end in
        ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` are unpacked.
    format
        ``"svmlight"``, ``"csv"``, ``"tsv"``, ``"jsonl"``, ``"parquet"``, ``"arrow"`` or ``"vw"``;
        by default what the file's name says.
    label
        the name of the column of labels, ``"label"`` by default; svmlight and vw need none.
    ignore
        columns that are no features.
    categorical
        columns of texts, also where they look like numbers.
    null
        texts of a CSV file that mean unobserved, as an empty field does.
    labelled
        False, if rows may come without a label: it is None then.
    on_error
        what is done about lines that can not be read: ``"fail"``, ``"skip"`` them, or
        ``"quarantine"``: write them to the file ``quarantine``, with the reason.
    quarantine
        the path of that file.
    max_line_bytes, max_features
        what one line and one row may hold; more is refused.

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
    """Labelled rows from files; made by ``read``. Each pass reads them anew.

    ``rows_read`` and ``skipped`` count the rows that were read and the lines that were not, in the
    pass under way or the last one.
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
        """What is read, for people."""
        return ", ".join(map(name_of, self.sources))

    @property
    def skipped(self) -> int:
        """How many lines could not be read."""
        return self._bad_lines.count

    @property
    def quarantine(self) -> str | os.PathLike[str] | None:
        """The file that such lines are written to, if there is one."""
        return self._bad_lines.path

    def __iter__(self) -> Iterator[Rows]:
        return self.blocks()

    def blocks(self, size: int = BLOCK, *, skip: int = 0) -> Iterator[Rows]:
        """The rows in order, ``size`` at a time (the last block may be shorter).

        However they are cut into blocks, they are the same, bit for bit. With ``skip``, the first
        so many rows are left out: a stream goes on where somebody stopped.
        """
        check_whole("size", size, 1)
        check_whole("skip", skip, 0)
        return _cut(self._pass(size), size, skip, self.name)

    def rows(self) -> Rows:
        """All rows at once."""
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
