"""One against one: scikit-learn's votes and scores with any base, and the rows on which votes are tied."""

import inspect
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import linear_model, multiclass, naive_bayes, svm, tree
from sklearn.utils.estimator_checks import parametrize_with_checks

import aprendiz
from aprendiz import (
    GaussianNB,
    LeastSquaresClassifier,
    LinearRegression,
    LogisticRegression,
    OneVsOneClassifier,
    OneVsRestClassifier,
    SGDClassifier,
)

RNG = np.random.default_rng(22)
GROUP = RNG.integers(0, 4, size=200)
X = RNG.normal(size=(4, 3))[GROUP] + RNG.normal(size=(200, 3))
NAMES = np.array(["ash", "birch", "cedar", "oak"])
Y = NAMES[GROUP]
WEIGHT = RNG.uniform(0.2, 2.0, size=200)
PAIRS = list(combinations(range(4), 2))
BASES = [
    LogisticRegression(),
    LeastSquaresClassifier(),
    GaussianNB(),
    LinearRegression(),
    linear_model.LogisticRegression(),
    linear_model.RidgeClassifier(),
    naive_bayes.GaussianNB(),
    tree.DecisionTreeClassifier(max_depth=3, random_state=0),
]

bases = pytest.mark.parametrize("base", BASES, ids=lambda base: f"{type(base).__module__.split('.')[0]} {type(base).__name__}")
kinds = pytest.mark.parametrize("kinds", [2, 4], ids=["two classes", "four classes"])


def some(kinds):
    chosen = np.isin(GROUP, range(kinds))
    return X[chosen], Y[chosen]


@parametrize_with_checks([OneVsOneClassifier(LogisticRegression()), OneVsOneClassifier(linear_model.RidgeClassifier())])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_signature():
    """The parameters and methods of scikit-learn's, with their defaults."""
    ours, theirs = (inspect.signature(cls).parameters for cls in (OneVsOneClassifier, multiclass.OneVsOneClassifier))
    assert list(ours) == list(theirs)
    for name in theirs:
        assert (ours[name].default, ours[name].kind) == (theirs[name].default, theirs[name].kind)
    public = {name for name in dir(multiclass.OneVsOneClassifier) if not name.startswith("_")}
    assert public <= set(dir(OneVsOneClassifier))


@bases
@kinds
def test_same_as_scikit_learn(base, kinds):
    """With the same base, the same decisions, classes and attributes."""
    rows, y = some(kinds)
    ours, theirs = (cls(base).fit(rows, y) for cls in (OneVsOneClassifier, multiclass.OneVsOneClassifier))
    np.testing.assert_allclose(ours.decision_function(rows), theirs.decision_function(rows), rtol=1e-12, atol=1e-14)
    assert np.array_equal(ours.predict(rows), theirs.predict(rows))
    assert len(ours.estimators_) == len(theirs.estimators_)
    assert np.array_equal(ours.classes_, theirs.classes_)
    assert (ours.n_classes_, ours.n_features_in_) == (theirs.n_classes_, theirs.n_features_in_)
    assert ours.pairwise_indices_ is theirs.pairwise_indices_ is None


def test_tables_of_pairs():
    """A base that takes a table of pairs of rows sees the pairs of its own rows."""
    table = X @ X.T
    base = svm.SVC(kernel="precomputed")
    ours, theirs = (cls(base).fit(table, Y) for cls in (OneVsOneClassifier, multiclass.OneVsOneClassifier))
    np.testing.assert_allclose(ours.decision_function(table), theirs.decision_function(table), rtol=1e-12)
    for mine, other in zip(ours.pairwise_indices_, theirs.pairwise_indices_, strict=True):
        assert np.array_equal(mine, other)


@pytest.mark.parametrize("base", [GaussianNB(), LeastSquaresClassifier(), SGDClassifier(random_state=0)], ids=str)
def test_partial_fit(base):
    """Batches give what scikit-learn's gives with the same base, also where a batch lacks classes."""
    ours, theirs = OneVsOneClassifier(base), multiclass.OneVsOneClassifier(base)
    order = np.r_[np.arange(120), 120 + np.argsort(GROUP[120:], kind="stable")]
    for part in (order[:60], order[60:120], order[120:]):
        for model in (ours, theirs):
            model.partial_fit(X[part], GROUP[part], classes=np.arange(4))
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_weights():
    """Each fit gets the weights of its own rows."""
    model = OneVsOneClassifier(LogisticRegression()).fit(X, Y, sample_weight=WEIGHT)
    for (i, j), estimator in zip(PAIRS, model.estimators_, strict=True):
        inside = np.isin(GROUP, [i, j])
        expected = LogisticRegression().fit(X[inside], GROUP[inside] == j, sample_weight=WEIGHT[inside])
        np.testing.assert_array_equal(estimator.coef_, expected.coef_)


