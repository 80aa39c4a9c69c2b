"""t-SNE: the gradient of the divergence, neighbourhoods of the right size, maps no worse than scikit-learn's."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import TSNE as THEIR_TSNE
from sklearn.manifold import trustworthiness

import aprendiz
from aprendiz import TSNE
from aprendiz.core.parameters import ParameterError
from aprendiz.decomposition.neighbor_embedding import forces as forces_module
from aprendiz.decomposition.neighbor_embedding import spline_grid
from aprendiz.decomposition.neighbor_embedding.affinities import Affinities, affinities
from aprendiz.decomposition.neighbor_embedding.forces import Forces
from aprendiz.decomposition.neighbor_embedding.spline_grid import SplineGrid

RNG = np.random.default_rng(2)
TABLE = np.round(np.vstack([RNG.normal(size=(40, 3)), RNG.normal(size=(30, 3)) + 4]) * 1024) / 1024
TINY = TABLE[25:60:2]


@cache
def digits():
    """A few images of five digits."""
    X, y = load_digits(n_class=5, return_X_y=True)
    return X[:220], y[:220]


@cache
def of_digits(**parameters):
    return TSNE(random_state=0, max_iter=500, **parameters).fit(digits()[0])


def neighbourhoods(X, perplexity, every=True):
    return affinities(X, perplexity, every, "euclidean", None)


def dense(P):
    return sparse.csr_array((P.values, P.columns, P.starts)).toarray()


def divergence(P, Y):
    """KL(P‖Q) by its definition, for complex Y too."""
    freedom = max(Y.shape[1] - 1, 1)
    square = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    power = (1.0 + square / freedom) ** (-(freedom + 1) / 2)
    power[np.diag_indices(len(Y))] = 0.0
    Q, some = power / power.sum(), P > 0
    return (P[some] * (np.log(P[some]) - np.log(Q[some]))).sum()


def many_as(monkeypatch, rows):
    """From so many rows on, repulsion comes from a grid."""
    monkeypatch.setattr(forces_module, "PAIRS", rows)
    monkeypatch.setattr(spline_grid, "PAIRS_OF_CELL", 1e-6)


# ---- neighbourhoods ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("perplexity", [1.5, 5.0, 16.0])
def test_perplexities(perplexity):
    """Each row of P, before it is made symmetric, is Gaussian and has the perplexity."""
    P = dense(neighbourhoods(TINY, perplexity))
    n, square = len(TINY), cdist(TINY, TINY, "sqeuclidean")
    conditional = np.zeros((n, n))
    for i in range(n):
        others, low, high = np.arange(n) != i, -40.0, 40.0
        for _ in range(100):  # β by halving
            beta = 0.5 * (low + high)
            p = np.exp(-np.exp(beta) * (square[i, others] - square[i, others].min()))
            p /= p.sum()
            entropy = -(p[p > 0] * np.log(p[p > 0])).sum()
            low, high = (beta, high) if entropy > np.log(perplexity) else (low, beta)
        conditional[i, others] = p
    np.testing.assert_allclose(P, (conditional + conditional.T) / (2 * n), atol=1e-10)
    np.testing.assert_allclose(neighbourhoods(TINY, perplexity).perplexities, perplexity, rtol=1e-9)


def test_only_the_nearest():
    """Of many rows the 3u + 1 nearest count, and P is symmetric with the sum 1."""
    P = neighbourhoods(TABLE, 4.0, every=False)
    full = dense(P)
    assert np.array_equal(full, full.T)
    assert full.sum() == pytest.approx(1.0, rel=1e-12)
    assert ((full > 0).sum(axis=1) >= 13).all()
    assert (full > 0).sum() < 2 * 13 * len(TABLE)


def test_units_and_offsets_do_not_count():
    """Neighbourhoods have no units; a shift by 2³⁰ of dyadic numbers changes no bit of them."""
    plain = neighbourhoods(TABLE, 5.0)
    assert np.array_equal(neighbourhoods(TABLE + 2.0**30, 5.0).values, plain.values)
    for unit in (1e-120, 1e120):
        np.testing.assert_allclose(neighbourhoods(TABLE * unit, 5.0).values, plain.values, rtol=1e-9)


def test_perplexities_that_cannot_be_reached():
    """More twins than the perplexity share a row's neighbourhood; no neighbourhood has more rows than there are."""
    twins = np.repeat(TINY[:3], [6, 6, 1], axis=0)
    P = neighbourhoods(twins, 2.0)
    assert P.perplexities[:12] == pytest.approx(5.0)
    assert P.rounding == np.inf
    assert neighbourhoods(TINY[:4], 3.5).perplexities == pytest.approx(3.0)
    assert neighbourhoods(np.ones((5, 2)), 2.0).perplexities == pytest.approx(4.0)
    model = TSNE(perplexity=2, random_state=0).fit(twins)
    assert not model.certificate_.holds
    assert model.certificate_.highest_perplexity == pytest.approx(6.0)


