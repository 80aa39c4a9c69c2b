"""The solvers of LinearRegression: one answer by six ways, and what each says where it cannot give it."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import LinearRegression
from aprendiz.linear.solvers.least_squares_descent import Standardised, visit

RNG = np.random.default_rng(5)
N = 300
X = RNG.normal(size=(N, 4)) @ (np.eye(4) + 0.1) * [1.0, 100.0, 0.01, 5.0] + [0.0, 30.0, 0.002, -1.0]
Y = np.column_stack([X @ [1.0, -0.02, 300.0, 0.5] + 0.1 * RNG.normal(size=N), 3.0 * X[:, 0] + 0.3 * RNG.normal(size=N)])
WEIGHT = RNG.integers(0, 4, size=N).astype(float)
DIRECT = ("normal", "qr", "svd")
DESCENTS = ("gd", "sgd", "minibatch")
# of the fitted values, relative to the spread of y: rounding; a gradient of 10⁻¹⁰ or 10⁻³ of the first, times κ² < 10 here
CLOSE = {**dict.fromkeys(DIRECT, 1e-12), "gd": 1e-9, "sgd": 1e-2, "minibatch": 1e-2}
TIGHT = {"gd": 1e-10}
SINGLE = 1e-6  # coefficients and predictions rounded to float32


def solver(name, **parameters):
    return LinearRegression(solver=name, random_state=0, **({"tol": TIGHT[name]} if name in TIGHT else {}), **parameters)


def assert_near(ours, exact, table, tolerance):
    """The predictions differ by no more than a part of their spread, the coefficients by what that allows."""
    expected = exact.predict(table)
    assert np.abs(ours.predict(table) - expected).max() <= tolerance * np.std(expected)


# ---- one answer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLOSE)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_same_answer(name, intercept, targets, weighted):
    """Every solver finds what "auto" finds: with weights (some of them 0), several targets, and without an intercept."""
    y, weight = Y[:, 0] if targets == 1 else Y, WEIGHT if weighted else None
    exact = LinearRegression(fit_intercept=intercept).fit(X, y, weight)
    ours = solver(name, fit_intercept=intercept).fit(X, y, weight)
    assert_near(ours, exact, X, CLOSE[name])
    assert ours.coef_.shape == exact.coef_.shape
    assert np.shape(ours.intercept_) == np.shape(exact.intercept_)
    assert ours.rank_ == 4
    excess = N * 4 * (CLOSE[name] * np.std(exact.predict(X), axis=0)) ** 2  # of predictions that differ by so much
    assert (np.abs(ours.residual_sum_ - exact.residual_sum_) <= excess + 1e-9 * exact.residual_sum_).all()
    assert ours.certificate_.holds


@pytest.mark.parametrize("name", CLOSE)
def test_residual_sum_is_that_of_the_predictions(name):
    """Σ ω r² from the sums is that of y − predict(X), at whatever point the solver ended."""
    model = LinearRegression(solver=name, random_state=0, tol=1e-2).fit(X, Y, WEIGHT)
    np.testing.assert_allclose(model.residual_sum_, WEIGHT @ (Y - model.predict(X)) ** 2, rtol=1e-10)


@pytest.mark.parametrize("name", CLOSE)
@pytest.mark.parametrize("intercept", [True, False])
def test_sparse_and_single_precision(name, intercept):
    """A sparse table gives what the dense one gives, and float32 columns what the same numbers give in float64, rounded."""
    table = sparse.random(200, 4, density=0.5, random_state=0).toarray()
    y = table.sum(axis=1) + Y[:200, 1]
    dense = solver(name, fit_intercept=intercept).fit(table, y)
    assert_near(solver(name, fit_intercept=intercept).fit(sparse.csr_array(table), y), dense, table, CLOSE[name])
    short = table.astype(np.float32)
    assert_near(solver(name).fit(short, y), solver(name).fit(short.astype(float), y), short, max(CLOSE[name], SINGLE))


@pytest.mark.parametrize("name", DESCENTS)
def test_units_do_not_matter(name):
    """Columns are standardised inside: powers of two as units change the coefficients by just these powers."""
    near, far = solver(name).fit(X, Y[:, 0]), solver(name).fit(X * [1.0, 2.0**20, 2.0**-20, 1.0], Y[:, 0] * 2.0**10)
    np.testing.assert_allclose(far.coef_, near.coef_ * [2.0**10, 2.0**-10, 2.0**30, 2.0**10], rtol=1e-9)


@pytest.mark.parametrize("name", [*DIRECT, *DESCENTS])
def test_files(name, tmp_path):
    """Rows of a file give what the rows in memory give."""
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=Y[:, 0])
    frame.to_parquet(tmp_path / "t.parquet")
    ours = solver(name).fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    assert_near(ours, LinearRegression().fit(frame[list("abcd")], Y[:, 0]), frame[list("abcd")], CLOSE[name])


@pytest.mark.parametrize("name", ["sgd", "minibatch"])
def test_the_seed_decides(name):
    """The same seed has the same bits, in blocks of a sparse table too; another seed takes another way."""
    first, again, other = (LinearRegression(solver=name, random_state=seed).fit(X, Y[:, 0]) for seed in (1, 1, 2))
    assert np.array_equal(first.coef_, again.coef_)
    assert not np.array_equal(first.coef_, other.coef_)


# ---- in portions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*DIRECT, "gd"])
@pytest.mark.parametrize("intercept", [True, False])
def test_partial_fit(name, intercept):
    """Portions give what all rows at once give."""
    pieces = solver(name, fit_intercept=intercept)
    for part in np.split(np.arange(N), [30, 155]):
        pieces.partial_fit(X[part], Y[part], WEIGHT[part])
    assert_near(pieces, solver(name, fit_intercept=intercept).fit(X, Y, WEIGHT), X, CLOSE[name])


@pytest.mark.parametrize("name", ["sgd", "minibatch"])
def test_portions_are_refused(name):
    """The stochastic solvers visit rows, and the rows of earlier calls are gone."""
    with pytest.raises(ValueError, match=f"solver='{name}' visits the rows themselves.*use solver='gd'"):
        solver(name).partial_fit(X, Y)


def test_solvers_may_be_changed_between_portions():
    """Sums of normal equations and of rotations add, and a later call without an intercept takes their pivot off."""
    mixed = LinearRegression(solver="normal").partial_fit(X[:40], Y[:40])
    mixed.set_params(solver="qr").partial_fit(X[40:], Y[40:])
    assert_near(mixed, LinearRegression().fit(X, Y), X, 1e-11)
    plain = LinearRegression(solver="normal").partial_fit(X[:40], Y[:40])
    plain.set_params(fit_intercept=False).partial_fit(X[40:], Y[40:])
    assert_near(plain, LinearRegression(fit_intercept=False).fit(X, Y), X, 1e-8)


# ---- dependent and nearly dependent columns --------------------------------------------------------------------------

DEPENDENT = {
    "duplicate": np.column_stack([X, X[:, 0]]),
    "constant": np.column_stack([X, np.full(N, 3.0)]),
    "sum": np.column_stack([X, X[:, 0] + X[:, 3]]),
    "few rows": RNG.normal(size=(N, 400)),
}


@pytest.mark.parametrize("name", ["qr", "svd"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("table", DEPENDENT)
def test_smallest_solution(name, table, intercept):
    """Of many answers the one of smallest ‖w‖, in the units of the data, is the one that "auto" gives."""
    exact = LinearRegression(fit_intercept=intercept).fit(DEPENDENT[table], Y)
    ours = LinearRegression(fit_intercept=intercept, solver=name).fit(DEPENDENT[table], Y)
    np.testing.assert_allclose(ours.coef_, exact.coef_, atol=1e-9 * np.abs(exact.coef_).max())
    assert ours.rank_ == exact.rank_


def test_normal_equations_of_dependent_columns_warn():
    """The smallest answer is given, with a warning that says so, and a certificate that does not hold its digits up."""
    table = DEPENDENT["duplicate"]
    with pytest.warns(LinAlgWarning, match="depend on each other.*smallest was taken.*Use solver='auto' or 'qr'"):
        ours = LinearRegression(solver="normal").fit(table, Y)
    assert_near(ours, LinearRegression().fit(table, Y), table, 1e-6)
    assert ours.coef_[0, 0] == pytest.approx(ours.coef_[0, 4], rel=1e-6)


def test_normal_equations_lose_digits_and_say_so():
    """At κ = 10⁵ the normal equations are right to about 6 digits, less than promised; rotations keep 11."""
    x = RNG.normal(size=(100, 2))
    table = np.column_stack([x[:, 0], x[:, 0] + 1e-5 * x[:, 1]])
    y = x[:, 1] + RNG.normal(size=100)
    exact = LinearRegression().fit(table, y)
    with pytest.warns(LinAlgWarning, match=r"condition number of .*e\+05, squared, leaves fewer than eight digits"):
        normal = LinearRegression(solver="normal").fit(table, y)
    assert not normal.certificate_.holds
    error = {m.solver: np.abs(m.coef_ / exact.coef_ - 1).max() for m in (normal, LinearRegression(solver="qr").fit(table, y))}
    assert error["qr"] < 1e-9 < error["normal"] < 10.0 ** -(normal.certificate_.digits - 1)


@pytest.mark.parametrize("name", DESCENTS)
def test_descents_on_dependent_columns(name):
    """Fitted values are unique, and two equal columns share their coefficient; a constant column has none."""
    table = np.column_stack([DEPENDENT["duplicate"], np.full(N, 3.0)])
    ours = solver(name).fit(table, Y)
    assert_near(ours, LinearRegression().fit(table, Y), table, CLOSE[name])
    np.testing.assert_allclose(ours.coef_[:, 0], ours.coef_[:, 4], rtol=1e-9)
    np.testing.assert_array_equal(ours.coef_[:, 5], 0)
    assert ours.rank_ == 4


# ---- descents --------------------------------------------------------------------------------------------------------


def test_gradient_descent_step_by_step():
    """With eigenvalues λ of H and q in their directions, F is above its minimum by ½·Σ q²/λ·(1 − λ/λ_max)²ᵗ after t steps."""
    model = LinearRegression(solver="gd", tol=1e-12).fit(X, Y[:, 0])
    Z, c = (X - X.mean(axis=0)) / X.std(axis=0), (Y[:, 0] - Y[:, 0].mean()) / Y[:, 0].std()
    values, V = np.linalg.eigh(Z.T @ Z / N)
    q, t = V.T @ (Z.T @ c / N), np.arange(model.n_iter_ + 1)
    excess = 0.5 * (q**2 / values * (1 - values / values[-1]) ** (2 * t[:, None])).sum(axis=1)
    np.testing.assert_allclose(model.history_, excess - 0.5 * (q**2 / values).sum(), rtol=0, atol=1e-13)
    assert (np.diff(model.history_) <= 1e-15).all()


def test_history_is_half_the_mean_squared_error():
    """But for a constant: F(0) − F is half of what the standardised targets lost of their mean square, which is R²/2."""
    model = LinearRegression(solver="gd", tol=1e-12).fit(X, Y[:, 0])
    assert model.history_[0] - model.history_[-1] == pytest.approx(model.score(X, Y[:, 0]) / 2, rel=1e-10)


@pytest.mark.parametrize(("name", "tol"), [("gd", 1e-6), ("sgd", 1e-3), ("minibatch", 1e-3)])
def test_certificate_is_the_gradient(name, tol):
    """The certificate states ‖∇F‖ at the answer relative to ‖∇F‖ at 0, of standardised rows; √tol for the stochastic ones."""
    model = LinearRegression(solver=name, random_state=0).fit(X, Y[:, 0])
    Z, c = (X - X.mean(axis=0)) / X.std(axis=0), (Y[:, 0] - Y[:, 0].mean()) / Y[:, 0].std()
    r = (Y[:, 0] - model.predict(X)) / Y[:, 0].std()
    left = np.linalg.norm([r.sum(), *(Z.T @ r)]) / np.linalg.norm(Z.T @ c)
    assert model.certificate_.gradient == pytest.approx(left, rel=1e-6)
    assert left <= tol


@pytest.mark.parametrize("name", DESCENTS)
def test_too_few_steps(name):
    """A warning says how much of the gradient is left and what to do; the certificate does not hold."""
    with pytest.warns(ConvergenceWarning, match=r"of the gradient is left.*Raise max_iter \(it is 2\)"):
        model = solver(name, max_iter=2).fit(X, Y[:, 0])
    assert model.n_iter_ == 2
    assert not model.certificate_.holds


@pytest.mark.parametrize("name", ["sgd", "minibatch"])
def test_far_from_the_answer(name):
    """Two columns that are nearly equal: the gradient is small long before the coefficients are right; a warning says so."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=200)
    near = np.column_stack([a, a + 1e-3 * rng.normal(size=200)])
    y = near @ [5.0, -4.0]
    with pytest.warns(ConvergenceWarning, match=r"stopped far from the answer: .* differ by .* % .* use solver='auto'"):
        model = LinearRegression(solver=name, random_state=0).fit(near, y)
    scale = near.std(axis=0)
    away = np.linalg.norm((model.coef_ - [5, -4]) * scale) / np.linalg.norm([5, -4] * scale)
    assert model.certificate_.distance == pytest.approx(away, rel=1e-6)
    assert away > 0.1
    assert solver(name).fit(X, Y[:, 0]).certificate_.distance < 0.01


