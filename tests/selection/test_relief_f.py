"""ReliefF: by its definition, and what it sees that single columns do not show."""

import numpy as np
import pandas as pd
import pytest

import aprendiz as ap


def weights(X, y, k):
    """W of columns of numbers, in NumPy."""
    span = np.ptp(X, axis=0)
    Z, W, share = X / span, np.zeros(X.shape[1]), np.bincount(y) / len(y)
    for i in range(len(X)):
        delta = np.abs(Z - Z[i])
        apart = delta.mean(axis=1)
        for c in range(len(share)):
            rows = np.flatnonzero((y == c) & (np.arange(len(y)) != i))
            near = delta[rows[np.argsort(apart[rows], kind="stable")[:k]]].mean(axis=0)
            W += -near if c == y[i] else share[c] / (1 - share[y[i]]) * near
    return W / len(X)


@pytest.mark.parametrize("k", [1, 10])
def test_definition(k):
    X, y = ap.datasets.load("iris", return_X_y=True)
    y = np.unique(y, return_inverse=True)[1]
    X = X + 1e-3 * np.random.default_rng(0).random(X.shape)  # no ties
    model = ap.ReliefF(2, n_neighbors=k).fit(X, y)
    np.testing.assert_allclose(model.scores_, weights(X, y, k), atol=1e-12)
    assert model.order_.tolist() == np.argsort(-model.scores_)[:2].tolist()


def test_exclusive_or():
    """Neither column of the pair says anything alone."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 6))
    y = X[:, 1] ^ X[:, 4]
    assert set(ap.ReliefF(2).fit(X, y).order_) == {1, 4}
    assert not {1, 4} <= set(ap.MRMR(2, first_cut=1.0).fit(X, y).order_) or ap.MRMR(2).fit(X, y).relevance_.max() < 0.02


def test_words_and_missing_cells():
    """Levels differ or do not; a cell that is missing says nothing."""
    rng = np.random.default_rng(0)
    word = rng.choice(["red", "green", "blue"], 200)
    y = (word == "red").astype(int)
    table = pd.DataFrame({"noise": rng.standard_normal(200), "word": word, "empty": np.full(200, np.nan), "one": np.ones(200)})
    table.loc[:20, "noise"] = np.nan
    table.loc[10:40, "word"] = None
    with pytest.warns(UserWarning, match="every cell is missing"):
        model = ap.ReliefF(1).fit(table, y)
    assert model.get_feature_names_out().tolist() == ["word"]
    assert model.scores_[2:].tolist() == [0, 0]
    assert model.transform(table).columns.tolist() == ["word"]


def test_bad_input():
    with pytest.raises(ValueError, match="every column is constant"):
        ap.ReliefF().fit(np.ones((10, 2)), np.arange(10) % 2)
    with pytest.raises(ValueError, match="keep=3 of ReliefF is more than the 2 columns"):
        ap.ReliefF(3).fit(np.eye(4)[:, :2], [0, 1, 0, 1])
