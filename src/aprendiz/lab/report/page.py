"""The page of a report: the numbers of results.json and the pictures, put into `report.html.j2`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, Template
from markupsafe import Markup

from aprendiz.evaluation.bounds.classes.reasons import reason_in_words
from aprendiz.evaluation.words.bounds import bound_in_words, verdict_in_words
from aprendiz.evaluation.words.comparisons import name_of_test, posthoc_in_words
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.pages import environment as pages
from aprendiz.lab.pages.drawing import ReportPicture
from aprendiz.lab.pages.environment import common_parts, source, value_in_words
from aprendiz.lab.reading import Table
from aprendiz.locale import _, format_fixed, moment, number, percent

MANY_SUPPORT = 0.5  # share of support vectors


def page_of(numbers: Mapping[str, Any], pictures: Mapping[str, ReportPicture], table: Table) -> str:
    """The whole page, in the current language."""
    return template().render(
        **numbers,
        pictures={key: (one, Markup(one.svg)) for key, one in pictures.items()},
        **common_parts(table),
        when=moment(datetime.fromisoformat(numbers["ended"])),
        bars=interval_bars(numbers),
        calibration_words=calibration_in_words(numbers["predictions"]),
        tuned=", ".join(f"{name} = {value_in_words(value)}" for name, value in numbers["model"]["tuned"].items()),
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


def calibration_in_words(predictions: Mapping[str, Any]) -> str:
    """The Brier score and its parts, of the class whose probabilities are drawn; nothing where there are none."""
    known = predictions.get("curves", {}).get(predictions.get("calibrated_class"))
    if known is None:
        return ""
    return _(
        "Brier score {brier}; of the bins {brier_of_bins} = reliability {reliability} − resolution {resolution} + uncertainty "
        "{uncertainty}. Expected calibration error {error}."
    ).format(error=score(known["calibration_error"]), **{name: score(value) for name, value in known["brier"].items()})


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
    scores = [method["scores"][numbers["question"]["metric"]] for method in numbers["leaderboard"]]
    shown = [
        one for one, method in zip(scores, numbers["leaderboard"], strict=True) if method["method"] not in BASELINE.values()
    ]
    ends = [one[end] for one in shown or scores for end in ("low", "value", "high") if one[end] is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    return [bar(one, low, high) for one in scores]


def bar(score: Mapping[str, Any], low: float, high: float) -> dict[str, float]:
    """The ends and the middle of an interval between two limits; nothing if it lies outside them."""
    value = score["value"]
    if value is None or not low <= value <= high or high == low:
        return {}
    left, right = (value if score[end] is None else score[end] for end in ("low", "high"))
    places = zip(("left", "middle", "right"), (max(left, low), value, min(right, high)), strict=True)
    return {name: round(100 * (place - low) / (high - low), 2) for name, place in places}
