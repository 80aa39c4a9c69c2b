"""Comparisons of learners in sentences and small tables, in the language of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from aprendiz.evaluation.words.assumptions import assumption_in_words
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.evaluation.words.tables import align
from aprendiz.locale import _, number, percent

if TYPE_CHECKING:
    from aprendiz.evaluation import Comparison

__all__ = ["assumption_in_words", "conclusion", "report", "name_of_test"]


def name_of_test(test: str) -> str:
    """The name of a test."""
    words = {
        "z": _("Z of two proportions"),
        "mcnemar": _("McNemar's test, exact"),
        "mcnemar_mid_p": _("McNemar's test, mid-p"),
        "mcnemar_corrected": _("McNemar's test, χ² with continuity correction"),
        "paired_z": _("z of paired rows"),
        "paired_t": _("paired t of folds"),
        "corrected_t": _("corrected t of folds"),
        "5x2cv_t": _("5×2cv t"),
        "5x2cv_f": _("5×2cv F"),
        "wilcoxon": _("Wilcoxon's signed ranks"),
        "sign": _("sign test"),
        "bayesian_t": _("Bayesian correlated t"),
        "bayesian_signed_rank": _("Bayesian signed ranks"),
        "friedman": _("Friedman's test, corrected for ties"),
        "friedman_uncorrected": _("Friedman's test, not corrected for ties"),
        "iman_davenport": _("Iman and Davenport's test, corrected for ties"),
        "iman_davenport_uncorrected": _("Iman and Davenport's test, not corrected for ties"),
        "leaderboard": _("each learner against the best"),
        "ranks": _("difference of mean ranks"),
    }
    return words[test]


def posthoc_in_words(method: str) -> str:
    """The name of a method that raises p-values."""
    words = {"nemenyi": "Nemenyi", "holm": "Holm", "hochberg": "Hochberg", "shaffer": "Shaffer"}
    words |= {"bergmann_hommel": "Bergmann–Hommel", "bonferroni_dunn": "Bonferroni–Dunn"}
    return words[method]


def effect_in_words(name: str) -> str:
    """The name of an effect size."""
    words = {
        "Cohen's h": _("Cohen's h"),
        "Cohen's d": _("Cohen's d"),
        "odds ratio": _("odds ratio"),
        "rank-biserial correlation": _("rank-biserial correlation"),
        "share of wins": _("share of wins"),
        "Kendall's W": _("Kendall's W"),
        "mean probability of better": _("mean probability of better"),
    }
    return words[name]


def measured(found: Comparison) -> str:
    """The measure, in words."""
    return _("mean rank") if found.test == "ranks" else measure_in_words(found.metric) if found.metric else _("score")


# ---- a sentence --------------------------------------------------------------------------------------------------------


def conclusion(found: Comparison) -> str:
    """What was found, in a sentence or two."""
    if len(found.names) == 2 and found.test not in ("leaderboard",) and found.ranks is None:
        return of_posterior(found) if found.posterior is not None else of_pair(found)
    if found.statistic_name:
        return f"{of_all(found)} {of_standings(found)}" if found.standings else of_all(found)
    return of_standings(found)


def of_pair(found: Comparison) -> str:
    """Two learners and a p-value."""
    a, b = found.names
    facts = _("p = {p}").format(p=number(found.adjusted, 3))
    if not np.isnan(found.estimate):
        facts = _("difference in {measure} {d}, {share} interval {low} to {high}, {p}").format(
            measure=measured(found),
            d=number(found.estimate),
            share=percent(1 - found.level, 0),
            low=number(found.interval[0]),
            high=number(found.interval[1]),
            p=facts,
        )
    if found.alternative != "two-sided":
        return one_sided(found, facts)
    if np.isnan(found.adjusted):
        return _("There is too little to compare {a} with {b} by.").format(a=a, b=b)
    if (better := found.better) is None:
        text = _("{a} and {b} cannot be told apart at the level {level} ({facts}).")
        return text.format(a=a, b=b, level=number(found.level), facts=facts)
    return _("{a} is better than {b} ({facts}).").format(a=better, b=b if better == a else a, facts=facts)


def one_sided(found: Comparison, facts: str) -> str:
    """A question with a direction: the measure of the first is greater, or less."""
    if found.alternative == "greater":
        yes = _("{measure}: {a} has more than {b} ({facts}).")
        no = _("{measure}: that {a} has more than {b} is not shown at the level {level} ({facts}).")
    else:
        yes = _("{measure}: {a} has less than {b} ({facts}).")
        no = _("{measure}: that {a} has less than {b} is not shown at the level {level} ({facts}).")
    a, b = found.names
    text = yes if found.significant else no
    return text.format(measure=measured(found), a=a, b=b, facts=facts, level=number(found.level))


def of_posterior(found: Comparison) -> str:
    """Two learners and a posterior."""
    assert found.posterior is not None
    assert found.rope is not None
    worse, same, better = found.posterior
    if better >= 1 - found.level:
        text = _("{a} is practically better than {b}: {chances}.")
    elif worse >= 1 - found.level:
        text = _("{a} is practically worse than {b}: {chances}.")
    elif same >= 1 - found.level:
        text = _("{a} and {b} are practically the same: {chances}.")
    else:
        text = _("Nothing is decided between {a} and {b}: {chances}.")
    chances = _("P(worse) = {worse}, P(same) = {same}, P(better) = {better}, rope {low} to {high}").format(
        worse=number(worse, 3),
        same=number(same, 3),
        better=number(better, 3),
        low=number(found.rope[0]),
        high=number(found.rope[1]),
    )
    return text.format(a=found.names[0], b=found.names[1], chances=chances)


def of_all(found: Comparison) -> str:
    """The test of all learners together."""
    facts = f"{statistic(found)}, {_('p = {p}').format(p=number(found.p_value, 3))}"
    if found.p_value < found.level:
        return _("The learners differ ({facts}).").format(facts=facts)
    return _("That the learners differ is not shown at the level {level} ({facts}).").format(
        level=number(found.level), facts=facts
    )


def of_standings(found: Comparison) -> str:
    """The best learner, and which others are worse."""
    best, *others = found.standings
    text = _("{a} has the best {measure}, {value}.").format(
        a=best.name, measure=_("mean rank") if found.ranks is not None else measured(found), value=number(best.score.value)
    )
    tied, worse = (
        [one.name for one in others if (one.tied, one.p_value == one.p_value) == state]
        for state in ((True, True), (False, True))
    )
    if worse:
        text += " " + _("Significantly worse: {names}.").format(names=", ".join(worse))
    if tied:
        text += " " + _("Not told apart from it: {names}.").format(names=", ".join(tied))
    return text


def statistic(found: Comparison) -> str:
    """t(9) = 2.4."""
    degrees = f"({'; '.join(number(one) for one in found.degrees)})" if found.degrees else ""
    return f"{found.statistic_name}{degrees} = {number(found.statistic)}"


# ---- a small table -----------------------------------------------------------------------------------------------------


def report(found: Comparison) -> str:
    """The test, its numbers, the learners and pairs, what is broken, and the conclusion."""
    lines = [heading(found), *numbers(found)]
    if found.standings and len(found.names) > 2:
        lines += [align(table_of_standings(found))]
    if found.pairs:
        lines += [align(table_of_pairs(found))]
    lines += [f"! {assumption_in_words(one)}" for one in found.assumptions if one.broken]
    return "\n".join([*lines, found.sentence])


def heading(found: Comparison) -> str:
    parts = [name_of_test(found.test), measured(found)]
    if found.tables:
        parts.append(_("{count} tables").format(count=number(len(found.tables))))
    if found.posthoc is not None:
        parts.append(posthoc_in_words(found.posthoc))
    return "; ".join(parts)


def numbers(found: Comparison) -> list[str]:
    """The numbers of the test, one line."""
    parts = []
    if not np.isnan(found.estimate):
        low, high = map(number, found.interval)
        interval = "" if np.isnan(found.interval[0]) else f" ({low} {_('to')} {high})"
        parts.append(f"{_('difference')} {number(found.estimate)}{interval}")
    if found.statistic_name:
        parts.append(statistic(found))
    if not np.isnan(found.p_value):
        parts.append(_("p = {p}").format(p=number(found.p_value, 3)))
    if found.posterior is not None:
        parts.append("P = " + " / ".join(number(one, 3) for one in found.posterior))
    if found.effect_name:
        parts.append(f"{effect_in_words(found.effect_name)} {number(found.effect_size, 3)}")
    return [", ".join(parts)] if parts else []


def table_of_standings(found: Comparison) -> list[list[str]]:
    head = _("mean rank") if found.ranks is not None else measured(found)
    rows = [[_("learner"), head, _("difference"), "p", ""]]
    for place, one in enumerate(found.standings):
        mark = "" if place == 0 or one.p_value != one.p_value else _("tied") if one.tied else _("worse")
        rows.append(
            [
                one.name,
                number(one.score.value),
                number(one.difference) if place else "",
                number(one.p_value, 3) if place else "",
                mark,
            ]
        )
    return rows


def table_of_pairs(found: Comparison) -> list[list[str]]:
    """The pairs, those with the smallest p-values first."""
    if found.pairs[0].posterior is not None:
        rows = [[_("pair"), _("difference"), _("P(worse)"), _("P(same)"), _("P(better)")]]
        for one in found.pairs:
            assert one.posterior is not None
            rows.append([" – ".join(one.names), number(one.estimate), *(number(chance, 3) for chance in one.posterior)])
        return rows
    rows = [[_("pair"), _("difference"), one_name(found), "p", _("raised p")]]
    for one in sorted(found.pairs, key=lambda pair: (np.isnan(pair.adjusted), pair.adjusted, pair.p_value)):
        cells = [number(one.estimate), number(one.statistic), number(one.p_value, 3), number(one.adjusted, 3)]
        rows.append([" – ".join(one.names), *cells])
    return rows


def one_name(found: Comparison) -> str:
    """The letter of the statistic of the pairs, if they have one."""
    letters = {one.statistic_name for one in found.pairs if one.statistic_name}
    return letters.pop() if len(letters) == 1 else _("statistic")
