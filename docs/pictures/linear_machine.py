"""The regions of a linear machine."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz import LinearMachine
from aprendiz.plots import RegionsDisplay


def draw(path):
    """Write the picture."""
    iris = load_iris(as_frame=True)
    X, y = iris.data[["petal length (cm)", "petal width (cm)"]], iris.target_names[iris.target]
    display = RegionsDisplay.from_estimator(LinearMachine().fit(X, y), X, y)
    display.figure_.set_size_inches(5.2, 3.8)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
