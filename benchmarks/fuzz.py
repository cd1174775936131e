"""Broken input for every reader: no crash, no hang, nothing bad in a model, nothing lost.

``python -m benchmarks.fuzz [inputs per format] [format ...]`` takes a file of each format and
breaks it in many ways. Whatever comes of it, each line becomes a row or is reported, what reaches
a model is fit for it, and the only error is an InputError. Where compiled code reads plain lines,
the plain reader alone must find the same: svmlight line by line, the others as a whole file.
``decimals`` are numbers instead of files.
"""

from __future__ import annotations

import io
import json
import random
import signal
import sys
import tempfile
import warnings
from codecs import BOM_UTF8
from collections import Counter
from pathlib import Path
from time import perf_counter
from unittest import mock

import numpy as np

from benchmarks.decimals import fuzz_decimals
from benchmarks.plain_vw import lines_of, plain_vw
from braided import OLSF, DataWarning, InputError, Rows
from braided.readers import json_lines
from braided.readers.bad_lines import BadLine, Limits
from braided.readers.csv_table import CsvTable
from braided.readers.svmlight import parse_line
from braided.rows.rows import joined
from braided.streams import read

INPUTS = 100_000
LONGEST_SECONDS = 20
WRITTEN = 10  # every tenth input has a quarantine
LIMITS = Limits(line=400, features=12)

TEXTS = {
    "svmlight": "1 1:0.5 2:-3e2 7:0\n-1 3:nan # odd\n0 qid:4 2:1e-300 9:12345678901234567890\n+1\n",
    "csv": 'age,pet,is,label\n31,cat,true,1\n,dog,false,0\n-2.5e3,"a ""b""\nc",,1\n0,,TRUE,0\n',
    "tsv": "age\tpet\tlabel\n31\tcat\tyes\n\tdog\tno\n1e5\t\tyes\n",
    "jsonl": '{"a": 1, "b": {"c": "x", "d": [1, null, 2.5]}, "label": 1}\n'
    '{"words": ["p", "q", "p"], "t": true, "n": null, "label": "no"}\n{"a": -1e9, "label": 0}\n'
    '{"b": {"d": [3, 4], "c": "y"}, "a": 2.50, "s": "Big cats, \\u00e9", "é": "x", "label": 1}\n'
    '{"b": {"d": [-0], "c": 7}, "a": "no", "s": "big cat", "o": [{"p": 1}], "label": 1}\n',
    "vw": "1 |a x:2 y |b z x\n-1 1 'tag|n:0.5 x:-3e4 x\n0 tag| plain other:1e-9\n"
    "1 3 |слово еж ёж:2 еж |longer_than_eight a_longer_name:7 a_longer_name_still b\n-2.5 | b a\n",
}
TOKENS = [
    b"nan", b"inf", b"-inf", b"1e999", b"1e-999", b"NaN", b"Infinity", b"null", b"true", b'"', b"'",
    b"\n", b"\r\n", b"\r", b"\t", b" ", b":", b",", b"|", b"#", b"{", b"}", b"[", b"]", b"\\",
    b"\x00", b"\xff", b"0.1", b"\xc3\xa9", b"\\ud800", b"\xef\xbb\xbf", b"99999999999999999999",
    b"2147483648", b"-1",  b"1e100", b"1.0000000000000001e100", b"1_0", b"0x1", b"qid:1",
    b"label", b"x" * 500,
    b"1:1 " * 20, b"[" * 50, b"=", b"1.7976931348623157e308", b"5e-324", b"+", b".", b"e",
]  # fmt: skip
MORE_TOKENS = {  # spaces that only Unicode knows, and what means something in this format only
    "vw": [b"\xc2\xa0", b"\xe3\x80\x80", b"\xe2\x80\xa9", b"\x0b", b"\x1f", b"^", b"| ", b" | a"]
}


