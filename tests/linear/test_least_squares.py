"""LinearRegression: the right answer on any columns, and the method that it took."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import ortho_group
from sklearn.linear_model import LinearRegression as TheirLinearRegression

from aprendiz import LinearRegression, Ridge, influence
from aprendiz.linear.solvers import least_squares

RNG = np.random.default_rng(3)
LARGE = RNG.normal(size=(20_000, 10))  # 2·10⁶ multiplications: more than `SMALL`
SMALL = RNG.normal(size=(60, 4)) + 5
TARGET = SMALL @ [1.0, -2.0, 0.5, 3.0] + RNG.normal(size=60)


def conditioned(n, condition, seed=0):
    """Centred X with a given condition number, coefficients of size 1 and a y of which they are the exact least squares.

    X = U·S·Vᵀ with orthonormal U (orthogonal to 1) and V; the noise of y is orthogonal to U and to 1.
    """
    rng, d = np.random.default_rng(seed), 5
    basis, _ = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, d + 1))]))
    U, noise = basis[:, 1 : d + 1], basis[:, d + 1]
    X = U * np.geomspace(1, 1 / condition, d) @ ortho_group.rvs(d, random_state=seed).T
    w = rng.normal(size=d)
    return X, X @ w + 0.1 * noise, w


# ---- which method ----------------------------------------------------------------------------------------------------


def test_normal_equations_on_large_safe_tables():
    """A large table with well-conditioned columns is solved by the normal equations, to twelve digits."""
    w = np.arange(1.0, 11.0)
    model = LinearRegression().fit(LARGE, LARGE @ w + 3)
    assert model.method_ == "normal equations"
    np.testing.assert_allclose([model.intercept_, *model.coef_], [3, *w], rtol=1e-12)
    assert model.certificate_.holds
    assert model.certificate_.digits >= 10  # of twelve: the worst case of sums of 8 192 terms takes 4 000 units of the last


def test_orthogonal_on_small_tables():
    """A small table is solved by orthogonal rotations at once."""
    assert LinearRegression().fit(SMALL, TARGET).method_ == "orthogonal"


def test_orthogonal_and_polished_on_ill_conditioned_tables():
    """Where κ² would cost too many digits the triangle is used, and its answer polished."""
    X, y, w = conditioned(220_000 // 5, 1e6)
    assert X.size * X.shape[1] > least_squares.SMALL
    model = LinearRegression().fit(X, y)
    assert model.method_ == "orthogonal, polished"
    # the data themselves are rounded: κ² · ε · ‖r‖ and κ · ε in relation to w, at κ = 10⁶
    np.testing.assert_allclose(model.coef_, w, rtol=0, atol=1e-3)
    assert model.score(X, y) == pytest.approx(TheirLinearRegression().fit(X, y).score(X, y), rel=1e-12)


@pytest.mark.parametrize("condition", [1e1, 1e3, 1e5])
def test_constructed_answer(condition):
    """On X made from its singular values, the chosen coefficients are found up to what rounding of X, y allows."""
    X, y, w = conditioned(50, condition)
    model = LinearRegression().fit(X, y)
    error = np.finfo(float).eps * (condition + condition**2 * 0.1)  # perturbation of least squares: κ + κ²·tan θ
    np.testing.assert_allclose(model.coef_, w, rtol=0, atol=20 * error)
    assert model.certificate_.condition >= 1


def test_certificate_counts_the_digits_lost():
    """Nearly dependent columns: a larger condition number leaves fewer digits before the answer is polished."""
    x = RNG.normal(size=(100, 2))
    digits, conditions = [], []
    for gap in (1.0, 1e-2, 1e-5):
        X = np.column_stack([x[:, 0], x[:, 0] + gap * x[:, 1]])
        record = LinearRegression().partial_fit(X, x[:, 1])  # from sums alone: nothing is polished
        digits.append(record.certificate_.digits)
        conditions.append(record.certificate_.condition)
        assert record.certificate_.holds
    assert np.diff(digits) == pytest.approx([-2, -3], abs=0.7)
    np.testing.assert_allclose(np.diff(np.log10(conditions)), [2, 3], atol=0.7)


@pytest.mark.parametrize("X", [LARGE, SMALL, SMALL * [1, 1e6, 1e-6, 1] + 1e5], ids=["large", "small", "ill-scaled"])
@pytest.mark.parametrize("intercept", [True, False])
def test_residuals_are_orthogonal_to_the_columns(X, intercept):
    """Zᵀr = 0, the equations that make an answer the least-squares one, up to rounding of r."""
    y = np.sin(np.arange(len(X)))
    model = LinearRegression(fit_intercept=intercept).fit(X, y)
    r = y - model.predict(X)
    Z = X - X.mean(axis=0) if intercept else X
    cosines = Z.T @ r / (np.sqrt((Z**2).sum(axis=0)) * np.sqrt(r @ r))
    rounding = 1e-15 * max(1.0, np.abs(X * model.coef_).max()) * np.sqrt(len(X))
    np.testing.assert_allclose(cosines, 0, atol=10 * rounding)
    if intercept:
        assert abs(r.mean()) < 10 * rounding


# ---- dependent columns -----------------------------------------------------------------------------------------------

DEPENDENT = {
    "duplicate columns": np.column_stack([SMALL, SMALL[:, 1]]),
    "constant column": np.column_stack([SMALL, np.full(60, 7.0)]),
    "column of zeros": np.column_stack([SMALL, np.zeros(60)]),
    "sum of others": np.column_stack([SMALL, SMALL @ [1.0, 2.0, 0.0, 0.0]]),
    "fewer rows than columns": RNG.normal(size=(60, 90)),
}


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("name", DEPENDENT)
def test_smallest_solution(name, intercept):
    """Of all minimisers the one with the smallest ‖w‖, as scikit-learn gives it."""
    X = DEPENDENT[name]
    ours = LinearRegression(fit_intercept=intercept).fit(X, TARGET)
    theirs = TheirLinearRegression(fit_intercept=intercept).fit(X, TARGET)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-11 * max(1.0, np.abs(theirs.coef_).max()))
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-10)
    assert ours.rank_ == theirs.rank_


def test_columns_without_variance():
    """A table of one row many times explains nothing: w = 0, and b is the mean of the target."""
    model = LinearRegression().fit(np.tile(SMALL[:1], (60, 1)), TARGET)
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.intercept_ == pytest.approx(TARGET.mean(), rel=1e-14)
    assert model.rank_ == 0


def test_large_table_with_a_duplicate_column():
    """The normal equations give way, and the two equal columns share their coefficient."""
    X = np.column_stack([LARGE, LARGE[:, 0]])
    model = LinearRegression().fit(X, LARGE[:, 0])
    assert model.method_ == "orthogonal"
    assert model.rank_ == 10
    np.testing.assert_allclose(model.coef_, [0.5, *np.zeros(9), 0.5], atol=1e-12)


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("targets", [None, 1, 3])
def test_shapes_and_weights(intercept, weighted, targets):
    """Vectors, single columns and several targets have scikit-learn's shapes and values, with weights or without."""
    y = TARGET if targets is None else np.column_stack([TARGET * (t + 1) + SMALL[:, 0] ** t for t in range(targets)])
    weight = RNG.uniform(0, 3, size=60) if weighted else None
    ours = LinearRegression(fit_intercept=intercept).fit(SMALL, y, weight)
    theirs = TheirLinearRegression(fit_intercept=intercept).fit(SMALL, y, weight)
    for name in ("coef_", "intercept_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name))
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-11, atol=1e-12)
    assert ours.predict(SMALL).shape == theirs.predict(SMALL).shape
    np.testing.assert_allclose(ours.predict(SMALL), theirs.predict(SMALL), rtol=1e-12)
    assert ours.score(SMALL, y, weight) == pytest.approx(theirs.score(SMALL, y, weight), rel=1e-12)


