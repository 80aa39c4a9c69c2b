"""Four rules for the step of a gradient descent, from the same start in the same bowl."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from aprendiz.linear import descend
from aprendiz.plots import DescentPathDisplay

BEND = np.array([1.0, 6.0])
RATES = {"constant": 0.3, "decreasing": 0.3, "exact": None, "backtracking": 1.0}


def draw(path):
    """Write the picture."""
    paths = {
        step: descend(
            lambda w: w @ (BEND * w) / 2, lambda w: BEND * w, [6.0, 1.5], step=step, rate=rate, tol=0.01, max_iter=100
        )
        for step, rate in RATES.items()
    }
    display = DescentPathDisplay(paths).plot()
    display.figure_.savefig(path, dpi=110)
    plt.close(display.figure_)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
