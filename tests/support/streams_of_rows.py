"""Small random streams for property tests: features appear, vanish and return, values tie."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

NAMES = [f"f{i}" for i in range(12)]

# Powers of two and small whole numbers: sums are exact, so ties are real ties.
tying_values = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 2.0])
any_values = st.floats(-10, 10, allow_nan=False).filter(lambda v: v == 0 or abs(v) > 1e-6)


def streams(values=tying_values, max_rows: int = 40):
    """Lists of (row, label); rows are dicts over twelve names, labels are -1 and 1."""
    row = st.dictionaries(st.sampled_from(NAMES), values, max_size=8)
    return st.lists(st.tuples(row, st.sampled_from([-1, 1])), min_size=1, max_size=max_rows)


def long_stream(seed: int, rounds: int = 400, features: int = 60, density: float = 0.2):
    """A random stream that is long enough for heaps to churn and scales to fold."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=features)
    rows = []
    for t in range(rounds):
        alive = max(3, features * (t + 1) // rounds)
        columns = np.flatnonzero(rng.random(alive) < density)
        rng.shuffle(columns)
        values = rng.normal(size=columns.size) * np.exp(rng.normal(size=columns.size))
        label = 1 if hidden[columns] @ values + 0.3 * rng.normal() > 0 else -1
        rows.append(({f"f{c}": float(v) for c, v in zip(columns, values, strict=True)}, label))
    return rows
