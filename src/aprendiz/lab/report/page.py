"""The page of a report: the numbers of results.json and the pictures, put into `report.html.j2`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import numpy as np
from jinja2 import Environment, Template
from markupsafe import Markup

from aprendiz.evaluation.bounds.classes.reasons import reason_in_words
from aprendiz.evaluation.words.bounds import bound_in_words, verdict_in_words
from aprendiz.evaluation.words.comparisons import name_of_test, posthoc_in_words
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.card import shorten
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.pages import environment as pages
from aprendiz.lab.pages.distributions import points, quartiles
from aprendiz.lab.pages.drawing import ReportPicture
from aprendiz.lab.pages.environment import common_parts, source, value_in_words
from aprendiz.lab.pages.reliability import reliability
from aprendiz.lab.reading import Table
from aprendiz.lab.report.columns_in_words import (
    kind_of_column,
    outlines_of_column,
    points_of_column,
    range_of_column,
    treatment,
)
from aprendiz.locale import _, format_fixed, moment, number, percent

MOST_TICKS = 4  # steps of the axis of the intervals
MANY_TIMES = 1000.0  # from which the exact number says nothing
MANY_SUPPORT = 0.5  # share of support vectors


def page_of(numbers: Mapping[str, Any], pictures: Mapping[str, ReportPicture], table: Table) -> str:
    """The whole page, in the current language."""
    return template().render(
        **numbers,
        pictures={key: (one, Markup(one.svg)) for key, one in pictures.items()},
        **common_parts(table),
        when=moment(datetime.fromisoformat(numbers["ended"])),
        bars=interval_bars(numbers),
        ticks=ticks_of_axis(*range_of_intervals(numbers)),
        no_curve_words=no_curve_in_words(numbers["no_curve"]),
        tuned=", ".join(f"{name} = {value_in_words(value)}" for name, value in numbers["model"]["tuned"].items()),
        scale_words=scale_in_words(numbers["model"], numbers["question"]["target"]),
        machine_words=machine_in_words(numbers["support_vectors"]),
        machine_meaning=meaning_of_support(numbers["support_vectors"]),
        target_place=[one.name for one in table.facts].index(numbers["question"]["target"]),
        baselines=list(BASELINE.values()),
    )


@cache
def template() -> Template:
    """The page without its numbers. Its words are looked up when it is rendered, in the language of that moment."""
    return environment().from_string(source("report/report.html.j2"))


def environment() -> Environment:
    """Jinja with the words and numbers of the current language, and those of measures and tests."""
    return pages.environment(
        score=score,
        chance=chance,
        interval=interval,
        measure=measure_in_words,
        test=name_of_test,
        correction=posthoc_in_words,
        bound=bound_in_words,
        verdict=verdict_in_words,
        reason=reason_in_words,
        times_as_likely=times_as_likely,
        calibration=calibration_in_words,
        reliability=reliability_of,
        predictions_of_method=predictions_of_method,
        kind_of_column=kind_of_column,
        treatment=treatment,
        range_of_column=range_of_column,
        outlines_of_column=outlines_of_column,
        points_of_column=points_of_column,
        quartiles=quartiles,
    )


def score(value: float | None, name: str = "accuracy") -> str:
    """A score, with digits of which a reader can compare the last."""
    return "–" if value is None else score_in_words(value, name)


def interval(found: Mapping[str, Any], name: str) -> str:
    """From the low to the high end."""
    return "–" if found["low"] is None else f"{score(found['low'], name)} – {score(found['high'], name)}"


def chance(value: float | None) -> str:
    """A p-value."""
    if value is None:
        return "–"
    return format_fixed(value, 4) if value >= 0.0001 else f"< {format_fixed(0.0001, 4)}"


def calibration_in_words(found: Mapping[str, Any]) -> str:
    """The calibration error of a class, and its Brier score in parts."""
    measures = _("Calibration error {error}; by chance {chance}.").format(
        error=score(found["error"]), chance=score(found["error_by_chance"])
    )
    parts = _(
        "Brier score {brier}; of the bins {brier_of_bins} = reliability {reliability} − resolution {resolution} + uncertainty "
        "{uncertainty}."
    ).format(**{name: score(value) for name, value in found["brier"].items()})
    return f"{measures} {parts}"


def reliability_of(found: Mapping[str, Any]) -> Markup:
    """The picture of the calibration of a class."""
    label = shorten(found["label"], 40)
    title = _("Calibration of the probabilities of class {label}").format(label=label)
    return reliability(found, title, _("predicted probability"))


def predictions_of_method(found: Mapping[str, Any]) -> Markup:
    """Test rows of a method as points."""
    predicted, observed = found["predicted"], found["observed"]
    ends = (min(*predicted, *observed), max(*predicted, *observed))
    return points(predicted, observed, ends, ends, _("Predictions and observed values"), diagonal=True)


def scale_in_words(model: Mapping[str, Any], target: str) -> str:
    """How to read what a model of a transformed target has learned; nothing where the target is as it was."""
    scale = model["target_scale"]
    if scale is None:
        return ""
    known = {"target": target, "centre": number(scale["centre"]), "power": number(scale["power"], 3)}
    if scale["power"] == 0:
        read = _(
            "The method predicts log({target}/{centre}), and predictions are taken back to the units of {target}: they are "
            "medians rather than means if the errors on that scale are symmetric."
        )
        how = _(
            "A coefficient b multiplies the prediction by exp(b) for one unit more of its column: about 100·b per cent more if "
            "b is small, exactly the per cent beside it."
        )
    else:
        read = _(
            "The method predicts (({target}/{centre})^λ − 1)/λ with λ = {power}, and predictions are taken back to the units "
            "of {target}: they are medians rather than means if the errors on that scale are symmetric."
        )
        how = _(
            "Coefficients are in units of that scale: their signs and their order can be read, not how much of the "
            "target they are."
        )
    return f"{read.format(**known)} {how}" if model["coefficients"] else read.format(**known)


def machine_in_words(found: Mapping[str, Any] | None) -> str:
    """The numbers of the kernel, and C."""
    if found is None:
        return ""
    letters = {"gamma": "γ", "nu": "ν", "epsilon": "ε"}
    given = {**found["kernel_parameters"], **found["price"]}
    return "; ".join(  # a comma stands within numbers: 1,000 or 0,5
        f"{letters.get(name, name)} = {'∞' if value is None else number(value)}" for name, value in given.items()
    )


def meaning_of_support(found: Mapping[str, Any] | None) -> str:
    """What many or few support vectors mean."""
    if found is None:
        return ""
    if found["count"] > MANY_SUPPORT * found["rows"]:
        if found["classes"]:
            return _(
                "Many support vectors: the classes overlap, C is small, or γ is so large that each row is alike only to "
                "itself. Each prediction costs a kernel value for each of them."
            )
        return _(
            "Many support vectors: the noise is wider than the tube, or γ is so large that each row is alike only to itself. "
            "Each prediction costs a kernel value for each of them."
        )
    if found["classes"]:
        return _(
            "The other rows could be left out without any change. So when each row is left out in turn, with the same "
            "parameters, only support vectors can be wrong: an error of at most {share}."
        ).format(share=percent(found["count"] / found["rows"]))
    return _("The rows inside the tube could be left out without any change.")


def interval_bars(numbers: Mapping[str, Any]) -> list[dict[str, float]]:
    """For each method, where its interval and its score lie, in per cent of the range of all methods but the baseline."""
    low, high = range_of_intervals(numbers)
    return [bar(method["scores"][numbers["question"]["metric"]], low, high) for method in numbers["leaderboard"]]


def range_of_intervals(numbers: Mapping[str, Any]) -> tuple[float, float]:
    """From the lowest to the highest end of the intervals of all methods but the baseline."""
    metric, rows = numbers["question"]["metric"], numbers["leaderboard"]
    shown = [row["scores"][metric] for row in rows if row["method"] not in BASELINE.values()]
    every = shown or [row["scores"][metric] for row in rows]
    ends = [one[end] for one in every for end in ("low", "value", "high") if one[end] is not None]
    return (min(ends), max(ends)) if ends else (0.0, 1.0)


def ticks_of_axis(low: float, high: float) -> list[dict[str, Any]]:
    """Round numbers between two ends, and where they stand in per cent of the way."""
    if not high > low:
        return []
    step = 10.0 ** np.floor(np.log10(high - low))
    step = next(one for one in (0.2 * step, 0.5 * step, step, 2.0 * step, 5.0 * step) if (high - low) / one <= MOST_TICKS)
    values = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    return [{"at": round(100 * (one - low) / (high - low), 2), "value": number(round(one, 12))} for one in values.tolist()]


def times_as_likely(log_ratio: float | None) -> str:
    """How many times as likely a cell is in one class as in another."""
    times = np.inf if log_ratio is None else np.exp(min(log_ratio, 50.0))
    if times > MANY_TIMES:
        return _("more than {times} times as likely").format(times=number(MANY_TIMES))
    return _("{times} times as likely").format(times=number(float(times), 2))


def no_curve_in_words(reason: str | None) -> str:
    """Why there is no learning curve; nothing where there is one."""
    words = {
        None: "",
        "interrupted": _("There is no learning curve: the run was interrupted."),
        "time": _("There is no learning curve: it would have taken too long."),
        "budget": _("There is no learning curve: the time limit was reached."),
        "rows": _("There is no learning curve: there are too few rows for its parts."),
    }
    return words[reason]


def bar(score: Mapping[str, Any], low: float, high: float) -> dict[str, float]:
    """The ends and the middle of an interval between two limits; nothing if it lies outside them."""
    value = score["value"]
    if value is None or not low <= value <= high or high == low:
        return {}
    left, right = (value if score[end] is None else score[end] for end in ("low", "high"))
    places = zip(("left", "middle", "right"), (max(left, low), value, min(right, high)), strict=True)
    return {name: round(100 * (place - low) / (high - low), 2) for name, place in places}
