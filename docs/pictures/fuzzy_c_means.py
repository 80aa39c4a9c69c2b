"""The largest membership of each row, for three fuzzifiers."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

from aprendiz import FuzzyCMeans
from aprendiz.plots.shared.style import INK, PALETTE, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(4)
    X = np.vstack([rng.normal(c, 1.0, (60, 2)) for c in ((0, 0), (4, 0), (2, 3.4))])
    palette = np.array([to_rgb(colour) for colour in PALETTE[:3]])
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.6), layout="constrained", sharex=True, sharey=True)
    for ax, m in zip(axes, (1.1, 2.0, 4.0), strict=True):
        model = FuzzyCMeans(3, m=m, init=[[0.0, 0.0], [4.0, 0.0], [2.0, 3.4]]).fit(X)
        tidy(ax, x="x0", y="x1" if m == 1.1 else "", title=f"m = {m}, coefficient {model.partition_coefficient_:.2f}")
        ax.scatter(X[:, 0], X[:, 1], c=model.memberships_ @ palette, s=16, linewidths=0)
        ax.plot(*model.cluster_centers_.T, "P", color="white", markeredgecolor=INK, markersize=9)
        ax.set_aspect("equal")
    figure.savefig(path, dpi=80, pil_kwargs={"optimize": True})
    plt.close(figure)
