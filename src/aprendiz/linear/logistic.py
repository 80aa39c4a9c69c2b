"""Logistic regression: the probability of a class as the sigmoid (two classes) or softmax (more) of a linear function.

    two classes     p(1|x) = σ(b + xᵀw),            ℓ = ln(1 + e^t) − y·t,            t = b + xᵀw
    K classes       p(k|x) = e^{t_k} / Σ_j e^{t_j},  ℓ = ln Σ_j e^{t_j} − t_y,        t_k = b_k + xᵀw_k
    minimise        F = Σ ω ℓ + ‖w‖² / (2C)                       (intercepts are not penalised)               (1)

F is convex. Newton's method replaces it by its quadratic model at the current parameters θ = (b, w):

    g = Σ ω (p − y) z + w/C,     H = Σ ω p(1 − p) z zᵀ + I/C,     z = (1, x − pivot)                           (2)
    θ ← θ − s·H⁻¹g,      s = 1, ½, ¼, … until F falls                                                         (3)
    F(θ) − F* ≈ ½·gᵀH⁻¹g     (the Newton decrement), squared at each step near the end                        (4)

(2) is a sum around the current parameters: a pass is one `rows.sum`. The first steps are done on a sample of the rows, so
that the full passes start where (4) already holds. With K classes, adding a constant to all t_k changes nothing; θ is kept
in the K − 1 directions in which it does matter, Σ_k θ_k = 0. With fewer rows than columns the minimiser lies in the span of
the rows, and (3) is done there. Where H would be too large, H⁻¹g is found by conjugate gradients from products H·v.

Cost of a pass: n·p²/2 multiplications, p = (K − 1)(d + 1), or n·p for each product H·v. Memory p².
Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., chapters 3 and 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import linalg, sparse
from scipy.special import expit, log_expit, log_softmax, softmax

from aprendiz.core.certificate import Certificate
from aprendiz.core.compiled import compiled
from aprendiz.core.engines.threads import scratch
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Fraction, NonNegative, Positive, Seed, Whole
from aprendiz.core.rows import Array, ArrayRows, Block, Rows, solid
from aprendiz.core.sums import Gradients, Sample, Sums, augmented, find_pivot

SAMPLE = 2048  # rows, or up to twice as many, that the first steps see
LARGEST = 2048  # parameters up to which H is formed


@dataclass(frozen=True)
class Newton(State):
    """Parameters θ of shape (K or 1, 1 + d) around the pivot, and the step H⁻¹g there."""

    theta: Array
    step: Array
    decrement: float  # (4)
    slope: float  # largest entry of the gradient, for each unit of weight
    separated: bool


class LogisticRegression(Classifier, Iterative):
    """Logistic regression (drop-in for scikit-learn's; Newton's method, exact to rounding, also from files).

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty; `np.inf` for none.
    tol : float, default=1e-4
        Largest entry of the gradient, for each unit of weight, at which the fit may stop. Newton's method ends far below.
    fit_intercept : bool, default=True
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; "balanced" gives each class the same total.
    max_iter : int, default=100
        Passes over the rows.
    warm_start : bool, default=False
        Start from the coefficients of the last fit.
    penalty, l1_ratio, dual, intercept_scaling
        Refused if changed.
    random_state, solver, verbose, n_jobs
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : ndarray of shape (1,)
        Passes over all the rows.
    certificate_ : Certificate
        F, the largest entry of its gradient, and the decrement (4) at the answer.
    """

    State = Newton
    allows = frozenset({"sparse"})
    differences = {
        "penalty": "refused: deprecated in scikit-learn; use C",
        "l1_ratio": "refused: only 0, the squared penalty, is available",
        "dual": "refused: the primal problem is solved",
        "intercept_scaling": "refused: the intercept is not penalised",
        "random_state": "no effect: nothing depends on chance",
        "solver": "no effect: Newton's method, its linear systems solved as their size demands",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
    }
    exceptions = {"scaling": "the penalty is not invariant to the scale of the columns"}

    def __init__(
        self,
        penalty: Literal["deprecated"] = "deprecated",
        *,
        C: Positive = 1.0,
        l1_ratio: Fraction | None = 0.0,
        dual: bool = False,
        tol: NonNegative = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        random_state: Seed = None,
        solver: Literal["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"] = "lbfgs",
        max_iter: Whole = 100,
        verbose: Whole | bool = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ):
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        for name, usual in {"l1_ratio": (0.0, None), "dual": (False,), "intercept_scaling": (1,)}.items():
            if getattr(self, name) not in usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is not available: {self.differences[name]}.")
        rows = super().open(X, y, sample_weight, reset=reset)
        return rows if self.class_weight is None else reweighted(rows, self.class_weight)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Newton | None = None) -> Iterator[Newton]:
        problem = Problem.of(rows, 1.0 / self.C, self.fit_intercept)
        state = since
        if state is None:
            state = problem.at(self.first_theta(rows, problem), 0, self.tol)
            yield state
        while not state.settled and state.iteration < self.max_iter:
            state = problem.next(state, self.tol)  # (3)
            yield state

    def first_theta(self, rows: Rows, problem: Problem) -> Array:
        """Where to start: the last fit if asked, the minimiser of a sample if there are many rows, else zero."""
        if self.warm_start and hasattr(self, "coef_") and self.coef_.shape == (problem.outputs, rows.columns):
            return np.column_stack([self.intercept_ + self.coef_ @ problem.pivot, self.coef_])
        zero = np.zeros((problem.outputs, 1 + rows.columns))
        if problem.basis is not None or (rows.count is not None and rows.count <= 8 * SAMPLE):
            return zero
        some = Sample.drawn(rows, SAMPLE, seed=0).rows()
        totals = some.sum(Totals.of, problem.classes).weight
        if not (totals > 0).all():
            return zero
        share = totals.sum() / problem.weight
        small = replace(problem, rows=some, weight=totals.sum(), alpha=problem.alpha * share)
        state = small.at(zero, 0, self.tol)
        while state.decrement > 0.05 * zero.size and not state.separated and state.iteration < 20:
            state = small.next(state, self.tol)  # the sample itself is about p/2 away from the answer
        return state.theta

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Newton, rows: Rows) -> dict[str, Any]:
        pivot = find_pivot(rows) if self.fit_intercept else np.zeros(rows.columns)
        b, W = state.theta[:, 0], state.theta[:, 1:]
        claim = "no parameters lower F by more than about the decrement"
        return {
            "classes_": rows.labels,
            "coef_": W.copy(),
            "intercept_": b - W @ pivot if self.fit_intercept else np.zeros(len(b)),
            "n_iter_": np.array([state.iteration], np.int32),
            "certificate_": Certificate(
                claim,
                state.slope <= self.tol and not state.separated,
                {"objective": state.objective, "slope": state.slope, "decrement": state.decrement, "separated": state.separated},
            ),
        }

    def remedy(self) -> str:
        if self.certificate_.separated:
            return "A hyperplane separates the classes, so without a penalty the coefficients grow for ever: give a finite C."
        return f"Raise max_iter (it is {self.max_iter}), or scale the columns."

    def most_states(self) -> int:
        return self.max_iter + 1

    def decision_function(self, X: Any) -> Array:
        """t of (1): one column for each class, a vector for two classes."""
        rows = self.new_rows(X)
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        scores = rows.each(lambda block: block.X @ coef.T + self.intercept_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        t = self.decision_function(X)
        return self.classes_[(t > 0).astype(np.intp) if t.ndim == 1 else t.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        t = self.decision_function(X)
        return np.column_stack([expit(-t), expit(t)]) if t.ndim == 1 else softmax(t, axis=1)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class."""
        t = self.decision_function(X)
        return np.column_stack([log_expit(-t), log_expit(t)]) if t.ndim == 1 else log_softmax(t, axis=1)

    def sparsify(self) -> LogisticRegression:
        """Keep the coefficients as a sparse matrix."""
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> LogisticRegression:
        """Keep the coefficients as an array."""
        self.coef_ = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        return self


