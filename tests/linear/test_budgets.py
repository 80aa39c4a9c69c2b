"""Budgets: a constraint on the size of the coefficients is a penalty, and the penalty is found."""

import copy

import dask.array as da
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from scipy import sparse
from scipy.optimize import linprog, minimize
from sklearn.base import clone

import aprendiz
from aprendiz import ElasticNet, Lasso, LinearRegression, Ridge, lasso_path
from aprendiz.linear.budget_path import budget_path
from aprendiz.linear.penalties.budgets import Multiplier, RidgeSpectrum, penalty_for, sizes

LEARNERS = {
    "ridge": (Ridge, {}, lambda w: (w**2).sum()),
    "lasso": (Lasso, {"tol": 1e-11}, lambda w: np.abs(w).sum()),
    "elastic net": (ElasticNet, {"l1_ratio": 0.3, "tol": 1e-11}, lambda w: 0.3 * np.abs(w).sum() + 0.35 * (w**2).sum()),
    "elastic net, ρ = 0": (ElasticNet, {"l1_ratio": 0.0}, lambda w: 0.5 * (w**2).sum()),
}
every_learner = pytest.mark.parametrize("kind", list(LEARNERS))


def problem(seed, n=60, d=8, correlated=False):
    """Columns away from zero, and a target that three of them decide."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if correlated:
        X = X[:, :1] + 0.3 * X
    w = np.zeros(d)
    w[: min(3, d)] = rng.normal(size=min(3, d)) * 2
    return X + rng.normal(size=d), X @ w + 0.5 * rng.normal(size=n) + 1


def centred(X, y, weight, intercept):
    """Columns and target less their means if there is an intercept; the weights, which sum to 1."""
    weight = np.ones(len(y)) / len(y) if weight is None else weight / weight.sum()
    return (X - weight @ X, y - weight @ y, weight) if intercept else (X, y, weight)


def strength(kind, part, X, y, weight, intercept):
    """A part of the penalty at which the lasso has nothing left, in the units of the learner."""
    Z, c, share = centred(X, y, weight, intercept)
    largest = np.abs(Z.T @ (share * c)).max()
    return part * largest * (np.sum(weight) if weight is not None else len(y)) if kind == "ridge" else part * largest


# ---- both forms ------------------------------------------------------------------------------------------------------


@every_learner
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000), n=st.integers(3, 40), d=st.integers(1, 30), part=st.floats(0.03, 0.95),
    intercept=st.booleans(), weighted=st.booleans(), positive=st.booleans(), correlated=st.booleans(), form=st.booleans(),
)  # fmt: skip
def test_the_two_forms_agree(kind, seed, n, d, part, intercept, weighted, positive, correlated, form):
    """With c = R(ŵ(γ)) the constrained form gives ŵ(γ), and finds γ."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(seed, n, d, correlated)
    weight = np.random.default_rng(seed).uniform(0.1, 2, n) if weighted else None
    alpha = strength(kind, part, X, y, weight, intercept)
    table = sparse.csr_matrix(X) if form else X
    more = {**more, "fit_intercept": intercept, "positive": positive}
    penalised = cls(alpha, **more).fit(table, y, weight)
    budget = float(size(penalised.coef_))
    if budget < 1e-12:
        return
    found = cls(budget=budget, **more).fit(table, y, weight)
    scale = np.abs(penalised.coef_).max()
    np.testing.assert_allclose(found.coef_, penalised.coef_, atol=1e-6 * scale)
    assert found.intercept_ == pytest.approx(penalised.intercept_, abs=1e-6 * scale * (1 + np.abs(X).max()))
    assert size(found.coef_) == pytest.approx(budget, rel=1e-8)
    assert found.certificate_.holds
    assert penalised.alpha_ == alpha


