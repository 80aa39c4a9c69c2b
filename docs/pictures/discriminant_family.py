"""The same rows seen by four members of the discriminant family: 95 % ellipses of their classes, and their frontiers."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from aprendiz import DiagonalDiscriminantAnalysis, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis
from aprendiz.bayes.distributions import MultivariateGaussian
from aprendiz.plots import EllipseDisplay

MIXING = np.array([[[1.6, 0.6], [0.0, 0.5]], [[0.7, -0.4], [0.0, 0.9]], [[0.5, 0.3], [0.0, 0.4]]])
MEANS = np.array([[0.0, 0.0], [3.0, 2.4], [3.4, -0.6]])


def rows():
    """Three classes of different size, width and slant."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [40, 25, 15])
    return np.einsum("ij,ijl->il", rng.normal(size=(80, 2)), MIXING[y]) + MEANS[y], np.array(["A", "B", "C"])[y]


def draw(path):
    """Write the picture."""
    X, y = rows()
    across, up = np.meshgrid(np.linspace(-4.6, 6.2, 300), np.linspace(-3.0, 5.4, 300))
    places = np.column_stack([across.ravel(), up.ravel()])
    figure, axes = plt.subplots(2, 2, figsize=(6.8, 5.0), sharex=True, sharey=True, layout="constrained")
    for ax, (name, model) in zip(
        axes.flat,
        {
            "quadratic": QuadraticDiscriminantAnalysis(),
            "linear": LinearDiscriminantAnalysis(),
            "diagonal": DiagonalDiscriminantAnalysis(),
            "nearest mean": NearestMean(),
        }.items(),
        strict=True,
    ):
        model.fit(X, y)
        shapes = [shape.matrix for shape in model.ellipsoids_] * (3 if len(model.ellipsoids_) == 1 else 1)
        each = {label: MultivariateGaussian(m, C) for label, m, C in zip("ABC", model.means_, shapes, strict=True)}
        EllipseDisplay(each, X, y).plot(ax)
        for k in range(3):
            inside = (model.predict(places) == model.classes_[k]).astype(float).reshape(across.shape)
            ax.contour(across, up, inside, levels=[0.5], colors="#222222", linewidths=1.0)
        ax.set(xlim=(-4.6, 6.2), ylim=(-3.0, 5.4), xlabel="", ylabel="")
        ax.set_title(f"{name}: {model.n_parameters_} parameters", loc="left", fontsize=10)
        ax.get_legend().remove()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    with Image.open(path) as image:
        image.convert("RGB").quantize(64).save(path, optimize=True)
