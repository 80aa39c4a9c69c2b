"""How the probability of a disease grows with the number of positive tests, for a common and a rare disease."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.bayes import rule
from aprendiz.plots.shared.style import GREY, INK, MARKERS, PALETTE, tidy


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained", sharey=True)
    panels = {0.5: "half of the people are sick", 0.01: "one in a hundred is sick"}
    for ax, (prior, title) in zip(axes, panels.items(), strict=True):
        for k, rate in enumerate((0.2, 0.05, 0.001)):
            after = rule.update([prior, 1 - prior], [[0.9, rate]] * 5)[:, 0]
            look = {"color": PALETTE[k], "marker": MARKERS[k], "markersize": 5, "label": f"{rate:g}"}
            ax.plot(range(6), np.concatenate([[prior], after]), **look)
        ax.axhline(0.9, color=GREY, linewidth=0.8, linestyle=":")
        tidy(ax, x="positive tests", y="", title=title)
        ax.set_ylim(0, 1.04)
    axes[0].set_ylabel("P(sick | tests)", color=INK)
    axes[1].legend(title="false positives", frameon=False, loc="lower right", fontsize=9, title_fontsize=9)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
