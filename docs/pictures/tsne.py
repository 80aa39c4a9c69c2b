"""Images of digits on two principal components and on a map, and the map after a few steps."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from aprendiz import PCA, TSNE
from aprendiz.plots import EmbeddingDisplay


def draw(path):
    """Write the picture."""
    X, y = load_digits(n_class=6, return_X_y=True)
    X, y = X[:600], y[:600]
    states = {state.step: state.embedding for state in TSNE(random_state=0).steps(X)}
    maps = {
        "two principal components": PCA(2).fit_transform(X),
        "t-SNE, 60 steps": states[60],
        "250 steps": states[250],
        "1000 steps": states[1000],
    }
    figure, axes = plt.subplots(2, 2, figsize=(8.4, 7.4), layout="constrained")
    for ax, (title, points) in zip(axes.flat, maps.items(), strict=True):
        EmbeddingDisplay(points, y).plot(ax, name="digit")
        ax.set_title(title, fontsize=10, loc="left")
        handles, labels = ax.get_legend_handles_labels()
        ax.get_legend().remove()
    figure.legend(handles, labels, title="digit", loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    figure.savefig(path, dpi=80, pil_kwargs={"optimize": True})
    plt.close(figure)
