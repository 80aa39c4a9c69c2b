"""What a support vector machine learns with four kernels from the same rows."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.kernel.kernels import RBF, Exponential, Linear, Polynomial
from aprendiz.plots import KernelSurfacesDisplay


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, (120, 2))
    y = np.where(np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=120) > X[:, 1], "below", "above")
    kernels = {
        "Linear()": Linear(),
        "Polynomial(3, c=1)": Polynomial(3, c=1.0),
        "RBF(gamma=1)": RBF(gamma=1.0),
        "RBF(gamma=30)": RBF(gamma=30.0),
        "Exponential(1)": Exponential(1.0),
        "0.2 · Exponential(1) + Linear()": 0.2 * Exponential(1.0) + Linear(),
    }
    figure = KernelSurfacesDisplay.from_kernels(kernels, X, y).figure_
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
