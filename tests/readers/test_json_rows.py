"""Compiled code reads JSON lines as the plain reader does: rows, decisions, counts, errors."""

import io
import json
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from braided import InputError, Schema
from braided.readers import json_lines, json_rows
from braided.streams import read

NUMBERS = [
    "0", "-0", "-0.0", "1", "12", "-3.25", "1e5", "1E-7", "2.50", "0.1", "1e100", "1.1e100",
    "1e400", "12345678901234567890", "0.30000000000000004", "5e-324",
    "123456789012345678901234567890.5e-9", "01", "+1", ".5", "5.", "1e", "-", "NaN", "Infinity",
    "-Infinity", "10115", "9007199254740993",
]  # fmt: skip
TEXTS = [
    '""', '" "', '"cat"', '"a big cat"', '"A cat, a BIG cat"', '"NULL"', '"n/a"', '"not given"',
    '"12"', '"12.0"', '"007"', '"true"', '"No"', '"t"', '"2024-02-29"',
    '"2015-09-12T00:46:58.771Z"', '"[1, 2]"', '"[\\"a\\"]"', '"caf\\u00e9"', '"café"',
    '"Größe 42"', '"\\ud800"', '"a\\nb"', '"\\\\"', '"\\""', '" x "', '"\\tx"', '"$1,234.50"',
    '"-0"', '"1e400"', '"\\x"', '"{"', '"a\tb"', '"3 4"', '"12.0 "', '"yes we can"',
    '"[{\\"a\\": 1}]"', '"x\u2028y z"',
]  # fmt: skip
OTHERS = [
    "true",
    "false",
    "null",
    "tru",
    "nul",
    "[]",
    "{}",
    "[null]",
    "[1, 2.5, null]",
    "[-0, -0.0]",
]
LISTS = [
    '["a", "b", "a"]', "[1,[2,3]]", '[{"a": 1}, {"a": 3}]', '["x", {"b": "c d"}]', "[true, false]",
    "[1, 1e400]", "[1,]", "[,]", "[1 2]", "[01]", '[1, "x"]', "[1,2,3,4,5,6,7,8,9,10,11,12]",
    "[1}", "[NaN, 1]", '["]"]', "[ 3 ]", "[ ]", "[1, 2}", '[{"a": 1, "a": 2}]',
]  # fmt: skip
KEYS = [
    "a", "b", "c", "d", "a.b", "b.a", "label", "weight", "key", "zip", "note", "skip", "skip.a",
    "vec", "vec.0", "vec.1", "", "é", "日本", "longer name of a field", "longer name of a fielc",
    "b=cat",
]  # fmt: skip

scalars = st.sampled_from([*NUMBERS[:17], *TEXTS[:20], *OTHERS])
anything = st.sampled_from([*NUMBERS, *TEXTS, *OTHERS, *LISTS])
blanks = st.sampled_from(["", "", "", " ", "\t", " \r"])


@st.composite
def objects(draw: Any, values: Any, depth: int = 0) -> str:
    cells = []
    unique = draw(st.sampled_from([True, True, True, False]))
    for key in draw(st.lists(st.sampled_from(KEYS), max_size=6, unique=unique)):
        nests = depth < 2 and draw(st.integers(0, 5)) == 0
        value = draw(objects(values, depth + 1)) if nests else draw(values)
        text = json.dumps(key, ensure_ascii=draw(st.booleans()))
        cells.append(f"{draw(blanks)}{text}{draw(blanks)}:{draw(blanks)}{value}{draw(blanks)}")
    return "{" + (",".join(cells) or draw(blanks)) + "}"


plain_lines = st.tuples(blanks, objects(scalars), blanks).map("".join).map(str.encode)
any_lines = st.tuples(blanks, objects(anything), blanks).map("".join).map(str.encode)
stray = st.sampled_from([b"", b"\xff", b'"', b"}"])
broken_lines = st.tuples(any_lines, st.integers(0, 60), stray).map(
    lambda drawn: drawn[0][: drawn[1]] + drawn[2] + drawn[0][drawn[1] + 1 :]
)
odd_lines = st.sampled_from(
    [b"", b" ", b"\x0b", b"[1]", b"3", b"{", b"{}", b'"x"', b"{} {}", b"{,}"]
)
files = st.lists(plain_lines | plain_lines | any_lines | broken_lines | odd_lines, max_size=12).map(
    b"\n".join
)
schemas = st.sampled_from(
    [
        {},
        {},
        {"strict": True},
        {
            "category": "zip",
            "text": "note",
            "ignore": ["skip"],
            "vector": "vec",
            "null": "not given",
        },
        {"weight": "weight", "key": "key", "number": "a*", "flag": "d"},
        {"ignore": ["a", "b*"], "key": "c", "date": "d", "tags": "zip"},
        {"text": ["a", "b", "c"], "weight": "a.b"},
    ]
)


class Pipe(io.BytesIO):
    """A file that can be read once, piece by piece."""

    def seekable(self) -> bool:
        return False


