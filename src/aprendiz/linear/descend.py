"""Gradient descent, or ascent, on any differentiable function: go where it is steepest, again and again.

    w ← w − η_t·g,     g = ∇F(w)                                                                              (1)

    constant          η_t = η
    decreasing        η_t = η/(1 + t)
    1000/(1000+t)     η_t = η·1000/(1000 + t)
    exact             η_t = gᵀg/gᵀHg, the minimum along the line where F is quadratic; Hg = ∇F(w + g) − ∇F(w)   (2)
    backtracking      η, η/2, η/4, … until F falls by at least 10⁻⁴·η_t·gᵀg (Armijo)

A constant step is safe below 2/λ_max, with λ_max the largest curvature of F: above it, each step overshoots by more than the
one before. λ_max is found by power iteration on differences of the gradient,

    v ← Hv/‖Hv‖,     Hv ≈ (∇F(w + hv) − ∇F(w − hv))/2h                                                         (3)

which are exact for a quadratic. With `rows` the gradient is that of some rows, a batch at a time: stochastic descent.

Cost: one gradient a step; (2) two; (3) up to two hundred.
Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., chapters 2 and 3.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, get_args

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block
from aprendiz.linear.designs.visits import visiting_order

Step = Literal["constant", "decreasing", "1000/(1000+t)", "exact", "backtracking"]
Sense = Literal["descent", "ascent"]
Gradient = Callable[[Array], Array]
RUNAWAY = 1e6  # what has grown by this factor does not come back


@dataclass(frozen=True)
class Descended:
    """The way of a descent.

    Attributes
    ----------
    path : ndarray of shape (steps + 1, parameters)
        The start, and the point after each step.
    values : ndarray of shape (steps + 1,)
        F at these points; NaN if no F was given.
    steps : ndarray of shape (steps,)
        η_t.
    why : str
        Why it stopped.
    converged : bool
        Whether the gradient vanished.
    largest_step : float
        2/λ_max, where it was needed (a rate was to be found, or the descent ran away); else NaN.
    F : function of w, or None
        The function.
    sense : {"descent", "ascent"}
        Whether a minimum or a maximum was sought.
    """

    path: Array
    values: Array
    steps: Array
    why: str
    converged: bool
    largest_step: float
    F: Callable[[Array], float] | None
    sense: Sense

    @property
    def end(self) -> Array:
        """The last point."""
        return np.asarray(self.path[-1])

    @property
    def ran_away(self) -> bool:
        """Whether the steps were so long that it did not come back."""
        return self.why.startswith(AWAY)

    def plot(self, ax: Any = None) -> Picture:
        """The way as a picture, a `DescentPathDisplay`, over F if there are one or two parameters. Needs matplotlib."""
        return display("DescentPathDisplay")(self).plot(ax)


def descend(
    F: Callable[[Array], float] | None,
    grad: Callable[..., Any],
    start: Any,
    *,
    step: Step = "constant",
    rate: float | None = None,
    sense: Sense = "descent",
    rows: int | None = None,
    batch: int = 1,
    tol: float = 1e-6,
    max_iter: int = 1000,
    seed: int = 0,
) -> Descended:
    """Follow the gradient of a function from a start to where it vanishes.

    Parameters
    ----------
    F : function of w, or None
        The function. Without it the values are not recorded; "backtracking" needs it.
    grad : function of w, or of w and some row numbers
        Its gradient. With `rows`, it is called with the numbers of the rows of a batch.
    start : array of shape (parameters,)
    step : {"constant", "decreasing", "1000/(1000+t)", "exact", "backtracking"}, default="constant"
        See the table above.
    rate : float, optional
        η. By default 1 for "backtracking", else half of the largest safe step at the start.
    sense : {"descent", "ascent"}, default="descent"
        Whether a minimum or a maximum is sought.
    rows, batch : int
        The number of rows, if `grad` takes them, and how many are taken at a time: 1 for stochastic descent. The rows are
        shuffled anew for each epoch. A batch of all rows is the whole gradient.
    tol : float, default=1e-6
        The descent ends when no entry of the whole gradient is larger; batches are not compared with it.
    max_iter : int, default=1000
        Steps.
    seed : int, default=0
        Of the orders of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> A, c = np.array([[2.0, 0.0], [0.0, 10.0]]), np.array([2.0, 10.0])
    >>> found = descend(lambda w: w @ A @ w / 2 - c @ w, lambda w: A @ w - c, [0.0, 0.0], step="exact")
    >>> found.why, found.end.round(5)
    ('the gradient vanishes', array([1., 1.]))
    """
    w = starting_point(start)
    refuse_odd_wishes(F, step, rate, sense, rows, batch, tol, max_iter)
    problem = Problem(F, grad, sense, rows, batch, seed)
    largest = np.nan
    if rate is None and step not in ("exact", "backtracking"):
        largest = 2.0 / curvature(problem.full_gradient, w)
    return walk(problem, w, step, rate or (1.0 if np.isnan(largest) else largest / 2.0), tol, max_iter, largest)


@dataclass(frozen=True)
class Problem:
    """F and its gradient, turned round for an ascent, with the rows they speak of."""

    F: Callable[[Array], float] | None
    grad: Callable[..., Any]
    sense: Sense
    rows: int | None
    batch: int
    seed: int

    @property
    def sign(self) -> float:
        return 1.0 if self.sense == "descent" else -1.0

    def value(self, w: Array) -> float:
        """F itself; NaN where it is not given."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan if self.F is None else float(self.F(w))

    def full_gradient(self, w: Array) -> Array:
        """The gradient over all rows of what is lowered."""
        return self.signed_gradient(w, *(() if self.rows is None else (np.arange(self.rows),)))

    def signed_gradient(self, w: Array, *some: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            g = self.sign * np.asarray(self.grad(w, *some), dtype=np.float64)
        if g.shape != w.shape:
            raise ValueError(f"grad gives an array of shape {g.shape}; the start has shape {w.shape}: make them the same.")
        return g

    @property
    def in_batches(self) -> bool:
        return self.rows is not None and self.batch < self.rows

    def gradient(self) -> Gradient:
        """The whole gradient, or one that takes the next batch each time it is called."""
        batches = self.batches()
        return (lambda w: self.signed_gradient(w, next(batches))) if self.in_batches else self.full_gradient

    def batches(self) -> Iterator[Array]:
        assert self.rows is not None
        table = Block(np.empty((self.rows, 0)), None, None, 0)
        for epoch in count():
            order = visiting_order(table, self.seed, epoch)
            yield from (order[at : at + self.batch] for at in range(0, self.rows, self.batch))


def walk(problem: Problem, w: Array, step: Step, rate: float, tol: float, most: int, largest: float) -> Descended:
    """(1), until the gradient vanishes, runs away, or there have been enough steps."""
    gradient = problem.gradient()
    path, values, sizes, g = [w], [problem.value(w)], list[float](), gradient(w)
    first, why = float(np.abs(g).max()), ""
    while not why:
        if not problem.in_batches and np.abs(g).max() <= tol:
            why = VANISHES
        elif len(sizes) == most:
            why = f"max_iter reached ({most} steps)"
        else:
            sizes.append(step_size(problem, w, g, step, rate, len(sizes)))
            w = w - sizes[-1] * g
            g = gradient(w)
            path.append(w)
            values.append(problem.value(w))
            grown = not problem.in_batches and np.abs(g).max() > RUNAWAY * first
            if grown or problem.sign * (values[-1] - values[0]) > RUNAWAY * (1.0 + abs(values[0])) or not np.isfinite(g).all():
                why, largest = ran_away(problem, path[0], rate)
    way = np.array(path), np.array(values), np.array(sizes)
    return Descended(*way, why, why == VANISHES, largest, problem.F, problem.sense)


VANISHES, AWAY = "the gradient vanishes", "it runs away"


def step_size(problem: Problem, w: Array, g: Array, step: Step, rate: float, t: int) -> float:
    """η_t of (1)."""
    if step == "exact":
        return exact_step(problem.full_gradient, w, g)
    if step == "backtracking":
        return backtrack(problem, w, g, rate)
    return rate * {"constant": 1.0, "decreasing": 1.0 / (1.0 + t), "1000/(1000+t)": 1000.0 / (1000.0 + t)}[step]


def exact_step(gradient: Gradient, w: Array, g: Array) -> float:
    """(2). The gradient at the end must be at right angles to the line, or F was not quadratic."""
    curve = float(g @ (gradient(w + g) - g))
    if curve <= 0:
        raise ValueError(f"F has no end along its gradient at {w}, where it does not curve: use step='backtracking'.")
    size = float(g @ g) / curve
    left = float(gradient(w - size * g) @ g)
    if abs(left) > 1e-6 * float(g @ g):
        raise ValueError(f"step='exact' is for quadratic functions, and F is none at {w}: use step='backtracking'.")
    return size


def backtrack(problem: Problem, w: Array, g: Array, rate: float) -> float:
    """The first of η, η/2, η/4, … with which F falls enough; 0 where rounding hides any fall."""
    before, slope, size = problem.sign * problem.value(w), float(g @ g), rate
    while size * np.abs(g).max() > np.finfo(float).eps * max(1.0, np.abs(w).max()):
        if problem.sign * problem.value(w - size * g) <= before - 1e-4 * size * slope:
            return size
        size /= 2.0
    return 0.0


def ran_away(problem: Problem, start: Array, rate: float) -> tuple[str, float]:
    """What to say of a descent that does not come back, and the largest step that would have been safe at its start."""
    largest = 2.0 / curvature(problem.full_gradient, start)
    why = f"{AWAY}: the rate is {rate:.3g}, the largest safe step at the start is 2/λ_max = {largest:.3g}"
    warnings.warn(f"The descent {why.removeprefix('it ')}. Give a smaller rate.", ConvergenceWarning, stacklevel=4)
    return why, largest


def curvature(gradient: Gradient, w: Array, most: int = 100) -> float:
    """λ_max at a point, by (3); of a function that curves downwards more than upwards, after a shift."""
    shift, bent = 0.0, 0.0
    for _ in range(2):
        bent = power_iteration(gradient, w, shift, most) - shift
        if bent > 0 or shift > 0:
            break
        shift = 2.0 * abs(bent)
    if not (bent > 0 and np.isfinite(bent)):
        raise ValueError(f"F does not curve at {w}, so no step can be called safe: give a rate.")
    return bent


def power_iteration(gradient: Gradient, w: Array, shift: float, most: int) -> float:
    """The largest |λ| of H + shift·I with its sign, by (3)."""
    v = uniforms(0, 1, len(w)) - 0.5
    v /= np.linalg.norm(v)
    h, found = np.cbrt(np.finfo(float).eps) * (1.0 + float(np.linalg.norm(w))), np.nan
    for _ in range(most):
        Hv = (gradient(w + h * v) - gradient(w - h * v)) / (2.0 * h) + shift * v
        before, found, size = found, float(v @ Hv), float(np.linalg.norm(Hv))
        if size == 0 or abs(found - before) <= 1e-9 * abs(found):
            break
        v = Hv / size
    return found


# ---- what is asked for -----------------------------------------------------------------------------------------------


def starting_point(start: Any) -> Array:
    w = np.array(start, dtype=np.float64)
    if w.ndim != 1 or not w.size or not np.isfinite(w).all():
        raise ValueError(f"start must be a vector of finite numbers, got an array of shape {w.shape}: {start!r:.80}.")
    return w


def refuse_odd_wishes(
    F: Any, step: Any, rate: Any, sense: Any, rows: int | None, batch: int, tol: float, max_iter: int
) -> None:
    """Words that are not known, numbers out of range, and wishes that do not go together."""
    if step not in get_args(Step):
        raise ValueError(f"step must be one of {', '.join(map(repr, get_args(Step)))}, got {step!r}.")
    if sense not in ("descent", "ascent"):
        raise ValueError(f"sense must be 'descent' or 'ascent', got {sense!r}.")
    if rate is not None and not (np.isreal(rate) and 0 < rate < np.inf):
        raise ValueError(f"rate must be a positive number, got {rate!r}.")
    if step == "backtracking" and F is None:
        raise ValueError("step='backtracking' compares values of F: give F.")
    for name, value, least in (("rows", rows, 1), ("batch", batch, 1), ("max_iter", max_iter, 0)):
        if value is not None and not (isinstance(value, (int, np.integer)) and value >= least):
            raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}.")
    if not tol >= 0:
        raise ValueError(f"tol must be a number of at least 0, got {tol!r}.")
    if rows is not None and batch < rows and step in ("exact", "backtracking"):
        raise ValueError(f"step={step!r} needs the gradient of all rows: set batch={rows}, or choose another step.")
