"""A forest by the number of its trees; what the number of columns in a node does to its trees."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_diabetes, load_digits
from sklearn.model_selection import train_test_split

from aprendiz import RandomForestClassifier, RandomForestRegressor, ensemble_curve
from aprendiz.plots.shared.style import BLUE, GREY, INK, THIN, VERMILION, tidy

COLUMNS = (1, 2, 3, 4, 5, 7, 10)


def draw(path):
    """Write the picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 4.0), layout="constrained")
    by_trees(left)
    by_columns(right)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


def by_trees(ax):
    """Errors on digits."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, train_size=600, random_state=0, stratify=y)
    forest = RandomForestClassifier(200, random_state=0).fit(X, y)
    ensemble_curve(forest, X_test=X_test, y_test=y_test).plot(ax)
    ax.set_title("digits, 600 rows: errors by the number of trees", fontsize=9.5)


def by_columns(ax):
    """Variance, correlation and their product, as shares of those with all columns."""
    X, y = load_diabetes(return_X_y=True)
    found = [RandomForestRegressor(200, max_features=m, random_state=0).fit(X, y).correlation_ for m in COLUMNS]
    lines = {
        "σ² of a tree": (BLUE, [one.variance for one in found]),
        "ρ between trees": (VERMILION, [one.correlation for one in found]),
        "ρσ² of the forest": (INK, [one.limit for one in found]),
    }
    ax.axhline(1.0, color=GREY, linewidth=THIN)
    for words, (colour, values) in lines.items():
        ax.plot(COLUMNS, np.array(values) / values[-1], "o-", color=colour, markersize=4, linewidth=1.8, label=words)
    tidy(ax, x="columns for a node (max_features)", y="compared with all 10 columns")
    ax.set_title("diabetes: what fewer columns do", fontsize=9.5)
    ax.set_xticks(range(1, 11))
    ax.legend(frameon=False, fontsize=9)
