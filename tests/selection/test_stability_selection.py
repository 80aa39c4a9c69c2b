"""Stability selection: bounds against published numbers and brute force, halves, planted columns, false selections."""

import warnings

import numpy as np
import pytest
from sklearn import linear_model
from sklearn.utils.estimator_checks import check_estimator

import aprendiz as ap
from aprendiz.selection.importances.penalty_paths import falling, standardised
from aprendiz.selection.stability.false_selections import (
    bound_on_false,
    columns_per_sample,
    r_concave_tail,
    tail,
    unimodal_factor,
)
from aprendiz.selection.stability.half_samples import entries_of, pair_of_halves, selections, steps_of

random = np.random.default_rng(0)
X = random.normal(size=(120, 400))
Y = 2.0 * X[:, 3] - 1.5 * X[:, 8] + X[:, 21] + 0.5 * random.normal(size=120)
TWO = np.where(Y > 0, "high", "low")


# ---- bounds ----------------------------------------------------------------------------------------------------------------


def test_bound_of_meinshausen_and_buhlmann():
    assert bound_on_false(20, 1000, 0.9, 50, "none") == pytest.approx(20**2 / (1000 * 0.8))
    assert bound_on_false(5, 1000, 0.6, 50, "none") == pytest.approx(25 / 200)
    assert columns_per_sample(1000, 0.9, 0.5, 50, "none") == 20


def test_factor_of_unimodal_shares():
    """Shah & Samworth, (8): both branches, and the same at 3/4."""
    assert unimodal_factor(0.01, 0.6, 50) == pytest.approx(1 / (2 * (0.2 - 0.01)))
    assert unimodal_factor(0.01, 0.9, 50) == pytest.approx(4 * (0.1 + 0.01) / 1.02)
    assert unimodal_factor(0.01, 0.75, 50) == pytest.approx(4 * (0.25 + 0.01) / 1.02, rel=1e-2)


def test_stronger_assumptions_give_smaller_bounds():
    for q in (5, 20, 50):
        for threshold in (0.6, 0.75, 0.9):
            worst, one_peak, falling = (
                bound_on_false(q, 1000, threshold, 50, kind) for kind in ("none", "unimodal", "r_concave")
            )
            assert falling <= one_peak * (1 + 1e-9)
            assert one_peak <= worst * (1 + 1e-9)


@pytest.mark.parametrize(("mean", "t", "B", "r"), [(0.05, 0.4, 20, -0.5), (0.1, 0.5, 10, -0.25), (0.02, 0.3, 20, -0.5)])
def test_tail_is_the_largest_of_many_distributions(mean, t, B, r):
    """No r-concave distribution of that mean has more: falling ones with a cut, as many as can be tried."""
    bound, best = tail(mean, t, B, r), 0.0
    places = np.arange(B + 1)
    for k in range(B + 1):
        for a in np.geomspace(1e-4, 1e4, 400):
            p = (a + places[: k + 1]) ** (1 / r)
            m1, m0 = p @ places[: k + 1], p.sum()
            if k == B:
                continue
            scale = (k + 1 - mean * B) / ((k + 1) * m0 - m1)
            last = 1 - scale * m0
            if 0 <= last <= scale * (a + k + 1) ** (1 / r) * (1 + 1e-9):
                full = np.append(scale * p, last)
                best = max(best, full[int(np.ceil(t * B - 1e-9)) :].sum())
    assert best <= bound * (1 + 1e-6)
    assert best >= 0.9 * bound


def test_tail_never_above_one_and_falls():
    found = [r_concave_tail(0.02, t, 50) for t in (0.55, 0.65, 0.75, 0.85, 0.95)]
    assert (np.diff(found) <= 1e-12).all()
    assert found[0] <= 1


# ---- halves ----------------------------------------------------------------------------------------------------------------


def test_halves_are_complementary_and_hold_every_class():
    one, other = pair_of_halves(101, 0, 7)
    assert len(one) == len(other) == 50
    assert not set(one) & set(other)
    codes = np.repeat([0, 1, 2], [60, 30, 11])
    for number in range(20):
        for half in pair_of_halves(101, 3, number, codes):
            counts = np.bincount(codes[half], minlength=3)
            assert (np.abs(counts - np.array([30, 15, 5.5])) <= 1).all()


