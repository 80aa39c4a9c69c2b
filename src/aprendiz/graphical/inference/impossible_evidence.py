"""Evidence of probability zero, explained: which part of it contradicts itself."""

from __future__ import annotations

from math import isinf

from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.network_inference import NetworkInference
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.locale import _

MOST_NAMED = 12


def impossible_evidence(network: DiscreteNetwork, given: Evidence) -> ValueError:
    """The error that names a part of evidence that cannot be."""
    engine, codes = NetworkInference.of(network), dict(given.levels)
    nodes = engine.conflict(given)
    parts = [f"{network.graph.nodes[v]} = {network.levels[v][codes[v]]!r}" for v in nodes]
    if given.likelihoods and not isinf(engine.affordable_log_probability(Evidence(tuple((v, codes[v]) for v in nodes)))):
        parts.append(_("the soft evidence"))
    if len(parts) > MOST_NAMED:
        parts[MOST_NAMED:] = [_("{count} more").format(count=len(parts) - MOST_NAMED)]
    what = _(" and ").join(parts)
    words = (
        _("The evidence has probability 0: {what} cannot be together in this network.")
        if len(parts) > 1
        else _("The evidence has probability 0: {what} cannot be in this network.")
    )
    remedy = _("Correct the evidence, or learn the tables with a prior, which leaves no zeros.")
    return ValueError(f"{words.format(what=what)} {remedy}")
