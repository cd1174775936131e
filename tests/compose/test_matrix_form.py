"""OLSF in matrix form: its plain transcription, classes that come late, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OCO, OLSF, InputError, MatrixForm, OneVsRest, PseudoLabel, load
from tests.support.every_composite import many_classes
from tests.support.streams_of_rows import streams


class Plain:
    """Crammer et al. 2006, section 8, with the steps of OLSF; classes enter as they appear."""

    def __init__(self, variant, c):
        self.variant, self.c, self.w = variant, c, {}

    def scores(self, x):
        return {
            y: sum(row.get(j, 0.0) * value for j, value in x.items()) for y, row in self.w.items()
        }

    def learn(self, x, y):
        self.w.setdefault(y, {})
        scores, square = self.scores(x), sum(value**2 for value in x.values())
        rivals = [r for r in self.w if r != y]
        if not rivals or square == 0.0:
            return
        rival = max(rivals, key=lambda r: scores[r])  # the first of the largest, in order of sight
        loss = 1 - (scores[y] - scores[rival])
        if loss <= 0:
            return
        tau = {
            "hard": loss / (2 * square),
            "I": min(self.c, loss / (2 * square)),
            "II": loss / (2 * square + 1 / (2 * self.c)),
        }[self.variant]
        for j, value in x.items():
            self.w[y][j] = self.w[y].get(j, 0.0) + tau * value
            self.w[rival][j] = self.w[rival].get(j, 0.0) - tau * value


quarters = st.integers(-8, 8).map(lambda k: k / 4)


@given(streams(quarters, max_rows=30), st.lists(st.sampled_from("abcd"), min_size=30, max_size=30),
       st.sampled_from(["hard", "I", "II"]), st.sampled_from([0.1, 1.0]))  # fmt: skip
@settings(deadline=None)
def test_is_the_matrix_form_written_plainly(stream, labels, variant, c):
    plain, fast = Plain(variant, c), MatrixForm(OLSF(variant=variant, aggressiveness=c))
    for (x, _), y in zip(stream, labels, strict=False):
        plain.learn(x, y)
        fast.learn_one(x, y)
    found = fast.weights()
    for y, row in plain.w.items():
        nonzero = {j: w for j, w in row.items() if abs(w) > 1e-12}
        kept = {j: w for j, w in found[y].items() if abs(w) > 1e-12}
        assert kept == pytest.approx(nonzero, rel=1e-9, abs=1e-12)


def test_one_by_one_equals_in_blocks_and_survives_a_file(tmp_path):
    stream = many_classes(3, 200, "abcdef")
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    alone, block = MatrixForm(OLSF()), MatrixForm(OLSF()).partial_fit(rows, labels)
    for x, y in stream:
        alone.learn_one(x, y)
    assert alone.weights() == block.weights()
    block.save(tmp_path / "m.braided")
    again = load(tmp_path / "m.braided")
    assert again.weights() == block.weights()
    np.testing.assert_array_equal(again.decision_function(rows), block.decision_function(rows))
    assert again.partial_fit(rows, labels).weights() == block.partial_fit(rows, labels).weights()


def test_only_two_classes_move_in_a_round():
    rows = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}, {"a": 1.0, "c": 1.0}]
    model = MatrixForm(OLSF(variant="hard")).partial_fit(rows, ["x", "y", "z", "x"])
    before = model.weights()
    model.learn_one({"d": 1.0}, "y")
    moved = [label for label, weights in model.weights().items() if weights != before[label]]
    assert len(moved) == 2
    assert "y" in moved


def test_rows_without_labels_are_learned_by_the_largest_score():
    rows = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}] * 20 + [{"a": 1.0, "new": 1.0}, {"void": 1.0}]
    labels = ["x", "y", "z"] * 20 + [None, None]
    model = PseudoLabel(MatrixForm(OLSF(variant="hard")), confidence=0.3).partial_fit(rows, labels)
    assert (model.pseudo_labelled, model.skipped) == (1, 1)
    assert model.predict_one({"a": 1.0, "new": 1.0}) == "x"


def test_it_is_as_accurate_as_one_against_the_rest():
    stream = many_classes(5, 2000, "abcdef")
    rows, labels = [x for x, _ in stream], np.array([y for _, y in stream])
    right = []
    for form in (MatrixForm, OneVsRest):
        model = form(OLSF()).partial_fit(rows[:1000], labels[:1000])
        right.append((model.predict(rows[1000:]) == labels[1000:]).mean())
    assert right[0] > right[1] - 0.05


@pytest.mark.parametrize(
    "learner", [OLSF(budget=0.5), OLSF(budget=1), OLSF(radius=30), OLSF(update="perceptron")]
)
def test_it_refuses_what_has_no_matrix_form(learner):
    with pytest.raises(InputError, match="no budget, no radius and no perceptron steps"):
        MatrixForm(learner).learn_one({"a": 1.0}, "x")


def test_it_refuses_other_learners():
    with pytest.raises(InputError, match="has no matrix form: OLSF has one"):
        MatrixForm(OCO()).learn_one({"a": 1.0}, "x")
