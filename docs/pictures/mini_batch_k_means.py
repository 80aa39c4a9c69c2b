"""Mini-batches against whole passes: cost by rows read."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from aprendiz import KMeans, MiniBatchKMeans
from aprendiz.plots.shared.style import BLUE, GREY, VERMILION, legend_below, tidy


def draw(path):
    """Write the picture."""
    X = make_blobs(20_000, 8, centers=20, cluster_std=3.0, random_state=0)[0]
    start = X[:20]
    batches = list(MiniBatchKMeans(20, init=start, random_state=0, batch_size=500).steps(X))
    passes = list(KMeans(20, init=start, n_init=1, max_iter=12, tol=0).steps(X))

    def costs(states):
        return [((X[:, None] - state.centers) ** 2).sum(axis=2).min(axis=1).mean() for state in states]

    figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    met = np.array([state.met for state in batches]) / len(X)
    ax.plot(met[2:], [state.objective for state in batches[2:]], color=GREY, linewidth=1.0, label="batches, running mean")
    ax.plot(met, costs(batches), color=BLUE, linewidth=1.4, label="mini-batches, all rows")
    ax.plot(
        range(len(passes)), costs(passes), color=VERMILION, marker="o", markersize=4, linewidth=1.2, label="k-means, all rows"
    )
    tidy(ax, x="rows read, in passes over the table", y="cost J")
    legend_below(ax, columns=3)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
