"""One-class support vector machines: the region of most rows with a small and a large γ."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.kernel import OneClassSVM
from aprendiz.plots import OneClassDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(2)
    clouds = [rng.normal(centre, spread, (count, 2)) for centre, spread, count in (((-1, 0), 0.45, 80), ((1.2, 0.8), 0.55, 70))]
    X = np.vstack([*clouds, rng.uniform(-3, 3, (10, 2))])
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.9), layout="constrained")
    for ax, gamma in zip(axes, (0.3, 2.0), strict=True):
        OneClassDisplay(OneClassSVM(nu=0.08, gamma=gamma).fit(X), X).plot(ax)
        ax.set_title(f"γ = {gamma:g}: " + ax.get_title(loc="left"), loc="left")
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
