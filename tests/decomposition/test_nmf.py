"""Non-negative matrix factorisation: descent, conditions of a minimum, exact recovery, starts, and scikit-learn's objective."""

import warnings
from functools import cache

import numpy as np
import pytest
import sklearn.decomposition
from scipy import sparse
from scipy.optimize import nnls
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import NMF as THEIR_NMF
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import NMF, non_negative_factorization
from aprendiz.decomposition.nonnegative.between_readings import PassesBetween, remainders
from aprendiz.decomposition.nonnegative.factors import Factors
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.singular_part import SingularPart

RNG = np.random.default_rng(0)
IRIS = load_iris().data
DIGITS = load_digits().data[:300]
COUNTS = RNG.poisson(RNG.gamma(0.3, 1.0, (60, 3)) @ RNG.gamma(0.5, 2.0, (3, 40))).astype(float)
TABLES = {"iris": (IRIS, 3), "digits": (DIGITS, 8), "counts": (COUNTS, 3)}
LOSSES = ["frobenius", "kullback-leibler", "itakura-saito", 0.5, 1.5, 3.0]


def separable(n, d, k, seed=0):
    """W with a row of its own for each part and H such that a column of its own belongs to each: one factorisation only."""
    rng = np.random.default_rng(seed)
    W, H = rng.gamma(0.7, 1.0, (n, k)), rng.gamma(0.7, 1.0, (k, d))
    W[:k], H[:, :k] = np.diag(1.0 + rng.random(k)), np.diag(1.0 + rng.random(k))
    return W, H


def matched(W, H, model_W, model_H):
    """Both factors with parts of length 1, those found in the order of the true ones."""
    scaled, found = H / np.linalg.norm(H, axis=1)[:, None], model_H / np.linalg.norm(model_H, axis=1)[:, None]
    order = (scaled @ found.T).argmax(axis=1)
    assert len(set(order)) == len(order)
    return scaled, found[order], W * np.linalg.norm(H, axis=1), (model_W * np.linalg.norm(model_H, axis=1))[:, order]


@cache
def fits(name):
    """Our fit and scikit-learn's, at the same default tolerance."""
    X, k = TABLES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return NMF(k, random_state=0, max_iter=500).fit(X), THEIR_NMF(k, random_state=0, max_iter=500).fit(X)


# ---- descent -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_not_worse_than_scikit_learn(name):
    """At the same tolerance the error is scikit-learn's or less, from the same kind of start (0.1 % for another minimum), after
    fewer passes; and what it is for them it was long before."""
    ours, theirs = fits(name)
    assert ours.certificate_.holds
    assert ours.n_iter_ < theirs.n_iter_
    assert ours.reconstruction_err_ <= 1.001 * theirs.reconstruction_err_
    reached = np.sqrt(2.0 * ours.certificate_.values["log"]) <= 1.001 * theirs.reconstruction_err_
    assert np.argmax(reached) < theirs.n_iter_


def test_passes_are_carried_on_as_far_as_their_rate_says():
    """Topics with words of their own need hardly any extrapolation: a pass that is undone is a pass lost. Steps of 0.5 and
    more, whatever the rate, took 13 passes here."""
    rng = np.random.default_rng(0)
    topics, shares = rng.dirichlet(np.full(400, 0.02), 8), rng.dirichlet(np.full(8, 0.1), 500)
    X = rng.poisson(40 * shares @ topics).astype(float)
    passes = list(NMF(8, random_state=0, tol=0.0, max_iter=40).steps(X))
    objectives = np.array([state.objective for state in passes[1:]])
    assert np.argmax(objectives <= objectives[-1] * (1 + 1e-8)) + 1 < 11


def test_error_is_of_the_rows():
    """`reconstruction_err_` is ‖X − WH‖ for the W of `fit_transform`, which is that of `transform`."""
    model = NMF(3, random_state=0)
    W = model.fit_transform(IRIS)
    assert np.array_equal(W, model.transform(IRIS))
    assert np.linalg.norm(IRIS - W @ model.components_) == pytest.approx(model.reconstruction_err_, rel=1e-12)
    np.testing.assert_allclose(model.inverse_transform(W), W @ model.components_)


