"""Whole methods against their textbook versions on small tables."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize

from aprendiz import PCA, KMeans, LinearRegression, LogisticRegression, Ridge, StandardScaler
from aprendiz.core.rows import Block
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.losses.logistic_loss import many_classes, slopes, two_classes
from aprendiz.linear.solvers.quasi_newton import REMEMBERED, quasi_newton_step, remember
from aprendiz.summaries import quantiles

from . import twins

# ---- k-means ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d", "k"), [(60, 2, 3), (200, 5, 6), (100, 1, 4), (50, 3, 1)])
@pytest.mark.parametrize("weighted", [False, True])
def test_kmeans_is_lloyd(n, d, k, weighted):
    """From given centres, every pass gives the centres of the textbook, and the fit ends where the textbook ends."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    w = rng.uniform(0.5, 2.0, size=n) if weighted else None
    start = X[rng.choice(n, k, replace=False)]
    history = twins.lloyd(X, start, w)
    model = KMeans(k, init=start, tol=0, max_iter=1000)
    for state, centers in zip(model.steps(X, sample_weight=w), history, strict=False):
        np.testing.assert_allclose(state.centers, centers, rtol=1e-11, atol=1e-13)  # means of n numbers in another order
    model.fit(X, sample_weight=w)
    np.testing.assert_allclose(model.cluster_centers_, history[-1], rtol=1e-11, atol=1e-13)
    assert np.array_equal(model.labels_, twins.search(X, history[-1])[0])
    weight = np.ones(n) if w is None else w
    np.testing.assert_allclose(model.inertia_, weight @ twins.search(X, history[-1])[1], rtol=1e-11)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n", "k"), [(6, 2), (8, 2), (7, 3)])
def test_kmeans_and_the_best_partition(seed, n, k):
    """No fit costs less than the best of all partitions; the best of many starts costs that much."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, 2)), rng.integers(1, 4, n).astype(float)
    for weight in (None, w):
        optimum = twins.best_clustering(X, k, weight)
        single = KMeans(k, random_state=seed, tol=0).fit(X, sample_weight=weight)
        assert single.inertia_ >= optimum * (1 - 1e-12)
        many = KMeans(k, random_state=seed, n_init=60, tol=0).fit(X, sample_weight=weight)
        np.testing.assert_allclose(many.inertia_, optimum, rtol=1e-12)


def test_kmeans_as_many_clusters_as_places():
    """With a cluster for each distinct place the cost is 0, duplicates or not."""
    X = np.array([[0.0, 0], [5, 0], [0, 5], [0, 0], [5, 0], [0, 5], [0, 0]])
    for seed in range(5):
        assert KMeans(3, random_state=seed).fit(X).inertia_ == 0.0


def test_plus_plus_is_within_its_bound():
    """The expected cost of a k-means++ start is at most 8(ln k + 2) times the best (Arthur & Vassilvitskii)."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 2))
    optimum = twins.best_clustering(X, 2)
    costs = []
    for seed in range(200):
        start = next(KMeans(2, random_state=seed).steps(X)).centers
        costs.append(twins.search(X, start)[1].sum())
    assert np.mean(costs) <= 8 * (np.log(2) + 2) * optimum


def test_plus_plus_draws_by_squared_distance():
    """The first centre is any row, as likely as its weight (χ² over 1000 fixed seeds)."""
    from scipy import stats

    X, w = np.arange(4.0)[:, None], np.array([1.0, 2.0, 3.0, 0.0])
    firsts = [next(KMeans(1, random_state=s).steps(X, sample_weight=w)).centers[0, 0] for s in range(1000)]
    counts = np.bincount(np.array(firsts, int), minlength=4)
    assert counts[3] == 0
    assert stats.chisquare(counts[:3], 1000 * w[:3] / 6).pvalue > 1e-4


# ---- scaler and PCA --------------------------------------------------------------------------------------------------


