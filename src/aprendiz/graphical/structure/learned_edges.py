"""What learners of structure share: columns of codes or words, whose names are the nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.columns import Columns
from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Rows
from aprendiz.summaries.codes import categorical_schema

NO_CLASSES = np.array([])  # announced: batches are learned from, so that their levels are new ones and not strangers


class LearnedEdges(Learner):
    """A learner whose columns hold categories and whose answer is edges between them."""

    allows: ClassVar[frozenset[str]] = frozenset({"missing", "categories"})
    exceptions: ClassVar[Mapping[str, str]] = {
        "shift": "codes are names, not measurements",
        "scaling": "codes are names, not measurements",
        "check_sample_weight_equivalence_on_dense_data": "fractions are no categories: refused, not cut",
    }

    def schema(self, X: Any) -> Columns:
        """Every column is categorical, whole numbers too."""
        return categorical_schema(X)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows; later batches may bring new levels."""
        check_parameters(self)
        return open_rows(self, X, y, sample_weight, target=self.target, reset=reset, among=NO_CLASSES)

    @property
    def nodes_(self) -> tuple[Any, ...]:
        """The names of the columns; their numbers, where they have none."""
        check_is_fitted(self)
        if (names := getattr(self, "feature_names_in_", None)) is not None:
            return tuple(names)
        schema = getattr(self, "columns_", None)
        return tuple(range(self.n_features_in_)) if schema is None else schema.names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.input_tags.string = True
        return tags