@pytest.mark.parametrize("solver", ["cd", "mu"])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
def test_the_objective_is_that_of_scikit_learn(solver, l1_ratio):
    """What each state says of itself is (2), penalties and all; it never rises."""
    X, (n, d) = COUNTS, COUNTS.shape
    model = NMF(3, solver=solver, alpha_W=0.002, alpha_H=0.003, l1_ratio=l1_ratio, random_state=1, max_iter=30, tol=0.0)
    states = list(model.steps(X))[1:]
    for state in states:
        W, H = state.U, state.V.T
        sums = 0.002 * d * (l1_ratio * W.sum() + 0.5 * (1 - l1_ratio) * (W**2).sum())
        sums += 0.003 * n * (l1_ratio * H.sum() + 0.5 * (1 - l1_ratio) * (H**2).sum())
        assert state.objective == pytest.approx(0.5 * ((X - W @ H) ** 2).sum() + sums, rel=1e-11)
    assert (np.diff([state.objective for state in states]) <= 1e-12 * states[0].objective).all()
    assert states[-1].objective < 0.95 * states[0].objective


@pytest.mark.parametrize("loss", LOSSES)
def test_divergences_never_rise(loss):
    """The rule of multiplication for any β, from a start without zeros; the objective is ΣD."""
    X = COUNTS[:30] + 0.5
    model = NMF(3, init="random", solver="mu", beta_loss=loss, random_state=0, tol=0.0, max_iter=40, alpha_W=1e-3)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model.fit(X)
    log = model.certificate_.log
    assert model.certificate_.rise == 0
    assert len(log) == 40
    assert (np.diff(log) <= 0).all()
    assert log[-1] < 0.7 * log[0]
    from sklearn.decomposition._nmf import _beta_divergence

    W = model.transform(X)
    assert model.reconstruction_err_ == pytest.approx(_beta_divergence(X, W, model.components_, loss, True), rel=1e-6)


@pytest.mark.parametrize("loss", [0.1, 0.2])
def test_cells_that_are_0(loss):
    """Estimates of cells that are 0 go to 0, where powers with β − 2 are infinite; those with β − 1 are not."""
    X = np.maximum(np.random.default_rng(2).normal(size=(8, 6)), 0.0)
    model = NMF(3, init="random", solver="mu", beta_loss=loss, random_state=0, max_iter=1_000, tol=1e-8).fit(X)
    assert (model.inverse_transform(model.transform(X))[X == 0] == 0).any()
    assert model.certificate_.holds


@pytest.mark.parametrize("loss", ["kullback-leibler", 1.5])
def test_rises_are_measured_beside_the_table(loss):
    """Where the parts are exact, rounding may raise an objective that is nothing but rounding."""
    rng = np.random.default_rng(0)
    X = np.outer(rng.random(30) + 0.1, rng.random(9) + 0.1)
    with warnings.catch_warnings(action="ignore"):
        known = NMF(1, solver="mu", beta_loss=loss, tol=0.0, max_iter=30).fit(X).certificate_
    assert np.diff(known.log).max() > 0
    assert np.abs(known.log).max() < 1e-11
    assert known.holds


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_kullback_leibler_by_newton(form):
    """solver="cd" lowers the same divergence in fewer passes than multiplication, and never raises it."""
    fast = NMF(3, beta_loss="kullback-leibler", random_state=0, tol=1e-5, max_iter=500).fit(form(COUNTS))
    slow = NMF(3, beta_loss="kullback-leibler", solver="mu", random_state=0, tol=1e-7, max_iter=2000).fit(COUNTS)
    log = fast.certificate_.log
    assert (np.diff(log) <= 0).all()
    assert fast.certificate_.holds
    assert fast.n_iter_ < 0.5 * slow.n_iter_
    assert log[-1] < 1.001 * slow.certificate_.log[-1]
    last = list(NMF(3, beta_loss=1, random_state=0, tol=1e-5, max_iter=500, alpha_W=0.01, l1_ratio=0.3).steps(form(COUNTS)))[-1]
    Y, (n, d) = last.U @ last.V.T, COUNTS.shape
    divergence = (COUNTS[COUNTS > 0] * np.log(COUNTS[COUNTS > 0] / Y[COUNTS > 0])).sum() - COUNTS.sum() + Y.sum()
    sums = [0.01 * length * (0.3 * f.sum() + 0.35 * (f**2).sum()) for f, length in ((last.U, d), (last.V, n))]
    assert last.objective == pytest.approx(divergence + sum(sums), rel=1e-10)


