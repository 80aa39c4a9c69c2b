"""From the columns of a table to what a learner needs: imputation, encoding, scaling, all inside one pipeline.

The kinds of the columns (core/columns.py) and what the learner declares decide:

    numbers       the mean for missing cells, unless the learner knows what to do with them; standardised where the learner is
                  not invariant to the scale of the columns
    binary        0 and 1
    ordinal       the number of the level, in its order, then as numbers
    categorical   a column of zeros and ones for each level, rare levels beyond 50 joined (levels.py)
    text          the weights of its words for learners of sparse columns, a few directions of these for others (columns/)
    lists         a column of zeros and ones for each item, and the number of items (columns/lists.py)
    places        kilometres east and north of the centre of the fit, or points of the globe (columns/places.py)
    dates         days since the first date of the fit, year, month, weekday and hour, with their cycles (columns/dates.py)

Learners of mixed tables (trees, `NaiveBayes`) get the columns as they are: words, ordered levels and missing cells. Learners of
categories (`CategoricalNB`) get codes: levels as they are, numbers in five classes of equal size. The baseline looks at no
column: nothing is prepared for it.

A level that the fit did not see becomes zeros, or a missing cell. The preparation belongs to the model: it is fitted to the
training rows alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.pipeline import Pipeline, make_pipeline

from aprendiz.bayes.calibrated_classifier_cv import CalibratedClassifierCV
from aprendiz.bayes.nearest_centroid import NearestCentroid
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.lab.bins import QuantileBins
from aprendiz.lab.columns.dates import DateColumns, without_dates
from aprendiz.lab.columns.kinds import of_kinds, takes_terms, without_kinds
from aprendiz.lab.columns.lists import ListColumns
from aprendiz.lab.columns.places import PlaceColumns, without_places
from aprendiz.lab.columns.text import MixedWithText, TextColumns, TextDirections
from aprendiz.lab.levels import LevelColumns, LevelNumbers, LevelWords
from aprendiz.linear.linear_regression import LinearRegression
from aprendiz.locale import _
from aprendiz.neighbors.shared.kept_rows import KeptRows
from aprendiz.preprocessing.min_max_scaler import MinMaxScaler
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

CLASSES_OF_NUMBERS = 5
MADE_OF = {  # codes for what columns of learners are made of
    "text": "directions",
    "date": "dates",
    "list": "items",
    "place": "kilometres",
    "latitude": "kilometres",
    "longitude": "kilometres",
}
BY_DISTANCE = (KeptRows, NearestCentroid)  # another unit of all columns changes nothing, of one of them it does


def prepared(learner: Any, table: Any, *, columns: Columns | None = None, selection: Any = None) -> Pipeline:
    """A pipeline of the preparation that a learner needs for the columns of a table, a selection if there is one, and the
    learner itself.

    Parameters
    ----------
    learner : estimator
    table : data frame of the features
    columns : Columns, optional
        The schema; by default inferred from the table.
    selection : selector, optional
        A step between the preparation and the learner; the baseline, which looks at no column, has none.
    """
    columns = columns if columns is not None else Columns.of(table)
    if learner.__sklearn_tags__().no_validation:
        return Pipeline([("learner", learner)])
    asked = learner_inside(learner)
    dates = [("dates", DateColumns(columns))] if of_kinds(columns, "date") else []
    columns = without_dates(columns)
    places = [("places", PlaceColumns(columns))] if of_kinds(columns, "place", "latitude", "longitude") else []
    columns = without_places(columns)
    text, lists = of_kinds(columns, "text"), of_kinds(columns, "list")
    others = without_kinds(columns, "text", "list")
    if wants_words(asked):
        change: Any = MixedWithText(columns) if text or lists else LevelWords(columns)
    else:
        steps = category_steps(others) if wants_codes(asked) else number_steps(asked, others)
        names = {"remainder": "drop", "verbose_feature_names_out": coincide(columns), "sparse_threshold": 1.0}
        change = ColumnTransformer([*steps, *text_steps(asked, text), *list_steps(asked, lists)], **names)
    chosen = [] if selection is None else [("selection", clone(selection))]
    return Pipeline([*dates, *places, ("preparation", change), *chosen, ("learner", learner)])


def numbers_of_table(table: Any, columns: Columns) -> Array:
    """All columns as numbers that are there, for what looks at a table without a learner: missing cells are the mean."""
    prepared_table = prepared(LinearRegression(), table, columns=columns)[:-1].fit_transform(table)
    dense = prepared_table.toarray() if sparse.issparse(prepared_table) else prepared_table
    numbers: Array = np.asarray(dense, dtype=np.float64)
    return numbers


def learner_inside(learner: Any) -> Any:
    """The learner whose columns they are: inside a calibration, or a transformation of the target."""
    if isinstance(learner, TransformedTargetRegressor):
        return learner.regressor
    return learner.estimator if isinstance(learner, CalibratedClassifierCV) else learner


@dataclass(frozen=True)
class ColumnsByName:
    """The places of some columns in a table, for `ColumnTransformer`, which looks through all columns for each name."""

    names: tuple[Any, ...]

    def __call__(self, table: Any) -> Array:
        places = {name: place for place, name in enumerate(table.columns)}
        if absent := [name for name in self.names if name not in places]:
            raise ValueError(
                _("The table has no column {name}, which the model needs; it has {known}.").format(
                    name=repr(absent[0]), known=", ".join(map(repr, list(places)[:20]))
                )
            )
        return np.array([places[name] for name in self.names])

    def __deepcopy__(self, _memo: Any) -> ColumnsByName:
        return self  # nothing in it changes


def coincide(columns: Columns) -> bool:
    """Would the columns of zeros and ones have the names of others?"""
    encoded = [f"{column.name}_{level}" for column in of_kinds(columns, "categorical") for level in column.levels]
    lists = tuple(f"{column.name}: " for column in of_kinds(columns, "list"))
    like_items = any(str(name).startswith(lists) for name in columns.names) if lists else False
    return like_items or len({*columns.names, *encoded}) < len(columns) + len(encoded)


def wants_codes(learner: Any) -> bool:
    return bool(learner.__sklearn_tags__().input_tags.categorical)


def wants_words(learner: Any) -> bool:
    """Does a learner take a table of words and numbers as it is?"""
    tags = learner.__sklearn_tags__().input_tags
    return "categories" in getattr(learner, "allows", ()) and not tags.categorical and not tags.positive_only


def number_steps(learner: Any, columns: Columns) -> list[tuple[str, Any, ColumnsByName]]:
    """The steps for a learner of numbers."""
    cleaning = cleaning_steps(learner)
    steps: list[tuple[str, Any, ColumnsByName]] = []
    if numbers := of_kinds(columns, "numeric"):
        steps.append(("numbers", join(cleaning), ColumnsByName(numbers.names)))
    if ordered := of_kinds(columns, "binary", "ordinal"):
        steps.append(("levels", join([LevelNumbers(ordered), *cleaning]), ColumnsByName(ordered.names)))
    if words := of_kinds(columns, "categorical"):
        steps.append(("categories", LevelColumns(words), ColumnsByName(words.names)))
    return steps


def cleaning_steps(learner: Any) -> list[Any]:
    """What is done to numbers: missing cells filled, columns scaled, as far as a learner needs it."""
    allows: frozenset[str] = getattr(learner, "allows", frozenset())
    filled = [] if "missing" in allows else [SimpleImputer(keep_empty_features=True)]
    if learner.__sklearn_tags__().input_tags.positive_only:  # counts start at 0
        return [*filled, MinMaxScaler(clip=True)]
    return [*filled, *([StandardScaler()] if knows_units(learner) else [])]


def knows_units(learner: Any) -> bool:
    """Does it matter in which units a column is measured?"""
    return isinstance(learner, BY_DISTANCE) or "scaling" in getattr(learner, "exceptions", {})


def category_steps(columns: Columns) -> list[tuple[str, Any, ColumnsByName]]:
    """The steps for a learner of categories."""
    steps: list[tuple[str, Any, ColumnsByName]] = []
    if numbers := of_kinds(columns, "numeric"):
        filled = SimpleImputer(strategy="median", keep_empty_features=True)
        steps.append(("numbers", join([filled, QuantileBins(CLASSES_OF_NUMBERS)]), ColumnsByName(numbers.names)))
    if words := of_kinds(columns, "binary", "ordinal", "categorical"):
        steps.append(("levels", LevelNumbers(words, seen=True), ColumnsByName(words.names)))
    return steps


def text_steps(learner: Any, text: Columns) -> list[tuple[str, Any, ColumnsByName]]:
    """The steps for columns of text: terms for learners of many sparse columns, a few directions for the others."""
    if not text:
        return []
    if takes_terms(learner):
        return [("text", TextColumns(text), ColumnsByName(text.names))]
    after: list[Any] = [StandardScaler()] if knows_units(learner) else []
    if learner.__sklearn_tags__().input_tags.positive_only:
        after = [MinMaxScaler(clip=True)]
    if wants_codes(learner):
        after = [QuantileBins(CLASSES_OF_NUMBERS)]
    return [("text", join([TextDirections(text), *after]), ColumnsByName(text.names))]


def treatment_of(learner: Any, column: Column) -> list[str]:
    """What becomes of a column before the learner sees it, step by step, in codes; empty if it is not looked at."""
    if learner.__sklearn_tags__().no_validation:
        return []
    if wants_words(learner):
        return [MADE_OF.get(column.kind, "as_it_is")]
    first = [MADE_OF[column.kind]] if column.kind in MADE_OF else []
    if column.kind == "list" and wants_codes(learner):
        return first
    if (column.kind == "numeric" or column.kind in MADE_OF.keys() - {"text"}) and wants_codes(learner):
        return [*first, *["median"][: bool(column.missing)], "classes_of_numbers"]
    gaps = column.missing and "missing" not in getattr(learner, "allows", frozenset())
    unit = "from_0_to_1" if learner.__sklearn_tags__().input_tags.positive_only else "standardised"
    scaled = [unit][: knows_units(learner) or unit == "from_0_to_1"]
    if column.kind == "text":
        return (
            ["terms"] if takes_terms(learner) else ["directions", *(["classes_of_numbers"] if wants_codes(learner) else scaled)]
        )
    if wants_codes(learner):
        return ["codes"]
    if column.kind == "categorical":
        return ["indicators"]
    first = first if column.kind in MADE_OF or column.kind == "numeric" else ["numbers_of_levels"]
    return [*first, *["mean"][: bool(gaps)], *scaled]


def list_steps(learner: Any, lists: Columns) -> list[tuple[str, Any, ColumnsByName]]:
    """The steps for columns of lists: the numbers of items are classes for learners of categories."""
    if not lists:
        return []
    places = ColumnsByName(lists.names)
    if not wants_codes(learner):
        return [("lists", join([ListColumns(lists), *cleaning_steps(learner)]), places)]
    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    sizes = join([ListColumns(lists, parts=("size",)), filled, QuantileBins(CLASSES_OF_NUMBERS)])
    return [("lists", ListColumns(lists, parts=("items",)), places), ("sizes", sizes, places)]


def join(steps: list[Any]) -> Any:
    return "passthrough" if not steps else steps[0] if len(steps) == 1 else make_pipeline(*steps)
