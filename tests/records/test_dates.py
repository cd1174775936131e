"""Dates and times as people write them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import Schema
from braided.records.dates import DAY_FIRST, MONTH_FIRST, as_date

LAST = date(2020, 12, 31)
HALF_PAST = datetime(2020, 12, 31, 8, 30)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("31.12.2020", LAST), ("2020.12.31", LAST), ("31 Dec 2020", LAST), ("31-Dec-20", LAST),
        ("31-DEC-2020", LAST), ("Dec 31 2020", LAST), ("December 31, 2020", LAST),
        ("Thu, Dec 31st, 2020", LAST), ("31. December 2020", LAST), ("Dec 2020", date(2020, 12, 1)),
        ("1.2.2020", date(2020, 2, 1)), ("1 Sept 1999", date(1999, 9, 1)),
        ("31.12.2020 8:30", HALF_PAST), ("31.12.2020, 08:30:00", HALF_PAST),
        ("Dec 31, 2020 8:30 AM", HALF_PAST), ("08:30", time(8, 30)),
        ("8:30:15 pm", time(20, 30, 15)), ("12:05 AM", time(0, 5)),
        (
            "Thu, 31 Dec 2020 08:30:00 -0500",
            HALF_PAST.replace(tzinfo=timezone(-timedelta(hours=5))),
        ),
        ("31/Dec/2020:08:30:00 +0000", HALF_PAST.replace(tzinfo=timezone.utc)),
    ],
)  # fmt: skip
def test_dates_that_nobody_could_read_as_others(text, moment):
    found = as_date(text)
    assert found == moment
    assert type(found) is type(moment)


@pytest.mark.parametrize(
    "text",
    ["12/31/2020", "31/12/2020", "1.2.13", "10.15.07", "31.13.2020", "32 Dec 2020", "Decimal 2020",
     "25:00", "13:05 PM", "8:5", "16:9", "May", "5 May", "20-12-31", "12", "31 Foo 2020", "x" * 99],
)  # fmt: skip
def test_texts_that_could_be_something_else(text):
    assert as_date(text) is None


@given(st.dates(date(1969, 1, 1), date(2068, 12, 31)), st.sampled_from("/.-"))
def test_an_order_that_is_known_reads_every_day(day, sign):
    for order, form in ((DAY_FIRST, "%d{0}%m{0}%Y"), (MONTH_FIRST, "%m{0}%d{0}%Y")):
        if order == DAY_FIRST or sign != ".":  # with dots, the day is always first
            assert as_date(day.strftime(form.format(sign)), order) == day
        if sign == "/":
            assert as_date(day.strftime(form.format(sign).replace("Y", "y")), order) == day


def test_a_declared_order_tells_what_nobody_else_can():
    record = {"when": "03/04/2020"}
    assert Schema().features(record) == {"when=03/04/2020": 1.0}
    april = Schema(day_first="when").features(record)
    march = Schema(month_first="when").features(record)
    assert "when.month=4" in april
    assert "when.month=3" in march
    assert Schema(day_first="when").features({"when": "2020-04-03"}) == april


def test_a_time_of_day_is_its_hours():
    assert Schema().features({"at": "17:30"}) == {"at": 17.5, "at.hour=17": 1.0}
    assert Schema().features({"at": time(17, 30)}) == {"at": 17.5, "at.hour=17": 1.0}
