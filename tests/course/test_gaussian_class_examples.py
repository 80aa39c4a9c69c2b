"""The worked examples of the course about normal classes: numbers of parameters, thresholds, discriminants as coefficients."""

from fractions import Fraction

import numpy as np
import pytest

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1, 2], [20, 30, 50])
MIXING = np.eye(4) + 0.4 * RNG.normal(size=(3, 4, 4))
X = np.einsum("ij,ijl->il", RNG.normal(size=(100, 4)), MIXING[Y]) + 2.0 * RNG.normal(size=(3, 4))[Y]
MEANS = np.array([X[k == Y].mean(axis=0) for k in range(3)])
COVARIANCES = np.array([np.cov(X[k == Y].T, ddof=0) for k in range(3)])
SHARES = np.array([0.2, 0.3, 0.5])
COMMON = np.tensordot(SHARES, COVARIANCES, 1)  # weighted by the shares of the classes


def spread_rows(mean, deviation):
    """Two rows with this mean and this deviation, divisor n."""
    return [mean - deviation, mean + deviation]


def line(*classes):
    """A table of one column: classes given by mean and deviation, two rows each."""
    table = np.concatenate([spread_rows(*one) for one in classes])[:, None]
    return table, np.repeat(np.arange(len(classes)), 2)


def assert_same_up_to_a_number(scores, log_posteriors):
    """Discriminants of a row may differ from the logarithms of its posteriors by what all classes share."""
    np.testing.assert_allclose(scores - scores[:, :1], log_posteriors - log_posteriors[:, :1], rtol=1e-9, atol=1e-9)


# ---- parameters ------------------------------------------------------------------------------------------------------


def test_e_03_parameters():
    """K = 3 and p = 4, without priors: 42 quadratic, 22 linear, 16 diagonal and linear, 12 nearest mean."""
    models = (QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), DiagonalDiscriminantAnalysis(), NearestMean())
    assert [model.fit(X, Y).n_parameters_ for model in models] == [42, 22, 16, 12]


# ---- one column ------------------------------------------------------------------------------------------------------


def test_midpoint_of_two_means():
    """Equal variances and priors: the threshold of two classes is the middle of their means, for every pair of three."""
    model = QuadraticDiscriminantAnalysis().fit(*line((0, 1), (2, 1), (7, 1)))
    assert {pair: found.tolist() for pair, found in model.thresholds_.items()} == {
        (0, 1): pytest.approx([1.0]),
        (0, 2): pytest.approx([3.5]),
        (1, 2): pytest.approx([4.5]),
    }
    new = np.linspace(-3, 10, 27)
    nearest = np.abs(new[:, None] - np.array([0.0, 2.0, 7.0])).argmin(axis=1)
    off = ~np.isin(new, [1.0, 3.5, 4.5])
    np.testing.assert_array_equal(model.predict(new[off, None]), nearest[off])


def test_priors_move_the_threshold():
    """N(0, 1) and N(2, 1): the threshold is 1 + ln(π₀/π₁)/2."""
    for prior in (0.1, 0.5, 0.8):
        model = QuadraticDiscriminantAnalysis(priors=[prior, 1 - prior]).fit(*line((0, 1), (2, 1)))
        assert model.thresholds_[0, 1] == pytest.approx([1 + np.log(prior / (1 - prior)) / 2], rel=1e-12)


def test_two_thresholds():
    """N(0, 1) and N(1, 2²): 3x² + 2x − 1 − 8 ln 2 = 0 has two roots, and the narrow class lies between them."""
    model = QuadraticDiscriminantAnalysis().fit(*line((0, 1), (1, 2)))
    root = np.sqrt(4 + 12 * (1 + 8 * np.log(2)))
    assert model.thresholds_[0, 1] == pytest.approx([(-2 - root) / 6, (-2 + root) / 6], rel=1e-12)
    assert model.predict([[-3.0], [0.0], [3.0]]).tolist() == [1, 0, 1]


