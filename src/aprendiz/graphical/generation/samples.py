"""Rows drawn from a network."""

from __future__ import annotations

from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


class Samples:
    """Draws rows, for a class that has a `network_`."""

    network_: DiscreteNetwork
