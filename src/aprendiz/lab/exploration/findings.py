"""What is worth a look before anything is learned from a table: each with its reason and its remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, format_fixed, format_whole, ngettext, number, percent

MANY_MISSING = 0.3
LONG_TAIL = 2.0  # skewness
NEARLY_CONSTANT = 0.99  # share of one value
NAMED = 6  # columns in a sentence
STANDS_FOR_MISSING = re.compile(r"-1|-?9{1,6}|-?[78]{2,5}|-?9+[0-9]|-32768")  # as surveys and instruments write it
YEARS = (1800, 2100)


def findings(numbers: Mapping[str, Any]) -> list[Finding]:
    """All findings, warnings first."""
    table = numbers["table"]
    every = table["rows"] if table["sample"] is None else table["sample"]["of"]
    found = [
        *sampled(table),
        *coded_missing(numbers["columns"]),
        *duplicate_rows(numbers["duplicate_rows"]),
        *same_columns(numbers["same_columns"], numbers["associations"]),
        *missing_cells(numbers["columns"], numbers["missing"], every),
        *subjects(numbers["groups"]),
        *dates_as_numbers(numbers["columns"]),
        *far_out(plausible(numbers["columns"])),
        *skewed(plausible(numbers["columns"])),
        *constant(numbers["columns"], numbers["table"]["rows"]),
        *identifiers(numbers["columns"]),
    ]
    return sorted(found, key=lambda one: one.weight != "warning")


def sampled(table: Mapping[str, Any]) -> Iterator[Finding]:
    """A table of which a sample is looked at."""
    if table["sample"] is not None:
        yield Finding(
            "sampled",
            "note",
            _("{rows} of {all} rows were looked at.").format(
                rows=format_whole(table["rows"]), all=format_whole(table["sample"]["of"])
            ),
            _(
                "Types, ranges, levels and missing cells are those of all rows; distributions, associations and repeated rows "
                "are those of a random sample."
            ),
            _("Allow more memory (--memory), or ask for more rows (--sample)."),
        )


def listed(names: Sequence[str]) -> str:
    """Names of columns, the first of many."""
    shown = ", ".join(repr(name) for name in names[:NAMED])
    return f"{shown}, …" if len(names) > NAMED else shown


def code_of_missing(one: Mapping[str, Any]) -> str:
    """-999, 9999: a number far out that comes several times and is one of those that stand for "unknown"; empty if none is."""
    common = (one.get("far_out") or {}).get("commonest")
    if common is None or common["count"] < 2 or common["value"] != int(common["value"]):
        return ""
    text = str(int(common["value"]))
    return text if STANDS_FOR_MISSING.fullmatch(text) else ""


def plausible(columns: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Columns whose extreme values are measurements."""
    return [one for one in columns if not code_of_missing(one)]


