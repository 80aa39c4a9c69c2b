"""LogisticRegression: the minimiser of its objective, by whichever way it was reached."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression

from aprendiz import LogisticRegression
from aprendiz.core.rows import Block
from aprendiz.linear import logistic_regression as logistic
from aprendiz.linear.losses.logistic_loss import many_classes, slopes, squared_slopes, two_classes
from aprendiz.linear.solvers import newton

RNG = np.random.default_rng(11)
X = RNG.normal(size=(150, 4)) * [1, 2, 0.5, 1] + [0, 1, -2, 0]
TWO = (X @ [1.0, -0.5, 2.0, 0.0] + 4 + RNG.logistic(size=150) > 0).astype(int)
THREE = np.array(["low", "middle", "top"])[np.digitize(X @ [1.0, 0.5, -1.0, 0.3] + RNG.logistic(size=150), [1, 3.5])]
WIDE = RNG.normal(size=(30, 80))
WEIGHT = RNG.uniform(0, 3, size=150)


def theirs(y, table=X, weight=None, **parameters):
    """scikit-learn's answer, driven to its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at such a tolerance it may say that no further step helps
        model = TheirLogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000, **parameters)
        return model.fit(table, y, weight)


def assert_same(ours, other, table=X, tol=1e-8):
    """Coefficients and probabilities; 10⁻⁸ is the gradient that scikit-learn leaves, 10⁻¹²·n, over the curvature."""
    np.testing.assert_array_equal(ours.classes_, other.classes_)
    np.testing.assert_allclose(ours.coef_, other.coef_, atol=tol * max(1, np.abs(other.coef_).max()))
    np.testing.assert_allclose(ours.intercept_, other.intercept_, atol=tol * max(1, np.abs(other.intercept_).max()))
    np.testing.assert_allclose(ours.predict_proba(table), other.predict_proba(table), atol=tol)


# ---- the minimum -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.01, 1.0, np.inf])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
@pytest.mark.parametrize("intercept", [True, False])
def test_gradient_vanishes(y, C, intercept):
    """Σ ω (p − y) x + w/C and Σ ω (p − y) are zero at the answer, computed from its probabilities."""
    model = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-12).fit(X, y, WEIGHT)
    R = WEIGHT[:, None] * (model.predict_proba(X) - (y[:, None] == model.classes_))
    R = R[:, 1:] if len(model.classes_) == 2 else R
    np.testing.assert_allclose(R.T @ X + model.coef_ / C, 0, atol=2e-9)  # tol · Σω = 2·10⁻¹⁰, columns of size up to 8
    if intercept:
        np.testing.assert_allclose(R.sum(axis=0), 0, atol=2e-9)
    else:
        np.testing.assert_array_equal(model.intercept_, 0)
    assert model.certificate_.holds


@pytest.mark.parametrize("C", [0.01, 1.0, np.inf])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_default_tolerance_is_enough(y, C):
    """At the default tolerance F is at its minimum to rounding, and hence the coefficients to half the digits."""
    usual, strict = LogisticRegression(C=C).fit(X, y), LogisticRegression(C=C, tol=1e-12).fit(X, y)
    assert usual.certificate_.objective == pytest.approx(strict.certificate_.objective, rel=1e-14)
    assert_same(usual, strict, tol=1e-7)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_objective_of_the_certificate(y):
    """The certificate holds F = Σ ω ℓ + ‖w‖²/(2C), and no nearby parameters have a smaller one."""
    model = LogisticRegression(C=0.5).fit(X, y, WEIGHT)
    codes = np.searchsorted(model.classes_, y)

    def F(coef, intercept):
        t = X @ coef.T + intercept
        t = np.column_stack([np.zeros(150), t]) if len(coef) == 1 else t
        return -(WEIGHT @ np.log(softmax(t, axis=1)[np.arange(150), codes])) + (coef**2).sum() / (2 * 0.5)

    best = F(model.coef_, model.intercept_)
    assert model.certificate_.objective == pytest.approx(best, rel=1e-13)
    for _ in range(20):
        moved = model.coef_ + 1e-3 * RNG.normal(size=model.coef_.shape)
        assert F(moved, model.intercept_ + 1e-3 * RNG.normal(size=model.intercept_.shape)) > best


