"""Knockoffs: exact correlations of the copies, distances against a solver, the rule by hand, and false findings simulated."""

import warnings

import numpy as np
import pytest
from scipy import optimize
from sklearn import linear_model
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.utils.estimator_checks import check_estimator

import aprendiz as ap
from aprendiz.selection.importances.penalty_paths import standardised
from aprendiz.selection.knockoffs import copies
from aprendiz.selection.knockoffs.copies import fixed_copies, gaussian_copies, shrinkage_of, thin_copies
from aprendiz.selection.knockoffs.distances import ENTROPY_SHARE, largest_entropy, largest_sum
from aprendiz.selection.knockoffs.stopping import knockoff_qvalues, knockoff_threshold


def correlated(rows, columns, rho=0.5, seed=0):
    """Neighbours have the correlation ρ."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns))
    for j in range(1, columns):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X


# ---- distances -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_feasible_and_nearly_the_largest(seed):
    d = 3 + 2 * seed
    correlation = np.corrcoef(correlated(40 + d, d, 0.3 + 0.1 * seed, seed).T)
    s = largest_sum(correlation)
    assert np.linalg.eigvalsh(2 * correlation - np.diag(s))[0] >= -1e-9
    assert (s >= 0).all()
    assert (s <= 1).all()
    equal = d * min(1.0, 2 * np.linalg.eigvalsh(correlation)[0])
    assert s.sum() >= (1 - ENTROPY_SHARE) * equal + ENTROPY_SHARE * largest_entropy(correlation).sum() - 1e-7

    # the dual of the semidefinite problem bounds the sum from above: max Σ s ≤ Σ max(0, 1 − Y_jj) + 2⟨Y, Σ⟩, Y ⪰ 0
    def dual(flat):
        L = np.zeros((d, d))
        L[np.tril_indices(d)] = flat
        Y = L @ L.T
        return np.maximum(0.0, 1.0 - np.diagonal(Y)).sum() + 2.0 * (Y * correlation).sum()

    start = np.linalg.cholesky(np.diag(np.full(d, 0.5)))[np.tril_indices(d)]
    bound = optimize.minimize(dual, start, method="Powell", options={"maxiter": 30}).fun if d <= 5 else np.inf
    assert s.sum() <= bound + 1e-6
    if d <= 3:
        assert s.sum() >= bound - 1e-2


def test_two_columns_have_the_answer_in_the_book():
    """Of two columns of correlation ρ: s = 1 for ρ ≤ ½, else 2(1 − ρ)."""
    for rho in (0.2, 0.5, 0.8):
        expected = min(1.0, 2 * (1 - rho))
        assert largest_sum(np.array([[1.0, rho], [rho, 1.0]])) == pytest.approx(expected, abs=1e-4)


def entropy_and_slopes(correlation, s):
    """Σ log s + log det(2Σ − diag(s)), and its derivatives."""
    A = 2 * correlation - np.diag(s)
    if np.linalg.eigvalsh(A)[0] <= 0:
        return -np.inf, np.zeros(len(s))
    return np.log(s).sum() + np.linalg.slogdet(A)[1], 1 / s - np.diagonal(np.linalg.inv(A))


@pytest.mark.parametrize("seed", range(8))
def test_entropy_of_columns_and_copies_is_the_largest(seed):
    """The conditions of the maximum of a concave function, and the maximum that another optimiser finds."""
    d = 2 + 3 * seed
    correlation = np.corrcoef(correlated(40 + 2 * d, d, 0.12 * seed, seed).T)
    s = largest_entropy(correlation)
    value, slope = entropy_and_slopes(correlation, s)
    assert (s > 0).all()
    assert (s <= 1).all()
    below = s < 1 - 1e-6
    assert np.abs(slope * s)[below].max(initial=0.0) <= 0.01  # sweeps end at changes of 0.001
    assert (slope[~below] >= -1e-6).all()
    start = np.full(d, 0.5 * min(1.0, 2 * np.linalg.eigvalsh(correlation)[0]))
    shares = np.log(start)  # s = exp(t) ≤ 1

    def cost(t):
        value, slope = entropy_and_slopes(correlation, np.exp(t))
        return (1e3 - value, -slope * np.exp(t)) if np.isfinite(value) else (1e6, np.zeros(d))

    best = optimize.minimize(cost, shares, jac=True, method="L-BFGS-B", bounds=[(-20, 0)] * d, options={"ftol": 1e-14})
    assert value >= 1e3 - best.fun - 1e-4
    np.testing.assert_allclose(s, np.exp(best.x), rtol=0.01)


def test_entropy_of_two_columns_by_hand():
    """Of two columns of correlation ρ the derivative is 0 at 2s² − 6s + 4(1 − ρ²) = 0."""
    for rho in (0.0, 0.2, 0.5, 0.8, -0.99):
        expected = (3 - np.sqrt(1 + 8 * rho**2)) / 2
        assert largest_entropy(np.array([[1.0, rho], [rho, 1.0]])) == pytest.approx(expected, rel=1e-3)


# ---- copies ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["largest_entropy", "largest_sum", "equicorrelated"])
@pytest.mark.parametrize("rows", [41, 90, 40, 35])
def test_fixed_copies_have_the_products_of_the_columns(kind, rows):
    Z = standardised(correlated(rows, 20))
    found = fixed_copies(Z, np.arange(float(rows)), kind, np.random.default_rng(7))
    G = found.Z.T @ found.Z
    assert np.allclose(found.copy.T @ found.copy, G, atol=1e-8 * rows)
    assert np.allclose(found.copy.T @ found.Z, G - rows * np.diag(found.distance), atol=1e-8 * rows)
    assert np.abs(found.copy.sum(axis=0)).max() < 1e-6 * rows
    assert np.abs(found.copy[:rows].sum(axis=0)).max() < 1e-6 * rows  # the target is centred there
    assert len(found.y) == (rows if rows > 40 else 42)


def test_gaussian_copies_have_the_correlations():
    Z = standardised(correlated(20_000, 8, 0.6))
    found = gaussian_copies(Z, np.zeros(len(Z)), "largest_sum", np.random.default_rng(7))
    S = Z.T @ Z / len(Z)
    assert np.allclose(found.copy.T @ found.copy / len(Z), S, atol=0.05)
    assert np.allclose(found.copy.T @ Z / len(Z), S - np.diag(found.distance), atol=0.05)


def test_copies_of_many_columns_are_those_without_a_matrix(monkeypatch):
    """The same distribution: the mean given the rows, and the covariance around it."""
    Z = standardised(correlated(12, 30))
    rho = shrinkage_of(Z)
    S = (1 - rho) * Z.T @ Z / 12 + rho * np.eye(30)
    drawn = np.stack([thin_copies(Z, np.zeros(12), rho, np.random.default_rng([7, seed])).copy for seed in range(3000)])
    s = thin_copies(Z, np.zeros(12), rho, np.random.default_rng(0)).distance
    mean = Z - Z @ np.linalg.inv(S) * s
    around = (drawn - mean).reshape(-1, 30)
    expected = 2 * np.diag(s) - s[:, None] * np.linalg.inv(S) * s
    assert np.abs(drawn.mean(axis=0) - mean).max() < 0.1
    assert np.abs(around.T @ around / len(around) - expected).max() < 0.05
    monkeypatch.setattr(copies, "MANY_COLUMNS", 10)
    assert gaussian_copies(Z, np.zeros(12), "equicorrelated", np.random.default_rng(7)).copy.shape == Z.shape


@pytest.mark.parametrize("shape", [(60, 20), (20, 60)])
def test_shrinkage_is_that_of_ledoit_and_wolf(shape):
    Z = standardised(correlated(*shape))
    assert shrinkage_of(Z) == pytest.approx(ledoit_wolf_shrinkage(Z, assume_centered=True), rel=1e-9)


# ---- the rule --------------------------------------------------------------------------------------------------------------


def test_threshold_by_hand():
    W = np.array([5.0, 4.0, 3.0, -2.5, 2.0, 1.0, -0.5, 0.0])
    assert knockoff_threshold(W, 0.34, 1) == 3.0  # (1 + 0)/3
    assert knockoff_threshold(W, 0.33, 1) == np.inf
    for q in (0.1, 0.2, 0.3, 0.5, 0.9):
        for offset in (0, 1):
            sizes = [t for t in np.unique(np.abs(W[W != 0])) if (offset + (-t >= W).sum()) / max(1, (t <= W).sum()) <= q]
            assert knockoff_threshold(W, q, offset) == (min(sizes) if sizes else np.inf)
            kept = knockoff_threshold(W, q, offset) <= W
            assert np.array_equal(kept, (knockoff_qvalues(W, offset) <= q) & (W > 0))


NOTHING = "nothing is kept of noise, and transform says so"
STOPS = dict.fromkeys(("check_estimators_dtypes", "check_dtype_object", "check_fit_idempotent"), NOTHING)


# ---- selection -------------------------------------------------------------------------------------------------------------


def selection_of(seed, method, classes, rows, columns, rho):
    """The fitted selector, and which of its columns are of use: eight."""
    random = np.random.default_rng(seed)
    X = correlated(rows, columns, rho, seed)
    w = np.zeros(columns)
    w[random.choice(columns, 8, replace=False)] = random.choice([-1.0, 1.0], 8) * (1.2 if classes else 0.6)
    y = X @ w + random.normal(size=rows)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No column is kept")
        model = ap.KnockoffSelection(method=method, random_state=seed).fit(X, (y > 0).astype(int) if classes else y)
    return model, w != 0


FALSE_ALARM = 3.1  # standard errors: a rate that is exactly the one promised fails with a probability of 1/1000


@pytest.mark.parametrize(
    ("method", "classes", "rows", "columns", "rho", "runs"),
    [
        ("fixed", False, 120, 30, 0.0, 60),
        ("fixed", False, 120, 30, 0.5, 60),
        ("fixed", False, 50, 30, 0.3, 60),
        ("gaussian", False, 120, 30, 0.5, 60),
        ("gaussian", False, 60, 70, 0.0, 30),
        ("gaussian", True, 150, 25, 0.5, 15),
    ],
)
def test_false_findings_are_as_few_as_promised(method, classes, rows, columns, rho, runs, capsys):
    """The rates; columns of no use beat their copies half of the time, as do those with the largest |W|."""
    shares, found, wins, first = {0.1: [], 0.2: []}, [], [], []
    for seed in range(runs):
        model, useful = selection_of(seed, method, classes, rows, columns, rho)
        for fdr, of_runs in shares.items():
            kept = model.qvalues_ <= fdr
            of_runs.append((kept & ~useful).sum() / max(1, kept.sum()))
        found.append((model.qvalues_ <= 0.2)[useful].mean())
        W = model.scores_[~useful]
        wins.extend(W[W != 0] > 0)
        first.append(W[np.abs(W).argmax()] > 0)
    words = f"knockoffs {method} {'classes' if classes else 'numbers'} {rows}×{columns}, ρ = {rho}: found {np.mean(found):.2f}"
    for fdr, of_runs in shares.items():
        rate, error = np.mean(of_runs), np.std(of_runs, ddof=1) / np.sqrt(runs)
        words += f"; of {fdr} promised {rate:.3f} ± {error:.3f}"
        assert rate <= fdr + FALSE_ALARM * error
    with capsys.disabled():
        print(f"\n{words}")
    for coins in (wins, first):
        away = (np.mean(coins) - 0.5) * 2 * np.sqrt(len(coins))
        assert away <= FALSE_ALARM
        assert away >= -FALSE_ALARM or method == "gaussian"  # shrunk correlations may favour the copies
    assert np.mean(found) > (0.1 if rows < 2 * columns else 0.3)


def test_noise_gives_nothing_and_says_so():
    random = np.random.default_rng(3)
    X, y = random.normal(size=(100, 30)), random.normal(size=100)
    with pytest.warns(UserWarning, match="No column is kept at fdr=0.1"):
        model = ap.KnockoffSelection().fit(X, y)
    assert model.threshold_ == np.inf
    with pytest.raises(ValueError, match="No column is chosen"):
        model.transform(X)


def test_constant_columns_and_order():
    X = correlated(300, 40, 0.2)
    X[:, 5] = 3.0
    y = X[:, 10:25].sum(axis=1) + np.random.default_rng(0).normal(size=300)
    model = ap.KnockoffSelection().fit(X, y)
    assert model.method_ == "fixed"
    assert model.scores_[5] == 0
    assert set(range(10, 25)) <= set(model.order_)
    assert model.certificate_.holds
    assert np.array_equal(model.support_, model.qvalues_ <= 0.1)


def test_of_another_learner():
    X = correlated(300, 30, 0.2)
    y = X[:, :15].sum(axis=1) + np.random.default_rng(0).normal(size=300)
    for learner in (linear_model.LassoCV(), ap.Ridge()):
        model = ap.KnockoffSelection(learner, method="gaussian").fit(X, y)
        assert set(range(15)) <= set(model.order_)


@pytest.mark.filterwarnings("ignore:No column is kept")
def test_estimators_checked():
    """Those that hand out a table are given noise, of which nothing is kept: `transform` stops there, as it should."""
    check_estimator(ap.KnockoffSelection(fdr=1.0, offset=0), expected_failed_checks=STOPS)


@pytest.mark.parametrize(
    ("told", "y", "words"),
    [
        ({"fdr": 0.0}, None, "fdr"),
        ({"offset": 2}, None, "offset"),
        ({"method": "fixed"}, "classes", "quantity"),
        ({"method": "sdp"}, None, "method"),
    ],
)
def test_refused(told, y, words):
    X = correlated(50, 10)
    target = X[:, 0] if y is None else (X[:, 0] > 0).astype(int)
    with pytest.raises(ValueError, match=words):
        ap.KnockoffSelection(**told).fit(X, target)


def test_fixed_copies_need_rows_and_independent_columns():
    X = correlated(20, 19)
    with pytest.raises(ValueError, match="at least 21"):
        ap.KnockoffSelection(method="fixed").fit(X, X[:, 0])
    twice = np.hstack([correlated(60, 4), correlated(60, 4)])
    with pytest.raises(ValueError, match="a combination of others"):
        ap.KnockoffSelection(method="fixed").fit(twice, twice[:, 0])


def test_distances_of_many_columns_are_feasible_without_being_shrunk():
    """Rounding of the inverse must not grow from column to column, or the equicorrelated answer is given."""
    place = np.arange(200)
    correlation = np.corrcoef(correlated(800, 200, 0.5).T) * 0.5 + 0.5 * 0.5 ** np.abs(place[:, None] - place)
    s = largest_sum(correlation)
    assert np.linalg.eigvalsh(2 * correlation - np.diag(s))[0] >= -1e-9
    assert s.sum() > 200 * min(1.0, 2 * np.linalg.eigvalsh(correlation)[0]) * 1.02


def test_weights_are_refused():
    X = correlated(50, 10)
    with pytest.raises(TypeError, match=r"takes no sample_weight: .* use StabilitySelection"):
        ap.KnockoffSelection().fit(X, X[:, 0], sample_weight=np.ones(50))
    with pytest.raises(TypeError, match="got groups too"):
        ap.KnockoffSelection().fit(X, X[:, 0], groups=np.ones(50))
