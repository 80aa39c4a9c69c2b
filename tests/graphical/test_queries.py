"""Queries agree with enumeration: sums over the joint table, in fractions."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_networks import agreeing, by_name, joint_table, networks_with_evidence, quick, summed_onto

from aprendiz.datasets import load
from aprendiz.graphical import BayesianNetwork
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.inference import likelihood_weighting, network_inference
from aprendiz.graphical.inference.conflicts import halved_conflict
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.rows_of_evidence import posteriors_of_rows

ASIA = BayesianNetwork.from_tables(load("asia"))


def close(found, expected):
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-15)


@quick
@given(networks_with_evidence(), st.data())
def test_posteriors_and_probabilities(case, data):
    """p(v | e) of all nodes, of one and of several; p(e) exact to rounding; impossible evidence is told with a conflict."""
    model, known = case
    p, evidence, nodes = joint_table(model), by_name(model, known), model.network_.graph.nodes
    q = agreeing(p, known)
    total = q.sum()
    assert close(model.evidence_probability(evidence), total)
    free = [v for v in range(p.ndim) if v not in known]
    if total == 0:
        with pytest.raises(ValueError, match="probability 0") as told:
            model.posteriors(evidence)
        named = [v for v in known if f"{nodes[v]} = " in str(told.value)]
        assert agreeing(p, {v: known[v] for v in named}).sum() == 0
        for v in named:  # none of them can be left out
            assert agreeing(p, {u: known[u] for u in named if u != v}).sum() > 0
        if free:
            with pytest.raises(ValueError, match="probability 0"):
                model.query(nodes[free[0]], evidence)
        return
    assert close(model.log_evidence_probability(evidence), math.log(total))
    for name, found in model.posteriors(evidence).items():
        expected = summed_onto(q, [model.network_.graph.at(name)]) / total
        assert all(close(a, b) for a, b in zip(found.values(), expected, strict=True))
        if model.network_.graph.at(name) in free:
            assert list(model.query(name, evidence).values()) == pytest.approx(list(found.values()), rel=1e-12, abs=1e-15)
    asked = data.draw(st.permutations(free))[:3]
    if asked:
        found = model.query([nodes[v] for v in asked], evidence)
        expected = (summed_onto(q, asked) / total).astype(float)
        assert found.names == tuple(nodes[v] for v in asked)
        np.testing.assert_allclose(found.values, expected, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(model.worked([nodes[v] for v in asked], evidence).answer, expected, rtol=1e-12, atol=1e-15)


@quick
@given(networks_with_evidence(), st.data())
def test_most_probable_and_map(case, data):
    """No combination of levels is more probable: of all nodes, and of some when the others are summed."""
    model, known = case
    p, evidence, network = joint_table(model), by_name(model, known), model.network_
    q = agreeing(p, known)
    if q.sum() == 0:
        with pytest.raises(ValueError, match="probability 0"):
            model.most_probable(evidence)
        return
    best = model.most_probable(evidence)
    assert evidence.items() <= best.items()
    found = q[tuple(network.code(name, best[name]) for name in network.graph.nodes)]
    assert close(found, q.max())
    free = [v for v in range(p.ndim) if v not in known]
    asked = data.draw(st.permutations(free))[:3]
    if asked:
        best = model.map_query([network.graph.nodes[v] for v in asked], evidence)
        table = summed_onto(q, asked)
        assert list(best) == [network.graph.nodes[v] for v in asked]
        assert close(table[tuple(network.code(name, level) for name, level in best.items())], table.max())


@quick
@given(networks_with_evidence(), st.data())
def test_soft_evidence(case, data):
    """A likelihood multiplies the joint table along its node, with or without hard evidence elsewhere."""
    model, known = case
    p, network = joint_table(model), model.network_
    v = data.draw(st.integers(0, p.ndim - 1))
    known.pop(v, None)
    likelihood = data.draw(st.lists(st.integers(0, 4), min_size=network.sizes[v], max_size=network.sizes[v]))
    name = network.graph.nodes[v]
    evidence = {**by_name(model, known), name: dict(zip(network.levels[v], likelihood, strict=True))}
    if not any(likelihood):
        with pytest.raises(ValueError, match=f"Soft evidence for '{name}' must be numbers"):
            model.posteriors(evidence)
        return
    q = agreeing(p, known) * np.reshape(np.array(likelihood, dtype=object), [-1 if u == v else 1 for u in range(p.ndim)])
    total = q.sum()
    assert close(model.evidence_probability(evidence), total)
    if total == 0:
        with pytest.raises(ValueError, match="probability 0") as told:
            model.posteriors(evidence)
        assert ("the soft evidence" in str(told.value)) == (agreeing(p, known).sum() > 0)
        return
    for other, found in model.posteriors(evidence).items():
        expected = summed_onto(q, [network.graph.at(other)]) / total
        assert all(close(a, b) for a, b in zip(found.values(), expected, strict=True))
        if network.graph.at(other) not in known:
            assert list(model.query(other, evidence).values()) == pytest.approx(list(found.values()), rel=1e-12, abs=1e-15)
            np.testing.assert_allclose(model.worked(other, evidence).answer, list(found.values()), rtol=1e-12, atol=1e-15)


def test_questions_of_one_pattern_do_not_disturb_each_other():
    """The tree of a pattern is kept: of posteriors and of most probable levels, of soft and of hard evidence apart."""
    first = BayesianNetwork.from_tables(load("asia"))
    soft, hard = {"dysp": {"yes": 1, "no": 0}}, {"dysp": "yes"}
    for _ in range(2):
        posterior = first.query(["lung", "bronc"], hard)
        best = max(((a, b) for a in ("yes", "no") for b in ("yes", "no")), key=lambda levels: posterior[levels])
        assert tuple(first.map_query(["lung", "bronc"], hard).values()) == best
        np.testing.assert_allclose(first.query(["lung", "bronc"], soft).values, posterior.values, rtol=1e-12)
        assert first.query("lung", {"dysp": "no"})["yes"] != pytest.approx(posterior.values[0].sum())


def test_most_probable_of_some_is_not_that_of_all():
    """p(a1) = 0.6, though the most probable row has a0: what is not asked is summed before the maximum is taken."""
    tables = {"v": np.array([0.4, 0.3, 0.3]), "a": np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])}
    levels = {"v": ("v0", "v1", "v2"), "a": ("a0", "a1")}
    model = BayesianNetwork.from_tables(tables, parents={"v": [], "a": ["v"]}, levels=levels)
    assert model.map_query("a") == {"a": "a1"}
    assert model.most_probable() == {"v": "v0", "a": "a0"}
    assert model.map_query(["a", "v"]) == {"a": "a0", "v": "v0"}


def test_a_conflict_that_the_query_does_not_see():
    """With either known, xray does not depend on tub; the evidence is impossible all the same."""
    for ask in (ASIA.query, ASIA.map_query, ASIA.worked):
        with pytest.raises(ValueError, match="tub = 'yes' and either = 'no' cannot be together"):
            ask("xray", {"tub": "yes", "either": "no"})


def test_a_conflict_among_many():
    """Too many subsets to try them all: what is named is still a conflict of which nothing can be left out."""
    names = [f"x{v}" for v in range(20)]
    either = np.zeros((2, 2, 2, 2))
    either[..., 1] = 1.0
    either[0, 0, 0] = [1.0, 0.0]
    tables = {name: np.array([0.5, 0.5]) for name in names} | {"any": either}
    parents = {name: [] for name in names} | {"any": ["x3", "x11", "x17"]}
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys([*names, "any"], ("no", "yes")))
    evidence = dict.fromkeys(names, "no") | {"any": "yes"}
    with pytest.raises(ValueError, match="x3 = 'no' and x11 = 'no' and x17 = 'no' and any = 'yes' cannot be together"):
        model.posteriors(evidence)


def test_likelihoods_of_any_size():
    """Only their ratios matter to posteriors; ln p takes their size along."""

    def signs(size, share=0.25):
        return {name: {"yes": size, "no": share * size} for name in ("xray", "dysp")}

    for size in (1e300, 1e-300):
        assert ASIA.posteriors(signs(size)) == ASIA.posteriors(signs(1.0))
        more = ASIA.log_evidence_probability(signs(size)) - ASIA.log_evidence_probability(signs(1.0))
        assert more == pytest.approx(2 * math.log(size), rel=1e-13)
    assert ASIA.evidence_probability(signs(1e300, share=1.0)) == math.inf


# ---- budgets and samples -----------------------------------------------------------------------------------------------


def test_the_cost_is_said_before_and_in_the_refusal():
    """Cells by hand: asia-tub, tub-lung-either, and two triangles for the square smoke-lung-either-bronc."""
    cost = ASIA.cost("tub", {"xray": "yes", "dysp": "yes"})
    assert (cost.largest, cost.cells) == (8, 4 + 8 + 8 + 8)
    with pytest.raises(ValueError, match=r"28 cells in all, 8 in the largest clique, 448 bytes; the budget is 27 cells"):
        ASIA.query("tub", {"xray": "yes", "dysp": "yes"}, budget=27)
    assert ASIA.query("tub", {"xray": "yes", "dysp": "yes"}, budget=28)
    for ask in (ASIA.posteriors, ASIA.most_probable):
        with pytest.raises(ValueError, match="the budget is 3 cells"):
            ask(budget=3)


def test_a_junction_tree_prints_its_cliques():
    """Every node once outside of brackets, and below a clique that has what is in brackets."""
    lines = repr(ASIA.junction_tree()).splitlines()
    assert lines[0].startswith("40 cells in all")
    assert len(lines) == 1 + 6
    own = [name for line in lines[1:] for name in line.rpartition("]")[2].strip().split(", ")]
    assert sorted(own) == sorted(ASIA.levels_)
    assert all(line.startswith("  ") == ("[" in line) for line in lines[1:])
    assert repr(chain(100, 0.5).junction_tree()).endswith("\n…")


def test_known_and_barren_nodes_cost_nothing():
    """With its parents known a node is alone; what is below the target is not looked at."""
    assert ASIA.cost("dysp", {"bronc": "yes", "either": "no"}).cells == 2
    assert ASIA.cost("asia").cells == 2
    assert ASIA.cost("asia", {"smoke": "yes"}).cells == 2  # separated


@pytest.mark.parametrize(("evidence", "room"), [({"either": "yes", "dysp": "yes"}, 1.25), ({"xray": {"yes": 3, "no": 1}}, 2)])
def test_samples_come_within_their_standard_error(evidence, room):
    """Five standard errors, and errors of as many samples as have weight; the same seed draws the same."""
    settings = {"budget": 0, "beyond": "sample", "n_samples": 20_000, "random_state": 3}
    exact, found = ASIA.query("lung", evidence), ASIA.query("lung", evidence, **settings)
    for level, p in exact.items():
        assert 0 < abs(found[level] - p) < 5 * found.standard_error[level]
        assert 1 / room < found.standard_error[level] / math.sqrt(p * (1 - p) / found.effective_samples) < room
    assert found == ASIA.query("lung", evidence, **settings)
    table = ASIA.query(["lung", "bronc"], evidence, **settings)
    np.testing.assert_allclose(table.values, ASIA.query(["lung", "bronc"], evidence).values, atol=0.05)
    assert "standard error" in repr(table)


def test_samples_of_what_is_certain():
    """A level that is certain is estimated as 1, its error as 0, however the weights round."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        model = BayesianNetwork.from_tables(
            {"a": [1.0, 0.0], "b": rng.dirichlet([1] * 5), "c": rng.dirichlet([1, 1], (2, 5))},
            parents={"a": [], "b": [], "c": ["a", "b"]},
            levels={"a": (0, 1), "b": range(5), "c": (0, 1)},
        )
        found = model.query("a", {"c": 0}, budget=0, beyond="sample", n_samples=777, random_state=seed)
        assert found == {0: 1.0, 1: 0.0}
        assert found.standard_error == {0: 0.0, 1: 0.0}


