"""What every stream keeps, whatever its shape: blocks, seeds, labels, names, pairs."""

import hashlib
import pickle
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from braided import streams
from braided.errors import InputError
from braided.records import as_rows
from braided.streams import Stream

SHAPES = {
    "given": lambda X, y=None, seed=0, **kw: streams.given(X, y, **kw),
    "fixed": streams.fixed,
    "trapezoidal": streams.trapezoidal,
    "capricious": streams.capricious,
    "evolvable": streams.evolvable,
    "gradual": lambda X, y=None, **kw: streams.evolvable(X, y, overlap=0.5, vanish="gradual", **kw),
}
SEEDED = sorted(SHAPES.keys() - {"given"})

every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
every_seeded_shape = pytest.mark.parametrize("shape", [SHAPES[s] for s in SEEDED], ids=SEEDED)


@st.composite
def matrices(draw):
    """A CSR matrix with empty rows, empty columns and stored zeros, and the rows' numbers."""
    n, d = draw(st.integers(2, 40)), draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    stored = rng.random((n, d)) < draw(st.sampled_from([0.1, 0.5, 1.0]))
    stored[0, :2] = True  # two columns at least, for two generations
    row, column = np.nonzero(stored)
    values = rng.integers(-2, 3, row.size).astype(float)
    return sp.csr_matrix((values, (row, column)), shape=(n, d)), np.arange(n)


def whole(stream, size=1024):
    """The concatenation of the blocks: (counts, columns, values, labels) as bytes."""
    blocks = list(stream.blocks(size))
    parts = [
        [np.diff(block.indptr) for block in blocks],
        [block.indices for block in blocks],
        [block.values for block in blocks],
        [block.labels for block in blocks],
    ]
    return [(np.concatenate(part).dtype, np.concatenate(part).tobytes()) for part in parts]


def wide(n=2000, d=20):
    """Row i holds 100 i + j in column j: each value says where it comes from."""
    return 100.0 * np.arange(n)[:, None] + np.arange(d), np.arange(n)


def order(stream):
    return np.concatenate([block.labels for block in stream])


@every_shape
@for_all(matrices())
@settings(max_examples=20, deadline=None)
def test_materialized_it_is_the_same_stream(shape, matrix):
    stream = shape(*matrix, seed=3)
    materialized = stream.materialized()
    assert whole(materialized) == whole(stream)
    assert repr(materialized) == repr(stream)


@every_shape
@for_all(matrices(), st.integers(0, 2**70), st.integers(1, 50))
@settings(deadline=None)  # the first example compiles
def test_block_size_changes_nothing(shape, data, seed, size):
    stream = shape(*data, seed=seed)
    assert whole(stream, size) == whole(stream) == whole(shape(*data, seed=seed), 7)
    blocks = list(stream.blocks(size))
    assert all(len(block) == size for block in blocks[:-1])
    assert sum(map(len, blocks)) == len(stream) == data[0].shape[0]


@every_shape
@for_all(matrices(), st.integers(0, 99))
@settings(deadline=None)
def test_rounds_show_parts_of_the_rows_each_once(shape, data, seed):
    X, y = data
    full = list(as_rows(X).dicts())
    pairs = list(shape(X, y, seed=seed).pairs())
    assert sorted(label for _, label in pairs) == y.tolist()
    for x, label in pairs:
        assert x.items() <= full[label].items()  # stored zeros among them


@every_shape
def test_two_passes_at_a_time_do_not_disturb_each_other(shape):
    stream = shape(*wide(50), seed=3)
    once = whole(stream, 8)
    half_way = iter(stream.blocks(8))
    next(half_way)
    assert whole(stream, 8) == once
    assert [len(block) for block in half_way] == [8] * 5 + [2]
    assert whole(stream, 8) == once


@every_shape
def test_all_blocks_share_their_names(shape):
    names = [f"f{j}" for j in range(20)]
    stream = shape(*wide(50), feature_names=names, seed=1)
    blocks = list(stream.blocks(8))
    assert blocks[0].names == names
    assert all(first.names is second.names for first, second in pairwise(blocks))
    assert blocks[0].names is next(iter(stream)).names


@every_shape
def test_blocks_of_1024(shape):
    assert [len(block) for block in shape(*wide(2100))] == [1024, 1024, 52]


@every_shape
def test_pairs_are_what_river_expects(shape):
    X, y = [{"a": 1.0, "b": 0.0}, {"b": 2.0, "c": 3.0}], ["yes", "no"]
    for x, label in shape(X, y).pairs():
        assert type(x) is dict
        assert type(label) is str
        assert all(type(name) is str and type(value) is float for name, value in x.items())


@every_shape
def test_labels_may_be_in_the_rows(shape):
    X, y = wide(30)
    assert whole(shape(as_rows(X, y))) == whole(shape(X, y))
    assert order(shape(as_rows(X, y), y + 1)).min() == 1


