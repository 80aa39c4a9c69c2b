"""Out-of-bag sums that are asked for after the fit: the members are there, and their bags are drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.routing import NO_METADATA
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.members.ensemble_state import sums_of

OF_OUT_OF_BAG = ("oob_score_", "oob_decision_function_", "oob_prediction_", "oob_confusion_", "oob_errors_", "n_never_out_")


def judged(ensemble: Any, since: Any, data: EnsembleData) -> Any:
    """A state of a fit that nobody had asked for out-of-bag sums, with those of its members."""
    tally, errors = ensemble.tally(None, data), []
    assert data.bags is not None
    for number, said in enumerate(answers_of_members(since.forest(data.classes), since.models, data.rows)):
        asked = np.flatnonzero(data.bags.counts(number) == 0)
        tally.add(asked, ensemble.votes(data.that_count(said)[asked], data.costs))
        errors.append(tally.error)
    return replace(since, objective=tally.error, oob_errors=np.array(errors), **sums_of(tally))


def answers_of_members(
    forest: Forest, models: Sequence[Any], rows: Rows, metadata: Mapping[str, Any] = NO_METADATA
) -> Iterator[Array]:
    """The predictions of each member for all rows, of which models are told metadata."""
    if len(models):
        yield from (model.answers(rows, metadata) for model in models)
        return
    for tree in range(len(forest)):
        yield forest.value.take(rows.each(ForestDescent(forest).answers, tree), axis=0)
