"""From the columns of a table to what a learner needs: imputation, encoding, scaling, all inside one pipeline.

The kinds of the columns (core/columns.py) and what the learner declares decide:

    numbers       the mean for missing cells, unless the learner knows what to do with them; standardised where the learner is
                  not invariant to the scale of the columns
    binary        0 and 1
    ordinal       the number of the level, in its order, then as numbers
    categorical   a column of zeros and ones for each level (scikit-learn's OneHotEncoder); rare levels beyond 50 joined

Learners of categories (`CategoricalNB`) get codes instead: levels as they are, numbers in five classes of equal size.

A level that the fit did not see becomes zeros (or a missing code). The preparation belongs to the model: it is fitted to the
training rows alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from aprendiz.core.columns import Column, Columns
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

MOST_LEVELS = 50
CLASSES_OF_NUMBERS = 5


def prepared(learner: Any, table: Any, *, columns: Columns | None = None) -> Pipeline:
    """A pipeline of the preparation that a learner needs for the columns of a table, and the learner itself.

    Parameters
    ----------
    learner : estimator
    table : data frame of the features
    columns : Columns, optional
        The schema; by default inferred from the table.
    """
    columns = columns if columns is not None else Columns.of(table)
    steps = coded(columns) if wants_codes(learner) else numbered(learner, columns)
    change = ColumnTransformer(steps, remainder="drop", verbose_feature_names_out=False)
    return Pipeline([("preparation", change), ("learner", learner)])


def wants_codes(learner: Any) -> bool:
    return bool(learner.__sklearn_tags__().input_tags.categorical)


def named(columns: Columns, *kinds: str) -> list[Any]:
    return [column.name for column in columns if column.kind in kinds]


def numbered(learner: Any, columns: Columns) -> list[tuple[str, Any, list[Any]]]:
    """The steps for a learner of numbers."""
    allows: frozenset[str] = getattr(learner, "allows", frozenset())
    exceptions: dict[str, str] = getattr(learner, "exceptions", {})
    filled = [] if "missing" in allows else [SimpleImputer(keep_empty_features=True)]
    scaled = [StandardScaler()] if "scaling" in exceptions else []
    steps: list[tuple[str, Any, list[Any]]] = []
    if numbers := named(columns, "numeric"):
        steps.append(("numbers", joined([*filled, *scaled]), numbers))
    if ordered := named(columns, "binary", "ordinal"):
        codes = level_numbers([columns[name] for name in ordered])
        steps.append(("levels", joined([codes, *filled, *scaled]), ordered))
    if words := named(columns, "categorical"):
        onehot = OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=MOST_LEVELS, sparse_output=False)
        steps.append(("categories", joined([SimpleImputer(strategy="most_frequent", keep_empty_features=True), onehot]), words))
    return steps


def coded(columns: Columns) -> list[tuple[str, Any, list[Any]]]:
    """The steps for a learner of categories."""
    steps: list[tuple[str, Any, list[Any]]] = []
    if numbers := named(columns, "numeric"):
        bins = KBinsDiscretizer(CLASSES_OF_NUMBERS, encode="ordinal", quantile_method="averaged_inverted_cdf")
        steps.append(("numbers", joined([SimpleImputer(strategy="median", keep_empty_features=True), bins]), numbers))
    if words := named(columns, "binary", "ordinal", "categorical"):
        steps.append(("levels", level_numbers([columns[name] for name in words]), words))
    return steps


def level_numbers(columns: list[Column]) -> OrdinalEncoder:
    """Levels as their numbers, in the order of the schema; NaN for a missing cell and for a level that is not there."""
    levels = [np.array(column.levels, dtype=object) for column in columns]
    return OrdinalEncoder(categories=levels, handle_unknown="use_encoded_value", unknown_value=np.nan)


def joined(steps: list[Any]) -> Any:
    return "passthrough" if not steps else steps[0] if len(steps) == 1 else make_pipeline(*steps)
