"""Score of the chosen columns against their number: on the inner folds that chose them, and on new rows."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import LinearDiscriminantAnalysis, RecursiveElimination, SequentialSelection
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION

COLUMNS = 60


def table(rows, seed):
    """Five columns of sixty say something."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    X = random.normal(size=(rows, COLUMNS))
    X[:, :5] += 0.6 * y[:, None]
    return X, y


def on_new_rows(model, sets, new):
    """The accuracy of a fit to each set, on new rows."""
    X, y = table(120, 0)
    return [model.fit(X[:, some], y).score(new[0][:, some], new[1]) for some in sets]


def draw(path):
    """Write the picture."""
    (X, y), new, model = table(120, 0), table(5000, 1), LinearDiscriminantAnalysis()
    forward = SequentialSelection(model, n_features_to_select=30).fit(X, y)
    backward = RecursiveElimination(model).fit(X, y)
    sizes = np.arange(1, 31)
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.0), layout="constrained", sharey=True)
    axes[0].plot(sizes, forward.scores_[sizes], color=VERMILION, label="inner folds")
    axes[0].plot(sizes, on_new_rows(model, [forward.order_[:m] for m in sizes], new), color=BLUE, label="new rows")
    axes[0].set_title("forward", fontsize=10, loc="left", color=INK)
    axes[1].plot(sizes, backward.scores_[: len(sizes)], color=VERMILION, label="inner folds")
    order = np.argsort(RecursiveElimination(model, n_features_to_select=1).fit(X, y).ranking_, kind="stable")
    axes[1].plot(sizes, on_new_rows(model, [order[:m] for m in sizes], new), color=BLUE, label="new rows")
    axes[1].set_title("elimination, each fold for itself", fontsize=10, loc="left", color=INK)
    for ax in axes:
        ax.axvline(5, color=GREY, linestyle=":", linewidth=1)
        ax.set(xlabel="columns", ylim=(0.5, 1.0))
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("accuracy")
    axes[0].legend(frameon=False)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
