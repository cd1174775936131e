"""Random records through every door: the same model files, byte for byte, and the same scores.

``python -m tests.records.every_door 1000`` tries so many random schemas; a second number is the
first seed. Each schema has fields of all kinds, some declared, that appear late and vanish, with
missing values of every spelling. All values of a field fit its kind, so that the first value
decides what most values of a CSV column decide.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

import braided
from braided import OLSF, Braid, DataWarning, InputError, Schema
from braided.compose import OneVsRest, Scaled
from braided.streams import read

Record = dict[str, Any]

MISSING: tuple[Any, ...] = (None, math.nan, "", " ", "NULL", "n/a", "?", "-", "NaN", "none")
WORDS = [
    "cat",
    "dog",
    "Mouse",
    "größe",
    "鳥",
    "кот",
    "x1",
    "o'neil",
    "東京",
    "no-one",
    "a;b",
    "c,d",
    "e|f",
    "true-ish",
]
ZONES = (timezone.utc, ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/Berlin"))
LABELS: tuple[tuple[Any, ...], ...] = (("yes", "no"), (1, -1), (True, False), (0.5, 2.5))
CLASSES = ("red", "green", "blue")


# ---------------------------------------------------------------------------- random schemas


@dataclass
class Field:
    """A field of random records.

    Parameters
    ----------
    name : str
        Its name; dots make nested objects.
    kind : str
        The kind that it is declared to be, if it is.
    declared : bool
        Whether it is declared.
    draw : callable
        Draws a value.
    first, last : int
        The first row that may have it, and the row in which it has vanished.
    missing : float
        How often it is missing in between.
    """

    name: str
    kind: str
    declared: bool
    draw: Callable[[], Any]
    first: int
    last: int
    missing: float


def number(draws: random.Random) -> Any:
    """A number of one of many sizes."""
    match draws.randrange(5):
        case 0:
            return draws.randrange(-5, 100)
        case 1:
            return draws.choice((0, 0.0, -0.0, 1.0, 1e20, -1e-300, 2**60 + 1))
        case _:
            return draws.gauss(0, 10 ** draws.randrange(4))


def phrase(draws: random.Random) -> str:
    """A text of at least two words."""
    words = draws.choices(WORDS, k=draws.randrange(2, 6))
    space = draws.choice((" ", "  ", ", ", "\n", ' "', "; "))
    return draws.choice(("", " ")) + space.join(words) + draws.choice(("", "!", " ", '"'))


def moment(draws: random.Random) -> datetime:
    """A time of any year that frames can hold."""
    second = timedelta(seconds=draws.randrange(-(10**9), 2 * 10**9))
    return datetime(1990, 1, 1) + second + timedelta(microseconds=draws.choice((0, 5, 123456)))


def tags(draws: random.Random) -> list[Any]:
    """A list of texts, maybe of none."""
    return draws.choices(WORDS, k=draws.randrange(4))


def vector(draws: random.Random) -> list[Any]:
    """A list of numbers, some of them unobserved."""
    return [None if draws.random() < 0.1 else draws.gauss(0, 1) for _ in range(3)]


def fields_of(draws: random.Random, rows: int) -> list[Field]:
    """A random schema."""
    zone = draws.choice(ZONES)
    makers: list[tuple[str, bool | None, Callable[[], Any]]] = [  # None: declared or not
        ("number", None, lambda: number(draws)),
        ("number", None, lambda: draws.randrange(9)),
        ("number", None, lambda: repr(draws.gauss(0, 1))),
        (
            "number",
            None,
            lambda: draws.choice(("$1,234.50", "95%", "3.5", "1.234,5", "-$2", "1'234", "5 EUR")),
        ),
        ("flag", None, lambda: draws.random() < 0.5),
        ("flag", None, lambda: draws.choice(("yes", "no", "TRUE", "false"))),
        ("flag", True, lambda: draws.choice(("t", "f", "y", "n"))),
        ("category", None, lambda: draws.choice(WORDS)),
        ("category", None, lambda: f"0{draws.randrange(20):04}"),
        ("category", True, lambda: draws.choice((10115, 80331, 2**60 + 1))),
        ("category", True, lambda: draws.choice((12.0, 0.5, 1e20, -0.0))),
        ("category", True, lambda: draws.random() < 0.5),
        ("category", True, lambda: draws.choice(("a b c", "1.0", "2024-01-01", "True", "7"))),
        ("category", True, lambda: tags(draws)),
        ("text", None, lambda: phrase(draws)),
        ("text", True, lambda: draws.choice(("one", "7", "two words", "2024-01-01", "..."))),
        ("text", True, lambda: [*tags(draws), "big cat"]),
        ("date", None, lambda: moment(draws).date()),
        ("date", None, lambda: moment(draws)),
        ("date", None, lambda: moment(draws).replace(tzinfo=zone)),
        ("date", None, lambda: moment(draws).date().isoformat()),
        ("date", None, lambda: f"{moment(draws):%d.%m.%Y}"),
        ("date", None, lambda: f"{moment(draws):%d %b %Y %H:%M}"),
        ("date", None, lambda: moment(draws).time().isoformat()),
        ("month_first", None, lambda: f"{moment(draws):%m/28/%Y}"),
        ("day_first", True, lambda: f"{moment(draws):%d/%m/%y}"),
        ("tags", None, lambda: tags(draws)),
        ("tags", True, lambda: draws.choice(("solo", "two words", "12"))),
        ("vector", None, lambda: vector(draws)),
        ("vector", None, lambda: [draws.randrange(3), draws.gauss(0, 1)]),
        ("ignore", True, lambda: draws.choice(("x", "2", "[1]"))),
        ("ignore", True, lambda: number(draws)),
    ]
    found = []
    for i in range(draws.randrange(1, 9)):
        kind, declared, draw = draws.choice(makers)
        name = draws.choice(("", "", "user.", "user.home.", "ä.", "Z_")) + f"{kind}{i}"
        first = draws.choice((0, 0, draws.randrange(rows)))
        last = draws.choice((rows, draws.randrange(first, rows) + 1))
        is_declared = draws.random() < 0.3 if declared is None else declared
        missing = draws.choice((0.0, 0.2, 0.7))
        found.append(Field(name, kind, is_declared, draw, first, last, missing))
    return found


@dataclass
class Case:
    """A random schema, with records, their labels and a model.

    Parameters
    ----------
    seed : int
        Everything follows from it.
    """

    seed: int

    def __post_init__(self) -> None:
        draws = self.draws = random.Random(self.seed)
        rows = draws.choice((1, 3, 12, 40))
        self.fields = fields_of(draws, rows)
        self.records = [self._record(row) for row in range(rows)]
        self.several = draws.random() < 0.3
        classes = CLASSES if self.several else draws.choice(LABELS)
        self.labels = [draws.choice(classes) for _ in range(rows)]
        declared: dict[str, list[str]] = {}
        for field in self.fields:
            if field.declared:
                declared.setdefault(field.kind, []).append(field.name)
        self.schema = Schema(**declared)  # type: ignore[arg-type]
        self.make = draws.choice(_MODELS_OF_CLASSES if self.several else _MODELS)

    def _record(self, row: int) -> Record:
        """A flat record; a missing field has no key, or one of the spellings."""
        record = {}
        for field in self.fields:
            if not field.first <= row < field.last or self.draws.random() < field.missing:
                if self.draws.random() < 0.5:
                    record[field.name] = self.draws.choice(MISSING)
            else:
                record[field.name] = field.draw()
        return record

    def model(self) -> Any:
        """A model that has learned nothing."""
        model = self.make()
        model.schema = self.schema.copy()
        return model


_MODELS: tuple[Callable[[], Any], ...] = (
    Braid,
    OLSF,
    lambda: OLSF(budget=3),
    lambda: Braid(budget=4),
    lambda: Scaled(OLSF()),
    lambda: Scaled(Braid()),
)
_MODELS_OF_CLASSES: tuple[Callable[[], Any], ...] = (
    lambda: OneVsRest(OLSF()),
    lambda: OneVsRest(Braid()),
    lambda: OneVsRest(Scaled(Braid())),
)


# ------------------------------------------------------------------------ records in any form


def nested(record: Record) -> Record:
    """The same record with objects in place of dotted names."""
    found: Record = {}
    for name, value in record.items():
        *outer, last = name.split(".")
        inside = found
        for part in outer:
            inside = inside.setdefault(part, {})
        inside[last] = value
    return found


def shuffled(record: Record, draws: random.Random) -> Record:
    """The same record in another order of keys."""
    return dict(draws.sample([*record.items()], len(record)))


def is_missing(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and value in MISSING)


def columns(case: Case, *, plain: bool) -> Record:
    """Columns by name in another order; plain ones have None for what is missing."""
    names = case.draws.sample([field.name for field in case.fields], len(case.fields))
    return {
        name: [
            None if plain and is_missing(record.get(name)) else record.get(name)
            for record in case.records
        ]
        for name in names
    }


def _one_type(cells: list[Any]) -> list[Any]:
    """Cells that a typed column can hold: whole numbers among others become floats, or all texts.

    A float of a whole number means the same as the number, as far as floats can hold it.
    """
    types = {type(cell) for cell in cells if cell is not None}
    if types == {int, float}:
        return [None if cell is None else float(cell) for cell in cells]
    return cells


def arrow_table(case: Case, *, labels: bool, structs: bool = False) -> Any:
    """The records as a table of Arrow."""
    import pyarrow as pa

    cells = {name: _one_type(column) for name, column in columns(case, plain=True).items()}
    if structs:
        each = [nested({n: c[row] for n, c in cells.items()}) for row in range(len(case.records))]
        cells = {name: [record[name] for record in each] for name in each[0]} if each else {}
    arrays = {name: pa.array(column) for name, column in cells.items()}
    if labels:
        arrays["label"] = pa.array(case.labels)
    return pa.table(arrays)


def as_csv(case: Case, separator: str = ",") -> bytes:
    """The records as a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=case.draws.choice(("\n", "\r\n")))
    cells = columns(case, plain=False)
    writer.writerow([*cells, "label"])
    for row, label in enumerate(case.labels):
        writer.writerow([*(_as_text(cells[name][row]) for name in cells), _as_text(label)])
    return text.getvalue().encode()


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def as_json(case: Case) -> bytes:
    """The records as JSON lines, with nested objects and other orders of keys."""
    lines = []
    for record, label in zip(case.records, case.labels, strict=True):
        whole = {**nested(shuffled(record, case.draws)), "label": label}
        lines.append(json.dumps(whole, default=_as_text, ensure_ascii=False) + "\n")
    return "".join(lines).encode()