def test_new_rows_of_counts():
    """Weights of new rows are where the divergence is least: its slope is at least 0, and 0 where a weight is above 0."""
    model = NMF(3, beta_loss=1, random_state=0, tol=1e-3).fit(COUNTS)
    model.set_params(max_iter=5000)
    W, H = model.transform(COUNTS), model.components_
    slope = H.sum(axis=1) - np.where(COUNTS > 0, COUNTS / np.maximum(W @ H, 1e-300), 0.0) @ H.T
    assert slope.min() > -1e-4
    assert np.abs(W * slope).max() < 1e-4


def test_extrapolation_is_worth_it():
    """The fast solver needs a third of the passes that multiplication needs for the same error."""
    fast, slow = (NMF(8, solver=solver, random_state=0, max_iter=150, tol=0.0) for solver in ("cd", "mu"))
    logs = [np.array([state.objective for state in model.steps(DIGITS)][1:]) for model in (fast, slow)]
    assert (logs[0] <= logs[1][-1]).argmax() * 3 <= len(logs[1])


# ---- passes between two readings of the table --------------------------------------------------------------------------------

LOW = RNG.gamma(0.5, 1.0, (90, 4)) @ RNG.gamma(0.5, 1.0, (4, 70)) + 0.3 * RNG.random((90, 70))


@pytest.fixture
def seldom(monkeypatch):
    """Small tables are read as seldom as large ones, and few directions are kept."""
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.singular_part.LARGE", 1)
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.singular_part.CHEAPER", 0)
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.singular_part.FEW", 1)
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.singular_part.MORE", 3)


@pytest.mark.parametrize("penalty", [{}, {"alpha_W": 0.002, "alpha_H": 0.003, "l1_ratio": 0.5}])
def test_passes_between_readings(seldom, penalty):
    """The same minimum from the same start with far fewer readings; the objective of each state is that of its factors, and
    not an estimate."""
    settings = {"random_state": 0, "tol": 1e-7, "max_iter": 5_000, **penalty}
    states = list(NMF(4, **settings).steps(LOW))
    often = list(NMF(4, init=(states[0].U, states[0].V.T), **settings).steps(LOW))
    assert (states[-1].between, often[-1].between) == (20, 0)
    assert states[-1].settled
    assert states[-1].iteration * 4 < often[-1].iteration
    assert states[-1].objective == pytest.approx(often[-1].objective, rel=1e-6)
    (n, d), alphas = LOW.shape, (penalty.get("alpha_W", 0.0), penalty.get("alpha_H", 0.0))
    for state in states[1:]:
        factors = zip(alphas, (d, n), (state.U, state.V), strict=True)
        sums = sum(alpha * length * 0.5 * (f.sum() + 0.5 * (f**2).sum()) for alpha, length, f in factors)
        assert state.objective == pytest.approx(0.5 * ((LOW - state.U @ state.V.T) ** 2).sum() + sums, rel=1e-11)
    assert (np.diff([state.objective for state in states[1:]]) <= 0).all()


def test_what_passes_between_readings_lower(seldom):
    """Equation (2) of between_readings.py: J but for a term of second order in the moves since the reading, and a constant."""
    U, V = RNG.random((90, 4)), RNG.random((70, 4))
    part = SingularPart.of(NMF(4).open(LOW), 4, 0)
    E = LOW - part.of_rows @ part.of_columns.T
    assert part.of_rows.shape == (90, 7)
    assert np.linalg.norm(E) > 1.0
    rests = remainders(part, U, V, LOW @ V, LOW.T @ U)
    problem = PassesBetween(part, *rests, Penalty(0.0, 0.0), Penalty(0.0, 0.0), 0.0, 0.5 * float((LOW**2).sum()))
    state, gaps = Factors.first(U, V, 0, extrapolated=True), []
    for _pass in range(3):
        state = problem.next_state(state)
        J = 0.5 * ((LOW - state.U @ state.V.T) ** 2).sum()
        second = -float(np.vdot(E, (state.U - U) @ (state.V - V).T))
        gaps.append(J - state.objective - second)
    np.testing.assert_allclose(gaps, gaps[0], rtol=1e-12)