def test_softmax_coefficients_sum_to_zero():
    """Adding a constant to all classes changes nothing; the answer is the one that sums to zero."""
    model = LogisticRegression(C=np.inf).fit(X, THREE)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(model.intercept_.sum(), 0, atol=1e-12)


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"C": 1e-3}, {"C": 1e3}, {"fit_intercept": False}, {"class_weight": "balanced"}],
    ids=lambda p: ",".join(f"{k}={v}" for k, v in p.items()) or "default",
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_variants(y, parameters, weight):
    """Penalties, intercepts, class weights and row weights mean what they mean in scikit-learn."""
    ours = LogisticRegression(tol=1e-12, **parameters).fit(X, y, weight)
    assert_same(ours, theirs(y, weight=weight, **parameters))


def test_class_weight_by_name():
    """A dict of class weights multiplies the weights of the rows; classes left out count 1."""
    names = {"low": 2.0, "top": 0.3}
    by_name = LogisticRegression(class_weight=names, tol=1e-12).fit(X, THREE, WEIGHT)
    assert_same(by_name, theirs(THREE, weight=WEIGHT, class_weight=names))
    by_row = LogisticRegression(tol=1e-12).fit(X, THREE, WEIGHT * np.array([names.get(label, 1.0) for label in THREE]))
    np.testing.assert_allclose(by_name.coef_, by_row.coef_, rtol=1e-12)
    with pytest.raises(ValueError, match="class_weight names 'bottom'"):
        LogisticRegression(class_weight={"bottom": 1.0}).fit(X, THREE)


@pytest.mark.parametrize("labels", [np.array(["no", "yes"]), np.array([False, True]), np.array([-1, 1]), np.array([2.0, 5.0])])
def test_labels_come_back(labels):
    """Predictions are the labels of the training data, whatever they are."""
    model = LogisticRegression().fit(X, labels[TWO])
    np.testing.assert_array_equal(model.classes_, labels)
    np.testing.assert_array_equal(model.predict(X), labels[LogisticRegression().fit(X, TWO).predict(X)])
    assert model.predict(X).dtype == labels.dtype


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
def test_fewer_rows_than_columns(classes, intercept):
    """In the span of the rows the same minimum is found as in all columns."""
    y = np.arange(30) % classes
    ours = LogisticRegression(C=0.3, fit_intercept=intercept, tol=1e-12).fit(WIDE, y)
    assert_same(ours, theirs(y, WIDE, C=0.3, fit_intercept=intercept), WIDE)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("shape", [(120, 6), (30, 60)])
def test_sparse(form, shape):
    """A sparse table gives what the same table gives when it is dense."""
    table = sparse.random(*shape, density=0.3, random_state=0).toarray()
    y = (table.sum(axis=1) + RNG.normal(size=shape[0]) > np.median(table.sum(axis=1))).astype(int)
    ours, dense = (LogisticRegression(tol=1e-12).fit(t, y) for t in (form(table), table))
    np.testing.assert_allclose(ours.coef_, dense.coef_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(form(table)), dense.predict_proba(table), rtol=1e-10)


def test_probabilities_logarithms_and_scores_belong_together():
    """Probabilities sum to 1, their logarithms are predict_log_proba, and the largest is predicted."""
    for y in (TWO, THREE):
        model = LogisticRegression().fit(X, y)
        P = model.predict_proba(X)
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(P), rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(model.predict(X), model.classes_[P.argmax(axis=1)])
    far = LogisticRegression().fit(X, TWO).predict_log_proba(1e6 * X)
    assert np.isfinite(far).all()  # no logarithm of a probability that was rounded to 0


# ---- ways to the minimum ---------------------------------------------------------------------------------------------


@pytest.fixture
def never_formed(monkeypatch):
    """As if there were very many parameters: no curvature is formed, L-BFGS takes the steps."""
    monkeypatch.setattr(newton, "FEW_PARAMETERS", 0)
    monkeypatch.setattr(newton, "CHEAP", 0)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("scales", [1.0, 10.0 ** np.arange(-3, -3 + X.shape[1])], ids=["even", "uneven"])
