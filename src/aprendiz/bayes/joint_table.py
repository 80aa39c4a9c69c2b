"""The joint table of some variables with few values: product rule, sum rule and Bayes' rule by counting.

    P(a, b) = n_ab / n,     P(a) = Σ_b P(a, b),     P(a | b) = P(a, b) / P(b) = n_ab / n_b                    (1)
    a and b are independent   ⇔   n_ab·n = n_a·n_b in every cell                                              (2)
    χ² = Σ (n_ab − e_ab)²/e_ab,     e_ab = n_a·n_b/n,     (L_a − 1)·(L_b − 1) degrees of freedom              (3)

(2) is a statement about the table, exact; (3) asks whether the rows, a sample, speak against it. Counts add, so the tables of
two halves of the rows add to the table of all rows.

Cost: one pass, O(n·d) for n rows of d variables; memory Π L_j.
Reference: Agresti, Categorical Data Analysis, Wiley 2013, 3.2 (the test).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from aprendiz.core.columns import Columns
from aprendiz.core.frames import as_frame
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array
from aprendiz.core.sums import Counts
from aprendiz.core.targets import plain, weights

MOST_CELLS = 10**7  # cells
LINES, ACROSS = 20, 12  # lines and values of a printed table


class Independence(NamedTuple):
    """What a table says about the independence of two of its variables.

    Attributes
    ----------
    exact : bool
        (2), up to rounding where the counts are not whole.
    statistic, degrees, p_value : float, int, float
        χ² of (3), its degrees of freedom, and the probability of so large a χ² if the variables are independent.
    least_expected : float
        The smallest e of (3). The p-value is rough where it is below 5.
    """

    exact: bool
    statistic: float
    degrees: int
    p_value: float
    least_expected: float

    def __bool__(self) -> bool:
        return self.exact


class JointTable:
    """Counts of the values of some variables, and the probabilities that follow.

    Parameters
    ----------
    counts : array-like, one axis for each variable
        Rows, their weight, or probabilities, in each cell.
    levels : mapping of str to sequence, optional
        The names of the variables, in the order of the axes, and the values of each; by default x0, x1, … with 0, 1, …

    Attributes
    ----------
    counts : ndarray
    levels : dict of str to tuple
    missing : int or float
        Rows (or weight) that `from_data` left out because a cell is missing.

    Examples
    --------
    >>> table = JointTable([[5, 10], [10, 20]], {"eyes": ["brown", "blue"], "hair": ["red", "blond"]})
    >>> table
    eyes \\ hair  red  blond
    brown          5     10
    blue          10     20
    >>> round(table.conditional({"eyes": "brown"}, given={"hair": "blond"}), 4)
    0.3333
    """

    def __init__(self, counts: Any, levels: Mapping[Any, Iterable[Any]] | None = None) -> None:
        self.counts = checked_counts(counts)
        if levels is None:
            levels = {f"x{axis}": range(size) for axis, size in enumerate(self.counts.shape)}
        self.levels = {name: tuple(map(plain, values)) for name, values in levels.items()}
        self.missing: float = 0
        refuse_other_shape(self.counts, self.levels)

    @classmethod
    def from_data(cls, data: Any, columns: Sequence[Any] | None = None, *, sample_weight: Any = None) -> JointTable:
        """Count the rows of a table.

        Parameters
        ----------
        data : data frame, dict of columns, or array
        columns : sequence of names, optional
            The variables; by default all columns. Columns of an array are called 0, 1, …
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows. With them the χ² test is not that of a sample of rows.
        """
        chosen = pick(data, columns)
        numeric = [column.name for column in Columns.of(chosen) if column.kind == "numeric"]
        schema = Columns.of(chosen, kinds=dict.fromkeys(numeric, "categorical"))
        levels = {column.name: column.levels for column in schema}
        refuse_too_many_cells(levels)
        codes = schema.encode(chosen).codes
        weight, known = weights(sample_weight, len(codes)), np.all(codes >= 0, axis=1)
        refuse_no_rows(levels, known)
        kept = None if weight is None else weight[known]
        table = cls(Counts.cross(tuple(map(len, levels.values())), *codes[known].T, weight=kept).table, levels)
        table.missing = int((~known).sum()) if weight is None else float(weight[~known].sum())
        return table

    # ---- probabilities -----------------------------------------------------------------------------------------------

    @property
    def total(self) -> float:
        """n: all rows, or their weight."""
        return plain(self.counts.sum())

    @property
    def probabilities(self) -> Array:
        """P of each cell, one axis for each variable."""
        return np.asarray(self.counts / self.counts.sum())

    def marginal(self, *names: Any) -> JointTable:
        """The table of some of the variables, in the order in which they are named; the others are summed out."""
        axes = [self.axis(name) for name in names]
        if not axes or len(set(axes)) < len(axes):
            raise ValueError(f"marginal needs one or more different variables, got {list(names)}: name each of them once.")
        rest = tuple(axis for axis in range(self.counts.ndim) if axis not in axes)
        left = sorted(axes)
        counts = self.counts.sum(axis=rest).transpose([left.index(axis) for axis in axes])
        return JointTable(counts, {name: self.levels[name] for name in names})

    def joint(self, values: Mapping[Any, Any]) -> float:
        """P of all these values together, such as `{"eyes": "brown", "hair": "blond"}`; other variables are summed out."""
        return float(self.counts[self.cell(values)].sum() / self.counts.sum())

    def given(self, values: Mapping[Any, Any]) -> JointTable:
        """The table of the other variables among the rows that have these values: its probabilities are conditional."""
        rest = {name: levels for name, levels in self.levels.items() if name not in values}
        if not rest:
            raise ValueError("given fixes every variable: leave one free, or ask for `joint`.")
        inside = self.counts[self.cell(values)]
        if not inside.any():
            raise ValueError(
                f"No row has {in_words(values)}: nothing is known of the others there; leave it out or add counts."
            )
        return JointTable(inside, rest)

    def conditional(self, of: Any, given: Any) -> Any:
        """P(of | given), (1).

        Parameters
        ----------
        of, given : str, sequence of str, or mapping of str to value
            Names of variables, or values that they have.

        Returns
        -------
        float or ndarray
            A number if all variables have a value; else an array with one axis for each variable that has none, those of `of`
            first. It sums to one over the axes of `of` where these have no values.
        """
        first, second = parse_request(of), parse_request(given)
        if both := [name for name in first if name in second]:
            raise ValueError(f"Variable {both[0]!r} appears on both sides of P(of | given): leave it out on one.")
        table = self.marginal(*first, *second)
        whole = table.counts.sum(axis=tuple(range(len(first))), keepdims=True)
        fixed = table.cell({name: value for name, value in {**first, **second}.items() if value is not ALL})
        condition = np.broadcast_to(whole, table.counts.shape)[fixed]
        if not np.all(condition > 0):
            empty = np.argwhere(whole.reshape(whole.shape[len(first) :]) == 0)
            raise ValueError(self.undefined_message(second, empty))
        return plain((table.counts[fixed] / condition)[()])

    def undefined_message(self, names: Mapping[Any, Any], empty: Array) -> str:
        """Which condition no row meets."""
        cells = [{name: self.levels[name][i] for name, i in zip(names, cell, strict=True)} for cell in empty]
        met = [cell for cell in cells if all(value is ALL or cell[name] == value for name, value in names.items())]
        return f"No row has {in_words(met[0])}: nothing is known of the others there; leave it out or add counts."

    def independent(self, a: Any, b: Any, *, correction: bool = True) -> Independence:
        """Whether two variables are independent, exactly (2) and by a χ² test (3).

        The answer counts as true where the independence is exact. `correction` is that of Yates for a table of two rows and two
        columns, as in R and SciPy: each |n − e| is made smaller by ½. Values without rows have no part in the test.
        """
        table = self.marginal(a, b).counts
        table = table[np.ix_(table.any(axis=1), table.any(axis=0))]
        rows, columns, n = table.sum(axis=1), table.sum(axis=0), table.sum()
        expected = np.outer(rows / n, columns)
        exact = same(table, rows, columns, n)
        degrees = (len(rows) - 1) * (len(columns) - 1)
        gap = np.abs(table - expected)
        if correction and degrees == 1:
            gap = np.maximum(gap - 0.5, 0.0)
        statistic = 0.0 if exact else float((gap**2 / expected).sum())
        p_value = float(stats.chi2.sf(statistic, degrees)) if degrees else 1.0
        return Independence(exact, statistic, degrees, p_value, float(expected.min()))

    def sample(self, n: int, random_state: Any = None) -> dict[Any, Array]:
        """Draw n rows from the table: one array of values for each variable. `from_data` counts them again."""
        if not isinstance(n, Integral) or n < 0:
            raise ValueError(f"n = {n!r} rows cannot be drawn: give a whole number of at least 0.")
        edges = np.cumsum(self.counts, dtype=np.float64)
        u = uniforms(draw_seed(random_state), 0, int(n)) * edges[-1]
        last = int(np.flatnonzero(self.counts)[-1])
        cells = np.minimum(np.searchsorted(edges, u, side="right"), last)
        codes = np.unravel_index(cells, self.counts.shape)
        return {name: objects(levels)[code] for (name, levels), code in zip(self.levels.items(), codes, strict=True)}

    # ---- tables that add ---------------------------------------------------------------------------------------------

    def __add__(self, other: JointTable) -> JointTable:
        if list(self.levels) != list(other.levels):
            raise ValueError(f"The variables {list(self.levels)} and {list(other.levels)} differ: add tables of the same ones.")
        levels = {name: tuple(dict.fromkeys((*mine, *other.levels[name]))) for name, mine in self.levels.items()}
        added = JointTable(self.under(levels) + other.under(levels), levels)
        added.missing = self.missing + other.missing
        return added

    def under(self, levels: Mapping[Any, tuple[Any, ...]]) -> Array:
        """The counts with room for more values."""
        wide = np.zeros([len(values) for values in levels.values()], self.counts.dtype)
        places = {name: {value: i for i, value in enumerate(values)} for name, values in levels.items()}
        wide[np.ix_(*([places[name][value] for value in mine] for name, mine in self.levels.items()))] = self.counts
        return wide

    # ---- finding and showing -----------------------------------------------------------------------------------------

    def axis(self, name: Any) -> int:
        """The axis of a variable."""
        if name not in (names := list(self.levels)):
            raise ValueError(f"There is no variable {name!r}: the table has {', '.join(map(repr, self.levels))}.")
        return names.index(name)

    def cell(self, values: Mapping[Any, Any]) -> tuple[Any, ...]:
        """An index of the counts with these values: whole axes for the other variables."""
        where: list[Any] = [slice(None)] * self.counts.ndim
        for name, value in values.items():
            axis, levels = self.axis(name), self.levels[name]
            if value not in levels:
                known = ", ".join(map(repr, levels[:LINES]))
                raise ValueError(f"Variable {name!r} has no value {plain(value)!r}: it has {known}.")
            where[axis] = levels.index(value)
        return tuple(where)

    def frame(self) -> Any:
        """A pandas frame with one row for each cell: the values of the variables, `count` and `probability`."""
        import pandas as pd

        frame = pd.DataFrame(list(product(*self.levels.values())), columns=list(self.levels))
        return frame.assign(count=self.counts.ravel(), probability=self.probabilities.ravel())

    def __repr__(self) -> str:
        *names, last = self.levels
        cells = self.counts.reshape(-1, self.counts.shape[-1])
        wide = ["…"] if cells.shape[1] > ACROSS else []
        lines = [[" \\ ".join(map(str, self.levels)), *map(str, self.levels[last][:ACROSS]), *wide]]
        for row, key in zip(cells[:LINES], product(*(self.levels[name] for name in names)), strict=False):
            lines.append([", ".join(map(str, key)) or "count", *(f"{value:.6g}" for value in row[:ACROSS].tolist()), *wide])
        notes = [f"… ({len(cells) - LINES} more lines)"] if len(cells) > LINES else []
        notes += [f"({self.missing:g} rows with missing cells left out)"] if self.missing else []
        return "\n".join([*align(lines), *notes])


ALL = object()  # stands for all values of a variable


def parse_request(of: Any) -> dict[Any, Any]:
    """Variables and their values, ALL where none is given."""
    if isinstance(of, Mapping):
        return dict(of)
    return dict.fromkeys([of] if isinstance(of, str) or not isinstance(of, Iterable) else of, ALL)


def in_words(values: Mapping[Any, Any]) -> str:
    return ", ".join(f"{name} = {plain(value)!r}" for name, value in values.items())


def same(table: Array, rows: Array, columns: Array, n: Any) -> bool:
    """(2): in whole numbers without rounding, otherwise up to it."""
    if np.issubdtype(table.dtype, np.integer):
        left, right = table.astype(object) * int(n), np.outer(rows.astype(object), columns.astype(object))
        return bool((left == right).all())
    return bool(np.allclose(table * n, np.outer(rows, columns), rtol=1e-12, atol=0.0))


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of equal columns: words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def objects(values: Sequence[Any]) -> Array:
    """Values of any kind as an array of as many entries."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


