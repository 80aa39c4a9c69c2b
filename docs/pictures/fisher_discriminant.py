"""Two classes of one shape, projected on the difference of their means and on Fisher's direction."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import FisherDiscriminant
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 2)) @ np.array([[1.6, 1.2], [0.0, 0.5]]) + np.array([2.0, 0.2]) * y[:, None]
    model = FisherDiscriminant().fit(X, y)
    figure, axes = plt.subplot_mosaic("ab;ac", figsize=(6.4, 3.8), layout="constrained", width_ratios=[1.5, 1])
    for k, colour in enumerate((BLUE, VERMILION)):
        axes["a"].scatter(*X[y == k].T, s=9, color=colour, alpha=0.7, linewidths=0)
    (a, b), c = model.coef_[0], model.intercept_[0]
    across = np.array([-5.0, 7.0])
    axes["a"].plot(across, -(c + a * across) / b, color=INK, linewidth=1.2)
    middle = X.mean(axis=0)
    for w, colour in ((model.means_[1] - model.means_[0], GREY), (model.coef_[0], INK)):
        end = middle + 2.2 * w / np.linalg.norm(w)
        axes["a"].annotate("", end, middle, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.6})
    axes["a"].set(xlim=(-4.5, 6.5), ylim=(-4.2, 4.6), aspect="equal")
    tidy(axes["a"], x="first column", y="second column")
    projections(axes["b"], X @ (model.means_[1] - model.means_[0]), y, None, "on the difference of the means")
    projections(axes["c"], model.transform(X)[:, 0], y, model, "on Fisher's direction")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)


def projections(ax, z, y, model, title):
    """Histograms of the two classes along a direction, in units of the deviation within them, and the cut if there is one."""
    z = z / np.sqrt((z[y == 0].var() + z[y == 1].var()) / 2)
    edges = np.linspace(z.min(), z.max(), 24)
    for k, colour in enumerate((BLUE, VERMILION)):
        ax.hist(z[y == k], edges, color=colour, alpha=0.6)
    if model is not None:
        ax.axvline(-model.intercept_[0] - model.coef_[0] @ model.middle(), color=INK, linewidth=1.2)
    ax.set_yticks([])
    tidy(ax, x="", y="", title=title)
