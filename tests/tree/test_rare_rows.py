"""What a few rows say is not lost in bins: trees and forests find what the exact search finds."""

import numpy as np
import pytest

from aprendiz import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from aprendiz.tree.growth.coding import BINS, coded_numbers
from aprendiz.tree.growth.rare_rows import rare_rows

ROWS = 12_000
FOREST = {"n_estimators": 5, "random_state": 0}


def normal(seed):
    return np.random.default_rng(seed).normal(size=(ROWS, 4))


def in_the_tail(seed):
    """8 rows at the end of a column are of another class."""
    X = normal(seed)
    y = np.zeros(ROWS, int)
    y[np.argsort(X[:, 2])[-8:]] = 1
    return X, y


def in_the_middle(seed):
    """A class of a few values in the middle of a column."""
    X = normal(seed)
    return X, (np.abs(X[:, 1] - 0.3) < 4e-4).astype(int)


def outlying_targets(seed):
    X = normal(seed)
    y = X[:, 0].copy()
    y[X[:, 3] > 3.1] += 1000.0
    return X, y


def heavy_tails(seed):
    X = np.exp(2.0 * normal(seed))
    return X, X[:, 0] + X[:, 1]


def repeated_values(seed):
    """Half of the cells are 0, and the target depends on numbers very near to it."""
    X = normal(seed)
    X[np.random.default_rng(seed).random(X.shape) < 0.5] = 0.0
    return X, (X[:, 0] + 3.0 * (np.abs(X[:, 1] - 1e-2) < 9e-3) > 1).astype(int)


def within_bins(seed):
    """Classes that change with every half of an e-fold of a Cauchy column, twelve times in the outermost bin alone."""
    X = np.random.default_rng(seed).standard_cauchy((ROWS, 1))
    return X, (np.floor(2.0 * np.log(np.abs(X[:, 0]))) % 2).astype(int)


def found(model, X, y):
    """The share of the rare class that is found, or R²."""
    return float((model.predict(X)[y == 1] == 1).mean()) if y.dtype.kind == "i" else model.score(X, y)


@pytest.mark.parametrize("draw", [in_the_tail, in_the_middle, repeated_values, outlying_targets, heavy_tails, within_bins])
@pytest.mark.parametrize("forest", [False, True], ids=["tree", "forest"])
def test_binned_loses_nothing(draw, forest):
    """On the rows of the fit, and on new ones, the binned search finds nearly what the exact one does."""
    (X, y), new = draw(0), draw(1)
    if y.dtype.kind == "i":
        make = (lambda **p: RandomForestClassifier(**FOREST, **p)) if forest else DecisionTreeClassifier
    else:
        make = (lambda **p: RandomForestRegressor(**FOREST, **p)) if forest else DecisionTreeRegressor
    binned, exact = make(exact=False).fit(X, y), make(exact=True).fit(X, y)
    assert (binned.search_, exact.search_) == ("binned", "exact")
    assert found(binned, X, y) >= found(exact, X, y) - 0.01
    assert found(binned, *new) >= found(exact, *new) - 0.05


def test_stumps_find_the_tail():
    """A stump has one cut, and it is the exact one."""
    X, y = in_the_tail(0)
    exact = DecisionTreeClassifier(max_depth=1, exact=True).fit(X, y).tree_
    assert AdaBoostClassifier(n_estimators=1).fit(X, y).score(X, y) == 1.0
    binned = DecisionTreeClassifier(max_depth=1, exact=False).fit(X, y).tree_
    assert (binned.feature[0], binned.threshold[0]) == (exact.feature[0], exact.threshold[0])


def test_what_is_rare():
    """Classes of little weight, targets far away; where there are none, bins are of equal weight as ever."""
    y = np.repeat([0, 1, 2], [50, 48, 2])
    assert rare_rows(y, None, 3).rows.tolist() == [98, 99]
    assert rare_rows(y, None, 3).mass.sum() == pytest.approx(0.5 / 3)
    assert rare_rows(y, np.where(y == 2, 20.0, 1.0), 3) is None
    assert rare_rows(np.repeat([0, 1], 50), None, 2) is None
    z = normal(0)[:, :1]
    assert rare_rows(z, None, 0) is None
    z[7] = 1e160
    assert rare_rows(z, None, 0).rows.tolist() == [7]
    assert rare_rows(np.zeros((9, 1)), None, 0) is None


def test_a_rare_row_has_a_bin_for_itself():
    x = np.random.default_rng(0).permutation(5000).astype(float)
    y = (x == 4000).astype(int)
    coded = coded_numbers(x, None, exact=False, rare=rare_rows(y, None, 2))
    assert coded.size <= BINS
    assert (coded.low == 4000).sum() == 1
    assert coded.high[coded.low == 4000] == 4000
