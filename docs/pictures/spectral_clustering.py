"""Three rings: the groups, the eigenvalues with their gap, and the rows where the eigenvectors put them."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import SpectralClustering
from aprendiz.plots import SpectralDisplay
from aprendiz.plots.shared.style import MARKERS, PALETTE, tidy


def rings():
    """Three rings of rows, one within the other."""
    rng = np.random.default_rng(0)
    radius = np.repeat([1.0, 2.0, 3.0], [100, 200, 300])
    angle = 2 * np.pi * np.concatenate([np.arange(n) / n for n in (100, 200, 300)])
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.07 * rng.normal(size=(600, 2))


def draw(path):
    """Write the picture."""
    X = rings()
    model = SpectralClustering(3, gamma=20.0, random_state=0).fit(X)
    figure, axes = plt.subplots(1, 3, figsize=(10.2, 3.4), layout="constrained")
    for group in range(3):
        here = model.labels_ == group
        axes[0].plot(*X[here].T, linestyle="none", marker=MARKERS[group], markersize=2.5, color=PALETTE[group])
    tidy(axes[0], x="first column", y="second column")
    axes[0].set_aspect("equal")
    SpectralDisplay(model).plot(axes[1:])
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
