"""Every pruning of the tumour tree as a line: its errors and the price of its leaves. The lowest lines are the path."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy

ROWS = 14
PRUNINGS = {5: 0, 4: 1, 3: 2, 1: 5}  # leaves: wrong rows (with 4 leaves there are two, on the same line)
LAST = 0.15


def draw(path):
    """Write the picture."""
    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    alpha = np.linspace(0, LAST, 421)
    lines = {leaves: wrong / ROWS + leaves * alpha for leaves, wrong in PRUNINGS.items()}
    for leaves, line in lines.items():
        colour = GREY if leaves == 4 else BLUE
        words = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}, {PRUNINGS[leaves]} of {ROWS} wrong"
        ax.plot(alpha, line, color=colour, linewidth=1.2)
        ax.annotate(words, (LAST, line[-1]), (5, 0), textcoords="offset points", fontsize=9, color=colour, va="center")
    ax.plot(alpha, np.min(list(lines.values()), axis=0), color=VERMILION, linewidth=2.6)
    ax.annotate("the least of\nall prunings", (0.038, 0.07), fontsize=9, color=VERMILION)
    for price, words in ((1 / 14, "α = 1/14"), (3 / 28, "α = 3/28")):
        ax.axvline(price, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        ax.annotate(words, (price, 0.02), (4, 0), textcoords="offset points", fontsize=9, color=INK)
    tidy(ax, x="cost-complexity parameter α", y="R(T) + α·leaves(T)")
    ax.set_xlim(0, LAST)
    ax.set_ylim(0, 0.8)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
