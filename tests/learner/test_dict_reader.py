"""Dicts that compiled code reads mean the same as dicts that Python reads."""

import sys
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OLSF, Braid, InputError, Scaled
from braided.compiled.python_api import WORKS
from braided.learner import single_row
from tests.support.learned import state_of

pytestmark = pytest.mark.skipif(not WORKS, reason="this Python lays out its objects in another way")


@pytest.fixture(autouse=True, scope="module")
def at_once():
    """Compiled code reads records from the first one on."""
    before, single_row.MANY = single_row.MANY, 1
    yield
    single_row.MANY = before


class Text(str):
    """A text of a type of its own."""

    __slots__ = ()


NAMES = ["a", "b", "ä", "a.b", "zz", "鳥", 1, 2, (1, "x"), Text("a"), Text("t")]
NUMBERS = st.one_of(
    st.floats(-9, 9),
    st.integers(-9, 9),
    st.booleans(),
    st.sampled_from([-1, -1.0, np.float64(2.5), np.int64(3), np.float32(0.5), None, float("nan")]),
)
ANYTHING = NUMBERS | st.sampled_from(
    ["x", "y", "", "NULL", 10**400, float("inf"), 1e101, 1j, [1], "3"]
)
ROWS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(NAMES), ANYTHING), max_size=6),
        st.booleans(),
        st.integers(1, 4),
    ),
    max_size=12,
)


def learned(make, rows, works):
    """What a model makes of rows, each learned several times; refusals are part of it."""
    before, single_row.WORKS = single_row.WORKS, works
    try:
        model, told = make(), []
        for items, y, times in rows:
            for _ in range(times):
                x = {_copied(name): value for name, value in items}
                try:
                    told.append(model.score_one(x))
                    model.learn_one(x, y)
                except InputError as error:
                    told.append(str(error))
        return state_of(model), told
    finally:
        single_row.WORKS = before


def _copied(name):
    """An equal name that is another object, as each line of JSON has its own."""
    return "".join([*name]) if type(name) is str else name


@given(ROWS)
@pytest.mark.parametrize("make", [OLSF, Braid, lambda: Scaled(OLSF(), intercept=True)])
def test_the_same_as_in_python(make, rows):
    assert learned(make, rows, works=True) == learned(make, rows, works=False)


def test_many_names_in_any_order():
    rng = np.random.default_rng(0)
    names = [f"name_{i}" if i % 3 else f"name_of_a_longer_kind_{i}" for i in range(300)]
    rows = []
    for _ in range(200):
        size = int(rng.integers(0, 240))
        chosen = rng.permutation(300)[:size]
        row = [(names[i], float(v)) for i, v in zip(chosen, rng.normal(size=size), strict=True)]
        rows.append((row, bool(rng.random() < 0.5), 1))
    assert learned(OLSF, rows, works=True) == learned(OLSF, rows, works=False)


def test_addresses_that_are_used_again_are_no_names():
    model, plain = OLSF(), OLSF()
    for i in range(2000):
        x = {f"name {i % 7} {j}": float(j) for j in range(i % 5)}  # freed at once
        model.learn_one(x, i % 2)
        plain.partial_fit([x], [i % 2])
    assert state_of(model) == state_of(plain)


def test_references_are_not_lost():
    model = OLSF()
    values = [1.5, 2.5]
    x = {"some name": values[0], "other name": values[1]}
    for y in (0, 1) * 50:
        model.learn_one(x, y)
    before = [sys.getrefcount(each) for each in (*values, x)]
    for y in (0, 1) * 500:
        model.learn_one(x, y)
        model.predict_one(x)
    assert [sys.getrefcount(each) for each in (*values, x)] == before


def test_threads_predict_side_by_side():
    rng = np.random.default_rng(1)
    rows = [{f"n{i}": float(v) for i, v in enumerate(rng.normal(size=9))} for _ in range(50)]
    model = OLSF().partial_fit(rows, rng.random(50) < 0.5)
    expected = [model.score_one(x) for x in rows]
    wrong = []

    def predict():
        for _ in range(200):
            wrong.extend(x for x, e in zip(rows, expected, strict=True) if model.score_one(x) != e)

    threads = [Thread(target=predict) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