# ---- the problem -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Totals(Sums):
    """Weight of each class."""

    weight: Array

    @classmethod
    def of(cls, classes: int, block: Block) -> Totals:
        return cls(np.bincount(block.y, block.weight, classes).astype(np.float64))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Problem:
    """F of (1) on some rows: its value, gradient and Newton step at any θ."""

    rows: Rows
    alpha: float  # 1/C
    intercept: bool
    classes: int
    weight: float
    pivot: Array
    basis: Array | None  # of the span of the rows, where there are fewer rows than columns

    @classmethod
    def of(cls, rows: Rows, alpha: float, intercept: bool) -> Problem:
        assert rows.labels is not None
        totals = rows.sum(Totals.of, len(rows.labels)).weight
        if (totals > 0).sum() < 2:
            raise ValueError(f"Only one class, {rows.labels[totals.argmax()]!r}, has rows of positive weight; two are needed.")
        pivot = find_pivot(rows) if intercept else np.zeros(rows.columns)
        problem = cls(rows, alpha, intercept, len(rows.labels), float(totals.sum()), pivot, None)
        if isinstance(rows, ArrayRows) and rows.count is not None and rows.count < rows.columns:
            X = rows.X if rows.dense else rows.X.toarray()
            basis, R = np.linalg.qr((X - pivot).T)
            problem = replace(problem, rows=ArrayRows(solid(R.T), rows.y, rows.weight), pivot=np.zeros(R.shape[1]), basis=basis)
        return problem

    @property
    def outputs(self) -> int:
        return 1 if self.classes == 2 else self.classes

    def at(self, theta: Array, iteration: int, tol: float) -> Newton:
        """F, g and the step at θ."""
        inner = self.inward(theta)
        loss, G, H, margin = self.measured(inner)
        W = inner[:, 1:]
        objective = loss + 0.5 * self.alpha * float((W**2).sum())
        G[:, 1:] += self.alpha * W
        if not self.intercept:
            G[:, 0] = 0.0
        step = self.direction(inner, G, H)
        slope, decrement = float(np.abs(G).max()) / self.weight, 0.5 * float((G * step).sum())
        separated = bool(margin > 0 and self.alpha == 0.0)
        settled = slope <= tol and decrement <= 1e-15 * abs(objective) + np.finfo(float).tiny
        return Newton(iteration, objective, settled, theta, self.outward(step), decrement, slope, separated)

    def next(self, state: Newton, tol: float) -> Newton:
        """(3)."""
        for size in 0.5 ** np.arange(30):
            new = self.at(state.theta - size * state.step, state.iteration + 1, tol)
            if new.objective <= state.objective + 1e-13 * abs(state.objective):
                return new
        return replace(state, iteration=state.iteration + 1, settled=state.slope <= tol)  # nothing but rounding is left

    def inward(self, theta: Array) -> Array:
        """θ as seen by the rows: in the span of the rows, where that is smaller."""
        return theta if self.basis is None else np.column_stack([theta[:, 0], theta[:, 1:] @ self.basis])

    def outward(self, inner: Array) -> Array:
        return inner if self.basis is None else np.column_stack([inner[:, 0], inner[:, 1:] @ self.basis.T])

    def measured(self, theta: Array) -> tuple[float, Array, Array | None, float]:
        """Σ ω ℓ, its gradient, its curvature (None if too large), and the smallest margin of a row."""
        form = theta.size <= LARGEST
        if self.classes == 2:
            record = self.rows.sum(two_classes, self.pivot, theta[0], form)
        else:
            record = self.rows.sum(many_classes, self.pivot, theta, form)
        return float(record.loss), record.gradient.reshape(theta.shape), record.curvature if form else None, record.margin

    def direction(self, theta: Array, G: Array, H: Array | None) -> Array:
        """H⁻¹g, in the directions that matter."""
        across = contrasts(self.outputs)
        g = (across.T @ G).ravel()
        penalty = np.full((across.shape[1], G.shape[1]), self.alpha)
        penalty[:, 0] = 0.0
        if H is None:
            step = self.conjugate_gradients(theta, g, penalty.ravel(), across)
        else:
            if self.outputs > 1:
                p = G.shape[1]
                H = np.einsum("ka,kplq,lb->apbq", across, H.reshape(self.outputs, p, self.outputs, p), across, optimize=True)
                H = H.reshape(len(g), len(g))
            H = H + np.diag(penalty.ravel())
            free = np.ones(penalty.shape, bool)
            free[:, 0] = self.intercept
            step = np.zeros(len(g))
            step[free.ravel()] = solved(H[np.ix_(free.ravel(), free.ravel())], g[free.ravel()])
        return across @ step.reshape(across.shape[1], -1)

    def conjugate_gradients(self, theta: Array, g: Array, penalty: Array, across: Array) -> Array:
        """Solve H s = g from products H·v, as closely as the size of g deserves."""
        shape = (across.shape[1], theta.shape[1])

        def product(v: Array) -> Array:
            V = across @ v.reshape(shape)
            record = self.rows.sum(curvature_product, self.pivot, theta, V)
            out = (across.T @ record.gradient.reshape(theta.shape)).ravel() + penalty * v
            if not self.intercept:
                out.reshape(shape)[:, 0] = v.reshape(shape)[:, 0]
            return out

        s, r = np.zeros_like(g), g.copy()
        direction, rr = r.copy(), float(r @ r)
        goal = min(0.25, np.sqrt(np.sqrt(rr) / self.weight)) ** 2 * 1e-4 * rr
        for _ in range(200):
            if rr <= goal:
                break
            q = product(direction)
            size = rr / float(direction @ q)
            s, r = s + size * direction, r - size * q
            rr, before = float(r @ r), rr
            direction = r + (rr / before) * direction
        return s


