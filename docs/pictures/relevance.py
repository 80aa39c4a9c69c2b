"""The columns of a table whose truth is known, by what they say alone and beside the relevant ones."""

import matplotlib.pyplot as plt

from aprendiz.plots import RelevanceDisplay
from aprendiz.selection import make_relevance_table, relevance


def draw(path):
    """Write the picture."""
    table = make_relevance_table(400, random_state=0)
    figure = RelevanceDisplay(relevance(table.X, table.y)).plot().figure_
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)
