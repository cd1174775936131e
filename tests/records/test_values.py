"""Single values: missing, numbers, dates, lists, words."""

from __future__ import annotations

import math
from collections import OrderedDict
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.records.dates import as_date, days_since_1970
from braided.records.values import (
    NotAllowed,
    as_bool,
    as_list,
    as_number,
    looks_like_a_code,
    plain,
    text_of,
    words,
)


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), ("-1.5e3", -1500), (" 7 ", 7), ("+3", 3), (".5", 0.5), ("5.", 5), ("-0", 0),
        ("1,234", 1234), ("1,234,567.5", 1234567.5), ("$1,234.00", 1234), ("-$5", -5), ("$-5", -5),
        ("€12", 12), ("12 €", 12), ("£1,000", 1000), ("(12)", -12), ("($1,200)", -1200),
        ("95%", 95), ("95 %", 95), ("0,5", 0.5), ("1.234,50", 1234.5), ("12,34", 12.34),
        ("0,123", 0.123), ("¥5", 5), ("₹1,000", 1000),
    ],
)  # fmt: skip
def test_texts_that_are_numbers(text, number):
    assert as_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "cat", "12 cm", "1_000", "inf", "-inf", "nan", "1e101", "1e999", "$", "%", "1,2,3", "--5",
     "1.2.3", "0x10", "(", "()", "12,345,6", "1 2", "5-", "e5", "²", "$ cat", "9" * 200],
)  # fmt: skip
def test_texts_that_are_no_numbers(text):
    assert as_number(text) is None


@given(st.floats(-1e100, 1e100))
def test_a_number_written_by_python_is_read_to_the_last_bit(number):
    assert repr(as_number(repr(number))) == repr(number)


@given(st.text(max_size=30))
def test_any_text_can_be_asked_for_anything(text):
    number = as_number(text)
    assert number is None or abs(number) <= 1e100
    as_date(text), as_list(text), as_bool(text), words(text), text_of(text)
    assert looks_like_a_code(text) in (True, False)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2015-09-12", date(2015, 9, 12)),
        ("2015/09/12", date(2015, 9, 12)),
        ("2015-09-12 08:30", datetime(2015, 9, 12, 8, 30)),
        ("2015-09-12T08:30:15.5", datetime(2015, 9, 12, 8, 30, 15, 500000)),
        ("2015-09-12t08:30:15,123456789", datetime(2015, 9, 12, 8, 30, 15, 123456)),
        ("2015-09-12T00:46:58.771Z", datetime(2015, 9, 12, 0, 46, 58, 771000, timezone.utc)),
        (
            "2015-09-12 08:30:00 +02:00",
            datetime(2015, 9, 12, 8, 30, tzinfo=timezone(timedelta(hours=2))),
        ),
        (
            "2015-09-12T08:30:00-0530",
            datetime(2015, 9, 12, 8, 30, tzinfo=timezone(-timedelta(hours=5, minutes=30))),
        ),
        ("2024-02-29", date(2024, 2, 29)),
    ],
)
def test_texts_that_are_dates(text, moment):
    found = as_date(text)
    assert found == moment
    assert type(found) is type(moment)


@pytest.mark.parametrize(
    "text",
    ["2015-13-01", "2023-02-29", "2015-09-12T25:00", "2015-9-1", "20150912", "today",
     "2015-09-12T08:30:00+99:00", "2015-09-12x", "0000-01-01", ""],
)  # fmt: skip
def test_texts_that_are_no_dates(text):
    assert as_date(text) is None


