"""No certificate claims what is not so: attempts to refute them, and the tables on which they once did."""

import inspect
import re
import warnings

import numpy as np
import pytest

import aprendiz as ap

from .hostile_tables import hostile_weights, two_classes, with_extremes
from .refutations import COVERED, REFUTATIONS, SLOW, attempt
from .refute_linear import check_line

RNG = np.random.default_rng(0)
B = RNG.normal(size=(40, 3))
NUMBERS = B[:, 0] + 0.1 * RNG.normal(size=40)
CLASSES = (NUMBERS > 0).astype(int)
FAR = 2.0**26
SOME = {"sparse_cv": range(80, 92), "logistic_cv": range(2, 10)}  # seeds with a certificate that holds


@pytest.mark.parametrize("name", REFUTATIONS)
def test_survives(name):
    """Hostile tables, judged in exact arithmetic; some certificates must hold, or there would be nothing to refute."""
    found = [attempt(name, seed) for seed in SOME.get(name, range(2 if name in SLOW else 12))]
    assert any(found)


def public_certificates():
    """The public classes that say they have a certificate."""
    classes = {name: getattr(ap, name) for name in ap.__all__ if inspect.isclass(getattr(ap, name))}
    return sorted(name for name, cls in classes.items() if "certificate_" in (cls.__doc__ or ""))


@pytest.mark.parametrize("name", public_certificates())
def test_every_certificate_is_attacked(name):
    """Each learner with a certificate stands in a refutation, or it is said which one covers it, and why."""
    module_of = {refutation: inspect.getsource(inspect.getmodule(function)) for refutation, function in REFUTATIONS.items()}
    named = any(re.search(rf"\bap\.{name}\b", source) for source in module_of.values())
    assert named != (name in COVERED)
    assert named or (COVERED[name][0] in REFUTATIONS and COVERED[name][1])


def test_every_learner_has_a_certificate():
    """The list above misses none: what a learner leaves out of its words would be no claim."""
    assert {name for name, _ in ap.all_learners()} <= set(public_certificates())


@pytest.mark.parametrize("seed", [241, 296])
def test_rounding_errors_of_one_sign(seed):
    """Tables that broke bounds with √m in place of m/2: 13.8 digits were claimed, and 13.3 there."""
    assert attempt("rounding_adds_up", seed) is not None


def test_columns_that_nearly_coincide():
    """The table that claimed 15.7 digits and had 5.3."""
    x, z = np.arange(1.0, 8), np.array([2.0, -1, 3, 0, 1, -2, 1])
    X, y = np.column_stack([x, x + 1e-13 * z]), np.array([1.0, 3, 2, 5, 4, 6, 8])
    model = ap.LinearRegression().fit(X, y)
    check_line(model.certificate_, model.coef_, (X, y, None, True, 0.0), "near")
    assert model.certificate_.digits < 6
    assert not model.certificate_.holds


@pytest.mark.parametrize("model", [ap.LinearRegression(), ap.Ridge(1e-3)])
def test_a_denormal_column(model):
    """Coefficients that are infinite, or lost below the range of doubles, have no digits: such a column is refused."""
    X = np.column_stack([np.arange(8.0), 1e-310 * np.array([2.0, -1, 3, 0, 1, -2, 1, 5])])
    with pytest.raises(ValueError, match=r"too small to compute with.*column 1"):
        model.fit(X, np.array([1.0, 3, 2, 5, 4, 6, 8, 2]))
    assert not hasattr(model, "certificate_")


@pytest.mark.parametrize("model", [ap.SGDRegressor(), ap.SGDClassifier(), ap.Perceptron(), ap.DeltaRule()])
def test_steps_that_went_nowhere(model):
    """Far from zero these end no better than a constant, and do not claim more; near it their certificates hold."""
    target = NUMBERS if model.target == "numbers" else CLASSES
    model.set_params(random_state=0)
    assert model.fit(B, target).certificate_.holds
    with warnings.catch_warnings(action="ignore"):
        model.fit(B + FAR, target)
    assert not model.certificate_.holds


