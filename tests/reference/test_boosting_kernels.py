"""The kernels of boosted trees agree with plain loops and with exhaustive searches in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from aprendiz.ensemble.boosting import fixed_point, growth, histograms, steps
from aprendiz.ensemble.boosting.losses import CLASSES, TWO_CLASSES, Loss
from aprendiz.ensemble.boosting.records import FIRST, STEP, Rules, Table

from . import boosting_twins as twins


def small_table(rng, rows, levels):
    """Codes with missing cells in some columns."""
    sizes = np.array([3, 4, 3, 4])
    codes = np.array([rng.integers(0, size + (j % 2), rows) for j, size in enumerate(sizes)], np.uint8)
    unordered = np.array([0, 0, 1, 1]) if levels else np.zeros(4, np.int64)
    return Table(np.ascontiguousarray(codes.T).reshape(-1), codes, sizes, unordered, np.array([0, 1, 0, 1]))


def rules_of(units, **changes):
    usual = {"l2": 0.0, "min_curvature": 0.0, "min_rows": 1, "min_support": 1, "max_leaves": 6, "max_depth": 9, "share": 1.0}
    return Rules(words=units.words, shift=units.shift, constant=units.constant, **{**usual, **changes})


def slopes(rng, rows, curved):
    """Dyadic gradients and curvatures, which are whole numbers in their units."""
    g = rng.integers(-60, 60, rows) / 8.0
    h = rng.integers(1, 9, rows) / 8.0 if curved else np.ones(rows)
    return g, h


def grown(table, g, h, curved, l2=0.0, least=1, words=None):
    rows = len(g)
    sizes = (np.abs(g).max(), np.abs(g).mean(), h.max(), h.mean())
    units = fixed_point.units_of(rows, *sizes, not curved)
    if words is not None:
        units = fixed_point.Units(words, 0 if words == 3 else units.shift, units.gradient, units.curvature, units.constant)
    written = np.empty((rows, units.words), np.int64)
    fixed_point.write_words(g, h if curved else None, 0, rows, units.gradient, units.curvature, units.shift, written)
    rules = rules_of(units, l2=l2 * units.curvature, min_rows=least)
    return growth.TreeGrower(table, None, None, 6, least).grow(written, rules, 0), units, written


@pytest.mark.parametrize(("curved", "words"), [(False, 1), (False, 2), (True, 2), (True, 3)])
def test_words_and_histograms(curved, words):
    """Every layout of the words, and the histogram of some rows."""
    rng = np.random.default_rng(words)
    table = small_table(rng, 40, False)
    g, h = slopes(rng, 40, curved)
    _, units, written = grown(table, g, h, curved, words=words)
    assert written.tolist() == twins.words_of(g, h, units)
    grower = growth.TreeGrower(table, None, None, 6, 1)
    some = np.array([3, 5, 8, 39, 1], np.int32)
    grower.begin(words, 0, some)
    cells = np.empty(4 * 256 * words, np.int64)
    histograms.add_part(table, 0, 0, grower.space, written, cells)
    assert (cells.reshape(4, 256, words) == twins.histogram(table.columns.T, some.tolist(), written.tolist())).all()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("levels", [False, True])
def test_every_split_is_the_best(seed, levels):
    """The gain of every split is that of an exhaustive search, subsets of levels and sides of the missing included, and a leaf
    that could be divided has no split that gains anything."""
    rng = np.random.default_rng(seed)
    curved, l2, least = seed % 2 == 1, [0.0, 0.5, 2.0][seed % 3], 1 + seed % 3
    table = small_table(rng, 14, levels)
    g, h = slopes(rng, 14, curved)
    tree, units, _ = grown(table, g, h, curved, l2, least)
    cells = [[None if c == s else int(c) for c, s in zip(row, table.sizes, strict=True)] for row in table.columns.T]
    exact_g, exact_h = [Fraction(float(x)) for x in g], [Fraction(float(x)) for x in h]
    divided = 0
    for t in range(len(tree.whole)):
        rows = tree.rows_of(t).tolist()
        total, curvature = sum(exact_g[r] for r in rows), sum(exact_h[r] for r in rows) + Fraction(l2)
        np.testing.assert_allclose(tree.real[t, STEP] * units.step, float(-total / curvature), rtol=1e-14, atol=1e-300)
        best = twins.best_gain(cells, table.unordered, rows, exact_g, exact_h, Fraction(l2), least)
        first = tree.whole[t, FIRST]
        if first < 0:
            continue
        parts = [twins.half_score(tree.rows_of(c).tolist(), exact_g, exact_h, Fraction(l2)) for c in (first, first + 1)]
        assert sum(parts) - twins.half_score(rows, exact_g, exact_h, Fraction(l2)) == best
        divided += 1
    assert divided
    leaves = [tree.rows_of(t).tolist() for t in range(len(tree.whole)) if tree.whole[t, FIRST] < 0]
    assert sorted(row for rows in leaves for row in rows) == list(range(14))
    if divided < 5:  # it stopped by itself
        for rows in leaves:
            best = twins.best_gain(cells, table.unordered, rows, exact_g, exact_h, Fraction(l2), least)
            assert best is None or best <= 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["squared_error", "absolute_error", "quantile", "poisson", "gamma", "two", "three"])
def test_slopes(name, weighted):
    """Gradients and curvatures are the derivatives of the loss; the mean loss is that of scikit-learn."""
    from sklearn._loss import loss as theirs

    rng = np.random.default_rng(0)
    n, k = 60, 3 if name == "three" else 1
    raw, w = rng.normal(0, 2, (k, n)), rng.integers(1, 4, n).astype(float) if weighted else None
    raw[0, :3] = [-40.0, 0.0, 40.0]
    y = rng.integers(0, 3 if name == "three" else 2, n) if name in ("two", "three") else rng.gamma(1.0, 2.0, n)
    mine = Loss(TWO_CLASSES) if name == "two" else Loss(CLASSES, 3) if name == "three" else Loss.of(name, 0, 0.3)
    their = {
        "squared_error": theirs.HalfSquaredError, "absolute_error": theirs.AbsoluteError, "poisson": theirs.HalfPoissonLoss,
        "quantile": lambda: theirs.PinballLoss(quantile=0.3), "gamma": theirs.HalfGammaLoss,
        "two": theirs.HalfBinomialLoss, "three": lambda: theirs.HalfMultinomialLoss(n_classes=3),
    }[name]()  # fmt: skip
    found = mine.slopes(y, w, raw)
    flat = raw[0] if k == 1 else np.ascontiguousarray(raw.T)
    g, h = their.gradient_hessian(y.astype(float), flat, sample_weight=w)
    np.testing.assert_allclose(found.gradient, np.atleast_2d(g.T), rtol=1e-12, atol=1e-14)
    if found.curvature is not None and not mine.renews:
        np.testing.assert_allclose(found.curvature, np.broadcast_to(np.atleast_2d(h.T), (k, n)), rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(found.loss, their(y.astype(float), flat, sample_weight=w), rtol=1e-12)
    np.testing.assert_allclose(mine.start(y, w), np.atleast_1d(their.fit_intercept_only(y.astype(float), w)), rtol=1e-12)
    sizes = np.abs(found.gradient)
    np.testing.assert_allclose([found.largest[0], found.mean[0]], [sizes.max(axis=1), sizes.mean(axis=1)], rtol=1e-12)


def test_rows_by_codes():
    """Rows that a tree did not learn from go where its own rows would."""
    rng = np.random.default_rng(1)
    table = small_table(rng, 60, True)
    g, h = slopes(rng, 60, False)
    tree, units, _ = grown(table, g, h, False)
    values = steps.newton_steps(tree, units)
    mine, other = np.zeros(60), np.zeros(60)
    steps.add_steps(tree, values, mine)
    steps.take_steps_by_codes(table, tree.whole, tree.sides, values, np.arange(60), other)
    assert np.array_equal(mine, other)
    assert len(np.unique(mine)) > 3
