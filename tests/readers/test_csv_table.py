"""CSV by compiled code: the same rows, errors and counts as by the plain reader alone."""

import io
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.errors import DataWarning
from braided.features import name_table
from braided.readers import cell_memo, csv_table
from braided.readers.reader import read
from tests.support.both_readers import found

NUMBERS = [
    "1",
    "-2.5",
    "3e5",
    "1e-300",
    "007",
    "+4",
    ".5",
    "1.",
    "0",
    "-0",
    "12.0",
    "1e100",
    "1e101",
]
DECORATED = [
    "$1,234.00",
    "95%",
    "0,5",
    "(12)",
    "1_0",
    "inf",
    "-nan",
    "nan",
    "1e999",
    "0x1",
    "\uff11\uff12",
]
MISSING = ["", "", "", "NA", "NULL", "?", "-", "n/a", "none", " ", "\t", "nothing", "[]"]
WORDS = [
    *["cat", "dog", "Cat", "true", "FALSE", "yes", "no", "t", "f", "größe", "a=b", "x:y"],
    'a "b"',
]
DATES = ["2024-02-29", "2015-09-12T00:46:58.771Z", "2023-02-29", "2024-01-01 08:30"]
TEXTS = ["win a PRIZE now", "a b a", "!!!", "the_cat is 12.0", "12.0", "Größe 42", "x" * 30]
BLANKS = ["a\nb", "\n[1, 2]", "NA\n\n\n\n\n", "-12.0\n", "\f[x]\v", "NA\u3000\u3000", "\xa0[1]"]
LISTS = ["[1, 2]", '["p", "q", "p"]', "['a']", "[null]", "[1e999]", '[{"a": 1}, {"b": "x"}]', "[a"]
POOLS = [NUMBERS, NUMBERS + DECORATED, WORDS, WORDS[:2], ["true", "no"], DATES, TEXTS, LISTS]
POOLS.append([*TEXTS, *BLANKS, "a\u3000b", "\u0391\u03a3 \u0391\u03a3'", "a b\n", 'say "a" or "b"'])
LABELS = [["0", "1"], ["yes", "no", "True"], ["1", "2.5", "02", "", "NA"], ["a b", "[1]", "1e3"]]
NAMES = ["a", "b", "a=cat", "a:a", "a.0", "ö", "z", "age", "when", "weight", "key", " a"]
ODD_LINES = [b"", b"   ", b"\r", b"x", b"1,2,3,4,5,6,7,8,9,10,11,12", b",,,,", b"y" * 120]
ODD_LINES += [b'"a" b,c', b'"', b'a,"b', b"\xe9,1", b"a\rb,c", b"a\0b,1", b'"a" ,b']


