"""Posteriors of published networks, by an independent elimination that pyAgrum confirms."""

import json
from ast import literal_eval

import pytest

from aprendiz.graphical import read_bif

CASES = [f"bn-asia-{i}" for i in range(10)] + [f"bn-cancer-{i}" for i in range(10, 15)]


@pytest.mark.parametrize("case", CASES)
def test_posteriors(acceptance, case):
    """p(target | evidence) and p(evidence), as a query, among all posteriors, and by hand."""
    want = next(one for one in json.loads((acceptance / "answers.json").read_text()) if one["id"] == case)
    target, evidence = want["procedure"].removeprefix("P(").removesuffix(")").split(" | ")
    evidence = literal_eval(evidence)
    network = read_bif(acceptance / want["data"])
    expected = dict(zip(want["expected"]["states"], want["expected"]["posterior"], strict=True))
    assert network.query(target, evidence) == pytest.approx(expected, abs=1e-9)
    assert network.posteriors(evidence)[target] == pytest.approx(expected, abs=1e-9)
    assert network.worked(target, evidence).answer == pytest.approx(list(expected.values()), abs=1e-9)
    assert network.evidence_probability(evidence) == pytest.approx(want["expected"]["p_evidence"], abs=1e-9)
