"""Scores with and without planted leaks, where there is nothing to learn."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from aprendiz import (
    DecisionTreeClassifier,
    GaussianNB,
    KFolds,
    KNeighborsClassifier,
    LogisticRegression,
    StandardScaler,
    evaluate,
)
from aprendiz.plots.shared.style import BLUE, GREY, VERMILION, legend_below, tidy

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(160, 3)), RANDOM.integers(0, 2, 160)


def cases():
    """Words, a learner, a table and its target."""
    twice = np.r_[np.arange(160), np.arange(80)]
    yield "half of the rows twice", KNeighborsClassifier(1), X[twice], Y[twice]
    patient = np.repeat(np.arange(40), 4)
    faces = RANDOM.normal(size=(40, 4))[patient] + 0.1 * RANDOM.normal(size=(160, 4))
    yield "patients on both sides", KNeighborsClassifier(1), np.column_stack([faces, patient + 1000.0]), Y[patient]
    yield "a code of the target", DecisionTreeClassifier(random_state=0), np.column_stack([X, 7.0 - Y]), Y
    level = np.repeat(np.arange(80), 2)
    means = (np.bincount(level, Y) / 2)[level]
    yield "levels encoded by the target", LogisticRegression(), np.column_stack([X, means]), Y
    yield "scaled before the folds", make_pipeline(GaussianNB()), StandardScaler().fit_transform(X), Y


def draw(path):
    """Write the picture."""
    figure, ax = plt.subplots(figsize=(7.2, 2.9), layout="constrained")
    names = []
    for place, (name, learner, table, target) in enumerate(cases()):
        (leak,) = evaluate(learner, table, target, protocol=KFolds(5), watch=True).leaks
        names.append(name)
        ax.plot([leak.honest, leak.leaking], [place, place], color=GREY, linewidth=1.2, zorder=1)
        for value, colour, words in ((leak.honest, BLUE, "without the leak"), (leak.leaking, VERMILION, "with the leak")):
            ax.plot(value, place, color=colour, marker="o", linestyle="none", label=words if place == 0 else None)
    ax.axvline(0.5, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    tidy(ax, x="accuracy on test rows", y="")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlim(0.35, 1.03)
    legend_below(ax, columns=2)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
