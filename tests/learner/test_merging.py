"""Merging models: what adds up is added, the rest is a mean, and the past counts once."""

import copy
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import braided
from braided import FESL, GLSC, OCO, OLSF, SSOL, Braid, InputError, registry
from braided.learner.state import arrays
from tests.naive import merging as naive
from tests.support.every_learner import BUDGETED, EVERY, LIMITED, NAMES, few, halves, new
from tests.support.streams_of_rows import any_values, long_stream, streams

REFUSE = ("glsc", "glsc adaptive", "fesl", *LIMITED)
ALL = [n for n in NAMES if n not in REFUSE]
MERGING = pytest.mark.parametrize("name", ALL)
LINEAR = [n for n in ALL if n != "braid"]
# Weights that count by squared gradients, and those that are sums of natural parameters.
BY_SQUARES = ("oco adaptive", "ada-fobos", "ada-rda")
MEANS = pytest.mark.parametrize("name", [n for n in LINEAR if n not in (*BY_SQUARES, "ssol")])
ALL_KEPT = {"budget": 1.0}


def _budget(name):
    name = name.partition(" ")[0]
    return ALL_KEPT if name != "braid" and "budget" in registry.parameters(name) else {}


def shards(name, models=2, base=0, counted=False, **parameters):
    """Models of different lengths that share some features; and the model they went on from."""
    parameters = {**_budget(name), **parameters}
    rows, labels = halves(long_stream(seed=3))
    start = new(name, **parameters)
    if counted:
        start.count_features()
    if base:
        start.partial_fit(rows[:base], labels[:base])
    found = []
    ends = np.linspace(base, 360, models + 1).astype(int) + np.arange(models + 1) * 7
    for begin, end in pairwise(ends):
        found.append(copy.deepcopy(start).partial_fit(rows[begin:end], labels[begin:end]))
    return found, start if base else None


def two(name, **parameters):
    return shards(name, 2, **parameters)[0]


def weights(model):
    """The weight of every feature that the model knows."""
    engine = model.engine
    found = engine.linear_weights() * engine.labels.orientation
    return dict(zip(engine.space.names, found.tolist(), strict=False))


def counts(model):
    return dict(zip(model.engine.space.names, model.engine.feature_counts().tolist(), strict=True))


def in_ball(numbers, found):
    """The same times the factor by which a ball cuts all of them."""
    factor = next((found[n] / w for n, w in numbers.items() if w), 1.0)
    assert 0 < factor <= 1 + 1e-12
    return {name: factor * weight for name, weight in numbers.items()}


def close(numbers):
    return pytest.approx(numbers, rel=1e-9, abs=1e-12)


@MEANS
@pytest.mark.parametrize("base", [0, 40])
def test_weights_are_a_mean_over_the_models_that_know_the_feature(name, base):
    models, since = shards(name, 3, base)
    rows = [dict.fromkeys(weights(m), m.rounds - base) for m in models]
    merged = models[0].merge(*models[1:], since=since)
    start = {} if since is None else weights(since)
    found = weights(merged)
    assert found == close(in_ball(naive.mean(start, [*map(weights, models)], rows), found))
    assert merged.rounds == base + sum(model.rounds - base for model in models)
    assert merged.get_params() == models[0].get_params()
    assert set(merged.engine.space.names) == {n for m in models for n in m.engine.space.names}


@MEANS
@pytest.mark.parametrize("base", [0, 40])
def test_weights_are_a_mean_by_the_rows_of_the_feature(name, base):
    models, since = shards(name, 3, base, counted=True)
    start = {} if since is None else counts(since)
    added = [{n: c - start.get(n, 0) for n, c in counts(m).items()} for m in models]
    merged = models[0].merge(*models[1:], since=since)
    before, found = {} if since is None else weights(since), weights(merged)
    assert found == close(in_ball(naive.mean(before, [*map(weights, models)], added), found))
    assert counts(merged) == naive.total(start, [*map(counts, models)])


SQUARES = {
    "oco adaptive": lambda state: state.squares,
    "ada-fobos": lambda state: state.table[:, 1] ** 2,
    "ada-rda": lambda state: state.table[:, 1] ** 2,
}