def test_forms_of_a_table():
    """Frames, sparse tables, lists and missing cells go to the base as they are."""
    expected = OneVsOneClassifier(LogisticRegression()).fit(X, Y).predict(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for form in (frame, pl.DataFrame(frame.to_dict("list")), X.tolist(), sparse.csc_array(X)):
        model = OneVsOneClassifier(LogisticRegression()).fit(form, Y)
        assert np.array_equal(model.predict(form), expected)
    assert list(OneVsOneClassifier(LogisticRegression()).fit(frame, Y).feature_names_in_) == ["a", "b", "c"]
    holes = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    assert OneVsOneClassifier(GaussianNB()).fit(holes, Y).score(holes, Y) > 0.4


@pytest.mark.parametrize("base", [LogisticRegression(), LeastSquaresClassifier()], ids=str)
def test_files_and_dask(base, tmp_path):
    """Opened rows and Dask collections give the planes of the table in memory: rows of other classes weigh nothing."""
    import dask.array as da

    expected = OneVsOneClassifier(base).fit(X, Y)
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=Y).to_parquet(tmp_path / "t.parquet")
    opened = aprendiz.rows(tmp_path / "t.parquet", target="y")
    for model in (OneVsOneClassifier(base).fit(opened), OneVsOneClassifier(base).fit(da.from_array(X, chunks=(70, -1)), Y)):
        for one, other in zip(model.estimators_, expected.estimators_, strict=True):
            np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-6, atol=1e-8)
        assert np.array_equal(model.predict(opened), expected.predict(X))
        assert model.score(opened) == expected.score(X, Y)


# ---- votes -----------------------------------------------------------------------------------------------------------------


def test_votes():
    """Every pair gives one vote; a class has at most K − 1; the decision is within ⅓ of the votes."""
    model = OneVsOneClassifier(LogisticRegression()).fit(X, Y)
    votes = model.votes(X)
    assert (votes.sum(axis=1) == len(PAIRS)).all()
    assert votes.max() <= 3
    assert np.abs(model.decision_function(X) - votes).max() < 1 / 3
    assert np.array_equal(model.predict(X)[~model.ambiguous(X)], NAMES[votes.argmax(axis=1)][~model.ambiguous(X)])


def test_ambiguous():
    """Rows on which several classes have the most votes; their winner is one of these."""
    wide = 6 * RNG.normal(size=(4000, 3))
    model = OneVsOneClassifier(LogisticRegression()).fit(X, Y)
    votes, tied = model.votes(wide), model.ambiguous(wide)
    best = votes == votes.max(axis=1, keepdims=True)
    assert np.array_equal(tied, best.sum(axis=1) > 1)
    assert 0 < tied.mean() < 0.5
    winner = np.searchsorted(NAMES, model.predict(wide))
    assert best[np.arange(len(wide)), winner].all()


def test_a_circle_of_three():
    """Three classes that beat each other in turn have a vote each in the middle, and nowhere else are votes tied."""
    angle = 2 * np.pi * np.arange(3) / 3
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    rows = np.concatenate([points, points + 0.9 * np.roll(points, -1, axis=0)])
    model = OneVsOneClassifier(LeastSquaresClassifier()).fit(rows, np.tile(["a", "b", "c"], 2))
    grid = np.stack(np.meshgrid(*[np.linspace(-1.5, 1.5, 301)] * 2), axis=-1).reshape(-1, 2)
    votes = model.votes(grid)
    assert (votes.sum(axis=1) == 3).all()
    assert np.array_equal(model.ambiguous(grid), (votes == 1).all(axis=1))
    assert model.ambiguous(np.zeros((1, 2))).all()
    assert 0 < model.ambiguous(grid).mean() < 0.2


def test_saved_and_loaded(tmp_path):
    """A fitted model comes back from disk."""
    model = OneVsOneClassifier(LogisticRegression()).fit(X, Y)
    aprendiz.save(model, tmp_path / "m.apz")
    np.testing.assert_array_equal(aprendiz.load(tmp_path / "m.apz").decision_function(X), model.decision_function(X))


def test_refused():
    """What one against the rest refuses is refused here too, and a single class, which makes no pair."""
    bad = X.copy()
    bad[3, 2] = np.inf
    with pytest.raises(ValueError, match="only one class"):
        OneVsOneClassifier(LogisticRegression()).fit(X, np.zeros(200, int))
    for kind in (OneVsOneClassifier, OneVsRestClassifier):
        with pytest.raises(ValueError, match="row 3, column 2"):
            kind(LogisticRegression()).fit(bad, np.where(np.arange(200) < 100, "a", "b"))
