"""Learners that break one promise each: OCO, but for one mistake that people really make."""

from __future__ import annotations

import copy
import math

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from braided import OCO, InputError, as_rows

BROKEN: list[tuple[type[OCO], str]] = []
"""Each learner, and the check that must find its mistake."""


def breaks(check: str):
    """Say which check must find what is wrong with this learner."""

    def enter(learner):
        BROKEN.append((learner, check))
        return learner

    return enter


class Doubles(OCO):
    """Doubles some values before it learns or scores them, in the same way through every door."""

    def doubled(self, rows):
        """Which values of these rows."""
        raise NotImplementedError

    def _changed(self, X, y=None, feature_names=None):
        rows = as_rows(X, y, feature_names=feature_names)
        values = np.where(self.doubled(rows), 2.0 * rows.values, rows.values)
        return as_rows(rows.with_arrays(values=values.clip(-1e100, 1e100)))

    def learn_one(self, x, y):
        self.partial_fit([x], [y])

    def score_one(self, x):
        return super().score_one(x) if self.engine is None else self.decision_function([x])[0]

    def predict_one(self, x):
        return super().predict_one(x) if self.engine is None else self.predict([x]).tolist()[0]

    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        rows = self._changed(X, y, feature_names)
        return super().partial_fit(rows, None, classes, sample_weight)

    def fit(self, X, y=None, sample_weight=None, *, feature_names=None):
        return super().fit(self._changed(X, y, feature_names), None, sample_weight)

    def prequential(self, X, y=None, *, feature_names=None):
        return super().prequential(self._changed(X, y, feature_names))

    def decision_function(self, X, *, feature_names=None):
        return super().decision_function(self._changed(X, None, feature_names))


# ------------------------------------------------------------------- the model as an object


@breaks("check_parameters_are_as_scikit_learn_expects")
class RoundsItsParameter(OCO):
    def __init__(self, *, step=1.0, schedule="sqrt", intercept=False):
        super().__init__(step=float(str(step)), schedule=schedule, intercept=intercept)


@breaks("check_parameters_are_as_scikit_learn_expects")
class HidesAParameter(OCO):
    def get_params(self, deep=True):
        return {name: value for name, value in super().get_params(deep).items() if name != "step"}


@breaks("check_parameters_are_as_scikit_learn_expects")
class TakesAnyParameter(OCO):
    def check_parameters(self):
        pass

    def kernel_parameters(self):
        numbers = (
            super().kernel_parameters if isinstance(self.step, float) else OCO().kernel_parameters
        )
        return numbers()


@breaks("check_parameters_are_as_scikit_learn_expects")
class KeepsARefusedParameter(OCO):
    def set_params(self, **params):
        try:
            return super().set_params(**params)
        except InputError:
            self.__dict__.update({n: v for n, v in params.items() if hasattr(self, n)})
            raise


@breaks("check_parameters_are_as_scikit_learn_expects")
class ForgetsWhenParametersAreSet(OCO):
    def set_params(self, **params):
        super().set_params(**params)
        self.engine = None
        return self


@breaks("check_parameters_are_as_scikit_learn_expects")
class ClonesWhatItLearned(OCO):
    def __sklearn_clone__(self):
        return copy.deepcopy(self)


@breaks("check_memory_is_reported_honestly")
class CountsHalfOfItsMemory(OCO):
    @property
    def memory_bytes(self):
        return super().memory_bytes // 2


@breaks("check_before_anything_was_learned")
class GuessesBeforeItLearned(OCO):
    def predict_one(self, x):
        return 0 if self.engine is None else super().predict_one(x)


@breaks("check_before_anything_was_learned")
class ScoresManyBeforeItLearned(OCO):
    def decision_function(self, X, *, feature_names=None):
        if self.engine is None:
            return np.zeros(len(X))
        return super().decision_function(X, feature_names=feature_names)


# ------------------------------------------------------------------------ what rows may be


@breaks("check_x_is_never_changed")
class TidiesTheCallersRow(OCO):
    def learn_one(self, x, y):
        super().learn_one(x, y)
        for name in [name for name, value in x.items() if value is None]:
            del x[name]


