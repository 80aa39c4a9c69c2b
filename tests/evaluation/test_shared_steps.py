"""Steps that methods have in common: fitted once, and nothing else is different."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.pipeline import make_pipeline

from aprendiz import GaussianNB, KNeighborsClassifier, LogisticRegression, StandardScaler
from aprendiz.evaluation import KFolds, Tuned
from aprendiz.evaluation.folds.fold_run import run
from aprendiz.evaluation.folds.shared_steps import SharedSteps


class Shift(TransformerMixin, BaseEstimator):
    """Subtracts the mean, counts what is done, and warns."""

    fits, transforms = 0, 0

    def __init__(self, times=1.0, random_state=0, columns=None):
        self.times = times
        self.random_state = random_state
        self.columns = columns

    def fit(self, X, y=None):
        Shift.fits += 1
        warnings.warn("shifted", UserWarning, stacklevel=1)
        self.mean_ = self.times * X.mean(axis=0) + (0.0 if y is None else np.mean(y == y[0]))
        return self

    def transform(self, X):
        Shift.transforms += 1
        return X - self.mean_


@pytest.fixture(autouse=True)
def from_zero(monkeypatch):
    monkeypatch.setattr(Shift, "fits", 0)
    monkeypatch.setattr(Shift, "transforms", 0)


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[rng.integers(0, 2, 90)]
    return rng.standard_normal((90, 3)) + (y == "yes")[:, None], y


GRID = {"C": [0.1, 1.0, 10.0]}
LEARNERS = [
    Tuned(make_pipeline(Shift(), StandardScaler(), LogisticRegression()), GRID, folds=3),
    Tuned(make_pipeline(Shift(), StandardScaler(), KNeighborsClassifier()), {"n_neighbors": [1, 5]}, folds=3),
    Tuned(make_pipeline(Shift(), GaussianNB()), {"shift__times": [0.5, 1.0], "var_smoothing": [1e-9, 0.1]}, folds=3),
    make_pipeline(Shift(), TheirLogisticRegression()),
    GaussianNB(),
]


def test_what_is_shared_changes_no_score(blobs):
    """Every prediction, choice and warning is that of the learner alone, to the last bit, in each fold."""
    X, y = blobs
    for number, (train, test) in enumerate(KFolds(3).splits(y, None, True)):
        shared = SharedSteps()
        for learner in LEARNERS:
            alone, together = (run(number, learner, X, y, train, test, shared=one) for one in (None, shared))
            np.testing.assert_array_equal(together.prediction, alone.prediction)
            np.testing.assert_array_equal(together.probability, alone.probability)
            assert (together.chosen, together.warnings, together.how) == (alone.chosen, alone.warnings, alone.how)


def test_the_same_steps_on_the_same_rows_are_fitted_once(blobs):
    """Two tuned learners with the same preparation: one fit for each of three inner folds, and one for the outer fold."""
    X, y = blobs
    train, test = next(iter(KFolds(3).splits(y, None, True)))
    shared = SharedSteps()
    run(0, LEARNERS[0], X, y, train, test, shared=shared)
    assert Shift.fits == 4
    done, spent = Shift.transforms, shared.seconds
    run(0, LEARNERS[1], X, y, train, test, shared=shared)
    assert (Shift.fits, Shift.transforms) == (4, done)
    assert shared.seconds > spent


def test_what_differs_is_fitted_anew(blobs):
    """Other parameters, other rows, another target, or chance without a seed."""
    X, y = blobs
    shared = SharedSteps()

    def fitted(step, rows=X, target=y):
        before = Shift.fits
        with pytest.warns(UserWarning, match="shifted"):
            shared.fit_transform(make_pipeline(step), rows, target)
        return Shift.fits - before

    assert [fitted(Shift()), fitted(Shift()), fitted(Shift(times=2.0)), fitted(Shift(times=2.0))] == [1, 0, 1, 0]
    assert [fitted(Shift(), X.copy()), fitted(Shift(), X, y[::-1])] == [1, 1]
    assert [fitted(Shift(random_state=None)), fitted(Shift(random_state=None))] == [1, 1]
    assert [fitted(Shift(columns={"a": [1, 2]})), fitted(Shift(columns={"a": [1, 2]})), fitted(Shift(columns={"a": [2]}))] == [
        *(1, 0, 1),
    ]
    assert [fitted(Shift(columns=np.arange(2))), fitted(Shift(columns=np.arange(2))), fitted(Shift(columns=np.ones(2)))] == [
        *(1, 0, 1),
    ]


@pytest.mark.parametrize("most", [0, 100])
def test_memory_is_bounded(blobs, most):
    """What does not fit is computed again."""
    X, y = blobs
    shared = SharedSteps(most)
    for _ in range(2):
        with pytest.warns(UserWarning, match="shifted"):
            _, part = shared.fit_transform(make_pipeline(Shift()), X, y)
    assert Shift.fits == 2
    assert shared.done == {}
    assert part.shape == X.shape


def test_rows_are_the_same_object(blobs):
    X, _ = blobs
    shared = SharedSteps()
    assert shared.rows(X, np.arange(5)) is shared.rows(X, np.arange(5))
    assert shared.rows(X, np.arange(5)) is not shared.rows(X, np.arange(6))
    np.testing.assert_array_equal(shared.rows(X, np.arange(5)[::-1]), X[4::-1])
