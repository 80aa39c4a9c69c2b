"""Lasso and elastic net: the minimum is proved and is scikit-learn's; tables, files and sums agree; paths and folds."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearRegression, Ridge, enet_path, lasso_path
from aprendiz.linear.designs import design
from aprendiz.linear.designs.design import CentredTable, SummedDesign, TableDesign
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.coordinate_sweeps import minimiser, without_dependent
from aprendiz.linear.solvers.working_set import WorkingSet, duality_gap, solve
from aprendiz.locale import language


def problem(seed, n=60, d=12, noise=0.5, correlated=False):
    """Columns and a target that three of them decide."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if correlated:
        X = X[:, :1] + 0.05 * X
    w = np.zeros(d)
    w[: min(3, d)] = rng.normal(size=min(3, d)) * 2
    return X + rng.normal(size=d), X @ w + noise * rng.normal(size=n) + 1


def objective(model, X, y, weight=None):
    """(1) of elastic_net.py."""
    weight = np.ones(len(y)) if weight is None else weight
    residual = y - model.predict(X)
    share = getattr(model, "l1_ratio", 1.0)
    penalty = share * np.abs(model.coef_).sum() + 0.5 * (1 - share) * (model.coef_**2).sum()
    return (weight * residual**2).sum() / (2 * weight.sum()) + model.alpha * penalty


def slopes(model, X, y, weight=None):
    """Derivatives of the smooth part of (1)."""
    weight = np.ones(len(y)) if weight is None else weight
    share = getattr(model, "l1_ratio", 1.0)
    return X.T @ (weight * (y - model.predict(X))) / weight.sum() - model.alpha * (1 - share) * model.coef_


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 40), st.integers(1, 40), st.floats(0.001, 1.2), st.sampled_from([1.0, 0.7, 0.1]),
    st.booleans(), st.booleans(), st.booleans(),
)  # fmt: skip
def test_conditions_of_the_minimum(seed, n, d, part, share, intercept, positive, correlated):
    """At the minimum a zero coefficient has a slope within ±αρ, another one exactly αρ in its direction."""
    X, y = problem(seed, n, d, correlated=correlated)
    centred = y - y.mean() if intercept else y
    largest = np.abs((X - X.mean(axis=0) if intercept else X).T @ centred).max() / (n * share)
    alpha = part * largest
    model = ElasticNet(alpha, l1_ratio=share, fit_intercept=intercept, positive=positive, tol=1e-12).fit(X, y)
    if alpha == 0:
        return
    slope, limit = slopes(model, X, y), alpha * share
    scale = largest + 1e-300
    at_zero = model.coef_ == 0
    assert slope[~at_zero] == pytest.approx(limit * np.sign(model.coef_[~at_zero]), abs=1e-6 * scale)
    excess = slope[at_zero] if positive else np.abs(slope[at_zero])
    assert (excess <= limit + 1e-6 * scale).all()
    assert not positive or (model.coef_ >= 0).all()
    assert model.certificate_.gap <= 1e-11


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 40), st.integers(1, 15), st.floats(0.005, 0.9), st.sampled_from([1.0, 0.5]))
def test_scikit_learn(seed, n, d, part, share):
    """The same minimum as scikit-learn's, which stops at a gap of 1e-12."""
    X, y = problem(seed, n, d)
    alpha = part * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / (n * share)
    ours = ElasticNet(alpha, l1_ratio=share, tol=1e-12).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it stalls on a few
        other = theirs.ElasticNet(alpha, l1_ratio=share, tol=1e-12, max_iter=50_000).fit(X, y)
    assert objective(ours, X, y) <= objective(other, X, y) * (1 + 1e-9) + 1e-12
    if n > d + 2:
        np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-5 * max(1.0, np.abs(other.coef_).max()))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_sums_and_tables_agree(monkeypatch, weighted, intercept):
    """From sums, from the table, and from a sparse one: the same coefficients."""
    X, y = problem(3, 80, 10)
    X[np.abs(X) < 0.7] = 0
    weight = np.random.default_rng(0).uniform(0, 2, 80) if weighted else None
    found = []
    for narrow, table in ((512, X), (0, X), (0, sparse.csr_matrix(X)), (512, sparse.csr_matrix(X))):
        monkeypatch.setattr(design, "NARROW", narrow)
        found.append(ElasticNet(0.1, fit_intercept=intercept, tol=1e-12).fit(table, y, weight))
    for other in found[1:]:
        np.testing.assert_allclose(other.coef_, found[0].coef_, atol=1e-10)
        assert other.intercept_ == pytest.approx(found[0].intercept_, abs=1e-9)


