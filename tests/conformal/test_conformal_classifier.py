"""Sets of classes: against the definition, their coverage simulated, of each class, ties, folds, refusals."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from aprendiz import ConformalClassifier, GaussianNB, LogisticRegression, Perceptron
from aprendiz.conformal.scores.class_scores import class_scores, shares_of_last
from aprendiz.persistence import load, save

RNG = np.random.default_rng(5)
NAMES = np.array(["ash", "birch", "cedar"])


def table(rng, rows, shares=(0.5, 0.3, 0.2)):
    """Three classes that overlap."""
    codes = rng.choice(3, size=rows, p=shares)
    return codes[:, None] * [0.8, -0.5] + rng.normal(size=(rows, 2)), codes


X, CODES = table(RNG, 240)


class Known(ClassifierMixin, BaseEstimator):
    """The columns of X are the probabilities."""

    def fit(self, X, y):
        self.classes_ = np.arange(np.shape(X)[1])
        self.n_features_in_ = np.shape(X)[1]
        return self

    def predict_proba(self, X):
        return np.asarray(X)

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


@parametrize_with_checks(
    [ConformalClassifier(GaussianNB()), ConformalClassifier(LogisticRegression(), method="plus", cv=2, conformity_score="aps")]
)
def test_checks(estimator, check):
    """scikit-learn's own checks."""
    check(estimator)


# ---- scores --------------------------------------------------------------------------------------------------------------


def test_scores_by_hand():
    """1 − p; the probability above, and a share of the own, the same for equal probabilities."""
    P = np.array([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4]])
    np.testing.assert_array_equal(class_scores("lac", P), 1 - P)
    u = shares_of_last(P)
    expected = [[0.8 + 0.2 * u[0], 0.5 * u[0], 0.5 + 0.3 * u[0]], [0.4 * u[1], 0.8 + 0.2 * u[1], 0.4 * u[1]]]
    np.testing.assert_allclose(class_scores("aps", P), expected, rtol=1e-14)


def test_shares_are_uniform_and_belong_to_the_row():
    """No Kolmogorov–Smirnov distance that chance would not make; the same row, the same share."""
    P = RNG.dirichlet(np.ones(3), size=4000)
    u = np.sort(shares_of_last(P))
    assert np.abs(u - (np.arange(4000) + 0.5) / 4000).max() < 1.95 / np.sqrt(4000)  # exceeded once in a thousand
    np.testing.assert_array_equal(shares_of_last(P[::-2]), shares_of_last(P)[::-2])
    assert abs(np.corrcoef(shares_of_last(P), P[:, 0])[0, 1]) < 4 / np.sqrt(4000)