def contrasts(outputs: int) -> Array:
    """An orthonormal basis of the vectors that sum to zero (for one output, the number itself)."""
    if outputs == 1:
        return np.ones((1, 1))
    basis = np.zeros((outputs, outputs - 1))
    for k in range(1, outputs):
        basis[:k, k - 1], basis[k, k - 1] = 1.0, -float(k)
        basis[:, k - 1] /= np.sqrt(k * (k + 1.0))
    return basis


def solved(H: Array, g: Array) -> Array:
    """H⁻¹g on a unit diagonal; where H is singular, the shortest solution."""
    scale = np.sqrt(np.diagonal(H))
    scale = np.where(scale > 0, scale, 1.0)
    A = H / scale / scale[:, None]
    try:
        return linalg.cho_solve(linalg.cho_factor(A, check_finite=False), g / scale, check_finite=False) / scale
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(A, check_finite=False)
        kept = values > 1e-12 * values[-1]
        return vectors[:, kept] @ ((vectors[:, kept].T @ (g / scale)) / values[kept]) / scale


def reweighted(rows: Rows, class_weight: dict[Any, Any] | str) -> Rows:
    """Rows whose weights are multiplied by those of their classes."""
    labels = rows.labels
    assert labels is not None
    if class_weight == "balanced":
        totals = rows.sum(Totals.of, len(labels)).weight
        factor = totals.sum() / (len(labels) * np.maximum(totals, 1e-300))
    else:
        assert isinstance(class_weight, dict)
        unknown = [key for key in class_weight if key not in labels.tolist()]
        if unknown:
            raise ValueError(f"class_weight names {unknown[0]!r}, which is no class of y: {labels.tolist()[:20]}.")
        factor = np.array([float(class_weight.get(label, 1.0)) for label in labels.tolist()])

    def change(block: Block) -> Block:
        return replace(block, weight=solid(block.weights * factor[block.y]))

    if isinstance(rows, ArrayRows):
        weighted: Rows = ArrayRows(rows.X, rows.y, (1.0 if rows.weight is None else rows.weight) * factor[rows.y], rows.names)
    else:
        weighted = rows.changed(change)
    weighted.labels = labels
    return weighted


