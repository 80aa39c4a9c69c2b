"""Eigenpairs of Laplacians: every method against LAPACK, also where eigenvalues are many times the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import eigh

from aprendiz.cluster import graph
from aprendiz.cluster.spectral import laplacian_eigen
from aprendiz.cluster.spectral.block_lanczos import largest_eigenpairs, random_block
from aprendiz.cluster.spectral.chebyshev_filter import RUN, ChebyshevFilter
from aprendiz.cluster.spectral.laplacian_eigen import Laplacian, smallest_eigenpairs
from aprendiz.core.blas import single_blas

RNG = np.random.default_rng(0)
PLANE = RNG.normal(size=(600, 2))
CLOUD = RNG.normal(size=(600, 8)) + 1.2 * (np.arange(600) % 3)[:, None]


@pytest.fixture(autouse=True)
def one_thread():
    """As in a fit."""
    with single_blas():
        yield


def ring(n):
    """A circle: all eigenvalues but the first are double."""
    around = sparse.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1]).tolil()
    around[0, n - 1] = around[n - 1, 0] = 1.0
    return sparse.csr_array(around)


def cliques(count, size):
    """Cliques that hang on one vertex in the middle: the smallest eigenvalue above 0 is count − 1 times the same."""
    inner = sparse.block_diag([np.ones((size, size)) - np.eye(size)] * count).toarray()
    W = np.zeros((count * size + 1,) * 2)
    W[1:, 1:] = inner
    W[0, 1::size] = W[1::size, 0] = 1.0
    return W


GRAPHS = {
    "neighbours in the plane": graph.k_nearest_graph(PLANE, 10),
    "neighbours in eight columns": graph.k_nearest_graph(CLOUD, 10),
    "ring": ring(500),
    "cliques": sparse.csr_array(cliques(8, 60)),
    "dense": graph.gaussian_graph(CLOUD, 2.0).toarray(),
    "dense cliques": cliques(8, 60),
    "nearly constant": np.exp(-1e-9 * RNG.uniform(size=(500, 1)) * np.ones(500)),
}
GRAPHS["nearly constant"] = (GRAPHS["nearly constant"] + GRAPHS["nearly constant"].T) / 2 * (1 - np.eye(500))


def found(W, k, normalised, **options):
    degree, part = np.asarray(W.sum(axis=1)).ravel(), graph.components(W)
    pairs = smallest_eigenpairs(W, degree, part, k, normalised=normalised, **{"tolerance": 1e-8, "seed": 0, **options})
    return pairs, Laplacian.of(W, degree, normalised)


def check(pairs, L, W, k, normalised):
    """The values of LAPACK, small residuals, right angles."""
    table = graph.laplacian(W, "symmetric" if normalised else "unnormalised").toarray()
    np.testing.assert_allclose(pairs.values, eigh(table, eigvals_only=True)[:k], atol=1e-10 * L.size)
    assert np.linalg.norm(table @ pairs.vectors - pairs.vectors * pairs.values, axis=0).max() < 1e-6 * L.size
    np.testing.assert_allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-9)


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("name", GRAPHS)
def test_values_of_lapack(name, normalised):
    """The method that is chosen finds LAPACK's eigenvalues, as often as they occur."""
    W = GRAPHS[name]
    pairs, L = found(W, 6, normalised)
    assert pairs.method != "LAPACK"
    check(pairs, L, W, 6, normalised)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        *((name, method) for name in GRAPHS for method in ("by_lapack", "by_products")),
        *((name, "by_inverse") for name in GRAPHS if sparse.issparse(GRAPHS[name])),
    ],
)
def test_each_method(name, method):
    """Each method alone; factors are for sparse graphs."""
    W = GRAPHS[name]
    _, L = found(W, 1, True)
    options = () if method == "by_lapack" else (1e-8, 0)
    pairs = getattr(laplacian_eigen, method)(L, 3, *options)
    table = L.matrix()
    table = table.toarray() if sparse.issparse(table) else table
    np.testing.assert_allclose(pairs.values, eigh(table, eigvals_only=True)[1:4], atol=1e-9)


def test_what_does_not_settle_is_done_by_lapack(monkeypatch):
    """Where block Lanczos does not come to an end LAPACK answers; a graph too large for it is said not to be settled."""
    W = GRAPHS["neighbours in eight columns"]
    pairs, L = found(W, 6, True, tolerance=1e-30)
    assert (pairs.method, pairs.settled) == ("LAPACK", True)
    check(pairs, L, W, 6, True)
    monkeypatch.setattr(laplacian_eigen, "LARGEST_DENSE", 100)
    assert not found(W, 6, True, tolerance=1e-30)[0].settled


