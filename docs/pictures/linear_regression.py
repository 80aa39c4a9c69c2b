"""The straight line and the parabola of least squares through the traffic table."""

import matplotlib.pyplot as plt
import numpy as np

import aprendiz
from aprendiz import LinearRegression
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, legend_below, tidy


def draw(path):
    traffic = aprendiz.datasets.load("traffic").frame
    density, y = traffic[["density"]].to_numpy(), np.sqrt(traffic["speed"].to_numpy())
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    x = np.linspace(density.min(), density.max(), 200)[:, None]
    for powers, colour, name in [(1, VERMILION, "straight line"), (2, BLUE, "with density²")]:
        model = LinearRegression().fit(density ** np.arange(1, powers + 1), y)
        drawn = model.predict(x ** np.arange(1, powers + 1))
        summary = model.summary()
        words = f"{name}: R² {summary.r2:.4f}, residual sd {summary.residual_sd:.3f}"
        ax.plot(x, drawn, color=colour, label=words)
        if powers == 2:
            ax.vlines(density[:, 0], model.predict(density ** np.arange(1, 3)), y, color=GREY, linewidth=0.8)
    ax.plot(density, y, "o", color=INK, markersize=4)
    tidy(ax, x="density (vehicles/km)", y="√speed")
    legend_below(ax)
    figure.savefig(path, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    draw("docs/methods/pictures/linear_regression.png")
