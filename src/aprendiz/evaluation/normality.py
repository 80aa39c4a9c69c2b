"""Are the columns normal, in each class? Histogram with the fitted curve, quantiles, skewness and kurtosis, tests.

The formulas stand in shapes/normal_tests.py. Several columns and classes are tested, so the p-values are raised by Holm's
method (significance/adjusted_p_values.py). A column looks normal unless its p-value is below the level *and* the fitted curve
is off by at least 0.05 in probability: with many rows a deviation that matters to nobody is significant.

Cost: O(n·d·log n), in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.description.opened_table import open_table
from aprendiz.evaluation.shapes.normal_tests import NormalTests, normal_tests
from aprendiz.evaluation.shapes.samples import as_table
from aprendiz.evaluation.significance.adjusted_p_values import holm
from aprendiz.evaluation.words.tables import align, short
from aprendiz.locale import _, format_fixed, format_whole, ngettext, number

MATTERS = 0.05  # error of a probability from which a deviation from the normal curve matters


def normality(X: Any, y: Any = None, *, level: float = 0.05) -> Normality:
    """Compare each column (of each class) with the normal distribution.

    Parameters
    ----------
    X : array-like of shape (n_samples,) or (n_samples, n_features)
        One column or a table in memory. Categories are left out, and so are missing cells.
    y : array-like of shape (n_samples,), optional
        Classes: each column is compared class by class, as naive Bayes and discriminants assume it.
    level : float, default=0.05
        A p-value below it, after Holm's correction, is significant.

    Returns
    -------
    Normality

    Examples
    --------
    >>> x = np.random.default_rng(0).exponential(size=200)
    >>> found = normality(np.column_stack([np.log(x), x**0.3]))
    >>> [one.column for one in found.broken]
    ['0']
    """
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, such as 0.05, got {level!r}.")
    if is_read_in_blocks(X):
        raise TypeError("normality sorts the columns, so it needs a table in memory: give some of the rows.")
    columns, table, codes, labels = numbers_by_class(X, y)
    found = [
        normal_tests(name, label, table[:, j] if codes is None else table[codes == k, j])
        for j, name in enumerate(columns)
        for k, label in enumerate(labels)
    ]
    raised = holm([one.p for one in found])
    return Normality(tuple(replace(one, p_holm=p) for one, p in zip(found, raised, strict=True)), level, y is not None)


def numbers_by_class(X: Any, y: Any) -> tuple[tuple[str, ...], Array, Array | None, tuple[Any, ...]]:
    """Names and cells of the columns of numbers, the codes of the classes, and their labels: (None,) if there are none."""
    opened = open_table(as_table(X), y, classes=True)
    columns = opened.numbers
    if len(columns) == 1 and getattr(X, "name", None) is not None:  # a series
        columns = (str(X.name),)
    if not columns:
        raise ValueError("X has no column of numbers: there is nothing to compare with the normal distribution.")
    table = opened.rows.each(lambda block: np.array(block.X, dtype=np.float64))
    if y is None:
        return columns, table, None, (None,)
    codes = opened.rows.each(lambda block: np.array(block.y[:, -1]))
    return columns, table, codes, opened.levels[-1]


@dataclass(frozen=True, eq=False, repr=False)
class Normality(ShortRepr):
    """Each column beside the normal distribution; printed, a table with a sentence below it.

    Attributes
    ----------
    tests : tuple of NormalTests
        One for each column and class: moments, tests, p-values, values.
    level : float
        p-values below it are significant.
    by_class : bool
        Whether each class was looked at on its own.
    """

    tests: tuple[NormalTests, ...]
    level: float
    by_class: bool

    @property
    def broken(self) -> tuple[NormalTests, ...]:
        """Those that do not look normal: significant, and off by at least 0.05 in probability."""
        return tuple(one for one in self.tests if one.p_holm < self.level and one.distance >= MATTERS)

    @property
    def worst(self) -> NormalTests:
        """The one of smallest p-value; of several, the farthest from its curve."""
        known = [one for one in self.tests if not np.isnan(one.p)]
        return min(known or self.tests, key=lambda one: (one.p_holm, -one.distance))

    def find(self, column: Any, label: Any = None) -> NormalTests:
        """The tests of a column, by its name or number, and of a class."""
        for one in self.tests:
            if one.column == str(column) and (label is None or one.label == label):
                return one
        raise KeyError(f"There is no column {column!r}{'' if label is None else f' of class {label!r}'}.")

    def sentence(self) -> str:
        """What follows, in a sentence."""
        known = [one for one in self.tests if not np.isnan(one.p)]
        if not known:
            return _("Nothing can be said: a column needs at least eight values that are not all equal.")
        parts = {"count": format_whole(len(known)), "level": number(self.level)}
        if not self.broken:
            return _("No clear deviation from the normal distribution in {count} samples (level {level}).").format(**parts)
        words = ngettext(
            "{some} of {count} samples does not look normal (level {level}, Holm's correction): {worst}.",
            "{some} of {count} samples do not look normal (level {level}, Holm's correction), most clearly {worst}.",
            len(self.broken),
        )
        return words.format(some=format_whole(len(self.broken)), worst=in_words(min(self.broken, key=by_p)), **parts)

    def plot(self, column: Any = None, label: Any = None, ax: Any = None) -> Picture:
        """Draw histogram and quantiles of a column (the one of smallest p-value, by default), as a `NormalityDisplay`.

        Needs matplotlib.
        """
        chosen = self.worst if column is None else self.find(column, label)
        return display("NormalityDisplay")(chosen).plot(ax)

    def __str__(self) -> str:
        first = [_("column"), _("class")] if self.by_class else [_("column")]
        shape = [_("skewness"), "±", _("kurtosis"), "±", _("distance")]
        lines = [[*first, _("values"), *shape, "Shapiro–Wilk", "Anderson–Darling", "Jarque–Bera", _("p (Holm)")]]
        for one in self.tests:
            name = [short(one.column), short(one.label)] if self.by_class else [short(one.column)]
            moments = (one.skewness, one.skewness_error, one.kurtosis, one.kurtosis_error, one.distance)
            p_values = (one.shapiro[1], one.anderson_darling[1], one.jarque_bera[1], one.p_holm)
            cells = [*(format_fixed(float(m), 2) for m in moments), *(small(p) for p in p_values)]
            lines.append([*name, format_whole(len(one.values)), *cells])
        return f"{align(lines)}\n{self.sentence()}"


def by_p(one: NormalTests) -> tuple[float, float]:
    """The smallest p-value first; of several, the farthest from its curve."""
    return one.p_holm, -one.distance


def in_words(one: NormalTests) -> str:
    """A column and its class."""
    if one.label is None:
        return repr(one.column)
    return _("{column} of class {label}").format(column=repr(one.column), label=repr(str(one.label)))


def small(p: float) -> str:
    """A p-value with two digits."""
    return number(p, 2)
