"""Every kind of input: what is observed, what is refused, and with which words."""

from __future__ import annotations

import math
from collections import UserDict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning

from braided import OLSF, InputError, Rows, as_rows
from braided.inputs import from_columns

pd = pytest.importorskip("pandas")


def dicts(X, **options):
    return list(as_rows(X, **options).dicts())


def csr(values=(1.0, 2.0, 3.0), indices=(0, 2, 1), indptr=(0, 2, 3), shape=(2, 3)):
    """A CSR matrix of exactly these arrays, whether or not they make sense."""
    matrix = sp.csr_matrix(shape)
    matrix.data, matrix.indices = np.array(values), np.array(indices, np.int32)
    matrix.indptr = np.array(indptr, np.int32)
    return matrix


# -------------------------------------------------------------------------------- dicts


def test_a_missing_key_none_and_nan_are_unobserved_and_zero_is_not():
    X = [{"a": 0, "b": None}, {}, {"b": math.nan, "c": -0.0, "d": pd.NA, "e": Decimal("NaN")}]
    assert dicts(X) == [{"a": 0.0}, {}, {"c": 0.0}]


@pytest.mark.parametrize(
    "kind",
    [list, tuple, iter, lambda X: (x for x in X), lambda X: map(UserDict, X), np.array, pd.Series],
)
def test_any_sequence_or_iterable_of_mappings(kind):
    assert dicts(kind([{"a": 1}, {"b": 2, "a": 3}])) == [{"a": 1.0}, {"b": 2.0, "a": 3.0}]


@pytest.mark.parametrize("X", [[], (), iter([]), [{}][:0]])
def test_no_dicts_are_no_rows(X):
    rows = as_rows(X, [])
    assert (len(rows), rows.width, rows.names, rows.labels.size) == (0, 0, [], 0)


def test_names_are_in_order_of_first_sight_and_rows_keep_their_order():
    rows = as_rows([{"b": 1, "a": 2}, {"c": 3, "b": 4}])
    assert rows.names == ["b", "a", "c"]
    assert rows.indices.tolist() == [0, 1, 2, 0]
    assert rows.indptr.tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    "value",
    [
        True, 3, 2**53 + 1, 2**63, 2**70, 1e100, 5e-324, Decimal("0.1"), Fraction(1, 3),
        np.float32(0.1), np.int8(-3), np.uint64(2**64 - 1), np.bool_(1), np.longdouble(0.1),
        np.array(2.5),
    ],
    ids=repr,
)  # fmt: skip
def test_whatever_is_a_number_is_its_nearest_float(value):
    assert dicts([{"a": value}]) == [{"a": float(value)}]
    assert dicts([{"a": value, "b": 0.5, "c": None, "d": -1}])[0]["a"] == float(value)


BAD = [
    math.inf, -math.inf, np.float32("inf"), Decimal("1e500"), 1e101, 10**400, "text", "1", "", b"1",
    [1.0], (1.0,), {"x": 1}, 1j, np.complex64(1), np.datetime64("2020-01-01"),
    np.timedelta64(1, "s"), pd.Timestamp("2020-01-01"), np.array([1.0, 2.0]), object(),
    Decimal("sNaN"),
]  # fmt: skip
bad_values = pytest.mark.parametrize("bad", BAD, ids=repr)


@bad_values
def test_a_bad_value_in_a_dict_is_named(bad):
    for row in (
        {"a": bad},
        {"a": bad, "b": 1.0},
        {"b": None, "a": bad},
        {"b": "x" and 1, "a": bad},
    ):
        with pytest.raises(InputError, match="row 1, feature 'a': ") as error:
            as_rows([{"a": 1}, row])
        as_float = "inf" if isinstance(bad, np.float32 | Decimal) else repr(bad)
        assert repr(bad) in str(error.value) or as_float in str(error.value)


