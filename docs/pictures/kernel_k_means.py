"""Two rings: k-means cuts them in halves, kernel k-means tells them apart, by the distance to the centre of the inner ring."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KernelKMeans, KMeans
from aprendiz.plots.shared.style import INK, MARKERS, PALETTE, tidy


def rings():
    """Two rings of rows around one centre."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 300)
    radius = np.repeat([0.3, 1.0], 150) + 0.05 * rng.normal(size=300)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def draw(path):
    """Write the picture."""
    X = rings()
    kernel = KernelKMeans(2, gamma=4.0, random_state=0).fit(X)
    inner = int(kernel.labels_[0])
    figure, axes = plt.subplots(1, 3, figsize=(10.6, 3.5), layout="constrained")
    for ax, model, title in zip(axes, (KMeans(2, random_state=0).fit(X), kernel), ("k-means", "kernel k-means"), strict=False):
        for number, group in enumerate((int(model.labels_[0]), 1 - int(model.labels_[0]))):
            here = model.labels_ == group
            ax.plot(*X[here].T, linestyle="none", marker=MARKERS[number], markersize=3, color=PALETTE[number])
        tidy(ax, x="first column", y="second column", title=title)
        ax.set_aspect("equal")
    ticks = np.linspace(-1.3, 1.3, 121)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    distances = kernel.transform(grid)
    shown = axes[2].contourf(ticks, ticks, distances[:, inner].reshape(121, 121), 12, cmap="cividis")
    border = (distances[:, inner] - distances[:, 1 - inner]).reshape(121, 121)
    axes[2].contour(ticks, ticks, border, levels=[0.0], colors=[INK], linewidths=1.6)
    tidy(axes[2], x="first column", y="second column", title="distance to the inner centre")
    axes[2].set_aspect("equal")
    figure.colorbar(shown, ax=axes[2], shrink=0.75, label="distance in feature space")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
