"""What a forest loses by each column, and what it predicts along some of them."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from aprendiz import RandomForestRegressor
from aprendiz.evaluation import partial_dependence, permutation_importance
from aprendiz.plots import PartialDependenceDisplay


def draw(path):
    """Write the picture."""
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    test = np.arange(len(y)) % 3 == 0
    model = RandomForestRegressor(200, min_samples_leaf=5, random_state=0).fit(X[~test], y[~test])
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), layout="constrained")
    permutation_importance(model, X[test], y[test], n_repeats=10, random_state=0).plot(axes[0])
    curves = [partial_dependence(model, X[test], column, grid_resolution=40, kind="both") for column in ("bmi", "bp")]
    PartialDependenceDisplay(curves).plot(axes[1:])
    axes[2].sharey(axes[1])
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
