"""RobustScaler: medians and quartiles, exact wherever the rows are, and outliers that do not matter."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.stats import norm
from sklearn.preprocessing import RobustScaler as TheirScaler

import aprendiz
from aprendiz import RobustScaler

RNG = np.random.default_rng(6)
X = RNG.normal(size=(200, 4)) * [1, 10, 0.1, 3] + [0, 5, -2, 100]
HOLES = np.where(RNG.uniform(size=X.shape) < 0.2, np.nan, X)
LARGE = np.column_stack([  # several blocks: the quantiles are searched for, not sorted
    RNG.normal(size=30_000),
    np.round(RNG.normal(size=30_000), 1),  # few distinct values, each many times
    RNG.standard_cauchy(30_000) * 1e6,
    np.where(RNG.uniform(size=30_000) < 0.3, np.nan, RNG.exponential(size=30_000) + 1e8),
])  # fmt: skip
RANGES = [(25.0, 75.0), (10, 90), (5, 95), (0, 100), (1.5, 33.3)]


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [X, HOLES, LARGE], ids=["full", "missing cells", "large"])
@pytest.mark.parametrize("levels", RANGES, ids=str)
def test_same_as_scikit_learn(table, levels):
    """Medians, ranges and scaled rows; missing cells stay missing."""
    ours, theirs = (cls(quantile_range=levels).fit(table) for cls in (RobustScaler, TheirScaler))
    np.testing.assert_allclose(ours.center_, theirs.center_, rtol=1e-15)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-13)
    Z = ours.transform(table)
    np.testing.assert_allclose(Z, theirs.transform(table), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(np.isnan(Z), np.isnan(table))


@pytest.mark.parametrize(("centring", "scaling"), [(True, False), (False, True), (False, False)])
def test_only_one_of_both(centring, scaling):
    """Without centring or scaling the same attributes are None, and the same rows come out."""
    parameters = {"with_centering": centring, "with_scaling": scaling}
    ours, theirs = RobustScaler(**parameters).fit(HOLES), TheirScaler(**parameters).fit(HOLES)
    for name in ("center_", "scale_"):
        assert (getattr(ours, name) is None) == (getattr(theirs, name) is None)
    np.testing.assert_allclose(ours.transform(HOLES), theirs.transform(HOLES), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(HOLES)), HOLES, rtol=1e-13, atol=1e-13)


def test_the_unit_of_a_column_does_not_matter():
    """A column in units of 2⁻⁶⁰ scales to the same bits; scikit-learn takes it for constant (see `differences`)."""
    tiny = X[:, :1] * 2.0**-60
    np.testing.assert_array_equal(RobustScaler().fit_transform(tiny), RobustScaler().fit_transform(X[:, :1]))
    assert np.ptp(TheirScaler().fit_transform(tiny)) < 1e-15


@pytest.mark.parametrize("levels", [(25.0, 75.0), (10, 90)], ids=str)
def test_unit_variance(levels):
    """The range is divided by that of a standard normal, so that normal data get variance 1."""
    plain, unit = (RobustScaler(quantile_range=levels, unit_variance=wanted).fit(X) for wanted in (False, True))
    width = norm.ppf(levels[1] / 100) - norm.ppf(levels[0] / 100)
    np.testing.assert_allclose(unit.scale_, plain.scale_ / width, rtol=1e-14)
    np.testing.assert_allclose(unit.scale_, TheirScaler(quantile_range=levels, unit_variance=True).fit(X).scale_, rtol=1e-13)
    normal = norm.ppf(np.arange(1, 2000) / 2000)[:, None]  # the quantiles of a normal at equal steps
    Z = RobustScaler(quantile_range=levels, unit_variance=True).fit_transform(normal)
    assert Z.std() == pytest.approx(1, abs=5e-3)  # the tails beyond 1/2000 are cut off


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse(form):
    """Without centring a sparse table is scaled as the dense one, and stays sparse; centring is refused."""
    dense = sparse.random(300, 5, density=0.7, random_state=0).toarray()
    ours = RobustScaler(with_centering=False).fit(form(dense))
    np.testing.assert_array_equal(ours.scale_, RobustScaler(with_centering=False).fit(dense).scale_)
    np.testing.assert_allclose(ours.scale_, TheirScaler(with_centering=False).fit(form(dense)).scale_, rtol=1e-13)
    Z = ours.transform(form(dense))
    assert sparse.issparse(Z)
    np.testing.assert_allclose(Z.toarray(), dense / ours.scale_, rtol=1e-14)
    np.testing.assert_allclose(ours.inverse_transform(Z).toarray(), dense, rtol=1e-14)
    with pytest.raises(ValueError, match="with_centering=False"):
        RobustScaler().fit(form(dense))


# ---- exact quantiles -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [5, 41, 4001, 20_001])
def test_quartiles_that_are_rows(rows):
    """With 4k + 1 rows, median and quartiles are cells of the column: found without any rounding."""
    rng = np.random.default_rng(0)
    column = rng.standard_cauchy(rows)
    ordered, k = np.sort(column), (rows - 1) // 4
    scaler = RobustScaler().fit(column[:, None])
    assert scaler.center_[0] == ordered[2 * k]
    assert scaler.scale_[0] == ordered[3 * k] - ordered[k]


def exact_quantile(column, level):
    """Type 7 of Hyndman & Fan, in rational numbers."""
    ordered = sorted(Fraction(float(x)) for x in column)
    h = level * (len(ordered) - 1)
    low = int(h)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (h - low) * (ordered[high] - ordered[low])


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 6, 10, 43])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_quantiles_between_rows(rows, offset):
    """Between two cells: the straight line between them, to one unit of the last place."""
    rng = np.random.default_rng(0)
    column = rng.normal(size=rows) + offset
    scaler = RobustScaler(quantile_range=(12.5, 75)).fit(column[:, None])
    low, middle, high = (exact_quantile(column, Fraction(k, 8)) for k in (1, 4, 6))
    ulp = np.spacing(np.abs(column).max())
    assert abs(Fraction(scaler.center_[0]) - middle) <= Fraction(ulp)
    if rows > 1:
        assert abs(Fraction(scaler.scale_[0]) - (high - low)) <= 3 * Fraction(ulp)  # two quantiles and their difference


@pytest.mark.parametrize("share", [0.4, 0.7])
@pytest.mark.parametrize("rows", [999, 29_999])
def test_zeros_of_either_sign(share, rows):
    """0 and −0 are one number, however many there are."""
    rng = np.random.default_rng(0)
    zeros = np.where(rng.uniform(size=rows) < 0.5, -0.0, 0.0)
    column = np.where(rng.uniform(size=rows) < share, zeros, rng.choice([1.0, 2.0], size=rows))[:, None]
    scaler = RobustScaler(quantile_range=(10, 90)).fit(column)
    assert scaler.center_[0] == np.median(column)
    assert scaler.scale_[0] == np.subtract(*np.percentile(column, [90, 10]))


@pytest.mark.parametrize("outlier", [-(2.0**k) for k in (10, 30, 52, 53, 54, 55, 56, 57, 58, 100, 1000)], ids=str)
def test_the_extremes_beside_an_outlier(outlier):
    """All other cells in a small part of the range, on one side of zero: the levels 0 and 100 are the extremes."""
    rng = np.random.default_rng(0)
    column = np.abs(rng.normal(size=20_000))
    column[0] = outlier
    scaler = RobustScaler(quantile_range=(50, 100)).fit(column[:, None])
    assert scaler.scale_[0] == column.max() - np.median(column)


@pytest.mark.parametrize("rows", [200, 20_000])
def test_whole_weights_count_rows(rows):
    """A weight of 3 is the row three times; a weight of 0 leaves it out: the same bits."""
    rng = np.random.default_rng(0)
    table = np.round(rng.normal(size=(rows, 3)), 3)
    times = rng.integers(0, 4, size=rows)
    weighted = RobustScaler().fit(table, sample_weight=times.astype(float))
    repeated = RobustScaler().fit(np.repeat(table, times, axis=0))
    np.testing.assert_array_equal(weighted.center_, repeated.center_)
    np.testing.assert_array_equal(weighted.scale_, repeated.scale_)


def test_files(tmp_path):
    """From a Parquet file: the bits of the same rows in memory, sorted or searched for."""
    for table in (HOLES, LARGE):
        frame = pd.DataFrame(table, columns=list("abcd"))
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=7000)
        of_file, in_memory = RobustScaler().fit(aprendiz.rows(tmp_path / "t.parquet")), RobustScaler().fit(table)
        np.testing.assert_array_equal(of_file.center_, in_memory.center_)
        np.testing.assert_array_equal(of_file.scale_, in_memory.scale_)
        np.testing.assert_array_equal(of_file.center_, np.nanmedian(table, axis=0))


# ---- outliers --------------------------------------------------------------------------------------------------------


def test_outliers_do_not_matter():
    """A quarter of the rows above the upper quartile moved anywhere above it: not one bit of m and s changes."""
    rng = np.random.default_rng(0)
    moved = X[:197].copy()  # 4k + 1: the quartiles are rows
    for column in moved.T:
        top = np.argsort(column)[-49:]
        column[top] = 10.0 ** rng.uniform(3, 300, size=49)
    plain, spoiled = RobustScaler().fit(X[:197]), RobustScaler().fit(moved)
    np.testing.assert_array_equal(spoiled.center_, plain.center_)
    np.testing.assert_array_equal(spoiled.scale_, plain.scale_)


def test_up_to_a_quarter_of_anything():
    """Whatever a quarter of the rows becomes, m stays between the first and third quartile of the others, and s is finite."""
    rng = np.random.default_rng(0)
    good, bad = X[:150], rng.standard_cauchy((49, 4)) * 1e9
    scaler = RobustScaler().fit(np.vstack([good, bad]))
    low, high = np.percentile(good, [25, 75], axis=0)
    assert (low <= scaler.center_).all()
    assert (scaler.center_ <= high).all()
    assert (scaler.scale_ <= np.ptp(good, axis=0)).all()


# ---- columns without a range -----------------------------------------------------------------------------------------


def test_flat_columns():
    """Columns whose quartiles are equal are centred and not scaled, and the certificate counts them."""
    mostly = np.where(np.arange(200) < 180, 7.3, X[:, 1])
    table = np.column_stack([X[:, 0], np.full(200, 0.1), mostly])
    scaler = RobustScaler().fit(table)
    np.testing.assert_array_equal(scaler.scale_[1:], 1)
    np.testing.assert_array_equal(scaler.center_[1:], [0.1, 7.3])
    np.testing.assert_array_equal(scaler.transform(table)[:, 1], 0)
    assert scaler.certificate_.flat == 2
    assert not scaler.certificate_.holds
    assert RobustScaler().fit(X).certificate_.holds


def test_column_without_any_cell():
    """A column that is missing throughout has no median, stays missing, and disturbs nobody."""
    table = np.column_stack([X[:, 0], np.full(200, np.nan)])
    scaler = RobustScaler().fit(table)
    assert scaler.center_[0] == np.median(X[:, 0])
    assert np.isnan(scaler.center_[1])
    Z = scaler.transform(table)
    assert np.isfinite(Z[:, 0]).all()
    assert np.isnan(Z[:, 1]).all()


def test_single_precision():
    """float32 rows have the quantiles of the same numbers, and are transformed to float32."""
    table = X.astype(np.float32)
    scaler = RobustScaler().fit(table)
    np.testing.assert_array_equal(scaler.center_, RobustScaler().fit(table.astype(float)).center_)
    Z = scaler.transform(table)
    assert Z.dtype == scaler.inverse_transform(Z).dtype == np.float32
    np.testing.assert_allclose(Z, RobustScaler().fit_transform(table.astype(float)), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("levels", [(75, 25), (-1, 50), (25, 101), (25,), (), (np.nan, 75)], ids=str)
def test_ranges_that_are_none(levels):
    """Levels out of order, beyond 0 and 100, missing or too few are refused with their values."""
    with pytest.raises(ValueError, match="quantile_range must be two per cents in order") as error:
        RobustScaler(quantile_range=levels).fit(X)
    assert repr(levels) in str(error.value)


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_names_and_output(library, request):
    """Names of the columns are kept, and `set_output` gives a frame of the library that was asked for."""
    frame = library.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    scaler = RobustScaler().set_output(transform=request.node.callspec.id).fit(frame)
    assert list(scaler.feature_names_in_) == list(scaler.get_feature_names_out()) == ["a", "b"]
    Z = scaler.transform(frame)
    assert isinstance(Z, library.DataFrame)
    np.testing.assert_array_equal(Z.to_numpy(), RobustScaler().fit_transform(X[:, :2]))
