"""Regions of the nearest mean and of the nearest median, with rows that lie far out."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import NearestCentroid
from aprendiz.plots import RegionsDisplay
from aprendiz.plots.shared.style import INK


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    y = np.repeat(["A", "B", "C"], 30)
    X = 0.6 * rng.normal(size=(90, 2)) + np.repeat([[0.0, 0.0], [3.0, 0.0], [1.5, 2.5]], 30, axis=0)
    X[:4] = [[-6.0, 4.5], [-6.5, 5.0], [-5.5, 5.5], [-6.0, 6.0]]  # of class A
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.8), layout="constrained", sharex=True, sharey=True)
    for ax, metric, words in zip(axes, ("euclidean", "manhattan"), ("means", "medians"), strict=True):
        model = NearestCentroid(metric).fit(X, y)
        regions = RegionsDisplay(model, X, y)
        regions.probability = None  # shades of the posterior, which measures columns by their spread
        regions.plot(ax)
        ax.plot(*model.centroids_.T, "X", color=INK, markersize=11, markeredgecolor="white", zorder=5)
        ax.set_title(f"metric {metric!r}: {words}", fontsize=10, loc="left", color=INK)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
