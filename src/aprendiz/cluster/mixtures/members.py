"""The components of a mixture of any families: each a distribution of whole rows, or one for each column.

    ln p(x) of a component = ln p(x) of its member,  or  Σ_j ln p_j(x_j) of independent columns                  (1)

A member that is a Family (bayes/distributions) is fitted from the sums of its own statistics, each row counting with w·r(x);
any other distribution stays as it is. So is, by its own means, any object with

    log_density(X)               ln p(x) of each row of a table                                                  (2)
    weighted_fit(X, weights)     the member of its family with the largest Σ weight·ln p(x): a new object

whose attributes are numbers and arrays; all rows are then gathered in memory. Members are written as text to be kept in states
and model files: JSON, in which numbers keep all their bits; objects of (2) are read back as copies of those that were given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from aprendiz.bayes import distributions
from aprendiz.bayes.distributions.distribution import Distribution
from aprendiz.bayes.distributions.family import Family
from aprendiz.bayes.distributions.multivariate_gaussian import MultivariateGaussian
from aprendiz.bayes.distributions.multivariate_t import MultivariateT
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums

Member = tuple[Any, ...]  # one for all columns, or one for each
OF_ROWS = (MultivariateGaussian, MultivariateT)


def sees_rows(one: Any) -> bool:
    """Is it a distribution of whole rows? Objects of (2) are."""
    return isinstance(one, OF_ROWS) or not isinstance(one, Distribution)


@dataclass(frozen=True)
class GatheredRows:
    """All rows with their shares, for a family that is fitted by its own means; records of blocks stand one after the other."""

    X: Array
    share: Array

    def __add__(self, other: Self) -> Self:
        return type(self)(np.concatenate([self.X, other.X]), np.concatenate([self.share, other.share]))


@dataclass(frozen=True)
class MemberSums(Sums):
    """Σ w r of each component, ℓ, and the statistics of each of its distributions (None where nothing is fitted)."""

    weight: Array
    log_likelihood: float
    statistics: tuple[tuple[Any, ...], ...]

    def __add__(self, other: Self) -> Self:
        pairs = zip(self.statistics, other.statistics, strict=True)
        added = tuple(tuple(None if a is None else a + b for a, b in zip(one, two, strict=True)) for one, two in pairs)
        return type(self)(self.weight + other.weight, self.log_likelihood + other.log_likelihood, added)


def log_densities(members: Sequence[Member], X: Array) -> Array:
    """(1) of each row and component."""
    found = [sum(np.asarray(d.log_density(x)) for d, x in pair_with_columns(member, X)) for member in members]
    for j, one in enumerate(found):
        if np.shape(one) != (len(X),):
            raise ValueError(
                f"log_density of components[{j}] gave {np.shape(one)} for {len(X)} rows: give a number for each row."
            )
    return np.stack(found, axis=1)


def statistics(members: Sequence[Member], X: Array, shares: Array) -> tuple[tuple[Any, ...], ...]:
    """The sums of each component, its rows counting with their shares."""
    return tuple(
        tuple(record_of(d, x, share) for d, x in pair_with_columns(member, X))
        for member, share in zip(members, shares.T, strict=True)
    )


def record_of(one: Any, x: Array, share: Array) -> Any:
    """What the next fit of a distribution needs of some rows."""
    if isinstance(one, Family):
        return type(one).statistics(x, share)
    return None if isinstance(one, Distribution) else GatheredRows(x.copy(), share.copy())


def pair_with_columns(member: Member, X: Array) -> list[tuple[Any, Array]]:
    """Each distribution of a component with what it sees of the rows."""
    if sees_rows(member[0]):
        return [(member[0], X)]
    return [(one, X[:, j]) for j, one in enumerate(member)]


def refit(members: Sequence[Member], sums: MemberSums) -> list[Member]:
    """The members of the largest likelihood; a component without rows stays as it is."""
    return [
        tuple(best(d, found, j, c) if n > 0 else d for c, (d, found) in enumerate(zip(member, records, strict=True)))
        for j, (member, records, n) in enumerate(zip(members, sums.statistics, sums.weight, strict=True))
    ]


def best(now: Any, record: Any, component: int, column: int) -> Any:
    """The distribution of the same family with the largest likelihood."""
    if isinstance(now, Distribution) and not isinstance(now, Family):
        return now
    try:
        with np.errstate(over="ignore"):  # squares of variances are only compared
            return type(now).from_statistics(record) if isinstance(now, Family) else now.weighted_fit(record.X, record.share)
    except ValueError as error:
        where = "" if sees_rows(now) else f" in column {column}"
        raise ValueError(
            f"Component {component} has collapsed{where} ({error}) Use fewer components, or start elsewhere."
        ) from error


def first_members(family: type[Family], sums: MemberSums) -> list[Member]:
    """Members of one family, from the statistics of the start."""
    found: list[Member] = []
    for j, records in enumerate(sums.statistics):
        try:
            with np.errstate(over="ignore"):
                found.append(tuple(family.from_statistics(one) for one in records))
        except ValueError as error:
            share = f"{sums.weight[j]:g} of n_samples={sums.weight.sum():g} rows"
            raise ValueError(f"Component {j} cannot start from {share} ({error}) Use fewer components.") from error
    return found


def start_statistics(family: type[Family], block: Block, shares: Array) -> tuple[tuple[Any, ...], ...]:
    """The statistics of members that are not there yet."""
    columns = [block.X] if family in OF_ROWS else list(block.X.T)
    return tuple(tuple(family.statistics(np.ascontiguousarray(x), share) for x in columns) for share in shares.T)


# ---- what a user gives ---------------------------------------------------------------------------------------------------


def family_of(components: Any) -> type[Family] | None:
    """The family that is meant by a class or its name; None where members are given."""
    if isinstance(components, str):
        components = getattr(distributions, components)  # the names are checked where they are given
    if isinstance(components, type):
        if not issubclass(components, Family):
            raise ParameterError(f"components = {components.__name__} is not a family that can be fitted, such as Gaussian.")
        return components
    return None


def given_members(components: Any, columns: int) -> list[Member]:
    """The members that a user gives, each as many distributions as it needs."""
    found = []
    for j, given in enumerate(components):
        member = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(member) == 1 and is_own_family(member[0]):
            values(member[0], j)
            found.append(member)
            continue
        if not all(isinstance(one, Distribution) for one in member):
            raise ParameterError(
                f"components[{j}] = {given!r} is not a distribution, nor a list with one for each column, nor an object with "
                "log_density(X) and weighted_fit(X, weights)."
            )
        wanted = 1 if isinstance(member[0], OF_ROWS) else columns
        if len(member) != wanted or (wanted < columns and len(np.atleast_1d(member[0].mean)) != columns):
            raise ParameterError(f"components[{j}] = {given!r} does not describe {columns} column(s): give one for each.")
        found.append(member)
    if not found:
        raise ParameterError("components is empty: give at least one distribution.")
    return found


def is_own_family(one: Any) -> bool:
    """Is it an object of (2)?"""
    mine = all(callable(getattr(one, name, None)) for name in ("log_density", "weighted_fit"))
    return mine and not isinstance(one, (Distribution, type))


def parameter_count(one: Any) -> int:
    """How many numbers of a distribution are fitted; of an object of (2) all it holds, unless it says `n_parameters`."""
    if isinstance(one, Distribution):
        return int(one.n_parameters) if isinstance(one, Family) else 0
    said = getattr(one, "n_parameters", None)
    return int(said) if said is not None else sum(np.size(value) for value in vars(one).values())


# ---- members as text -----------------------------------------------------------------------------------------------------


def as_text(members: Sequence[Member]) -> str:
    """Members as JSON."""
    return json.dumps(
        [
            [[type(one).__name__ if isinstance(one, Distribution) else "", values(one, j)] for one in member]
            for j, member in enumerate(members)
        ]
    )


def values(one: Any, component: int = 0) -> dict[str, Any]:
    """The numbers of a distribution by their names."""
    if isinstance(one, Distribution):
        return {f.name: np.asarray(getattr(one, f.name)).tolist() for f in fields(one)}  # type: ignore[arg-type]  # a dataclass
    found = {name: np.asarray(value) for name, value in getattr(one, "__dict__", {}).items()}
    for name, value in found.items():
        if value.dtype.kind not in "iufb":
            raise ParameterError(
                f"components[{component}].{name} = {getattr(one, name)!r} holds no numbers: a family of your own keeps its "
                "parameters in attributes that are numbers or arrays."
            )
    return {name: value.tolist() for name, value in found.items()}


def from_text(text: str, given: Any = ()) -> list[Member]:
    """Members from JSON; only distributions of aprendiz.bayes can stand in it, and copies of `given` objects of (2)."""
    with np.errstate(over="ignore"):
        return [
            tuple(distribution(name, found) if name else copy_of(given, j, found) for name, found in member)
            for j, member in enumerate(json.loads(text))
        ]


def copy_of(given: Any, component: int, found: dict[str, Any]) -> Any:
    """An object of (2) with other numbers."""
    template = given[component] if isinstance(given, (list, tuple)) and component < len(given) else None
    template = template[0] if isinstance(template, (list, tuple)) else template
    if template is None or not is_own_family(template):
        raise ValueError(f"components[{component}] is not the object of the fit any more: fit the mixture again.")
    one = copy(template)
    for name, value in found.items():
        kept = np.asarray(value) if isinstance(getattr(template, name, None), np.ndarray) else value
        object.__setattr__(one, name, kept)
    return one


def distribution(name: str, found: dict[str, Any]) -> Distribution:
    """A distribution by its name and its values."""
    kind = getattr(distributions, name) if name in distributions.__all__ else None
    if not (isinstance(kind, type) and issubclass(kind, Distribution)):
        raise ValueError(f"{name!r} is not a distribution of aprendiz.bayes.distributions: fit the mixture again.")
    return kind(**found)
