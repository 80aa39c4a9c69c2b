"""A prior and its posteriors; a Gaussian by maximum likelihood beside the predictive of four rows."""

import matplotlib.pyplot as plt

from aprendiz.bayes.distributions import Beta, Gaussian, NormalInverseGamma
from aprendiz.plots import DistributionDisplay

FOUR = [1, 1, 1, 0]
X = [6, 8, 7, 7]


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.3), layout="constrained")
    prior = Beta(2, 2)
    beliefs = {"prior": prior, "after 4 rows": prior.posterior(FOUR), "after 40 rows": prior.posterior(FOUR * 10)}
    DistributionDisplay(beliefs).plot(axes[0], x="p")
    predictive = NormalInverseGamma(centre=5, rows=1, shape=1, scale=1).posterior(X).predictive()
    DistributionDisplay({"ML": Gaussian.fit(X), "predictive": predictive}).plot(axes[1], x="x")
    axes[1].plot(X, [0] * len(X), linestyle="none", marker="|", markersize=14, color="black", clip_on=False)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
