"""PCA(missing="em"): the most likely components of the known cells."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris

import aprendiz
from aprendiz import PCA

RNG = np.random.default_rng(5)
IRIS = load_iris().data
HOLES = np.where(RNG.random(IRIS.shape) < 0.2, np.nan, IRIS)
MODEL = {}


def model(k=2, **given):
    key = (k, *sorted(given.items()))
    if key not in MODEL:
        MODEL[key] = PCA(k, missing="em", **given).fit(HOLES)
    return MODEL[key]


def known_log_likelihood(mean, covariance, X=HOLES):
    """Mean log-density of the known cells, row by row."""
    total = 0.0
    for row in X:
        o = ~np.isnan(row)
        if o.any():
            total += multivariate_normal(mean[o], covariance[np.ix_(o, o)]).logpdf(row[o])
    return total / len(X)


def test_density_of_known_cells():
    """score_samples is the log-density of what is known of a row, scaled or not."""
    for scale in (False, True):
        m = model(scale=scale)
        assert m.score(HOLES) == pytest.approx(known_log_likelihood(m.mean_, m.get_covariance()), rel=1e-12)
    np.testing.assert_allclose(
        model().score_samples(IRIS), multivariate_normal(model().mean_, model().get_covariance()).logpdf(IRIS)
    )


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_maximum(k):
    """Where EM stops, the likelihood of the known cells is flat in m, in W and in σ²."""
    fit = list(PCA(k, missing="em", tol=1e-14).steps(HOLES))[-1]

    def level(p):
        mean, W, noise = p[:4], p[4:-1].reshape(4, k), p[-1]
        return known_log_likelihood(mean, W @ W.T + noise * np.eye(4), HOLES[:, :] / unit)

    unit = 2.0 ** np.round(0.5 * np.log2(np.nanvar(HOLES, axis=0).mean()))
    at = np.concatenate([fit.mean, fit.W.ravel(), [fit.noise]])
    assert -fit.objective == pytest.approx(level(at), abs=1e-9)
    np.testing.assert_allclose(approx_fprime(at, level, 1e-7), 0, atol=2e-4)


def test_never_falls():
    """The log-likelihood of each pass."""
    levels = [-s.objective for s in PCA(3, missing="em").steps(HOLES)][1:]
    assert (np.diff(levels) >= -1e-12).all()
    assert levels[-1] > levels[0] + 0.1
    assert model(3).certificate_.holds
    assert model(3).method_ == "em"


def test_nothing_missing():
    """Complete rows have their components at once, and EM finds the same ones."""
    assert PCA(2, missing="em").fit(IRIS).method_ == "covariance"
    one = IRIS.copy()
    one[0, 0] = np.nan
    near, whole = PCA(2, missing="em", tol=1e-13).fit(one), PCA(2).fit(IRIS)
    np.testing.assert_allclose(near.components_, whole.components_, atol=0.01)
    np.testing.assert_allclose(near.explained_variance_, whole.explained_variance_, rtol=0.01)
    assert near.noise_variance_ == pytest.approx(whole.noise_variance_, rel=0.02)


def test_numbers_of_components():
    """A share or "mle" choose among all of them; all of them are the whole covariance."""
    whole = model(None)
    assert whole.n_components_ == 4
    np.testing.assert_allclose(model(4).get_covariance(), whole.get_covariance())
    share = np.cumsum(whole.explained_variance_ratio_)
    assert model(float(share[1])).n_components_ == 2
    assert model("mle").n_components_ == 3
    np.testing.assert_allclose(whole.explained_variance_ratio_.sum(), 1)


def test_coordinates_from_known_cells():
    """Missing cells are at their means given the known ones, then the row is projected; a row without cells is the mean."""
    m, C = model(), model().get_covariance()
    row = np.array([5.0, np.nan, 4.0, np.nan])
    o = ~np.isnan(row)
    full = m.mean_ + C[:, o] @ np.linalg.solve(C[np.ix_(o, o)], (row - m.mean_)[o])
    np.testing.assert_allclose(m.transform([row]), m.transform([full]), atol=1e-9)
    np.testing.assert_allclose(m.transform([[np.nan] * 4]), 0, atol=1e-12)


def test_scale_of_known_cells():
    """Columns are divided by the deviations of their known cells."""
    np.testing.assert_allclose(model(scale=True).scale_, np.nanstd(HOLES, axis=0, ddof=1), rtol=1e-12)


@pytest.mark.parametrize("scale", [False, True])
def test_weights_count_rows(scale):
    """A weight of 2 is the row twice, of 0 never."""
    times = RNG.integers(0, 3, len(HOLES))
    given = {"missing": "em", "tol": 1e-12, "scale": scale}
    weighted, repeated = PCA(2, **given).fit(HOLES, sample_weight=times), PCA(2, **given).fit(np.repeat(HOLES, times, axis=0))
    np.testing.assert_allclose(weighted.explained_variance_, repeated.explained_variance_, rtol=1e-6)
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-5)


def test_shift_and_unit():
    """Columns that are moved by 2²⁰ and measured in units of 2⁻³⁰ have the same components."""
    X = np.round(HOLES * 64) / 64
    far, near = (PCA(2, missing="em").fit(table) for table in ((X + 2.0**20) * 2.0**30, X))
    np.testing.assert_allclose(far.components_, near.components_, atol=1e-6)
    np.testing.assert_allclose(far.explained_variance_ / 4.0**30, near.explained_variance_, rtol=1e-6)


def test_files(tmp_path):
    """From a file, as from memory."""
    pd = pytest.importorskip("pandas")
    pd.DataFrame(HOLES, columns=list("abcd")).to_parquet(tmp_path / "t.parquet")
    model_of_file = PCA(2, missing="em").fit(aprendiz.rows(tmp_path / "t.parquet"))
    np.testing.assert_array_equal(model_of_file.components_, model().components_)


def test_stopped_and_resumed(tmp_path):
    """A fit that ran out of time goes on from its checkpoint, to the same bits."""
    with pytest.warns(aprendiz.core.iteration.ConvergenceWarning), aprendiz.training(budget=0, checkpoint=tmp_path):
        short = PCA(3, missing="em").fit(HOLES)
    assert short.n_iter_ < model(3).n_iter_
    assert not short.certificate_.holds
    with aprendiz.training(checkpoint=tmp_path):
        resumed = PCA(3, missing="em").fit(HOLES)
    np.testing.assert_array_equal(resumed.components_, model(3).components_)


def test_refused():
    """By default, and where there is nothing to go by."""
    with pytest.raises(ValueError, match="NaN"):
        PCA().fit(HOLES)
    with pytest.raises(ValueError, match=r"Column 1 has no known cell"):
        PCA(missing="em").fit([[1.0, np.nan], [2.0, np.nan]])
    with pytest.raises(ValueError, match=r"all alike.*scale the columns"):
        PCA(missing="em").fit([[1.0, np.nan], [1.0, 2.0]])
    with pytest.raises(ValueError, match=r"too large to be squared: \S+e\+200 in row"):
        PCA(missing="em").fit(HOLES * 1e200)
    with pytest.raises(ValueError, match="needs all rows at once"):
        PCA(missing="em").partial_fit(HOLES)
    with pytest.raises(ValueError, match="no sums to add to"):
        PCA(missing="em").fit(HOLES).set_params(missing="refuse").partial_fit(IRIS)
    with pytest.raises(ValueError, match="Only missing"):
        PCA().steps(IRIS)


def test_rows_in_a_plane():
    """Where the likelihood has no maximum the certificate does not hold."""
    X = RNG.normal(size=(40, 1)) * [1.0, 2.0, 3.0]
    X[3, 1] = np.nan
    found = PCA(1, missing="em").fit(X)
    assert not found.certificate_.holds
    np.testing.assert_allclose(np.abs(found.components_[0]), np.array([1, 2, 3]) / 14**0.5, atol=1e-3)


def test_few_of_anything():
    """No component, a single column, fewer rows than columns."""
    none, single = PCA(0, missing="em").fit(HOLES), PCA(missing="em").fit(HOLES[:, :1])
    assert none.transform(HOLES).shape == (150, 0)
    assert none.score(HOLES) == pytest.approx(known_log_likelihood(none.mean_, none.noise_variance_ * np.eye(4)))
    known = HOLES[~np.isnan(HOLES[:, 0]), 0]
    assert single.mean_[0] == pytest.approx(known.mean())
    assert single.explained_variance_[0] == pytest.approx(known.var() * 150 / 149)
    wide = PCA(missing="em").fit(HOLES[:3].T[:, :3].T)
    assert wide.components_.shape == (3, 4)
