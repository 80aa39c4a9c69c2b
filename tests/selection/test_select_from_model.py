"""SelectFromModel: scikit-learn's answers, thresholds, fits in parts, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import ensemble, feature_selection, linear_model
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import aprendiz as ap


def table(rows=80, columns=8, seed=0):
    """Columns 1 and 4 say something."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns))
    y = X[:, 1] + X[:, 4] + 0.5 * random.normal(size=rows)
    return X, y, np.digitize(y, np.quantile(y, [0.3, 0.6]))


X, NUMBERS, THREE = table()
LEARNERS = [
    (linear_model.Ridge(), NUMBERS),
    (linear_model.Lasso(0.1), NUMBERS),
    (linear_model.LassoCV(), NUMBERS),
    (linear_model.ElasticNet(0.1, l1_ratio=1.0), NUMBERS),
    (linear_model.LogisticRegression(), THREE),
    (linear_model.LogisticRegression(l1_ratio=1.0, solver="saga", C=0.1, max_iter=1000, random_state=0), THREE),
    (ensemble.RandomForestClassifier(10, random_state=0), THREE),
]


@pytest.mark.parametrize(("learner", "y"), LEARNERS, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize(
    "told", [{}, {"threshold": "1.25*mean"}, {"threshold": "median"}, {"threshold": 0.05, "max_features": 3}]
)
@pytest.mark.parametrize("norm_order", [1, 2, np.inf])
def test_chooses_as_scikit_learn_does(learner, y, told, norm_order):
    theirs = feature_selection.SelectFromModel(learner, norm_order=norm_order, **told).fit(X, y)
    ours = ap.SelectFromModel(learner, norm_order=norm_order, **told).fit(X, y)
    assert np.array_equal(ours.get_support(), theirs.get_support())
    assert ours.threshold_ == pytest.approx(theirs.threshold_, rel=1e-12)
    assert np.array_equal(ours.transform(X), theirs.transform(X))
    assert np.array_equal(np.sort(ours.order_), np.flatnonzero(ours.support_))


def test_estimators_checked():
    check_estimator(ap.SelectFromModel(ap.Ridge()))


def test_of_own_learners_and_names():
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    model = ap.SelectFromModel(ap.Lasso(0.1)).set_output(transform="pandas").fit(frame, NUMBERS)
    assert list(model.transform(frame).columns) == ["c1", "c4"]
    assert model.order_[0] in (1, 4)
    assert model.ranking_[model.order_[0]] == 1


def test_fitted_before():
    ridge = ap.Ridge().fit(X, NUMBERS)
    model = ap.SelectFromModel(ridge, prefit=True)
    assert np.array_equal(model.transform(X), ap.SelectFromModel(ap.Ridge()).fit(X, NUMBERS).transform(X))
    with pytest.raises(NotFittedError, match="prefit=True"):
        ap.SelectFromModel(ap.Ridge(), prefit=True).fit(X, NUMBERS)
    with pytest.raises(NotFittedError, match="call `fit` before"):
        ap.SelectFromModel(ridge, prefit=True, max_features=len).transform(X)


def test_in_parts_is_at_once():
    model = ap.SelectFromModel(ap.Ridge())
    model.partial_fit(X[:30], NUMBERS[:30]).partial_fit(X[30:], NUMBERS[30:])
    assert np.allclose(model.scores_, ap.SelectFromModel(ap.Ridge()).fit(X, NUMBERS).scores_)
    assert not hasattr(ap.SelectFromModel(ap.RandomForestClassifier()), "partial_fit")


def test_threshold_may_change_after_the_fit():
    model = ap.SelectFromModel(ap.Ridge()).fit(X, NUMBERS)
    model.threshold = 0.0
    assert model.get_support().all()


def test_number_of_columns_by_a_function():
    model = ap.SelectFromModel(ap.Ridge(), max_features=lambda X: X.shape[1] // 4, threshold=-np.inf).fit(X, NUMBERS)
    assert model.max_features_ == 2
    assert set(model.order_) == {1, 4}


def test_sparse_and_words():
    thin = sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    kept = ap.SelectFromModel(ap.Ridge(), max_features=2).fit(thin, NUMBERS).transform(thin)
    assert sparse.issparse(kept)
    frame = pd.DataFrame({"word": np.where(X[:, 1] > 0, "a", "b"), "noise": X[:, 0]})
    model = ap.SelectFromModel(ap.DecisionTreeClassifier(max_depth=1)).fit(frame, X[:, 1] > 0)
    assert list(model.transform(frame).columns) == ["word"]


def test_inside_a_pipeline():
    pipe = make_pipeline(ap.SelectFromModel(ap.Lasso(0.1)), ap.LinearRegression()).fit(X, NUMBERS)
    assert pipe[-1].n_features_in_ == 2


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"threshold": "mode"}, "threshold='mode'"),
        ({"threshold": "x*mean"}, "threshold="),
        ({"norm_order": 0}, "norm_order"),
        ({"norm_order": 1.5}, "norm_order"),
        ({"max_features": -1}, ">= 0"),
        ({"max_features": "all"}, "instance of int"),
    ],
)
def test_refused(told, words):
    with pytest.raises((ValueError, TypeError), match=words):
        ap.SelectFromModel(ap.Ridge(), **told).fit(X, NUMBERS).get_support()


def test_nothing_is_told():
    model = ap.SelectFromModel(ap.Ridge(), threshold=1e9).fit(X, NUMBERS)
    with pytest.warns(UserWarning, match="No features were selected: the largest importance"):
        model.transform(X)


def test_an_importance_equal_to_the_threshold_is_enough():
    found = ap.SelectFromModel(ap.Ridge()).fit(X, NUMBERS)
    least = np.sort(found.scores_)[3]
    assert found.set_params(threshold=least).get_support().sum() == X.shape[1] - 3
