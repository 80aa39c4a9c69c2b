"""KMeans: Lloyd's iteration with exact shortcuts, its starts, and its certificate."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import KMeans

IRIS, WINE = load_iris().data, load_wine().data
BLOBS = make_blobs(1500, 3, centers=8, cluster_std=2.0, random_state=5)[0]
NOISE = np.random.default_rng(2).uniform(size=(2000, 2))  # no clusters: many passes, many changes of centre
TABLES = {"iris": IRIS, "wine": WINE, "blobs": BLOBS, "noise": NOISE}
WEIGHT = np.random.default_rng(3).uniform(0, 3, size=1500)


def spread_rows(X, k):
    """A start near k rows, evenly spaced in the table; not at them, since tables with few decimals then have ties."""
    rows = X[np.linspace(0, len(X) - 1, k).astype(int)]
    return rows + 1e-3 * X.std(axis=0) * np.random.default_rng(k).normal(size=rows.shape)


def cost(X, centers, weight=1.0):
    return float(np.sum(weight * cdist(X, centers, "sqeuclidean").min(axis=1)))


# ---- Lloyd's iteration -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 7, 30])
@pytest.mark.parametrize("tol", [0.0, 1e-4])
@pytest.mark.parametrize("name", TABLES)
def test_same_start_same_answer(name, k, tol):
    """From the same start: labels, centres, inertia and number of passes of scikit-learn."""
    X = TABLES[name]
    start = spread_rows(X, k)
    ours = KMeans(k, init=start, tol=tol).fit(X)
    theirs = TheirKMeans(k, init=start, n_init=1, tol=tol).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10, atol=1e-12)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-11)
    if tol > 0:  # at tol = 0 scikit-learn may need another pass to see that nothing moves
        assert ours.n_iter_ == theirs.n_iter_


def test_single_precision():
    """float32 rows: the labels of scikit-learn, and centres in float32."""
    X = BLOBS.astype(np.float32)
    start = spread_rows(X, 8).astype(np.float32)
    ours, theirs = KMeans(8, init=start).fit(X), TheirKMeans(8, init=start, n_init=1).fit(X)
    assert ours.cluster_centers_.dtype == ours.transform(X).dtype == np.float32
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-5)  # theirs is summed in single precision


def test_weights():
    """Weighted rows: the answer of scikit-learn; whole weights count rows."""
    start = spread_rows(BLOBS, 8)
    ours = KMeans(8, init=start).fit(BLOBS, sample_weight=WEIGHT)
    theirs = TheirKMeans(8, init=start, n_init=1).fit(BLOBS, sample_weight=WEIGHT)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-11)
    times = WEIGHT.astype(int)
    weighted = KMeans(8, init=start, tol=0).fit(BLOBS, sample_weight=times)
    repeated = KMeans(8, init=start, tol=0).fit(np.repeat(BLOBS, times, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-12)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_cost_never_rises(name, init):
    """J of every pass is at most that of the pass before; the last one is the inertia, by any count."""
    X = TABLES[name]
    model = KMeans(9, init=init, n_init=2, random_state=4, tol=0).fit(X)
    assert model.certificate_.holds
    assert (np.diff(model.certificate_.log) <= 1e-12 * model.certificate_.log[0]).all()
    assert model.inertia_ == pytest.approx(cost(X, model.cluster_centers_), rel=1e-12)
    assert model.certificate_.cost == pytest.approx(model.inertia_, rel=1e-12)
    # at rest every centre is the mean of its rows
    means = np.array([X[model.labels_ == j].mean(axis=0) for j in range(9)])
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-11)
    assert model.certificate_.off_mean < 1e-10 * np.abs(X).max()


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_a_row_far_away_does_not_end_the_passes(far):
    """The variance of the columns is then the row's: what a pass lowers the cost by is compared with the cost, too."""
    X = np.vstack([IRIS, np.full((1, 4), far)])
    start = np.vstack([IRIS[[0, 75, 100]], X[-1:]])
    ours, exact, theirs = (
        cls(4, init=start, n_init=1, tol=tol).fit(X) for cls, tol in ((KMeans, 1e-4), (KMeans, 0), (TheirKMeans, 1e-4))
    )
    assert ours.inertia_ <= exact.inertia_ * (1 + 1e-3)
    assert ours.n_iter_ > theirs.n_iter_ == 1
    assert ours.inertia_ == pytest.approx(KMeans(3, init=start[:3], tol=0).fit(IRIS).inertia_, rel=1e-3)


