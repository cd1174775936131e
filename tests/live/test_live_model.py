"""What a model does follows from the entries of its journal alone."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OCO, OLSF
from braided.errors import ModelFileError
from braided.live.journal import Entry
from braided.live.live_model import LABEL, LEARN, WAIT, LiveModel, answer
from braided.live.progress import Progress
from tests.live.hosts import new_live_model

FIELDS = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "e"]),
    st.one_of(st.integers(-3, 3), st.sampled_from(["red", "two words", None, ["x", "y"], True])),
    max_size=4,
)
LABELS = st.sampled_from(["yes", "no", "yes", "no", "maybe"])
KEYS = st.sampled_from(["k1", "k2", "k3"])
LEARNED = st.tuples(st.just(LEARN), st.lists(st.builds(lambda x, y: {**x, "y": y}, FIELDS, LABELS)))
PREDICTED = st.tuples(st.just(WAIT), st.builds(lambda x, k: [{**x, "k": k}], FIELDS, KEYS))
LABELLED = st.tuples(st.just(LABEL), st.builds(lambda k, y: [{"k": k, "y": y}], KEYS, LABELS))
TOLD = st.lists(st.one_of(LEARNED, PREDICTED, LABELLED), max_size=12)


def entries_of(told) -> list[Entry]:
    return [
        Entry(n, float(n), kind, None, len(records), json.dumps(records).encode())
        for n, (kind, records) in enumerate(told, start=1)
    ]


@given(told=TOLD, cuts=st.lists(st.integers(0, 12), max_size=5))
def test_groups_mean_nothing(told, cuts):
    entries = entries_of(told)
    whole, pieces, resumed = new_live_model(), new_live_model(), new_live_model()
    of_whole = whole.apply(entries)
    of_pieces = []
    for entry in entries:
        of_pieces += pieces.apply([entry])
    bounds = [0, *sorted(min(cut, len(entries)) for cut in cuts), len(entries)]
    for start, stop in pairwise(bounds):
        resumed.apply(entries[start:stop])
        resumed = LiveModel.from_bytes(resumed.to_bytes())  # as after a crash
    assert of_whole == of_pieces
    assert whole.to_bytes() == pieces.to_bytes() == resumed.to_bytes()


@given(told=TOLD)
def test_it_is_what_learn_one_makes(told):
    live, plain, waiting = new_live_model(), OCO().allow_any_labels(), {}
    rounds = 0
    for entry, outcome in zip(entries_of(told), live.apply(entries_of(told)), strict=True):
        assert outcome.refused is None
        for record in json.loads(entry.payload):
            key, label = record.pop("k", None), record.pop("y", None)
            if entry.kind == WAIT:
                waiting[key] = record
            elif entry.kind == LEARN or key in waiting:
                plain.learn_one(waiting.pop(key) if entry.kind == LABEL else record, label)
                rounds += 1
    assert live.learner.rounds == live.progress.rounds == rounds
    assert live.learner.weights() == plain.weights()
    for record in ({"a": 1, "c": "red"}, {"new": 3}):
        if rounds:
            assert answer(live.learner, record, 0)["label"] == plain.predict_one(record)


def test_progress_counts_each_record_before_it_is_learned():
    live = new_live_model()
    labels = ["no", "yes", "yes", "no", "yes", "yes"]
    model, wrong = OCO(), 0
    for label in labels:
        wrong += model.predict_one({"a": 1}) != label
        model.learn_one({"a": 1}, label)
    live.apply(entries_of([(LEARN, [{"a": 1, "y": label} for label in labels])]))
    told = live.progress.summary()
    assert told["error"] == pytest.approx(wrong / 6)
    # majority: nothing, no, no (a tie keeps the earlier), yes, yes, yes; last: the label before
    assert told["error_majority"] == pytest.approx(4 / 6)
    assert told["error_last_label"] == pytest.approx(4 / 6)
    assert {each["label"]: each["records"] for each in told["labels"]} == {"no": 2, "yes": 4}


def test_the_log_loss_has_the_shares_of_the_labels_beside_it():
    live = new_live_model()
    labels = ["no", "yes", "yes", "no", "yes", "yes"]
    for label in labels:
        live.apply(entries_of([(LEARN, [{"a": 1, "y": label}])]))
    # From the third record on there are two labels; shares so far, of which each began with one.
    shares = [2 / 4, 2 / 5, 3 / 6, 4 / 7]
    expected = -sum(map(math.log, shares)) / 4
    assert live.progress.summary()["log_loss_label_shares"] == pytest.approx(expected)
    again = Progress.from_json(json.loads(json.dumps(live.progress.to_json())))
    assert again.to_json() == live.progress.to_json()


def test_refused_records_change_nothing_and_those_around_them_are_learned():
    live = new_live_model(OLSF())
    told = [
        (LEARN, [{"a": 1, "y": "yes"}]),
        (LEARN, [{"a": 1e300, "y": "yes"}]),
        (LEARN, [{"a": 1, "y": "no"}, {"a": 1}]),
        (LEARN, [{"b": 1, "y": "no"}]),
    ]
    found = live.apply(entries_of(told))
    assert [outcome.learned for outcome in found] == [1, 0, 0, 1]
    assert "row 0, feature 'a'" in found[1].refused
    assert found[2].refused == "row 1: no label (field 'y')"
    assert live.learner.rounds == 2


def test_notes_that_can_not_be_read():
    live = new_live_model()
    for note in ("progress", "journal", "pending"):
        with pytest.raises(ModelFileError):
            LiveModel(live.learner, {note: '{"forged": 1}'})


def test_drift_is_noticed():
    live = new_live_model()
    stream = [{"a": 1 - 2 * (i % 2), "y": "yes" if i % 2 else "no"} for i in range(3000)]
    live.apply(entries_of([(LEARN, stream)]))
    assert live.progress.drift() is None
    turned = [{**x, "y": "no" if x["y"] == "yes" else "yes"} for x in stream[:40]] * 6
    live.apply(entries_of([(LEARN, turned)]))
    assert live.progress.drift().startswith("drift: ")
    assert live.appearances.strangers(live.learner.rounds) is None
    live.apply(entries_of([(LEARN, [{f"new{i}": 1, "y": "yes"} for i in range(600)])]))
    assert "new features" in live.appearances.strangers(10**4)
    arrived = live.appearances.summary(live.learner.engine)
    assert arrived["arrived"][0]["feature"] == "new599"


def test_numbers_are_read_while_records_are_learned():
    """Readers do not wait: what is added meanwhile does not break what they read."""
    live, stop = new_live_model(), threading.Event()

    def learn() -> None:
        for number in count(1):
            records = [{"a": 1, "y": f"label {(number * 50 + i) % 40}"} for i in range(50)]
            live.apply([Entry(number, 0.0, LEARN, None, 50, json.dumps(records).encode())])
            if stop.is_set():
                return

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    learning = threading.Thread(target=learn)
    learning.start()
    try:
        end = time.monotonic() + 1.0
        while time.monotonic() < end or live.progress.rounds < 3000:
            live.progress.drift()
            live.progress.summary()
            live.appearances.strangers(10**9)
    finally:
        stop.set()
        learning.join()
        sys.setswitchinterval(before)
