"""Telling scikit-learn's callbacks about a fit: that it begins, each of its states, and that it ends.

A fit is the root task of the callback protocol, a state is one of its subtasks. A callback that asks for the fitted
estimator gets one made from the attributes of the state; a callback that answers True stops the fit.

A fit for which there is not enough memory ends here too, with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aprendiz.core.precision import handed_out
from aprendiz.core.rows import Rows


@contextmanager
def reporting(
    learner: Any, X: Any, y: Any, sample_weight: Any, most_states: int | None = 0
) -> Iterator[Callable[[Any, Any], bool]]:
    """Begin and end the task of a fit; yields the function that tells of a state and returns whether to stop."""
    told = {"X": X, "y": y, "metadata": None if sample_weight is None else {"sample_weight": sample_weight}}
    context = learner._init_callback_context(max_subtasks=most_states)
    context.call_on_fit_task_begin(estimator=learner, **told)

    def report(state: Any, rows: Any) -> bool:
        task = context.subcontext(task_name="pass")
        task.call_on_fit_task_begin(estimator=learner, **told)

        def attributes() -> dict[str, Any]:
            return handed_out(learner, {**rows.noted, **learner.attributes(state, rows)})

        return bool(task.call_on_fit_task_end(estimator=learner, **told, reconstruction_attributes=attributes))

    try:
        yield report
    except MemoryError as error:
        raise MemoryError(memory_in_words(learner, X, error)) from error
    context.call_on_fit_task_end(estimator=learner, **told, reconstruction_attributes={})


def memory_in_words(learner: Any, X: Any, error: MemoryError) -> str:
    """What there was no room for, how large the table is, and what to do."""
    rows, columns = (X.count, X.columns) if isinstance(X, Rows) else (*getattr(X, "shape", ()), None, None)[:2]
    known = isinstance(rows, int) and isinstance(columns, int)
    size = f" The table has {rows} rows × {columns} columns, {8 * rows * columns / 2**20:.0f} MiB as numbers." if known else ""
    cause = f" ({error})" if str(error) else ""
    return (
        f"{type(learner).__name__}: there is not enough memory for this fit{cause}.{size} Fit to fewer rows or columns, "
        "or choose a learner that reads files block by block, such as LogisticRegression or KMeans."
    )
