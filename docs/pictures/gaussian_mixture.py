"""Three Gaussians over two columns of iris, and the density of one column as the sum of its parts."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aprendiz import GaussianMixture


def draw(path):
    """Write the picture."""
    X = load_iris(as_frame=True).data
    figure, axes = plt.subplots(1, 2, figsize=(10.4, 4.6), layout="constrained")
    GaussianMixture(3, random_state=0).fit(X).plot(X, columns=("petal length (cm)", "sepal width (cm)"), ax=axes[0])
    petals = X[["petal length (cm)"]]
    GaussianMixture(3, random_state=0).fit(petals).plot(petals, ax=axes[1])
    figure.savefig(path, dpi=72, pil_kwargs={"optimize": True})
    plt.close(figure)
