"""The support vector classifier: of all planes between two classes, the one with the widest margin.

    minimise  ½‖w‖² + C Σξ_i     over w, b, ξ ≥ 0  with  y_i(wᵀφ(x_i) + b) ≥ 1 − ξ_i                            (1)

C is the price of a row on the wrong side of its margin; C = ∞ allows none (the hard margin). The dual problem sees the rows
only through K(x_i, x_j) = φ(x_i)ᵀφ(x_j): with β_i = y_iα_i

    maximise  Σα_i − ½βᵀKβ     over 0 ≤ α_i ≤ C,  Σβ_i = 0                                                       (2)
    f(x) = Σβ_i K(x_i, x) + b

Only rows with α_i > 0 matter, the support vectors: those with α_i < C lie on the margin, those with α_i = C inside it or
beyond. b is the mean over the margin support vectors of both classes of what puts them at y_i f(x_i) = 1; without any,
the middle of the values that (2) allows. The margin is 1/‖w‖ on each side, 2/‖w‖ in all.

Other forms of the price, one argument away: squared slacks, C Σξ² (`loss="squared_hinge"`, K + 1/(2C) on the diagonal), and a
budget Σξ ≤ c instead of C (`slack_budget`: C is found so that the budget is used up).

Cost: dual/solver.py. References: Cortes & Vapnik, Machine Learning 20, 1995; Chang & Lin, "LIBSVM", 2011.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import Infinite, NonNegative, ParameterError, Positive, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.evidence import DualEvidence
from aprendiz.kernel.dual.hard_margin import equal_rows, hard_margin_limit
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.projected_gradient import projected_gradient_states
from aprendiz.kernel.dual.slack_budget import price_of_budget
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import (
    DIFFERENCES,
    EXCEPTIONS,
    PROBABILITY,
    ClassPair,
    Training,
    labels_of,
    target_of,
)
from aprendiz.kernel.shared.pair_classifier import PairClassifier


class SVC(PairClassifier):
    """Support vector classifier (drop-in for scikit-learn's; with its duality gap, C = ∞, slack budgets and any kernel object).

    Parameters
    ----------
    C : float, default=1.0
        The price of slack. `np.inf` for the hard margin: refused, with the reason, where the classes cannot be separated.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed", …}, kernel object or callable, default="rbf"
        K, by name, as an object such as `RBF(gamma=0.5) + Linear()`, or a function of two tables that returns the Gram matrix.
    degree : int, default=3
        Of "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        γ of "rbf", "poly" and "sigmoid"; "scale": 1/(number of columns · variance of all cells), "auto": 1/(number of columns).
    coef0 : float, default=0.0
        The constant of "poly" and "sigmoid".
    tol : float, default=1e-3
        Largest violation of the optimality conditions.
    cache_size : float, default=200
        Memory for rows of the Gram matrix, in MB.
    class_weight : dict, "balanced" or None, default=None
        By which C is multiplied for the rows of each class.
    max_iter : int, default=-1
        Largest number of steps of two variables; -1 for no limit.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Of three classes or more: a column for each class, or for each pair of classes.
    break_ties : bool, default=False
        Whether equal votes are decided by the values, at the cost of nothing here.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        C Σξ or C Σξ².
    slack_budget : float or None, default=None
        c of Σξ ≤ c, for each pair of classes, instead of C.
    solver : {"blocks", "projected-gradient"}, default="blocks"
        "projected-gradient" is gradient ascent on (2) with the exact projection, to be watched with `steps` on small tables.
    shrinking, verbose, random_state
        No effect.
    probability
        True is refused: see CalibratedClassifierCV.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, classes_, class_weight_, n_iter_, fit_status_,
    shape_fit_
        As in scikit-learn.
    margin_ : ndarray of shape (n_pairs,)
        1/‖w‖, the distance from the plane to its margin, in the space of the kernel.
    margin_width_ : ndarray of shape (n_pairs,)
        2/‖w‖, from one margin to the other.
    margin_support_, error_support_ : ndarray
        Row numbers of support vectors with 0 < α < C in all their pairs, and with α = C in some pair.
    hard_margin_C_ : float
        The smallest C that gives the hard margin: max α, each divided by the weight of its row, if this is the hard margin;
        else nan.
    price_ : ndarray of shape (n_pairs,)
        C of each pair: as given, found for the budget, or a bound on α for C = ∞.
    centre_, centred_intercept_ : ndarray or None, ndarray
        With the linear kernel, f(x) = wᵀ(x − centre_) + centred_intercept_, which keeps its digits far from zero.
    kernel_ : Kernel
        The kernel with all its numbers.
    certificate_ : Certificate
        Primal and dual objective, their gap, and the largest violation of the optimality conditions.

    Examples
    --------
    >>> model = SVC(C=np.inf, kernel="linear").fit([[-1.0, -1.0], [-2.0, 1.0], [1.0, 0.0]], [-1, -1, 1])
    >>> model.coef_.round(3), model.intercept_.round(3), model.margin_.round(4)
    (array([[0.8, 0.4]]), array([0.2]), array([1.118]))
    """

    differences = {
        **DIFFERENCES,
        "random_state": "no effect: nothing is drawn",
        "probability": PROBABILITY,
        "probA_": PROBABILITY,
        "probB_": PROBABILITY,
        "C": "another form: also infinity, the hard margin; times the weight of a row, which cannot be negative",
        "coef0": "another form: negative ones are refused for the polynomial kernel, which is none then",
    }
    exceptions = EXCEPTIONS
    sum_is_zero = True
    tuning = {"C": (1.0, 10.0, 100.0), "gamma": ("scale", 0.01, 0.1)}

    def __init__(
        self,
        *,
        C: PositiveFactor | Infinite = 1.0,
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
        loss: Literal["hinge", "squared_hinge"] = "hinge",
        slack_budget: Positive | None = None,
        solver: Literal["blocks", "projected-gradient"] = "blocks",
    ):
        self.C = C
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
        self.loss = loss
        self.slack_budget = slack_budget
        self.solver = solver

    # ---- the problem -------------------------------------------------------------------------------------------------

    def pair_problem(self, pair: ClassPair, C: float, training: Training) -> DualProblem:
        """(2). Infinite prices stay infinite, whatever the weights."""
        first, prices = pair.signs > 0, np.full(len(pair.signs), C) if np.inf == self.C else C * pair.weights
        squared = self.loss == "squared_hinge" and np.inf > self.C
        limit = limits_of_squares(prices) if squared else prices
        low, high = np.where(first, 0.0, -limit), np.where(first, limit, 0.0)
        points = training.points.take(pair.rows)
        return DualProblem(training.kernel, points, pair.signs, low, high, ridge=0.5 / prices if squared else None)

    def find_prices(self, rows: Rows, training: Training) -> list[float]:
        """C of each pair: as given, found for a budget, or from (2) of dual/hard_margin.py where it is infinite."""
        if self.slack_budget is not None:
            self.refuse_two_prices()
            return [self.price_for(training, pair) for pair in training.pairs]
        if np.inf > self.C:
            return [float(self.C)] * len(training.pairs)
        return [self.hard_limit(training, rows, pair) for pair in training.pairs]

    def refuse_two_prices(self) -> None:
        if self.C != 1.0 or self.loss != "hinge":
            raise ParameterError(
                "slack_budget stands instead of C, for the sum of the slacks: leave C and loss as they are by default."
            )

    def price_for(self, training: Training, pair: ClassPair) -> float:
        """C of one pair for the budget."""
        limits = (float(self.slack_budget or 0.0), float(self.tol), float(self.cache_size))
        return price_of_budget(lambda C: self.pair_problem(pair, C, training), *limits)

    def hard_limit(self, training: Training, rows: Rows, pair: ClassPair) -> float:
        """Above every α of the hard margin of one pair; refused where there is none."""
        limit = hard_margin_limit(self.pair_problem(pair, 1.0, training), pair.signs, float(self.cache_size))
        if limit is not None:
            return 2.0 * limit
        classes = labels_of(rows)[target_of(rows)[0][pair.rows[[0, -1]]]].tolist()
        names = f"{classes[0]!r} and {classes[1]!r}"
        same = equal_rows(training.table, pair.rows[pair.signs > 0], pair.rows[pair.signs < 0])
        why = "" if same is None else f" Rows {same[0]} and {same[1]} are equal, but of different classes."
        raise ValueError(
            f"C=inf: the classes {names} cannot be separated with this kernel, so there is no hard margin.{why} "
            "Give a finite C, which allows some rows on the wrong side, or another kernel."
        )

    def start(self, problem: DualProblem) -> Array:
        return np.zeros(len(problem))

    def solve(self, problem: DualProblem, one: DualState, kept: KernelRows | None = None) -> Iterator[DualState]:
        if self.solver == "projected-gradient":
            most = None if self.max_iter == -1 else int(self.max_iter)
            return projected_gradient_states(problem, one, tol=float(self.tol), most=most)
        return super().solve(problem, one, kept)

    # ---- the answer --------------------------------------------------------------------------------------------------

    def scaled(self, problem: DualProblem, one: DualState, evidence: DualEvidence) -> tuple[Array, float, float]:
        return one.beta, -multipliers(problem, one.beta, one.g)[0], float(np.sqrt(max(evidence.norm2, 0.0)))

    def conclude(self, training: Training, parts: list[DualState], evidence: list[DualEvidence], rows: Rows) -> dict[str, Any]:
        found = super().conclude(training, parts, evidence, rows)
        hard = not len(found["error_support_"]) and (self.loss == "hinge" or np.inf == self.C)
        largest = max(float((np.abs(one.beta) / pair.weights).max()) for one, pair in zip(parts, training.pairs, strict=True))
        return {**found, "price_": np.array(training.prices), "hard_margin_C_": largest if hard else np.nan}

    @property
    def margin_width_(self) -> Array:
        """2/‖w‖ of each pair."""
        return 2.0 * self.margin_


def limits_of_squares(prices: Array) -> Array:
    """2√(p_i Σp), above every multiplier of squared slacks: α_i = 2p_iξ_i, and p_iξ_i² is at most the objective, which is at
    most Σp, that of f = 0. Where rounding hides the kernel, nothing else would keep them from growing."""
    return 2.0 * np.sqrt(prices) * np.sqrt(prices.sum())
