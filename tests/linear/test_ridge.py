"""Ridge regression: the minimum of its objective, on any shape of data, from rows or from sums."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import KFold

import aprendiz
from aprendiz import LinearRegression, Ridge, RidgeCV

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 4)) @ RNG.normal(size=(4, 4)) + [3, -1, 0, 10]
Y = X @ [1.0, -2.0, 0.5, 0.0] + 4 + RNG.normal(size=60)
TARGETS = np.column_stack([Y, X[:, 0] ** 2, RNG.normal(size=60)])
WEIGHT = RNG.uniform(0, 3, size=60)
WIDE = RNG.normal(size=(12, 30)) + RNG.normal(size=30)
WIDE_Y = RNG.normal(size=12) + 2
TABLES = {"tall": (X, Y), "several targets": (X, TARGETS), "wide": (WIDE, WIDE_Y), "square": (X[:4], Y[:4])}
ALPHAS = [1e-3, 1.0, 1e3]


def textbook(table, y, alpha, weight=None, intercept=True):
    """(ZᵀΩZ + αI)w = ZᵀΩc by an explicit solve of the d × d system; w as columns, and b."""
    w = np.ones(len(table)) if weight is None else weight
    y = np.asarray(y).reshape(len(y), -1)
    mean, middle = (np.average(a, axis=0, weights=w) if intercept else np.zeros(a.shape[1]) for a in (table, y))
    Z, C = table - mean, y - middle
    W = np.linalg.solve((Z * w[:, None]).T @ Z + alpha * np.eye(table.shape[1]), (Z * w[:, None]).T @ C)
    return W, middle - mean @ W


def pair(model):
    """Coefficients as columns, and intercepts."""
    return np.atleast_2d(model.coef_).T, np.atleast_1d(model.intercept_)


def gradient(model, table, y, weight=None):
    """Minus half the gradient of the objective: Σ ω x r − αw (with x centred) and Σ ω r, and the size of its terms."""
    w = np.ones(len(table)) if weight is None else weight
    W, b = pair(model)
    residual = w[:, None] * (np.asarray(y).reshape(len(table), -1) - table @ W - b)
    Z = table - np.average(table, axis=0, weights=w) if model.fit_intercept else table
    slope = Z.T @ residual - np.asarray(model.alpha) * W
    return slope, residual.sum(axis=0), np.abs(Z).T @ np.abs(residual) + np.abs(np.asarray(model.alpha) * W)


# ---- the minimum -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_gradient_vanishes(alpha, name, intercept, weighted):
    """At the answer the slope of Σ ω (y − b − xᵀw)² + α‖w‖² is rounding, in w and in b."""
    table, y = TABLES[name]
    weight = WEIGHT[: len(table)] if weighted else None
    model = Ridge(alpha, fit_intercept=intercept).fit(table, y, weight)
    slope, sum_of_residuals, size = gradient(model, table, y, weight)
    assert (np.abs(slope) <= 1e-11 * (size + np.abs(table).max())).all()
    if intercept:
        assert (np.abs(sum_of_residuals) <= 1e-11 * len(table) * np.abs(y).max()).all()
    assert model.certificate_.holds
    assert model.certificate_.error <= 1e-9  # of the largest coefficient; those near zero have fewer digits


@pytest.mark.parametrize("alpha", ALPHAS)
def test_any_other_coefficients_cost_more(alpha):
    """The objective grows by δᵀ(ZᵀZ + αI)δ when w moves by δ, so it grows."""
    rng = np.random.default_rng(0)
    model = Ridge(alpha).fit(X, Y)

    def cost(w, b):
        return np.sum((Y - b - X @ w) ** 2) + alpha * w @ w

    best, curvature = cost(model.coef_, model.intercept_), (X - X.mean(axis=0)).T @ (X - X.mean(axis=0)) + alpha * np.eye(4)
    for delta in 0.1 * rng.normal(size=(20, 4)):
        found = cost(model.coef_ + delta, Y.mean() - X.mean(axis=0) @ (model.coef_ + delta))
        assert found - best == pytest.approx(delta @ curvature @ delta, rel=1e-8)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_same_as_scikit_learn(alpha, intercept, weighted, name):
    """Shapes and values of coefficients, intercepts, predictions and R²; wide or tall, one target or several."""
    table, y = TABLES[name]
    weight = WEIGHT[: len(table)] if weighted else None
    ours = Ridge(alpha, fit_intercept=intercept).fit(table, y, weight)
    theirs = TheirRidge(alpha, fit_intercept=intercept, solver="svd").fit(table, y, weight)
    for attribute in ("coef_", "intercept_"):
        assert np.shape(getattr(ours, attribute)) == np.shape(getattr(theirs, attribute))
        np.testing.assert_allclose(getattr(ours, attribute), getattr(theirs, attribute), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(ours.predict(table), theirs.predict(table), rtol=1e-9, atol=1e-10)
    assert ours.score(table, y, weight) == pytest.approx(theirs.score(table, y, weight), rel=1e-10)
    assert ours.n_iter_ is None


def test_shapes_of_a_single_column():
    """A target of one column has the shapes of scikit-learn."""
    ours, theirs = (cls().fit(X, Y[:, None]) for cls in (Ridge, TheirRidge))
    for name in ("coef_", "intercept_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name)), name
    assert ours.predict(X).shape == theirs.predict(X).shape


def test_shrinkage_of_each_direction():
    """In terms of the singular values s of the centred columns, each direction is shrunk by s²/(s² + α)."""
    U, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    free = LinearRegression().fit(X, Y).coef_
    for alpha in ALPHAS:
        w = Ridge(alpha).fit(X, Y).coef_
        np.testing.assert_allclose(Vt @ w, s**2 / (s**2 + alpha) * (Vt @ free), rtol=1e-11)
        np.testing.assert_allclose(w, Vt.T @ (s / (s**2 + alpha) * (U.T @ (Y - Y.mean()))), rtol=1e-11, atol=1e-13)


def test_a_larger_penalty_means_smaller_coefficients():
    """‖w‖ falls and the squared error rises with α."""
    models = [Ridge(alpha).fit(X, Y) for alpha in np.logspace(-4, 6, 30)]
    assert (np.diff([np.linalg.norm(m.coef_) for m in models]) < 0).all()
    assert (np.diff([np.sum((Y - m.predict(X)) ** 2) for m in models]) > 0).all()


@pytest.mark.parametrize("name", ["tall", "several targets"])
@pytest.mark.parametrize("intercept", [True, False])
def test_without_a_penalty_it_is_least_squares(name, intercept):
    """α = 0 is least squares, and α → 0 goes there in proportion to α."""
    table, y = TABLES[name]
    free = LinearRegression(fit_intercept=intercept).fit(table, y)
    np.testing.assert_allclose(Ridge(0, fit_intercept=intercept).fit(table, y).coef_, free.coef_, rtol=1e-10, atol=1e-12)
    gaps = [np.abs(Ridge(a, fit_intercept=intercept).fit(table, y).coef_ - free.coef_).max() for a in (1e-2, 1e-4, 1e-6)]
    np.testing.assert_allclose(np.divide(gaps[:-1], gaps[1:]), 100, rtol=0.05)


def test_without_a_penalty_the_smallest_of_many():
    """With α = 0 and dependent columns, or fewer rows than columns: the smallest of the many answers, the limit of α → 0."""
    twice = X[:, [0, 1, 2, 3, 3]]
    for table, y in ((twice, Y), (WIDE, WIDE_Y)):
        np.testing.assert_allclose(Ridge(0).fit(table, y).coef_, LinearRegression().fit(table, y).coef_, atol=1e-9)
        np.testing.assert_allclose(Ridge(1e-9).fit(table, y).coef_, LinearRegression().fit(table, y).coef_, atol=1e-6)


def test_an_endless_penalty_leaves_the_mean():
    """α → ∞: αw → ZᵀC and b → ȳ, for wide data too."""
    for table, y in ((X, TARGETS), (WIDE, WIDE_Y)):
        model, Z = Ridge(1e12).fit(table, y), table - table.mean(axis=0)
        np.testing.assert_allclose(1e12 * model.coef_, ((y - y.mean(axis=0)).T @ Z), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(model.predict(table), np.broadcast_to(y.mean(axis=0), y.shape), rtol=0, atol=1e-7)


def test_a_penalty_for_each_target():
    """Each target is fitted with its own α, as if it were alone."""
    alphas = [0.0, 1.0, 100.0]
    together = Ridge(alphas).fit(X, TARGETS)
    for j, alpha in enumerate(alphas):
        alone = Ridge(alpha).fit(X, TARGETS[:, j])
        np.testing.assert_allclose(together.coef_[j], alone.coef_, rtol=1e-11, atol=1e-13)
        assert together.intercept_[j] == pytest.approx(alone.intercept_, rel=1e-11)
    theirs = TheirRidge(np.array(alphas)).fit(X, TARGETS)
    np.testing.assert_allclose(together.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="2 entries for 3 targets"):
        Ridge([1.0, 2.0]).fit(X, TARGETS)
    with pytest.raises(ValueError, match="at least 0"):
        Ridge([1.0, -2.0, 1.0]).fit(X, TARGETS)


# ---- wide data -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [1, 2, 12])
def test_the_dual_is_the_primal(alpha, intercept, weighted, rows):
    """With fewer rows than columns the n × n system gives the answer of the d × d one; w = Zᵀu."""
    table, y, weight = WIDE[:rows], WIDE_Y[:rows], WEIGHT[:rows] if weighted else None
    model = Ridge(alpha, fit_intercept=intercept).fit(table, y, weight)
    assert model.solver_ == "dual"
    W, b = textbook(table, y, alpha, weight, intercept)
    np.testing.assert_allclose(model.coef_, W[:, 0], rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, b[0], rtol=1e-9, atol=1e-10)
    Z = table - np.average(table, axis=0, weights=weight) if intercept else table
    outside = model.coef_ - Z.T @ np.linalg.lstsq(Z.T, model.coef_)[0]
    np.testing.assert_allclose(outside, 0, atol=1e-12 * max(1, np.abs(model.coef_).max()))


def test_both_sides_of_the_square():
    """d − 1, d, d + 1 and d + 2 rows: two methods, one law."""
    rng = np.random.default_rng(0)
    for rows in (29, 30, 31, 32):
        table, y = rng.normal(size=(rows, 30)), rng.normal(size=rows)
        W, _ = textbook(table, y, 0.5)
        np.testing.assert_allclose(Ridge(0.5).fit(table, y).coef_, W[:, 0], rtol=1e-9, atol=1e-11)


# ---- what the data may be --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
@pytest.mark.parametrize("shape", [(200, 8), (20, 50)])
@pytest.mark.parametrize("intercept", [True, False])
def test_sparse(form, shape, intercept):
    """A sparse table gives what the same table gives when it is dense."""
    table = sparse.random(*shape, density=0.3, random_state=0).toarray()
    y = table.sum(axis=1) + 1
    ours, dense = (Ridge(fit_intercept=intercept).fit(rows, y) for rows in (form(table), table))
    np.testing.assert_allclose(ours.coef_, dense.coef_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours.predict(form(table)), dense.predict(table), rtol=1e-12)


@pytest.mark.parametrize("offset", [2.0**26, 1e8, -(2.0**30)])
def test_large_offset(offset):
    """Far from zero the coefficients are the same: columns of whole and half numbers lose no digit there."""
    table = np.round(2 * X) / 2
    near, far = Ridge().fit(table, Y), Ridge().fit(table + offset, Y)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-11, atol=1e-13)
    moved = Ridge().fit(table, np.round(Y) + offset)
    np.testing.assert_allclose(moved.coef_, Ridge().fit(table, np.round(Y)).coef_, rtol=1e-10, atol=1e-12)


def test_columns_without_information():
    """A constant column gets coefficient 0; a column that stands twice shares its coefficient."""
    table = np.column_stack([X, np.full(60, 0.1), np.full(60, 1e8 + 0.1)])
    np.testing.assert_allclose(Ridge().fit(table, Y).coef_, [*Ridge().fit(X, Y).coef_, 0, 0], rtol=1e-9, atol=1e-9)
    twice = Ridge(2.0).fit(X[:, [0, 1, 2, 3, 3]], Y).coef_
    assert twice[3] == pytest.approx(twice[4], rel=1e-9)


def test_single_precision():
    """float32 data are summed in float64: the answer is that of the rounded data, rounded once."""
    table = X.astype(np.float32)
    ours, double = Ridge().fit(table, Y).coef_, Ridge().fit(table.astype(float), Y).coef_
    np.testing.assert_allclose(ours, double, rtol=2.0**-24)


def test_which_method():
    """Normal equations on ordinary tables, rotations where the condition squared costs too much, and the certificate tells."""
    assert Ridge().fit(X, Y).solver_ == "normal equations"
    near = np.column_stack([X[:, 0], X[:, 0] + 1e-6 * X[:, 1]])
    hard = Ridge(1e-12).fit(near, Y)
    assert hard.solver_.startswith("orthogonal")
    assert hard.certificate_.condition > 1e4
    easy = Ridge(1.0).fit(near, Y)
    assert easy.certificate_.condition < hard.certificate_.condition


# ---- positive coefficients -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 1e-2, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["tall", "several targets", "wide"])
def test_positive(alpha, intercept, weighted, name):
    """w ≥ 0; where w > 0 the gradient vanishes, where w = 0 it would only go below 0 (Karush, Kuhn, Tucker)."""
    table, y = TABLES[name]
    weight = WEIGHT[: len(table)] if weighted else None
    model = Ridge(alpha, positive=True, fit_intercept=intercept).fit(table, y, weight)
    W, _ = pair(model)
    assert (W >= 0).all()
    if name != "wide":
        assert (W == 0).any()
    assert (W > 0).any()
    slope, sum_of_residuals, size = gradient(model, table, y, weight)
    allowed = 1e-10 * (size + 1)
    assert (slope <= allowed).all()
    assert (np.abs(slope[W > 0]) <= allowed[W > 0]).all()
    if intercept:
        np.testing.assert_allclose(sum_of_residuals, 0, atol=1e-9)


def test_positive_as_in_scikit_learn():
    """The same predictions, to the tolerance of scikit-learn's iteration."""
    ours, theirs = Ridge(1.0, positive=True).fit(X, Y), TheirRidge(1.0, positive=True, tol=1e-10).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-5)


