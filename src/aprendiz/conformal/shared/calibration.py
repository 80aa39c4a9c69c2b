"""What a calibrated predictor keeps: its attributes, set in one step, and a certificate of its calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from aprendiz.conformal.shared.fold_models import Division
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

OF_BASE = ("n_features_in_", "feature_names_in_")
CLAIM = "every calibration row was judged once, by a model that was not fitted to it, and has a score"
ELSEWHERE = "every calibration row has a score, from a model that was fitted elsewhere"


def certified(scores: Sequence[Array], division: Division | None) -> Certificate:
    """Looked at in the rows of the splits and the scores themselves."""
    every = np.concatenate(scores)
    known = bool(np.isfinite(every).all())
    values = {"rows": len(every), "equal_scores": len(every) - len(np.unique(every))}
    if division is None:
        return Certificate(ELSEWHERE, known, values)
    return Certificate(CLAIM, known and division.apart, {**values, "models": len(division.splits)})


def settle(predictor: Any, base: Any, fitted: Mapping[str, Any]) -> None:
    """Set fitted attributes, and what the base knows of its columns, in one step."""
    kept = {name: value for name, value in vars(predictor).items() if not name.endswith("_")}
    kept |= {name: getattr(base, name) for name in OF_BASE if hasattr(base, name)}
    predictor.__dict__ = {**kept, **fitted}


def tags_of_base(tags: Any, estimator: Any) -> Any:
    """The tags of a predictor, whose tables are those of its estimator."""
    base = get_tags(estimator)
    for name in ("sparse", "allow_nan", "categorical", "string"):
        setattr(tags.input_tags, name, getattr(base.input_tags, name))
    if tags.classifier_tags is not None and base.classifier_tags is not None:
        tags.classifier_tags.multi_class = base.classifier_tags.multi_class
    return tags