def everything(
    data: bytes, plain: bool, size: int = 1024, pipe: bool = False, **how: Any
) -> dict[str, Any]:
    """All that comes of a file, read by compiled code or plainly."""
    found: dict[str, Any] = {"rows": [], "labels": [], "weights": [], "keys": [], "error": None}
    blocks: list[tuple[int, dict[Any, str]]] = []
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        if plain:
            patch.setattr(json_lines, "read_rows", json_lines.read_plainly)
        reader = read((Pipe if pipe else io.BytesIO)(data), format="jsonl", **how)
        try:
            for rows in reader.blocks(size):
                assert rows.checked
                assert rows.indices.max(initial=-1) < rows.width <= len(rows.names or ())
                for row in rows.dicts():
                    found["rows"].append(
                        [(name, np.float64(v).tobytes()) for name, v in row.items()]
                    )
                for kind in ("labels", "weights", "keys"):
                    items = getattr(rows, kind)
                    if items is not None:
                        found[kind] += [(type(item), item) for item in items.tolist()]
                blocks.append((len(rows), rows.schema.kinds))
        except InputError as error:
            found["error"] = str(error)
    found["blocks"] = blocks if not pipe else None  # a pipe is cut as its lines come
    seen = reader.observed
    found["decided"] = {field: kind for _, kinds in blocks for field, kind in kinds.items()}
    found["seen"] = seen.rows, seen.fields, seen.ignored, +seen.surprises
    found["id-like"] = seen.id_like()
    found["counts"] = reader.rows_read, reader.unlabelled, reader.skipped
    found["warnings"] = [str(each.message) for each in warned]
    if reader.skipped and reader.unlabelled:
        # Rows that are left out take their decisions along, if all of a part of a batch are; which
        # parts there are depends on how bad lines are found.
        del found["decided"], found["blocks"]
    return found


@given(
    files,
    schemas,
    st.sampled_from(["skip", "fail"]),
    st.sampled_from([1, 2, 3, 5, 1024]),
    st.booleans(),
    st.booleans(),
)
@example(b'{"a":"x y","b":1e400}\n{"a":1}\n{"a":"x"}', {}, "skip", 2, False, True)
@example(b'{"a":1,"b":1e400}\n{"a":"x"}\n{"a":1}', {}, "skip", 1024, False, True)
@example(b'{"a":{"b":1},"a.b":2}\n{"a":{},"a":{}}', {}, "skip", 1024, False, True)
@example(b'{"c":1}\n{"zip":7,"b":1e400}\n{"c":"x"}', {"category": "zip"}, "skip", 9, False, True)
@example(b'{"c":1}\n{"d":["a",1e400]}\n{"d":"x"}', {}, "skip", 1024, False, True)
@example(b'{"vec":[1,2]}\n{"vec":[1,2}}\n{"vec":[}}', {}, "skip", 1024, False, True)
@example(b'{"vec":[1,2],"vec.0":3}\n{"vec":[1,2]}', {}, "skip", 1024, False, True)
def test_compiled_is_plain(
    data: bytes, schema: dict[str, Any], on_error: str, size: int, pipe: bool, keep: bool
) -> None:
    how = {"size": size, "pipe": pipe, "on_error": on_error, "keep_unlabelled": keep, **schema}
    one, other = (everything(data, plain, **how) for plain in (False, True))
    for what, expected in other.items():
        assert one[what] == expected, what


@given(st.lists(objects(scalars).map(str.encode), min_size=1, max_size=40), st.integers(1, 50))
def test_of_many_chunks(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines * 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("braided.readers.sources.CHUNK_BYTES", 97)
        one, other = (everything(data, plain, size, on_error="skip") for plain in (False, True))
    assert one == other


def test_quarantine_is_the_same(tmp_path: Any) -> None:
    data = (
        b'{"a": 1, "label": 1}\n{"a": \n\n{"a": 1e999}\n{"a": 2, "label": 0}\n{"a": "\xff"}\n[1]\n'
    )
    texts = []
    for plain in (False, True):
        path = tmp_path / "bad.jsonl"
        everything(data, plain, on_error="quarantine", quarantine=path)
        texts.append(path.read_text())
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == 4


def test_most_lines_are_read_by_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests above would compare the plain reader with itself."""
    left: list[Any] = []
    plain = json_rows.convert_records
    monkeypatch.setattr(
        json_rows, "convert_records", lambda *args: (left.append(args[0]), plain(*args))[1]
    )
    record = (
        '{{"n": {n}.5, "i": {n}, "cat": "c{c}", "user": {{"age": {n}, "on": true, "city": null}}, '
        '"note": "Good word{c} é", "vec": [1, null, {n}], "tags": ["p", "q{c}"], "label": {y}}}\n'
    )
    data = "".join(record.format(n=n, c=n % 7, y=n % 2) for n in range(3000)).encode()
    one, other = (everything(data, plain) for plain in (False, True))
    assert one == other
    assert left == []


def test_fields_may_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        json.dumps({f"w{(7 * n + k * k) % 997}": k + 0.5 for k in range(12)} | {"label": n % 2})
        for n in range(600)
    ]
    data = "\n".join(lines).encode()
    one, other = (everything(data, plain, 100) for plain in (False, True))
    assert one == other
    monkeypatch.setattr(json_rows, "MOST_FIELDS", 50)
    assert everything(data, False, 100) == other


def test_a_schema_that_is_known_before() -> None:
    schema = Schema(label="y")
    schema.kinds |= {"a": "category", "b": "text"}
    data = b'{"a": 1, "b": "big cat", "y": 1}\n{"a": "x", "b": 5, "c": "2024-01-01", "y": "no"}\n'
    one, other = (everything(data, plain, schema=schema) for plain in (False, True))
    assert one == other
    assert [name for name, _ in one["rows"][0]] == ["a=1", "b:big", "b:cat"]