def test_a_row_far_from_all_others():
    """Its distances agree in all digits that doubles have: nothing is known of its neighbourhood, and nothing claimed."""
    far = np.vstack([TINY, [[1e15, 0.0, 0.0]]])
    model = TSNE(perplexity=3, random_state=0).fit(far)
    assert model.certificate_.rounding > 1e-5
    assert not model.certificate_.holds
    assert np.isfinite(model.embedding_).all()


# ---- the divergence and its gradient -----------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_gradient(columns):
    """The gradient is that of the divergence, which complex steps know to the last digits."""
    P, Y = neighbourhoods(TINY, 4.0), RNG.normal(size=(len(TINY), columns))
    forces = Forces(P, columns, exact=True)
    known = forces.at(Y, True)
    P = dense(P)
    assert known.divergence == pytest.approx(divergence(P, Y), rel=1e-12)
    gradient = np.empty_like(Y)
    for place in np.ndindex(Y.shape):
        step = Y.astype(complex)
        step[place] += 1e-30j
        gradient[place] = divergence(P, step).imag / 1e-30
    np.testing.assert_allclose(forces.factor * (known.attraction - known.repulsion), gradient, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("span", [1e-4, 1.0, 20.0])
def test_grid(columns, span):
    """The grid gives Z to some 10⁻⁴ and forces to 1 %, of a small map nearly all digits, in any place."""
    Y = span * (RNG.integers(0, 3, (900, 1)) + 0.3 * RNG.normal(size=(900, columns))) + 7.0
    P = Affinities(np.zeros(901, np.int64), np.empty(0, np.int32), np.empty(0), np.ones(900), 1.0, 0.0)
    R, exact = np.empty_like(Y), Forces(P, columns, exact=True).at(Y, True)
    Z = SplineGrid().push(Y, R)
    assert abs(Z / np.exp(exact.divergence) - 1.0) < (1e-8 if span < 1e-3 else 5e-4)
    off = np.linalg.norm(R / Z - exact.repulsion) / np.linalg.norm(exact.repulsion)
    assert off < (1e-8 if span < 1e-3 else 0.01)


def test_rows_that_went_far(monkeypatch):
    """A grid as large as the way to a row far away is not made: all pairs are summed."""
    Y = 20.0 * RNG.normal(size=(900, 2))
    assert not SplineGrid.is_worth_it(Y)
    assert SplineGrid.is_worth_it(np.repeat(Y, 10, axis=0))
    many_as(monkeypatch, 100)
    assert SplineGrid.is_worth_it(Y)
    Y[0] = 1e7, -1e7
    P = Affinities(np.zeros(901, np.int64), np.empty(0, np.int32), np.empty(0), np.ones(900), 1.0, 0.0)
    with_grid, exact = (Forces(P, 2, exact=exact).at(Y, True) for exact in (False, True))
    assert np.array_equal(with_grid.repulsion, exact.repulsion)


def test_steps_that_are_too_long():
    with pytest.raises(ValueError, match="flown apart, beyond the range of numbers: use a smaller learning_rate"):
        TSNE(perplexity=5, learning_rate=1e100).fit(TINY)


def test_grid_of_a_single_point():
    Y, R = np.full((9, 2), 3.0), np.empty((9, 2))
    assert SplineGrid().push(Y, R) == 72
    assert not R.any()


# ---- maps --------------------------------------------------------------------------------------------------------------


def test_digits():
    """Digits are as trustworthy as on scikit-learn's map, and the divergence is no higher."""
    X, y = digits()
    ours = of_digits(method="exact")
    theirs = THEIR_TSNE(random_state=0, max_iter=500, method="exact").fit(X)
    assert ours.certificate_.holds
    assert ours.kl_divergence_ == ours.certificate_.objective
    P = dense(neighbourhoods(X, 30.0))
    assert ours.kl_divergence_ == pytest.approx(divergence(P, ours.embedding_), rel=1e-9)
    assert ours.kl_divergence_ <= divergence(P, theirs.embedding_.astype(float)) + 0.005
    assert trustworthiness(X, ours.embedding_) >= trustworthiness(X, theirs.embedding_) - 0.01
    nearest = cdist(ours.embedding_, ours.embedding_) + 1e9 * np.eye(len(y))
    assert (y[nearest.argmin(axis=1)] == y).mean() > 0.95


def test_grid_ends_where_all_pairs_end(monkeypatch):
    """With the repulsion of a grid the map is as good, and the certificate tells how far the grid was off."""
    exact = of_digits()
    many_as(monkeypatch, 100)
    by_grid = TSNE(random_state=0, max_iter=500).fit(digits()[0])
    assert by_grid.certificate_.holds
    assert 0 < by_grid.certificate_.error < 1e-3
    assert by_grid.certificate_.objective <= exact.kl_divergence_ + 0.02


def test_same_bits_by_grid(monkeypatch):
    """For any number of threads, and when the fit goes on from any of its states."""
    many_as(monkeypatch, 30)
    model, found = TSNE(perplexity=8, max_iter=300, random_state=0), []
    for threads in (1, 2, 8):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        found.append(list(model.steps(TABLE)))
    assert all(np.array_equal(found[0][-1].embedding, states[-1].embedding) for states in found)
    assert len(found[0]) == 31
    for number in (0, 7, 24, 25, 29):
        last = list(model.steps(TABLE, since=found[0][number]))[-1]
        assert np.array_equal(last.embedding, found[0][-1].embedding)


def test_one_column_and_three():
    for columns in (1, 3):
        model = TSNE(columns, perplexity=8, random_state=0).fit(TABLE)
        assert model.embedding_.shape == (len(TABLE), columns)
        assert model.certificate_.holds
        assert list(model.get_feature_names_out()) == [f"tsne{c}" for c in range(columns)]
        gap = cdist(model.embedding_[:40], model.embedding_[40:]).min()
        assert gap > np.median(
            cdist(model.embedding_[:40], model.embedding_[:40]).min(axis=1, initial=np.inf, where=~np.eye(40, dtype=bool))
        )


def test_metrics():
    """Distances may be computed elsewhere, or by a function; sparse rows have the map of dense ones."""
    start = 1e-4 * RNG.normal(size=(len(TABLE), 2))
    made = {"perplexity": 8, "init": start, "max_iter": 300}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        plain = TSNE(**made).fit_transform(TABLE)
        given = TSNE(metric="precomputed", **made).fit_transform(cdist(TABLE, TABLE))
        called = TSNE(metric=lambda a, b: np.sqrt(((a - b) ** 2).sum()), **made).fit_transform(TABLE)
        thin = TSNE(**made).fit_transform(sparse.csr_array(TABLE))
        cityblock = TSNE(metric="manhattan", **made).fit_transform(TABLE)
    for other in (given, called, thin):
        np.testing.assert_allclose(other, plain, atol=1e-4 * np.ptp(plain))
    assert np.abs(cityblock - plain).max() > 1e-3 * np.ptp(plain)


# ---- the start and the end ---------------------------------------------------------------------------------------------


def test_start():
    """As scikit-learn's: the leading coordinates, the first with the deviation 10⁻⁴; an array as it is."""
    first = next(TSNE(perplexity=8).steps(TABLE)).embedding
    T = aprendiz.PCA(2).fit_transform(TABLE)
    np.testing.assert_allclose(first, T / T[:, 0].std() * 1e-4, rtol=1e-9, atol=1e-15)
    given = RNG.normal(size=(len(TABLE), 2))
    assert np.array_equal(next(TSNE(perplexity=8, init=given).steps(TABLE)).embedding, given)
    drawn = next(TSNE(perplexity=8, init="random", random_state=1).steps(TABLE)).embedding
    assert 0.8e-4 < drawn.std() < 1.2e-4
    assert not np.array_equal(drawn, next(TSNE(perplexity=8, init="random", random_state=2).steps(TABLE)).embedding)


def test_a_flat_start_becomes_a_plane():
    """Of columns that are multiples of one the second component is nothing: it begins as random numbers."""
    X = TABLE[:, :1] * [1.0, 2.0, 4.0]
    first = next(TSNE(perplexity=8, random_state=0).steps(X)).embedding
    assert 0.5e-4 < first[:, 1].std() < 2e-4


def test_exaggeration_ends():
    """P is exaggerated for 250 steps, then velocity and gains begin anew."""
    states = {state.step: state for state in TSNE(perplexity=8, max_iter=300).steps(TABLE)}
    assert [step for step, state in states.items() if state.exaggerated] == list(range(0, 250, 10))
    assert not states[250].velocity.any()
    assert (states[250].gains == 1).all()
    assert states[300].objective < states[250].objective


def test_ends_without_progress():
    """Where nothing is gained any more, and where the gradient is short enough, a fit ends before its last step."""
    at_rest = TSNE(perplexity=5, min_grad_norm=1e-3).fit(TINY)
    assert at_rest.n_iter_ < 1000
    assert at_rest.stopped_ == "converged"
    start = next(TSNE(perplexity=5).steps(TINY))
    last = replace(start, step=500, exaggerated=False, objective=1.0, best=0.9, best_step=350)
    for patience, ends in ((100, True), (149, True), (150, False)):
        assert TSNE(n_iter_without_progress=patience).looked_at(last, flat=False).resting == ends
    assert not TSNE(n_iter_without_progress=0).looked_at(replace(last, objective=0.8), flat=False).resting
    assert not TSNE(n_iter_without_progress=0).looked_at(replace(last, step=510), flat=False).resting  # between two looks
    assert TSNE().looked_at(last, flat=True).resting
    assert not TSNE().looked_at(replace(last, step=200, exaggerated=True), flat=True).exaggerated


def test_ends_too_early():
    """A map far from rest gets a warning, and its certificate does not hold; n_iter_ counts the steps."""
    model = TSNE(perplexity=8, max_iter=260)
    with pytest.warns(ConvergenceWarning, match=r"Raise max_iter \(it is 260\)"):
        model.fit(TABLE)
    assert model.n_iter_ == 260
    assert not model.certificate_.holds
    with pytest.warns(ConvergenceWarning):
        early = TSNE(perplexity=8, max_iter=3).fit(TABLE)
    assert early.n_iter_ == 3
    assert early.certificate_.exaggerated


def test_learning_rate():
    assert TSNE(perplexity=5, random_state=0).fit(TINY).learning_rate_ == 50.0
    assert TSNE(early_exaggeration=4).rate(1600) == 100.0
    assert TSNE(learning_rate=7.0).rate(1600) == 7.0


# ---- few rows and bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3])
def test_few_rows(n):
    """Every row is the neighbour of every other: there is nothing to tell apart, and the divergence is next to nothing."""
    model = TSNE(perplexity=1, random_state=0).fit(TABLE[:n])
    assert model.embedding_.shape == (n, 2)
    assert np.isfinite(model.embedding_).all()
    assert model.kl_divergence_ < 0.3


def test_equal_rows():
    with pytest.warns(UserWarning, match="All rows are equal"):
        model = TSNE(perplexity=2).fit(np.ones((8, 3)))
    assert not model.embedding_.any()
    assert not model.certificate_.holds


@pytest.mark.parametrize(
    ("parameters", "X", "error", "words"),
    [
        ({}, TABLE[:20], ValueError, r"perplexity \(30.0\) must be less than n_samples \(20\): use at most 19"),
        ({"perplexity": 0.5}, TABLE[:1], ValueError, "n_samples=1: a map needs at least two rows"),
        ({"perplexity": 3}, TABLE[:20, :1], ValueError, 'init="pca" needs n_components between 1 and .*=1, got n_components=2'),
        (
            {"perplexity": 3, "init": np.ones((20, 3))},
            TABLE[:20],
            ValueError,
            r"init has the shape \(20, 3\).*20 rows and 2 columns",
        ),
        ({"perplexity": 3, "init": np.full((20, 2), np.nan)}, TABLE[:20], ValueError, "init holds nan in row 0, column 0"),
        (
            {"perplexity": 3, "metric": "precomputed"},
            np.eye(9),
            ValueError,
            'init="pca" cannot be used with metric="precomputed"',
        ),
        ({"perplexity": 0}, TABLE, ParameterError, "perplexity of TSNE must be a number above 0"),
        ({"method": "fft"}, TABLE, ParameterError, "method of TSNE must be 'barnes_hut' or 'exact'"),
        ({"metric": "euclidian"}, TABLE, ValueError, "euclidian"),
    ],
)
def test_refused(parameters, X, error, words):
    with pytest.raises(error, match=words):
        TSNE(**parameters).fit(X)


@pytest.mark.parametrize(
    ("cell", "value", "words"),
    [
        ((2, 5), -1.0, r"A distance is negative: d\(row 2, row 5\) = -1"),
        ((2, 5), 9.0, r"not symmetric: d\(row 2, row 5\) = 9"),
        ((3, 3), 1.0, r"distance of a row to itself must be 0: d\(row 3, row 3\) = 1"),
    ],
)
def test_what_is_no_distance(cell, value, words):
    D = cdist(TINY, TINY)
    D[cell] = value
    with pytest.raises(ValueError, match=words):
        TSNE(perplexity=3, metric="precomputed", init="random").fit(D)


@pytest.mark.filterwarnings("ignore::UserWarning")  # that it breaks the axioms
def test_a_function_that_is_no_distance():
    with pytest.raises(ValueError, match=r"All distances should be positive.*d\(row 0, row 1\) = -1"):
        TSNE(perplexity=3, metric=lambda a, b: -1.0).fit(TINY)


def test_precomputed_graph():
    """A sparse graph of neighbours is enough, but not for all pairs; one with too few entries is refused."""
    graph = aprendiz.NearestNeighbors(n_neighbors=13).fit(TABLE).kneighbors_graph(mode="distance")
    made = {"perplexity": 4, "metric": "precomputed", "init": "random", "random_state": 0}
    P = affinities(graph, 4.0, False, "precomputed", None)
    np.testing.assert_allclose(P.values, neighbourhoods(TABLE, 4.0, every=False).values, rtol=1e-9)
    with pytest.raises(TypeError, match="does not accept sparse precomputed"):
        TSNE(method="exact", **made).fit(graph)
    with pytest.raises(ValueError, match="neighbors are required"):
        TSNE(**{**made, "perplexity": 6}).fit(graph)
