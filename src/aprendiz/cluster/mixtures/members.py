"""The components of a mixture of any families: each a distribution of whole rows, or one for each column.

    ln p(x) of a component = ln p(x) of its member,  or  Σ_j ln p_j(x_j) of independent columns                  (1)

A member that is a Family (bayes/distributions) is fitted from the sums of its own statistics, each row counting with w·r(x);
any other distribution stays as it is. Members are written as text to be kept in states and model files: JSON, in which numbers
keep all their bits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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

Member = tuple[Distribution, ...]  # one for all columns, or one for each
OF_ROWS = (MultivariateGaussian, MultivariateT)


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
    return np.stack([sum(d.log_density(x) for d, x in pair_with_columns(member, X)) for member in members], axis=1)


def statistics(members: Sequence[Member], X: Array, shares: Array) -> tuple[tuple[Any, ...], ...]:
    """The sums of each component, its rows counting with their shares."""
    return tuple(
        tuple(type(d).statistics(x, share) if isinstance(d, Family) else None for d, x in pair_with_columns(member, X))
        for member, share in zip(members, shares.T, strict=True)
    )


def pair_with_columns(member: Member, X: Array) -> list[tuple[Distribution, Array]]:
    """Each distribution of a component with what it sees of the rows."""
    if isinstance(member[0], OF_ROWS):
        return [(member[0], X)]
    return [(one, X[:, j]) for j, one in enumerate(member)]


def refit(members: Sequence[Member], sums: MemberSums) -> list[Member]:
    """The members of the largest likelihood; a component without rows stays as it is."""
    return [
        tuple(best(d, found, j, c) if n > 0 else d for c, (d, found) in enumerate(zip(member, records, strict=True)))
        for j, (member, records, n) in enumerate(zip(members, sums.statistics, sums.weight, strict=True))
    ]


def best(now: Distribution, record: Any, component: int, column: int) -> Distribution:
    """The distribution of the same family with the largest likelihood."""
    if not isinstance(now, Family):
        return now
    try:
        with np.errstate(over="ignore"):  # squares of variances are only compared
            return type(now).from_statistics(record)
    except ValueError as error:
        where = "" if isinstance(now, OF_ROWS) else f" in column {column}"
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
        if not all(isinstance(one, Distribution) for one in member):
            raise ParameterError(f"components[{j}] = {given!r} is not a distribution, nor a list with one for each column.")
        wanted = 1 if isinstance(member[0], OF_ROWS) else columns
        if len(member) != wanted or (wanted < columns and len(np.atleast_1d(member[0].mean)) != columns):
            raise ParameterError(f"components[{j}] = {given!r} does not describe {columns} column(s): give one for each.")
        found.append(member)
    if not found:
        raise ParameterError("components is empty: give at least one distribution.")
    return found


# ---- members as text -----------------------------------------------------------------------------------------------------


def as_text(members: Sequence[Member]) -> str:
    """Members as JSON."""
    return json.dumps([[[type(one).__name__, values(one)] for one in member] for member in members])


def values(one: Distribution) -> dict[str, Any]:
    return {f.name: np.asarray(getattr(one, f.name)).tolist() for f in fields(one)}  # type: ignore[arg-type]  # a dataclass


def from_text(text: str) -> list[Member]:
    """Members from JSON; only distributions of aprendiz.bayes can stand in it."""
    with np.errstate(over="ignore"):
        return [tuple(distribution(name, found) for name, found in member) for member in json.loads(text)]


def distribution(name: str, found: dict[str, Any]) -> Distribution:
    """A distribution by its name and its values."""
    kind = getattr(distributions, name) if name in distributions.__all__ else None
    if not (isinstance(kind, type) and issubclass(kind, Distribution)):
        raise ValueError(f"{name!r} is not a distribution of aprendiz.bayes.distributions: fit the mixture again.")
    return kind(**found)
