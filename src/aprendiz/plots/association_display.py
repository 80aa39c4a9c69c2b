"""Picture of how columns go together: a square for each pair, shaded by the strength of the association.

Of two columns of numbers it is Pearson's r, blue above 0 and vermilion below; of a number and a category the share of variance
η², and of two categories Cramér's V, both green. Pairs of which nothing can be said, because one does not vary, are grey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.describe import Description, describe
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import DEEP_BLUE, DEEP_VERMILION, GREEN, PALE, SMALL, readable, tidy, width_of
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL, MARGIN = 0.52, 1.9  # inches: of a square, and of the names
SMALLEST, LARGEST = 2.2, 12.0  # inches, of the table
WRITTEN = 20  # columns: more leave no room for numbers in the squares
LEAST_TEXT = 5.0  # points


class AssociationDisplay(Display):
    """The associations of all pairs of columns as a picture.

    Parameters
    ----------
    description : Description
        What `describe` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, description: Description) -> None:
        if not description.names:
            raise ValueError("The description has no columns: there is nothing to draw.")
        self.description = description

    @classmethod
    def from_table(cls, X: Any, y: Any = None, *, sample_weight: Any = None, ax: Axes | None = None) -> Self:
        """Describe a table and draw."""
        return cls(describe(X, y, sample_weight=sample_weight)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the squares, with their numbers where there is room."""
        found = self.description
        count = len(found.names)
        side = float(np.clip(count * CELL, SMALLEST, LARGEST))
        ax = self.open_axes(ax, side + MARGIN, side + 0.75 * MARGIN)
        colours = self.shades()
        ax.imshow(colours, interpolation="nearest")
        tidy(ax, x="", y="", title=self.legend())
        names = short_names(found.names)
        name_below(ax, range(count), names)
        ax.set_yticks(range(count), names)
        ax.set_xticks(np.arange(count + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(count + 1) - 0.5, minor=True)
        ax.grid(which="minor", color="white", linewidth=1.5)
        ax.tick_params(which="both", length=0)
        ax.spines[:].set_visible(False)
        if count <= WRITTEN:
            self.write(ax, colours)
        return self

    def legend(self) -> str:
        """What the numbers are."""
        found = self.description
        parts = [_("r of numbers")] if len(found.columns) > 1 else []
        parts += [_("η² of numbers and categories")] if found.columns and found.categories else []
        parts += [_("V of categories")] if len(found.categories) > 1 else []
        return "; ".join(parts)

    def shades(self) -> Array:
        """Colours from white to the full colour of each kind."""
        from matplotlib.colors import to_rgb

        value, numbers = self.description.association, len(self.description.columns)
        both = np.arange(len(value)) < numbers
        sign = np.where(value < 0, 1, 0)
        full = np.array([to_rgb(DEEP_BLUE), to_rgb(DEEP_VERMILION)])[sign]
        full = np.where((both[:, None] & both)[..., None], full, to_rgb(GREEN))
        mixed = 1.0 + np.nan_to_num(np.abs(value))[..., None] * (full - 1.0)
        return np.where(np.isnan(value)[..., None], to_rgb(PALE), mixed)

    def write(self, ax: Axes, colours: Array) -> None:
        """The numbers, as large as the squares allow."""
        value = self.description.association
        size = float(np.clip(1.3 * 72 * width_of(ax) / len(value) / 5, LEAST_TEXT, SMALL))
        for (i, j), one in np.ndenumerate(value):
            look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "color": readable(colours[i, j])}
            ax.text(j, i, format_fixed(float(one), 2), **look)
