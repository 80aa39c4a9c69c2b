"""SVC: scikit-learn's answer, optimality and gap on random problems, the hard margin, budgets, and the steps of the fit."""

import copy
from itertools import combinations

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy import sparse
from sklearn import svm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

import aprendiz
from aprendiz import RBF, SVC, Linear, NuSVC
from aprendiz.core.parameters import ParameterError
from aprendiz.kernel.shared import kernel_machine
from aprendiz.kernel.svc import limits_of_squares

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
TWO = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * RNG.normal(size=60), [-0.6, 0.6])]
FOUR = np.digitize(X[:, 1] + 0.5 * RNG.normal(size=60), [-0.7, 0.0, 0.7])
NEW = RNG.normal(size=(25, 3))
W = RNG.choice([0.0, 0.5, 1.0, 3.0], size=60)
A26, SIGNS = np.array([[-1.0, -1.0], [-2.0, 1.0], [1.0, 0.0]]), np.array([-1, -1, 1])


def products(A, B):
    """A user's kernel."""
    return (A @ B.T + 1.0) ** 2


def same(ours, theirs, new=NEW, counted=None):
    """Every fitted attribute has the shape, dtype and value of scikit-learn's, whose row numbers leave out rows of weight 0,
    and whose functions keep the rows elsewhere. ‖w − w*‖² is at most twice the gap, hence the tolerance."""
    close = 1e-5 * max(1.0, ours.C)
    assert np.array_equal(ours.support_, theirs.support_ if counted is None else counted[theirs.support_])
    assert np.array_equal(ours.n_support_, theirs.n_support_)
    assert np.array_equal(ours.classes_, theirs.classes_)
    for name in ("support_", "n_support_", "dual_coef_", "intercept_", "support_vectors_", "class_weight_", "n_iter_"):
        one, other = getattr(ours, name), getattr(theirs, name)
        assert one.shape == other.shape or (name == "support_vectors_" and callable(ours.kernel)), name
        assert one.dtype == other.dtype, name
        assert sparse.issparse(one) == sparse.issparse(other), name
    dense = [m.dual_coef_.toarray() if sparse.issparse(m.dual_coef_) else m.dual_coef_ for m in (ours, theirs)]
    np.testing.assert_allclose(*dense, atol=1e-4 * np.abs(dense[1]).max())
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=close)
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), atol=close)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert ours.shape_fit_ == theirs.shape_fit_
    assert ours.fit_status_ == theirs.fit_status_ == 0
    assert ours.certificate_.holds


# ---- scikit-learn ----------------------------------------------------------------------------------------------------

SETTINGS = [
    {},
    {"C": 10.0, "gamma": 0.3},
    {"gamma": "auto", "C": 0.1},
    {"kernel": "linear"},
    {"kernel": "linear", "C": 100.0},
    {"kernel": "poly", "degree": 2, "coef0": 1.0},
    {"kernel": "poly"},
    {"kernel": "sigmoid", "gamma": 0.1},
    {"kernel": products},
    {"class_weight": "balanced"},
    {"decision_function_shape": "ovo"},
    {"break_ties": True},
]


