"""Coefficients of logistic regression on the breast-cancer table against C, with a squared and with an absolute penalty."""

import matplotlib.pyplot as plt
import numpy as np

import aprendiz
from aprendiz import LogisticRegression, StandardScaler
from aprendiz.plots.shared.style import GREY, PALETTE, SMALL, legend_below, tidy


def draw(path):
    """Write the picture."""
    X, y = aprendiz.datasets.load("breast_cancer", return_X_y=True)
    names = aprendiz.datasets.load("breast_cancer").features
    X, C = StandardScaler().fit_transform(X), np.geomspace(1e-3, 1, 40)
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.6), sharey=True, layout="constrained")
    paths = [
        np.array([LogisticRegression(C=strength, l1_ratio=ratio, tol=1e-6).fit(X, y).coef_[0] for strength in C])
        for ratio in (0.0, 1.0)
    ]
    largest = np.argsort(-np.abs(paths[1][-1]))[:5]
    for ax, W, title in zip(axes, paths, ("l1_ratio=0: all shrink", "l1_ratio=1: most are zero"), strict=True):
        ax.plot(C, np.delete(W, largest, axis=1), color=GREY, linewidth=0.7)
        for j, colour in zip(largest, PALETTE, strict=False):
            ax.plot(C, W[:, j], color=colour, linewidth=1.6, label=names[j] if ax is axes[0] else None)
        ax.set_xscale("log")
        ax.set_title(title, fontsize=SMALL)
        tidy(ax, x="C", y="coefficient" if ax is axes[0] else "")
        ax.tick_params(labelsize=SMALL)
    legend_below(axes[0], columns=1)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
