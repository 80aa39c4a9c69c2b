"""Kernels of strings, of nodes of a graph, of matrices that were computed elsewhere, and of functions that users write."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.linalg import expm

from aprendiz.kernel.gram.gram_matrix import gram_matrix, gram_rows
from aprendiz.kernel.kernels import RBF, Diffusion, Function, Linear, Precomputed, Spectrum, check_psd

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(20, 3)), RNG.normal(size=(4, 3))

# ---- strings ---------------------------------------------------------------------------------------------------------


def twin_of_spectrum(a, b, k):
    """All pairs of places, letter by letter."""
    return sum(a[i : i + k] == b[j : j + k] for i in range(len(a) - k + 1) for j in range(len(b) - k + 1))


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_spectrum_counts_common_pieces(k):
    strings = ["".join(RNG.choice(list("ACGT"), size=RNG.integers(0, 12))) for _ in range(25)]
    new = ["".join(RNG.choice(list("ACGTN"), size=RNG.integers(0, 12))) for _ in range(6)]
    K = Spectrum(k)(strings)
    assert np.array_equal(K, [[twin_of_spectrum(a, b, k) for b in strings] for a in strings])
    assert np.array_equal(Spectrum(k)(strings, new), [[twin_of_spectrum(a, b, k) for b in new] for a in strings])
    assert np.array_equal(Spectrum(k).diagonal(strings), np.diagonal(K))
    assert check_psd(K)


def test_new_strings_among_themselves():
    """Pieces that no training string has count between new strings, and in K(x, x)."""
    kernel = Spectrum(2)
    P = kernel.points(["abab", "ab"])
    Q, R = kernel.points(["zzz", "abzz"], P), kernel.points(["qq", "zz"], P)
    assert np.array_equal(kernel.block(Q, R), [[0, 2], [0, 1]])
    assert np.array_equal(kernel.block(P, R), np.zeros((2, 2)))
    assert np.array_equal(kernel.diagonal_of(Q), [4, 3])
    assert np.array_equal(kernel.block(P, Q), [[0, 2], [0, 1]])
    assert gram_matrix(kernel, Q.astype(np.float32)).dtype == np.float32


def test_strings_as_users_have_them():
    expected = Spectrum(2)(["niño", "niña"])
    assert np.array_equal(expected, [[3, 2], [2, 3]])
    for form in (np.array(["niño", "niña"]), np.array([["niño"], ["niña"]], dtype=object), pd.Series(["niño", "niña"])):
        assert np.array_equal(Spectrum(2)(form), expected)
    assert np.array_equal(Spectrum(2)(pd.DataFrame({"word": ["niño", "niña"]})), expected)
    with pytest.raises(ValueError, match=r"row 1 holds 3\.5 \(float\)"):
        Spectrum(2)(["a", 3.5])
    with pytest.raises(ValueError, match="row 0 holds None"):
        Spectrum(2)([None, "a"])
    with pytest.raises(ValueError, match="list of strings"):
        Spectrum(2)("banana")
    with pytest.raises(ValueError, match="one column"):
        Spectrum(2)([["a", "b"], ["c", "d"]])
    with pytest.raises(ValueError, match="of Spectrum must be"):
        Spectrum(0)(["a"])


def test_pieces_by_hand():
    assert Counter("anana"[i : i + 2] for i in range(4)) == {"an": 2, "na": 2}
    assert Spectrum(2)(["anana"])[0, 0] == 8.0
    assert Spectrum(3)(["ab", "abc"]).tolist() == [[0.0, 0.0], [0.0, 1.0]]


# ---- nodes of a graph ------------------------------------------------------------------------------------------------


def test_diffusion_is_the_exponential_of_the_laplacian():
    A = np.triu(RNG.random((9, 9)) * (RNG.random((9, 9)) < 0.5), 1)
    A += A.T
    expected = expm(-0.7 * (np.diag(A.sum(axis=1)) - A))
    kernel = Diffusion(0.7, adjacency=A)
    assert np.allclose(kernel(np.arange(9)), expected, atol=1e-13)
    assert np.allclose(Diffusion(0.7, adjacency=sparse.csr_array(A))([[3], [5]]), expected[np.ix_([3, 5], [3, 5])], atol=1e-13)
    assert np.allclose(kernel([0.0, 4.0], [8, 1, 1]), expected[np.ix_([0, 4], [8, 1, 1])], atol=1e-13)
    assert np.allclose(kernel.diagonal([2, 2]), expected[2, 2])
    assert np.allclose(kernel(np.arange(9)).sum(axis=1), 1.0)
    assert check_psd(kernel(np.arange(9)))


def test_two_nodes_and_parts_that_are_not_connected():
    """Two nodes: (1 ± e⁻²ᵝ)/2. Nothing goes from one part to another."""
    K = Diffusion(0.4, edges=[[0, 1], [2, 3]])([0, 1, 2, 3])
    near, far = (1 + np.exp(-0.8)) / 2, (1 - np.exp(-0.8)) / 2
    assert np.allclose(K, np.kron(np.eye(2), [[near, far], [far, near]]), atol=1e-15)
    assert np.allclose(Diffusion(0.0, edges=[[0, 1]])([0, 1]), np.eye(2), atol=1e-15)
    assert np.allclose(Diffusion(1.0, edges=[[0, 1], [1, 0]])([0, 1]), Diffusion(2.0, edges=[[0, 1]])([0, 1]))


def test_graphs_and_nodes_that_are_none():
    with pytest.raises(ValueError, match="row 1 names node 7, but the graph has the nodes 0 to 2"):
        Diffusion(edges=[[0, 1], [1, 2]])([0, 7])
    with pytest.raises(ValueError, match="row 0 names node -1"):
        Diffusion(edges=[[0, 1]])([-1, 0])
    for bad in (0.5, "a", None, np.nan):
        with pytest.raises(ValueError, match="row 1 holds"):
            Diffusion(edges=[[0, 1]])([0, bad])
    with pytest.raises(ValueError, match=r"K\[0, 1\] = 1 and K\[1, 0\] = 0"):
        Diffusion(adjacency=[[0, 1], [0, 0]])([0])
    with pytest.raises(ValueError, match=r"edge \(0, 1\) is -1"):
        Diffusion(adjacency=[[0, -1], [-1, 0]])([0])
    with pytest.raises(ValueError, match="square"):
        Diffusion(adjacency=np.ones((2, 3)))([0])
    with pytest.raises(ValueError, match="pairs"):
        Diffusion(edges=[[0, 1, 2]])([0])
    for both in ({}, {"adjacency": np.eye(2), "edges": [[0, 1]]}):
        with pytest.raises(ValueError, match="either"):
            Diffusion(**both)([0])
    for graph in ({"edges": [[0, 1]]}, {"adjacency": sparse.eye_array(2)}, {"adjacency": sparse.csr_matrix(np.eye(2))}):
        assert Diffusion(1.0, **graph)([0]) > 0
        with pytest.raises(ValueError, match="beta of Diffusion"):
            Diffusion(-1.0, **graph)([0])


# ---- matrices --------------------------------------------------------------------------------------------------------


def test_precomputed_matrices():
    K, new = RBF(0.5)(X), RBF(0.5)(X, Z).T
    kernel = Precomputed()
    assert np.array_equal(kernel(K), K)
    assert np.array_equal(kernel(K, new), new.T)
    assert np.array_equal(kernel.diagonal(K), np.ones(20))
    P = kernel.points(K)
    assert np.array_equal(gram_matrix(kernel, kernel.points(new, P), P.take([3, 1])), new[:, [3, 1]])
    numbers = kernel.training_points(20).take(np.array([3, 1]))
    assert np.array_equal(gram_matrix(kernel, kernel.points(new, numbers), numbers), new[:, [3, 1]])
    out = np.empty((2, 20))
    gram_rows(kernel, P, np.array([5, 2]), out)
    assert np.array_equal(out, K[[5, 2]])
    assert np.array_equal(kernel(sparse.csr_array(K)), K)


def test_matrices_that_are_refused():
    K = RBF(0.5)(X)
    with pytest.raises(ValueError, match=r"square.*20 rows and 19 columns"):
        Precomputed()(K[:, :19])
    crooked = K.copy()
    crooked[3, 7] += 0.5
    with pytest.raises(ValueError, match=r"K\[3, 7\] = .* and K\[7, 3\]"):
        Precomputed()(crooked)
    with pytest.raises(ValueError, match=r"4 columns.*20 training rows"):
        Precomputed()(K, K[:, :4])
    P = Precomputed().points(K)
    Q = Precomputed().points(K[:3], P)
    with pytest.raises(ValueError, match="two sets of new rows"):
        Precomputed().block(Q, Q)
    with pytest.raises(ValueError, match="new rows is not known"):
        Precomputed().diagonal_of(Q)
    single = K.astype(np.float32).astype(float)
    single[0, 1] += 1e-8  # rounding of single precision
    Precomputed()(single)


# ---- functions -------------------------------------------------------------------------------------------------------


def scaled_product(A, B, scale=1.0):
    return scale * (A @ B.T)


def test_functions_of_tables_and_of_pairs():
    expected = Linear()(X, Z)
    assert np.allclose(Function(scaled_product)(X, Z), expected, rtol=1e-13)
    assert np.allclose(Function(scaled_product, params={"scale": 2.0})(X, Z), 2 * expected, rtol=1e-13)
    assert np.allclose(Function(np.dot, of_pairs=True)(X, Z), expected, rtol=1e-13)
    assert np.allclose(Function(lambda x, z, p: (x @ z) ** p, of_pairs=True, params={"p": 2})(X), Linear()(X) ** 2)
    assert np.allclose(Function(np.dot, of_pairs=True).diagonal(X), Linear().diagonal(X))
    assert np.allclose((Function(scaled_product) + RBF(0.5))(X), Linear()(X) + RBF(0.5)(X))
    out = np.full((2, 22), np.nan)
    kernel = Function(scaled_product)
    gram_rows(kernel, kernel.points(X), np.array([0, 3]), out[:, 1:21])
    assert np.allclose(out[:, 1:21], Linear()(X)[[0, 3]])


def test_a_function_sees_all_rows_at_once_on_one_thread():
    seen = []
    rows = RNG.normal(size=(1500, 1))
    Function(lambda A, B: seen.append((A.shape, B.shape)) or A @ B.T)(rows)
    assert seen == [((1500, 1), (1500, 1))]


def crosswise(A, B):
    return B @ A.T


def with_a_hole(A, B):
    K = A @ B.T
    K[2, 1] = np.nan
    return K


def test_what_functions_may_not_return():
    with pytest.raises(ValueError, match=r"function crosswise must return a matrix of 20 × 4 numbers.*shape \(4, 20\)"):
        Function(crosswise)(X, Z)
    with pytest.raises(ValueError, match="returned nan for row 2 and row 1"):
        Function(with_a_hole)(X, Z)
    with pytest.raises(ValueError, match="finite number for two rows, got nan for row 0 and row 0"):
        Function(lambda x, z: np.nan, of_pairs=True)(X)
    with pytest.raises(ValueError, match=r"array of shape \(3,\) for row 0 and row 0"):
        Function(lambda x, z: x * z, of_pairs=True)(X)
    with pytest.raises(ValueError, match="symmetric"):
        Function(lambda x, z: x[0], of_pairs=True)(X)
    with pytest.raises(ValueError, match="of_pairs"):
        Function(lambda x, z: 1.0)(X)
