"""Numbers of candidate splits: by column, for any kind of table."""

import numpy as np
import pandas as pd
import pytest
from random_tables import random_table
from scipy import sparse

from aprendiz.tree import count_splits


def test_kinds_of_columns():
    """Numbers and levels in an order by their distinct values, categories by their divisions in two."""
    X = pd.DataFrame(
        {
            "number": [1.5, 2.0, 2.0, 7.0, 9.0],
            "word": ["a", "b", "c", "d", "a"],
            "order": pd.Categorical(list("xyzzy"), list("xyz"), ordered=True),
            "flag": [True, False, True, True, False],
            "constant": ["same"] * 5,
        }
    )
    counts = count_splits(X)
    assert counts.columns == {"number": 3, "word": 7, "order": 2, "flag": 1, "constant": 0}
    assert int(counts) == counts.total == 13
    assert str(counts).splitlines()[-1] == "all columns  13"


@pytest.mark.parametrize("levels", range(1, 9))
def test_divisions_of_levels(levels):
    """2^(M−1) − 1, as counted one by one: subsets with the first level that are not all levels."""
    words = [f"w{k}" for k in range(levels)]
    subsets = [mask for mask in range(2**levels) if mask & 1 and mask != 2**levels - 1]
    assert count_splits({"word": words})["word"] == len(subsets)


def test_missing_cells_and_unused_levels_do_not_count():
    X = pd.DataFrame({"x": [1.0, np.nan, 3.0], "word": pd.Categorical(["a", "b", None], ["a", "b", "c"])})
    assert count_splits(X).columns == {"x": 1, "word": 1}
    assert count_splits({"x": [np.nan, np.nan], "y": [1.0, 2.0]}).columns == {"x": 0, "y": 1}


def test_arrays():
    """Columns without names are x0, x1, …; sparse as dense; the target does not matter."""
    X = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 3.0]])
    assert count_splits(X).columns == count_splits(sparse.csr_matrix(X), [0, 1, 0]).columns == {"x0": 1, "x1": 2}
    assert count_splits(X, kinds={1: "categorical"}).columns == {"x0": 1, "x1": 3}


def test_rows_do_not_count_twice():
    """The number depends on the values, not on how often they occur."""
    X = random_table(np.random.default_rng(0), 30)
    assert count_splits(pd.concat([X, X])).columns == count_splits(X).columns