def test_samples_in_blocks(monkeypatch):
    """Rows of large networks are drawn some at a time: the same ones."""
    ask = {"budget": 0, "beyond": "sample", "n_samples": 1000, "random_state": 0}
    whole = ASIA.query(["lung", "bronc"], {"dysp": "yes", "xray": {"yes": 0.9, "no": 0.2}}, **ask)
    monkeypatch.setattr(likelihood_weighting, "BLOCK_CELLS", 300)
    parts = ASIA.query(["lung", "bronc"], {"dysp": "yes", "xray": {"yes": 0.9, "no": 0.2}}, **ask)
    np.testing.assert_array_equal(parts.values, whole.values)


def test_samples_that_never_agree_are_told():
    with pytest.raises(ValueError, match="None of 50 samples agrees"):
        ASIA.query("smoke", {"tub": "yes", "either": "no"}, budget=0, beyond="sample", n_samples=50, random_state=0)


# ---- what is printed ---------------------------------------------------------------------------------------------------


def test_a_worked_query_prints_every_factor():
    """Nodes that are not needed are named; each step has its table; the last number is the answer."""
    worked = ASIA.worked("lung", {"xray": "yes"})
    text = repr(worked)
    assert text.startswith("P(lung | xray = yes)\n\nNot needed: bronc, dysp")
    assert [step.kind for step in worked.steps].count("sum") == 4
    assert "P(xray | either) with xray = yes" in text
    assert worked.total == pytest.approx(ASIA.evidence_probability({"xray": "yes"}), rel=1e-14)
    assert text.rstrip().endswith(f"no    {ASIA.query('lung', {'xray': 'yes'})['no']:.6g}")
    with pytest.raises(ValueError, match="probability 0"):
        ASIA.worked("xray", {"tub": "yes", "either": "no"})