# ---- selection -------------------------------------------------------------------------------------------------------------


def test_finds_planted_columns():
    model = ap.StabilitySelection(n_pairs=20).fit(X, Y)
    assert set(model.order_) == {3, 8, 21}
    assert model.expected_false_ <= 1.0
    assert model.certificate_.holds
    path = model.stability_path_
    assert path.shape == (400, len(model.penalties_))
    assert (np.diff(path, axis=1) >= 0).all()
    assert np.array_equal(path[:, -1], model.scores_)
    assert model.bounds_["r_concave"] <= model.bounds_["unimodal"] <= model.bounds_["none"]


def test_of_classes():
    model = ap.StabilitySelection(n_pairs=10).fit(X[:, :60], TWO)
    assert {3, 8} <= set(model.order_) <= {3, 8, 21}
    assert model.classes_.tolist() == ["high", "low"]


def test_of_another_learner():
    model = ap.StabilitySelection(linear_model.Ridge(), n_pairs=10, n_features_per_sample=3).fit(X[:, :30], Y)
    assert set(model.order_) == {3, 8, 21}


def test_is_brute_force():
    """The first q columns of the path of each half, one by one."""
    model = ap.StabilitySelection(n_pairs=4, n_features_per_sample=6).fit(X[:, :50], Y)
    Z = (X[:, :50] - X[:, :50].mean(axis=0)) / X[:, :50].std(axis=0)
    counts = np.zeros(50)
    for number in range(4):
        for half in pair_of_halves(120, 0, number):
            part = Z[half] - Z[half].mean(axis=0)
            _alphas, active, _coefs = linear_model.lars_path(part, Y[half] - Y[half].mean(), method="lasso", max_iter=6)
            counts[list(active[:6])] += 1
    assert np.abs(model.scores_ * 8 - counts).max() <= 1
    assert np.abs(model.scores_ * 8 - counts).sum() <= 4


@pytest.mark.parametrize("classes", [False, True])
def test_weights_of_a_half_are_rows_that_are_repeated(classes):
    """In a half, a row of weight k is as k rows: the path of the repeated rows selects the same columns."""
    y = (Y > 0).astype(int) if classes else Y
    labels = np.arange(2) if classes else None
    weight = np.random.default_rng(2).integers(1, 4, 120)
    Z, penalties = standardised(X[:, :40], weight.astype(float)), falling(60, 0.05)
    found = selections(Z, y, labels, penalties, 6, 2, 7, weight.astype(float)).steps
    halves = [half for number in range(2) for half in pair_of_halves(120, 7, number, y if classes else None)]
    for steps, half in zip(found, halves, strict=True):
        many = np.repeat(half, weight[half])
        expected = steps_of(entries_of(Z[many], y[many], labels, penalties, 6), 6)
        assert np.array_equal(steps < 60, expected < 60)
        assert np.abs(steps - expected).max() <= 1  # the first column is not zero at the largest penalty, up to rounding


@pytest.mark.parametrize("learner", [None, linear_model.Ridge()])
def test_weights(learner):
    """Equal weights say nothing, rows of weight 0 are not there, and other weights matter."""
    model, few = ap.StabilitySelection(learner, n_pairs=4, n_features_per_sample=4), X[:, :30]
    scores = model.fit(few, Y).scores_.copy()
    same = 4.0 if learner is None else 1.0  # a ridge of larger weights has a smaller penalty
    assert np.array_equal(model.fit(few, Y, sample_weight=np.full(120, same)).scores_, scores)
    weight = np.where(np.arange(120) % 3 == 0, 0.0, 1.0)
    without = model.fit(few[weight > 0], Y[weight > 0]).scores_.copy()
    assert np.array_equal(model.fit(few, Y, sample_weight=weight).scores_, without)
    other = np.where(X[:, 3] * Y < 0, 50.0, 1.0)  # rows in which column 3 says the opposite
    assert not np.array_equal(model.fit(few, Y, sample_weight=other).scores_, scores)


