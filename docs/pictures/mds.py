"""Iris flowers placed by the distances between them, and what was kept of those: Shepard diagrams."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz import MDS
from aprendiz.plots import ShepardDisplay
from aprendiz.plots.shared.style import MARKERS, PALETTE, tidy


def draw(path):
    """Write the picture."""
    X, species = load_iris(return_X_y=True)
    two = MDS(init="classical_mds").fit(X)
    ordinal = MDS(1, metric_mds=False, init="classical_mds").fit(X)
    figure, axes = plt.subplots(1, 3, figsize=(10.6, 3.8), layout="constrained")
    for kind, name in enumerate(("setosa", "versicolor", "virginica")):
        look = {"linestyle": "none", "marker": MARKERS[kind], "markersize": 4.0, "color": PALETTE[kind], "alpha": 0.7}
        axes[0].plot(*two.embedding_[species == kind].T, label=name, **look)
    axes[0].legend(frameon=False, fontsize=9)
    axes[0].set_aspect("equal", adjustable="datalim")
    tidy(axes[0], x="first coordinate", y="second coordinate")
    ShepardDisplay.from_estimator(two, ax=axes[1])
    ShepardDisplay.from_estimator(ordinal, ax=axes[2])
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
