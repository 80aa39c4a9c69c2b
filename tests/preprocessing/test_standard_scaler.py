"""StandardScaler: means and deviations of columns, with what may be missing, constant or far from zero."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.preprocessing import StandardScaler as TheirScaler

from aprendiz import MinMaxScaler, RobustScaler, StandardScaler

RNG = np.random.default_rng(4)
X = RNG.normal(size=(200, 4)) * [1, 10, 0.1, 3] + [0, 5, -2, 100]
WEIGHT = RNG.uniform(0, 3, size=200)
HOLES = np.where(RNG.uniform(size=X.shape) < 0.2, np.nan, X)


def assert_same(ours, theirs):
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-11)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-11)


# ---- drop-in ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [X, HOLES], ids=["full", "missing cells"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_same_as_scikit_learn(table, weight):
    """Means, variances and transformed rows, with missing cells and weights; missing cells stay missing."""
    ours, theirs = StandardScaler().fit(table, sample_weight=weight), TheirScaler().fit(table, sample_weight=weight)
    assert_same(ours, theirs)
    np.testing.assert_allclose(ours.transform(table), theirs.transform(table), rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(np.isnan(ours.transform(table)), np.isnan(table))


@pytest.mark.parametrize(("with_mean", "with_std"), [(True, False), (False, True), (False, False)])
def test_only_one_of_both(with_mean, with_std):
    """Without centring or scaling the same attributes are None, and the same rows come out."""
    parameters = {"with_mean": with_mean, "with_std": with_std}
    ours, theirs = StandardScaler(**parameters).fit(X), TheirScaler(**parameters).fit(X)
    for name in ("mean_", "var_", "scale_"):
        assert (getattr(ours, name) is None) == (getattr(theirs, name) is None)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), X, rtol=1e-13, atol=1e-13)


def test_rows_seen():
    """One number if every column has as many cells, else one for each column; weights are summed."""
    for table in (X, HOLES):
        for weight in (None, WEIGHT, np.ones(200)):
            ours = StandardScaler().fit(table, sample_weight=weight).n_samples_seen_
            theirs = TheirScaler().fit(table, sample_weight=weight).n_samples_seen_
            assert np.shape(ours) == np.shape(theirs)
            np.testing.assert_allclose(ours, theirs, rtol=1e-13)
    assert isinstance(StandardScaler().fit(X).n_samples_seen_, (int, np.integer))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_sparse(form, weight):
    """Without centring a sparse table is scaled as the dense one, and stays sparse; centring is refused."""
    dense = sparse.random(200, 6, density=0.2, random_state=0).toarray()
    ours = StandardScaler(with_mean=False).fit(form(dense), sample_weight=weight)
    assert_same(ours, StandardScaler(with_mean=False).fit(dense, sample_weight=weight))
    np.testing.assert_allclose(ours.var_, TheirScaler(with_mean=False).fit(form(dense), sample_weight=weight).var_)
    Z = ours.transform(form(dense))
    assert sparse.issparse(Z)
    assert Z.nnz == np.count_nonzero(dense)
    np.testing.assert_allclose(Z.toarray(), dense / ours.scale_, rtol=1e-14)
    np.testing.assert_allclose(ours.inverse_transform(Z).toarray(), dense, rtol=1e-14)
    with pytest.raises(ValueError, match="Cannot center sparse matrices"):
        StandardScaler().fit(form(dense))


def test_inverse_transform():
    """x = z·s + m gives the rows back, missing cells included."""
    scaler = StandardScaler().fit(HOLES)
    np.testing.assert_allclose(scaler.inverse_transform(scaler.transform(HOLES)), HOLES, rtol=1e-13, atol=1e-13)


# ---- digits ----------------------------------------------------------------------------------------------------------


def exact(column):
    """Mean and variance in rational numbers."""
    values = [Fraction(float(v)) for v in column]
    mean = sum(values) / len(values)
    return float(mean), float(sum((v - mean) ** 2 for v in values) / len(values))


@pytest.mark.parametrize("offset", [0.0, 1e4, 2.0**26, 1e12])
def test_digits_at_any_offset(offset):
    """Mean and variance are those of exact arithmetic on the same numbers, at any distance from zero."""
    table = X + offset
    scaler = StandardScaler().fit(table)
    wanted = np.array([exact(column) for column in table.T])
    np.testing.assert_allclose(scaler.mean_, wanted[:, 0], rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(scaler.var_, wanted[:, 1], rtol=1e-12)
    assert scaler.certificate_.holds


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1e8 + 0.1, -1e-8, 1 / 3])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_constant_columns(value, weight):
    """A constant column becomes 0 and is not scaled, whatever rounding leaves of its variance."""
    table = np.full((200, 1), value)
    scaler = StandardScaler().fit(table, sample_weight=weight)
    assert scaler.scale_[0] == 1
    np.testing.assert_allclose(scaler.transform(table), 0, atol=1e-15 * max(1, abs(value)))


@pytest.mark.parametrize("rows", [10, 1000])
@pytest.mark.parametrize("mean", [3e-10, 3.0, 3e10])
@pytest.mark.parametrize("weight", [None, 2.0**-60, 2.0**60])
def test_nearly_constant_columns(rows, mean, weight):
    """Columns of one mean and spreads from rounding upwards: scikit-learn's scales, in any unit of the weights."""
    table = np.repeat([[1.0], [-1.0]], rows // 2, axis=0) * mean * 10.0 ** np.arange(-18, 3) + mean
    ours, theirs = StandardScaler().fit(table, sample_weight=weight and np.full(rows, weight)), TheirScaler().fit(table)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-9)
    assert 0 < ours.certificate_.constant == (theirs.scale_ == 1).sum() < 21


