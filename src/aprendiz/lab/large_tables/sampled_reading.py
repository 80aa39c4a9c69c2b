"""A file that is too large for memory, as a sample of its rows with the facts of all of them.

    pass 1        the type of every column by all cells, the facts, and the rows of the sample     (chosen_rows.py)
    more passes   columns that were not what their first rows promised, and quantities with a unit, in those rows

So types, levels, ranges and missing cells are those of the whole file; only the values that methods see are a sample. The rules
by which a column gets its type are those of scan.py.

Cost: usually one pass; memory for the blocks in flight and twice the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

from aprendiz.core.rows import Array
from aprendiz.lab.columns.quantities import Measured, read_again
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import refuse_quantity, with_units
from aprendiz.lab.large_tables.blocks import TypedBlock, TypedBlocks
from aprendiz.lab.large_tables.chosen_rows import ChosenRows, GivenRows, SampledRows
from aprendiz.lab.large_tables.facts_by_blocks import KINDS, ColumnFacts, NumberFacts, TextFacts
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.scan import MOST_WORDS, Spoiled, Typed, few_words, next_kind, partly
from aprendiz.lab.series import ARROW, categories, series
from aprendiz.locale import _, format_whole

Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class SampleWanted:
    """How many rows are to be kept at most, by which seed, and the column whose groups stay whole."""

    rows: int
    seed: int = 0
    groups: str | None = None


class ColumnPass:
    """One pass over some columns: their facts, the cells that do not fit, and the rows of the sample."""

    def __init__(self, source: TypedBlocks, wanted: Mapping[int, str], rows: ChosenRows | GivenRows, progress: Progress):
        self.rows, self.progress, self.expected = rows, progress, source.expected_rows
        self.facts = {j: KINDS[kind]() for j, kind in wanted.items()}
        self.misfits = {j: Misfits() for j, kind in wanted.items() if kind != "text"}

    def add(self, block: TypedBlock) -> None:
        for j, facts in self.facts.items():
            facts.add(block.values[j])
        for j, cells in block.misfits.items():
            self.misfits[j].add(cells, block.start)
        self.rows.add(block)
        self.progress(block.start + block.rows, self.expected)


class Misfits:
    """The cells of a column that do not fit its type: how many, the first one, and the different ones while they are few."""

    def __init__(self) -> None:
        self.count, self.first, self.example, self.words = 0, -1, "", set[str]()

    def add(self, cells: Any, start: int) -> None:
        found = len(cells) - cells.null_count
        if found:
            if not self.count:
                self.first = start + int(np.flatnonzero(pc.is_valid(cells).to_numpy(zero_copy_only=False))[0])
                self.example = cells[self.first - start].as_py()
            self.count += found
            if len(self.words) <= MOST_WORDS:
                self.words |= set(pc.unique(cells.drop_null()).to_pylist()[: MOST_WORDS + 1])


class SampledReading:
    """The columns of a source, pass by pass.

    Parameters
    ----------
    source : TypedBlocks
    wanted : SampleWanted
    progress : function
        Called with the rows that were read, and about how many there are.
    """

    def __init__(self, source: TypedBlocks, wanted: SampleWanted, progress: Progress):
        self.source, self.wanted, self.progress = source, wanted, progress
        self.given, self.before = dict(source.dialect.types), dict(source.dialect.words)
        self.facts, self.values = dict[int, ColumnFacts](), dict[int, Any]()
        self.spoiled = dict[int, tuple[str, int, Misfits, tuple[str, ...]]]()
        self.sample: SampledRows | None = None
        self.written = dict[int, tuple[str, str, str]]()  # quantities: the unit, and the signs of the numbers

    def contents(self) -> Contents:
        """What the reader of the file would hand over, with the facts of all rows and the choice of the sample."""
        wanted = self.source.first_kinds()
        while wanted:
            wanted = self.look(wanted)
        remarks = [
            Spoiled(self.source.names[j], kind, misfits.count, misfits.example, words)
            for j, (kind, known, misfits, words) in self.spoiled.items()
            if self.source.cells_are_text and (words or partly(known, misfits.count))
        ]
        remarks += self.quantities()
        names = list(enumerate(self.source.names))
        assert self.sample is not None
        counted = {name: self.facts[j].rows_of_levels() for j, name in names}
        sample = replace(self.sample, levels={name: one for name, one in counted.items() if one is not None})
        return Contents(
            {name: self.as_pandas(j, self.values[j]) for j, name in names},
            self.source.renamed,
            remarks,
            mixed=self.source.mixed,
            facts=tuple(self.facts[j].facts(name) for j, name in names),
            sample=sample if len(sample.numbers) < sample.rows else None,
        )

    # ---- types ---------------------------------------------------------------------------------------------------------

    def look(self, wanted: Mapping[int, str]) -> dict[int, str]:
        """A pass; the columns that are to be looked at again, and their next types."""
        found = self.source.pass_over(wanted, lambda: ColumnPass(self.source, wanted, self.rows(), self.progress))
        if isinstance(found.rows, ChosenRows):
            self.settle_sample(found.rows.finish(), next(iter(found.facts.values())).rows)
        again = dict[int, str]()
        for j, facts in found.facts.items():
            name, misfits = self.source.names[j], found.misfits.get(j)
            self.facts[j], self.values[j] = facts, found.rows.column(j, ARROW[wanted[j]])
            if isinstance(facts, TextFacts):
                facts.declared = self.source.levels(j)
            if misfits is None or not misfits.count:
                continue
            before = self.before.get(name)
            words = few_words(facts.kind, facts.known, misfits.count, misfits.words, before)
            if name in self.given and (before is None or not words):
                raise ReadingError(self.source.misfit(j, facts.kind, misfits.first, misfits.example))
            self.spoiled[j] = (facts.kind, facts.known, misfits, words)
            if not words:
                again[j] = next_kind(facts.kind, facts.known)
        return again

    def rows(self) -> ChosenRows | GivenRows:
        """What collects the rows of the sample: chosen in the first pass, known in the others."""
        if self.sample is not None:
            return GivenRows(self.sample.numbers)
        group = self.wanted.groups
        if group is not None and group not in self.source.names:
            raise ValueError(
                _("{role}: the table has no column {name}; it has {known}.").format(
                    role="groups", name=repr(group), known=", ".join(map(repr, self.source.names[:30]))
                )
            )
        place = None if group is None else self.source.names.index(group)
        return ChosenRows(self.wanted.rows, self.wanted.seed, place)

    def settle_sample(self, numbers: Array, rows: int) -> None:
        """Remember the choice."""
        if not rows:
            raise ReadingError(_("The file holds no rows."))
        if not len(numbers):
            raise ReadingError(
                _(
                    "Each group of {name} has more than {rows} rows, so none fits into the sample as a whole: allow a larger "
                    "one, sample=…."
                ).format(name=repr(self.wanted.groups), rows=format_whole(self.wanted.rows))
            )
        self.sample = SampledRows(numbers, rows, self.wanted.rows, self.wanted.seed, self.wanted.groups)

    # ---- quantities ----------------------------------------------------------------------------------------------------

    def quantities(self) -> list[Any]:
        """Read quantities among the columns of text as numbers, if those of the sample are and all others can be read so."""
        if not self.source.cells_are_text:
            return []
        places = {name: j for j, name in enumerate(self.source.names)}
        of_text = {name: Typed("text", self.values[j]) for name, j in places.items() if self.facts[j].kind == "text"}
        remarks = with_units(self.source.file, self.source.dialect, of_text)
        written = {
            name: signs for name, signs in self.source.dialect.units if name in of_text and self.given.get(name) == "number"
        }
        written |= {one.name: (one.unit, one.decimal, one.thousands) for one in remarks if isinstance(one, Measured)}
        if written:
            wanted = {places[name]: signs for name, signs in written.items()}
            found = self.source.pass_over(dict.fromkeys(wanted, "text"), lambda: QuantityPass(wanted))
            for name, j in ((name, places[name]) for name in written):
                if j not in found.strange:
                    self.facts[j], self.values[j], self.written[j] = found.facts[j], of_text[name].values, written[name]
                elif name in self.given:
                    raise refuse_quantity(self.source.file, name, found.strange[j], written[name][0])
        failed = {name for name in written if self.facts[places[name]].kind == "text"}
        return [one for one in remarks if one.name not in failed]

    def blocks(self, progress: Progress) -> Iterator[dict[str, Any]]:
        """All rows, when the types are known: the columns of each block as pandas keeps them."""
        wanted = {j: "text" if j in self.written else facts.kind for j, facts in sorted(self.facts.items())}
        for block in self.source.blocks(wanted):
            for j, signs in self.written.items():
                block.values[j] = read_again("", block.values[j], *signs)[0]
            yield {self.source.names[j]: self.as_pandas(j, values) for j, values in block.values.items()}
            progress(block.start + block.rows, self.source.expected_rows)

    # ---- what was found ------------------------------------------------------------------------------------------------

    def as_pandas(self, j: int, values: Any) -> Any:
        """Cells of a column as pandas keeps them: categories have the levels of all rows."""
        found = self.facts[j]
        if not isinstance(found, TextFacts):
            return series(found.kind, values)
        levels = found.category()
        return values.to_pandas() if levels is None else categories(values.to_pylist(), levels, found.ordered)


class QuantityPass:
    """A pass over columns of text that are read as numbers with a unit: their facts, and the first cell that is none."""

    def __init__(self, written: Mapping[int, tuple[str, str, str]]):
        self.written, self.facts = written, {j: NumberFacts() for j in written}
        self.strange = dict[int, str]()

    def add(self, block: TypedBlock) -> None:
        for j, signs in self.written.items():
            if j not in self.strange:
                numbers, strange = read_again("", block.values[j], *signs)
                if strange is None:
                    self.facts[j].add(numbers)
                else:
                    self.strange[j] = strange