def test_scaler():
    """Mean and variance by their definitions, with weights too."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(3, 2, size=(50, 4)), rng.uniform(0, 2, 50)
    for weight in (np.ones(50), w):
        model = StandardScaler().fit(X, sample_weight=weight)
        mean = np.average(X, axis=0, weights=weight)
        np.testing.assert_allclose(model.mean_, mean, rtol=1e-13)
        np.testing.assert_allclose(model.var_, np.average((X - mean) ** 2, axis=0, weights=weight), rtol=1e-13)


def svd(X, w=None):
    """Mean, components (the entry of largest size positive) and variances, by the singular values of the centred rows."""
    w = np.ones(len(X)) if w is None else w
    mean = np.average(X, axis=0, weights=w)
    _, singular, V = np.linalg.svd((X - mean) * np.sqrt(w)[:, None], full_matrices=False)
    V = V * np.sign(V[np.arange(len(V)), np.abs(V).argmax(axis=1)])[:, None]
    return mean, V, singular**2 / (w.sum() - 1)


@pytest.mark.parametrize(("n", "d", "k"), [(40, 5, 5), (40, 5, 2), (6, 20, 4), (200, 1, 1), (20, 20, 10)])
@pytest.mark.parametrize("weighted", [False, True])
def test_pca_is_svd(n, d, k, weighted):
    """Components and variances are those of the singular value decomposition, more rows than columns or fewer."""
    rng = np.random.default_rng(n + d)
    X = rng.normal(size=(n, d)) * np.linspace(1, 3, d) + 10
    w = rng.integers(1, 4, n).astype(float) if weighted else None
    model = PCA(k).fit(X, sample_weight=w)
    mean, V, variances = svd(X, w)
    np.testing.assert_allclose(model.mean_, mean, rtol=1e-13)
    np.testing.assert_allclose(model.explained_variance_, variances[:k], rtol=1e-10)  # from squares: half the digits of V
    np.testing.assert_allclose(model.components_, V[:k], atol=1e-9)
    np.testing.assert_allclose(model.transform(X), (X - mean) @ V[:k].T, atol=1e-8)
    np.testing.assert_allclose(model.explained_variance_ratio_, variances[:k] / variances.sum(), rtol=1e-10)


@pytest.mark.parametrize("whiten", [False, True])
def test_pca_error_is_what_is_left(whiten):
    """The certificate's error is the squared distance of the rows from their reconstruction (Eckart–Young)."""
    X = np.random.default_rng(0).normal(size=(60, 6)) * np.arange(1, 7)
    model = PCA(3, whiten=whiten).fit(X)
    back = model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(((X - back) ** 2).sum(), model.certificate_.error, rtol=1e-11)
    if whiten:
        np.testing.assert_allclose(np.cov(model.transform(X).T), np.eye(3), atol=1e-12)


# ---- least squares, exactly ------------------------------------------------------------------------------------------


def vandermonde(degree):
    t = np.arange(1.0, 16.0)
    return np.column_stack([t**p for p in range(1, degree + 1)]), np.round(100 * np.sin(t))


def near_collinear(bits):
    """Two columns that differ by 0, 1 or 2 where they are of the order of 2^bits, and a third that is independent."""
    rng = np.random.default_rng(bits)
    a = np.round(2.0**bits * rng.uniform(1, 2, 20))
    X = np.column_stack([a, a + rng.integers(0, 3, 20), rng.integers(-5, 6, 20)])
    return X, X[:, 0] - 2 * X[:, 1] + X[:, 2] + rng.integers(-9, 10, 20)


def far_away(offset):
    rng = np.random.default_rng(1)
    X = rng.integers(-8, 9, size=(25, 3)) + offset
    return X, X @ [2.0, -1.0, 3.0] + rng.integers(-3, 4, 25)


TABLES = {
    **{f"Vandermonde {p}": vandermonde(p) for p in (5, 6, 7, 8)},
    **{f"collinear 2^{b}": near_collinear(b) for b in (5, 15, 25)},
    **{f"offset {o:g}": far_away(o) for o in (0.0, 1e4, 1e8)},
    "one column": (np.array([[1.0], [2], [4]]), np.array([1.0, 3, 2])),
    "as many rows as unknowns": (np.array([[1.0, 2], [3, 4], [5, 7]]), np.array([1.0, 0, 1])),
}


