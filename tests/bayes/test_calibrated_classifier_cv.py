"""CalibratedClassifierCV: the three calibrators against other solvers, folds, weights, classes that folds lack, and routing."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import optimize, sparse
from sklearn import calibration, linear_model, svm, tree
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut
from sklearn.utils.estimator_checks import parametrize_with_checks

import aprendiz
from aprendiz import CalibratedClassifierCV, GaussianNB, LinearDiscriminantAnalysis, LogisticRegression, Perceptron
from aprendiz.bayes.calibration.isotonic_calibrator import IsotonicCalibrator
from aprendiz.bayes.calibration.sigmoid_calibrator import SigmoidCalibrator
from aprendiz.bayes.calibration.temperature_calibrator import HIGHEST, LOWEST, TemperatureCalibrator
from aprendiz.summaries.other_folds import OtherFolds

RNG = np.random.default_rng(5)
GROUP = RNG.choice(3, size=240, p=[0.5, 0.3, 0.2])
X = np.array([[0.0, 0.0, 0], [1.5, 0.5, 0], [0.5, 1.5, 1]])[GROUP] + RNG.normal(size=(240, 3))
X = np.column_stack([X, X + 0.1 * RNG.normal(size=X.shape)])  # columns that say the same twice
NAMES = np.array(["ash", "birch", "cedar"])
TWO = GROUP < 2
METHODS = ("sigmoid", "isotonic", "temperature")
SCORE = RNG.normal(size=80)
LABEL = RNG.random(80) < 1 / (1 + np.exp(-2 * SCORE))
WEIGHT = RNG.integers(1, 4, size=80).astype(float)
every_method = pytest.mark.parametrize("method", METHODS)
both_ways = pytest.mark.parametrize("ensemble", [True, False])


@parametrize_with_checks(
    [
        CalibratedClassifierCV(GaussianNB(), cv=2),
        CalibratedClassifierCV(LogisticRegression(), method="isotonic", ensemble=False),
    ]
)
def test_checks(estimator, check):
    """scikit-learn's own checks."""
    check(estimator)


# ---- calibrators -------------------------------------------------------------------------------------------------------


def platt_loss(place, scores, label, weight):
    yes, no = weight[label].sum(), weight[~label].sum()
    t, u = np.where(label, (yes + 1) / (yes + 2), 1 / (no + 2)), place[0] * scores + place[1]
    return weight @ (t * np.logaddexp(0, u) + (1 - t) * np.logaddexp(0, -u))


def test_sigmoid_against_a_simplex():
    """Platt's loss has its minimum where a search without derivatives finds it."""
    found = SigmoidCalibrator.fitted(SCORE, LABEL, WEIGHT)
    options = {"xatol": 1e-9, "fatol": 1e-14, "maxiter": 4000}
    other = optimize.minimize(platt_loss, [0, 0], (SCORE, LABEL, WEIGHT), method="Nelder-Mead", options=options)
    np.testing.assert_allclose([found.a_, found.b_], other.x, atol=1e-6)
    assert found.certificate.holds


def test_sigmoid_of_lin_lin_and_weng():
    """Three rows whose answer is known from their algorithm: the numbers stand in scikit-learn's tests, from LIBSVM."""
    found = SigmoidCalibrator.fitted(np.array([5.0, -4.0, 1.0]), np.array([True, False, False]), np.ones(3))
    np.testing.assert_allclose([found.a_, found.b_], [-0.20261354391187855, 0.65236314980010512], rtol=2e-5)


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e5, 1e200])
def test_sigmoid_has_no_units(scale):
    """Scores in other units have the same probabilities; far from 0, too."""
    base = SigmoidCalibrator.fitted(SCORE, LABEL, WEIGHT).predict(SCORE)
    moved = scale * (SCORE + 100.0)
    np.testing.assert_allclose(SigmoidCalibrator.fitted(moved, LABEL, WEIGHT).predict(moved), base, atol=1e-11)


