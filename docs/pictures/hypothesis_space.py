"""The number game after 16, 8, 2 and 64: prior, likelihood, posterior and predictive distribution."""

import matplotlib.pyplot as plt

from aprendiz import HypothesisSpace
from aprendiz.datasets import load
from aprendiz.plots import hypotheses


def draw(path):
    """Write the picture."""
    game = load("number_game")
    figure, axes = plt.subplots(2, 2, figsize=(7.6, 4.8), layout="constrained")
    hypotheses(HypothesisSpace(game.sets, game.weights), [16, 8, 2, 64], ax=axes)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
