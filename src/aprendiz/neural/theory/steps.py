"""Steps that follow a function: b_i = iε/ρ, with the heights g(b_i) − g(b_{i−1})."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, isfinite
from typing import Any

import numpy as np

from aprendiz.neural.theory.shallow_network import GRID, ShallowNetwork, distance, values_of

MOST_STEPS = 10**6
ROUNDING = 1e-12  # of ρ/ε: 2/0.1 is 20, not 21


def steps_along(g: Callable[[Any], Any], lipschitz: float, error: float) -> ShallowNetwork:
    """The steps for a function on [0, 1], and their distance measured on a grid and right before each step."""
    for name, value in (("lipschitz", lipschitz), ("error", error)):
        if not (isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a finite number above 0, got {value!r}.")
    steps = ceil(lipschitz / error * (1 - ROUNDING))
    if steps > MOST_STEPS:
        raise ValueError(f"This takes {steps} neurons; at most {MOST_STEPS} are built. Allow a larger error.")
    b = np.arange(steps) * (error / lipschitz)
    values = values_of(g, b)
    f = ShallowNetwork("step", np.ones((steps, 1)), -b, np.diff(values, prepend=0.0), bound=error)
    ends = np.append(b[1:], 1.0)
    points = np.unique(np.concatenate([np.linspace(0, 1, GRID), b, np.nextafter(ends, 0), [1.0]]))
    found = replace(f, error=distance(f, g, points[points <= 1]))
    if found.error > error * (1 + 1e-9):
        raise ValueError(
            f"The distance is {found.error:.6g}, above {error:g}: the function moves faster than lipschitz={lipschitz:g}."
        )
    return found
