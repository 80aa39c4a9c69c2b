"""Posteriors of published networks, by an independent elimination that pyAgrum confirms."""

import json
from ast import literal_eval
from io import StringIO

import numpy as np
import pandas as pd
import pytest

from aprendiz.graphical import independence_test, read_bif, write_bif

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


def test_files_there_and_back(acceptance):
    """Every network that lies there: names, levels, parents and the bits of the tables."""
    files = sorted((acceptance / "bif").glob("*.bif*"))
    assert files
    for file in files:
        text, model = StringIO(), read_bif(file)
        write_bif(model, text)
        again = read_bif(StringIO(text.getvalue()))
        assert (again.network_.graph, again.levels_) == (model.network_.graph, model.levels_)
        for one, other in zip(again.network_.tables, model.network_.tables, strict=True):
            np.testing.assert_array_equal(one.view(np.int64), other.view(np.int64))


def test_independence(acceptance):
    """G² and X² of the sample of lizards, with their degrees of freedom."""
    answers = json.loads((acceptance / "answers.json").read_text())
    want = next(one for one in answers if one["id"].startswith("bnscore citest lizards"))["expected"]
    lizards = pd.read_csv(acceptance / "bif" / "bnlearn_sample_lizards.csv.gz")
    for statistic, value, p in (("g2", "G2", "pG"), ("x2", "X2", "pX")):
        found = independence_test(lizards, "Height", "Diameter", "Species", statistic=statistic)
        assert (found.value, found.p_value) == (pytest.approx(want[value], rel=1e-9), pytest.approx(want[p], rel=1e-9))
        assert found.df == want["df"]
