"""Random frequencies and phases of the Gaussian kernel, each a function of the seed and of its number.

    w_jk = √(2γ)·g,     g = √(−2 ln(1 − u))·cos 2πv, and √(−2 ln(1 − u))·sin 2πv for another column            (1)
    b_k = 2πu                                                                                                 (2)

u and v are uniform (core/random.py), and g then normal. A pair (u, v) belongs to a component k and two columns: with more
components, the first ones stay.

Reference: Box & Muller, "A note on the generation of random normal deviates", Ann. Math. Statist. 29, 1958.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.stored import Check, has_shape


def draw_frequencies(gamma: float, columns: int, components: int, seed: int) -> tuple[Array, Array]:
    """W of (1), of shape (columns, components), and b of (2)."""
    pairs = -(-columns // 2)
    u, v = uniforms(seed, 1, 2 * components * pairs).reshape(components, 2, pairs).transpose(1, 2, 0)
    radius, angle = np.sqrt(-4.0 * gamma * np.log1p(-u)), 2.0 * np.pi * v
    W = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:columns]
    return np.ascontiguousarray(W), 2.0 * np.pi * uniforms(seed, 2, components)


def frequencies_agree(held: Mapping[str, Any]) -> bool:
    """Frequencies of each column, and as many components as phases."""
    offset = held.get("random_offset_")
    components = len(offset) if isinstance(offset, np.ndarray) and offset.ndim == 1 else -1
    shapes = has_shape(held, "random_weights_", held.get("n_features_in_"), components)
    return shapes and has_shape(held, "random_offset_", components)


FREQUENCIES = Check(frequencies_agree, "random_weights_, random_offset_ and n_features_in_ do not go together; fit it again")
