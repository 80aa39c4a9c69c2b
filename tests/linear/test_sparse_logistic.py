"""Logistic regression with zeros: the conditions of the minimum, its proof, and three routes to it."""

import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression

import aprendiz
from aprendiz import LogisticRegression
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers import sparse_logistic
from aprendiz.linear.solvers.column_descent import column_model
from aprendiz.linear.solvers.sparse_logistic import balance, relative_gap


def problem(seed, n, d, classes=2, density=1.0):
    """Columns of unit scale (some cells zero), and classes that three of them decide."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < density)
    T = X[:, :3] @ rng.normal(size=(min(3, d), classes)) * 1.5 + rng.gumbel(size=(n, classes))
    y = T.argmax(axis=1)
    y[:classes] = np.arange(classes)
    return X, y, rng.uniform(0, 3, size=n)


def largest(X, y, weight=None, intercept=True):
    """λ₁ from which on all coefficients are zero: the largest slope where only the shares of the classes are known."""
    weight = np.ones(len(y)) if weight is None else weight
    Y = (y[:, None] == np.unique(y)).astype(float)
    shares = weight @ Y / weight.sum() if intercept else np.full(Y.shape[1], 1.0 / Y.shape[1])
    slopes = ((Y - shares) * weight[:, None]).T @ (X - X.mean(axis=0) * intercept)
    return np.abs(slopes).max(), np.abs(slopes)


def measured(model, X, y, weight=None):
    """F and its worst violated condition for each unit of weight, from coef_ and intercept_ alone, around the means of the
    columns."""
    W, b, n = model.coef_, model.intercept_, len(y)
    weight = np.ones(n) if weight is None else weight
    middle, l1, l2 = X.mean(axis=0), model.l1_ratio / model.C, (1 - model.l1_ratio) / model.C
    T = (X - middle) @ W.T + (b + W @ middle)
    log_p = log_softmax(np.column_stack([np.zeros(n), T]) if len(W) == 1 else T, axis=1)
    codes = np.searchsorted(model.classes_, y)
    F = -(weight @ log_p[np.arange(n), codes]) + l1 * np.abs(W).sum() + 0.5 * l2 * (W**2).sum()
    R = weight[:, None] * (np.exp(log_p) - (codes[:, None] == np.arange(len(model.classes_))))
    R = R[:, 1:] if len(W) == 1 else R
    slope = R.T @ (X - middle) + np.outer(R.sum(axis=0), middle) + l2 * W
    apart = np.where(W != 0, np.abs(slope + l1 * np.sign(W)), np.maximum(np.abs(slope) - l1, 0))
    rest = np.abs(R.sum(axis=0)).max() if model.fit_intercept else 0.0
    return F, max(apart.max(), rest) / weight.sum()


def slow_minimum(X, y, weight, C, share, intercept, steps=20_000):
    """F* by accelerated proximal gradient steps of fixed length, restarted whenever F rises: nothing but (1) is used."""
    classes = int(y.max()) + 1
    outputs = 1 if classes == 2 else classes
    Z = np.column_stack([np.ones(len(y)) * intercept, X])
    Y = (y[:, None] == np.arange(classes)).astype(float)
    length = 1.0 / (0.5 * np.linalg.eigvalsh(Z.T @ (weight[:, None] * Z))[-1] + 1.0 / C)
    free = np.append(0.0, np.ones(X.shape[1]))
    l1, l2 = free * share / C, free * (1 - share) / C

    def value(theta):
        T = Z @ theta.T
        log_p = log_softmax(np.column_stack([np.zeros(len(y)), T]) if outputs == 1 else T, axis=1)
        R = weight[:, None] * (np.exp(log_p) - Y)
        F = -(weight @ (log_p * Y).sum(axis=1)) + (l1 * np.abs(theta) + 0.5 * l2 * theta**2).sum()
        return F, (R[:, 1:] if outputs == 1 else R).T @ Z + l2 * theta

    theta = ahead = np.zeros((outputs, Z.shape[1]))
    before, t = np.inf, 1.0
    for _ in range(steps):
        z = ahead - length * value(ahead)[1]
        new = np.sign(z) * np.maximum(np.abs(z) - length * l1, 0)
        F = value(new)[0]
        if before < F:
            if t == 1.0:
                return before
            ahead, t = theta, 1.0
            continue
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        ahead, theta, t = new + (t - 1) / following * (new - theta), new, following
        if before - F <= 1e-16 * F and np.array_equal(np.sign(new), np.sign(ahead)) and t > 100:
            ahead, t = theta, 1.0
        before = F
    return before


# ---- conditions of the minimum ---------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(12, 60), st.integers(1, 12), st.sampled_from([2, 3, 5]),
    st.sampled_from([0.3, 0.7, 1.0]), st.floats(0.002, 0.9), st.booleans(), st.booleans(),
)  # fmt: skip
def test_conditions_of_the_minimum(seed, n, d, classes, share, part, intercept, weighted):
    """A zero coefficient has a slope within ±λ₁, another one exactly λ₁ against its direction; intercepts have none."""
    X, y, weight = problem(seed, n, d, classes)
    weight = weight if weighted else None
    C = share / (part * largest(X, y, weight, intercept)[0])
    model = LogisticRegression(C=C, l1_ratio=share, fit_intercept=intercept, tol=1e-7).fit(X, y, weight)
    F, violated = measured(model, X, y, weight)
    assert violated <= 1.01e-7
    assert model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(F, rel=1e-12)
    assert model.certificate_.gap <= 1e-6


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=["dense", "CSR", "CSC"])
@pytest.mark.parametrize("shape", [(80, 6, 1.0), (25, 400, 1.0), (50, 450, 0.03)], ids=["narrow", "wide", "wide and thin"])
def test_conditions_on_every_kind_of_table(classes, share, form, shape):
    """The same conditions hold by sums, by products of a working set, and by columns."""
    X, y, weight = problem(5, *shape[:2], classes, shape[2])
    C = share / (0.1 * largest(X, y, weight)[0])
    model = LogisticRegression(C=C, l1_ratio=share).fit(form(X), y, weight)
    F, violated = measured(model, X, y, weight)
    assert violated <= 1e-4  # tol
    assert model.certificate_.objective == pytest.approx(F, rel=1e-12)
    assert model.certificate_.gap <= 1e-4
    assert 0 < np.count_nonzero(model.coef_) < model.coef_.size


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_columns_far_from_zero(classes, share):
    """An offset of the columns changes the intercept alone."""
    X, y, weight = problem(1, 80, 6, classes)
    X = np.round(X * 1024) / 1024  # exact beside 2²⁶
    near, far = (LogisticRegression(C=0.3, l1_ratio=share, tol=1e-9).fit(t, y, weight) for t in (X, X + 2.0**26))
    assert far.certificate_.objective == pytest.approx(near.certificate_.objective, rel=1e-12)
    np.testing.assert_array_equal(far.coef_ == 0, near.coef_ == 0)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-7)


@pytest.mark.parametrize("columns", [6, 500], ids=["narrow", "wide"])
@pytest.mark.parametrize("intercept", [True, False])
def test_constant_columns(columns, intercept):
    """Beside an intercept a constant column says nothing and has no coefficient; without one it stands in for it."""
    X, y, _ = problem(2, 60, columns)
    X[:, 1], X[:, 2] = 0.0, 1.0
    y[:45] = 1
    model = LogisticRegression(C=0.5, l1_ratio=0.7, fit_intercept=intercept).fit(X, y)
    assert model.coef_[0, 1] == 0
    assert (model.coef_[0, 2] == 0) == intercept
    assert measured(model, X, y)[1] <= 1e-4


@pytest.mark.parametrize("columns", [6, 500], ids=["narrow", "wide"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_columns_that_stand_twice(columns, classes, share):
    """Twins share what one alone would have: with λ₂ equally, and F is that of one column times √2 in λ₂, or the same."""
    X, y, _ = problem(3, 60, columns, classes)
    X[:, 1] = X[:, 0]
    model = LogisticRegression(C=0.5, l1_ratio=share).fit(X, y)
    assert measured(model, X, y)[1] <= 1e-4
    if share < 1:
        np.testing.assert_allclose(model.coef_[:, 0], model.coef_[:, 1], atol=1e-5)
    else:
        alone = LogisticRegression(C=0.5, l1_ratio=share).fit(np.delete(X, 1, axis=1), y)
        assert model.certificate_.objective == pytest.approx(alone.certificate_.objective, rel=1e-8)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "CSR"])
def test_many_classes(form):
    """Thirty classes: more parameters than are worked on at once."""
    X, y, _ = problem(4, 120, 14, 30)
    model = LogisticRegression(C=2.0, l1_ratio=1.0).fit(form(X), y)
    F, violated = measured(model, X, y)
    assert model.coef_.shape == (30, 14)
    assert violated <= 1e-4
    assert model.certificate_.objective == pytest.approx(F, rel=1e-12)


# ---- the largest penalty ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("shape", [(60, 5), (40, 450)], ids=["narrow", "wide"])
def test_first_coefficient(classes, share, intercept, shape):
    """λ₁ = max |Σ ω (y − ȳ) x| leaves nothing; just below it, the column of the maximum alone comes in."""
    X, y, weight = problem(6, *shape, classes)
    X = X - np.average(X, axis=0, weights=weight)
    most, slopes = largest(X, y, weight, intercept)
    how = {"l1_ratio": share, "fit_intercept": intercept, "tol": 1e-5}
    none = LogisticRegression(C=share / (1.0001 * most), **how).fit(X, y, weight)
    assert not none.coef_.any()
    first = LogisticRegression(C=share / (0.999 * most), **how).fit(X, y, weight)
    np.testing.assert_array_equal(np.flatnonzero(first.coef_.any(axis=0)), [slopes.max(axis=0).argmax()])


def test_nothing_but_shares():
    """Where all coefficients are zero, the probabilities are the shares of the classes."""
    X, y, weight = problem(7, 60, 5, 3)
    model = LogisticRegression(C=1e-3, l1_ratio=1.0, tol=1e-10).fit(X, y, weight)
    shares = np.bincount(y, weight) / weight.sum()
    np.testing.assert_allclose(model.predict_proba(X), np.tile(shares, (60, 1)), atol=1e-8)


# ---- the proof -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_gap_is_a_bound_at_every_state(classes, share, intercept):
    """F − F* ≤ gap·F all along, F* by a slow solver that knows nothing of ours; at the end both are nothing."""
    X, y, weight = problem(8, 50, 4, classes)
    learner = LogisticRegression(C=0.5, l1_ratio=share, fit_intercept=intercept, tol=1e-9)
    best = slow_minimum(X, y, weight, 0.5, share, intercept)
    rows, penalty = learner.open(X, y, weight), ElasticPenalty(share / 0.5, (1 - share) / 0.5)
    states = list(learner.steps(X, y, weight))
    for state in states:
        gap = relative_gap(rows, penalty, state.theta, state.origin, intercept)
        assert state.objective - best <= gap * state.objective + 1e-9 * best
    assert states[-1].objective == pytest.approx(best, rel=1e-9)
    assert gap <= 1e-7


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shape", [(60, 8), (20, 390)], ids=["narrow", "wide"])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_scikit_learn_finds_nothing_better(classes, shape, share):
    """saga, run for long: no F of its is below ours by more than the gap."""
    X, y, _ = problem(9, *shape, classes)
    ours = LogisticRegression(C=0.4, l1_ratio=share).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        other = TheirLogisticRegression(C=0.4, l1_ratio=share, solver="saga", tol=1e-9, max_iter=1000).fit(X, y)
    theirs = measured(other, X, y)[0]
    F = ours.certificate_.objective
    assert F - theirs <= ours.certificate_.gap * F + 1e-12 * F
    assert theirs == pytest.approx(F, rel=1e-3)  # it is slow on wide tables


def test_liblinear_finds_nothing_better():
    """The same without an intercept (liblinear's is penalised)."""
    X, y, weight = problem(10, 80, 12)
    ours = LogisticRegression(C=0.4, l1_ratio=1.0, fit_intercept=False, tol=1e-9).fit(X, y, weight)
    other = TheirLogisticRegression(C=0.4, l1_ratio=1.0, fit_intercept=False, solver="liblinear", tol=1e-10, max_iter=10_000)
    np.testing.assert_allclose(ours.coef_, other.fit(X, y, weight).coef_, atol=1e-6)


# ---- three routes ----------------------------------------------------------------------------------------------------


@pytest.fixture
def tables(tmp_path):
    """The same rows in memory, as sparse matrices and as a file."""

    def of(X, y, weight):
        names = [f"x{j}" for j in range(X.shape[1])]
        pd.DataFrame(X, columns=names).assign(y=y, weight=weight).to_parquet(tmp_path / "t.parquet")
        kept = (y, weight)
        file = aprendiz.rows(tmp_path / "t.parquet", target="y", weight="weight")
        return [(X, *kept), (sparse.csr_matrix(X), *kept), (sparse.csc_array(X), *kept), (file,)]

    return of


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.4, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_sums_products_and_columns_agree(classes, share, intercept, tables, monkeypatch):
    """All columns at once, a working set, and class by class over stored cells: F is the same to nine digits."""
    X, y, weight = problem(11, 70, 8, classes, 0.4)
    how = {"C": 0.5, "l1_ratio": share, "fit_intercept": intercept, "tol": 1e-5}
    found = [LogisticRegression(**how).fit(*table) for table in tables(X, y, weight)]
    monkeypatch.setattr(sparse_logistic, "FEW_PARAMETERS", 0)
    found.append(LogisticRegression(**how).fit(X, y, weight))
    monkeypatch.setattr(sparse_logistic, "MANY_PARAMETERS", 0)
    found += [LogisticRegression(**how).fit(table, y, weight) for table in (X, sparse.csr_matrix(X))]
    for model in found:
        assert measured(model, X, y, weight)[0] == pytest.approx(found[0].certificate_.objective, rel=1e-9)
        np.testing.assert_allclose(model.coef_, found[0].coef_, atol=1e-4)  # nine digits of F, half of them of θ


def test_routes_are_taken(monkeypatch):
    """Narrow, wide and thin tables go where the header says."""
    seen = []
    for name in ("by_products", "by_columns"):
        plain = getattr(sparse_logistic.LogisticTable, name)
        monkeypatch.setattr(
            sparse_logistic.LogisticTable, name, lambda *a, name=name, plain=plain: [seen.append(name), plain(*a)][1]
        )
    for shape, density, expected in (
        ((60, 5), 1.0, set()),
        ((30, 500), 1.0, {"by_products"}),
        ((2000, 900), 0.002, {"by_columns"}),
    ):
        X, y, _ = problem(12, *shape, 2, density)
        seen.clear()
        LogisticRegression(C=0.5, l1_ratio=1.0).fit(sparse.csr_matrix(X) if density < 1 else X, y)
        assert set(seen) == expected


# ---- parts -----------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(3, 6), st.integers(1, 4),
    st.sampled_from([(1.0, 0.0), (0.3, 1.0), (0.01, 2.0), (2.0, 0.1)]), st.booleans(),
)  # fmt: skip
def test_balanced_has_the_smallest_penalty(seed, classes, columns, strengths, zeros):
    """No shift of all classes by a constant, tried on a fine grid, has a smaller penalty; differences stay."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(classes, 1 + columns)) * (rng.uniform(size=(classes, 1 + columns)) < 0.6 if zeros else 1.0)
    penalty = ElasticPenalty(*strengths)
    new = balance(theta, penalty)
    np.testing.assert_allclose(new - new[0], theta - theta[0], atol=1e-12)
    np.testing.assert_allclose(new[:, 0].sum(), 0, atol=1e-12)
    for j in range(1, 1 + columns):
        tried = theta[:, j] - np.append(np.linspace(-4, 4, 4001), theta[:, j])[:, None]
        costs = penalty.l1 * np.abs(tried).sum(axis=1) + 0.5 * penalty.l2 * (tried**2).sum(axis=1)
        assert penalty.value(new[:, j]) <= costs.min() * (1 + 1e-12)


def test_balanced_keeps_what_is_best_already():
    """Where no shift is better nothing changes, so zeros stay zeros; with two classes there is nothing to shift."""
    W = np.array([[0.0, 1.0], [0.0, -2.0], [0.0, 0.0]])
    np.testing.assert_array_equal(balance(np.column_stack([np.zeros(3), W]), ElasticPenalty(1.0))[:, 1:], W)
    two = np.array([[1.0, 2.0, 3.0]])
    assert balance(two, ElasticPenalty(1.0)) is two


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(40, 80), st.integers(1, 6), st.booleans(),
    st.sampled_from([(0.5, 0.0), (0.5, 0.3), (0.0, 1.0)]),
)  # fmt: skip
def test_column_model(seed, n, m, intercept, strengths):
    """The answer solves its quadratic model, written out with dense matrices: slopes of ±λ₁, or within them at zero."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, m)) * (rng.uniform(size=(n, m)) < 0.4)
    D, g, w, g0 = rng.uniform(0.05, 0.25, size=n), rng.normal(size=m), rng.normal(size=m), float(rng.normal())
    penalty = ElasticPenalty(*strengths)
    new, beta, v = column_model(sparse.csc_array(Z), D, g, w, g0 if intercept else None, penalty, 1e-18)
    np.testing.assert_allclose(v, beta + Z @ (new - w), atol=1e-12)
    slope = g + Z.T @ (D * v) + penalty.l2 * new
    apart = np.where(new != 0, np.abs(slope + penalty.l1 * np.sign(new)), np.maximum(np.abs(slope) - penalty.l1, 0))
    assert apart.max() <= 1e-6  # so many rows make the columns nearly orthogonal: 50 sweeps are enough
    if intercept:
        assert g0 + D @ v == pytest.approx(0, abs=1e-10)
    else:
        assert beta == 0


