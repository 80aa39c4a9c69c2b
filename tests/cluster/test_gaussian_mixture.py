"""GaussianMixture: scikit-learn's answers pass by pass, missing cells by exact marginals, and what never falls."""

import re
import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as TheirMixture

from aprendiz import GaussianMixture
from aprendiz.core.parameters import ParameterError

RNG = np.random.default_rng(1)
X = np.vstack([RNG.normal(size=(200, 3)), RNG.normal(size=(150, 3)) * [1, 2, 0.5] + 3, RNG.normal(size=(100, 3)) - [4, 0, 2]])
HOLES = np.where(RNG.random(X.shape) < 0.3, np.nan, X)
HOLES[5] = np.nan
WEIGHT = RNG.integers(0, 4, len(X)) / 2
KINDS = ("full", "tied", "diag", "spherical")
MATRIX = np.cov(RNG.normal(size=(3, 9))) + np.eye(3)
PRECISIONS = {
    "full": np.stack([MATRIX, 2 * MATRIX, np.eye(3)]),
    "tied": MATRIX,
    "diag": np.array([[1, 2, 3.0], [1, 1, 1], [2, 2, 2]]),
    "spherical": np.array([1, 2, 0.5]),
}


def started(kind, **others):
    """Parameters of a fit from a given start."""
    start = {"weights_init": [0.2, 0.5, 0.3], "means_init": X[[0, 250, 400]], "precisions_init": PRECISIONS[kind]}
    return {"n_components": 3, "covariance_type": kind, "tol": 1e-9, "max_iter": 300, **start, **others}


every_kind = pytest.mark.parametrize("kind", KINDS)


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("offset", [0.0, 1e8], ids=["near", "far"])
def test_same_as_scikit_learn(kind, offset):
    """From the same start, every pass has scikit-learn's likelihood, and the end its parameters; at any offset."""
    parameters = started(kind)
    ours = GaussianMixture(**{**parameters, "means_init": parameters["means_init"] + offset}).fit(X + offset)
    theirs = TheirMixture(**parameters).fit(X)
    exact = 1e-9 if offset == 0 else 1e-6
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_allclose(ours.lower_bounds_, theirs.lower_bounds_, rtol=exact)
    for name in ("weights_", "covariances_", "precisions_", "precisions_cholesky_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=exact, atol=exact)
    np.testing.assert_allclose(ours.means_ - offset, theirs.means_, atol=1e-7 if offset else 1e-9)
    np.testing.assert_allclose(ours.predict_proba(X + offset), theirs.predict_proba(X), atol=exact)
    np.testing.assert_array_equal(ours.predict(X + offset), theirs.predict(X))
    np.testing.assert_allclose(ours.score_samples(X + offset), theirs.score_samples(X), rtol=exact)
    for name in ("score", "aic", "bic"):
        assert getattr(ours, name)(X + offset) == pytest.approx(getattr(theirs, name)(X), rel=exact)
    assert ours.certificate_.holds


@every_kind
def test_random_rows_have_the_density(kind):
    """Sampled rows have the weights and moments of the mixture, to five standard errors."""
    model = GaussianMixture(**started(kind), random_state=0).fit(X)
    drawn, y = model.sample(20_000)
    np.testing.assert_allclose(np.bincount(y, minlength=3) / 20_000, model.weights_, atol=0.018)
    np.testing.assert_allclose(drawn.mean(axis=0), model.weights_ @ model.means_, atol=5 * 3 / np.sqrt(20_000))
    np.testing.assert_array_equal(drawn, model.sample(20_000)[0])
    np.testing.assert_array_equal(model.sample(50, random_state=3)[0], model.sample(50, random_state=3)[0])
    assert not np.array_equal(np.sort(model.sample(50, random_state=3)[0], axis=0), np.sort(model.sample(50)[0], axis=0))
    np.testing.assert_array_equal(model.log_density(drawn[:9]), model.score_samples(drawn[:9]))
    with pytest.raises(ValueError, match="n_samples = 0"):
        model.sample(0)


@cache
def bound_of_scikit_learn():
    """The highest likelihood of four starts of scikit-learn's mixture."""
    return TheirMixture(3, n_init=4, random_state=0, max_iter=1000, tol=1e-6).fit(X).lower_bound_


@pytest.mark.parametrize("start", ["kmeans", "k-means++", "random", "random_from_data"])
def test_starts(start):
    """Every kind of start finds the three groups, given a few tries."""
    model = GaussianMixture(3, init_params=start, n_init=4, random_state=0, max_iter=1000, tol=1e-6).fit(X)
    assert model.lower_bound_ == pytest.approx(bound_of_scikit_learn(), abs=2e-4)
    assert sorted(np.round(model.weights_ * 9)) == [2, 3, 4]


def test_more_starts_are_no_worse():
    """The best of several starts is kept."""
    one, many = (
        GaussianMixture(4, init_params="random_from_data", n_init=n, random_state=2, max_iter=400).fit(X) for n in (1, 5)
    )
    assert many.lower_bound_ >= one.lower_bound_
    assert many.lower_bound_ == max(many.lower_bounds_)


def test_warm_start():
    """A second fit goes on from the first, and refuses another number of components."""
    model = GaussianMixture(**started("full", max_iter=3), warm_start=True)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model.fit(X)
    first = model.lower_bound_
    assert model.set_params(max_iter=300).fit(X).lower_bounds_[0] > first
    with pytest.raises(ParameterError, match="keep n_components"):
        model.set_params(n_components=2).fit(X)


# ---- weights, known variance -------------------------------------------------------------------------------------------


@every_kind
def test_weight_two_is_the_row_twice(kind):
    """Whole weights are repetitions; rows of weight 0 are absent."""
    repeats = (2 * WEIGHT).astype(int)
    weighted = GaussianMixture(**started(kind)).fit(X, sample_weight=2 * WEIGHT)
    repeated = GaussianMixture(**started(kind)).fit(np.repeat(X, repeats, axis=0))
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-8, atol=1e-10)
    assert weighted.bic(X, 2 * WEIGHT) == pytest.approx(repeated.bic(np.repeat(X, repeats, axis=0)), rel=1e-10)


