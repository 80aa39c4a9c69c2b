"""The page that leads to the reports of several targets: for each the best method, its score and the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.pages.environment import environment, source
from aprendiz.lab.pages.folder import REPORT
from aprendiz.lab.report.page import interval, score
from aprendiz.locale import _, current_language

INDEX = "index.html"


def index_of(table: str, runs: Mapping[str, tuple[str, Mapping[str, Any]]]) -> str:
    """The page, from the folder and the numbers of each target."""
    lines = []
    for target, (folder, numbers) in runs.items():
        metric = numbers["question"]["metric"]
        scores = {one["method"]: one["scores"][metric] for one in numbers["leaderboard"]}
        plain = next((scores[name] for name in BASELINE.values() if name in scores), None)
        lines.append(
            {
                "target": target,
                "link": f"{quote(folder)}/{REPORT}",
                "task": numbers["question"]["task"],
                "best": numbers["best"],
                "measure": measure_in_words(metric),
                "score": score(scores[numbers["best"]]["value"], metric),
                "interval": interval(scores[numbers["best"]], metric),
                "baseline": "–" if plain is None else score(plain["value"], metric),
                "warnings": [one["sentence"] for one in numbers["findings"] if one["weight"] == "warning"],
            }
        )
    first = next(iter(runs.values()))[1]
    name = Path(table).name or first["table"]["name"]
    page = environment().from_string(source("report/index.html.j2"))
    title = _("Targets of {table}").format(table=name)
    words = {"lang": current_language(), "title": title, "version": first["versions"]["aprendiz"]}
    return page.render(style=Markup(source("page.css")), lines=lines, **words)