@pytest.mark.parametrize("name", BY_SQUARES)
@pytest.mark.parametrize("base", [0, 40])
def test_weights_of_adagrad_are_a_mean_by_squared_gradients(name, base):
    models, since = shards(name, 3, base)

    def squares(model):
        found = SQUARES[name](model.engine.state).tolist()
        return dict(zip(model.engine.space.names, found, strict=False))

    start = {} if since is None else squares(since)
    added = [{n: s - start.get(n, 0) for n, s in squares(m).items()} for m in models]
    merged = models[0].merge(*models[1:], since=since)
    before = {} if since is None else weights(since)
    assert weights(merged) == close(naive.mean(before, [*map(weights, models)], added))
    assert squares(merged) == close(naive.total(start, [*map(squares, models)]))


@pytest.mark.parametrize("base", [0, 40])
def test_ssol_adds_precisions_and_without_a_base_theta(base):
    models, since = shards("ssol", 3, base)

    def column(model, read):
        found = map(read, model.engine.state.table.tolist())
        return dict(zip(model.engine.space.names, found, strict=False))

    def precision(model):
        return column(model, lambda record: 1 / record[1])

    merged = models[0].merge(*models[1:], since=since)
    start = {} if since is None else precision(since)
    expected = naive.total(start, [*map(precision, models)], born=1.0)
    assert precision(merged) == close(expected)
    if since is None:
        thetas = [column(m, lambda record: record[0]) for m in models]
        found = column(merged, lambda record: record[0])
        assert found == close(naive.total({}, thetas))
    else:
        rows = [dict.fromkeys(weights(m), m.rounds - base) for m in models]
        means = naive.mean(weights(since), [*map(weights, models)], rows)
        assert weights(merged) == close(means)


@MERGING
def test_the_past_of_a_base_counts_once(name):
    models, since = shards(name, 2, 40)
    merged = models[0].merge(models[1], since=since)
    assert merged.rounds == 40 + sum(model.rounds - 40 for model in models)
    # Who learned nothing since then adds nothing.
    again = models[0].merge(since, models[1], copy.deepcopy(since), since=since)
    assert again.to_bytes() == merged.to_bytes()
    assert models[0].merge(since, since=since).to_bytes() == models[0].to_bytes()
    assert since.merge(since, since=since).to_bytes() == since.to_bytes()


@MERGING
def test_the_models_stay_as_they_are(name):
    models, since = shards(name, 3, 40)
    before = [model.to_bytes() for model in (*models, since)]
    models[0].merge(*models[1:], since=since)
    assert [model.to_bytes() for model in (*models, since)] == before


@pytest.mark.parametrize("name", LINEAR)  # a Braid knows when its features were first seen
def test_the_order_of_the_models_does_not_matter(name):
    here, there = two(name)
    assert here.merge(there).weights() == close(there.merge(here).weights())


@pytest.mark.parametrize("name", LINEAR)
def test_a_tree_of_merges_agrees_with_a_flat_one(name):
    models, since = shards(name, 4, 40, counted=True)
    flat = models[0].merge(*models[1:], since=since)
    pairs = [models[0].merge(models[1], since=since), models[2].merge(models[3], since=since)]
    tree = pairs[0].merge(pairs[1], since=since)
    assert weights(tree) == pytest.approx(weights(flat), rel=1e-6, abs=1e-9)
    assert (tree.rounds, counts(tree)) == (flat.rounds, counts(flat))


@MERGING
def test_merging_with_an_empty_model_changes_nothing(name):
    here, _ = two(name)
    for merged in (here.merge(new(name, **_budget(name))), new(name, **_budget(name)).merge(here)):
        assert merged.to_bytes() == here.to_bytes()
        assert merged is not here
    empty = new(name)
    assert empty.merge(new(name)).rounds == 0


@MERGING
def test_a_merged_model_learns_on_and_can_be_saved(name):
    models, since = shards(name, 3, 40)
    merged = models[0].merge(*models[1:], since=since)
    loaded = braided.from_bytes(merged.to_bytes())
    rows, labels = halves(long_stream(seed=5))
    assert merged.prequential(rows, labels).tolist() == loaded.prequential(rows, labels).tolist()
    assert all(np.isfinite(a).all() for a in arrays(merged.engine.state) if a.dtype.kind == "f")


