"""A photograph by 5, 20 and 80 singular triplets, and the error of each rank beside what it takes to store."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

from aprendiz import low_rank
from aprendiz.plots.shared.style import BLUE, GREY, VERMILION, tidy


def draw(path):
    """Write the picture."""
    image = load_sample_image("china.jpg").mean(axis=2) / 255.0
    figure, axes = plt.subplots(2, 2, figsize=(9.4, 6.6), layout="constrained")
    found = low_rank(image, 80)
    for ax, k in zip(axes.flat, (5, 20, 80), strict=False):
        ax.imshow((found.U[:, :k] * found.singular_values[:k]) @ found.V[:k], cmap="gray", vmin=0, vmax=1)
        share = k * (1 + sum(image.shape)) / image.size
        ax.set_title(f"rank {k}: {100 * share:.0f} % of the numbers", fontsize=10, loc="left")
        ax.set_axis_off()
    tail = np.sqrt(np.cumsum(found.spectrum[::-1] ** 2)[::-1]) / np.linalg.norm(found.spectrum)
    ranks, last = np.arange(1, len(tail)), axes[1, 1]
    last.plot(ranks, tail[1:], color=BLUE, label="Frobenius norm of the error")
    last.plot(ranks, found.spectrum[1:] / found.spectrum[0], color=VERMILION, label="spectral norm of the error")
    last.axvline(found.compression.break_even, color=GREY, linestyle=(0, (4, 2)), label="break-even rank")
    last.set_yscale("log")
    last.legend(frameon=False, fontsize=9, loc="lower left")
    tidy(last, x="rank", y="part of the norm of the image")
    figure.savefig(path, dpi=80, pil_kwargs={"optimize": True})
    plt.close(figure)
