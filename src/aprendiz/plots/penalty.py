"""The picture of penalties in one call."""

from __future__ import annotations

from typing import Any

from aprendiz.plots import PenaltyDisplay


def penalty(X: Any = None, y: Any = None, *, reach: float | None = None, ax: Any = None) -> PenaltyDisplay:
    """Draw the balls of the lasso, the ridge regression and the elastic net with the ellipses of the loss of two columns.

    The parameters are those of `PenaltyDisplay`; without data an example is drawn.
    """
    return PenaltyDisplay(X, y, reach=reach).plot(ax)