@BUDGETED
def test_the_budget_is_applied_again(name):
    if name in REFUSE or name == "braid":
        pytest.skip("is not merged with a budget")
    here, there = two(name, budget=5)
    rows = [dict.fromkeys(weights(m), m.rounds) for m in (here, there)]
    expected = naive.mean({}, [weights(here), weights(there)], rows)
    merged = here.merge(there)
    assert merged.features_kept == min(5, sum(w != 0 for w in expected.values()))
    largest = sorted(expected.items(), key=lambda item: -abs(item[1]))[:5]
    found = merged.weights()
    assert found == close(in_ball({name: expected[name] for name in found}, found))
    factor = next((found[name] / expected[name] for name in found), 1.0)
    magnitudes = [factor * abs(w) for _, w in largest if w]  # of equals, any may be kept
    assert sorted(map(abs, found.values()), reverse=True) == close(magnitudes)


def test_merged_weights_stay_in_the_ball():
    here = OLSF(radius=1.0).partial_fit([{"a": 100.0}, {"z": 1.0}], [1, -1])
    there = OLSF(radius=1.0).partial_fit([{"b": 100.0}, {"z": 1.0}], [1, -1])
    here.set_params(aggressiveness=5.0).partial_fit([{"a": 0.5}] * 9, [1] * 9)
    there.set_params(aggressiveness=5.0).partial_fit([{"b": 0.5}] * 9, [1] * 9)
    assert sum(map(abs, here.weights().values())) > 0.9
    merged = here.merge(there)
    assert sum(map(abs, merged.weights().values())) <= 1 + 1e-12


@pytest.mark.parametrize("name", LINEAR)
def test_labels_may_have_come_in_any_order(name):
    rows, labels = halves(long_stream(seed=3))
    words = ["yes" if y > 0 else "no" for y in labels]
    start = words.index("no"), words.index("yes")
    models = [new(name, **_budget(name)).partial_fit(rows[s:], words[s:]) for s in start]
    assert models[0].engine.labels.values != models[1].engine.labels.values
    merged, other = models[0].merge(models[1]), models[1].merge(models[0])
    assert weights(merged) == close(weights(other))
    assert merged.classes_.tolist() == ["no", "yes"]
    one_sided = [new(name).partial_fit([{"a": 1.0}], [word]) for word in ("no", "yes")]
    assert one_sided[0].merge(one_sided[1]).classes_.tolist() == ["no", "yes"]


def test_braids_may_have_met_labels_in_any_order():
    rows, labels = halves(long_stream(seed=3))
    words = ["yes" if y > 0 else "no" for y in labels]
    here = Braid().partial_fit(rows[:150], words[:150])
    there = Braid().partial_fit(rows[150:], words[150:])
    turned = Braid().partial_fit(rows[150:], words[150:], classes=["yes", "no"])
    other = ["yes", "no"] if there.engine.labels.values[0] == "no" else ["no", "yes"]
    turned = Braid().partial_fit(rows[150:], words[150:], classes=other)
    assert turned.engine.labels.values != there.engine.labels.values
    one, two = here.merge(there), here.merge(turned)
    assert one.decision_function(rows) == pytest.approx(two.decision_function(rows), abs=1e-4)


@EVERY
def test_models_that_do_not_fit_together_are_refused(name):
    here, there = two(name) if name in ALL else (new(name), new(name))
    if name not in ALL:
        with pytest.raises(InputError, match=r"can not be merged: .*; let one model learn all"):
            here.merge(there)
        return
    with pytest.raises(InputError, match="can not be merged with"):
        here.merge(OLSF() if not isinstance(here, OLSF) else OCO())
    with pytest.raises(InputError, match="different labels can not be merged"):
        here.merge(new(name, **_budget(name)).partial_fit([{"a": 1.0}], ["other"]))
    with pytest.raises(InputError, match="can not have gone on from"):
        here.merge(new(name).partial_fit([{"a": 1.0}], [1]), since=there)


def test_models_of_different_widths_are_refused():
    here, there = (OCO().partial_fit(np.ones((2, n)), [0, 1]) for n in (3, 4))
    with pytest.raises(InputError, match="models of 3 and 4 columns"):
        here.merge(there)
    merged = here.merge(OCO().partial_fit(np.ones((2, 3)), [0, 1]))
    assert (merged.n_features_in_, merged.engine.space.numbers().tolist()) == (3, [0, 1, 2])