def test_passes_that_lead_astray_are_undone(seldom):
    """Where the directions hold little of the table, the objective never rises either, and the table is read at each pass."""
    X = np.random.default_rng(0).random((60, 50))
    states = list(NMF(5, random_state=0, tol=0.0, max_iter=40).steps(X))
    assert states[0].between == 20
    assert states[-1].between == 0
    assert (np.diff([state.objective for state in states[1:]]) <= 0).all()
    assert states[-1].objective < states[1].objective


def test_passes_between_readings_end_below_zero(seldom):
    """J is never below 0: on noise the passes in between, which lose sight of that, end there instead of running away."""
    X = np.random.default_rng(0).random((60, 50))
    model = NMF(5, random_state=0)
    rows = model.open(X)
    facts, part = model.facts(rows), SingularPart.of(rows, 5, 0)
    U, V = model.begin(rows, facts, 0, part)
    rests = remainders(part, U, V, X @ V, X.T @ U)
    nothing, constant = Penalty(0.0, 0.0), 0.5 * facts.squares
    U, V = PassesBetween(part, *rests, nothing, nothing, 0.0, constant).lowered(U, V, 1_000)
    assert np.isfinite(U @ V.T).all()


@pytest.mark.parametrize("at", [0, 2])
def test_between_readings_from_any_state(seldom, at, monkeypatch):
    """A fit that goes on from a state comes to the same bits, with any number of threads."""
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.between_readings.RUN", 16)
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "1")
    model = NMF(4, random_state=0, tol=1e-7, max_iter=6)
    states = list(model.steps(LOW))
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    again = list(model.steps(LOW, since=states[at]))
    assert np.array_equal(again[-1].U, states[-1].U)
    assert np.array_equal(again[-1].V, states[-1].V)


@pytest.mark.parametrize(("k", "between"), [(4, 0), (10, 20)])
def test_files_are_read_seldom_where_the_part_is_small(seldom, tmp_path, monkeypatch, k, between):
    """Beside a table in a file, the part is at most twice as large as the factors; in memory the table is larger anyway."""
    monkeypatch.setattr("aprendiz.decomposition.nonnegative.singular_part.MORE", 10)
    rows = aprendiz.rows(save(LOW, tmp_path / "low.csv"))
    assert next(NMF(k, random_state=0).steps(rows)).between == between
    assert next(NMF(k, random_state=0).steps(LOW)).between == 20


def save(X, path):
    """A table in a file."""
    np.savetxt(path, X, delimiter=",", header=",".join(f"x{j}" for j in range(X.shape[1])), comments="")
    return path


# ---- conditions of a minimum -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_conditions_of_a_minimum(name):
    """u ≥ 0, A ≥ 0 and u·A = 0 for both factors (the course's relation (XV)u = (UVᵀV)u), to 10⁻⁶ of the terms."""
    X, k = TABLES[name]
    model = NMF(k, random_state=0, tol=1e-7, max_iter=20_000).fit(X)
    W, H = model.transform(X), model.components_
    for factor, slope, above in ((W, (W @ H - X) @ H.T, X @ H.T), (H, W.T @ (W @ H - X), W.T @ X)):
        assert (factor >= 0).all()
        assert slope.min() >= -1e-6 * above.max()
        assert np.abs(factor * slope).max() <= 1e-6 * np.abs(factor * above).max()
    assert model.certificate_.stationarity <= 1e-6
    assert model.certificate_.fall <= 1e-13


def test_a_start_is_no_minimum():
    """The certificate of a fit that was stopped does not hold."""
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = NMF(8, random_state=0, max_iter=1).fit(DIGITS)
    assert not model.certificate_.holds
    assert model.certificate_.fall > 1e-6