@pytest.mark.parametrize("X", [[{"a": 1}, 5], [{"a": 1}, None], [{"a": 1}, [("a", 1)]], iter([3])])
def test_a_row_that_is_no_dict_is_named(X):
    with pytest.raises(InputError, match=r"row \d: expected a dict, got"):
        as_rows(X)


def test_one_dict_is_not_a_list_of_dicts():
    with pytest.raises(InputError, match="learn_one"):
        as_rows({"a": 1.0})


# ------------------------------------------------------------------------------- arrays

DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 4.0]])


@pytest.mark.parametrize(
    "array",
    [
        DENSE,
        DENSE.tolist(),
        DENSE.astype(np.float32),
        DENSE.astype(np.float16),
        DENSE.astype(np.longdouble),
        DENSE.astype(np.int8),
        DENSE.astype(np.uint64),
        DENSE.astype(object),
        DENSE.astype(">f8"),
        np.asfortranarray(DENSE),
        np.repeat(DENSE, 2, axis=1)[:, ::2],
        DENSE[::-1][::-1],
        np.matrix(DENSE),
        tuple(map(tuple, DENSE)),
    ],
    ids=lambda a: f"{type(a).__name__} {getattr(a, 'dtype', '')}",
)
def test_an_array_of_any_type_and_layout(array):
    rows = as_rows(array)
    assert list(rows.dicts()) == [{0: 1.0, 1: 0.0, 2: 2.0}, {0: 0.0, 1: 3.0, 2: 4.0}]
    assert rows.names is None
    for part, dtype in ((rows.indptr, np.int64), (rows.indices, np.int32), (rows.values, float)):
        assert part.dtype == np.dtype(dtype)
        assert part.flags.c_contiguous
        assert part.flags.writeable


def test_bools_are_numbers():
    assert dicts(np.array([[True, False]])) == [{0: 1.0, 1: 0.0}]


def test_read_only_and_mapped_arrays(tmp_path):
    frozen = DENSE.copy()
    frozen.flags.writeable = False
    np.save(tmp_path / "X.npy", DENSE)
    for mode in ("r", "c", "r+"):
        mapped = np.load(tmp_path / "X.npy", mmap_mode=mode)
        model = OLSF().partial_fit(mapped, [1, 0])
        assert model.weights() == OLSF().partial_fit(frozen, [1, 0]).weights()
    matrix = sp.csr_matrix(DENSE)
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    assert len(OLSF().partial_fit(matrix, [1, 0]).weights()) == 3
    assert (np.load(tmp_path / "X.npy") == DENSE).all()


def test_nan_none_and_masked_cells_are_unobserved():
    assert dicts(np.array([[np.nan, 1.0]])) == [{1: 1.0}]
    assert dicts([[None, 1.0], [2.0, math.nan]]) == [{1: 1.0}, {0: 2.0}]
    assert dicts(np.array([[pd.NA, 1], [None, Decimal(2)]], dtype=object)) == [{1: 1.0}, {1: 2.0}]
    assert dicts(np.ma.array([[1, 2]], mask=[[True, False]])) == [{1: 2.0}]
    assert dicts(np.ma.array([["x", 2]], mask=[[True, False]], dtype=object)) == [{1: 2.0}]
    assert dicts(np.ma.array([[1, 2]])) == [{0: 1.0, 1: 2.0}]


def test_names_for_an_array():
    for names in (["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"]), pd.Index([*"abc"])):
        rows = as_rows(DENSE, feature_names=names)
        assert next(rows.dicts()) == {"a": 1.0, "b": 0.0, "c": 2.0}
        assert [type(name) for name in rows.names] == [str, str, str]
    assert [type(name) for name in as_rows(DENSE, feature_names=np.arange(3)).names] == [int] * 3


@pytest.mark.parametrize("X", [DENSE, sp.csr_matrix(DENSE)])
@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a", "b"], "2 feature names for 3 columns"),
        (["a", "b", "a"], "'a' is there twice"),
        ([1, "x", True], "1 is there twice"),
        ([["a"], "b", "c"], "a feature name that can not be looked up"),
    ],
)
def test_names_that_do_not_fit(X, names, why):
    with pytest.raises(InputError, match=why):
        as_rows(X, feature_names=names)


