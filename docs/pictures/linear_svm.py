"""Two classes, the plane of a linear support vector machine with its margin, and the rows that decide where it lies."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import LinearSVC
from aprendiz.plots.shared.style import PALETTE, tidy


def clouds():
    """Two round clouds that touch."""
    rng = np.random.default_rng(4)
    y = np.arange(80) % 2
    return rng.normal(size=(80, 2)) + np.where(y[:, None] == 1, 1.3, -1.3), y


def draw(path):
    """Write the picture: a large C has a narrow margin, a small one a wide margin."""
    X, y = clouds()
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.9), layout="constrained", sharey=True)
    for ax, C in zip(axes, (10.0, 0.02), strict=True):
        model = LinearSVC(loss="hinge", C=C, tol=1e-6).fit(X, y)
        t = model.decision_function(X)
        decides = np.where(y == 1, t, -t) <= 1.0 + 1e-6
        x = np.array([-4.5, 4.5])
        for level, style in ((-1.0, "--"), (0.0, "-"), (1.0, "--")):
            line = (level - model.intercept_[0] - model.coef_[0, 0] * x) / model.coef_[0, 1]
            ax.plot(x, line, style, color="0.35", linewidth=1.8 if level == 0 else 1.0)
        for kind in (0, 1):
            own = y == kind
            ax.plot(*X[own & decides].T, linestyle="none", marker="o", markersize=5.5, color=PALETTE[kind])
            rest = {"markerfacecolor": "none", "markeredgecolor": PALETTE[kind]}
            ax.plot(*X[own & ~decides].T, linestyle="none", marker="o", markersize=5.5, **rest)
        title = f"C = {C:g}: {decides.sum()} of {len(y)} rows decide (filled)"
        tidy(ax, x="first column", y="second column" if C > 1 else "", title=title)
        ax.set(xlim=(-4.5, 4.5), ylim=(-4.5, 4.5))
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
