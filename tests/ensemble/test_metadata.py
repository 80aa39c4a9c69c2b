"""Metadata of rows that an ensemble hands on to its members, as scikit-learn routes it."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV

from aprendiz import AdaBoostClassifier, BaggingClassifier, BaggingRegressor, DecisionTreeClassifier, GaussianNB

IRIS, KINDS = load_iris(return_X_y=True)
NUMBERS = np.arange(len(KINDS))


class Told:
    """Keeps what it is told of its rows."""

    def fit(self, X, y, sample_weight=None, marks=None):
        self.classes_, self.rows, self.marks, self.weight = np.unique(y), X, marks, sample_weight
        return self

    def predict(self, X, marks=None):
        return np.zeros(len(X)) if marks is None else np.asarray(marks) % 2


class ToldClassifier(Told, ClassifierMixin, BaseEstimator):
    def predict_proba(self, X, marks=None):
        said = Told.predict(self, X, marks)
        return np.column_stack([1.0 - said, said])


class ToldRegressor(Told, RegressorMixin, BaseEstimator):
    pass


kinds = pytest.mark.parametrize("kind", [(BaggingClassifier, ToldClassifier), (BaggingRegressor, ToldRegressor)])


@kinds
@pytest.mark.parametrize("weighted", [False, True])
@config_context(enable_metadata_routing=True)
def test_marks_go_with_their_rows(kind, weighted):
    ensemble, member = kind
    base = member().set_fit_request(marks=True, sample_weight=weighted or None)
    weight = np.where(NUMBERS % 3 == 0, 0.0, 1.0)  # rows that are left out of the table must not shift the others
    model = ensemble(base, random_state=0).fit(IRIS, KINDS % 2, sample_weight=weight, marks=NUMBERS)
    assert not hasattr(model, "told") or not model.told
    for learner, bag in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert np.array_equal(learner.rows, IRIS[learner.marks])
        expected = np.unique(bag) if weighted else np.sort(bag)
        assert np.array_equal(np.sort(learner.marks), expected)
        assert (learner.weight is not None) == weighted


@config_context(enable_metadata_routing=True)
def test_marks_in_predictions():
    base = ToldClassifier().set_predict_proba_request(marks=True)
    model = BaggingClassifier(base, random_state=0).fit(IRIS, KINDS % 2)
    assert np.array_equal(model.predict(IRIS, marks=NUMBERS), NUMBERS % 2)
    assert np.array_equal(model.predict_proba(IRIS, marks=NUMBERS)[:, 1], NUMBERS % 2)
    assert np.array_equal(np.exp(model.predict_log_proba(IRIS, marks=NUMBERS))[:, 1], NUMBERS % 2)
    assert not model.predict(IRIS).any()
    hard = BaggingClassifier(ToldClassifier().set_predict_request(marks=True), voting="hard").fit(IRIS, KINDS % 2)
    assert np.array_equal(hard.predict(IRIS, marks=NUMBERS), NUMBERS % 2)
    numbers = BaggingRegressor(ToldRegressor().set_predict_request(marks=True)).fit(IRIS, KINDS)
    assert np.array_equal(numbers.predict(IRIS, marks=NUMBERS), NUMBERS % 2)


@kinds
def test_who_does_not_ask_is_not_told(kind):
    ensemble, member = kind
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        ensemble(member()).fit(IRIS, KINDS, marks=NUMBERS)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError, match="marks"):
            ensemble(member()).fit(IRIS, KINDS, marks=NUMBERS)
        with pytest.raises(TypeError, match="marks"):
            ensemble().fit(IRIS, KINDS, marks=NUMBERS)


@config_context(enable_metadata_routing=True)
def test_groups_in_a_search():
    base = GaussianNB().set_fit_request(sample_weight=True)
    search = GridSearchCV(BaggingClassifier(base, random_state=0), {"n_estimators": [2, 3]}, cv=3, error_score="raise")
    weight = np.where(KINDS == 2, 0.0, 1.0)
    assert set(search.fit(IRIS, KINDS, sample_weight=weight).predict(IRIS)) == {0, 1}


def test_configuration_of_the_caller_reaches_members(monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "2")
    with config_context(enable_metadata_routing=True):
        base = BaggingClassifier(ToldClassifier().set_fit_request(marks=True), n_estimators=2)
        model = BaggingClassifier(base, n_estimators=20, random_state=0).fit(IRIS, KINDS % 2, marks=NUMBERS)
    assert all(one.marks is not None for inner in model.estimators_ for one in inner.estimators_)


def test_small_logarithms():
    """The logarithms of members of tiny probabilities are not those of 0."""
    model = BaggingClassifier(GaussianNB(), 3, random_state=0).fit(IRIS, KINDS)
    far = IRIS.mean(axis=0) + 1e3 * np.eye(4)
    logs = np.array([member.predict_log_proba(far) for member in model.estimators_])
    assert np.isfinite(logs).all()
    assert logs.min() < -800
    expected = logs.max(axis=0) + np.log(np.exp(logs - logs.max(axis=0)).mean(axis=0))
    np.testing.assert_allclose(model.predict_log_proba(far), expected, rtol=1e-12, atol=1e-300)


@config_context(enable_metadata_routing=True)
def test_boosting_weighs_rows_itself():
    """scikit-learn's AdaBoost takes no weights where metadata is routed: ours takes them as any learner does."""
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3, random_state=0)
    weight = np.where(KINDS == 2, 0.0, 1.0)
    model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    search = GridSearchCV(model, {"n_estimators": [2]}, cv=3, error_score="raise")
    assert set(search.fit(IRIS, KINDS, sample_weight=weight).predict(IRIS)) == {0, 1}