def test_known_variance_and_equal_weights():
    """Only the means move: as the two-line iteration on paper."""
    x = np.concatenate([RNG.normal(-1, 1, 40), RNG.normal(2, 1, 60)])
    mu = np.array([-0.5, 0.5])
    for _ in range(2000):
        r = np.exp(-0.5 * (x[:, None] - mu) ** 2)
        r /= r.sum(axis=1, keepdims=True)
        mu = x @ r / r.sum(axis=0)
    model = GaussianMixture(2, weights="equal", variance=1.0, means_init=[[-0.5], [0.5]], tol=1e-14, max_iter=3000)
    model.fit(x[:, None])
    np.testing.assert_allclose(model.means_.ravel(), mu, atol=1e-6)
    np.testing.assert_array_equal(model.weights_, [0.5, 0.5])
    np.testing.assert_array_equal(model.covariances_, np.ones((2, 1, 1)))
    assert model.n_parameters_ == 2


@every_kind
def test_known_variance_of_any_kind(kind):
    """The variance that is known stays, in the shape of the kind; also with as many components as columns."""
    model = GaussianMixture(3, covariance_type=kind, variance=2.0, random_state=0).fit(X)
    spread = model.fitted_components().spread
    np.testing.assert_array_equal(spread, np.broadcast_to(2 * np.eye(3) if spread.ndim == 3 else 2.0, spread.shape))


# ---- missing cells -----------------------------------------------------------------------------------------------------


def brute_force_pass(table, weights, means, covariances, floor):
    """One pass of EM over rows with holes, row by row, by the dense formulas of conditional Gaussians."""
    k, d = means.shape
    logs, first, second = np.empty((len(table), k)), np.empty((len(table), k, d)), np.empty((len(table), k, d, d))
    for i, x in enumerate(table):
        o, h = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
        for j in range(k):
            S, filled, spread = covariances[j], x.copy(), np.zeros((d, d))
            gain = S[np.ix_(h, o)] @ np.linalg.inv(S[np.ix_(o, o)]) if len(o) else np.zeros((len(h), 0))
            filled[h] = means[j][h] + gain @ (x[o] - means[j][o])
            spread[np.ix_(h, h)] = S[np.ix_(h, h)] - gain @ S[np.ix_(o, h)]
            logs[i, j] = np.log(weights[j]) + (
                stats.multivariate_normal(means[j][o], S[np.ix_(o, o)]).logpdf(x[o]) if len(o) else 0
            )
            first[i, j], second[i, j] = filled, spread
    r = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    n = r.sum(axis=0)
    mean = np.einsum("ij,ijd->jd", r, first) / n[:, None]
    D = first - mean
    S = (np.einsum("ij,ijd,ije->jde", r, D, D) + np.einsum("ij,ijde->jde", r, second)) / n[:, None, None]
    return n / len(table), mean, S + floor * np.eye(d), logsumexp(logs, axis=1).mean()


