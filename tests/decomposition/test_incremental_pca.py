"""IncrementalPCA: batches say what all rows say."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.decomposition import IncrementalPCA as TheirPCA

from aprendiz import PCA, IncrementalPCA

RNG = np.random.default_rng(4)
IRIS = load_iris().data
WIDE = RNG.normal(size=(30, 50)) @ np.diag(np.geomspace(3, 1, 50))


def in_batches(model, X, size):
    for start in range(0, len(X), size):
        model.partial_fit(X[start : start + size])
    return model


@pytest.mark.parametrize("whiten", [False, True])
def test_one_batch_is_as_scikit_learn_says(whiten):
    """All attributes and coordinates."""
    ours, theirs = (cls(2, whiten=whiten, batch_size=150).fit(IRIS) for cls in (IncrementalPCA, TheirPCA))
    for name in ("components_", "explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_", "var_"):
        np.testing.assert_allclose(np.abs(getattr(ours, name)), np.abs(getattr(theirs, name)), rtol=1e-10)
    for name in ("n_components_", "n_samples_seen_", "batch_size_"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.noise_variance_ == pytest.approx(theirs.noise_variance_)
    np.testing.assert_allclose(np.abs(ours.transform(IRIS)), np.abs(theirs.transform(IRIS)), atol=1e-12)
    if not whiten:
        np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), rtol=1e-9)


@pytest.mark.parametrize("X", [IRIS, WIDE], ids=["iris", "wide"])
@pytest.mark.parametrize("size", [4, 13])
def test_batches_decide_nothing(X, size):
    """Any batches give what PCA gives of all the rows; scikit-learn's forget what lies outside of the components."""
    ours, whole = in_batches(IncrementalPCA(2), X, size), PCA(2).fit(X)
    theirs = in_batches(TheirPCA(2), X, size)
    np.testing.assert_allclose(ours.components_, whole.components_, atol=1e-11)
    np.testing.assert_allclose(ours.explained_variance_, whole.explained_variance_, rtol=1e-11)
    np.testing.assert_allclose(ours.var_, X.var(axis=0), rtol=1e-12)
    assert theirs.explained_variance_.sum() < ours.explained_variance_.sum() * (1 - 1e-9)
    assert ours.n_samples_seen_ == len(X)
    assert ours.certificate_.holds


def test_far_from_zero():
    """At 10⁸ the variances are those of the rows, in batches too."""
    near, far = (in_batches(IncrementalPCA(2), X, 25) for X in (IRIS, IRIS + 1e8))
    np.testing.assert_allclose(far.explained_variance_, near.explained_variance_, rtol=1e-7)  # the table is rounded to 10⁻⁸


def test_numbers_of_components():
    """None is as many as there are; more than there are rows or columns are refused in words."""
    model = IncrementalPCA().partial_fit(IRIS[:3])
    assert model.n_components_ == 3
    assert model.partial_fit(IRIS[3:]).n_components_ == 4
    with pytest.raises(ValueError, match="n_components=5 invalid for n_features=4"):
        IncrementalPCA(5).fit(IRIS)
    with pytest.raises(ValueError, match=r"less or equal to the number of samples so far, 2"):
        IncrementalPCA(3).partial_fit(IRIS[:2])


def test_sparse_batches():
    """Sparse rows are as good, in a batch and in a fit."""
    X = sparse.random(90, 12, density=0.3, random_state=0, format="csr")
    model = IncrementalPCA(3).partial_fit(X[:40]).partial_fit(X[40:])
    np.testing.assert_allclose(model.components_, IncrementalPCA(3).fit(X.toarray()).components_, atol=1e-11)
