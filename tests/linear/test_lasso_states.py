"""Lasso and elastic net as states: continued with the same bits from any look, and honest whenever they are stopped."""

import pickle
from dataclasses import fields

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import ElasticNet, ElasticNetCV, Lasso, LassoCV
from aprendiz.linear.solvers import working_set


def rows_of(n, d, targets=1, decided=30, seed=0):
    """Columns that have something in common, and targets that some of them decide."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 0.5 * rng.normal(size=(n, 1))
    W = np.zeros((d, targets))
    W[:decided] = rng.normal(size=(min(decided, d), targets))
    Y = X @ W + 0.3 * rng.normal(size=(n, targets)) + 2
    return X, Y[:, 0] if targets == 1 else Y


WIDE, TALL, SEVERAL = rows_of(80, 400), rows_of(600, 100, decided=80), rows_of(90, 250, 3)
THIN = sparse.csc_array(np.where(np.abs(WIDE[0]) > 1.2, WIDE[0], 0.0)), WIDE[1]
MANY = rows_of(90, 150, decided=100)
PROBLEMS = {
    "table": (Lasso(0.01), *WIDE),
    "elastic": (ElasticNet(0.01, l1_ratio=0.3), *WIDE),
    "sums": (Lasso(0.001), *TALL),
    "sparse": (Lasso(0.1), *THIN),
    "sparse, many at work": (Lasso(0.01, tol=0.01), *THIN),
    "several targets": (Lasso(0.02), *SEVERAL),
    "half the digits": (ElasticNet(0.001, l1_ratio=0.5, tol=1e-8), *MANY),
    "all digits in the end": (ElasticNet(0.001, l1_ratio=0.5, tol=0.0), *MANY),
    "positive": (Lasso(0.01, positive=True, fit_intercept=False), *WIDE),
    "budget": (Lasso(budget=3.0), *WIDE),
    "budgets": (ElasticNet(budget=3.0), *SEVERAL),
    "folds": (LassoCV(cv=3, alphas=7), *WIDE),
    "folds from sums": (ElasticNetCV(l1_ratio=[0.4, 0.9], cv=4, alphas=5), *TALL),
}
every_problem = pytest.mark.parametrize("name", PROBLEMS)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Sixteen columns are so many that their products are kept with half the digits."""
    monkeypatch.setattr(working_set, "MANY_COLUMNS", 16)


def assert_same(one, other):
    for field in fields(one):
        a, b = np.asarray(getattr(one, field.name)), np.asarray(getattr(other, field.name))
        assert a.dtype == b.dtype, field.name
        assert a.tobytes() == b.tobytes(), field.name


@every_problem
def test_continued_from_every_state(name):
    """The states that follow a stored one have the bits that they would have had."""
    model, X, y = PROBLEMS[name]
    states = list(model.steps(X, y))
    assert len(states) >= 2
    for number, since in enumerate(states):
        after = list(model.steps(X, y, since=pickle.loads(pickle.dumps(since))))
        assert len(after) == len(states) - number - 1
        for one, other in zip(after, states[number + 1 :], strict=True):
            assert_same(one, other)


@every_problem
def test_checkpoints(name, tmp_path):
    """Stopped at every state and taken up again, a fit ends where it would have ended."""
    model, X, y = PROBLEMS[name]
    expected = type(model)(**model.get_params()).fit(X, y)
    for _ in range(len(list(model.steps(X, y))) - 1):
        with aprendiz.training(checkpoint=tmp_path, budget=0), pytest.warns(ConvergenceWarning, match="time budget"):
            type(model)(**model.get_params()).fit(X, y)
    with aprendiz.training(checkpoint=tmp_path):
        found = type(model)(**model.get_params()).fit(X, y)
    assert np.array_equal(found.coef_, expected.coef_)
    assert np.array_equal(found.intercept_, expected.intercept_)
    assert np.array_equal(found.alpha_, expected.alpha_)
    assert found.n_iter_ == expected.n_iter_