@pytest.mark.parametrize("l1", [0.0, 0.3])
def test_new_rows_have_the_best_weights(l1):
    """`transform` is non-negative least squares, row by row: SciPy's answer, also where parts repeat or are 0; with a
    penalty, the answer of a column of its own."""
    rng = np.random.default_rng(3)
    H = rng.random((5, 8)) * (rng.random((5, 8)) < 0.7)
    H[3], H[4] = H[0] + H[1], 0.0
    model = NMF(5, init=(rng.random((20, 5)), H + 1e-3), max_iter=1, alpha_W=l1 / 8, l1_ratio=1.0)
    with pytest.warns(ConvergenceWarning):
        model.fit(rng.random((20, 8)))
    model.components_ = H
    X = rng.random((30, 8)) * (rng.random((30, 8)) < 0.5)
    W = model.transform(X)
    errors = 0.5 * ((X - W @ H) ** 2).sum(axis=1) + l1 * W.sum(axis=1)
    for x, error in zip(X, errors, strict=True):
        if l1 == 0:
            assert error <= 0.5 * nnls(H.T, x)[1] ** 2 + 1e-14
        else:  # ½‖x − wH‖² + l1·Σw = ½‖(x, −l1/s) − w(H, s)‖² − s²(Σw)²/2 − …, as s goes to 0
            small = 1e-5
            w = nnls(np.vstack([H.T, np.full(5, small)]), np.append(x, -l1 / small))[0]
            assert error <= 0.5 * ((x - w @ H) ** 2).sum() + l1 * w.sum() + 1e-9


# ---- recovery --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_separable_factors_are_found(seed):
    """Where there is one factorisation only, it is found, up to the order and the size of the parts."""
    W, H = separable(60, 25, 3, seed)
    model = NMF(3, tol=1e-9, max_iter=20_000, random_state=0).fit(W @ H)
    assert model.reconstruction_err_ <= 1e-6 * np.linalg.norm(W @ H)
    true_H, found_H, true_W, found_W = matched(W, H, model.transform(W @ H), model.components_)
    assert np.abs(true_H - found_H).max() < 1e-4
    assert np.abs(true_W - found_W).max() < 1e-4 * true_W.max()


def test_rank_one():
    """One part is the first singular vector of a table of numbers above 0."""
    model = NMF(1, tol=1e-10, max_iter=5_000).fit(IRIS)
    first = np.abs(np.linalg.svd(IRIS)[2][0])
    np.testing.assert_allclose(model.components_[0] / np.linalg.norm(model.components_), first, atol=1e-8)


# ---- starts ----------------------------------------------------------------------------------------------------------------


def start_of(X, k, init, **given):
    """U and V of state 0."""
    state = next(iter(NMF(k, init=init, random_state=0, **given).steps(X)))
    return state.U, state.V


def test_nndsvd_is_its_definition():
    """Equation (2) of nonnegative/starts.py from the singular vectors of LAPACK."""
    X, k = COUNTS, 3
    A, sigma, B = np.linalg.svd(X)
    U, V = start_of(X, k, "nndsvd")
    np.testing.assert_allclose(U[:, 0], np.sqrt(sigma[0]) * np.abs(A[:, 0]), atol=1e-6)
    for j in range(1, k):
        pairs = [(np.maximum(s * A[:, j], 0), np.maximum(s * B[j], 0)) for s in (1, -1)]
        a, b = max(pairs, key=lambda pair: np.linalg.norm(pair[0]) * np.linalg.norm(pair[1]))
        m = np.linalg.norm(a) * np.linalg.norm(b)
        np.testing.assert_allclose(U[:, j], np.sqrt(sigma[j] * m) * a / np.linalg.norm(a), atol=2e-5)
        np.testing.assert_allclose(V[:, j], np.sqrt(sigma[j] * m) * b / np.linalg.norm(b), atol=2e-5)


def test_what_fills_the_zeros():
    """The mean of the cells, or hundredths of it, in units of the largest cell; the rest of the start is the same."""
    X = COUNTS / COUNTS.max()  # the unit is 1
    U, V = start_of(X, 3, "nndsvd")
    for init in ("nndsvda", "nndsvdar"):
        for plain, full in zip((U, V), start_of(X, 3, init), strict=True):
            zero = plain == 0
            assert zero.any()
            assert np.array_equal(full[~zero], plain[~zero])
            assert (full[zero] == X.mean()).all() if init == "nndsvda" else (full[zero] < 0.06 * X.mean()).all()
            assert (full > 0).all()


