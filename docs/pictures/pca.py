"""Wines: shares of the variance with a line at 90 %, and the biplot of the first two components."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from aprendiz import PCA
from aprendiz.plots import BiplotDisplay, ExplainedVarianceDisplay


def draw(path):
    """Write the picture."""
    wine = load_wine(as_frame=True)
    names = np.array(["Barolo", "Grignolino", "Barbera"])[wine.target]
    model = PCA(scale=True).fit(wine.data)
    figure, axes = plt.subplots(1, 2, figsize=(11.0, 5.2), layout="constrained")
    ExplainedVarianceDisplay(model, share=0.9).plot(axes[0])
    BiplotDisplay(model, wine.data, names).plot(axes[1])
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