@pytest.mark.parametrize("scores", [np.zeros(6), np.array([-1.0, -1, -1, 1, 1, 1])], ids=["equal", "separated"])
def test_sigmoid_is_finite(scores):
    """Platt's targets keep a and b finite where no score or every score tells the classes."""
    label = np.array([False] * 3 + [True] * 3)
    found = SigmoidCalibrator.fitted(scores, label, np.ones(6))
    assert found.certificate.holds
    expected = [0.2] * 3 + [0.8] * 3 if scores.any() else [0.5] * 6
    np.testing.assert_allclose(found.predict(scores), expected, atol=1e-9)


@pytest.mark.parametrize("ties", [False, True])
def test_isotonic_against_scikit_learn(ties):
    """The same function, between the scores and beyond them."""
    scores = np.round(SCORE) if ties else SCORE
    found = IsotonicCalibrator.fitted(scores, LABEL, WEIGHT)
    other = IsotonicRegression(out_of_bounds="clip").fit(scores, LABEL, WEIGHT)
    grid = np.r_[scores, np.linspace(-4, 4, 50)]
    np.testing.assert_allclose(found.predict(grid), other.predict(grid), atol=1e-14)
    np.testing.assert_array_equal(found.X_thresholds_, other.X_thresholds_)
    assert found.certificate.holds


def test_isotonic_by_hand():
    """1 0 0 pools to 1/3, and the weight 2 of the last row to (1 + 0 + 2·1)/4 once it is below what stands before it."""
    found = IsotonicCalibrator.fitted(np.arange(5.0), np.array([1, 0, 0, 1, 0.0]), np.array([1.0, 1, 1, 1, 2]))
    np.testing.assert_allclose(found.predict(np.arange(5.0)), 1 / 3)
    assert found.certificate.blocks == 1


def test_isotonic_certificate_can_fail():
    """Means of the wrong blocks miss the conditions of a minimum."""
    from aprendiz.bayes.calibration.isotonic_calibrator import certify

    total, weight = np.array([1.0, 0, 1]), np.ones(3)
    assert certify(total, weight, np.array([0.5, 0.5, 1.0]), np.array([1, 2])).holds
    assert not certify(total, weight, np.array([0.5, 0.6, 0.9]), np.array([0, 1, 2])).holds
    assert not certify(np.array([0.0, 1, 1]), weight, np.array([0.5, 0.5, 1.0]), np.array([1, 2])).holds  # could rise


def test_temperature_against_brent():
    """The log loss has its minimum where a bounded search finds it; certificates tell a wrong β."""
    z, codes = 3.0 * RNG.normal(size=(60, 4)), RNG.integers(0, 4, 60)
    z[np.arange(60), codes] += 2.0
    w = WEIGHT[:60]

    def loss(log_beta):
        return w @ (np.logaddexp.reduce(np.exp(log_beta) * z, axis=1) - np.exp(log_beta) * z[np.arange(60), codes])

    found = TemperatureCalibrator.fitted(z, codes, w)
    other = optimize.minimize_scalar(loss, bounds=(-10, 10), options={"xatol": 1e-12})
    assert np.log(found.beta_) == pytest.approx(other.x, abs=1e-7)
    assert found.certificate.holds
    assert (found.predict(z).argmax(axis=1) == z.argmax(axis=1)).all()


def test_temperature_at_its_ends():
    """Scores worse than chance, and scores that are always right."""
    z, codes = np.eye(3)[[0, 1, 2, 0]], np.array([0, 1, 2, 0])
    assert TemperatureCalibrator.fitted(z, codes, np.ones(4)).beta_ == HIGHEST
    assert TemperatureCalibrator.fitted(-z, codes, np.ones(4)).beta_ == LOWEST


