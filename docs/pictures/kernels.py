"""Kernels: how alike two numbers are, what is learnt through a few points, and the Gram matrix of three groups of rows."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import KernelRidge
from aprendiz.kernel.kernels import RBF, Exponential, GammaExponential, Matern, Periodic
from aprendiz.plots.shared.style import INK, PALETTE, tidy

SHAPES = {
    "RBF(sigma=1)": RBF(sigma=1.0),
    "Matern(1.5)": Matern(1.5),
    "Exponential(1)": Exponential(1.0),
    "GammaExponential(0.5)": GammaExponential(0.5, gamma=1.0),
    "Periodic(3)": Periodic(3.0),
}
LEARNT = {"RBF(sigma=1)": 0, "Exponential(1)": 2, "Periodic(3)": 4}


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 3, figsize=(11.2, 3.5), layout="constrained", width_ratios=(1.0, 1.0, 0.85))
    grid = np.linspace(-4, 4, 801)[:, None]
    for colour, (name, kernel) in zip(PALETTE, SHAPES.items(), strict=False):
        axes[0].plot(grid, kernel(grid, [[0.0]]), color=colour, linewidth=1.3, label=name)
    tidy(axes[0], x="x − z", y="K(x, z)", title="how alike two numbers are")
    axes[0].set_ylim(-0.02, 1.6)
    axes[0].set_yticks([0, 0.5, 1])
    axes[0].legend(frameon=False, fontsize=8, loc="upper center", ncols=2)

    x = np.array([-3.6, -2.9, -2.2, -1.4, -1.0, -0.3, 0.2])[:, None]
    y = np.sin(2 * np.pi * x[:, 0] / 3) + 0.3 * x[:, 0] / 4
    for name, place in LEARNT.items():
        model = KernelRidge(0.01, kernel=SHAPES[name]).fit(x, y)
        axes[1].plot(grid, model.predict(grid), color=PALETTE[place], linewidth=1.3, label=name)
    axes[1].plot(x, y, "o", color=INK, markersize=4)
    tidy(axes[1], x="x", y="y", title="kernel ridge through seven points")
    axes[1].set_ylim(-1.7, 1.9)

    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(centre, 0.5, size=(20, 2)) for centre in ((0, 0), (2.5, 0), (4, 3))])
    image = axes[2].imshow(RBF(sigma=1.0)(rows), cmap="Blues", vmin=0, vmax=1)
    tidy(axes[2], x="row", y="row", title="Gram matrix of three groups")
    figure.colorbar(image, ax=axes[2], shrink=0.8)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