@pytest.mark.parametrize(
    "X",
    [
        [{"a": 1}, {"a": 2}],
        as_rows(DENSE),
        pd.DataFrame(DENSE),
        Rows(np.array([0]), np.array([], int), np.array([]), 0),
    ],
)
def test_names_for_what_has_names(X):
    with pytest.raises(InputError, match="feature_names"):
        as_rows(X, feature_names=["a", "b", "c"])


@bad_values
def test_a_bad_value_in_an_array_is_named(bad):
    if isinstance(bad, np.ndarray):
        pytest.skip("not one cell")
    array = np.array([[1.0, 2.0], [3.0, None]], dtype=object)
    array[1, 1] = bad
    with pytest.raises(InputError, match="row 1, feature 1: "):
        as_rows(array)
    with pytest.raises(InputError, match="row 1, feature 'b': "):
        as_rows(array, feature_names=["a", "b"])


@pytest.mark.parametrize(
    ("X", "why"),
    [
        ([[1.0, 2.0], [3.0, "x"]], r"row 1, feature 1: 'x'"),
        ([[1.0, "2"]], r"row 0, feature 1: '2'"),
        (np.array([["1", "2"]]), r"row 0, feature 0: '1'"),
        (np.array([[b"1"]]), r"row 0, feature 0: b'1'"),
        (np.array([[1.0, np.inf]]), r"row 0, feature 1: inf"),
        (np.array([[np.nan, -np.inf]]), r"row 0, feature 1: -inf"),
        (np.array([[1 + 0j]]), "complex128"),
        (np.array([["2020-01-01"]], "M8[D]"), "datetime64"),
        (np.array([[1]], "m8[s]"), "timedelta64"),
        (np.zeros((1, 1), [("a", float)]), "expected real numbers"),
        ([[1.0, 2.0], [3.0]], "different lengths"),
        (np.ones(3), r"shape \(3,\)"),
        (np.ones((1, 1, 1)), r"shape \(1, 1, 1\)"),
        (np.array([]), r"shape \(0,\)"),
        (5, r"shape \(\)"),
        (None, r"shape \(\)"),
        ("text", r"shape \(\)"),
        ("", r"shape \(\)"),
        ([1.0, 2.0], r"shape \(2,\)"),
        (["text"], r"shape \(1,\)"),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(X, why):
    with pytest.raises(InputError, match=why):
        as_rows(X)


def test_arrays_without_rows_or_columns():
    assert (len(as_rows(np.empty((0, 3)))), as_rows(np.empty((0, 3))).width) == (0, 3)
    assert (len(as_rows(np.empty((3, 0)))), as_rows(np.empty((3, 0))).width) == (3, 0)


class Tensor:
    """What other libraries' arrays have in common."""

    ndim = 2

    def __array__(self, dtype=None, copy=None):
        return DENSE

    def __iter__(self):
        return iter(DENSE)


def test_arrays_of_other_libraries():
    assert dicts(Tensor()) == dicts(DENSE)


# ------------------------------------------------------------------------------- sparse


STORED = sp.coo_matrix(([1.0, 0.0, 3.0, 4.0], ([0, 0, 1, 1], [2, 1, 0, 2])), shape=(2, 4))


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "dok"])
@pytest.mark.parametrize("array", [False, True])
def test_an_entry_that_is_stored_is_observed_also_when_it_is_zero(kind, array):
    X = (sp.coo_array(STORED) if array else STORED).asformat(kind)
    rows = as_rows(X)
    assert list(rows.dicts()) == [{1: 0.0, 2: 1.0}, {0: 3.0, 2: 4.0}]
    assert (rows.width, rows.names) == (4, None)
    named = as_rows(X, feature_names=[*"abcd"])
    assert list(named.dicts()) == [{"b": 0.0, "c": 1.0}, {"a": 3.0, "c": 4.0}]


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.longdouble])
def test_sparse_numbers_of_any_type(dtype):
    rows = as_rows(STORED.tocsr().astype(dtype))
    assert rows.values.dtype == np.float64
    assert list(rows.dicts()) == [{1: 0.0, 2: 1.0}, {0: 3.0, 2: 4.0}]
    assert dicts(sp.csr_matrix(np.array([[True, False]]))) == [{0: 1.0}]


