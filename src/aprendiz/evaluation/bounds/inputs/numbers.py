"""n, ε, δ and counts of errors, checked."""

from __future__ import annotations

from typing import Any, Literal

from aprendiz.core.parameters import refuse_count
from aprendiz.linear.diagnostics.deviation_bounds import check_delta, check_eps

Unknown = Literal["delta", "eps", "rows"]


def unknown_of(name: str, n: Any, eps: Any, delta: Any) -> Unknown:
    """Which of the three numbers is asked for; the two that are given are checked."""
    missing = [one for one, value in (("rows", n), ("eps", eps), ("delta", delta)) if value is None]
    if len(missing) != 1:
        raise ValueError(f"{name} got n={n!r}, eps={eps!r}, delta={delta!r}: give two of them, and the third is the answer.")
    if n is not None:
        refuse_count("n", n)
    for what, value, check in (("eps", eps, check_eps), ("delta", delta, check_delta)):
        if value is not None:
            check_number(what, value)
            check(value)
    if delta is not None and delta == 1:
        raise ValueError("delta must be a probability below 1: with delta = 1 nothing is promised.")
    return missing[0]  # type: ignore[return-value]


def check_number(name: str, value: Any) -> None:
    """A real number, no text, no truth value."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number, got {value!r}.")


def check_errors(errors: Any, n: int) -> None:
    """A count of errors among n rows."""
    check_number("errors", errors)
    if not 0 <= errors <= n or errors != int(errors):
        raise ValueError(f"errors must be a whole number from 0 to n = {n}, got {errors!r}.")


def check_rate(rate: Any) -> None:
    """A share of errors."""
    check_number("rate", rate)
    if not 0 <= rate <= 1:
        raise ValueError(f"rate must be a share of errors from 0 to 1, got {rate!r}.")
