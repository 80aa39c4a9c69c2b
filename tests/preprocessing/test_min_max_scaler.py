"""MinMaxScaler: the smallest cell of a column becomes one end of the range, the largest the other."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.preprocessing import MinMaxScaler as TheirScaler

import aprendiz
from aprendiz import MinMaxScaler, RobustScaler

RNG = np.random.default_rng(5)
X = RNG.normal(size=(120, 4)) * [1, 10, 0.1, 3] + [0, 5, -2, 100]
NEW = RNG.normal(size=(50, 4)) * [2, 20, 0.2, 6] + [0, 5, -2, 100]  # some cells lie beyond the extremes of X
HOLES = np.where(RNG.uniform(size=X.shape) < 0.2, np.nan, X)
RANGES = [(0, 1), (-1, 1), (5, 7.5), (-0.1, 0.3)]
ATTRIBUTES = ("data_min_", "data_max_", "data_range_", "scale_", "min_")


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [X, HOLES], ids=["full", "missing cells"])
@pytest.mark.parametrize("ends", RANGES, ids=str)
@pytest.mark.parametrize("clip", [False, True])
def test_same_as_scikit_learn(table, ends, clip):
    """The same attributes and rows, inside and beyond the extremes; missing cells stay missing."""
    ours, theirs = (cls(ends, clip=clip).fit(table) for cls in (MinMaxScaler, TheirScaler))
    for name in ATTRIBUTES:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-13, atol=1e-14)
    assert ours.n_samples_seen_ == theirs.n_samples_seen_ == 120
    for rows in (table, NEW):
        np.testing.assert_allclose(ours.transform(rows), theirs.transform(rows), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(np.isnan(ours.transform(table)), np.isnan(table))


@pytest.mark.parametrize("clip", [False, True])
def test_clip(clip):
    """With `clip` new rows stay in the range, and only cells beyond the extremes are changed by it."""
    scaler = MinMaxScaler((-1, 2), clip=clip).fit(X)
    Z, beyond = scaler.transform(NEW), (X.min(axis=0) > NEW) | (X.max(axis=0) < NEW)
    assert beyond.any()
    outside = (Z < -1) | (Z > 2)
    np.testing.assert_array_equal(outside, beyond & (not clip))
    np.testing.assert_array_equal(Z[~beyond], MinMaxScaler((-1, 2)).fit(X).transform(NEW)[~beyond])


@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_inverse_transform(ends):
    """x = (z − a)/(b − a)·(max − min) + min gives the rows back, missing cells included."""
    scaler = MinMaxScaler(ends).fit(HOLES)
    back = scaler.inverse_transform(scaler.transform(HOLES))
    np.testing.assert_allclose(back, HOLES, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(back, TheirScaler(ends).fit(HOLES).inverse_transform(scaler.transform(HOLES)), rtol=1e-12)


# ---- exact ends ------------------------------------------------------------------------------------------------------

cells = st.integers(-(10**6), 10**6).map(lambda k: k / 7.0)


@settings(deadline=None)
@given(st.lists(cells, min_size=2, max_size=6, unique=True), st.sampled_from(RANGES))
def test_ends_are_exact(column, ends):
    """The smallest cell becomes a, the largest b, without any rounding, and nothing leaves the range."""
    table = np.array(column)[:, None]
    Z = MinMaxScaler(ends).fit_transform(table)[:, 0]
    assert Z[table[:, 0].argmin()] == ends[0]
    assert Z[table[:, 0].argmax()] == ends[1]
    assert Z.min() == ends[0]
    assert Z.max() == ends[1]


@settings(deadline=None)
@given(st.lists(cells, min_size=2, max_size=6, unique=True))
def test_digits_against_fractions(column):
    """Every scaled cell is (x − min)/(max − min) to two units of the last place of 1."""
    exact = [Fraction(x) for x in column]
    low, high = min(exact), max(exact)
    Z = MinMaxScaler().fit_transform(np.array(column)[:, None])[:, 0]
    for z, x in zip(Z, exact, strict=True):
        assert abs(Fraction(float(z)) - (x - low) / (high - low)) <= Fraction(2) ** -51


@pytest.mark.parametrize("offset", [1e4, 1e8, 2.0**40])
def test_digits_at_any_offset(offset):
    """Whole numbers far from zero scale to the same numbers as near it: the offset costs no digits, but fewer values are
    left."""
    rng = np.random.default_rng(0)
    table = rng.integers(-100, 100, size=(50, 3)).astype(float)
    near, far = MinMaxScaler().fit(table), MinMaxScaler().fit(table + offset)
    np.testing.assert_array_equal(far.transform(table + offset), near.transform(table))
    assert far.certificate_.digits == near.certificate_.digits
    assert far.certificate_.resolution == pytest.approx(np.spacing(offset) / 199, rel=0.1)  # 199 is the widest range
    assert far.certificate_.holds


def test_certificate_names_the_worst_column():
    """A column that varies in its last digits only has the largest steps; its scaled values are right all the same."""
    table = np.column_stack([X[:, 0], 1e14 + np.arange(120.0)])
    certificate = MinMaxScaler().fit(table).certificate_
    assert certificate.column == 1
    assert certificate.holds
    assert certificate.resolution == np.spacing(1e14) / 119


def test_the_unit_of_a_column_does_not_matter():
    """A column in units of 2⁻⁶⁰ scales to the same bits; scikit-learn takes it for constant (see `differences`)."""
    tiny = X[:, :1] * 2.0**-60
    np.testing.assert_array_equal(MinMaxScaler().fit_transform(tiny), MinMaxScaler().fit_transform(X[:, :1]))
    assert np.ptp(TheirScaler().fit_transform(tiny)) < 1e-15


@pytest.mark.parametrize("value", [0.0, 0.1, -1e8 - 0.1, 1e-300])
def test_constant_columns(value):
    """A column of one value becomes a, and finds its way back."""
    table = np.full((20, 1), value)
    scaler = MinMaxScaler((2, 3)).fit(table)
    np.testing.assert_array_equal(scaler.transform(table), 2)
    np.testing.assert_array_equal(scaler.inverse_transform(np.full((1, 1), 2.0)), [[value]])
    assert scaler.data_range_[0] == 0


def test_column_without_any_cell():
    """A column that is missing throughout has no extremes, stays missing, and disturbs nobody."""
    table = np.column_stack([X[:, 0], np.full(120, np.nan)])
    scaler = MinMaxScaler().fit(table)
    assert np.isnan([getattr(scaler, name)[1] for name in ATTRIBUTES]).all()
    Z = scaler.transform(table)
    np.testing.assert_array_equal(Z[:, 0], MinMaxScaler().fit_transform(X[:, :1])[:, 0])
    assert np.isnan(Z[:, 1]).all()


def test_single_precision():
    """float32 rows come back as float32, their ends exact."""
    table = X.astype(np.float32)
    scaler = MinMaxScaler().fit(table)
    Z = scaler.transform(table)
    assert Z.dtype == scaler.inverse_transform(Z).dtype == np.float32
    assert (Z.min(axis=0) == 0).all()
    assert (Z.max(axis=0) == 1).all()
    np.testing.assert_allclose(Z, MinMaxScaler().fit_transform(table.astype(float)), rtol=1e-6, atol=1e-7)


# ---- sums ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [X, HOLES], ids=["full", "missing cells"])
def test_partial_fit(table):
    """Rows that come in pieces, in any order, give the bits that they give at once."""
    pieces = MinMaxScaler()
    for start in (66, 0, 33, 99):
        pieces.partial_fit(table[start : start + 33])
    whole = MinMaxScaler().fit(table)
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(pieces, name), getattr(whole, name))
    assert pieces.n_samples_seen_ == 120


def test_a_column_known_late():
    """A column whose first piece is all missing is known as soon as its cells come."""
    first = X[:60].copy()
    first[:, 2] = np.nan
    model = MinMaxScaler().partial_fit(first)
    assert np.isnan(model.data_min_[2])
    model.partial_fit(X[60:])
    assert model.data_min_[2] == X[60:, 2].min()


def test_rows_of_weight_zero_do_not_count():
    """A weight says whether a row counts; how much makes no difference to the extremes."""
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 3, size=120).astype(float)
    scaler = MinMaxScaler().fit(X, sample_weight=weight)
    np.testing.assert_array_equal(scaler.data_max_, X[weight > 0].max(axis=0))
    np.testing.assert_array_equal(scaler.data_min_, X[weight > 0].min(axis=0))


def test_files(tmp_path):
    """From a Parquet file with missing cells: the bits of the same rows in memory."""
    frame = pd.DataFrame(HOLES, columns=list("abcd"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=50)
    of_file, in_memory = MinMaxScaler().fit(aprendiz.rows(tmp_path / "t.parquet")), MinMaxScaler().fit(frame)
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(of_file, name), getattr(in_memory, name))
    Z = of_file.transform(aprendiz.rows(tmp_path / "t.parquet"))
    np.testing.assert_array_equal(Z.each(lambda block: block.X), in_memory.transform(frame))


# ---- refusals and frames ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [(1, 1), (1, 0), (0, np.nan), (0,), (0, 1, 2), ()], ids=str)
def test_ranges_that_are_none(ends):
    """Ends that are equal, out of order, missing or too many are refused with their values."""
    with pytest.raises(ValueError, match="feature_range must be two numbers in order") as error:
        MinMaxScaler(ends).fit(X)
    assert repr(ends) in str(error.value)


def test_sparse_is_refused():
    """A shift would fill a sparse table."""
    with pytest.raises(TypeError, match="toarray"):
        MinMaxScaler().fit(sparse.csr_matrix(X))


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_names_and_output(library, request):
    """Names of the columns are kept, and `set_output` gives a frame of the library that was asked for."""
    frame = library.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    scaler = MinMaxScaler().set_output(transform=request.node.callspec.id).fit(frame)
    assert list(scaler.feature_names_in_) == list(scaler.get_feature_names_out()) == ["a", "b"]
    Z = scaler.transform(frame)
    assert isinstance(Z, library.DataFrame)
    assert list(Z.columns) == ["a", "b"]
    np.testing.assert_array_equal(Z.to_numpy(), MinMaxScaler().fit_transform(X[:, :2]))


@pytest.mark.parametrize("scaler", [MinMaxScaler(), RobustScaler(quantile_range=(0, 100))], ids=repr)
@pytest.mark.parametrize("size", [1e308, 1e-310])
def test_ranges_that_are_no_numbers(scaler, size):
    """A range that overflows, or whose inverse does, is refused with its column; half of it is not."""
    X = np.array([[0.0, -1.0], [1.0, 0.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match=r"column 1 reaches from .* Scale the column"):
        scaler.fit(X * [1.0, size])
    Z = scaler.fit_transform(X * [1.0, 1e307])
    assert np.isfinite(Z).all()
    assert np.isfinite(scaler.scale_).all()
