"""k-means and k-medoids on three groups with a few far rows, and the cost of the alternating method and of swaps."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KMeans, KMedoids
from aprendiz.plots.shared.style import BLUE, GREEN, GREY, INK, PURPLE, VERMILION

COLOURS = np.array([BLUE, GREEN, PURPLE])


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(4)
    groups = [rng.normal(size=(60, 2)) * 0.8 + centre for centre in ((0, 0), (5, 0.5), (1.5, 4.5))]
    X = np.concatenate([*groups, np.array([13, 10]) + rng.normal(size=(8, 2))])
    figure, axes = plt.subplots(1, 3, figsize=(9.0, 3.1), layout="constrained")
    for ax, model, name in (
        (axes[0], KMeans(3, n_init=10, random_state=0), "k-means: a centre for the far rows"),
        (axes[1], KMedoids(3), "k-medoids: rows in the middle"),
    ):
        model.fit(X)
        ax.scatter(*X.T, s=10, c=COLOURS[model.labels_], linewidths=0)
        ax.scatter(*model.cluster_centers_.T, s=90, marker="X", c=INK, edgecolors="white")
        ax.set_title(name, fontsize=10, loc="left", color=INK)
        ax.set_aspect("equal")
    costs(axes[2], rng.normal(size=(400, 2)))
    for ax in axes:
        ax.tick_params(labelsize=8, colors=GREY)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=95, pil_kwargs={"optimize": True})
    plt.close(figure)


def costs(ax, X):
    """J after each pass, from ten random starts."""
    for method, colour in (("alternate", VERMILION), ("pam", BLUE)):
        for seed in range(10):
            log = KMedoids(12, method=method, init="random", random_state=seed).fit(X).certificate_.log
            ax.plot(log, color=colour, lw=0.9, label=method if seed == 0 else None)
    ax.set_title("cost J after each pass", fontsize=10, loc="left", color=INK)
    ax.set_xticks([0, 5, 10, 15])
    ax.set_xlabel("pass", fontsize=9, color=INK)
    ax.legend(frameon=False, fontsize=9)
