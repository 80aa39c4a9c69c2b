"""A bent sheet, its two principal components, and the sheet laid flat along its surface."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import PCA, Isomap, LocallyLinearEmbedding
from aprendiz.plots.shared.style import tidy


def sheet(n=600):
    """Rows of a sheet with the shape of an S, and the place of each along it."""
    rng = np.random.default_rng(0)
    place = 3.0 * np.pi * (rng.uniform(size=n) - 0.5)
    return np.column_stack([np.sin(place), 2.0 * rng.uniform(size=n), np.sign(place) * (np.cos(place) - 1.0)]), place


def draw(path):
    """Write the picture."""
    X, place = sheet()
    along = Isomap(n_neighbors=10).fit_transform(X)
    linear = LocallyLinearEmbedding(n_neighbors=10, method="modified").fit_transform(X)
    shown = {
        "the rows, from the side": X[:, [0, 2]],
        "two principal components": PCA(2).fit_transform(X),
        "Isomap": along,
        "modified LLE": linear,
    }
    figure, axes = plt.subplots(1, 4, figsize=(12.4, 3.3), layout="constrained")
    for ax, (title, points) in zip(axes, shown.items(), strict=True):
        ax.scatter(*points.T, c=place, s=9, cmap="viridis", linewidths=0)
        tidy(ax, x="first coordinate", y="second coordinate", title=title)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