def test_a_sparse_row_keeps_the_order_of_its_entries():
    rows = as_rows(csr(indices=(2, 0, 1)))
    assert [list(x) for x in rows.dicts()] == [[2, 0], [1]]


def test_sparse_nan_is_unobserved_and_infinity_refused():
    assert dicts(csr(values=(np.nan, 2.0, np.nan))) == [{2: 2.0}, {}]
    with pytest.raises(InputError, match="row 1, feature 1: -inf"):
        as_rows(csr(values=(1.0, np.nan, -np.inf)))
    with pytest.raises(InputError, match="row 1, feature 'b': -inf"):
        as_rows(csr(values=(1.0, np.nan, -np.inf)), feature_names=[*"abc"])


def test_sparse_duplicates():
    """Where SciPy itself has added them up there is nothing to refuse."""
    coo = sp.coo_matrix(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    assert dicts(coo) == [{1: 3.0}]
    with pytest.raises(InputError, match="row 1: feature 'a' appears twice"):
        as_rows(csr(indices=(1, 0, 0), indptr=(0, 1, 3)), feature_names=[*"abc"])
    unsorted = csr(values=[1.0] * 6, indices=(2, 1, 0, 2, 0, 2), indptr=(0, 3, 6))
    with pytest.raises(InputError, match="row 1: feature 2 appears twice"):
        as_rows(unsorted)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (3, 5)])
def test_sparse_matrices_without_entries(shape):
    rows = as_rows(sp.csr_matrix(shape))
    assert (len(rows), rows.width, rows.values.size) == (*shape, 0)


def test_the_callers_arrays_are_never_changed():
    frozen = csr(values=(1.0, np.nan, 3.0), indices=(2, 0, 1))
    copies = frozen.data.copy(), frozen.indices.copy(), frozen.indptr.copy()
    dense = np.array([[1.0, np.nan], [2.0, 3.0]])
    before = dense.copy()
    OLSF().partial_fit(frozen, [1, 0])
    OLSF().partial_fit(dense, [1, 0])
    for now, then in zip((frozen.data, frozen.indices, frozen.indptr), copies, strict=True):
        np.testing.assert_array_equal(now, then)
    np.testing.assert_array_equal(dense, before)


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        (csr(indices=(0, 3, 1)), "row 0: column 3 is not among the 3 columns"),
        (csr(indices=(0, 2, -5)), "row 1: column -5"),
        (csr(indices=(2, 2, 1)), "row 0: feature 2 appears twice"),
        (csr(indices=(2, 0, 1), indptr=(0, 3, 1)), "indptr"),
        (csr(indptr=(0, 2, 400)), "malformed"),
        (csr(indptr=(-2, 2, 3)), "malformed"),
        (csr(values=(1j, 2j, 3j)), "complex128"),
        (sp.csr_matrix((1, 2**31)), "2147483648 columns"),
        (sp.coo_array(np.array([1.0, 2.0])), r"shape \(2,\)"),
    ],
)
def test_malformed_sparse_matrices_reach_no_kernel(matrix, why):
    with pytest.raises(InputError, match=why):
        as_rows(matrix)
    model = OLSF()
    with pytest.raises(InputError, match=why):
        model.partial_fit(matrix, [1] * matrix.shape[0])
    assert model.rounds == 0


