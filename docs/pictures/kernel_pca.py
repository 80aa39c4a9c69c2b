"""Two rings, their coordinates in two components of a Gaussian kernel, and noisy rows of a ring brought back to it."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KernelPCA
from aprendiz.plots.shared.style import MARKERS, PALETTE, tidy


def rings():
    """A ring within a ring."""
    rng = np.random.default_rng(0)
    which = np.repeat([0, 1], [100, 200])
    angle = 2 * np.pi * rng.uniform(size=300)
    rows = np.array([0.4, 1.0])[which][:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return rows + 0.06 * rng.normal(size=(300, 2)), which


def draw(path):
    """Write the picture."""
    X, which = rings()
    T = KernelPCA(2, kernel="rbf", gamma=6.0).fit_transform(X)
    outer = X[which == 1] + 0.1 * np.random.default_rng(1).normal(size=(200, 2))
    model = KernelPCA(4, kernel="rbf", gamma=1.0, fit_inverse_transform=True, pre_image="fixed_point").fit(outer)
    back = model.inverse_transform(model.transform(outer))
    figure, axes = plt.subplots(1, 3, figsize=(10.2, 3.5), layout="constrained")
    for ring in (0, 1):
        look = {"linestyle": "none", "marker": MARKERS[ring], "markersize": 3.0, "color": PALETTE[ring]}
        axes[0].plot(*X[which == ring].T, **look)
        axes[1].plot(*T[which == ring].T, **look)
    axes[2].plot(*outer.T, linestyle="none", marker="o", markersize=2.5, color="0.65", label="as they were")
    axes[2].plot(*back.T, linestyle="none", marker="o", markersize=2.5, color=PALETTE[0], label="brought back")
    axes[2].legend(frameon=False, fontsize=9, loc="center")
    tidy(axes[0], x="first column", y="second column", title="two rings")
    tidy(axes[1], x="first component", y="second component", title="their first two components")
    tidy(axes[2], x="first column", y="second column", title="a ring without its noise")
    for one in axes:
        one.set_aspect("equal")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
