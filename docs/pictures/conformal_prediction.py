"""Intervals of one width, and intervals that follow the noise, for the same rows."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import ConformalRegressor, LinearRegression, RandomForestRegressor
from aprendiz.plots import IntervalsDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, size=(2400, 1))
    y = 5 * X[:, 0] + (0.2 + 2 * X[:, 0]) * rng.normal(size=2400)
    figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    forest = RandomForestRegressor(min_samples_leaf=50, random_state=0)
    for ax, score in zip(axes, ("absolute", "normalized"), strict=True):
        model = ConformalRegressor(LinearRegression(), conformity_score=score, residual_estimator=forest, random_state=0)
        model.fit(X[:2000], y[:2000])
        IntervalsDisplay.from_estimator(model, X[2000:], y[2000:], coverage=0.9, ax=ax)
        ax.set(xlim=(0, 5), ylim=(-2.5, 11))
        ax.set_title(f"{score}: {ax.get_title('left')}", loc="left", fontsize=10)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
