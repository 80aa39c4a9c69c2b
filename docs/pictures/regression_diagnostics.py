"""What is wrong with a straight line through the traffic table, in four pictures."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import aprendiz
from aprendiz import LinearRegression, residuals
from aprendiz.plots import InfluenceDisplay, QuantileDisplay


def draw(path):
    traffic = aprendiz.datasets.load("traffic").frame
    X, y = traffic[["density"]], np.sqrt(traffic["speed"])
    model = LinearRegression().fit(X, y)
    figure, axes = plt.subplots(2, 2, figsize=(7.4, 6.2), layout="constrained")
    residuals(model, X, y).plot(ax=axes[0])
    QuantileDisplay.from_estimator(model, X, y, ax=axes[1, 0])
    InfluenceDisplay.from_estimator(model, X, y, worst=3, ax=axes[1, 1])
    figure.savefig(path, dpi=110)
    plt.close(figure)
    Image.open(path).convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(path, optimize=True)


if __name__ == "__main__":
    draw("docs/methods/pictures/regression_diagnostics.png")
