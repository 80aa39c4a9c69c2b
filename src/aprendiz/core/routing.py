"""Metadata beside X and y (weights, groups, anything with an entry for each row): who is told, and who is not.

scikit-learn routes metadata to the learners inside a learner that ask for it (`set_fit_request` and its like), once
`sklearn.set_config(enable_metadata_routing=True)` is said; before, none but weights is passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn import get_config

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target

NO_METADATA: Mapping[str, Any] = MappingProxyType({})


def routes_metadata() -> bool:
    """Is metadata routed?"""
    return bool(get_config()["enable_metadata_routing"])


def refuse_unrouted(learner: Any, method: str, params: Mapping[str, Any]) -> None:
    """Stop at what is passed beside X, y and weights, where nothing is routed."""
    if params and not routes_metadata():
        raise ValueError(
            f"{', '.join(params)} passed to {type(learner).__name__}.{method}, which is only supported if "
            "enable_metadata_routing=True: see sklearn.set_config."
        )


def of_some_rows(params: Mapping[str, Any], some: Array | None, count: int) -> dict[str, Any]:
    """Metadata of some rows (a mask or their numbers; None for all), out of as many: what has an entry for each row is cut,
    the rest is passed as it is."""

    def cut(value: Any) -> Any:
        shape = value.shape if hasattr(value, "shape") else np.shape(value)
        return as_target(value)[some] if shape[:1] == (count,) else value

    return dict(params) if some is None else {name: cut(value) for name, value in params.items()}
