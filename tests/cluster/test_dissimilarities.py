"""Dissimilarities: the same numbers however they are asked for, and refusals that name the pair."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.core.columns import Columns

RNG = np.random.default_rng(7)
X = RNG.normal(size=(70, 5))
SCIPY = [
    ("euclidean", "euclidean", {}),
    ("sqeuclidean", "sqeuclidean", {}),
    ("manhattan", "cityblock", {}),
    ("chebyshev", "chebyshev", {}),
    ("minkowski", "minkowski", {"p": 3}),
    ("cosine", "cosine", {}),
    ("hamming", "hamming", {}),
]


@pytest.mark.parametrize(("name", "theirs", "more"), SCIPY, ids=[one[0] for one in SCIPY])
def test_same_as_scipy(name, theirs, more):
    """Every metric by name gives SciPy's distances."""
    table = np.round(X) if name == "hamming" else X
    np.testing.assert_allclose(
        Dissimilarities.of(table, name, **more).matrix(), cdist(table, table, theirs, **more), rtol=1e-12, atol=1e-15
    )


def test_what_a_metric_takes_from_the_rows():
    """Variances and covariances are those of the rows, unless given."""
    V = np.cov(X, rowvar=False)
    ours = Dissimilarities.of(X, "mahalanobis").matrix()
    np.testing.assert_allclose(ours, cdist(X, X, "mahalanobis", VI=np.linalg.inv(V)), rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(
        Dissimilarities.of(X, "mahalanobis", metric_params={"V": V}).matrix(), ours, rtol=1e-12, atol=1e-14
    )
    standard = Dissimilarities.of(X, "seuclidean").matrix()
    np.testing.assert_allclose(standard, cdist(X, X, "seuclidean", V=X.var(axis=0, ddof=1)), rtol=1e-12, atol=1e-15)


def kinds():
    """One object of every kind over the same rows."""
    holed = X.copy()
    holed[3, 2] = np.nan
    return {
        **{name: (Dissimilarities.of(X, name, **more), X) for name, _, more in SCIPY},
        "mahalanobis": (Dissimilarities.of(X, "mahalanobis"), X),
        "function": (Dissimilarities.of(X, lambda a, b: float(np.abs(a - b).max())), X),
        "gower": (Dissimilarities.of(holed, "gower"), holed),
    }


@pytest.mark.parametrize("name", kinds())
def test_same_bits_however_asked(name):
    """Rows, one row, a part of a row, some of the rows, other rows and the matrix agree to the last bit; it is symmetric."""
    distances, table = kinds()[name]
    D = distances.matrix()
    assert np.array_equal(D, D.T)
    assert not D.diagonal().any()
    numbers = np.array([4, 0, 69, 4])
    assert np.array_equal(distances.rows(numbers), D[numbers])
    assert np.array_equal(distances.to(11), D[11])
    part = np.empty(20)
    distances.fill_part(11, slice(30, 50), part)
    assert np.array_equal(part, D[11, 30:50])
    assert np.array_equal(distances.distances_from(table[5:9]), D[5:9])
    assert np.array_equal(distances.among(np.array([8, 3, 60])).matrix(), D[np.ix_([8, 3, 60], [8, 3, 60])])


def test_precomputed_is_taken_as_it_is():
    """A matrix is not copied, and is asked like the others."""
    D = cdist(X, X)
    distances = Dissimilarities.of(D, "precomputed")
    assert np.shares_memory(distances.matrix(), D)
    assert np.array_equal(distances.rows([3, 5]), D[[3, 5]])
    assert np.array_equal(distances.to(9), D[9])
    assert np.array_equal(distances.among(np.array([8, 3])).matrix(), D[np.ix_([8, 3], [8, 3])])
    with pytest.raises(ValueError, match="precomputed distances have no parameters"):
        Dissimilarities.of(D, "precomputed", metric_params={"w": np.ones(5)})
    with pytest.raises(ValueError, match="'gower' has no parameter 'w'"):
        Dissimilarities.of(X, "gower", metric_params={"w": np.ones(5)})


def test_several_blocks():
    """Tiles and blocks of rows join without a seam, in the last columns too."""
    table = RNG.normal(size=(1100, 7))
    np.testing.assert_allclose(Dissimilarities.of(table).matrix(), cdist(table, table), rtol=1e-12, atol=0)


@given(arrays(float, (6, 3), elements=st.floats(-100, 100, width=32)), st.sampled_from([0.0, 2.0**26]))
def test_no_digits_are_lost_far_from_zero(rows, offset):
    """Distances of rows and of the same rows far away are those of exact differences."""
    moved = rows + offset
    exact = np.sqrt((((moved - offset)[:, None] - (moved - offset)) ** 2).sum(axis=2))
    np.testing.assert_allclose(Dissimilarities.of(moved).matrix(), exact, rtol=1e-14)


def test_words_and_missing_cells():
    """Gower's distance of a mixed table: the mean over the columns that both rows have."""
    frame = pd.DataFrame({"colour": ["red", "blue", "red"], "size": [1.0, 3.0, np.nan]})
    table = Columns.of(frame).encode(frame)
    wanted = [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    np.testing.assert_array_equal(Dissimilarities.of(table, "gower").matrix(), wanted)
    with pytest.raises(ValueError, match="metric='gower'"):
        Dissimilarities.of(table, "euclidean")


# ---- what is refused -------------------------------------------------------------------------------------------------


def spoiled(i, j, value, both=False):
    D = cdist(X, X)
    D[i, j] = value
    if both:
        D[j, i] = value
    return D


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (spoiled(2, 7, -1.0, both=True), r"d\(row 2, row 7\) = -1; distances are at least 0"),
        (spoiled(2, 7, 50.0), r"not symmetric: d\(row (2|7), row (2|7)\) = \S+, but .* give the same number both ways"),
        (spoiled(4, 4, 0.5), r"d\(row 4, row 4\) = 0.5"),
        (spoiled(66, 1, np.nan), r"row 66, column 1 is NaN"),
        (cdist(X, X)[:, :69], r"must be square. Input is a 70x69 matrix"),
    ],
    ids=["negative", "not symmetric", "not itself", "missing", "not square"],
)
def test_bad_matrices(matrix, said):
    """The pair is named, with its numbers."""
    with pytest.raises(ValueError, match=said):
        Dissimilarities.of(matrix, "precomputed")


