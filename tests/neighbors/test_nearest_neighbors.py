"""NearestNeighbors: the neighbours that scikit-learn finds, in the order of distance and row."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.neighbors import NearestNeighbors as TheirNeighbors

import aprendiz
from aprendiz import NearestNeighbors

RNG = np.random.default_rng(2)
X = RNG.normal(size=(150, 4))
Q = RNG.normal(size=(30, 4))
TIED = RNG.integers(0, 3, size=(150, 4)).astype(float)
METRICS = {
    "euclidean": {},
    "l2": {},
    "manhattan": {},
    "cityblock": {},
    "chebyshev": {},
    "minkowski": {"p": 3},
    "cosine": {},
    "hamming": {},
    "seuclidean": {"metric_params": {"V": X.var(axis=0)}},
    "mahalanobis": {"metric_params": {"VI": np.linalg.inv(np.cov(X.T))}},
}


def both(metric="minkowski", **parameters):
    theirs = {"algorithm": "brute"} if metric in ("cosine", "mahalanobis", "seuclidean") else {}
    return NearestNeighbors(metric=metric, **parameters).fit(X), TheirNeighbors(metric=metric, **parameters, **theirs).fit(X)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", [1, 5, 150])
def test_same_as_scikit_learn(metric, k):
    """Distances of the k nearest agree; so do the rows, where no two are equally far."""
    ours, theirs = both(metric, **METRICS[metric])
    (d, i), (e, j) = ours.kneighbors(Q, k), theirs.kneighbors(Q, k)
    np.testing.assert_allclose(d, e, rtol=1e-9, atol=1e-9)
    if metric != "hamming":
        assert np.array_equal(i, j)
    assert ours.effective_metric_ == theirs.effective_metric_
    assert ours.certificate_.holds


@pytest.mark.parametrize("metric", METRICS)
def test_ties_go_to_the_first_row(metric):
    """On a lattice, where many rows are equally far, neighbours are ordered by distance, then by row."""
    if metric == "mahalanobis":
        pytest.skip("equal distances differ by rounding")
    model = NearestNeighbors(n_neighbors=40, metric=metric, **METRICS[metric]).fit(TIED)
    every, who = model.kneighbors(TIED, 150)
    some, few = model.kneighbors(TIED)
    assert np.array_equal(every[:, :40], some)
    assert np.array_equal(who[:, :40], few)
    assert ((every[:, 1:] > every[:, :-1]) | ((every[:, 1:] == every[:, :-1]) & (who[:, 1:] > who[:, :-1]))).all()


@pytest.mark.parametrize("radius", [0.0, 0.4, 1.3, 10.0])
def test_balls(radius):
    """Rows within a radius are those of scikit-learn, in the order of the table or of their distances; their graph has an
    entry for each."""
    ours, theirs = both(radius=radius, algorithm="brute")
    for rows in (Q, None):
        for nearest_first in (False, True):
            (d, i), (e, j) = (model.radius_neighbors(rows, sort_results=nearest_first) for model in (ours, theirs))
            for a, b, c, f in zip(d, i, e, j, strict=True):
                np.testing.assert_array_equal(b, f)
                np.testing.assert_allclose(a, c, rtol=1e-12)
        for mode in ("connectivity", "distance"):
            there = theirs.radius_neighbors_graph(rows, mode=mode).toarray()
            np.testing.assert_allclose(ours.radius_neighbors_graph(rows, mode=mode).toarray(), there, rtol=1e-12)
    assert ours.radius_neighbors(Q, 0.0, return_distance=False)[0].shape == (0,)


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
def test_graph(mode):
    """The graph has an entry for each neighbour, of new rows and of the rows of the fit."""
    ours, theirs = both()
    for rows in (Q, None):
        found, wanted = (one.kneighbors_graph(rows, 3, mode) for one in (ours, theirs))
        assert found.format == "csr"
        np.testing.assert_allclose(found.toarray(), wanted.toarray(), rtol=1e-12)


def test_rows_of_the_fit_leave_themselves_out():
    """Without X each row is asked about without itself, also where rows coincide."""
    doubled = np.vstack([X[:5], X[:5], X[:5]])
    distances, who = NearestNeighbors(n_neighbors=2).fit(doubled).kneighbors()
    assert (who != np.arange(15)[:, None]).all()
    assert (who % 5 == np.arange(15)[:, None] % 5).all()
    assert (distances == 0).all()


def test_distances_that_are_given():
    """A table of distances, dense or a sparse graph, gives the neighbours of the rows themselves."""
    plain = NearestNeighbors(n_neighbors=4, radius=1.5).fit(X)
    square, wide = (plain.radius_neighbors_graph(rows, 100.0, "distance").toarray() for rows in (X, Q))
    graph = plain.radius_neighbors_graph(X, 100.0, "distance")  # zeros of the diagonal are entries
    given = NearestNeighbors(n_neighbors=4, radius=1.5, metric="precomputed").fit(square)
    for rows, asked in ((Q, wide), (X, square), (X, graph), (None, None)):
        for found, wanted in zip(given.kneighbors(asked), plain.kneighbors(rows), strict=True):
            assert np.array_equal(found, wanted)
        assert np.array_equal(given.radius_neighbors_graph(asked).toarray(), plain.radius_neighbors_graph(rows).toarray())
    thin = NearestNeighbors(n_neighbors=4, metric="precomputed").fit(graph)
    assert np.array_equal(thin.kneighbors()[1], plain.kneighbors()[1])
    assert given.search_.method == "brute"
    with pytest.raises(ValueError, match="square"):
        NearestNeighbors(metric="precomputed").fit(square[:5])
    with pytest.raises(ValueError, match=r"Negative values .* row 3, column 7"):
        NearestNeighbors(metric="precomputed").fit(np.where(np.arange(150 * 150).reshape(150, 150) == 457, -1.0, square))
    with pytest.raises(ValueError, match=r"5 neighbors are required .* row 0 have 4 entries"):
        thin.kneighbors(plain.kneighbors_graph(X, mode="distance"), 5)


def test_sparse_tables():
    """A sparse table is the same table."""
    thin = np.where(np.abs(X) > 0.7, X, 0.0)
    dense, other = NearestNeighbors().fit(thin), NearestNeighbors().fit(sparse.csr_array(thin))
    for rows in (thin, sparse.csc_matrix(thin)):
        for a, b in zip(other.kneighbors(rows), dense.kneighbors(thin), strict=True):
            assert np.array_equal(a, b)


def test_rows_of_files(tmp_path):
    """Rows of a file are gathered, and may be asked about."""
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=40)
    rows = aprendiz.rows(tmp_path / "t.parquet")
    plain, model = NearestNeighbors().fit(frame), NearestNeighbors().fit(rows)
    for a, b in zip(model.kneighbors(rows), plain.kneighbors(frame), strict=True):
        assert np.array_equal(a, b)


def test_the_index_is_made_again(tmp_path):
    """A model that was saved, or copied, finds the same neighbours; a second fit forgets the first."""
    import copy
    import pickle

    model = NearestNeighbors().fit(X)
    aprendiz.save(model, tmp_path / "m.apz")
    for other in (aprendiz.load(tmp_path / "m.apz"), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(other.kneighbors(Q)[1], model.kneighbors(Q)[1])
    model.fit(X[:20])
    assert model.kneighbors(Q)[1].max() < 20


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"metric": "cubic"}, "metric .*'cubic'"),
        ({"metric": "minkowski", "p": None}, "p of NearestNeighbors must be a number above 0"),
        ({"metric": "minkowski", "metric_params": {"w": [1.0]}}, r"w .*\(1,\)|4 columns"),
        ({"metric": "mahalanobis", "metric_params": {"V": np.eye(3)}}, "V must be 4 × 4"),
        ({"metric": "euclidean", "metric_params": {"w": 1}}, "'w'"),
    ],
    ids=["unknown", "no power", "too few weights", "too small", "not its own"],
)
def test_bad_metrics(parameters, message):
    """An unknown metric or parameter is refused by name at the fit."""
    with pytest.raises((ValueError, TypeError), match=message):
        NearestNeighbors(**parameters).fit(X)


def test_bad_questions():
    """More neighbours than rows, and numbers that are none, are refused with numbers and remedy."""
    model = NearestNeighbors().fit(X)
    with pytest.raises(ValueError, match=r"n_neighbors = 151, n_samples_fit = 150 .* use fewer"):
        model.kneighbors(Q, 151)
    with pytest.raises(ValueError, match=r"Expected n_neighbors < n_samples_fit, but n_neighbors = 150"):
        model.kneighbors(None, 150)
    for bad in (0, -1, 2.5, "five"):
        with pytest.raises((ValueError, TypeError), match="n_neighbors must be a whole number"):
            model.kneighbors(Q, bad)
    with pytest.raises(ValueError, match="radius must be a number of at least 0, got -1"):
        model.radius_neighbors(Q, -1)
    with pytest.raises(ValueError, match="return_distance must be True"):
        model.radius_neighbors(Q, return_distance=False, sort_results=True)
    with pytest.raises(ValueError, match="Unsupported mode 'both'"):
        model.kneighbors_graph(Q, mode="both")


# ---- tables with words, functions --------------------------------------------------------------------------------------

FRAME = pd.DataFrame(
    {
        "age": [20.0, 30.0, None, 60.0, 40.0],
        "tree": ["ash", "birch", "ash", None, "cedar"],
        "tall": [True, False, True, True, False],
    }
)


def test_gower():
    """Words, truth values, numbers and missing cells: the mean difference over the columns that both rows have."""
    model = NearestNeighbors(n_neighbors=5, metric="gower").fit(FRAME)
    distances, who = model.kneighbors(pd.DataFrame({"age": [30.0], "tree": ["ash"], "tall": [True]}))
    by_hand = {0: (0.25 + 0 + 0) / 3, 1: (0 + 1 + 1) / 3, 2: 0 / 2, 3: (0.75 + 0) / 2, 4: (0.25 + 1 + 1) / 3}
    assert who[0].tolist() == sorted(by_hand, key=lambda i: (by_hand[i], i))
    np.testing.assert_allclose(distances[0], sorted(by_hand.values()), rtol=1e-15)
    assert model.certificate_.holds


def test_words_and_gaps_need_gower():
    """With another metric, a word and a missing cell are refused with row and column."""
    with pytest.raises(ValueError, match=r"'ash'.*row 0.*'tree'"):
        NearestNeighbors().fit(FRAME)
    with pytest.raises(ValueError, match=r"NaN: row 2, column 'age'"):
        NearestNeighbors(n_neighbors=1).fit(FRAME[["age"]])


def test_gower_comes_back(tmp_path):
    """A model of a mixed table is saved with its rows, and finds the same."""
    model = NearestNeighbors(n_neighbors=3, metric="gower").fit(FRAME)
    aprendiz.save(model, tmp_path / "m.apz")
    for a, b in zip(aprendiz.load(tmp_path / "m.apz").kneighbors(FRAME), model.kneighbors(FRAME), strict=True):
        assert np.array_equal(a, b)


def test_functions():
    """A function of two rows is the metric that it is; of one that is none, a warning names the rows that show it."""
    ours, theirs = NearestNeighbors(metric=lambda a, b: np.abs(a - b).sum()), NearestNeighbors(metric="manhattan")
    assert np.array_equal(ours.fit(X).kneighbors(Q)[1], theirs.fit(X).kneighbors(Q)[1])
    with pytest.warns(UserWarning, match=r"triangle inequality: d\(row \d+, row \d+\)"):
        NearestNeighbors(metric=lambda a, b: np.abs(a - b).sum() ** 3).fit(X)


def test_function_of_sparse_rows():
    """The function gets two sparse rows, of the fit and of the queries; its numbers are those of the dense rows."""

    def apart(a, b):
        assert sparse.issparse(a)
        return abs(a - b).sum()

    few, asked = np.round(X[:20]), np.round(Q[:4])
    model = NearestNeighbors(n_neighbors=3, metric=apart).fit(sparse.csr_matrix(few))
    expected = NearestNeighbors(n_neighbors=3, metric="manhattan").fit(few).kneighbors(asked)
    for found, wanted in zip(model.kneighbors(sparse.csr_matrix(asked)), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_function_that_is_no_distance():
    """As in scikit-learn the rows of the smallest numbers are found, here with a warning."""
    with pytest.warns(UserWarning, match="not 0 from a row to itself"):
        model = NearestNeighbors(n_neighbors=3, metric=lambda a, b: np.sqrt((a**2 + b**2).sum())).fit(X)
    nearest = np.argsort((X**2).sum(axis=1))[:3]
    np.testing.assert_array_equal(model.kneighbors(Q, return_distance=False), np.tile(nearest, (len(Q), 1)))
