"""`aprendiz run --target a --target b`: one run after the other, each in a folder of its own, and a page that leads to them.

A target is never a feature of another: what is to be predicted is not known when it is needed. Whatever is wrong with one of
the targets is refused before the first run begins. A run that is interrupted ends the whole; `--resume` goes on with it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.exit_codes import INTERRUPTED
from aprendiz.cli.reading_progress import read_with_progress
from aprendiz.cli.running import command_to_resume, folder_of_run, run, write_included_table
from aprendiz.cli.tables import STREAM, Tables, files_of, kept
from aprendiz.cli.words import InputError, input_errors, say
from aprendiz.core.atomic import write_whole
from aprendiz.lab.finished_run import RESULTS
from aprendiz.lab.methods import chosen_methods
from aprendiz.lab.question import ask
from aprendiz.lab.report.index import INDEX, index_of
from aprendiz.lab.store import FOLDS
from aprendiz.lab.targets.costs import read_costs
from aprendiz.locale import _

OF_RUN = {"metric", "groups", "no_groups", "leave_out", "keep", "methods", "select", "folds", "task", "seed", "budget", "out"}
OF_RUN |= {
    "resume",
    "no_racing",
    "bias_variance",
    "costs",
    "reject",
    "transform_target",
}  # the other options say how the table is read


def run_each(tables: Tables, targets: tuple[str, ...], **given: Any) -> int:
    """A run for each target; the exit code of the first that does not end well."""
    home, tables = checked_folder(tables, targets, given)
    left_out, budget, resume = given["leave_out"], given["budget"], given["resume"]
    same = {name: value for name, value in given.items() if name not in ("leave_out", "budget", "resume", "out")}
    share = None if budget is None else budget / len(targets)
    folders = subfolders(home, targets)
    for number, (target, folder) in enumerate(folders.items(), 1):
        click.echo(_("target {number} of {count}: {target}").format(number=number, count=len(targets), target=repr(target)))
        others = tuple(name for name in targets if name != target and name not in left_out)
        again = resume and (folder / FOLDS).is_dir()
        own: dict[str, Any] = {"target": target, "out": str(folder), "resume": again, "leave_out": (*left_out, *others)}
        try:
            code = run(tables, **own, budget=share, whole=home, **same)
        except KeyboardInterrupt:  # before its first fold
            if number == 1:
                raise
            words = _("Stopped. Finished targets are kept in {folder}: continue with {command}")
            again = command_to_resume(home, str(tables[0]) if tables else "")
            return say(words.format(folder=home, command=again), INTERRUPTED)
        finished = {name: numbers_in(path) for name, path in folders.items() if (path / RESULTS).is_file()}
        if finished:
            page = index_of(", ".join(tables), {name: (folders[name].name, one) for name, one in finished.items()})
            write_whole(home / INDEX, page.encode())
        if code or finished[target]["stopped"] == "interrupted":
            return int(code)
    click.echo(_("all targets: {file}").format(file=home / INDEX))
    return 0


def checked_folder(tables: Tables, targets: tuple[str, ...], given: dict[str, Any]) -> tuple[Path, Tables]:
    """Where the runs go, and the tables (the copy of standard input), after all questions were asked once."""
    with input_errors(), TemporaryDirectory(prefix="aprendiz-") as spare:
        home = folder_of_run(tables, given["out"], given["resume"])
        if home.exists() and (not home.is_dir() or (any(home.iterdir()) and not given["resume"])):
            raise InputError(
                _("Folder {folder} is not empty and is not overwritten: choose another one (--out).").format(folder=home)
            )
        written = {name: value for name, value in given.items() if name not in OF_RUN}
        options = dialect_options(written) | {"seed": given["seed"] or 0, "groups": given["groups"]}
        files = files_of(tables, Path(spare)) if tables else write_included_table(Path(spare))
        found = read_with_progress(files, **options)
        costs = None if given["costs"] is None else read_costs(given["costs"])
        for target in targets:
            others = tuple(name for name in targets if name != target and name not in given["leave_out"])
            question = ask(
                found,
                target=target,
                metric=given["metric"],
                task=given["task"],
                folds=given["folds"],
                groups=False if given["no_groups"] else given["groups"],
                leave_out=(*given["leave_out"], *others),
                keep=given["keep"],
                costs=costs,
                reject=given["reject"],
                transform=given["transform_target"],
            )
            chosen_methods(question.task, given["methods"])  # each known for every target
        if STREAM in tables:
            tables = (kept(found, tables, home).path,)
    return home, tables


def subfolders(home: Path, targets: tuple[str, ...]) -> dict[str, Path]:
    """A folder for each target, named after it."""
    found: dict[str, Path] = {}
    for target in targets:
        name = re.sub(r"[^\w.-]+", "_", target).strip("._") or "target"
        taken, number = {path.name.lower() for path in found.values()}, 2
        plain = name
        while name.lower() in taken:
            name, number = f"{plain}-{number}", number + 1
        found[target] = home / name
    return found


def numbers_in(folder: Path) -> dict[str, Any]:
    """What a run has found."""
    known: dict[str, Any] = json.loads((folder / RESULTS).read_text(encoding="utf-8"))
    return known
