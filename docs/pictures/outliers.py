"""Outliers by columns and by the covariance of the rows, plain and robust."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import OutlierFilter
from aprendiz.plots.shared.style import BLUE, GREY, VERMILION, tidy

TITLES = {"z": "z", "mahalanobis": "mahalanobis", "robust": "mahalanobis, robust=True"}


def table():
    """Correlated rows, and a group apart that no column alone shows."""
    rng = np.random.default_rng(0)
    good = rng.multivariate_normal([0, 0], [[1.0, 0.9], [0.9, 1.0]], 200)
    return np.vstack([good, rng.normal([1.6, -1.6], 0.15, (30, 2))])


def draw(path):
    """Write the picture."""
    X = table()
    figure, axes = plt.subplots(1, 3, figsize=(10.8, 3.8), layout="constrained", sharex=True, sharey=True)
    for ax, (method, title) in zip(axes, TITLES.items(), strict=True):
        robust = method == "robust"
        model = OutlierFilter("mahalanobis" if robust else method, robust=robust).fit(X)
        found = model.outliers_.mask()
        ax.plot(*X[~found].T, "o", color=BLUE, markersize=4, alpha=0.6, markeredgewidth=0)
        ax.plot(*X[found].T, "s", color=VERMILION, markersize=5, alpha=0.8, markeredgewidth=0)
        boundary(ax, model)
        tidy(ax, x="x₁", y="x₂" if ax is axes[0] else "", title=f"{title}: {found.sum()} of {len(X)}")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)


def boundary(ax, model):
    """The limits: a box or an ellipse."""
    if hasattr(model, "low_"):
        (left, bottom), (right, top) = model.low_, model.high_
        ax.plot([left, right, right, left, left], [bottom, bottom, top, top, bottom], color=GREY, linewidth=1)
        return
    turn = np.linspace(0, 2 * np.pi, 200)
    circle = np.sqrt(model.limit_) * np.column_stack([np.cos(turn), np.sin(turn)])
    ax.plot(*(model.centre_ + circle @ np.linalg.inv(model.whitening_)).T, color=GREY, linewidth=1)


if __name__ == "__main__":
    draw("docs/methods/pictures/outliers.png")
