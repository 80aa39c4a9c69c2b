"""Tables with very many columns, most of which say nothing."""

import time

import numpy as np
import pytest
from scipy import sparse

from aprendiz import C45, ID3, AdaBoostClassifier, DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier
from aprendiz.tree.growth.coding import CodedTable, coded_few_rows, coded_numbers

WIDE = sparse.random(2, 1_000_000, density=1e-3, format="csr", random_state=0)
PATIENCE = 25  # seconds: a hundred times what most of these take


@pytest.mark.parametrize(
    "model",
    [
        *(DecisionTreeClassifier(), DecisionTreeRegressor(), ID3(), C45(), AdaBoostClassifier(n_estimators=2)),
        RandomForestClassifier(2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_million_sparse_columns(model):
    """Two rows: the fit ends, and what it says is right."""
    began = time.process_time()
    model.fit(WIDE, np.array([0, 1]))
    assert time.process_time() - began < PATIENCE
    assert model.n_features_in_ == WIDE.shape[1]


@pytest.mark.parametrize("rows", [1, 7, 255])
def test_few_rows_together(rows):
    """Many columns at a time have the codes of one column at a time."""
    rng = np.random.default_rng(rows)
    X = rng.integers(-3, 4, (rows, 9)) / 2.0
    X[:, 0], X[:, 1], X[:, 2] = rng.normal(size=rows), np.nan, -0.0
    X[rng.random(X.shape) < 0.1] = np.nan
    expected = CodedTable.joined([coded_numbers(x, None, exact=True) for x in X.T], rows)
    for table in (coded_few_rows(X, rows), CodedTable.of(X, None, exact=False)):
        for name in ("short", "layout", "bounds"):
            np.testing.assert_array_equal(getattr(table, name), getattr(expected, name), name)
        assert (table.exact, table.missing) == (expected.exact, expected.missing)


@pytest.mark.parametrize("rows", [40, 600])
def test_columns_that_do_not_vary(rows):
    """Columns of zeros, of another number and of duplicates that add to one: the tree is that of the dense table."""
    dense = np.round(np.random.default_rng(0).normal(size=(rows, 6)), 1) * (np.arange(6) % 2)
    dense[:, 4] = 2.5
    twice = sparse.coo_matrix(dense)
    doubled = sparse.coo_matrix(
        (np.tile(twice.data / 2, 2), (np.tile(twice.row, 2), np.tile(twice.col, 2))), shape=dense.shape
    ).tocsc()
    y = (dense[:, 1] + dense[:, 3] > 0.3).astype(int)
    expected = DecisionTreeClassifier().fit(dense, y).tree_
    for X in (sparse.csr_matrix(dense), doubled, sparse.csc_array(dense)):
        before = X.copy()
        tree = DecisionTreeClassifier().fit(X, y).tree_
        np.testing.assert_array_equal(tree.feature, expected.feature)
        np.testing.assert_array_equal(tree.threshold, expected.threshold)
        assert (before != X).nnz == 0
    assert len(CodedTable.of(sparse.csr_matrix(dense), None, exact=True).short) == 4  # three columns vary
