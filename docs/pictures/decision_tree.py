"""The tree of the tumour table."""

import matplotlib.pyplot as plt

from aprendiz import DecisionTreeClassifier
from aprendiz.datasets import load


def draw(path):
    """Write the picture."""
    X, y = load("tumour", return_X_y=True, as_frame=True)
    figure = DecisionTreeClassifier().fit(X, y).plot().figure_
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