def test_names_with_line_breaks_stay_in_their_line():
    levels = {"a\nb": ("x\ny", "$<b>"), "c": ("\n", "z")}
    tables = {"a\nb": [0.5, 0.5], "c": [[0.5, 0.5], [0.25, 0.75]]}
    model = BayesianNetwork.from_tables(tables, parents={"a\nb": [], "c": ["a\nb"]}, levels=levels)
    lines = repr(model.query(["a\nb", "c"])).splitlines()
    assert lines[:2] == ["a\\nb  c   probability", "x\\ny  \\n  0.25"]
    assert len(lines) == 5


def test_several_targets_make_a_table():
    """In the order of the targets; cells by level."""
    found = ASIA.query(["bronc", "lung"], {"dysp": "yes"})
    assert found.values.shape == (2, 2)
    assert found["yes", "no"] == found.values[0, 1]
    assert repr(found).splitlines()[0].split() == ["bronc", "lung", "probability"]
    assert len(repr(found).splitlines()) == 1 + len(found)
    with pytest.raises(KeyError, match="has no level 'maybe'"):
        found["yes", "maybe"]
    with pytest.raises(KeyError, match="Give a level for each"):
        found["yes"]
    for targets in (np.array(["bronc", "lung"]), pd.Index(["bronc", "lung"])):
        np.testing.assert_array_equal(ASIA.query(targets, {"dysp": "yes"}).values, found.values)


