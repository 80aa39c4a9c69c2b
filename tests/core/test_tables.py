"""X as a table of numbers: sparse matrices in any form, masked arrays, and whole numbers that a double cannot hold."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from aprendiz import CategoricalNB, DecisionTreeClassifier, GaussianNB, LinearRegression, PCA, SGDClassifier, rows  # isort: skip
from aprendiz.core.inputs import open_rows
from aprendiz.core.tables import array_table, sparse_table
from aprendiz.core.whole_numbers import first_inexact, fits_double

LARGE = 2**53 + 1  # the first whole number that is no double


# ---- sparse matrices -------------------------------------------------------------------------------------------------


def repeated(dtype=np.float64, index=np.int32):
    """A CSR matrix whose first row has entries out of order, two of them for one cell, and a zero that is stored."""
    data, columns = np.array([1, 2, 3, 0, 5], dtype), np.array([2, 0, 2, 1, 1], index)
    table = sparse.csr_array((data, columns, np.array([0, 4, 5], index)), shape=(2, 3))
    table.indices, table.indptr = columns, np.array([0, 4, 5], index)  # SciPy chooses the type of indices by their size
    return table


def parts(X):
    """The arrays that make up a sparse matrix."""
    return [getattr(X, name) for name in ("data", "indices", "indptr", "row", "col") if hasattr(X, name)]


FORMS = {
    "csr": repeated,
    "long indices": lambda: repeated(index=np.int64),
    "float32": lambda: repeated(np.float32),
    "bytes": lambda: repeated(np.int8),
    "csc": lambda: sparse.csc_array((np.array([2.0, 5.0, 1.0, 3.0]), [0, 1, 0, 0], [0, 1, 2, 4]), shape=(2, 3)),
    "coo": lambda: sparse.coo_matrix((np.array([1.0, 2.0, 3.0, 5.0]), ([0, 0, 0, 1], [2, 0, 2, 1])), shape=(2, 3)),
}


@pytest.mark.parametrize("form", FORMS)
def test_entries_of_one_cell_are_added(form):
    """Entries in any order become one for each cell, and what was passed keeps every byte."""
    X = FORMS[form]()
    before = [part.tobytes() for part in parts(X)]
    table = sparse_table(X, "a learner", True)
    assert table.has_canonical_format
    assert np.array_equal(table.toarray(), [[2, 0, 4], [0, 5, 0]])
    assert [part.tobytes() for part in parts(X)] == before


def test_sums_of_entries():
    """Entries are added as numbers, not as the bytes that held them; True and True is True."""
    twice = ([0, 0], [0, 2, 2])
    assert sparse_table(sparse.csr_matrix((np.array([100, 100], np.int8), *twice), (2, 1)), "", True)[0, 0] == 200
    assert sparse_table(sparse.csr_matrix((np.array([True, True]), *twice), (2, 1)), "", True)[0, 0] == 1


def test_canonical_matrices_are_not_copied():
    """A matrix that is in order already is shared."""
    X = sparse.random(30, 4, 0.5, format="csr", random_state=0)
    assert np.shares_memory(sparse_table(X, "", True).data, X.data)


def test_entries_outside():
    """An entry outside of the table is refused before compiled code follows it."""
    X = sparse.csr_matrix((np.ones(3), [0, 1, 99], [0, 1, 2, 3]), shape=(3, 2))
    with pytest.raises(ValueError, match="wrong indices"):
        SGDClassifier().fit(X, [0, 1, 0])


# ---- masked arrays ---------------------------------------------------------------------------------------------------


def masked(dtype=np.float64):
    """Eight rows with 99 under a mask in row 5, column 1; and the mask."""
    X = (np.arange(24).reshape(8, 3) % 5).astype(dtype)
    X[5, 1] = 99
    mask = np.zeros(X.shape, bool)
    mask[5, 1] = True
    return np.ma.array(X, mask=mask)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, object], ids=lambda t: np.dtype(t).name)
def test_masked_cells_are_missing(dtype):
    """What stands under a mask is not learned: refused with row and column, or missing where that has a meaning."""
    X, y = masked(dtype), [0, 1] * 4
    known = X.data.astype(np.float32 if dtype is np.float32 else np.float64)
    known[5, 1] = np.nan
    assert np.array_equal(GaussianNB().fit(X, y).theta_, GaussianNB().fit(known, y).theta_)
    for table in (X, list(X), X.tolist()):  # a list of masked rows, and None
        with pytest.raises(ValueError, match="NaN: row 5, column 1"):
            PCA().fit(table)
    model = PCA().fit(X.data)
    with pytest.raises(ValueError, match="NaN: row 5, column 1"):
        model.transform(X)


def test_masked_words():
    """A masked word is a missing word."""
    words = np.ma.array([["a"], ["b"], ["?"], ["b"]], mask=[[0], [0], [1], [0]])
    assert DecisionTreeClassifier().fit(words, [0, 1, 0, 1]).columns_.columns[0].levels == ("a", "b")


def test_masks_that_hide_nothing():
    """Without a masked cell the array is taken as it is, without a copy."""
    X = np.ma.array(np.arange(6.0).reshape(3, 2))
    assert np.shares_memory(PCA().open(X).X, X.data)


def test_masked_targets_and_weights():
    """A row without a target or a weight is refused with its number."""
    X, hidden = np.arange(8.0)[:, None], np.arange(8) == 6
    for y in (np.arange(8.0), np.arange(8) % 2):
        with pytest.raises(ValueError, match="y contains NaN: row 6"):
            LinearRegression().fit(X, np.ma.array(y, mask=hidden))
    for y in (np.arange(8) % 2, np.array(["a", "b"] * 4)):
        with pytest.raises(ValueError, match=r"y contains NaN: .*row 6"):
            GaussianNB().fit(X, np.ma.array(y, mask=hidden))
    with pytest.raises(ValueError, match="sample_weight contains NaN: row 6"):
        LinearRegression().fit(X, np.arange(8.0), sample_weight=np.ma.array(np.ones(8), mask=hidden))


# ---- whole numbers ---------------------------------------------------------------------------------------------------


def with_large(value=LARGE):
    X = np.arange(20).reshape(10, 2)
    X[7, 1] = value
    return X


TABLES = {
    "int64": (lambda X: X, "1"),
    "uint64": (lambda X: X.astype(np.uint64), "1"),
    "list": (lambda X: X.tolist(), "1"),
    "objects": (lambda X: X.astype(object), "1"),
    "masked": (lambda X: np.ma.array(X, mask=X == 0), "1"),
    "csr": (sparse.csr_matrix, "1"),
    "pandas": (lambda X: pd.DataFrame(X, columns=["a", "b"]), "'b'"),
    "pandas nullable": (lambda X: pd.DataFrame(X, columns=["a", "b"]).astype("Int64"), "'b'"),
    "polars": (lambda X: pl.DataFrame({"a": X[:, 0], "b": [None, *X[1:, 1].tolist()]}), "'b'"),
    "decimals": (lambda X: pa.table({"a": X[:, 0], "b": pa.array([Decimal(int(v)) for v in X[:, 1]])}), "'b'"),
    "words beside": (lambda X: pd.DataFrame({"a": ["x", "y"] * 5, "b": X[:, 1]}), "'b'"),
}


@pytest.mark.parametrize("form", TABLES)
def test_whole_numbers_that_would_be_rounded(form):
    """A whole number that is no double is refused with row, column, value and remedy; one that is a double is not."""
    make, column = TABLES[form]
    model = DecisionTreeClassifier()
    with pytest.raises(ValueError, match=rf"number {LARGE} in row 7, column {column}, .* {LARGE - 1}\. Subtract"):
        open_rows(model, make(with_large()))
    assert open_rows(model, make(with_large(LARGE + 1))).count == 10


def test_which_whole_numbers_are_doubles():
    """Those that come back from a double as they were; the first that does not is found in any block."""
    edges = [0, 1, 2**53, LARGE, LARGE + 1, 2**54 + 2, 2**62, 2**62 + 2**9, 2**62 + 2**10, 2**63 - 1]
    for value in [*edges, *(-v for v in edges), -(2**63)]:
        there = int(float(value)) == value
        assert fits_double(value) == there
        assert (first_inexact(np.array([0, value])) is None) == there
    for value in (2**63, 2**64 - 1, 2**64 - 2**11):
        assert (first_inexact(np.array([0, value], np.uint64)) is None) == fits_double(value) == (int(float(value)) == value)
    long = np.zeros((100_000, 2), np.int64)
    long[-1, 1] = -LARGE
    assert first_inexact(long) == long.size - 1
    assert fits_double(Decimal("0.1"))


def test_targets_that_would_be_rounded():
    """A target of numbers is refused with row, value and remedy; labels stay the whole numbers that they are."""
    X, y = np.arange(6.0)[:, None], np.array([0, 1, LARGE] * 2)
    for target in (y, y.tolist(), [*y[:5].tolist(), 0.5], pd.Series(y).astype("Int64"), y.astype(object)):
        with pytest.raises(ValueError, match=f"y holds the whole number {LARGE} in row 2, .*Subtract"):
            LinearRegression().fit(X, target)
    labels = np.array([LARGE, LARGE - 1] * 3)
    for target in (labels, labels.tolist(), pd.Series(labels)):
        model = DecisionTreeClassifier().fit(X, target)
        assert model.classes_.tolist() == [LARGE - 1, LARGE]
        assert np.array_equal(model.predict(X), labels)
    with pytest.raises(ValueError, match=f"{2**70} in row 0, .* as text"):
        CategoricalNB().fit(X, [2**70, 1] * 3)


def test_whole_numbers_in_parquet_files(tmp_path):
    """They are refused as in memory, in features and in targets of numbers, with file, column and row."""
    from pyarrow import parquet

    for name, columns in {"x": {"a": [1, LARGE, 3], "y": [1, 2, 3]}, "y": {"a": [1, 2, 3], "y": [1, LARGE, 3]}}.items():
        parquet.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
        with pytest.raises(ValueError, match=f"number {LARGE} in row 1"):
            LinearRegression().fit(rows(tmp_path / f"{name}.parquet", target="y"))


# ---- what is no table ------------------------------------------------------------------------------------------------


def test_iterators():
    """What can be read only once is refused, in X, y and weights, with what to pass instead."""
    X, y = [[1.0], [2.0], [4.0]], [1.0, 2.0, 3.0]
    with pytest.raises(TypeError, match=r"X is an iterator \(generator\).*list\(X\)"):
        LinearRegression().fit((row for row in X), y)
    with pytest.raises(TypeError, match=r"y is an iterator \(map\).*list\(y\)"):
        LinearRegression().fit(X, map(float, y))
    with pytest.raises(TypeError, match=r"sample_weight is an iterator"):
        LinearRegression().fit(X, y, sample_weight=iter(y))
    with pytest.raises(TypeError, match="X is an iterator"):
        array_table(zip(y, y, strict=True))