def test_whole_weights_count_rows():
    """A weight of 3 is the row three times; a weight of 0 leaves it out."""
    times = RNG.integers(0, 4, size=60)
    weighted = LinearRegression().fit(SMALL, TARGET, times)
    repeated = LinearRegression().fit(np.repeat(SMALL, times, axis=0), np.repeat(TARGET, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-12)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("shape", [(60, 4), (60, 90)])
def test_positive(intercept, shape):
    """positive=True: no coefficient below 0, and the squared error of scikit-learn's answer."""
    X = RNG.normal(size=shape) + 1
    y = X[:, :4] @ [1.0, -2.0, 0.5, -1.0] + RNG.normal(size=60)
    ours = LinearRegression(positive=True, fit_intercept=intercept).fit(X, y)
    theirs = TheirLinearRegression(positive=True, fit_intercept=intercept).fit(X, y)
    assert (ours.coef_ >= 0).all()
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-10)
    if shape[1] == 4:  # with more columns than rows the answer need not be unique
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-12)


@pytest.mark.parametrize("model", [LinearRegression(positive=True), Ridge(0.0, positive=True)], ids=repr)
def test_positive_at_the_edges(model):
    """Of one row the constant is learned; a column that does not vary has coefficient 0; powers of two come out exactly."""
    model.fit([[2.0, 3.0]], [5.0])
    assert (model.coef_.tolist(), model.intercept_) == ([0.0, 0.0], 5.0)
    X, y = np.column_stack([np.ones(5), np.arange(5.0)]), np.array([0.0, 1.0, 1.5, 3.5, 4.0])
    coef = model.fit(X, y).coef_.copy()
    assert coef[0] == 0
    assert np.array_equal(model.fit(X * 2.0**-530, y).coef_ * 2.0**-530, coef)
    assert np.array_equal(model.fit(X, y * 2.0**-450).coef_ * 2.0**450, coef)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse(form, intercept):
    """A sparse table gives what the same table gives when it is dense."""
    X = sparse.random(200, 8, density=0.3, random_state=0).toarray()
    y = X.sum(axis=1) + 1
    ours, dense = (LinearRegression(fit_intercept=intercept).fit(table, y) for table in (form(X), X))
    np.testing.assert_array_equal(ours.coef_, dense.coef_)
    np.testing.assert_allclose(ours.predict(form(X)), dense.predict(X), rtol=1e-14)