@every_learner
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(4, 40), d=st.integers(1, 30), correlated=st.booleans())
def test_size_falls_as_the_penalty_grows(kind, seed, n, d, correlated):
    """R(ŵ(γ)) does not rise with γ."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(seed, n, d, correlated)
    alphas = [strength(kind, part, X, y, None, True) for part in (0.03, 0.1, 0.3, 0.6, 0.9)]
    found = np.array([size(cls(alpha, **more).fit(X, y).coef_) for alpha in alphas])
    assert (np.diff(found) <= 1e-6 * found[0]).all()


@every_learner
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000), n=st.integers(5, 40), d=st.integers(1, 20), part=st.floats(0.02, 0.9),
    intercept=st.booleans(), weighted=st.booleans(),
)  # fmt: skip
def test_conditions_of_the_constrained_minimum(kind, seed, n, d, part, intercept, weighted):
    """The slope of the loss is a multiple of a subgradient of R, and R(w) = c; the multiple is `alpha_`."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(seed, n, d)
    weight = np.random.default_rng(seed).uniform(0.1, 2, n) if weighted else None
    free = LinearRegression(fit_intercept=intercept).fit(X, y, weight).coef_
    budget = part * float(size(free))
    if kind == "ridge" or n > d + 1:  # else R of some least squares solution may be below that of the smallest one
        model = cls(budget=budget, fit_intercept=intercept, **more).fit(X, y, weight)
        Z, c, share = centred(X, y, weight, intercept)
        slope = Z.T @ (share * (c - Z @ model.coef_))  # minus the gradient of half the mean squared error
        total = n if weight is None else weight.sum()
        rho = {"ridge": 0.0, "lasso": 1.0, "elastic net": 0.3}.get(kind, 0.0)
        gamma = model.alpha_ / total if kind == "ridge" else model.alpha_
        rest = slope - gamma * (1 - rho) * model.coef_  # must be γρ times a subgradient of ‖w‖₁
        limit, scale = gamma * rho, np.abs(Z.T @ (share * c)).max()
        used = model.coef_ != 0
        assert rest[used] == pytest.approx(limit * np.sign(model.coef_[used]), abs=1e-7 * scale)
        assert (np.abs(rest[~used]) <= limit + 1e-7 * scale).all()
        assert size(model.coef_) == pytest.approx(budget, rel=1e-9)
        assert model.alpha_ > 0


@every_learner
@pytest.mark.parametrize("seed", range(4))
def test_another_solver(kind, seed):
    """SLSQP on the constrained form, w = u − v with u, v ≥ 0, finds the same coefficients."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(seed, 40, 3)
    Z, c, _ = centred(X, y, None, True)
    budget = 0.4 * float(size(LinearRegression().fit(X, y).coef_))
    rho = {"lasso": 1.0, "elastic net": 0.3}.get(kind, 0.0)
    factor = 2.0 if kind == "ridge" else 1.0

    def room(uv):
        return budget - factor * (rho * uv.sum() + 0.5 * (1 - rho) * ((uv[:3] - uv[3:]) ** 2).sum())

    def loss(uv):
        return ((c - Z @ (uv[:3] - uv[3:])) ** 2).mean()

    other = minimize(
        loss, np.full(6, 0.01), bounds=[(0, None)] * 6, constraints={"type": "ineq", "fun": room}, method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    model = cls(budget=budget, **more).fit(X, y)
    np.testing.assert_allclose(model.coef_, other.x[:3] - other.x[3:], atol=2e-4)
    assert ((y - model.predict(X)) ** 2).mean() <= other.fun * (1 + 1e-6)


def test_convention_of_the_text():
    """The text's ridge regression has R = ½‖w‖²: its c is half of ours."""
    X, y = problem(1)
    np.testing.assert_allclose(
        Ridge(budget=1.4).fit(X, y).coef_, ElasticNet(l1_ratio=0.0, budget=0.7).fit(X, y).coef_, rtol=1e-9
    )


def test_one_column_by_hand():
    """ŷ = wx with |w| ≤ c: the least squares slope, cut at c; the multiplier is what the slope of the loss is there."""
    x, y = np.array([[1.0], [2.0], [2.0]]), np.array([3.0, 5.0, 7.0])  # Σx² = 9, Σxy = 27, w = 3
    lasso = Lasso(budget=2.0, fit_intercept=False).fit(x, y)
    assert (lasso.coef_[0], lasso.alpha_) == pytest.approx((2.0, (27 - 9 * 2) / 3), rel=1e-12)
    ridge = Ridge(budget=4.0, fit_intercept=False).fit(x, y)
    assert (ridge.coef_[0], ridge.alpha_) == pytest.approx((2.0, 27 / 2 - 9), rel=1e-11)


