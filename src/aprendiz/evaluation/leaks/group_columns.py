"""Columns that say which rows belong together: the visits of a patient, the samples of a site.

If rows of one patient are on both sides of a split, a score tells how well a method recognises patients, not how well it
predicts new ones. Two numbers judge a column with values that come again, over the rows that share theirs with another row:

    likeness   the share of rows whose nearest row (in the other columns) has the same value                     (1)
    agreement  1 − D(pairs of rows of one value) / D(pairs of any rows),  with D the mean difference of their
               targets: 1 if they are not of the same class, or the square of the difference of two numbers      (2)

By chance, (1) would be the share of pairs of one value, and (2) would be 0. A measured number such as an age comes again too:
there, rows of the next value are as alike as rows of the same one, which tells it from a code.

    clear      the name says so (patient, site, …) and (1) or (2) is large; or both are, whatever the name; or the values
               determine the target, and (1) is several times that of chance
    possible   the name says so, or (1) is large

Cost: O(n² d) for at most 1 500 rows, whole groups of them: once for all columns where these are all rows, otherwise for each
column that may group the rows; then fewer rows where such columns are many.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.leaks.row_distances import FEW_ROWS, RowDistances
from aprendiz.evaluation.leaks.table_columns import TableColumn
from aprendiz.evaluation.measures.answers import Task

NAMES = frozenset(
    re.findall(
        "[a-z]+",
        """patient subject subj participant person individual user customer client member household family animal mouse
        specimen donor student pupil child twin employee worker author speaker player driver rater site center centre hospital
        clinic practice school plot field farm batch plate session station sensor device machine vehicle litter herd cage
        village paciente sujeto participante persona individuo usuario cliente socio hogar familia raton donante alumno
        estudiante nino empleado trabajador autor hablante jugador conductor sitio centro clinica consulta escuela colegio
        parcela campo granja lote placa sesion estacion maquina vehiculo camada rebano jaula pueblo""",
    )
)
FEWEST_ROWS = 20
FEWEST_GROUPS, FEWEST_UNNAMED = 4, 8
REPEATED = 0.3  # share of the rows whose value comes again
LARGEST_SHARE = 0.5  # of the rows in one group
ALIKE, LIFT = 0.5, 5.0  # least likeness, and how many times that of chance
EQUAL = 1e-9  # distances, each column of variance 1, that rounding may set apart
AGREE, DETERMINED = 0.5, 0.85  # least agreement, and that of a target which the groups determine
SAMPLE, SMALLEST_SAMPLE = FEW_ROWS, 200  # rows among which nearest ones are sought
PAIRS, PRODUCTS = 2e8, 5e10  # of rows, and of cells, that are compared for all columns together


@dataclass(frozen=True)
class GroupColumn:
    """A column whose values group the rows.

    Attributes
    ----------
    name : str or int
    groups : int
        Different values.
    likeness, agreement : float
        (1) and (2).
    clear : bool
        Whether the rows are to be split by it without asking; otherwise it is only named.
    """

    name: Any
    groups: int
    likeness: float
    agreement: float
    clear: bool


def find_groups(columns: Sequence[TableColumn], y: Array, task: Task) -> GroupColumn | None:
    """The column that groups the rows, the clearest one; None if there is none. `y` holds classes, of any type, or numbers."""
    if len(y) < FEWEST_ROWS:
        return None
    y = np.unique(y, return_inverse=True)[1] if task == "classification" else y.astype(np.float64)
    candidates, distances = [one for one in columns if may_group(one)], RowDistances(columns, len(y))
    most = rows_compared(len(candidates), distances.width, len(y))
    found = [judged for one in candidates if (judged := judge(one, distances, y, task, most)) is not None]
    return max(found, key=lambda one: (one.clear, is_named(one.name), one.likeness + one.agreement), default=None)


def is_named(column: Any) -> bool:
    """Is a word of the name one for persons, places or things that are measured several times?"""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(column))
    plain = unicodedata.normalize("NFKD", split).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z]+", plain)
    return any(word in NAMES or word.removesuffix("s") in NAMES or word.removesuffix("id") in NAMES for word in words)


def may_group(one: TableColumn) -> bool:
    """Are there enough values, do they come again, and could they be codes?"""
    fewest = FEWEST_GROUPS if is_named(one.name) else FEWEST_UNNAMED
    codes = one.kind == "text" or (one.whole and not one.numbers_rows)
    return codes and not one.ordered and fewest <= one.distinct < int(one.known.sum())


def rows_compared(candidates: int, columns: int, rows: int) -> int:
    """The rows among which nearest ones are sought for each candidate."""
    work = PAIRS if rows <= FEW_ROWS else min(PAIRS, PRODUCTS / max(1, columns))
    return int(np.clip(np.sqrt(work / max(1, candidates)), SMALLEST_SAMPLE, SAMPLE))


def judge(one: TableColumn, distances: RowDistances, y: Array, task: Task, most: int = SAMPLE) -> GroupColumn | None:
    """What at most so many rows say of a candidate; None if it does not group them."""
    there, codes = one.known, one.codes
    sizes = np.bincount(codes[there])
    again = there & (sizes[codes] > 1)
    if again.sum() < REPEATED * len(y) or sizes.max() > LARGEST_SHARE * len(y):
        return None
    if task == "classification" and not every_class_in_two_groups(codes[there], y[there]):
        return None
    some = whole_groups(codes, again, most)
    same, adjacent, chance = likeness(distances.without_names_of(codes[some], some), codes[some])
    agrees = agreement(codes[again], y[again], task)
    smooth = one.kind == "number" and adjacent >= same
    lifted, tied = same >= LIFT * chance and not smooth, agrees >= AGREE
    alike, called = lifted and same >= ALIKE, is_named(one.name)
    by_data = (alike and tied) or (lifted and agrees >= DETERMINED)
    if not (alike or by_data or called):
        return None
    return GroupColumn(one.name, int(np.count_nonzero(sizes)), same, agrees, by_data or (called and (alike or tied)))


def every_class_in_two_groups(codes: Array, y: Array) -> bool:
    """Can each class be learned from other groups than those that test it?"""
    pairs = np.unique(np.column_stack([y, codes]), axis=0)
    return bool((np.bincount(pairs[:, 0]) > 1).all())


def whole_groups(codes: Array, again: Array, most: int) -> Array:
    """Rows of values that come again: all of some groups, drawn at random, up to so many rows."""
    order = np.random.default_rng(0).permutation(codes.max() + 1)
    rank = np.where(again, order[codes], len(order))
    first = np.argsort(rank, kind="stable")[: min(most, int(again.sum()))]
    return np.sort(first)


def likeness(distance: Array | None, codes: Array) -> tuple[float, float, float]:
    """(1), the same for the next value in order, and what chance would give (1). Of equally near rows each counts its part;
    without distances all are equally near."""
    n, sizes = len(codes), np.bincount(codes)
    chance = float((sizes * (sizes - 1.0)).sum() / (n * (n - 1.0)))
    if distance is None:
        return chance, chance, chance
    np.fill_diagonal(distance, np.inf)
    smallest = distance.min(axis=1, keepdims=True)
    row, near = np.nonzero(distance <= smallest + EQUAL * (1.0 + smallest))
    order = np.unique(codes, return_inverse=True)[1]
    share, apart = 1.0 / np.bincount(row, minlength=n)[row], np.abs(order[row] - order[near])
    return float(share[apart == 0].sum() / n), float(share[apart == 1].sum() / n), chance


def agreement(codes: Array, y: Array, task: Task) -> float:
    """(2)."""
    sizes = np.bincount(codes).astype(float)
    pairs, all_pairs = (sizes * (sizes - 1.0)).sum(), len(y) * (len(y) - 1.0)
    if task == "classification":
        cells, total = np.unique(np.column_stack([codes, y]), axis=0, return_counts=True)[1], np.bincount(y)
        within, overall = 1.0 - (cells * (cells - 1.0)).sum() / pairs, 1.0 - (total * (total - 1.0)).sum() / all_pairs
    else:
        z = (y - y.mean()) / (y.std() or 1.0)
        sums, squares = np.bincount(codes, z), np.bincount(codes, z * z)
        within = 2.0 * (sizes * squares - sums**2).sum() / pairs
        overall = 2.0 * (len(z) * (z @ z) - z.sum() ** 2) / all_pairs
    return float(1.0 - within / overall) if overall > 0 else 0.0
