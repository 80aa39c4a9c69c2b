"""The picture of impurities: the curves are the measures, with the properties that an impurity must have."""

import numpy as np
import pytest
from pictures import legend_of
from scipy.stats import entropy

from aprendiz.plots import ImpurityDisplay


@pytest.mark.parametrize("scaled", [False, True])
def test_curves(scaled):
    """Entropy as SciPy computes it, Gini as the chance that two draws differ, error as what the larger class leaves."""
    display = ImpurityDisplay(scaled=scaled).plot()
    p = display.p
    wanted = {
        "entropy": entropy(np.array([p, 1 - p]), base=2) / (2 if scaled else 1),
        "gini": 1 - p**2 - (1 - p) ** 2,
        "error": 1 - np.maximum(p, 1 - p),
    }
    for line, (name, values) in zip(display.ax_.lines, wanted.items(), strict=True):
        np.testing.assert_allclose(display.curves[name], values, atol=1e-12)
        np.testing.assert_allclose(line.get_ydata(), values, atol=1e-12)


def test_properties():
    """Symmetric, 0 at the ends, largest in the middle, concave; scaled, all reach ½ and the entropy is the largest."""
    display = ImpurityDisplay(scaled=True)
    for values in display.curves.values():
        np.testing.assert_allclose(values, values[::-1], atol=1e-12)
        assert values[[0, -1]] == pytest.approx(0)
        assert display.p[np.argmax(values)] == pytest.approx(0.5)
        assert values.max() == pytest.approx(0.5)
        assert (np.diff(values, 2) <= 1e-12).all()
    assert (display.curves["entropy"] >= display.curves["gini"] - 1e-12).all()
    assert (display.curves["gini"] >= display.curves["error"] - 1e-12).all()


def test_legend():
    assert legend_of(ImpurityDisplay().plot().ax_) == ["entropy (bits)", "Gini 2p(1 − p)", "error min(p, 1 − p)"]
    assert legend_of(ImpurityDisplay(scaled=True).plot().ax_)[0] == "half the entropy (bits)"
