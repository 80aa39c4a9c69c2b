"""LinearSVC: the optimum, proved, with each of its solvers."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import LinearSVC
from aprendiz.kernel.linear_solvers import linear_machine

LOSSES = [("l2", "hinge"), ("l2", "squared_hinge"), ("l1", "squared_hinge")]


def table(seed, n=40, d=3, K=2):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.append(np.arange(K), rng.integers(0, K, n - K))
    return X + 0.7 * y[:, None], y, rng.integers(0, 4, n) / 2.0 + (np.arange(n) < K)


def objective(model, X, y, w=None, scale=1.0, own=None):
    """F, summed over the planes; `own` are the weights of the classes for their own planes."""
    W, total = np.atleast_2d(model.coef_), 0.0
    for k, (coef, b) in enumerate(zip(W, np.broadcast_to(model.intercept_, len(W)), strict=True)):
        positive = y == (k if len(W) > 1 else 1)
        r = np.maximum(0.0, 1.0 - np.where(positive, 1.0, -1.0) * (X @ coef + b))
        c = model.C * (np.ones(len(y)) if w is None else w) * (1.0 if own is None else np.where(positive, own[k], 1.0))
        theta = np.append(coef, b / scale)
        total += np.abs(theta).sum() if model.penalty == "l1" else 0.5 * theta @ theta
        total += c @ (r if model.loss == "hinge" else r**2)
    return total


def liblinear(model, X, y, w=None):
    settings = {**model.get_params(), "tol": 1e-10, "max_iter": 200_000, "random_state": 0}
    with warnings.catch_warnings(action="ignore"):
        return svm.LinearSVC(**settings).fit(X, y, w)


@pytest.fixture(params=["newton", "descent"])
def solver(request, monkeypatch):
    """With few columns, then as if there were many."""
    monkeypatch.setattr(linear_machine, "FEW", 1024 if request.param == "newton" else 0)
    return request.param


@pytest.mark.parametrize(("penalty", "loss"), LOSSES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("d", "K"), [(3, 2), (3, 3), (60, 2)])
def test_as_low_as_liblinear(penalty, loss, C, d, K, solver):
    """Weights, an intercept that is scaled: the objective is that of liblinear with a tolerance of 1e-10, or lower."""
    if solver == "descent" and C > 1 and d < 10:
        pytest.skip("descent on the dual is for many columns: with few it crawls")
    X, y, w = table(0, d=d, K=K)
    model = LinearSVC(penalty, loss, C=C, intercept_scaling=3.0, max_iter=20_000).fit(X, y, w)
    here, there = objective(model, X, y, w, 3.0), objective(liblinear(model, X, y, w), X, y, w, 3.0)
    assert here <= there * (1 + 1e-7)
    assert model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(here, rel=1e-9)
    assert model.certificate_.dual <= there * (1 + 1e-14)


def test_gaps_of_many_small_problems(solver):
    """Random sizes, weights and parameters: every gap closes, and the bound is below what liblinear reaches."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n, d, K = int(rng.integers(4, 25)), int(rng.integers(1, 8)), int(rng.integers(2, 4))
        X, y, w = table(seed, n, d if solver == "newton" else 10 * d, K)
        penalty, loss = LOSSES[seed % 3]
        intercept = bool(rng.random() < 0.7)
        model = LinearSVC(penalty, loss, C=float(10.0 ** rng.integers(-3, 3)), fit_intercept=intercept, max_iter=10**5)
        known = model.fit(X, y, w).certificate_
        assert known.gap <= 1e-8, (seed, known)
        assert known.objective == pytest.approx(objective(model, X, y, w), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_quadratic_program(seed):
    """The dual of the hinge, solved by a general method: the same bound, and the same plane."""
    X, y, _ = table(seed, 12, 2)
    Z = np.where(y == 1, 1.0, -1.0)[:, None] * np.column_stack([X, np.ones(len(X))])
    G = Z @ Z.T
    options = {"ftol": 1e-15, "maxiter": 2000}
    found = minimize(
        lambda a: 0.5 * a @ G @ a - a.sum(), np.zeros(12), jac=lambda a: G @ a - 1.0, bounds=[(0, 0.5)] * 12, options=options
    )
    model = LinearSVC(loss="hinge", C=0.5).fit(X, y)
    assert model.certificate_.objective == pytest.approx(-found.fun, rel=1e-7)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), found.x @ Z, atol=1e-4)