def whole_file(kind: str) -> bytes:
    """A file of this format in which all is well."""
    if kind in TEXTS:
        return TEXTS[kind].encode()
    import pyarrow as pa
    from pyarrow import ipc, parquet

    columns = {"a": [1.0, None, 3.0], "b": ["x", None, "y"], "c": [True, False, None]}
    table = pa.table({**columns, "d": [[1, 2], None, [3]], "label": [1, 0, 1]})
    file = io.BytesIO()
    if kind == "parquet":
        parquet.write_table(table, file, compression="none")
    else:
        with ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    return file.getvalue()


def broken(data: bytes, draws: random.Random, tokens: list[bytes]) -> bytes:
    """The same data with a few things changed."""
    changed = bytearray(data)
    for _ in range(draws.choice((1, 1, 1, 2, 3, 8))):
        at, other = sorted(draws.randrange(len(changed) + 1) for _ in range(2))
        match draws.randrange(6):
            case 0:
                changed[at : at + 1] = bytes([draws.randrange(256)])
            case 1:
                changed[at:at] = draws.choice(tokens)
            case 2:
                changed[at : at + draws.randrange(1, 8)] = draws.choice(tokens)
            case 3:
                del changed[at : min(other, at + 30)]
            case 4:
                changed[at:at] = changed[at : min(other, at + 60)]
            case 5 if draws.random() < 0.2:
                del changed[at:]
    return bytes(changed)


def check_rows(rows: Rows) -> None:
    """What kernels trust."""
    assert rows.checked
    assert rows.labels is not None
    assert rows.labels.size == len(rows)
    assert bool((np.abs(rows.values) <= 1e100).all())
    assert rows.indices.size == 0 or 0 <= rows.indices.min() <= rows.indices.max() < rows.width
    for row in rows.dicts():
        for name in row:
            str(name).encode()
    assert int(np.diff(rows.indptr).max(initial=0)) <= LIMITS.features


def check_plain_svmlight(data: bytes, found: list[Rows], skipped: int) -> None:
    """The same rows, to the last bit, as from the plain parser alone."""
    plain, bad_lines = [], 0
    for line in data.split(b"\n"):
        try:
            if len(line) > LIMITS.line:
                raise BadLine
            row = parse_line(line + b"\n", LIMITS)
        except BadLine:
            bad_lines += 1
        else:
            plain += [] if row is None else [row]
    assert bad_lines == skipped
    if plain:
        one, other = joined(plain), joined(found)
        assert list(one.dicts()) == list(other.dicts())
        assert one.values.tobytes() == other.values.tobytes()
        assert one.labels is not None
        assert other.labels is not None
        assert one.labels.tolist() == other.labels.tolist()


def check_plain_vw(data: bytes, found: list[Rows], quarantine: Path | None) -> None:
    """The same rows as from the plain parser alone, and the same faults."""
    rows, faults = plain_vw(data, LIMITS)
    assert lines_of(found) == [row for row in rows if row[1] is not None]
    if quarantine is not None:
        bad = [json.loads(line) for line in quarantine.read_text().splitlines()]
        assert [(each["line"], each["reason"]) for each in bad] == faults


def check_plain(kind: str, data: bytes, size: int) -> None:
    """The same rows, labels, errors and counts as from the plain reader alone."""
    found = _all_of(kind, data, size)
    with (
        mock.patch.object(CsvTable, "fits", return_value=False),
        mock.patch.object(json_lines, "read_rows", json_lines.read_plainly),
    ):
        assert _all_of(kind, data, size) == found


def _all_of(kind: str, data: bytes, size: int) -> list[object]:
    """All that can be seen of a pass over a file."""
    reader = read(
        io.BytesIO(data),
        format=kind,
        on_error="skip",
        max_line_bytes=LIMITS.line,
        max_features=LIMITS.features,
    )
    found: list[object] = []
    try:
        for rows in reader.blocks(size):
            found += [list(row.items()) for row in rows.dicts()]
            found += [rows.values.tobytes(), None if rows.labels is None else rows.labels.tolist()]
    except InputError as refused:
        return [*found, str(refused)]
    seen = reader.observed
    counts = reader.rows_read, reader.skipped, reader.unlabelled, reader.recoded, reader.short
    counts += (reader.repeated,)
    return [*found, counts, seen.to_json(), seen.surprises, seen.ignored, seen.id_like()]


