"""The range finder is no worse than power iterations, finds what squares hide, and its bound on the rest is one."""

import numpy as np
import pytest
from sklearn.utils.extmath import randomized_svd

from aprendiz.core.blas import single_blas
from aprendiz.decomposition.randomized.norm_bound import FAILURE, largest_ratio, remaining_norm
from aprendiz.decomposition.randomized.range_finder import dominant_directions, krylov_steps, normal_block

SPECTRA = {
    "flat": np.linspace(1.0, 0.5, 120),
    "slow": np.arange(1.0, 121) ** -0.5,
    "fast": np.arange(1.0, 121) ** -2.0,
    "steps": np.repeat([1.0, 0.9, 0.3], 40),
}


def matrix(singular, rows=200, seed=0):
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(n, len(singular))))[0] for n in (rows, len(singular)))
    return (U * singular) @ V.T


def left(A, V):
    return np.linalg.norm(A - (A @ V) @ V.T)


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("power_iterations", [0, 1, 2, 3, 5, 7])
def test_as_near_as_power_iterations(name, power_iterations):
    """For the same block width, over some seeds, so many steps leave no more than scikit-learn's power iterations leave."""
    A, k, ours, theirs = matrix(SPECTRA[name]), 8, [], []
    with single_blas():
        for seed in range(5):
            steps = krylov_steps(power_iterations)
            found = dominant_directions(lambda Q: A.T @ (A @ Q), 120, k, width=12, steps=steps, seed=seed)
            ours.append(left(A, found.vectors[:, :k]))
            V = randomized_svd(A, k, n_iter=power_iterations, n_oversamples=4, random_state=seed)[2].T
            theirs.append(left(A, V))
    assert np.mean(ours) <= np.mean(theirs) * (1 + 1e-9)


def test_directions_below_the_squares():
    """Singular values from 1 to 10⁻¹²: their squares span more than the digits of a double, and all are found."""
    A = matrix(10.0 ** -np.arange(13.0), 60)
    found = dominant_directions(lambda Q: A.T @ (A @ Q), 13, 10, width=13, steps=1, seed=0)
    R = np.linalg.qr(A @ found.vectors[:, :10], mode="r")
    np.testing.assert_allclose(np.linalg.svd(R, compute_uv=False)[:10], 10.0 ** -np.arange(10.0), rtol=1e-3)


def test_nothing_to_find():
    """A matrix of zeros has directions like any other."""
    found = dominant_directions(lambda Q: 0.0 * Q, 9, 4, width=5, steps=3, seed=0)
    assert found.settled
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(found.vectors.shape[1]), atol=1e-12)


def test_normal_block():
    """The numbers are normal, and others in another stream."""
    drawn = normal_block(500, 40, seed=3)
    assert abs(drawn.mean()) < 0.03
    assert abs((drawn**2).mean() - 1.0) < 0.04
    assert abs((drawn**4).mean() - 3.0) < 0.2
    assert abs((drawn * normal_block(500, 40, seed=3, stream=1)).mean()) < 0.03


@pytest.mark.parametrize("name", SPECTRA)
def test_norm_of_the_rest(name):
    """σ_{k+1} lies between the bounds, of any directions, and the upper one is at most `largest_ratio` above the lower."""
    A = matrix(SPECTRA[name])
    V = np.linalg.svd(A)[2].T
    for chosen in (V[:, :5], V[:, 3:7], np.linalg.qr(normal_block(120, 6, 1))[0]):
        norm = np.linalg.norm(A - (A @ chosen) @ chosen.T, 2)
        for seed in range(5):
            below, above = remaining_norm(lambda Q: A.T @ (A @ Q), chosen, seed)
            assert below <= norm * (1 + 1e-12)
            assert norm <= above <= 1.6 * below


def test_ratio_in_the_worst_case():
    """One step and one probe, d = 3, and eigenvalues of which all but one are the same: it holds as often as it says."""
    lengths = np.random.default_rng(0).normal(size=(20_000, 3)) ** 2
    a, b = 1.0, 0.2  # singular values
    ritz = np.sqrt((lengths @ np.array([a, b, b]) ** 2 * 1.0) / lengths.sum(axis=1))
    for failure in (0.5, 0.1, 0.01):
        ratio = largest_ratio(3, 1, 1, failure)
        assert np.mean(ritz * ratio < a) <= failure
    assert largest_ratio(3, 1, 1) > largest_ratio(3, 1, 2) > largest_ratio(3, 2, 2) > 1.0
    assert FAILURE <= 1e-10
