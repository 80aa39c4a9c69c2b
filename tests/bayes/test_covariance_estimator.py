"""Discriminant analysis with covariances by an object of the user, with rescaled priors, and with no direction left."""

import numpy as np
import pandas as pd
import pytest
from sklearn import discriminant_analysis
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.covariance import OAS, LedoitWolf, ShrunkCovariance

import aprendiz
from aprendiz import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

RNG = np.random.default_rng(4)
X = RNG.normal(size=(90, 4)) @ RNG.normal(size=(4, 4)) + 50.0
Y = np.array(["a", "b", "c"])[np.arange(90) % 3]
X[Y == "b"] += 1.0
X[Y == "c", 0] *= 1.1
BOTH = [(LinearDiscriminantAnalysis, "eigen"), (LinearDiscriminantAnalysis, "lsqr"), (QuadraticDiscriminantAnalysis, "eigen")]


class Diagonal:
    """The variances of the columns; not an estimator of scikit-learn."""

    def fit(self, X):
        self.covariance_ = np.diag(X.var(axis=0))


class Wrong(BaseEstimator):
    """Gives something that is not a covariance of the columns."""

    def __init__(self, given=0.0):
        self.given = given

    def fit(self, X):
        self.covariance_ = np.full((2, 2), self.given)


@pytest.mark.parametrize(("cls", "solver"), BOTH)
@pytest.mark.parametrize(
    "estimator", [ShrunkCovariance(shrinkage=0.3), LedoitWolf(), OAS(), Diagonal()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_as_scikit_learn(cls, solver, estimator, priors):
    """The same posteriors, and the same covariances where they are stored."""
    settings = {"solver": solver, "covariance_estimator": estimator, "store_covariance": True, "priors": priors}
    ours, theirs = (one(**settings).fit(X, Y) for one in (cls, getattr(discriminant_analysis, cls.__name__)))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-9)
    assert ours.certificate_.holds
    assert "of the model" in ours.certificate_.claim


@pytest.mark.parametrize(("cls", "solver"), BOTH)
def test_one_column_and_few_rows(cls, solver):
    """A number for a covariance will do; more columns than rows too, where the estimate has full rank."""
    narrow = cls(solver=solver, covariance_estimator=LedoitWolf()).fit(X[:, :1], Y)
    theirs = getattr(discriminant_analysis, cls.__name__)(solver=solver, covariance_estimator=LedoitWolf()).fit(X[:, :1], Y)
    np.testing.assert_allclose(narrow.predict_proba(X[:, :1]), theirs.predict_proba(X[:, :1]), rtol=1e-8)
    wide = RNG.normal(size=(12, 20))
    ours = cls(solver=solver, covariance_estimator=ShrunkCovariance(shrinkage=0.5)).fit(wide, Y[:12])
    shrunk = cls(solver=solver, shrinkage=0.5).fit(wide, Y[:12])
    np.testing.assert_allclose(ours.predict_proba(wide), shrunk.predict_proba(wide), rtol=1e-7, atol=1e-12)


def test_the_object_is_left_as_it_is():
    """It is a parameter: what is fitted are copies."""
    estimator = LedoitWolf()
    QuadraticDiscriminantAnalysis(solver="eigen", covariance_estimator=estimator).fit(X, Y)
    assert not hasattr(estimator, "covariance_")


@pytest.mark.parametrize(("cls", "solver"), BOTH)
def test_refusals(cls, solver, tmp_path):
    """What is no estimator of covariances, what does not go together, and rows that are not there all at once."""
    for estimator, words in [
        (KMeans(2), "KMeans does not have a covariance_ attribute"),
        (Wrong(), r"must hold 4 × 4 finite numbers, got an array of shape \(2, 2\)"),
        ("oas", "must be an object with a method fit, or None, got 'oas'"),
    ]:
        with pytest.raises(ValueError, match=words):
            cls(solver=solver, covariance_estimator=estimator).fit(X, Y)
    with pytest.raises(ValueError, match="finite numbers"):
        cls(solver=solver, covariance_estimator=Wrong(np.nan)).fit(X[:, :2], Y)
    with pytest.raises(ValueError, match=r"covariance_estimator and shrinkage parameters are not None"):
        cls(solver=solver, shrinkage=0.1, covariance_estimator=LedoitWolf()).fit(X, Y)
    with pytest.raises(ValueError, match="not supported with solver='svd'"):
        cls(solver="svd", covariance_estimator=LedoitWolf()).fit(X, Y)
    model = cls(solver=solver, covariance_estimator=LedoitWolf())
    with pytest.raises(ValueError, match="knows no weights"):
        model.fit(X, Y, sample_weight=np.ones(90))
    with pytest.raises(ValueError, match="not available to partial_fit"):
        model.partial_fit(X[:50], Y[:50]).partial_fit(X[50:], Y[50:])
    pd.DataFrame(X).add_prefix("x").assign(y=Y).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="needs a table in memory"):
        model.fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_priors_are_rescaled(solver):
    """With a warning where the user called, and the answers of the rescaled priors."""
    with pytest.warns(UserWarning, match=r"priors do not sum to 1 but to 4:") as caught:
        model = LinearDiscriminantAnalysis(solver=solver, priors=[1, 2, 1]).fit(X, Y)
    assert [one.filename for one in caught] == [__file__]
    same = LinearDiscriminantAnalysis(solver=solver, priors=[0.25, 0.5, 0.25]).fit(X, Y)
    assert np.array_equal(model.priors_, same.priors_)
    assert np.array_equal(model.predict_proba(X), same.predict_proba(X))
    for bad in ([0.5, -0.5, 1.0], [1.0, -3.0, 1.0]):
        with pytest.raises(ValueError, match="must be non-negative, got"):
            LinearDiscriminantAnalysis(solver=solver, priors=bad).fit(X, Y)
    with pytest.raises(ValueError, match="sum of the priors should be 1, but it is 0"):
        LinearDiscriminantAnalysis(solver=solver, priors=[0.0, 0.0, 0.0]).fit(X, Y)


def test_no_direction_is_left():
    """A tol above every deviation leaves only the priors: a warning where the user called."""
    rows = np.r_[X, X[Y == "b"]]
    labels = np.r_[Y, Y[Y == "b"]]
    with pytest.warns(UserWarning, match=r"by more than tol=10\.0 in any direction") as caught:
        model = LinearDiscriminantAnalysis(tol=10.0).fit(rows, labels)
    assert [one.filename for one in caught] == [__file__]
    assert set(model.predict(rows)) == {"b"}
    np.testing.assert_allclose(model.predict_proba(rows), np.tile([0.25, 0.5, 0.25], (120, 1)))
