"""Machines of a grid, one after the other: the answers of separate fits, in fewer steps, with the rows of K computed once."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import make_pipeline

from aprendiz import RBF, SVC, SVR, NuSVC, OneClassSVM, StandardScaler
from aprendiz.core.parameters import ParameterError
from aprendiz.evaluation import Tuned
from aprendiz.kernel.dual import solver
from aprendiz.kernel.dual.evidence import dual_objective
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem
from aprendiz.kernel.dual.solver import first_state
from aprendiz.kernel.shared.same_kernel import best_multiple, groups, scaled_state

RNG = np.random.default_rng(4)
X = RNG.normal(size=(120, 3))
TWO = (X[:, 0] + X[:, 1] ** 2 + 0.7 * RNG.normal(size=120) > 1).astype(int)
THREE = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=120), [-0.6, 0.6])
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * RNG.normal(size=120)
NEW = RNG.normal(size=(40, 3))

CASES = [
    (SVC(), TWO, {"C": [0.1, 1.0, 10.0, np.inf], "gamma": [3.0, "scale"]}),
    (SVC(kernel="linear"), THREE, {"C": [5.0, 0.5, 0.05]}),
    (SVC(loss="squared_hinge"), TWO, {"C": [0.1, 1.0, 20.0]}),
    (SVC(class_weight={0: 3.0}), TWO, {"C": [0.2, 2.0], "loss": ["hinge", "squared_hinge"]}),
    (SVC(kernel=RBF()), TWO, {"C": [1.0, 4.0], "kernel__gamma": [0.2, 0.4]}),
    (SVC(solver="projected-gradient"), TWO[:40], {"C": [0.1, 0.2]}),
    (SVR(), NUMBERS, {"C": [0.1, 1.0, 10.0], "epsilon": [0.05, 0.3]}),
    (NuSVC(), TWO, {"nu": [0.2, 0.4], "gamma": [0.3, "auto"]}),
    (OneClassSVM(), None, {"nu": [0.1, 0.4]}),
]


@pytest.mark.parametrize(("machine", "y", "grid"), CASES, ids=lambda part: type(part).__name__ if hasattr(part, "fit") else "")
def test_each_is_the_machine_of_its_own_fit(machine, y, grid):
    """Every candidate once, optimal to its tolerance, with the values that it has alone."""
    machine.set_params(tol=1e-4 if getattr(machine, "solver", "") == "projected-gradient" else 1e-7)
    candidates = [one for one in ParameterGrid(grid) if not (one.get("C") == np.inf and one.get("gamma") == "scale")]
    rows = X if y is None else X[: len(y)]
    met = []
    for number, one in machine.fit_each(rows, y, candidates):
        alone = clone(machine).set_params(**candidates[number]).fit(rows, y)
        assert {name: one.get_params()[name] for name in candidates[number]} == candidates[number]
        assert one.certificate_.holds
        assert one.certificate_.objective == pytest.approx(alone.certificate_.objective, rel=1e-4)
        value = "predict" if isinstance(machine, SVR) else "decision_function"
        np.testing.assert_allclose(getattr(one, value)(NEW), getattr(alone, value)(NEW), atol=2e-3)
        met.append(number)
    assert sorted(met) == list(range(len(candidates)))


def test_nothing_is_left_to_do_where_no_coefficient_is_at_its_bound():
    """A larger C then changes nothing; a finer grid needs fewer steps than separate fits."""
    C = float(SVC(C=np.inf, gamma=3.0, tol=1e-6).fit(X, TWO).hard_margin_C_)
    prices = [{"C": 2 * C}, {"C": 5 * C}, {"C": 50 * C}]
    found = dict(SVC(gamma=3.0).fit_each(X, TWO, prices))
    assert found[0].n_iter_[0] > 0
    assert max(found[1].n_iter_[0], found[2].n_iter_[0]) <= 0.05 * found[0].n_iter_[0]
    fine = [{"C": C} for C in 1.5 ** np.arange(8)]
    warm = sum(int(one.n_iter_.sum()) for _, one in SVC(gamma=1.0).fit_each(X, TWO, fine))
    cold = sum(int(SVC(gamma=1.0, **one).fit(X, TWO).n_iter_.sum()) for one in fine)
    assert warm < 0.85 * cold


def test_rows_of_the_gram_matrix_are_computed_once(monkeypatch):
    """All values of C together ask for no more rows than there are, beside those of the sample that comes first."""
    monkeypatch.setattr(solver, "SMALL", 100)
    asked = []
    compute = KernelRows.compute
    monkeypatch.setattr(
        KernelRows, "compute", lambda self, missing, places: asked.append(len(missing)) or compute(self, missing, places)
    )
    list(SVC().fit_each(X, TWO, [{"C": C} for C in (0.1, 1.0, 10.0)]))
    assert sum(asked) <= len(X) + len(X[::8])
    asked.clear()
    list(SVC().fit_each(X, TWO, [{"C": 1.0, "gamma": gamma} for gamma in (0.1, 1.0)]))
    assert len(X) + len(X[::8]) < sum(asked) <= 2 * (len(X) + len(X[::8]))


def test_groups_have_one_kernel():
    """In the order of C; objects, which may be equal or not, are alone."""
    grid = list(ParameterGrid({"C": [10.0, 1.0], "gamma": [0.1, "scale"]}))
    assert groups(grid) == [[2, 0], [3, 1]]
    assert groups([{"C": 2.0, "nu": 0.1}, {"C": 1.0, "nu": 0.2}]) == [[1, 0]]
    assert groups([{"kernel": RBF(1.0)}, {"kernel": RBF(1.0)}, {"kernel": "rbf"}]) == [[0], [1], [2]]


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize("price", [0.3, 2.0, 100.0])
def test_the_best_multiple(epsilon, price):
    """No other feasible multiple of the coefficients has a lower objective; its gradient is that of the coefficients."""
    kernel = RBF(0.5).on(X)
    points, limit = kernel.points(X), np.full(120, 1.0)
    beta = RNG.uniform(-1.0, 1.0, 120) * (RNG.random(120) < 0.3)
    beta[:60] -= beta.sum() / 60
    beta = np.clip(beta, -1, 1)
    old = DualProblem(kernel, points, NUMBERS, -limit, limit, epsilon)
    new = DualProblem(kernel, points, NUMBERS, -price * limit, price * limit, epsilon, ridge=np.full(120, 0.1))
    state = scaled_state(old, first_state(old, beta, 1e-3), new, 1e-3)
    exact = first_state(new, np.array(state.beta), 1e-3)
    np.testing.assert_allclose(state.g, exact.g, atol=1e-12)
    assert (np.abs(state.beta) <= price).all()
    most = price / np.abs(beta).max()
    for share in np.linspace(0.0, min(most, 20.0), 41):
        other = first_state(new, share * beta, 1e-3)
        assert dual_objective(new, state.beta, state.g) <= dual_objective(new, other.beta, other.g) + 1e-9
    assert best_multiple(new, np.zeros(120), np.zeros(120)) == 0.0


def test_tuned_uses_it(monkeypatch):
    """The scores are those of separate fits."""
    grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.1, 1.0]}
    whole = make_pipeline(StandardScaler(), SVC(tol=1e-6))
    shared = Tuned(whole, grid, folds=3).fit(X, THREE)
    monkeypatch.delattr("aprendiz.kernel.shared.kernel_machine.KernelMachine.fit_each")
    alone = Tuned(whole, grid, folds=3).fit(X, THREE)
    assert np.array_equal(shared.scores_, alone.scores_)
    assert shared.best_params_ == alone.best_params_


def test_refused():
    """A candidate that is none is refused as in a fit, with its parameter."""
    with pytest.raises(ParameterError, match="C of SVC must be"):
        list(SVC().fit_each(X, TWO, [{"C": 1.0}, {"C": -1.0}]))
    with pytest.raises(ParameterError, match="C of SVC must be"):
        list(SVC().fit_each(X, TWO, [{"C": 1.0}, {"C": "much"}]))
    with pytest.raises(ValueError, match="Invalid parameter 'D'"):
        list(SVC().fit_each(X, TWO, [{"D": 1.0}]))
