"""Outputs of a step and of a sigmoid, and training curves: a rate that stays and one that falls, batches and single rows."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from aprendiz import DeltaRule
from aprendiz.plots import TrainingCurveDisplay
from aprendiz.plots.shared.style import BLUE, GREEN, GREY, legend_below, tidy

LONG = {"max_iter": 60, "n_iter_no_change": 60, "random_state": 0}


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 3, figsize=(7.2, 3.2), layout="constrained")
    draw_units(axes[0])
    stochastic = {"mode": "stochastic", **LONG}
    compare(axes[1], {"η = 2": {"rate": 2.0, **stochastic}, "η falls": {"rate": 2.0, "decreasing": True, **stochastic}})
    compare(axes[2], {"batch": LONG, "stochastic": stochastic})
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)


def draw_units(ax):
    """Outputs against the score."""
    t = np.linspace(-6, 6, 301)
    ax.plot([-6, 0, 0, 6], [0, 0, 1, 1], color=GREY, linewidth=1.5, label="step")
    ax.plot(t, expit(t), color=BLUE, linewidth=1.5, label="sigmoid")
    ax.plot(t, expit(t) * (1 - expit(t)), "--", color=GREEN, linewidth=1.5, label="o'")
    tidy(ax, x="b + xᵀw", y="output o")
    legend_below(ax, columns=2)


def compare(ax, options):
    """Training curves of the delta rule with some options, by their names, on rows that overlap."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 2)) + np.array([2.0, 0.0])
    y = X @ [1.0, 2.0] - 2.0 + 1.5 * rng.normal(size=200) > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [DeltaRule(**given).fit(X, y) for given in options.values()]
    TrainingCurveDisplay.from_estimators(*models, names=list(options), ax=ax)
    ax.set(ylim=(0, 0.28), xticks=range(0, 61, 20))
