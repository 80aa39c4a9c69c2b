"""What is known of tables that were learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

LIKELIHOOD = "no other tables have as large a likelihood"
POSTERIOR = "no other tables have as large a posterior density"
ASCENT = "the log-likelihood never fell"
PENALISED_ASCENT = "the log-likelihood and the log prior, added, never fell"


def of_tables(tables: Sequence[Array], raised: Sequence[Array], log: Array) -> dict[str, object]:
    """Sizes that say how far tables may be trusted: `empty` configurations of parents, of which nothing is known, zeros."""
    return {
        "cost": -float(log[-1]) if len(log) else np.inf,
        "n_parameters": sum(table.size - table.size // table.shape[-1] for table in tables),
        "empty": int(sum((counts.sum(axis=-1) == 0).sum() for counts in raised)),
        "zeros": int(sum((table == 0).sum() for table in tables)),
    }


def of_counts(tables: Sequence[Array], raised: Sequence[Array], log: Array, prior: bool) -> Certificate:
    """That the tables of some counts (`raised` by pseudo-counts) are the only best ones. Where a configuration of parents
    never occurs, all shares are as good as the equal ones that it got."""
    values = of_tables(tables, raised, log)
    return Certificate(POSTERIOR if prior else LIKELIHOOD, values["empty"] == 0, {**values, "log": -log})


def of_ascent(tables: Sequence[Array], raised: Sequence[Array], log: Array, prior: bool) -> Certificate:
    """That no pass of EM lowered what it raises by more than 10⁻¹² of its size. Nothing is claimed about other maxima."""
    rise = float(np.max(-np.diff(log), initial=0.0)) / max(1.0, float(np.abs(log).max(initial=0.0)))
    values = {**of_tables(tables, raised, log), "rise": rise, "log": -log}
    return Certificate(PENALISED_ASCENT if prior else ASCENT, rise <= 1e-12, values)