def test_weights_for_a_learner_that_takes_none():
    with pytest.raises(ValueError, match="sample_weight cannot be given: LassoLars takes none"):
        ap.StabilitySelection(linear_model.LassoLars()).fit(X[:, :9], Y, sample_weight=np.ones(120))


def test_same_bits_for_any_number_of_threads(monkeypatch):
    one = ap.StabilitySelection(n_pairs=4).fit(X[:, :50], Y).stability_path_
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "1")
    assert np.array_equal(one, ap.StabilitySelection(n_pairs=4).fit(X[:, :50], Y).stability_path_)


@pytest.mark.parametrize(("rho", "planted"), [(0.0, 0), (0.5, 5)])
def test_false_selections_stay_within_the_bounds(rho, planted, capsys):
    """Of noise, and of columns with correlated neighbours of which five are of use: false selections against all bounds, at
    three thresholds. A mean that is exactly a bound fails once in a thousand times."""
    false = {0.6: [], 0.75: [], 0.9: []}
    for seed in range(30):
        rng = np.random.default_rng([seed, 5])
        table, w = rng.normal(size=(60, 80)), np.zeros(80)
        for j in range(1, 80):
            table[:, j] = rho * table[:, j - 1] + np.sqrt(1 - rho**2) * table[:, j]
        w[rng.choice(80, planted, replace=False)] = 1.0
        y = table @ w + rng.normal(size=60)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No column is selected")
            scores = ap.StabilitySelection(n_pairs=10, n_features_per_sample=10, random_state=seed).fit(table, y).scores_
        for threshold, counts in false.items():
            counts.append(((scores >= threshold - 1e-12) & (w == 0)).sum())
    words = f"stability selection, {planted} planted, ρ = {rho}"
    for threshold, counts in false.items():
        mean, error = np.mean(counts), np.std(counts, ddof=1) / np.sqrt(len(counts))
        bounds = [bound_on_false(10, 80, threshold, 10, kind) for kind in ("none", "unimodal", "r_concave")]
        words += f"; τ = {threshold}: {mean:.2f} ± {error:.2f}, at most {', '.join(f'{bound:.2f}' for bound in bounds)}"
        assert mean <= min(bounds) + 3.1 * error
    with capsys.disabled():
        print(f"\n{words}")


def test_every_half_selects_so_many():
    """Also where several columns enter at one penalty."""
    model = ap.StabilitySelection(n_pairs=4, n_features_per_sample=20, threshold=1.0).fit(X, Y)
    assert model.scores_.sum() == pytest.approx(20)


def test_nothing_stable_is_told_and_never_an_empty_matrix():
    noise = np.random.default_rng(1)
    table, y = noise.normal(size=(60, 100)), noise.normal(size=60)
    with pytest.warns(UserWarning, match="No column is selected in a share of 1"):
        model = ap.StabilitySelection(n_pairs=5, threshold=1.0, n_features_per_sample=2).fit(table, y)
    with pytest.raises(ValueError, match="No column is chosen"):
        model.transform(table)


@pytest.mark.filterwarnings("ignore:No column is selected")
def test_estimators_checked():
    """With so many false selections allowed that some column is always kept."""
    model = ap.StabilitySelection(n_pairs=3, threshold=0.6, expected_false=100.0)
    check_estimator(model, expected_failed_checks={k: v for k, v in model.exceptions.items() if k.startswith("check_")})


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"threshold": 0.5}, "threshold"),
        ({"threshold": 1.1}, "threshold"),
        ({"n_pairs": 0}, "n_pairs"),
        ({"expected_false": 0.0}, "expected_false"),
        ({"n_features_per_sample": 401}, "more than the 400 columns"),
        ({"assumption": "normal"}, "assumption"),
    ],
)
def test_refused(told, words):
    with pytest.raises(ValueError, match=words):
        ap.StabilitySelection(**told).fit(X, Y)
    with pytest.raises(ValueError, match="at least 4"):
        ap.StabilitySelection().fit(X[:3], Y[:3])
