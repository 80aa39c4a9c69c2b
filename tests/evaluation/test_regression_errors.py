"""Errors of regression: agreement, both R², constants, several targets, refusals."""

from dataclasses import fields

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.linear_model import LinearRegression

from aprendiz.evaluation import RegressionErrors, regression_errors

RNG = np.random.default_rng(9)
Y = RNG.normal(size=(60, 3)) * [1, 20, 0.1] + [0, 300, -5]
Z = Y + RNG.normal(size=(60, 3)) * [0.5, 30, 0.02] + [0.1, 0, 0]
WEIGHT = RNG.uniform(0.1, 3, size=60)
NAMES = [field.name for field in fields(RegressionErrors)]


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("column", [0, 1, slice(None)], ids=["first", "second", "all"])
def test_same_as_scikit_learn(column, weight):
    """Every measure that scikit-learn has, for one target and for several."""
    y, z = Y[:, column], Z[:, column]
    errors, options = regression_errors(y, z, sample_weight=weight), {"sample_weight": weight, "multioutput": "raw_values"}
    for name, theirs in {
        "mse": metrics.mean_squared_error,
        "rmse": metrics.root_mean_squared_error,
        "mae": metrics.mean_absolute_error,
        "median_absolute": metrics.median_absolute_error,
        "r2": metrics.r2_score,
    }.items():
        ours = getattr(errors, name)
        assert np.shape(ours) == y.shape[1:]
        np.testing.assert_allclose(np.atleast_1d(ours), theirs(y, z, **options), rtol=1e-12)
    np.testing.assert_array_equal(errors.max, np.abs(y - z).max(axis=0))
    np.testing.assert_allclose(
        errors.bias, np.average(z, axis=0, weights=weight) - np.average(y, axis=0, weights=weight), rtol=1e-9
    )
    np.testing.assert_allclose(errors.r2 + errors.nmse, 1, rtol=1e-15)


def test_the_mean_has_exactly_one():
    """NMSE of the best constant is 1, to the last digit; of any other constant it is more."""
    for y in Y.T:
        errors = regression_errors(y, np.full(60, y.mean()))
        assert (errors.nmse, errors.r2) == (1.0, 0.0)
        assert regression_errors(y, np.full(60, y.mean() + 0.1 * y.std())).nmse == pytest.approx(1.01, rel=1e-12)


def test_which_r2_belongs_to_which_model():
    """On its own rows least squares lies between 0 and 1 in its own measure; through the origin the other may be negative."""
    x = RNG.uniform(1, 2, size=(50, 1))
    y = 10 - x[:, 0] + RNG.normal(size=50)
    line, ray = LinearRegression().fit(x, y), LinearRegression(fit_intercept=False).fit(x, y)
    with_intercept, through_origin = (regression_errors(y, model.predict(x)) for model in (line, ray))
    assert 0 <= with_intercept.r2 <= 1
    assert 0 <= through_origin.r2_without_intercept <= 1
    assert through_origin.r2 < 0
    residual = y - ray.predict(x)
    assert through_origin.r2_without_intercept == pytest.approx(1 - residual @ residual / (y @ y), rel=1e-13)
    assert regression_errors(y, np.zeros(50)).r2_without_intercept == 0.0


def test_on_other_rows_r2_has_no_lower_bound():
    """A prediction may be as bad as one likes."""
    assert regression_errors([0, 1], [100, -100]).r2 < -1000


@pytest.mark.parametrize("value", [0.1, 0.0, 1e8 + 0.1, 1 / 3])
@pytest.mark.parametrize("weight", [None, np.arange(1.0, 8.0)], ids=["plain", "weighted"])
def test_constant_targets(value, weight):
    """A constant has no NMSE and no R², whatever rounding leaves of its variance; the other measures exist."""
    y = np.full(7, value)
    for z in (y, y + 1):
        errors = regression_errors(y, z, sample_weight=weight)
        assert np.isnan([errors.nmse, errors.r2]).all()
        assert errors.mae == pytest.approx(np.abs(z - y).max(), rel=1e-12)
        assert np.isnan(errors.r2_without_intercept) == (value == 0)
    assert "y does not vary" in str(errors)