# ---- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ASIA.query("lungs"), "There is no node 'lungs'"),
        (lambda: ASIA.query([]), "There is no target"),
        (lambda: ASIA.query({"lung": "yes"}), "There is no node {'lung': 'yes'}"),
        (lambda: ASIA.query("lung", {"xray": "maybe"}), "'xray' has no level 'maybe'; its levels are 'yes', 'no'"),
        (lambda: ASIA.query("lung", {"xray": ["yes"]}), "has no level"),
        (lambda: ASIA.query("lung", {"ray": "yes"}), "There is no node 'ray'"),
        (lambda: ASIA.query("lung", {"lung": "yes"}), "'lung' is both a target and known"),
        (lambda: ASIA.query("lung", {"xray": {"yes": 1.0}}), "says nothing of the level 'no'"),
        (lambda: ASIA.query("lung", {"xray": {"yes": 1.0, "no": -1}}), "numbers of at least 0"),
        (lambda: ASIA.query("lung", {"xray": {"yes": math.nan, "no": 1}}), "numbers of at least 0"),
        (lambda: ASIA.query("lung", beyond="guess"), "beyond must be 'refuse' or 'sample'"),
        (lambda: ASIA.query("lung", n_samples=0), "n_samples must be a whole number of at least 1, got 0"),
        (lambda: ASIA.query("lung", {"xray": {"yes": "much", "no": 1}}), "Soft evidence for 'xray' must be numbers .* got"),
        (lambda: ASIA.query("lung", {"xray": {"yes": None, "no": 1}}), "Soft evidence for 'xray' must be numbers .* got"),
        (lambda: ASIA.query("lung", budget="all"), "budget must be a number of cells of at least 0, got 'all'"),
        (lambda: ASIA.query("lung", budget=math.nan, beyond="sample"), "budget must be a number of cells"),
        (lambda: ASIA.posteriors(budget=None), "budget must be a number of cells"),
    ],
)
def test_bad_questions_are_refused(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()


def test_evidence_is_a_mapping():
    with pytest.raises(TypeError, match="mapping of node to level"):
        ASIA.query("lung", ["xray"])


def test_products_too_small_for_paper():
    """Where a factor of a query would be 0 by rounding alone, it is not worked by hand; the engine answers."""
    rare = np.array([[1.0, 1e-200], [1e-200, 1.0]])
    tables = {"a": [0.5, 0.5], "b": rare, "c": rare}
    parents, levels = {"a": [], "b": ["a"], "c": ["a"]}, dict.fromkeys("abc", (0, 1))
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=levels)
    assert model.query("a", {"b": 0, "c": 1}) == pytest.approx({0: 0.5, 1: 0.5})
    deep = BayesianNetwork.from_tables(
        {**tables, "d": rare, "e": rare}, parents={**parents, "d": ["a"], "e": ["a"]}, levels=dict.fromkeys("abcde", (0, 1))
    )
    evidence = {"b": 0, "c": 0, "d": 1, "e": 1}
    assert deep.query("a", evidence) == pytest.approx({0: 0.5, 1: 0.5})
    with pytest.raises(ValueError, match="too small or too large for a number: it cannot be worked by hand"):
        deep.worked("a", evidence)


