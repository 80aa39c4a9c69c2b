"""A weighted graph with its cut: edges between groups, costs, places."""

import numpy as np
import pytest
from pictures import FITTED, RING, X, legend_of

from aprendiz.cluster.graph import cut, ncut
from aprendiz.plots import GraphCutDisplay


def test_cut_and_its_edges():
    """The edges between the groups are those of the cut, and the costs are those of cluster.graph."""
    labels = ["a", "a", "a", "b", "b", "b"]
    display = GraphCutDisplay(RING, labels).plot()
    inside, between = display.ax_.collections
    assert len(inside.get_segments()) == 6
    assert len(between.get_segments()) == 2
    assert (display.cut, display.ncut) == (cut(RING, labels), ncut(RING, labels)) == (2.0, pytest.approx(4 / 26))
    assert max(inside.get_linewidths()) > max(between.get_linewidths())
    assert legend_of(display.ax_) == ["edge", "edge of the cut", "group a", "group b"]
    assert display.ax_.get_title(loc="left") == "cut 2, NCut 0.1538"


def test_rows_have_their_places():
    """Vertices of a spectral clustering are drawn at the columns of their rows."""
    display = GraphCutDisplay.from_estimator(FITTED.cut, X, columns=(2, 0))
    np.testing.assert_array_equal(display.positions, X[:, [2, 0]])


def test_bad_input():
    """The refusal names what is wrong."""
    with pytest.raises(ValueError, match=r"positions has shape \(2, 2\), the graph has 6 vertices"):
        GraphCutDisplay(RING, [0, 0, 0, 1, 1, 1], [[0, 1], [1, 1]])
    with pytest.raises(TypeError, match=r"KMeans keeps no graph \(affinity_matrix_\)"):
        GraphCutDisplay.from_estimator(FITTED.centres)
    with pytest.raises(ValueError, match="edges, more than 20000"):
        GraphCutDisplay(np.ones((300, 300)) - np.eye(300), np.zeros(300, int))