def test_very_many_parameters(y, intercept, scales, request):
    """L-BFGS ends at the minimum that Newton's method finds, also with columns of very different scales."""
    table = X * scales
    direct = LogisticRegression(C=100.0, fit_intercept=intercept, tol=1e-12).fit(table, y, WEIGHT)
    request.getfixturevalue("never_formed")
    other = LogisticRegression(C=100.0, fit_intercept=intercept, tol=1e-8, max_iter=3000).fit(table, y, WEIGHT)
    assert other.certificate_.holds
    assert other.n_iter_[0] > direct.n_iter_[0]
    np.testing.assert_allclose(other.predict_proba(table), direct.predict_proba(table), atol=1e-5)  # slopes of 1e-8


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("offset", [0.0, 2.0**26])
def test_very_many_parameters_wherever_the_rows_are(classes, offset, request):
    """On a wide table, near zero or far away, dense or sparse, the answer is that of Newton's method."""
    y, table = np.arange(30) % classes, np.round(WIDE * 1024) / 1024 + offset
    direct = LogisticRegression(tol=1e-12).fit(table, y)
    request.getfixturevalue("never_formed")
    answers = [LogisticRegression(tol=1e-10, max_iter=3000).fit(table, y)]
    if offset == 0:
        answers.append(LogisticRegression(tol=1e-10, max_iter=3000).fit(sparse.csr_matrix(table), y))
    for model in answers:
        np.testing.assert_allclose(model.predict_proba(table), direct.predict_proba(table), atol=1e-6)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_very_many_parameters_can_be_resumed(y, never_formed):
    """The pairs are part of the state: continued from any state, the bits are the same."""
    states = list(LogisticRegression(tol=1e-8, max_iter=200).steps(X, y))
    again = list(LogisticRegression(tol=1e-8, max_iter=200).steps(X, y, since=states[4]))
    assert [state.iteration for state in again] == [state.iteration for state in states[5:]]
    assert np.array_equal(again[-1].theta, states[-1].theta)


@pytest.mark.parametrize("classes", [2, 3])
def test_starting_on_a_sample_changes_nothing(classes, monkeypatch):
    """Above 8·2048 rows the first steps see a sample only; the answer is the same, after fewer passes."""
    n = 8 * logistic.SAMPLE + 1000
    table = RNG.normal(size=(n, 3))
    y = np.digitize(table @ [1.0, -2.0, 0.5] + RNG.logistic(size=n), [0.0, 1.0][: classes - 1])
    sampled = LogisticRegression(tol=1e-12).fit(table, y)
    monkeypatch.setattr(logistic, "SAMPLE", n)
    plain = LogisticRegression(tol=1e-12).fit(table, y)
    assert_same(sampled, plain, table, tol=1e-11)
    assert sampled.n_iter_[0] < plain.n_iter_[0]


def test_warm_start():
    """From its own answer a fit is done at once; from another one it arrives at the same answer."""
    model = LogisticRegression(warm_start=True, tol=1e-12).fit(X, TWO)
    coef = model.coef_.copy()
    model.fit(X, TWO)
    assert model.n_iter_[0] == 0
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-10)
    model.set_params(C=10.0).fit(X, TWO)
    np.testing.assert_allclose(model.coef_, LogisticRegression(C=10.0, tol=1e-12).fit(X, TWO).coef_, rtol=1e-9)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_separated_classes_without_penalty(y):
    """There is no finite answer: the fit says so, and what to do."""
    table = np.column_stack([X, 10.0 * np.unique(y, return_inverse=True)[1]])
    if len(set(y)) == 3:
        table = np.column_stack([table, np.square(table[:, -1])])
    model = LogisticRegression(C=np.inf)
    with pytest.warns(ConvergenceWarning, match="a hyperplane separates.*give a finite C"):
        model.fit(table, y)
    assert model.certificate_.separated
    assert not model.certificate_.holds
    assert model.score(table, y) == 1
    finite = LogisticRegression(C=1e3).fit(table, y)
    assert finite.certificate_.holds
    assert not finite.certificate_.separated


@pytest.mark.parametrize("offset", [2.0**26, -(2.0**26)])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_large_offset(y, offset):
    """Far from zero, the coefficients and the probabilities are the same."""
    table = np.round(16 * X) / 16  # exact beside 2²⁶
    near, far = (LogisticRegression(tol=1e-12).fit(t, y) for t in (table, table + offset))
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-11)
    # t = b + xᵀw with b of the size of 2²⁶·w: eight of the sixteen digits are left
    np.testing.assert_allclose(far.predict_proba(table + offset), near.predict_proba(table), atol=1e-6)


def test_max_iter_reached():
    """A fit that was not allowed to arrive warns, names the remedy, and does not claim to be at the minimum."""
    model = LogisticRegression(max_iter=1)
    with pytest.warns(ConvergenceWarning, match=r"Raise max_iter \(it is 1\)"):
        model.fit(X, TWO)
    assert not model.certificate_.holds


