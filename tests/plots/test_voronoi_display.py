"""Cells of centres: exact polygons that hold the points nearest to their centre, and fill the box."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.path import Path
from pictures import X
from scipy.spatial import Voronoi

from aprendiz import KMeans
from aprendiz.plots import VoronoiDisplay

BOX = ((0.0, 1.0), (0.0, 1.0))


def area(corners):
    x, y = corners.T
    return 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))


@pytest.mark.parametrize("k", [1, 2, 3, 8, 40])
def test_cells_fill_the_box(k):
    """Every point of the picture lies in the cell of its nearest centre; the areas add up to the box."""
    rng = np.random.default_rng(k)
    display = VoronoiDisplay(rng.uniform(size=(k, 2)))
    (left, right), (low, high) = display.box
    assert sum(map(area, display.cells)) == pytest.approx((right - left) * (high - low))
    points = rng.uniform([left, low], [right, high], size=(500, 2))
    nearest = ((points[:, None] - display.centers) ** 2).sum(axis=2).argmin(axis=1)
    for j, corners in enumerate(display.cells):
        assert Path(corners).contains_points(points[nearest == j], radius=0.0).all()


def test_corners_are_scipys():
    """Corners inside the box are the vertices that SciPy finds."""
    centers = np.random.default_rng(1).uniform(size=(12, 2))
    display = VoronoiDisplay(centers)
    (left, right), (low, high) = display.box
    wanted = [v for v in Voronoi(centers).vertices if left < v[0] < right and low < v[1] < high]
    corners = np.concatenate(display.cells)
    assert len(wanted) > 3
    for vertex in wanted:
        # three cells meet in a vertex
        assert (np.abs(corners - vertex).max(axis=1) < 1e-9).sum() == 3


def test_degenerate_centres():
    """Centres on a line have strips for cells; of two centres at a place the first has the cell."""
    line = VoronoiDisplay([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    assert [sorted({round(x, 9) for x in corners[:, 0]}) for corners in line.cells][1] == [0.5, 1.5]
    twice = VoronoiDisplay([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    assert len(twice.cells[2]) == 0
    assert area(twice.cells[0]) == pytest.approx(area(twice.cells[1]))


def test_from_estimator():
    """Rows in the colour of their cell; names of a frame."""
    frame = pd.DataFrame(X[:, :2], columns=["height", "width"])
    model = KMeans(4, random_state=0).fit(frame)
    display = VoronoiDisplay.from_estimator(model, frame)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("height", "width")
    for j in range(4):
        rows, centre = display.ax_.lines[2 * j : 2 * j + 2]
        np.testing.assert_array_equal(rows.get_xydata(), X[model.labels_ == j, :2])
        np.testing.assert_array_equal(centre.get_xydata(), model.cluster_centers_[j : j + 1])
    assert len(display.ax_.patches) == 8


def test_refusals():
    """Cells are drawn in the plane."""
    with pytest.raises(ValueError, match="centers has 3 columns"):
        VoronoiDisplay(np.eye(3))
    with pytest.raises(ValueError, match="X has 4 columns"):
        VoronoiDisplay(np.eye(2), np.eye(4))
