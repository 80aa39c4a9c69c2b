"""How a tree is grown: the criterion, the kinds of splits, and when to stop.

    node is a leaf if     it is pure, or depth = max_depth, or fewer than min_samples_split rows, or
                          no split leaves min_samples_leaf rows (and their weight) in both branches (in two of
                          several), or
                          w(t)/w(root)·decrease of the best split < β = min_impurity_decrease               (1)

Shares of the rows may stand for numbers of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Literal

from aprendiz.core.parameters import ParameterError
from aprendiz.tree.growth import records
from aprendiz.tree.growth.monotone import refuse_several_outputs

ENTROPIES = ("entropy", "log_loss", "gain_ratio")
CRITERIA = {
    "gini": records.SQUARES,
    **dict.fromkeys(ENTROPIES, records.ENTROPY),
    "error": records.ERROR,
    "squared_error": records.SQUARES,
    "friedman_mse": records.SQUARES,
    "absolute_error": records.ABSOLUTE,
    "poisson": records.POISSON,
}
MISSING = {"own": records.OWN, "surrogate": records.SURROGATE, "fractional": records.FRACTIONAL}
UNLIMITED = 2**62
SURROGATES = 5  # kept in a node, as in CART


@dataclass(frozen=True)
class Plan:
    """What the parameters of a learner say about its growth; the names are those of the parameters."""

    criterion: str | Callable[..., Any]
    categories: Literal["subsets", "multiway"] = "subsets"
    missing: Literal["own", "surrogate", "fractional"] = "own"
    splitter: Literal["best", "random"] = "best"
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    least_cases: float = 0.0  # the same in cases: see `least_weight`
    max_features: Any = None
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    exact: bool | None = None
    targets: int = 0  # of classes, where the numbers are indicators of several (core/several_targets.py)
    thresholds: Literal["all", "boundary"] = "all"
    monotonic_cst: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.min_samples_split, Integral) and self.min_samples_split < 2:
            raise ParameterError(
                f"min_samples_split must be a whole number of at least 2, or a share of the rows, got {self.min_samples_split}."
            )
        if self.thresholds == "boundary" and self.targets:
            raise ParameterError('thresholds="boundary" looks at the classes of one target: give "all" for several.')
        if self.thresholds == "boundary" and self.splitter == "random":
            raise ParameterError('thresholds="boundary" needs splitter="best": a random threshold lies anywhere.')
        if self.missing == "surrogate" and self.categories == "multiway":
            raise ParameterError('missing="surrogate" needs splits with two branches: give categories="subsets".')
        if self.monotonic_cst is not None:
            self.refuse_for_constraints()

    def refuse_for_constraints(self) -> None:
        """What monotonic constraints cannot go with: a surrogate split may send a row the other way where its column rises, and
        rows in several branches have no value of their own in them."""
        if self.missing != "own":
            raise ParameterError(f'monotonic_cst needs missing="own", got {self.missing!r}.')
        if callable(self.criterion):
            raise ParameterError('monotonic_cst needs a criterion with a name, such as "gini", not a function.')

    def rules(self, rows: int, columns: int, weight: float, classes: int, outputs: int = 1) -> records.GrowthRules:
        """The same for the kernels of the growth."""
        unit = 1.0 / math.log(2.0) if self.criterion in ENTROPIES else 1.0 if classes else 1.0 / outputs
        criterion = CRITERIA[str(self.criterion)]
        if self.targets:
            unit = self.unit_of_targets()
            criterion = records.SQUARES if self.criterion == "gini" else records.SHARES
        squares, best = criterion == records.SQUARES, self.splitter == "best"
        boundary = self.thresholds == "boundary"
        return records.GrowthRules(
            criterion=criterion,
            classes=classes,
            ratio=self.criterion == "gain_ratio",
            multiway=self.categories == "multiway",
            missing=MISSING[self.missing],
            random=self.splitter == "random",
            max_depth=UNLIMITED if self.max_depth is None else int(self.max_depth),
            min_split=max(2, rows_of(self.min_samples_split, rows), 2 * rows_of(self.min_samples_leaf, rows)),
            min_leaf=rows_of(self.min_samples_leaf, rows),
            min_weight=self.least_weight(rows, weight),
            min_decrease=float(self.min_impurity_decrease),
            max_features=columns_of(self.max_features, columns),
            max_leaves=-1 if self.max_leaf_nodes is None else int(self.max_leaf_nodes),
            surrogates=SURROGATES,
            straight=squares and best and not boundary and (classes > 0 or outputs == 1) and self.monotonic_cst is None,
            boundary=boundary,
            unit=unit,
        )

    def unit_of_targets(self) -> float:
        """What the variances or entropies of all indicators add to, times this, is the mean impurity of several targets."""
        return (1.0 if self.criterion == "gini" else 1.0 / math.log(2.0)) / self.targets

    def for_targets(self, targets: int) -> Plan:
        """The same for several targets of classes."""
        if self.monotonic_cst is not None:
            refuse_several_outputs(targets)
        if self.criterion not in ("gini", "entropy", "log_loss"):
            raise ParameterError(
                f'criterion={self.criterion!r} supports one target only: fit a tree for each, or use "gini" or "entropy".'
            )
        return replace(self, targets=targets)

    def least_weight(self, rows: int, weight: float) -> float:
        """The least weight of a branch, of some rows of a weight. A weight is a number of cases, unless there are fewer cases
        than rows: then the weights are shares, and a case is their mean, but for rounding."""
        case = 1.0 if weight >= rows else weight / rows * (1.0 - 1e-9)
        return max(float(self.min_weight_fraction_leaf * weight), self.least_cases * case)


def rows_of(number: float, rows: int) -> int:
    """A number of rows (at most one more than there are: no node has as many), or the number that is a share of all."""
    whole = float(number).is_integer() and not isinstance(number, float)
    return min(int(number), rows + 1) if whole else math.ceil(number * rows)


def columns_of(wanted: Any, columns: int) -> int:
    """How many columns a node looks at."""
    if wanted is None:
        return columns
    if wanted == "sqrt":
        return max(1, int(math.sqrt(columns)))
    if wanted == "log2":
        return max(1, int(math.log2(columns)))
    return int(wanted) if not isinstance(wanted, float) else max(1, int(wanted * columns))
