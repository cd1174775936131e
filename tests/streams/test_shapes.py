"""The rule of each shape, held to its wording."""

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from braided.errors import InputError
from braided.streams import capricious, evolvable, fixed, trapezoidal


def columns_seen(stream):
    """For each round the columns that it shows."""
    return [set(x) for x, _ in stream.pairs()]


def ones(n, d):
    return np.ones((n, d)), np.zeros(n)


def test_fixed_shows_everything():
    assert columns_seen(fixed(*ones(7, 3))) == [{0, 1, 2}] * 7


# Trapezoidal


@for_all(st.integers(1, 60), st.integers(1, 30), st.integers(1, 80))
def test_trapezoidal_equals_its_rule(n, d, chunks):
    seen = columns_seen(trapezoidal(*ones(n, d), chunks=chunks))
    for t in range(n):
        c = t * chunks // n + 1
        assert c <= chunks
        assert seen[t] == set(range(max(1, c * d // chunks)))


@pytest.mark.parametrize(("n", "chunks"), [(100, 10), (103, 10), (109, 10), (7, 3), (13, 13)])
def test_trapezoidal_covers_all_rows(n, chunks):
    """No rows are left over at the end: the last chunk sees everything, sizes differ by one."""
    seen = [len(columns) for columns in columns_seen(trapezoidal(*ones(n, 26), chunks=chunks))]
    sizes = np.unique(seen, return_counts=True)[1]
    assert seen == sorted(seen)
    assert seen[-1] == 26
    assert sizes.size == chunks
    assert sizes.max() - sizes.min() <= 1


def test_trapezoidal_with_fewer_rows_than_chunks():
    assert [len(seen) for seen in columns_seen(trapezoidal(*ones(3, 10)))] == [1, 4, 7]


def test_columns_that_hold_nothing_do_not_count():
    """A file that counts from 1 leaves column 0 empty: the first chunk still sees a feature."""
    X = sp.csr_matrix(np.ones((20, 10)))
    shifted = sp.hstack([sp.csr_matrix((20, 1)), X, sp.csr_matrix((20, 50))]).tocsr()
    for shape in trapezoidal, evolvable:
        seen = columns_seen(shape(X, np.zeros(20)))
        assert columns_seen(shape(shifted, np.zeros(20))) == [{c + 1 for c in s} for s in seen]


@pytest.mark.parametrize("chunks", [0, -3, 2.0, True, "10", None, 2**31])
def test_trapezoidal_refuses_bad_parameters(chunks):
    with pytest.raises(InputError, match=r"chunks=.* is not allowed: an int from 1 to"):
        trapezoidal(*ones(9, 3), chunks=chunks)


# Capricious


def losses(n, k, **parameters):
    """The number of entries that each of n rows of k entries loses."""
    return k - np.array([len(seen) for seen in columns_seen(capricious(*ones(n, k), **parameters))])


@pytest.mark.parametrize("k", [1, 2, 3, 10, 41])
@pytest.mark.parametrize("missing", [0.1, 0.5, 0.9, 1.0])
def test_capricious_loses_half_of_missing_on_average(k, missing):
    n = 20_000
    lost = losses(n, k, missing=missing, seed=8)
    deviation = math.sqrt((missing * k) ** 2 / 12 + 0.25)  # of the share, and of its rounding
    assert abs(lost.mean() - k * missing / 2) < 4.5 * deviation / math.sqrt(n)
    assert lost.max() <= math.ceil(missing * k)


def test_capricious_shares_are_uniform():
    shares = losses(20_000, 100, missing=0.6, seed=1) / 100
    counts, _ = np.histogram(shares, bins=6, range=(0.0, 0.6))
    assert abs(counts / 20_000 - 1 / 6).max() < 0.02


@for_all(st.floats(0, 1), st.integers(0, 2**40))
@settings(deadline=None)  # the first example compiles
def test_capricious_never_loses_more_than_missing(missing, seed):
    rows = [dict.fromkeys(range(k), 1.0) for k in range(30)]
    for x, k in capricious(rows, np.arange(30), missing=missing, seed=seed).pairs():
        assert 0 <= k - len(x) <= min(k, math.ceil(missing * k))


def test_capricious_missing_nothing_hides_nothing():
    assert losses(200, 5, missing=0).tolist() == [0] * 200


def test_capricious_every_entry_is_equally_likely():
    n, k = 40_000, 7
    X, y = ones(n, k)
    (counts,) = [
        np.bincount(block.indices, minlength=k)
        for block in capricious(X, y, missing=0.5, seed=3).blocks(n)
    ]
    assert abs(counts / n - 0.75).max() < 4.5 * math.sqrt(0.75 * 0.25 / n)


def test_capricious_every_choice_is_equally_likely():
    """Of four entries, the six ways to lose two."""
    seen = columns_seen(capricious(*ones(40_000, 4), missing=1.0, seed=5))
    twos = [tuple(sorted(columns)) for columns in seen if len(columns) == 2]
    ways, counts = np.unique(twos, axis=0, return_counts=True)
    assert len(ways) == 6
    expected = len(twos) / 6
    assert np.sum((counts - expected) ** 2 / expected) < 20.5  # chi-square with 5 degrees, 0.1 %


@pytest.mark.parametrize("missing", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_capricious_refuses_bad_parameters(missing):
    with pytest.raises(InputError, match=r"missing=.* is not allowed: a number from 0 to 1"):
        capricious(*ones(9, 3), missing=missing)


# Evolvable


def test_evolvable_shows_old_then_both_then_new_features():
    seen = columns_seen(evolvable(*ones(200, 6), overlap=0.1))
    old, new = {0, 1, 2}, {3, 4, 5}
    assert seen == [old] * 90 + [old | new] * 10 + [new] * 100


def test_evolvable_overlap_as_a_number_of_rounds():
    seen = columns_seen(evolvable(*ones(10, 2), overlap=1))
    assert seen == [{0}] * 4 + [{0, 1}] + [{1}] * 5
    seen = columns_seen(evolvable(*ones(10, 2), overlap=1.0))
    assert seen == [{0, 1}] * 5 + [{1}] * 5
    seen = columns_seen(evolvable(*ones(10, 2), overlap=0))
    assert seen == [{0}] * 5 + [{1}] * 5


def test_evolvable_three_generations_of_uneven_size():
    seen = columns_seen(evolvable(*ones(10, 7), generations=3, overlap=1))
    first, second, third = {0, 1, 2}, {3, 4}, {5, 6}
    assert seen == (
        [first] * 3 + [first | second] + [second] * 2 + [second | third] + [third] * 3
    )  # fmt: skip


@for_all(st.data())
def test_evolvable_equals_its_rule(data):
    n, d = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 20))
    generations = data.draw(st.integers(1, min(n, d)))
    overlap = data.draw(st.one_of(st.floats(0, 1), st.integers(0, n // generations)))
    seen = columns_seen(evolvable(*ones(n, d), generations=generations, overlap=overlap))
    parts = [{j for j in range(d) if j * generations // d == g} for g in range(generations)]
    periods = [[t for t in range(n) if t * generations // n == p] for p in range(generations)]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    for p, rounds in enumerate(periods):
        both = overlap if isinstance(overlap, int) else math.floor(overlap * len(rounds) + 0.5)
        for t in rounds:
            last = p + 1 < generations and t > rounds[-1] - both
            assert seen[t] == (parts[p] | parts[p + 1] if last else parts[p])


def test_evolvable_gradual_changes_feature_by_feature():
    """Old features vanish one after another within the overlap, and do not return."""
    parameters = {"generations": 3, "overlap": 0.5, "seed": 6}
    abrupt = columns_seen(evolvable(*ones(300, 60), **parameters))
    gradual = columns_seen(evolvable(*ones(300, 60), vanish="gradual", **parameters))
    assert gradual[:51] == abrupt[:51]
    for p, old in enumerate([set(range(20)), set(range(20, 40))]):
        start, end = 100 * p + 50, 100 * p + 100
        left = [seen & old for seen in gradual[start:end]]
        assert left[0] == old
        assert all(later <= sooner for sooner, later in pairwise(left))
        assert len({len(seen) for seen in left}) > 8
        assert not gradual[end] & old
        lives = [sum(column in seen for seen in left) for column in old]
        assert 15 < np.mean(lives) < 36  # uniform over 1 to 50
    # What is new, and the last generation, are as ever.
    assert [seen & set(range(40, 60)) for seen in gradual] == [
        seen & set(range(40, 60)) for seen in abrupt
    ]


def test_evolvable_gradual_moments_are_uniform_and_depend_on_the_seed():
    def lives(seed):
        stream = evolvable(*ones(20, 8000), overlap=10, vanish="gradual", seed=seed)
        return sum(np.bincount(b.indices, minlength=8000) for b in stream)[:4000]

    first, second = lives(42), lives(43)
    assert abs(np.bincount(first, minlength=11)[1:] - 400).max() < 90
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.07
    assert abs(np.corrcoef(first[1:], second[:-1])[0, 1]) < 0.07


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"generations": 0}, r"generations=0 is not allowed: an int from 1 to 4 \(9 rows, 4 col"),
        ({"generations": 5}, "generations=5 is not allowed"),
        ({"generations": 2.0}, "generations=2.0 is not allowed"),
        ({"overlap": -1}, "overlap=-1 is not allowed: an int from 0 to 4 rounds"),
        ({"overlap": 5}, "overlap=5 is not allowed"),
        ({"overlap": True}, "overlap=True is not allowed"),
        ({"overlap": 1.5}, "overlap=1.5 is not allowed: a number from 0 to 1"),
        ({"overlap": float("nan")}, "overlap=nan is not allowed"),
        ({"overlap": "much"}, "overlap='much' is not allowed"),
        ({"vanish": "slowly"}, "vanish='slowly' is not allowed: choose one of 'abrupt', 'gradual'"),
    ],
)
def test_evolvable_refuses_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        evolvable(*ones(9, 4), **parameters)


# Trapezoidal with listed shares, and late


@for_all(
    st.integers(1, 60),
    st.integers(1, 30),
    st.lists(st.integers(1, 20), min_size=1, max_size=12),
    st.booleans(),
)
def test_shares_equal_their_rule(n, d, twentieths, late):
    """As the scripts of the papers on OLSF have it, with rounds and shares counted from 1."""
    shares = [s / 20 for s in sorted(twentieths)]
    seen = columns_seen(trapezoidal(*ones(n, d), shares=shares, late=late))
    for t in range(1, n + 1):
        if late:
            step = max(1, n // len(shares))
            j = min(max((t - 1) // step, 1), len(shares))
        else:
            j = (t - 1) * len(shares) // n + 1
        assert seen[t - 1] == set(range(max(1, sorted(twentieths)[j - 1] * d // 20)))


def test_late_leaves_the_last_share_to_what_is_left():
    seen = columns_seen(trapezoidal(*ones(13, 10), shares=[0.1, 0.4, 0.7, 1], late=True))
    assert [len(columns) for columns in seen] == [1] * 6 + [4] * 3 + [7] * 3 + [10]


def test_chunks_can_be_late_too():
    seen = columns_seen(trapezoidal(*ones(9, 4), chunks=2, late=True))
    assert [len(columns) for columns in seen] == [2] * 8 + [4]


@pytest.mark.parametrize(
    "shares", [[], [0.5, 0.4], [0, 1], [0.5, 1.1], "0.5", 0.5, [True], [0.1, "x"], [float("nan")]]
)
def test_trapezoidal_refuses_what_are_no_shares(shares):
    with pytest.raises(InputError, match=r"shares=.* is not allowed: rising numbers"):
        trapezoidal(*ones(9, 3), shares=shares)


# Evolvable, by a random map


def test_a_gaussian_map_describes_the_last_generation_anew():
    X = np.random.default_rng(1).normal(size=(400, 3))
    y = np.zeros(400)
    stream = evolvable(X, y, generations=3, overlap=0, map="gaussian", seed=5)
    seen = columns_seen(stream)
    assert seen[0] == {0, 1, 2}
    assert seen[200] == {"map2.0", "map2.1", "map2.2"}
    assert seen[399] == {"map3.0", "map3.1", "map3.2"}
    every = evolvable(X, y, generations=2, overlap=1.0, map="gaussian", seed=5)
    both = np.array([[x[name] for name in (0, 1, 2, "map2.0", "map2.1", "map2.2")]
                     for x, _ in list(every.pairs())[:200]])  # fmt: skip
    weights, left, *_ = np.linalg.lstsq(both[:, :3], both[:, 3:], rcond=None)
    assert left.max() < 1e-20
    assert 0.1 < np.abs(weights).mean() < 1.0


def test_values_that_are_not_observed_add_nothing_to_a_map():
    rows = [{"a": 1.0}, {"a": 1.0, "b": 0.0}, {}] * 2
    stream = evolvable(rows, [0, 1] * 3, overlap=1.0, map="gaussian")
    values = [tuple(x[f"map2.{j}"] for j in (0, 1)) for x, _ in stream.pairs()]
    assert len(set(values)) == 2
    assert (0.0, 0.0) in values


def test_a_map_of_too_many_features_is_refused():
    with pytest.raises(InputError, match=r"at most 2048 features that hold a value, not for 2049"):
        evolvable(*ones(3, 2049), map="gaussian")
    with pytest.raises(InputError, match="map='halves' is not allowed"):
        evolvable(*ones(3, 2), map="halves")
