"""The coefficients of the lasso for many penalties."""

from __future__ import annotations

from typing import Any

from aprendiz import linear


def lasso_path(X: Any, y: Any, **more: Any) -> tuple[Any, ...]:
    """The path of the lasso: `enet_path` with l1_ratio=1."""
    return linear.enet_path(X, y, **{**more, "l1_ratio": 1.0})
