"""Telling scikit-learn's callbacks about a fit: that it begins, each of its states, and that it ends.

A fit is the root task of the callback protocol, a state is one of its subtasks. A callback that asks for the fitted
estimator gets one made from the attributes of the state; a callback that answers True stops the fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


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
        attributes = {"reconstruction_attributes": lambda: {**rows.noted, **learner.attributes(state, rows)}}
        return bool(task.call_on_fit_task_end(estimator=learner, **told, **attributes))

    yield report
    context.call_on_fit_task_end(estimator=learner, **told, reconstruction_attributes={})
