"""What the support vector machine of a run looks like from inside: which rows carry it, and how wide its margin is.

    on the margin     0 < α < C        beyond     α = C: inside the margin, or on the wrong side                    (1)

Rows that are no support vectors are right, and could be left out without any change. So when each row is left out in turn,
only support vectors can be wrong: an error of at most their share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.parameters import fits
from aprendiz.lab.outcome import Outcome


def support_vectors_of(outcome: Outcome) -> dict[str, Any] | None:
    """The numbers; None where no support vector machine was fitted to all rows."""
    if outcome.machine is None:
        return None
    name, pipeline = outcome.machine
    machine, rows = pipeline[-1], len(outcome.experiment.y)
    beyond = rows_beyond(machine)
    return {
        "method": name,
        "kernel": type(machine.kernel_).__name__,
        "kernel_parameters": {key: value for key, value in machine.kernel_.get_params().items() if fits(value, float)},
        "price": {key: getattr(machine, key) for key in ("C", "nu", "epsilon") if hasattr(machine, key)},
        "rows": rows,
        "count": len(machine.support_),
        "on_margin": len(machine.support_) - len(beyond),
        "beyond": len(beyond),
        "classes": of_classes(machine, outcome.experiment.y, beyond),
        "margins": getattr(machine, "margin_width_", 2.0 * machine.margin_ if hasattr(machine, "margin_") else []),
    }


def rows_beyond(machine: Any) -> Any:
    """Row numbers of the support vectors at their bound."""
    if hasattr(machine, "error_support_"):
        return machine.error_support_
    return machine.support_[np.abs(machine.dual_coef_[0]) >= machine.C]


def of_classes(machine: Any, y: Any, beyond: Any) -> list[dict[str, Any]]:
    """Rows and support vectors of each class; of numbers, nothing."""
    if not hasattr(machine, "classes_"):
        return []
    counts = zip(machine.classes_, machine.n_support_, strict=True)
    return [
        {"label": str(label), "rows": int((y == label).sum()), "count": int(count), "beyond": int((y[beyond] == label).sum())}
        for label, count in counts
    ]
