"""The tree of a farthest-first traversal, its clusters for k = 3 and those of k-centres, and the dendrogram."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import dendrogram

from aprendiz import FarthestFirstHierarchy, KCenters
from aprendiz.plots.shared.style import BLUE, GREEN, GREY, INK, VERMILION

COLOURS = np.array([BLUE, VERMILION, GREEN])


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(15)
    X = np.concatenate([rng.normal(size=(14, 2)) * 0.9 + centre for centre in ((0, 0), (4, 1), (2, 4))])
    tree, flat = FarthestFirstHierarchy(3, first=0).fit(X), KCenters(3, first=0).fit(X)
    figure, axes = plt.subplots(1, 3, figsize=(9.9, 3.5), layout="constrained")
    removed = set(tree.order_[:3].tolist())
    for row, above in enumerate(tree.parents_):
        if above >= 0:
            style = (
                {"color": GREY, "ls": ":", "lw": 1.2} if row in removed else {"color": COLOURS[tree.labels_[row]], "lw": 0.8}
            )
            axes[0].plot(*X[[row, above]].T, zorder=1, **style)
    for ax, model, name in (
        (axes[0], tree, "the tree without the edges of 2 and 3"),
        (axes[1], flat, "k-centres: nearest centre"),
    ):
        ax.scatter(*X.T, s=16, c=COLOURS[model.labels_], linewidths=0, zorder=2)
        for number, row in enumerate(tree.order_[:3], 1):
            ax.scatter(*X[row], s=120, color=COLOURS[number - 1], edgecolors=INK, zorder=3)
            ax.annotate(str(number), X[row], color="white", ha="center", va="center", fontsize=9, zorder=4)
        ax.set_aspect("equal")
        ax.set_title(name, fontsize=10, loc="left", color=INK)
    dendrogram(tree.linkage_, ax=axes[2], no_labels=True, color_threshold=0, above_threshold_color=INK)
    axes[2].axhline(np.mean(tree.radii_[1:3]), color=GREY, ls=":", lw=1.2)
    axes[2].set_title("merges at the heights R, cut for k = 3", fontsize=10, loc="left", color=INK)
    for ax in axes:
        ax.tick_params(labelsize=8, colors=GREY)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
