"""k-means at work, and the cells of its centres."""

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

from aprendiz import KMeans
from aprendiz.plots import KMeansStepsDisplay, VoronoiDisplay
from aprendiz.plots.shared.style import INK


def draw(path):
    """Write the picture."""
    X = make_blobs(300, centers=4, cluster_std=1.3, random_state=7)[0]
    model = KMeans(4, init="random", n_init=1, random_state=4)
    figure, axes = plt.subplots(1, 5, figsize=(12.0, 2.9), layout="constrained", sharex=True, sharey=True)
    KMeansStepsDisplay(X, model.steps(X)).plot(axes[:4])
    VoronoiDisplay.from_estimator(model.fit(X), X, ax=axes[4])
    axes[4].set_title("cells", fontsize=10, loc="left", color=INK)
    for ax in axes[1:]:
        ax.set_ylabel("")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