def test_single_precision():
    """float32 data are summed in float64: the answer is that of the rounded data, rounded once."""
    X = SMALL.astype(np.float32)
    ours, double = LinearRegression().fit(X, TARGET), LinearRegression().fit(X.astype(float), TARGET)
    np.testing.assert_allclose(ours.coef_, double.coef_, rtol=2.0**-24)
    assert ours.certificate_.holds
    assert double.certificate_.digits > 9 > 7.3 > ours.certificate_.digits > 7.2


def test_single_precision_far_away():
    """Of columns far from zero, summaries and influences are those of the sums, up to what rounding does to coefficients."""
    X = (SMALL + 1000.0).astype(np.float32)
    ours, double = LinearRegression().fit(X, TARGET), LinearRegression().fit(X.astype(float), TARGET)
    np.testing.assert_allclose(ours.summary().t, double.summary().t, rtol=1e-6)
    assert ours.summary().r2 == double.summary().r2
    theirs = influence(double, X.astype(float), TARGET)
    np.testing.assert_allclose(influence(ours, X, TARGET).leverage, theirs.leverage, rtol=1e-9)


@pytest.mark.parametrize("intercept", [True, False])
def test_partial_fit(intercept):
    """Rows that come in pieces give what they give at once, also when the first piece has fewer rows than columns."""
    whole = LinearRegression(fit_intercept=intercept).fit(SMALL, TARGET)
    pieces = LinearRegression(fit_intercept=intercept)
    for part in (slice(0, 2), slice(2, 30), slice(30, 60)):
        pieces.partial_fit(SMALL[part], TARGET[part])
    np.testing.assert_allclose(pieces.coef_, whole.coef_, rtol=1e-11)
    np.testing.assert_allclose(pieces.intercept_, whole.intercept_, rtol=1e-11, atol=1e-14)


def test_fit_after_normal_equations_continues_by_partial_fit():
    """Sums of a large fit and of later rows add, whichever method made them."""
    y = LARGE @ np.arange(1.0, 11.0) + np.sin(np.arange(20_000))
    model = LinearRegression().fit(LARGE[:15_000], y[:15_000])
    assert model.method_ == "normal equations"
    model.partial_fit(LARGE[15_000:], y[15_000:])
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(LARGE, y).coef_, rtol=1e-12)


@pytest.mark.parametrize("offset", [2.0**26, -(2.0**30)])
def test_large_offset(offset):
    """Far from zero the slopes are the same: 2²⁶ beside steps of ½ costs no digit of whole numbers."""
    X = np.round(2 * SMALL) / 2
    near, far = LinearRegression().fit(X, TARGET), LinearRegression().fit(X + offset, TARGET)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-11)


def test_sums_serve_without_an_intercept_too():
    """Records are around a pivot; a learner without an intercept takes the pivot off again."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 2)) + 5
    y = table @ [1.0, 2.0] + 3 + rng.normal(size=100)
    model = LinearRegression().partial_fit(table[:50], y[:50])
    model.set_params(fit_intercept=False).partial_fit(table[50:], y[50:])
    np.testing.assert_allclose(model.coef_, LinearRegression(fit_intercept=False).fit(table, y).coef_, rtol=1e-12)


def test_other_targets_are_refused():
    """Rows with another number of targets cannot be added."""
    table = np.eye(4)
    model = LinearRegression().partial_fit(table, np.arange(4.0))
    with pytest.raises(ValueError, match="another number of targets"):
        model.partial_fit(table, np.ones((4, 2)))


def test_singular_values_of_few_rows():
    """As many as there are rows or columns, whichever are fewer; centring makes the last one vanish."""
    table = np.random.default_rng(0).normal(size=(5, 8))
    model = LinearRegression().fit(table, np.arange(5.0))
    expected = np.linalg.svd(table - table.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(model.singular_, expected, atol=1e-12)