# ---- states ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shape", [(60, 6), (30, 450)], ids=["narrow", "wide"])
def test_warm_start(classes, shape):
    """From its own answer a fit is done at once; from that of another penalty it arrives at the same F."""
    X, y, weight = problem(13, *shape, classes)
    model = LogisticRegression(C=0.5, l1_ratio=0.8, warm_start=True).fit(X, y, weight)
    coef = model.coef_.copy()
    model.fit(X, y, weight)
    assert model.n_iter_[0] == 0
    np.testing.assert_allclose(model.coef_, coef, atol=1e-12)
    cold = LogisticRegression(C=2.0, l1_ratio=0.8).fit(X, y, weight)
    model.set_params(C=2.0).fit(X, y, weight)
    assert model.certificate_.objective == pytest.approx(cold.certificate_.objective, rel=1e-8)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shape", [(60, 6), (30, 450)], ids=["narrow", "wide"])
def test_resumed_fits_arrive(classes, shape):
    """F never rises from state to state; continued from any state, the fit ends where it would have ended."""
    X, y, weight = problem(14, *shape, classes)
    learner = LogisticRegression(C=0.5, l1_ratio=0.8)
    states = list(learner.steps(X, y, weight))
    values = np.array([state.objective for state in states])
    assert len(values) > 2
    assert (np.diff(values) <= 1e-13 * values[0]).all()
    assert [state.iteration for state in states] == list(range(len(states)))
    for since in states[:-1]:
        again = list(learner.steps(X, y, weight, since=since))
        assert again[0].iteration == since.iteration + 1
        assert again[-1].settled
        assert again[-1].objective == pytest.approx(values[-1], rel=1e-8)


