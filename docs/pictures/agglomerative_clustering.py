"""The clusters of three linkages above their trees."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import AgglomerativeClustering
from aprendiz.plots import DendrogramDisplay
from aprendiz.plots.shared.style import INK, PALETTE, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(4)
    angle = rng.uniform(0, np.pi, 60)
    moon = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.concatenate([moon[:30], [1.0, 0.4] - moon[30:], rng.normal([2.6, 1.0], 0.12, (20, 2))])
    X += 0.06 * rng.normal(size=X.shape)
    figure, axes = plt.subplots(2, 3, figsize=(9.6, 5.6), layout="constrained")
    for (plane, tree), linkage in zip(axes.T, ("single", "complete", "ward"), strict=True):
        model = AgglomerativeClustering(3, linkage=linkage).fit(X)
        for j in range(3):
            plane.plot(*X[model.labels_ == j].T, "o", color=PALETTE[j], markersize=4, markeredgewidth=0)
        tidy(plane, x="", y="", title=f'linkage="{linkage}"')
        plane.set_aspect("equal")
        DendrogramDisplay.from_estimator(model, ax=tree, leaves=16)
        tree.get_legend().remove()
        tree.set_xlabel("rows")
    for ax in axes[1, 1:]:
        ax.set_ylabel("")
    axes[1, 0].set_ylabel("height of the merge", color=INK)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
