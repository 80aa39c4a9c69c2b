"""The log-loss of the folds against C on the breast-cancer table, the best C, and the simplest one within a standard error."""

import matplotlib.pyplot as plt
import numpy as np

import aprendiz
from aprendiz import LogisticRegressionCV, StandardScaler


def draw(path):
    """Write the picture."""
    X, y = aprendiz.datasets.load("breast_cancer", return_X_y=True)
    X, grid = StandardScaler().fit_transform(X), np.logspace(-2, 2, 17)
    model = LogisticRegressionCV(Cs=grid, scoring="neg_log_loss", use_legacy_attributes=False, rule="one_se").fit(X, y)
    scores = model.scores_[:, 0]
    mean, error = scores.mean(axis=0), scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
    ax.errorbar(grid, mean, error, color="#1f4e79", marker="o", markersize=4, capsize=3, linewidth=1.2)
    best = mean.argmax()
    level = mean[best] - error[best]
    ax.axhline(level, color="#888888", linestyle=":", linewidth=1)
    ax.text(grid[-1], level, "best less its standard error", ha="right", va="bottom", color="#555555", fontsize=8.5)
    for C, name, colour, side in ((grid[best], " best ", "#1f4e79", "left"), (model.C_, ' rule="one_se" ', "#c0504d", "right")):
        ax.axvline(C, color=colour, linestyle="--", linewidth=1)
        ax.text(C, mean.min(), name, color=colour, ha=side)
    ax.set(xscale="log", xlabel="C (weak penalty to the right)", ylabel="neg_log_loss, mean of 5 folds")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
