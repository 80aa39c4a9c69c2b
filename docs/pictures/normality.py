"""A column that is two bumps, and the same column in one class."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz import normality


def draw(path):
    """Write the picture."""
    iris = load_iris(as_frame=True)
    figure, axes = plt.subplots(2, 2, figsize=(8.6, 6.8), layout="constrained")
    normality(iris.data).plot("petal length (cm)", ax=axes[0])
    by_species = normality(iris.data, iris.target_names[iris.target])
    by_species.plot("petal length (cm)", "virginica", ax=axes[1])
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)


if __name__ == "__main__":
    draw("docs/methods/pictures/normality.png")
