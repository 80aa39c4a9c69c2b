"""Support vector machines: margins of a plane and of a curve, the tube, the lifted circle, and scores over C and γ."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.kernel import SVC, SVR
from aprendiz.plots import LiftedCircleDisplay, MarginDisplay, ScoreGridDisplay, TubeDisplay


def two_arcs(rng, count):
    """Two half circles that reach into each other."""
    y = np.repeat(["upper", "lower"], count // 2)
    angle, lower = np.pi * rng.random(count), (y == "lower").astype(float)
    X = np.column_stack([np.cos(angle) + lower, (1 - 2 * lower) * np.sin(angle) + 0.4 * lower])
    return X + rng.normal(0, 0.18, X.shape), y


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    figure, axes = plt.subplots(2, 3, figsize=(11.6, 8.4), layout="constrained")
    X, y = two_arcs(rng, 120)
    clouds = np.vstack([rng.normal(centre, 0.9, (30, 2)) for centre in ((-1.2, -1.0), (1.2, 1.0))])
    labels = np.repeat(["a", "b"], 30)
    MarginDisplay(SVC(kernel="linear").fit(clouds, labels), clouds, labels).plot(axes[0, 0])
    MarginDisplay(SVC(gamma=1.0, C=3.0).fit(X, y), X, y).plot(axes[0, 1])
    x = np.linspace(0, 6, 60)[:, None]
    t = np.sin(x[:, 0]) + rng.normal(0, 0.15, 60)
    TubeDisplay(SVR(C=10.0, epsilon=0.2).fit(x, t), x, t).plot(axes[0, 2])
    LiftedCircleDisplay().plot(axes[1, :2])
    grid = {"C": [0.1, 1, 10, 100, 1000], "gamma": [0.01, 0.1, 1, 10, 100]}
    ScoreGridDisplay.from_estimator(SVC(), X, y, grid=grid, ax=axes[1, 2])
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
