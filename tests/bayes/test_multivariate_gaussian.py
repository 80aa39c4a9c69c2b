"""The Gaussian of several columns, and Student's t of several: agreement with SciPy, algebra, missing cells, ellipses."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from aprendiz.bayes.distributions import Gaussian, MultivariateGaussian, MultivariateT, NormalInverseWishart

RNG = np.random.default_rng(11)
MEAN, HALF = np.array([1.0, -2.0, 0.5]), RNG.normal(size=(3, 3)) + 2 * np.eye(3)
COVARIANCE = HALF @ HALF.T
MODEL = MultivariateGaussian(MEAN, COVARIANCE)
STUDENT = MultivariateT(4.5, MEAN, COVARIANCE)
X = RNG.normal(size=(80, 3)) @ HALF.T + MEAN
HOLES = np.where(RNG.uniform(size=X.shape) < 0.3, np.nan, X)
HOLES[0] = np.nan
both = pytest.mark.parametrize(
    ("ours", "theirs"),
    [(MODEL, stats.multivariate_normal(MEAN, COVARIANCE)), (STUDENT, stats.multivariate_t(MEAN, COVARIANCE, df=4.5))],
    ids=["Gaussian", "Student"],
)


def assert_same(one, other, rtol=1e-10):
    np.testing.assert_allclose(one.mean, other.mean, rtol=rtol, atol=1e-12)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=rtol, atol=1e-12)


# ---- densities -------------------------------------------------------------------------------------------------------


@both
def test_density_of_scipy(ours, theirs):
    """Of one row, of rows and of a stack of tables."""
    np.testing.assert_allclose(ours.log_density(X), theirs.logpdf(X), rtol=1e-11)
    assert ours.log_density(X[0]).shape == ()
    assert ours.log_density(X.reshape(4, 20, 3)).shape == (4, 20)
    np.testing.assert_allclose(ours.variance, ours.covariance.diagonal())


@pytest.mark.parametrize("model", [MODEL, STUDENT], ids=["Gaussian", "Student"])
def test_a_row_with_missing_cells_has_the_density_of_its_observed_part(model):
    """That of the marginal over the known cells; a row without any cell says nothing."""
    found = model.log_density(HOLES)
    assert found[0] == 0
    for row, value in zip(HOLES[1:], found[1:], strict=True):
        there = np.flatnonzero(~np.isnan(row))
        if len(there):
            assert value == pytest.approx(float(model.marginal(there).log_density(row[there])), rel=1e-12)


def test_the_observed_part_is_an_integral():
    """∫ p(x₀, x₁) dx₁ = p(x₀), by a fine sum."""
    model, line = MultivariateGaussian.bivariate(0, 1, 1, 2, 0.6), np.linspace(-19, 21, 4001)
    area = np.trapezoid(model.density(np.column_stack([np.full(4001, 0.7), line])), line)
    assert float(model.density([0.7, np.nan])) == pytest.approx(area, rel=1e-9)


def test_many_columns():
    """Densities beyond the largest and the smallest double have finite logarithms, and their differences are right."""
    d = 1500
    model = MultivariateGaussian(np.zeros(d), np.eye(d) * 1e-4)
    x = np.vstack([np.zeros(d), np.full(d, 30.0)])
    found = model.log_density(x)
    np.testing.assert_array_equal(model.density(x), [np.inf, 0])
    assert found[0] - found[1] == pytest.approx(d * 900 / 1e-4 / 2, rel=1e-12)


# ---- fitting ---------------------------------------------------------------------------------------------------------


def test_maximum_likelihood():
    """Mean and covariance of NumPy, also of weighted rows."""
    fitted = MultivariateGaussian.fit(X)
    assert_same(fitted, MultivariateGaussian(X.mean(axis=0), np.cov(X.T, ddof=0)))
    w = RNG.integers(0, 4, size=80)
    assert_same(MultivariateGaussian.fit(X, w), MultivariateGaussian.fit(np.repeat(X, w, axis=0)))
    best = fitted.log_likelihood(X)
    for step in 0.05 * RNG.normal(size=(20, 3, 4)):
        bent = fitted.covariance + step[:, 1:] @ step[:, 1:].T - 0.02 * np.diag(step[:, 0] ** 2)
        assert MultivariateGaussian(fitted.mean + step[:, 0], bent).log_likelihood(X) < best


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_sums_add(offset):
    """Records of parts of the rows add to that of all, far from zero too."""
    rows = X + offset
    whole = MultivariateGaussian.fit(rows)
    np.testing.assert_allclose(whole.covariance, np.cov(X.T, ddof=0), rtol=1e-6)
    for cut in (0, 1, 30):
        parts = MultivariateGaussian.statistics(rows[:cut]) + MultivariateGaussian.statistics(rows[cut:])
        assert_same(MultivariateGaussian.from_statistics(parts), whole, rtol=1e-8)


@pytest.mark.parametrize("form", [np.ndarray.tolist, pd.DataFrame, lambda x: pl.DataFrame(x, orient="row")])
def test_tables_of_all_kinds(form):
    """Lists and frames are read as arrays are."""
    assert_same(MultivariateGaussian.fit(form(X)), MultivariateGaussian.fit(X))
    np.testing.assert_allclose(MODEL.log_density(form(X)), MODEL.log_density(X))


def test_units_do_not_matter():
    """Columns of very different size are no reason to call a covariance singular."""
    units = np.array([1e-9, 1.0, 1e9])
    fitted = MultivariateGaussian.fit(X * units)
    np.testing.assert_allclose(fitted.correlation, MultivariateGaussian.fit(X).correlation, rtol=1e-9)


def test_fewer_rows_than_columns_with_a_prior():
    """Two rows of three columns have no ML covariance; with a prior they have a MAP covariance."""
    with pytest.raises(ValueError, match="covariance is singular or not positive: column 1 follows from the columns before it"):
        MultivariateGaussian.fit(X[:2])
    prior = NormalInverseWishart(np.zeros(3), 1, 5, np.eye(3))
    assert np.isfinite(MultivariateGaussian.fit(X[:2], prior=prior).log_density(X)).all()


# ---- algebra ---------------------------------------------------------------------------------------------------------


def test_marginal():
    """Entries of mean and covariance, in the order that is asked for; one number gives a Gaussian on the line."""
    assert MODEL.marginal(1) == Gaussian(MEAN[1], COVARIANCE[1, 1])
    assert_same(MODEL.marginal([2, 0]), MultivariateGaussian(MEAN[[2, 0]], COVARIANCE[np.ix_([2, 0], [2, 0])]))


@pytest.mark.parametrize("given", [{1: 0.3}, {2: 1.0, 0: -1.0}])
def test_conditional_is_joint_over_marginal(given):
    """ln p(x_a | x_b) = ln p(x) − ln p(x_b) at any x."""
    rows = X.copy()
    rows[:, list(given)] = list(given.values())
    others = [j for j in range(3) if j not in given]
    wanted = MODEL.log_density(rows) - MODEL.marginal(list(given)).log_density(list(given.values()))
    np.testing.assert_allclose(MODEL.conditional(given).log_density(rows[:, others]), wanted, rtol=1e-10, atol=1e-10)


def test_conditional_of_independent_columns_is_the_marginal():
    """A diagonal covariance: what is known of one column says nothing about the others."""
    model = MultivariateGaussian(MEAN, np.diag([1.0, 2, 3]))
    assert_same(model.conditional({1: 99.0}), model.marginal([0, 2]))


def test_linear_maps():
    """wᵀX and WᵀX + c have the moments of the mapped samples, and maps follow one another."""
    w, W = RNG.normal(size=3), RNG.normal(size=(3, 2))
    one, two = MODEL.linear(w, 2.0), MODEL.linear(W, [1.0, -1.0])
    assert (one.mean, one.variance) == pytest.approx((w @ MEAN + 2, w @ COVARIANCE @ w))
    assert_same(two, MultivariateGaussian(W.T @ MEAN + [1, -1], W.T @ COVARIANCE @ W))
    v = RNG.normal(size=2)
    assert two.linear(v).variance == pytest.approx(MODEL.linear(W @ v).variance, rel=1e-12)
    assert_same(MODEL.linear(np.eye(3)), MODEL)
    whitened = MODEL.linear(np.linalg.inv(MODEL.L).T)
    np.testing.assert_allclose(whitened.covariance, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("model", [MODEL, STUDENT], ids=["Gaussian", "Student"])
def test_samples(model):
    """The seed decides; a longer sample begins with the shorter; shares of distances and of halves are right."""
    drawn = model.sample(4000, seed=4)
    np.testing.assert_array_equal(drawn[:50], model.sample(50, seed=4))
    assert (np.abs((drawn < MEAN).mean(axis=0) - 0.5) < 4.5 * 0.5 / np.sqrt(4000)).all()
    offsets = drawn - MEAN
    distance = np.einsum("ij,jk,ik->i", offsets, np.linalg.inv(COVARIANCE), offsets)
    law = stats.chi2(3).cdf(distance) if model is MODEL else stats.f(3, 4.5).cdf(distance / 3)
    for q in (0.1, 0.5, 0.9):
        assert np.mean(law <= q) == pytest.approx(q, abs=4.5 * np.sqrt(q * (1 - q) / 4000))


# ---- ellipses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("probability", [0.5, 0.95, 0.999])
def test_ellipse(probability):
    """All its points have one distance and one density, and it holds the probability that it says."""
    model = MODEL.marginal([0, 2])
    line = model.ellipse(probability)
    np.testing.assert_allclose(model.squared_distance(line), model.squared_radius(probability), rtol=1e-10)
    assert np.ptp(model.log_density(line)) < 1e-10
    np.testing.assert_allclose(line[0], line[-1])
    inside = model.squared_distance(model.sample(4000, seed=8)) <= model.squared_radius(probability)
    assert inside.mean() == pytest.approx(probability, abs=4.5 * np.sqrt(probability * (1 - probability) / 4000))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_radius_of_chi_squared(d):
    """The quantile of χ² with as many degrees of freedom as columns."""
    model = MultivariateGaussian(np.zeros(d), np.eye(d))
    assert model.squared_radius(0.95) == pytest.approx(stats.chi2(d).ppf(0.95), rel=1e-12)


# ---- refusals --------------------------------------------------------------------------------------------------------

HOLE = np.where(np.arange(240).reshape(80, 3) == 16, np.nan, X)
REFUSED = {
    "shape": (lambda: MultivariateGaussian([0, 0], np.eye(3)), r"covariance has shape \(3, 3\), there are 2 columns"),
    "asymmetric": (lambda: MultivariateGaussian([0, 0], [[1, 0.5], [0, 1]]), r"covariance is not symmetric: 0.5 in \(0, 1\)"),
    "not positive": (
        lambda: MultivariateGaussian([0, 0], [[1, 2], [2, 1]]),
        "covariance is singular or not positive: column 1",
    ),
    "diagonal": (lambda: MultivariateGaussian([0, 0], [[1, 0], [0, 0]]), "covariance has 0 on its diagonal, column 1"),
    "copied column": (lambda: MultivariateGaussian.fit(np.c_[X, X[:, 0]]), "column 3 follows from the columns before it"),
    "constant column": (lambda: MultivariateGaussian.fit(np.c_[X, np.ones(80)]), "0 on its diagonal, column 3"),
    "NaN": (lambda: MultivariateGaussian([0, np.nan], np.eye(2)), "mean of MultivariateGaussian must be a vector of finite"),
    "missing cell": (lambda: MultivariateGaussian.fit(HOLE), "X misses a cell in row 5, column 1, a fit needs whole rows"),
    "infinity": (lambda: MultivariateGaussian.fit([[1, 2], [3, np.inf]]), "x holds infinity in row 1, column 1"),
    "too large": (lambda: MultivariateGaussian.fit([[1e200, 1], [-1e200, 2], [0, 5]]), "too large to be squared: scale it"),
    "no table": (lambda: MultivariateGaussian.fit([1, 2]), r"X has shape \(2,\): give a table"),
    "no row": (lambda: MultivariateGaussian.fit(X[:0]), "x has no row"),
    "columns": (lambda: MODEL.log_density([1, 2]), r"x has shape \(2,\), the distribution has 3 columns"),
    "infinite row": (lambda: STUDENT.log_density([1, np.inf, 0]), "x holds infinity in row 0, column 1"),
    "a mask": (lambda: MODEL.marginal([True, False]), "True names no distinct columns"),
    "words": (lambda: MultivariateGaussian(["a", 1], np.eye(2)), "mean of MultivariateGaussian must hold finite numbers"),
    "no column": (lambda: MODEL.marginal([0, 3]), "3 names no distinct columns: they are numbered 0 to 2"),
    "twice": (lambda: STUDENT.marginal([1, 1]), r"\[1, 1\] names no distinct columns"),
    "all given": (lambda: MODEL.conditional({0: 1, 1: 1, 2: 1}), "All columns are given"),
    "given NaN": (lambda: MODEL.conditional({0: np.nan}), "holds a value that is not finite: leave that column out"),
    "W": (lambda: MODEL.linear([1, 2]), r"W has shape \(2,\): give a vector of 3 numbers, or a matrix of 3 rows"),
    "W singular": (lambda: MODEL.linear(np.ones((3, 2))), "covariance is singular or not positive: column 1"),
    "deviation": (lambda: MultivariateGaussian.bivariate(0, 0, 0, 1, 0), "The standard deviations 0 and 1 must be above 0"),
    "correlation": (lambda: MultivariateGaussian.bivariate(0, 0, 1, 1, 1), "correlation = 1 must lie strictly between"),
    "probability": (lambda: MODEL.squared_radius(95), "probability = 95 must lie between 0 and 1"),
    "ellipse": (lambda: MODEL.ellipse(), r"An ellipse has 2 columns, the distribution has 3: take marginal\(\[0, 1\]\)"),
    "covariance of t": (lambda: MultivariateT(2, [0], [[1]]).covariance, "df = 2: Student's t has a covariance only above 2"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refusals(call, message):
    """Each names the row, the column or the parameter, and the remedy."""
    with pytest.raises(ValueError, match=message):
        call()