def test_random_starts():
    """|N(0, 1)|·√(mean/k): its mean is √(2/π) of that, and another seed is another start."""
    X = np.full((4000, 3), 5.0)
    U, _V = start_of(X, 5, "random")
    assert U.mean() == pytest.approx(np.sqrt(2 / np.pi), rel=0.02)
    assert U.std() == pytest.approx(np.sqrt(1 - 2 / np.pi), rel=0.02)
    other = next(iter(NMF(5, init="random", random_state=1).steps(X))).U
    assert abs(np.corrcoef(U.ravel(), other.ravel())[0, 1]) < 0.03


def test_given_starts():
    """init="custom" takes W and H of `fit`, and so does init=(W, H); neither is changed."""
    W, H = RNG.random((150, 2)), RNG.random((2, 4))
    kept = W.copy(), H.copy()
    model = NMF("auto", init="custom", random_state=0).fit(IRIS, W=W, H=H)
    assert model.init == "custom"
    assert model.n_components_ == 2
    assert np.array_equal(model.components_, NMF(2, init=(W, H)).fit(IRIS).components_)
    assert np.array_equal(W, kept[0])
    assert np.array_equal(H, kept[1])
    with pytest.warns(RuntimeWarning, match="ignored"):
        other = NMF(2, random_state=0).fit(IRIS, W=W, H=H)
    assert np.array_equal(other.components_, NMF(2, random_state=0).fit(IRIS).components_)


def test_more_parts_than_columns():
    """Allowed, from a random start; singular vectors there are fewer."""
    model = NMF(6, random_state=0, tol=1e-2, max_iter=2_000).fit(IRIS)
    assert model.components_.shape == (6, 4)
    assert model.reconstruction_err_ < 0.1 * np.linalg.norm(IRIS)
    with pytest.raises(ValueError, match="n_components <= min"):
        NMF(6, init="nndsvd").fit(IRIS)


