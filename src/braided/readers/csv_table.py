"""The rows of a CSV file: of plain records by compiled code, of all others by the plain reader.

Which records are plain is said in ``csv_parser.py``; what cells mean, in ``cell_memo.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from braided.readers.bad_lines import Record, convert_records
from braided.readers.cell_memo import CellMemo
from braided.readers.csv_lines import COMMENT, NoRows, TextLines
from braided.readers.csv_parser import NO_COMMENT, NoRowArrays, parse_records
from braided.readers.formats import Reading
from braided.records.schema import sorted_names
from braided.rows.rows import Rows

__all__ = ["CsvTable"]

CELLS = 2**14
"""About so many cells are looked at, before rows are made of them."""

FEW, MOST_PLAIN = 64, 1024
"""Where less than a few records are plain before one that is not, the plain reader reads more and
more at once: to change readers takes as long as to read some records."""


class CsvTable:
    """The rows of the records of a file.

    Parameters
    ----------
    source : TextLines
        The lines of the file, after the header.
    records : iterator of Record
        What the plain reader makes of the same lines.
    header : list of str
        The names of the columns.
    separator : str
        The character between two fields.
    no_rows : NoRows
        The lines that the plain reader leaves out.
    convert : callable
        From the contents of records to rows: the plain reader.
    reading : Reading
        The arguments of the reader.
    """

    def __init__(
        self,
        source: TextLines,
        records: Iterator[Record],
        header: list[str],
        separator: str,
        no_rows: NoRows,
        convert: Callable[[list[Any]], Rows],
        reading: Reading,
    ) -> None:
        self._source, self._records, self._reading = source, records, reading
        self._separator, self._convert = ord(separator), convert
        self._memo = CellMemo(reading, _text)
        column_of = {name: self._memo.add_field(name) for name in header}
        self._order = np.array([column_of[str(name)] for name in sorted_names(header)], np.int32)
        names = [name.encode() for name in no_rows.names if len(no_rows.names) > 1]
        self._no_row = NoRowArrays(
            np.frombuffer(b"".join(names), np.uint8),
            np.cumsum([len(name) for name in names], dtype=np.int64),
            ord(COMMENT) if no_rows.comments else NO_COMMENT,
        )
        self._most = max(1, CELLS // len(header))
        self._bounds = np.empty((len(header), 4), np.int64)
        self._places = np.empty((self._most + 1, 2), np.int64)

    @staticmethod
    def fits(header: list[str], separator: str) -> bool:
        """Whether compiled code can read such a file."""
        plain = bool(header) and not any("\0" in name for name in header)
        return plain and separator.isascii() and separator not in ' \0"\r\n'

    def rows(self) -> Iterator[Rows]:
        """The rows, up to ``reading.size`` at a time."""
        source, size, is_pipe = self._source, self._reading.size, not self._reading.sample
        left = size  # records of this batch
        at_once = 1  # records that the plain reader reads before compiled code tries again
        while True:
            taken = 0
            if source.gather():
                taken, goes_on = self._take(left)
                left -= taken
                if left == 0:
                    yield from self._taken()
                    left = size
                if goes_on:
                    continue
            elif not source.waiting:
                if is_pipe:
                    yield from self._taken()
                    left = size
                if source.fill():
                    continue
                yield from self._taken()
                return
            yield from self._taken()
            at_once = min(2 * at_once, MOST_PLAIN) if taken < FEW else 1
            batch = list(islice(self._records, 1))
            while batch and source.waiting and len(batch) < min(left, at_once):
                batch += islice(self._records, 1)
            left = left - len(batch) or size
            for rows in convert_records(batch, self._convert, self._reading.bad_lines):
                yield self._memo.adopted(rows)

    def _take(self, most: int) -> tuple[int, bool]:
        """Take the next plain records; how many, and whether there is no other one before them."""
        source, memo, most = self._source, self._memo, min(most, self._most)
        data, place = source.data, source.place
        size = min(len(data) - place, 2**31)
        cells = memo.ready(most, most * self._order.size, size)
        found, end = parse_records(
            np.frombuffer(data, np.uint8), place, most, self._separator,
            self._reading.limits.line, self._no_row, self._order, memo.fields, memo.arrays, cells,
            self._bounds, self._places,
        )  # fmt: skip
        taken = memo.take(data, found)
        place, lines = self._places[taken].tolist()
        source.skip(place, lines)
        return taken, taken == found and (found == most or end == len(data))

    def _taken(self) -> Iterator[Rows]:
        rows = self._memo.rows()
        if rows is not None:
            yield rows


def _text(raw: bytes) -> str:
    """The text of a field; only one in which quotes are doubled is still in quotes."""
    if raw.startswith(b'"'):
        raw = raw[1:-1].replace(b'""', b'"')
    return raw.decode()