# ---- weights and sums ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positive", [False, True])
def test_whole_weights_count_rows(positive):
    """A weight of 3 is the row three times; a weight of 0 leaves it out; all weights twice is α half."""
    rng = np.random.default_rng(0)
    times = rng.integers(0, 4, size=60)
    weighted = Ridge(positive=positive).fit(X, Y, times)
    repeated = Ridge(positive=positive).fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-10, atol=1e-13)
    doubled = Ridge(2.0, positive=positive).fit(X, Y, 2.0 * times)
    np.testing.assert_allclose(doubled.coef_, weighted.coef_, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_partial_fit(intercept, positive, weight):
    """Rows that come in pieces give what they give at once, also when the first piece has fewer rows than columns."""
    parameters = {"fit_intercept": intercept, "positive": positive}
    whole, pieces = Ridge(**parameters).fit(X, TARGETS, weight), Ridge(**parameters)
    for part in (slice(0, 1), slice(1, 3), slice(3, 30), slice(30, 60)):
        pieces.partial_fit(X[part], TARGETS[part], None if weight is None else weight[part])
    np.testing.assert_allclose(pieces.coef_, whole.coef_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(pieces.intercept_, whole.intercept_, rtol=1e-10, atol=1e-12)


def test_wide_pieces_of_a_tall_table():
    """Pieces that are all wider than long add up to a table that is not."""
    rng = np.random.default_rng(0)
    table, y = rng.normal(size=(48, 30)), rng.normal(size=48)
    model = Ridge(0.1)
    for start in range(0, 48, 12):
        model.partial_fit(table[start : start + 12], y[start : start + 12])
        np.testing.assert_allclose(
            model.coef_, Ridge(0.1).fit(table[: start + 12], y[: start + 12]).coef_, rtol=1e-8, atol=1e-10
        )
    assert model.solver_ != "dual"


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_folds_from_sums(intercept, offset):
    """The sums of the other folds give the fit to the other folds, to the digits that the certificate promises."""
    learner, table = Ridge(0.3, fit_intercept=intercept), X + offset
    folds = [test for _, test in KFold(5).split(table)]
    records = [learner.summarise(learner.open(table[fold], Y[fold])) for fold in folds]
    for left_out, fold in enumerate(folds):
        first, *others = (record for k, record in enumerate(records) if k != left_out)
        found = Ridge(0.3, fit_intercept=intercept).fit_sums(sum(others, first))
        others = np.setdiff1d(np.arange(60), fold)
        refit = Ridge(0.3, fit_intercept=intercept).fit(table[others], Y[others])
        promised = 10 * 10.0**-found.certificate_.digits
        np.testing.assert_allclose(found.coef_, refit.coef_, rtol=0, atol=promised * np.abs(refit.coef_).max())
        assert found.certificate_.error <= 1e-12 or (
            offset and not intercept
        )  # far away without an intercept: nearly one column


def test_one_sum_serves_all_penalties():
    """The sums do not depend on α: `fit_sums` with another α is the fit with that α."""
    record = Ridge().fit(X, Y).sums_
    for alpha in (0.0, 0.01, 50.0):
        np.testing.assert_allclose(Ridge(alpha).fit_sums(record).coef_, Ridge(alpha).fit(X, Y).coef_, rtol=1e-10, atol=1e-13)


def test_sums_serve_without_an_intercept_too():
    """Records are around a pivot; a learner without an intercept takes the pivot off again."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 2)) + 5
    y = table @ [1.0, 2.0] + 3 + rng.normal(size=100)
    model = Ridge().partial_fit(table[:50], y[:50])
    model.set_params(fit_intercept=False).partial_fit(table[50:], y[50:])
    np.testing.assert_allclose(model.coef_, Ridge(fit_intercept=False).fit(table, y).coef_, rtol=1e-11)


def test_other_targets_are_refused():
    """Rows with another number of targets cannot be added."""
    model = Ridge().partial_fit(X, Y)
    with pytest.raises(ValueError, match="another number of targets"):
        model.partial_fit(X, TARGETS)


def test_sums_say_what_they_lost():
    """From sums alone, columns that nearly coincide cost digits, and the certificate counts them."""
    near = np.column_stack([X[:, 0], X[:, 0] + 1e-6 * X[:, 1]])
    of_sums, of_rows = Ridge(1e-14).partial_fit(near, Y), Ridge(1e-14).fit(near, Y)
    assert of_sums.certificate_.digits < of_rows.certificate_.digits
    error = np.abs(of_sums.coef_ / of_rows.coef_ - 1).max()
    assert error <= 10 * 10.0**-of_sums.certificate_.digits


# ---- files -----------------------------------------------------------------------------------------------------------


def test_files(tmp_path):
    """From a Parquet file: the coefficients of the same rows in memory, weights included."""
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=17)
    for weight, values in ((None, None), ("w", WEIGHT)):
        rows = aprendiz.rows(tmp_path / "t.parquet", target="y", weight=weight, columns=list("abcd"))
        of_file, in_memory = Ridge(0.5).fit(rows), Ridge(0.5).fit(X, Y, values)
        np.testing.assert_allclose(of_file.coef_, in_memory.coef_, rtol=1e-12)
        assert of_file.score(rows) == pytest.approx(in_memory.score(X, Y, values), rel=1e-12)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_columns_that_nearly_agree_beside_a_large_target(seed, intercept):
    """Least squares on the rows and √α·I: a target of 10⁵ takes no digits from differences of the columns of 10⁻²."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 12)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, 1)) + 10.0 ** rng.uniform(-6, 0) * rng.normal(size=(n, d))
    y, w = X @ rng.normal(size=d) * 10.0 ** rng.uniform(2, 5) + rng.normal(size=n), rng.uniform(0.3, 3, n)
    Z, c = (X - np.average(X, axis=0, weights=w), y - np.average(y, weights=w)) if intercept else (X, y)
    tall = np.vstack([np.sqrt(w)[:, None] * Z, 0.1 * np.eye(d)])
    expected = np.linalg.lstsq(tall, np.append(np.sqrt(w) * c, np.zeros(d)), rcond=None)[0]
    for model in (Ridge(0.01, fit_intercept=intercept), RidgeCV([0.01], fit_intercept=intercept)):
        found = model.fit(X, y, sample_weight=w).coef_
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