# ---- constraints that do not bind ------------------------------------------------------------------------------------


@every_learner
@pytest.mark.parametrize("factor", [1.0001, 10.0, np.inf])
def test_a_large_budget_is_least_squares(kind, factor):
    """Where the constraint does not bind, the answer is the unpenalised one, and the multiplier is 0."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(2)
    plain = LinearRegression().fit(X, y)
    model = cls(budget=factor * float(size(plain.coef_)), **more).fit(X, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9, atol=1e-12)
    assert model.alpha_ == 0
    assert model.certificate_.holds


@every_learner
def test_just_below_least_squares(kind):
    """A budget that binds by a millionth is met."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(2)
    budget = (1 - 1e-6) * float(size(LinearRegression().fit(X, y).coef_))
    model = cls(budget=budget, **more).fit(X, y)
    assert size(model.coef_) == pytest.approx(budget, rel=1e-9)
    assert model.alpha_ > 0


def test_room_between_two_interpolations():
    """More columns than rows: many w have no residual. The smallest ‖w‖₁ among them may keep to a budget that the w of least
    squares, with the smallest ‖w‖², breaks."""
    X, y = problem(3, 10, 40)
    shortest = np.abs(LinearRegression().fit(X, y).coef_).sum()
    Z, c, _ = centred(X, y, None, True)
    smallest = linprog(np.ones(80), A_eq=np.hstack([Z, -Z]), b_eq=c).fun
    assert smallest < 0.9 * shortest
    model = Lasso(budget=0.5 * (smallest + shortest)).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-4)
    assert np.abs(model.coef_).sum() < shortest
    assert model.certificate_.holds
    assert Lasso(budget=2 * shortest).fit(X, y).alpha_ == 0


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_columns_that_depend_on_each_other(part):
    """Of columns that repeat, or sum to one, ‖w‖₁ is the budget too, and the predictions are those of some of them alone."""
    X, y = problem(39, 78, 30)
    word = np.eye(4)[np.arange(78) % 4]
    alone = np.column_stack([X, word])
    table = np.column_stack([alone, X[:, :2], alone[:, 3] + alone[:, 4]])
    budget = part * float(np.abs(Lasso(1e-4, tol=1e-12).fit(alone, y).coef_).sum())
    model = Lasso(budget=budget).fit(table, y)
    assert np.abs(model.coef_).sum() == pytest.approx(budget, rel=1e-9)
    assert model.certificate_.holds
    residual = ((y - Lasso(budget=budget).fit(alone, y).predict(alone)) ** 2).sum()
    assert ((y - model.predict(table)) ** 2).sum() <= residual * (1 + 1e-9)


@every_learner
def test_nothing_to_learn(kind):
    """A constant target or constant columns need no coefficients: no budget binds."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(4)
    for table, target in ((X, np.full(len(y), 7.0)), (np.full_like(X, 2.5), y)):
        model = cls(budget=0.5, **more).fit(table, target)
        np.testing.assert_allclose(model.coef_, 0, atol=1e-12)
        assert model.alpha_ == 0
        np.testing.assert_allclose(model.predict(table), target.mean(), rtol=1e-12)


@pytest.mark.parametrize("budget", [1e-30, 1e-6, 1e6, 1e12])
@every_learner
def test_budgets_and_targets_of_all_sizes(kind, budget):
    """Far from 1, the budget is met as well."""
    cls, more, size = LEARNERS[kind]
    X, y = problem(5)
    factor = 1e-3 / np.sqrt(budget) if kind != "lasso" else 1e-3 / budget
    model = cls(budget=budget, **more).fit(X, y / factor)
    assert size(model.coef_) == pytest.approx(budget, rel=1e-8)
    assert model.certificate_.holds


# ---- targets, sums, rows ---------------------------------------------------------------------------------------------


@every_learner
def test_each_target_has_its_own_penalty(kind):
    """Several targets are fitted as each alone; a target within the budget has none."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(6)
    Y = np.column_stack([y, 3 * y + X[:, 4], 1e-3 * y])
    together = cls(budget=1.0, **more).fit(X, Y)
    assert together.alpha_.shape == (3,)
    assert together.alpha_[2] == 0
    for j in range(3):
        alone = cls(budget=1.0, **more).fit(X, Y[:, j])
        np.testing.assert_allclose(together.coef_[j], alone.coef_, rtol=1e-9, atol=1e-12)
        assert together.alpha_[j] == pytest.approx(alone.alpha_, rel=1e-7)
    assert isinstance(cls(budget=1.0, **more).fit(X, y).alpha_, float)


