"""The ν-support vector classifier: a share of the rows instead of a price.

    minimise  ½‖w‖² − νρ + (1/n) Σξ_i     with  y_i(wᵀφ(x_i) + b) ≥ ρ − ξ_i,  ξ ≥ 0,  ρ ≥ 0                     (1)

ν lies between the share of margin errors and the share of support vectors: at most ν·n rows are on the wrong side of their
margin, and at least ν·n are support vectors. The dual, with β_i = y_iα_i,

    minimise  ½βᵀKβ     over 0 ≤ α_i ≤ 1,  Σ_{first class} α_i = Σ_{second class} α_i = ν·n/2                     (2)

has two sums, each with a multiplier of its own: their half difference is ρ, by which the answer is divided, so that the
margin is at 1 as in SVC. ν cannot exceed 2·min(n₊, n₋)/n.

Reference: Schölkopf, Smola, Williamson & Bartlett, "New support vector algorithms", Neural Computation 12, 2000.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import NonNegative, Positive, PositiveFraction, Seed, Whole
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.evidence import DualEvidence
from aprendiz.kernel.dual.fixed_sums import fill_to_sum
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import DIFFERENCES, EXCEPTIONS, PROBABILITY, ClassPair, Training
from aprendiz.kernel.shared.pair_classifier import PairClassifier

NO_MARGIN = 1e-12  # of the largest output: a margin of this size is a rounding of 0


class NuSVC(PairClassifier):
    """ν-support vector classifier (drop-in for scikit-learn's; with its duality gap and any kernel object).

    Parameters
    ----------
    nu : float, default=0.5
        ν, above 0 and at most 1: an upper bound on the share of margin errors, a lower bound on that of support vectors.
    kernel, degree, gamma, coef0, tol, cache_size, class_weight, max_iter, decision_function_shape, break_ties
        As for SVC.
    shrinking, verbose, random_state
        No effect.
    probability
        True is refused: see CalibratedClassifierCV.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, classes_, class_weight_, n_iter_, fit_status_,
    shape_fit_
        As in scikit-learn.
    margin_, margin_support_, error_support_, centre_, centred_intercept_, kernel_, certificate_
        As for SVC.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> NuSVC(nu=0.5, kernel="linear").fit(X, y).predict([[0.5], [3.2]])
    array(['a', 'b'], dtype='<U1')
    """

    differences = {
        **DIFFERENCES,
        "random_state": "no effect: nothing is drawn",
        "class_weight": "another form: of the weights of the rows, none negative; in scikit-learn it has no effect",
        **dict.fromkeys(("probability", "probA_", "probB_"), PROBABILITY),
    }
    exceptions = {
        **EXCEPTIONS,
        "check_class_weight_classifiers": "ν cannot exceed the share of the lighter class, which is next to none there",
    }
    tuning = {"nu": (0.1, 0.3, 0.5)}

    def __init__(
        self,
        *,
        nu: PositiveFraction = 0.5,
        kernel: Any = "rbf",
        degree: Whole = 3,
        gamma: NonNegative | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | Literal["deprecated"] = "deprecated",
        tol: Positive = 1e-3,
        cache_size: Positive = 200,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: Literal["ovr", "ovo"] = "ovr",
        break_ties: bool = False,
        random_state: Seed = None,
    ):
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def pair_problem(self, pair: ClassPair, C: float, training: Training) -> DualProblem:
        """(2)."""
        signs, weights = pair.signs, C * pair.weights
        first, wanted = int((signs > 0).sum()), 0.5 * self.nu * float(weights.sum())
        smaller = min(float(weights[:first].sum()), float(weights[first:].sum()))
        if wanted > smaller * (1.0 + 1e-12):
            raise ValueError(
                f"specified nu is infeasible: nu={self.nu:g} asks for more weight of the smaller class than there is. "
                f"It must be at most {2.0 * smaller / float(weights.sum()):.4g} here."
            )
        low, high = np.where(signs > 0, 0.0, -weights), np.where(signs > 0, weights, 0.0)
        return DualProblem(training.kernel, training.points.take(pair.rows), np.zeros(len(signs)), low, high, split=first)

    def start(self, problem: DualProblem) -> Array:
        """The first rows of each class, as far as they are needed."""
        first = problem.split or 0
        wanted = 0.5 * self.nu * float((problem.high - problem.low).sum())
        return np.concatenate([fill_to_sum(problem.high[:first], wanted), -fill_to_sum(-problem.low[first:], wanted)])

    def scaled(self, problem: DualProblem, one: DualState, evidence: DualEvidence) -> tuple[Array, float, float]:
        """Divided by ρ, so that the margin is at 1."""
        above, below = multipliers(problem, one.beta, one.g)
        rho, size = 0.5 * (above - below), float(np.abs(one.g).max(initial=0.0))
        if not rho > NO_MARGIN * size:
            raise ValueError(
                f"nu={self.nu:g}: the margin has no width, since with this kernel the rows of two classes look alike. Use a "
                "larger nu, another gamma or kernel, or scale the columns."
            )
        return one.beta / rho, -0.5 * (above + below) / rho, float(np.sqrt(max(evidence.norm2, 0.0))) / rho
