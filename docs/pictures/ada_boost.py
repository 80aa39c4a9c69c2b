"""A disc in a ring, which no single cut tells apart: the regions of a few stumps and of many, and errors with their bound."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import AdaBoostClassifier
from aprendiz.plots.shared.style import BLUE, GREEN, GREY, INK, VERMILION

COLOURS = (BLUE, VERMILION)


def rings(rows, seed):
    """A disc in a ring, with some rows on the wrong side."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(rows, 2))
    return X, (np.hypot(*X.T) + 0.2 * rng.normal(size=rows) > 1.3).astype(int)


def show(ax, X, y, members):
    """Regions of the first members; the larger a point, the more the row weighs for the next one."""
    *_, state = AdaBoostClassifier(n_estimators=members).steps(X, y)
    model = AdaBoostClassifier(n_estimators=members).fit(X, y)
    line = np.linspace(-2.1, 2.1, 250)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    ax.contourf(line, line, model.predict(grid).reshape(250, 250), [-0.5, 0.5, 1.5], colors=COLOURS, alpha=0.18)
    for kind, colour in enumerate(COLOURS):
        ax.scatter(*X[y == kind].T, s=6 * len(y) * state.weight[y == kind], color=colour, linewidths=0)
    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.set_title(f"{members} members", fontsize=10, loc="left", color=INK)


def draw(path):
    """Write the picture."""
    (X, y), (new, truth) = rings(180, 0), rings(3000, 1)
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 2.9), layout="constrained")
    show(axes[0], X, y, 6)
    show(axes[1], X, y, 60)
    model, states = AdaBoostClassifier(n_estimators=200).fit(X, y), AdaBoostClassifier(n_estimators=200).steps(X, y)
    members = np.arange(1, 201)
    axes[2].plot(members, [state.objective for state in states], color=GREY, linestyle="--", label="bound")
    axes[2].plot(members, [1 - score for score in model.staged_score(new, truth)], color=VERMILION, label="new rows")
    axes[2].plot(members, [1 - score for score in model.staged_score(X, y)], color=GREEN, label="training")
    axes[2].set(xlabel="members", ylim=(0, 1))
    axes[2].set_title("error", fontsize=10, loc="left", color=INK)
    axes[2].legend(frameon=False)
    axes[2].spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