def correct_digits(got, exact):
    """Digits of the worst entry."""
    errors = [abs(g - e) / abs(e) if e else abs(g) for g, e in zip(twins.fractions(got), exact, strict=True)]
    worst = float(max(errors))
    return 16.0 if worst == 0 else -np.log10(worst)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("way", ["plain", "weighted", "without intercept"])
def test_least_squares_keeps_its_promise(name, way):
    """Every coefficient has the digits that the certificate promises (less one), judged by rational arithmetic."""
    X, y = TABLES[name]
    weight = np.arange(len(X)) % 3 + 1.0 if way == "weighted" else None
    intercept = way != "without intercept"
    model = LinearRegression(fit_intercept=intercept).fit(X, y, sample_weight=weight)
    w, b = twins.exact_least_squares(X, y, weight, intercept)
    promised = model.certificate_.digits
    assert model.rank_ == X.shape[1]
    assert correct_digits(model.coef_, w) >= promised - 1
    if intercept:  # b is a difference: its digits are those of its terms ȳ and x̄ⱼwⱼ
        size = abs(y.mean()) + np.abs(X.mean(axis=0) * model.coef_).sum()
        assert abs(float(twins.fractions(model.intercept_) - b)) <= 10 * 10.0**-promised * size


@pytest.mark.parametrize("name", ["Vandermonde 5", "Vandermonde 8", "offset 1e+08", "collinear 2^15"])
def test_least_squares_promises_something(name):
    """On tables of whole numbers that a double holds exactly, at least nine digits are promised."""
    X, y = TABLES[name]
    assert LinearRegression().fit(X, y).certificate_.digits >= 9
    assert LinearRegression().fit(X, y).certificate_.holds


def test_least_squares_several_targets():
    """Several targets are solved as one by one."""
    X, y = TABLES["Vandermonde 6"]
    Y = np.column_stack([y, y[::-1], X[:, 0]])
    model = LinearRegression().fit(X, Y)
    for j in range(3):
        w, _ = twins.exact_least_squares(X, Y[:, j])
        scale = float(max(abs(w)))
        np.testing.assert_allclose(model.coef_[j], w.astype(float), rtol=1e-8, atol=1e-12 * scale)  # the third target has zeros


# ---- ridge, exactly --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("way", ["plain", "weighted", "without intercept"])
@pytest.mark.parametrize("alpha", [2.0**-20, 1.0, 1000.0])
def test_ridge_keeps_its_promise(name, way, alpha):
    """Every coefficient has the digits that the certificate promises (less one), judged by rational arithmetic."""
    X, y = TABLES[name]
    weight = np.arange(len(X)) % 3 + 1.0 if way == "weighted" else None
    intercept = way != "without intercept"
    model = Ridge(alpha, fit_intercept=intercept).fit(X, y, sample_weight=weight)
    w, b = twins.exact_ridge(X, y, alpha, weight, intercept)
    promised = model.certificate_.digits
    scale = float(max(abs(w)))
    assert abs(twins.fractions(model.coef_) - w).max() <= 10 * 10.0**-promised * scale
    if intercept:  # b is a difference: its digits are those of its terms ȳ and x̄ⱼwⱼ
        size = abs(y.mean()) + np.abs(X.mean(axis=0) * model.coef_).sum()
        assert abs(float(twins.fractions(model.intercept_) - b)) <= 10 * 10.0**-promised * size


@pytest.mark.parametrize("name", [name for name in TABLES if name != "one column"])
@pytest.mark.parametrize("alpha", [2.0**-20, 1.0])
def test_ridge_promises_something(name, alpha):
    """On tables of whole numbers that a double holds exactly, columns nearly dependent or far away, at least eight digits."""
    X, y = TABLES[name]
    assert Ridge(alpha).fit(X, y).certificate_.holds