def as_parquet(case: Case, **options: Any) -> bytes:
    """The records as a Parquet file."""
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(arrow_table(case, labels=True, **options), file, row_group_size=7)
    return file.getvalue()


def as_ipc(case: Case) -> bytes:
    """The records as an Arrow IPC stream."""
    import pyarrow as pa

    file, table = io.BytesIO(), arrow_table(case, labels=True)
    with pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, 5)
    return file.getvalue()


def frames(case: Case) -> Iterator[tuple[str, Any]]:
    """The records as frames."""
    import pandas as pd
    import polars as pl

    table = arrow_table(case, labels=False)
    yield "Arrow table", table
    yield "Arrow table with structs", arrow_table(case, labels=False, structs=True)
    yield "polars", pl.from_arrow(table)
    yield "polars with structs", pl.from_arrow(arrow_table(case, labels=False, structs=True))
    plain = columns(case, plain=True)
    yield "pandas", pd.DataFrame({name: _pandas(cells) for name, cells in plain.items()})
    spelled = columns(case, plain=False)
    yield (
        "pandas of objects",
        pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in spelled.items()}),
    )
    yield "pandas of Arrow types", table.to_pandas(types_mapper=pd.ArrowDtype)


def _pandas(cells: list[Any]) -> Any:
    """A column whose type pandas finds; of whole numbers and null, that one which keeps them."""
    import pandas as pd

    whole = {type(cell) for cell in cells} == {int, type(None)}
    return pd.Series(_one_type(cells), dtype="Int64" if whole else None)


