"""Scales: there and back again, their slopes, and where they end."""

import numpy as np
import pytest

from aprendiz.linear.bases.curve_families import FAMILIES, LOGARITHM, LOGIT, PLAIN, RECIPROCAL

INSIDE = np.linspace(0.05, 0.95, 19)  # of every scale
scales = pytest.mark.parametrize("scale", [PLAIN, LOGARITHM, RECIPROCAL, LOGIT], ids=lambda scale: scale.words)


@scales
def test_there_and_back(scale):
    """The way back undoes the way there, and its derivative is the slope."""
    t = scale.there(INSIDE)
    np.testing.assert_allclose(scale.back(t), INSIDE, rtol=1e-14)
    step = 1e-6
    numerical = (scale.back(t + step) - scale.back(t - step)) / (2 * step)
    np.testing.assert_allclose(scale.slope(t), numerical, rtol=1e-7)


@scales
def test_domain(scale):
    """Inside is where the way there is a finite number."""
    values = np.array([-2.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    with np.errstate(all="ignore"):
        assert np.array_equal(scale.inside(values), np.isfinite(scale.there(values)))
    assert ("0" in scale.domain) == (not scale.inside(np.zeros(1))[0])


def test_families_are_all_different():
    """No two families are the same pair of scales."""
    assert len(set(FAMILIES.values())) == len(FAMILIES) == 6
