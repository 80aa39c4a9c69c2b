"""KernelKMeans: k-means in feature space, exact on tiny tables, k-means itself with the linear kernel."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from aprendiz import RBF, KernelKMeans, KMeans, Linear
from aprendiz.core.parameters import ParameterError
from aprendiz.kernel.kernels import Polynomial, Spectrum
from aprendiz.kernel.partition import kernel_rows
from aprendiz.kernel.partition.cluster_sums import cluster_sums

RNG = np.random.default_rng(3)
X = np.vstack([RNG.normal(size=(60, 3)), RNG.normal(size=(50, 3)) + 3])
LABELS = RNG.integers(0, 3, len(X))


def cost(K, labels, weight):
    """J of a partition, from the kernel alone."""
    total = 0.0
    for cluster in np.unique(labels):
        own = (labels == cluster) & (weight > 0)
        w = weight[own]
        total += w @ np.diag(K)[own] - (w @ K[np.ix_(own, own)] @ w / w.sum() if own.any() else 0.0)
    return total


def rings(n=100, noise=0.05):
    """Two circles around one centre, of radius 0.3 and 1."""
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 2 * n), np.repeat([0.3, 1.0], n) + noise * rng.normal(size=2 * n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), np.repeat([0, 1], n)


# ---- the cost --------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.sampled_from(["rbf", "linear", "poly"]))
def test_cost_never_rises(seed, k, kernel):
    """From any start, for any kernel and any weights; what is told is the cost of the labels."""
    rng = np.random.default_rng(seed)
    table, weight = rng.normal(size=(40, 2)), rng.integers(0, 4, 40) + rng.random(40) * (seed % 2)
    model = KernelKMeans(k, kernel=kernel, n_init=2, random_state=seed % 2**31).fit(table, sample_weight=weight)
    assert model.certificate_.holds
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(model.certificate_.log))
    K = {"rbf": RBF(model.gamma_), "linear": Linear(), "poly": Polynomial(3, gamma=model.gamma_, c=0.0)}[kernel](table)
    assert model.inertia_ == pytest.approx(cost(K, model.labels_, weight), rel=1e-9, abs=1e-9)
    assert model.certificate_.scatter == pytest.approx(cost(K, np.zeros(40, int), weight), rel=1e-9)


def test_best_of_all_partitions():
    """Of all partitions of a few rows, the best one is at rest; several starts find it where the kernel is wide."""
    table = RNG.normal(size=(8, 2))
    for gamma in (0.1, 1.0, 5.0):
        K = RBF(gamma=gamma)(table)
        partitions = [np.array((0, *labels)) for labels in product(range(3), repeat=7)]
        costs = [cost(K, labels, np.ones(8)) for labels in partitions]
        best = int(np.argmin(costs))
        there = KernelKMeans(3, gamma=gamma, init=partitions[best]).fit(table)
        assert np.array_equal(there.labels_, partitions[best])
        found = KernelKMeans(3, gamma=gamma, n_init=30, random_state=0).fit(table).inertia_
        assert found >= costs[best] - 1e-12
        assert gamma > 1 or found == pytest.approx(costs[best], rel=1e-9)


def test_at_rest_no_row_is_nearer_to_another_centre():
    model = KernelKMeans(3, gamma=0.5, n_init=1, random_state=0).fit(X)
    K = RBF(gamma=0.5)(X)
    squares = np.column_stack(
        [
            np.diag(K) - 2 * K[:, own].mean(axis=1) + K[np.ix_(own, own)].mean()
            for own in (np.flatnonzero(model.labels_ == j) for j in range(3))
        ]
    )
    assert np.array_equal(squares.argmin(axis=1), model.labels_)
    np.testing.assert_allclose(model.transform(X), np.sqrt(squares), atol=1e-12)


# ---- k-means ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, RNG.integers(0, 4, len(X)).astype(float)], ids=["plain", "weighted"])
def test_linear_kernel_is_k_means(weight):
    """From the same start: the same labels, cost, distances and number of passes."""
    w = np.ones(len(X)) if weight is None else weight
    members = [np.flatnonzero(j == LABELS) for j in range(3)]
    centers = np.stack([np.average(X[own], axis=0, weights=w[own]) for own in members])
    ours = KernelKMeans(3, kernel="linear", init=LABELS).fit(X, sample_weight=weight)
    theirs = KMeans(3, init=centers, n_init=1, tol=0.0).fit(X, sample_weight=weight)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-12)
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-12)
    assert ours.score(X, sample_weight=weight) == pytest.approx(-ours.inertia_, rel=1e-12)


def test_points_as_a_start():
    """Points of the columns are centres in feature space: for the linear kernel those of k-means."""
    ours = KernelKMeans(3, kernel="linear", init=X[:3], n_init=1).fit(X)
    assert np.array_equal(ours.labels_, KMeans(3, init=X[:3], n_init=1, tol=0.0).fit(X).labels_)


def test_polynomial_kernel_is_k_means_of_its_features():
    """The kernel (xᵀz)² in the plane has the features x₁², √2·x₁x₂, x₂²."""
    table = RNG.normal(size=(70, 2))
    features = np.column_stack([table[:, 0] ** 2, np.sqrt(2) * table[:, 0] * table[:, 1], table[:, 1] ** 2])
    start = np.arange(70) % 3
    one = KernelKMeans(3, kernel="poly", degree=2, gamma=1.0, init=start).fit(table)
    two = KernelKMeans(3, kernel="linear", init=start).fit(features)
    assert np.array_equal(one.labels_, two.labels_)
    assert one.inertia_ == pytest.approx(two.inertia_, rel=1e-10)


# ---- what k-means cannot do ------------------------------------------------------------------------------------------


def test_rings():
    """The Gaussian kernel separates two rings, which k-means cuts in halves; new rows too."""
    table, truth = rings()
    model = KernelKMeans(2, gamma=4.0, random_state=0).fit(table)
    assert len(set(zip(model.labels_, truth, strict=True))) == 2
    new, other = rings(40, 0.02)
    assert len(set(zip(model.predict(new), other, strict=True))) == 2
    halves = KMeans(2, n_init=5, random_state=0).fit(table).labels_
    assert min(np.mean(halves == truth), np.mean(halves != truth)) > 0.3


# ---- kernels of every kind -------------------------------------------------------------------------------------------


def test_kernels_that_say_the_same():
    """A name, an object, a function and a Gram matrix of the same kernel; sparse rows."""
    K, start = RBF(gamma=0.3)(X), {"init": LABELS}
    wanted = KernelKMeans(3, gamma=0.3, **start).fit(X)
    for kernel in (RBF(gamma=0.3), lambda A, B: np.exp(-0.3 * ((A[:, None] - B) ** 2).sum(axis=2))):
        found = KernelKMeans(3, kernel=kernel, **start).fit(X)
        assert np.array_equal(found.labels_, wanted.labels_)
        assert np.array_equal(found.predict(X + 0.1), wanted.predict(X + 0.1))
    given_matrix = KernelKMeans(3, kernel="precomputed", **start).fit(K)
    assert np.array_equal(given_matrix.labels_, wanted.labels_)
    assert np.array_equal(given_matrix.predict(RBF(gamma=0.3)(X + 0.1, X)), wanted.predict(X + 0.1))
    thin = sparse.csr_array(np.where(X > 0, X, 0.0))
    one, two = (KernelKMeans(3, gamma=0.3, **start).fit(T) for T in (thin, thin.toarray()))
    assert np.array_equal(one.labels_, two.labels_)
    assert np.array_equal(one.predict(thin), two.predict(thin.toarray()))


def test_precomputed_has_no_distances_of_new_rows():
    model = KernelKMeans(2, kernel="precomputed", random_state=0).fit(RBF()(X))
    with pytest.raises(ValueError, match="is not known"):
        model.transform(RBF()(X))


def test_cluster_sums():
    """Sums over clusters are a product with the matrix of the shares, for clusters of any size."""
    for sizes in ([0, 1, 2, 3], [4, 5, 0, 9], [7]):
        labels = RNG.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.int32)
        K, shares = RNG.normal(size=(len(labels), 11)), RNG.normal(size=len(labels))
        A = np.zeros((len(labels), len(sizes)))
        A[np.arange(len(labels)), labels] = shares
        np.testing.assert_allclose(cluster_sums(K, labels, shares, len(sizes)), A.T @ K, atol=1e-13)


def test_rows_that_are_not_held(monkeypatch):
    """The Gram matrix, computed anew at each pass, gives the same fit; tiles do not show."""
    here = KernelKMeans(3, n_init=2, random_state=0).fit(X)
    monkeypatch.setattr(kernel_rows, "HELD_ROWS", 10)
    monkeypatch.setattr(kernel_rows, "TILE_ROWS", 16)
    monkeypatch.setattr(kernel_rows, "TILE_COLUMNS", 48)
    monkeypatch.setattr(kernel_rows, "HELD_TILE", 32)
    there = KernelKMeans(3, n_init=2, random_state=0).fit(X)
    assert np.array_equal(here.labels_, there.labels_)
    assert there.inertia_ == pytest.approx(here.inertia_, rel=1e-12)


# ---- starts, ends and empty clusters ---------------------------------------------------------------------------------


def test_empty_clusters_take_the_farthest_row():
    """Centres that no row chose: every cluster has rows at the end, and the cost is below that of two clusters."""
    far = np.array([X[0], X[0] + 100.0, X[0] + 200.0, X[-1]])
    model = KernelKMeans(4, kernel="linear", init=far, n_init=1).fit(X)
    assert (np.bincount(model.labels_, minlength=4) > 0).all()
    assert model.certificate_.holds
    assert model.inertia_ < KernelKMeans(2, kernel="linear", random_state=0).fit(X).inertia_


def test_fewer_different_rows_than_clusters():
    """A warning, a cost of zero, and labels that tell the rows apart."""
    table = np.repeat([[0.0], [1.0]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match="Only 2 of 3 clusters"):
        model = KernelKMeans(3, random_state=0).fit(table)
    assert model.inertia_ == pytest.approx(0.0, abs=1e-12)
    assert len(set(model.labels_[:5])) == len(set(model.labels_[5:])) == 1
    assert model.labels_[0] != model.labels_[5]
    assert np.isfinite(model.transform(table)).all()


def test_more_starts_are_no_worse():
    few, many = (KernelKMeans(6, gamma=0.5, n_init=n, random_state=0).fit(X).inertia_ for n in (1, 20))
    assert many <= few
    assert KernelKMeans(6, init="random", random_state=0).fit(X).certificate_.holds


def test_tol_and_max_iter():
    """A loose tolerance ends earlier; the labels are those of the nearest centres all the same."""
    exact = KernelKMeans(3, init=LABELS).fit(X)
    loose = KernelKMeans(3, init=LABELS, tol=0.5).fit(X)
    assert loose.n_iter_ < exact.n_iter_
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        short = KernelKMeans(3, init=LABELS, max_iter=1).fit(X)
    for model in (exact, loose, short):
        assert np.array_equal(model.predict(X), model.labels_)
        assert model.score(X) == pytest.approx(-model.inertia_, rel=1e-12)


def test_gamma_counts_rows_by_weight():
    """γ = "scale" of a row with weight 2 is that of the row twice."""
    weight = RNG.integers(0, 3, len(X)).astype(float)
    one, two = KernelKMeans(2, random_state=0).fit(X, sample_weight=weight), np.repeat(X, weight.astype(int), axis=0)
    assert one.gamma_ == pytest.approx(1 / (3 * two.var()), rel=1e-12)


def test_shift():
    """The same offset in all columns changes nothing: the Gaussian kernel and γ see differences alone."""
    table = np.round(X * 2**10) / 2**10
    here, there = (KernelKMeans(3, init=LABELS).fit(table + o) for o in (0.0, 2.0**30))
    assert np.array_equal(here.labels_, there.labels_)
    assert there.inertia_ == pytest.approx(here.inertia_, rel=1e-9)


def test_far_rows_of_the_linear_kernel_are_not_certified():
    """Inner products far from zero have no digits left for the distances."""
    assert KernelKMeans(2, kernel="linear", random_state=0).fit(X).certificate_.holds
    assert not KernelKMeans(2, kernel="linear", random_state=0).fit(X + 2.0**26).certificate_.holds


def test_bad_starts():
    for init, message in (
        (LABELS[:5], r"shape \(5,\).*of each row"),
        (np.zeros((2, 2)), r"shape \(2, 2\).*need \(3, 3\)"),
        (np.full((3, 3), np.nan), "NaN"),
        (LABELS + 1, "puts row"),
        (np.zeros(len(X), int), "no row in cluster 1"),
    ):
        with pytest.raises(ValueError, match=message):
            KernelKMeans(3, init=init).fit(X)
    with pytest.raises(ValueError, match="compares no points"):
        KernelKMeans(3, kernel="precomputed", init=np.ones((3, len(X)))).fit(Linear()(X))
    with pytest.raises(ParameterError, match="init"):
        KernelKMeans(3, init="spread").fit(X)
    with pytest.raises(ValueError, match="use fewer clusters"):
        KernelKMeans(200).fit(X)


def test_kernels_of_strings():
    """Tables hold numbers; the Gram matrix of strings can be given."""
    with pytest.raises(ParameterError, match=r"compares strings.*precomputed"):
        KernelKMeans(2, kernel=Spectrum(2)).fit(["ACGT", "TTGA"])
    words = ["ACGTAC", "ACGTAA", "TTTTGG", "TTTTGA", "CGTACG"]
    model = KernelKMeans(2, kernel="precomputed", random_state=0).fit(Spectrum(2)(words))
    assert model.labels_[0] == model.labels_[1] == model.labels_[4] != model.labels_[2] == model.labels_[3]
    assert model.predict(Spectrum(2)(["ACGTTT", "GTTTTG"], words)).tolist() == model.labels_[[0, 2]].tolist()