def files(case: Case) -> Iterator[tuple[str, str, bytes]]:
    """The records as files: name, format and bytes."""
    yield "CSV", "csv", as_csv(case)
    yield "CSV with semicolons", "csv", as_csv(case, ";")
    yield "TSV", "tsv", as_csv(case, "\t")
    yield "JSON lines", "jsonl", as_json(case)
    yield "Parquet", "parquet", as_parquet(case)
    yield "Parquet with structs", "parquet", as_parquet(case, structs=True)
    yield "Arrow IPC", "arrow", as_ipc(case)


# --------------------------------------------------------------------------------- the checks


def file_of(model: Any) -> bytes:
    """The bytes of a model file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.braided"
        model.save(path)
        return path.read_bytes()


def loaded(data: bytes) -> Any:
    """The model of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.braided"
        path.write_bytes(data)
        return braided.load(path)


def models(case: Case) -> Iterator[tuple[str, Any]]:
    """The models that the records leave, by door."""
    records, labels, draws = case.records, case.labels, case.draws
    one_by_one = case.model()
    for x, y in zip(records, labels, strict=True):
        one_by_one.learn_one(x, y)
    yield "dicts one by one", one_by_one
    other_order = case.model()
    for x, y in zip(records, labels, strict=True):
        other_order.predict_one(nested(x))  # which must change nothing
        other_order.learn_one(nested(shuffled(x, draws)), y)
    yield "dicts one by one, nested, keys in another order", other_order
    yield "list of dicts", case.model().partial_fit(records, labels)
    other = [nested(shuffled(x, draws)) for x in records]
    yield "list of dicts, nested, keys in another order", case.model().partial_fit(other, labels)
    for name, frame in frames(case):
        yield name, case.model().partial_fit(frame, labels)
    for name, format, data in files(case):
        size = draws.choice((1, 2, 5, 1000))
        model = case.model()
        for rows in read(io.BytesIO(data), format=format, schema=model.schema).blocks(size):
            model.partial_fit(rows)
        yield f"{name} in blocks of {size}", model
    middle, model = draws.randrange(len(records) + 1), case.model()
    if middle:
        model.partial_fit(records[:middle], labels[:middle])
        model = loaded(file_of(model))  # saved, loaded, and gone on with
    for x, y in zip(records[middle:], labels[middle:], strict=True):
        model.learn_one(x, y)
    yield f"dicts, saved after {middle}", model