@pytest.mark.parametrize("made", [SigmoidCalibrator, IsotonicCalibrator])
def test_weights_repeat_rows(made):
    """A row of weight 3 is the row three times."""
    times = WEIGHT.astype(int)
    one = made.fitted(SCORE, LABEL, WEIGHT).predict(SCORE)
    many = made.fitted(np.repeat(SCORE, times), np.repeat(LABEL, times), np.ones(times.sum())).predict(SCORE)
    np.testing.assert_allclose(one, many, atol=1e-12)


# ---- the classifier ----------------------------------------------------------------------------------------------------


@every_method
@both_ways
@pytest.mark.parametrize("two", [True, False])
def test_same_answer_as_scikit_learn(method, ensemble, two):
    """To the digits of its solvers."""
    table, y = (X[TWO], GROUP[TWO]) if two else (X, NAMES[GROUP])
    w = 0.5 + RNG.random(len(y))
    settings = {"method": method, "ensemble": ensemble, "cv": 3}
    for base in (GaussianNB(), LinearDiscriminantAnalysis()):
        ours = CalibratedClassifierCV(base, **settings).fit(table, y, w)
        theirs = calibration.CalibratedClassifierCV(base, **settings).fit(table, y, w)
        np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(table), atol=2e-6)
        assert ours.certificate_.holds
        assert len(ours.calibrated_classifiers_) == (3 if ensemble else 1)


def test_it_calibrates():
    """Naive Bayes with every column twice is too certain; calibrated it is less so, on other rows."""
    y = GROUP == 1
    raw, cured = GaussianNB().fit(X[:120], y[:120]), CalibratedClassifierCV(GaussianNB()).fit(X[:120], y[:120])
    error = [aprendiz.calibration(y[120:], model.predict_proba(X[120:])[:, 1]).log_loss for model in (raw, cured)]
    assert error[1] < 0.8 * error[0]


@every_method
def test_sums_of_the_other_folds(method, monkeypatch):
    """Fits from sums are fits to the rows."""
    model = CalibratedClassifierCV(GaussianNB(), method=method)
    quick = model.fit(X, GROUP).predict_proba(X)
    monkeypatch.setattr(OtherFolds, "of", lambda *_: None)
    np.testing.assert_allclose(model.fit(X, GROUP).predict_proba(X), quick, atol=1e-10)


def test_rows_that_the_classifier_has_seen_do_not_calibrate_it():
    """A tree that learned its rows by heart is sure of them; calibrated by folds, of noise it knows nothing."""
    noise, y = RNG.normal(size=(400, 3)), np.arange(400) % 2
    model = CalibratedClassifierCV(tree.DecisionTreeClassifier(random_state=0), ensemble=False).fit(noise, y)
    assert np.abs(model.predict_proba(noise)[:, 1] - 0.5).max() < 0.15


@every_method
def test_frozen(method):
    """A fitted classifier stays as it is, and all rows calibrate it; those of weight 0 do not."""
    base = LogisticRegression().fit(X[:100], NAMES[GROUP[:100]])
    model = CalibratedClassifierCV(FrozenEstimator(base), method=method).fit(X[100:], NAMES[GROUP[100:]])
    (pair,) = model.calibrated_classifiers_
    assert pair.estimator.estimator is base
    assert pair.classes.tolist() == NAMES.tolist()
    w = np.r_[np.zeros(40), np.ones(100)]
    some = CalibratedClassifierCV(FrozenEstimator(base), method=method)
    weighted = some.fit(X[100:], NAMES[GROUP[100:]], w).predict_proba(X)
    np.testing.assert_allclose(weighted, some.fit(X[140:], NAMES[GROUP[140:]]).predict_proba(X), atol=1e-12)


def test_frozen_on_opened_rows(tmp_path):
    """Rows of a file calibrate a fitted classifier; folds of them are refused."""
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(y=GROUP)
    frame.to_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    base = GaussianNB().fit(X, GROUP)
    ours = CalibratedClassifierCV(FrozenEstimator(base)).fit(rows)
    np.testing.assert_allclose(
        ours.predict_proba(X), CalibratedClassifierCV(FrozenEstimator(base)).fit(X, GROUP).predict_proba(X), atol=1e-12
    )
    with pytest.raises(TypeError, match=r"Folds need the rows in memory.*FrozenEstimator"):
        CalibratedClassifierCV(GaussianNB()).fit(rows)