def test_weights_are_rows():
    """A weight of 2 is the row twice; 0 is the row left out."""
    X, y = problem(4, 40, 60)
    weight = np.random.default_rng(1).integers(0, 3, 40)
    one, other = (
        Lasso(0.05, tol=1e-12).fit(X, y, weight),
        Lasso(0.05, tol=1e-12).fit(np.repeat(X, weight, 0), np.repeat(y, weight)),
    )
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-9)


def test_the_ends_of_the_family():
    """α = 0 is least squares, ρ = 0 a ridge regression with Ωα, and a penalty above α_max leaves nothing."""
    X, y = problem(5)
    np.testing.assert_allclose(Lasso(0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_, rtol=1e-9)
    np.testing.assert_allclose(ElasticNet(0.3, l1_ratio=0.0).fit(X, y).coef_, Ridge(0.3 * len(y)).fit(X, y).coef_, rtol=1e-9)
    largest = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    assert not Lasso(1.0001 * largest).fit(X, y).coef_.any()
    assert np.count_nonzero(Lasso(0.999 * largest, tol=1e-12).fit(X, y).coef_) == 1


def test_orthogonal_columns():
    """With XᵀX = n·I each coefficient is the least-squares one, thresholded: S(w, α)."""
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(50, 4)))[0] * np.sqrt(50)
    y = X @ [2.0, -1.0, 0.3, 0.0] + 0.1 * np.random.default_rng(1).normal(size=50)
    plain = X.T @ y / 50
    wanted = np.sign(plain) * np.maximum(np.abs(plain) - 0.5, 0)
    np.testing.assert_allclose(Lasso(0.5, fit_intercept=False).fit(X, y).coef_, wanted, atol=1e-12)


def test_convention_of_the_texts():
    """MSE + γ‖w‖₁ has its minimum at α = γ/2 (COURSE: one table of penalty conventions)."""
    X, y = problem(6, 30, 1)
    gamma = 0.4
    model = Lasso(gamma / 2, tol=1e-14).fit(X, y)
    grid = np.linspace(model.coef_[0] - 1, model.coef_[0] + 1, 20_001)
    z, c = X[:, 0] - X[:, 0].mean(), y - y.mean()
    cost = (c @ c - 2 * grid * (z @ c) + grid**2 * (z @ z)) / len(y) + gamma * np.abs(grid)
    assert grid[cost.argmin()] == pytest.approx(model.coef_[0], abs=1.1e-4)


def test_several_targets_and_columns_that_repeat():
    X, y = problem(7)
    X = np.column_stack([X, X[:, 0], np.full(len(X), 3.0)])  # a copy, and a constant
    model = Lasso(0.1, tol=1e-12).fit(X, np.column_stack([y, -y]))
    np.testing.assert_allclose(model.coef_[0], -model.coef_[1], atol=1e-9)
    assert model.coef_[0, -1] == 0
    assert model.certificate_.gap <= 1e-12
    assert (model.sparse_coef_ != sparse.csr_matrix(model.coef_)).nnz == 0


def test_warm_start_and_what_it_saves():
    X, y = problem(8, 50, 200)
    model = Lasso(0.1, warm_start=True).fit(X, y)
    before = model.coef_.copy()
    model.fit(X, y)
    np.testing.assert_allclose(model.coef_, before, atol=1e-10)
    assert model.n_iter_ == 1


