"""An iterative learner is a generator of states; everything around the loop is here, once.

    states(rows, since)  →  state 0 after the start, then one state for each pass, until it stops by itself          (1)
    attributes(state, rows)  →  the fitted attributes of that state

`fit` exhausts (1) and settles the last state. A state is a frozen record of numbers, strings and read-only arrays, with
the seed drawn once and no generator (core/random.py), so (1) continued from a stored state gives the bits it would have
given without the interruption. From this one mechanism come, for every learner,

    steps(X, y)         the states, to look at or to draw
    training(…)         a progress bar, a time limit, fits that can be resumed (core/checkpoint.py)
    Ctrl-C              the last state is settled, then the interrupt goes on; inside `training` the model is returned
    callbacks           scikit-learn's, one task for each state (core/callbacks.py)
"""

from __future__ import annotations

import os
import time
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.checkpoint import Checkpoint
from aprendiz.core.learner import Learner
from aprendiz.core.rows import Rows
from aprendiz.locale import _

BY_CALLBACK, BY_BUDGET, BY_INTERRUPT = "a callback asked for it", "the time budget is spent", "interrupted"
REMEDIES = {
    BY_CALLBACK: "See that callback for the reason.",
    BY_BUDGET: "Allow more time; with a checkpoint, the same fit continues from here.",
    BY_INTERRUPT: "Fit again; with a checkpoint, it continues from here.",
}


def stopped_early(learner: str, why: str, advice: Callable[[], str]) -> str:
    """The warning of a fit that did not converge: why it stopped, and what to do, in the language of the reader."""
    remedy = _(REMEDIES[why]) if why in REMEDIES else advice()
    return _("{learner} stopped early ({why}). {remedy}").format(learner=learner, why=_(why), remedy=remedy)


@dataclass(frozen=True)
class State:
    """Where a fit stands. `objective` is what it lowers (or raises); `settled` says that it is done."""

    iteration: int
    objective: float
    settled: bool

    def __post_init__(self) -> None:
        for name, value in list(self.__dict__.items()):
            if isinstance(value, np.ndarray) and value.flags.writeable:
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self.__post_init__()  # arrays come back from a pickle writeable


@dataclass
class Training:
    """What `training` asks of the fits inside it."""

    progress: Callable[[Learner, State], None] | None = None
    deadline: float = float("inf")
    checkpoint: Path | None = None
    every: float = 5.0
    saved: float = field(default_factory=time.monotonic)


_training: ContextVar[Training | None] = ContextVar("aprendiz_training", default=None)


@contextmanager
def training(
    *,
    progress: bool | Callable[[Learner, State], None] = False,
    budget: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    every: float = 5.0,
) -> Iterator[None]:
    """Watch, limit or checkpoint the iterative fits inside a `with` block (of this thread).

    Parameters
    ----------
    progress : bool or function
        True for a progress bar; or a function of the learner and its state, called after each pass.
    budget : float, optional
        Seconds from now after which fits stop at their next state.
    checkpoint : folder, optional
        Fits store their state there (at most every `every` seconds, and when they stop) and continue from it when the
        same learner is fitted to the same data again. Ctrl-C, a budget or a crash then costs nothing.

    Examples
    --------
    >>> with aprendiz.training(progress=True, budget=60, checkpoint="checkpoints"):  # doctest: +SKIP
    ...     model = KMeans(100).fit(X)
    """
    if budget is not None and not (isinstance(budget, Real) and budget >= 0):
        raise ValueError(f"budget must be a number of seconds of at least 0, got {budget!r}.")
    if not (isinstance(every, Real) and every >= 0):
        raise ValueError(f"every must be a number of seconds of at least 0, got {every!r}.")
    if not (isinstance(progress, bool) or callable(progress)):
        raise ValueError(f"progress must be True, False or a function of a learner and its state, got {progress!r}.")
    folder = None if checkpoint is None else Path(checkpoint)
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"checkpoint={str(folder)!r} is a file: give the name of a folder.")
        folder.mkdir(parents=True, exist_ok=True)
    with progress_bar() if progress is True else nullcontext(progress or None) as shown:
        deadline = float("inf") if budget is None else time.monotonic() + budget
        token = _training.set(Training(shown, deadline, folder, every))
        try:
            yield
        finally:
            _training.reset(token)