def test_ridge_wide_exactly():
    """Fewer rows than columns: the dual has the coefficients of the primal, in rational numbers."""
    rng = np.random.default_rng(2)
    X, y = rng.integers(-9, 10, size=(5, 9)).astype(float), rng.integers(-9, 10, size=5).astype(float)
    for intercept in (True, False):
        model = Ridge(0.5, fit_intercept=intercept).fit(X, y)
        w, b = twins.exact_ridge(X, y, 0.5, None, intercept)
        np.testing.assert_allclose(model.coef_, w.astype(float), rtol=1e-12, atol=1e-14)
        assert model.intercept_ == pytest.approx(float(b), rel=1e-12)


# ---- quantiles, exactly ----------------------------------------------------------------------------------------------

cells = st.one_of(
    st.floats(-1e307, 1e307), st.integers(-3, 3).map(float), st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e8, np.nan])
)
LEVELS = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]


def small_blocks(X, weight, size):
    """Rows in blocks of a few, as if there were many: the quantiles are searched for."""
    rows = ArrayRows(X, weight=weight)
    rows.only, rows.size = None, size
    rows.views.clear()
    return rows


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=25), st.integers(1, 7), st.booleans())
def test_quantiles_are_those_of_the_sorted_cells(table, size, weighted):
    """Searched for in small blocks, with intervals divided down to three cells: the quantiles of sorted cells."""
    X = np.array(table)
    weight = np.arange(len(X)) % 4 / 2 + 0.5 if weighted else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles, "FEW_CELLS", 3)
        found = quantiles.quantiles(small_blocks(X, weight, size), LEVELS)
    for c, column in enumerate(X.T):
        for level, value in zip(LEVELS, found[:, c], strict=True):
            exact = twins.quantile(column, np.ones(len(X)) if weight is None else weight, level)
            if exact is None:
                assert np.isnan(value)
                continue
            # two roundings of the straight line between two cells: a unit in the last place of the larger
            size_of_cells = np.nanmax(np.abs(column))
            assert abs(Fraction(float(value)) - exact) <= 2 * Fraction(float(np.spacing(size_of_cells)))


@settings(deadline=None, max_examples=40)
@given(st.lists(cells, min_size=1, max_size=30), st.integers(1, 7))
@example([0.0, 0.0, 0.0, 1.0, -0.0], 1)  # 0 and −0 are one number
@example([0.0, 0.0, 0.0, -(2.0**55), 1.0], 4)  # an interval of keys that is more than half of all keys
def test_order_statistics_have_no_rounding(column, size):
    """Levels k/(n − 1) that are exact in binary are cells of the column, to the bit."""
    known = np.sort([x for x in column if x == x])
    levels = [0.0, 1.0, *([0.5] if len(known) % 2 else []), *([0.25, 0.75] if len(known) % 4 == 1 else [])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles, "FEW_CELLS", 3)
        found = quantiles.quantiles(small_blocks(np.array(column)[:, None], None, size), levels)[:, 0]
    if len(known):
        assert np.array_equal(found, [known[int(level * (len(known) - 1))] for level in levels])
    else:
        assert np.isnan(found).all()


# ---- logistic regression ---------------------------------------------------------------------------------------------


def classes_of(n, d, K, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X @ rng.normal(size=(d, K)) + rng.gumbel(size=(n, K))).argmax(axis=1)
    return X, y, rng.uniform(0.2, 2.0, n)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_logistic_is_the_minimum(K, C):
    """No other minimiser finds a smaller F, and a general one finds the same coefficients."""
    X, y, w = classes_of(150, 3, K)
    Y = np.eye(K)[y]
    model = LogisticRegression(C=C, tol=1e-8).fit(X, y, sample_weight=w)
    ours = np.column_stack([model.intercept_, model.coef_])
    if K == 2:  # softmax with rows ±θ/2 is the sigmoid of θ; its penalty is half as large
        theta, alpha = np.vstack([-ours / 2, ours / 2]), 2 / C
    else:
        theta, alpha = ours, 1 / C
    value = twins.logistic_objective(theta.ravel(), X, Y, w, alpha)[0]
    theirs = optimize.minimize(
        twins.logistic_objective, np.zeros(theta.size), (X, Y, w, alpha), "L-BFGS-B", jac=True,
        options={"maxiter": 5000, "maxfun": 10000, "ftol": 1e-15, "gtol": 1e-9},
    )  # fmt: skip
    assert value <= theirs.fun * (1 + 1e-13)
    found = theirs.x.reshape(theta.shape)
    found[:, 0] -= found[:, 0].mean()  # a constant in all intercepts changes nothing
    np.testing.assert_allclose(theta, found, atol=1e-5)  # F is flat: √(1e-13) of its scale, times the conditioning
    np.testing.assert_allclose(value, model.certificate_.objective, rtol=1e-12)


