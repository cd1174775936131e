"""Blocks that are read ahead are those that would be read in time."""

import threading
import time
import warnings

import numpy as np
import pytest

from braided import OLSF, DataWarning, InputError
from braided.errors import warn
from braided.readers import read_ahead
from braided.readers.read_ahead import ReadAhead
from braided.records import as_rows
from braided.streams import read
from tests.support.learned import state_of


def blocks(count, error=None):
    for i in range(count):
        yield as_rows([{f"n{i}": 1.0}])
    if error is not None:
        raise error


def numbers(found):
    return [block.names[0] for block in found]


@pytest.fixture(params=[1, 2], ids=["one processor", "two processors"])
def processors(request, monkeypatch):
    monkeypatch.setattr(read_ahead, "processors", lambda: request.param)
    return request.param


@pytest.mark.parametrize("count", [0, 1, 8, 9, 200])
def test_all_blocks_in_order(processors, count):
    before = threading.active_count()
    assert numbers(ReadAhead(blocks(count))) == [f"n{i}" for i in range(count)]
    assert threading.active_count() == before


def test_an_error_comes_after_the_blocks_before_it(processors):
    found = []
    with pytest.raises(InputError, match="line 31"):
        found.extend(ReadAhead(blocks(30, InputError("line 31"))))
    assert len(found) == 30


def test_whoever_stops_early_leaves_no_thread_and_closes_the_file(processors):
    closed = []

    def some():
        try:
            yield from blocks(10_000)
        finally:
            closed.append(True)

    before = threading.active_count()
    ahead = iter(ReadAhead(some()))
    for _ in range(20):
        next(ahead)
    ahead.close()
    assert closed == [True]
    assert threading.active_count() == before


def test_no_more_is_read_than_a_few_blocks_ahead(monkeypatch):
    monkeypatch.setattr(read_ahead, "processors", lambda: 2)
    taken = []

    def some():
        for i, block in enumerate(blocks(1000)):
            taken.append(i)
            yield block

    ahead = iter(ReadAhead(some()))
    for _ in range(20):
        next(ahead)
    time.sleep(0.05)
    assert len(taken) <= 20 + read_ahead.MOST_AHEAD + 1
    ahead.close()


def test_warnings_are_those_of_who_asks(processors):
    def some():
        yield from blocks(20)
        warn("the end")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(ReadAhead(some()))
    assert [str(each.message) for each in caught] == ["the end"]
    assert caught[0].category is DataWarning


def late_fields(path):
    """A field is called as the feature of another one, which is learned long before it."""
    with path.open("w") as file:
        for i in range(30_000):
            more = ""
            if i == 5:
                more = ', "a": [1, 2]'  # the features a.0 and a.1
            if i > 20_000:
                more = f', "a.1": "{i % 5}x", "late{i // 1000}": {i % 2}'
            file.write(f'{{"x": {i % 7}, "label": {i % 2}{more}}}\n')


def test_what_depends_on_the_model_is_asked_for_in_time(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    late_fields(path)
    learned = []
    for processors in (1, 2, 2):
        monkeypatch.setattr(read_ahead, "processors", lambda n=processors: n)
        model = OLSF().partial_fit([{"x": 1.0}], [0])  # only a model that goes on is asked
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for block in read(path, schema=model.schema.with_roles(label="label")).blocks(500):
                model.partial_fit(block)
        learned.append(state_of(model))
    assert learned[0] == learned[1] == learned[2]
    assert model.schema.kind("a.1") == "number"  # as it was known when its first text came


def test_a_file_with_a_bad_line_far_down(tmp_path, processors):
    path = tmp_path / "rows.svm"
    lines = [f"{i % 2} {1 + i % 9}:1" for i in range(30_000)]
    lines[25_000] = "1 x:1"
    path.write_text("\n".join(lines) + "\n")
    reader = read(path)
    found = []
    with pytest.raises(InputError, match="line 25001"):
        found.extend(reader.blocks(1000))
    assert sum(map(len, found)) == 25_000
    reader = read(path, on_error="skip")
    assert sum(map(len, reader.blocks(1000))) == reader.rows_read == 29_999
    assert reader.skipped == 1
    assert np.array_equal(reader.rows().values, np.ones(29_999))
