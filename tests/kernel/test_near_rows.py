"""Rows that can change sides: the sums without the others, within a distance of a plane, and fits that read only them."""

import numpy as np
import pytest

from aprendiz import LinearSVC, LinearSVR
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.kernel.linear_solvers import near_rows
from aprendiz.kernel.linear_solvers.interval_loss import ENOUGH_ROWS, MarginSums, SlopesAlong, intervals, next_multipliers
from aprendiz.kernel.linear_solvers.near_rows import NearRows
from aprendiz.kernel.linear_solvers.smooth_newton import PlaneDescent, with_multipliers

SCALE, RADIUS = 0.7, 0.05


def rows_of(kind, seed=0):
    """Rows with intervals and multipliers, as a plane sees them, and a plane."""
    rng = np.random.default_rng(seed)
    X, theta, weight = rng.normal(size=(900, 4)), rng.normal(size=5), rng.choice([0.0, 0.5, 2.0], 900)
    y = rng.integers(0, 2, 900) if kind == "classes" else X @ theta[:4] + rng.normal(size=900)
    rows = ArrayRows(X, intervals(2 if kind == "classes" else 0, 0, 0.3, y), weight)
    return with_multipliers(rows, np.array([0.9 * theta, theta]), np.array([2.0, 0.5]), SCALE), theta, rng


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_sums_without_far_rows(kind, monkeypatch):
    """Anywhere within the radius, at any steepness, and after updates there: the sums of all rows, from a part of them."""
    rows, theta, rng = rows_of(kind)
    assert NearRows.of(rows, theta, SCALE, RADIUS) is None
    monkeypatch.setattr(near_rows, "MANY", 100)
    monkeypatch.setattr(near_rows, "FEW", 0.6)
    near = NearRows.of(rows, theta, SCALE, RADIUS)
    assert NearRows.of(rows, theta, SCALE, 100 * RADIUS) is None
    assert 0 < near.rows.count < 0.6 * rows.count
    for kappa in (1.0, 30.0, 1e4):
        step = rng.normal(size=5)
        here, there = (theta + RADIUS * share * step / np.linalg.norm(step) for share in (0.3, 0.999))
        found, expected = near.margin_sums(there, SCALE, kappa), rows.sum(MarginSums.of, there, SCALE, kappa, False)
        for name in ("weight", "loss", "gain", "v", "curvature", "inside"):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-11, atol=1e-11, err_msg=name)
        slopes = rows.sum(SlopesAlong.of, here, there - here, SCALE, kappa, False).slopes
        np.testing.assert_allclose(near.slopes(here, there - here, SCALE, kappa), slopes, atol=1e-12)
        moved = (np.array([there]), np.array([kappa]), SCALE)
        rows = with_multipliers(rows, *moved)
        near = NearRows(with_multipliers(near.rows, *moved), near.far, near.centre, near.radius)
        assert np.array_equal(near.all_rows(rows).y, rows.y)


@pytest.mark.parametrize("start", [None, 0])
def test_curvature_of_a_sample(start):
    """Of a large block, the curvature is nearly that of all rows, from one in so many; everything else is the same. Also where
    the table repeats itself as often."""
    rng = np.random.default_rng(0)
    X, theta = rng.normal(size=(6000, 3)), rng.normal(size=4)
    if start is not None:
        X[start :: 6000 // ENOUGH_ROWS] = 0.0
    rows = ArrayRows(X, intervals(2, 0, 0.0, rng.integers(0, 2, 6000)), rng.uniform(0.5, 2.0, 6000))
    whole, rough = (rows.sum(of, theta, SCALE, 0.3, False) for of in (MarginSums.of, MarginSums.roughly))
    for name in ("weight", "loss", "gain", "v", "inside"):
        assert np.array_equal(getattr(whole, name), getattr(rough, name))
    assert 0.0 < np.abs(rough.curvature - whole.curvature).max() < 0.15 * np.abs(whole.curvature).max()


def test_multipliers_are_those_of_each_row_alone():
    """To the last bit, whichever rows are beside it, and as the formula has them."""
    rows, theta, _ = rows_of("numbers")
    some = np.arange(3, 900, 7)
    moved = (np.array([1.1 * theta, 0.9 * theta]), np.array([3.0, 0.0]), SCALE)
    whole, part = next_multipliers(*moved, rows.y, rows.X), next_multipliers(*moved, rows.y[some], rows.X[some].copy())
    assert np.array_equal(whole[some], part)
    t, (low, high, gamma) = rows.X @ (1.1 * theta[:4]) + SCALE * 1.1 * theta[4], rows.y.T
    expected = np.clip(gamma + 3.0 * (low - t), 0.0, 1.0) + np.clip(gamma + 3.0 * (high - t), -1.0, 0.0)
    np.testing.assert_allclose(whole[:, 2], expected, atol=1e-12)


def test_share_of_a_step():
    """As far as the sphere; nothing from outside of it."""
    near = NearRows(None, None, np.array([1.0, 0.0]), 0.5)
    assert near.share_within(np.array([1.0, 0.0]), np.array([0.0, 2.0])) == pytest.approx(0.25)
    assert near.share_within(np.array([1.3, 0.0]), np.array([-1.6, 0.0])) == pytest.approx(0.5)
    assert near.share_within(np.array([1.0, 0.1]), np.array([0.1, 0.1])) == 1.0
    assert near.share_within(np.array([2.0, 0.0]), np.array([-3.0, 0.0])) == 0.0


@pytest.mark.parametrize(
    "machine", [LinearSVC(loss="hinge", C=0.05), LinearSVC(loss="hinge", C=50.0), LinearSVR(C=2.0, epsilon=0.1)]
)
@pytest.mark.parametrize("away", [0.0, 100.0])
def test_fits_that_read_near_rows_only(machine, away, monkeypatch):
    """The plane of a fit that reads all rows each time; most sums are over few; any state goes on with the same bits."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 5)) @ rng.normal(size=(5, 5)) + away
    t = (X - away) @ rng.normal(size=5) + rng.normal(size=1500)
    y = t if isinstance(machine, LinearSVR) else np.digitize(t, [0.2])
    machine.set_params(tol=1e-6)
    whole = machine.fit(X, y).coef_.copy()
    read, evaluate = [], PlaneDescent.evaluate
    monkeypatch.setattr(near_rows, "MANY", 100)
    monkeypatch.setattr(PlaneDescent, "evaluate", lambda self, theta: read.append(self.near is None) or evaluate(self, theta))
    states = list(machine.steps(X, y))
    assert np.mean(read) < 0.7
    machine.fit(X, y)
    np.testing.assert_allclose(machine.coef_, whole, rtol=1e-5, atol=1e-7)
    assert machine.certificate_.holds
    for state in states[3::6]:
        *_, last = [state, *machine.steps(X, y, since=state)]
        assert np.array_equal(last.planes, states[-1].planes)
