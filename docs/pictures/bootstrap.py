"""Which rows of a small table are drawn by some replicates, and which are left out to test."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.evaluation import Bootstrap
from aprendiz.plots import SplitsDisplay


def draw(path):
    """Write the picture."""
    y = np.repeat([0, 1], [14, 6])
    display = SplitsDisplay.from_protocol(Bootstrap(6, seed=3), y)
    display.figure_.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
