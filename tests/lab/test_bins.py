"""Classes of numbers: the codes of scikit-learn's discretiser, of all columns at once, in any unit."""

import warnings

import numpy as np
import pytest
from sklearn.preprocessing import KBinsDiscretizer

from aprendiz.lab import QuantileBins


@pytest.mark.parametrize("seed", range(20))
def test_codes_are_those_of_scikit_learn(seed):
    """Few rows and many, equal cells, constant columns, any number of classes, new numbers outside the range."""
    rng = np.random.default_rng(seed)
    n, bins = int(rng.integers(1, 40)), int(rng.integers(2, 8))
    X = rng.integers(0, rng.integers(1, 9), (n, 6)) * rng.choice([1, 0.1, 1e6])
    X = np.where(rng.random(X.shape) < 0.3, rng.normal(size=X.shape), X)
    new = 3 * rng.normal(size=(9, 6))
    theirs = KBinsDiscretizer(bins, encode="ordinal", quantile_method="averaged_inverted_cdf", subsample=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of cuts that coincide, and of constant columns
        theirs.fit(X)
    ours = QuantileBins(bins).fit(X)
    for table in (X, new):
        np.testing.assert_array_equal(ours.transform(table), theirs.transform(table))


def test_the_unit_of_a_column_does_not_matter():
    """Five classes of equal size, and the same ones of lengths in metres and in units that are far smaller or larger."""
    x = np.random.default_rng(0).permutation(50)[:, None] + 1.0
    codes = QuantileBins(5).fit_transform(x)
    assert np.bincount(codes[:, 0].astype(int)).tolist() == [10] * 5
    for unit in (1e-12, 1e12):
        np.testing.assert_array_equal(QuantileBins(5).fit_transform(unit * x), codes)


def test_gaps_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        QuantileBins().fit([[1.0], [np.nan]])
