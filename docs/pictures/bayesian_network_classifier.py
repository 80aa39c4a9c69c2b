"""A tree over the columns of iris beside the class, and the accuracy when cells of new rows are missing."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import BayesianNetworkClassifier, SimpleImputer
from aprendiz.datasets import load
from aprendiz.plots.shared.style import PALETTE, tidy

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)


def draw(path):
    """Write the picture."""
    iris, labels = load("iris", return_X_y=True, as_frame=True)
    iris.columns = [name.removesuffix(" (cm)") for name in iris.columns]
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained", width_ratios=[1.15, 1.0])
    BayesianNetworkClassifier(class_name="species").fit(iris, labels).plot(ax=axes[0])
    X, y = load("digits", return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    (train, ours), (test, theirs) = ((X[part], y[part]) for part in (order[:1200], order[1200:]))
    filler = SimpleImputer(strategy="most_frequent").fit(train)
    for k, structure in enumerate(("tan", "naive")):
        model = BayesianNetworkClassifier(structure).fit(train, ours)
        summed, filled = [], []
        for share in SHARES:
            holes = np.where(np.random.default_rng(1).random(test.shape) < share, np.nan, test)
            summed.append(model.score(holes, theirs))
            filled.append(model.score(filler.transform(holes), theirs))
        axes[1].plot(SHARES, summed, "-o", markersize=4, color=PALETTE[k], label=f"{structure}, summed over")
        axes[1].plot(SHARES, filled, ":o", markersize=3, color=PALETTE[k], label=f"{structure}, most frequent value")
    axes[1].legend(frameon=False, fontsize=9, loc="lower left")
    tidy(axes[1], x="share of missing cells in new rows", y="share of new digits recognised")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