@pytest.mark.filterwarnings("ignore:.*Sigmoid.*is not positive semi-definite")
@pytest.mark.parametrize("y", [TWO, THREE, FOUR], ids=["2", "3", "4"])
@pytest.mark.parametrize("given", SETTINGS, ids=lambda given: "-".join(str(getattr(v, "__name__", v)) for v in given.values()))
def test_same_as_scikit_learn(given, y):
    """Coefficients, intercepts, support, values and classes."""
    same(SVC(tol=1e-8, **given).fit(X, y), svm.SVC(tol=1e-8, **given).fit(X, y))


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
def test_weights(y):
    """Of rows, some of them 0, and of classes at the same time."""
    given = {"tol": 1e-8, "class_weight": {y[0]: 3.0}}
    same(SVC(**given).fit(X, y, W), svm.SVC(**given).fit(X, y, W), counted=np.flatnonzero(W))
    assert not np.isin(SVC().fit(X, y, W).support_, np.flatnonzero(W == 0)).any()


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_sparse(y, kernel):
    """Sparse tables give sparse coefficients, and take dense rows."""
    thin = sparse.csr_array(np.where(np.arange(60)[:, None] % 3 == np.arange(3), 0.0, X))
    ours = SVC(kernel=kernel, tol=1e-8).fit(thin, y)
    same(ours, svm.SVC(kernel=kernel, tol=1e-8).fit(thin, y), sparse.csr_array(NEW))
    np.testing.assert_allclose(ours.decision_function(NEW), ours.decision_function(sparse.csr_array(NEW)), atol=1e-12)
    if kernel == "linear":
        theirs = svm.SVC(kernel="linear", tol=1e-8).fit(thin, y)
        np.testing.assert_allclose(ours.coef_.toarray(), theirs.coef_.toarray(), atol=1e-5)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
def test_precomputed(y):
    """A Gram matrix, and the one between new rows and all training rows; in folds, its rows and columns."""
    K, new = twins.gaussian(X, X, 0.3), twins.gaussian(NEW, X, 0.3)
    ours = SVC(kernel="precomputed", tol=1e-8).fit(K, y)
    same(ours, svm.SVC(kernel="precomputed", tol=1e-8).fit(K, y), new)
    np.testing.assert_allclose(
        ours.decision_function(new), SVC(gamma=0.3, tol=1e-8).fit(X, y).decision_function(NEW), atol=1e-6
    )
    machines = (SVC(kernel="precomputed"), svm.SVC(kernel="precomputed"))
    scores = [GridSearchCV(m, {"C": [1.0, 5.0]}, cv=3).fit(K, y).cv_results_["mean_test_score"] for m in machines]
    assert np.array_equal(*scores)


def test_planes_of_pairs():
    """coef_ of the linear kernel, one row for each pair; no other kernel has one."""
    for y in (TWO, FOUR):
        ours, theirs = (cls(kernel="linear", tol=1e-8).fit(X, y) for cls in (SVC, svm.SVC))
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert not hasattr(SVC().fit(X, TWO), "coef_")


def test_break_ties_without_votes():
    with pytest.raises(ValueError, match="break_ties must be False when decision_function_shape is 'ovo'"):
        SVC(break_ties=True, decision_function_shape="ovo").fit(X, THREE).predict(X)


def test_kernel_objects():
    """The same by name and as an object; sums of kernels; their numbers in a grid."""
    by_name = SVC(gamma=0.3).fit(X, THREE)
    assert np.array_equal(SVC(kernel=RBF(gamma=0.3)).fit(X, THREE).dual_coef_, by_name.dual_coef_)
    both = SVC(kernel=RBF(gamma=0.3) + Linear(), tol=1e-8).fit(X, TWO)
    theirs = svm.SVC(kernel=lambda A, B: twins.gaussian(A, B, 0.3) + A @ B.T, tol=1e-8).fit(X, TWO)
    np.testing.assert_allclose(both.decision_function(NEW), theirs.decision_function(NEW), atol=1e-5)
    grid = GridSearchCV(SVC(kernel=RBF(gamma=1.0)), {"kernel__gamma": [1e-3, 0.3, 1e3]}, cv=3).fit(X, TWO)
    scores = GridSearchCV(svm.SVC(), {"gamma": [1e-3, 0.3, 1e3]}, cv=3).fit(X, TWO).cv_results_["mean_test_score"]
    np.testing.assert_allclose(grid.cv_results_["mean_test_score"], scores)
    assert len(set(scores)) > 1


# ---- optimality ------------------------------------------------------------------------------------------------------