def test_components_are_solved_apart():
    """Three components: exact indicators, then the smallest eigenvalues of all of them, in order."""
    pieces = [graph.k_nearest_graph(PLANE[:500], 8), graph.k_nearest_graph(CLOUD[:450], 8), ring(40)]
    W = sparse.csr_array(sparse.block_diag(pieces))
    shuffled = RNG.permutation(W.shape[0])
    W = W[shuffled][:, shuffled]
    pairs, L = found(W, 8, True)
    check(pairs, L, W, 8, True)
    part = graph.components(W)
    for number in range(3):
        column, inside = pairs.vectors[:, number], part == number
        assert (column[~inside] == 0).all()
        np.testing.assert_allclose(column[inside] / L.root[inside], 1 / np.linalg.norm(L.root[inside]))


def test_more_components_than_asked_for():
    """The largest components are told apart; nothing has to be solved."""
    W = sparse.block_diag([np.ones((size, size)) - np.eye(size) for size in (3, 6, 2, 5)], format="csr")
    pairs, _ = found(sparse.csr_array(W), 2, True)
    assert pairs.method == "components"
    assert (pairs.values == 0).all()
    assert [np.flatnonzero(column).tolist() for column in pairs.vectors.T] == [[*range(3, 9)], [*range(11, 16)]]


@pytest.mark.parametrize("k", [2, 20, 21, 22, 60, 599])
@pytest.mark.parametrize("name", ["neighbours in eight columns", "dense"])
def test_many_pairs(name, k):
    """Few and many of them, where the method changes, and all but one."""
    pairs, L = found(GRAPHS[name], k, True)
    check(pairs, L, GRAPHS[name], k, True)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.booleans())
