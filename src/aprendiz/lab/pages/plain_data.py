"""Numbers as JSON holds them, and what they depend on."""

from __future__ import annotations

import importlib.metadata
import math
import platform
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import aprendiz

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "pandas", "duckdb")


def versions() -> dict[str, str]:
    """What the numbers depend on."""
    found = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"aprendiz": aprendiz.__version__, "python": platform.python_version(), **found, "system": platform.platform()}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Sequence):
        return [plain(one) for one in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
