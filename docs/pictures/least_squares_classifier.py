"""Least squares on two distributions of a few atoms: one that it solves when it is cut at ½, and one that it does not."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import LeastSquaresClassifier
from aprendiz.plots.shared.style import BLUE, GREY, INK, THIN, VERMILION, tidy

THREE = (np.array([-100.0, 1.0, 0.0]), np.array([1, 1, 0]), np.array([0.005, 0.005, 0.99]))
FOUR = (np.array([1.0, -1.0, 10.0, -10.0]), np.array([1, 0, 0, 1]), np.array([0.45, 0.45, 0.05, 0.05]))


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.2), layout="constrained", sharey=True)
    for ax, atoms, title in zip(axes, (THREE, FOUR), ("three atoms: error 0.005", "four atoms: error 0.9"), strict=True):
        draw_atoms(ax, *atoms)
        tidy(ax, x="x", y="label, fitted value" if ax is axes[0] else "", title=title)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)


def draw_atoms(ax, x, y, weight):
    """Atoms as large as their weight, the fitted line, and the level at which it is cut."""
    model = LeastSquaresClassifier().fit(x[:, None], y, sample_weight=weight)
    wide = np.array([x.min(), x.max()]) + 0.08 * np.ptp(x) * np.array([-1, 1])
    ax.axhline(0.5, color=GREY, linewidth=THIN, linestyle="--")
    ax.plot(wide, model.decision_function(wide[:, None]) + 0.5, color=INK, linewidth=1.2)
    right = model.predict(x[:, None]) == y
    for here, colour in ((right, BLUE), (~right, VERMILION)):
        ax.scatter(x[here], y[here], s=20 + 300 * weight[here], color=colour, zorder=2, linewidths=0)
    ax.set_xlim(wide)
    ax.set_ylim(-0.2, 1.25)
