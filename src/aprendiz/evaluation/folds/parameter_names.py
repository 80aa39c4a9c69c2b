"""Names of parameters: those of the last step of a pipeline may be given without its name."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline


def full_name(learner: Any, name: str) -> str:
    """`alpha` of a pipeline that ends with `("ridge", Ridge())` is `ridge__alpha`."""
    if not isinstance(learner, Pipeline) or ("__" in name and name in learner.get_params()):
        return name
    return f"{learner.steps[-1][0]}__{name}"
