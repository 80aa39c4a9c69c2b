"""Features of the Gaussian kernel: their error against their number, and a Gram matrix with what the features make of it."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import RBF, Nystroem, RBFSampler
from aprendiz.plots.shared.style import BLUE, VERMILION, tidy

GAMMA = 0.2
NUMBERS = (10, 20, 50, 100, 200, 400, 800)


def rows():
    """Four columns; the first rows stand in three groups, in order."""
    rng = np.random.default_rng(0)
    groups = np.repeat(2.0 * rng.normal(size=(3, 4)), 20, axis=0) + 0.7 * rng.normal(size=(60, 4))
    return groups, rng.normal(size=(3_000, 4))


def draw(path):
    """Write the picture."""
    groups, X = rows()
    figure, axes = plt.subplots(1, 4, figsize=(11.6, 3.2), layout="constrained", width_ratios=[1.5, 1, 1, 1])
    K = RBF(gamma=GAMMA)(X[:500])
    for sampler, marker, colour in ((Nystroem, "o", BLUE), (RBFSampler, "s", VERMILION)):
        errors = []
        for number in NUMBERS:
            Z = sampler(gamma=GAMMA, n_components=number, random_state=0).fit(X[500:]).transform(X[:500])
            errors.append(np.sqrt(np.mean((Z @ Z.T - K) ** 2)))
        axes[0].loglog(NUMBERS, errors, marker=marker, markersize=4, color=colour, label=sampler.__name__)
    tidy(axes[0], x="features", y="error of the kernel")
    axes[0].legend(frameon=False, fontsize=9)
    matrices = {"kernel": RBF(gamma=GAMMA)(groups)}
    for sampler in (Nystroem, RBFSampler):
        Z = sampler(gamma=GAMMA, n_components=20, random_state=0).fit_transform(groups)
        matrices[f"{sampler.__name__}, 20"] = Z @ Z.T
    for ax, (title, matrix) in zip(axes[1:], matrices.items(), strict=True):
        shown = ax.imshow(matrix, cmap="cividis", vmin=-0.4, vmax=1.2)
        tidy(ax, x="row", y="", title=title)
    figure.colorbar(shown, ax=axes[3], shrink=0.7, label="value")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
