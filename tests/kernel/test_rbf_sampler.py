"""RBFSampler: cosines whose inner products are unbiased for the Gaussian kernel, wherever the rows are."""

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn import kernel_approximation

import aprendiz
from aprendiz import RBF, LogisticRegression, RBFSampler
from aprendiz.core.parameters import ParameterError
from aprendiz.kernel.features.cosines import cosine_features
from aprendiz.kernel.features.frequencies import draw_frequencies

RNG = np.random.default_rng(5)
X = RNG.normal(size=(300, 4))


def plain_features(X, W, b):
    """(2) of rbf_sampler.py, in NumPy's words."""
    return np.sqrt(2 / len(b)) * np.cos(X @ W + b)


# ---- the features ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e3, 1e6])
def test_cosines(size):
    """The compiled cosine is NumPy's, up to what the phase itself loses; at every turn and quarter."""
    W, b = size * RNG.normal(size=(4, 50)), RNG.uniform(0, 2 * np.pi, 50)
    lost = 1e-15 * (1 + np.abs(X) @ np.abs(W)).max()
    np.testing.assert_allclose(cosine_features(X, W, b, np.float64), plain_features(X, W, b), rtol=0, atol=lost)
    quarters = np.arange(-8, 9)[:, None] / 4.0
    found = cosine_features(quarters, np.array([[2 * np.pi]]), np.zeros(1), np.float64).ravel() / np.sqrt(2)
    np.testing.assert_allclose(found, np.resize([1.0, 0.0, -1.0, 0.0], 17), atol=1e-15)


def test_same_features_as_scikit_learn():
    """With the same frequencies, rows have the same features, dense and sparse."""
    ours, theirs = RBFSampler(gamma=0.3, random_state=0).fit(X), kernel_approximation.RBFSampler(gamma=0.3).fit(X)
    theirs.random_weights_, theirs.random_offset_ = ours.random_weights_, ours.random_offset_
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-14)
    thin = sparse.random_array((40, 4), density=0.3, rng=0, format="csr")
    np.testing.assert_allclose(ours.transform(thin), theirs.transform(thin), atol=1e-14)
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())


def test_frequencies_are_normal():
    """W has scikit-learn's distribution, N(0, 2γ), independent from column to column, and b is uniform."""
    W, b = draw_frequencies(0.7, 5, 20_000, 3)
    assert stats.kstest(W.ravel() / np.sqrt(1.4), "norm").pvalue > 1e-3
    assert stats.kstest(b / (2 * np.pi), "uniform").pvalue > 1e-3
    assert np.abs(np.corrcoef(W) - np.eye(5)).max() < 4 / np.sqrt(20_000)
    assert np.abs(np.corrcoef(np.abs(W)) - np.eye(5)).max() < 4 / np.sqrt(20_000)  # of a pair of Box and Muller too


def test_more_components_begin_with_the_same():
    few, many = (RBFSampler(n_components=n, random_state=0).fit(X) for n in (20, 50))
    assert np.array_equal(many.random_weights_[:, :20], few.random_weights_)
    assert np.array_equal(many.random_offset_[:20], few.random_offset_)
    other = RBFSampler(n_components=20, random_state=1).fit(X)
    assert not np.array_equal(other.random_weights_, few.random_weights_)


def test_unbiased():
    """Over many draws the mean of z(x)ᵀz(y) is K(x, y), to four standard errors; D terms have a variance of at most 1/D."""
    some, K, D, draws = X[:6], RBF(gamma=0.2)(X[:6]), 50, 400
    found = np.stack(
        [(Z := RBFSampler(gamma=0.2, n_components=D, random_state=s).fit_transform(some)) @ Z.T for s in range(draws)]
    )
    assert np.abs(found.mean(axis=0) - K).max() < 4 / np.sqrt(draws * D)
    variance = ((1 - K**2) ** 2 + 1) / 2 / D
    assert np.abs(found.var(axis=0) / variance - 1).max() < 0.5


def test_gamma_scale():
    """γ = "scale" is 1/(columns · variance of all cells), from arrays, sparse rows and files alike."""
    wanted = 1 / (4 * X.var())
    model = RBFSampler(gamma="scale", random_state=0).fit(X)
    np.testing.assert_allclose(
        model.random_weights_, RBFSampler(gamma=wanted, random_state=0).fit(X).random_weights_, rtol=1e-12
    )
    thin = np.where(X > 0, X, 0.0)
    a, b = (RBFSampler(gamma="scale", random_state=0).fit(T).random_weights_ for T in (thin, sparse.csr_array(thin)))
    np.testing.assert_allclose(a, b, rtol=1e-12)
    assert np.isfinite(RBFSampler(gamma="scale").fit(np.ones((5, 2))).random_weights_).all()


# ---- the certificate -------------------------------------------------------------------------------------------------


def test_certificate():
    """The error that is told is the largest one of the rows that it looked at, and falls as 1/√D."""
    few, many = (RBFSampler(gamma=0.2, n_components=D, random_state=0).fit(X[:50]) for D in (100, 10_000))
    for model in (few, many):
        Z = model.transform(X[:50])
        assert model.certificate_.error == pytest.approx(np.abs(Z @ Z.T - RBF(gamma=0.2)(X[:50])).max(), rel=1e-9)
        assert model.certificate_.holds
        assert model.certificate_.error < model.certificate_.bound
    assert many.certificate_.error < 0.2 * few.certificate_.error


def test_phases_without_digits():
    """Rows so far away that rounding decides their phases: nothing is claimed."""
    assert not RBFSampler(random_state=0).fit(X + 1e14).certificate_.holds
    with pytest.raises(ValueError, match=r"1\.7e\+308 in column 1.*Scale"):
        RBFSampler(gamma=1e6, random_state=0).fit(X).transform(np.where(np.arange(4) == 1, 1.7e308, X))


def test_bad_parameters():
    for bad in ({"gamma": -1.0}, {"gamma": "auto"}, {"n_components": 0}, {"gamma": np.inf}):
        with pytest.raises(ParameterError, match=next(iter(bad))):
            RBFSampler(**bad).fit(X)


# ---- files and pipelines ---------------------------------------------------------------------------------------------


def test_feeds_a_linear_learner_from_a_file(tmp_path):
    """Block by block from a file, the pipeline gives the coefficients that it gives in memory."""
    import pandas as pd

    y = (np.linalg.norm(X, axis=1) > 1.8).astype(int)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=70)
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    sampler = RBFSampler(gamma=0.3, random_state=0)
    there = LogisticRegression().fit(sampler.fit(rows).transform(rows))
    here = LogisticRegression().fit(sampler.fit_transform(X), y)
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-9)
    assert here.score(sampler.transform(X), y) > 0.9 > LogisticRegression().fit(X, y).score(X, y)
