"""Mistakes of the perceptron, epoch after epoch: separable rows, rows that overlap, and these with a rate that falls."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz import Perceptron
from aprendiz.plots import TrainingCurveDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 2)) + np.array([2.0, 0.0])
    score = X @ [1.0, 2.0] - 2.0
    separable, overlapping = score > 0, score + 1.5 * rng.normal(size=200) > 0
    figure, axes = plt.subplots(1, 3, figsize=(7.2, 2.8), layout="constrained")
    panels = {
        "separable": (separable, "constant"),
        "overlapping": (overlapping, "constant"),
        "overlapping, falling rate": (overlapping, "decreasing"),
    }
    for ax, (title, (y, rate)) in zip(axes, panels.items(), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = Perceptron(tol=None, max_iter=60, rate=rate).fit(X, y)
        TrainingCurveDisplay.from_estimators(model, ax=ax)
        ax.set_title(title, fontsize=10, loc="left")
        ax.set(xlim=(0, 62), ylim=(-2, 72), xticks=range(0, 61, 20))
        ax.label_outer()
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
