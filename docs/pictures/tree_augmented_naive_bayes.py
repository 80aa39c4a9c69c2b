"""The tree with which naive Bayes of digits is augmented, drawn on the pixels; the accuracy without and with it."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from aprendiz import CategoricalNB, TreeAugmentedNaiveBayes
from aprendiz.plots.shared.style import PALETTE, tidy

SIZES = (50, 100, 200, 400, 800, 1200)


def draw(path):
    """Write the picture."""
    pixels, digit = load_digits(return_X_y=True)
    X = (pixels >= 8).astype(int)
    order = np.random.default_rng(0).permutation(len(X))
    y, seen = digit[order], np.flatnonzero(np.ptp(X[order[:50]], axis=0))  # pixels that are light and dark in the first rows
    X = X[order][:, seen]
    model = TreeAugmentedNaiveBayes().fit(X[:1200], y[:1200])
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.6), layout="constrained")
    axes[0].imshow(pixels.mean(axis=0).reshape(8, 8), cmap="Greys", vmax=30)
    told = model.mutual_information_ / model.mutual_information_[~np.eye(len(seen), dtype=bool)].max()
    for a, b in model.edges_[len(seen) :]:
        ends = [(seen[pixel] % 8, seen[pixel] // 8) for pixel in (a, b)]
        axes[0].plot(*zip(*ends, strict=True), color=PALETTE[0], linewidth=0.4 + 3.0 * told[a, b], solid_capstyle="round")
    axes[0].set_axis_off()
    for k, (name, learner) in enumerate((("naive Bayes", CategoricalNB()), ("with the tree", TreeAugmentedNaiveBayes()))):
        right = [learner.fit(X[:n], y[:n]).score(X[1200:], y[1200:]) for n in SIZES]
        axes[1].plot(SIZES, right, marker="o", markersize=4, color=PALETTE[1 - k], label=name)
    axes[1].legend(frameon=False, fontsize=9, loc="lower right")
    tidy(axes[1], x="rows of the fit", y="share of new digits recognised")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
