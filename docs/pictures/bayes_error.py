"""The error of a rule as areas: a frontier that was moved, and a band of rejection."""

import matplotlib.pyplot as plt
from scipy.stats import norm

from aprendiz.plots import DecisionAreasDisplay


def draw(path):
    """Write the picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.7), layout="constrained", sharey=True)
    display = DecisionAreasDisplay([norm(0, 1), norm(2, 1.2)], [0.45, 0.55], names=["healthy", "ill"])
    display.plot(left, cuts=1.9)
    display.plot(right, reject_below=0.8)
    right.set_ylabel("")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