@pytest.mark.parametrize("name", DESCENTS)
def test_a_target_without_variation(name):
    """There is nothing to descend: no step, w = 0 and b = ȳ."""
    model = solver(name).fit(X, np.full(N, 2.5))
    assert model.n_iter_ == 0
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.intercept_ == 2.5


@pytest.mark.parametrize("batch", [1, 3, 7])
@pytest.mark.parametrize("intercept", [True, False])
def test_visits_are_the_formula(batch, intercept):
    """(3), written with arrays: the mean gradient of each batch, the last one divided by the full size too."""
    Z, C, weight, order = RNG.normal(size=(10, 3)), RNG.normal(size=(10, 2)), RNG.uniform(0, 2, 10), RNG.permutation(10)
    theta, eta = RNG.normal(size=(2, 4)) * ([1.0] if intercept else [0.0, 1.0, 1.0, 1.0]), 0.1
    expected = theta.copy()
    for start in range(0, 10, batch):
        rows = order[start : start + batch]
        ones = np.column_stack([np.full(len(rows), float(intercept)), Z[rows]])
        expected -= eta / batch * (weight[rows, None] * (ones @ expected.T - C[rows])).T @ ones
    visit(Z, C, weight, order, theta, eta, batch, intercept)
    np.testing.assert_allclose(theta, expected, rtol=1e-12)


