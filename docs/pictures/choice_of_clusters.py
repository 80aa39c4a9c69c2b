"""Three criteria for the number of clusters, and the silhouettes of the clusters they choose."""

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

from aprendiz import KMeans, choose_k
from aprendiz.plots import SilhouetteDisplay


def draw(path):
    """Write the picture."""
    X = make_blobs(200, centers=4, cluster_std=1.3, random_state=7)[0]
    figure, axes = plt.subplots(1, 4, figsize=(12.0, 3.4), layout="constrained")
    choose_k(X, range(1, 8), criterion="gap", random_state=0).plot(axes[:3])
    SilhouetteDisplay.from_estimator(KMeans(4, random_state=0).fit(X), X, ax=axes[3])
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
