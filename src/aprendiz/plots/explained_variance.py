"""The picture of explained variance in one call."""

from __future__ import annotations

from typing import Any

from aprendiz.plots import ExplainedVarianceDisplay


def explained_variance(model: Any, share: float | None = None, *, ax: Any = None) -> ExplainedVarianceDisplay:
    """Draw what part of the variance each component of a fitted learner has, and the first k of them together, with the line of
    the share τ that is wanted; the parameters are those of `ExplainedVarianceDisplay`."""
    return ExplainedVarianceDisplay(model, share).plot(ax)
