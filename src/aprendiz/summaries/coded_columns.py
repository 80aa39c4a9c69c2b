"""Learners whose columns hold categories: words, or whole-number codes."""

from __future__ import annotations

from typing import Any, ClassVar

from aprendiz.core.columns import Columns
from aprendiz.core.learner import Learner
from aprendiz.summaries.codes import categorical_schema

CODES_ARE_NAMES = {  # laws that do not hold
    **dict.fromkeys(("shift", "scaling"), "codes are names, not measurements"),
    "check_sample_weight_equivalence_on_dense_data": "fractions are no categories: refused, not cut",
}


class CodedColumns(Learner):
    """Takes words, codes 0, 1, 2, …, and missing cells."""

    allows: ClassVar[frozenset[str]] = frozenset({"missing", "categories"})

    def schema(self, X: Any) -> Columns:
        """Every column is categorical, whole numbers too."""
        return categorical_schema(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.input_tags.string = True
        return tags
