"""Steps along a sine, the error of x³ from sigmoids against h, and a product of two columns as a network of steps."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.neural import monomial_network, ridge_network, step_approximation
from aprendiz.plots.shared.style import BLUE, GREY, PALETTE, legend_below, tidy


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 3, figsize=(11.4, 3.9), layout="constrained")
    x = np.linspace(0, 1, 1001)
    sine = step_approximation(lambda u: np.sin(2 * np.pi * u), 2 * np.pi, 0.5)
    axes[0].plot(x, np.sin(2 * np.pi * x), color=GREY, linewidth=1.0, label="sin 2πx")
    axes[0].step(x, sine(x), color=BLUE, linewidth=1.4, where="post", label=f"{sine.n_neurons} steps, ε = 0.5")
    tidy(axes[0], x="x", y="f(x)", title="Steps")
    legend_below(axes[0], columns=2)
    powers = np.arange(-7, -0.4, 0.25)
    for k, name in ((1, "x"), (2, "x²"), (3, "x³")):
        errors = [monomial_network(k, h=10.0**power).error for power in powers]
        axes[1].plot(powers, np.log10(errors), color=PALETTE[k], linewidth=1.4, label=name)
    axes[1].set_ylim(-8, 4)
    tidy(axes[1], x="log₁₀ h", y="log₁₀ of the largest distance", title="Powers from sigmoids")
    legend_below(axes[1], columns=3)
    halves = [lambda u: u**2 / 4, lambda u: -(u**2) / 4]
    product = ridge_network(halves, [[1, 1], [1, -1]], [1.0, 0.5], 0.2)
    a, b = np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201))
    f = product(np.column_stack([a.ravel(), b.ravel()])).reshape(a.shape)
    axes[2].imshow(f, origin="lower", extent=(0, 1, 0, 1), cmap="viridis", aspect="auto")
    tidy(axes[2], x="x", y="y", title=f"x·y from {product.n_neurons} steps")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)
