"""The evidence of a simple, a right and a complex model over all numbers of heads in ten throws of a coin."""

import matplotlib.pyplot as plt
from scipy.stats import binom

from aprendiz import HypothesisSpace
from aprendiz.plots import EvidenceDisplay


def coins(*chances):
    """Coins that fall on heads with these chances, as hypotheses about the number of heads."""
    return HypothesisSpace({p: {k: binom.pmf(k, 10, p) for k in range(11)} for p in chances})


def draw(path):
    """Write the picture."""
    models = {
        "simple, a fair coin": coins(0.5),
        "right, mostly heads": coins(0.6, 0.7, 0.8, 0.9),
        "complex, any coin": coins(*(k / 20 for k in range(21))),
    }
    figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    EvidenceDisplay(models, observed=8).plot(ax)
    ax.set_xlabel("heads in ten throws", fontsize=10)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
