"""An exponential through the traffic table: least squares of ln y, which is a line, and of y itself."""

import matplotlib.pyplot as plt
import numpy as np

import aprendiz
from aprendiz import CurveFit
from aprendiz.plots.shared.style import BLUE, INK, VERMILION, tidy


def draw(path):
    """Write the picture."""
    traffic = aprendiz.datasets.load("traffic").frame
    x, y = traffic[["density"]].to_numpy(), traffic["speed"].to_numpy()
    along = np.linspace(x.min(), x.max(), 200)[:, None]
    looks = {False: (BLUE, "-", "least squares of ln y"), True: (VERMILION, "--", "refined: of y")}
    curves = {refine: CurveFit("exponential", refine=refine).fit(x, y).predict(along) for refine in looks}
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.2), layout="constrained")
    for ax, scale, name in zip(axes, (np.asarray, np.log), ("speed", "ln speed"), strict=True):
        ax.plot(x, scale(y), "o", color=INK, markersize=3.5, alpha=0.8, markeredgewidth=0)
        for refine, (colour, style, words) in looks.items():
            ax.plot(along, scale(curves[refine]), color=colour, linestyle=style, linewidth=1.5, label=words)
        tidy(ax, x="density (vehicles/km)", y=name)
        ax.legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
