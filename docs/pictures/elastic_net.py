"""The balls of the lasso, the ridge regression and the elastic net, and the ellipses of a loss that touch them."""

import matplotlib.pyplot as plt

from aprendiz.plots import penalty


def draw(path):
    """Write the picture."""
    display = penalty()
    display.figure_.set_size_inches(6.4, 2.9)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)