def test_days_are_counted_from_1970_in_utc():
    assert days_since_1970(date(1970, 1, 2)) == 1
    assert days_since_1970(datetime(1970, 1, 1, 12)) == 0.5
    berlin = timezone(timedelta(hours=1))
    assert days_since_1970(datetime(1970, 1, 1, 13, tzinfo=berlin)) == 0.5
    assert days_since_1970(date(1969, 12, 31)) == -1
    assert math.isfinite(days_since_1970(datetime(1, 1, 1, tzinfo=berlin)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Win a PRIZE, now!", ["win", "a", "prize", "now"]),
        ("Größe 42", ["größe", "42"]),
        ("Привет, мир", ["привет", "мир"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("snake_case x-y o'neil", ["snake", "case", "x", "y", "o", "neil"]),
        ("東京 に", ["東京", "に"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        (" ... !?", []),
    ],
)
def test_words_of_many_scripts(text, found):
    assert words(text) == found


def test_codes():
    assert all(map(looks_like_a_code, ("007", "02134", "00")))
    assert not any(map(looks_like_a_code, ("0", "0.5", "70", "", "0a", "-01")))


def test_true_and_false():
    assert [as_bool(t) for t in ("true", "FALSE", "Yes", "no", "t", "1")] == [
        True, False, True, False, None, None,
    ]  # fmt: skip
    assert [as_bool(t, letters=True) for t in "tFyN"] == [True, False, True, False]


def test_lists_in_texts():
    assert as_list('["a", 1, null]') == ["a", 1, None]
    assert as_list("['a', 'b']") == ["a", "b"]
    assert as_list("[]") == []
    assert [as_list(t) for t in ("[a]", "[1", "{}", "", "[" * 5000 + "]" * 5000)] == [None] * 5


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (3, 3), (2.5, 2.5), (True, True), ("  cat ", "cat"), (None, None), (math.nan, None),
        (np.float64("nan"), None), (np.int64(7), 7), (np.float32(0.5), 0.5), (np.bool_(True), True),
        (np.str_(" x "), "x"), (Decimal("1.5"), 1.5), (Decimal("12"), 12), (Fraction(1, 4), 0.25),
        (Colour.RED, "red"), ((1, 2), [1, 2]), ({"b", "a"}, ["a", "b"]),
        (np.array([1.0, 2.0]), [1.0, 2.0]), (OrderedDict(a=1), {"a": 1}),
        (timedelta(minutes=1), 60.0), (np.timedelta64(2, "s"), 2.0), (time(8, 30), "08:30:00"),
        (np.datetime64("2015-09-12"), date(2015, 9, 12)),
        (np.datetime64("2015-09-12T08:30"), datetime(2015, 9, 12, 8, 30)),
        (np.datetime64("NaT"), None), (np.timedelta64("NaT"), None), (Decimal("NaN"), None),
    ],
)  # fmt: skip
def test_values_of_any_library_become_plain(value, found):
    assert plain(value) == found
    assert type(plain(value)) is type(found)


def test_the_missing_values_of_pandas():
    pd = pytest.importorskip("pandas")
    assert plain(pd.NA) is None
    assert plain(pd.NaT) is None
    moment = plain(pd.Timestamp("2015-09-12 08:30:00.123456789", tz="UTC"))
    assert type(moment) is datetime
    assert moment == datetime(2015, 9, 12, 8, 30, 0, 123456, timezone.utc)


@pytest.mark.parametrize(
    "value",
    [math.inf, -math.inf, 1e101, 10**400, b"x", bytearray(b"x"), 1j, np.complex64(1), object(),
     Decimal("Infinity"), Decimal("sNaN"), Decimal("1e500"), np.datetime64("20000-01-01"),
     "\ud800", np.float64("inf"), print],
)  # fmt: skip
def test_values_that_no_model_may_see(value):
    with pytest.raises(NotAllowed):
        plain(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.0, "12"), ("12.0", "12"), (12, "12"), ("12", "12"), (0.5, "0.5"), ("0.5", "0.5"),
     (-0.0, "0"), ("-0.0", "0"), (True, "true"), ("TRUE", "true"), ("1.10", "1.10"),
     ("007", "007"), ("007.0", "007.0"), (1e20, "1e+20"), (2**60 + 1, str(2**60 + 1)),
     (date(2015, 9, 12), "2015-09-12"), ("Cat", "Cat")],
)  # fmt: skip
def test_a_category_has_one_text_through_every_door(value, text):
    assert text_of(value) == text
