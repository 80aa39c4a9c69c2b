"""Bagging of an unstable and of a stable learner: errors on unseen rows against the number of members."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedShuffleSplit

from aprendiz import BaggingClassifier, DecisionTreeClassifier, KNeighborsClassifier, ensemble_curve
from aprendiz.ensemble import EnsembleCurve
from aprendiz.plots import EnsembleCurveDisplay
from aprendiz.plots.shared.style import PALETTE

MEMBERS, SPLITS = 50, StratifiedShuffleSplit(4, train_size=500, test_size=500, random_state=0)
LEARNERS = {"full tree": DecisionTreeClassifier(random_state=0), "5 nearest neighbours": KNeighborsClassifier(5)}


def draw(path):
    """Write the picture."""
    X, y = load_digits(return_X_y=True)
    curves, alone = {}, {}
    for name, learner in LEARNERS.items():
        found = [of_split(learner, X, y, *rows) for rows in SPLITS.split(X, y)]
        alone[name] = np.mean([error for error, _ in found])
        mean = np.mean([errors for _, errors in found], axis=0)
        curves[f"bagging, {name}"] = EnsembleCurve(np.arange(1, MEMBERS + 1), None, None, mean, "classification", name)
    figure, ax = plt.subplots(figsize=(7.0, 4.4), layout="constrained")
    EnsembleCurveDisplay(curves).plot(ax)
    for (name, error), colour, above in zip(alone.items(), PALETTE, (5, -14), strict=False):
        look = {"color": colour, "fontsize": 9, "ha": "right", "textcoords": "offset points"}
        ax.axhline(error, color=colour, linewidth=1.0, linestyle=(0, (4, 3)))
        ax.annotate(f"{name} alone", (MEMBERS, error), (0, above), **look)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)


def of_split(learner, X, y, train, test):
    """The error of the learner, and of its first 1, 2, … copies with bags of their own."""
    model = BaggingClassifier(learner, MEMBERS, random_state=0).fit(X[train], y[train])
    error = np.mean(learner.fit(X[train], y[train]).predict(X[test]) != y[test])
    return error, ensemble_curve(model, X_test=X[test], y_test=y[test]).test
