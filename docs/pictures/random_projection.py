"""Distances between rows of 2 000 columns, by 50 and by 500 random coordinates."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import GaussianRandomProjection
from aprendiz.plots import DistortionDisplay


def draw(path):
    """Write the picture."""
    X = np.random.default_rng(0).normal(size=(200, 2000))
    figure, axes = plt.subplots(1, 2, figsize=(9.4, 4.6), layout="constrained", sharex=True)
    for ax, k in zip(axes, (50, 500), strict=True):
        DistortionDisplay.from_estimator(GaussianRandomProjection(k, eps=0.25, random_state=0).fit(X), X, ax=ax)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