@st.composite
def tables(draw):
    """A file of some columns, most of whose cells belong together."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
    if "label" not in names and draw(st.integers(0, 9)):
        names.append("label")
    separator = draw(st.sampled_from(",;\t|"))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    pools = [draw(st.sampled_from(POOLS)) for _ in names]
    odd = draw(st.sampled_from([[], MISSING, MISSING + DECORATED[:2] + WORDS[:1]]))
    cells = [
        st.sampled_from(draw(st.sampled_from(LABELS)) if name == "label" else pool * 3 + odd)
        for name, pool in zip(names, pools, strict=True)
    ]
    lines = [separator.join(names).encode() + end.encode()]
    odd_lines = draw(st.sampled_from([0, 0, 1, 3]))
    for _ in range(draw(st.sampled_from([0, 1, 3, 10, 30]))):
        if draw(st.integers(0, 14)) < odd_lines:
            lines.append(draw(st.sampled_from(ODD_LINES)) + end.encode())
            continue
        fields = []
        for each in cells:
            text = draw(each)
            if separator in text or "\n" in text or draw(st.integers(0, 5)) == 0:
                text = '"' + text.replace('"', '""') + '"'
            fields.append(" " * draw(st.sampled_from([0, 0, 0, 1])) + text)
        lines.append(separator.join(fields).encode() + end.encode())
    data = b"".join(lines)
    return data.removesuffix(b"\n") if draw(st.booleans()) else data


OPTIONS = st.fixed_dictionaries(
    {
        "strict": st.booleans(),
        "labelled": st.booleans(),
        "keep_unlabelled": st.booleans(),
        "on_error": st.sampled_from(["fail", "skip", "skip"]),
        "weight": st.sampled_from([None, "weight"]),
        "key": st.sampled_from([None, "key"]),
        "null": st.sampled_from([(), ("nothing", "cat")]),
        "ignore": st.sampled_from([(), ("b",)]),
        "category": st.sampled_from([(), ("age", "z")]),
        "text": st.sampled_from([(), ("a",)]),
        "max_line_bytes": st.sampled_from([2**24, 100]),
        "max_features": st.sampled_from([2**20, 7]),
    }
)


def both(data, size, **options):
    plain = found(data, size, fast=False, format="csv", **options)
    assert found(data, size, fast=True, format="csv", **options) == plain
    return plain


@given(tables(), st.sampled_from([1, 2, 5, 1024]), OPTIONS, st.sampled_from([None, None, 5, 100]))
def test_the_same_as_by_the_plain_reader(data, size, options, piece):
    both(data, size, piece=piece, **options)


@given(tables(), st.sampled_from([1, 5, 1024]), OPTIONS)
def test_the_same_with_little_room(data, size, options):
    with (
        mock.patch.object(cell_memo, "MOST_CELLS", 3),
        mock.patch.object(cell_memo, "MOST_NAMES", 3),
        mock.patch.object(csv_table, "CELLS", 12),
        mock.patch.object(csv_table, "FEW", 2),
        mock.patch.object(name_table, "_FEWEST", 2),
    ):
        both(data, size, **options)


@given(st.binary(max_size=60), st.sampled_from([1, 1024]), st.booleans())
def test_any_bytes(data, size, strict):
    both(b"a,b,label\n" + data, size, strict=strict, labelled=False, on_error="skip")


def test_blocks_share_their_names_which_are_in_the_order_of_first_sight():
    lines = [f"{i % 7},{'abc'[i % 3]},word{i % 11} and more,{i % 2}" for i in range(5000)]
    data = "b,a,text,label\n" + "\n".join(lines)
    names, highest = None, -1
    for block in read(io.BytesIO(data.encode()), format="csv").blocks(512):
        names = block.names if names is None else names
        assert block.names is names
        for index in block.indices.tolist():
            assert index <= highest + 1
            highest = max(highest, index)
    assert names[:3] == ["a=a", "b", "text:word0"]
    assert highest == len(names) - 1 == 16


def test_a_field_of_ids_takes_no_memory(monkeypatch):
    monkeypatch.setattr(cell_memo, "MOST_CELLS", 2000)
    sizes, ready = [], cell_memo.CellMemo.ready

    def measured(memo, *args):
        cells = ready(memo, *args)
        sizes.append(sum(array.nbytes for array in memo.arrays.keys))
        return cells

    monkeypatch.setattr(cell_memo.CellMemo, "ready", measured)
    data = "id,label\n" + "\n".join(f"u{i}x,{i % 2}" for i in range(50_000))
    with pytest.warns(DataWarning, match="nearly every value of 'id' is new"):
        assert len(read(io.BytesIO(data.encode()), format="csv").rows()) == 50_000
    assert max(sizes) <= sizes[0] * 2


def test_no_line_is_lost_after_a_quote_that_is_not_closed():
    lines = [f"{i},x,{i % 2}" for i in range(50)]
    data = "a,b,label\n" + '"q,x,0\n' + "\n".join(lines)
    result = both(data.encode(), 1024, max_line_bytes=60)
    assert result["counts"] == (51, 0, 0)


@pytest.mark.parametrize("cell", ["-nan", "+nan", "-inf"])
def test_what_is_no_number_is_a_surprise_wherever_it_stands(cell):
    rows = "\n".join(f"{value},1" for value in (1, cell, 3))
    assert both(f"a,label\n{rows}".encode(), 1024)["rows"][1][0][0] == f"a={cell}"


def test_names_and_cells_that_are_very_long():
    name, word = "n" * 200_000, "w" * 100_000
    data = f"{name},label\nsome words here,1\n{word} and {word},0\nsome more,1\n"
    assert both(data.encode(), 1024)["counts"] == (3, 0, 0)


def test_a_list_with_infinities_is_a_bad_line():
    result = both(b"a,label\n[1e999],1\n[2],0\n", 1024, on_error="skip")
    assert result["counts"] == (1, 1, 0)
