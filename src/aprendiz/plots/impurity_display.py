"""Picture of three measures of impurity, for two classes of shares p and 1 − p.

    entropy    −p log₂ p − (1 − p) log₂(1 − p)                                                                (1)
    Gini       2p(1 − p)                                                                                      (2)
    error      min(p, 1 − p)                                                                                  (3)

All are 0 where a node holds one class, and largest at p = ½. (1) and (2) are strictly concave, so that every split that tells
the classes apart a little lowers them; (3) has straight sides, and does not change with a split whose two parts keep the same
largest class. Half the entropy can be compared with the others at one look: all three then reach ½.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.special import entr

from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREEN, VERMILION, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 401  # shares p


class ImpurityDisplay(Display):
    """Entropy, Gini and error against the share of one of two classes.

    Parameters
    ----------
    scaled : bool, default=False
        Draw half the entropy, which is as high as the other two.

    Attributes
    ----------
    p : ndarray of shape (n_places,)
    curves : dict of str to ndarray of shape (n_places,)
        "entropy", "gini" and "error" at p.
    ax_, figure_ : matplotlib Axes and Figure
    """

    def __init__(self, *, scaled: bool = False) -> None:
        self.scaled = scaled
        self.p = p = np.linspace(0.0, 1.0, PLACES)
        entropy = (entr(p) + entr(1.0 - p)) / np.log(2.0)
        self.curves: dict[str, Array] = {
            "entropy": entropy / 2.0 if scaled else entropy,
            "gini": 2.0 * p * (1.0 - p),
            "error": np.minimum(p, 1.0 - p),
        }

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the three curves."""
        ax = self.open_axes(ax, 6.4, 4.2)
        words = {
            "entropy": _("half the entropy (bits)") if self.scaled else _("entropy (bits)"),
            "gini": _("Gini 2p(1 − p)"),
            "error": _("error min(p, 1 − p)"),
        }
        looks = {"entropy": (BLUE, "-"), "gini": (VERMILION, "--"), "error": (GREEN, "-.")}
        for name, values in self.curves.items():
            colour, dashes = looks[name]
            ax.plot(self.p, values, color=colour, linestyle=dashes, linewidth=1.8, label=words[name])
        tidy(ax, x=_("share p of one of two classes"), y=_("impurity"))
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.04 * max(float(values.max()) for values in self.curves.values())))
        legend_below(ax, columns=3)
        return self
