"""Shepard diagram: each pair of rows is where its dissimilarity and its distance say, and the line is what is asked of it."""

import numpy as np
import pytest
from pictures import FITTED, X
from scipy.spatial.distance import cdist
from sklearn.exceptions import NotFittedError

from aprendiz import MDS, Isomap, stress
from aprendiz.plots import ShepardDisplay

PAIRS = np.triu_indices(len(X), 1)
D = cdist(X, X)


def test_pairs():
    """All of them, the diagonal, and the stress in the title."""
    model = FITTED.scaled
    display = model.plot()
    marks, line = display.ax_.lines
    order = np.argsort(D[PAIRS], kind="stable")
    expected = np.c_[D[PAIRS], cdist(model.embedding_, model.embedding_)[PAIRS]][order]
    np.testing.assert_allclose(marks.get_xydata(), expected, atol=1e-9)
    assert np.array_equal(line.get_xdata(), line.get_ydata())
    assert display.stress == pytest.approx(stress(D, model.embedding_))
    assert f"{display.stress:.4g}" in display.ax_.get_title(loc="left")


def test_disparities():
    """They rise, and are means of the distances that they stand for."""
    points = X[:, :2]
    display = ShepardDisplay(np.round(D), points, metric=False).plot()
    line = display.ax_.lines[1].get_ydata()
    assert (np.diff(line) >= 0).all()
    assert line.sum() == pytest.approx(display.distances.sum())
    assert display.stress == pytest.approx(stress(np.round(D), points, metric=False))


def test_many_pairs():
    """5 000 of them, from the first to the last."""
    rows = np.random.default_rng(0).normal(size=(150, 2))
    marks = ShepardDisplay(cdist(rows, rows), rows).plot().ax_.lines[0].get_xdata()
    assert len(marks) == 5000
    assert marks.max() == pytest.approx(cdist(rows, rows).max())


def test_of_other_learners():
    """Isomap is asked for distances along its graph, ordinal scaling for an order."""
    model = Isomap(n_neighbors=30).fit(X)
    assert ShepardDisplay.from_estimator(model).dissimilarities.max() == model.dist_matrix_.max()
    ordinal = MDS(metric_mds=False, random_state=0, eps=1e-2).fit(X)
    assert ordinal.plot().disparities is not None


def test_nothing_to_draw():
    with pytest.raises(NotFittedError):
        ShepardDisplay.from_estimator(MDS())
    with pytest.raises(ValueError, match="no pairs"):
        ShepardDisplay(np.zeros((3, 3)), np.zeros((3, 2)))
