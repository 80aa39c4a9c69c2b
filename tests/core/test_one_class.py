"""A single class in y: whoever has something to say of it does so, as scikit-learn's classifiers do; others refuse it."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.naive_bayes
import sklearn.neighbors
import sklearn.tree

import aprendiz

X = np.random.RandomState(0).randint(0, 4, (30, 3)).astype(float)
Y = np.array(["ash"] * 30)
FITS = (
    *("DecisionTreeClassifier", "RandomForestClassifier", "ExtraTreesClassifier", "AdaBoostClassifier", "BaggingClassifier"),
    *("KNeighborsClassifier", "RadiusNeighborsClassifier"),
    *("GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "CategoricalNB"),
)
OURS = ("CART", "C45", "ID3", "NaiveBayes")
REFUSE = (
    *("LogisticRegression", "Perceptron", "SGDClassifier", "QuadraticDiscriminantAnalysis", "NearestCentroid"),
    *("LinearDiscriminantAnalysis", "NearestShrunkenCentroids"),
)
THEIRS = {
    name: getattr(module, name)
    for module in (sklearn.tree, sklearn.ensemble, sklearn.neighbors, sklearn.naive_bayes)
    for name in FITS
    if hasattr(module, name)
}


def made(name):
    few = {"n_estimators": 3} if name in ("RandomForestClassifier", "ExtraTreesClassifier") else {}
    return getattr(aprendiz, name)(**few)


@pytest.mark.parametrize("name", [*FITS, *OURS])
def test_fits(name):
    """Every row is of the only class, with probability 1."""
    model = made(name).fit(X, Y)
    assert model.classes_.tolist() == ["ash"]
    assert (model.predict(X) == Y).all()
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((30, 1)))
    assert model.certificate_.holds


@pytest.mark.parametrize("name", FITS)
def test_as_scikit_learn(name):
    """What scikit-learn's classifier of the same name says of one class, ours says."""
    ours, theirs = made(name).fit(X, Y), THEIRS[name]().fit(X, Y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    if hasattr(theirs, "decision_function"):
        np.testing.assert_array_equal(ours.decision_function(X), theirs.decision_function(X))


@pytest.mark.parametrize("name", REFUSE)
def test_refuses(name):
    """A frontier needs two classes; the refusal names the only one."""
    with pytest.raises(ValueError, match="only one class, 'ash'"):
        made(name).fit(X, Y)


def test_opened_rows(tmp_path):
    """Rows that are read in blocks are no exception."""
    import pandas as pd

    path = tmp_path / "ash.parquet"
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=Y).to_parquet(path)
    rows = aprendiz.rows(path, target="y")
    assert aprendiz.GaussianNB().fit(rows).classes_.tolist() == ["ash"]
    with pytest.raises(ValueError, match="only one class, 'ash'"):
        aprendiz.LogisticRegression().fit(rows)
