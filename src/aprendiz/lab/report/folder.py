"""The folder of a run: what is written there, never over something else, never in part.

    report.html     the page
    results.json    every number it shows
    experiment.py   the code that reproduces the scores
    model.apz       the best method, fitted to all rows
    folds/          finished folds, for --resume

Each file is written beside and then renamed; the page comes last: where there is a page, all is there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aprendiz.core.atomic import sweep, write_whole
from aprendiz.lab.finished_run import RESULTS
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.pages.folder import REPORT
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.report.page import page_of
from aprendiz.lab.report.pictures import maps_of_rows, pictures
from aprendiz.lab.report.script import script_of
from aprendiz.lab.store import FOLDS
from aprendiz.locale import _
from aprendiz.persistence import save

SCRIPT, MODEL = "experiment.py", "model.apz"


def write_outcome(
    outcome: Outcome, folder: str | os.PathLike[str], *, on_stage: Callable[[str], None] = lambda stage: None
) -> dict[str, Any]:
    """Write model, numbers, code and page into a folder; the numbers."""
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    on_stage(_("drawing the figures"))
    limit = outcome.experiment.limit
    plane, of_rows = limit.attempt(_("map of the rows"), lambda: maps_of_rows(outcome)) or (None, None)
    drawn = pictures(outcome, plane, of_rows)
    on_stage(_("writing the report"))
    numbers = numbers_of(outcome, plane, of_rows)
    save(outcome.model(), home / MODEL)
    write_whole(home / RESULTS, json.dumps(numbers, indent=1, ensure_ascii=False, allow_nan=False).encode())
    write_whole(home / SCRIPT, script_of(outcome, home.resolve()).encode())
    write_whole(home / REPORT, page_of(numbers, drawn, outcome.experiment.table).encode())
    return numbers


def begin(folder: Path, *, resume: bool) -> None:
    """Make the folder of a run, or find it: refuse one that holds something, unless the run is to go on."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(_("{folder} is a file: choose another folder (--out).").format(folder=folder))
    if resume:
        if not (folder / FOLDS).is_dir():
            raise ValueError(_("There is no run to resume in {folder}: omit --resume.").format(folder=folder))
        for place in (folder, folder / FOLDS):
            sweep(place)  # parts of a run that was killed while it wrote
        return
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(
            _(
                "Folder {folder} is not empty and is not overwritten: continue with --resume, or choose another one (--out)."
            ).format(folder=folder)
        )
    folder.mkdir(parents=True, exist_ok=True)
