"""Parameters at the ends of the numbers that mean something: the answer is the one of the limit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz.linear.solvers.stochastic_epoch import dense_epoch
from hostile.attack import CODES, GOOD, N, target

CLASSES = target(aprendiz.LogisticRegression)


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "MultinomialNB"])
def test_smoothing_without_end(name):
    """So many further counts in every cell leave nothing of the others: the priors decide."""
    model = getattr(aprendiz, name)(alpha=1e308).fit(CODES, CLASSES)
    shares = np.unique(CLASSES, return_counts=True)[1] / N
    np.testing.assert_allclose(model.predict_proba(CODES), np.tile(shares, (N, 1)), rtol=1e-12)
    assert np.ptp(np.hstack(model.feature_log_prob_), axis=-1).max() < 2  # of each column alike


def test_smoothing_without_end_of_complements():
    """Every event has the same weight, log d."""
    model = aprendiz.ComplementNB(alpha=1e308).fit(CODES, CLASSES)
    np.testing.assert_allclose(model.feature_log_prob_, np.log(3), rtol=1e-12)


@pytest.mark.parametrize("options", [{}, {"penalty": "l1"}, {"solver": "newton"}], ids=str)
def test_penalty_without_end(options):
    """C → 0: coefficients of 0, and the intercept has the shares of the classes."""
    model = aprendiz.LogisticRegression(C=5e-324, tol=1e-10, **options).fit(GOOD, CLASSES)
    yes = np.mean(CLASSES == "yes")
    np.testing.assert_allclose(model.coef_, 0.0, atol=1e-300)
    np.testing.assert_allclose(model.intercept_, np.log(yes / (1 - yes)), rtol=1e-8)


@pytest.mark.parametrize("name", ["SGDClassifier", "SGDRegressor", "Perceptron"])
def test_tolerance_without_end(name):
    """Only the first epoch lowers the loss by so much: `n_iter_no_change` epochs follow."""
    cls = getattr(aprendiz, name)
    assert cls(tol=np.inf, n_iter_no_change=2, random_state=0).fit(GOOD, target(cls)).n_iter_ == 3


@pytest.mark.parametrize("power", [1e308, 2.0**60])
def test_powers_without_end(power):
    """Minkowski's distance becomes the largest difference."""
    far = aprendiz.NearestNeighbors(n_neighbors=4, p=power).fit(GOOD).kneighbors(GOOD)
    limit = aprendiz.NearestNeighbors(n_neighbors=4, metric="chebyshev").fit(GOOD).kneighbors(GOOD)
    assert np.array_equal(far[0], limit[0])
    assert np.array_equal(far[1], limit[1])


MINKOWSKI = {
    "neighbours": lambda X, p: aprendiz.KNeighborsClassifier(p=p).fit(X, CLASSES),
    "medoids": lambda X, p: aprendiz.KMedoids(3, metric="minkowski", metric_params={"p": p}).fit(X),
    "tree": lambda X, p: aprendiz.KDTree(X, metric="minkowski", p=p),
}


@pytest.mark.parametrize("use", MINKOWSKI.values(), ids=list(MINKOWSKI))
def test_powers_out_of_range(use):
    """Powers that overflow, or vanish for a thousandth of the largest difference, would make rows equal: refused."""
    for table, p in ((GOOD, 1e6), (GOOD * 1e6, 100), (GOOD * 1e-6, 100)):
        with pytest.raises(ValueError, match=r"p=.*leave the range of numbers. Use a smaller p, or metric='chebyshev'"):
            use(table, p)
    near = aprendiz.NearestNeighbors(n_neighbors=2, p=50).fit(GOOD).kneighbors(GOOD)[0][:, 1]
    assert (near > 0).all()


def test_directions_without_end():
    """No direction varies by more than so large a `tol`: the priors decide, with a warning."""
    with pytest.warns(UserWarning, match="in any direction"):
        model = aprendiz.LinearDiscriminantAnalysis(tol=1e308).fit(GOOD, CLASSES)
    assert np.ptp(model.predict_proba(GOOD), axis=0).max() < 1e-12


def test_whole_numbers_need_no_kernels_of_their_own():
    """alpha=1 is alpha=1.0 to the compiled epoch."""
    aprendiz.SGDClassifier(alpha=1.0, epsilon=1.0, power_t=1.0, random_state=0).fit(GOOD, CLASSES)
    before = len(dense_epoch.signatures)
    aprendiz.SGDClassifier(alpha=1, epsilon=1, power_t=1, eta0=1, random_state=0).fit(GOOD, CLASSES)
    assert len(dense_epoch.signatures) == before


@pytest.mark.parametrize("name", ["LassoCV", "ElasticNetCV", "RidgeCV"])
def test_folds_without_weight(name):
    """Refused with the number of the fold."""
    learner = getattr(aprendiz, name)(cv=5)
    with pytest.raises(ValueError, match="Fold 2 of cv: all its test rows have weight 0"):
        learner.fit(GOOD, target(type(learner)), sample_weight=(np.arange(N) < 15) * 1.0)


def test_scores_of_huge_counts():
    """Complement naive Bayes names the count whose score is no number."""
    X = CODES.copy()
    X[13, 1] = 1.7e308
    model = aprendiz.ComplementNB().fit(CODES, CLASSES)
    with pytest.raises(ValueError, match=r"1.7e\+308 in row 13, column 1: the score .* out of range"):
        model.predict(X * 1.0)


def test_steps_that_are_too_long():
    """A step far beyond the numbers is refused by its name, not blamed on the columns."""
    for learner in (aprendiz.Perceptron(eta0=1e200), aprendiz.DeltaRule(rate=1e200), aprendiz.SGDClassifier(alpha=1e200)):
        with pytest.raises(ValueError, match=r"(eta0|rate|alpha) of .* at most 1e\+100.*, got 1e\+200"):
            learner.fit(GOOD, CLASSES)


def test_a_curve_squares_what_it_fits():
    """Targets whose squares are no numbers are refused where y is squared, and taken where its logarithm is."""
    x, y = np.arange(1.0, 31.0)[:, None], np.exp(np.arange(1.0, 31.0) / 8) * 1e200
    with pytest.raises(ValueError, match=r"y holds .* Scale the target"):
        aprendiz.CurveFit("linear").fit(x, y)
    assert aprendiz.CurveFit("exponential").fit(x, y).coef_ == pytest.approx([1 / 8])


def test_the_first_fall_counts():
    """Without a `tol` all epochs are run, as before."""
    with pytest.warns(ConvergenceWarning):
        assert aprendiz.Perceptron(tol=None, max_iter=4).fit(GOOD, CLASSES).n_iter_ == 4
