"""The leak meter: every planted leak is caught with its effect, and clean pipelines are not accused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline

from aprendiz import (
    PCA,
    DecisionTreeClassifier,
    GaussianNB,
    KFolds,
    KNeighborsClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LogisticRegression,
    MinMaxScaler,
    Ridge,
    SimpleImputer,
    StandardScaler,
    datasets,
    evaluate,
)

WINE, CULTIVAR = load_wine(return_X_y=True)
RNG = np.random.default_rng(0)
GAPS = np.where(RNG.random(WINE.shape) < 0.1, np.nan, WINE)
NOISE, COIN = RNG.normal(size=(120, 3)), RNG.integers(0, 2, 120)


def leaks(learner, X, y, **options):
    return evaluate(learner, X, y, **{"protocol": KFolds(4), **options}, watch=True).leaks


def only_leak(*given, **options):
    found = leaks(*given, **options)
    assert len(found) == 1, [str(one) for one in found]
    return found[0]


def score(learner, X, y, **options):
    return evaluate(learner, X, y, **{"protocol": KFolds(4), **options}).score("accuracy").value


# ---- planted -------------------------------------------------------------------------------------------------------------


def test_rows_that_stand_twice():
    """The honest score is that with the copies on one side."""
    X, y = np.vstack([NOISE, NOISE[:60]]), np.concatenate([COIN, COIN[:60]])
    found = only_leak(KNeighborsClassifier(1), X, y)
    copies = np.concatenate([np.arange(120), np.arange(60)])
    assert found.code == "duplicate-rows"
    assert found.leaking == score(KNeighborsClassifier(1), X, y)
    assert found.honest == pytest.approx(score(KNeighborsClassifier(1), X, y, groups=copies), abs=0.1)  # other folds
    assert found.honest < found.leaking - 0.15
    assert not leaks(KNeighborsClassifier(1), X, y, groups=copies)


def patients():
    """Four rows of each of 40 patients, whose noses tell who they are, and nothing of the class."""
    patient = np.repeat(np.arange(40), 4)
    X = RNG.normal(size=(40, 4))[patient] + 0.1 * RNG.normal(size=(160, 4))
    return patient, pd.DataFrame(X, columns=list("abcd")).assign(patient=patient + 1000), RNG.integers(0, 2, 40)[patient]


def test_groups_on_both_sides():
    """A column of patients, of which nothing was said; with groups= there is no leak."""
    patient, table, y = patients()
    found = only_leak(KNeighborsClassifier(1), table, y)
    assert found.code == "group-on-both-sides"
    assert "'patient' groups the rows (40 groups)" in found.what
    assert found.honest == score(KNeighborsClassifier(1), table, y, groups=patient)
    assert found.honest < found.leaking - 0.2
    assert not leaks(KNeighborsClassifier(1), table, y, groups=patient)


class EveryOther:
    """A protocol that knows no groups."""

    def splits(self, y, groups, by_class):
        rows = np.arange(len(y))
        for part in (rows[::2], rows[1::2]):
            yield np.setdiff1d(rows, part), part


def test_a_protocol_that_splits_groups():
    patient, table, y = patients()
    found = only_leak(GaussianNB(), table[list("abcd")], y, groups=patient, protocol=EveryOther())
    assert found.code == "group-on-both-sides"
    assert found.what.startswith("100.0 % of the test rows are of a group")


@pytest.mark.parametrize("frame", [False, True])
def test_the_target_in_disguise(frame):
    """The honest score is that of a column in another order, which knows nothing."""
    X = np.column_stack([NOISE, 3.0 - COIN])
    found = only_leak(DecisionTreeClassifier(), pd.DataFrame(X, columns=list("abcd")) if frame else X, COIN)
    assert found.code == "target-column"
    assert ("'d'" if frame else "Column 3") in found.what
    assert found.leaking == 1.0
    assert found.honest < 0.7


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler()])
def test_scaled_outside(scaler):
    """The honest score is that of the raw table with the scaler in a pipeline."""
    found = only_leak(KNeighborsClassifier(), scaler.fit_transform(WINE), CULTIVAR)
    assert found.code == "scaled-outside"
    assert found.honest == score(make_pipeline(scaler, KNeighborsClassifier()), WINE, CULTIVAR)


def test_scaled_outside_and_tuned():
    """A grid goes with the learner inside the pipeline."""
    found = only_leak(KNeighborsClassifier(), StandardScaler().fit_transform(WINE), CULTIVAR, grid={"n_neighbors": [1, 9]})
    assert 0.5 < found.honest <= 1.0


def test_imputed_outside():
    """The honest score is that of the table with its gaps and the imputer in a pipeline."""
    gaps = WINE.copy()
    gaps[RNG.permutation(len(WINE))[:25], 0] = np.nan
    gaps[:, 0] += 0.001 * RNG.normal(size=len(WINE))  # measured finely: hardly a value comes again
    found = only_leak(LinearDiscriminantAnalysis(), SimpleImputer().fit_transform(gaps), CULTIVAR)
    assert found.code == "imputed-outside"
    assert "25 times" in found.what
    assert found.honest == score(make_pipeline(SimpleImputer(), LinearDiscriminantAnalysis()), gaps, CULTIVAR)


def test_projected_outside():
    found = only_leak(KNeighborsClassifier(), PCA(3).fit_transform(WINE), CULTIVAR)
    assert found.code == "projected-outside"
    assert found.honest == found.honest


def test_encoded_outside():
    """60 levels without a meaning, each replaced by the mean target of its two rows."""
    level = np.repeat(np.arange(60), 2)
    means = np.bincount(level, COIN) / 2
    found = leaks(LogisticRegression(), np.column_stack([NOISE, means[level]]), COIN)
    assert [one.code for one in found] == ["encoded-outside"]
    assert found[0].honest < found[0].leaking - 0.15


def test_a_step_fitted_before():
    """Fitted to all rows: a leak. Fitted to other rows: none that could be proved."""
    learner = make_pipeline(FrozenEstimator(StandardScaler().fit(WINE)), KNeighborsClassifier())
    found = only_leak(learner, WINE, CULTIVAR)
    assert found.code == "fitted-before"
    assert found.honest == score(make_pipeline(StandardScaler(), KNeighborsClassifier()), WINE, CULTIVAR)
    elsewhere = make_pipeline(FrozenEstimator(StandardScaler().fit(WINE[::2])), KNeighborsClassifier())
    assert not leaks(elsewhere, WINE, CULTIVAR)
    whole = only_leak(FrozenEstimator(GaussianNB().fit(WINE, CULTIVAR)), WINE, CULTIVAR)
    assert whole.code == "fitted-before"
    assert whole.leaking > whole.honest


class Remembers(ClassifierMixin, BaseEstimator):
    """Predicts what any fit of the class has seen of a row, else 0."""

    seen = {}

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.update(zip(map(bytes, X), y, strict=True))
        return self

    def predict(self, X):
        return np.array([self.seen.get(bytes(row), 0) for row in X])


def test_a_learner_that_keeps_rows():
    """The first fold was honest; after the others the learner knows its rows."""
    Remembers.seen.clear()
    found = only_leak(Remembers(), NOISE, COIN)
    assert found.code == "keeps-rows"
    assert found.leaking == 1.0
    assert found.honest < 0.7


class OwnMean(TransformerMixin, BaseEstimator):
    """Takes off the mean of whatever rows it is given."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X - X.mean(axis=0)