def check(seed: int) -> Case:
    """Try one random schema; AssertionError if a door leaves another model or other scores."""
    case = Case(seed)
    expected, first = None, None
    for door, model in models(case):
        try:
            found = file_of(model)
        except InputError:
            assert model.engine is None, f"seed {seed}: {door}"
            found = b""
        expected, first = (found, model) if expected is None else (expected, first)
        assert found == expected, f"seed {seed}: {door} leaves another model than dicts one by one"
    if expected and len(first.classes_) > 1:
        before = first.schema.to_json(), first.features_seen
        check_predictions(case, first)
        assert (first.schema.to_json(), first.features_seen) == before, f"seed {seed}: predicting"
    return case


def check_predictions(case: Case, model: Any) -> None:
    """The same scores and chances of a record through every door, bit for bit."""
    one_by_one = [model.score_one(x) for x in case.records]
    scores = [[*s.values()] if isinstance(s, dict) else s for s in one_by_one]

    def same(door: str, X: Any) -> None:
        where = f"seed {case.seed}: {door}"
        assert model.decision_function(X).tolist() == scores, where
        if hasattr(model, "predict_proba"):
            assert model.predict_proba(X).tolist() == chances, where
        assert model.predict(X).tolist() == labels, where

    labels = [model.predict_one(x) for x in case.records]
    if hasattr(model, "predict_proba"):
        chances = [[*model.predict_proba_one(x).values()] for x in case.records]
    others = [nested(shuffled(x, case.draws)) for x in case.records]
    assert [model.predict_one(x) for x in others] == labels
    same("list of dicts", case.records)
    same("list of dicts, nested, keys in another order", others)
    for name, frame in frames(case):
        same(name, frame)
    for name, format, data in files(case):
        reader = read(io.BytesIO(data), format=format, schema=model.schema)
        same(name, reader.rows())


def main() -> None:
    warnings.simplefilter("ignore", DataWarning)
    count, first = (*map(int, sys.argv[1:]), 0)[:2] if len(sys.argv) > 1 else (40, 0)
    start, rows, failed = perf_counter(), 0, []
    for seed in range(first, first + count):
        try:
            rows += len(check(seed).records)
        except Exception as error:
            failed.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {error}"[:600], flush=True)
    seconds = math.ceil(perf_counter() - start)
    print(f"{count} schemas, {rows} records, {len(failed)} failed {failed} in {seconds} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
