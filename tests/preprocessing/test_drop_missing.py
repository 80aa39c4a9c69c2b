"""Complete rows: which are kept, in which form, and what is said of the others."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import aprendiz
from aprendiz import drop_missing

TABLE = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0], [6.0, np.nan], [7.0, 8.0]])
WORDS = {"age": [1.0, None, 3.0, 4.0], "town": ["a", "b", None, "d"], "rooms": [1, 2, 3, 4]}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def test_an_array():
    """Rows, target and weights go together, and the data passed in stay as they are."""
    y, weight, before = np.array([0, 1, 0, 1, 1]), np.arange(5.0), TABLE.copy()
    found = drop_missing(TABLE, y, weight)
    np.testing.assert_array_equal(found.X, TABLE[[0, 2, 4]])
    np.testing.assert_array_equal(found.y, [0, 0, 1])
    np.testing.assert_array_equal(found.sample_weight, [0.0, 2.0, 4.0])
    np.testing.assert_array_equal(found.dropped, [1, 3])
    np.testing.assert_array_equal(found.kept, [0, 2, 4])
    assert found.missing == {0: 1, 1: 1}
    assert str(found) == "2 of 5 rows dropped: 1, 3. Missing cells: 0 1, 1 1."
    np.testing.assert_array_equal(TABLE, before)
    assert str(drop_missing(TABLE[[0, 2]])) == "All 2 rows are complete."


@pytest.mark.parametrize("library", FRAMES)
def test_frames_stay_frames(library):
    """Of their library; a NaN of polars and a missing word count, and so does a missing target."""
    frame = FRAMES[library](WORDS)
    found = drop_missing(frame, pd.Series(["x", "y", "z", None]))
    assert type(found.X) is type(frame)
    assert found.missing == {"age": 1, "town": 1}
    assert found.missing_targets == 1
    np.testing.assert_array_equal(found.kept, [0])
    assert list(found.y) == ["x"]
    assert drop_missing(frame, columns=["town", "rooms"]).dropped.tolist() == [2]
    nan = drop_missing(pl.DataFrame({"a": [1.0, float("nan"), None]}))
    assert nan.dropped.tolist() == [1, 2]


def test_pandas_keeps_its_index():
    frame = pd.DataFrame(WORDS, index=list("pqrs"))
    assert drop_missing(frame).X.equals(frame.dropna())


def test_sparse_lists_and_marks():
    """Sparse tables stay sparse, lists stay lists, and another value may stand for a missing cell."""
    found = drop_missing(sparse.csc_array(TABLE))
    assert sparse.issparse(found.X)
    np.testing.assert_array_equal(found.X.toarray(), TABLE[[0, 2, 4]])
    assert drop_missing([[1, "a"], [2, None]]).X == [[1, "a"]]
    assert drop_missing(np.array([[1, 2], [-1, 3]]), missing_values=-1).dropped.tolist() == [1]
    assert drop_missing([["?", 1], ["b", 2]], missing_values="?").dropped.tolist() == [0]
    assert drop_missing(pd.DataFrame({"a": ["?", "b"]}), missing_values="?").dropped.tolist() == [0]
    masked = np.ma.array(np.ones((2, 2)), mask=[[0, 1], [0, 0]])
    assert drop_missing(masked).dropped.tolist() == [0]


def test_what_is_left_is_what_a_fit_needs():
    X = pd.DataFrame({"a": [0.0, 1.0, None, 3.0], "b": [1.0, 1.0, 2.0, 5.0]})
    left = drop_missing(X, [1.0, 2.0, 3.0, 4.0])
    aprendiz.LinearRegression().fit(left.X, left.y)
    assert left.y == [1.0, 2.0, 4.0]


def test_bad_input(tmp_path):
    """Refused with what to do instead."""
    X = pd.DataFrame({"a": [1.0, None], "b": [None, 2.0]})
    with pytest.raises(ValueError, match="None of the 2 rows is complete; column 'a' lacks 1 cells"):
        drop_missing(X)
    with pytest.raises(ValueError, match="columns of drop_missing names 'c', which X does not have: its columns are 'a', 'b'"):
        drop_missing(X, columns=["c"])
    with pytest.raises(ValueError, match="X has 5 rows, y has 1"):
        drop_missing(TABLE, [1])
    with pytest.raises(ValueError, match="X has 5 rows, sample_weight has 1"):
        drop_missing(TABLE, sample_weight=[1])
    with pytest.raises(ValueError, match="missing_values of drop_missing must be a number"):
        drop_missing(TABLE, missing_values=[1])
    with pytest.raises(ValueError, match="Expected 2D array"):
        drop_missing([1, 2, 3])
    with pytest.raises(ValueError, match="X holds rows of unequal lengths"):
        drop_missing([[1, 2], [3]])
    path = tmp_path / "table.parquet"
    X.to_parquet(path)
    with pytest.raises(TypeError, match="drop_missing needs a table in memory, got rows that are read in blocks"):
        drop_missing(aprendiz.rows(str(path)))
