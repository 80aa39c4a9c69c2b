"""Questions to a network whose tables are known, by name."""

from __future__ import annotations

from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


class Queries:
    """Questions about the joint distribution, of a class that has a `network_`."""

    network_: DiscreteNetwork
