"""Naive Bayes with columns that say the same twice: too certain as it is, calibrated by each of the three methods."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import CalibratedClassifierCV, GaussianNB, calibration
from aprendiz.plots import CalibrationDisplay
from aprendiz.plots.shared.style import colour_of


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    y = rng.random(6000) < 0.4
    X = np.repeat(1.0 * y[:, None] + rng.normal(size=(6000, 2)), 4, axis=1)  # each column four times
    models = {"naive Bayes": GaussianNB()}
    models |= {method: CalibratedClassifierCV(GaussianNB(), method=method) for method in ("sigmoid", "isotonic", "temperature")}
    figure, axes = plt.subplots(2, 1, figsize=(5.6, 8.2), height_ratios=(3, 1), layout="constrained")
    for number, (name, model) in enumerate(models.items()):
        found = calibration(y[3000:], model.fit(X[:3000], y[:3000]).predict_proba(X[3000:])[:, 1])
        CalibrationDisplay(found).plot(axes, name=name, colour=colour_of(number))
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