# ---- tables ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("power", [-400, -20, 20, 400])
def test_scales(power):
    """A table in other units: the same parts, and both factors in the root of the unit."""
    here = NMF(3, random_state=0).fit(COUNTS)
    there = NMF(3, random_state=0).fit(COUNTS * 2.0**power)
    np.testing.assert_allclose(there.components_ * 2.0 ** -(power // 2), here.components_, rtol=1e-9, atol=1e-12)
    assert there.n_iter_ == here.n_iter_
    assert there.certificate_.holds
    assert there.reconstruction_err_ == pytest.approx(here.reconstruction_err_ * 2.0**power, rel=1e-12)


def test_rows_and_columns_of_zeros():
    """They get zeros: nothing is divided by 0."""
    X = COUNTS.copy()
    X[[0, 7]] = 0.0
    X[:, [3, 11]] = 0.0
    for solver in ("cd", "mu"):
        model = NMF(3, solver=solver, random_state=0, tol=1e-3).fit(X)
        W = model.transform(X)
        assert not W[[0, 7]].any()
        assert np.abs(model.components_[:, [3, 11]]).max() < 1e-10
    empty = NMF(2).fit(np.zeros((5, 3)))
    assert not empty.components_.any()
    assert empty.reconstruction_err_ == 0


def test_sparse_tables():
    """A sparse table is factorised as the same dense one, by either solver."""
    thin = sparse.csr_array(COUNTS)
    for settings in ({}, {"solver": "mu"}, {"solver": "mu", "beta_loss": 1.0}):
        a, b = (NMF(3, random_state=0, max_iter=300, tol=1e-3, **settings).fit(X) for X in (COUNTS, thin))
        np.testing.assert_allclose(a.components_, b.components_, atol=1e-6)
        np.testing.assert_allclose(a.transform(COUNTS), b.transform(thin), atol=1e-6)
        assert a.reconstruction_err_ == pytest.approx(b.reconstruction_err_, rel=1e-6)


def test_exact_fits_keep_their_digits():
    """Where the difference of squares is nothing but rounding, the squares of differences are summed."""
    W, H = separable(40, 12, 2, 5)
    states = list(NMF(2, tol=1e-12, max_iter=3_000, random_state=0).steps(W @ H))
    last = states[-1]
    assert last.objective < 1e-20 * (W @ H).sum() ** 2
    assert last.objective == pytest.approx(0.5 * ((W @ H - last.U @ last.V.T) ** 2).sum(), rel=1e-6)


# ---- refusals --------------------------------------------------------------------------------------------------------------


def changed(row, column, value):
    X = IRIS.copy()
    X[row, column] = value
    return X


@pytest.mark.parametrize(
    ("settings", "X", "words"),
    [
        ({}, changed(17, 2, -0.5), r"-0.5 in row 17, column 2"),
        ({}, sparse.csr_array(changed(17, 2, -0.5)), r"-0.5 in row 17, column 2"),
        ({}, changed(3, 1, np.nan), r"row 3, column 1"),
        ({}, changed(3, 1, 1e200), r"too large.*1e\+200 in row 3, column 1"),
        ({}, IRIS * 1e-200, r"too small to be squared"),
        ({"n_components": 0}, IRIS, r"n_components"),
        ({"beta_loss": "itakura-saito"}, IRIS, r"solver 'cd' does not handle"),
        ({"beta_loss": 1, "missing": "unobserved"}, IRIS, r"needs the squared error"),
        ({"solver": "mu", "beta_loss": 0}, changed(5, 3, 0.0), r"beta_loss <= 0.*row 5, column 3"),
        ({"init": "custom"}, IRIS, r"pass H"),
        ({"n_components": "auto", "init": (np.ones((150, 2)), np.ones((3, 4)))}, IRIS, r"W has 2 columns and H has 3 rows"),
        ({"init": (np.ones((150, 2)), np.ones((2, 5)))}, IRIS, r"wrong second dimension.*input H.*Expected 4"),
        ({"init": (np.ones((149, 2)), np.ones((2, 4)))}, IRIS, r"wrong first dimension.*input W.*Expected 150"),
        ({"init": (np.ones((150, 2)), -np.ones((2, 4)))}, IRIS, r"Negative values.*input H.*row 0, column 0"),
        ({"init": (np.zeros((150, 2)), np.ones((2, 4)))}, IRIS, r"input W.*full of zeros"),
    ],
)
def test_refusals(settings, X, words):
    """What is wrong, where, and what to do."""
    with pytest.raises(ValueError, match=words):
        NMF(**{"n_components": 2, **settings}).fit(X)


def test_new_rows_are_checked():
    """New rows must not be negative either, and coordinates must be as many as parts."""
    model = NMF(2, random_state=0).fit(IRIS)
    with pytest.raises(ValueError, match=r"-1 in row 0, column 1"):
        model.transform([[1.0, -1.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="2 components need as many"):
        model.inverse_transform(np.ones((1, 3)))


def test_interrupted(tmp_path):
    """A fit without time leaves a model, and goes on from its checkpoint to the same bits; a given start has its own."""
    W, H = np.full((150, 2), 0.5), RNG.random((2, 4))
    for given in ({}, {"W": W, "H": H}):
        model = NMF(2, init="custom" if given else None, random_state=0)
        expected = aprendiz.NMF(**model.get_params()).fit(IRIS, **given).components_
        with aprendiz.training(checkpoint=tmp_path, budget=0), pytest.warns(ConvergenceWarning, match="budget"):
            stopped = model.fit(IRIS, **given)
        assert stopped.transform(IRIS).shape == (150, 2)
        with aprendiz.training(checkpoint=tmp_path):
            assert np.array_equal(model.fit(IRIS, **given).components_, expected)


# ---- the function --------------------------------------------------------------------------------------------------------


def test_function():
    """What NMF gives: the factors and the number of passes, from any start."""
    W, H, passes = non_negative_factorization(IRIS, n_components=3, random_state=0)
    model = NMF(3, random_state=0).fit(IRIS)
    assert np.array_equal(H, model.components_)
    assert np.array_equal(W, model.transform(IRIS))
    assert passes == model.n_iter_
    start = {"W": RNG.random((150, 2)), "H": RNG.random((2, 4))}
    assert np.array_equal(
        non_negative_factorization(IRIS, **start, init="custom")[1], NMF(init="custom").fit(IRIS, **start).components_
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    "settings", [{}, {"alpha_W": 0.01, "l1_ratio": 0.5}, {"beta_loss": "kullback-leibler", "solver": "mu"}]
)
def test_given_parts_stay(form, settings):
    """update_H=False: scikit-learn's W to both tolerances, for the same H; a W that is passed says nothing."""
    H = RNG.random((3, 40))
    W, same, _passes = non_negative_factorization(form(COUNTS), H=H, update_H=False, max_iter=2_000, tol=1e-9, **settings)
    theirs = sklearn.decomposition.non_negative_factorization(
        COUNTS, H=H, n_components=3, update_H=False, max_iter=5_000, tol=1e-9, **settings
    )[0]
    assert np.array_equal(same, H)
    np.testing.assert_allclose(W, theirs, atol=3e-4 * theirs.max())
    with pytest.warns(RuntimeWarning, match="not used"):
        again = non_negative_factorization(COUNTS, W, H, update_H=False, max_iter=2_000, tol=1e-9, **settings)[0]
    np.testing.assert_allclose(again, W, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "words"),
    [({"H": None}, "needs H"), ({"H": -np.ones((2, 4))}, "Negative values"), ({"H": np.ones((2, 3))}, "Expected 4")],
)
def test_given_parts_are_checked(given, words):
    with pytest.raises(ValueError, match=words):
        non_negative_factorization(IRIS, **given, update_H=False)


# ---- missing cells ---------------------------------------------------------------------------------------------------------


def with_gaps(X, share, seed=0):
    """The table with a share of its cells missing."""
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def test_a_table_with_gaps_is_completed():
    """A third of the cells of a table of rank 3 is found again from the others; nothing stands in their place."""
    W, H = separable(80, 30, 3)
    X, gappy = W @ H, with_gaps(W @ H, 0.33)
    model = NMF(3, missing="unobserved", tol=1e-8, max_iter=20_000, random_state=0)
    found = model.fit_transform(gappy) @ model.components_
    assert np.abs(found - X).max() < 1e-3 * X.max()
    assert model.certificate_.holds
    assert (np.diff(model.certificate_.log) <= 0).all()
    left = (found - X)[~np.isnan(gappy)]
    assert model.reconstruction_err_ == pytest.approx(np.linalg.norm(left), rel=1e-6)


@pytest.mark.parametrize("alpha", [0.0, 0.01])
def test_conditions_with_gaps(alpha):
    """The conditions of a minimum, and its objective, over the known cells."""
    X, (n, d) = with_gaps(COUNTS, 0.3), COUNTS.shape
    known, cells = ~np.isnan(X), np.nan_to_num(X)
    model = NMF(3, missing="unobserved", tol=1e-8, max_iter=20_000, random_state=0, alpha_W=alpha, l1_ratio=0.5).fit(X)
    W, H = model.transform(X), model.components_
    left = known * (W @ H) - cells
    for factor, slope, length in ((W, left @ H.T, d), (H, W.T @ left, n)):
        slope = slope + 0.5 * alpha * length * (1 + factor)
        assert slope.min() > -1e-4
        assert np.abs(factor * slope).max() < 1e-4
    sums = [alpha * length * 0.5 * (f.sum() + 0.5 * (f**2).sum()) for f, length in ((W, d), (H, n))]
    assert model.certificate_.objective == pytest.approx(0.5 * (left**2).sum() + sum(sums), rel=1e-10)
    assert model.certificate_.fall < 1e-10


def test_no_gaps_no_difference():
    """Without a missing cell, both ways lead to the same parts."""
    plain, ready = (NMF(3, missing=missing, random_state=0).fit(IRIS) for missing in ("refuse", "unobserved"))
    assert np.array_equal(plain.components_, ready.components_)
    np.testing.assert_allclose(plain.transform(IRIS), ready.transform(IRIS), atol=1e-9)


def test_gaps_that_are_refused():
    """Unless they are asked for; with multiplication; and columns of which nothing is known. A row of gaps has no weights."""
    X = with_gaps(IRIS, 0.1)
    with pytest.raises(ValueError, match="contains NaN"):
        NMF(2).fit(X)
    with pytest.raises(ValueError, match="needs solver='cd'"):
        NMF(2, solver="mu", missing="unobserved").fit(X)
    X[:, 2] = np.nan
    with pytest.raises(ValueError, match="Column 2 has no known cell"):
        NMF(2, missing="unobserved").fit(X)
    X = with_gaps(IRIS, 0.1)
    X[4] = np.nan
    assert not NMF(2, missing="unobserved", tol=1e-3, random_state=0).fit_transform(X)[4].any()