def primal_and_dual(model, table, y, gamma, prices):
    """Objectives of two classes from coef and intercept alone, y f(x) and α of all rows."""
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    K = twins.gaussian(table, table, gamma)
    sides = signs * (K @ beta + model.intercept_[0])
    norm2 = beta @ K @ beta
    return 0.5 * norm2 + prices @ np.maximum(0.0, 1.0 - sides), signs @ beta - 0.5 * norm2, sides, signs * beta


def test_optimal_on_many_tables():
    """A hundred tables: 0 ≤ α ≤ C, Σyα = 0; y f ≥ 1 where α = 0, = 1 between, ≤ 1 at C; the gap is that of the certificate."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n, tol, gamma, C = int(rng.integers(4, 40)), (1e-3, 1e-7)[seed % 2], 0.5, float(10.0 ** rng.uniform(-1, 2))
        table = np.round(rng.normal(size=(n, 2)), seed % 4)  # ties and equal rows
        y, w = np.arange(n) % 2, rng.uniform(0.3, 2.0, n)
        model = SVC(C=C, gamma=gamma, tol=tol).fit(table, y, w)
        primal, dual, sides, alpha = primal_and_dual(model, table, y, gamma, C * w)
        slack = tol + 1e-9 * C * n
        assert model.certificate_.holds
        assert (alpha >= 0).all()
        assert (alpha <= C * w).all()
        assert abs(np.where(y == 1, alpha, -alpha).sum()) <= 1e-10 * C * n
        assert (sides[alpha == 0] >= 1 - slack).all()
        assert (sides[alpha == C * w] <= 1 + slack).all()
        np.testing.assert_allclose(sides[(alpha > 0) & (alpha < C * w)], 1.0, atol=slack)
        known = model.certificate_
        assert -1e-9 * primal <= primal - dual <= slack * C * w.sum()
        assert (known.primal, known.dual) == (pytest.approx(primal, rel=1e-8), pytest.approx(dual, rel=1e-8))
        assert known.gap == pytest.approx(primal - dual, abs=1e-8 * primal)
        assert np.array_equal(np.sort(model.error_support_), np.flatnonzero(alpha == C * w))
        assert np.array_equal(np.sort(model.margin_support_), np.flatnonzero((alpha > 0) & (alpha < C * w)))


def test_certificate_of_far_groups():
    """The optimality conditions in long arithmetic, of rows whose squared distances must not come from their squares."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 2))
    signs = np.where(table[:, 0] + 0.5 * rng.normal(size=100) > 0, 1.0, -1.0)
    table[50:] += 1e5
    model = SVC(C=100.0, gamma=0.5, tol=1e-8).fit(table, signs)
    long = table.astype(np.longdouble)
    K = np.exp(-np.longdouble(0.5) * ((long[:, None] - long) ** 2).sum(axis=2))
    beta = np.zeros(100)
    beta[model.support_] = model.dual_coef_[0]
    g = K @ beta - signs
    falls = g[beta > np.where(signs > 0, 0.0, -100.0)].max()
    assert model.certificate_.holds
    assert falls - g[beta < np.where(signs > 0, 100.0, 0.0)].min() <= 2e-8


@pytest.mark.filterwarnings("ignore:SVC. column 2 varies:UserWarning")
@pytest.mark.parametrize("weight", [None, [0.5, 1e5, 0.1, 0.01, 1e7, 0.1]])
def test_squared_slacks_of_a_kernel_that_rounding_hides(weight):
    """Rows so far from zero that their polynomials differ by less than rounding: coefficients stay below the limit that no
    solution meets, and nothing is claimed, since the dual objective is above that of a constant."""
    far = -(2.0**31) + np.array([0.0, 1.0, 0.0, 2.0, 1e14, 1.0])[:, None] * [0.0, 1e-6, 1.0]
    model = SVC(C=0.01, kernel="poly", degree=2, gamma=1.0, coef0=1.0, loss="squared_hinge", max_iter=20_000)
    model.fit(far, [0, 1, 0, 1, 1, 0], weight)
    prices = 0.01 * (np.ones(6) if weight is None else np.array(weight))
    assert (np.abs(model.dual_coef_[0]) <= limits_of_squares(prices)[model.support_] * (1 + 1e-15)).all()
    assert np.isfinite([*model.certificate_.values.values(), *model.intercept_]).all()
    assert model.certificate_.dual > prices.sum()
    assert not model.certificate_.holds