@pytest.mark.parametrize("classes", [2, 3])
def test_resumed_fits_have_the_same_bits(classes):
    """From sums over the rows, a state holds all there is to know."""
    X, y, weight = problem(14, 60, 6, classes)
    learner = LogisticRegression(C=0.5, l1_ratio=0.8)
    states = list(learner.steps(X, y, weight))
    again = list(learner.steps(X, y, weight, since=states[1]))
    assert len(again) == len(states) - 2
    assert np.array_equal(again[-1].theta, states[-1].theta)


def test_too_few_passes():
    """A fit that may not arrive says so, and its gap does not claim otherwise."""
    X, y, weight = problem(15, 60, 6)
    model = LogisticRegression(C=5.0, l1_ratio=1.0, max_iter=1)
    with pytest.warns(ConvergenceWarning, match=r"Raise max_iter \(it is 1\)"):
        model.fit(X, y, weight)
    assert not model.certificate_.holds
    best = LogisticRegression(C=5.0, l1_ratio=1.0, tol=1e-9).fit(X, y, weight).certificate_.objective
    F = model.certificate_.objective
    assert best < F
    assert F - best <= model.certificate_.gap * F


# ---- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_so", "means", "warned"),
    [
        ({"penalty": "l1"}, {"l1_ratio": 1.0}, None),
        ({"penalty": "l2", "l1_ratio": 0.7}, {"l1_ratio": 0.0}, "l1_ratio=0.7 is not used"),
        ({"penalty": "elasticnet", "l1_ratio": 0.3}, {"l1_ratio": 0.3}, None),
        ({"penalty": None}, {"C": np.inf}, None),
        ({"l1_ratio": None}, {"l1_ratio": 0.0}, "l1_ratio=None is deprecated"),
    ],
    ids=["l1", "l2", "elasticnet", "None", "no ratio"],
)
def test_old_names_of_penalties(given_so, means, warned):
    """scikit-learn's deprecated words mean what they did, and those that contradict others are warned of."""
    X, y, weight = problem(16, 80, 4)
    with nullcontext() if warned is None else pytest.warns((UserWarning, FutureWarning), match=warned):
        old = LogisticRegression(tol=1e-9, **given_so).fit(X, y, weight)
    new = LogisticRegression(tol=1e-9, **means).fit(X, y, weight)
    np.testing.assert_array_equal(old.coef_, new.coef_)
    np.testing.assert_array_equal(old.intercept_, new.intercept_)


@pytest.mark.parametrize("how", [{"solver": "gd"}, {"solver": "sgd"}, {"solver": "newton"}, {"loss": "squared"}])
def test_what_cannot_go_with_zeros(how):
    """Solvers for smooth penalties, and the squared loss, are refused with the remedy."""
    X, y, _ = problem(17, 30, 3)
    with pytest.raises(ValueError, match=r"needs a smooth penalty: give l1_ratio=0"):
        LogisticRegression(l1_ratio=0.5, **how).fit(X, y)


def test_class_weights():
    """Weights of classes are weights of their rows."""
    X, y, weight = problem(18, 80, 5, 3)
    named = LogisticRegression(C=0.5, l1_ratio=0.7, class_weight={0: 2.0, 2: 0.5}, tol=1e-9).fit(X, y, weight)
    by_row = LogisticRegression(C=0.5, l1_ratio=0.7, tol=1e-9).fit(X, y, weight * np.array([2.0, 1.0, 0.5])[y])
    np.testing.assert_allclose(named.coef_, by_row.coef_, atol=1e-10)
