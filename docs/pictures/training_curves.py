"""Training curves of perceptron and delta rule: separable rows, rows that overlap, and these with a rate that falls."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz import DeltaRule, Perceptron
from aprendiz.plots import TrainingCurveDisplay

NAMES = ["separable", "overlapping", "overlapping, 1000/(1000 + t)"]


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 2)) + np.array([2.0, 0.0])
    score = X @ [1.0, 2.0] - 2.0
    separable, overlapping = score > 0, score + 1.5 * rng.normal(size=200) > 0
    stochastic = {"mode": "stochastic", "rate": 2.0, "max_iter": 60, "n_iter_no_change": 60, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        steps = [Perceptron(tol=None, max_iter=60, rate=rate) for rate in ("constant", "constant", "decreasing")]
        rules = [DeltaRule(**stochastic, decreasing=falls) for falls in (False, False, True)]
        for number, y in enumerate((separable, overlapping, overlapping)):
            steps[number].fit(X, y)
            rules[number].fit(X, y)
    _, axes = plt.subplots(1, 2, figsize=(8.6, 3.9), layout="constrained")
    TrainingCurveDisplay.from_estimators(*steps, names=NAMES, ax=axes[0])
    display = TrainingCurveDisplay.from_estimators(*rules, names=NAMES, ax=axes[1])
    display.figure_.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