def test_missing_cells_by_brute_force():
    """Four passes over rows with holes agree with the dense conditional formulas."""
    some = HOLES[::4]
    model = GaussianMixture(**started("full", max_iter=4, tol=0.0))
    with pytest.warns(ConvergenceWarning):
        model.fit(some)
    weights, means, covariances = np.array([0.2, 0.5, 0.3]), X[[0, 250, 400]], np.linalg.inv(PRECISIONS["full"])
    for number in range(4):
        weights, means, covariances, bound = brute_force_pass(some, weights, means, covariances, 1e-6)
        assert model.lower_bounds_[number] == pytest.approx(bound, rel=1e-10)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-9)
    np.testing.assert_allclose(model.means_, means, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.covariances_, covariances, rtol=1e-8, atol=1e-9)


def test_tied_and_diagonal_are_special_cases():
    """With holes, too: one component is the same full and tied; a diagonal one is the same as its column alone."""
    full, tied = (GaussianMixture(1, covariance_type=kind, tol=1e-12, max_iter=3000).fit(HOLES) for kind in ("full", "tied"))
    np.testing.assert_allclose(tied.covariances_, full.covariances_[0], rtol=1e-10)
    diagonal = GaussianMixture(1, covariance_type="diag", tol=1e-12, max_iter=3000, reg_covar=0).fit(HOLES)
    np.testing.assert_allclose(diagonal.means_[0], np.nanmean(HOLES, axis=0), atol=1e-5)
    np.testing.assert_allclose(diagonal.covariances_[0], np.nanvar(HOLES, axis=0), rtol=1e-4)


@every_kind
def test_density_of_known_cells(kind):
    """The density of a row with a hole is the integral over the hole; of an empty row it is 1, and r = π."""
    model = GaussianMixture(**started(kind)).fit(HOLES)
    x = np.array([0.3, np.nan, 1.1])
    whole = lambda v: np.exp(model.score_samples([[0.3, v, 1.1]]))[0]  # noqa: E731
    assert np.exp(model.score_samples([x]))[0] == pytest.approx(quad(whole, -40, 40, points=[0, 3], limit=200)[0], rel=1e-7)
    empty = np.full((1, 3), np.nan)
    assert model.score_samples(empty)[0] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(model.predict_proba(empty)[0], model.weights_, rtol=1e-12)
    assert model.certificate_.holds


def test_column_without_any_cell():
    """A column of which nothing is known changes no answer."""
    more = np.column_stack([X, np.full(len(X), np.nan)])
    model, other = (GaussianMixture(3, random_state=0).fit(table) for table in (more, X))
    np.testing.assert_allclose(model.predict_proba(more), other.predict_proba(X), atol=1e-6)
    assert model.score(more) == pytest.approx(other.score(X), rel=1e-9)


def test_missing_at_random_recovers():
    """A third of the cells lost at random: the groups are found nearly as if nothing was missing."""
    whole, holed = (GaussianMixture(**started("full")).fit(table) for table in (X, HOLES))
    np.testing.assert_allclose(holed.means_, whole.means_, atol=0.4)
    np.testing.assert_allclose(holed.weights_, whole.weights_, atol=0.05)
    known = ~np.isnan(HOLES).all(axis=1)
    assert (holed.predict(HOLES) == whole.predict(X))[known].mean() > 0.9