def test_no_threshold():
    """A wide class that is frequent enough wins everywhere; of two classes that are the same none is divided from the other."""
    model = QuadraticDiscriminantAnalysis(priors=[0.01, 0.99]).fit(*line((0, 1), (0, 2)))
    assert len(model.thresholds_[0, 1]) == 0
    assert (model.predict(np.linspace(-9, 9, 99)[:, None]) == 1).all()
    assert len(QuadraticDiscriminantAnalysis().fit(*line((0, 1), (0, 1))).thresholds_[0, 1]) == 0


def test_thresholds_are_where_posteriors_are_equal():
    """Of many pairs with different deviations and priors: the posteriors meet at each root, and nowhere else."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        classes = [(rng.normal(), rng.uniform(0.5, 2)), (rng.normal(), rng.uniform(0.5, 2))]
        prior = rng.uniform(0.2, 0.8)
        model = QuadraticDiscriminantAnalysis(priors=[prior, 1 - prior]).fit(*line(*classes))
        roots = model.thresholds_[0, 1]
        assert (np.diff(roots) > 0).all()
        if len(roots):
            np.testing.assert_allclose(model.predict_proba(roots[:, None])[:, 0], 0.5, atol=1e-9)
        places = np.linspace(-40, 40, 4001)
        changes = np.abs(np.diff(model.predict(places[:, None]))).sum()
        assert changes == np.sum(np.abs(roots) < 40)


# ---- discriminants as coefficients -----------------------------------------------------------------------------------


def test_quadratic_discriminants():
    """W = −½Σ⁻¹, w = Σ⁻¹μ, w₀ = −½μᵀΣ⁻¹μ − ½ ln|Σ| + ln P: the logarithms of the posteriors up to a number."""
    model = QuadraticDiscriminantAnalysis().fit(X, Y)
    q = model.quadratic_
    for k in range(3):
        inverse = np.linalg.inv(COVARIANCES[k])
        np.testing.assert_allclose(q.W[k], -0.5 * inverse, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(q.w[k], inverse @ MEANS[k], rtol=1e-9, atol=1e-11)
        volume = np.linalg.slogdet(COVARIANCES[k])[1]
        assert q.w0[k] == pytest.approx(-0.5 * MEANS[k] @ inverse @ MEANS[k] - 0.5 * volume + np.log(SHARES[k]), rel=1e-10)
    scores = np.einsum("ij,kjl,il->ik", X, q.W, X) + X @ q.w.T + q.w0
    assert_same_up_to_a_number(scores, model.predict_log_proba(X))


def test_linear_discriminants():
    """Σ = Σ_k P_k Σ_k, and what is left is linear: w = Σ⁻¹μ, w₀ = −½μᵀΣ⁻¹μ + ln P."""
    inverse = np.linalg.inv(COMMON)
    w, w0 = MEANS @ inverse, np.log(SHARES) - 0.5 * np.einsum("kj,jl,kl->k", MEANS, inverse, MEANS)
    for solver in ("svd", "lsqr", "eigen"):
        model = LinearDiscriminantAnalysis(solver, store_covariance=True).fit(X, Y)
        np.testing.assert_allclose(model.covariance_, COMMON, rtol=1e-10, atol=1e-12)
        assert_same_up_to_a_number(X @ w.T + w0, model.predict_log_proba(X))
        assert_same_up_to_a_number(X @ model.coef_.T + model.intercept_, model.predict_log_proba(X))
    np.testing.assert_allclose(model.coef_, w, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, w0, rtol=1e-9)


def test_diagonal_discriminants():
    """G(x) = −½ Σ_j ((x_j − μ_j)/σ_j)² + ln P with the deviations that all classes share."""
    model = DiagonalDiscriminantAnalysis().fit(X, Y)
    scores = np.log(SHARES) - 0.5 * (((X[:, None] - MEANS) ** 2) / np.diag(COMMON)).sum(axis=2)
    assert_same_up_to_a_number(scores, model.predict_log_proba(X))


# ---- nearest mean ----------------------------------------------------------------------------------------------------


def test_nearest_mean():
    """Equal priors: w = μ, w₀ = −½‖μ‖², and the class is that of the nearest mean."""
    model = NearestMean().fit(X, Y)
    np.testing.assert_allclose(model.coef_, MEANS, rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, -0.5 * (MEANS**2).sum(axis=1), rtol=1e-12)
    nearest = ((X[:, None] - MEANS) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(X), nearest)
    np.testing.assert_array_equal((X @ model.coef_.T + model.intercept_).argmax(axis=1), nearest)
    np.testing.assert_array_equal(NearestMean(priors=np.full(3, 1 / 3)).fit(X, Y).predict(X), nearest)


def test_nearest_mean_with_priors():
    """G(x) = −‖x − μ‖²/2σ² + ln P, σ² the mean of the variances that all classes share: a frequent class wins more rows."""
    variance = np.trace(COMMON) / 4
    for priors in ("shares", [0.6, 0.3, 0.1]):
        model = NearestMean(priors=priors).fit(X, Y)
        P = SHARES if priors == "shares" else np.array(priors)
        assert model.variance_ == pytest.approx(variance, rel=1e-11)
        scores = np.log(P) - ((X[:, None] - MEANS) ** 2).sum(axis=2) / (2 * variance)
        assert_same_up_to_a_number(scores, model.predict_log_proba(X))
        assert_same_up_to_a_number((X @ model.coef_.T + model.intercept_) / variance, model.predict_log_proba(X))


# ---- regularized -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_targets_of_the_regularized_one(share):
    """(1 − λ)·ML + λ·target: λ = 0 is the covariance of maximum likelihood, λ = 1 the target, which is the covariance of all
    classes, the diagonal, a multiple of I, or I. (Two places of the course name different ends: these are the right ones.)"""
    for parameters, target in [
        ({"toward_pooled": share}, np.stack([COMMON] * 3)),
        ({"toward_diagonal": share}, np.stack([np.diag(np.diag(C)) for C in COVARIANCES])),
        ({"toward_identity": share}, np.stack([np.trace(C) / 4 * np.eye(4) for C in COVARIANCES])),
        ({"toward_identity": share, "identity": "plain"}, np.stack([np.eye(4)] * 3)),
    ]:
        model = RegularizedDiscriminantAnalysis(**parameters).fit(X, Y)
        found = np.stack([shape.matrix for shape in model.ellipsoids_])
        np.testing.assert_allclose(found, (1 - share) * COVARIANCES + share * target, rtol=1e-9, atol=1e-11)


def test_regularized_is_the_mode_of_an_inverse_wishart_posterior():
    """The prior |Σ|^(−m/2)·exp(−½ m tr(TΣ⁻¹)) and n rows: the mode is (n·ML + m·T)/(n + m), so λ = m/(n + m)."""
    rows, S = 20, COVARIANCES[0]
    for m in (5, 20, 60):
        share = float(Fraction(m, rows + m))
        target = np.trace(S) / 4 * np.eye(4)

        def log_posterior(C, m=m, target=target):
            inside = rows * np.trace(np.linalg.solve(C, S)) + m * np.trace(np.linalg.solve(C, target))
            return -0.5 * ((rows + m) * np.linalg.slogdet(C)[1] + inside)

        model = RegularizedDiscriminantAnalysis(toward_identity=share).fit(X, Y)
        best = model.ellipsoids_[0].matrix
        for seed in range(20):
            step = np.random.default_rng(seed).normal(size=(4, 4))
            other = best + 0.02 * (step + step.T)
            assert log_posterior(best) > log_posterior(other)


def test_fewer_rows_than_columns():
    """The covariance of maximum likelihood is singular when a class has fewer rows than columns; λ > 0 makes it regular."""
    table = np.random.default_rng(2).normal(size=(6, 4))
    for pull, holds in [(0.0, False), (0.1, True), (1.0, True)]:
        model = RegularizedDiscriminantAnalysis(toward_identity=pull).fit(table, [0, 0, 0, 1, 1, 1])
        assert model.certificate_.holds == holds
        assert np.isfinite(model.predict_log_proba(table)).all()
