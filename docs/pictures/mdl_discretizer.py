"""Columns with their cuts: where the classes differ, and none where they do not."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import MDLDiscretizer
from aprendiz.datasets import load
from aprendiz.plots.shared.style import PALETTE, tidy


def draw(path):
    """Write the picture."""
    iris = load("iris")
    noise = np.random.default_rng(0).normal(3.0, 1.0, len(iris))
    names, X = ("petal length (cm)", "sepal width (cm)", "random numbers"), np.column_stack([iris.X[:, [2, 1]], noise])
    model = MDLDiscretizer().fit(X, iris.y)
    figure, axes = plt.subplots(1, 3, figsize=(11.6, 3.2), layout="constrained")
    for j, (ax, name) in enumerate(zip(axes, names, strict=True)):
        edges = np.linspace(X[:, j].min(), X[:, j].max(), 22)
        parts = [X[iris.y == k, j] for k in range(3)]
        ax.hist(parts, edges, stacked=True, color=PALETTE[:3], label=list(iris.classes))
        for cut in model.cuts_[j]:
            ax.axvline(cut, color="black", linewidth=1.2, linestyle="--")
        bins = "1 bin" if model.n_bins_[j] == 1 else f"{model.n_bins_[j]} bins"
        tidy(ax, x=name, y="rows", title=f"{bins}, {model.gain_[j]:.2f} bits")
    axes[1].legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
