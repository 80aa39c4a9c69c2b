"""Benjamini's and Hochberg's line among sorted p-values, and the scores of useful columns and others."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import VariableRanking
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy

USEFUL, COLUMNS, ALPHA = 40, 2_000, 0.1


def draw(path):
    """Write the picture."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    X = random.normal(size=(100, COLUMNS))
    X[:, :USEFUL] += 0.8 * y[:, None]
    model = VariableRanking("anova", ("fdr", ALPHA)).fit(X, y)
    order = np.argsort(model.pvalues_)[:80]
    place, useful, kept = np.arange(1, 81), order < USEFUL, int(model.support_.sum())
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained")
    for those, colour, name in ((useful, BLUE, "says something"), (~useful, VERMILION, "of no use")):
        axes[0].scatter(place[those], model.pvalues_[order][those], s=12, color=colour, label=name, zorder=3)
    axes[0].plot(place, ALPHA * place / COLUMNS, color=INK, linewidth=1.2, label="α·k/d")
    axes[0].axvline(kept + 0.5, color=GREY, linestyle=":", linewidth=1.2)
    axes[0].set(ylim=(-0.0005, 0.0125))
    tidy(axes[0], x="place k in the order of p-values", y="p-value", title=f"{kept} columns are kept")
    axes[0].legend(frameon=False, fontsize=9)
    edges = np.linspace(0, model.scores_.max(), 45)
    axes[1].hist(model.scores_[USEFUL:], edges, color=VERMILION, alpha=0.7, label=f"{COLUMNS - USEFUL} of no use")
    axes[1].hist(model.scores_[:USEFUL], edges, color=BLUE, alpha=0.8, label=f"{USEFUL} say something")
    axes[1].axvline(model.scores_[model.support_].min(), color=GREY, linestyle=":", linewidth=1.2)
    axes[1].set_yscale("log")
    tidy(axes[1], x="F", y="columns", title="nothing separates them cleanly")
    axes[1].legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
