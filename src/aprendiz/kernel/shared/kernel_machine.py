"""What all support vector machines share: rows become points, problems are solved one after the other, and the answer is a sum
over the support vectors.

    f(x) = Σ_{i: β_i ≠ 0} β_i K(x_i, x) + b                                                                     (1)

A learner says which dual problems it has (dual/problem.py), where they start, and how their coefficients become attributes.
Several problems are solved side by side, on all threads; a single one uses all threads itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.dual.evidence import certain_violation, find_evidence, is_possible
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.machine_state import MachineState
from aprendiz.kernel.dual.problem import DualProblem, rounding
from aprendiz.kernel.dual.solver import DualState, dual_states, first_state, last_state, with_exact_gradient
from aprendiz.kernel.features.far_cells import refuse_far
from aprendiz.kernel.kernels import Precomputed
from aprendiz.kernel.shared.indefinite_kernel import warn_if_indefinite
from aprendiz.kernel.shared.kept_rows import kernel_sums
from aprendiz.kernel.shared.kernel_choice import kernel_of
from aprendiz.kernel.shared.linear_plane import moved, pivot_of
from aprendiz.kernel.shared.same_kernel import fitted_each, machines_before
from aprendiz.kernel.shared.uneven_scales import warn_if_uneven

STATES, LEAST_ENTRIES = 16, 2**19  # of many problems, at most; entries of their Gram matrices for each of them, at least
FEW_CELLS = 2**18  # of support vectors, for which their points are kept for the next rows
FEW_ENTRIES = 2**16  # of their Gram matrices together, for which other threads would come too late

DIFFERENCES = {
    "shrinking": "no effect: blocks hold the variables that matter",
    "verbose": "no effect: see aprendiz.training(progress=True)",
    "cache_size": "another form: the memory for blocks of the Gram matrix, and for a factor of a part of it at the end",
    "max_iter": "another form: steps of two variables; a fit that was stopped says so in its certificate",
    "tol": "another form: rounding is allowed where it is more; sparse and dense rows agree to tol, not to all digits",
    "support_vectors_": "another form: new rows may be sparse where these are dense",
    "kernel": "another form: also kernel objects, for strings and graphs too, a Gram matrix may be sparse, "
    "but not asymmetric; functions are of rows of numbers, and the shape of what they return is looked at in the fit",
}
PROBABILITY = "refused: True is deprecated in scikit-learn; wrap it in CalibratedClassifierCV(…, ensemble=False)"
WEIGHTS = 'γ = "scale" is that of the rows without their weights, as in scikit-learn'
EXCEPTIONS = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
    "scaling": "γ, C and ε are in the units of the columns and of the target",
    "shift": 'γ = "scale" is of all cells together, and moves with the means of the columns',
    "memory": "the rows are kept in memory: inner products of all pairs are not a sum",
    "row order": "rows are taken in the order of the table where several break optimality alike",
    "column order": "inner products are summed in the order of the columns, and the end is within tol",
}


@dataclass
class Training:
    """Training rows as a kernel compares them, and the problems that they make."""

    table: Any
    kernel: Any
    points: Any
    chosen: Any = None  # the kernel as it was asked for; another one where its matrix was computed as a whole
    problems: list[DualProblem] = field(default_factory=list)
    pairs: list[ClassPair] = field(default_factory=list)  # of a classifier: the rows of each problem
    prices: list[float] = field(default_factory=list)  # C of each of its problems
    pivot: Array | None = None  # what was subtracted from the rows (linear_plane.py)
    gram: Array | None = None  # K of all the points, where that is small and several problems need it


class ClassPair(NamedTuple):
    """Two classes: their rows, the first class first, with signs 1 and −1, and their weights."""

    rows: Array
    signs: Array
    weights: Array


trainings: WeakKeyDictionary[Rows, Training] = WeakKeyDictionary()  # of the rows that are being fitted
support_of: WeakKeyDictionary[Any, tuple[Any, Any]] = WeakKeyDictionary()  # support vectors of a machine, and their points
texts: WeakKeyDictionary[Rows, Array] = WeakKeyDictionary()  # the strings of rows, for kernels that compare them


class KernelMachine(Iterative):
    """The base of support vector machines with a kernel."""

    State = MachineState
    allows = frozenset({"sparse"})
    differences = DIFFERENCES
    exceptions = EXCEPTIONS
    moves_freely: ClassVar[bool] = True  # Σβ = 0 in all: the same number added to every K_ij changes nothing
    sum_is_zero: ClassVar[bool] = False  # in each sum, so that a multiple of feasible coefficients is feasible
    kernel: Any
    gamma: Any
    degree: Any
    coef0: Any
    tol: float
    cache_size: float
    max_iter: int

    @abstractmethod
    def problems(self, rows: Rows, training: Training) -> list[DualProblem]:
        """The dual problems of some rows."""

    @abstractmethod
    def start(self, problem: DualProblem) -> Array:
        """Feasible coefficients to start from."""

    # ---- training ----------------------------------------------------------------------------------------------------

    def chosen_kernel(self) -> Any:
        """The kernel object, from a name, an object or a function."""
        if self.max_iter != -1 and self.max_iter < 1:
            raise ParameterError(f"max_iter of {type(self).__name__} must be -1 (no limit) or at least 1, got {self.max_iter}.")
        return kernel_of(self.kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0)

    def training(self, rows: Rows) -> Training:
        """What is made of the rows of a fit, once: the kernel that is ready for them, their points, and the problems."""
        if rows not in trainings:
            before = machines_before[self].training if self in machines_before else None
            made = self.with_points(rows) if before is None else replace(before, problems=[], pairs=[], prices=[])
            made.problems = self.problems(rows, made)
            if before is None:
                name, frames, names = type(self).__name__, 4 + self.frames, rows.noted.get("feature_names_in_")
                warn_if_indefinite(name, made.kernel, made.points, stacklevel=frames)
                warn_if_uneven(name, made.kernel, made.table, names, stacklevel=frames)
            trainings[rows] = made
        return trainings[rows]

    def with_points(self, rows: Rows) -> Training:
        """The rows as the kernel compares them. What a function of the user says of them is computed as a whole."""
        table = gather(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            kernel = self.chosen_kernel().on(table)
            given = kernel if kernel.in_tiles else Precomputed()
            pivot = pivot_of(kernel, table) if self.moves_freely else None
            compared = table if pivot is None else table - pivot
            made = Training(table, given, given.points(compared if kernel.in_tiles else kernel(table)), kernel, pivot=pivot)
            if not np.isfinite(given.diagonal_of(made.points)).all() or not np.isfinite(largest_square(made.points)):
                refuse_far(table, "products of its rows")
        return made

    def states(self, rows: Rows, since: MachineState | None = None) -> Iterator[MachineState]:
        problems = self.training(rows).problems
        state = since
        if state is None:
            state = MachineState.at_start([first_state(problem, self.start(problem), self.tol) for problem in problems])
            yield state
        left = range(state.done, len(problems))
        if len(problems) == 1:
            kept = machines_before[self].rows_of(problems[0], float(self.cache_size)) if self in machines_before else None
            for one in self.solve(problems[0], state.part(0, problems), kept):
                state = state.after({0: one}, problems)
                yield state
            return

        def last(k: int) -> DualState:
            one = since_then.part(k, problems)
            return last_state(self.solve(problems[k], one), one)

        entries, since_then, found = sum(len(problem) ** 2 for problem in problems), state, dict[int, DualState]()
        small, together = entries <= FEW_ENTRIES, max(-(-len(problems) // STATES), LEAST_ENTRIES * len(problems) // entries)
        with closing(map_here(last, left) if small else ordered_map(last, left)) as solved:
            for k, one in zip(left, solved, strict=True):
                found[k] = one
                if len(found) == together or k == left[-1]:
                    state = state.after(found, problems)
                    found = {}
                    yield state

    def solve(self, problem: DualProblem, one: DualState, kept: KernelRows | None = None) -> Iterator[DualState]:
        """The states of one problem, from one on."""
        most = None if self.max_iter == -1 else int(self.max_iter)
        return dual_states(problem, one, tol=float(self.tol), cache_size=float(self.cache_size), most=most, kept=kept)

    def earlier_state(self, rows: Rows) -> MachineState | None:
        """From the machine that was fitted just before, where a multiple of its coefficients is feasible."""
        if not self.sum_is_zero or self not in machines_before:
            return None
        starts = machines_before[self].starts(self.training(rows).problems, float(self.tol))
        return None if starts is None else MachineState.at_start(starts)

    def attributes(self, state: MachineState, rows: Rows) -> dict[str, Any]:
        """What a learner makes of the coefficients of its problems, and the evidence for them."""
        training = self.training(rows)
        problems = training.problems
        if not state.exact.all():  # a fit that was stopped
            exact = [with_exact_gradient(p, state.part(k, problems), self.tol) for k, p in enumerate(problems)]
            state = state.after(dict(enumerate(exact)), problems)
        parts = [state.part(k, problems) for k in range(len(problems))]
        if self in machines_before:
            machines_before[self].keep(training, parts)
        evidence = [find_evidence(problem, one.beta, one.g) for problem, one in zip(problems, parts, strict=True)]
        most = max(one.violation for one in evidence)
        limit = self.tol + max(rounding(problem, one.beta, one.g) for problem, one in zip(problems, parts, strict=True))
        certain = max(certain_violation(problem, one.beta, one.g) for problem, one in zip(problems, parts, strict=True))
        known = {
            "objective": -float(sum(one.dual for one in evidence)),
            "primal": float(sum(one.primal for one in evidence)),
            "dual": float(sum(one.dual for one in evidence)),
            "gap": float(sum(one.gap for one in evidence)),
            "relative_gap": float(max(one.relative_gap for one in evidence)),
            "violation": most,
            "allowed": limit,
        }
        possible = limit <= 2.0 * self.tol or all(
            is_possible(problem, one.beta, found) for problem, one, found in zip(problems, parts, evidence, strict=True)
        )  # where rounding is no more than tol, there is no need to ask
        claim = "no two coefficients break the optimality conditions by more than tol and the rounding of their gradients"
        return {
            **self.conclude(training, parts, evidence, rows),
            "certificate_": Certificate(claim, bool(certain <= self.tol and possible), known),
        }

    @abstractmethod
    def conclude(self, training: Training, parts: list[DualState], evidence: list[Any], rows: Rows) -> dict[str, Any]:
        """The fitted attributes, from the solved problems."""

    def fit_each(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]], sample_weight: Any = None
    ) -> Iterator[tuple[int, Self]]:
        """A machine for each mapping of parameters to values, with the number of the mapping. Those with the same kernel follow
        each other, from the smallest C on: they share the rows of its Gram matrix, and each starts where the last one ended."""
        return fitted_each(self, X, y, candidates, sample_weight)

    def decisive(self) -> frozenset[str]:
        """A block that is cut off by `max_iter` goes on elsewhere."""
        return frozenset({"max_iter"})

    # ---- rows of numbers, or strings ---------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows. Strings are kept beside their numbers, which go through the door."""
        if getattr(self.kernel, "compares", "") != "strings":
            return super().open(X, y, sample_weight, reset=reset)
        strings = np.array(self.kernel.table(X))
        rows = super().open(np.arange(len(strings), dtype=np.float64)[:, None], y, sample_weight, reset=reset)
        texts[rows] = strings
        return rows

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        if getattr(getattr(self, "kernel_", None), "compares", "") != "strings":
            return super().new_rows(X, sample_weight)
        strings = np.array(self.kernel_.table(X))
        rows = super().new_rows(np.arange(len(strings), dtype=np.float64)[:, None], sample_weight)
        texts[rows] = strings
        return rows

    # ---- new rows ----------------------------------------------------------------------------------------------------

    def sums_over_support(self, X: Any, coefficients: Array) -> Array:
        """Σβ_i K(x_i, x) of (1) for each row and each column of coefficients, those of the support vectors."""
        rows, kernel = self.new_rows(X), self.kernel_
        if not len(coefficients):  # no support vectors
            return rows.each(lambda block: np.zeros((len(block), *coefficients.shape[1:])))
        support = self.support_points()
        if not kernel.in_tiles:
            return kernel.block(kernel.points(gather(rows), support), support) @ coefficients

        strings = texts.get(rows)

        def of_block(block: Any) -> Array:
            table = moved(self, block.X) if strings is None else strings[block.start : block.start + len(block)]
            return kernel_sums(kernel, kernel.points(table, support), support, coefficients)

        return rows.each(of_block)

    def support_points(self) -> Any:
        """The support vectors as the kernel compares them."""
        if isinstance(self.kernel_, Precomputed):
            return self.kernel_.training_points(self.n_features_in_).take(self.support_)
        of, points = support_of.get(self, (None, None))
        if of is not self.support_vectors_:
            points = self.kernel_.points(moved(self, self.support_vectors_))
            if self.support_vectors_.size <= FEW_CELLS:
                support_of[self] = self.support_vectors_, points
        return points

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        matrix = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.pairwise = matrix or getattr(self.kernel, "compares", "") == "matrix"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags


def map_here(function: Any, items: Any) -> Generator[Any, None, None]:
    """As `ordered_map`, on this thread alone."""
    yield from map(function, items)


def gather(rows: Rows) -> Any:
    """All the rows in memory, in double precision; sparse ones stay so, and strings are strings."""
    if rows in texts:
        return texts[rows]
    table = rows.X if in_memory(rows) else rows.each(lambda block: block.X)
    if sparse.issparse(table):
        return sparse.csr_array(table, dtype=np.float64)
    return read_only(np.asarray(table, np.float64))


def labels_of(rows: Rows) -> Array:
    """The classes of the rows of a classifier."""
    assert rows.labels is not None
    return rows.labels


def largest_square(points: Any) -> float:
    """Of the coordinates, where there are any."""
    return float(np.max(getattr(points, "squares", 0.0), initial=0.0))


def target_of(rows: Rows) -> tuple[Array, Array]:
    """Targets and weights of all the rows."""
    if in_memory(rows):
        assert rows.y is not None
        weight = np.ones(len(rows.y)) if rows.weight is None else np.asarray(rows.weight, np.float64)
        return rows.y, weight
    return rows.each(lambda block: block.y), rows.each(lambda block: np.asarray(block.weights, np.float64))
