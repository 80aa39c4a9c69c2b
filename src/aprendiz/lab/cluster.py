"""Groups of rows in a table without a target: `cluster(read("patients.csv"))`.

    points       the columns, standardised, along their principal axes                        (table_of_rows.py)
    structure    is there more than one cloud, and how many groups are there                  (structure.py)
    criteria     elbow, silhouette, gap and BIC for each k, beside it                         (cluster.choose_k)
    methods      several methods with that k, their silhouettes and stability                 (methods.py)
    differences  what tells the groups apart, in words and rules                              (differences.py)

Where the table is one cloud, that is the answer: no method is tried unless a number of groups is asked for. Each part is a
stage; what is stopped, or runs out of time, has the stages that were finished.

Cost: the stages say what they look at; O(n²) for the methods that need all distances, up to 3 000 rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from aprendiz.bayes.nearest_centroid import NearestCentroid
from aprendiz.cluster import GaussianMixture, KMeans
from aprendiz.cluster.choose_k import ChoiceOfClusters, choose_k
from aprendiz.core.random import hash_one
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.lab.clustering.differences import difference_in_words, differences, rules_of
from aprendiz.lab.clustering.methods import (
    MethodResult,
    agreements,
    choose_method,
    chosen_method_names,
    fit_method,
    reason_against,
)
from aprendiz.lab.clustering.structure import SURE, Structure, find_structure
from aprendiz.lab.clustering.table_of_rows import RowsAsPoints, rows_as_points
from aprendiz.lab.exploration.samples import chosen_rows
from aprendiz.lab.explore import of_table, refuse_unknown
from aprendiz.lab.model import TableModel
from aprendiz.lab.pages.plain_data import plain, versions
from aprendiz.lab.reading import Table
from aprendiz.locale import _, format_whole
from aprendiz.neighbors import KNeighborsClassifier

FORMAT = 1  # of results.json
MOST_K = 8  # of the criteria
ROWS_OF_CRITERIA = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Clustering(ShortRepr):
    """The groups of a table.

    Attributes
    ----------
    table : Table
    numbers : mapping
        Every number, as results.json holds them; parts that were not computed are None.
    labels : ndarray of str or None
        The group of each row, "1" for the largest; None if the table is one cloud.
    points : RowsAsPoints
        The rows as the methods saw them.
    choice : ChoiceOfClusters or None
        What the criteria say of each number of groups.
    """

    table: Table
    numbers: Mapping[str, Any]
    labels: Array | None
    points: RowsAsPoints = field(repr=False)
    choice: ChoiceOfClusters | None = field(repr=False, default=None)

    @property
    def k(self) -> int:
        return 1 if self.labels is None else len(np.unique(self.labels))

    def model(self) -> TableModel | None:
        """A model that gives the group of new rows: that of the nearest mean (KMeans), or of the nearest row."""
        return None if self.labels is None else group_model(self)

    def __str__(self) -> str:
        return "\n".join(answer_lines(self.numbers))

    def write(self, folder: Any) -> Path:
        """Write page, numbers and, where there are groups, groups.csv and model.apz into a folder; the path of the page."""
        from aprendiz.lab.clustering.page import write_clustering

        return write_clustering(self, Path(folder))


def cluster(
    table: Table,
    *,
    k: int | None = None,
    methods: str | None = None,
    leave_out: Sequence[str] = (),
    budget: float | None = None,
    seed: int = 0,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Clustering:
    """Look for groups of rows.

    Parameters
    ----------
    table : Table
        What `read` returns.
    k : int, optional
        Number of groups; found by default.
    methods : str, optional
        Names separated by commas: KMeans, GaussianMixture, AgglomerativeClustering, KMedoids (by Gower's distance).
    leave_out : list of str
        Columns to ignore.
    budget : float, optional
        Time limit in seconds, after which no new stage starts.
    seed : int, default=0
    on_stage : function of a sentence
        Called before each stage.

    Examples
    --------
    >>> from aprendiz.lab import cluster, read
    >>> found = cluster(read("patients.csv"))  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    >>> found.write("patients-groups")  # doctest: +SKIP
    """
    refuse_unknown(table, leave_out)
    names = chosen_method_names(methods)
    points = rows_as_points(table, leave_out)
    if k is not None and not 2 <= k < len(np.unique(points.S, axis=0)):
        raise ValueError(
            _("k: {k} groups cannot be made of {rows} different rows; give a number from 2 on, below that.").format(
                k=k, rows=format_whole(len(np.unique(points.S, axis=0)))
            )
        )
    parts = Parts(table, points, names, k, seed)
    begun = perf_counter()
    try:
        for stage in parts.stages():
            if budget is not None and perf_counter() - begun > budget:
                parts.numbers["stopped"] = "budget"
                break
            on_stage(stage)
    except KeyboardInterrupt:
        parts.numbers["stopped"] = "interrupted"
    if parts.structure is None:
        raise ValueError(_("Stopped before anything was found."))
    parts.describe()
    numbers = plain(parts.numbers | {"seconds": perf_counter() - begun, "budget": budget})
    return Clustering(table, numbers, parts.names, points, parts.choice)


@dataclass
class Parts:
    """The parts of a search, filled one after the other."""

    table: Table
    points: RowsAsPoints
    methods: list[str]
    asked_k: int | None
    seed: int
    numbers: dict[str, Any] = field(default_factory=dict)
    structure: Structure | None = None
    choice: ChoiceOfClusters | None = None
    found: list[MethodResult] = field(default_factory=list)
    names: Array | None = None

    def __post_init__(self) -> None:
        self.numbers = {
            "format": FORMAT,
            "what": "clustering",
            "versions": versions(),
            "ended": datetime.now().astimezone().isoformat(timespec="seconds"),
            "table": of_table(self.table) | {"fingerprint": self.table.fingerprint},
            "columns": [str(name) for name in self.points.columns.names],
            "left_out": dict(self.points.left_out),
            "axes": self.points.S.shape[1],
            "prepared_columns": self.points.X.shape[1],
            "seed": self.seed,
            "asked_k": self.asked_k,
            "stopped": None,
            **dict.fromkeys(("structure", "k", "criteria", "methods", "best", "groups", "rules")),
        }

    @property
    def k(self) -> int:
        assert self.structure is not None
        return self.asked_k or self.structure.k

    @property
    def start(self) -> Array | None:
        """The groups that were found with their number."""
        assert self.structure is not None
        return self.structure.labels if self.k == self.structure.k > 1 else None

    def stages(self) -> Iterator[str]:
        """Compute the parts; each is announced before."""
        yield _("looking for groups")
        self.structure = find_structure(self.points.spread, seed=self.seed)
        self.numbers["structure"] = of_structure(self.structure)
        self.numbers["k"] = self.k
        if self.k > 1:
            self.numbers["methods"] = {"tried": [], "left_out": {}}
            for name in self.methods:
                if reason := reason_against(name, self.table.rows):
                    self.numbers["methods"]["left_out"][name] = reason
                    continue
                yield _("finding {k} groups: {method}").format(k=self.k, method=name)
                self.try_method(name)
        yield _("comparing numbers of groups")
        self.choice, self.numbers["criteria"] = criteria(self.points.S, self.seed)

    def try_method(self, name: str) -> None:
        try:
            self.found.append(fit_method(name, self.points, self.k, self.seed, self.start))
        except (ValueError, np.linalg.LinAlgError) as error:  # a method that cannot make k groups of these rows
            self.numbers["methods"]["left_out"][name] = str(error)

    def describe(self) -> None:
        """The groups of the best method, by size, and what tells them apart."""
        if not self.found:
            return
        best = choose_method(self.found, self.start)
        self.numbers["best"] = best.method
        self.numbers["methods"] |= {"tried": [of_method(one) for one in self.found], "agreements": agreements(self.found)}
        order = np.argsort(-np.bincount(best.labels), kind="stable")
        place = np.argsort(order)
        labels = place[best.labels]
        self.names = np.array([str(group + 1) for group in labels])
        self.numbers["groups"] = [
            {
                "name": str(group + 1),
                "rows": int((labels == group).sum()),
                "stability": float(best.stability[order[group]]),
                "differences": differences(self.points.frame, self.points.columns, labels, group),
            }
            for group in range(len(order))
        ]
        if len(order) > 1:
            rules, right = rules_of(self.points.frame, self.points.columns, self.names)
            self.numbers["rules"] = {"rules": rules, "right": right}


def of_structure(found: Structure) -> dict[str, Any]:
    """The part of results.json."""
    whole = found.whole
    test = None if whole is None else {"z": whole.z, "by_k": {str(k): z for k, z in whole.by_k.items()}}
    grouped = whole is not None and whole.grouped and found.k > 1
    return {"grouped": grouped, "k": found.k, "test": test, "sure": SURE, "splits": found.splits, "joins": found.joins}


def of_method(one: MethodResult) -> dict[str, Any]:
    sizes = sorted(np.bincount(one.labels).tolist(), reverse=True)
    return {
        "method": one.method,
        "sizes": sizes,
        "silhouette": one.silhouette,
        "agreement": one.agreement,
        "least_stability": float(np.nanmin(one.stability)),
    }


def criteria(S: Array, seed: int) -> tuple[ChoiceOfClusters, dict[str, Any]]:
    """Elbow, silhouette and gap by k-means, BIC by mixtures, of some rows."""
    some = S[chosen_rows(len(S), ROWS_OF_CRITERIA)]
    ks = range(1, min(MOST_K, len(np.unique(some, axis=0)) - 1) + 1)
    model = KMeans(n_init=3, random_state=seed)
    found = choose_k(some, ks, criterion="gap", model=model, n_references=5, random_state=hash_one(seed, 0, 0) >> 33)
    covariance = "full" if len(some) > 20 * len(ks) * S.shape[1] else "diag"
    bic = [float(GaussianMixture(k, covariance_type=covariance, random_state=seed).fit(some).bic(some)) for k in ks]
    found = ChoiceOfClusters(**{**vars(found), "bic": np.array(bic)})
    parts = ("cost", "silhouette", "gap", "gap_error", "bic")
    return found, {"rows": len(some), "ks": list(ks), **{name: getattr(found, name) for name in parts}, "chosen": found.chosen}


def group_model(found: Clustering) -> TableModel:
    """A pipeline from the columns to the group, with the description of the table."""
    assert found.labels is not None
    learner = NearestCentroid() if found.numbers["best"] == "KMeans" else KNeighborsClassifier(1)
    learner.fit(found.points.S, found.labels)
    pipeline = Pipeline([*found.points.steps.steps, ("group", learner)])
    facts = {
        "method": found.numbers["best"],
        "rows": found.table.rows,
        "table": found.table.name,
        "made": found.numbers["ended"],
        "fingerprint": found.numbers["table"]["fingerprint"],
    }
    return TableModel.of(pipeline, "group", "clustering", found.points.columns, found.table.dialect, **facts)


def answer_lines(numbers: Mapping[str, Any]) -> Iterator[str]:
    """What was found, in sentences."""
    yield verdict(numbers)
    for group in numbers["groups"] or ():
        words = "; ".join(difference_in_words(one) for one in group["differences"][:3])
        rows = format_whole(group["rows"])
        yield _("group {name}, {rows} rows: {differences}").format(
            name=group["name"], rows=rows, differences=words or _("like the others in every column")
        )


def verdict(numbers: Mapping[str, Any]) -> str:
    """Are there groups, and how many?"""
    found, asked = numbers["structure"], numbers["asked_k"]
    if not found["grouped"]:
        if asked:
            return _("The table is one cloud of rows; it was cut into {k} groups because that was asked for.").format(k=asked)
        return _("No groups were found: the rows are one cloud.")
    if asked and asked != found["k"]:
        return _("The table seems to hold {found} groups; {k} were asked for.").format(found=found["k"], k=asked)
    return _("The table holds {k} groups.").format(k=found["k"])
