"""Polynomials of rising degree: the fits, and what AIC and BIC say of them."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from aprendiz import LinearRegression
from aprendiz.evaluation import criteria
from aprendiz.plots.shared.style import GREY, colour_of, legend_below, tidy


def draw(path):
    """Write the picture."""
    random = np.random.default_rng(4)
    x = np.sort(random.uniform(-2, 2, 60))[:, None]
    y = (x**3 - 2 * x).ravel() + random.normal(size=60)
    kinds = {
        f"degree {d}": make_pipeline(PolynomialFeatures(d, include_bias=False), LinearRegression()) for d in (1, 2, 3, 5, 9)
    }
    models = {name: kind.fit(x, y) for name, kind in kinds.items()}
    figure, axes = plt.subplots(1, 3, figsize=(12.0, 4.2), layout="constrained")
    axes[0].scatter(x, y, s=9, color=GREY)
    grid = np.linspace(-2, 2, 200)[:, None]
    for k, name in enumerate(("degree 1", "degree 3", "degree 9")):
        axes[0].plot(grid, models[name].predict(grid), color=colour_of(k), linewidth=1.4, label=name)
    tidy(axes[0], x="x", y="y")
    legend_below(axes[0], columns=3)
    for ax, by in zip(axes[1:], ("aic", "bic"), strict=True):
        criteria.table(models, x, y, by=by).plot(ax)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