def test_positive_coefficients_of_a_sparse_table():
    """Many columns at work, each w ≥ 0: the minimum of scikit-learn, and no warning."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1500))
    y = X[:, :700] @ rng.uniform(0.5, 1, 700) + rng.normal(size=400)
    X = sparse.csc_array(np.where(np.abs(X) > 1.5, X, 0.0))
    ours = Lasso(0.5, positive=True).fit(X, y)
    other = theirs.Lasso(0.5, positive=True, tol=1e-6, max_iter=5000).fit(X, y)
    assert np.count_nonzero(ours.coef_) > 128
    assert objective(ours, X, y) <= objective(other, X, y) * (1 + 1e-4)


def test_many_columns_of_a_sparse_table_reach_the_gap():
    """Beyond 128 columns sweeps approach the minimum, and the gap may rise on the way: that is no reason to stop above tol."""
    X = sparse.random(400, 1500, 0.05, format="csc", random_state=4)
    rng = np.random.default_rng(4)
    y = X @ (rng.normal(size=1500) * (rng.random(1500) < 0.4)) + 0.1 * rng.normal(size=400)
    alpha = float(np.abs(X.T @ (y - y.mean())).max()) / 400 * 1e-3
    model = Lasso(alpha).fit(X, y)  # a warning would be an error
    assert np.count_nonzero(model.coef_) > 128
    assert model.certificate_.gap <= 1e-4


def test_too_few_rounds_are_told():
    X, y = problem(9, 60, 900)
    with pytest.warns(ConvergenceWarning, match=r"max_iter reached: the duality gap is .*Raise max_iter"):
        model = Lasso(0.0005, max_iter=1, tol=1e-12).fit(X, y)
    assert not model.certificate_.holds
    with (
        language("es"),
        pytest.warns(ConvergenceWarning, match=r"se alcanzó max_iter: la brecha de dualidad es .*Aumente max_iter"),
    ):
        model.fit(X, y)


def test_from_a_file(tmp_path):
    """One pass over Parquet gives the coefficients of the array."""
    pd = pytest.importorskip("pandas")
    X, y = problem(10, 500, 6)
    pd.DataFrame(X, columns=list("abcdef")).assign(y=y).to_parquet(tmp_path / "t.parquet")
    for learner in (Lasso(0.1), ElasticNetCV(alphas=10, cv=4)):
        stored = learner.fit(aprendiz.rows(tmp_path / "t.parquet", target="y")).coef_
        np.testing.assert_array_equal(stored, learner.fit(X, y).coef_)


# ---- the solver ----------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12), st.floats(0.01, 3), st.floats(0, 1))
def test_small_quadratics(seed, d, l1, l2):
    """Against all supports and signs, tried one by one (up to four columns), and by the conditions otherwise."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d + 2, d))
    G, c = A.T @ A, rng.normal(size=d) * 3
    penalty = ElasticPenalty(l1, l2)
    w, _sweeps = minimiser(G, c, np.zeros(d), penalty, 0.0)
    slope = c - G @ w - l2 * w
    np.testing.assert_allclose(slope[w != 0], l1 * np.sign(w[w != 0]), atol=1e-8 * (1 + np.abs(c).max()))
    assert (np.abs(slope[w == 0]) <= l1 + 1e-8).all()


def test_gap_bounds_the_distance_to_the_minimum():
    """Whatever the coefficients, the objective is above its minimum by at most the gap."""
    X, y = problem(11)
    table = CentredTable(X, None, True)
    design, penalty = TableDesign(table, y), ElasticPenalty(8.0, 2.0)
    best = solve(WorkingSet(design), penalty, 1e-14, 100)

    def value(w):
        residual = design.y - table.some(np.arange(len(w))) @ w
        return 0.5 * residual @ residual + penalty.value(w)

    for seed in range(30):
        w = best.w + 0.3 * np.random.default_rng(seed).normal(size=len(best.w))
        working = WorkingSet(design)
        working.admit(np.arange(len(w)))
        working.w = w
        q, error = design.slopes(np.arange(len(w)), w)
        _value, gap = duality_gap(design, q - penalty.l2 * w, error, working, penalty)
        assert value(w) - value(best.w) <= gap * (1 + 1e-9)


