"""What is wrong with a straight line through the traffic table, in four pictures."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import aprendiz
from aprendiz import LinearRegression
from aprendiz.plots import InfluenceDisplay, QuantileDisplay, ResidualsDisplay


def draw(path):
    traffic = aprendiz.datasets.load("traffic").frame
    X, y = traffic[["density"]], np.sqrt(traffic["speed"])
    model = LinearRegression().fit(X, y)
    figure, axes = plt.subplots(2, 2, figsize=(7.4, 6.2), layout="constrained")
    ResidualsDisplay.from_predictions(y, model.predict(X), against=X["density"], ax=axes[0])
    QuantileDisplay.from_estimator(model, X, y, ax=axes[1, 0])
    InfluenceDisplay.from_estimator(model, X, y, worst=3, ax=axes[1, 1])
    figure.savefig(path, dpi=110)
    plt.close(figure)
    Image.open(path).convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(path, optimize=True)


if __name__ == "__main__":
    draw("docs/methods/pictures/regression_diagnostics.png")
