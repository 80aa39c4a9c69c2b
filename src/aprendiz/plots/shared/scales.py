"""Which scale an axis has."""

from __future__ import annotations

from typing import Any

import numpy as np

DEEP = 100.0  # a fall by this factor is seen better on a scale of powers


def deep(drawn: Any) -> bool:
    """Does a curve fall so far that a scale of powers shows more?"""
    values = np.asarray(drawn)
    return bool(values.min() > 0 and values.max() > DEEP * values.min())