def test_limits_of_squares():
    """No solution is near its limit: half of it at most, in the worst case of one row against many equal ones."""
    table = np.array([[0.0], *[[1e-3]] * 9])
    for C in (1e-4, 1.0, 1e4):
        model = SVC(C=C, kernel="linear", loss="squared_hinge", tol=1e-8).fit(table, [0] + [1] * 9)
        share = np.abs(model.dual_coef_[0]) / limits_of_squares(np.full(10, C))[model.support_]
        assert 0.01 < share.max() < 0.9


@pytest.mark.parametrize("seed", range(4))
def test_squared_hinge_by_all_cases(seed):
    """C Σξ²: the problem of K + 1/(2C) without upper bounds; ξ = α/(2C)."""
    rng = np.random.default_rng(seed)
    table, signs, C = rng.normal(size=(7, 2)), np.array([1.0, 1, 1, 1, -1, -1, -1]), 0.8
    K = twins.gaussian(table, table, 0.7)
    best, least = twins.soft_margin(K + np.eye(7) / (2 * C), signs, np.full(7, np.inf))
    model = SVC(C=C, gamma=0.7, loss="squared_hinge", tol=1e-9).fit(table, signs)
    beta = np.zeros(7)
    beta[model.support_] = model.dual_coef_[0]
    np.testing.assert_allclose(beta, best, atol=1e-6)
    slack = np.maximum(0.0, 1.0 - signs * model.decision_function(table))
    np.testing.assert_allclose(slack, np.abs(beta) / (2 * C), atol=1e-6)
    assert 0.5 * beta @ K @ beta + C * slack @ slack == pytest.approx(-least, rel=1e-6)
    assert model.certificate_.primal == pytest.approx(-least, rel=1e-6)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
def test_little_memory(y):
    """A cache for a few rows only: the same answer."""
    much, little = (SVC(gamma=0.5, C=10.0, tol=1e-7, cache_size=size).fit(X, y) for size in (200, 0.002))
    assert np.array_equal(much.support_, little.support_)
    np.testing.assert_allclose(much.decision_function(NEW), little.decision_function(NEW), atol=1e-6)
    assert little.certificate_.holds


def test_far_from_zero():
    """Dyadic rows, moved by 2³⁰ without rounding: the same bits."""
    dyadic = np.round(X * 256) / 256
    near, far = (SVC(gamma=0.5).fit(dyadic + shift, THREE) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.dual_coef_, far.dual_coef_)
    assert np.array_equal(near.intercept_, far.intercept_)
    assert np.array_equal(near.decision_function(dyadic), far.decision_function(dyadic + 2.0**30))


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
@pytest.mark.parametrize("machine", [SVC(kernel="linear", C=5.0), NuSVC(kernel="linear", nu=0.4)], ids=["C", "ν"])
def test_planes_far_from_zero(machine, y):
    """The linear kernel too: the same bits at 2³⁰. `intercept_` is that of the rows as they are."""
    dyadic, new = np.round(X * 256) / 256, np.round(NEW * 256) / 256
    near, far = clone(machine).fit(dyadic, y), clone(machine).fit(dyadic + 2.0**30, y)
    assert np.array_equal(near.dual_coef_, far.dual_coef_)
    assert np.array_equal(near.coef_, far.coef_)
    assert np.array_equal(near.margin_, far.margin_)
    assert np.array_equal(near.decision_function(new), far.decision_function(new + 2.0**30))
    assert far.certificate_.holds
    for model, shift in ((near, 0.0), (far, 2.0**30)):
        model.set_params(decision_function_shape="ovo")
        values = model.decision_function(new + shift).reshape(len(new), -1)
        np.testing.assert_allclose((new + shift) @ model.coef_.T + model.intercept_, values, atol=1e-12 + 1e-15 * shift * 20)
        with pytest.raises(ValueError, match="read-only"):
            model.coef_[0, 0] = 1.0


