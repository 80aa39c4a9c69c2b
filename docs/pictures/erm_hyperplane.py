"""The line of least error and the line of least squares, with a few rows far away."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import ERMHyperplane, LeastSquaresClassifier
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + np.array([2.6, 0.8]) * y[:, None]
    X[:6] = X[:6] * 0.6 + np.array([9.0, 5.0])
    y[:6] = 0
    best, squares = ERMHyperplane("all").fit(X, y), LeastSquaresClassifier().fit(X, y)
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    for k, (colour, marker) in enumerate(((BLUE, "o"), (VERMILION, "^"))):
        ax.scatter(*X[y == k].T, s=18, color=colour, marker=marker, alpha=0.8, linewidths=0)
    on = X[best.decision_function(X) == 0]
    ax.scatter(*on.T, s=80, facecolors="none", edgecolors=INK, linewidths=1.2)
    across = np.array([-4.0, 13.0])
    for model, colour, style, name in ((best, INK, "-", "least error"), (squares, GREY, "--", "least squares")):
        (a, b), c = model.coef_[0], model.intercept_[0]
        wrong = np.count_nonzero(model.predict(X) != y)
        ax.plot(across, -(c + a * across) / b, style, color=colour, linewidth=1.3, label=f"{name}: {wrong} of 60 wrong")
    ax.set(xlim=(-3.2, 11.5), ylim=(-3.4, 7.2))
    tidy(ax, x="first column", y="second column")
    ax.legend(frameon=False, fontsize=9, loc="lower right")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