def test_ties_go_to_the_lowest_label():
    """A row as far from two centres belongs to the first of them."""
    model = KMeans(2, init=np.array([[1.0], [-1.0]]), max_iter=10).fit([[1.0], [-1.0], [1.0], [-1.0]])
    assert model.predict([[0.0]]).tolist() == [0]
    assert KMeans(2, init=np.array([[-1.0], [1.0]])).fit([[1.0], [-1.0]]).predict([[0.0]]).tolist() == [0]
    X = np.array([[0.0], [1.0], [2.0]])  # the middle row is tied at the start
    assert KMeans(2, init=X[[0, 2]]).fit(X).labels_.tolist() == [0, 0, 1]


@pytest.mark.parametrize("offset", [2.0**26, -(2.0**30)])
def test_large_offset(offset):
    """Far from zero the labels are the same, and J keeps its digits."""
    X = np.round(64 * BLOBS) / 64  # exact beside 2³⁰
    start = np.round(64 * spread_rows(X, 8)) / 64
    near, far = (KMeans(8, init=start + o).fit(X + o) for o in (0.0, offset))
    np.testing.assert_array_equal(far.labels_, near.labels_)
    assert far.inertia_ == pytest.approx(near.inertia_, rel=1e-7)  # the stored centres are rounded at 2³⁰·ε = 10⁻⁷
    same_seed = [KMeans(8, random_state=0).fit(X + o).labels_ for o in (0.0, offset)]
    np.testing.assert_array_equal(*same_seed)


def test_stopping_early():
    """Too few passes: a warning with the remedy, and labels that belong to the centres that are left."""
    model = KMeans(30, init=spread_rows(NOISE, 30), max_iter=2, tol=0)
    with pytest.warns(ConvergenceWarning, match=r"Raise max_iter \(it is 2\)"):
        model.fit(NOISE)
    assert model.n_iter_ == 2
    np.testing.assert_array_equal(model.predict(NOISE), model.labels_)


# ---- degenerate tables -----------------------------------------------------------------------------------------------


def test_centre_that_no_row_chose():
    """A start far from all rows: the empty centre moves to a row, and every cluster ends with rows."""
    start = np.array([[5.0, 3.4, 1.5, 0.2], [6.5, 3.0, 5.5, 2.0], [1e6, 1e6, 1e6, 1e6]])
    model = KMeans(3, init=start).fit(IRIS)
    assert (np.bincount(model.labels_, minlength=3) > 0).all()
    assert model.inertia_ == pytest.approx(cost(IRIS, model.cluster_centers_), rel=1e-12)
    assert model.certificate_.holds
    theirs = TheirKMeans(3, init=start, n_init=1).fit(IRIS)
    assert model.inertia_ <= theirs.inertia_ * (1 + 1e-11)  # scikit-learn moves it to the farthest row too


def test_all_centres_but_one_far_away():
    """Several empty centres are filled one after the other."""
    start = np.vstack([IRIS[:1], 1e3 + np.arange(16.0).reshape(4, 4)])
    model = KMeans(5, init=start).fit(IRIS)
    assert (np.bincount(model.labels_, minlength=5) > 0).all()
    assert model.certificate_.holds


def test_fewer_distinct_rows_than_clusters():
    """Three different rows and five clusters: every row becomes a centre, and nothing is left of J."""
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 10, axis=0)
    with pytest.warns(ConvergenceWarning, match="Only 3 of 5 clusters have rows"):
        model = KMeans(5, random_state=0).fit(X)
    assert model.inertia_ == 0
    assert len(np.unique(model.labels_)) == 3
    np.testing.assert_array_equal(model.cluster_centers_[model.labels_], X)