# ---- statistics ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MarginGradients(Gradients):
    """Gradients, and the smallest margin of a row: positive if every row is on its own side."""

    margin: float

    def __add__(self, other: MarginGradients) -> MarginGradients:
        return MarginGradients(
            self.loss + other.loss,
            self.gradient + other.gradient,
            self.curvature + other.curvature,
            min(self.margin, other.margin),
        )


NONE = np.zeros((0, 0))


def two_classes(pivot: Array, theta: Array, curved: bool, block: Block) -> MarginGradients:
    """(2) for y in {0, 1}."""
    n, d = block.X.shape
    gradient = np.zeros(1 + d)
    S = scratch(n, 1 + d) if curved else NONE
    loss, margin = link(block.X, block.y, block.weights, pivot, theta, gradient, S)
    return MarginGradients(loss, gradient, S.T @ S if curved else NONE, margin)


def many_classes(pivot: Array, theta: Array, curved: bool, block: Block) -> MarginGradients:
    """(2) for K classes: with P the probabilities, H has the blocks Σ ω p_k(δ_kl − p_l) z zᵀ."""
    K, p = theta.shape
    Z, w, y = augmented(pivot, block.X), block.weights, block.y
    T = Z @ theta.T
    own = T[np.arange(len(y)), y]  # type: ignore[arg-type]
    P = log_softmax(T, axis=1)
    loss = -float(w @ P[np.arange(len(y)), y])  # type: ignore[arg-type]
    np.exp(P, out=P)
    T[np.arange(len(y)), y] = -np.inf  # type: ignore[arg-type]
    margin = float(np.min((own - T.max(axis=1))[w > 0], initial=np.inf))
    R = P * w[:, None]
    R[np.arange(len(y)), y] -= w  # type: ignore[arg-type]
    H = NONE
    if curved:
        H = np.empty((K, p, K, p))
        for k in range(K):
            for l in range(k + 1):
                H[k, :, l, :] = (Z * (w * P[:, k] * ((k == l) - P[:, l]))[:, None]).T @ Z
                H[l, :, k, :] = H[k, :, l, :].T
        H = H.reshape(K * p, K * p)
    return MarginGradients(loss, (R.T @ Z).ravel(), H, margin)


