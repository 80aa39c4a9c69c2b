"""Picture of parts: the rows of H of a non-negative factorisation, each in shades of its own largest entry.

Parts of pictures are pictures, and stand side by side; parts of other tables are rows of a table of shades, with the names of
the columns below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import DEEP_BLUE, PALE, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_COLUMNS = 12  # of a table, those in which parts differ most
SIDE = 0.75  # inches of a small picture


class PartsDisplay(Display):
    """Parts as pictures, or as rows of shades.

    Parameters
    ----------
    parts : array-like of shape (n_parts, n_columns)
        Numbers of at least 0, such as `components_` of NMF.
    shape : (int, int), optional
        Rows and columns of a picture, if the columns of the table are pixels.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …

    Attributes
    ----------
    shades : ndarray of shape (n_parts, n_columns)
        Each part, divided by its largest entry.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, parts: Any, shape: tuple[int, int] | None = None, names: Sequence[Any] | None = None) -> None:
        table = np.asarray(parts, dtype=np.float64)
        if table.ndim != 2 or 0 in table.shape:
            raise ValueError(f"parts has shape {table.shape}: give a row for each part and a column for each column.")
        if not (np.isfinite(table).all() and (table >= 0).all()):
            row, column = np.argwhere(~(table >= 0) | ~np.isfinite(table))[0]
            raise ValueError(f"parts holds {table[row, column]} in row {row}, column {column}: give numbers of at least 0.")
        if shape is not None:
            for length in shape:
                refuse_count("shape", length)
            if math.prod(shape) != table.shape[1]:
                raise ValueError(f"shape={shape} has {math.prod(shape)} pixels, but parts has {table.shape[1]} columns.")
        largest = table.max(axis=1, keepdims=True)
        self.shades: Array = np.divide(table, largest, out=np.zeros_like(table), where=largest > 0)
        self.shape = shape
        self.names = entries_for("names", names, column_names(table.shape[1]), "parts")

    @classmethod
    def from_estimator(cls, estimator: Any, *, shape: tuple[int, int] | None = None, ax: Axes | None = None) -> Self:
        """Draw the parts of a fitted learner."""
        check_is_fitted(estimator)
        return cls(estimator.components_, shape, getattr(estimator, "feature_names_in_", None)).plot(ax)

    def plot(self, ax: Axes | None = None, *, most: int = MOST_COLUMNS) -> Self:
        """Draw small pictures, or the `most` columns in which parts differ most."""
        refuse_count("most", most)
        return self.draw_pictures(ax) if self.shape is not None else self.draw_table(ax, most)

    def draw_pictures(self, ax: Axes | None) -> Self:
        """All of them on one ground, with a gap between two of a tenth of their length."""
        assert self.shape is not None
        count, (height, width) = len(self.shades), self.shape
        across = max(1, round(math.sqrt(1.5 * count * height / width)))
        down = math.ceil(count / across)
        gap = max(1, round(max(height, width) / 10))
        whole = np.full((down * (height + gap) - gap, across * (width + gap) - gap), np.nan)
        for number, part in enumerate(self.shades):
            top, left = (number // across) * (height + gap), (number % across) * (width + gap)
            whole[top : top + height, left : left + width] = part.reshape(height, width)
        ax = self.open_axes(ax, across * SIDE, down * SIDE * height / width)
        ax.imshow(whole, cmap=shades(), vmin=0.0, vmax=1.0, interpolation="nearest", aspect="equal")
        tidy(ax, x="", y="", title=ngettext("{count} part", "{count} parts", count).format(count=format_whole(count)))
        ax.set_axis_off()
        return self

    def draw_table(self, ax: Axes | None, most: int) -> Self:
        """A row for each part."""
        differ = self.shades.max(axis=0) - self.shades.min(axis=0)
        kept = np.sort(np.argsort(-differ, kind="stable")[:most])
        rest = len(self.names) - len(kept)
        ax = self.open_axes(ax, 5.2, 0.8 + 0.3 * len(self.shades))
        ax.imshow(self.shades[:, kept], cmap=shades(), vmin=0.0, vmax=1.0, interpolation="nearest", aspect="auto")
        words = ngettext("{count} column is not shown", "{count} columns are not shown", rest)
        tidy(ax, x=words.format(count=format_whole(rest)) if rest else "", y=_("part"))
        name_below(ax, [float(place) for place in range(len(kept))], short_names(self.names[j] for j in kept))
        ax.set_yticks(range(len(self.shades)), [format_whole(number) for number in range(len(self.shades))])
        ax.tick_params(length=0)
        return self


def shades() -> Any:
    """From white to blue, on a pale ground."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("parts", ["white", DEEP_BLUE], bad=PALE)
