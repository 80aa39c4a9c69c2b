"""The folder of a search for groups.

    report.html     the page
    results.json    every number of it
    groups.csv      the table with the group of each row                                       (if there are groups)
    model.apz       gives the group of new rows: `aprendiz predict`                            (if there are groups)

Each file is written beside and then renamed; the page comes last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Template
from markupsafe import Markup

from aprendiz.core.atomic import whole_file, write_whole
from aprendiz.lab.clustering.differences import difference_in_words
from aprendiz.lab.finished_run import RESULTS
from aprendiz.lab.pages.drawing import draw_picture
from aprendiz.lab.pages.environment import common_parts, environment, source
from aprendiz.lab.pages.folder import GROUPS, MODEL, REPORT
from aprendiz.lab.report.map_of_rows import how_to_read_the_map, map_of
from aprendiz.lab.written_table import CsvTables, free
from aprendiz.locale import _, format_fixed, moment
from aprendiz.persistence import save

if TYPE_CHECKING:
    from aprendiz.lab.cluster import Clustering
    from aprendiz.lab.model import TableModel

STABLE, DISSOLVED = 0.75, 0.5


def write_clustering(found: Clustering, folder: Path) -> Path:
    """Write everything; the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    model = found.model()
    if model is not None and found.labels is not None:
        write_groups(found, model, folder / GROUPS)
        save(model, folder / MODEL)
    write_whole(folder / RESULTS, json.dumps(found.numbers, indent=1, ensure_ascii=False, allow_nan=False).encode())
    write_whole(folder / REPORT, page_of(found).encode())
    return folder / REPORT


def write_groups(found: Clustering, model: TableModel, path: Path) -> None:
    """The table with the group of each row; of a sample, all rows of its file with what the model says of them, block by
    block."""
    name = free(_("group"), {str(name) for name in found.table.frame.columns})
    with whole_file(path) as stream:
        file = CsvTables(stream)
        if found.table.sample is None:
            file.add(found.table, {name: found.labels})
        else:
            for block in model.tables(found.table.paths, in_blocks=True):
                file.add(block, {name: np.asarray(model.model.predict(model.frame(block.frame)))})


def page_of(found: Clustering) -> str:
    """The whole page, in the current language."""
    from aprendiz.lab.cluster import verdict

    numbers = found.numbers
    drawn = (draw_picture(*planned) for planned in pictures(found))
    shown = {picture.key: (picture, Markup(picture.svg)) for picture in drawn if picture is not None}
    return template().render(
        **numbers,
        **common_parts(found.table),
        pictures=shown,
        when=moment(datetime.fromisoformat(numbers["ended"])),
        verdict=verdict(numbers),
        words=difference_in_words,
        criterion_names=criterion_names(),
        stable=STABLE,
        dissolved=DISSOLVED,
    )


def criterion_names() -> dict[str, str]:
    return {"elbow": _("elbow"), "silhouette": _("silhouette"), "gap": _("gap"), "bic": _("BIC")}


@cache
def template() -> Template:
    """The page without its numbers."""
    made = environment(fixed=lambda value, places=2: "–" if value is None else format_fixed(value, places))
    return made.from_string(source("clustering/clustering.html.j2"))


def pictures(found: Clustering) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """What is to be drawn: key, title, how to read it, and the function that draws it."""
    from aprendiz.plots.choice_of_clusters_display import ChoiceOfClustersDisplay
    from aprendiz.plots.embedding_display import EmbeddingDisplay
    from aprendiz.plots.rows_display import RowsDisplay
    from aprendiz.plots.silhouette_display import SilhouetteDisplay

    labels, S = found.labels, found.points.S
    if found.choice is not None:
        choice = found.choice
        yield (
            "criteria",
            _("What the usual criteria say"),
            _("The number of groups that each criterion would choose is marked. Some of them choose one in any table."),
            lambda: ChoiceOfClustersDisplay(choice).plot(),
        )
    colours = np.full(len(S), "1") if labels is None else labels
    if S.shape[1] > 1:
        plane = RowsDisplay(found.points.X, None if labels is None else labels)
        yield (
            "rows",
            _("The rows in two dimensions"),
            _("Each point is a row, projected on the first two principal components."),
            lambda: plane.plot(name=_("group")),
        )
        of_rows = map_of(S, colours, plane.chosen)
        if of_rows is not None:
            yield (
                "map",
                _("Which rows are alike"),
                how_to_read_the_map(of_rows),
                lambda: EmbeddingDisplay(
                    of_rows.points, None if labels is None else of_rows.y, as_numbers=False, rows=of_rows.count
                ).plot(name=_("group")),
            )
    if labels is not None:
        yield (
            "silhouettes",
            _("How near each row is to its group"),
            _("1: much nearer to its own group than to the next one; below 0: nearer to another one."),
            lambda: SilhouetteDisplay(S, labels).plot(),
        )
