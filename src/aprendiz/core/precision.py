"""Single precision in, single precision out: a table of float32 is answered in float32, as scikit-learn answers it.

Sums and solutions are of double precision whatever the table is. What is handed out is rounded once, at the end:

    attributes    fl(a),  |fl(a) − a| ≤ u·|a|,  u = 2⁻²⁴, for those that the class names in `in_data_dtype`       (1)
    answers       fl(f(x)), single where both the row and the attribute that stands for the fit are single        (2)

The first batch of `partial_fit` decides for those that follow. Numbers beyond the range of float32 stay double, for there (1)
would not hold. Records (`sums_`) are never rounded, so that (1) does not add up over batches.

A certificate speaks of the solution before (1), and says so; the digits that it counts are those of what is stored:

    digits of fl(a) ≥ −log₁₀(10^−digits + u)                                                                  (3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import BEFORE_ROUNDING, Certificate
from aprendiz.core.rows import Array

SINGLE = np.finfo(np.float32)
UNIT = 2.0**-24  # u of (1)


def noted_dtype(learner: Any, dtype: Any, *, reset: bool) -> dict[str, Any]:
    """What the door notes for `handed_out`: the precision of the table, or of the batches before."""
    if not learner.in_data_dtype:
        return {}
    return {"dtype": dtype if reset else fitted_dtype(learner)}


def fitted_dtype(learner: Any) -> Any:
    """The precision of a fit, by its attributes."""
    stored = (vars(learner).get(name) for name in sorted(learner.in_data_dtype))
    single = any(isinstance(value, np.ndarray) and value.dtype == np.float32 for value in stored)
    return np.dtype(np.float32 if single else np.float64)


def handed_out(learner: Any, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a fit, after (1) if the door has noted a table of single precision."""
    found = dict(attributes)
    if found.pop("dtype", None) != np.float32:
        return found
    rounded = {name: in_single(found[name]) for name in learner.in_data_dtype if name in found}
    if "certificate_" in found and any(value is not found[name] for name, value in rounded.items()):
        known = found["certificate_"]
        found["certificate_"] = Certificate.later(lambda: certificate_in_single(known))
    return found | rounded


def in_single(value: Any) -> Any:
    """(1) of an array, a number, a sparse matrix or a list of them; anything else, and what float32 cannot hold, as it is."""
    if isinstance(value, list):
        return [in_single(one) for one in value]
    if sparse.issparse(value):
        return value if in_single(value.data) is value.data else value.astype(np.float32)
    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype != np.float64:
        return value
    cells = np.asarray(value)
    size = np.abs(cells[np.isfinite(cells) & (cells != 0)])
    held = size.max(initial=0.0) <= SINGLE.max and size.min(initial=1.0) >= SINGLE.tiny
    return value.astype(np.float32) if held else value


def certificate_in_single(certificate: Certificate) -> Certificate:
    """What is known of rounded attributes: (3)."""
    values = dict(certificate.values)
    if "digits" in values:
        values["digits"] = float(-np.log10(10.0 ** -values["digits"] + UNIT))
    return Certificate(certificate.claim + BEFORE_ROUNDING, certificate.holds, {**values, "single": UNIT})


def in_dtype_of(answer: Array, X: Any, fit: Any) -> Array:
    """(2): an answer of double precision, for rows X, by a fit of which `fit` is an attribute."""
    if fit.dtype != np.float32 or X.dtype != np.float32:  # only learners of numbers have fits of single precision
        return answer
    with np.errstate(over="ignore", under="ignore"):
        return answer.astype(np.float32)


def double(value: Any) -> Array:
    """An attribute as it enters a computation."""
    return np.asarray(value, np.float64)
