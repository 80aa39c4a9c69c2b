"""Proximities: shares of trees by hand, laws of a kernel, out-of-bag pairs, other rows, outliers."""

from functools import cache

import numpy as np
import pytest

from aprendiz import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 4))
KIND = (X[:, 0] + X[:, 1] > 0).astype(int)


@cache
def forest():
    """Seventeen trees."""
    return RandomForestClassifier(17, min_samples_leaf=4, random_state=0).fit(X, KIND)


def plain(leaves, others, out=None, others_out=None):
    """Pair by pair."""
    found = np.empty((len(leaves), len(others)))
    for i in range(len(leaves)):
        for j in range(len(others)):
            both = np.ones(17, bool) if out is None else out[i] & others_out[j]
            found[i, j] = np.mean((leaves[i] == others[j])[both]) if both.any() else np.nan
    return found


def out_of_bags():
    return np.array([np.isin(np.arange(90), forest().bags_.left_out(m)) for m in range(17)]).T


def test_shares_of_trees():
    """The share of the trees in which two rows have the same leaf; remembered rows, given ones and other ones."""
    leaves = forest().apply(X)
    wanted = plain(leaves, leaves)
    np.testing.assert_allclose(forest().proximities(), wanted, rtol=1e-12)
    np.testing.assert_array_equal(forest().proximities(X), forest().proximities())
    np.testing.assert_allclose(forest().proximities(of=X[:7]), wanted[:7], rtol=1e-12)
    np.testing.assert_allclose(forest().proximities(X[3:9], of=X[:7]), wanted[:7, 3:9], rtol=1e-12)
    thin = forest().proximities(sparse=True)
    np.testing.assert_allclose(thin.toarray(), wanted, rtol=1e-12)
    assert thin.nnz == np.count_nonzero(wanted)


def test_a_kernel():
    """Symmetric, 1 on the diagonal, no eigenvalue below 0, no more than 1."""
    P = forest().proximities()
    np.testing.assert_array_equal(P, P.T)
    np.testing.assert_array_equal(np.diag(P), 1)
    assert np.linalg.eigvalsh(P).min() > -1e-10
    assert P.max() == 1


def test_out_of_bag_pairs():
    """Only the trees whose bag holds neither row; NaN if there is none; other rows are out of all bags."""
    leaves, out = forest().apply(X), out_of_bags()
    wanted = plain(leaves, leaves, out, out)
    P = forest().proximities(oob=True)
    np.testing.assert_allclose(P, wanted, rtol=1e-12)
    assert np.isnan(P).any()
    np.testing.assert_array_equal(forest().proximities(X, oob=True), P)
    np.testing.assert_allclose(forest().proximities(oob=True, sparse=True).toarray(), np.nan_to_num(wanted), rtol=1e-12)
    new = RNG.normal(size=(5, 4))
    every = np.ones((5, 17), bool)
    np.testing.assert_allclose(
        forest().proximities(of=new, oob=True), plain(forest().apply(new), leaves, every, out), rtol=1e-12
    )


def test_rows_of_one_leaf():
    """Trees of one leaf: all rows are alike."""
    model = RandomForestRegressor(3, min_samples_split=200, random_state=0).fit(X, KIND)
    assert (model.proximities() == 1).all()


def test_outliers():
    """The score by its formula; a row in the midst of another class has the largest one."""
    table = np.r_[RNG.normal(size=(60, 2)), RNG.normal(size=(60, 2)) + 8, [[8.0, 8.0]]]
    y = np.r_[np.zeros(60), np.ones(60), [0.0]].astype(int)
    model = RandomForestClassifier(60, min_samples_leaf=3, random_state=0).fit(table, y)
    scores, P = model.outlier_scores(), model.proximities()
    assert scores.argmax() == 120
    for k in (0, 1):
        inside = y == k
        out = inside.sum() / (P[np.ix_(inside, inside)] ** 2).sum(axis=1)
        far = out - np.median(out)
        np.testing.assert_allclose(scores[inside], far / np.abs(far).mean(), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(model.outlier_scores(table, y), scores)
    assert RandomForestRegressor(5, random_state=0).fit(table, y).outlier_scores().shape == (121,)


def test_bad_input():
    """A matrix that would be too large, rows that are not those of the fit, trees without bags."""
    with pytest.raises(ValueError, match=r"X has 90 rows, and a full matrix .* give sparse=True, fewer rows, or a larger"):
        forest().proximities(limit=50)
    assert forest().proximities(limit=50, sparse=True).shape == (90, 90)
    with pytest.raises(ValueError, match="limit must be a whole number"):
        forest().proximities(limit=0)
    with pytest.raises(ValueError, match="X has 9 rows, but the fit had 90"):
        forest().proximities(X[:9], oob=True)
    with pytest.raises(ValueError, match="was trained on all rows: fit it with bootstrap=True"):
        ExtraTreesRegressor(2).fit(X, KIND).proximities(oob=True)
