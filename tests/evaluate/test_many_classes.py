"""Evaluation with more than two labels, held to scikit-learn's metrics and to plain loops."""

import warnings

import numpy as np
import pytest
from sklearn import metrics as theirs
from sklearn.datasets import load_digits

from braided import OCO, OLSF, Braid, InputError, OneVsOne, OneVsRest, Scaled, as_rows, streams
from braided.evaluate import Contender, Plan, compare, holdout, prequential, tune
from tests.support.every_composite import many_classes

STREAM = many_classes(seed=2, rounds=400, classes="dacb")
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]
NAMES = ("mistakes", "error_rate", "balanced_accuracy", "f1", "kappa")


def stream(labels=LABELS):
    return streams.given(as_rows(ROWS), np.array(labels, object))


def one_by_one(model, labels=LABELS, delay=0):
    """What is predicted, row by row, by a plain loop with a queue."""
    predicted, waiting = [], []
    for x, y in zip(ROWS, labels, strict=True):
        predicted.append(model.predict_one(x))
        waiting.append((x, y))
        if len(waiting) > delay:
            x, y = waiting.pop(0)
            if y is not None:
                model.learn_one(x, y)
    return predicted


def expected(labels, predicted):
    known = [(y, str(p)) for y, p in zip(labels, predicted, strict=True) if y is not None]
    truth, guess = map(list, zip(*known, strict=True))
    wrong = sum(y != p for y, p in known)
    named = sorted(set(truth) | (set(guess) - {"None"}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "mistakes": wrong,
            "error_rate": wrong / len(known),
            "balanced_accuracy": theirs.balanced_accuracy_score(truth, guess),
            "f1": theirs.f1_score(truth, guess, labels=named, average="macro"),
            "kappa": theirs.cohen_kappa_score(truth, guess),
        }


@pytest.mark.parametrize("delay", [0, 5])
@pytest.mark.parametrize("make", [lambda: OneVsRest(OLSF()), lambda: OneVsOne(Scaled(OCO()))])
def test_metrics_are_those_of_a_plain_loop(make, delay):
    labels = [None if t % 9 == 8 else y for t, y in enumerate(LABELS)]
    truth = expected(labels, one_by_one(make(), labels, delay))
    for block in (None, 7):
        result = prequential(make(), stream(labels), delay=delay, block=block, metrics=NAMES)
        assert result.metric_values == pytest.approx(truth, abs=1e-12)
        assert (result.rounds, result.unlabelled) == (400, 44)
        assert not result.diverged


def test_curves_end_with_the_metrics_and_windows_are_rounds_by_themselves():
    result = prequential(OneVsRest(OLSF()), stream(), every=100)
    last = prequential(OneVsRest(OLSF()), stream())
    for name in NAMES:
        assert result.curve(name)[-1] == pytest.approx(result.metric(name))
        assert result.curve(name, at=[100, 400])[1] == result.curve(name)[-1]
    window = result.curve("balanced_accuracy", window=50)
    part = expected(LABELS[350:], one_by_one(OneVsRest(OLSF()))[350:])
    assert window[-1] == pytest.approx(part["balanced_accuracy"])
    assert [s.round for s in result.snapshots] == [100, 200, 300, 400]
    assert last.mistakes == result.mistakes


def test_what_is_for_two_labels_is_left_out_and_said():
    result = prequential(OneVsRest(OLSF()), stream())
    assert result.left_out == ("auc", "log_loss")
    assert not {"auc", "log_loss"} & set(result.metric_values)
    for ask in (result.metric, result.curve):
        with pytest.raises(InputError, match="auc is for two labels"):
            ask("auc")


def test_baselines_look_at_no_feature():
    result = prequential(OneVsRest(OLSF()), stream())
    before = [None, *LABELS[:-1]]
    wrong = sum(p != y for p, y in zip(before, LABELS, strict=True))
    assert result.baselines["last label"].mistakes == wrong
    wrong = 0
    for t, y in enumerate(LABELS):
        counts = {c: LABELS[:t].count(c) for c in "abcd"}
        most = [c for c, n in counts.items() if n == max(counts.values())]
        wrong += most != [y]
    assert result.baselines["majority class"].mistakes == wrong


def test_holdout_of_many_classes():
    result = holdout(OneVsRest(OLSF()), stream(), share=0.6, metrics=NAMES)
    model = OneVsRest(OLSF()).partial_fit(ROWS[:240], LABELS[:240])
    truth = expected(LABELS[240:], model.predict(ROWS[240:]))
    assert result.metric_values == pytest.approx(truth)


def test_a_learner_of_two_labels_says_what_to_do():
    with pytest.raises(InputError, match=r"third label.*allow_any_labels.*OneVsRest"):
        prequential(OLSF(), stream())


def test_error_rate_on_digits():
    X, y = load_digits(return_X_y=True)
    shuffled = streams.fixed(X / 16, y, seed=0)
    result = prequential(OneVsRest(OLSF(variant="I")), shuffled)
    assert result.error_rate < 0.15
    assert result.baselines["majority class"].error_rate > 0.85


HOW = {"rest": OneVsRest, "one": OneVsOne}


@pytest.mark.parametrize("how", HOW)
def test_compare_runs_every_contender_for_many_classes(how):
    data = {"pets": (as_rows(ROWS), np.array(LABELS, object))}
    contenders = [Contender("olsf-i"), Contender("oco", {"step": 0.5})]
    comparison = compare(Plan(data, contenders, "given", many_classes=how), repeats=1)
    models = {"olsf-i": OLSF(variant="I"), "oco (step=0.5)": OCO(step=0.5)}
    for learner, model in models.items():
        result = prequential(HOW[how](model), stream())
        assert comparison.errors("pets", learner).tolist() == [result.error_rate]
        for name, baseline in result.baselines.items():
            assert comparison.errors("pets", name).tolist() == [baseline.error_rate]
    assert comparison.left_out(["auc"]) == ("auc",)


@pytest.mark.parametrize("how", HOW)
def test_tune_judges_by_the_first_rounds_and_reports_the_rest(how):
    labels = [None if t % 9 == 8 else y for t, y in enumerate(LABELS)]
    grid = {"aggressiveness": [1e-6, 0.1]}
    tuned = tune("olsf-i", lambda seed: stream(labels), grid, prefix=0.25, many_classes=how)
    for setting, judged in tuned.judged:
        predicted = one_by_one(HOW[how](OLSF(variant="I", **setting)), labels)
        first, rest = (expected(labels[p], predicted[p]) for p in (slice(100), slice(100, None)))
        assert judged == pytest.approx(first["error_rate"])
        if setting == tuned.chosen:
            assert tuned.error_rate == pytest.approx(rest["error_rate"])
    assert tuned.chosen == min(tuned.judged, key=lambda pair: pair[1])[0]


def test_plans_and_tuning_refuse_unknown_many_classes():
    data = {"pets": (as_rows(ROWS), np.array(LABELS, object))}
    with pytest.raises(InputError, match="many_classes='all' is not allowed: choose one of 'rest'"):
        compare(Plan(data, [Contender("olsf")], "given", many_classes="all"), repeats=1)
    with pytest.raises(InputError, match="many_classes='all'"):
        tune("olsf", lambda seed: stream(), {"budget": [1.0]}, many_classes="all")


def test_plans_and_tuning_need_not_be_told_of_many_classes():
    data = {"pets": (as_rows(ROWS), np.array(LABELS, object))}
    plan = Plan(data, [Contender("olsf"), Contender("braid")], "given")
    assert plan.many_classes_in_use == "rest"
    errors = {name: compare(plan, repeats=1).errors("pets", name)[0] for name in ("olsf", "braid")}
    for name, model in (("olsf", OLSF().allow_any_labels()), ("braid", Braid())):
        assert errors[name] == prequential(model, stream()).error_rate
        tuned = tune(name, lambda seed: stream(), {"seed": [0]}, prefix=1.0)
        assert tuned.judged[0][1] == errors[name]


@pytest.mark.parametrize("make", [Braid, lambda: OLSF().allow_any_labels()])
@pytest.mark.parametrize("delay", [0, 7])
def test_results_do_not_depend_on_blocks_across_the_third_label(make, delay):
    labels = [None if t % 11 == 5 else y for t, y in enumerate(LABELS)]
    results = [
        prequential(make(), stream(labels), delay=delay, block=block) for block in (1, 13, 400)
    ]
    for result in results[1:]:
        assert result.signs.tolist() == pytest.approx(results[0].signs.tolist(), nan_ok=True)
        assert result.scores.tolist() == results[0].scores.tolist()
        for name in ("error_rate", "f1", "kappa"):
            assert result.metric_values[name] == results[0].metric_values[name]
    shares = [holdout(make(), stream(labels), block=block).error_rate for block in (1, 400)]
    assert shares[0] == shares[1]
    told = []
    prequential(make(), stream(labels), block=50, progress=lambda rows, rate: told.append(rate))
    assert told[-1] == prequential(make(), stream(labels)).error_rate