def test_a_step_that_sees_the_test_rows():
    found = only_leak(make_pipeline(OwnMean(), GaussianNB()), WINE, CULTIVAR)
    assert found.code == "sees-test-rows"
    assert found.leaking > found.honest


# ---- clean ---------------------------------------------------------------------------------------------------------------

CLEAN = {
    "iris": (GaussianNB(), *load_iris(return_X_y=True)),
    "iris, frame": (DecisionTreeClassifier(random_state=0), *load_iris(return_X_y=True, as_frame=True)),
    "wine": (make_pipeline(StandardScaler(), KNeighborsClassifier()), WINE, CULTIVAR),
    "wine, components": (make_pipeline(StandardScaler(), PCA(3), LogisticRegression()), WINE, CULTIVAR),
    "cancer": (make_pipeline(StandardScaler(), LogisticRegression()), *load_breast_cancer(return_X_y=True)),
    "cancer, range": (make_pipeline(MinMaxScaler(), GaussianNB()), *load_breast_cancer(return_X_y=True)),
    "diabetes": (Ridge(), *load_diabetes(return_X_y=True)),
    "diabetes, raw": (LinearRegression(), *load_diabetes(return_X_y=True, scaled=False)),
    "noise": (KNeighborsClassifier(3), NOISE, COIN),
    "few levels": (GaussianNB(), RNG.integers(0, 3, (90, 3)).astype(float), RNG.integers(0, 2, 90)),
    "gaps": (make_pipeline(SimpleImputer(), LinearDiscriminantAnalysis()), GAPS, CULTIVAR),
}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_pipelines(name):
    assert leaks(*CLEAN[name]) == ()


def test_clean_words():
    """A table of words of the course."""
    data = datasets.load("tumour")
    assert leaks(DecisionTreeClassifier(), data.frame[list(data.features)], data.frame["diagnosis"], protocol=KFolds(3)) == ()


def test_in_words():
    """The sentences stand below the scores."""
    found = evaluate(KNeighborsClassifier(), StandardScaler().fit_transform(WINE), CULTIVAR, protocol=KFolds(4), watch=True)
    assert str(found).splitlines()[-1] == str(found.leaks[0])
    assert str(found.leaks[0]).startswith("scaled-outside: Mean 0 and standard deviation 1 over all rows")
    assert "with it" in str(found.leaks[0])
    assert evaluate(KNeighborsClassifier(), WINE, CULTIVAR, protocol=KFolds(4)).leaks == ()