def test_columns_that_differ_by_rounding_only():
    """One unit in the last place is rounding, not spread: s = 1. A thousand units are spread."""
    base = np.full(200, 1e6)
    one = base.copy()
    one[::2] = np.nextafter(1e6, 2e6)
    many = base.copy()
    many[::2] += 1000 * np.spacing(1e6)
    scaler = StandardScaler().fit(np.column_stack([one, many]))
    assert scaler.scale_[0] == 1
    assert scaler.scale_[1] == pytest.approx(500 * np.spacing(1e6), rel=1e-9)


def test_single_precision():
    """float32 rows are summed in float64 and transformed to float32."""
    table = (X + 1e4).astype(np.float32)
    scaler = StandardScaler().fit(table)
    np.testing.assert_allclose(scaler.var_, table.astype(float).var(axis=0), rtol=1e-11)
    Z = scaler.transform(table)
    assert Z.dtype == scaler.inverse_transform(Z).dtype == np.float32
    np.testing.assert_allclose(Z, StandardScaler().fit_transform(table.astype(float)), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("table", [X, HOLES, X + 1e8], ids=["full", "missing cells", "far from zero"])
def test_partial_fit(table):
    """Rows that come in pieces give what they give at once."""
    pieces = StandardScaler()
    for start in range(0, 200, 33):
        pieces.partial_fit(table[start : start + 33])
    whole = StandardScaler().fit(table)
    assert_same(pieces, whole)
    np.testing.assert_array_equal(pieces.n_samples_seen_, whole.n_samples_seen_)


def test_column_without_any_cell():
    """A column that is missing throughout has no mean, stays missing, and disturbs nobody."""
    table = np.column_stack([X[:, 0], np.full(200, np.nan)])
    ours, theirs = StandardScaler().fit(table), TheirScaler().fit(X[:, :1])
    np.testing.assert_allclose(ours.mean_[0], theirs.mean_[0], rtol=1e-12, atol=1e-14)
    assert np.isnan(ours.mean_[1])
    Z = ours.transform(table)
    assert np.isfinite(Z[:, 0]).all()
    assert np.isnan(Z[:, 1]).all()


# ---- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_names_and_output(library, request):
    """Names of the columns are kept, and `set_output` gives a frame of the library that was asked for."""
    frame = library.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    kind = request.node.callspec.id
    scaler = StandardScaler().set_output(transform=kind).fit(frame)
    assert list(scaler.feature_names_in_) == list(scaler.get_feature_names_out()) == ["a", "b"]
    Z = scaler.transform(frame)
    assert isinstance(Z, library.DataFrame)
    assert list(Z.columns) == ["a", "b"]
    np.testing.assert_allclose(Z.to_numpy(), StandardScaler().fit_transform(X[:, :2]), rtol=1e-13)
    with pytest.raises(ValueError, match="feature names"):
        scaler.transform(library.DataFrame({"a": X[:, 0], "c": X[:, 1]}))


def test_names_of_plain_arrays():
    """Plain arrays have the columns x0, x1, …"""
    assert list(StandardScaler().fit(X).get_feature_names_out()) == ["x0", "x1", "x2", "x3"]


def test_a_batch_without_any_cell():
    """A batch whose cells are all missing changes nothing: it is no batch without weight."""
    scaler = StandardScaler().fit([[1.0], [2.0]]).partial_fit(np.full((3, 1), np.nan))
    assert (scaler.mean_, scaler.var_) == (1.5, 0.25)
    assert np.isnan(StandardScaler().fit(np.full((3, 1), np.nan)).mean_)
    with pytest.raises(ValueError, match="all weights are zero"):
        StandardScaler().fit([[1.0]], sample_weight=[0.0])


@pytest.mark.parametrize("cls", [StandardScaler, MinMaxScaler, RobustScaler])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_precision_of_the_answer_is_that_of_the_rows(cls, dtype):
    rows = np.random.default_rng(0).normal(size=(30, 3)).astype(dtype)
    scaler = cls().fit(rows)
    assert scaler.transform(rows).dtype == scaler.inverse_transform(scaler.transform(rows)).dtype == dtype
    assert scaler.scale_.dtype == np.float64