def test_sparsify_and_densify():
    """Sparse coefficients predict the same, and become an array again."""
    model = LogisticRegression().fit(X, THREE)
    P, coef = model.predict_proba(X), model.coef_.copy()
    assert sparse.issparse(model.sparsify().coef_)
    np.testing.assert_array_equal(model.predict_proba(X), P)
    np.testing.assert_array_equal(model.densify().coef_, coef)
    assert model.densify() is model


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"l1_ratio": 1.5}, "l1_ratio"),
        ({"dual": True}, "dual"),
        ({"intercept_scaling": 2.0}, "intercept_scaling"),
        ({"solver": "annealing"}, "solver"),
        ({"loss": "hinge"}, "loss"),
        ({"C": 0.0}, "C of LogisticRegression"),
        ({"tol": -1.0}, "tol"),
    ],
)
def test_refused_parameters(parameters, match):
    """What is not available is refused by name."""
    with pytest.raises(ValueError, match=match):
        LogisticRegression(**parameters).fit(X, TWO)


@pytest.mark.parametrize("shape", [(40, 5), (10, 50)], ids=["tall", "wide"])
@pytest.mark.parametrize("formed", [True, False])
def test_warm_start_is_only_a_start(shape, formed, request):
    """From the answer to other data, the answer to these data is found, also in the span of few rows."""
    rng = np.random.default_rng(5)
    before, table = rng.normal(size=(2, *shape))
    y = np.arange(shape[0]) % 2
    cold = LogisticRegression(tol=1e-8, max_iter=500).fit(table, y)
    if not formed:
        request.getfixturevalue("never_formed")
    warm = LogisticRegression(tol=1e-8, max_iter=500, warm_start=True).fit(before, y).fit(table, y)
    np.testing.assert_allclose(warm.coef_, cold.coef_, atol=1e-5)  # slopes of 1e-8, curvature of at least 1/C


def test_stuck_is_not_converged():
    """A step that never lowers F ends the fit, and only a small gradient makes that an answer."""
    rows = LogisticRegression().open(X, TWO)
    problem = newton.LogisticProblem.of(rows, 1.0, True)
    state = problem.at(np.ones((1, 1 + X.shape[1])), 0, 1e-4)
    uphill = replace(state, step=-1e12 * state.step)
    assert problem.next(uphill, 1e-4).stuck
    assert not problem.next(uphill, 1e-4).settled
    assert problem.next(uphill, state.slope).settled
    assert LogisticRegression().reason(problem.next(uphill, 1e-4)) == "rounding hides any further descent"


def test_a_class_may_be_absent_from_a_fold():
    """Weights for all classes and more are fine; a name that no class has, where another is missing, is a mistake."""
    LogisticRegression(class_weight={0: 1.0, 1: 2.0, 2: 3.0}).fit(X, np.arange(len(X)) % 2)
    with pytest.raises(ValueError, match="class_weight names 2"):
        LogisticRegression(class_weight={0: 1.0, 2: 3.0}).fit(X, np.arange(len(X)) % 2)


def test_few_rows_and_many_classes():
    """With hundreds of rows and classes the curvature would fill the memory: it is not formed."""
    rng = np.random.default_rng(0)
    problem = newton.LogisticProblem.of(LogisticRegression().open(rng.normal(size=(300, 400)), np.arange(300) % 100), 1.0, True)
    assert problem.basis is None
    assert problem.bound is not None


# ---- identities ------------------------------------------------------------------------------------------------------


