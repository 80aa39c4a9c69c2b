"""The log-likelihood as a function of one mean, with the bounds of three passes of EM."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import logsumexp

from aprendiz.plots.shared.style import GREY, INK, PALETTE, legend_below, tidy


def log_joint(x, mu):
    """ln p(x, z) of two Gaussians of variance 1 with equal weights, one of them at 0; rows × values of z for each mean."""
    means = np.stack([np.zeros(len(mu)), mu], axis=-1)
    squares = (x[:, None] - means[:, None, :]) ** 2
    return -0.5 * squares - 0.5 * np.log(2 * np.pi) + np.log(0.5)


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.normal(0, 1, 12), rng.normal(4, 1, 12)])
    grid = np.linspace(0.5, 6.5, 400)
    figure, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    tidy(ax, x="mean of the second Gaussian", y="log-likelihood", title="EM climbs on bounds that touch the log-likelihood")
    ax.plot(grid, logsumexp(log_joint(x, grid), axis=2).sum(axis=1), color=INK, linewidth=2.0, label="log-likelihood")
    mu = 1.6
    for number in range(3):
        joint = log_joint(x, [mu])[0]
        r = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        bound = (r * log_joint(x, grid)).sum(axis=(1, 2)) - (r * np.log(r)).sum()
        ax.plot(grid, bound, color=PALETTE[number], linewidth=1.4, label=f"bound of pass {number + 1}")
        ax.plot(mu, logsumexp(joint, axis=1).sum(), "o", color=PALETTE[number], markeredgecolor=INK, zorder=3)
        mu = x @ r[:, 1] / r[:, 1].sum()
    ax.axvline(mu, color=GREY, linewidth=0.8, linestyle=":")
    top = logsumexp(log_joint(x, grid), axis=2).sum(axis=1).max()
    ax.set_ylim(top - 38, top + 3)
    legend_below(ax, columns=2)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
