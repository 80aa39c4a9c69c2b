"""How far the best rule on n rows can be from the best rule there is, whatever the distribution.

L is the smallest error of a rule of the family, L(g) the true error of the rule g that errs least on n independent rows.

    cuts of one column    P(L(g) − L ≥ ε) ≤ 4e^{−nε²/2},     E[L(g) − L] ≤ √(2 ln(4e)/n)                         (1)
    the best of d columns 4d in the place of 4 (the d events together)                                           (2)
    hyperplanes           P(L(g) − L > ε) ≤ e^{2dε}(2C(n,d) + 1)e^{−nε²/2}  for 2d/n ≤ ε ≤ 1,
                          E[L(g) − L] ≤ √((2/n)((d + 1) ln n + 2d + 2))                                          (3)

In (3) g is the best of the 2·C(n,d) rules whose hyperplane goes through d of the rows. A bound above 1 says nothing.

Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, theorems 4.3 and 4.5.
"""

from __future__ import annotations

from math import ceil, comb, exp, inf, lgamma, log, log1p, sqrt


def cut_bound(n: int, eps: float, columns: int = 1) -> float:
    """P of (1), (2): that a cut chosen on n rows errs by ε more than the best one."""
    check_counts(n, columns)
    check_eps(eps)
    return 4.0 * columns * exp(-n * eps**2 / 2.0)


def expected_cut_bound(n: int, columns: int = 1) -> float:
    """E of (1), (2)."""
    check_counts(n, columns)
    return sqrt(2.0 * (log(4.0 * columns) + 1.0) / n)


def rows_for_cut(eps: float, delta: float, columns: int = 1) -> int:
    """The fewest rows for which (1), (2) is at most δ."""
    check_counts(1, columns)
    check_eps(eps)
    check_delta(delta)
    return max(1, ceil(2.0 * log(4.0 * columns / delta) / eps**2))


def eps_for_cut(n: int, delta: float, columns: int = 1) -> float:
    """The ε at which (1), (2) is δ."""
    check_counts(n, columns)
    check_delta(delta)
    return sqrt(2.0 * log(4.0 * columns / delta) / n)


def hyperplane_candidates(n: int, d: int) -> int:
    """2·C(n, d): both sides of each hyperplane through d of n rows."""
    return 2 * comb(n, d)


def hyperplane_bound(n: int, d: int, eps: float) -> float:
    """P of (3): that a hyperplane chosen on n rows errs by more than ε more than the best one; infinite for ε below 2d/n."""
    check_counts(n, d)
    check_eps(eps)
    return exp(min(700.0, log_hyperplane_bound(n, d, eps))) if eps * n >= 2 * d else inf


def log_hyperplane_bound(n: int, d: int, eps: float) -> float:
    """The logarithm of (3)."""
    candidates = log(2.0) + (log(comb(n, d)) if n < 10_000 else lgamma(n + 1) - lgamma(d + 1) - lgamma(n - d + 1))
    return 2.0 * d * eps + candidates + log1p(exp(-candidates)) - n * eps**2 / 2.0


def expected_hyperplane_bound(n: int, d: int) -> float:
    """E of (3)."""
    check_counts(n, d)
    return sqrt(2.0 / n * ((d + 1) * log(n) + 2 * d + 2))


def rows_for_hyperplane(d: int, eps: float, delta: float) -> int:
    """The fewest rows for which (3) is at most δ. Its logarithm is concave in n and above 0 at n = 2d/ε, so it crosses ln δ
    once: twice as many rows until it has, then by halves."""
    check_counts(1, d)
    check_eps(eps)
    check_delta(delta)
    low = ceil(2 * d / eps)
    high = 2 * low
    while log_hyperplane_bound(high, d, eps) > log(delta):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if log_hyperplane_bound(middle, d, eps) <= log(delta) else (middle, high)
    return high


def eps_for_hyperplane(n: int, d: int, delta: float) -> float:
    """The smallest ε from 2d/n to 1 for which (3) is at most δ, by halves: beyond 2d/n it falls. Infinite if there is none."""
    check_counts(n, d)
    check_delta(delta)
    low, high = 2.0 * d / n, 1.0
    if low > 1 or log_hyperplane_bound(n, d, high) > log(delta):
        return inf
    if log_hyperplane_bound(n, d, low) <= log(delta):
        return low
    while high - low > 1e-15:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        low, high = (low, middle) if log_hyperplane_bound(n, d, middle) <= log(delta) else (middle, high)
    return high


def which_bound(name: str, n: int | None, eps: float | None, delta: float | None) -> str:
    """Whether rows are asked for ("rows") or what n rows promise ("promise"); other combinations are refused."""
    if n is None and eps is not None and delta is not None:
        return "rows"
    if n is not None and (eps is None or delta is None):
        return "promise"
    raise ValueError(
        f"{name} got n={n!r}, eps={eps!r}, delta={delta!r}: give n, and eps or delta if you like, or eps and delta alone for "
        "the number of rows."
    )


def check_counts(n: int, columns: int) -> None:
    if n < 1:
        raise ValueError(f"n must be a number of rows of at least 1, got {n!r}.")
    if columns < 1:
        raise ValueError(f"The number of columns must be at least 1, got {columns!r}.")


def check_eps(eps: float) -> None:
    if not 0 < eps <= 1:
        raise ValueError(f"eps must be a difference of errors above 0 and at most 1, got {eps!r}.")


def check_delta(delta: float) -> None:
    if not 0 < delta <= 1:
        raise ValueError(f"delta must be a probability above 0 and at most 1, got {delta!r}.")
