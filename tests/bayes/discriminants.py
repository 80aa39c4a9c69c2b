"""What the tests of the discriminant family share: its members, and rows of overlapping normal classes."""

import numpy as np
import pytest

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

FAMILY = [
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.2),
    QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.3),
    QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.3),
    LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    RegularizedDiscriminantAnalysis(0.3),
    RegularizedDiscriminantAnalysis(0.3, 0.4),
    RegularizedDiscriminantAnalysis(0.3, 0.4, toward_diagonal=0.5),
    RegularizedDiscriminantAnalysis("cv", "cv", n_values=3, cv=3),
    DiagonalDiscriminantAnalysis(),
    DiagonalDiscriminantAnalysis(shared=False),
    NearestMean(),
    NearestMean(priors="shares"),
]
FROM_SUMS = [model for model in FAMILY if "auto" not in repr(model) and "cv" not in repr(model)]
every = pytest.mark.parametrize("model", FAMILY, ids=repr)
from_sums = pytest.mark.parametrize("model", FROM_SUMS, ids=repr)


def problem(seed, each=20, columns=3, kinds=3):
    """Rows of overlapping normal classes, each with its own covariance and number of rows; at least `each` of a class."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.full(each + int(rng.integers(0, 10)), k) for k in range(kinds)])
    turns = np.linalg.qr(rng.normal(size=(kinds, columns, columns)))[0]
    mixing = turns * rng.uniform(0.4, 1.6, (kinds, 1, columns)) @ np.swapaxes(turns, 1, 2)
    means = 1.5 * rng.normal(size=(kinds, columns))
    X = np.einsum("ij,ijl->il", rng.normal(size=(len(y), columns)), mixing[y]) + means[y]
    order = rng.permutation(len(y))
    return X[order], y[order]


def drawn_priors(seed, kinds):
    return np.random.default_rng(seed).dirichlet(np.full(kinds, 5.0))


X, Y = problem(0)
NEW = np.random.default_rng(1).normal(size=(40, 3)) * 2
WORDS = np.array(["ash", "birch", "cedar"])[Y]


def assert_same(one, two, table=NEW, rtol=1e-9, atol=1e-11):
    """The same classes, posteriors and densities."""
    np.testing.assert_array_equal(one.classes_, two.classes_)
    np.testing.assert_allclose(one.predict_proba(table), two.predict_proba(table), rtol=1e-6, atol=atol)
    np.testing.assert_allclose(one.log_density(table), two.log_density(table), rtol=rtol, atol=1e-8)
