"""LinearSVR: the optimum, proved, with each of its solvers."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import LinearSVR
from aprendiz.kernel.linear_solvers import linear_machine

LOSSES = ["epsilon_insensitive", "squared_epsilon_insensitive"]


def table(seed, n=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + 0.5 * rng.standard_t(3, size=n) + 1.0, rng.integers(0, 4, n) / 2.0


def objective(model, X, y, w=None, scale=1.0):
    r = np.maximum(0.0, np.abs(y - X @ model.coef_ - model.intercept_) - model.epsilon)
    theta = np.append(model.coef_, model.intercept_ / scale)
    c = model.C * (np.ones(len(y)) if w is None else w)
    return 0.5 * theta @ theta + c @ (r if model.loss == LOSSES[0] else r**2)


@pytest.fixture(params=["newton", "descent"])
def solver(request, monkeypatch):
    """With few columns, then as if there were many."""
    monkeypatch.setattr(linear_machine, "FEW", 1024 if request.param == "newton" else 0)
    return request.param


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("d", [3, 60])
def test_as_low_as_liblinear(loss, C, d, solver):
    """Weights, a tube, an intercept that is scaled: the objective is that of liblinear with a tolerance of 1e-10, or lower."""
    if solver == "descent" and C > 1 and d < 10:
        pytest.skip("descent on the dual is for many columns: with few it crawls")
    X, y, w = table(0, d=d)
    model = LinearSVR(loss=loss, C=C, epsilon=0.2, intercept_scaling=2.0, max_iter=50_000).fit(X, y, w)
    with warnings.catch_warnings(action="ignore"):
        settings = {**model.get_params(), "tol": 1e-10, "max_iter": 100_000}
        twin = svm.LinearSVR(**settings).fit(X, y, w)
    here, there = objective(model, X, y, w, 2.0), objective(twin, X, y, w, 2.0)
    assert here <= there * (1 + 1e-7)
    assert model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(here, rel=1e-9)
    assert model.coef_.shape == twin.coef_.shape
    assert model.intercept_.shape == twin.intercept_.shape


def test_gaps_of_many_small_problems():
    """Random sizes, tubes and weights, targets in any unit: every gap closes."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        X, y, w = table(seed, int(rng.integers(2, 25)), int(rng.integers(1, 8)))
        w[0], unit = 1.0, 10.0 ** rng.integers(-6, 7)
        settings = {"epsilon": float(rng.choice([0.0, 0.5, 10.0]) * unit), "fit_intercept": bool(rng.random() < 0.7)}
        model = LinearSVR(C=float(10.0 ** rng.integers(-3, 3)), loss=LOSSES[seed % 2], **settings).fit(X, unit * y, w)
        known = model.certificate_
        assert known.gap <= 1e-8, (seed, known)
        assert known.objective == pytest.approx(objective(model, X, unit * y, w), rel=1e-9)


def test_linear_program():
    """With C so large that the penalty is nothing, and ε = 0, the sum of absolute errors is the smallest there is."""
    X, y, _ = table(1, 25, 2)
    Z, n = np.column_stack([X, np.ones(len(X))]), len(X)
    both = np.block([[-Z, -np.eye(n)], [Z, -np.eye(n)]])
    free = [(None, None)] * 3 + [(0, None)] * n
    best = linprog(np.append(np.zeros(3), np.ones(n)), both, np.append(-y, y), bounds=free)
    model = LinearSVR(C=1e6).fit(X, y)
    assert np.abs(y - model.predict(X)).sum() == pytest.approx(best.fun, rel=1e-6)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), best.x[:3], atol=1e-4)


def test_worked_example():
    """One column of ones without an intercept: w is the median, drawn to zero by 1/C, and all rows in the tube give w = 0."""
    X, y = np.ones((5, 1)), np.array([1.0, 2.0, 3.0, 4.0, 100.0])
    assert LinearSVR(C=100.0, fit_intercept=False).fit(X, y).coef_[0] == pytest.approx(3.0, rel=1e-6)
    squared = LinearSVR(C=0.5, loss=LOSSES[1], fit_intercept=False).fit(X, y)  # w = 2C Σ y/(1 + 2C n)
    assert squared.coef_[0] == pytest.approx(110.0 / 6.0, rel=1e-12)
    inside = LinearSVR(epsilon=200.0).fit(X, y)
    assert inside.coef_[0] == 0.0
    assert inside.certificate_.objective == 0.0
    assert inside.certificate_.holds


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_is_dense(loss, solver):
    """A sparse table has the answer of the same table with its zeros."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 8)) * (rng.random((50, 8)) < 0.3), rng.normal(size=50)
    settings = {"loss": loss, "tol": 1e-6, "max_iter": 20_000, "epsilon": 0.1}
    dense, thin = LinearSVR(**settings).fit(X, y), LinearSVR(**settings).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, atol=1e-5)
    np.testing.assert_allclose(thin.predict(sparse.csr_array(X)), dense.predict(X), atol=1e-5)


def test_weights_are_repetitions(solver):
    """A row of weight 2 is the row twice, of weight 0 it is not there."""
    X, y, _ = table(3)
    w = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    settings = {"tol": 3e-7, "max_iter": 50_000, "C": 0.1}
    weighted = LinearSVR(**settings).fit(X, y, w)
    repeated = LinearSVR(**settings).fit(np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int)))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=2e-6)


def test_states_go_on(solver):
    """A fit that is continued from any of its states gives the bits of one that was not interrupted."""
    X, y, w = table(7)
    model = LinearSVR(random_state=3)
    states = list(model.steps(X, y, w))
    for state in states[:: max(1, len(states) // 3)]:
        *_, last = [state, *model.steps(X, y, w, since=state)]
        assert np.array_equal(last.planes, states[-1].planes)


def test_stopped_early(solver):
    """Without enough steps: a warning with a remedy, a model that can be used, and an honest certificate."""
    X, y, _ = table(8, 200)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        model = LinearSVR(C=100.0, max_iter=2).fit(X, y)
    assert not model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(objective(model, X, y), rel=1e-9)


def test_refusals():
    """What liblinear cannot solve, a tube of negative width, and several targets."""
    X, y, _ = table(0)
    with pytest.raises(ValueError, match="leave dual='auto'"):
        LinearSVR(dual=False).fit(X, y)
    with pytest.raises(ValueError, match="epsilon of LinearSVR must be a number of at least 0"):
        LinearSVR(epsilon=-0.1).fit(X, y)
    with pytest.raises(ValueError, match="y has 2 targets, LinearSVR takes one"):
        LinearSVR().fit(X, np.column_stack([y, y]))


def test_files(tmp_path):
    """Rows of a file keep no multipliers, and give the same line."""
    pd = pytest.importorskip("pandas")
    X, y, _ = table(2, 300)
    pd.DataFrame(X, columns=list("abc")).assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    rows = aprendiz.rows(tmp_path / "rows.csv", target="y")
    np.testing.assert_allclose(LinearSVR().fit(rows).coef_, LinearSVR().fit(X, y).coef_, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:LinearSVR stopped early:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", range(4))
def test_a_row_far_out(seed):
    """A row a million times as far away as the others is at its kink within a millionth of the first step: the line search goes
    on to shorter steps, and the plane is that of all the rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(189, 3))
    X[5] *= 1e6
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=189)
    model = LinearSVR(C=1000.0, tol=1e-3).fit(X, y)
    assert model.certificate_.gap <= 1e-2
    np.testing.assert_allclose(model.coef_, [1.0, -2.0, 0.5], atol=0.6)