@pytest.mark.parametrize("C", [0.1, 1.0, np.inf])
def test_logistic_is_irls(C):
    """Iteratively reweighted least squares ends at the same coefficients."""
    X, y, w = classes_of(120, 4, 2, seed=1)
    model = LogisticRegression(C=C, tol=1e-10).fit(X, y, sample_weight=w)
    theta = twins.irls(X, y, w, 1 / C)
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], theta, rtol=1e-8)


def differences(function, theta, step=1e-5):
    """Central differences of a function of θ."""
    out = []
    for j in range(theta.size):
        up, down = theta.copy(), theta.copy()
        up.flat[j] += step
        down.flat[j] -= step
        out.append((function(up) - function(down)) / (2 * step))
    return np.array(out)


@pytest.mark.parametrize("K", [2, 3, 4])
def test_gradient_and_curvature(K):
    """Gradient and curvature are the first and second derivatives of the loss; the product is that with the curvature."""
    X, y, w = classes_of(40, 2, K)
    block, pivot = Block(X, y, w, 0), np.array([0.3, -0.2])
    rng = np.random.default_rng(3)
    statistic, outputs = (two_classes, 1) if K == 2 else (many_classes, K)
    theta = rng.normal(size=(outputs, 3))
    at = statistic(pivot, theta, block)
    # central differences: error step² ≈ 1e-10 of the third derivative, plus rounding 1e-16/step of the value
    by_differences = differences(lambda t: statistic(pivot, t, block).loss, theta)
    np.testing.assert_allclose(at.gradient.ravel(), by_differences, rtol=1e-6, atol=1e-7)
    by_differences = differences(lambda t: statistic(pivot, t, block).gradient.ravel(), theta)
    np.testing.assert_allclose(at.curvature, by_differences, rtol=1e-6, atol=1e-7)
    at, alone = statistic(np.zeros(2), theta, block), slopes(theta, block)
    for name in ("loss", "margin", "gradient"):
        np.testing.assert_allclose(getattr(alone, name), getattr(at, name), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("count", [0, 1, 4, 10])
def test_two_loops_are_the_matrix(count):
    """The two loops give the product with the matrix that the updates of the textbook build."""
    rng = np.random.default_rng(count)
    A = rng.normal(size=(6, 6))
    A = A @ A.T + np.eye(6)
    steps = rng.normal(size=(count, 6))
    pairs, g, diagonal = np.stack([steps, steps @ A], axis=1), rng.normal(size=6), rng.uniform(1, 3, size=6)
    found = quasi_newton_step(g, pairs, lambda q: q / diagonal)
    np.testing.assert_allclose(found, twins.bfgs_inverse(pairs, diagonal) @ g, rtol=1e-9)


def test_pairs_are_few_and_curve_upwards():
    """The oldest pairs are forgotten; a pair along which the gradient falls is not taken."""
    pairs, step = np.empty((0, 2, 3)), np.arange(3.0)
    for _ in range(REMEMBERED + 5):
        step = step + 1
        pairs = remember(pairs, step, 2 * step)
    assert len(pairs) == REMEMBERED
    assert np.array_equal(pairs[-1, 0], step)
    assert remember(pairs, step, -step) is pairs