def test_rounding_is_no_asymmetry():
    """Distances by matrix products, which differ in their last digits, are taken."""
    D = cdist(X, X)
    D[2, 7] *= 1 + 1e-14
    assert Dissimilarities.of(D, "precomputed").count == 70


@pytest.mark.parametrize(
    ("function", "error", "said"),
    [
        (lambda a, b: float((a - b).sum()), ValueError, "negative"),
        (lambda a, b: 1.0, ValueError, r"d\(row 0, row 0\) = 1"),
        (lambda a, b: max(float(a[0] - b[0]), 0.0), ValueError, "not symmetric"),
        (lambda a, b: np.nan, ValueError, "NaN for rows 0 and 0"),
        (lambda a, b: "far", TypeError, "must return a number"),
    ],
    ids=["negative", "not itself", "not symmetric", "NaN", "word"],
)
def test_bad_functions(function, error, said):
    """A function that is no dissimilarity is refused before it is used."""
    with pytest.raises(error, match=said):
        Dissimilarities.of(X, function)


def test_functions_get_their_parameters():
    """`metric_params` are passed on."""
    ours = Dissimilarities.of(X, lambda a, b, power: float((np.abs(a - b) ** power).sum()), metric_params={"power": 1.5})
    np.testing.assert_allclose(ours.to(3), (np.abs(X - X[3]) ** 1.5).sum(axis=1), rtol=1e-12)


def test_a_broken_triangle_is_named():
    """Squares of 0, 1, 2 break the inequality by 4 > 1 + 1; distances do not, and are not even tried."""
    line = np.array([[0.0], [1.0], [2.0]])
    triple = Dissimilarities.of(line, "sqeuclidean").broken_triangle()
    assert triple[:6] == (0, 1, 2, 4.0, 1.0, 1.0)
    assert str(triple) == "d(row 0, row 2) = 4 exceeds d(row 0, row 1) + d(row 1, row 2) = 1 + 1"
    assert Dissimilarities.of(line).broken_triangle() is None
    assert Dissimilarities.of(cdist(line, line), "precomputed").broken_triangle() is None
