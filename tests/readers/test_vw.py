"""The compiled parser of Vowpal Wabbit text finds what the plain one finds, to the last bit."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.plain_vw import lines_of, plain_vw
from hypothesis import example, given
from hypothesis import strategies as st

from braided import OCO, InputError, as_rows
from braided.features.name_table import NameTable
from braided.readers import vw
from braided.readers.bad_lines import Limits
from braided.streams import read

LIMITS = Limits(line=200, features=9)

names = st.one_of(
    st.sampled_from(["a", "b", "ab", "abc", "a^b", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaaaaaaaaaa"]),
    st.text("ab", min_size=1, max_size=20),
    st.text("aéЖ漢🙂z^'0", min_size=1, max_size=9),
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=5),
)
values = st.one_of(
    st.sampled_from(["1", "0", "-0", "+2", "1.5", ".5", "5.", "1e3", "-3e-2", "1e99", "-1e99"]),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["", "x", "nan", "inf", "1_0", "1:2", "1e400", "1e100", "9" * 30, "\x0b1"]),
)
spaces = st.sampled_from([" "] * 9 + ["  ", "\t", "\r", " \t ", "\x0b", "\x1f", "\xa0", "\u3000"])
words = st.one_of(names, st.tuples(names, values).map(":".join))
heads = st.one_of(
    st.sampled_from(["1 ", "-1 ", "0.5 ", " 1 2 ", "1 'tag ", "1 2.5 tag", "tag", "", " ", "1"]),
    st.lists(st.one_of(values, names), max_size=4).map(" ".join),
)


@st.composite
def lines(draw):
    line = draw(heads)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3, 0]))):
        line += "|" + draw(st.one_of(st.just(""), words)) + draw(st.one_of(spaces, st.just("")))
        for word in draw(st.lists(words, max_size=12)):
            line += word + draw(spaces)
    return line.encode()


broken = st.binary(max_size=30)
files = st.lists(st.one_of(lines(), lines(), lines(), broken), max_size=8).map(b"\n".join)


def found_vw(data, folder, size=3):
    """What the reader finds, in the form of ``plain_vw``."""
    quarantine = folder / "bad.jsonl"
    reader = read(
        io.BytesIO(data),
        format="vw",
        keep_unlabelled=True,
        on_error="quarantine",
        quarantine=quarantine,
        max_line_bytes=LIMITS.line,
        max_features=LIMITS.features,
    )
    blocks = list(reader.blocks(size))
    assert all(block.checked and block.schema is None for block in blocks)
    bad = [json.loads(line) for line in quarantine.read_text().splitlines()]
    return lines_of(blocks), [(each["line"], each["reason"]) for each in bad]


@given(files)
@example(b"1 | a:1e99 a:1e99 b\n|x\n1 2 |n:0.1 a:3 b a:3\n")
@example("1 | b ä a\u00a0c\n-1 | é:2 e é:3\n".encode())
@example(b"1 | a\xff\n1 | \xc3\xa9 a\n")
@example(b"1 | \x00 a b\x00 b\n")
def test_as_the_plain_parser(tmp_path_factory, data):
    data = b"0 | first\n" + data  # a file without rows is refused
    assert found_vw(data, tmp_path_factory.mktemp("vw")) == plain_vw(data, LIMITS)


@pytest.mark.parametrize("prefix", ["", "n^", "a_long_name_of_eight_and_more^"])
@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 200, 1000])
def test_rows_of_any_length_are_in_the_order_of_names(prefix, count):
    draws = np.random.default_rng(count)
    texts = [
        "".join(draws.choice([*"abc", "ü", "語"], draws.integers(1, 25))) for _ in range(count)
    ]
    texts += [f"word{draws.integers(count)}" for _ in range(count)]
    line = f"1 |{prefix.rstrip('^')} " + " ".join(f"{t}:{i}" for i, t in enumerate(texts))
    expected = {}
    for i, text in enumerate(texts):
        expected[prefix + text] = expected.get(prefix + text, 0.0) + i
    (found,) = read(io.BytesIO(line.encode()), format="vw").rows().dicts()
    assert list(found.items()) == sorted(expected.items())


def test_plain_lines_are_left_to_compiled_code(monkeypatch):
    monkeypatch.delattr(vw, "parse_line")
    data = "1 2 'tag|слово еж:-2.5 ёж |n:3 語:1e-5 語\r\n | a\tb \n\n-1.5 tag| é\n".encode()
    rows = read(io.BytesIO(data), format="vw", keep_unlabelled=True).rows()
    assert list(rows.dicts()) == [
        {"n^語": 3 * 1e-5 + 3, "слово^еж": -2.5, "слово^ёж": 1.0},
        {"a": 1.0, "b": 1.0},
        {"é": 1.0},
    ]
    assert rows.labels.tolist() == [1, None, -1.5]
    assert rows.weights.tolist() == [2.0, 1.0, 1.0]


def test_names_are_numbered_as_a_model_numbers_them():
    data = b"1 | c b:2 c\n0 |n b a\n1 | a c d\n"
    rows = read(io.BytesIO(data), format="vw").rows()
    assert isinstance(rows.names, NameTable)
    assert rows.indices.tolist() == [0, 1, 2, 3, 4, 1, 5]
    assert list(rows.names) == ["b", "c", "n^a", "n^b", "a", "d"]


def many(rows):
    draws = np.random.default_rng(0)
    lines = []
    for t in range(rows):
        picked = draws.zipf(1.3, 30) % 10**6
        nbsp = "\u00a0" if t % 50 == 7 else " "
        lines.append(f"{t % 2} |w " + nbsp.join(f"v{n}:{n % 7}" for n in picked.tolist()))
    return "\n".join(lines).encode()


def test_tables_are_changed_before_they_are_too_large(monkeypatch):
    data = many(7000)
    assert len(data) > 4 * 2**18  # several chunks
    whole = read(io.BytesIO(data), format="vw").rows()
    monkeypatch.setattr(vw, "MOST_NAMES", 1000)
    tables = []
    cut, model, other = [], OCO(), OCO()
    for rows in read(io.BytesIO(data), format="vw").blocks(100):
        tables += [] if rows.names in tables else [rows.names]
        cut += rows.dicts()
        model.partial_fit(rows)
    assert len(tables) > 3
    assert cut == list(whole.dicts())
    other.partial_fit(as_rows(cut), whole.labels)
    assert model.weights() == other.weights()
    assert model.features_seen == other.features_seen


def test_a_row_of_very_many_features_is_read():
    count = 40_000  # more than compiled code takes in one row
    line = "1 | " + " ".join(f"f{i}" for i in range(count)) + "\n"
    rows = read(io.BytesIO(f"0 | a\n{line}{line}1 | b\n".encode()), format="vw").rows()
    assert np.diff(rows.indptr).tolist() == [1, count, count, 1]
    assert list(rows[1:2].dicts()) == list(rows[2:3].dicts())


def test_a_long_namespace_of_many_features_is_read():
    line = f"1 |{'n' * 5000} " + " ".join(f"f{i}" for i in range(1000)) + "\n"
    rows = read(io.BytesIO(line.encode() * 2), format="vw").rows()
    assert rows.names[-1] == "n" * 5000 + "^f999"
    assert len(rows.names) == 1000


def test_more_rows_than_are_returned_at_once():
    data = b"1 |\n-1 2 | a\n" * 40_000
    rows = read(io.BytesIO(data), format="vw").rows()
    assert rows.labels.tolist() == [1, -1] * 40_000
    assert rows.weights.tolist() == [1.0, 2.0] * 40_000
    assert rows.values.size == 40_000


def test_weights_are_kept_where_only_some_parts_have_them():
    data = b"1 | a\nbad\n0 3 | b\n"
    rows = read(io.BytesIO(data), format="vw", on_error="skip").rows()
    assert rows.weights.tolist() == [1.0, 3.0]


def test_rows_that_are_changed_are_checked_beside_a_table_that_has_grown():
    blocks = list(read(io.BytesIO(many(7000)), format="vw").blocks(1000))
    first = blocks[0]
    assert len(first.names) > first.width
    changed = replace(first, values=2 * first.values)
    checked = as_rows(changed)
    assert checked.names is first.names
    assert [*checked.dicts()] == [{n: 2 * v for n, v in x.items()} for x in first.dicts()]
    with pytest.raises(InputError, match="feature names for"):
        as_rows(replace(first, width=len(first.names) + 1))
