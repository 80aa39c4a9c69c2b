"""Criteria of linear discrimination: each is minimised as promised, and all judge the plane, not its length."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime, linprog
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz import LeastSquaresClassifier, LinearDiscriminant, OneVsRestClassifier, plane_criteria, rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.linear_discriminant import space_of
from aprendiz.linear.losses.squared_sigmoid import evaluate

RNG = np.random.default_rng(8)
X = RNG.normal(size=(80, 3)) @ RNG.normal(size=(3, 3)) + [10, 0, -4]
Y = (X - X.mean(axis=0)) @ [1.0, -1.0, 0.5] + RNG.normal(size=80) > 0
NAMES = np.where(Y, "yes", "no")
WEIGHT = RNG.integers(1, 4, size=80).astype(float)
CRITERIA = ("least_squares", "perceptron", "squared_sigmoid", "zero_one")

criteria = pytest.mark.parametrize("criterion", CRITERIA)
weighing = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])


def fitted(criterion, table=X, y=NAMES, weight=None, **options):
    return LinearDiscriminant(criterion, random_state=0, **options).fit(table, y, sample_weight=weight)


def mean(values, weight):
    return np.average(values, weights=weight)


# ---- what they are -----------------------------------------------------------------------------------------------------


@weighing
def test_criteria_by_their_definitions(weight):
    """Of any plane, the four sums over the rows, in units in which its length does not matter."""
    w, b, h = np.array([0.3, -1.0, 0.2]), -1.5, 3.0
    t, y = X @ w + b, Y.astype(float)
    found = plane_criteria(w, b, X, NAMES, weight, slope=h)
    factor = mean((y - 0.5) * t, weight) / mean(t**2, weight)
    assert found["least_squares"] == pytest.approx(mean((y - 0.5 - max(factor, 0) * t) ** 2, weight))
    part = np.ones(80) if weight is None else weight
    apart = abs(mean(t[Y], part[Y]) - mean(t[~Y], part[~Y]))
    wrong = (t > 0) != Y
    assert found["perceptron"] == pytest.approx(mean(np.abs(t) * wrong, weight) / apart)
    deviation = np.sqrt(mean((t - mean(t, weight)) ** 2, weight))
    assert found["squared_sigmoid"] == pytest.approx(mean((y - expit(h * t / deviation)) ** 2, weight))
    assert found["zero_one"] == pytest.approx(mean(wrong, weight))
    assert plane_criteria(1e3 * w, 1e3 * b, X, NAMES, weight, slope=h) == pytest.approx(found, rel=1e-11)


@criteria
@weighing
def test_value_is_that_of_the_plane(criterion, weight):
    """`criterion_value_` is the criterion at the fitted plane, and `criteria` agrees with `plane_criteria`."""
    model = fitted(criterion, weight=weight)
    found = model.criteria(X, NAMES, weight)
    assert found[criterion] == pytest.approx(model.criterion_value_, rel=1e-9)
    assert found == plane_criteria(model.coef_, model.intercept_[0], X, NAMES, weight)
    assert found["zero_one"] == pytest.approx(1 - model.score(X, NAMES, weight))
    assert model.history_[-1] == pytest.approx(model.criterion_value_)
    assert model.certificate_.holds


def test_each_is_best_by_its_own_criterion():
    """In the table of planes against criteria no entry is below the diagonal of its column."""
    values = np.array([list(fitted(criterion).criteria(X, NAMES).values()) for criterion in CRITERIA])
    assert (values.min(axis=0) >= np.diagonal(values) * (1 - 1e-5)).all()


# ---- least squares, zero-one ---------------------------------------------------------------------------------------------


def test_least_squares_is_the_classifier():
    """The plane of LeastSquaresClassifier."""
    model, expected = fitted("least_squares"), LeastSquaresClassifier().fit(X, NAMES)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=1e-12)


@pytest.mark.parametrize("labels", list(product([0, 1], repeat=6))[1:-1:7], ids=str)
def test_zero_one_on_a_line(labels):
    """In one column the search is over all cuts: none errs less than the best cut beside one of the rows."""
    x, y = np.array([0.0, 1, 2, 3, 4, 5]), np.array(labels)
    model = fitted("zero_one", x[:, None], y)
    cuts = [(x > cut) == side for cut in x for side in (True, False)]
    assert model.criterion_value_ <= min(np.mean(rule != y) for rule in cuts) + 1 / 6
    assert model.criterion_value_ == pytest.approx(1 - model.score(x[:, None], y))


# ---- perceptron ----------------------------------------------------------------------------------------------------------


def linear_program(table, y, weight):
    """The same minimum by linear programming."""
    n, d = table.shape
    s = np.where(y, 1.0, -1.0)
    apart = np.average(table[y], axis=0, weights=weight[y]) - np.average(table[~y], axis=0, weights=weight[~y])
    cost = np.r_[np.zeros(1 + d), weight / weight.sum()]
    sides = np.c_[-s, -s[:, None] * table, -np.eye(n)]
    bounds = [(None, None)] * (1 + d) + [(0, None)] * n
    return linprog(cost, sides, np.zeros(n), np.r_[0, apart, np.zeros(n)][None], [1.0], bounds).fun


@pytest.mark.parametrize("seed", range(8))
def test_perceptron_is_the_minimum(seed):
    """The value of a linear program, and within the gap of the certificate."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(15, 70)), int(rng.integers(1, 5))
    table, y, weight = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d), rng.random(n) < 0.4, rng.uniform(0.1, 3, n)
    model = fitted("perceptron", table, y, weight)
    best = linear_program(table, y, weight)
    assert model.certificate_.holds, str(model.certificate_)
    assert best * (1 - 1e-9) <= model.criterion_value_ <= best + model.certificate_.gap + 1e-9 * best
    assert (np.diff(model.history_) <= 0).all()


