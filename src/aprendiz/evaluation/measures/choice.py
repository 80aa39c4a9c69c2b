"""The measures of a task, chosen by name."""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation import METRICS, Metric
from aprendiz.evaluation.measures.answers import Task


def chosen_metrics(task: Task, wanted: Any = None) -> tuple[Metric, ...]:
    """The measures that are asked for; by default all of the task that need no costs. A wrong name is answered with the right
    ones."""
    of_task = [metric for metric in METRICS.values() if metric.task == task]
    if wanted is None:
        return tuple(metric for metric in of_task if metric.needs != "rule")
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names:
        if name not in METRICS or METRICS[name].task != task:
            known = ", ".join(metric.name for metric in of_task)
            raise ValueError(f"{name!r} is not a measure for {task}; choose one of {known}.")
    return tuple(METRICS[name] for name in names)