def test_as_many_clusters_as_rows():
    """k = n: every row its own centre."""
    model = KMeans(6, random_state=0).fit(IRIS[:30:5])
    assert model.inertia_ == 0
    assert sorted(model.labels_) == list(range(6))


def test_one_row_for_one_cluster():
    """n = k = 1 works; k > n is refused."""
    assert KMeans(1).fit([[1.0, 2.0]]).cluster_centers_.tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="n_samples=1 should be >= n_clusters=2"):
        KMeans(2).fit([[1.0, 2.0]])


def test_rows_without_weight_choose_nothing():
    """Rows of weight 0 get a label but do not move a centre, nor start one."""
    far = np.vstack([BLOBS, np.full((5, 3), 1e4)])
    weight = np.append(np.ones(1500), np.zeros(5))
    for init in ("k-means++", "random"):
        model = KMeans(8, init=init, n_init=1, random_state=1).fit(far, sample_weight=weight)
        assert np.abs(model.cluster_centers_).max() < 100
        assert len(model.labels_) == 1505


# ---- starts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["iris", "blobs", "noise"])
def test_quality_of_plus_plus(name):
    """Over seeds, one k-means++ start ends on average as low as scikit-learn's (greedy draws, both)."""
    X, k = TABLES[name][::3], 8
    ours = np.mean([KMeans(k, random_state=seed).fit(X).inertia_ for seed in range(25)])
    theirs = np.mean([TheirKMeans(k, n_init=1, random_state=seed).fit(X).inertia_ for seed in range(25)])
    assert ours <= 1.05 * theirs  # single runs scatter by 3 to 13 %, means of 25 by up to 2.5 %


def test_random_start_takes_rows():
    """init="random": k different rows of the table, drawn ten times unless n_init says otherwise."""
    model = KMeans(4, init="random", random_state=0)
    starts = [state.centers for state in model.steps(IRIS) if len(state.log) == 0]
    assert len(starts) == 10
    for centers in starts:
        assert (cdist(centers, IRIS).min(axis=1) == 0).all()


def test_n_init_keeps_the_best():
    """Of several starts the one with the smallest J is kept: no single start of the run is better."""
    model = KMeans(12, init="random", n_init=6, random_state=3)
    ends = [float(state.log[-1]) for state in model.steps(NOISE) if state.still]
    assert len(ends) == 6
    fitted = model.fit(NOISE)
    assert fitted.inertia_ <= min(ends)
    one = KMeans(12, init="random", n_init=1, random_state=3).fit(NOISE)
    assert fitted.inertia_ <= one.inertia_


def test_start_by_a_function():
    """A function gets X, k and a seed, and gives the centres."""
    seen = []

    def first_rows(X, k, random_state):
        seen.append((X.shape, k, random_state))
        return X[:k]

    model = KMeans(3, init=first_rows, n_init=2, random_state=9).fit(IRIS)
    assert [call[:2] for call in seen] == [((150, 4), 3)] * 2
    assert seen[0][2] != seen[1][2]
    np.testing.assert_array_equal(model.labels_, KMeans(3, init=IRIS[:3]).fit(IRIS).labels_)


def test_seed_decides():
    """The same seed gives the same bits, another one another start."""
    first, again, other = (KMeans(12, random_state=seed).fit(NOISE) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.cluster_centers_, again.cluster_centers_)
    assert not np.array_equal(first.cluster_centers_, other.cluster_centers_)


# ---- using the fit ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_predict_transform_score(name):
    """predict = labels_ on the training rows, transform = distances to the centres, score = −J."""
    X = TABLES[name]
    model = KMeans(6, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.fit_predict(X), model.labels_)
    np.testing.assert_allclose(model.transform(X), cdist(X, model.cluster_centers_), rtol=1e-12, atol=1e-13)
    assert model.score(X) == pytest.approx(-model.inertia_, rel=1e-13)
    assert model.labels_.dtype == np.int32
    assert list(model.get_feature_names_out()) == [f"kmeans{j}" for j in range(6)]