@settings(deadline=None, max_examples=40)
def test_small_graphs(seed, k, normalised):
    """Random graphs of 5 to 12 vertices, connected or not: LAPACK's eigenvalues of the whole table."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 13))
    W = np.triu(rng.integers(0, 4, (n, n)) * (rng.random((n, n)) < 0.3), 1).astype(float)
    W += W.T
    W[0] = W[:, 0] = np.where(W.sum(axis=0) == 0, 1.0, W[0])
    W[0, 0] = 0.0
    W[0, 1] = W[1, 0] = max(W[0, 1], 1.0)
    pairs, L = found(W, k, normalised)
    check(pairs, L, W, k, normalised)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(deadline=None, max_examples=20)
def test_block_lanczos_on_any_spectrum(seed, wanted):
    """A table with given eigenvalues, some of them several times: the largest are found after restarts too."""
    rng = np.random.default_rng(seed)
    values = np.sort(np.concatenate([rng.integers(5, 9, 4), rng.uniform(0, 4, 56)]))[::-1]
    Q = np.linalg.qr(rng.normal(size=(60, 60)))[0]
    A = (Q * values) @ Q.T
    answer = largest_eigenpairs(
        lambda V: A @ V,
        Q[:, :0],
        random_block(60, wanted + 1, seed),
        wanted,
        room=5 * (wanted + 1),
        steps=2000,
        tolerance=1e-10,
    )
    assert answer.settled
    np.testing.assert_allclose(answer.values[:wanted], values[:wanted], atol=1e-8)
    vectors = answer.vectors[:, :wanted]
    np.testing.assert_allclose(A @ vectors, vectors * answer.values[:wanted], atol=1e-7)


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("values", [[2.0] * 30, [0.0] * 30, [5.0] * 4 + [0.0] * 26, [3.0, 3.0, 2.0, 2.0, *[1.0] * 26]])
def test_a_block_narrower_than_what_is_wanted(values, block):
    """A block that finds nothing new has not found as many pairs as are wanted: it goes on elsewhere. (Copies of an eigenvalue
    beyond its columns it may miss.)"""
    Q = np.eye(30) if block == 1 else np.linalg.qr(np.random.default_rng(0).normal(size=(30, 30)))[0]
    known, A = Q[:, -1:], (Q * values) @ Q.T
    answer = largest_eigenpairs(lambda V: A @ V, known, random_block(30, block, 0), 5, room=20, steps=100, tolerance=1e-10)
    assert answer.settled
    V = answer.vectors[:, :5]
    assert V.shape == (30, 5)
    assert answer.values[0] == pytest.approx(values[0], abs=1e-9)
    np.testing.assert_allclose(A @ V, V * answer.values[:5], atol=1e-8)
    np.testing.assert_allclose(np.column_stack([known, V]).T @ np.column_stack([known, V]), np.eye(6), atol=1e-12)
    few = largest_eigenpairs(lambda V: A @ V, known, random_block(30, block, 0), 5, room=20, steps=1, tolerance=1e-10)
    assert not few.settled


@pytest.mark.parametrize("unit", [2.0**-700, 2.0**700])
def test_block_lanczos_in_other_units(unit):
    """The pairs of an operator in other units are as near, though the squares of its residuals are no numbers."""
    Q, values = np.linalg.qr(np.random.default_rng(1).normal(size=(60, 60)))[0], np.geomspace(1, 1e-3, 60)

    def found(unit):
        A = (Q * values) @ Q.T * unit
        return largest_eigenpairs(lambda V: A @ V, Q[:, :0], random_block(60, 4, 0), 3, room=24, steps=200, tolerance=1e-12)

    usual, answer = found(1.0), found(unit)
    assert answer.settled
    np.testing.assert_allclose(answer.values / unit, usual.values, rtol=1e-12)
    np.testing.assert_allclose(answer.values[:3] / unit, values[:3], rtol=1e-11)


FOUR = [1.0, 0.9, 0.8, 0.7]


@pytest.mark.parametrize(
    ("values", "steps"),
    [(np.r_[FOUR, np.linspace(0.01, 0, 196)], 7), (np.r_[FOUR, np.linspace(0.1, 0, 196)], 10), (np.linspace(1, 0.5, 200), 3)],
)
def test_block_lanczos_that_resigns(values, steps):
    """Where digits come too slowly, it stops before the steps that it has; else it does not."""
    Q, seen = np.linalg.qr(np.random.default_rng(0).normal(size=(200, 200)))[0], []

    def product(V):
        seen.append(V)
        return (Q * values) @ (Q.T @ V)

    answer = largest_eigenpairs(product, Q[:, :0], random_block(200, 8, 0), 4, room=64, steps=12, tolerance=1e-12, resigns=True)
    assert (answer.settled, len(seen)) == (steps > 3, steps)


def test_filter_is_chebyshevs_polynomial():
    """Of a table with eigenvalues λ it has the eigenvalues T_m(s): NumPy's, and monotone below a."""
    values = np.linspace(0.0, 2.0, 41)
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(41, 41)))[0]
    table = ChebyshevFilter.of(sparse.csr_array((Q * values) @ Q.T))
    filtered = np.diag(Q.T @ table.times(Q, above=0.18, size=2.0))
    m = int(np.ceil(2 * np.sqrt(2 / 0.18)))
    expected = np.polynomial.Chebyshev.basis(m)((2.18 - 2 * values) / 1.82)
    np.testing.assert_allclose(filtered, expected, atol=1e-11)
    assert (np.diff(filtered[values < 0.18]) < 0).all()
    assert filtered[values < 0.18].min() > 1.0 > np.abs(filtered[values > 0.18]).max() - 1e-9


@pytest.mark.parametrize("method", ["by_products", "by_inverse"])
def test_any_number_of_threads(method, monkeypatch):
    """One, two and five threads give the same bits, of a graph whose rows are more than one run."""
    W = graph.k_nearest_graph(np.random.default_rng(3).normal(size=(5000, 3)), 6)
    part = graph.components(W)
    W = W[part == 0][:, part == 0]
    L = Laplacian.of(W, np.asarray(W.sum(axis=1)), True)
    assert len(L.degree) > RUN
    answers = []
    for threads in (1, 2, 5):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        answers.append(getattr(laplacian_eigen, method)(L, 3, 1e-8, 0))
    assert answers[0].settled
    for other in answers[1:]:
        assert np.array_equal(other.vectors, answers[0].vectors)
        assert np.array_equal(other.values, answers[0].values)


def test_width_of_graphs():
    """A ring has two vertices at each distance, a path one, a complete graph all but one."""
    assert laplacian_eigen.width(ring(9).indptr, ring(9).indices) == 2
    path = sparse.csr_array(sparse.diags_array([np.ones(8), np.ones(8)], offsets=[1, -1]))
    assert laplacian_eigen.width(path.indptr, path.indices) == 1
    full = sparse.csr_array(np.ones((6, 6)) - np.eye(6))
    assert laplacian_eigen.width(full.indptr, full.indices) == 5
