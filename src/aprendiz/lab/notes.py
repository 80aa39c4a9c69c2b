"""What may be a mistake in a table: said, not repaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from aprendiz.lab.cells import word_for
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.facts import Facts
from aprendiz.lab.large_tables.chosen_rows import SampledRows
from aprendiz.locale import _, format_whole, ngettext


def notes(known: Sequence[Facts], renamed: Sequence[tuple[str, str]], spoiled: Sequence[Any]) -> Iterator[str]:
    """Sentences about columns: renamed, text because of a few cells, empty, constant, or with levels that look alike."""
    for old, new in renamed:
        if old:
            yield _("column {name} appears more than once: one of them was renamed {new}").format(name=repr(old), new=repr(new))
        else:
            yield _("a column without a name was named {new}").format(new=repr(new))
    yield from spoiled_notes(spoiled)
    for column in known:
        yield from remarks(column)


def sample_notes(sample: SampledRows | None) -> Iterator[str]:
    """A table that is too large for memory."""
    if sample is None:
        return
    known = {"rows": format_whole(len(sample.numbers)), "all": format_whole(sample.rows), "seed": sample.seed}
    if sample.groups is None:
        yield _(
            "{rows} of {all} rows are used, chosen at random (seed {seed}); types, ranges, levels and missing cells are those "
            "of all rows"
        ).format(**known)
    else:
        yield _(
            "{rows} of {all} rows are used, all or none with the same {groups}, chosen at random (seed {seed}); types, ranges, "
            "levels and missing cells are those of all rows"
        ).format(**known, groups=repr(sample.groups))


def mixed_notes(dialect: Dialect, mixed: tuple[int, int] | None) -> Iterator[str]:
    """A file that two programs have written."""
    if mixed is not None:
        yield _(
            "the file mixes encodings: line {utf8} holds letters in UTF-8, line {other} does not; all was read as {encoding}, "
            "so some letters are wrong: save the file in one encoding"
        ).format(utf8=format_whole(mixed[0]), other=format_whole(mixed[1]), encoding=dialect.encoding.upper())


def spoiled_notes(spoiled: Sequence[Any]) -> Iterator[str]:
    """Columns that are text because of a few cells, and words that were read as missing cells."""
    for one in spoiled:
        if hasattr(one, "sentence"):
            yield one.sentence()
            continue
        if one.words:
            shown = ", ".join(repr(word[:40]) for word in one.words[:5]) + (", …" if len(one.words) > 5 else "")
            yield ngettext(
                "column {name} holds numbers; {cells} cell with a word was read as missing: {words}",
                "column {name} holds numbers; {cells} cells with words were read as missing: {words}",
                one.cells,
            ).format(name=repr(one.name), cells=format_whole(one.cells), words=shown)
            continue
        yield ngettext(
            "column {name} is text because {cells} cell is not a {kind}: {example}; if missing, set missing=…",
            "column {name} is text because {cells} cells are not {kind}s, such as {example}; if missing, set missing=…",
            one.cells,
        ).format(name=repr(one.name), cells=format_whole(one.cells), kind=word_for(one.kind), example=repr(one.example[:40]))


def remarks(one: Facts) -> Iterator[str]:
    """What may be a mistake in a column."""
    if one.distinct == 0:
        yield _("column {name}: every cell is missing").format(name=repr(one.name))
    if one.distinct == 1 and one.rows > 1:
        yield _("column {name} is constant").format(name=repr(one.name))
    if one.infinite:
        yield _("column {name}, infinite cells: {cells}; replace them, because the methods do not accept infinity").format(
            name=repr(one.name), cells=format_whole(one.infinite)
        )
    for group in alike(one.levels or ()):
        yield _("column {name}: the levels {levels} differ only in spaces or case; merge them if they mean the same").format(
            name=repr(one.name), levels=", ".join(map(repr, group))
        )


def alike(levels: Sequence[str]) -> Iterator[list[str]]:
    """Groups of levels that differ only by spaces or case."""
    groups: dict[str, list[str]] = {}
    for level in levels:
        groups.setdefault(" ".join(level.split()).casefold(), []).append(level)
    return (group for group in groups.values() if len(group) > 1)
