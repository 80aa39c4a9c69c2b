"""`aprendiz compare`: finished runs set side by side, in words, as Weka prints it, or as a picture."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np

from aprendiz.cli.words import InputError, as_options, input_errors, printable
from aprendiz.core.atomic import write_whole
from aprendiz.evaluation.comparison import Comparison
from aprendiz.evaluation.evaluation import Score
from aprendiz.evaluation.words.comparisons import assumption_in_words, conclusion, heading, report
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.evaluation.words.tables import align
from aprendiz.lab.compare_runs import RunComparison, compare_runs
from aprendiz.locale import _, number, percent
from aprendiz.plots.shared.display import pyplot

PICTURES = (".png", ".svg", ".pdf")


def compare(
    runs: Sequence[str], *, test: str | None, metric: str | None, level: float | None, weka: bool, out: str | None, force: bool
) -> int:
    """Compare finished runs; the exit code."""
    with input_errors():
        refuse_file(out, force)
        known = compare_runs(runs, test=test, metric=metric, level=0.05 if level is None else level)
        if known.found is None and (weka or out is not None):
            raise InputError(known.notes[-1])
        if weka and known.found is not None and not known.found.folds:
            raise InputError(_("--weka needs several folds on every table: some run has a single split."))
        lines = [*in_lines(known, weka=weka, pairs=test is not None)]
    click.echo(printable("\n".join(lines)))
    if out is not None and known.found is not None:
        save_picture(known.found, out)
        click.echo(printable(_("picture: {file}").format(file=out)), err=True)
    return 0


def refuse_file(out: str | None, force: bool) -> None:
    """A picture that is of no known kind, or would replace a file."""
    if out is None:
        return
    if Path(out).suffix.lower() not in PICTURES:
        raise InputError(_("{file} is no name of a picture: end it with {known}.").format(file=out, known=", ".join(PICTURES)))
    if os.path.lexists(out) and not force:
        raise InputError(_("{file} already exists: choose another name, or overwrite it with --force.").format(file=out))


def save_picture(found: Comparison, out: str) -> None:
    """The picture of the comparison, as a file that is always whole."""
    file, figure = io.BytesIO(), found.plot().figure_
    figure.savefig(file, format=Path(out).suffix[1:].lower(), dpi=150, bbox_inches="tight")
    pyplot().close(figure)
    write_whole(out, file.getvalue())


# ---- what is said --------------------------------------------------------------------------------------------------------


def in_lines(known: RunComparison, *, weka: bool, pairs: bool) -> Iterator[str]:
    """The scores, the test, what it takes for granted that does not hold, and a sentence."""
    found = known.found
    if found is not None and weka:
        yield found.to_weka()
        yield conclusion(found)
    elif found is None:
        yield align(rows_of_scores(known))
    elif len(known.scores) > 1:
        yield align(rows_of_tables(known))
        yield ""
        yield from map(as_remark, report(found).splitlines())
        yield from about_ranks(found)
    elif pairs:
        yield from map(as_remark, report(found).splitlines())
    else:
        yield heading(found)
        yield align(rows_of_standings(found))
        yield from (as_remark(f"! {assumption_in_words(one)}") for one in found.assumptions if one.broken)
        yield conclusion(found)
    yield from known.notes


def as_remark(line: str) -> str:
    """A line about a broken assumption speaks of the options of the command line; lines with names from tables stay."""
    return as_options(line) if line.startswith("! ") else line


def interval(score: Score) -> str:
    """From the low to the high end."""
    if np.isnan(score.low):
        return "–"
    return f"{score_in_words(score.low, score.name)} – {score_in_words(score.high, score.name)}"


def value(score: Score) -> str:
    return "–" if np.isnan(score.value) else score_in_words(score.value, score.name)


def rows_of_scores(known: RunComparison) -> list[list[str]]:
    """Methods and scores where nothing is tested."""
    (scores,) = known.scores.values()
    rows = [[_("method"), measure_in_words(known.metric), _("95 % interval")]]
    return rows + [[name, value(score), interval(score)] for name, score in scores.items()]


def rows_of_tables(known: RunComparison) -> list[list[str]]:
    """A row for each table, a column for each method."""
    names = list(next(iter(known.scores.values())))
    rows = [[measure_in_words(known.metric), *names]]
    return rows + [[table, *(value(scores[name]) for name in names)] for table, scores in known.scores.items()]


def rows_of_standings(found: Comparison) -> list[list[str]]:
    """Each method and its difference from the best."""
    share = _("{share} interval").format(share=percent(1 - found.level, 0))
    rows = [[_("method"), measure_in_words(str(found.metric)), share, _("difference"), "p", ""]]
    for place, one in enumerate(found.standings):
        mark = _("best") if place == 0 else _("tied") if one.tied else _("worse") if one.p_value == one.p_value else ""
        compared = [number(one.difference), number(one.p_value, 3)] if place else ["", ""]
        rows.append([one.name, value(one.score), interval(one.score), *compared, mark])
    return rows


def about_ranks(found: Comparison) -> Iterator[str]:
    """The critical difference, and groups in which no two methods are told apart."""
    if not np.isnan(found.critical_difference):
        words = _("Mean ranks that differ by {difference} or more are told apart (critical difference, level {level}).")
        yield words.format(difference=number(found.critical_difference, 3), level=number(found.level))
    for clique in found.cliques:
        yield _("Not told apart: {methods}.").format(methods=", ".join(clique))
