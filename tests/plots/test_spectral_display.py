"""Spectral clustering: eigenvalues are those of the Laplacian, points those of the embedding, each group in its colour."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from pictures import FITTED, X
from sklearn.exceptions import NotFittedError

from aprendiz import SpectralClustering
from aprendiz.cluster import graph
from aprendiz.plots import SpectralDisplay
from aprendiz.plots.shared.style import PALETTE


@pytest.mark.parametrize(("laplacian", "kind"), [("random_walk", "symmetric"), ("unnormalised", "unnormalised")])
def test_eigenvalues(laplacian, kind):
    """More of them than the fit needed, by LAPACK's count, and a line after the fourth."""
    model = SpectralClustering(4, gamma=0.2, laplacian=laplacian, random_state=0).fit(X)
    display = SpectralDisplay(model, count=8).plot()
    curve, line = display.ax_[0].lines
    W = FITTED.cut.affinity_matrix_ - np.eye(len(X))
    expected = np.linalg.eigvalsh(graph.laplacian(W, kind).toarray())[:8]
    np.testing.assert_allclose(curve.get_xydata(), np.c_[np.arange(1, 9), expected], atol=1e-9 * np.abs(W).sum())
    assert line.get_xdata()[0] == 4.5
    assert display.ax_[0].texts[0].get_text().strip() == "4 clusters"


def test_fewer_eigenvalues_than_clusters():
    """Then there is no gap to mark."""
    display = SpectralDisplay(FITTED.cut, count=3).plot()
    np.testing.assert_array_equal(display.eigenvalues, FITTED.cut.eigenvalues_[:3])
    assert len(display.ax_[0].lines) == 1


def test_points():
    """Second and third column of the embedding, a colour for each group."""
    groups = FITTED.cut.plot().ax_[1].lines
    assert len(groups) == 4
    for group, drawn in enumerate(groups):
        np.testing.assert_array_equal(drawn.get_xydata(), FITTED.cut.embedding_[FITTED.cut.labels_ == group][:, 1:3])
        assert to_rgb(drawn.get_color()) == to_rgb(PALETTE[group])


def test_two_components():
    """Without a third vector the height is the place in the order of the second."""
    model = SpectralClustering(2, gamma=0.2, random_state=0).fit(X)
    display = SpectralDisplay(model).plot()
    drawn = np.vstack([line.get_xydata() for line in display.ax_[1].lines])
    drawn = drawn[np.argsort(drawn[:, 1])]
    np.testing.assert_array_equal(drawn[:, 1], np.arange(len(X)))
    np.testing.assert_array_equal(drawn[:, 0], np.sort(model.embedding_[:, 1]))
    assert "rank" in display.ax_[1].get_ylabel()


def test_not_fitted():
    """There is nothing to draw yet."""
    with pytest.raises(NotFittedError):
        SpectralDisplay(SpectralClustering(2))
