"""The folder of an exploration: report.html, the page, and results.json, every number of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Template
from markupsafe import Markup

from aprendiz.core.atomic import write_whole
from aprendiz.lab.card import kind_in_words, role_words
from aprendiz.lab.exploration.findings import by_chance
from aprendiz.lab.exploration.target_proposals import SYMBOLS
from aprendiz.lab.finished_run import RESULTS
from aprendiz.lab.pages.bars import bars
from aprendiz.lab.pages.drawing import draw_picture
from aprendiz.lab.pages.environment import common_parts, environment, source
from aprendiz.lab.pages.folder import REPORT
from aprendiz.lab.reading import Table
from aprendiz.locale import _, day, format_fixed, moment

if TYPE_CHECKING:
    from aprendiz.lab.explore import Exploration

MOST_DETAILED = 120  # columns with a picture each


def write_exploration(found: Exploration, folder: Path) -> Path:
    """Write the numbers, then the page; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / RESULTS, json.dumps(found.numbers, indent=1, ensure_ascii=False, allow_nan=False).encode())
    write_whole(folder / REPORT, page_of(found).encode())
    return folder / REPORT


def page_of(found: Exploration) -> str:
    """The whole page, in the current language."""
    numbers = found.numbers
    picture = None if found.description is None else association_picture(found.description)
    return template().render(
        **numbers,
        **common_parts(found.table),
        pictures={} if picture is None else {"associations": (picture, Markup(picture.svg))},
        when=moment(datetime.fromisoformat(numbers["ended"])),
        detailed=detailed(numbers["columns"], numbers),
        bars=bars,
        symbols=SYMBOLS,
        kinds=kinds(found.table),
        left_in=len(found.table.facts) - len(numbers["left_out"]),
        kind_of={one.name: kind_in_words(one) for one in found.table.facts},
        by_chance=by_chance,
        role_words=role_words(),
        day_of=lambda text: day(datetime.fromisoformat(text)),
        **commands(found),
    )


@cache
def template() -> Template:
    """The page without its numbers."""
    made = environment(fixed=lambda value, places=2: "–" if value is None else format_fixed(value, places))
    return made.from_string(source("exploration/exploration.html.j2"))


def detailed(columns: Sequence[Mapping[str, Any]], numbers: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The columns that are shown one by one: all, or of very many the first ones and those with something to look at."""
    if len(columns) <= MOST_DETAILED:
        return list(columns)
    odd = [one for one in columns if (one.get("far_out") or {}).get("count") or one["missing"] or one["role"] != "feature"]
    chosen = {id(one) for one in [*odd[: MOST_DETAILED // 2], *columns][:MOST_DETAILED]}
    return [one for one in columns if id(one) in chosen]


def association_picture(description: Any) -> Any:
    from aprendiz.plots.association_display import AssociationDisplay

    return draw_picture(
        "associations",
        _("Which columns go together"),
        _("r of numbers is blue above 0 and vermilion below; η² and V, which have no sign, are green."),
        lambda: AssociationDisplay(description).plot(),
    )


def commands(found: Exploration) -> dict[str, str]:
    """What could be typed next."""
    name = shlex.join(found.table.paths)
    target = (found.numbers["targets"] or [{"column": ""}])[0]["column"]
    return {"command": f"aprendiz run {name} --target {shlex.quote(target)}", "cluster_command": f"aprendiz cluster {name}"}


def kinds(table: Table) -> list[tuple[str, int]]:
    """How many columns there are of each kind."""
    counted: dict[str, int] = {}
    for one in table.facts:
        kind = _("categories") if one.kind == "text" and one.levels is not None else words_for_kinds()[one.kind]
        counted[kind] = counted.get(kind, 0) + 1
    return list(counted.items())


def words_for_kinds() -> dict[str, str]:
    return {
        "number": _("numbers"),
        "boolean": _("booleans"),
        "date": _("dates"),
        "text": _("texts"),
        "list": _("lists"),
        "place": _("places"),
    }