@breaks("check_x_is_never_changed")
class FillsTheCallersArray(OCO):
    def predict(self, X, *, feature_names=None):
        predicted = super().predict(X, feature_names=feature_names)
        if isinstance(X, np.ndarray):
            X[np.isnan(X)] = 0.0
        return predicted


@breaks("check_empty_rows_are_rows")
class SkipsEmptyRows(OCO):
    def learn_one(self, x, y):
        self.partial_fit([x], [y])

    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        rows = as_rows(X, y, feature_names=feature_names)
        there = np.diff(rows.indptr) > 0
        weights = None if sample_weight is None else np.asarray(sample_weight)[there]
        return super().partial_fit(rows[there], None, classes, weights)

    def fit(self, X, y=None, sample_weight=None, *, feature_names=None):
        fitted = clone(self).partial_fit(X, y, None, sample_weight, feature_names=feature_names)
        self.engine = fitted.engine
        return self

    def prequential(self, X, y=None, *, feature_names=None):
        rows = as_rows(X, y, feature_names=feature_names)
        scores, there = np.zeros(len(rows)), np.diff(rows.indptr) > 0
        scores[there] = super().prequential(rows[there])
        return scores


@breaks("check_unobserved_is_left_out")
class LearnsNaNAsZero(OCO):
    def learn_one(self, x, y):
        zeros = {name: 0.0 for name, v in x.items() if isinstance(v, float) and math.isnan(v)}
        super().learn_one({**x, **zeros}, y)


@breaks("check_unobserved_is_left_out")
class ScoresNoneAsOne(OCO):
    def score_one(self, x):
        if any(value is None for value in x.values()):
            return super().score_one(x) + 1.0
        return super().score_one(x)


@breaks("check_dicts_sparse_and_arrays_are_the_same")
class DropsStoredZeros(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        if sp.issparse(X):
            X = X.copy()
            X.eliminate_zeros()
        return super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)


@breaks("check_frames_and_arrays_are_the_same")
class FillsFrames(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        if hasattr(X, "fillna"):
            X = X.fillna(0.0)
        return super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)


@breaks("check_bad_values_are_refused")
class LearnsBeforeItRefuses(OCO):
    def learn_one(self, x, y):
        try:
            super().learn_one(x, y)
        except InputError as error:
            if "feature" in str(error):
                super().learn_one({"never seen": 2.0}, y)
            raise


@breaks("check_bad_values_are_refused")
class LearnsTheFirstRowsOfARefusedBlock(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        try:
            return super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)
        except InputError as error:
            if "feature" in str(error):
                super().partial_fit(X[:1], y[:1])
            raise


@breaks("check_bad_values_are_refused")
class LeavesBadValuesOut(OCO):
    def learn_one(self, x, y):
        super().learn_one({n: v for n, v in x.items() if not isinstance(v, bytes)}, y)


@breaks("check_bad_values_are_refused")
class ForgetsWhenItRefuses(OCO):
    def fit(self, X, y=None, sample_weight=None, *, feature_names=None):
        self.engine = None
        return super().fit(X, y, sample_weight, feature_names=feature_names)


@breaks("check_bad_values_are_refused")
class RefusesWithoutSayingWhere(OCO):
    def predict_one(self, x):
        try:
            return super().predict_one(x)
        except InputError:
            raise InputError("a value is not allowed") from None


@breaks("check_extreme_values_never_poison")
class OverflowsOnLargeValues(OCO):
    def learn_one(self, x, y):
        super().learn_one(x, y)
        if any(abs(v) > 1e90 for v in x.values() if v is not None):
            self.engine.state.weight[0] = math.inf


@breaks("check_extreme_values_never_poison")
class ScoresOverflow(OCO):
    def score_one(self, x):
        return math.nan if abs(self.weights().get("f1", 0.0)) > 1e90 else super().score_one(x)


@breaks("check_extreme_sample_weights_never_poison")
class OverflowsOnLargeSampleWeights(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)
        if sample_weight is not None and max(sample_weight) > 1e8:
            self.engine.state.intercept[0] = math.nan
        return self


