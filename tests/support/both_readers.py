"""What a pass over a file finds, with compiled code and without it, to be compared."""

import io
import warnings
from unittest import mock

from braided.errors import InputError
from braided.readers.csv_table import CsvTable
from braided.readers.reader import read


class Pipe(io.RawIOBase):
    """Bytes that come in pieces and can not be read again."""

    def __init__(self, data, piece=7):
        self._file, self._piece = io.BytesIO(data), piece

    def read1(self, size=-1):
        return self._file.read(min(self._piece, size) if size >= 0 else self._piece)

    def read(self, size=-1):
        return self._file.read(size)

    def seekable(self):
        return False


def found(data, size, *, fast, piece=None, quarantine=None, **options):
    """All that can be seen of a pass: rows, labels, decisions, counts, warnings and errors."""
    source = io.BytesIO(data) if piece is None else Pipe(data, piece)
    fits = CsvTable.fits if fast else lambda *_: False
    reader = read(source, quarantine=quarantine, **options)
    rows, labels, dtypes, weights, keys, kinds, error = [], [], [], [], [], {}, None
    with mock.patch.object(CsvTable, "fits", fits), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            for block in reader.blocks(size):
                assert block.checked
                assert block.indices.max(initial=-1) < block.width <= len(block.names)
                for row in block.dicts():
                    rows.append([(name, value.hex()) for name, value in row.items()])
                labels += [(type(label), label) for label in block.labels.tolist()]
                dtypes.append(block.labels.dtype)
                weights += [] if block.weights is None else block.weights.tolist()
                keys += [] if block.keys is None else block.keys.tolist()
                assert block.schema.base is reader.schema
                kinds |= {f: k for f, k in block.schema.kinds.items() if f not in kinds}
        except InputError as refused:
            error = str(refused)
    seen, whole = reader.observed, reader.skipped == reader.unlabelled == 0
    return {
        "rows": rows,
        "labels": labels,
        "types of labels": dtypes if whole and piece is None else None,
        "weights": weights,
        "keys": keys,
        "kinds": kinds,
        "error": error,
        "warnings": [str(each.message) for each in told],
        "observed": seen.to_json(),
        "ignored": seen.ignored,
        "surprises": dict(seen.surprises),
        "id-like": sorted(seen.id_like()),
        "counts": (reader.rows_read, reader.skipped, reader.unlabelled),
        "lines": (reader.recoded, reader.short, reader.long, reader.repeated)
        if error is None
        else None,
        "quarantine": None if quarantine is None else quarantine.read_text(),
    }