def test_sigmoid_and_softmax():
    """σ(−t) = 1 − σ(t), σ is the softmax of (0, t), and softmax does not change when a constant is added to all scores."""
    model = LogisticRegression(C=3.0).fit(X, TWO)
    t, P = model.decision_function(X), model.predict_proba(X)
    np.testing.assert_allclose(P[:, 1], 1 / (1 + np.exp(-t)), rtol=1e-13)
    np.testing.assert_allclose(P, softmax(np.column_stack([np.zeros(150), t]), axis=1), rtol=1e-13)
    np.testing.assert_allclose(np.log(P[:, 1] / P[:, 0]), t, rtol=1e-10, atol=1e-12)
    three = LogisticRegression(C=3.0).fit(X, THREE)
    T, P = three.decision_function(X), three.predict_proba(X)
    np.testing.assert_allclose(P, np.exp(T + 7) / np.exp(T + 7).sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(np.log(P[:, 0] / P[:, 2]), T[:, 0] - T[:, 2], rtol=1e-9, atol=1e-12)


def test_two_classes_as_softmax():
    """Softmax over two classes has the scores ±t/2 if the penalty sees both: its C is half of the sigmoid's."""
    theta = np.array([[0.3, 1.0, -0.5, 0.2, 0.1]])
    block = Block(X, TWO, WEIGHT, 0)
    one, both = slopes(theta, block), slopes(np.vstack([-theta / 2, theta / 2]), block)
    assert both.loss == pytest.approx(one.loss, rel=1e-13)
    np.testing.assert_allclose(both.gradient[1], one.gradient[0], rtol=1e-11)
    np.testing.assert_allclose(both.gradient[0], -one.gradient[0], rtol=1e-11)
    assert both.margin == pytest.approx(one.margin, rel=1e-12)


def losses(theta, y, squared=False):
    """Σ ω ℓ, written down once more."""
    T = X @ theta[:, 1:].T + theta[:, 0]
    if squared:
        return WEIGHT @ (y - expit(T[:, 0])) ** 2
    if len(theta) == 1:
        return -(WEIGHT @ np.where(y == 1, log_expit(T[:, 0]), log_expit(-T[:, 0])))
    return -(WEIGHT @ log_softmax(T, axis=1)[np.arange(len(y)), y])


def slope_by_differences(f, theta, h=1e-6):
    """Central differences: an error of about h² and of ε/h, both near 1e-10 here."""
    found = np.zeros_like(theta)
    for place in np.ndindex(theta.shape):
        step = np.zeros_like(theta)
        step[place] = h
        found[place] = (f(theta + step) - f(theta - step)) / (2 * h)
    return found


@pytest.mark.parametrize("kind", ["sigmoid", "softmax", "squared"])
def test_loss_and_gradient_by_differences(kind):
    """Value and gradient of each loss are those of the formula, by finite differences."""
    rng = np.random.default_rng(3)
    y = np.unique(THREE, return_inverse=True)[1] if kind == "softmax" else TWO
    theta = rng.normal(size=(3 if kind == "softmax" else 1, 5)) * 0.5
    record = (squared_slopes if kind == "squared" else slopes)(theta, Block(X, y, WEIGHT, 0))
    assert record.loss == pytest.approx(losses(theta, y, kind == "squared"), rel=1e-12)
    wanted = slope_by_differences(lambda at: losses(at, y, kind == "squared"), theta)
    np.testing.assert_allclose(record.gradient, wanted, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_curvature_by_differences(classes):
    """The curvature is the change of the gradient; around a pivot, that of rows less the pivot."""
    rng = np.random.default_rng(4)
    y = TWO if classes == 2 else np.unique(THREE, return_inverse=True)[1]
    theta, pivot = rng.normal(size=(1 if classes == 2 else 3, 5)) * 0.5, X.mean(axis=0)
    statistic = two_classes if classes == 2 else many_classes
    record = statistic(pivot, theta, Block(X, y, WEIGHT, 0))
    moved = Block(X - pivot, y, WEIGHT, 0)
    np.testing.assert_allclose(record.gradient, slopes(theta, moved).gradient, rtol=1e-10, atol=1e-10)
    for place in np.ndindex(theta.shape):
        change = slope_by_differences(lambda at, place=place: slopes(at, moved).gradient[place], theta)
        np.testing.assert_allclose(record.curvature[np.ravel_multi_index(place, theta.shape)], change.ravel(), atol=1e-5)


# ---- the squared loss ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, np.inf])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("solver", ["auto", "gd"])
def test_squared_loss_is_stationary(C, intercept, solver):
    """At the answer the gradient 2 Σ ω (p − y)p(1 − p)x + w/C vanishes, and F is below that of no model at all."""
    model = LogisticRegression(C=C, loss="squared", fit_intercept=intercept, solver=solver, tol=1e-7, max_iter=3000)
    model.fit(X, TWO, WEIGHT)
    p = model.predict_proba(X)[:, 1]
    R = 2 * WEIGHT * (p - TWO) * p * (1 - p)
    assert np.abs(R @ X + model.coef_[0] / C).max() <= 1.01e-7 * WEIGHT.sum() * (1 + intercept * np.abs(X.mean(axis=0)).max())
    assert not intercept or abs(R.sum()) <= 1.01e-7 * WEIGHT.sum()
    F = WEIGHT @ (TWO - p) ** 2 + (model.coef_**2).sum() / (2 * C)
    assert model.certificate_.objective == pytest.approx(F, rel=1e-10)
    assert 0.25 * WEIGHT.sum() > F


def test_squared_loss_hardly_sees_a_row_that_is_wrong_by_far():
    """One row far on the wrong side turns the plane of the likelihood, not that of the bounded loss."""
    table, y = np.vstack([X, [[0, 0, -20.0, 0]]]), np.append(TWO, 1)
    turned = {}
    for loss in ("log", "squared"):
        model = LogisticRegression(loss=loss, tol=1e-7)
        turned[loss] = np.abs(model.fit(table, y).coef_ - clone(model).fit(X, TWO).coef_).max()
    assert turned["squared"] < 1e-4
    assert turned["log"] > 1


def test_squared_loss_is_for_two_classes():
    """With more, the remedy is named."""
    with pytest.raises(ValueError, match=r'loss="squared" is for two classes, y has 3: use loss="log"'):
        LogisticRegression(loss="squared").fit(X, THREE)


# ---- solvers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
def test_solvers_agree(y, intercept, form):
    """Newton's method and gradient descent end at the same place.

    At a slope of tol for each unit of weight, the error of w is at most tol·Σω/(1/C); here 2·10⁻⁷·200.
    """
    how = {"fit_intercept": intercept, "C": 1.0}
    best = LogisticRegression(tol=1e-12, **how).fit(X, y, WEIGHT)
    newtons = LogisticRegression(solver="newton", tol=1e-10, **how).fit(form(X), y, WEIGHT)
    descended = LogisticRegression(solver="gd", tol=1e-7, max_iter=3000, **how).fit(form(X), y, WEIGHT)
    np.testing.assert_allclose(newtons.coef_, best.coef_, atol=1e-8)
    np.testing.assert_allclose(descended.coef_, best.coef_, atol=4e-5)
    assert descended.certificate_.objective == pytest.approx(best.certificate_.objective, rel=1e-9)
    assert descended.n_iter_[0] > newtons.n_iter_[0]


@pytest.mark.parametrize("y", [TWO, THREE], ids=["sigmoid", "softmax"])
def test_stochastic_solver(y):
    """sgd comes near: its steps of size 1/√t leave noise of about that size, so the slope asked for is 10⁻², and F, which is
    flat at its minimum, is right to a hundredth."""
    best = LogisticRegression(tol=1e-12).fit(X, y, WEIGHT)
    model = LogisticRegression(solver="sgd", tol=1e-2, max_iter=500, random_state=0).fit(X, y, WEIGHT)
    assert model.certificate_.holds
    assert best.certificate_.objective <= model.certificate_.objective <= 1.01 * best.certificate_.objective
    again = LogisticRegression(solver="sgd", tol=1e-2, max_iter=500, random_state=0).fit(X, y, WEIGHT)
    np.testing.assert_array_equal(model.coef_, again.coef_)
    other = LogisticRegression(solver="sgd", tol=1e-2, max_iter=500, random_state=1).fit(X, y, WEIGHT)
    assert not np.array_equal(model.coef_, other.coef_)


@pytest.mark.parametrize("solver", ["gd", "sgd", "newton"])
def test_solvers_can_be_resumed(solver):
    """Continued from any state, the bits are the same."""
    learner = LogisticRegression(solver=solver, tol=1e-3, max_iter=300, random_state=2)
    states = list(learner.steps(X, THREE, WEIGHT))
    again = list(learner.steps(X, THREE, WEIGHT, since=states[2]))
    assert np.array_equal(again[-1].theta, states[-1].theta)


@pytest.mark.parametrize("solver", ["gd", "newton"])
def test_objective_never_rises(solver):
    """Each step lowers F, but for rounding."""
    for loss in ("log", "squared"):
        model = LogisticRegression(solver=solver, loss=loss, tol=1e-6, max_iter=2000)
        values = np.array([state.objective for state in model.steps(X, TWO, WEIGHT)])
        assert (np.diff(values) <= 1e-12 * values[0]).all()


# ---- separation ------------------------------------------------------------------------------------------------------

LINE = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
SEPARATED = {
    "complete, two classes": (LINE, [0, 0, 0, 1, 1, 1]),
    "complete, three classes": (LINE, [0, 0, 1, 1, 2, 2]),
    "quasi-complete, two classes": (np.append(LINE, [0.0, 0.0]), [0, 0, 0, 1, 1, 1, 0, 1]),
    "quasi-complete, three classes": (np.append(LINE, [-1.0, 1.0]), [0, 0, 0, 1, 2, 2, 1, 2]),
    "a word that only one class has": (np.array([[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3]]), [0, 1, 0, 1, 1, 1]),
}
FINITE = {
    "overlapping, two classes": (LINE, [0, 0, 1, 0, 1, 1]),
    "overlapping, three classes": (np.tile(LINE, 2), [0, 0, 1, 1, 2, 2, 1, 2, 0, 2, 1, 0]),
    "a column twice": (np.column_stack([LINE, LINE]), [0, 0, 1, 0, 1, 1]),
    "columns that sum to another": (np.column_stack([X, X @ np.ones(4)]), TWO),
    "a constant column": (np.column_stack([LINE, np.full(6, 7.0)]), [0, 0, 1, 0, 1, 1]),
    "the same rows in both classes": (np.tile(LINE, 2), [0] * 6 + [1] * 6),
    "nothing but a constant": (np.ones(6), [0, 1, 0, 1, 0, 1]),
    "three classes, a column twice": (np.column_stack([X, X[:, 0]]), THREE),
}


@pytest.mark.parametrize(("table", "y"), SEPARATED.values(), ids=SEPARATED)
@pytest.mark.parametrize("solver", ["auto", "newton"])
def test_no_minimum(table, y, solver):
    """Where some hyperplane has all rows of a class on its side, or on it, F falls for ever without a penalty; with one it
    does not."""
    table = np.reshape(table, (len(y), -1))
    model = LogisticRegression(C=np.inf, solver=solver)
    with pytest.warns(ConvergenceWarning, match=r"a hyperplane separates classes.*give a finite C"):
        model.fit(table, y)
    assert model.certificate_.separated
    assert not model.certificate_.holds
    finite = LogisticRegression(C=100.0, solver=solver).fit(table, y)
    assert finite.certificate_.holds
    assert not finite.certificate_.separated


@pytest.mark.parametrize(("table", "y"), FINITE.values(), ids=FINITE)
@pytest.mark.parametrize("intercept", [True, False])
def test_no_false_alarm(table, y, intercept):
    """Overlapping classes have a minimum (one, or many if columns depend on each other), which is found without a warning."""
    table, y = np.reshape(table, (len(y), -1)), np.asarray(y)
    model = LogisticRegression(C=np.inf, fit_intercept=intercept, tol=1e-8).fit(table, y)
    assert model.certificate_.holds
    assert not model.certificate_.separated
    R = model.predict_proba(table) - (y[:, None] == model.classes_)
    np.testing.assert_allclose(R.T @ table, 0, atol=1e-5)


def test_separation_of_rows_without_weight_does_not_count():
    """A row of weight 0 that keeps the classes from being separated does not keep them so."""
    table, y = np.append(LINE, 2.5)[:, None], np.array([0, 0, 0, 1, 1, 1, 0])
    LogisticRegression(C=np.inf).fit(table, y)
    with pytest.warns(ConvergenceWarning, match="a hyperplane separates"):
        LogisticRegression(C=np.inf).fit(table, y, np.append(np.ones(6), 0.0))


@pytest.mark.parametrize(
    ("settings", "kind", "words"),
    [
        ({"penalty": None, "C": 4.0}, UserWarning, "C=4.0 is not used"),
        ({"penalty": "l1", "l1_ratio": 0.5}, UserWarning, "l1_ratio=0.5 is not used"),
        ({"penalty": "l2", "l1_ratio": 1.0}, UserWarning, "l1_ratio=1.0 is not used"),
        ({"l1_ratio": None}, FutureWarning, "l1_ratio=None is deprecated"),
        ({"n_jobs": 2}, FutureWarning, "n_jobs=2 has no effect"),
    ],
)
def test_parameters_that_are_not_used(settings, kind, words):
    """They are warned of, as in scikit-learn, where the fit was called."""
    rows, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    with pytest.warns(kind, match=words) as said:
        LogisticRegression(**settings).fit(rows, y)
    assert said[0].filename == __file__
    LogisticRegression(penalty="l1").fit(rows, y)
    with pytest.raises(ValueError, match="needs l1_ratio"):
        LogisticRegression(penalty="elasticnet", l1_ratio=None).fit(rows, y)