# ------------------------------------------------------------------------------- labels


@breaks("check_any_two_labels")
class PutsTheFirstLabelFirst(OCO):
    @property
    def classes_(self):
        classes = super().classes_
        return classes[::-1] if classes.dtype.kind == "U" else classes


@breaks("check_any_two_labels")
class PredictsSigns(OCO):
    def predict_one(self, x):
        label = super().predict_one(x)
        return {"mail": -1, "spam": 1}.get(label, label)


@breaks("check_a_third_label_is_refused")
class LearnsAThirdLabelAsTheFirst(OCO):
    def learn_one(self, x, y):
        try:
            super().learn_one(x, y)
        except InputError as error:
            if "third label" not in str(error):
                raise
            super().learn_one(x, self.classes_[0])


@breaks("check_a_third_label_is_refused")
class CountsARefusedRow(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        try:
            return super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)
        except InputError as error:
            if "missing" in str(error):
                self.engine.state.rounds[0] += 1
            raise


# ----------------------------------------------------------------------- how rows are learned


@breaks("check_one_by_one_equals_in_blocks")
class LearnsALargeBlockTwice(OCO):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        rows = as_rows(X, y, feature_names=feature_names)
        super().partial_fit(rows, None, classes, sample_weight)
        if 20 < len(rows) < 30:
            super().partial_fit(rows[-1:])
        return self


@breaks("check_one_by_one_scores_equal_prequential")
class ScoresAfterItLearned(OCO):
    def prequential(self, X, y=None, *, feature_names=None):
        super().prequential(X, y, feature_names=feature_names)
        return self.decision_function(X)


@breaks("check_predicting_changes_nothing")
class LearnsWhatItIsAsked(OCO):
    def predict(self, X, *, feature_names=None):
        if self.engine is not None:
            self.engine.state.intercept[0] += 1e-9
        return super().predict(X, feature_names=feature_names)


@breaks("check_the_same_seed_gives_the_same_result")
class RemembersOtherModels(OCO):
    fits = 0

    def fit(self, X, y=None, sample_weight=None, *, feature_names=None):
        super().fit(X, y, sample_weight, feature_names=feature_names)
        type(self).fits += 1
        self.engine.state.intercept[0] += 1e-3 * type(self).fits
        return self


@breaks("check_resuming_from_copies")
class SharesItsArraysWithCopies(OCO):
    def __copy__(self):
        copied = type(self)(**self.get_params())
        copied.engine = self.engine
        return copied


@breaks("check_resuming_from_copies")
class PicklesOnlyParameters(OCO):
    def __getstate__(self):
        return self.get_params()


@breaks("check_resuming_from_a_file")
class RemembersOutsideItsState(OCO):
    """Keeps a factor for its scores by itself: copies have it, files do not."""

    _factor = 1.0

    def partial_fit(self, X, y=None, classes=None, sample_weight=None, *, feature_names=None):
        super().partial_fit(X, y, classes, sample_weight, feature_names=feature_names)
        self._factor = 1.0 + 1e-12 * self.rounds
        return self

    def decision_function(self, X, *, feature_names=None):
        return super().decision_function(X, feature_names=feature_names) * self._factor


@breaks("check_renaming_features_changes_only_names")
class KnowsAFeatureByName(Doubles):
    def doubled(self, rows):
        names = rows.names or range(rows.width)
        return np.array([names[column] == "f3" for column in rows.indices], bool)


@breaks("check_reordering_a_row_changes_nothing")
class PrefersTheFirstFeature(Doubles):
    def doubled(self, rows):
        starts = rows.indptr[:-1][np.diff(rows.indptr) > 0]
        return np.isin(np.arange(rows.values.size), starts)


@breaks("check_a_budget_is_never_exceeded")
class IgnoresItsBudget(OCO):
    def __init__(self, *, budget=5):
        super().__init__()
        self.budget = budget

    def check_parameters(self):
        super().check_parameters()
        budget = getattr(self, "budget", 5)
        if isinstance(budget, bool) or not isinstance(budget, int | float):
            raise InputError(f"budget={budget!r} is not allowed")
