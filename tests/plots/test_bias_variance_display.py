"""Bars of noise, bias² and variance: as high as the parts, and together as the error."""

import numpy as np
import pytest
from pictures import CLASSES, FITTED, X, legend_of

from aprendiz import GaussianNB, LinearRegression
from aprendiz.evaluation import bias_variance
from aprendiz.plots import BiasVarianceDisplay


def test_bars():
    records = FITTED.parts_of_errors
    display = BiasVarianceDisplay.from_records(records)
    for name, bars in display.bars_.items():
        np.testing.assert_allclose([bar.get_height() for bar in bars], [getattr(one, name) for one in records.values()])
    tops = [bar.get_y() + bar.get_height() for bar in display.bars_["variance"]]
    np.testing.assert_allclose(tops, [record.total for record in records.values()])
    assert legend_of(display.ax_) == ["bias² and noise", "variance"]
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == list(records)


def test_noise_that_is_known():
    found = bias_variance(LinearRegression(), X, X[:, 0] * 2, replicates=3, noise=0.5)
    display = found.plot()
    assert legend_of(display.ax_) == ["noise", "bias²", "variance"]
    assert display.ax_.get_ylabel() == "squared error"
    both = {"known": found, "not": bias_variance(LinearRegression(), X, X[:, 0] * 2, replicates=3)}
    bars = BiasVarianceDisplay(both).plot().bars_  # beside a learner whose noise is not told apart, that of the other is not
    np.testing.assert_allclose([bar.get_height() for bar in bars["bias"]], [found.bias + 0.5, both["not"].bias])


def test_refusals():
    votes = bias_variance(GaussianNB(), X, CLASSES, replicates=3)
    assert BiasVarianceDisplay(votes).plot().ax_.get_ylabel() == "share of wrong predictions"
    with pytest.raises(ValueError, match="no common scale"):
        BiasVarianceDisplay({"one": votes, "other": FITTED.parts_of_errors["one"]})
    with pytest.raises(ValueError, match="nothing to draw"):
        BiasVarianceDisplay({})