def curvature_product(pivot: Array, theta: Array, V: Array, block: Block) -> Gradients:
    """H·V without H, for any number of classes."""
    Z, w = augmented(pivot, block.X), block.weights
    T, U = Z @ theta.T, Z @ V.T
    if len(theta) == 1:
        p = expit(T)
        M = p * (1.0 - p) * U
    else:
        P = softmax(T, axis=1)
        M = P * (U - (P * U).sum(axis=1, keepdims=True))
    return Gradients(0.0, ((M * w[:, None]).T @ Z).ravel(), NONE)


@compiled
def link(X, y, weight, pivot, theta, gradient, S):  # type: ignore[no-untyped-def]
    """Σ ω ℓ and the smallest margin; adds (p − y)·z to the gradient and writes the rows √(ω p(1 − p))·z to S."""
    n, d = X.shape
    loss, margin = 0.0, np.inf
    for i in range(n):
        t = theta[0]
        for j in range(d):
            t += theta[1 + j] * (X[i, j] - pivot[j])
        e = np.exp(-abs(t))  # never overflows
        p = 1.0 / (1.0 + e) if t >= 0.0 else e / (1.0 + e)
        loss += weight[i] * (np.log1p(e) + max(t, 0.0) - y[i] * t)
        if weight[i] > 0.0:
            margin = min(margin, t if y[i] == 1 else -t)
        r = weight[i] * (p - y[i])
        gradient[0] += r
        for j in range(d):
            gradient[1 + j] += r * (X[i, j] - pivot[j])
        if len(S):
            s = np.sqrt(weight[i] * e) / (1.0 + e)
            S[i, 0] = s
            for j in range(d):
                S[i, 1 + j] = s * (X[i, j] - pivot[j])
    return loss, margin