# ---- questions and explanations that are too large -------------------------------------------------------------------------


def grid(size):
    """Nodes of two levels, each below its neighbours above and on the left; the last one repeats the one on its left."""
    rng = np.random.default_rng(0)
    names = [(i, j) for i in range(size) for j in range(size)]
    parents = {(i, j): [(a, b) for a, b in ((i - 1, j), (i, j - 1)) if a >= 0 and b >= 0] for i, j in names}
    tables = {v: rng.dirichlet([1, 1], 2 ** len(own)).reshape([2] * len(own) + [2]) for v, own in parents.items()}
    tables[names[-1]] = np.array([np.eye(2), np.eye(2)])
    return BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(names, ("a", "b")))


def test_explanations_of_large_networks_are_bounded():
    """Every second node of a grid is known, which makes all cliques small. Parts of that evidence are too dear to ask about;
    the contradiction is in one table."""
    model = grid(24)
    evidence = {(i, j): "a" for i in range(24) for j in range(24) if (i + j) % 2 == 0} | {(23, 22): "b"}
    words = re.escape("The evidence has probability 0: (23, 22) = 'b' and (23, 23) = 'a' cannot be together")
    assert model.cost((0, 1), evidence).cells < 100
    for ask in (lambda: model.query((0, 1), evidence), lambda: model.posteriors(evidence), lambda: model.sample(2, evidence)):
        with pytest.raises(ValueError, match=words):
            ask()


