"""How far the best hyperplane through d of n rows can be from the best hyperplane there is, and how many rows a promise needs.

The formulas are in diagnostics/deviation_bounds.py; `ERMHyperplane` finds the hyperplane.
"""

from __future__ import annotations

from aprendiz.linear.diagnostics.deviation_bounds import (
    eps_for_hyperplane,
    expected_hyperplane_bound,
    hyperplane_bound,
    rows_for_hyperplane,
    which_bound,
)


def hyperplane_erm(n: int | None = None, *, d: int, eps: float | None = None, delta: float | None = None) -> float:
    """What n rows promise of the hyperplane that errs least on them, or how many rows a promise needs.

    Parameters
    ----------
    n : int, optional
        Rows.
    d : int
        Columns.
    eps : float, optional
        ε: by how much the error of the hyperplane exceeds that of the best one.
    delta : float, optional
        δ: the probability of that.

    Returns
    -------
    float
        With n and eps, a bound of the probability (infinite for ε below 2d/n, where there is none); with n and delta, the
        smallest ε that it holds for (infinite if there is none up to 1); with n alone, a bound of the expected excess; with eps
        and delta, the number of rows.

    Examples
    --------
    >>> round(hyperplane_erm(1000, d=2, eps=0.2), 6), round(hyperplane_erm(1000, d=2), 6)
    (0.004583, 0.231185)
    >>> hyperplane_erm(d=2, eps=0.2, delta=0.05)
    867
    """
    which = which_bound("hyperplane_erm", n, eps, delta)
    if which == "rows":
        assert eps is not None
        assert delta is not None
        return rows_for_hyperplane(d, eps, delta)
    assert n is not None
    if eps is not None:
        return hyperplane_bound(n, d, eps)
    return expected_hyperplane_bound(n, d) if delta is None else eps_for_hyperplane(n, d, delta)
