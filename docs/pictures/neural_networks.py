"""A network that tells the inside of a circle from the outside: weights, what its neurons compute, and its training."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import MLPClassifier
from aprendiz.plots import EpochsDisplay, LayersDisplay, NeuronsDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(150, 2))
    y = np.where(np.hypot(*X.T) > 1.7, "outside", "inside")
    model = MLPClassifier((4,), activation="tanh", learning_rate_init=0.05, max_iter=4000, random_state=2)
    figure = plt.figure(figsize=(10.6, 6.4), layout="constrained")
    top, below = figure.subfigures(2, 1, height_ratios=[1.25, 1.0])
    left, right = top.subfigures(1, 2, width_ratios=[1.0, 1.5])
    fitted = model.fit(X, y)
    LayersDisplay.from_estimator(fitted, ax=left.subplots())
    NeuronsDisplay(fitted, X, y).plot(right.subplots(2, 4))
    EpochsDisplay.from_training(model, X, y, epochs=[0, 20, 60, 300], ax=below.subplots(1, 4))
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
