"""The path of a ridge regression on the diabetes table: no coefficient becomes zero, two large ones that cancel do not last."""

import matplotlib.pyplot as plt
import pandas as pd

import aprendiz
from aprendiz import RidgeCV
from aprendiz.plots import CoefficientPathDisplay


def draw(path):
    """Write the picture."""
    table = aprendiz.datasets.load("diabetes")
    X, y = aprendiz.datasets.load("diabetes", return_X_y=True)
    X = pd.DataFrame(X, columns=list(table.features))
    display = CoefficientPathDisplay.from_estimator(RidgeCV([0.01, 0.1, 1.0, 10.0]).fit(X, y), X, y)
    display.figure_.set_size_inches(6, 3.8)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
