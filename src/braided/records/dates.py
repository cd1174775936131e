"""Dates and times as people write them.

A text is a date only if nobody could read it as another one. ``03/04/2020`` is two dates; which one
it is, the other values of its field tell (``kinds.kind_of_texts``), or a person.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, timezone

__all__ = ["DAY_FIRST", "MONTH_FIRST", "as_date", "days_since_1970", "hours"]

DAY_FIRST, MONTH_FIRST = "day_first", "month_first"

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DAY = timedelta(days=1)
_LONGEST = 50
"""Longer texts are no dates."""

_ISO = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.IGNORECASE,
)

_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?)?"
)
_THEN = rf"(?:(?:,?\s+|T|:){_CLOCK}(?:\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?)?"
_MONTH = r"(?P<name>[a-z]{3,9})\.?"
_NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"

_FORMS = [
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        _CLOCK,  # 08:30, 8:30:05 PM
        rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}}){_THEN}",  # 31.12.2020
        rf"(?P<year>\d{{4}})\.(?P<month>\d\d)\.(?P<day>\d\d){_THEN}",  # 2020.12.31
        # 31 Dec 2020, 31-Dec-20, Thu, 31 Dec 2020 08:30:00 +0100, 31/Dec/2020:08:30:00 +0100
        rf"{_WEEKDAY}{_NTH}[-/\s]\s*{_MONTH},?[-/\s]\s*(?P<year>\d{{4}}|\d\d){_THEN}",
        rf"{_WEEKDAY}{_MONTH}[-\s]\s*{_NTH},?[-\s]\s*(?P<year>\d{{4}}){_THEN}",  # Dec 31, 2020
        rf"{_MONTH}[-/,\s]\s*(?P<year>\d{{4}})",  # Dec 2020: its first day
    )
]
_NUMBERS = re.compile(
    rf"(?P<first>\d{{1,2}})(?P<sign>[/.-])(?P<second_>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d\d){_THEN}",
    re.IGNORECASE | re.ASCII,
)  # 12/31/2020

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_BY_NAME = {name: i for i, full in enumerate(_MONTHS, start=1) for name in (full, full[:3])}
_BY_NAME["sept"] = 9


def as_date(text: str, order: str = "") -> date | datetime | time | None:
    """Read a text as a date or a time.

    Parameters
    ----------
    text : str
        The text, as in ``"2015-09-12"``, ``"2015-09-12T00:46:58.771Z"``, ``"12.9.2015"``,
        ``"Sep 12, 2015"`` or ``"08:30"``.
    order : str, default ""
        ``DAY_FIRST`` or ``MONTH_FIRST`` to read also ``"12/9/2015"``, of which nobody else knows
        what it means.

    Returns
    -------
    date, datetime, time or None
        None if it is none.

    Examples
    --------
    >>> as_date("2015-09-12"), as_date("12 Sep 2015"), as_date("2015-13-12")
    (datetime.date(2015, 9, 12), datetime.date(2015, 9, 12), None)
    >>> as_date("8:30 PM"), as_date("12/9/2015"), as_date("12/9/2015", DAY_FIRST)
    (datetime.time(20, 30), None, datetime.date(2015, 9, 12))
    """
    if not 4 <= len(text) <= _LONGEST:
        return None
    if found := _ISO.fullmatch(text):
        year, month, day, hour, minute, second, fraction, zone = found.groups()
        clock = None if hour is None else (int(hour), minute, second, fraction)
        return _moment(int(year), int(month), int(day), clock, zone)
    if order and (found := _NUMBERS.fullmatch(text)):
        moment = _of_numbers(found.groupdict(), order)
        if moment is not None:  # else 31.12.2020 in a column of 12/31/2020
            return moment
    for form in _FORMS:
        if found := form.fullmatch(text):
            return _of_parts(found.groupdict())
    return None


def _of_numbers(parts: dict[str, str | None], order: str) -> date | datetime | time | None:
    """A date of numbers only, in a known order."""
    if parts["sign"] == "-" and len(parts["year"] or "") == 2:
        return None  # 20-12-31 begins with the year
    day, month = parts["first"], parts["second_"]
    if order == MONTH_FIRST:
        day, month = month, day
    return _of_parts({**parts, "day": day, "month": month})


def _of_parts(parts: dict[str, str | None]) -> date | datetime | time | None:
    hour, clock = parts.get("hour"), None
    if hour is not None:
        number, half = int(hour), (parts.get("half") or "").lower()
        if half:
            if not 1 <= number <= 12:
                return None
            number = number % 12 + 12 * (half == "p")
        clock = (number, parts["minute"], parts.get("second"), parts.get("fraction"))
    if "year" not in parts:
        return _moment(None, 1, 1, clock, None)
    name = parts.get("name")
    month = _BY_NAME.get(name.lower(), 0) if name else int(parts.get("month") or 0)
    year = int(parts["year"] or 0)
    if len(parts["year"] or "") == 2:
        year += 1900 if year > 68 else 2000  # as POSIX has it
    return _moment(year, month, int(parts.get("day") or 1), clock, parts.get("zone"))


def _moment(
    year: int | None,
    month: int,
    day: int,
    clock: tuple[int, str | None, str | None, str | None] | None,
    zone: str | None,
) -> date | datetime | time | None:
    """The date, the time or both; None if there is no such day or hour."""
    try:
        if clock is None:
            return None if year is None else date(year, month, day)
        hour, minute, second, fraction = clock
        microsecond = int((fraction or "0").ljust(6, "0")[:6])
        exact = (hour, int(minute or 0), int(second or 0), microsecond)
        if year is None:
            return time(*exact)
        return datetime(year, month, day, *exact, tzinfo=_zone(zone))
    except ValueError:
        return None


def _zone(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text.upper() in ("Z", "UTC", "GMT"):
        return timezone.utc
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if text[0] == "-" else offset)


def days_since_1970(moment: date | datetime) -> float:
    """Count the days from the beginning of 1970 (UTC; a time without a zone is taken as UTC)."""
    if not isinstance(moment, datetime):
        return float(moment.toordinal() - _EPOCH.toordinal())
    aware = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    try:
        return (aware - _EPOCH) / _DAY
    except OverflowError:  # at the very beginning of the year 1
        return (moment.replace(tzinfo=timezone.utc) - _EPOCH) / _DAY


def hours(clock: time) -> float:
    """Count the hours of a time of day."""
    return clock.hour + clock.minute / 60 + (clock.second + clock.microsecond / 1e6) / 3600