numbers = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 3)), min_size=1, max_size=10)


@given(numbers.filter(lambda some: any(w for *_, w in some)))
def test_weights_count_rows(some):
    """Weight 2 is the row twice, weight 0 the row left out: of the median and of the largest error too."""
    y, z, w = (np.array(column) for column in zip(*some, strict=True))
    weighted, repeated = regression_errors(y, z, sample_weight=w), regression_errors(y.repeat(w), z.repeat(w))
    for name in NAMES:
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-12, atol=1e-12)


def test_digits_at_an_offset():
    """At an offset of 2³⁰ the quality of a fit is the same: numbers on a grid of 2⁻¹⁰ are shifted without loss."""
    y, z = (np.round(column * 1024) / 1024 for column in (Y[:, 0], Z[:, 0]))
    near, far = regression_errors(y, z), regression_errors(y + 2.0**30, z + 2.0**30)
    assert far.mse == near.mse
    assert far.nmse == pytest.approx(near.nmse, rel=1e-10)


def test_several_targets():
    """Target by target as alone; the average is the mean of each measure."""
    together = regression_errors(Y, Z)
    alone = [regression_errors(y, z) for y, z in zip(Y.T, Z.T, strict=True)]
    for name in NAMES:
        values = [getattr(errors, name) for errors in alone]
        np.testing.assert_allclose(getattr(together, name), values, rtol=1e-13)
        assert getattr(together.average, name) == pytest.approx(np.mean(values), rel=1e-13)
    assert together.average.r2 == pytest.approx(metrics.r2_score(Y, Z), rel=1e-12)
    frame = together.frame()
    assert list(frame.columns) == NAMES
    assert frame.shape == (3, len(NAMES))
    assert len(str(together).splitlines()) == len(NAMES) + 1


def test_all_ways_to_pass_numbers():
    """Lists, Series of pandas and polars, frames, one column for a vector."""
    wanted = regression_errors(Y[:, 0], Z[:, 0]).mse
    for form in (
        list,
        pd.Series,
        pl.Series,
        lambda v: v[:, None],
        lambda v: pd.DataFrame({"y": v}),
        lambda v: v.astype(object),
    ):
        assert regression_errors(form(Y[:, 0]), Z[:, 0]).mse == wanted
    np.testing.assert_allclose(regression_errors(pd.DataFrame(Y), pl.DataFrame(Z)).mse, regression_errors(Y, Z).mse, rtol=1e-14)


bad_inputs = {
    "lengths": (([1, 2, 3], [1, 2]), {}, ValueError, "y_true has 3 rows, y_pred has 2"),
    "targets": (([[1, 2], [3, 4]], [1, 2]), {}, ValueError, r"y_true has shape \(2, 2\), y_pred has shape \(2,\)"),
    "nan": (([1, 2], [1, np.nan]), {}, ValueError, "y_pred contains NaN: row 1"),
    "infinite": (([np.inf, 2], [1, 2]), {}, ValueError, "y_true contains infinity.*row 0"),
    "text": (([1, "a"], [1, 2]), {}, TypeError, "y_true holds 'a' in row 1: numbers are compared here"),
    "empty": (([], []), {}, ValueError, "y_true has no rows"),
    "cube": ((np.zeros((2, 2, 2)), np.zeros((2, 2, 2))), {}, ValueError, r"shape \(2, 2, 2\): give one column"),
    "negative": (([1, 2], [1, 2]), {"sample_weight": [-1, 1]}, ValueError, "Negative weight -1.0 in row 0"),
    "no weight": (([1, 2], [1, 2]), {"sample_weight": [0, 0]}, ValueError, "all weights are zero"),
}


@pytest.mark.parametrize("case", bad_inputs.values(), ids=list(bad_inputs))
def test_bad_input(case):
    """Refusals name the argument, the row and the value."""
    arguments, options, kind, words = case
    with pytest.raises(kind, match=words):
        regression_errors(*arguments, **options)
