"""A curve by kernel ridge regression with three penalties, and the error of rows that are left out against the penalty."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogFormatterMathtext

from aprendiz import KernelRidge, KernelRidgeCV
from aprendiz.plots.shared.style import PALETTE, tidy


def curve():
    """Sixty noisy points of a wave that slows down."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0.0, 6.0, 60))
    return x[:, None], np.sin(9.0 / (1.0 + x)) + 0.15 * rng.normal(size=60)


def draw(path):
    """Write the picture."""
    X, y = curve()
    alphas = np.logspace(-6, 3, 37)
    chosen = KernelRidgeCV(alphas, gamma=4.0).fit(X, y)
    grid = np.linspace(0.0, 6.0, 400)[:, None]
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
    axes[0].plot(X[:, 0], y, linestyle="none", marker="o", markersize=3.5, color="0.45")
    for color, alpha in zip(PALETTE, (1e-6, chosen.alpha_, 30.0), strict=False):
        line = KernelRidge(alpha, kernel="rbf", gamma=4.0).fit(X, y).predict(grid)
        axes[0].plot(grid[:, 0], line, color=color, linewidth=1.6, label=f"α = {alpha:.2g}".replace("1e-06", "10⁻⁶"))
    tidy(axes[0], x="x", y="y")
    axes[0].legend(frameon=False, fontsize=9)
    axes[1].plot(alphas, -chosen.scores_, color=PALETTE[0])
    axes[1].plot(chosen.alpha_, -chosen.best_score_, marker="o", color=PALETTE[1])
    axes[1].set_xscale("log")
    tidy(axes[1], x="α", y="error of rows left out")
    axes[1].xaxis.set_major_formatter(LogFormatterMathtext())
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