# ---- what is refused -------------------------------------------------------------------------------------------------


def checked_counts(counts: Any) -> Array:
    """Numbers of at least 0, whole where they were whole."""
    table = np.asarray(counts)
    if table.dtype.kind not in "iufb":
        raise TypeError(f"counts is an array of type {table.dtype}: give numbers, one for each cell.")
    table = table.astype(np.float64 if table.dtype.kind == "f" else np.int64)
    if not table.ndim or not table.size:
        raise ValueError(f"counts has shape {table.shape}: give an array with one axis for each variable.")
    bad = ~(np.isfinite(table) & (table >= 0))
    if bad.any():
        where = tuple(map(int, np.argwhere(bad)[0]))
        raise ValueError(f"counts holds {table[where]:g} in cell {where}: give finite numbers of at least 0.")
    if not table.any():
        raise ValueError("Every count is 0: give at least one row.")
    return table


def refuse_other_shape(counts: Array, levels: Mapping[Any, tuple[Any, ...]]) -> None:
    """Names that are not those of the axes, values that are not those of an axis."""
    if len(levels) != counts.ndim:
        raise ValueError(f"counts has {counts.ndim} axes, levels has {len(levels)} variables: give one name for each axis.")
    for (name, values), size in zip(levels.items(), counts.shape, strict=True):
        if len(values) != size:
            raise ValueError(f"Variable {name!r} has {len(values)} values, its axis {size} cells: give one value for each.")
        if len(set(values)) < size:
            twice = next(value for i, value in enumerate(values) if value in values[:i])
            raise ValueError(f"Variable {name!r} has the value {twice!r} twice: join the two or rename one.")