def test_standardised_gradient_is_the_slope():
    """∇F from the sums is the difference quotient of F over the rows."""
    Z = X - X.mean(axis=0)
    joint = np.column_stack([Z, Y - Y.mean(axis=0)])
    problem = Standardised.of(joint, float(N), np.append(X.mean(axis=0), Y.mean(axis=0)), 4, True)
    theta = RNG.normal(size=(2, 5))
    U, C = Z / X.std(axis=0), (Y - Y.mean(axis=0)) / Y.std(axis=0)

    def F(theta):
        return 0.5 * ((C - theta[:, 0] - U @ theta[:, 1:].T) ** 2).sum() / N

    assert F(theta) - F(0 * theta) == pytest.approx(problem.value(theta), rel=1e-10)
    g, h = problem.gradient(theta), 1e-5
    for place in np.ndindex(2, 5):
        e = np.zeros((2, 5))
        e[place] = h
        assert (F(theta + e) - F(theta - e)) / (2 * h) == pytest.approx(g[place], abs=1e-8)


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLOSE)
def test_positive_has_a_solver_of_its_own(name):
    with pytest.raises(ValueError, match=f"positive=True has a solver of its own: use solver='auto' instead of '{name}'"):
        LinearRegression(solver=name, positive=True).fit(X, Y)


def test_unknown_solvers():
    """The message lists those there are."""
    with pytest.raises(ValueError, match=r"solver of LinearRegression must be 'auto' or 'normal' or 'qr'.*got 'cholesky'"):
        LinearRegression(solver="cholesky").fit(X, Y)


def test_method_is_named():
    names = {name: solver(name).fit(X, Y).method_ for name in CLOSE}
    assert names == {
        "normal": "normal equations", "qr": "orthogonal", "svd": "singular values", "gd": "gradient descent",
        "sgd": "stochastic gradient descent", "minibatch": "mini-batch gradient descent",
    }  # fmt: skip
