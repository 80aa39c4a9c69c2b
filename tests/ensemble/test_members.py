"""Members as scikit-learn's ensembles show them: by number, one after the other, each with its own random numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from aprendiz import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)

RANDOM = np.random.RandomState(3)
X = RANDOM.randn(60, 3)
Y = (X[:, 0] + 0.3 * RANDOM.randn(60) > 0).astype(int)
ENSEMBLES = [
    RandomForestClassifier(4, random_state=0),
    BaggingClassifier(n_estimators=4, random_state=0),
    BaggingClassifier(KNeighborsClassifier(), n_estimators=4, random_state=0),
    AdaBoostClassifier(n_estimators=4, random_state=0),
    AdaBoostRegressor(n_estimators=4, random_state=0),
]


@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda one: type(one).__name__)
def test_sequence(ensemble):
    """`len`, `[i]`, slices and iteration are those of `estimators_`."""
    model = ensemble.fit(X, Y)
    assert len(model) == len(model.estimators_) == len(list(model)) == 4
    assert [type(one) for one in model] == [type(model[0])] * 4
    np.testing.assert_array_equal(model[-1].predict(X), model.estimators_[3].predict(X))
    assert len(model[1:3]) == 2


@pytest.mark.parametrize("ensemble", [one for one in ENSEMBLES if one.estimator is None or not hasattr(one, "voting")])
def test_random_state_of_members(ensemble):
    """Every member has a seed of its own, the same in every fit."""
    first, again = ([one.random_state for one in ensemble.fit(X, Y)] for _ in range(2))
    assert len(set(first)) == 4
    assert first == again


class Silent(ClassifierMixin, BaseEstimator):
    """A classifier whose `fit` returns nothing, and which notes what it was given."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.seen_ = np.unique(y), type(X)

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


@pytest.mark.parametrize("ensemble", [BaggingClassifier, AdaBoostClassifier])
def test_fit_that_returns_nothing(ensemble):
    """The member is the object that was fitted, not what its `fit` returned."""
    y = np.where(np.arange(60) < 50, 0, 1)
    model = ensemble(Silent(), n_estimators=2, random_state=0).fit(X, y)
    assert all(isinstance(one, Silent) for one in model)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix])
def test_sparse_form(form):
    """Members see the sparse class that was passed."""
    model = BaggingClassifier(Silent(), n_estimators=2, max_features=2, random_state=0).fit(form(X), Y)
    assert [one.seen_ for one in model] == [form, form]


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array])
def test_boosted_sparse_form(form):
    """So do those of boosting."""
    y = np.where(np.arange(60) < 50, 0, 1)
    model = AdaBoostClassifier(Silent(), n_estimators=1).fit(form(X), y)
    assert model[0].seen_ is form


def finite(X):
    return np.where(np.isfinite(X), X, 0.0)


@pytest.mark.parametrize(
    ("ensemble", "tree"), [(BaggingClassifier, DecisionTreeClassifier), (BaggingRegressor, DecisionTreeRegressor)]
)
def test_infinite_cells(ensemble, tree):
    """A pipeline may replace infinities; a tree refuses them itself, in a pipeline or as a member. A pipeline sees the rows of
    its bag alone: half of the rows are infinite, so that every bag has some."""
    bad = X.copy()
    bad[::2, 1], bad[5, 2] = np.inf, np.nan
    model = ensemble(make_pipeline(FunctionTransformer(finite), tree()), n_estimators=2, random_state=0).fit(bad, Y)
    assert len(model.predict(bad)) == 60
    for base in (make_pipeline(tree()), tree()):
        with pytest.raises(ValueError, match="infinity"):
            ensemble(base, n_estimators=2, random_state=0).fit(bad, Y)


def test_bags_of_forests():
    """Row numbers of forests are int32, and a bag may be larger than the table."""
    model = ExtraTreesClassifier(2, bootstrap=True, max_samples=1.5).fit(X, Y)
    assert [rows.dtype for rows in model.estimators_samples_] == [np.int32, np.int32]
    assert [len(rows) for rows in model.estimators_samples_] == [90, 90]


@pytest.mark.parametrize("ensemble", [RandomForestClassifier, RandomForestRegressor, BaggingClassifier, BaggingRegressor])
def test_late_out_of_bag(ensemble):
    """Out-of-bag sums that are asked for in a second fit are those of a fit that was asked at once; of more members, and not
    asked for again, they go."""
    at_once = ensemble(n_estimators=40, oob_score=True, random_state=1).fit(X, Y)
    late = ensemble(n_estimators=30, warm_start=True, random_state=1).fit(X, Y)
    assert not hasattr(late, "oob_score_")
    late.set_params(oob_score=True, n_estimators=40).fit(X, Y)
    assert late.oob_score_ == at_once.oob_score_
    np.testing.assert_array_equal(late.oob_errors_, at_once.oob_errors_)
    late.set_params(oob_score=False, n_estimators=41).fit(X, Y)
    assert not hasattr(late, "oob_score_")
    assert not hasattr(late, "oob_errors_")


def test_late_out_of_bag_without_new_trees():
    """The same without a single new tree, and with rows that do not count."""
    weight = np.where(np.arange(60) % 7 == 0, 0.0, 1.0)
    at_once = RandomForestClassifier(40, oob_score=True, random_state=1).fit(X, Y, sample_weight=weight)
    late = RandomForestClassifier(40, warm_start=True, random_state=1).fit(X, Y, sample_weight=weight)
    with pytest.warns(UserWarning, match="without increasing n_estimators"):
        late.set_params(oob_score=True).fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(late.oob_decision_function_, at_once.oob_decision_function_)
