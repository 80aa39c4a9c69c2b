"""The dimension of the lemma of Johnson and Lindenstrauss, under scikit-learn's name and with its constants."""

from __future__ import annotations

from typing import Any

from aprendiz.decomposition.near_isometry.dimension import dimension


def johnson_lindenstrauss_min_dim(n_samples: Any, *, eps: Any = 0.1) -> Any:
    """How many random coordinates keep the squared distances of so many points to within 1 ± eps (drop-in for scikit-learn's).

    Examples
    --------
    >>> int(johnson_lindenstrauss_min_dim(1_000_000, eps=0.5))
    663
    """
    return dimension(n_samples, eps, "sklearn")