def test_fields_keep_their_kinds_and_must_agree():
    here = OCO().partial_fit([{"pet": "cat", "age": 3}, {"pet": "dog"}], [0, 1])
    there = OCO().partial_fit([{"note": "good day"}, {"pet": "cat"}], [0, 1])
    merged = here.merge(there)
    assert [merged.schema.kind(f) for f in ("pet", "age", "note")] == ["category", "number", "text"]
    other = OCO().partial_fit([{"age": "old"}, {"age": "young"}], [0, 1])
    with pytest.raises(InputError, match="field 'age' is category in one of them and number"):
        here.merge(other)


@pytest.mark.parametrize("model", [GLSC(), FESL(), SSOL(covariance="full")])
def test_learners_that_keep_pairs_say_so(model):
    model.partial_fit([{"a": 1.0}, {"b": 1.0}], [0, 1])
    with pytest.raises(InputError, match="can not be merged: what it keeps beyond weights"):
        model.merge(model)


@pytest.mark.parametrize(
    "model",
    [
        braided.FSOL(schedule="growing", penalty=1e-4, clock="feature"),
        braided.SSOL(schedule="growing", penalty=1e-5),
        braided.AdaRDA(clock="feature"),
        braided.STG(ceiling=0.05),
        OCO(intercept=True),
        OCO(intercept=True, schedule="adaptive"),
    ],
)
def test_other_forms_of_the_families_can_be_merged(model):
    rows, labels = halves(long_stream(seed=3))
    since = type(model)(**model.get_params()).partial_fit(rows[:40], labels[:40])
    here = copy.deepcopy(since).partial_fit(rows[40:150], labels[40:150])
    there = copy.deepcopy(since).partial_fit(rows[150:369], labels[150:369])
    merged = here.merge(there, since=since)
    assert merged.rounds == 369
    apart = np.abs(merged.decision_function(rows) - here.decision_function(rows)).mean()
    assert 0 < apart < 10
    if model.get_params().get("schedule") == "sqrt":
        means = (110 * here.score_one({}) + 219 * there.score_one({})) / 329
        assert merged.score_one({}) == pytest.approx(means)
    births = getattr(merged.engine.state, "births", None)
    if births is not None and births.rounds_before.size:
        assert births.rounds_before.max() <= merged.rounds


# ---------------------------------------------------------------------------------- counting


@pytest.mark.parametrize("name", ["olsf", "oco"])
def test_features_are_counted_however_rows_come(name):
    rows, labels = halves(long_stream(seed=8, rounds=60))
    expected = {n: sum(n in x for x in rows) for x in rows for n in x}
    block = new(name).count_features().partial_fit(rows, labels)
    single = new(name).count_features()
    for x, y in zip(rows, labels, strict=True):
        single.learn_one(x, y)
    seen = new(name).count_features()
    seen.prequential(rows, labels)
    for model in (block, single, seen, braided.from_bytes(block.to_bytes())):
        assert counts(model) == expected
    assert new(name).partial_fit(rows, labels).engine.feature_counts() is None
    late = new(name).partial_fit(rows[:30], labels[:30]).count_features()
    assert sum(counts(late).values()) == 0
    assert counts(late.partial_fit(rows[30:], labels[30:])) == {
        n: sum(n in x for x in rows[30:]) for n in counts(late)
    }


# ------------------------------------------------------------------------------------- Braid


def by_name(model, read):
    state = model.engine.state
    return {name: read(state, j) for j, name in enumerate(model.engine.space.names)}


def statistic(column):
    return lambda state, j: float(state.features.stats[j, column])


def weight(column):
    return lambda state, j: float(state.experts.weights[j, column])


def firsts(state, j):
    """The first values of a feature, as the naive merge takes them."""
    block, n = int(state.features.stats[j, 4]) - 1, int(state.experts.weights[j, 13])
    if block >= 0:
        return state.bins.first[block, :n].tolist()
    early = state.features.early[j, : min(n, 7)].tolist()
    return early + [float(state.features.stats[j, 6])] * (n - len(early))


