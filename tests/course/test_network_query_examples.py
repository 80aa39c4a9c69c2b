"""The worked example of the course about queries of a network: A-35, the student with the tables of the textbook."""

import math

import pytest

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork

STUDENT = BayesianNetwork.from_tables(load("student"))
POSTERIORS = (  # target, its level, evidence, p to six digits
    ("Letter", "l1", {}, 0.502336),
    ("Letter", "l1", {"Int": "i0"}, 0.388600),
    ("Letter", "l1", {"Int": "i0", "Diff": "d0"}, 0.513000),
    ("Int", "i1", {"Grade": "g3"}, 0.078947),
    ("Diff", "d1", {"Grade": "g3"}, 0.629291),
    ("Int", "i1", {"Grade": "g3", "SAT": "s1"}, 0.578313),
    ("Int", "i1", {"Letter": "l0"}, 0.140022),
)


@pytest.mark.parametrize(("target", "level", "evidence", "expected"), POSTERIORS)
def test_a_35_posteriors(target, level, evidence, expected):
    """As a query, among all posteriors, by hand, and as a ratio of probabilities of evidence."""
    assert STUDENT.query(target, evidence)[level] == pytest.approx(expected, abs=5e-7)
    assert STUDENT.posteriors(evidence)[target][level] == pytest.approx(expected, abs=5e-7)
    place = STUDENT.levels_[target].index(level)
    assert STUDENT.worked(target, evidence).answer[place] == pytest.approx(expected, abs=5e-7)
    ratio = STUDENT.evidence_probability({**evidence, target: level}) / STUDENT.evidence_probability(evidence)
    assert ratio == pytest.approx(expected, abs=5e-7)


def test_a_35_joint_probability():
    """p(i¹, d⁰, g², s¹, l⁰) = 0.3 · 0.6 · 0.08 · 0.8 · 0.4."""
    levels = {"Int": "i1", "Diff": "d0", "Grade": "g2", "SAT": "s1", "Letter": "l0"}
    assert STUDENT.evidence_probability(levels) == pytest.approx(0.004608, abs=1e-15)
    assert STUDENT.evidence_probability(levels) == pytest.approx(math.prod((0.3, 0.6, 0.08, 0.8, 0.4)), rel=1e-14)


def test_explaining_away():
    """A bad grade speaks against the student; a hard course, once known, takes part of the blame."""
    suspicion = STUDENT.query("Int", {"Grade": "g3"})["i1"]
    assert suspicion < STUDENT.query("Int")["i1"]
    assert STUDENT.query("Int", {"Grade": "g3", "Diff": "d1"})["i1"] > suspicion
