"""Six bases: their functions, and the least squares curve that each gives through the same rows."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.pipeline import make_pipeline

from aprendiz import BasisExpansion, LinearRegression
from aprendiz.plots.shared.style import GREY, PALETTE, SMALL, VERMILION, tidy

BASES = {
    "polynomial": {"degree": 5},
    "gaussian": {"number": 7},
    "sigmoid": {"number": 7},
    "fourier": {"number": 3},
    "haar": {"number": 3},
    "spline": {"number": 6},
}


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 10, 80))[:, None]
    y = np.sin(x[:, 0]) + 0.1 * x[:, 0] + 0.2 * rng.normal(size=80)
    along = np.linspace(x.min(), x.max(), 400)[:, None]
    figure, axes = plt.subplots(4, 3, figsize=(6.4, 4.6), sharex=True, layout="constrained", height_ratios=[1, 2, 1, 2])
    for k, (basis, options) in enumerate(BASES.items()):
        model = make_pipeline(BasisExpansion(basis, **options), LinearRegression()).fit(x, y)
        functions, curve = axes[2 * (k // 3) : 2 * (k // 3) + 2, k % 3]
        draw_functions(functions, along, model[0].transform(along), basis)
        curve.plot(x, y, "o", color=GREY, markersize=2.5, markeredgewidth=0)
        curve.plot(along, model.predict(along), color=VERMILION, linewidth=1.6)
        curve.text(0.5, 0.95, f"R² {model.score(x, y):.3f}", transform=curve.transAxes, fontsize=SMALL, ha="center", va="top")
        tidy(curve, x="", y="")
        curve.set_ylim(-1.2, 2.4)
        curve.label_outer()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


def draw_functions(ax, along, columns, basis):
    """The functions of a basis, each as high as the picture."""
    for k, column in enumerate(columns.T):
        ax.plot(along, column / np.abs(column).max(), color=PALETTE[k % len(PALETTE)], linewidth=0.9)
    tidy(ax, x="", y="", title=basis)
    ax.set_yticks([])
    ax.tick_params(bottom=False)
    ax.spines[["left", "bottom"]].set_visible(False)
