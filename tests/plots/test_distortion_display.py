"""The picture of a random projection shows the ratios of all pairs that it compares."""

import numpy as np
import pytest

from aprendiz import SparseRandomProjection
from aprendiz.decomposition.near_isometry.distortion import ratios
from aprendiz.plots import DistortionDisplay

X = np.random.default_rng(0).normal(size=(40, 60))


def test_all_pairs():
    """Ratios of all pairs; how many lie outside of 1 ± eps; heights that add up to all of them."""
    model = SparseRandomProjection(20, eps=0.3, random_state=0).fit(X)
    display = DistortionDisplay.from_estimator(model, X)
    V = model.transform(X)
    np.testing.assert_allclose(display.ratios, ratios(X, V, V)[0])
    assert display.outside == (np.abs(display.ratios - 1) > 0.3).sum()
    steps = display.ax_.patches[0].get_data()
    assert steps.values.sum() == pytest.approx(1.0)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert any(f"pairs outside: {display.outside}" in label for label in labels)
    places = [line.get_xdata()[0] for line in display.ax_.lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(places, [0.7, 1.3])


def test_the_curve_is_a_density():
    """Over the whole axis it covers as much as the histogram."""
    display = DistortionDisplay(np.random.default_rng(1).chisquare(30, 5000) / 30, k=30).plot()
    at, height = display.ax_.lines[0].get_data()
    edges = display.ax_.patches[0].get_data().edges
    assert np.trapezoid(height, at) / (edges[1] - edges[0]) == pytest.approx(1.0, abs=0.02)
    assert display.outside == 0


def test_nothing_to_compare():
    with pytest.raises(ValueError, match="rows that are not all alike"):
        DistortionDisplay([])
    model = SparseRandomProjection(5, random_state=0).fit(X)
    with pytest.raises(ValueError, match="rows that are not all alike"):
        DistortionDisplay.from_estimator(model, np.ones((4, 60)))
