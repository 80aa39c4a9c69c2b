"""What each column adds to the prediction for one row, in words.

prediction = base + Σ_j φ_j          base: the prediction where nothing is known of the row                (1)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.one_row import cells_of_row, table_of_row
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.locale import _, format_fixed, format_whole, ngettext, number
from aprendiz.tree.contributions.additive_trees import Meaning, SumOfTrees, column_names
from aprendiz.tree.contributions.attribution import attribute
from aprendiz.tree.reading.explanation import shown_cell
from aprendiz.tree.reading.split_words import one_line

MOST = 10  # columns that are named


@dataclass(frozen=True, eq=False, repr=False)
class RowContributions(ShortRepr, ShownAsHtml):
    """What the columns of a row add to its prediction.

    Attributes
    ----------
    names : tuple
        Of the columns.
    cells : tuple
        The cells of the row.
    levels : tuple of tuple
        The levels of each column; () for numbers.
    values : ndarray of shape (columns, outputs)
        φ of (1).
    base, response : ndarray of shape (outputs,)
        (1) without the columns, and as the model predicts.
    meaning : {"probability", "votes", "number", "score"}
        What the outputs are.
    labels : tuple
        The class of each output, or the number of the target; empty for one number.
    """

    names: tuple[Any, ...]
    cells: tuple[Any, ...]
    levels: tuple[tuple[Any, ...], ...]
    values: Array
    base: Array
    response: Array
    meaning: Meaning
    labels: tuple[Any, ...]

    @property
    def output(self) -> int:
        """The output that is shown: the class with the most, the first of several targets."""
        return 0 if self.meaning == "number" else int(np.argmax(self.response))

    def output_of(self, target: Any) -> int:
        """The number of an output, by its label; None for the one that is shown."""
        return self.output if target is None else output_of(self.labels, target)

    def ranking(self, output: int) -> Array:
        """The columns that add something, from the one that adds or takes away the most on."""
        size = np.abs(self.values[:, output])
        order = np.argsort(-size, kind="stable")
        return order[size[order] > 0]

    def parts(self, most: int, output: int) -> list[tuple[str, float]]:
        """The columns that add the most, with their cells, and what the others add together."""
        order = self.ranking(output)
        named = order if len(order) <= most + 1 else order[:most]
        parts = [(self.column_in_words(j), float(self.values[j, output])) for j in named]
        if rest := len(order) - len(named):
            words = ngettext("{count} other column", "{count} other columns", rest).format(count=format_whole(rest))
            parts.append((words, float(self.values[order[len(named) :], output].sum())))
        return parts

    def column_in_words(self, j: int) -> str:
        """A column with its cell."""
        return f"{one_line(self.names[j])} = {shown_cell(self.levels[j], self.cells[j])}"

    def cells_of_table(self, most: int, output: int) -> list[tuple[str, str]]:
        """The lines of a table: the base, what is added, and the sum."""
        parts, base, response = self.parts(most, output), float(self.base[output]), float(self.response[output])
        places = decimals([base, response, *(value for _words, value in parts)])
        added = [(words, signed(value, places)) for words, value in parts]
        sum_of_all = outcome_in_words(self.meaning, self.labels, output)
        return [(_("nothing known of the row"), as_text(base, places)), *added, (sum_of_all, as_text(response, places))]

    def html_parts(self) -> Iterator[Html]:
        """The same for notebooks."""
        yield title(_("What the columns add"), outcome_in_words(self.meaning, self.labels, self.output))
        yield table([_("column"), _("adds")], self.cells_of_table(MOST, self.output), numbers=(1,))
        yield sentence(footnote())

    def to_text(self, *, most: int = MOST, target: Any = None) -> str:
        """The columns that add the most, line by line; `target` is the class, or the number of the target."""
        lines = self.cells_of_table(most, self.output_of(target))
        width, wide = max(len(words) for words, _value in lines), max(len(value) for _words, value in lines)
        return "\n".join(f"{words.ljust(width)}  {value.rjust(wide)}" for words, value in lines)

    def __str__(self) -> str:
        return self.to_text()

    def plot(self, ax: Any = None, *, target: Any = None, most: int = MOST) -> Picture:
        """The way from the base to the prediction, a `ShapWaterfallDisplay`. Needs matplotlib."""
        return display("ShapWaterfallDisplay")(self, target=target).plot(ax, most=most)


def explain(model: SumOfTrees, row: Any) -> RowContributions:
    """The contributions of the columns to the prediction of a fitted model for one row."""
    sum_of_trees = model.additive_trees()
    names = getattr(model, "feature_names_in_", None)
    cells = cells_of_row(row, None if names is None else list(names))
    one = table_of_row(cells, None if names is None else list(names))
    found = attribute(sum_of_trees, model.new_rows(one))
    response = np.asarray(model.additive_response(one)).reshape(-1)
    return RowContributions(
        *(column_names(model), tuple(cells), levels_of(model), found.values[0], found.base, response),
        *(sum_of_trees.meaning, sum_of_trees.labels),
    )


def levels_of(model: SumOfTrees) -> tuple[tuple[Any, ...], ...]:
    """The levels of each column; () for numbers."""
    schema = getattr(model, "columns_", None)
    return ((),) * len(column_names(model)) if schema is None else tuple(column.levels for column in schema.columns)


def output_of(labels: Sequence[Any], target: Any) -> int:
    """The number of an output, by the class or the number of the target."""
    if target in labels:
        return list(labels).index(target)
    known = ", ".join(map(repr, labels)) or "None, since there is a single one"
    raise ValueError(f"target = {target!r} is no output of the model: choose one of {known}.")


# ---- words ---------------------------------------------------------------------------------------------------------------


def decimals(values: Sequence[float]) -> int | None:
    """As many as give the largest of some numbers four digits; None if they are too large or small for that."""
    largest = max(map(abs, values))
    return int(max(0, 4 - np.ceil(np.log10(largest)))) if 1e-4 <= largest < 1e9 else None


def as_text(value: float, places: int | None) -> str:
    return number(value, 3) if places is None else format_fixed(value, places)


def signed(value: float, places: int | None = None) -> str:
    """What is added, with its sign."""
    text = as_text(value, places)
    return text if text.startswith("-") else f"+{text}"


def outcome_in_words(meaning: Meaning, labels: Sequence[Any], output: int) -> str:
    """What the columns add up to."""
    if meaning == "number":
        return _("prediction of target {target}").format(target=labels[output]) if len(labels) else _("prediction")
    if not len(labels):
        return _("score")
    words = {
        "probability": _("probability of {label}"),
        "votes": _("share of the votes for {label}"),
        "score": _("score of {label}"),
    }[meaning]
    return words.format(label=repr(labels[output]))


def footnote() -> str:
    """How the numbers are meant."""
    return _("What a column adds is its Shapley value: the mean over all orders in which the columns become known.")
