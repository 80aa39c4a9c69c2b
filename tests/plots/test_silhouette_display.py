"""Silhouettes: bands are those of scikit-learn's values, sorted, cluster by cluster."""

import numpy as np
import pytest
from pictures import X
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_samples

import aprendiz.plots.silhouette_display as module
from aprendiz import KMeans
from aprendiz.plots import SilhouetteDisplay


@pytest.fixture(scope="module")
def model():
    """Three clusters."""
    return KMeans(3, random_state=0).fit(X)


def test_bands(model):
    """A band for each cluster, as high as it has rows, from its largest silhouette down; the mean is a line."""
    display = SilhouetteDisplay(X, model.labels_).plot()
    values = silhouette_samples(X, model.labels_)
    assert display.mean == pytest.approx(values.mean())
    assert display.ax_.lines[0].get_xdata()[0] == display.mean
    for j, band in enumerate(display.ax_.collections):
        corners = band.get_paths()[0].vertices
        assert np.ptp(corners[:, 1]) == pytest.approx((model.labels_ == j).sum())
        assert corners[:, 0].max() == pytest.approx(values[model.labels_ == j].max())
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == [f"{j} ({(model.labels_ == j).sum()})" for j in range(3)]


def test_from_estimator(model):
    """Learners with and without predict; one column; given distances."""
    for one in (model, AgglomerativeClustering(3).fit(X)):
        display = SilhouetteDisplay.from_estimator(one, X)
        assert display.mean == pytest.approx(silhouette_samples(X, one.labels_).mean())
    given = SilhouetteDisplay(cdist(X, X), model.labels_, metric="precomputed")
    assert given.mean == pytest.approx(SilhouetteDisplay(X, model.labels_).mean)
    assert len(SilhouetteDisplay([[0.0], [1.0], [5.0]], [0, 0, 1]).silhouettes) == 3


def test_many_rows(monkeypatch, model):
    """Of many rows some are measured, and the title says how many."""
    monkeypatch.setattr(module, "DRAWN", 40)
    display = SilhouetteDisplay(X, model.labels_).plot()
    assert len(display.silhouettes) == 40
    assert display.ax_.get_title("left") == f"40 of {len(X)} rows"


def test_refusals():
    """One cluster has no silhouettes, nor has one for each row; labels are as many as rows."""
    for labels in (np.zeros(len(X)), np.arange(len(X))):
        with pytest.raises(ValueError, match=r"labels has \d+ clusters"):
            SilhouetteDisplay(X, labels)
    with pytest.raises(ValueError, match="labels"):
        SilhouetteDisplay(X, [0, 1])