def test_a_negative_dual_bounds_nothing():
    """Steps that ended far from the answer have a dual below zero, of which a negative multiple is no bound on min F."""
    assert attempt("stochastic", 13) is False


def test_smoothing_that_hides_the_columns():
    """Noise in large units: ε is a part of its variance, and all that the other columns say is lost."""
    noise = 1e12 * np.random.default_rng(1).normal(size=40)
    assert ap.GaussianNB().fit(B, CLASSES).certificate_.holds
    certificate = ap.GaussianNB().fit(np.column_stack([B, noise]), CLASSES).certificate_
    assert not certificate.holds
    assert certificate.smoothing > 1e3
    assert certificate.most_smoothed < 3


@pytest.mark.parametrize("linkage", ["ward", "centroid", "median"])
def test_heights_of_means_far_from_zero(linkage):
    """An offset is no fault of the heights: they are those of the rows without it, to the last digits."""
    far = np.round(B * 2.0**20) / 2.0**20 + FAR  # the offset is added without rounding
    there, here = (ap.AgglomerativeClustering(3, linkage=linkage).fit(X) for X in (far, far - FAR))
    assert there.certificate_.holds
    np.testing.assert_allclose(there.distances_, here.distances_, rtol=1e-13)


@pytest.mark.parametrize("power", [26, 30, 40])
def test_scaling_far_from_zero(power):
    """Min–max scaling takes the offset away before anything is rounded."""
    assert ap.MinMaxScaler().fit(B + 2.0**power).certificate_.holds


def test_an_intercept_that_is_rounded_away():
    """Near-collinear columns far from zero: the stored intercept moves the scores, and the certificate says so."""
    x = np.arange(9.0)
    X = np.column_stack([x, x + 1e-7 * np.array([2.0, -1, 3, 0, 1, -2, 1, 5, 2])]) + 2.0**40
    model = ap.LogisticRegression(C=1e6).fit(X, np.array([0, 1, 0, 1, 0, 1, 1, 0, 1]))
    assert model.certificate_.rounding > 1e-5
    assert not model.certificate_.holds


def test_logarithms_are_rounded():
    """Logarithms of numbers that hardly differ: 13.5 digits were claimed of a line that had 5.5."""
    X = 2.0**30 + np.arange(12.0)[:, None]
    known = ap.CurveFit("logarithmic").fit(X, np.arange(12.0) + np.sin(np.arange(12.0))).certificate_
    assert known.digits < 8
    assert ap.CurveFit("logarithmic").fit(X - 2.0**30 + 1, np.arange(12.0)).certificate_.digits > 12


REFUTED = [("linear_discriminant", 451), ("linear_discriminant", 627), ("curve_fit", 25), ("truncated_svd", 611)]
REFUTED += [("truncated_svd", 1365)]


@pytest.mark.parametrize(("name", "seed"), REFUTED)
def test_tables_that_refuted_a_certificate(name, seed):
    """A plane that was moved by rounding and erred more than it said; a column whose squares vanish; directions that are not
    quite at right angles, beside a large table that they nearly span; a value that the decomposition rounds."""
    assert attempt(name, seed) is not None


def test_a_plane_that_no_number_can_hold():
    """A plane without an error was found, its coefficient was infinite, and it was wrong about most rows."""
    X, _ = with_extremes(304, columns=2, largest=9)
    y = two_classes(304, X)
    with pytest.raises(ValueError, match=r"column 0 differ so little.*Scale the column"):
        ap.ERMHyperplane(random_state=304).fit(X[:, :2], y, hostile_weights(304, len(X)))


def test_covariances_that_are_not_those_of_the_rows():
    """Balls, diagonals and shrunken covariances have full rank where the rows have not; that is all that they claim."""
    X = np.column_stack([B, B[:, 0]])
    for model in (ap.DiagonalDiscriminantAnalysis(), ap.NearestMean(), ap.RegularizedDiscriminantAnalysis(0.5, 0.5)):
        known = model.fit(X, CLASSES).certificate_
        assert known.holds
        assert known.claim == "every covariance of the model has full rank"
    assert not ap.LinearDiscriminantAnalysis().fit(X, CLASSES).certificate_.holds
