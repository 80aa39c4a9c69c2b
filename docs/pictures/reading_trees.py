"""A tree of two columns of iris: the boxes of the plane, and the tree that makes them."""

import matplotlib.pyplot as plt
import pandas as pd
from PIL import Image
from sklearn.datasets import load_iris

from aprendiz import DecisionTreeClassifier
from aprendiz.plots import PartitionDisplay


def draw(path):
    """Write the picture."""
    iris = load_iris()
    X, y = pd.DataFrame(iris.data[:, 2:], columns=["petal length", "petal width"]), iris.target_names[iris.target]
    model = DecisionTreeClassifier(max_leaf_nodes=5).fit(X, y)
    display = PartitionDisplay.from_estimator(model, X, y, name="species")
    display.figure_.savefig(path, dpi=110)
    plt.close(display.figure_)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
