"""Kinds: which kind a value or a column has, and its features."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from braided.records.kinds import KINDS, kind_of, kind_of_texts
from braided.records.values import NotAllowed


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, "number"), (0.5, "number"), ("3", "number"), ("$3", "number"), (True, "flag"),
        ("true", "flag"), ("No", "flag"), ("t", "category"), ("cat", "category"), ("007",
        "category"),
        ("a big cat", "text"), ("http://a.b/c?d", "category"), ("2015-09-12", "date"),
        (date(2015, 9, 12), "date"), (datetime(2015, 9, 12), "date"), ([1, 2.5, None], "vector"),
        ([[1, 2], [3, 4]], "vector"), (["a", "b"], "tags"), ([1, "a"], "tags"), ([True], "tags"),
        ('["a", "b"]', "tags"), ("[1, 2]", "vector"), ("- cat", "category"),
    ],
)  # fmt: skip
def test_the_first_value_decides(value, kind):
    assert kind_of(value) == kind


def test_what_has_no_kind():
    with pytest.raises(NotAllowed, match="has no kind"):
        kind_of({"a": 1})


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2", "unknown"], "number"),
        (["1", "unknown", "never"], "category"),
        (["t", "f", "t"], "flag"),
        (["t", "f", "m"], "category"),
        (["yes", "no", "maybe"], "category"),
        (["02134", "10115", "80331"], "category"),
        (["0"] * 99 + ["00"], "number"),
        (["2015-09-12", "2015-09-13", "soon"], "date"),
        (["[1, 2]", "[3]"], "vector"),
        (['["a"]', '["b", "c"]'], "tags"),
        (["one", "two words", "three more words"], "text"),
        (["one", "two", "three more words"], "category"),
        (["1", "a", "two words", "three words"], "text"),
        (["03/04/2020", "03/14/2020", "?"], "month_first"),
        (["03/04/2020", "14/3/20 08:30"], "day_first"),
        (["03/04/2020", "04/03/2020"], "category"),
        (["03/14/2020", "14/03/2020"], "category"),
        (["03/14/2020", "a", "b"], "category"),
        (["08:30", "17:05", "late"], "date"),
    ],
)
def test_most_texts_of_a_column_decide(texts, kind):
    assert kind_of_texts(texts) == kind


@pytest.mark.parametrize(
    ("kind", "value", "features"),
    [
        ("number", "1,234.5", {"f": 1234.5}),
        ("number", True, {"f": 1.0}),
        ("number", "cat", None),
        ("flag", "Y", {"f": 1.0}),
        ("flag", 0, {"f": 0.0}),
        ("flag", "2", {"f": 2.0}),
        ("flag", "cat", None),
        ("category", 12.0, {"f=12": 1.0}),
        ("category", False, {"f=false": 1.0}),
        ("category", ["a", "b", "a"], {"f=a": 2.0, "f=b": 1.0}),
        ("text", "A cat, a dog", {"f:a": 2.0, "f:cat": 1.0, "f:dog": 1.0}),
        ("text", 12, {"f:12": 1.0}),
        ("text", ["A cat", None, ["dog"]], {"f:a": 1.0, "f:cat": 1.0, "f:dog": 1.0}),
        ("text", "...", {}),
        ("date", "1970-01-02", {"f": 1.0, "f.weekday=fri": 1.0, "f.month=1": 1.0}),
        (
            "date",
            datetime(1970, 1, 1, 12),
            {"f": 0.5, "f.hour=12": 1.0, "f.weekday=thu": 1.0, "f.month=1": 1.0},
        ),
        ("date", "soon", None),
        ("date", 5, None),
        ("tags", "solo", {"f=solo": 1.0}),
        ("tags", ["a", None, "", ["b", "a"]], {"f=a": 2.0, "f=b": 1.0}),
        ("vector", [1, None, 2.5], {"f.0": 1.0, "f.2": 2.5}),
        ("vector", [[1, 2], [3]], {"f.0.0": 1.0, "f.0.1": 2.0, "f.1.0": 3.0}),
        ("vector", ["a"], None),
        ("vector", 5, None),
        ("ignore", object(), {}),
    ],
)
def test_the_features_of_a_value(kind, value, features):
    found = KINDS[kind].features("f", value)
    assert (None if found is None else dict(found)) == features


def test_every_kind_says_what_it_is():
    assert list(KINDS) == [
        "number", "flag", "category", "text", "date", "day_first", "month_first", "tags", "vector",
        "ignore",
    ]  # fmt: skip
    assert all(kind.about and kind.expected for kind in KINDS.values())
