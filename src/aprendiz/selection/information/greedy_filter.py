"""Greedy filters: columns chosen one after the other, each by what it says of the class beside those that are chosen.

    forward     S ← S ∪ {j},  j the column outside S of largest J(j; S); at first that of largest I(x_j; y)              (1)
    backward    S ← S ∖ {j},  j the column of S of smallest J(j; S ∖ j); of the last two that of smaller I(x_j; y)       (2)

J is the leaf's. It is made of one number for each pair of columns (a sum of them over S, or the least), so a step only adds the
pairs with the column that was chosen last; backward, it takes away those of the column that left.

Ties: of columns whose J differ by no more than rounding can move them, the first in the table is chosen, and the last one
leaves. Columns that do not vary have no say. With more than 1000 columns, the first cut keeps the fifth of largest I(x_j; y).

Cost: O(n·d·k) forward, O(n·m²) backward from the m columns of the first cut; memory O(n·d), the codes.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from numbers import Integral
from typing import Annotated, Any, ClassVar

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import Target
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.parameters import Within, fits
from aprendiz.core.rows import Array, Rows
from aprendiz.locale import _
from aprendiz.selection.information.coded_table import CodedTable
from aprendiz.selection.information.column_codes import Bins, quantity_in_bins
from aprendiz.selection.shared.how_many import how_many
from aprendiz.selection.shared.selector import Selector, refuse_nothing

USUAL_CUT, MANY = 0.2, 1000
Bin = Annotated[int, Within(2, 1000)]


@dataclass(frozen=True)
class Choices(State):
    """The columns in the order in which they were chosen (or left), the criterion of each at that time, by how much it was
    ahead of the next one, and how many others were tied with it. Of all columns: the relevance, what the pairs with S add
    up to, the latest J, and which can still be chosen (or leave). How far rounding may move a J."""

    order: Array
    scores: Array
    ahead: Array
    tied: Array
    relevance: Array
    sums: Array
    latest: Array
    left: Array
    rounding: float


class GreedyFilter(Selector, Iterative):
    """The search (1) or (2). A leaf gives J: `of_pairs`, and `criterion`."""

    target: ClassVar[Target] = "classes"
    least_classes: ClassVar[int] = 2
    several_targets: ClassVar[bool] = False
    allows = frozenset({"missing", "categories", "sparse"})
    State = Choices
    exceptions: ClassVar[Mapping[str, str]] = {
        "memory": "pairs of columns are counted: the codes of all cells are kept in memory",
        "monotone": "each state chooses another column, which is rarely better than the one before",
        "shift": "the chosen columns are handed out as they are",
        "column order": "the chosen columns stand in the order of the table",
    }
    keep: Any
    first_cut: Any
    bins: Bins
    n_bins: Any

    # ---- what a leaf says ----------------------------------------------------------------------------------------------

    @abstractmethod
    def of_pairs(self, table: CodedTable, s: int, among: Array) -> Array:
        """The number of each pair of a column among some and the column s."""

    @abstractmethod
    def criterion(self, relevance: Array, sums: Array, chosen: int) -> Array:
        """J, from the relevance and the numbers of the pairs with so many chosen columns, combined."""

    def combine(self, sums: Array, of_pairs: Array) -> Array:
        """The numbers of the pairs with one more column."""
        return sums + of_pairs

    nothing: ClassVar[float] = 0.0  # what the numbers of no pairs combine to
    cuts_quantities: ClassVar[bool] = True  # a target of measurements is no mistake

    def backwards(self) -> bool:
        """Whether columns leave, rather than join."""
        return False

    # ---- the door ------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows; a target that is a quantity is cut into bins."""
        n_bins = self.n_bins if fits(self.n_bins, Bin) else None
        return super().open(X, quantity_in_bins(y, n_bins), sample_weight, reset=reset)

    # ---- the search ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Choices | None = None) -> Iterator[Choices]:
        """(1) or (2), a column at a time."""
        table = CodedTable.of(rows, self.bins, self.n_bins)
        state = since
        if state is None:
            state = self.begin(table)
            yield state
        while not state.settled:
            state = self.drop(table, state) if self.backwards() else self.add(table, state)
            yield state

    def begin(self, table: CodedTable) -> Choices:
        """The candidates."""
        relevance = table.with_class()
        inside = self.candidates(table.columns.varies, relevance)
        none, sums, latest = np.empty(0), np.full(len(relevance), self.nothing), np.where(inside, relevance, -np.inf)
        if self.backwards():
            sums[inside] = self.sums_of_all(table, np.flatnonzero(inside))
            latest[inside] = self.criterion(relevance[inside], sums[inside], int(inside.sum()) - 1)
        settled = self.backwards() and int(inside.sum()) == 1
        order, best = none.astype(np.int64), float(latest.max())
        return Choices(0, best, settled, order, none, none, order, relevance, sums, latest, inside, 0.0)

    def add(self, table: CodedTable, state: Choices) -> Choices:
        """One step of (1)."""
        outside, chosen = np.flatnonzero(state.left), len(state.order)
        sums, latest, left = state.sums.copy(), state.latest.copy(), state.left.copy()
        if chosen:
            sums[outside] = self.combine(sums[outside], self.of_pairs(table, int(state.order[-1]), outside))
            latest[outside] = self.criterion(state.relevance[outside], sums[outside], chosen)
        rounding = table.rounding * (chosen + 1)
        best, ahead, tied = first_of_largest(latest, left, rounding)
        left[best] = False
        wanted = self.number_wanted(chosen + len(outside), len(latest))
        found = self.follow(state, best, latest, (ahead, tied), sums, left, rounding)
        return replace(found, settled=chosen + 1 >= wanted)

    def drop(self, table: CodedTable, state: Choices) -> Choices:
        """One step of (2)."""
        latest, left, many = state.latest.copy(), state.left.copy(), int(state.left.sum())
        rounding = table.rounding * many
        worst, ahead, tied = last_of_smallest(state.relevance if many == 2 else latest, left, rounding)
        left[worst] = False
        inside, sums = np.flatnonzero(left), state.sums.copy()
        sums[inside] -= self.of_pairs(table, worst, inside)
        found = self.follow(state, worst, latest, (ahead, tied), sums, left, rounding)
        after = latest.copy()
        after[inside] = self.criterion(state.relevance[inside], sums[inside], many - 2)
        return replace(found, latest=after, settled=many == 2)

    def follow(
        self, state: Choices, j: int, latest: Array, won_by: tuple[float, int], sums: Array, left: Array, rounding: float
    ) -> Choices:
        """The state after a column was chosen, or left."""
        order, scores = np.append(state.order, j), np.append(state.scores, latest[j])
        ahead, ties = np.append(state.ahead, won_by[0]), np.append(state.tied, won_by[1])
        objective, most = float(latest[j]), max(state.rounding, rounding)
        return Choices(
            state.iteration + 1, objective, False, order, scores, ahead, ties, state.relevance, sums, latest, left, most
        )

    def sums_of_all(self, table: CodedTable, inside: Array) -> Array:
        """The numbers of the pairs of each column with all others, added."""
        sums = np.zeros(len(inside))
        for place in range(len(inside) - 1):
            later = slice(place + 1, None)
            of_pairs = self.of_pairs(table, int(inside[place]), inside[later])
            sums[later] += of_pairs
            sums[place] += of_pairs.sum()
        return sums

    def candidates(self, varies: Array, relevance: Array) -> Array:
        """The columns that vary; after the first cut, those of largest relevance among them."""
        refuse_nothing(varies, "every column is constant or missing in all rows. Check how the table was read.")
        cut = (USUAL_CUT if len(varies) > MANY else 1.0) if self.first_cut is None else self.first_cut
        many = int(varies.sum())
        most = max(ceil(cut * many), min(self.number_wanted(many, len(varies)), many))
        if most >= many:
            return varies.copy()
        ranked = np.where(varies, relevance, -np.inf)
        inside = np.zeros(len(varies), bool)
        inside[np.argsort(-ranked, kind="stable")[:most]] = True
        return inside

    def number_wanted(self, candidates: int, columns: int) -> int:
        """How many columns to keep, of so many candidates."""
        return how_many(type(self).__name__, self.keep, columns, candidates)

    def most_states(self) -> int | None:
        """Forward, one for each column to keep, and the first."""
        return int(self.keep) + 1 if isinstance(self.keep, Integral) and not self.backwards() else None

    # ---- what is found -------------------------------------------------------------------------------------------------

    def attributes(self, state: Choices, rows: Rows) -> dict[str, Any]:
        """The chosen columns, and how they were chosen."""
        columns, order, scores = len(state.relevance), state.order, state.latest.copy()
        scores[order] = state.scores
        rest = np.flatnonzero(state.left)
        rest = rest[np.argsort(-state.latest[rest], kind="stable")]
        if self.backwards():
            ranked = np.concatenate([rest, order[::-1]])
            chosen = ranked[: max(self.number_wanted(len(ranked), columns), 0 if state.settled else len(rest))]
        else:
            ranked = np.concatenate([order, rest])
            chosen = ranked[: max(1, len(order))]
        if state.settled and isinstance(self.keep, Integral) and len(chosen) < int(self.keep):
            warn_of_few(type(self).__name__, int(self.keep), len(chosen))
        support, ranking = np.zeros(columns, bool), np.full(columns, len(ranked) + 1)
        support[chosen], ranking[ranked] = True, 1 + np.arange(len(ranked))
        return {
            "support_": support,
            "order_": chosen,
            "order_scores_": scores[chosen],
            "scores_": np.where(np.isneginf(scores), state.relevance, scores),
            "relevance_": state.relevance,
            "ranking_": ranking,
            "ties_": state.tied.astype(np.int64),
            "classes_": rows.labels,
            "n_iter_": state.iteration,
            "certificate_": clear_choices(state),
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def first_of_largest(values: Array, inside: Array, rounding: float) -> tuple[int, float, int]:
    """The first column inside whose value is the largest, up to rounding; by how much it is ahead of those that are not tied
    with it; and how many are."""
    places = np.flatnonzero(inside)
    best = values[places].max()
    tied = values[places] >= best - rounding
    others = values[places][~tied]
    return int(places[tied][0]), float(best - others.max()) if len(others) else float("inf"), int(tied.sum()) - 1


def last_of_smallest(values: Array, inside: Array, rounding: float) -> tuple[int, float, int]:
    """The same of the smallest value, of which the last leaves."""
    places = np.flatnonzero(inside)
    least = values[places].min()
    tied = values[places] <= least + rounding
    others = values[places][~tied]
    return int(places[tied][-1]), float(others.min() - least) if len(others) else float("inf"), int(tied.sum()) - 1


def clear_choices(state: Choices) -> Certificate:
    """That each step took the best column."""
    ahead, ties = float(state.ahead.min(initial=np.inf)), int((state.tied > 0).sum())
    claim = "at each step no column had a better criterion, to rounding; of tied ones the first in the table was preferred"
    known = {"ahead": ahead, "ties": ties, "rounding": state.rounding, "objective": state.objective}
    return Certificate(claim, bool(ahead > state.rounding), known)


def warn_of_few(name: str, keep: int, found: int) -> None:
    """Fewer columns vary than should be kept."""
    words = _("{name} keeps {found} columns instead of {keep}: the others are constant, or missing in all rows.")
    warnings.warn(words.format(name=name, found=found, keep=keep), UserWarning, stacklevel=5)
