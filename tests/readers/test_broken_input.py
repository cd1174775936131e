"""Numbers to the last bit, and broken files of every format."""

from __future__ import annotations

import io

import pytest
from benchmarks.decimals import fuzz_decimals
from benchmarks.fuzz import TEXTS, fuzz
from hypothesis import given
from hypothesis import strategies as st

from braided.kernels.numerics import LARGEST_VALUE
from braided.streams import read

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?[0-9]{1,22}(\.[0-9]{0,22})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.builds(  # halfway between two doubles, and right next to it
        lambda m, shift, more: f"{((2 * m + 1) << shift) + more}",
        st.integers(2**52, 2**53 - 1), st.integers(0, 8), st.integers(-1, 1),
    ),
)  # fmt: skip


@given(st.lists(numbers, min_size=1, max_size=20))
def test_numbers_are_parsed_as_by_python_to_the_last_bit(texts):
    texts = [text for text in texts if abs(float(text)) <= LARGEST_VALUE]
    line = "1 " + " ".join(f"{i}:{text}" for i, text in enumerate(texts))
    rows = read(io.BytesIO(line.encode()), format="svmlight").rows()
    assert list(map(repr, rows.values.tolist())) == [repr(float(text)) for text in texts]


def test_decimals_of_all_kinds_are_those_of_python():
    counts = fuzz_decimals(20_000, seed=1)
    assert counts["parsed"] > 10_000


@pytest.mark.parametrize("kind", [*TEXTS, "parquet", "arrow"])
def test_broken_files_are_refused_or_read(kind):
    if kind in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    counts = fuzz(kind, 300, seed=1)
    assert counts["files"] == 300
    assert counts["rows"] > 100