def test_a_malformed_csc_matrix_reaches_no_compiled_code():
    matrix = sp.csc_matrix(np.eye(3))
    matrix.indices = np.array([0, 10**8, -(10**8)], np.int32)
    with pytest.raises(InputError, match="malformed"):
        as_rows(matrix)
    assert matrix.indices.tolist() == [0, 10**8, -(10**8)]


def test_an_index_beyond_32_bits_is_not_cut_off():
    wide = sp.csr_matrix((np.ones(1), np.array([2**32 + 1]), np.array([0, 1])), shape=(1, 2**33))
    with pytest.raises(InputError, match="columns"):
        as_rows(wide)


def test_what_lies_behind_the_last_row_of_a_csr_matrix_is_not_there():
    assert dicts(csr(values=(1.0, 2.0, np.inf), indptr=(0, 1, 2))) == [{0: 1.0}, {2: 2.0}]


# ------------------------------------------------------------------------------- frames


def test_a_frame_of_every_kind_of_column():
    frame = pd.DataFrame(
        {
            "float": [1.5, math.nan],
            "int": [1, 2],
            "bool": [True, False],
            "Int64": pd.array([None, 3], "Int64"),
            "Float64": pd.array([0.5, None], "Float64"),
            "boolean": pd.array([True, None], "boolean"),
            "text": ["x", None],
            "string": pd.array(["", "y"], "string"),
            "category": pd.Categorical(["u", None]),
            "numbers": pd.Categorical([7, 8]),
            "mixed": [1, "one"],
            "decimal": [Decimal("0.5"), None],
            "nothing": [None, None],
            ("a", 1): [1.0, 0.0],
            3: [2.0, 0.0],
        }
    )
    assert dicts(frame) == [
        {"float": 1.5, "int": 1.0, "bool": 1.0, "Float64": 0.5, "boolean": 1.0, "text=x": 1.0}
        | {"category=u": 1.0, "numbers": 7.0, "mixed": 1.0, "decimal": 0.5, ("a", 1): 1.0, 3: 2.0},
        {"int": 2.0, "bool": 0.0, "Int64": 3.0, "string=y": 1.0, "numbers": 8.0}
        | {"mixed=one": 1.0, ("a", 1): 0.0, 3: 0.0},
    ]


POLARS = pytest.importorskip("polars")
ARROW = pytest.importorskip("pyarrow")


def polars_frame(columns):
    return POLARS.DataFrame(columns, strict=False)


def arrow_batch(columns):
    return ARROW.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize("frame_of", [polars_frame, ARROW.table, arrow_batch, pd.DataFrame])
def test_frames_of_every_library_give_the_same_rows(frame_of):
    frame = frame_of(
        {
            "float": [1.5, None, math.nan],
            "int": [1, None, 2**53 + 1],
            "bool": [True, False, None],
            "text": ["x", None, ""],
            "decimal": [Decimal("0.1"), None, Decimal("2.5")],
            "nothing": [None, None, None],
            "whole": [0, 1, 2],
        }
    )
    assert dicts(frame) == [
        {"float": 1.5, "int": 1.0, "bool": 1.0, "text=x": 1.0, "decimal": 0.1, "whole": 0.0},
        {"bool": 0.0, "whole": 1.0},
        {"int": 2.0**53, "decimal": 2.5, "whole": 2.0},
    ]


def test_categories_of_other_libraries():
    words = ["b", None, "a", "b"]
    expected = [{"c=b": 1.0}, {}, {"c=a": 1.0}, {"c=b": 1.0}]
    assert dicts(ARROW.table({"c": ARROW.array(words).dictionary_encode()})) == expected
    assert (
        dicts(POLARS.DataFrame({"c": POLARS.Series(words, dtype=POLARS.Categorical)})) == expected
    )
    kinds = POLARS.Enum(["a", "b"])
    assert dicts(POLARS.DataFrame({"c": POLARS.Series(words, dtype=kinds)})) == expected


