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

Cost: O(n² d) for at most 1 500 rows, whole groups of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
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
AGREE, DETERMINED = 0.5, 0.85  # least agreement, and that of a target which the groups determine
SAMPLE = 1500  # rows among which nearest ones are sought


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
    candidates = [one for one in columns if may_group(one)]
    found = [judged for one in candidates if (judged := judge(one, columns, y, task)) is not None]
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


def judge(one: TableColumn, columns: Sequence[TableColumn], y: Array, task: Task) -> GroupColumn | None:
    """What the rows say of a candidate; None if it does not group them."""
    there, codes = one.known, one.codes
    sizes = np.bincount(codes[there])
    again = there & (sizes[codes] > 1)
    if again.sum() < REPEATED * len(y) or sizes.max() > LARGEST_SHARE * len(y):
        return None
    if task == "classification" and not every_class_in_two_groups(codes[there], y[there]):
        return None
    some = whole_groups(codes, again)
    points = positions([other.at(some) for other in columns if other.name != one.name and not other.numbers_rows], codes[some])
    same, adjacent, chance = likeness(points, codes[some])
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


def whole_groups(codes: Array, again: Array) -> Array:
    """Rows of values that come again: all of some groups, drawn at random, up to `SAMPLE` rows."""
    order = np.random.default_rng(0).permutation(codes.max() + 1)
    rank = np.where(again, order[codes], len(order))
    first = np.argsort(rank, kind="stable")[: min(SAMPLE, int(again.sum()))]
    return np.sort(first)


def positions(columns: Sequence[TableColumn], codes: Array) -> Array:
    """The other columns as numbers of like size: standardised, or a column for each of at most 20 levels. A column that is
    only another name of the groups is left out."""
    found: list[Array] = []
    for one in columns:
        if one.kind == "number":
            x = one.values
            low, middle, high = np.nanquantile(x, [0.05, 0.5, 0.95]) if np.isfinite(x).any() else (0.0, 0.0, 0.0)
            x = np.clip(np.where(np.isfinite(x), x, middle), low, high)
            if high > low and not same_partition(np.unique(x, return_inverse=True)[1], codes):
                found.append((x - x.mean()) / x.std())
        elif one.kind in ("text", "boolean"):
            levels = np.unique(one.values, return_inverse=True)[1]
            if levels.max() < 20 and not same_partition(levels, codes):
                found.extend((levels == level) * 1.0 for level in range(1, levels.max() + 1))
    return np.column_stack(found) if found else np.empty((len(codes), 0))


def same_partition(a: Array, b: Array) -> bool:
    """Do two codes tell the same rows apart?"""
    pairs = len(np.unique(a.astype(np.int64) * (b.max() + 1) + b))
    return pairs == len(np.unique(a)) == len(np.unique(b))


def likeness(points: Array, codes: Array) -> tuple[float, float, float]:
    """(1), the same for the next value in order, and what chance would give (1). Of equally near rows each counts its part."""
    n = len(codes)
    sizes = np.bincount(codes)
    chance = float((sizes * (sizes - 1.0)).sum() / (n * (n - 1.0)))
    if points.shape[1] == 0:
        return chance, chance, chance
    squares = (points**2).sum(axis=1)
    distance = squares[:, None] - 2.0 * points @ points.T + squares
    np.fill_diagonal(distance, np.inf)
    nearest = distance <= distance.min(axis=1, keepdims=True) + 1e-9 * (1.0 + squares[:, None])
    order = np.unique(codes, return_inverse=True)[1]
    apart = np.abs(order[:, None] - order)
    share = nearest / nearest.sum(axis=1, keepdims=True)
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
