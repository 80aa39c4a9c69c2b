"""What one against the rest and one against one leave open, beside a linear machine."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import LeastSquaresClassifier
from aprendiz.plots import AmbiguousRegionsDisplay


def rows():
    """Three long groups that stand around a point like the blades of a wheel."""
    rng = np.random.default_rng(2)
    blade = rng.normal(size=(3, 40, 2)) * [1.3, 0.15] + [3.0, 2.2]
    turns = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in 2 * np.pi * np.arange(3) / 3]
    return np.vstack([points @ turn.T for points, turn in zip(blade, turns, strict=True)]), np.repeat(["a", "b", "c"], 40)


def draw(path):
    """Write the picture."""
    display = AmbiguousRegionsDisplay.from_estimator(LeastSquaresClassifier(), *rows())
    display.figure_.set_size_inches(7.2, 3.5)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