def test_conflicts_by_halves():
    """All parts that a conflict needs, and none more, in a number of questions that grows with ln n; parts of which nothing is
    told are kept."""
    for conflict in ({3}, {0, 99}, {7, 8, 50}, set(range(5))):
        asked = []

        def log_p(rows, conflict=conflict, asked=asked):
            asked.append(rows)
            return np.array([-np.inf if all(row[v] >= 0 for v in conflict) else -1.0 for row in rows])

        levels = [(v, 0) for v in range(100)]
        assert set(halved_conflict(levels, 100, log_p)) == conflict
        assert len(asked) < 2 + len(conflict) * (2 * math.log2(100) + 2)
    assert halved_conflict([], 3, lambda rows: np.array([-np.inf])) == ()
    assert halved_conflict([(0, 1), (2, 0)], 3, lambda rows: np.zeros(len(rows))) == (0, 2)


def test_a_conflict_that_no_table_shows():
    """A large network: three nodes say the same thing in a chain; the middle one is not known."""
    model = grid(24)
    tables = dict(model.tables_) | {"x": np.array([0.5, 0.5]), "y": np.eye(2), "z": np.eye(2)}
    parents = {v: [model.graph_.nodes[u] for u in own] for v, own in zip(model.graph_.nodes, model.graph_.parents, strict=True)}
    parents |= {"x": [], "y": ["x"], "z": ["y"]}
    both = BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(parents, ("a", "b")))
    with pytest.raises(ValueError, match="probability 0: x = 'a' and z = 'b' cannot be together"):
        both.query("y", {(0, 0): "a", (0, 5): "b", "x": "a", "z": "b"})


def test_a_conflict_of_one_table_may_need_less(monkeypatch):
    """b repeats a, which is always 0: what the table of b says of both is said by b alone."""
    monkeypatch.setattr(network_inference, "SMALL", -1)
    model = BayesianNetwork.from_tables(
        {"a": [1.0, 0.0], "b": np.eye(2)}, parents={"a": [], "b": ["a"]}, levels={"a": (0, 1), "b": (0, 1)}
    )
    with pytest.raises(ValueError, match="probability 0: b = 1 cannot be in this network"):
        model.posteriors({"a": 0, "b": 1})


def test_work_by_hand_is_refused_before_it_is_done():
    """A query beyond every budget."""
    with pytest.raises(ValueError, match=r"This takes \d+ cells in all"):
        grid(24).worked((0, 0), {(23, 23): "a"})


def test_tables_of_too_many_targets():
    """2³⁴ cells are refused, estimated or not; so are more nodes than an array has axes."""
    model = chain(34, 0.9)
    for beyond in ("refuse", "sample"):
        with pytest.raises(ValueError, match="A table of these 34 nodes has 17179869184 cells; at most 67108864 cells"):
            model.query(list(range(34)), beyond=beyond)
    ones = BayesianNetwork.from_tables(
        {v: [1.0] for v in range(70)}, parents=dict.fromkeys(range(70), ()), levels=dict.fromkeys(range(70), ("only",))
    )
    assert ones.query(list(range(64))).values.size == 1
    for ask in (ones.query, ones.worked):
        with pytest.raises(ValueError, match="A table of these 70 nodes has 1 cells"):
            ask(list(range(70)))
    assert ones.map_query(list(range(70)))[69] == "only"


# ---- large networks ----------------------------------------------------------------------------------------------------