@pytest.mark.parametrize("name", ["table", "elastic", "sums", "sparse", "several targets", "positive"])
def test_the_gap_is_honest_at_every_state(name):
    """The objective of a state is above the minimum by no more than its gap says, of each target."""
    model, X, y = PROBLEMS[name]
    dense = X.toarray() if sparse.issparse(X) else X
    energy = np.atleast_1d(((y - y.mean(axis=0) * model.fit_intercept) ** 2).sum(axis=0))

    def objectives(fitted):
        residual = np.reshape(y - (dense @ fitted.coef_.T + fitted.intercept_), (len(dense), -1))
        W, share = np.atleast_2d(fitted.coef_), getattr(fitted, "l1_ratio", 1.0)
        penalty = share * np.abs(W).sum(axis=1) + 0.5 * (1 - share) * (W**2).sum(axis=1)
        return 0.5 * (residual**2).sum(axis=0) + len(dense) * fitted.alpha * penalty

    best = objectives(type(model)(**{**model.get_params(), "tol": 1e-13}).fit(X, y))
    rows = model.open(X, y)
    for state in model.steps(X, y):
        fitted = type(model)(**model.get_params()).settle(model.attributes(state, rows))
        apart = (objectives(fitted) - best) / energy
        gaps = np.atleast_1d(fitted.dual_gap_) * len(dense) / energy
        assert (apart <= gaps + 1e-10).all()
        known = np.where(np.isfinite(gaps), gaps, 0.5)
        assert fitted.certificate_.gap == pytest.approx(np.max(known), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("weight", [None, np.arange(40) % 3 + 0.5])
def test_units_of_the_gap(weight):
    """The gap of each state is objective − dual in the units of the objective, as the definition gives both: the dual point is
    the residual, scaled until no column pulls by more than α."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 8)), 3.0 * rng.normal(size=40) + 1.0
    w, model = np.ones(40) if weight is None else weight, Lasso(0.05, fit_intercept=False)
    rows, seen = model.open(X, y, weight), 0
    for state in model.steps(X, y, weight):
        found = model.attributes(state, rows)
        R = y - X @ found["coef_"]
        primal = 0.5 * np.average(R**2, weights=w) + 0.05 * np.abs(found["coef_"]).sum()
        R = R / max(1.0, np.abs(X.T @ (w * R)).max() / (w.sum() * 0.05))
        dual = 0.5 * (np.average(y**2, weights=w) - np.average((y - R) ** 2, weights=w))
        assert found["dual_gap_"] <= (primal - dual) * (1 + 1e-9) + 1e-12  # another scale may prove more
        seen += found["dual_gap_"] > 1e-6
    assert seen > 0


def test_a_budget_of_time_for_several_targets():
    """Targets that had no time have no coefficients, their mean as intercept, and a gap that is not known: ½ of ‖y‖²."""
    model, X, y = PROBLEMS["several targets"]
    states = list(model.steps(X, y))
    first_of_second = next(state for state in states if len(state.coef) == 1)
    found = model.attributes(first_of_second, model.open(X, y))
    assert found["coef_"][0].any()
    assert not found["coef_"][2].any()
    assert found["intercept_"][2] == pytest.approx(y[:, 2].mean())
    assert found["dual_gap_"][2] == np.inf
    assert found["certificate_"].gap == 0.5
    assert not found["certificate_"].holds


def test_stopped_folds_choose_by_those_that_were_done():
    """After two folds of four the penalty is the best in those two, and all rows are fitted with it."""
    X, y = TALL
    model = LassoCV(cv=4, alphas=6)
    states, rows = list(model.steps(X, y)), model.open(X, y)
    assert [len(state.errors) for state in states] == [0, 1, 2, 3, 4, 4]
    found, whole = model.attributes(states[2], rows), model.attributes(states[-1], rows)
    assert found["mse_path_"].tobytes() == whole["mse_path_"][:, :2].tobytes()
    alpha = found["alphas_"][found["mse_path_"].mean(axis=1).argmin()]
    assert found["alpha_"] == alpha
    np.testing.assert_allclose(found["coef_"], Lasso(alpha, tol=1e-12).fit(X, y).coef_, atol=1e-6)
    nothing = model.attributes(states[0], rows)
    assert not nothing["coef_"].any()
    assert nothing["intercept_"] == pytest.approx(y.mean())


def test_closed_form():
    """Without a penalty that makes zeros there is one state, and it is settled."""
    X, y = TALL
    (state,) = ElasticNet(0.1, l1_ratio=0.0).steps(X, y)
    assert state.settled
    assert list(ElasticNet(0.1, l1_ratio=0.0).steps(X, y, since=state)) == []


def test_the_warning_names_the_caller():
    """Whoever called `fit` is told where."""
    X, y = WIDE
    with pytest.warns(ConvergenceWarning, match="max_iter reached") as caught:
        Lasso(0.0005, max_iter=1, tol=1e-12).fit(X, y)
    assert [warning.filename for warning in caught] == [__file__]
