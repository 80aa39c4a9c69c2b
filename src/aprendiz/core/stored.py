"""What a learner says of attributes that came from a file: whether they go together.

Compiled code follows indices and shapes without looking; a file could make it leave its arrays. A learner whose kernels do so
names a `Check` (`Learner.stored_check`), which is asked before a model is given out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np


class Check(NamedTuple):
    """Whether the attributes of a model go together, and what is said if they do not."""

    agrees: Callable[[Mapping[str, Any]], bool]
    wrong: str


def has_shape(held: Mapping[str, Any], name: str, *lengths: Any) -> bool:
    """Whether an attribute, if there, is an array of floats of that shape; None stands for any length but 0."""
    array = held.get(name)
    if array is None:
        return True
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or array.ndim != len(lengths):
        return False
    return all(have == want or (want is None and have > 0) for have, want in zip(array.shape, lengths, strict=True))