def test_ridge_from_sums_and_in_pieces():
    """`partial_fit` with a budget is `fit`, and `fit_sums` too."""
    X, y = problem(7)
    whole, pieces = Ridge(budget=0.8).fit(X, y), Ridge(budget=0.8)
    for start in range(0, 60, 7):
        pieces.partial_fit(X[start : start + 7], y[start : start + 7])
    for other in (pieces, Ridge(budget=0.8).fit_sums(whole.sums_)):
        np.testing.assert_allclose(other.coef_, whole.coef_, rtol=1e-9)
        assert other.alpha_ == pytest.approx(whole.alpha_, rel=1e-9)


@every_learner
def test_files_and_dask(kind, tmp_path):
    """The same from a file and from Dask."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(8, 300)
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    parquet.write_table(pa.table({**columns, "y": y}), tmp_path / "t.parquet", row_group_size=70)
    here = cls(budget=0.6, **more).fit(X, y)
    for other in (
        cls(budget=0.6, **more).fit(aprendiz.rows(tmp_path / "t.parquet", target="y")),
        cls(budget=0.6, **more).fit(da.from_array(X, chunks=(64, -1)), da.from_array(y, chunks=64)),
    ):
        np.testing.assert_allclose(other.coef_, here.coef_, rtol=1e-8, atol=1e-10)
        assert other.alpha_ == pytest.approx(here.alpha_, rel=1e-7)


def test_ill_conditioned_columns():
    """Columns that almost repeat each other: ‖w‖² is the budget all the same, from the triangle."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + 1e-7 * rng.normal(size=200), rng.normal(size=200)])
    y = X @ [1e4, -1e4, 1.0] + 0.1 * rng.normal(size=200)
    for budget in (1.0, 1e3, 1e8):
        model = Ridge(budget=budget).fit(X, y)
        assert (model.coef_**2).sum() <= budget * (1 + 1e-6)
        assert model.certificate_.holds


@every_learner
def test_warm_start_and_persistence(kind, tmp_path):
    """A fit from the coefficients before gives the same; a model with a budget is stored as others are."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(10)
    model = cls(budget=0.7, **more).fit(X, y)
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    assert (loaded.budget, loaded.alpha_) == (0.7, model.alpha_)
    assert clone(model).budget == 0.7
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    if cls is not Ridge:
        again = copy.deepcopy(model).set_params(warm_start=True, budget=0.5).fit(X, y)
        np.testing.assert_allclose(again.coef_, cls(budget=0.5, **more).fit(X, y).coef_, rtol=1e-8, atol=1e-10)


@every_learner
def test_without_a_budget_again(kind):
    """Nothing of a budget is left when the same learner is fitted without it."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(11)
    model = cls(budget=0.7, **more).fit(X, y).set_params(budget=None, alpha=0.2).fit(X, y)
    assert model.alpha_ == 0.2
    np.testing.assert_array_equal(model.coef_, cls(0.2, **more).fit(X, y).coef_)
    assert "budget" not in model.certificate_.values