# ---- sets ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["lac", "aps"])
@pytest.mark.parametrize("class_conditional", [False, True])
def test_against_the_definition(score, class_conditional):
    """A class is in the set if its score is at most the k-th smallest of those that count: sorted and counted in Python."""
    P, codes = RNG.dirichlet([2, 1, 1], size=50), RNG.choice(3, size=50, p=[0.6, 0.2, 0.2])
    model = ConformalClassifier(
        FrozenEstimator(Known().fit(P, codes)), conformity_score=score, class_conditional=class_conditional
    )
    model.fit(P, codes)
    new = RNG.dirichlet([2, 1, 1], size=20)
    own, of_new = class_scores(score, P), class_scores(score, new)
    for coverage in (0.5, 0.75):
        found = model.predict_set(new, coverage)
        for k in range(3):
            count = [own[i, codes[i]] for i in range(50) if not class_conditional or codes[i] == k]
            rank = -(-round(100 * coverage) * (len(count) + 1) // 100)
            limit = sorted(count)[rank - 1] if rank <= len(count) else np.inf
            assert found[:, k].tolist() == [s <= limit for s in of_new[:, k]]


def test_folds_against_the_definition():
    """CV+: each calibration row is compared with the model of its own fold."""
    model = ConformalClassifier(GaussianNB(), method="plus", cv=KFold(4)).fit(X, NAMES[CODES])
    new, _ = table(np.random.default_rng(1), 10)
    above = np.zeros((10, 3), dtype=int)
    for train, test in KFold(4).split(X):
        fold = GaussianNB().fit(X[train], CODES[train])
        own = 1 - fold.predict_proba(X[test])[np.arange(len(test)), CODES[test]]
        above += (own[:, None, None] >= (1 - fold.predict_proba(new))[None] - 1e-12).sum(axis=0)
    np.testing.assert_array_equal(model.predict_set(new, 0.8), above >= 241 - 193)  # ⌈0.8 · 241⌉ = 193
    assert list(model.classes_) == list(NAMES)


@pytest.mark.parametrize("method", ["split", "plus", "base"])
@pytest.mark.parametrize("score", ["lac", "aps"])
def test_larger_for_more(method, score):
    """Sets of a larger coverage contain those of a smaller one."""
    model = ConformalClassifier(GaussianNB(), method=method, conformity_score=score, random_state=0).fit(X, CODES)
    last = model.predict_set(X, 0.5)
    for coverage in (0.6, 0.8, 0.95):
        now = model.predict_set(X, coverage)
        assert (last <= now).all()
        last = now


# ---- coverage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["lac", "aps"])
@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_coverage_of_one_model(score, coverage):
    """k/(n + 1) = (10 or 18)/20 although the probabilities are wrong, from 1 000 tables of 24 rows, to 4 standard errors."""
    rng = np.random.default_rng(0)
    shares = np.empty(1000)
    for number in range(len(shares)):
        P = rng.dirichlet([1, 1, 1], size=24)
        y = np.array([rng.choice(3, p=np.sqrt(p) / np.sqrt(p).sum()) for p in P])
        model = ConformalClassifier(FrozenEstimator(Known().fit(P, y)), conformity_score=score).fit(P[:19], y[:19])
        shares[number] = model.check_coverage(P[19:], y[19:], coverage).share
    assert abs(shares.mean() - round(20 * coverage) / 20) < 4 * shares.std() / np.sqrt(len(shares))


def test_each_class_is_covered():
    """A rare class that the classifier hardly ever says: covered as often as the others, by class_conditional alone."""
    rng = np.random.default_rng(0)
    A, y = table(rng, 4000, (0.9, 0.05, 0.05))
    found = {}
    for by_class in (False, True):
        model = ConformalClassifier(GaussianNB(), class_conditional=by_class, calibration_size=0.5, random_state=0)
        found[by_class] = model.fit(A[:2000], y[:2000]).check_coverage(A[2000:], y[2000:], 0.8)
    assert min(found[False].classes.values()) < 0.3
    assert abs(found[False].share - 0.8) < 0.05
    for k, share in found[True].classes.items():
        rows = (y[2000:] == k).sum(), (y[:2000] == k).sum() / 2
        assert abs(share - 0.8) < 4 * np.sqrt(0.16 * (1 / rows[0] + 1 / rows[1]))
    assert model.guarantee(0.8) >= 0.8


def test_ties_cover_more():
    """Probabilities of two values only: at least k rows of the calibration are in their own sets."""
    P = np.repeat([[0.9, 0.1], [0.1, 0.9]], 20, axis=0)
    y = np.repeat([0, 1, 0, 1], [18, 2, 3, 17])
    for score in ("lac", "aps"):
        model = ConformalClassifier(FrozenEstimator(Known().fit(P, y)), conformity_score=score).fit(P, y)
        for coverage in (0.3, 0.6, 0.8, 0.95):
            inside = model.predict_set(P, coverage)[np.arange(40), y].sum()
            assert inside >= -(-round(100 * coverage) * 41 // 100)
        assert model.certificate_.equal_scores > 30


# ---- rows ----------------------------------------------------------------------------------------------------------------


def test_few_rows_of_a_class():
    """A class with too few calibration rows stands in every set, which is told."""
    model = ConformalClassifier(GaussianNB(), class_conditional=True, calibration_size=0.2, random_state=0).fit(X, NAMES[CODES])
    rows = np.bincount(model.codes_[0])
    assert rows[2] < 11 < rows[1]
    with pytest.warns(UserWarning, match=f"{rows[2]} calibration rows are too few .* class 'cedar' is in every set"):
        found = model.predict_set(X, 0.92)
    assert found[:, 2].all()
    assert not found[:, 1].all()


def test_from_predictions():
    """Out-of-fold probabilities around the model of all rows: what method "base" does."""
    for score in ("lac", "aps"):
        base = ConformalClassifier(GaussianNB(), method="base", cv=KFold(3), conformity_score=score).fit(X, CODES)
        P = np.empty((240, 3))
        for train, test in KFold(3).split(X):
            P[test] = GaussianNB().fit(X[train], CODES[train]).predict_proba(X[test])
        other = ConformalClassifier.from_predictions(GaussianNB().fit(X, CODES), CODES, P, conformity_score=score)
        assert (other.predict_set(X, 0.8) == base.predict_set(X, 0.8)).mean() > (0.999 if score == "lac" else 0.9)
    with pytest.raises(ValueError, match="give 240 rows × 3 classes"):
        ConformalClassifier.from_predictions(GaussianNB().fit(X, CODES), CODES, P[:, :2])


def test_frames_and_files(tmp_path):
    """Names of columns are kept, and a saved predictor has the same sets."""
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = ConformalClassifier(GaussianNB(), method="plus", random_state=0).fit(frame, NAMES[CODES])
    assert list(model.feature_names_in_) == ["a", "b"]
    save(model, tmp_path / "model.apz")
    np.testing.assert_array_equal(load(tmp_path / "model.apz").predict_set(frame, 0.8), model.predict_set(frame, 0.8))
    np.testing.assert_array_equal(model.predict(frame), model.estimator_.predict(frame))
    np.testing.assert_array_equal(model.predict_proba(frame), model.estimator_.predict_proba(frame))


def test_unknown_classes():
    """A class that a fold has not seen has probability 0 there; one that the model does not know cannot be judged."""
    codes = CODES.copy()
    codes[:] = np.where(CODES == 2, 0, CODES)
    codes[:2] = 2
    halves = KFold(2)  # both rows of the rare class stand in the first half
    model = ConformalClassifier(GaussianNB(), method="plus", cv=halves).fit(X, codes)
    assert model.predict_set(X, 0.9).shape == (240, 3)
    assert (model.scores_[0][:2] == 1.0).all()


@pytest.mark.parametrize(
    ("made", "y", "words"),
    [
        (ConformalClassifier(Perceptron()), CODES, "Perceptron has no predict_proba"),
        (ConformalClassifier(GaussianNB), CODES, "estimator must be a learner, such as GaussianNB"),
        (ConformalClassifier(GaussianNB()), None, "requires y to be passed"),
        (ConformalClassifier(GaussianNB(), conformity_score="raps"), CODES, "conformity_score of ConformalClassifier must be"),
    ],
)
def test_refused(made, y, words):
    with pytest.raises((ValueError, TypeError), match=words):
        made.fit(X, y)
