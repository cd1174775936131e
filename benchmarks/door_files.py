"""The files of ``benchmarks.doors``: words as VW text and svmlight, records as JSON and CSV."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sparse_stream import LARGEST_RANK, SHAPE, SHIFT, sparse_stream

FIELDS = 25
WORDS_IN_ROW = 47
_SYLLABLES = [a + b for a in "bcdfghjklmnprstvwz" for b in "aeiou"]
_TEXT = ["delivered", "late", "but", "in", "good", "shape", "would", "not", "buy", "again"]


def word(number: int) -> str:
    """A word of a few syllables for each number."""
    number = (number * 2654435761 + 12345) % 2**31  # neighbours look different
    syllables = []
    while number or not syllables:
        number, rest = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[rest])
    return "".join(syllables)


def write_words(vw: Path, svmlight: Path, rows: int) -> int:
    """About 46 words a row, 200,000 rows with 766,000 of them; how many entries there are."""
    stream = sparse_stream(rows)
    names = [word(number) for number in range(stream.width)]
    values = [f"{value:.3g}" for value in stream.values.tolist()]
    columns, ends = stream.indices.tolist(), stream.indptr.tolist()
    assert stream.labels is not None
    with vw.open("w") as as_text, svmlight.open("w") as as_numbers:
        for t, label in enumerate(stream.labels.tolist()):
            row = range(ends[t], ends[t + 1])
            words = " ".join(f"{names[columns[k]]}:{values[k]}" for k in row)
            ordered = sorted(row, key=columns.__getitem__)
            numbers = " ".join(f"{columns[k] + 1}:{values[k]}" for k in ordered)
            as_text.write(f"{label} |w {words}\n")
            as_numbers.write(f"{label} {numbers}\n")
    return int(stream.values.size)


def records(seed: int = 0, *, text: bool = False) -> Iterator[dict[str, Any]]:
    """Records of 25 fields without end: numbers, categories, a flag, a date, some of them missing.

    With ``text``, one of the categories is a short text instead.
    """
    draws = random.Random(seed)
    begin = date(2024, 1, 1)
    for number in count():
        spent = draws.gauss(0, 1)
        record: dict[str, Any] = {f"amount_{i}": round(draws.gauss(50, 20), 2) for i in range(9)}
        record["amount_0"] = round(50 + 20 * spent, 2)
        record |= {f"count_{i}": draws.randrange(10 ** (i + 1)) for i in range(5)}
        record |= {f"kind_{i}": f"{'abcdefgh'[i]}{draws.randrange(4 << i)}" for i in range(8)}
        record["is_new"] = draws.random() < 0.3
        record["day"] = str(begin + timedelta(days=draws.randrange(700)))
        record["place"] = None if draws.random() < 0.2 else draws.choice(("Ulm", "Köln", "Rom"))
        for i in range(3):
            if draws.random() < 0.1:
                record[f"amount_{i + 3}"] = None
        if text:
            record["kind_7"] = " ".join(draws.choices(_TEXT, k=6))
        assert len(record) == FIELDS
        record["label"] = int(spent + draws.gauss(0, 1) + (number % 2) / 9 > 0)
        yield record


def json_line(record: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in record.items() if value is not None}) + "\n"


def csv_line(record: dict[str, Any]) -> str:
    cells = ("" if value is None else str(value) for value in record.values())
    return ",".join(cells) + "\n"


LINES: dict[str, Callable[[dict[str, Any]], str]] = {"jsonl": json_line, "csv": csv_line}


def write_records(path: Path, kind: str, rows: int, *, text: bool = False) -> None:
    made = records(text=text)
    with path.open("w") as file:
        for number in range(rows):
            record = next(made)
            if kind == "csv" and number == 0:
                file.write(",".join(record) + "\n")
            file.write(LINES[kind](record))


def write_large(path: Path, kind: str, megabytes: int) -> None:
    """A file of this size; in VW text and svmlight new names come for ever."""
    with path.open("w") as file:
        parts = _word_lines(kind) if kind in ("vw", "svmlight") else _record_lines(kind)
        while file.tell() < megabytes * 1_000_000:
            file.write(next(parts))


def _record_lines(kind: str) -> Iterator[str]:
    made = records()
    if kind == "csv":
        yield ",".join(next(made)) + "\n"
    kept = [LINES[kind](next(made)) for _ in range(50_000)]
    while True:
        yield "".join(kept)


def _word_lines(kind: str) -> Iterator[str]:
    draws = np.random.default_rng(0)
    while True:
        rank = SHIFT * ((1.0 - draws.random((1000, WORDS_IN_ROW))) ** -SHAPE - 1.0)
        largest = LARGEST_RANK if kind == "vw" else 2**20
        for row in np.minimum(rank, largest).astype(np.int64).tolist():
            label = 1 if min(row) % 2 else -1
            if kind == "vw":
                yield f"{label} |w " + " ".join(f"w{number}" for number in row) + "\n"
            else:
                yield f"{label} " + " ".join(f"{n}:1" for n in sorted({*row})) + "\n"