@every_learner
def test_bad_input(kind):
    """A budget is above 0, and is not given together with a penalty."""
    cls, more, _ = LEARNERS[kind]
    X, y = problem(12)
    for bad in (0, -1.0, np.nan, "2", True):
        with pytest.raises(ValueError, match=f"budget of {cls.__name__} must be a number above 0 or None, got"):
            cls(budget=bad, **more).fit(X, y)
    with pytest.raises(
        ValueError, match=r"alpha = 0.5 and budget = 2.0 of .* are both given, and each decides the other: leave"
    ):
        cls(0.5, budget=2.0, **more).fit(X, y)


# ---- the search ------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(root=st.floats(1e-8, 1e8), start=st.floats(1e-8, 1e8), power=st.sampled_from([1.0, -0.5]), kind=st.integers(0, 2))
def test_the_root_is_found(root, start, power, kind):
    """Smooth, bent and steep functions, from any start."""
    functions = [lambda a: 1 / (1 + a), lambda a: max(0.0, 5 - 3 * a, 2 - a / 2), lambda a: np.exp(-a) / (0.01 + a) ** 2]
    root = min(root, 3.9) if kind == 1 else min(root, 300.0)
    size = functions[kind]
    found = penalty_for(size, size(root), start, power=power)
    assert found.binds
    assert found.size == pytest.approx(size(root), rel=2e-12)
    assert found.evaluations < 60


def test_straight_lines_take_three_looks():
    """Where R is straight in γ, the secant through two points is exact; the same for ‖w‖² = g²/(s² + γ)²."""
    assert penalty_for(lambda a: 70 - 2 * a, 60.0, 1.0).evaluations <= 4
    assert penalty_for(lambda a: 9 / (2 + a) ** 2, 0.01, 1.0, power=-0.5).evaluations <= 4


def test_the_last_call_is_the_answer():
    """A caller may keep the model of the last call, also where R jumps over the budget; then R ≤ c."""
    calls = []

    def size(alpha):
        calls.append(alpha)
        return 3.0 if alpha < 0.7 else 1.0

    found = penalty_for(size, 2.0, 10.0)
    assert calls[-1] == found.alpha == pytest.approx(0.7, rel=1e-14)
    assert found.size == 1.0


def test_a_constraint_that_does_not_bind_is_said():
    """Below the least penalty that matters the search ends."""
    found = penalty_for(lambda a: 1.0 / (1 + a), 2.0, 1.0, least=1e-3)
    assert (found.binds, found.size) == (False, pytest.approx(1.0, rel=1e-3))
    assert found.alpha <= 1e-3
    assert isinstance(found, Multiplier)


@pytest.mark.parametrize("intercept", [True, False])
def test_sizes_from_the_spectrum(intercept):
    """(4) is ‖w‖² of the fit with that penalty, from sums and from a triangle."""
    for n, d in ((50, 6), (6, 20)):
        X, y = problem(13, n, d)
        for alpha in (0.01, 1.0, 100.0):
            model = Ridge(alpha, fit_intercept=intercept).fit(X, y)
            assert RidgeSpectrum.of(model.sums_, intercept).size(0, alpha) == pytest.approx((model.coef_**2).sum(), rel=1e-10)


# ---- paths -----------------------------------------------------------------------------------------------------------


def test_path_against_the_budget():
    """Budgets rise as penalties fall, and each of them gives the coefficients of its column."""
    X, y = problem(14)
    X, y = X - X.mean(axis=0), y - y.mean()
    budgets, alphas, coefs = budget_path(*lasso_path(X, y, alphas=12, tol=1e-13)[:2])
    assert (np.diff(budgets) >= 0).all()
    assert (np.diff(alphas) < 0).all()
    for c, w in zip(budgets[1:], coefs.T[1:], strict=True):
        np.testing.assert_allclose(Lasso(budget=c, fit_intercept=False).fit(X, y).coef_, w, atol=1e-8)


def test_sizes():
    """ρ‖w‖₁ + ½(1 − ρ)‖w‖²."""
    w = np.array([3.0, -4.0])
    assert [float(sizes(w, rho)) for rho in (1.0, 0.0, 0.5)] == [7.0, 12.5, 9.75]
    with pytest.raises(ValueError, match=r"coefs has shape \(2,\), alphas \(1,\): give a column of coefficients"):
        budget_path([1.0], w)
