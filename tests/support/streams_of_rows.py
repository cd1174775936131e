"""Small random streams for property tests: features appear, vanish and return, values tie.

Rows are in the order of their names, as models take them: so plain versions, which know no order of
names, see what the fast ones see. That the order of keys means nothing is tested in tests/records.
"""

from __future__ import annotations

from hypothesis import strategies as st

from braided.checks import random_streams
from braided.checks.random_streams import NAMES, TYING

__all__ = ["NAMES", "any_values", "in_order", "long_stream", "streams", "tying_values"]

tying_values = st.sampled_from(TYING)
any_values = st.floats(-10, 10, allow_nan=False).filter(lambda v: v == 0 or abs(v) > 1e-6)


def in_order(row):
    """The row in the order of its names."""
    return dict(sorted(row.items()))


def long_stream(*arguments, **named):
    """As ``braided.checks.random_streams.long_stream``, with rows in the order of their names."""
    return [(in_order(x), y) for x, y in random_streams.long_stream(*arguments, **named)]


def streams(values=tying_values, max_rows: int = 40):
    """Lists of (row, label); rows are dicts over twelve names, labels are -1 and 1."""
    row = st.dictionaries(st.sampled_from(NAMES), values, max_size=8).map(in_order)
    return st.lists(st.tuples(row, st.sampled_from([-1, 1])), min_size=1, max_size=max_rows)
