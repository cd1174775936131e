"""ARFF: what its header says, sparse rows, quotes, and what is refused."""

import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import arff

from braided.errors import InputError
from braided.readers.reader import read

HEAD = """% a comment, with @data in it
@RELATION 'pets, all'

@attribute age NUMERIC
@attribute 'kind of pet' {cat, 'big dog', "o'x"}   % as a rule
@attribute label {no,yes}
@data
""".replace("   % as a rule", "")


def found(text, **options):
    rows = read(io.BytesIO(text.encode()), **options).rows()
    return list(zip(rows.dicts(), rows.labels.tolist(), strict=True))


def test_rows_are_those_of_the_header():
    text = HEAD + "31, cat , yes\n% nothing\n\n?,'big dog',no\n5,\"o'x\",yes\n7,?,?\n"
    assert found(text) == [
        ({"age": 31.0, "kind of pet=cat": 1.0}, "yes"),
        ({"kind of pet=big dog": 1.0}, "no"),
        ({"age": 5.0, "kind of pet=o'x": 1.0}, "yes"),
    ]
    assert found(text.replace("\n", "\r\n")) == found(text) == found(text, format="arff")
    assert found(text.replace(", cat , ", "\tcat\t")) == found(text)


def test_sparse_rows_leave_out_what_is_unobserved_but_for_the_label():
    text = HEAD + "{0 31, 1 'big dog', 2 yes}\n{1 cat}\n{}\n"
    assert found(text) == [
        ({"age": 31.0, "kind of pet=big dog": 1.0}, "yes"),
        ({"kind of pet=cat": 1.0}, "no"),
        ({}, "no"),
    ]
    assert found(text, label="3") == found(text)


def test_nominal_numbers_are_categories_and_truth_is_a_flag():
    head = "@relation r\n@attribute a {1,2}\n@attribute b {FALSE,TRUE}\n@attribute c string\n"
    text = head + "@attribute label {0,1}\n@data\n2,TRUE,'it\\'s here',1\n1,FALSE,'not there',0\n"
    assert found(text) == [
        ({"a=2": 1.0, "b": 1.0, "c:here": 1.0, "c:it": 1.0, "c:s": 1.0}, 1),
        ({"a=1": 1.0, "b": 0.0, "c:not": 1.0, "c:there": 1.0}, 0),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + "1,cat\n", "line 8: 2 values; there are 3 attributes"),
        (HEAD + "1,'cat,yes\n", 'line 8: a quote in "\'cat,yes" encloses no whole value'),
        (HEAD + "{3 1}\n", "line 8: '3 1': expected the number of an attribute"),
        (HEAD + "{0 1, 0 2}\n", "line 8: attribute 0 is there twice"),
        (HEAD.replace("@data\n", ""), "has no line @data"),
        (HEAD.replace("NUMERIC", "relational"), "line 4: attribute 'age' is 'relational'"),
        (HEAD.replace("age NUMERIC", ""), "line 4: '@attribute' is no attribute"),
        (HEAD.replace("@data", "data"), "line 7: 'data' is neither an @attribute nor @data"),
        (HEAD.replace("label", "class") + "1,cat,yes\n", "has no column 'label'"),
        (HEAD, "holds no rows"),
    ],
)
def test_what_is_wrong_is_told(text, told):
    with pytest.raises(InputError) as error:
        found(text)
    assert told in str(error.value)


@given(
    st.lists(
        st.tuples(st.floats(-1e50, 1e50) | st.none(), st.sampled_from(["a", "b c", "d,e"])),
        min_size=1,
    )
)
def test_dense_rows_are_those_of_scipy(table):
    head = "@relation r\n@attribute x real\n@attribute y {a,'b c','d,e'}\n"
    lines = [f"{'?' if x is None else x!r},'{y}',{i % 2}" for i, (x, y) in enumerate(table)]
    text = head + "@attribute label {0,1}\n@data\n" + "\n".join(lines) + "\n"
    data, _ = arff.loadarff(io.StringIO(text))
    expected = [
        ({**({} if math.isnan(x) else {"x": x}), f"y={y.decode()}": 1.0}, int(label))
        for x, y, label in data
    ]
    assert found(text) == expected