def chain(nodes, stay):
    """A chain of two levels that changes with probability 1 − stay."""
    tables = {0: np.array([0.5, 0.5])} | {v: np.array([[stay, 1 - stay], [1 - stay, stay]]) for v in range(1, nodes)}
    parents = {v: [v - 1] if v else [] for v in range(nodes)}
    return BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(range(nodes), ("no", "yes")))


def test_a_chain_of_a_thousand_nodes_with_tiny_probabilities():
    """ln p of 1 000 known nodes, each a change of probability 10⁻⁵: exact, though p is far below the smallest double."""
    model = chain(1000, 1 - 1e-5)
    changes = {v: ("no", "yes")[v % 2] for v in range(1000)}
    assert model.log_evidence_probability(changes) == pytest.approx(math.log(0.5) + 999 * math.log(1e-5), rel=1e-12)
    assert model.evidence_probability(changes) == 0.0
    pairs = {v: ("no", "yes")[v // 2 % 2] for v in range(999) if v % 3}
    found = model.posteriors(pairs)
    assert found[6] == pytest.approx({"no": 0.5, "yes": 0.5}, rel=1e-9)  # its neighbours differ
    assert found[999]["no"] == pytest.approx(1e-5, rel=1e-9)  # 998 says yes


def test_a_thousand_conflicting_children():
    """Half of the children say yes and half say no, each by 9 : 1: the products are 10⁻⁴⁷⁷ on the way, the answer is 1/2."""
    children = range(1, 1001)
    tables = {0: np.array([0.5, 0.5])} | {v: np.array([[0.9, 0.1], [0.1, 0.9]]) for v in children}
    model = BayesianNetwork.from_tables(
        tables, parents={v: [0] if v else [] for v in range(1001)}, levels=dict.fromkeys(range(1001), ("no", "yes"))
    )
    evidence = {v: "yes" if v <= 500 else "no" for v in children}
    assert model.query(0, evidence) == pytest.approx({"no": 0.5, "yes": 0.5}, rel=1e-9)
    assert model.posteriors(evidence)[0] == pytest.approx({"no": 0.5, "yes": 0.5}, rel=1e-9)
    assert model.query(0, {**evidence, 1000: "yes"})["yes"] == pytest.approx(81 / 82, rel=1e-9)
    assert model.log_evidence_probability(evidence) == pytest.approx(500 * math.log(0.09), rel=1e-12)


def test_twelve_parents_and_nodes_of_one_level():
    """p(child) = mean over 4 096 rows; a node of one level says nothing."""
    rng = np.random.default_rng(0)
    table = rng.random((2,) * 12)
    tables = {v: np.array([0.5, 0.5]) for v in range(12)} | {12: np.stack([table, 1 - table], axis=-1), 13: np.ones((2, 1))}
    parents = {v: [] for v in range(12)} | {12: list(range(12)), 13: [12]}
    model = BayesianNetwork.from_tables(tables, parents=parents, levels=dict.fromkeys(range(13), (0, 1)) | {13: ("only",)})
    assert model.query(12, {13: "only"})[0] == pytest.approx(table.mean(), rel=1e-12)
    found = model.query(0, {12: 0, **dict.fromkeys(range(2, 12), 1)})
    row = table[:, :, *(1,) * 10].sum(axis=1)
    assert found[1] == pytest.approx(row[1] / row.sum(), rel=1e-12)


def test_more_variables_than_an_array_has_axes():
    """NumPy's arrays end at 64 axes; here is a clique of 75 nodes, most of them with one level."""
    parents = {v: [] for v in range(74)} | {74: list(range(74))}
    sizes = [1] * 70 + [2] * 5
    tables = {v: np.full(sizes[v], 1 / sizes[v]) for v in range(74)}
    tree = JunctionTree.of(DirectedGraph.of(parents), sizes)
    table = np.random.default_rng(1).dirichlet([1, 1], 16)
    found = posteriors_of_rows(tree, [*tables.values(), table], np.full((1, 75), -1), 74)
    np.testing.assert_allclose(found[0], table.mean(axis=0), rtol=1e-12)
