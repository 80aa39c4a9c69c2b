"""Replicates: a learner fitted from weighted sums is the learner fitted to the rows as often as they were drawn."""

from dataclasses import fields

import numpy as np
import pytest
from sklearn.base import clone

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    GaussianNB,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    Ridge,
)
from aprendiz.core import rows as core_rows
from aprendiz.evaluation.folds.bootstrap_draws import bootstrap_counts
from aprendiz.summaries.moments import Moments
from aprendiz.summaries.replicates import Replicates, sibling

RNG = np.random.default_rng(3)
CODES = np.arange(400) % 3
X = RNG.normal(size=(400, 4)) * [1.0, 10.0, 0.1, 3.0] + CODES[:, None] + 1e4
NUMBER = X @ [1.0, -0.2, 3.0, 0.5] + RNG.normal(size=400)
REGRESSORS = [LinearRegression(), LinearRegression(solver="normal"), LinearRegression(fit_intercept=False), Ridge(2.0)]
CLASSIFIERS = [
    GaussianNB(),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    DiagonalDiscriminantAnalysis(),
    NearestMean(),
    LeastSquaresClassifier(),
]
LEARNERS = [(one, NUMBER) for one in REGRESSORS] + [(one, np.array(["a", "b", "c"])[CODES]) for one in CLASSIFIERS]


@pytest.mark.parametrize(("learner", "y"), LEARNERS, ids=[str(one) for one, _ in LEARNERS])
def test_as_if_fitted_to_the_rows(learner, y, monkeypatch):
    """Over several blocks, with an offset that would cost digits if sums were taken around zero."""
    monkeypatch.setattr(core_rows, "FEWEST_ROWS", 64)
    monkeypatch.setattr(core_rows, "MOST_ROWS", 64)
    counts = bootstrap_counts(5, y, None, y is not NUMBER, seed=1)
    replicates = Replicates(clone(learner).open(X, y), counts)
    for number, count in enumerate(counts):
        drawn = np.repeat(np.arange(400), count)
        wanted, model, rows = clone(learner).fit(X[drawn], y[drawn]), clone(learner), replicates.rows(number)
        model.settle({**rows.noted, **model.learned(rows)})
        if y is NUMBER:
            np.testing.assert_allclose(model.predict(X), wanted.predict(X), rtol=1e-8)
        else:
            how = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
            np.testing.assert_allclose(getattr(model, how)(X), getattr(wanted, how)(X), atol=1e-8)


def test_missing_cells():
    """Cells that are missing are left out of the sums under every weight."""
    table = X - 1e4
    table[::7, 1] = np.nan
    y = CODES
    counts = bootstrap_counts(4, y, None, True, seed=2)
    replicates = Replicates(GaussianNB().open(table, y), counts)
    for number, count in enumerate(counts):
        drawn = np.repeat(np.arange(400), count)
        rows, wanted = replicates.rows(number), GaussianNB().fit(table[drawn], y[drawn])
        found = GaussianNB().learned(rows)
        for name in ("theta_", "var_", "class_count_"):
            np.testing.assert_allclose(found[name], getattr(wanted, name), rtol=1e-9)


@pytest.mark.parametrize("learner", [Ridge(), LinearRegression(solver="normal"), GaussianNB(), QuadraticDiscriminantAnalysis()])
def test_records(learner):
    """Every number of a record is that of the rows under the same weights, and all are found in one product."""
    y = NUMBER if hasattr(learner, "fit_intercept") else CODES
    opened, counts = learner.open(X, y), bootstrap_counts(3, y, None, False, seed=5)
    replicates = Replicates(opened, counts)
    for number, count in enumerate(counts):
        mine = learner.summarise(replicates.rows(number))
        wanted = learner.summarise(opened.like(weight=count.astype(float)))
        assert type(mine) is type(wanted)
        for one in fields(mine):
            a, b = getattr(mine, one.name), getattr(wanted, one.name)
            if one.name == "spread":
                a, b = (np.stack([getattr(s, f.name) for f in fields(s)]) for s in (a, b))
            if isinstance(a, (float, np.ndarray)) and np.asarray(a).dtype.kind in "if":
                np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-8, err_msg=one.name)
            elif one.name != "labels":
                assert a == b, one.name
    assert len(replicates.sums) == 1


def test_a_record_that_says_it_anew():
    """A statistic that was redefined does not take the sibling of what it was before."""

    class Other(Moments):
        @classmethod
        def joint(cls, pivot, block):
            return super().joint(pivot, block)

    assert sibling(Moments.joint) is not None
    assert sibling(Other.of) is not None
    assert sibling(Other.joint) is None
    assert sibling(len) is None
    replicates = Replicates(Ridge().open(X, NUMBER), bootstrap_counts(2, NUMBER, None, False, 0))
    pivot = np.zeros(5)
    by_itself, together = (replicates.rows(1).sum(one.joint, pivot) for one in (Other, Moments))
    np.testing.assert_allclose(by_itself.gram, together.gram, rtol=1e-12)


def test_bits_for_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(core_rows, "MOST_ROWS", 64)
    monkeypatch.setattr(core_rows, "FEWEST_ROWS", 64)
    found = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        replicates = Replicates(Ridge().open(X, NUMBER), bootstrap_counts(3, NUMBER, None, False, 0))
        found.append([Ridge().learned(replicates.rows(number))["coef_"].tobytes() for number in range(3)])
    assert found[0] == found[1] == found[2]
