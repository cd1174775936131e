"""Kinds: what a field of a record can be, and the features that a value of each kind becomes.

A kind is a function ``(field, value) -> pairs of feature name and number``; it returns None for a
value that does not fit. Values come from ``values.plain``; unobserved ones never get here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple, TypeAlias

from braided.records.dates import DAY_FIRST, MONTH_FIRST, as_date, days_since_1970, hours
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

__all__ = [
    "CATEGORY",
    "DATE",
    "DAY_FIRST",
    "FLAG",
    "IGNORE",
    "KINDS",
    "MONTH_FIRST",
    "NUMBER",
    "TAGS",
    "TEXT",
    "VECTOR",
    "FieldKind",
    "Pairs",
    "as_category",
    "kind_of",
    "kind_of_texts",
]

Pairs: TypeAlias = "Sequence[tuple[Hashable, float]]"

NUMBER, FLAG, CATEGORY, TEXT = "number", "flag", "category", "text"
DATE, TAGS, VECTOR, IGNORE = "date", "tags", "vector", "ignore"

_SOME_CODES = 50
"""A column is one of codes if more than one in so many values begins with a zero."""

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class FieldKind(NamedTuple):
    """A kind of field.

    Parameters
    ----------
    name : str
        Its name, as in ``--category``.
    about : str
        What its values become, in a few words.
    features : callable
        The function ``(field, value) -> pairs``, None for a value that does not fit.
    expected : str
        What a value must be, for errors.

    Examples
    --------
    >>> from braided.records import KINDS
    >>> KINDS["text"].features("note", "new phone new plan")
    [('note:new', 2.0), ('note:phone', 1.0), ('note:plan', 1.0)]
    """

    name: str
    about: str
    features: Callable[[Hashable, Any], Pairs | None]
    expected: str


def _number(field: Hashable, value: Any) -> Pairs | None:
    if isinstance(value, str):
        value = as_number(value)
    return [(field, float(value))] if isinstance(value, int | float) else None


def _flag(field: Hashable, value: Any) -> Pairs | None:
    if isinstance(value, str):
        truth = as_bool(value, letters=True)
        value = as_number(value) if truth is None else truth
    return [(field, float(value))] if isinstance(value, int | float) else None


def _category(field: Hashable, value: Any) -> Pairs | None:
    if isinstance(value, list):
        return _tags(field, value)
    return [(as_category(field, value), 1.0)]


def as_category(field: Hashable, value: Any) -> str:
    """Name the feature of a category.

    Parameters
    ----------
    field : hashable
        The name of the field.
    value : Any
        A plain value that is no list.

    Returns
    -------
    str
        As in ``pet=cat``.
    """
    return f"{field}={text_of(value)}"


def _text(field: Hashable, value: Any) -> Pairs | None:
    if isinstance(value, list):
        items = [item for item in map(plain, _flat(value)) if item is not None]
        found = [word for item in items for word in words(text_of(item))]
    else:
        found = words(text_of(value))
    return [(f"{field}:{word}", float(times)) for word, times in Counter(found).items()]


def _day_first(field: Hashable, value: Any) -> Pairs | None:
    return _date(field, value, DAY_FIRST)


def _month_first(field: Hashable, value: Any) -> Pairs | None:
    return _date(field, value, MONTH_FIRST)


def _date(field: Hashable, value: Any, order: str = "") -> Pairs | None:
    if isinstance(value, str):
        value = as_date(value, order)
    if isinstance(value, time):
        return [(field, hours(value)), (f"{field}.hour={value.hour}", 1.0)]
    if not isinstance(value, date):
        return None
    pairs: list[tuple[Hashable, float]] = [(field, days_since_1970(value))]
    if isinstance(value, datetime):
        pairs.append((f"{field}.hour={value.hour}", 1.0))
    pairs.append((f"{field}.weekday={_WEEKDAYS[value.weekday()]}", 1.0))
    pairs.append((f"{field}.month={value.month}", 1.0))
    return pairs


def _tags(field: Hashable, value: Any) -> Pairs | None:
    if not isinstance(value, list):
        value = [value]
    found = [plain(item) for item in _flat(value)]
    texts = [text_of(item) for item in found if item is not None and item != ""]
    return [(f"{field}={text}", float(times)) for text, times in Counter(texts).items()]


def _vector(field: Hashable, value: Any) -> Pairs | None:
    if not isinstance(value, list) or not is_vector(value):
        return None
    return list(_entries(field, value))


def _entries(field: Hashable, values: list[Any]) -> Any:
    for i, value in enumerate(values):
        item = plain(value)
        if isinstance(item, list):
            yield from _entries(f"{field}.{i}", item)
        elif item is not None:
            yield f"{field}.{i}", float(item)


def _flat(values: list[Any]) -> list[Any]:
    """The items of a list and of the lists in it."""
    if not any(isinstance(value, list | tuple) for value in values):
        return values
    return [
        item for v in values for item in (_flat(list(v)) if isinstance(v, list | tuple) else [v])
    ]


def is_vector(values: list[Any]) -> bool:
    """Whether a list holds numbers only, or lists of numbers; None is unobserved."""
    for item in _flat(values):
        value = plain(item)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            return False
    return True


def _ignore(field: Hashable, value: Any) -> Pairs | None:
    return ()


KINDS = {
    kind.name: kind
    for kind in (
        FieldKind(NUMBER, "the feature 'field'", _number, "a number"),
        FieldKind(FLAG, "the feature 'field', 1 or 0", _flag, "true or false"),
        FieldKind(CATEGORY, "a feature 'field=value' for each value", _category, "a category"),
        FieldKind(TEXT, "a feature 'field:word' for each word, its count", _text, "a text"),
        FieldKind(
            DATE,
            "days since 1970 as 'field'; hour, weekday and month as categories",
            _date,
            "a date",
        ),
        FieldKind(DAY_FIRST, "those of a date such as 31/12/2020", _day_first, "a date"),
        FieldKind(MONTH_FIRST, "those of a date such as 12/31/2020", _month_first, "a date"),
        FieldKind(TAGS, "a feature 'field=tag' for each text of a list", _tags, "a list of texts"),
        FieldKind(
            VECTOR, "'field.0', 'field.1', ... for a list of numbers", _vector, "a list of numbers"
        ),
        FieldKind(IGNORE, "no feature", _ignore, "anything"),
    )
}
"""All kinds of fields by name."""


# -------------------------------------------------------------------------- which kind it is


def kind_of(value: Any) -> str:
    """Decide the kind of a field by its first observed value.

    Parameters
    ----------
    value : Any
        A plain value.

    Returns
    -------
    str
        The name of the kind.

    Examples
    --------
    >>> [kind_of(value) for value in (3, "3", True, "cat", "a big cat", "2024-02-29", "007")]
    ['number', 'number', 'flag', 'category', 'text', 'date', 'category']
    """
    if isinstance(value, str):
        return _kind_of_text(value)
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int | float):
        return NUMBER
    if isinstance(value, date):
        return DATE
    if isinstance(value, list):
        return VECTOR if is_vector(value) else TAGS
    raise NotAllowed(f"{type(value).__name__} has no kind")


def _kind_of_text(text: str) -> str:
    if looks_like_a_code(text):
        return CATEGORY
    if as_number(text) is not None:
        return NUMBER
    if as_bool(text) is not None:
        return FLAG
    if as_date(text) is not None:
        return DATE
    orders = [order for order in (DAY_FIRST, MONTH_FIRST) if as_date(text, order) is not None]
    if len(orders) == 1:
        return orders[0]
    listed = as_list(text)
    if listed:
        try:
            return kind_of(listed)
        except (NotAllowed, RecursionError):  # its row will be refused
            return VECTOR
    return TEXT if sum(map(bool, map(words, text.split(None, 8)))) > 1 else CATEGORY


def kind_of_texts(texts: Iterable[str]) -> str:
    """Decide the kind of a column by many of its texts.

    Parameters
    ----------
    texts : iterable of str, or Counter
        Observed texts, stripped; at least one.

    Returns
    -------
    str
        Flag if all mean true or false; category if some are codes such as ``"02134"``; else the
        kind of most; where texts and categories are most together, text if most of these have
        several words. Dates such as ``"03/04/2020"`` are of the only order that fits others, as
        ``"03/14/2020"``; else they are categories.

    Examples
    --------
    >>> kind_of_texts(["1", "2", "unknown"]), kind_of_texts(["t", "f"]), kind_of_texts(["f", "m"])
    ('number', 'flag', 'category')
    """
    each = Counter(texts)
    if all(as_bool(text, letters=True) is not None for text in each):
        return FLAG
    counts: Counter[str] = Counter()
    for text, times in each.items():
        counts[_kind_of_text(text)] += times
    total = sum(each.values())
    if _SOME_CODES * sum(n for text, n in each.items() if looks_like_a_code(text)) > total:
        return CATEGORY
    orders = [order for order in (DAY_FIRST, MONTH_FIRST) if counts[order]]
    if len(orders) == 1:
        fitting = sum(n for text, n in each.items() if as_date(text, orders[0]) is not None)
        if 2 * fitting > total:
            return orders[0]
    for kind in (NUMBER, DATE, VECTOR, TAGS):
        if 2 * counts[kind] > total:
            return kind
    return TEXT if counts[TEXT] > counts[CATEGORY] + counts[FLAG] else CATEGORY