def refuse_too_many_cells(levels: Mapping[Any, tuple[Any, ...]]) -> None:
    cells = float(np.prod([float(len(values)) for values in levels.values()]))
    if cells > MOST_CELLS:
        most = max(levels, key=lambda name: len(levels[name]))
        raise ValueError(
            f"The table would have {cells:.3g} cells; column {most!r} alone has {len(levels[most])} values. "
            "Bin it (KBinsDiscretizer), or choose fewer columns."
        )


def refuse_no_rows(levels: Mapping[Any, Any], known: Array) -> None:
    if not known.any():
        raise ValueError(f"No row has a value in all of the columns {list(levels)}: impute them or choose fewer columns.")


def pick(data: Any, columns: Sequence[Any] | None) -> Any:
    """Some columns of a table; those of an array by number."""
    if isinstance(data, Mapping):
        table: Any = dict(data)
    elif (frame := as_frame(data)) is not None:
        known = list(frame.columns)
        refuse_no_column(known, columns)
        return data if columns is None else frame.select(list(columns)).to_native()
    else:
        array = data if isinstance(data, np.ndarray) else np.asarray(data, dtype=object)
        if array.ndim != 2:
            raise ValueError(f"data has shape {array.shape}: give a table of rows and columns.")
        table = {column: array[:, column] for column in range(array.shape[1])}
    refuse_no_column(list(table), columns)
    return table if columns is None else {name: table[name] for name in columns}


def refuse_no_column(known: list[Any], columns: Sequence[Any] | None) -> None:
    for name in columns or ():
        if name not in known:
            raise ValueError(f"The data have no column {name!r}; they have {', '.join(map(repr, known[:LINES]))}.")