def test_designs_are_the_same():
    X, y = problem(12)
    table = TableDesign(CentredTable(X, None, True), y)
    Z, c = X - X.mean(axis=0), y - y.mean()
    summed = SummedDesign(Z.T @ Z, Z.T @ c, float(c @ c))
    some, w = np.array([4, 1, 7]), np.array([0.5, -1.0, 2.0])
    for one, other in zip(table.slopes(some, w), summed.slopes(some, w), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(table.products(some, some), summed.products(some, some), rtol=1e-9)


# ---- paths and folds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(60, 12), (30, 80)])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_paths(shape, share):
    """Penalties and coefficients are scikit-learn's; every point is proved by its gap."""
    X, y = problem(13, *shape)
    X, y = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, gaps = enet_path(X, y, l1_ratio=share, alphas=15, eps=0.05, tol=1e-10)
    expected = theirs.enet_path(X, y, l1_ratio=share, alphas=15, eps=0.05, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(alphas, expected[0], rtol=1e-12)
    np.testing.assert_allclose(coefs, expected[1], atol=1e-5)
    assert gaps.max() <= 1e-10 * np.mean(y**2)
    if share == 1:
        np.testing.assert_array_equal(lasso_path(X, y, alphas=15, eps=0.05, tol=1e-10)[1], coefs)
    assert len(enet_path(X, y, alphas=[0.1, 0.2], return_n_iter=True)) == 4


def test_paths_of_several_targets_and_bad_arguments():
    X, y = problem(14)
    alphas, coefs, gaps = enet_path(X, np.column_stack([y, 2 * y]), alphas=7)
    assert coefs.shape == (2, X.shape[1], 7)
    assert gaps.shape == (2, 7)
    assert (np.diff(alphas) < 0).all()
    with pytest.raises(ValueError, match="alphas"):
        enet_path(X, y, alphas=[])
    with pytest.raises(TypeError, match="no parameter 'steps'"):
        enet_path(X, y, steps=3)


@pytest.mark.parametrize("shape", [(80, 8), (40, 90)])
@pytest.mark.parametrize("cls", ["LassoCV", "ElasticNetCV"])
def test_folds(shape, cls):
    """Errors in every fold and the choice are scikit-learn's, from sums and from the table."""
    X, y = problem(15, *shape, noise=1.0)
    settings = {"alphas": 12, "eps": 0.02, "cv": 4} | ({"l1_ratio": [0.3, 0.9]} if cls == "ElasticNetCV" else {})
    ours = getattr(aprendiz, cls)(**settings).fit(X, y)
    other = getattr(theirs, cls)(**settings, tol=1e-10, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(ours.mse_path_, other.mse_path_, rtol=1e-5)
    np.testing.assert_allclose(ours.alphas_, other.alphas_, rtol=1e-9)
    assert ours.alpha_ == pytest.approx(other.alpha_)
    np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-5)
    if cls == "ElasticNetCV":
        assert ours.l1_ratio_ == other.l1_ratio_


def test_the_simplest_of_the_good_ones():
    """One standard error: a larger penalty, whose error is within it, and the largest of those."""
    X, y = problem(16, 100, 20, noise=2.0)
    best, simple = LassoCV(cv=10).fit(X, y), LassoCV(cv=10, rule="one_se").fit(X, y)
    mean, number = best.mse_path_.mean(axis=1), int(np.flatnonzero(best.alphas_ == best.alpha_)[0])
    limit = mean[number] + best.mse_path_[number].std(ddof=1) / np.sqrt(10)
    chosen = int(np.flatnonzero(simple.alphas_ == simple.alpha_)[0])
    assert chosen < number
    assert mean[chosen] <= limit
    assert (mean[:chosen] > limit).all()
    assert np.count_nonzero(simple.coef_) <= np.count_nonzero(best.coef_)


def test_one_target_is_expected():
    X, y = problem(17)
    with pytest.raises(ValueError, match="2 targets, one is expected"):
        LassoCV().fit(X, np.column_stack([y, y]))


def dependent_columns(seed):
    """A table of whole numbers whose columns depend on each other exactly, and a target of whole numbers."""
    rng = np.random.default_rng(seed)
    Z = rng.integers(-3, 4, size=(9, 3)) @ rng.integers(-1, 2, size=(3, 6))
    Z[:, 5] = Z[:, 0]
    return Z.astype(float), rng.integers(-9, 10, size=9).astype(float)


def smallest_of_all_supports(G, c, l1):
    """The minimum of ½wᵀGw − cᵀw + λ‖w‖₁: some minimiser has independent columns, so every support and all signs are tried."""
    best, d = 0.0, len(c)
    for count in range(1, d + 1):
        for A in map(list, itertools.combinations(range(d), count)):
            H = G[np.ix_(A, A)]
            if np.linalg.matrix_rank(H) < count:
                continue
            for signs in itertools.product((-1.0, 1.0), repeat=count):
                w = np.linalg.solve(H, c[A] - l1 * np.array(signs))
                best = min(best, 0.5 * w @ H @ w - c[A] @ w + l1 * np.abs(w).sum())
    return best


@pytest.mark.parametrize("seed", range(8))
def test_columns_that_depend_on_each_other_exactly(seed):
    """The minimum is that of all supports, from starts that have every column."""
    Z, y = dependent_columns(seed)
    G, c = Z.T @ Z, Z.T @ y
    for share in (0.5, 0.1, 0.001):
        l1 = share * max(np.abs(c).max(), 1.0)
        least = smallest_of_all_supports(G, c, l1)
        for start in (np.zeros(6), np.random.default_rng(seed).normal(size=6)):
            w, _sweeps = minimiser(G, c, start, ElasticPenalty(l1), 0.0)
            value = 0.5 * w @ G @ w - c @ w + l1 * np.abs(w).sum()
            assert value == pytest.approx(least, abs=1e-10 * (y @ y))
            assert np.linalg.matrix_rank(Z[:, w != 0]) == np.count_nonzero(w)


@pytest.mark.parametrize("seed", range(8))
def test_dependent_columns_leave_together(seed):
    """Zw stays, ‖w‖₁ does not grow, no sign changes, and the columns that stay are independent: after one decomposition."""
    Z, _y = dependent_columns(seed)
    A = np.flatnonzero(Z.any(axis=0))
    before = np.zeros(6)
    before[A] = np.random.default_rng(seed).normal(size=len(A))
    w = before.copy()
    assert without_dependent(Z[:, A].T @ Z[:, A], w, A)
    np.testing.assert_allclose(Z @ w, Z @ before, atol=1e-9)
    assert np.abs(w).sum() <= np.abs(before).sum() * (1 + 1e-12)
    assert (w * before >= 0).all()
    assert np.linalg.matrix_rank(Z[:, w != 0]) == np.count_nonzero(w)
    stays = np.flatnonzero(w)
    assert not without_dependent(Z[:, stays].T @ Z[:, stays], w, stays)
