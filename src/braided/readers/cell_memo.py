"""CellMemo: what the cells of a file became, so that compiled code can make rows of them.

A cell is the value of a field in a record, as bytes of a file. What it means is said in one place,
``Converter.pairs``; a memo remembers what each different cell became. The parser of a format looks
at all cells of some rows (``cell_parser.look_at``), Python resolves those that are new, and
compiled code makes rows of them::

    memo = CellMemo(reading, value_of)          # value_of(bytes) is the value, as Python has it
    fields = [memo.add_field(name) for name in header]
    while data is left:
        cells = memo.ready(rows, cells, len(data))  # arrays with room for so many
        n = parse(data, memo.fields, memo.arrays, cells, ...)  # with look_at for each cell
        taken = memo.take(data, n)              # row number `taken`, if less than n, is not plain:
        rows = memo.rows()                      # the rows that were taken, None if there are none;
                                                # then the plain reader reads one record

Rows that are refused decide nothing: kinds that were decided by a row that is not taken are taken
back, and the plain reader decides anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.features.name_table import FREE, NameTable
from braided.kernels.numerics import LARGEST_VALUE
from braided.readers import cell_parser
from braided.readers.cell_parser import (
    CODE_BYTES,
    DONE,
    LEFT,
    NO_ROOM,
    PART,
    SEEN,
    CellArrays,
    FieldArrays,
    MemoArrays,
    show_rows,
)
from braided.readers.formats import Reading
from braided.records.convert import Converter
from braided.records.kinds import IGNORE, NUMBER, TEXT, VECTOR
from braided.records.roles import as_label, keys_of, weights_of
from braided.rows.rows import Rows, joined

__all__ = ["CellMemo"]

MOST_CELLS, MOST_BYTES = 2**18, 2**25
"""A memo with more is emptied, so that a field of ids takes no memory."""

MOST_NAMES = 2**20
"""Rows share a table of names, until it has more than so many."""

_LONGEST_CELL = 2**16
_KINDS = {
    NUMBER: cell_parser.NUMBER,
    TEXT: cell_parser.TEXT,
    VECTOR: cell_parser.VECTOR,
    IGNORE: cell_parser.IGNORE,
}
_ROLES = {"label": cell_parser.LABEL, "weight": cell_parser.WEIGHT, "key": cell_parser.KEY}


class CellMemo:
    """Makes rows of cells, with the help of what equal cells became before.

    Parameters
    ----------
    reading : Reading
        Knows the schema, and keeps what is decided and counted.
    value_of : callable
        From the key of a cell to its value; a ValueError leaves the row to the plain reader.

    Attributes
    ----------
    fields : FieldArrays
        The fields, for compiled code.
    arrays : MemoArrays
        The memo, for compiled code.
    names : NameTable
        The names of the features of rows.
    """

    def __init__(self, reading: Reading, value_of: Callable[[bytes], Any]) -> None:
        self._reading, self._value_of = reading, value_of
        self._needs_label = reading.labelled and reading.schema.strict
        self._field_names: list[str] = []
        self._kind_of: list[str | None] = []  # None: not decided yet
        self._undecided: dict[int, None] = {}  # fields, in their order
        self._decided: dict[int, int] = {}  # the row in which each field was decided, by field
        self._field_of_code: list[int] = []
        self.fields = FieldArrays(
            np.zeros(8, np.uint8),
            np.zeros(8, np.uint64),
            np.zeros(8, np.int32),
            np.zeros(9, np.int64),
            np.zeros(64, np.uint8),
            *(np.zeros(8, np.int64) for _ in range(3)),
        )
        self._longest = max(len(text.encode()) for text in reading.schema.missing)
        self._scratch = np.empty(_LONGEST_CELL, np.uint8)
        self.names = NameTable()
        self._place = np.zeros(self.names.arrays.ends.size, np.int64)
        self._named = 0  # how many names were handed on to what counts values
        self._cells = _no_cells(0, 0)
        self._pieces: list[Rows] = []
        self._missing_labels: Counter[str] = Counter()
        self._converter: Converter | None = None
        self.arrays: MemoArrays
        self._forget()

    # --------------------------------------------------------------------------- fields

    def add_field(self, name: str) -> int:
        """Add a field; return its number."""
        self.add_fields([name], [FREE])
        return len(self._field_names) - 1

    def add_fields(self, names: list[str], rows: list[int]) -> None:
        """Add fields; their numbers go on from how many there were before.

        Parameters
        ----------
        names : list of str
            Their names.
        rows : list of int
            Of each, the row (of those that the parser will find) of its first value, if that is a
            number: this decides its kind, if nothing else did. Less than 0 if not.
        """
        first, encoded = len(self._field_names), [name.encode() for name in names]
        count, begin = first + len(names), int(self.fields.ends[first])
        ends = begin + np.cumsum([len(each) for each in encoded])
        room = {"ends": count + 1, "text": int(ends[-1])}
        longest = max(map(len, encoded)) + _LONGEST_CELL  # words are written after the name
        if self._scratch.size < longest:
            self._scratch = np.empty(longest, np.uint8)
            self.arrays = self.arrays._replace(scratch=self._scratch)
        self.fields = FieldArrays(
            **{
                key: _with_room(array, room.get(key, count))
                for key, array in self.fields._asdict().items()
            }
        )
        self.fields.text[begin : ends[-1]] = np.frombuffer(b"".join(encoded), np.uint8)
        self.fields.ends[first + 1 : count + 1] = ends
        self.fields.own[first:count] = self._feature_numbers([_own_feature(n) for n in names])
        roles = self._reading.schema.roles
        for field, name, row in zip(range(first, count), names, rows, strict=True):
            self._field_names.append(name)
            self._kind_of.append(None)
            self._give_code(field)
            if name in roles:
                self.fields.kinds[field] = _ROLES[roles[name]]
                continue
            kind = NUMBER if name.startswith(PART) else self._known_kind(name)
            if kind is None and row >= 0 and self._converter is not None:
                kind = self._converter.decide(name, NUMBER)
                self._decided[field] = row
            self._set_kind(field, kind)

    def _give_code(self, field: int) -> None:
        """Begin a field anew: no cell of it is in the memo."""
        self.fields.codes[field] = len(self._field_of_code)
        self._field_of_code.append(field)

    def _known_kind(self, name: str) -> str | None:
        if self._converter is not None:
            return self._converter.known_kind(name)
        return self._reading.schema.kind(name) or self._reading.sampled.get(name)

    def _refresh_kinds(self) -> None:
        """Take over what was decided elsewhere: by the plain reader, or by a model that learns."""
        for field in list(self._undecided):
            kind = self._known_kind(self._field_names[field])
            if kind is not None:
                self._set_kind(field, kind)
                self._give_code(field)

    def _set_kind(self, field: int, kind: str | None) -> None:
        self._kind_of[field] = kind
        self.fields.kinds[field] = _kind_code(kind)
        if kind is None:
            self._undecided[field] = None
        else:
            self._undecided.pop(field, None)

    # ----------------------------------------------------------------------------- memo

    def _forget(self) -> None:
        """Empty the memo."""
        self._keys, self._known = NameTable(), NameTable()
        self._resolved = 0
        self._labels: list[Any] = []
        self._code_of_label: dict[Any, int] = {}
        self._no_labels: dict[int, str] = {}  # codes of texts that mean missing
        self.arrays = MemoArrays(
            self._keys.arrays,
            self._known.arrays,
            np.zeros(1025, np.int64),
            np.empty(1024, np.int32),
            np.empty(1024),
            np.zeros(1024, np.uint8),
            np.zeros(1024, np.int64),
            np.full(self._known.arrays.ends.size, FREE, np.int32),
            self._place,
            self._scratch,
            self._longest,
        )
        if self._field_names:
            numbers = self._feature_numbers([_own_feature(n) for n in self._field_names])
            self.fields.own[: numbers.size] = numbers

    def _feature_numbers(self, names: list[Any]) -> Any:
        """The numbers of features among those that cells have become."""
        numbers = self._known.add(names)
        shown = self.arrays.shown
        if shown.size < self._known.arrays.ends.size:
            grown = np.full(self._known.arrays.ends.size, FREE, np.int32)
            grown[: shown.size] = shown
            shown = grown
        self.arrays = self.arrays._replace(known=self._known.arrays, shown=shown)
        return numbers

    def ready(self, rows: int, cells: int, size: int) -> CellArrays:
        """Prepare for cells.

        Parameters
        ----------
        rows : int
            The most rows that the parser will find.
        cells : int
            The most cells.
        size : int
            The most bytes that all of them have.

        Returns
        -------
        CellArrays
            Arrays with room for these cells; the memo has room for them too.
        """
        if self._converter is None:
            self._converter = self._reading.converter()
            self._refresh_kinds()
        used = int(self._keys.arrays.ends[len(self._keys)])
        if len(self._keys) > MOST_CELLS or used > MOST_BYTES or len(self._known) > MOST_CELLS:
            self._forget()
        if len(self._field_of_code) >= 2 ** (8 * CODE_BYTES - 1):
            raise InputError("too many fields")
        if len(self.names) > MOST_NAMES and not self._pieces:
            self.names, self._named = NameTable(), 0
            self.arrays.shown[:] = FREE
        self._keys.make_room(cells, size + CODE_BYTES * cells)
        self._fit_names()
        self.arrays = self.arrays._replace(keys=self._keys.arrays)
        if self._cells.field.size < cells or self._cells.ends.size <= rows:
            self._cells = _no_cells(rows, cells)
        return self._cells

    def _fit_names(self) -> None:
        if self._place.size < self.names.arrays.ends.size:
            self._place = np.zeros(self.names.arrays.ends.size, np.int64)
            self.arrays = self.arrays._replace(place=self._place)

    # ------------------------------------------------------------------- new cells, by Python

    def _resolve(self, rows: int) -> None:
        """Ask what new cells become."""
        first, last = self._resolved, len(self._keys)
        if first == last:
            return
        found = [self._meaning(entry, rows) for entry in range(first, last)]
        counts = [len(pairs) for pairs, _, _ in found]
        arrays = self.arrays
        begin = int(arrays.spans[first])
        ends = begin + np.cumsum(counts)
        arrays = arrays._replace(
            spans=_with_room(arrays.spans, last + 1),
            flags=_with_room(arrays.flags, last),
            surprises=_with_room(arrays.surprises, last),
            features=_with_room(arrays.features, int(ends[-1])),
            values=_with_room(arrays.values, int(ends[-1])),
        )
        arrays.spans[first + 1 : last + 1] = ends
        arrays.flags[first:last] = [flags for _, flags, _ in found]
        arrays.surprises[first:last] = [surprises for _, _, surprises in found]
        self.arrays = arrays
        names = [name for pairs, _, _ in found for name, _ in pairs]
        self.arrays.features[begin : ends[-1]] = self._feature_numbers(names)
        self.arrays.values[begin : ends[-1]] = [v for pairs, _, _ in found for _, v in pairs]
        self._resolved = last

    def _meaning(self, entry: int, rows: int) -> tuple[Any, Any, int]:
        """The features and values of a new cell, its flags, and how often it surprises."""
        text, ends = self._keys.arrays.text, self._keys.arrays.ends
        raw = text[ends[entry] : ends[entry + 1]].tobytes()
        field = self._field_of_code[int.from_bytes(raw[:CODE_BYTES], "little")]
        name, kind = self._field_names[field], self.fields.kinds[field]
        converter = self._converter
        assert converter is not None
        try:
            value = self._value_of(raw[CODE_BYTES:])
            if kind == cell_parser.LABEL:
                return self._as_label(value, converter), SEEN, 0
            if kind == cell_parser.WEIGHT:
                return [("", float(weights_of([value], converter)[0]))], SEEN, 0
            if kind == cell_parser.KEY:
                keys_of([value])
                return (), SEEN, 0
            if _holds_objects(value):  # whose fields have kinds of their own
                return (), LEFT, 0
            if kind == cell_parser.IGNORE:
                return (), SEEN if converter.is_observed(value) else 0, 0
            before = converter.surprises[name]
            pairs = converter.pairs(name, value)
        except (ValueError, InputError):  # NotAllowed among them
            return (), LEFT, 0
        if not all(abs(number) <= LARGEST_VALUE for _, number in pairs):
            return (), LEFT, 0
        if self._kind_of[field] is None and (found := converter.known_kind(name)) is not None:
            self._set_kind(field, found)
            self._decided[field] = self._first_row(entry, rows)
        seen = bool(pairs) or self._settles(name, value)
        return pairs, SEEN if seen else 0, converter.surprises[name] - before

    def _as_label(self, value: Any, converter: Converter) -> Any:
        label = as_label(value, converter)
        mark: Any = type(label), label
        if label is None:
            text = value.strip() if isinstance(value, str) else ""
            if not text or self._needs_label:
                return ()
            mark = text  # what means missing is counted, as it may be meant as a class
        code = self._code_of_label.setdefault(mark, len(self._labels))
        if code == len(self._labels):
            self._labels.append(label)
            if label is None:
                self._no_labels[code] = text
        return [("", float(code))]

    def _settles(self, name: str, value: Any) -> bool:
        """Whether a value without features settles the kind of a field that was declared."""
        other = Converter(self._reading.schema)
        other.pairs(name, value)
        return name in other.decided

    def _first_row(self, entry: int, rows: int) -> int:
        """The row that has a cell."""
        cell = int(np.argmax(self._cells.entry[: self._cells.ends[rows]] == entry))
        return int(np.searchsorted(self._cells.ends[: rows + 1], cell, side="right")) - 1

    # ----------------------------------------------------------------------------- rows

    def take(self, data: Any, rows: int) -> int:
        """Make rows of the cells that the parser has found.

        Parameters
        ----------
        data : bytes or array of bytes
            What the parser has parsed.
        rows : int
            How many rows it has found.

        Returns
        -------
        int
            How many became rows; the next one, if there is one, is for the plain reader.
        """
        as_bytes = np.frombuffer(data, np.uint8)
        self._resolve(rows)
        row = 0
        while row < rows:
            arrays: list[Any]
            row, status, *arrays = show_rows(
                as_bytes, self.fields, self.arrays, self.names.arrays, self._cells, row, rows,
                self._reading.limits.features, self._needs_label,
            )  # fmt: skip
            if arrays[0].size > 1:
                self._pieces.append(self._piece(data, *arrays))
            if status == NO_ROOM:
                # More bytes than there are, so that a name of any length fits in the end.
                self.names.make_room(len(self.names) + 1, self.names.arrays.text.size + 1)
                self._fit_names()
            elif status != DONE:
                break
        self._take_back([field for field, first in self._decided.items() if first >= row])
        self._decided = {}
        return row

    def _take_back(self, fields: list[int]) -> None:
        """Rows that are not taken decide nothing."""
        for field in fields:
            assert self._converter is not None
            self._converter.undecide(self._field_names[field])
            self._set_kind(field, None)
            self._give_code(field)

    def _piece(
        self, data: Any, indptr: Any, indices: Any, values: Any, codes: Any, weights: Any, keys: Any
    ) -> Rows:
        schema, changes = self._reading.schema, dict[str, Any]()
        if schema.label is not None:
            changes["labels"] = self._label_array(codes)
            for code, text in self._no_labels.items():
                if times := int(np.count_nonzero(codes == code)):
                    self._missing_labels[text] += times
        if schema.weight is not None:
            changes["weights"] = weights
        if schema.key is not None:
            changes["keys"] = keys_of([self._key(data, cell) for cell in keys.tolist()])
        return Rows(indptr, indices, values, len(self.names), self.names, **changes).marked()

    def _label_array(self, codes: Any) -> Any:
        """The labels, as ``records.roles.label_array`` makes them."""
        table = np.empty(len(self._labels) + 1, object)
        table[:-1] = self._labels
        whole = [type(label) is int and abs(label) < 2**63 for label in self._labels]
        used = np.unique(codes)
        if used.size and used[0] >= 0 and all(whole[code] for code in used.tolist()):
            return table[codes].astype(np.int64)
        return table[codes]  # the last is None, for -1

    def _key(self, data: Any, cell: int) -> Any:
        if cell < 0 or self._cells.entry[cell] == cell_parser.EMPTY:
            return None
        start, end = int(self._cells.start[cell]), int(self._cells.end[cell])
        return self._value_of(bytes(data[start:end]))

    def rows(self) -> Rows | None:
        """Return the rows that were taken since the last call; None if there are none.

        Returns
        -------
        Rows or None
            The rows, with what was decided; it is kept and counted.
        """
        pieces, self._pieces = self._pieces, []
        self._converter = None  # it has also seen cells of rows that were not taken
        if not pieces:
            return None
        converter = self._reading.converter()
        converter.no_labels, self._missing_labels = self._missing_labels, Counter()
        count = len(self._field_names)
        for field in np.flatnonzero(self.fields.seen[:count]).tolist():
            name, kind = self._field_names[field], self._kind_of[field]
            if kind is None or name.startswith(PART):  # a role, or a number in a list
                continue
            if converter.known_kind(name) is None:
                converter.decide(name, kind)
            converter.kind(name, None)  # one that was declared is settled now that it is observed
            if self.fields.observed[field]:
                converter.observed[name] = int(self.fields.observed[field])
            if self.fields.surprises[field]:
                converter.surprises[name] = int(self.fields.surprises[field])
        for counts in (self.fields.seen, self.fields.observed, self.fields.surprises):
            counts[:] = 0
        begin, self._named = self._named, len(self.names)
        return self._reading.accept(converter, joined(pieces), self.names[begin : self._named])

    def adopted(self, rows: Rows) -> Rows:
        """The same rows, of the plain reader, with the names that all rows of the file share."""
        if rows.names is None:
            return rows
        columns, first = np.unique(rows.indices, return_index=True)
        columns = columns[np.argsort(first)]
        numbers = np.zeros(max(rows.width, 1), np.int32)
        numbers[columns] = self.names.add([str(rows.names[c]) for c in columns.tolist()])
        self._fit_names()
        self._named = len(self.names)  # their values were counted
        return rows.with_arrays(
            indices=numbers[rows.indices], width=len(self.names), names=self.names
        )


def _own_feature(name: str) -> str:
    """The feature that is called as a field."""
    return name.removeprefix(PART)


def _kind_code(kind: str | None) -> int:
    return cell_parser.UNDECIDED if kind is None else _KINDS.get(kind, cell_parser.OTHER)


def _holds_objects(value: Any) -> bool:
    if isinstance(value, str):
        return "{" in value and value.lstrip().startswith("[")
    return isinstance(value, dict) or (
        isinstance(value, list) and any(not isinstance(v, str) and _holds_objects(v) for v in value)
    )


def _with_room(array: Any, size: int) -> Any:
    """The same array, or a longer one with the same beginning."""
    if array.size >= size:
        return array
    grown = np.zeros(max(size, 2 * array.size), array.dtype)
    grown[: array.size] = array
    return grown


def _no_cells(rows: int, cells: int) -> CellArrays:
    field, entry, start, end = np.empty((4, cells), np.int32)
    return CellArrays(field, entry, start, end, np.empty(cells), np.zeros(rows + 1, np.int64))
