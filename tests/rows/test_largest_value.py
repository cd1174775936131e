"""The largest value that is allowed."""

from __future__ import annotations

import numpy as np
import pytest

from braided import OLSF, InputError, as_rows
from tests.support.made_rows import dicts

pd = pytest.importorskip("pandas")


def test_the_limit_is_one_of_values_however_many_there_are():
    """A limit of norms would depend on how they are summed, and differ from door to door."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.random(9)
        values *= 1e100 / np.linalg.norm(values)  # whose norm is the largest value, or a bit more
        x = {f"f{i}": v for i, v in enumerate(values.tolist())}
        at_once = OLSF().partial_fit([{"z": 1.0}, x, {"z": 1.0}], [1, 0, 1])
        one_by_one = OLSF()
        for row, y in (({"z": 1.0}, 1), (x, 0), ({"z": 1.0}, 1)):
            one_by_one.learn_one(row, y)
        assert at_once.rounds == one_by_one.rounds == 3
        assert at_once.weights() == one_by_one.weights()
    assert dicts([{"a": 1e100, "b": -1e100}]) == [{"a": 1e100, "b": -1e100}]


@pytest.mark.parametrize("beyond", [np.nextafter(1e100, np.inf), -1e101, 1e160, 1e300])
@pytest.mark.parametrize("more", [0, 1, 3, 4])
def test_values_beyond_the_largest_are_refused_by_name(beyond, more):
    x = {**{f"f{i}": 1e100 for i in range(more)}, "a": beyond}
    model = OLSF().partial_fit([dict.fromkeys(x, 1.0)], [1])
    for ask in (model.predict_one, lambda x: model.learn_one(x, 1), lambda x: as_rows([x])):
        with pytest.raises(InputError, match="row 0, feature 'a'"):
            ask(x)
    assert model.rounds == 1
