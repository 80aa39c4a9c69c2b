"""The picture of a map of rows in one call."""

from __future__ import annotations

from typing import Any

from aprendiz.plots import EmbeddingDisplay


def embedding(points: Any, y: Any = None, *, name: str | None = None, ax: Any = None, **how: Any) -> EmbeddingDisplay:
    """Draw a map of rows: an array, or a fitted learner that keeps the map of its rows (`embedding_`). `y` is a class or a
    number for each row; the other parameters are those of `EmbeddingDisplay` and `plot`."""
    if hasattr(points, "get_params"):
        return EmbeddingDisplay.from_estimator(points, y=y, name=name, ax=ax, **how)
    return EmbeddingDisplay(points, y, **how).plot(ax, name=name)
