"""Density of two groups of rows by a kernel, for three widths."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from aprendiz import KDTree
from aprendiz.plots.shared.style import BLUE, GREY, INK, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(-2.0, 0.5, 300), rng.normal(1.5, 1.0, 700)])
    grid = np.linspace(-5, 6, 1200)
    truth = 0.3 * norm.pdf(grid, -2.0, 0.5) + 0.7 * norm.pdf(grid, 1.5, 1.0)
    tree = KDTree(rows[:, None])
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.3), layout="constrained", sharex=True, sharey=True)
    for ax, h in zip(axes, (0.05, 0.25, 1.0), strict=True):
        ax.fill_between(grid, truth, color=GREY, alpha=0.25, linewidth=0, label="true density")
        ax.plot(grid, tree.kernel_density(grid[:, None], h) / len(rows), color=BLUE, linewidth=1.1, label="kernel density")
        ax.plot(rows[::4], np.full(250, -0.012), "|", color=INK, markersize=4, alpha=0.5)
        tidy(ax, x="x", y="density" if h == 0.05 else "", title=f"h = {h:g}")
        ax.set_ylim(-0.03, 0.5)
    axes[2].legend(frameon=False, fontsize=9, loc="upper right")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
