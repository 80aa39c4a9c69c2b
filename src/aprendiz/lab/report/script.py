"""The code that reproduces the scores of a run: `experiment.py`, written with the public names only.

It reads the table in the same dialect, asks the same question, judges every method on the folds that were done, and compares
each score with results.json.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from pprint import pformat
from typing import Any

import aprendiz
from aprendiz.evaluation.evaluation import Evaluation
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.large_tables.chosen_rows import SampledRows
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.targets.costs import Decision

SCRIPT = '''\
"""Reproduces the scores of results.json: python experiment.py [path of the table, if it was moved]

Table {name}, target {named}, made with aprendiz {version}.
"""

import json
import math
import sys
from pathlib import Path

from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import {dummy}

from aprendiz import {names}
from aprendiz.evaluation import {protocol}, Tuned, evaluate
from aprendiz.lab import Costs, Dialect, PowerOfTarget, ask, prepared, read

HERE = Path(__file__).resolve().parent
TABLE = {path}
DIALECT = {dialect}
METRICS = {metrics}
PROTOCOL = {splits}
SELECTION = {selection}  # of columns, inside the folds
METHODS = {{  # learner, parameters to be tuned, whether that begins with a sample, folds that were done
{methods}
}}

table = read(TABLE, like=DIALECT{sample})
question = ask(
    table, target={target}, task={task}, metric={metric}, groups={groups}, leave_out={left_out}, keep={kept}{costs}{time}
)
X, y, groups = question.data(table)

results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
scores = {{method["method"]: method["scores"] for method in results["leaderboard"] + results["stopped_early"]}}
same = True
for name, (learner, grid, halving, folds) in METHODS.items():
    method = prepared(learner, X, columns=question.columns(table), selection=SELECTION)
    if grid:
        method = Tuned(method, grid, folds={inner}, metric={inner_metric}, halving=halving)
    found = evaluate(method, X, y, protocol=PROTOCOL, groups=groups, metrics=METRICS, only=folds)
    if question.decision is not None:
        found = question.decision.of_evaluation(found)
    print(name, found, sep="\\n", end="\\n\\n")
    for metric in METRICS:
        now, before = found.score(metric).value, scores[name][metric]["value"]
        if now != before and not (before is None and math.isnan(now)):
            print(f"{{name}}: {{metric}} is {{now!r}}, it was {{before!r}} in results.json")
            same = False
print("All scores are those of results.json." if same else "Some scores differ: other versions, or another table?")
raise SystemExit(0 if same else 1)
'''


def script_of(outcome: Outcome, folder: Path) -> str:
    """The code, for a folder: it looks for the table from there."""
    experiment, question = outcome.experiment, outcome.results.question
    found = outcome.results.evaluations | {one.method: experiment.evaluation(one.method) for one in outcome.results.raced}
    methods = [method for method in experiment.methods or () if method.name in found]
    by_class, choice = question.task == "classification", experiment.selection
    chosen_by = [] if choice is None else [choice.name]
    return SCRIPT.format(
        name=comment(experiment.table.name),
        named=comment(question.target),
        version=aprendiz.__version__,
        dummy="DummyClassifier" if by_class else "DummyRegressor",
        names=", ".join([*names_of(methods), *chosen_by]) or "__version__",
        protocol=type(question.protocol).__name__,
        path=table_code(experiment.table.paths, folder),
        dialect=dialect_code(experiment.table.dialect),
        metrics=repr(list(question.metrics())),
        splits=repr(question.protocol),
        methods="\n".join(method_line(method, experiment.grid(method), found[method.name]) for method in methods),
        target=repr(question.target),
        metric=repr(question.metric),
        inner_metric=repr(question.inner_metric),
        costs=costs_code(question.decision),
        task=repr(question.task),
        groups=repr(question.groups or False),
        left_out=[name for name, reason in question.left_out],
        kept=[name for name, reason in question.leaks if name in question.features],
        inner=repr(experiment.inner_folds),
        sample=sample_code(experiment.table.sample),
        time="" if question.time is None else f", time={question.time!r}",
        selection=None if choice is None else repr(choice.selector),
    )


def sample_code(sample: SampledRows | None) -> str:
    """The choice of the rows as arguments of `read`, if they are not all."""
    if sample is None:
        return ""
    return f", sample={sample.most}, seed={sample.seed}" + ("" if sample.groups is None else f", groups={sample.groups!r}")


def table_code(paths: Sequence[str], folder: Path) -> str:
    """Where the table is, seen from the folder, unless the command says so."""
    places = [f"HERE / {Path(os.path.relpath(path, folder)).as_posix()!r}" for path in paths]
    if len(places) == 1:
        return f"Path(sys.argv[1]) if len(sys.argv) > 1 else {places[0]}"
    return "sys.argv[1:] or [\n" + "".join(f"    {place},\n" for place in places) + "]"


def costs_code(decision: Decision | None) -> str:
    """The costs as arguments of `ask`, if there are any."""
    if decision is None:
        return ""
    table = "None" if decision.loss is None else f"Costs({decision.labels!r}, {decision.loss!r})"
    return f",\n    costs={table}, reject={decision.reject!r}"


def method_line(method: Method, tuned: Mapping[str, Any], found: Evaluation) -> str:
    """A method in the table of the script."""
    folds = [fold.number for fold in found.folds]
    done = f"range({len(folds)})" if folds == list(range(len(folds))) else repr(folds)
    grid = {name: list(values) for name, values in tuned.items()}
    return f"    {method.name!r}: ({method.learner!r}, {grid!r}, {method.halving}, {done}),"


def dialect_code(dialect: Dialect) -> str:
    """A dialect as code: what differs from the usual one, an argument to a line."""
    told = {field.name: getattr(dialect, field.name) for field in fields(dialect)}
    told = {name: value for name, value in told.items() if value != getattr(Dialect(), name)}
    if "types" in told:
        told["types"] = dict(told["types"])
    lines = [f"    {name}={indent(value)},\n" for name, value in told.items()]
    return f"Dialect(\n{''.join(lines)})" if lines else "Dialect()"


def indent(value: Any) -> str:
    """A value as code, in lines of readable length."""
    return pformat(value, width=116, compact=True, sort_dicts=False).replace("\n", "\n    ")


def names_of(methods: list[Method]) -> list[str]:
    """The classes that a script needs, those around others too."""
    used = [method for method in methods if not method.baseline]
    around = {type(method.learner).__name__ for method in used} - {method.name for method in used}
    return [*(method.name for method in used), *sorted(around - {"TransformedTargetRegressor"})]


def comment(text: str) -> str:
    """A text that cannot end the docstring it stands in."""
    return repr(text).replace('"""', "'''")
