"""Six centres of the farthest-first traversal with the discs of their radius, and the radii for every k."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KCenters
from aprendiz.plots.shared.style import BLUE, GREY, INK, PALE, VERMILION


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(2)
    X = np.concatenate(
        [rng.normal(size=(70, 2)) * spread + centre for centre, spread in (((0, 0), 1.0), ((6, 1), 0.7), ((3, 5), 0.9))]
    )
    model = KCenters(6, first=0).fit(X)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.8), layout="constrained")
    for centre in model.cluster_centers_:
        left.add_patch(plt.Circle(centre, model.radius_, facecolor=PALE, edgecolor=GREY, lw=0.6, alpha=0.6))
    left.scatter(*X.T, s=9, color=BLUE, linewidths=0, zorder=2)
    left.scatter(*model.cluster_centers_.T, s=130, color=VERMILION, zorder=3)
    for number, centre in enumerate(model.cluster_centers_, 1):
        left.annotate(str(number), centre, color="white", ha="center", va="center", fontsize=9, zorder=4)
    left.set_aspect("equal")
    left.set_title("six centres, in the order in which they are found", fontsize=10, loc="left", color=INK)
    radii(right, X)
    for ax in (left, right):
        ax.tick_params(labelsize=8, colors=GREY)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=95, pil_kwargs={"optimize": True})
    plt.close(figure)


def radii(ax, X):
    """R_{k+1} and its half, between which the best radius lies."""
    R = KCenters(20, first=0).fit(X).radii_
    k = np.arange(1, 21)
    ax.fill_between(k, R / 2, R, color=PALE)
    ax.plot(k, R, "o-", ms=3.5, lw=1, color=VERMILION, label="radius of the k centres")
    ax.plot(k, R / 2, lw=1, ls="--", color=GREY, label="no k centres do better")
    ax.set_xlabel("k", fontsize=9, color=INK)
    ax.set_ylim(0)
    ax.set_xticks([1, 5, 10, 15, 20])
    ax.legend(frameon=False, fontsize=9)
    ax.set_title("the best radius lies in the grey band", fontsize=10, loc="left", color=INK)