def test_worked_example():
    """Two rows at ±1, C large: w = 1 and both rows stand on the margin; C = ¼: both are inside, w = 2C·1."""
    X, y = np.array([[-1.0], [1.0]]), np.array(["a", "b"])
    wide = LinearSVC(loss="hinge", C=10.0, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(wide.coef_, [[1.0]], rtol=1e-6)
    assert wide.intercept_ == 0.0
    narrow = LinearSVC(loss="hinge", C=0.25, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(narrow.coef_, [[0.5]], rtol=1e-6)
    squared = LinearSVC(C=0.25, fit_intercept=False).fit(X, y)  # w = 4C/(1 + 4C)
    np.testing.assert_allclose(squared.coef_, [[0.5]], rtol=1e-12)
    assert wide.predict(X).tolist() == ["a", "b"]


@pytest.mark.parametrize(("penalty", "loss"), LOSSES)
def test_sparse_is_dense(penalty, loss, solver):
    """A sparse table has the answer of the same table with its zeros, and its rows in single precision nearly so."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 8)) * (rng.random((50, 8)) < 0.3), rng.integers(0, 3, 50)
    settings = {"penalty": penalty, "loss": loss, "tol": 1e-6, "max_iter": 20_000}
    dense, thin = LinearSVC(**settings).fit(X, y), LinearSVC(**settings).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, atol=1e-5)
    single = LinearSVC(**settings).fit(sparse.csr_matrix(X.astype(np.float32)), y)
    assert single.coef_.dtype == np.float64
    np.testing.assert_allclose(single.coef_, dense.coef_, atol=1e-4)
    assert np.array_equal(thin.sparsify().predict(sparse.csr_array(X)), dense.predict(X))
    assert np.array_equal(thin.densify().predict(X), dense.predict(X))


def test_weights_are_repetitions(solver):
    """A row of weight 2 is the row twice, of weight 0 it is not there."""
    X, y, _ = table(3)
    w = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    settings = {"loss": "hinge", "tol": 3e-7, "max_iter": 50_000}
    weighted = LinearSVC(**settings).fit(X, y, w)
    repeated = LinearSVC(**settings).fit(np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int)))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=2e-6)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("class_weight", [{0: 5.0, 1: 0.5}, "balanced"])
def test_class_weights(K, class_weight, solver):
    """As in liblinear: of two classes both count, of three and more the plane of a class weighs its own rows."""
    X, y, w = table(4, K=K)
    model = LinearSVC(class_weight=class_weight, max_iter=20_000).fit(X, y, w)
    np.testing.assert_allclose(model.coef_, liblinear(model, X, y, w).coef_, atol=1e-4)


@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("intercept", [True, False])
def test_crammer_singer(K, intercept):
    """All planes together, for two classes one; the rows of classes count as given."""
    X, y, w = table(5, 60, K=K)
    settings = {"multi_class": "crammer_singer", "class_weight": {0: 2.0}, "fit_intercept": intercept, "tol": 1e-6}
    model = LinearSVC(**settings, max_iter=20_000).fit(X, y, w)
    there = liblinear(model, X, y, w)
    assert model.certificate_.holds
    np.testing.assert_allclose(model.coef_, there.coef_, atol=2e-4)
    assert np.shape(model.intercept_) == np.shape(there.intercept_)
    assert model.decision_function(X).shape == there.decision_function(X).shape


def test_zeros():
    """The absolute penalty: exact zeros, as many as liblinear's, and none left for a very small C."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 20))
    y = (X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=200) > 0).astype(int)
    model = LinearSVC("l1", C=0.05).fit(X, y)
    assert np.array_equal(model.coef_ != 0, np.abs(liblinear(model, X, y).coef_) > 1e-8)
    assert 2 <= (model.coef_ != 0).sum() < 10
    assert not LinearSVC("l1", C=1e-5).fit(X, y).coef_.any()


@pytest.mark.parametrize("seed", range(8))
def test_prices_that_rounding_moves(seed):
    """Weights whose sum, divided by the loss at zero, is rounded to more than 1: where all rows are at the end of the kink,
    they have curvature still, and the first step is no step of the steepest descent."""
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(300, 3)), rng.choice([0.0, 0.1, 1.0, 50.0], 300)
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    model = LinearSVC(loss="hinge", C=1e4, intercept_scaling=100.0, tol=1e-3).fit(X, y, weight)
    assert model.certificate_.gap <= 1e-6
    assert model.score(X, y) > 0.7


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [1.0, 1e3, 1e6])
def test_whatever_C_is(seed, C):
    """Newton's method takes as many steps for a price of a million: the line search finds kinks that are near."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2500, 3))
    model = LinearSVC(loss="hinge", C=C).fit(X, X[:, 0] + rng.normal(size=2500) > 0)
    assert model.certificate_.holds
    assert model.n_iter_ <= 40


@pytest.mark.parametrize("seed", [14, 22])
def test_curvature_of_few_rows(seed):
    """Where a step ends among few rows, a sample of them says too little of the curvature: all of them are read then."""
    X = np.random.default_rng(seed).normal(size=(2200, 2))
    model = LinearSVC(loss="hinge", C=1e4).fit(X, X[:, 0] > 0)
    assert model.certificate_.holds
    assert model.certificate_.gap <= 1e-8


def test_few_rows_many_columns():
    """The plane is found in the span of the rows, and is that of descent on the dual."""
    X, y, _ = table(6, 20, 200)
    settings = {"loss": "hinge", "C": 100.0, "tol": 1e-5}
    model, other = LinearSVC(**settings).fit(X, y), LinearSVC(**settings, max_iter=10**5).fit(sparse.csr_array(X), y)
    assert model.certificate_.gap <= 1e-10
    np.testing.assert_allclose(model.coef_, other.coef_, atol=1e-6)


@pytest.mark.parametrize("settings", [{}, {"loss": "hinge"}, {"penalty": "l1"}, {"multi_class": "crammer_singer"}])
def test_states_go_on(settings, solver):
    """A fit that is continued from any of its states gives the bits of one that was not interrupted."""
    X, y, w = table(7, K=3)
    model = LinearSVC(**settings, random_state=3)
    states = list(model.steps(X, y, w))
    for state in states[:: max(1, len(states) // 3)]:
        *_, last = [state, *model.steps(X, y, w, since=state)]
        assert np.array_equal(last.planes, states[-1].planes)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_stopped_early(loss, solver):
    """Without enough steps: a warning with a remedy, a model that can be used, and an honest certificate."""
    X, y, _ = table(8, 200)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        model = LinearSVC(loss=loss, C=100.0, max_iter=1).fit(X, y)
    assert not model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(objective(model, X, y), rel=1e-9)
    assert model.n_iter_ == 1
    with aprendiz.training(budget=0.0), pytest.warns(ConvergenceWarning, match="budget"):
        assert not LinearSVC(loss=loss).fit(X, y).certificate_.holds


def test_columns_of_unequal_size(monkeypatch):
    """Where descent does not converge, the columns that are too unequal are named."""
    monkeypatch.setattr(linear_machine, "FEW", 0)
    X, y, _ = table(9, 100)
    with pytest.warns(ConvergenceWarning, match=r"the cells of 1 are up to .* times as large as those of"):
        LinearSVC(loss="hinge", max_iter=50).fit(X * [1.0, 1e6, 1.0], y)


def test_refusals():
    """What cannot be solved, and what liblinear cannot, is said before any work."""
    X, y, _ = table(0)
    with pytest.raises(ValueError, match="penalty='l1' is not available with loss='hinge'"):
        LinearSVC("l1", "hinge").fit(X, y)
    for settings in ({"penalty": "l1", "dual": True}, {"loss": "hinge", "dual": False}):
        with pytest.raises(ValueError, match="leave dual='auto'"):
            LinearSVC(**settings).fit(X, y)
    with pytest.raises(ValueError, match="C of LinearSVC must be a number above 0"):
        LinearSVC(C=0.0).fit(X, y)
    with pytest.raises(ValueError, match="Only one class, 1, has rows of positive weight"):
        LinearSVC().fit(X, y, (y == 1).astype(float))
    with pytest.raises(ValueError, match="one class"):
        LinearSVC().fit(X, np.ones(len(X)))


def test_files(tmp_path):
    """Rows of a file keep no multipliers, and give the same plane; Crammer and Singer's machine wants them in memory."""
    pd = pytest.importorskip("pandas")
    X, y, _ = table(2, 300, 3, 3)
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    rows = aprendiz.rows(tmp_path / "rows.csv", target="y")
    model = LinearSVC(loss="hinge").fit(X, y)
    np.testing.assert_allclose(LinearSVC(loss="hinge").fit(rows).coef_, model.coef_, rtol=1e-9)
    with pytest.raises(ValueError, match="needs a table in memory"):
        LinearSVC(multi_class="crammer_singer").fit(rows)