@every_method
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_that_a_fold_lacks(method, classes):
    """A class that no training row has gets 0 from that fold; the rest sums to 1."""
    y = np.repeat(np.arange(classes), [20, 20, 20][:classes])
    base = tree.DecisionTreeClassifier(max_depth=2, random_state=0)
    model = CalibratedClassifierCV(base, method=method, cv=KFold(classes)).fit(X[: len(y)], y)
    for k, pair in enumerate(model.calibrated_classifiers_):
        P = pair.predict_proba(X)
        assert (P[:, k] == 0).all()
        np.testing.assert_allclose(P.sum(axis=1), 1.0)


def test_two_classes_of_three_in_a_fold():
    """The one score of such a fold is that of its second class."""
    y, z = np.repeat([0, 1, 2], 20), np.repeat([2.0, 0.0, 1.0], 20)[:, None] + 0.3 * RNG.normal(size=(60, 1))
    train = np.flatnonzero(y > 0)
    model = CalibratedClassifierCV(GaussianNB(), cv=[(train, train)]).fit(z, y)
    P = model.predict_proba([[0.0], [1.0]])
    assert (P[:, 0] == 0).all()
    assert P[0, 1] > 0.5 > P[1, 1]


@every_method
def test_no_score_decides(method):
    """A classifier that gives every row the same score: the shares of the classes, or equal ones."""

    class Same(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def decision_function(self, X):
            return np.zeros((len(X), 3))

    P = CalibratedClassifierCV(Same(), method=method, cv=3).fit(X, GROUP).predict_proba(X)
    share = np.bincount(GROUP) / len(GROUP) if method != "temperature" else np.full(3, 1 / 3)
    np.testing.assert_allclose(P, np.tile(share, (len(X), 1)), atol=0.02)


def test_sparse_and_frames():
    """What the classifier takes: sparse matrices, frames with names."""
    base = linear_model.LogisticRegression()
    dense = CalibratedClassifierCV(base).fit(X, GROUP)
    thin = CalibratedClassifierCV(base).fit(sparse.csr_array(X), GROUP)
    np.testing.assert_allclose(thin.predict_proba(sparse.csr_array(X)), dense.predict_proba(X), atol=1e-6)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    assert CalibratedClassifierCV(base).fit(frame, GROUP).feature_names_in_.tolist() == list("abcdef")
    assert not hasattr(dense, "feature_names_in_")


def test_large_scores():
    """Scores of ten thousands, as those of a squared hinge: order and AUC stay."""
    y = np.arange(200) % 3 > 0
    far = 1e5 * y[:, None] + RNG.normal(size=(200, 1))
    model = CalibratedClassifierCV(FrozenEstimator(svm.LinearSVC(random_state=0).fit(far / 1e5, y))).fit(far, y)
    assert aprendiz.roc(y, model.predict_proba(far)[:, 1]).auc == 1.0


# ---- fit parameters and routing ----------------------------------------------------------------------------------------


class Noting(ClassifierMixin, BaseEstimator):
    """A classifier that keeps what it is given beside X and y."""

    def fit(self, X, y, sample_weight=None, mark=None):
        self.classes_, self.given_ = np.unique(y), (sample_weight, mark)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


class Weightless(Noting):
    def fit(self, X, y):
        return super().fit(X, y)


def test_fit_parameters_are_cut_to_folds():
    """What has an entry for each row follows the rows, other things stay whole."""
    number = np.arange(len(X))
    model = CalibratedClassifierCV(Noting(), cv=KFold(3)).fit(X, GROUP > 0, number + 1.0, mark=number.tolist())
    weight, mark = model.calibrated_classifiers_[0].estimator.given_
    assert mark.tolist() == list(range(80, 240))
    assert np.array_equal(weight, mark + 1)
    whole = CalibratedClassifierCV(Noting(), cv=3).fit(X, GROUP > 0, mark=[1, 2]).calibrated_classifiers_[0]
    assert whole.estimator.given_[1] == [1, 2]


def test_a_classifier_without_weights():
    """A warning; the weights count for the calibration."""
    w = np.where(GROUP > 0, 1.0, 3.0)
    with pytest.warns(UserWarning, match="Weightless takes no sample_weight"):
        heavy = CalibratedClassifierCV(Weightless()).fit(X, GROUP > 0, w)
    assert (
        heavy.predict_proba(X)[:, 1].mean()
        < CalibratedClassifierCV(Weightless()).fit(X, GROUP > 0).predict_proba(X)[:, 1].mean()
    )


def test_routing():
    """Weights go where they are requested, groups to the folds."""
    groups = np.arange(240) % 4
    with sklearn.config_context(enable_metadata_routing=True):
        base = Noting().set_fit_request(sample_weight=False, mark=True)
        model = CalibratedClassifierCV(base, cv=GroupKFold(4).set_split_request(groups=True))
        model.fit(X, GROUP > 0, np.ones(240), mark=np.arange(240), groups=groups)
    weight, mark = model.calibrated_classifiers_[0].estimator.given_
    assert weight is None
    assert len(set(mark % 4)) == 3


# ---- what is refused ---------------------------------------------------------------------------------------------------


REFUSED = {
    "LeaveOneOut": ({"cv": LeaveOneOut()}, "LeaveOneOut cross-validation does not leave rows of all classes"),
    "folds": ({"cv": 100}, "Requesting 100-fold cross-validation.*2 has"),
    "method": ({"method": "platt"}, "method of CalibratedClassifierCV must be"),
    "no scores": ({"estimator": linear_model.LinearRegression()}, "LinearRegression has neither decision_function nor"),
    "class": ({"estimator": GaussianNB}, "estimator must be a classifier"),
    "one class": ({"cv": [(np.arange(200), np.arange(100))], "ensemble": False}, "needs folds that test every row once"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case):
    """Culprit and remedy."""
    settings, words = REFUSED[case]
    with pytest.raises(ValueError, match=words):
        CalibratedClassifierCV(**{"estimator": GaussianNB(), **settings}).fit(X, GROUP)


def test_scores_of_a_class_that_a_fold_lacks():
    """Distances of classifiers of different classes cannot be put together."""
    y = np.repeat([0, 1, 2], 20)
    with pytest.raises(ValueError, match=r"Fold 0 of cv has no training rows of the class 0.*ensemble=True"):
        CalibratedClassifierCV(linear_model.RidgeClassifier(), cv=KFold(3), ensemble=False).fit(X[:60], y)


def test_scores_that_are_no_numbers():
    """The row is named."""
    table = X.copy()
    table[7, 0] = np.inf
    with pytest.raises(ValueError, match=r"decision_function of Noting gives \[inf\] in row 7"):
        CalibratedClassifierCV(FrozenEstimator(Noting().fit(X, GROUP > 0))).fit(table, GROUP > 0)


def test_a_failed_fit_leaves_the_model():
    """As it was."""
    model = CalibratedClassifierCV(GaussianNB()).fit(X, GROUP)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="Requesting 99-fold"):
        model.set_params(cv=99).fit(X, GROUP)
    assert np.array_equal(model.predict_proba(X), before)


@every_method
def test_stored(method, tmp_path):
    """A file gives the same probabilities, and discriminants become ones with posteriors."""
    model = CalibratedClassifierCV(Perceptron(), method=method, cv=3).fit(X, NAMES[GROUP])
    aprendiz.save(model, tmp_path / "m.apz")
    again = aprendiz.load(tmp_path / "m.apz")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.certificate_ == model.certificate_
    assert model.kind_ == "discriminative"
    assert Perceptron().kind_ == "discriminant"
