"""Targets and weights: whatever a user passes as y or sample_weight, checked.

numbers(y)       float64 of shape (rows,) or (rows, targets)
classes(y)       the sorted labels, and for each row the number of its label
weights(w)       float64 of at least 0, not all 0; None stays None

`start` is the number of the first row, where they are a part of longer ones.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from aprendiz.core.containers import refuse_iterator, without_mask
from aprendiz.core.frames import is_missing
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.core.whole_numbers import LARGEST, fits_double, refuse_inexact_target, refuse_inexact_targets

FEW_NUMBERS = 2**16  # between the smallest and the largest label
WEIGHT_POWER = 300  # the largest weight lies between 2⁻³⁰⁰ and 2³⁰⁰: its products with squares of cells are then numbers


@dataclass(frozen=True)
class Levels(Sums):
    """The distinct values of a target, in order."""

    values: Array

    @classmethod
    def of(cls, block: Block) -> Self:
        return cls(np.unique(block.y))

    def __add__(self, other: Self) -> Self:
        refuse_two_kinds(self.values, other.values)
        return type(self)(np.union1d(self.values, other.values))


def refuse_two_kinds(a: Array, b: Array) -> None:
    """Words and numbers among the labels."""
    if (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        kinds = " and ".join(sorted({type(plain(values[0])).__name__ for values in (a, b)}))
        raise TypeError(f"y mixes labels of types {kinds}, which have no order: make them one type.")


def same_length(name: str, length: int, count: int) -> None:
    if length != count:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {count} rows, {name} has {length}."
        )


def numbers(y: Any, count: int, start: int = 0) -> Array:
    """A target of numbers: float64 of shape (rows,) or (rows, targets)."""
    target = real_target(y, start)
    if target.dtype.kind not in "biuf":
        for row, value in enumerate(target.ravel(), start):
            if not isinstance(value, (bool, int, float, np.number)) and not is_missing(value):
                raise ValueError(f"Unknown label type: y holds {plain(value)!r} in row {row}; a regressor needs numbers.")
        refuse_inexact_objects(target, start)
        target = np.array([np.nan if is_missing(value) else value for value in target.ravel()]).reshape(target.shape)
    refuse_inexact_targets(target, start)
    target = target.astype(np.float64, copy=False)
    if target.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d array, got an array of shape {target.shape} instead.")
    same_length("y", len(target), count)
    refuse_bad_number("y", target, start)
    return target


@dataclass(frozen=True)
class LargestNumbers(Sums):
    """The number of the largest size in each column of a target, or among weights, and its row; of equal ones the first."""

    value: Array
    row: Array

    @classmethod
    def of(cls, values: Array, start: int = 0) -> Self:
        table = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
        rows = np.abs(table).argmax(axis=0)
        return cls(table[rows, np.arange(table.shape[1])], start + rows)

    def __add__(self, other: Self) -> Self:
        later = np.abs(other.value) > np.abs(self.value)
        return type(self)(np.where(later, other.value, self.value), np.where(later, other.row, self.row))

    def below(self, power: int) -> bool:
        """Is the largest of some column below 2 to a power?"""
        return bool((np.abs(self.value) < 2.0**power).any())


def refuse_target_out_of_range(largest: LargestNumbers, powers: tuple[int, int]) -> None:
    """Stop at a target whose largest size is beyond 2 to these powers."""
    for column, (value, row) in enumerate(zip(largest.value.tolist(), largest.row.tolist(), strict=True)):
        if value and not 2.0 ** powers[0] <= abs(value) <= 2.0 ** powers[1]:
            where = f"row {row}" if len(largest.row) == 1 else f"row {row}, target {column}"
            among = ", and nothing larger in size" if abs(value) < 1 else ""
            raise ValueError(
                f"y holds {value:.3g} in {where}{among}: squares or sums of such numbers are out of range. "
                f"Scale the target: divide it by {abs(value):.0e}."
            )


def labels_in_order(y: Any, start: int = 0) -> Array:
    """Labels that can be sorted; one that is missing or of another kind is named."""
    target = real_target(y, start)
    if target.dtype == object:
        refuse_bad_labels(target.ravel(), start)
    elif target.dtype.kind == "f":
        refuse_bad_number("y", target, start)
    return target


def classes(y: Any, count: int, among: Array | None = None, least: int = 2) -> tuple[Array, Array]:
    """A target of classes: the sorted labels, at least so many, and for each row the number of its label. With `among`, the
    labels are these (more of them than occur, perhaps), or, if there are none, those that occur, be it a single one."""
    target = labels_in_order(y)
    if target.ndim != 1 and (target.ndim != 2 or target.shape[1] != 1):
        raise ValueError(f"y should be a 1d array, got an array of shape {target.shape} instead.")
    target = column_or_1d(target, warn=True)
    same_length("y", len(target), count)
    if target.dtype.kind == "f":
        refuse_measurements(target)
    elif target.dtype.kind not in "biuUS":
        check_classification_targets(target)
    labels, numbers = numbered(target)
    if among is None:
        refuse_few_classes(labels, least)
        warn_of_many_classes(len(labels), len(target))
    elif len(among):
        labels = among
        refuse_unknown_label(labels, target)
        numbers = np.searchsorted(labels, target)
    return labels, numbers


def numbered(target: Array) -> tuple[Array, Array]:
    """The sorted labels, and the number of the label of each row; by counting where labels are small whole numbers."""
    if target.dtype.kind in "iu" and len(target):
        first, last = int(target.min()), int(target.max())
        if last - first < FEW_NUMBERS:
            wide = target.astype(np.uint64 if target.dtype.kind == "u" else np.int64, copy=False)
            place = (wide - wide.dtype.type(first)).astype(np.int64, copy=False)
            there = np.bincount(place) > 0
            labels = np.flatnonzero(there).astype(wide.dtype) + wide.dtype.type(first)
            return labels.astype(target.dtype), (np.cumsum(there) - 1)[place]
    labels = np.unique(target)
    return labels, np.searchsorted(labels, target)


def refuse_unknown_label(labels: Array, target: Array) -> None:
    """A label that was not announced."""
    strange = ~np.isin(target, labels)
    if strange.any():
        row = int(np.flatnonzero(strange)[0])
        known = ", ".join(repr(plain(label)) for label in labels[:20])
        raise ValueError(f"y holds {plain(target[row])!r} in row {row}, which is none of the classes: {known}.")


def refuse_bad_labels(target: Array, start: int) -> None:
    """Labels that are missing, or of kinds that have no common order."""
    for row, value in enumerate(target, start):
        if is_missing(value):
            raise ValueError(f"Input y contains NaN: the label of row {row} is missing. Leave the row out.")
    for row, value in enumerate(target, start):
        if isinstance(value, Integral) and not -(2**63) <= int(value) < 2**64:
            raise ValueError(f"y holds {value} in row {row}, more than 64 bits: give such labels as text.")
    if 0 < sum(isinstance(value, str) for value in target) < len(target):
        kinds = sorted({type(value).__name__ for value in target})
        raise TypeError(f"y mixes labels of types {', '.join(kinds)}, which have no order: make them one type.")


def refuse_few_classes(labels: Array, least: int) -> None:
    """Fewer classes than a learner can tell apart."""
    if least > 1:
        refuse_one_class(labels)


def refuse_one_class(labels: Array) -> None:
    if len(labels) == 1:
        raise ValueError(f"y holds only one class, {plain(labels[0])!r}: a classifier needs at least two.")


def warn_of_many_classes(classes: int, rows: int) -> None:
    """Numbers, dates or names that were taken for classes: most of them occur once."""
    if rows > 20 and classes > rows / 2:
        warnings.warn(
            f"y has {classes} classes in {rows} rows, most of them in one row: a class needs several rows to be learned. "
            "If y is a quantity, use a regressor; if it is a name, choose another target.",
            UserWarning,
            stacklevel=7,
        )


def refuse_measurements(target: Array, where: str = "") -> None:
    if target.dtype.kind == "f" and (uneven := target != np.floor(target)).any():
        row = int(np.flatnonzero(uneven)[0])
        found = f"{plain(target[row])!r} {where or f'in row {row}'}"
        raise ValueError(
            f"Unknown label type: continuous. y holds {found}; a classifier needs classes, a regressor takes such numbers."
        )


def as_target(y: Any) -> Array:
    """A target as an array, from a series, a frame of one column, a list or an array."""
    import narwhals.stable.v2 as nw

    refuse_iterator("y", y)
    y = without_mask(y)
    if isinstance(y, (np.ndarray, list, tuple)):
        try:
            return np.asarray(y)
        except ValueError as error:  # of NumPy, about its own arrays
            raise ValueError("y holds lists of unequal lengths: give one value for each row.") from error
    native = nw.from_native(y, allow_series=True, eager_only=True, pass_through=True)
    return np.asarray(native.to_numpy() if isinstance(native, (nw.Series, nw.DataFrame)) else y)


def real_target(y: Any, start: int = 0) -> Array:
    """A target as an array, not one of complex numbers."""
    target = as_target(y)
    if target.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers.")
    if isinstance(y, (list, tuple)) and target.dtype.kind == "f" and target.size and np.abs(target).max() >= LARGEST:
        refuse_inexact_objects(np.asarray(y, dtype=object), start)  # NumPy has rounded whole numbers among floats
    return target


def refuse_inexact_objects(target: Array, start: int) -> None:
    """Stop at the first whole number among Python objects that no double holds."""
    for place, value in enumerate(target.ravel()):
        if not fits_double(value):
            refuse_inexact_target(value, start + place // (target.size // len(target)))


def weights(sample_weight: Any, count: int) -> Array | None:
    """Weights as float64: one for each row, none below 0, not all 0. One number stands for all rows."""
    if sample_weight is None:
        return None
    weight = weights_of_rows(sample_weight, count)
    if not weight.any():
        raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
    refuse_weights_out_of_range(LargestNumbers.of(weight))
    return weight


def refuse_weights_out_of_range(largest: LargestNumbers) -> None:
    """Stop at weights whose largest, if it is not 0, cannot be multiplied with squares of cells."""
    size, row = float(largest.value[0]), int(largest.row[0])
    which = "the largest" if size < 1 else "a"
    if size and not 2.0**-WEIGHT_POWER <= size <= 2.0**WEIGHT_POWER:
        raise ValueError(
            f"sample_weight: with {which} weight, {size:.3g} in row {row}, weighted squares are out of range. "
            "Scale the weights: divide them by the largest."
        )


def weights_of_rows(sample_weight: Any, count: int, start: int = 0) -> Array:
    """The same of some rows, which may all weigh 0."""
    refuse_iterator("sample_weight", sample_weight)
    sample_weight = without_mask(sample_weight)
    weight = np.asarray(sample_weight, object) if isinstance(sample_weight, (list, tuple)) else as_target(sample_weight)
    if weight.dtype.kind not in "biuf":
        weight = weights_of_objects(weight, start)
    weight = np.asarray(weight, dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(count, float(weight))
    if weight.ndim != 1:
        raise ValueError(f"sample_weight must be a 1d array, got an array of shape {weight.shape}.")
    same_length("sample_weight", len(weight), count)
    refuse_bad_number("sample_weight", weight, start)
    if (negative := weight < 0).any():
        row = int(np.flatnonzero(negative)[0])
        raise ValueError(
            f"Negative weight {weight[row]} in row {start + row} of sample_weight: weights count rows; use 0 to leave one out."
        )
    return weight


def weights_of_objects(weight: Array, start: int) -> Array:
    for row, value in enumerate(weight.ravel(), start):
        if not isinstance(value, (bool, np.bool_, Real)):
            raise ValueError(f"sample_weight holds {plain(value)!r} in row {row}: weights must be numbers of at least 0.")
        if isinstance(value, int) and value.bit_length() > 1023:
            raise ValueError(f"sample_weight holds a number too large for a double in row {row}: divide all weights by it.")
    return weight.astype(np.float64)


def plain(value: Any) -> Any:
    """A NumPy scalar as Python shows it."""
    return value.item() if isinstance(value, np.generic) else value


def refuse_bad_number(name: str, values: Array, start: int = 0) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        what = "NaN" if np.isnan(values[row]).any() else "infinity or a value too large for dtype('float64')"
        raise ValueError(f"Input {name} contains {what}: row {start + row}. Leave the row out or replace the value.")