def test_votes_of_nobody():
    """Far from all rows a Gaussian kernel says 0 for classes of the same size: as in LIBSVM, the second class is predicted."""
    for y in (TWO, THREE):
        rows = np.concatenate([np.flatnonzero(y == label)[:12] for label in np.unique(y)])
        ours, theirs = (machine(gamma=1e6).fit(X[rows], y[rows]) for machine in (SVC, svm.SVC))
        assert np.array_equal(ours.predict([[50.0] * 3]), theirs.predict([[50.0] * 3]))
        np.testing.assert_allclose(ours.decision_function([[50.0] * 3]), theirs.decision_function([[50.0] * 3]), atol=1e-9)


@pytest.mark.parametrize("gamma", [0.0, 1e-12, 1e6])
def test_extreme_gamma(gamma):
    """γ = 0: all rows are alike; γ huge: none are. Both are solved, and proved."""
    y = (np.arange(60) % 3 > 0).astype(int)
    model = SVC(gamma=gamma, tol=1e-6).fit(X, y)
    assert model.certificate_.holds
    primal, dual, _, _ = primal_and_dual(model, X, y, gamma, np.ones(60))
    assert primal - dual <= 1e-4 * primal
    if gamma == 1e6:
        assert np.array_equal(model.predict(X), y)
        assert len(set(model.predict(NEW))) == 1
    else:
        assert (model.predict(X) == 1).all()


# ---- the hard margin -------------------------------------------------------------------------------------------------


def test_hard_margin_of_many_tables():
    """Every row at its margin or beyond, none at a bound; C = hard_margin_C_ gives the same plane, less of it another."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        table = rng.normal(size=(12, 2))
        y = np.where(table @ [1.0, 0.5] > 0.1, 1, -1)
        table += 0.3 * y[:, None]
        model = SVC(C=np.inf, kernel="linear", tol=1e-7).fit(table, y)
        sides = y * model.decision_function(table)
        assert sides.min() >= 1 - 1e-6
        assert model.margin_[0] == pytest.approx(1 / np.linalg.norm(model.coef_))
        assert not len(model.error_support_)
        C = model.hard_margin_C_
        again = SVC(C=C * (1 + 1e-6), kernel="linear", tol=1e-7).fit(table, y)
        np.testing.assert_allclose(again.coef_, model.coef_, atol=1e-4 * np.abs(model.coef_).max())
        less = SVC(C=0.9 * C, kernel="linear", tol=1e-7).fit(table, y)
        assert np.linalg.norm(less.coef_) < np.linalg.norm(model.coef_) * (1 - 1e-6)
        assert np.isnan(less.hard_margin_C_)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_weights_do_not_move_the_hard_margin(kernel):
    """No slack at any price: weights, of rows or of classes, change nothing, but for rows of weight 0, which are left out. The
    smallest C that gives it is told for these weights."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 2))
    y = (table.sum(axis=1) > 0).astype(int)
    table[y == 1] += 0.1
    weight = 10.0 ** rng.uniform(-4, 4, 40)
    hard = SVC(C=np.inf, kernel=kernel, gamma=0.5, tol=1e-8)
    plain = hard.fit(table, y).decision_function(table)
    for classes in (None, {0: 1e-4}):
        hard.set_params(class_weight=classes).fit(table, y, weight)
        np.testing.assert_allclose(hard.decision_function(table), plain, atol=1e-5)
        assert not len(hard.error_support_)
        C = hard.hard_margin_C_
        soft = SVC(C=1.001 * C, kernel=kernel, gamma=0.5, class_weight=classes, tol=1e-8).fit(table, y, weight)
        np.testing.assert_allclose(soft.decision_function(table), plain, atol=1e-4)
        assert soft.hard_margin_C_ == pytest.approx(C, rel=1e-3)
        assert np.isnan(soft.set_params(C=0.9 * C).fit(table, y, weight).hard_margin_C_)
    wrong = np.vstack([table, [[9.0, 9.0]]])
    hard.fit(wrong, [*y, 0], [*weight, 0.0])
    np.testing.assert_allclose(hard.decision_function(table), plain, atol=1e-5)