def check_nothing_lost(kind: str, data: bytes, found: int) -> None:
    """Each line with anything on it is a row, was reported, or has no label and was counted."""
    blank = b" " if kind in ("csv", "tsv") else None  # a tab is two empty fields
    lines = [line.strip(blank) for line in data.removeprefix(BOM_UTF8).split(b"\n")]
    filled = sum(map(bool, lines))
    if kind == "vw" or (kind == "jsonl" and not lines[0].startswith(b"[") and lines[0] != b"{"):
        assert filled == found
    elif kind in ("csv", "tsv") and b'"' not in data and b"\r" not in data:
        assert filled == 1 + found


def check_reported(quarantine: Path, data: bytes, skipped: int) -> None:
    """Each bad line has a reason and the text that was in the file (Arrow's rows as texts)."""
    reported = [json.loads(line) for line in quarantine.read_text().splitlines()]
    assert all(bad_line["reason"] for bad_line in reported)
    lost = [bad_line["text"].encode(errors="surrogateescape") for bad_line in reported]
    sizes = [text.count(b"\n") + 1 for text in lost]
    assert sum(n if "line" in bad else 1 for n, bad in zip(sizes, reported, strict=True)) == skipped
    for bad_line, text in zip(reported, lost, strict=True):
        assert "line" not in bad_line or text in data


def fuzz(kind: str, inputs: int, seed: int = 0) -> Counter[str]:
    """Read so many broken files; what came of them."""
    draws, whole = random.Random(f"{kind} {seed}"), whole_file(kind)
    tokens = TOKENS + MORE_TOKENS.get(kind, [])
    counts: Counter[str] = Counter()
    model = OLSF().partial_fit([{"a": 1.0}], [1])  # compiled before the clock runs
    read(io.BytesIO(whole), format=kind).rows()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        quarantine = Path(folder) / "quarantine.jsonl"
        for number in range(inputs):
            data = broken(whole, draws, tokens)
            signal.alarm(LONGEST_SECONDS)
            written = number % WRITTEN == 0
            reader = read(
                io.BytesIO(data),
                format=kind,
                schema=model.schema,
                on_error="quarantine" if written else "skip",
                quarantine=quarantine if written else None,
                max_line_bytes=LIMITS.line,
                max_features=LIMITS.features,
            )
            found: list[Rows] = []
            size = draws.choice((1, 2, 1024))
            try:
                for rows in reader.blocks(size):
                    check_rows(rows)
                    model.partial_fit(rows, np.arange(len(rows)) % 2)
                    found.append(rows)
            except InputError:
                counts["files refused"] += 1
            else:
                counted = reader.rows_read + reader.skipped + reader.unlabelled + reader.repeated
                check_nothing_lost(kind, data, counted)
                if kind == "svmlight":
                    check_plain_svmlight(data, found, reader.skipped)
                elif kind == "vw":
                    check_plain_vw(data, found, quarantine if written else None)
            if written:
                check_reported(quarantine, data, reader.skipped)
            counts["files"] += 1
            counts["rows"] += reader.rows_read
            counts["lines skipped"] += reader.skipped
            if kind in ("csv", "tsv", "jsonl"):
                check_plain(kind, data, size)
            if number % 1000 == 999:
                assert np.isfinite(list(model.weights().values())).all()
                model = OLSF() if model.features_seen > 100_000 else model
    signal.alarm(0)
    assert np.isfinite(list(model.weights().values())).all()
    return counts


def main() -> None:
    warnings.simplefilter("ignore", DataWarning)
    inputs = int(sys.argv[1]) if len(sys.argv) > 1 else INPUTS
    for kind in sys.argv[2:] or (*TEXTS, "parquet", "arrow", "decimals"):
        start = perf_counter()
        counts = fuzz_decimals(inputs) if kind == "decimals" else fuzz(kind, inputs)
        told = ", ".join(f"{n:,} {what}" for what, n in counts.items())
        print(f"{kind:9} {told} in {perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
