"""Linear learners that go over the rows epoch by epoch: the perceptron, the delta rule, stochastic gradient descent.

A learner has one plane (b, w) for each output. A state holds the planes and what else the next epoch needs, so that

    fit           from zero (or given planes), epoch after epoch, until the leaf says that it is over
    partial_fit   one epoch over new rows, from the state in which the last call left the learner

differ in nothing but who asks for the next epoch. With `early_stopping` a fit is over when the score on rows that were set
aside (early_stopping.py) no longer rises, instead of when the losses met in an epoch no longer fall.

Planes move in float64; what is stored has the precision of the table, as in scikit-learn.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.class_weights import reweight
from aprendiz.core.inputs import open_rows, refuse_empty_sums
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import check_parameters
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.targets import refuse_one_class
from aprendiz.linear.designs.visits import Reach, sides
from aprendiz.linear.shared.early_stopping import TrainingRows, accuracies, plane_values, split_rows
from aprendiz.linear.shared.linear_classifier import LinearClassifier

IN_BLOCKS = "rows that are not in memory are shuffled within blocks of a few thousand, a table in memory as a whole"
EARLY_STOPPING = (
    "another form: one draw of rows for all planes, class weights count in the scores, and a plane is scored as it is; "
    "scikit-learn leaves out the factor by which a squared penalty has shrunk w"
)
ONE_PRECISION = "another form: float32 for float32 data, also that of one plane, which is float64 in scikit-learn"
STEPWISE = {  # laws that do not hold for methods that go from row to row
    "row order": "rows are visited one after the other: another order is another path",
    "weights": "a row of weight two is one long step, the row twice is two steps",
    "shift": "a step along x depends on where zero is: scale the columns first",
    "scaling": "a step along x depends on the units of the columns: scale them first",
    "partial_fit": "one more epoch over the new rows, not a fit to all of them",
    "same answer": "where a path ends depends on the order of the rows, which scikit-learn draws otherwise",
    "monotone": "a step that helps one row may hurt the others",
    "files": IN_BLOCKS,
    "dask": IN_BLOCKS,
    "check_sample_weight_equivalence_on_dense_data": "a row of weight two is one long step, the row twice is two steps",
    "check_sample_weight_equivalence_on_sparse_data": "a row of weight two is one long step, the row twice is two steps",
}


class Visiting(Iterative):
    """A linear learner with one plane (b, w) for each output, that goes over the rows epoch by epoch.

    A leaf gives `begin`, `run_epoch`, `resume` and `attributes`.
    """

    fit_intercept: bool
    max_iter: int
    random_state: Any
    warm_start: bool
    refused: ClassVar[Mapping[str, Any]] = {}  # parameters that must keep this value: see `differences`
    stays_sparse: ClassVar[bool] = True  # or are sparse tables made dense, block by block?
    start: tuple[Any, Any] = (None, None)  # coef_init and intercept_init of the fit under way
    early_stopping: bool = False  # a parameter of some
    validation_fraction: float

    @abstractmethod
    def begin(self, planes: Array, seed: int, rows: Rows) -> Any:
        """State 0, at the given planes."""

    @abstractmethod
    def run_epoch(self, state: Any, rows: Rows) -> Any:
        """The state after one more epoch."""

    @abstractmethod
    def resume(self, seed: int, rows: Rows) -> Any:
        """The state in which the last `partial_fit`, or the fit, has left the learner."""

    @abstractmethod
    def outputs(self, rows: Rows) -> int:
        """The number of planes."""

    def insist(self) -> None:
        """Refuse parameters that are not available, or do not go together."""
        for name, usual in self.refused.items():
            if getattr(self, name) != usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is not available: {self.differences[name]}.")

    def prepare(self, rows: Rows) -> Rows:
        """The rows as they are visited."""
        return rows.like(thin=True) if self.stays_sparse and in_memory(rows) and rows.sparse else rows

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        self.insist()
        return self.prepare(super().open(X, y, sample_weight, reset=reset))

    def fit(self, X: Any, y: Any = None, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Fit to X and y, each row counting with its weight, from given coefficients or from zero; returns the learner."""
        self.start = (coef_init, intercept_init)
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self.start

    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        rows = self.training_rows(rows, seed)
        reach = rows.sum(Reach.of)
        refuse_empty_sums(reach.weight, bool(np.isfinite(reach.square)), rows)
        state = since
        if state is None:
            state = self.begin(self.first_planes(rows), seed, rows)
            yield state
        while not self.over(state) and state.iteration < self.max_iter:
            state = self.run_epoch(state, rows)
            yield state

    def training_rows(self, rows: Rows, seed: int) -> Rows:
        """The rows to learn from: all, but for those that early stopping sets aside."""
        return split_rows(rows, seed, float(self.validation_fraction)) if self.early_stopping else rows

    def watched(self, met: Array, planes: Array, rows: Rows) -> Array:
        """What must go on falling: the losses met in an epoch, or minus the scores on the rows set aside."""
        return -self.plane_scores(planes, rows.held) if isinstance(rows, TrainingRows) else met

    def plane_scores(self, planes: Array, held: ArrayRows) -> Array:
        """The score of each plane on rows that were set aside."""
        raise NotImplementedError

    def over(self, state: Any) -> bool:
        """Is there nothing more to be done?"""
        return bool(state.settled)

    def most_states(self) -> int:
        return self.max_iter + 1

    def first_planes(self, rows: Rows) -> Array:
        """Where to start: what was given, the last fit if asked, else zero."""
        planes = np.zeros((self.outputs(rows), 1 + rows.columns))
        coef, intercept = self.start
        if self.warm_start and coef is None and intercept is None and np.size(getattr(self, "coef_", ())) == planes[:, 1:].size:
            coef, intercept = self.coef_, self.intercept_
        if coef is not None:
            planes[:, 1:] = check_shape("coef_init", coef, planes[:, 1:].shape)
        if intercept is not None and self.fit_intercept:
            planes[:, 0] = check_shape("intercept_init", intercept, (len(planes), 1))[:, 0]
        return planes

    def went_on(self, rows: Rows, first: bool) -> Self:
        """One epoch over the given rows; the certificate claims no more than that."""
        if self.early_stopping:
            raise ValueError("early_stopping should be False with partial_fit, which makes one epoch and sets no rows aside.")
        seed = draw_seed(self.random_state)
        with single_blas(rows.work):
            before = self.begin(self.first_planes(rows), seed, rows) if first else self.resume(seed, rows)
            state = self.run_epoch(before, rows)
            known = {"objective": state.objective, "epochs": state.iteration}
            certificate = Certificate("the rows of the last call were visited once", True, known)
            return self.settle({**rows.noted, **self.attributes(state, rows), "certificate_": certificate})


