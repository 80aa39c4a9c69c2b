"""Error of k nearest neighbours on rows left out against k."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from aprendiz import choose_n_neighbors


def draw(path):
    """Write the picture."""
    X, y = load_wine(return_X_y=True)
    figure, ax = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    choose_n_neighbors(scale(X), y).plot(ax)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
