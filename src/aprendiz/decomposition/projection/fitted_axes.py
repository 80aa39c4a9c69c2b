"""From principal axes to the attributes of a fit: variances, their shares, and what is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.decomposition.projection.projection_error import Certify
from aprendiz.decomposition.spectrum.axes import Axes, upright

Choose = Callable[[Array, float], int]  # the number of components, from the variances and their sum


def fitted_axes(axes: Axes, n: float, rows: int, choose: Choose, certify: Certify) -> dict[str, Any]:
    """The fitted attributes of the axes of some rows that weigh n."""
    most = min(axes.vectors.shape[1], rows)
    variances, total = np.maximum(axes.values, 0.0) / max(n - 1.0, 1.0), axes.total / max(n - 1.0, 1.0)
    k = choose(variances, total)
    variances, V = variances[:k], upright(axes.vectors[:k])
    left = max(total - variances.sum(), 0.0)
    share = left / total if total > 0 else 0.0
    return {
        "components_": V,
        "explained_variance_": variances,
        "explained_variance_ratio_": variances / total if total > 0 else np.zeros(k),
        "singular_values_": np.sqrt(variances * max(n - 1.0, 0.0)),
        "n_components_": k,
        "noise_variance_": left / (most - k) if k < most else 0.0,
        "method_": axes.method,
        "certificate_": Certificate.later(lambda: certify(V, left * max(n - 1.0, 0.0), share)),
    }


def refuse_light_rows(n: float, rows: int) -> None:
    """Weights count rows."""
    if n < 1 + 1e-6 and rows > 1:
        raise ValueError(f"The weights sum to {n:.3g}: they count rows, so their sum must exceed 1. Multiply them.")