def has_fallen(now: Array, best: Array, tol: float | None) -> Array:
    """Is a loss lower than the best so far by `tol`? The first one is, whatever the `tol`; and all are without a `tol`."""
    if tol is None:
        return np.ones(len(now), bool)
    first = np.isposinf(best)
    return first | (now <= np.where(first, 0.0, best) - tol)


def precision(rows: Rows) -> Any:
    """The type of the coefficients: that of the table."""
    return np.float32 if rows.first(lambda block: block.X.dtype == np.float32) else np.float64


def rounded(planes: Array, rows: Rows) -> Array:
    """Planes as they will be stored, in float64."""
    return planes.astype(precision(rows)).astype(np.float64)


def check_shape(name: str, given: Any, shape: tuple[int, ...]) -> Array:
    """Coefficients to start from, as finite numbers of the right shape."""
    array = np.asarray(given.toarray() if sparse.issparse(given) else given, dtype=np.float64)
    if array.size != shape[0] * shape[1] or not np.isfinite(array).all():
        raise ValueError(f"{name} must hold {shape[0]} × {shape[1]} finite numbers, got an array of shape {array.shape}.")
    return array.reshape(shape)


class VisitingClassifier(LinearClassifier, Visiting):
    """One plane for two classes, one for each class against the rest if there are more."""

    class_weight: Any
    announced: ClassVar[bool] = True  # does the first `partial_fit` list all classes, as scikit-learn's does?

    def prepare(self, rows: Rows) -> Rows:
        return super().prepare(rows if self.class_weight is None else reweight(rows, self.class_weight))

    def plane_scores(self, planes: Array, held: ArrayRows) -> Array:
        assert held.y is not None
        K = len(planes)
        own = np.column_stack([sides(held.y, k, K) > 0 for k in range(K)])
        return accuracies(self.above(plane_values(planes, held)) == own, held.weight)

    def outputs(self, rows: Rows) -> int:
        assert rows.labels is not None
        return 1 if len(rows.labels) == 2 else len(rows.labels)

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over the given rows. The first call lists all `classes`: there is a plane for each from then on."""
        check_parameters(self)
        self.insist()
        if self.class_weight == "balanced":
            raise ValueError("class_weight='balanced' needs all rows at once: give partial_fit the weights of the classes.")
        known = getattr(self, "classes_", None)
        if known is None and classes is None and self.announced:
            raise ValueError("classes must be passed on the first call to partial_fit: all the labels that may come.")
        among = np.array([]) if known is None else known
        if classes is not None:
            among = np.unique(np.asarray(classes))
            if known is not None and not np.array_equal(among, known):
                raise ValueError(f"`classes={among}` is not the same as on last call to partial_fit, was: {known}.")
        rows = open_rows(self, X, y, sample_weight, target="classes", reset=known is None, among=among)
        assert rows.labels is not None
        refuse_one_class(rows.labels)
        return self.went_on(self.prepare(rows), first=known is None)
