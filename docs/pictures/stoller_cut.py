"""The error of every cut of a column, on some rows and in theory."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from aprendiz import StollerCut
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 40)
    x = rng.normal(2.0 * y)
    model = StollerCut().fit(x[:, None], y)
    figure, (top, low) = plt.subplots(2, 1, figsize=(6, 4), layout="constrained", sharex=True, height_ratios=[1, 2.2])
    for k, colour in enumerate((BLUE, VERMILION)):
        top.plot(x[y == k], np.full(40, k), "|", color=colour, markersize=13)
    values = np.sort(x)
    errors = [np.mean((x > c) != y) for c in values]
    wide = np.linspace(-2.8, 4.8, 300)
    low.step(values, errors, where="post", color=INK, linewidth=1.2, label="on these 80 rows")
    low.plot(wide, 0.5 * norm.cdf(wide, 2) + 0.5 * norm.sf(wide), "--", color=GREY, linewidth=1.2, label="in theory")
    for ax in (top, low):
        ax.axvline(model.threshold_, color=INK, linewidth=0.8, linestyle=":")
    low.plot(model.threshold_, model.error_, "o", color=INK, markersize=5)
    top.set_ylim(-0.6, 1.6)
    top.set_yticks([0, 1])
    tidy(top, x="", y="class")
    tidy(low, x="threshold", y="error")
    low.legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
