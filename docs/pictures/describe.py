"""How the columns of a table of irises go together."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz import describe


def draw(path):
    """Write the picture."""
    iris = load_iris(as_frame=True)
    figure = describe(iris.data, iris.target_names[iris.target]).plot().figure_
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)


if __name__ == "__main__":
    draw("docs/methods/pictures/describe.png")
