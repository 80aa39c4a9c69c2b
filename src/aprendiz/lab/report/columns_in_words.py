"""Filters of the page for the columns that were used: their kinds, ranges and treatments in words, their small pictures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from markupsafe import Markup

from aprendiz.lab.card import shorten
from aprendiz.lab.pages.distributions import outlines, points
from aprendiz.locale import _, day, number


def kind_of_column(kind: str) -> str:
    """What a column holds."""
    words = {
        "numeric": _("number"),
        "binary": _("two levels"),
        "categorical": _("category"),
        "ordinal": _("levels in order"),
        "date": _("date"),
        "text": _("text"),
        "list": _("list"),
        "place": _("place"),
        "latitude": _("latitude"),
        "longitude": _("longitude"),
    }
    return words[kind]


def treatment(step: str) -> str:
    """What is done with a column."""
    words = {
        "as_it_is": _("used as it is"),
        "mean": _("missing cells become the mean"),
        "median": _("missing cells become the median"),
        "standardised": _("standardised"),
        "from_0_to_1": _("scaled to 0–1"),
        "classes_of_numbers": _("cut into classes of equally many rows"),
        "numbers_of_levels": _("its levels become 0, 1, …"),
        "codes": _("its levels count as categories"),
        "indicators": _("a column of zeros and ones for each level"),
        "terms": _("weights of its words (TF-IDF)"),
        "directions": _("the main directions of its words"),
        "items": _("a column of zeros and ones for each item, and the number of items"),
        "kilometres": _("kilometres around the centre of the rows, or on the globe"),
        "dates": _("days and parts of the date"),
    }
    return words[step]


def range_of_column(found: Mapping[str, Any]) -> str:
    """From the smallest to the largest value."""
    if found["kind"] == "date":
        low, high = (day(datetime.fromisoformat(found[end])) for end in ("low", "high"))
    else:
        low, high = number(found["low"]), number(found["high"])
    words = {"text": _("{low} to {high} words"), "place": _("{low} to {high} km from the centre")}
    return words.get(found["kind"], "{low} – {high}").format(low=low, high=high)


def outlines_of_column(found: Mapping[str, Any], height: float = 64.0) -> Markup:
    """The histograms of a column."""
    return outlines(found["counts"], height, _("How {column} spreads").format(column=shorten(str(found["name"]), 40)))


def points_of_column(found: Mapping[str, Any], shared: Mapping[str, Any]) -> Markup:
    """The rows of a column against the target."""
    title = _("{column} against the target").format(column=shorten(str(found["name"]), 40))
    return points(found["points"], shared["target"], (found["edges"][0], found["edges"][-1]), shared["target_range"], title)
