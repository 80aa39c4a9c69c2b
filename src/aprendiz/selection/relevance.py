"""Which columns are relevant, which are redundant, and which are irrelevant, each with its evidence.

    relevant       says something of the target that the other relevant columns do not
    redundant      says something by itself, but nothing beside the relevant ones
    irrelevant     says nothing by itself, nor beside them

The relevant columns are a Markov blanket, as far as tests find it (knowledge/blanket.py). A test asks whether a column says
something given others: partial correlation with a quantity, the F of stepwise discriminant analysis with classes
(knowledge/partial_tests.py). It sees lines, and folds: a U, or classes that differ in their spread (knowledge/blocks.py). Pairs
that say something together and nothing alone, like the columns of an exclusive or, are looked for among all pairs where that
takes seconds (knowledge/pairs.py); the record says whether they were. Groups of three and more are not looked for.

Of two equal columns one is called relevant and the other redundant; which one is an accident. The verdict is about these rows:
few rows make few columns relevant, and at level α about a share α of those that are called relevant is not.

For tables of words alone, `aprendiz.graphical.independence_test` tests two columns given others without any form (G²).

Cost: O(n·d) for each relevant column; pairs 2·n·d² operations for each class but one.
References: Kohavi & John, "Wrappers for feature subset selection", Artificial Intelligence 97, 1997; see also
knowledge/blanket.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.columns import Mixed
from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.sources.arrays import in_memory
from aprendiz.locale import _, format_whole, ngettext, number, percent
from aprendiz.selection.information.column_codes import is_quantity, whole_table
from aprendiz.selection.keeping.false_findings import adjusted
from aprendiz.selection.knowledge.blanket import Blanket
from aprendiz.selection.knowledge.blocks import blocks_of
from aprendiz.selection.knowledge.partial_tests import target_columns

Kind = Literal["relevant", "redundant", "irrelevant"]
LISTED = 20  # columns that are printed


class Reader(Learner):
    """Reads any table, and learns nothing."""

    allows = frozenset({"missing", "categories"})
    several_targets: ClassVar[bool] = False
    least_classes: ClassVar[int] = 2


def relevance(
    X: Any,
    y: Any,
    *,
    level: float = 0.05,
    task: Literal["auto", "classification", "regression"] = "auto",
    pairs: bool | Literal["auto"] = "auto",
) -> Relevance:
    """Mark each column as relevant, redundant or irrelevant.

    Parameters
    ----------
    X : table of numbers and words
        A missing cell is the mean of its column.
    y : array of shape (n_samples,)
        Classes, or a quantity.
    level : float, default=0.05
        The false discovery rate at which columns are chosen, and the chance that any pair is there by accident.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto": regression if y has numbers that are not whole, or more than 20 and a quarter of the rows that differ.
    pairs : bool or "auto", default="auto"
        Whether to look for pairs that say something together alone. "auto": if that takes seconds (100 rows and 20 000 columns
        do).

    Returns
    -------
    Relevance

    Examples
    --------
    >>> from aprendiz.selection import make_relevance_table
    >>> table = make_relevance_table(n_samples=400, random_state=0)
    >>> found = relevance(table.X, table.y)
    >>> float((found.kinds == table.kinds).mean())
    0.9
    """
    if not isinstance(level, (float, int)) or isinstance(level, bool) or not 0 < level < 1:
        raise ParameterError(f"level must be a number between 0 and 1, got {level!r}.")
    if task not in ("auto", "classification", "regression"):
        raise ParameterError(f"task must be 'auto', 'classification' or 'regression', got {task!r}.")
    if not (isinstance(pairs, (bool, np.bool_)) or pairs == "auto"):
        raise ParameterError(f"pairs must be True, False or 'auto', got {pairs!r}.")
    by_number = is_quantity(y) if task == "auto" else task == "regression"
    rows = open_rows(Reader(), X, y, target="numbers" if by_number else "classes")
    table, target = whole_table(rows)[0], rows.y if in_memory(rows) else rows.each(lambda block: block.y)
    names = table.columns.names if isinstance(table, Mixed) else rows.names
    names = tuple(f"x{j}" for j in range(rows.columns)) if names is None else tuple(names)
    classes = None if rows.labels is None else len(rows.labels)
    with single_blas():
        blanket = Blanket(blocks_of(table), target_columns(np.asarray(target), classes), float(level))
        blanket.search(pairs if pairs == "auto" else bool(pairs))
        return record(blanket, names, "regression" if by_number else "classification")


def record(blanket: Blanket, names: tuple[Any, ...], task: str) -> Relevance:
    """The verdict on each column."""
    q = adjusted(blanket.alone)
    kinds = np.full(len(names), "irrelevant", dtype="<U10")
    kinds[q <= blanket.level] = "redundant"
    kinds[[j for one in blanket.spared for j in (one.a, one.b)]] = "redundant"
    kinds[blanket.chosen] = "relevant"
    nearest = np.full(len(names), -1)
    for j in np.flatnonzero(kinds == "redundant"):
        nearest[j] = blanket.nearest(int(j))
    return Relevance(
        kinds=kinds,
        names=names,
        pvalues=blanket.alone,
        adjusted_pvalues=q,
        pvalues_given=blanket.given,
        explained=blanket.explained,
        nearest=nearest,
        bent=blanket.bent,
        pairs=tuple((one.a, one.b, one.p) for one in blanket.pairs),
        pairs_tested=blanket.pairs_tested,
        order=np.array(blanket.chosen, dtype=np.int64),
        level=blanket.level,
        task=task,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Relevance(ShortRepr, ShownAsHtml):
    """What each column is to the target.

    Attributes
    ----------
    kinds : ndarray of str, shape (n_features,)
        "relevant", "redundant" or "irrelevant".
    names : tuple
        Of the columns; x0, x1, … if they have none.
    pvalues, adjusted_pvalues : ndarray of shape (n_features,)
        Of each column by itself, and adjusted for their number by the false discovery rate.
    pvalues_given : ndarray of shape (n_features,)
        Of each column beside the relevant ones; of a relevant one, beside the other ones.
    explained : ndarray of shape (n_features,)
        The share of each column that the (other) relevant ones explain: 1 for a copy, or a combination of them.
    nearest : ndarray of shape (n_features,)
        Of a redundant column, the relevant one that it shares most with; -1 for others.
    bent : ndarray of shape (n_features,)
        Whether the target goes with the ends of the column rather than with a straight line alone.
    pairs : tuple of (a, b, p)
        Relevant columns that say something together beyond what they say alone, and the p-value of that.
    pairs_tested : int
        How many pairs were looked at; 0 if pairs were not looked for.
    order : ndarray
        The relevant columns in the order in which they were found.
    level : float
    task : {"classification", "regression"}
    """

    kinds: Array
    names: tuple[Any, ...]
    pvalues: Array
    adjusted_pvalues: Array
    pvalues_given: Array
    explained: Array
    nearest: Array
    bent: Array
    pairs: tuple[tuple[int, int, float], ...]
    pairs_tested: int
    order: Array
    level: float
    task: str

    def of_kind(self, kind: Kind) -> Array:
        """The columns of a kind."""
        return np.flatnonzero(self.kinds == kind)

    @property
    def relevant(self) -> Array:
        """The relevant columns, by number."""
        return self.of_kind("relevant")

    @property
    def redundant(self) -> Array:
        """The redundant columns, by number."""
        return self.of_kind("redundant")

    @property
    def irrelevant(self) -> Array:
        """The irrelevant columns, by number."""
        return self.of_kind("irrelevant")

    def frame(self) -> Any:
        """A pandas frame, a row for each column of the table."""
        import pandas as pd

        nearest = [None if j < 0 else self.names[j] for j in self.nearest]
        return pd.DataFrame(
            {
                "kind": self.kinds,
                "p alone": self.pvalues,
                "p adjusted": self.adjusted_pvalues,
                "p given": self.pvalues_given,
                "explained": self.explained,
                "nearest": nearest,
                "bent": self.bent,
            },
            index=pd.Index(self.names, name="column"),
        )

    def evidence(self, j: int) -> str:
        """Why column j, by its number, is what it is, in a sentence."""
        alone, given = number(float(self.pvalues[j]), 2), number(float(self.pvalues_given[j]), 2)
        values = {"name": self.names[j], "alone": alone, "given": given}
        if self.kinds[j] == "relevant":
            said = _("{name} is relevant: p = {alone} alone, p = {given} beside the other relevant columns.").format(**values)
            with_ = [b if a == j else a for a, b, _p in self.pairs if j in (a, b)]
            if with_:
                others = ", ".join(str(self.names[k]) for k in with_)
                said += " " + _("Together with {others} it says more than both alone.").format(others=others)
            return said
        if self.kinds[j] == "redundant":
            words = _(
                "{name} is redundant: p = {alone} alone, p = {given} beside the relevant columns, which explain {share} of it; "
                "it is most like {nearest}."
            )
            nearest = self.names[self.nearest[j]] if self.nearest[j] >= 0 else "–"
            return words.format(**values, share=percent(float(self.explained[j])), nearest=nearest)
        return _("{name} is irrelevant: p = {alone} alone, p = {given} beside the relevant columns.").format(**values)

    def about_pairs(self) -> str:
        """Whether pairs were looked for, and how many were found."""
        if not self.pairs_tested:
            return _("Pairs of columns that say something together alone were not looked for (pairs=True looks).")
        found = ngettext("{count} was found", "{count} were found", len(self.pairs)).format(count=len(self.pairs))
        return _("Of {pairs} pairs of columns that might say something together alone, {found}.").format(
            pairs=format_whole(self.pairs_tested), found=found
        )

    def counts_in_words(self) -> str:
        """How many columns are of each kind."""
        counts = {kind: format_whole(int((self.kinds == kind).sum())) for kind in ("relevant", "redundant", "irrelevant")}
        words = _("{relevant} columns are relevant, {redundant} redundant, {irrelevant} irrelevant (level {level}).")
        return words.format(**counts, level=number(self.level))

    def html_parts(self) -> Iterator[Html]:
        """The relevant columns in the order in which they were found, then the others by their evidence, for notebooks."""
        yield title(_("Relevance of columns"), _(self.task))
        yield sentence(self.counts_in_words())
        others = np.argsort(self.pvalues[self.irrelevant], kind="stable")
        order = [*self.order.tolist(), *self.redundant.tolist(), *self.irrelevant[others].tolist()]
        head = [_("column"), _("kind"), _("p alone"), _("p beside the relevant ones"), _("explained by them"), _("most like")]
        yield table(head, map(self.cells_of, order), count=len(order), numbers=(2, 3, 4))
        yield sentence(self.about_pairs(), "faint")

    def cells_of(self, j: int) -> tuple[str, ...]:
        """A row of the table of a notebook."""
        alone, given = number(float(self.pvalues[j]), 2), number(float(self.pvalues_given[j]), 2)
        nearest = str(self.names[self.nearest[j]]) if self.nearest[j] >= 0 else ""
        kinds = {"relevant": _("relevant"), "redundant": _("redundant"), "irrelevant": _("irrelevant")}
        return str(self.names[j]), kinds[str(self.kinds[j])], alone, given, percent(float(self.explained[j])), nearest

    def __str__(self) -> str:
        shown = [*self.order.tolist(), *self.redundant.tolist()]
        lines = [self.counts_in_words(), *(self.evidence(j) for j in shown[:LISTED])]
        if len(shown) > LISTED:
            lines.append("…")
        return "\n".join([*lines, self.about_pairs()])

    def plot(self, ax: Any = None) -> Picture:
        """The columns by their evidence alone and beside the others, a `RelevanceDisplay`. Needs matplotlib."""
        return display("RelevanceDisplay")(self).plot(ax)