def test_labels_of_other_libraries():
    frame = POLARS.DataFrame({"a": [1.0, 2.0]})
    for y in (
        POLARS.Series(["x", "y"]),
        ARROW.array(["x", "y"]),
        ARROW.chunked_array([["x"], ["y"]]),
    ):
        assert as_rows(frame, y).labels.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (POLARS.DataFrame({"c": [[1, 2]]}), "column 'c' holds List"),
        (POLARS.DataFrame({"c": [{"x": 1}]}), "column 'c' holds Struct"),
        (POLARS.DataFrame({"c": [b"x"]}), "column 'c' holds Binary"),
        (
            POLARS.DataFrame({"c": ["2020-01-01"]}).select(POLARS.col("c").str.to_date()),
            "holds Date",
        ),
        (ARROW.table({"c": [[1]]}), "column 'c' holds list"),
        (ARROW.table({"c": [b"x"]}), "column 'c' holds binary"),
        (ARROW.table({"c": [1.0, math.inf]}), "row 1, feature 'c': inf"),
        (ARROW.table([[1.0], [2.0]], names=["a", "a"]), "different names"),
        (POLARS.LazyFrame({"c": [1]}), "collect it first"),
    ],
)
def test_frames_of_other_libraries_that_are_refused(frame, why):
    with pytest.raises(InputError, match=why):
        as_rows(frame)


def test_a_frames_index_is_not_a_feature_and_its_order_is_kept():
    frame = pd.DataFrame({"b": [1, 2], "a": [3, 4]}, index=[7, 7])
    rows = as_rows(frame, pd.Series([1, 0], index=[3, 1]))
    assert [list(x.items()) for x in rows.dicts()] == [[("b", 1), ("a", 3)], [("b", 2), ("a", 4)]]
    assert rows.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "column 'c' holds datetime64"),
        (pd.to_timedelta([1, 2], unit="s"), "column 'c' holds timedelta64"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"], utc=True), "column 'c' holds datetime64"),
        (pd.period_range("2020", periods=2, freq="Y"), "row 0, feature 'c': Period"),
        (np.array([1, 1j]), "column 'c' holds complex128"),
        ([1.0, math.inf], "row 1, feature 'c': inf"),
        ([None, [1]], r"row 1, feature 'c': \[1\]"),
        ([1, b"1"], "row 1, feature 'c': b'1'"),
    ],
)
def test_a_frame_with_a_column_that_is_refused(column, why):
    with pytest.raises(InputError, match=why):
        as_rows(pd.DataFrame({"a": [1, 2], "c": column}))


@pytest.mark.parametrize("columns", [["a", "a"], [1, True], [1, 1.0]])
def test_a_frame_with_two_columns_of_one_name(columns):
    with pytest.raises(InputError, match="different names"):
        as_rows(pd.DataFrame([[1.0, 2.0]], columns=pd.Index(columns, dtype=object)))


def test_a_text_and_a_column_that_make_the_same_feature():
    with pytest.raises(InputError, match="'pet=cat' is there twice"):
        as_rows(pd.DataFrame({"pet": ["cat"], "pet=cat": [1.0]}))


def test_frames_without_rows_or_columns():
    rows = as_rows(pd.DataFrame(index=range(3)), [1, 0, 1])
    assert (len(rows), rows.width) == (3, 0)
    rows = as_rows(pd.DataFrame({"a": np.empty(0), "b": np.empty(0, object)}))
    assert (len(rows), rows.values.size) == (0, 0)
    assert OLSF().partial_fit(pd.DataFrame(index=range(3)), [1, 0, 1]).rounds == 3


def test_columns_of_lists_and_arrays():
    assert list(from_columns({"a": [1, None], "b": ["x", 5]}).dicts()) == [
        {"a": 1.0, "b=x": 1.0},
        {"b": 5.0},
    ]
    masked = np.ma.array([1, 2], mask=[True, False])
    assert list(from_columns({"a": masked}, ["x", "y"]).dicts()) == [{}, {"a": 2.0}]
    assert len(from_columns({})) == 0
    for wrong in ({"a": [1, 2], "b": [1]}, {"a": 5}, {"a": [[1, 2]]}):
        with pytest.raises(InputError, match="has shape"):
            from_columns(wrong)


