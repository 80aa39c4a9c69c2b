"""Regions of k nearest neighbours for three k."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KNeighborsClassifier
from aprendiz.plots import RegionsDisplay
from aprendiz.plots.shared.style import INK


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(1)
    angle = rng.uniform(0, np.pi, 200)
    y = np.repeat(["A", "B"], 100)
    moon = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where((y == "A")[:, None], moon, [1.0, 0.4] - moon) + 0.3 * rng.normal(size=(200, 2))
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.6), layout="constrained", sharex=True, sharey=True)
    for ax, k in zip(axes, (1, 15, 75), strict=True):
        regions = RegionsDisplay(KNeighborsClassifier(k).fit(X, y), X, y)
        regions.probability = None
        regions.plot(ax)
        ax.set_title(f"k = {k}", fontsize=10, loc="left", color=INK)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