def test_no_hard_margin():
    """Classes that cannot be separated are refused by name; equal rows of two classes are told."""
    table, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["no", "yes", "no", "yes"])
    with pytest.raises(ValueError, match=r"classes 'no' and 'yes' cannot be separated with this kernel.*Give a finite C"):
        SVC(C=np.inf, kernel="linear").fit(table, y)
    with pytest.raises(ValueError, match=r"Rows 1 and 2 are equal, but of different classes"):
        SVC(C=np.inf, gamma=1.0).fit(table[[0, 1, 1, 2]], ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match=r"Rows 1 and 2 are equal, but of different classes"):
        SVC(C=np.inf, gamma=1.0).fit(sparse.csr_array(table[[0, 1, 1, 2]]), ["a", "a", "b", "b"])
    assert SVC(C=np.inf, gamma=1.0).fit(table, y).score(table, y) == 1.0


def test_hard_margin_of_three_classes():
    """Every pair has its own; the pair that has none is named."""
    table = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [2.0, 9.0], [3.0, 9.0]])
    model = SVC(C=np.inf, kernel="linear").fit(table, [0, 0, 1, 1, 2, 2])
    assert model.margin_.shape == model.price_.shape == (3,)
    assert model.margin_[0] == pytest.approx(2.5, rel=1e-3)
    with pytest.raises(ValueError, match="classes 1 and 2 cannot be separated"):
        SVC(C=np.inf, kernel="linear").fit(np.vstack([table, [[5.0, 0.5]]]), [0, 0, 1, 1, 2, 2, 2])


# ---- a budget of slack -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.3, 1.0, 2.0])
def test_slack_budget(share):
    """Σξ is the budget, and no plane that keeps it is shorter: the answer is that of the C that was found."""
    usual = SVC(kernel="linear", tol=1e-6).fit(X, TWO)
    signs = np.where(TWO == 1, 1.0, -1.0)
    most = np.maximum(0.0, 1.0 - signs * usual.decision_function(X)).sum()
    budget = most + (share - 0.3) * 3.0
    model = SVC(kernel="linear", tol=1e-6, slack_budget=budget).fit(X, TWO)
    assert np.maximum(0.0, 1.0 - signs * model.decision_function(X)).sum() == pytest.approx(budget, rel=1e-4)
    by_price = SVC(kernel="linear", tol=1e-6, C=model.price_[0]).fit(X, TWO)
    np.testing.assert_allclose(by_price.coef_, model.coef_, atol=1e-4)
    if share > 0.3:
        assert model.price_[0] < 1.0
        assert model.margin_[0] > usual.margin_[0]


def test_budgets_that_cannot_be():
    with pytest.raises(ValueError, match=r"slack_budget=0.001 cannot be kept: with C = .* the slacks still sum to"):
        SVC(kernel="linear", slack_budget=1e-3).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"slack_budget=1000 is so large that it is never used up.*smaller budget"):
        SVC(kernel="linear", slack_budget=1000.0).fit(X, TWO)
    for given in ({"C": 2.0}, {"loss": "squared_hinge"}):
        with pytest.raises(ParameterError, match="slack_budget stands instead of C"):
            SVC(slack_budget=3.0, **given).fit(X, TWO)


