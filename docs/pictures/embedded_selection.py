"""Path of the lasso on many columns, and the out-of-bag importances of a forest: where planted columns stand."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import EmbeddedSelection, lasso_path
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION

PLANTED = (3, 8, 21)


def draw(path):
    """Write the picture."""
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 300))
    y = X[:, 3] - 0.8 * X[:, 8] + 0.6 * X[:, 21] + 0.8 * random.normal(size=100)
    alphas, coefs, _gaps = lasso_path((X - X.mean(axis=0)) / X.std(axis=0), y - y.mean(), eps=0.05)
    forest = EmbeddedSelection("forest", keep=3).fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.0), layout="constrained")
    for j, line in enumerate(coefs):
        planted = j in PLANTED
        axes[0].plot(alphas / alphas[0], line, color=VERMILION if planted else GREY, linewidth=1.6 if planted else 0.5)
    axes[0].set_xscale("log")
    axes[0].invert_xaxis()
    axes[0].set_title("lasso", fontsize=10, loc="left", color=INK)
    axes[0].set(xlabel="penalty, as a part of the largest", ylabel="coefficient")
    order = np.argsort(-forest.scores_)[:20]
    axes[1].bar(range(20), forest.scores_[order], color=[VERMILION if j in PLANTED else BLUE for j in order])
    axes[1].set_title("forest", fontsize=10, loc="left", color=INK)
    axes[1].set(xlabel="columns, the twenty largest", ylabel="loss by permutation", xticks=[])
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
