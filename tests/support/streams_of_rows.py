"""Small random streams for property tests: features appear, vanish and return, values tie."""

from __future__ import annotations

from hypothesis import strategies as st

from braided.checks.random_streams import NAMES, TYING, long_stream

__all__ = ["NAMES", "any_values", "long_stream", "streams", "tying_values"]

tying_values = st.sampled_from(TYING)
any_values = st.floats(-10, 10, allow_nan=False).filter(lambda v: v == 0 or abs(v) > 1e-6)


def streams(values=tying_values, max_rows: int = 40):
    """Lists of (row, label); rows are dicts over twelve names, labels are -1 and 1."""
    row = st.dictionaries(st.sampled_from(NAMES), values, max_size=8)
    return st.lists(st.tuples(row, st.sampled_from([-1, 1])), min_size=1, max_size=max_rows)
