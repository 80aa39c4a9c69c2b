"""Accuracy of a tree against its depth: on unseen rows and on training rows."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from aprendiz import DecisionTreeClassifier
from aprendiz.evaluation import KFolds, validation_curve


def draw(path):
    """Write the picture."""
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    display = validation_curve(tree, X, y, parameter="max_depth", values=range(1, 10), protocol=KFolds(5)).plot()
    display.figure_.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
