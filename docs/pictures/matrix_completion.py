"""Errors of completions in held-out cells along the penalty, for several largest ranks."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import SoftImputeCV


def tastes():
    """120 persons, 60 items, three tastes, a quarter of the cells."""
    rng = np.random.default_rng(0)
    whole = 3.0 + rng.normal(size=(120, 3)) @ rng.normal(size=(3, 60)) * 0.6 + rng.normal(scale=0.4, size=(120, 60))
    return whole, np.where(rng.random(whole.shape) < 0.25, whole, np.nan)


def draw(path):
    """Write the picture."""
    _whole, A = tastes()
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.4), sharey=True, layout="constrained")
    for ax, ranks in zip(axes, (None, [1, 2, 3, 5, 8]), strict=True):
        SoftImputeCV(max_ranks=ranks, biases="columns", random_state=0).fit(A).plot(ax)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
