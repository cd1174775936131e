"""A NameTable is a dict from names to the order in which they came."""

import copy
import pickle
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.features.name_table import FREE, NameTable

NAMES = st.text(st.characters(codec="utf-8"), max_size=12)


@given(st.lists(st.lists(NAMES, max_size=30), max_size=5), st.data())
def test_the_same_as_a_dict(batches, data):
    table, plain = NameTable(), {}
    for names in batches:
        assert table.add(names).tolist() == [plain.setdefault(n, len(plain)) for n in names]
    assert list(table) == list(plain)
    assert len(table) == len(plain)
    for name in [*plain, data.draw(NAMES)]:
        assert table.find(name) == plain.get(name, FREE)
        assert (name in table) == (name in plain)
    start, stop, step = (data.draw(st.integers(-9, 9)) for _ in range(3))
    assert table[start:stop] == [*plain][start:stop]
    assert table[start : stop : step or 1] == [*plain][start : stop : step or 1]
    kept = data.draw(st.permutations(range(len(plain))))[: len(plain) // 2]
    assert list(table.kept(np.array(kept, np.int32))) == [[*plain][number] for number in kept]


def test_it_grows_with_many_and_with_long_names():
    names = [f"name {i}" for i in range(100_000)] + ["x" * 1_000_000, "é" * 1000]
    table = NameTable()
    for start in range(0, len(names), 7001):
        table.add(names[start : start + 7001])
    assert table[:] == names
    assert table.add(names).tolist() == list(range(len(names)))
    assert table[-1] == "é" * 1000
    with pytest.raises(IndexError):
        table[len(names)]


def test_names_of_another_table():
    one, other = NameTable(["a", "b", "c"]), NameTable(["x", "c", "b"])
    numbers = np.array([2, 0, 1], np.int32)
    assert one.find_from(other, numbers).tolist() == [1, FREE, 2]
    assert one.add_from(other, numbers).tolist() == [1, 3, 2]
    assert list(one) == ["a", "b", "c", "x"]


def test_what_is_no_text_is_not_in_it():
    table = NameTable(["a"])
    assert "\ud800" not in table
    assert 1 not in table
    assert table.find("\ud800") == FREE


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_go_their_own_way(copied):
    table = NameTable(["a", "b"])
    other = copied(table)
    other.add(["c"])
    assert (list(table), list(other)) == (["a", "b"], ["a", "b", "c"])
    assert other.find("b") == 1


def test_threads_look_up_while_it_grows():
    table, wrong = NameTable(["first"]), []

    def look_up():
        for _ in range(500):
            if table.find("first") != 0:
                wrong.append(1)

    threads = [Thread(target=look_up) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(200):
        table.add([f"{i} {j}" for j in range(50)])
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(table) == 1 + 200 * 50
