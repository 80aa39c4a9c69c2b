"""The error of each pair of pulls in ten folds, for 80 rows of 30 columns that depend on each other."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import RegularizedDiscriminantAnalysis
from aprendiz.plots.shared.style import INK, VERMILION, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 40)
    mixing = np.linalg.cholesky(0.8 ** np.abs(np.subtract.outer(np.arange(30), np.arange(30))))
    X = rng.normal(size=(80, 30)) @ mixing.T * np.where(y[:, None] == 0, 1.0, 1.4)
    X[:, ::3] += 0.5 * y[:, None]
    model = RegularizedDiscriminantAnalysis("cv", "cv", random_state=0).fit(X, y)
    figure, ax = plt.subplots(figsize=(5.6, 4.4), layout="constrained")
    half = 0.5 / 19
    look = {"origin": "lower", "extent": (-half, 1 + half, -half, 1 + half), "cmap": "Blues", "aspect": "auto"}
    bar = figure.colorbar(ax.imshow(100 * model.cv_errors_.mean(axis=2), **look), ax=ax)
    bar.set_label("error in the folds (%)", color=INK)
    ax.plot(model.toward_identity_, model.toward_pooled_, "o", color=VERMILION, markersize=10, markeredgecolor="white")
    for place, side, words in [((0, 0), "left", "quadratic"), ((0, 1), "left", "linear"), ((1, 1), "right", "nearest mean")]:
        frame = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2.0}
        ax.text(*place, words, ha=side, va="top" if place[1] else "bottom", color=INK, fontsize=10, bbox=frame)
    tidy(ax, x="γ, towards a ball", y="λ, towards the common covariance")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
