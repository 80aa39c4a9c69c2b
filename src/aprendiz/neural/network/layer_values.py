"""Parameters that say something of each hidden layer."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neural.network.activations import ACTIVATIONS, OTHER_NAMES
from aprendiz.neural.network.architecture import Architecture

COLDEST = 1e-6


def hidden_sizes(given: Any) -> tuple[int, ...]:
    """The neurons of each hidden layer, from a number or a sequence."""
    sizes = tuple(given) if isinstance(given, (Sequence, np.ndarray)) else (given,)
    if any(isinstance(size, bool) or not isinstance(size, Real) or not float(size) >= 1 or float(size) % 1 for size in sizes):
        raise ValueError(f"hidden_layer_sizes must be > 0, got {list(sizes)}: give the number of neurons of each hidden layer.")
    return tuple(int(size) for size in sizes)


def activation_names(given: Any, layers: int) -> tuple[str, ...]:
    """The activation of each hidden layer, by the name that it has here."""
    names = tuple(OTHER_NAMES.get(name, name) for name in one_per_layer("activation", given, layers, str))
    if unknown := [name for name in names if name not in ACTIVATIONS]:
        raise ValueError(f"There is no activation {unknown[0]!r}; there are {', '.join(ACTIVATIONS)}.")
    return names


def refuse_steps(names: tuple[str, ...]) -> None:
    """Stop a fit whose neurons end in steps: they are for networks that are built, or trained with something smooth."""
    if "step" in names:
        raise ValueError(
            "activation='step' has no slope, so that nothing can be learned: fit with 'logistic', then predict with "
            "set_params(activation='step')."
        )


def temperatures_of(given: Any, layers: int) -> tuple[float, ...]:
    """The temperature of each hidden layer."""
    values = one_per_layer("temperature", given, layers, (int, float))
    if wrong := [t for t in values if isinstance(t, bool) or not isinstance(t, Real) or not COLDEST <= float(t) <= 1 / COLDEST]:
        raise ValueError(f"A temperature must lie between {COLDEST:g} and {1 / COLDEST:g}, got {wrong[0]!r}.")
    return tuple(map(float, values))


def one_per_layer(name: str, given: Any, layers: int, kind: Any) -> tuple[Any, ...]:
    """One value for each hidden layer, from one for all or a sequence."""
    if isinstance(given, kind) or np.ndim(given) == 0:
        return (given,) * layers
    values = tuple(given)
    if len(values) != layers:
        raise ValueError(f"{name} has {len(values)} values for {layers} hidden layers: give one for each, or one for all.")
    return values


def mask_of(masks: Any, network: Architecture) -> Array | None:
    """Which parameters may be other than zero, as a vector like θ; biases always may."""
    if masks is None:
        return None
    given = [np.asarray(mask) for mask in masks]
    if [mask.shape for mask in given] != network.shapes:
        shapes = ", ".join(f"{rows} × {columns}" for rows, columns in network.shapes)
        raise ValueError(f"masks must have the shapes of the weights, {shapes}; got {[mask.shape for mask in given]}.")
    if strange := [mask for mask in given if not np.isin(mask, (0, 1)).all()]:
        found = strange[0][~np.isin(strange[0], (0, 1))][0]
        raise ValueError(f"masks say of each weight whether it may be other than zero, True or False; got {found}.")
    return np.concatenate([*(mask.astype(bool).ravel() for mask in given), np.ones(sum(network.sizes[1:]), bool)])


def keep_largest(theta: Array, n_weights: int, most: int | None) -> None:
    """Set all but the `most` largest weights to zero, in place; of equal ones, the first stay."""
    if most is not None and np.count_nonzero(theta[:n_weights]) > most:
        order = np.argsort(-np.abs(theta[:n_weights]), kind="stable")
        theta[order[most:]] = 0
