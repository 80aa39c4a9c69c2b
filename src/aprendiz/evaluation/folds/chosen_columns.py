"""The columns that a fitted pipeline has chosen, by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from aprendiz.core.targets import plain


def selectors(pipeline: Pipeline) -> list[int]:
    """The steps that select columns, the learner not among them."""
    return [place for place, (_name, step) in enumerate(pipeline.steps[:-1]) if hasattr(step, "get_support")]


def chosen_columns(model: Any) -> tuple[str, ...] | None:
    """The columns that the last selection of a pipeline keeps; None if there is no selection. Of a search, those of its best
    pipeline."""
    pipeline = getattr(model, "best_estimator_", model)
    places = selectors(pipeline) if isinstance(pipeline, Pipeline) else []
    if not places:
        return None
    names = names_before(pipeline, places[-1])
    support = np.flatnonzero(pipeline[places[-1]].get_support())
    return tuple(f"x{j}" if names is None else str(plain(names[j])) for j in support)


def names_before(pipeline: Pipeline, place: int) -> Any:
    """The names of the columns that a step gets; None if nobody knows them."""
    if hasattr(pipeline[place], "feature_names_in_"):
        return pipeline[place].feature_names_in_
    if not place:
        return None
    try:
        return pipeline[:place].get_feature_names_out()
    except (AttributeError, ValueError):  # a step that does not say what it makes
        return None