def test_score_with_weights():
    """score counts rows by their weights."""
    model = KMeans(8, random_state=0).fit(BLOBS, sample_weight=WEIGHT)
    assert model.score(BLOBS, sample_weight=WEIGHT) == pytest.approx(-model.inertia_, rel=1e-13)
    assert model.inertia_ == pytest.approx(cost(BLOBS, model.cluster_centers_, WEIGHT), rel=1e-12)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse(form):
    """A sparse table gives what the same table gives when it is dense."""
    X = sparse.random(300, 20, density=0.2, random_state=0).toarray()
    for init in (X[:5], "k-means++", "random"):
        dense, thin = (KMeans(5, init=init, random_state=0).fit(table) for table in (X, form(X)))
        np.testing.assert_array_equal(thin.labels_, dense.labels_)
        np.testing.assert_array_equal(thin.cluster_centers_, dense.cluster_centers_)
    np.testing.assert_array_equal(thin.predict(form(X)), dense.predict(X))
    np.testing.assert_allclose(thin.transform(form(X)), dense.transform(X), rtol=1e-14)


@pytest.mark.parametrize(
    ("init", "match"),
    [(np.zeros((2, 4)), "init gives an array of shape"), (np.full((3, 4), np.nan), "NaN"), ("furthest", "init of KMeans")],
)
def test_refused_starts(init, match):
    """A start that does not fit is refused with the shape, the value or the choice that it should have."""
    with pytest.raises(ValueError, match=match):
        KMeans(3, init=init).fit(IRIS)


def test_best_start_cut_short_is_not_converged():
    """What is said of the fit is said of the start that was kept."""
    X = np.random.default_rng(1).normal(size=(300, 2))
    with pytest.warns(ConvergenceWarning, match="max_iter reached"):
        model = KMeans(5, n_init=8, max_iter=12, tol=0, random_state=1).fit(X)
    assert model.n_iter_ == 12


def test_function_as_start():
    """A function gets the rows, which it cannot change, and a generator, as scikit-learn's does."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    kept = X.copy()
    model = KMeans(3, init=lambda X, k, random_state: X[random_state.choice(len(X), k)], random_state=0).fit(X)
    assert model.cluster_centers_.shape == (3, 2)

    def careless(X, k, random_state):
        X[:] = 0
        return X[:k]

    with pytest.raises(ValueError, match="read-only"):
        KMeans(3, init=careless, random_state=0).fit(X)
    assert np.array_equal(X, kept)


def test_rows_without_weight_never_start():
    """A row that weighs nothing is no centre, even where there are fewer others than clusters."""
    X = np.array([[0.0], [1.0], [0.0], [1.0], [50.0]])
    for init in ("k-means++", "random"):
        with pytest.warns(ConvergenceWarning, match="Only 2 of 3 clusters"):
            model = KMeans(3, init=init, random_state=0).fit(X, sample_weight=[1, 1, 1, 1, 0])
        assert model.cluster_centers_.max() == 1


def test_float32_certificate():
    """Rounding the centres to the type of the data is no rise of the cost."""
    rng = np.random.default_rng(0)
    X = (np.concatenate([rng.normal(size=(200, 2)), rng.normal(size=(200, 2)) + 20]) + 10_000).astype(np.float32)
    assert KMeans(2, random_state=0, tol=0).fit(X).certificate_.holds


@pytest.mark.parametrize("cls", [KMeans, aprendiz.MiniBatchKMeans])
def test_given_centres_make_one_start(cls):
    rows = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(RuntimeWarning, match="performing only one init in .*KMeans instead of n_init=10"):
        cls(3, init=rows[:3], n_init=10).fit(rows)
    cls(np.int64(3), init=rows[:3], n_init=1).fit(rows)