# ------------------------------------------------------------------------------- labels


def labels(y, n=2):
    return as_rows([{}] * n, y).labels


@pytest.mark.parametrize(
    "y",
    [
        [1, 0],
        (1, 0),
        np.array([1, 0]),
        pd.Series([1, 0]),
        pd.array([1, 0], "Int64"),
        pd.Index([1, 0]),
        ["x", "y"],
        np.array(["x", "y"]),
        pd.Series(["x", "y"], dtype="category"),
        [True, False],
    ],
    ids=lambda y: type(y).__name__,
)
def test_labels_of_any_kind(y):
    assert labels(y).tolist() == list(y)


def test_labels_of_different_types_stay_what_they_are():
    assert labels([1, "a"]).tolist() == [1, "a"]
    assert labels(["a", 1.5]).tolist() == ["a", 1.5]
    assert labels([None, "a"]).tolist() == [None, "a"]
    assert labels([b"a", "a"]).tolist() == [b"a", "a"]
    assert labels(np.ma.array([1, 2], mask=[False, True]))[1] != 2


def test_labels_in_a_column_are_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert labels(np.array([[1], [0]])).tolist() == [1, 0]
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert labels(pd.DataFrame({"y": [1, 0]})).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "why"),
    [
        ([1], "1 labels for 2 rows"),
        ([1, 0, 1], "3 labels for 2 rows"),
        ([[1, 0], [0, 1]], "one value per row"),
        ([[1], [0]], "one value per row"),
        ([[1], [1, 2]], "different lengths"),
        (5, "one value per row"),
        ("ab", "one value per row"),
        ({1: 0}, "one value per row"),
        (iter([1, 0]), "one value per row"),
    ],
)
def test_labels_that_do_not_fit(y, why):
    with pytest.raises(InputError, match=why):
        labels(y)


def test_new_labels_replace_those_of_rows():
    rows = as_rows([{"a": 1}, {"b": 1}], [1, 0])
    assert as_rows(rows) is rows
    assert as_rows(rows, ["x", "y"]).labels.tolist() == ["x", "y"]
    assert rows.labels.tolist() == [1, 0]


# ---------------------------------------------------------------------- the largest value


def test_the_limit_is_one_of_values_however_many_there_are():
    """A limit of norms would depend on how they are summed, and differ from door to door."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.random(9)
        values *= 1e100 / np.linalg.norm(values)  # whose norm is the largest value, or a bit more
        x = {f"f{i}": v for i, v in enumerate(values.tolist())}
        at_once = OLSF().partial_fit([{"z": 1.0}, x, {"z": 1.0}], [1, 0, 1])
        one_by_one = OLSF()
        for row, y in (({"z": 1.0}, 1), (x, 0), ({"z": 1.0}, 1)):
            one_by_one.learn_one(row, y)
        assert at_once.rounds == one_by_one.rounds == 3
        assert at_once.weights() == one_by_one.weights()
    assert dicts([{"a": 1e100, "b": -1e100}]) == [{"a": 1e100, "b": -1e100}]


@pytest.mark.parametrize("beyond", [np.nextafter(1e100, np.inf), -1e101, 1e160, 1e300])
@pytest.mark.parametrize("more", [0, 1, 3, 4])
def test_beyond_the_largest_value(beyond, more):
    x = {**{f"f{i}": 1e100 for i in range(more)}, "a": beyond}
    model = OLSF().partial_fit([dict.fromkeys(x, 1.0)], [1])
    for ask in (model.predict_one, lambda x: model.learn_one(x, 1), lambda x: as_rows([x])):
        with pytest.raises(InputError, match="row 0, feature 'a'"):
            ask(x)
    assert model.rounds == 1
