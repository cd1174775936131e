"""Typed values in JSON."""

import math
from enum import Enum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import InputError
from braided.model_files.json_values import decode, decode_text, encode, encode_all, text_of

texts = st.text(st.characters(exclude_categories=["Cs"]))
leaves = st.one_of(
    texts, st.integers(-(2**80), 2**80), st.floats(allow_nan=False), st.booleans(), st.none()
)
values = st.recursive(leaves | st.binary(), lambda v: st.lists(v, max_size=3).map(tuple))


def same(a, b):
    """Equal, of the same types, and with the same zeros."""
    return repr(a) == repr(b)


@given(values)
def test_values_come_back_as_they_were(value):
    assert same(decode(decode_text(text_of(encode(value)))), value)


@given(st.lists(values))
def test_lists_come_back_as_they_were(given):
    text = text_of(encode_all(given)).encode()
    assert same([decode(item) for item in decode_text(text)], given)


@pytest.mark.parametrize(
    ("value", "plain"),
    [(np.float64(0.5), 0.5), (np.int32(3), 3), (np.str_("a"), "a"), (np.bool_(True), True)],
)
def test_numpy_values_become_plain_ones(value, plain):
    assert same(decode(encode(value)), plain)


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        ("a", math.nan),
        Fraction(1, 3),
        frozenset("a"),
        np.datetime64("2020-01-01"),
        "half a character: \ud83d",
        10**400,
        1 + 2j,
        Enum("Colour", "RED").RED,
    ],
)
def test_what_can_not_be_kept_is_refused(value):
    with pytest.raises(InputError, match="can not be kept in a file: allowed are text"):
        encode(value)
    with pytest.raises(InputError, match="can not be kept"):
        encode_all(["a", value])


@pytest.mark.parametrize(
    "item",
    [{"float": "nan"}, {"float": 1.0}, {"bytes": "0"}, {"bytes": "AB"}, {"bytes": 3}, {}, math.nan],
)
def test_what_was_never_written_is_refused(item):
    with pytest.raises(InputError):
        decode([item])


@pytest.mark.parametrize("text", ["", "{", b"\xff", "[" * 100_000, "1" * 5000])
def test_texts_that_are_no_json_are_refused(text):
    with pytest.raises(InputError, match="no JSON"):
        decode_text(text)