class Iterative(Learner):
    """Learns in passes. A leaf gives its `State`, the loop `states`, and `attributes`."""

    State: ClassVar[type[State]]
    frames: ClassVar[int] = 3  # from a warning of `fit` to whoever called it: one more where a leaf has its own `fit`

    @abstractmethod
    def states(self, rows: Rows, since: Any = None) -> Iterator[Any]:
        """(1). With `since`, only the states that follow it."""

    @abstractmethod
    def attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        """The fitted attributes of a state."""

    def row_attributes(self, state: Any, rows: Rows) -> dict[str, Any]:
        """Attributes with an entry for each row, which need a last pass."""
        return {}

    def earlier_state(self, rows: Rows) -> Any:
        """The state of an earlier fit that this one goes on from, if it does."""
        return None

    def decisive(self) -> frozenset[str]:
        """Parameters that usually say only how long a fit may run, but here decide its states."""
        return frozenset()

    def reason(self, state: Any) -> str:
        """Why the states ended, if nobody stopped them and they had not settled."""
        return "max_iter reached"

    def remedy(self) -> str:
        """What to do when the fit stopped before it settled."""
        return _("Raise max_iter, or scale the columns.")

    def most_states(self) -> int | None:
        """The largest number of states there can be, where it is known."""
        return None

    def steps(self, X: Any, y: Any = None, sample_weight: Any = None, *, since: Any = None) -> Iterator[Any]:
        """The states of a fit, one after the other, without fitting this learner. `since` continues from a state."""
        rows = clone(self).open(X, y, sample_weight)
        return hold_blas(self.states(rows, since), rows.work)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows that can be passed over many times."""
        return super().open(X, y, sample_weight, reset=reset).compact()

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to X (and y), with optional sample weights. Returns the learner itself."""
        rows = self.open(X, y, sample_weight)
        with reporting(self, X, y, sample_weight, self.most_states()) as report, single_blas(rows.work):
            state, why = self.exhaust(rows, report)
            found = {**self.attributes(state, rows), **self.row_attributes(state, rows), "stopped_": why}
            self.settle({**rows.noted, **found})
        if why == BY_INTERRUPT and _training.get() is None:
            raise KeyboardInterrupt
        if why != "converged":
            said = stopped_early(type(self).__name__, why, self.remedy)
            warnings.warn(said, ConvergenceWarning, stacklevel=self.frames)
        return self

    def exhaust(self, rows: Rows, report: Callable[[Any, Any], bool]) -> tuple[Any, str]:
        """Run the states to their end, or until somebody says stop: the last state, and why it is the last."""
        options = _training.get() or Training()
        slot = Checkpoint(options.checkpoint, self, rows) if options.checkpoint else None
        state: Any = slot.load(self.State) if slot else None
        state = self.earlier_state(rows) if state is None else state
        states, stopped = self.states(rows, state), ""
        try:
            for state in states:
                if options.progress:
                    options.progress(self, state)
                if slot and time.monotonic() - options.saved >= options.every:
                    slot.save(state)
                    options.saved = time.monotonic()
                if report(state, rows):
                    stopped = BY_CALLBACK
                elif time.monotonic() > options.deadline:
                    stopped = BY_BUDGET
                if stopped:
                    break
        except KeyboardInterrupt:
            if state is None:
                raise
            stopped = BY_INTERRUPT
        finally:
            if slot and state is not None:
                slot.save(state)
        return state, "converged" if state.settled else stopped or self.reason(state)


def hold_blas(states: Iterator[Any], work: float) -> Iterator[Any]:
    """The states, each computed with BLAS on one thread, as in a fit."""
    while True:
        with single_blas(work):
            try:
                state = next(states)
            except StopIteration:
                return
        yield state


# ---- progress ----------------------------------------------------------------------------------------------------------


@contextmanager
def progress_bar() -> Iterator[Callable[[Learner, State], None]]:
    """A line for each fit: passes done, objective, time."""
    try:
        from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('A progress bar needs rich: pip install "aprendiz[lab]".') from error
    tasks: dict[int, Any] = {}
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TextColumn("{task.fields[objective]}"))
    with Progress(*columns, TimeElapsedColumn()) as bar:

        def show(learner: Learner, state: State) -> None:
            most = learner.most_states() if isinstance(learner, Iterative) else None
            if id(learner) not in tasks or state.iteration == 0:
                tasks[id(learner)] = bar.add_task(type(learner).__name__, total=most, objective="")
            bar.update(tasks[id(learner)], completed=state.iteration, objective=f"objective {state.objective:.6g}")
            if state.settled:
                bar.update(tasks[id(learner)], total=state.iteration)

        yield show
