"""The picture of Gaussians of two columns in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aprendiz.plots import EllipseDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def ellipse(
    X: Any,
    y: Any = None,
    *,
    probability: float = 0.95,
    columns: Sequence[Any] | None = None,
    seed: int = 0,
    name: str = "",
    ax: Axes | None = None,
) -> EllipseDisplay:
    """Draw two columns of a table and the ellipses of the Gaussians fitted to them, one for each class if there are classes.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        Rows; those that miss one of the two cells are left out.
    y : array-like of shape (n_rows,), optional
        Their classes.
    probability : float, default=0.95
        Inside each ellipse.
    columns : pair of names or numbers, optional
        By default the first two.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.
    name : str
        What the classes are.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    return EllipseDisplay.from_table(X, y, probability=probability, columns=columns, seed=seed, name=name, ax=ax)
