"""Two groups and a few rows far away: the planes of four criteria."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import LinearDiscriminant
from aprendiz.plots.shared.style import BLUE, GREEN, INK, ORANGE, PURPLE, SMALL, VERMILION, legend_below, tidy

LINES = {
    "least_squares": ("least squares", INK, "-"),
    "perceptron": ("perceptron", PURPLE, "--"),
    "squared_sigmoid": ("squared sigmoid", ORANGE, "-."),
    "zero_one": ("zero–one", GREEN, ":"),
}


def rows():
    """Two round groups, and a tenth of the second class far on the side of the first."""
    rng = np.random.default_rng(4)
    first, second = rng.normal((-1.2, 0), 0.7, (60, 2)), rng.normal((1.2, 0), 0.7, (54, 2))
    far = rng.normal((-9, 4), 0.5, (6, 2))
    return np.vstack([first, second, far]), np.repeat([0, 1, 1], [60, 54, 6])


def draw(path):
    """Write the picture."""
    X, y = rows()
    figure, ax = plt.subplots(figsize=(6.0, 4.0), layout="constrained")
    for k, (colour, marker) in enumerate(((BLUE, "o"), (VERMILION, "s"))):
        ax.plot(*X[y == k].T, linestyle="none", color=colour, marker=marker, markersize=4, markeredgewidth=0, alpha=0.7)
    height = np.array([-3.0, 6.0])
    for criterion, (name, colour, style) in LINES.items():
        model = LinearDiscriminant(criterion, random_state=0).fit(X, y)
        (a, b), c = model.coef_[0], model.intercept_[0]
        wrong = round(len(y) * (1 - model.score(X, y)))
        ax.plot(-(b * height + c) / a, height, color=colour, linestyle=style, linewidth=1.6, label=f"{name}: {wrong} errors")
    ax.set_xlim(-11, 4)
    ax.set_ylim(*height)
    tidy(ax, x="x0", y="x1")
    legend_below(ax, columns=2)
    ax.tick_params(labelsize=SMALL)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
