"""What was not done, and what was complained of: stopped, unfinished, method_failed, warnings."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.race import CHANCE
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, format_whole, ngettext, number, percent

SMALL_OVERRUN = 1.0  # seconds


def about_the_run(outcome: Outcome) -> Iterator[Finding]:
    """What was not done, and what was complained of."""
    results, limit = outcome.results, outcome.experiment.limit
    if results.stopped == "budget" and set(results.evaluations) <= set(BASELINE.values()):
        yield Finding(
            "stopped",
            "warning",
            _("The time limit was too short for a single fold of any method: only the baseline was judged."),
            _("The limit is {seconds} seconds for the whole run.").format(seconds=number(limit.seconds or 0.0)),
            _("Give more time with --budget, or choose faster methods with --methods; --resume goes on with this run."),
        )
    elif results.stopped:
        cause = _("the time limit was reached") if results.stopped == "budget" else _("it was interrupted")
        yield Finding(
            "stopped",
            "warning",
            _("The run was stopped early: {cause}.").format(cause=cause),
            _("The scores come from {done} of {folds} folds; the intervals are wider than necessary.").format(
                done=format_whole(results.done), folds=format_whole(results.folds)
            ),
            _("Run the same command with --resume: the finished folds are kept."),
        )
    if limit.left_out:
        yield Finding(
            "left_out",
            "note",
            _("There was no time for: {parts}.").format(parts=", ".join(dict.fromkeys(limit.left_out))),
            _("The limit is {seconds} seconds for the whole run.").format(seconds=number(limit.seconds or 0.0)),
            _("Run the same command with --resume and more time."),
        )
    if -limit.left > SMALL_OVERRUN:
        yield Finding(
            "over_time",
            "note",
            _("The run takes longer than its limit of {seconds} seconds, by {over} so far.").format(
                seconds=number(limit.seconds or 0.0), over=format_whole(round(-limit.left))
            ),
            _("The fit to all rows and the report are not left out: without them there would be no result."),
            _("Give more time with --budget, or choose faster methods with --methods."),
        )
    if results.raced:
        yield Finding(
            "raced",
            "note",
            _("Stopped early, because they could not win any more: {methods}.").format(
                methods=", ".join(f"{one.method} ({one.folds}/{results.folds})" for one in results.raced)
            ),
            _("The chance that such a method would have been best after all folds is below {chance}.").format(
                chance=percent(CHANCE, 0)
            ),
            _("To compare them over all folds, run with --no-racing (and --resume, which keeps the finished folds)."),
        )
    if results.unfinished:
        yield Finding(
            "unfinished",
            "warning",
            _("Not compared yet: {methods}.").format(methods=", ".join(results.unfinished)),
            _("They completed fewer folds than the others."),
            _("Run the same command with --resume and more time."),
        )
    for name, why in results.failures.items():
        yield Finding(
            "method_failed",
            "warning",
            _("{method} could not be fitted.").format(method=name),
            why,
            _("It was excluded; the other methods were compared without it."),
        )
    heard = sum((found.warnings for found in results.evaluations.values()), outcome.warnings)
    if heard:
        yield Finding(
            "warnings",
            "note",
            ngettext("The methods gave {times} warning.", "The methods gave {times} warnings.", heard.total()).format(
                times=format_whole(heard.total())
            ),
            heard.most_common(1)[0][0],
            _("All warnings are listed at the end of the report, with their counts."),
        )
