"""``--set name=value``."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.cli.parsing import as_text, settings, value
from braided.errors import InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-3", -3),
        ("1.0", 1.0),
        ("1e-3", 0.001),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("true", True),
        ("False", False),
        ("None", None),
        ("I", "I"),
        ("hard", "hard"),
        ("0.1.2", "0.1.2"),
    ],
)
def test_values(text, expected):
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]+", fullmatch=True),
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.just("hard"),
    )
)
def test_what_is_written_is_read_again(chosen):
    text = as_text(chosen)
    assert settings(text.split(", ") if text else []) == chosen


def test_an_equals_sign_may_stand_in_the_value():
    assert settings(["name=a=b"]) == {"name": "a=b"}


@pytest.mark.parametrize("text", ["budget", "=1", "budget=", "", "="])
def test_without_name_or_value(text):
    with pytest.raises(InputError, match="write name=value, as in budget="):
        settings([text])


def test_given_twice():
    with pytest.raises(InputError, match="--set budget was given twice: 1 and '2'"):
        settings(["budget=1", "budget=2"])
