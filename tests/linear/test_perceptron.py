"""The perceptron: its rule row by row, its bound on mistakes, and what is given where no plane separates the classes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

from aprendiz import Perceptron
from aprendiz.core.rows import Block
from aprendiz.linear.designs.visits import visiting_order
from aprendiz.linear.diagnostics.mistake_bound import mistake_bound

RNG = np.random.default_rng(2)
X = np.where(RNG.random((80, 4)) < 0.7, np.round(8 * RNG.normal(size=(80, 4))) / 8, 0.0)  # eighths: sums round nothing
NOISY = np.where(X @ [1.0, -2.0, 0.5, 0.0] + RNG.normal(size=80) > 0.3, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(X @ [1.0, -2.0, 0.5, 0.0], [-1.0, 1.0])]
WEIGHT = RNG.integers(0, 3, 80).astype(float)


def separable(rng, n, d, gap=0.05):
    """Rows on both sides of a plane, none nearer than `gap`, and the plane."""
    w, b = rng.normal(size=d), rng.normal()
    rows = 3 * rng.normal(size=(20 * n, d)) + rng.normal(size=d)
    t = rows @ w + b
    chosen = np.flatnonzero(np.abs(t) > gap * np.linalg.norm(w))[:n]
    y = t[chosen] > 0
    return (rows[chosen], y, w, b) if 0 < y.sum() < len(y) else separable(rng, n, d, gap)


def plain(X, y, epochs, *, start=None, seed=0, weight=None, rate="constant", eta0=1.0, shuffle=True, intercept=True):
    """(1) as it stands: θ after each visit, and the mistakes of each epoch."""
    theta = np.zeros(1 + X.shape[1]) if start is None else np.array(start, float)
    visited, mistakes = [], []
    for epoch in range(epochs):
        mistakes.append(0)
        for i in visiting_order(Block(X, None, None, 0), seed, epoch, shuffle):
            eta = eta0 * (1.0 if rate == "constant" else 1000 / (1000 + len(visited)))
            omega = 1.0 if weight is None else weight[i]
            if omega and (theta[0] + X[i] @ theta[1:] >= 0) != y[i]:
                theta = theta + eta * omega * (1 if y[i] else -1) * np.r_[float(intercept), X[i]]
                mistakes[-1] += 1
            visited.append(theta)
    return np.array(visited), mistakes


# ---- the rule --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("rate", ["constant", "decreasing"])
def test_the_rule(form, weight, rate):
    """Planes and mistakes are those of the plain rule, visit by visit; so is the mean of all planes."""
    for shuffle, intercept, eta0 in itertools.product([True, False], [True, False], [1.0, 0.25]):
        options = {"rate": rate, "shuffle": shuffle, "eta0": eta0, "fit_intercept": intercept}
        model = Perceptron(max_iter=6, tol=0.0, n_iter_no_change=9, **options)
        told = {"weight": weight, "rate": rate, "shuffle": shuffle, "eta0": eta0, "intercept": intercept}
        visited, mistakes = plain(X, NOISY == "yes", 6, **told)
        with pytest.warns(ConvergenceWarning):
            model.fit(form(X), NOISY, sample_weight=weight)
        np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], visited[-1], rtol=1e-12, atol=1e-12)
        assert model.history_[:, 0].tolist() == mistakes
        assert model.mistakes_.tolist() == [sum(mistakes)]
        with pytest.warns(ConvergenceWarning):
            model.set_params(average=True).fit(form(X), NOISY, sample_weight=weight)
        np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], visited.mean(axis=0), rtol=1e-9, atol=1e-11)


def test_zero_is_the_second_class():
    """f(0) = +1: from a start at zero, rows of the second class are no mistakes, and rows on the plane belong to it."""
    model = Perceptron(shuffle=False).fit([[1.0], [2.0], [-3.0]], ["b", "b", "a"])
    assert model.history_[0, 0] == 1
    assert np.array_equal(np.r_[model.intercept_, model.coef_[0]], [-1.0, 3.0])
    model.intercept_[:], model.coef_[:] = 0.0, 1.0
    assert model.predict([[-0.5], [0.0], [0.5]]).tolist() == ["a", "b", "b"]


def test_classes_against_the_rest():
    """With three classes there is a plane for each against the others, and mistakes are counted for each."""
    model = Perceptron(max_iter=8, tol=0.0, n_iter_no_change=10)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, THREE)
    for k, name in enumerate("abc"):
        visited, mistakes = plain(X, name == THREE, 8)
        assert np.array_equal(np.r_[model.intercept_[k], model.coef_[k]], visited[-1])
        assert model.history_[:, k].tolist() == mistakes


def test_any_rate():
    """From zero, η only scales the plane: with a power of two the bits say so, and mistakes are the same."""
    rows, y, *_ = separable(np.random.default_rng(0), 60, 3)
    one, small = (Perceptron(eta0=eta, tol=None).fit(rows, y) for eta in (1.0, 2.0**-20))
    assert np.array_equal(small.coef_, one.coef_ * 2.0**-20)
    assert np.array_equal(small.history_, one.history_)
    np.testing.assert_allclose(small.mistake_bound_, one.mistake_bound_, rtol=1e-12)


# ---- separable classes -----------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(
    st.integers(0, 2**32), st.integers(4, 60), st.integers(1, 5), st.sampled_from([0.0, 1.0, 20.0]), st.sampled_from([1.0, 0.1])
)
def test_the_bound_on_mistakes(seed, n, d, far, eta0):
    """From any start, a separable problem ends separated, with no more mistakes than the bound of the plane that was found, and
    than the bound of the plane that made the rows, whatever the length of either."""
    rng = np.random.default_rng(seed)
    rows, y, w, b = separable(rng, n, d)
    start = far * rng.normal(size=1 + d)
    model = Perceptron(tol=None, max_iter=10**5, eta0=eta0).fit(rows, y, coef_init=start[1:], intercept_init=start[:1])
    assert model.score(rows, y) == 1.0
    assert model.certificate_.separated
    assert model.history_[-1, 0] == 0
    assert model.mistakes_[0] <= model.mistake_bound_[0] < np.inf
    square = np.max(np.sum(rows**2, axis=1)) + 1
    for length in (1e-3, 1.0, 30.0):
        plane = length * np.r_[b, w]
        L = np.abs(plane[0] + rows @ plane[1:]).min()
        printed = plane @ plane * (np.sum((plane - start / eta0) ** 2) + 2 * square) / L**2
        assert model.mistakes_[0] <= printed
        assert mistake_bound(plane, L, start / eta0, square) <= printed * (1 + 1e-12)


def test_bound_without_intercept():
    """Without b, the bound speaks of x and w alone."""
    rng = np.random.default_rng(5)
    w = rng.normal(size=3)
    rows = rng.normal(size=(200, 3))
    rows = rows[np.abs(rows @ w) > 0.3]
    model = Perceptron(fit_intercept=False, tol=None).fit(rows, rows @ w > 0)
    found = model.coef_[0]
    L = np.abs(rows @ found).min()
    expected = 2 * found @ found * np.max(np.sum(rows**2, axis=1)) / L**2
    assert model.mistakes_[0] <= model.mistake_bound_[0] == pytest.approx(expected, rel=1e-10)
    assert model.intercept_[0] == 0.0


def test_margin():
    """The certificate knows the distance of the plane from the nearest row."""
    rows, y, *_ = separable(np.random.default_rng(1), 50, 2)
    model = Perceptron(tol=None).fit(rows, y)
    distance = np.abs(model.decision_function(rows)).min() / np.linalg.norm(model.coef_)
    assert model.certificate_.margin == pytest.approx(distance, rel=1e-12)
    assert str(model.certificate_).startswith("holds: every training row is on the right side")


def test_it_stays():
    """Once the classes are separated, another fit from there makes no mistake and moves nothing."""
    rows, y, *_ = separable(np.random.default_rng(3), 50, 3)
    model = Perceptron(tol=None, warm_start=True).fit(rows, y)
    before = model.coef_.copy()
    assert model.fit(rows, y).mistakes_.tolist() == [0]
    assert model.n_iter_ == 1
    assert np.array_equal(model.coef_, before)


def test_scikit_learn_separates_them_too():
    """Both end with a plane that makes no error; three classes each on their side of their own plane."""
    rows, y, *_ = separable(np.random.default_rng(4), 80, 3, gap=0.5)
    for cls in (Perceptron, linear_model.Perceptron):
        assert cls(tol=1e-9, n_iter_no_change=20).fit(rows, y).score(rows, y) == 1.0
    corners = np.repeat([[0.0, 4.0], [4.0, -4.0], [-4.0, -4.0]], 10, axis=0) + RNG.uniform(-1, 1, (30, 2))
    model = Perceptron(tol=None).fit(corners, np.repeat([0, 1, 2], 10))
    assert model.certificate_.separated
    assert (model.mistakes_ <= model.mistake_bound_).all()


# ---- classes that overlap --------------------------------------------------------------------------------------------


def test_warning():
    """With tol=None it goes on until all are separated, and says that they are not; with tol it comes to rest in silence."""
    with pytest.warns(ConvergenceWarning, match=r"the classes are not separated.*pocket=True"):
        model = Perceptron(tol=None, max_iter=30).fit(X, NOISY)
    assert model.n_iter_ == 30
    assert not model.certificate_.holds
    assert model.mistake_bound_.tolist() == [np.inf]
    rested = Perceptron().fit(X, NOISY)
    assert rested.n_iter_ < 1000
    assert not rested.certificate_.separated
    assert rested.certificate_.errors == np.sum(rested.predict(X) != NOISY)


def test_pocket():
    """The pocket errs no more than any plane at the end of an epoch, nor than the longest survivor of an epoch, and never
    more after more epochs."""

    def errors(theta):
        return np.sum((theta[0] + X @ theta[1:] >= 0) != (NOISY == "yes"))

    kept = []
    for epochs in (1, 2, 5, 10, 40):
        with pytest.warns(ConvergenceWarning):
            model = Perceptron(pocket=True, tol=None, max_iter=epochs).fit(X, NOISY)
        visited, _ = plain(X, NOISY == "yes", epochs)
        kept.append(np.sum(model.predict(X) != NOISY))
        assert kept[-1] == model.certificate_.errors
        assert kept[-1] <= min(errors(theta) for theta in visited[79::80])
        for epoch in visited.reshape(epochs, 80, 5):
            starts = np.flatnonzero(np.r_[True, (np.diff(epoch, axis=0) != 0).any(axis=1)])
            runs = np.diff(np.r_[starts, 80])
            assert kept[-1] <= errors(epoch[starts[runs.argmax()]])
    assert kept == sorted(kept, reverse=True)


def test_pocket_or_average():
    with pytest.raises(ValueError, match="choose one of them"):
        Perceptron(average=True, pocket=True).fit(X, NOISY)


def test_weights_have_no_bound():
    """The bound speaks of steps that are all alike."""
    rows, y, *_ = separable(np.random.default_rng(6), 30, 2, gap=0.5)
    assert Perceptron(tol=None).fit(rows, y, sample_weight=np.arange(30) + 1.0).mistake_bound_.tolist() == [np.inf]
    assert Perceptron(tol=None, rate="decreasing").fit(rows, y).mistake_bound_.tolist() == [np.inf]


# ---- in pieces ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["last", "average", "pocket"])
def test_partial_fit_is_one_epoch(answer):
    """Called with the same rows again and again it goes the way of a fit."""
    options = {} if answer == "last" else {answer: True}
    with pytest.warns(ConvergenceWarning):
        whole = Perceptron(max_iter=5, tol=None, **options).fit(X, NOISY)
    model = Perceptron(**options)
    for _ in range(5):
        model.partial_fit(X, NOISY, classes=["no", "yes"])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
    assert np.array_equal(model.history_, whole.history_)
    assert model.t_ == whole.t_ == 5 * 80 + 1
    assert model.mistake_bound_.tolist() == [np.inf]


# ---- a penalty ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
def test_penalty_is_that_of_scikit_learn(penalty):
    """Rows in the order in which they stand: the same coefficients; and no bound on the mistakes. (On sparse rows
    scikit-learn's absolute penalty leaves out what columns owe that are absent from the last rows.)"""
    settings = {"penalty": penalty, "alpha": 0.01, "l1_ratio": 0.3, "max_iter": 4, "shuffle": False, "tol": 0.0}
    for table in (X, sparse.csr_matrix(X)) if penalty == "l2" else (X,):
        with pytest.warns(ConvergenceWarning):
            ours = Perceptron(n_iter_no_change=50, **settings).fit(table, THREE)
        with pytest.warns(ConvergenceWarning):
            theirs = linear_model.Perceptron(n_iter_no_change=50, **settings).fit(table, THREE)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
        assert np.isinf(ours.mistake_bound_).all()
        assert (ours.history_[0] > 0).all()


def test_penalty_goes_on():
    """partial_fit makes the epochs of a fit; a strong absolute penalty leaves nothing of the coefficients."""
    settings = {"penalty": "l2", "alpha": 0.001, "random_state": 2}
    with pytest.warns(ConvergenceWarning):
        whole = Perceptron(max_iter=3, tol=None, **settings).fit(X, THREE)
    model = Perceptron(**settings)
    for _ in range(3):
        model.partial_fit(X, THREE, classes=["a", "b", "c"])
    assert np.array_equal(model.coef_, whole.coef_)
    assert np.array_equal(model.history_, whole.history_)
    assert not Perceptron(penalty="l1", alpha=10.0).fit(X, THREE).coef_.any()


def test_penalty_goes_without_averages():
    for other in ("average", "pocket"):
        with pytest.raises(ValueError, match=r"penalty='l2' goes without average and pocket"):
            Perceptron(penalty="l2", **{other: True}).fit(X, NOISY)


def test_precision():
    """Coefficients and answers have the precision of the table, and the certificate is that of what is stored."""
    for precision in (np.float32, np.float64):
        model = Perceptron().fit(X.astype(precision), THREE)
        theirs = linear_model.Perceptron().fit(X.astype(precision), THREE)
        for one in (model, theirs):
            assert one.coef_.dtype == one.intercept_.dtype == one.decision_function(X.astype(precision)).dtype == precision
        T = X @ model.coef_.T.astype(np.float64) + model.intercept_
        assert model.certificate_.errors == np.sum((T >= 0) != (THREE[:, None] == model.classes_))