def bins_of(state, j):
    """Edges (None if there are none), and (1/S - 1/v, w/S, G, n0, n1) of each bin."""
    block, born = int(state.features.stats[j, 4]) - 1, float(state.experts.weights[j, 6])
    if block < 0:
        n0, n1 = state.experts.weights[j, 11:13].astype(float)
        return None, [[0.0, 0.0, 0.0, n0, n1]]
    found = []
    for w, s, _, g, n0, n1, *_ in state.experts.cells[block * 16 : block * 16 + 16].astype(float):
        found.append([1 / s - 1 / born, w / s, g, n0, n1] if s > 0 else [0.0, 0.0, g, n0, n1])
    return state.bins.edges[block, :15].tolist(), found


both_labels = [({"f1": 1.0}, 1), ({"f2": 2.0}, -1)]


@few
@given(
    streams(any_values, max_rows=60).map(lambda rows: both_labels + rows),
    st.lists(streams(max_rows=40), min_size=2, max_size=4),
    st.booleans(),
)
def test_braid_merges_as_the_plain_rules_say(start, rest, from_base):
    base = Braid().partial_fit(*halves(start))
    since = base if from_base else None
    models = []
    for stream in rest:
        model = copy.deepcopy(base) if from_base else Braid()
        models.append(model.partial_fit(*halves(stream), classes=[1, -1]))
    merged = models[0].merge(*models[1:], since=since)

    def begun(read):
        return by_name(base, read) if from_base else {}

    def totals(read):
        return naive.total(begun(read), [by_name(model, read) for model in models])

    count = totals(statistic(0))
    assert by_name(merged, statistic(0)) == count
    sums = totals(lambda s, j: s.features.stats[j, 0] * s.features.stats[j, 2])
    means = {name: total / count[name] if count[name] else 0.0 for name, total in sums.items()}
    assert by_name(merged, statistic(2)) == pytest.approx(means, rel=1e-6, abs=1e-9)
    every = halves([*(start if from_base else []), *(row for s in rest for row in s)])[0]
    for name in count:
        values = [x[name] for x in every if name in x]
        spread = float(np.var(values)) * len(values)
        assert by_name(merged, statistic(3))[name] == pytest.approx(spread, rel=1e-6, abs=1e-6)
        assert by_name(merged, statistic(5))[name] == min(3, len(set(values)))
    for column in (11, 12):  # naive Bayes
        assert by_name(merged, weight(column)) == totals(weight(column))
    before, now = begun(statistic(0)), [by_name(model, statistic(0)) for model in models]
    learners = {name: sum(n.get(name, 0) > before.get(name, 0) for n in now) for name in count}
    for w, s, shared in ((2, 3, None), (7, 8, None), (4, 5, learners)):

        def beliefs(model, w=w, s=s):
            return by_name(
                model, lambda state, j: tuple(state.experts.weights[j, [w, s, 6]].astype(float))
            )

        expected = naive.belief(beliefs(base) if from_base else {}, [*map(beliefs, models)], shared)
        for name, found in beliefs(merged).items():
            assert found == pytest.approx(expected[name], rel=1e-4, abs=1e-5)
    for name in count:
        _compare_bins(merged, since, models, name)


def _compare_bins(merged, since, models, name):
    """Edges from all first values; what each model added to its bins, handed on by its own."""

    def of(model, read):
        columns = model.engine.space.columns
        return read(model.engine.state, columns[name]) if name in columns else None

    edges, found = of(merged, bins_of)
    begun = 0 if since is None or of(since, firsts) is None else len(of(since, firsts))
    pooled = [] if begun == 0 else list(of(since, firsts))
    for model in models:
        pooled += (of(model, firsts) or [])[begun:]
    if edges is None:
        assert len(pooled) < 8 or len(set(pooled)) < 2
        return
    settled = begun == 64 and of(since, bins_of)[0] is not None
    assert edges == (of(since, bins_of)[0] if settled else naive.quantile_edges(pooled))

    def moved(model):
        old, cells = of(model, bins_of)
        return np.array(naive.hand_on(cells, old, of(model, firsts), edges))

    start = np.zeros((16, 5)) if begun == 0 else moved(since)
    total = start.copy()
    for model in models:
        if of(model, firsts):
            added = moved(model) - start
            added[:, [0, 2, 3, 4]] = np.maximum(added[:, [0, 2, 3, 4]], 0.0)
            total += added
    assert np.array(found)[:, 2:] == pytest.approx(total[:, 2:], rel=1e-4, abs=1e-4)
    assert np.array(found)[:, 0] == pytest.approx(total[:, 0], rel=1e-2, abs=1e-2)