def coded_missing(columns: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Numbers that stand for missing cells."""
    for one in columns:
        text = code_of_missing(one)
        if text:
            common = one["far_out"]["commonest"]
            yield Finding(
                "coded_missing",
                "warning",
                ngettext(
                    "Column {name}: {value} comes {count} time, far from all other values; it may stand for a missing cell.",
                    "Column {name}: {value} comes {count} times, far from all other values; it may stand for a missing cell.",
                    common["count"],
                ).format(name=repr(one["name"]), value=text, count=format_whole(common["count"])),
                _("Taken for a measurement it changes means, correlations and every model."),
                _("If it means unknown, read the table with --missing {value}.").format(value=text),
            )


def duplicate_rows(found: Mapping[str, Any] | None) -> Iterator[Finding]:
    if not found or not found["surprising"]:
        return
    yield Finding(
        "duplicate_rows",
        "warning",
        ngettext("{rows} row repeats another row.", "{rows} rows repeat other rows.", found["rows"]).format(
            rows=format_whole(found["rows"])
        ),
        by_chance(found["expected_pairs"]),
        _("Look at them below. Equal rows on both sides of a split flatter a model: remove them, or keep them in one group."),
    )


def by_chance(pairs: float) -> str:
    """How many pairs of equal rows there would be without any reason."""
    if pairs < 0.01:
        return _("Of independent columns with these levels, no pair of equal rows would be expected.")
    return _("Of independent columns with these levels, about {count} pairs of equal rows would be expected.").format(
        count=number(pairs, 2)
    )


def same_columns(groups: Sequence[Mapping[str, Any]] | None, pairs: Mapping[str, Any] | None) -> Iterator[Finding]:
    remedy = _("Leave one of them out (--leave-out): together they add nothing, and they share the weight in a model.")
    for group in groups or ():
        sentence = _("Columns {names} are equal.") if group["equal"] else _("Columns {names} say the same in other words.")
        why = _("They tell the same rows apart.")
        yield Finding("same_columns", "warning", sentence.format(names=listed(group["columns"])), why, remedy)
    known = [set(group["columns"]) for group in groups or ()]
    for pair in (pairs or {}).get("nearly_same", ()):
        if any({pair["first"], pair["second"]} <= group for group in known):
            continue
        yield Finding(
            "same_columns",
            "warning",
            _("Columns {first} and {second} are nearly the same: r = {r}.").format(
                first=repr(pair["first"]), second=repr(pair["second"]), r=format_fixed(pair["r"], 5)
            ),
            _("One may be the other in another unit, or rounded."),
            remedy,
        )


def missing_cells(columns: Sequence[Mapping[str, Any]], missing: Mapping[str, Any] | None, rows: int) -> Iterator[Finding]:
    many = [one for one in columns if one["distinct"] and one["missing"] > MANY_MISSING * rows]
    if many:
        shares = ", ".join(f"{one['name']!r} ({percent(one['missing'] / rows)})" for one in many[:NAMED])
        yield Finding(
            "many_missing",
            "note",
            _("Many cells are missing in {columns}.").format(columns=f"{shares}, …" if len(many) > NAMED else shares),
            _("What is imputed there is mostly the mean, or the most frequent level."),
            _("Ask why they are missing: if the reason has to do with the value, a model learns the reason."),
        )
    for names in (missing or {}).get("always_together", ()):
        yield Finding(
            "missing_together",
            "note",
            _("Columns {names} are missing in the same rows.").format(names=listed(names)),
            _("They were probably measured together: one form, one instrument, one visit."),
            _("Compare the rows that have them with those that do not."),
        )


def subjects(groups: Mapping[str, Any] | None) -> Iterator[Finding]:
    if groups is None:
        return
    yield Finding(
        "groups",
        "warning" if groups["clear"] else "note",
        _("Rows with the same {name} may belong together ({count} values).").format(
            name=repr(groups["column"]), count=format_whole(groups["values"])
        ),
        _("The most similar row has the same value for {share} of the rows.").format(share=percent(groups["likeness"])),
        _("Keep them on one side of every split: --groups {name}.").format(name=groups["column"]),
    )


def dates_as_numbers(columns: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Whole numbers between 1800 and 2100, and such as 20240131."""
    for one in columns:
        if one["kind"] != "number" or not one.get("whole") or one["distinct"] < 3:
            continue
        low, high = one["quantiles"][0], one["quantiles"][-1]
        days = YEARS[0] * 10000 + 101 <= low and high <= YEARS[1] * 10000 + 1231
        if days or (YEARS[0] <= low and high <= YEARS[1]):
            words = _("Column {name} holds dates written as numbers.") if days else _("Column {name} seems to hold years.")
            yield Finding(
                "dates_as_numbers",
                "note",
                words.format(name=repr(one["name"])),
                _("From {low} to {high}.").format(low=int(low), high=int(high)),
                _("If the rows follow each other in time, a random split lets a model look into the future."),
            )


def far_out(columns: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    found = [one for one in columns if (one.get("far_out") or {}).get("count") and one["role"] == "feature"]
    if not found:
        return
    found.sort(key=lambda one: -one["far_out"]["count"])
    first = found[0]["far_out"]["farthest"][0]
    yield Finding(
        "far_out",
        "note",
        _("Values far from all others in {columns}.").format(columns=listed([one["name"] for one in found])),
        _("For example {value} in row {row}, column {name}.").format(
            value=number(first["value"]), row=format_whole(first["row"]), name=repr(found[0]["name"])
        ),
        _("Check them: an error of writing or of unit is corrected in the table; a true value is not removed."),
    )


def skewed(columns: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    found = [one for one in columns if abs(one.get("skewness") or 0.0) > LONG_TAIL and one["role"] == "feature"]
    found = [one for one in found if one["distinct"] > 2]
    if not found:
        return
    found.sort(key=lambda one: -abs(one["skewness"]))
    remedy = _("Trees do not mind; other methods may profit from a change of scale.")
    if all(one["quantiles"][0] > 0 for one in found):
        remedy = _("Their logarithm may be easier to learn from.")
    yield Finding(
        "skewed",
        "note",
        _("Long tails in {columns}.").format(columns=listed([one["name"] for one in found])),
        _("A few rows decide means, correlations and distances (skewness {value} in {name}).").format(
            value=format_fixed(found[0]["skewness"], 1), name=repr(found[0]["name"])
        ),
        remedy,
    )


def constant(columns: Sequence[Mapping[str, Any]], rows: int) -> Iterator[Finding]:
    same = [one["name"] for one in columns if one["role"] in ("constant", "empty")]
    if same:
        yield Finding(
            "constant",
            "note",
            _("Nothing can be learned from {columns}.").format(columns=listed(same)),
            _("All cells that are not missing are equal, or every cell is missing."),
            _("They are left out."),
        )
    features = [one for one in columns if one["role"] == "feature" and one["distinct"] > 1]
    nearly = [one["name"] for one in features if largest_share(one, rows) > NEARLY_CONSTANT]
    if nearly:
        yield Finding(
            "nearly_constant",
            "note",
            _("Nearly all cells are equal in {columns}.").format(columns=listed(nearly)),
            _("One value fills more than {share} of the cells.").format(share=percent(NEARLY_CONSTANT, 0)),
            _("Little can be learned from them, and less can be tested."),
        )


def largest_share(one: Mapping[str, Any], rows: int) -> float:
    """The share of the known cells that hold the most frequent value, as far as it is known."""
    known = rows - one["missing"]
    if one.get("levels"):
        return float(one["levels"][0]["count"] / known)
    quantiles = one.get("quantiles")
    if not quantiles or known < 100:
        return 0.0
    return float(one["zeros"] / known)


def identifiers(columns: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    found = [one for one in columns if one["role"] == "identifier"]
    if found:
        yield Finding(
            "identifiers",
            "note",
            _("Identifiers: {columns}.").format(columns=listed([one["name"] for one in found])),
            found[0]["reason"][:1].upper() + found[0]["reason"][1:] + ".",
            _("They are not learned from, unless --keep says so."),
        )
