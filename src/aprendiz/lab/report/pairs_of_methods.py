"""All pairs of methods, each compared over the folds (or over the rows of a single split), p-values raised for their number."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.evaluation.compare import compare
from aprendiz.lab.experiment import Results


def pairs_of(results: Results) -> list[dict[str, Any]]:
    """Every pair, those with the smallest p-values first; none where there is nothing to compare."""
    if len(results.evaluations) < 2:
        return []
    folds = len(next(iter(results.evaluations.values())).folds)
    try:
        found = compare(results.evaluations, metric=results.question.metric, test="corrected_t" if folds > 1 else "paired_z")
    except ValueError:  # equal scores in every fold, or none
        return []
    pairs = found.pairs or (found,)
    listed = [
        {
            "methods": list(one.names),
            "difference": one.estimate,
            "low": one.interval[0],
            "high": one.interval[1],
            "p_value": one.p_value,
            "raised": one.adjusted,
            "better": one.better,
        }
        for one in pairs
    ]
    return sorted(listed, key=lambda one: (np.isnan(one["raised"]), one["raised"], one["p_value"]))