# ---- what never falls ----------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.sampled_from([0.0, 1e-6, 0.3]), st.booleans())
def test_cost_never_rises(seed, kind, floor, holed):
    """Whatever ε, kind and holes: a pass gains at least what (4) says, and without ε the likelihood never falls."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(60, 2)) + rng.integers(0, 2, 60)[:, None] * 3
    if holed:
        table[rng.random(table.shape) < 0.2] = np.nan
    model = GaussianMixture(2, covariance_type=kind, reg_covar=floor, random_state=0, tol=1e-8, max_iter=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "reg_covar=0.3 is added to variances")
        try:
            model.fit(table)
        except ValueError:  # collapsed, without ε: below
            assume(floor > 0)
            raise
    assert model.certificate_.holds
    if floor == 0:
        assert (np.diff(model.lower_bounds_) >= -1e-11).all()


def test_a_large_floor_can_lower_the_likelihood():
    """With ε as large as the variances the plain likelihood does fall, and (4) still holds: why the certificate has it."""
    with pytest.warns(UserWarning, match="reg_covar=5 is added to variances"):
        model = GaussianMixture(**started("full", reg_covar=5.0)).fit(X)
    assert model.certificate_.fall > 1e-3
    assert model.certificate_.holds


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", [2.0**-20, 2.0**-60])
def test_columns_narrower_than_the_floor(kind, unit):
    """In tiny units the default ε makes one blob, as in scikit-learn: a warning says so, and what it advises does not."""
    usual = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    with pytest.warns(UserWarning, match=r"column \d has a variance of .* or give reg_covar=\d+e-\d+\.") as said:
        GaussianMixture(3, covariance_type=kind, random_state=0).fit(X * unit)
    advised = float(re.search(r"give reg_covar=([\de-]+)", str(said[0].message))[1])
    model = GaussianMixture(3, covariance_type=kind, reg_covar=advised, random_state=0).fit(X * unit)
    assert (model.predict(X * unit) == usual.predict(X)).mean() > 0.98
    GaussianMixture(2, covariance_type=kind, random_state=0).fit(np.column_stack([X, np.ones(len(X))]))  # constant: not a word


# ---- degenerate ----------------------------------------------------------------------------------------------------------


def test_collapse_is_explained():
    """Without ε a component on equal rows is refused by number and column; with it the fit goes on."""
    table = np.vstack([np.zeros((5, 2)), RNG.normal(size=(40, 2)) + 9])
    for kind in KINDS[::3]:
        with pytest.raises(ValueError, match=r"Component \d \(weight .*\) has collapsed: .* column 0"):
            GaussianMixture(2, covariance_type=kind, reg_covar=0.0, random_state=0).fit(table)
        assert GaussianMixture(2, covariance_type=kind, random_state=0).fit(table).certificate_.holds
    with pytest.raises(ValueError, match="The common covariance has collapsed"):
        GaussianMixture(1, covariance_type="tied", reg_covar=0.0).fit(np.ones((4, 2)))


def test_fewer_places_than_components():
    """More components than distinct rows: some have no rows, and that is said."""
    with pytest.warns(ConvergenceWarning, match="has no rows"):
        model = GaussianMixture(3, random_state=0).fit(np.repeat([[0.0], [1.0]], 10, axis=0))
    assert np.isfinite(model.means_).all()


def test_refusals():
    """Too few rows, starts of the wrong shape, weights that are all 0."""
    for parameters, words in (
        ({"means_init": np.zeros((2, 3))}, "means_init must be 3 points of 3"),
        ({"weights_init": [0.5, 0.5, 0.5]}, "weights_init must be 3 numbers"),
        ({"precisions_init": np.eye(3)}, r"precisions_init must have the shape \(3, 3, 3\)"),
        ({"precisions_init": -PRECISIONS["full"]}, "positive definite"),
        ({"variance": 0.0}, "variance of GaussianMixture"),
    ):
        with pytest.raises(ParameterError, match=words):
            GaussianMixture(**started("full", **parameters)).fit(X)
    with pytest.raises(ValueError, match="n_samples=2 should be >= n_components=3"):
        GaussianMixture(3).fit(X[:2])
    with pytest.raises(ValueError, match="all weights are zero"):
        GaussianMixture(1).fit(X, sample_weight=np.zeros(len(X)))


def test_far_rows():
    """A row that no component reaches has density 0 and belongs to all alike."""
    model = GaussianMixture(**started("full")).fit(X)
    assert np.isneginf(model.score_samples([[1e200, 0, 0]])[0])
    np.testing.assert_allclose(model.predict_proba([[1e200, 0, 0]]), 1 / 3)


def test_nothing_known():
    """A table without a known cell is refused, by its own name."""
    with pytest.raises(ValueError, match="X holds no known cell, all are missing"):
        GaussianMixture(1).fit(np.full((3, 2), np.nan))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_warm_start_notices_that_it_has_settled():
    """One pass at a time: the fit before says what the likelihood was."""
    rows = np.concatenate([np.random.default_rng(0).normal(size=(60, 2)), np.random.default_rng(1).normal(size=(60, 2)) + 6])
    model = GaussianMixture(2, warm_start=True, max_iter=1, random_state=0)
    assert any(model.fit(rows).converged_ for _ in range(100))
    assert model.n_iter_ == 1