@every_shape
def test_refuses_what_has_no_labels_or_no_rows(shape):
    with pytest.raises(InputError, match="give y"):
        shape([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(InputError, match="at least one row"):
        shape(np.empty((0, 3)), [])


@pytest.mark.parametrize("name", ["given", "fixed", "trapezoidal", "capricious"])
def test_streams_of_empty_rows(name):
    stream = SHAPES[name](sp.csr_matrix((4, 3)), np.arange(4))
    assert [x for x, _ in stream.pairs()] == [{}] * 4


def test_rows_that_hold_nothing_have_no_generations():
    with pytest.raises(InputError, match=r"\(4 rows, 0 columns that hold a value\)"):
        streams.evolvable(sp.csr_matrix((4, 3)), np.arange(4))


@every_shape
def test_wide_sparse_rows_stay_sparse(shape):
    """Ten million columns: dense, this would be 800 MB."""
    rng = np.random.default_rng(0)
    columns = rng.choice(10_000_000, 200, replace=False)
    X = sp.csr_matrix((np.ones(200), (np.repeat(np.arange(10), 20), columns)), (10, 10_000_000))
    tracemalloc.start()
    block = next(iter(shape(X, np.arange(10))))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400e6
    assert block.width == 10_000_000
    assert 0 < block.values.size <= 200


@every_shape
@pytest.mark.parametrize("size", [0, -1, 1.5, True, None, "8"])
def test_refuses_bad_block_sizes(shape, size):
    with pytest.raises(InputError, match=r"size=.* is not allowed: an int from 1"):
        shape(*wide(5)).blocks(size)


@every_shape
def test_a_stream_can_be_pickled(shape):
    stream = shape(*wide(30), seed=5)
    assert whole(pickle.loads(pickle.dumps(stream))) == whole(stream)


def test_given_keeps_the_order():
    X, y = wide(30)
    assert order(streams.given(X, y)).tolist() == y.tolist()


@every_seeded_shape
def test_two_seeds_are_unrelated(shape):
    X, y = wide()
    first, second = shape(X, y, seed=42), shape(X, y, seed=43)
    assert whole(first) == whole(shape(X, y, seed=42))
    orders = order(first), order(second)
    assert abs(np.corrcoef(orders)[0, 1]) < 0.1
    # Independent permutations of n agree in one place on average, however they are shifted.
    for shift in range(-3, 4):
        assert np.sum(orders[0] == np.roll(orders[1], shift)) < 12


@pytest.mark.parametrize("purpose", ["same round", "next round"])
def test_hidden_entries_of_two_seeds_are_unrelated(purpose):
    """One row over and over, so that only what is hidden tells the seeds apart."""
    X = np.ones((2000, 20))
    masks = [
        np.vstack([as_mask(block) for block in streams.capricious(X, np.zeros(2000), seed=seed)])
        for seed in (42, 43)
    ]
    if purpose == "next round":
        masks = [masks[0][1:], masks[1][:-1]]
    assert abs(np.corrcoef(masks[0].ravel(), masks[1].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(masks[0].sum(1), masks[1].sum(1))[0, 1]) < 0.1


def as_mask(block):
    mask = np.zeros((len(block), block.width), bool)
    mask[block.row_of_entry(), block.indices] = True
    return mask


def test_one_seed_permutes_all_shapes_alike():
    X, y = wide(100)
    orders = {tuple(order(SHAPES[shape](X, y, seed=9)).tolist()) for shape in SEEDED}
    assert len(orders) == 1


@pytest.mark.parametrize("seed", [-1, 0.5, "1", None, True])
@every_seeded_shape
def test_refuses_bad_seeds(shape, seed):
    with pytest.raises(InputError, match=r"seed=.* is not allowed: an int of at least 0"):
        shape(*wide(30), seed=seed)


GOLDEN = {
    "given": "e637c6ddcc65",
    "fixed": "0d6b568cfbe3",
    "trapezoidal": "79e7868ebc93",
    "capricious": "32221fdf5f45",
    "evolvable": "841192ff7a44",
    "gradual": "d0175d308e79",
}


@pytest.mark.parametrize("name", SHAPES)
def test_streams_are_the_same_everywhere(name):
    """Whoever changes one of these changes everybody's results."""
    shown = repr([(list(x), y) for x, y in SHAPES[name](*wide(60, 8), seed=2024).pairs()])
    assert hashlib.sha256(shown.encode()).hexdigest()[:12] == GOLDEN[name]


def test_repr_name_parameters_and_seed():
    stream = streams.evolvable(*wide(30), overlap=3, seed=4)
    assert repr(stream) == (
        "<evolvable stream: 30 rounds, 20 columns, "
        "generations=2, overlap=3, vanish='abrupt', seed=4>"
    )
    assert isinstance(stream, Stream)
    assert (stream.name, stream.seed) == ("evolvable", 4)
    assert stream.parameters == {"generations": 2, "overlap": 3, "vanish": "abrupt"}
    plain = streams.given(*wide(30))
    assert repr(plain) == "<given stream: 30 rounds, 20 columns>"
    assert (plain.name, plain.seed, plain.parameters) == ("given", None, {})


def test_the_public_names_of_streams():
    assert sorted(streams.__all__) == streams.__all__
    assert all(hasattr(streams, name) for name in streams.__all__)
