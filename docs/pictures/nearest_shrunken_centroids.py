"""The error of each threshold with the columns that are left, and what is left of the class means of three groups."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import NearestShrunkenCentroids
from aprendiz.plots import ShrunkenCentroidsDisplay, ThresholdCurveDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    y = np.repeat(["A", "B", "C"], 20)
    X = rng.normal(size=(60, 2000))
    X[y == "A", :6] += 1.6
    X[y == "B", 4:10] -= 1.6
    X[y == "C", 10:14] += 1.8
    model = NearestShrunkenCentroids("cv", rule="one_se", random_state=0).fit(X, y)
    figure = plt.figure(figsize=(7.6, 3.5), layout="constrained")
    grid = figure.add_gridspec(1, 4, width_ratios=[3.2, 1, 1, 1])
    ThresholdCurveDisplay.from_estimator(model, ax=figure.add_subplot(grid[0]))
    names = [f"column {j}" for j in range(2000)]
    ShrunkenCentroidsDisplay.from_estimator(model, names=names, most=16, ax=[figure.add_subplot(grid[k]) for k in (1, 2, 3)])
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
