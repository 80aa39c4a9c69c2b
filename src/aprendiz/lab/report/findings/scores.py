"""Whether anything was learned, and who is as good: baseline_not_beaten, tied, perfect_score."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.evaluation.metrics import METRICS
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import standing
from aprendiz.locale import _, number


def about_the_scores(outcome: Outcome) -> Iterator[Finding]:
    """Whether anything was learned, and who is as good."""
    results = outcome.results
    best, task = results.standings[0], results.question.task
    plain = next((one for one in results.standings if one.name == BASELINE[task]), None)
    if plain is not None and plain.tied:
        yield Finding(
            "baseline_not_beaten",
            "warning",
            _("No method is significantly better than the baseline."),
            _("The baseline ignores the columns: it reaches {baseline}, the best method {best}.").format(
                baseline=number(plain.score.value), best=number(standing(outcome).score.value)
            ),
            remedy_without_winner(outcome),
        )
    others = [one.name for one in results.standings[1:] if one.tied and one.name != BASELINE[task]]
    if others and best.name != BASELINE[task] and not (plain is not None and plain.tied):
        yield Finding(
            "tied",
            "note",
            _("{best} is not significantly better than {others}.").format(best=best.name, others=", ".join(others)),
            _(
                "The differences may be chance (paired test, Holm's correction, 5 %), which does not show that the methods are "
                "equally good."
            ),
            _("Choose among them by other criteria: simplicity, speed, interpretability."),
        )
    perfect = METRICS[best.score.name].range[1 if METRICS[best.score.name].more_is_better else 0]
    if best.score.value == perfect:
        yield Finding(
            "perfect_score",
            "warning",
            _("The score is perfect."),
            _("That is rare in real tables: a column may leak the target, or rows may be duplicated."),
            _("Check the columns that matter most before trusting it."),
        )


def remedy_without_winner(outcome: Outcome) -> str:
    """What to do where no method is better than the baseline: another measure may show that the columns do tell."""
    question, found = outcome.results.question, outcome.results.evaluations
    several = len(found[outcome.results.best].folds) > 1
    for other in ("auc",) if question.task == "classification" and several and question.metric != "auc" else ():
        score = found[outcome.results.best_learner].score(other)
        if score.low > 0.5:
            return _(
                "But the columns do tell something: {method} has an area under the ROC curve of {area} ({low} to {high}; 0.5 "
                "by chance). Compare with --metric auc."
            ).format(
                method=outcome.results.best_learner,
                area=number(score.value),
                low=number(score.low),
                high=number(score.high),
            )
    return _("The columns may carry no information about the target, or there may be too few rows.")