def test_perceptron_of_separable_rows():
    """Where a plane separates the classes the criterion is 0."""
    y = X[:, 0] > 10
    model = fitted("perceptron", X[np.abs(X[:, 0] - 10) > 0.2], y[np.abs(X[:, 0] - 10) > 0.2])
    assert model.criterion_value_ == 0
    assert model.certificate_.holds


def test_perceptron_needs_means_that_differ():
    """Classes around the same mean are refused with the remedy."""
    with pytest.raises(ValueError, match=r"same mean.*squared_sigmoid"):
        fitted("perceptron", np.array([[-2.0], [2.0], [-1.0], [1.0]]), [0, 0, 1, 1])


# ---- squared sigmoid -----------------------------------------------------------------------------------------------------


def test_slope_of_the_sigmoid_criterion():
    """The slope along the sphere is that of differences."""
    table = ArrayRows(X, Y.astype(int), WEIGHT)
    space = space_of(table)
    white = np.append(0.3, np.array([1.0, -2.0, 2.0]) / 3.0)
    place = evaluate(table, space, white, 4.0)

    def value(step):
        return evaluate(table, space, white + place.span @ step, 4.0).value

    np.testing.assert_allclose(place.slope, approx_fprime(np.zeros(3), value, 1e-7), atol=1e-6)
    assert place.value == pytest.approx(plane_criteria(*space.plane(white), X, Y, WEIGHT, slope=4.0)["squared_sigmoid"])


@pytest.mark.parametrize("slope", [0.5, 3.0, 30.0])
def test_sigmoid_is_stationary(slope):
    """No plane nearby has a smaller value by more than the slope allows, and t has the deviation 1."""
    model = fitted("squared_sigmoid", slope=slope)
    assert model.certificate_.slope <= model.tol
    assert np.std(model.decision_function(X)) == pytest.approx(1.0)
    for _ in range(20):
        step = 1e-4 * RNG.normal(size=4)
        near = plane_criteria(model.coef_[0] * (1 + step[1:]), model.intercept_[0] + step[0], X, NAMES, slope=slope)
        assert near["squared_sigmoid"] >= model.criterion_value_ - 1e-9


def test_steep_sigmoids_approach_the_error():
    """As the slope grows, the criterion tends to the share of errors of its plane."""
    model = fitted("squared_sigmoid", slope=1000.0)
    assert model.criterion_value_ == pytest.approx(model.criteria(X, NAMES)["zero_one"], abs=0.02)


def test_more_starts_are_no_worse():
    """The starts of a fit are among those of a fit with more."""
    values = [fitted("squared_sigmoid", n_init=count, slope=30.0).criterion_value_ for count in (1, 2, 6)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("criterion", ["perceptron", "squared_sigmoid"])
def test_too_few_steps(criterion):
    """A fit that merely stopped says so, its certificate does not hold, and its value is still that of its plane."""
    with pytest.warns(ConvergenceWarning, match=r"stopped early.*Raise max_iter \(it is 1\)"):
        model = fitted(criterion, max_iter=1)
    assert not model.certificate_.holds
    assert model.criteria(X, NAMES)[criterion] == pytest.approx(model.criterion_value_, rel=1e-9)


# ---- input -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA[:3])
@pytest.mark.parametrize("change", ["shift", "scale"])
def test_units_do_not_matter(criterion, change):
    """In other units, and far away, the same rows are told apart and the criterion is the same."""
    other = X + 2.0**16 if change == "shift" else X * np.array([2.0**10, 1.0, 2.0**-10])
    here, there = fitted(criterion), fitted(criterion, other)
    assert there.criterion_value_ == pytest.approx(here.criterion_value_, rel=1e-6)
    np.testing.assert_allclose(there.decision_function(other), here.decision_function(X), atol=1e-3)


@criteria
def test_from_files(criterion, tmp_path):
    """Rows of a file give the plane of rows in memory."""
    import pandas as pd

    pd.DataFrame(X, columns=list("abc")).assign(y=NAMES).to_parquet(tmp_path / "t.parquet")
    model = LinearDiscriminant(criterion, n_init=1, random_state=0).fit(rows(tmp_path / "t.parquet", target="y"))
    np.testing.assert_allclose(model.coef_, fitted(criterion, n_init=1).coef_, rtol=1e-9)


@criteria
def test_three_classes(criterion):
    """More than two classes are refused with the remedy, which works."""
    y = np.digitize(X[:, 0], [9, 11])
    with pytest.raises(ValueError, match=r"3 classes.*OneVsRestClassifier"):
        fitted(criterion, X, y)
    model = OneVsRestClassifier(LinearDiscriminant(criterion, n_init=1, random_state=0)).fit(X, y)
    assert set(model.predict(X)) <= {0, 1, 2}


def test_bad_planes_and_rows():
    """A plane of another number of columns, columns that never change, and unknown labels."""
    with pytest.raises(ValueError, match="coef has 2 entries, X has 3 columns"):
        plane_criteria([1, 2], 0.0, X, Y)
    for criterion in ("perceptron", "squared_sigmoid"):
        with pytest.raises(ValueError, match="Every column of X is constant"):
            fitted(criterion, np.ones((6, 2)), [0, 1] * 3)
    with pytest.raises(ValueError, match=r"'maybe' in row 2.*'no', 'yes'"):
        fitted("least_squares").criteria(X[:3], ["yes", "no", "maybe"])
