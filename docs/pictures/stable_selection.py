"""Stability paths of planted columns among noise, and the scores of columns against their knockoffs."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KnockoffSelection, StabilitySelection
from aprendiz.plots.shared.style import DASHED, GREY, INK, VERMILION


def draw(path):
    """Write the picture."""
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 1000))
    y = X[:, :5] @ [2.0, -1.5, 1.5, 1.0, -1.0] + random.normal(size=100)
    stable = StabilitySelection().fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.0), layout="constrained")
    for j in np.argsort(stable.scores_)[-300:]:
        look = {"color": VERMILION, "linewidth": 1.6} if j < 5 else {"color": GREY, "linewidth": 0.5}
        axes[0].plot(stable.penalties_, stable.stability_path_[j], **look)
    axes[0].axhline(stable.threshold, color=INK, linestyle=DASHED, linewidth=1)
    axes[0].set_xscale("log")
    axes[0].invert_xaxis()
    axes[0].set(xlabel="penalty, as a part of the largest", ylabel="share of the halves")
    axes[0].set_title("stability", fontsize=10, loc="left", color=INK)
    X = random.normal(size=(400, 150))
    y = X[:, ::10].sum(axis=1) + 2.0 * random.normal(size=400)
    found = KnockoffSelection(fdr=0.2).fit(X, y)
    useful = np.arange(150) % 10 == 0
    axes[1].scatter(np.flatnonzero(~useful), found.scores_[~useful], s=8, color=GREY)
    axes[1].scatter(np.flatnonzero(useful), found.scores_[useful], s=14, color=VERMILION)
    axes[1].axhline(found.threshold_, color=INK, linestyle=DASHED, linewidth=1)
    axes[1].axhline(-found.threshold_, color=GREY, linestyle=DASHED, linewidth=1)
    axes[1].set(xlabel="column", ylabel="W")
    axes[1].set_title("knockoffs", fontsize=10, loc="left", color=INK)
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
