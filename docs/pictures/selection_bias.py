"""Errors of a pipeline on noise, with the columns chosen outside and inside the folds, and with the labels in random order."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from aprendiz import NearestMean
from aprendiz.evaluation import selection_bias
from aprendiz.plots import SelectionBiasDisplay
from aprendiz.selection import VariableRanking


def draw(path):
    """Write the picture."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(50, 5000)), np.arange(50) % 2
    found = selection_bias(make_pipeline(VariableRanking(keep=20), NearestMean()), X, y)
    figure = SelectionBiasDisplay(found).plot().figure_
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
