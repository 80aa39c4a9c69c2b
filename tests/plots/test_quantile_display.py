"""Normal quantiles: where sorted normal numbers are expected, and how far they may be from there."""

import numpy as np
import pytest
from pictures import FITTED, HEAVY, X, texts
from scipy import stats

from aprendiz import LinearRegression
from aprendiz.plots import QuantileDisplay

RNG = np.random.default_rng(1)


def test_points():
    """Sorted residuals above the normal quantiles of R's `ppoints`: (i − ½)/n, and (i − ⅜)/(n + ¼) for up to ten rows."""
    values = RNG.normal(size=30)
    display = QuantileDisplay(values).plot()
    x, y = display.ax_.lines[1].get_data()
    np.testing.assert_array_equal(y, np.sort(values))
    np.testing.assert_allclose(x, stats.norm.ppf((np.arange(30) + 0.5) / 30))
    np.testing.assert_array_equal(values[display.rows], y)
    np.testing.assert_allclose(QuantileDisplay(values[:8]).expected, stats.norm.ppf((np.arange(1, 9) - 0.375) / 8.25))


def test_the_band_holds_what_it_says():
    """Of 4000 normal samples of 20, each order statistic is inside its interval in 95 %, give or take four standard errors."""
    samples = np.sort(RNG.normal(size=(4000, 20)), axis=1)
    display = QuantileDisplay(samples[0])
    inside = ((display.low <= samples) & (samples <= display.high)).mean(axis=0)
    np.testing.assert_allclose(inside, 0.95, atol=4 * np.sqrt(0.95 * 0.05 / 4000))
    wide = QuantileDisplay(samples[0], level=0.99)
    assert (wide.low < display.low).all()
    assert (wide.high > display.high).all()


def test_far_rows_are_named_and_counted():
    """The rows farthest outside the band have their numbers; rows without a residual are left out but still counted from 0."""
    values = np.r_[np.nan, stats.norm.ppf((np.arange(40) + 0.5) / 40), 9.0]
    display = QuantileDisplay(values).plot()
    assert display.outside.tolist() == [False] * 40 + [True]
    assert "1 of 41 rows outside the pointwise 95 % band" in display.ax_.get_title(loc="left").replace("\n", " ")
    assert "41" in [text.get_text() for text in texts(display)]


def test_from_estimator():
    """The standardised residuals of the fit."""
    display = QuantileDisplay.from_estimator(LinearRegression().fit(X, HEAVY), X, HEAVY)
    np.testing.assert_allclose(display.observed, np.sort(FITTED.pull.standardised))


def test_bad_input():
    with pytest.raises(ValueError, match=r"residuals has shape \(3, 2\): draw one target at a time"):
        QuantileDisplay(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="residuals has 2 known values: quantiles need at least 3"):
        QuantileDisplay([1.0, 2.0, np.nan])
    with pytest.raises(ValueError, match=r"level must be a number between 0 and 1, such as 0.95, got 95"):
        QuantileDisplay([1.0, 2.0, 3.0], level=95)
    with pytest.raises(ValueError, match=r"residuals.*row 1"):
        QuantileDisplay([1.0, np.inf, 3.0, 4.0])
