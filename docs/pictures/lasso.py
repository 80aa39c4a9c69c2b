"""The path of the lasso on the diabetes table, with the errors of the folds and the choice by one standard error."""

import matplotlib.pyplot as plt
import pandas as pd

import aprendiz
from aprendiz import LassoCV
from aprendiz.plots import CoefficientPathDisplay


def draw(path):
    """Write the picture."""
    table = aprendiz.datasets.load("diabetes")
    X, y = aprendiz.datasets.load("diabetes", return_X_y=True)
    X = pd.DataFrame(X, columns=list(table.features))
    display = CoefficientPathDisplay.from_estimator(LassoCV(rule="one_se").fit(X, y), X, y)
    display.figure_.set_size_inches(6, 4.4)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
