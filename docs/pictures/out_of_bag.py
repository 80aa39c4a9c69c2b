"""A forest as it grows, by three kinds of rows; and the importance of columns, alone and among rows alike in the others."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from aprendiz import RandomForestClassifier, ensemble_curve
from aprendiz.plots.shared.style import BLUE, INK, SMALL, VERMILION, legend_below, tidy

SHOWN = 8


def noisy(rows, seed):
    """Two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 10))
    return X, (X[:, :4].sum(axis=1) + X[:, 0] * X[:, 1] + rng.normal(size=rows) > 0).astype(int)


def grow(ax):
    """Errors against the number of trees."""
    new, truth = noisy(4000, 1)
    model = RandomForestClassifier(300, random_state=0).fit(*noisy(800, 0))
    ensemble_curve(model, X_test=new, y_test=truth).plot(ax)


def permute(ax):
    """The importance of the columns of the wines."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = RandomForestClassifier(300, random_state=0).fit(X, y)
    alone, among = (model.oob_permutation_importance(repeats=10, conditional=c, random_state=0) for c in (False, True))
    order = alone.order[:SHOWN]
    ax.barh(np.arange(SHOWN) - 0.18, alone.mean[order], height=0.36, color=BLUE, label="permuted among all rows")
    ax.barh(np.arange(SHOWN) + 0.18, among.mean[order], height=0.36, color=VERMILION, label="among rows alike in the others")
    tidy(ax, x="increase of the error of a tree", y="")
    names = [name.split("/")[0].replace("_", " ") for name in X.columns[order]]
    ax.set_yticks(range(SHOWN), names, fontsize=SMALL, color=INK)
    ax.set_ylim(SHOWN - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    legend_below(ax, columns=1)


def draw(path):
    """Write the picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 4.0), layout="constrained")
    grow(left)
    permute(right)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
