"""How well the clusters of k-means come back, by their number, with and without clusters in the rows."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from aprendiz import KMeans, cluster_stability
from aprendiz.plots.shared.style import BLUE, GREY, VERMILION, legend_below, tidy


def draw(path):
    """Write the picture."""
    clouds = make_blobs(300, centers=[[0, 0], [6, 0], [3, 5]], random_state=0)[0]
    nothing = np.random.default_rng(0).uniform(size=(300, 2))
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained", sharex=True, sharey=True)
    for name, X, colour, aside in (("three clouds", clouds, BLUE, -0.1), ("no clusters", nothing, VERMILION, 0.1)):
        ks = range(2, 8)
        found = [cluster_stability(KMeans(k, n_init=5), X, n_resamples=15, random_state=0) for k in ks]
        axes[0].plot(ks, [one.agreement for one in found], color=colour, marker="o", markersize=4, label=name)
        for k, one in zip(ks, found, strict=True):
            axes[1].plot([k + aside] * k, one.stability, color=colour, marker="o", markersize=5, linestyle="none", alpha=0.7)
        axes[1].plot([], [], color=colour, marker="o", markersize=5, linestyle="none", label=name)
    axes[1].axhline(0.75, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    tidy(axes[0], x="clusters k", y="agreement of two resamples")
    tidy(axes[1], x="clusters k", y="stability of each cluster")
    for ax in axes:
        ax.set_ylim(0, 1.05)
        legend_below(ax, columns=2)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
