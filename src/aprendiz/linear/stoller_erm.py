"""How far a cut chosen on n rows can be from the best cut there is: P ≤ 4e^{−nε²/2}, E ≤ √(2 ln(4e)/n), and their inverses.

The formulas are in diagnostics/deviation_bounds.py.
"""

from __future__ import annotations

from aprendiz.linear.diagnostics.deviation_bounds import cut_bound, eps_for_cut, expected_cut_bound, rows_for_cut, which_bound


def stoller_erm(n: int | None = None, *, eps: float | None = None, delta: float | None = None, columns: int = 1) -> float:
    """What n rows promise of the cut that errs least on them, or how many rows a promise needs.

    Parameters
    ----------
    n : int, optional
        Rows.
    eps : float, optional
        ε: by how much the error of the cut exceeds that of the best one.
    delta : float, optional
        δ: the probability of that.
    columns : int, default=1
        Columns among which the cut is chosen.

    Returns
    -------
    float
        With n and eps, a bound of the probability; with n and delta, the ε that it holds for; with n alone, a bound of the
        expected excess; with eps and delta, the number of rows.

    Examples
    --------
    >>> round(stoller_erm(1000, eps=0.1), 6), round(stoller_erm(1000), 6)
    (0.026952, 0.069084)
    >>> stoller_erm(eps=0.1, delta=0.05)
    877
    """
    which = which_bound("stoller_erm", n, eps, delta)
    if which == "rows":
        assert eps is not None
        assert delta is not None
        return rows_for_cut(eps, delta, columns)
    assert n is not None
    if eps is not None:
        return cut_bound(n, eps, columns)
    return expected_cut_bound(n, columns) if delta is None else eps_for_cut(n, delta, columns)