# ---- the way there ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
def test_projected_gradient(loss, y):
    """The ascent of the text ends where the blocks do."""
    ascent, blocks = (SVC(gamma=0.5, loss=loss, tol=1e-6, solver=name).fit(X, y) for name in ("projected-gradient", "blocks"))
    np.testing.assert_allclose(ascent.decision_function(NEW), blocks.decision_function(NEW), atol=1e-4)
    assert ascent.certificate_.holds


def test_steps_of_the_ascent():
    """In every state the objective is lower, Σβ stays 0 and β in its box; the last one is the answer of a fit."""
    model = SVC(C=2.0, gamma=0.5, solver="projected-gradient")
    states = list(model.steps(X, TWO))
    objectives = [state.objective for state in states[1:]]
    assert len(states) > 10
    assert (np.diff(objectives) <= 1e-12).all()
    for state in states:
        assert abs(state.beta.sum()) < 1e-9
        assert np.abs(state.beta).max() <= 2.0
        assert not state.beta.flags.writeable
    fitted = model.fit(X, TWO)
    assert np.array_equal(np.sort(fitted.dual_coef_[0]), np.sort(-states[-1].beta[states[-1].beta != 0]))


@pytest.mark.parametrize("solver", ["blocks", "projected-gradient"])
@pytest.mark.parametrize("y", [TWO, FOUR], ids=["2", "4"])
def test_resumed_from_a_state(solver, y):
    """Going on from any state ends with the same bits, where the solver keeps nothing but the state."""
    model = SVC(C=5.0, gamma=0.5, tol=1e-5, solver=solver, cache_size=0.002)
    states = list(model.steps(X, y))
    assert states[-1].settled
    for since in states[:: max(1, len(states) // 4)][:4]:
        rest = list(model.steps(X, y, since=since))
        last = rest[-1] if rest else since
        np.testing.assert_allclose(last.beta, states[-1].beta, atol=1e-3)
        assert last.settled


def test_stopped_early():
    """max_iter warns, the certificate says that it does not hold, and gap and violation are those of the model."""
    with pytest.warns(ConvergenceWarning, match=r"SVC stopped early \(max_iter reached\)"):
        model = SVC(max_iter=3, gamma=0.5).fit(X, TWO)
    assert not model.certificate_.holds
    assert model.fit_status_ == 1
    assert model.n_iter_.tolist() == [3]
    primal, dual, _, _ = primal_and_dual(model, X, TWO, 0.5, np.ones(60))
    assert model.certificate_.gap == pytest.approx(primal - dual, rel=1e-9)
    assert model.certificate_.gap > 1.0


def test_stopped_by_a_budget():
    """No time at all: a model of the first state, and a true certificate."""
    with aprendiz.training(budget=0), pytest.warns(ConvergenceWarning, match="time budget"):
        model = SVC(gamma=0.5).fit(X, TWO)
    assert not model.certificate_.holds
    assert model.decision_function(NEW).shape == (25,)
    assert model.certificate_.violation == pytest.approx(2.0)


def test_interrupted():
    """Ctrl-C after some states: the model is that of the last one, with what is known of it."""
    model, seen = SVC(gamma=0.5, solver="projected-gradient"), []

    def stop(_, state):
        seen.append(state)
        if len(seen) == 6:
            raise KeyboardInterrupt

    with aprendiz.training(progress=stop), pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, TWO)
    assert not model.certificate_.holds
    primal, dual, _, _ = primal_and_dual(model, X, TWO, 0.5, np.ones(60))
    assert model.certificate_.gap == pytest.approx(primal - dual, rel=1e-9)
    assert -model.certificate_.dual == pytest.approx(seen[-1].objective, rel=1e-9)


# ---- what is refused -------------------------------------------------------------------------------------------------


def test_one_class():
    with pytest.raises(ValueError, match="class"):
        SVC().fit(X, np.zeros(60))


def test_a_class_without_weight():
    with pytest.raises(ValueError, match="all samples of class 'b' have zero weights"):
        SVC().fit(X, THREE, (THREE != "b").astype(float))


@pytest.mark.parametrize(
    "given", [{"C": 0.0}, {"C": -1.0}, {"C": np.nan}, {"gamma": -1.0}, {"max_iter": 0}, {"kernel": "cubic"}]
)
def test_meaningless(given):
    with pytest.raises((ParameterError, ValueError), match=next(iter(given))):
        SVC(**given).fit(X, TWO)


def test_matrices_that_are_none():
    K = twins.gaussian(X, X, 0.3)
    with pytest.raises(ValueError, match=r"square|60"):
        SVC(kernel="precomputed").fit(K[:, :50], TWO)
    spoiled = K.copy()
    spoiled[3, 5] += 1.0
    with pytest.raises(ValueError, match="symmetric"):
        SVC(kernel="precomputed").fit(spoiled, TWO)
    with pytest.raises(ValueError, match=r"nan|NaN|finite"):
        SVC(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, TWO)
    with pytest.raises(ValueError, match="shape"):
        SVC(kernel=lambda A, B: np.ones((len(A), 1))).fit(X, TWO)


def test_votes_by_hand():
    """Votes and values of three classes, from the values of the pairs."""
    model = SVC(decision_function_shape="ovo").fit(X, THREE)
    values = model.decision_function(NEW)
    votes, totals = np.zeros((25, 3)), np.zeros((25, 3))
    for column, (i, j) in enumerate(combinations(range(3), 2)):
        votes[np.arange(25), np.where(values[:, column] > 0, i, j)] += 1
        totals[:, i] += values[:, column]
        totals[:, j] -= values[:, column]
    assert np.array_equal(model.predict(NEW), model.classes_[votes.argmax(axis=1)])
    shown = model.set_params(decision_function_shape="ovr").decision_function(NEW)
    assert np.array_equal(np.round(shown), votes)
    assert (np.sign(shown - votes) == np.sign(totals)).all()


def test_points_of_support_vectors_follow_the_fit():
    """They are kept for the next rows, and not beyond the next fit; copies have none."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], 20)
    machine, other = SVC(gamma=1.0).fit(X, y), X + np.array([3.0, 0.0])
    one_by_one = np.concatenate([machine.decision_function(row[None]) for row in X])
    np.testing.assert_allclose(one_by_one, machine.decision_function(X), atol=1e-12)
    assert machine in kernel_machine.support_of
    machine.fit(other, y)
    np.testing.assert_allclose(machine.decision_function(other), SVC(gamma=1.0).fit(other, y).decision_function(other))
    assert copy.deepcopy(machine) not in kernel_machine.support_of


def test_votes_of_many_classes():
    """Each pair gives its vote and its value to the class that it is for, as when they are counted one by one."""
    rng = np.random.default_rng(0)
    machine = SVC().fit(rng.normal(size=(30, 2)), np.arange(30) % 5)
    values = rng.normal(size=(7, 10))
    votes, totals = machine.votes(values, values > 0)
    counted, summed = np.zeros((2, 7, 5))
    for column, (i, j) in enumerate(combinations(range(5), 2)):
        counted[:, i] += values[:, column] > 0
        counted[:, j] += values[:, column] <= 0
        summed[:, i] += values[:, column]
        summed[:, j] -= values[:, column]
    assert np.array_equal(votes, counted)
    np.testing.assert_allclose(totals, summed, atol=1e-12)


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_no_probabilities_are_no_mistake(machine):
    """probability=False is what happens anyway: scikit-learn's warning, at the line of the caller. True has a remedy."""
    with pytest.warns(FutureWarning, match="probability.*deprecated") as heard:
        found = machine(probability=False).fit(X, TWO)
    assert [one.filename for one in heard] == [__file__]
    assert np.array_equal(found.decision_function(X), machine().fit(X, TWO).decision_function(X))
    with pytest.raises(ParameterError, match="CalibratedClassifierCV"):
        machine(probability=True).fit(X, TWO)
