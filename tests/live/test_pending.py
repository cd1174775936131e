"""Records that wait for their label."""

from __future__ import annotations

import random

import pytest

from braided import OLSF, Braid, InputError, ModelFileError, load
from braided.live import Pending
from braided.model_files.save_load import read, save


def records(count, seed=3):
    draw = random.Random(seed)
    return [
        (
            {
                "a": draw.random(),
                "c": draw.choice("xyz"),
                "t": f"word{draw.randint(0, 9)} and more",
            },
            draw.choice(["yes", "no"]),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("learner", [Braid, OLSF])
def test_labels_in_any_order_teach_as_if_records_came_with_them(learner, tmp_path):
    stream, order = records(200), list(range(200))
    random.Random(5).shuffle(order)
    pending, plain = Pending(learner()), learner()
    for key, (x, _) in enumerate(stream):
        pending.predict_one(str(key), x)
    for turn, key in enumerate(order):
        if turn == 90:  # saved and loaded in between
            pending.save(tmp_path / "p")
            pending = Pending.load(tmp_path / "p")
        assert pending.learn_one(str(key), stream[key][1])
        plain.learn_one(*stream[key])
    pending.model.save(tmp_path / "late")
    plain.save(tmp_path / "plain")
    assert (tmp_path / "late").read_bytes() == (tmp_path / "plain").read_bytes()
    assert (len(pending), pending.forgotten, pending.unknown) == (0, 0, 0)


def test_the_oldest_are_forgotten_and_counted():
    pending = Pending(Braid(), remember=3)
    for key in range(5):
        pending.predict_one(str(key), {"a": key})
    assert (len(pending), pending.forgotten) == (3, 2)
    assert not pending.learn_one("0", "yes")
    assert pending.learn_one("4", "yes")
    assert pending.unknown == 1


def test_records_wait_no_longer_than_they_may():
    pending = Pending(Braid(), seconds=10)
    pending.predict_one("a", {"x": 1}, now=100.0)
    pending.predict_one("b", {"x": 1}, now=109.0)
    pending.predict_one("c", {"x": 1}, now=111.0)
    assert "a" not in pending
    assert (len(pending), pending.forgotten) == (2, 1)


def test_a_label_that_is_refused_changes_nothing():
    pending = Pending(OLSF())
    for key, label in (("1", "a"), ("2", "b")):
        pending.predict_one(key, {"x": 1})
        pending.learn_one(key, label)
    pending.predict_one("3", {"x": 1})
    with pytest.raises(InputError):
        pending.learn_one("3", float("inf"))
    assert "3" in pending
    assert pending.model.rounds == 2


def test_the_model_alone_can_be_loaded(tmp_path):
    pending = Pending(Braid())
    pending.predict_one("1", {"x": 1})
    pending.learn_one("1", "a")
    pending.predict_one("2", {"x": "a long text of words " * 900})  # more than a header holds
    pending.save(tmp_path / "p")
    assert load(tmp_path / "p").rounds == 1
    again = Pending.load(tmp_path / "p")
    assert again.learn_one("2", "b")
    assert again.model.rounds == 2


@pytest.mark.parametrize(
    "note",
    [
        "no json",
        "[]",
        '{"waiting": 3, "counts": [0, 0]}',
        '{"waiting": [[1, [], [], 0, []]], "counts": [0, 0]}',
        '{"waiting": [["k", ["a"], [1e999], 0, []]], "counts": [0, 0]}',
        '{"waiting": [["k", ["a"], [1], 0, [["a", "colour"]]]], "counts": [0, 0]}',
        '{"waiting": [], "counts": [-1, 0]}',
        '{"waiting": [["k", ["a", "b"], [1], 0, []]], "counts": [0, 0]}',
    ],
)
def test_forged_records_are_refused(note, tmp_path):
    model = Braid()
    model.learn_one({"x": 1}, "a")
    save(model, tmp_path / "p", {"pending": note})
    assert read(tmp_path / "p")[1] == {"pending": note}
    with pytest.raises(ModelFileError):
        Pending.load(tmp_path / "p")


@pytest.mark.parametrize("wrong", [{"remember": 0}, {"remember": 1.5}, {"seconds": 0}])
def test_wrong_limits(wrong):
    with pytest.raises(InputError):
        Pending(Braid(), **wrong)
