"""Choice of clusters: a panel for each criterion that is known, with the curve and the mark of the record."""

import numpy as np
import pytest
from pictures import FITTED, X
from sklearn.mixture import GaussianMixture

from aprendiz import choose_k
from aprendiz.plots import ChoiceOfClustersDisplay


def marked(ax):
    """The k that is marked, or None."""
    squares = [line for line in ax.lines if line.get_marker() == "s"]
    return int(squares[0].get_xdata()[0]) if squares else None


def test_panels():
    """Cost with its chord, silhouette, gap with its errors; the chosen k in the title and at its mark."""
    display = ChoiceOfClustersDisplay(FITTED.clusters).plot()
    assert display.known == ["elbow", "silhouette", "gap"]
    for ax, name in zip(display.ax_, display.known, strict=True):
        values = FITTED.clusters.cost if name == "elbow" else getattr(FITTED.clusters, name)
        (curve,) = (line for line in ax.lines if line.get_marker() == "o")
        np.testing.assert_array_equal(curve.get_xydata(), np.c_[FITTED.clusters.ks, values])
        chosen = FITTED.clusters.chosen[name]
        assert marked(ax) == chosen
        assert ax.get_title("left") == ("no k" if chosen is None else f"k = {chosen}")
    chord = display.ax_[0].lines[0].get_xydata()
    np.testing.assert_array_equal(chord, np.c_[FITTED.clusters.ks, FITTED.clusters.cost][[0, -1]])
    (bars,) = (line for line in display.ax_[2].collections if len(line.get_segments()) == len(FITTED.clusters.ks))
    heights = [np.ptp(segment[:, 1]) for segment in bars.get_segments()]
    np.testing.assert_allclose(heights, 2 * FITTED.clusters.gap_error)


def test_mixture():
    """A mixture has a panel for BIC; `plot` of the record draws."""
    choice = choose_k(X[:, :2], range(1, 4), criterion="bic", model=GaussianMixture(), random_state=0)
    display = choice.plot()
    assert display.known == ["elbow", "silhouette", "bic"]
    assert marked(display.ax_[2]) == choice.best_k
    assert display.ax_[2].get_ylabel() == "BIC"


def test_given_axes():
    """As many axes as criteria."""
    with pytest.raises(ValueError, match="3 axes are needed"):
        ChoiceOfClustersDisplay(FITTED.clusters).plot(FITTED.clusters.plot().ax_[:2])
