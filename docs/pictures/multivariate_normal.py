"""The 95 % ellipses of three species over two columns."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz.plots import ellipse


def draw(path):
    """Write the picture."""
    data = load_iris(as_frame=True)
    figure, ax = plt.subplots(figsize=(5.6, 4.2), layout="constrained")
    ellipse(data.data, data.target_names[data.target], columns=(0, 1), name="species", ax=ax)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
