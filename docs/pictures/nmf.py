"""Digits as sums of parts: parts of NMF beside components of PCA, and one digit as it is put together."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from aprendiz import NMF, PCA
from aprendiz.plots import PartsDisplay
from aprendiz.plots.shared.style import PALE

K, SHAPE = 12, (8, 8)


def draw(path):
    """Write the picture."""
    X = load_digits().data
    model, components = NMF(K, random_state=0).fit(X), PCA(K).fit(X).components_
    figure, axes = plt.subplots(1, 3, figsize=(11.0, 3.4), layout="constrained", width_ratios=(1.35, 1.35, 1.0))
    PartsDisplay(model.components_, SHAPE).plot(axes[0])
    axes[0].set_title("parts of NMF: nothing below 0", fontsize=10, loc="left")
    signed_pictures(axes[1], components)
    axes[1].set_title("components of PCA: blue above 0, red below", fontsize=10, loc="left")
    put_together(axes[2], X[13], model)
    axes[2].set_title("a digit, and its parts", fontsize=10, loc="left")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)


def signed_pictures(ax, components):
    """Components in one picture, as PartsDisplay puts them."""
    whole = np.full((3 * 9 - 1, 4 * 9 - 1), np.nan)
    for number, one in enumerate(components):
        top, left = 9 * (number // 4), 9 * (number % 4)
        whole[top : top + 8, left : left + 8] = one.reshape(SHAPE) / np.abs(one).max()
    ax.imshow(whole, cmap=plt.get_cmap("RdBu").with_extremes(bad=PALE), vmin=-1, vmax=1)
    ax.set_axis_off()


def put_together(ax, x, model):
    """The digit, the sum of its parts, and the four largest of them in their amounts."""
    amounts = model.transform(x[None])[0]
    largest = np.argsort(-amounts)[:4]
    pictures = [x, amounts @ model.components_, *(amounts[t] * model.components_[t] for t in largest)]
    whole = np.full((3 * 9 - 1, 2 * 9 - 1), np.nan)
    for number, one in enumerate(pictures):
        top, left = 9 * (number // 2), 9 * (number % 2)
        whole[top : top + 8, left : left + 8] = one.reshape(SHAPE)
    ax.imshow(whole, cmap=plt.get_cmap("Blues").with_extremes(bad=PALE), vmin=0, vmax=x.max())
    ax.set_axis_off()
