"""Correlation of the errors of members: the identity, errors of known correlation, bootstrap means, bad input."""

from itertools import combinations

import numpy as np
import pytest

from aprendiz import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor
from aprendiz.ensemble import tree_correlation
from aprendiz.ensemble.tree_correlation import pool

RNG = np.random.default_rng(7)
X, NEW = RNG.normal(size=(150, 5)), RNG.normal(size=(60, 5))
TRUTH, NEW_TRUTH = (table[:, 0] + table[:, 1] ** 2 + RNG.normal(size=len(table)) for table in (X, NEW))
KIND, NEW_KIND = (np.digitize(y, [0.0, 1.5]) for y in (TRUTH, NEW_TRUTH))


def test_error_of_every_choice_of_trees():
    """(2) is the mean, over all choices of B of the trees, of the mean squared error of their average."""
    model = RandomForestRegressor(6, random_state=0).fit(X, TRUTH)
    said = np.array([tree.predict(NEW) for tree in model.estimators_])
    found = tree_correlation(model, NEW, NEW_TRUTH, oob=False)
    for B in range(1, 7):
        errors = [np.mean((said[list(some)].mean(axis=0) - NEW_TRUTH) ** 2) for some in combinations(range(6), B)]
        assert found.variance_of_mean(B) == pytest.approx(np.mean(errors), rel=1e-10)
    assert found.variance_of_mean() == pytest.approx(np.mean((model.predict(NEW) - NEW_TRUTH) ** 2), rel=1e-10)
    assert (1 - found.correlation) * found.variance == pytest.approx(said.var(axis=0, ddof=1).mean(), rel=1e-10)


def test_classes():
    """The same with shares of classes: the Brier score of the forest."""
    model = RandomForestClassifier(15, min_samples_leaf=5, random_state=0).fit(X, KIND)
    found = tree_correlation(model, NEW, NEW_KIND, oob=False)
    brier = ((model.predict_proba(NEW) - np.eye(3)[NEW_KIND]) ** 2).sum(axis=1).mean()
    assert found.variance_of_mean() == pytest.approx(brier, rel=1e-10)


def test_errors_of_known_correlation():
    """Normal errors with a common part, each member judged by other rows: ρ and σ² come back."""
    rng = np.random.default_rng(0)
    rows, members, rho, variance = 4000, 12, 0.35, 2.5
    common = rng.normal(size=rows) * np.sqrt(rho * variance)
    errors = [(common + rng.normal(size=rows) * np.sqrt((1 - rho) * variance))[:, None] for _ in range(members)]
    judged = [np.flatnonzero(rng.random(rows) < 0.37) for _ in range(members)]
    found = pool(errors, judged, np.ones(rows))
    assert found.variance == pytest.approx(variance, rel=0.04)
    assert found.correlation == pytest.approx(rho, abs=0.03)
    assert found.members == members


def test_rows_of_equal_weight_and_repeated_rows():
    """A row of weight 2 counts as two rows."""
    errors = list(RNG.normal(size=(4, 30, 2)))
    weight = RNG.integers(1, 3, size=30)
    heavy = pool(errors, [slice(None)] * 4, weight.astype(float))
    repeated = pool([np.repeat(e, weight, axis=0) for e in errors], [slice(None)] * 4, np.ones(weight.sum()))
    assert (heavy.variance, heavy.correlation) == pytest.approx((repeated.variance, repeated.correlation))


def test_bootstrap_means():
    """Trees of one leaf answer the mean of their bag. For a row i that is in neither of two bags, their errors are two
    independent means of n draws from the other rows: E e e' = (ȳ₋ᵢ − yᵢ)², and E e² has the variance of the mean beside it."""
    y = RNG.normal(size=40) ** 2
    model = RandomForestRegressor(1500, min_samples_split=1000, random_state=0).fit(np.arange(40.0)[:, None], y)
    others = np.array([np.delete(y, i) for i in range(40)])
    common = np.mean((others.mean(axis=1) - y) ** 2)
    variance = common + np.mean(others.var(axis=1) / 40)
    found = model.correlation_
    assert found.variance == pytest.approx(variance, rel=0.01)
    assert found.correlation == pytest.approx(common / variance, abs=0.003)
    assert found.limit == pytest.approx(common, rel=0.01)


def test_out_of_bag_by_hand():
    """Trees and pairs of trees, row by row; rows that fewer than two trees have not seen are left out."""
    model = RandomForestRegressor(8, random_state=3).fit(X, TRUTH)
    e = np.array([tree.predict(X) - TRUTH for tree in model.estimators_])
    out = np.array([np.isin(np.arange(150), model.bags_.left_out(m)) for m in range(8)])
    rows = [i for i in range(150) if out[:, i].sum() > 1]
    assert len(rows) < 150
    own = [np.mean(e[out[:, i], i] ** 2) for i in rows]
    pairs = [np.mean([a * b for a, b in combinations(e[out[:, i], i], 2)]) for i in rows]
    found = model.correlation_
    assert found.variance == pytest.approx(np.mean(own))
    assert found.limit == pytest.approx(np.mean(pairs))
    assert tree_correlation(model, X, TRUTH) == found
    assert "with 8 members" in str(found)


def test_fewer_columns_lower_the_correlation():
    """Why a forest looks at some columns only: ρ falls, σ² rises."""
    some, every = (RandomForestRegressor(60, max_features=m, random_state=0).fit(X, TRUTH).correlation_ for m in (1, None))
    assert some.correlation < every.correlation
    assert some.variance > every.variance


def test_bad_input():
    """Rows, bags and numbers that there are not."""
    model = RandomForestRegressor(4, random_state=0).fit(X, TRUTH)
    with pytest.raises(ValueError, match="oob=False evaluates the members on rows that they were not trained on: give X and y"):
        tree_correlation(model, NEW, oob=False)
    with pytest.raises(ValueError, match="X has 60 rows, but the fit had 150"):
        tree_correlation(model, NEW, NEW_TRUTH)
    for B in (0, 2.5, [1, 0]):
        with pytest.raises(ValueError, match="must be a whole number of at least 1"):
            model.correlation_.variance_of_mean(B)
    with pytest.raises(ValueError, match="No row is out-of-bag for two members"):
        tree_correlation(RandomForestRegressor(1, random_state=0).fit(X, TRUTH))
    model = RandomForestRegressor(4, random_state=0).fit(X, TRUTH)
    model._table = None
    with pytest.raises(AttributeError, match=r"correlation_ is not known.*tree_correlation\(model, X, y\)"):
        _ = model.correlation_
    assert not hasattr(ExtraTreesClassifier(2).fit(X, KIND), "correlation_")
