"""Tables from rows: shares of counts, priors, levels, batches; what is said of rows; refusals; files."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import aprendiz as ap
from aprendiz import BayesianNetwork, ChowLiuTree
from aprendiz.datasets import load

EDGES = [("rain", "wet"), ("hose", "wet"), ("wet", "slip")]


def garden(n=400, seed=0):
    """Words: rain and hose make wet, wet makes slip."""
    rng = np.random.default_rng(seed)
    rain, hose = rng.random(n) < 0.3, rng.random(n) < 0.4
    wet = rng.random(n) < np.where(rain, 0.9, np.where(hose, 0.7, 0.1))
    slip = rng.random(n) < np.where(wet, 0.6, 0.05)
    return pd.DataFrame(
        {
            name: np.where(v, "yes", "no")
            for name, v in zip(("rain", "hose", "wet", "slip"), (rain, hose, wet, slip), strict=True)
        }
    )


def joint(model):
    """p(x) of all rows of codes, by the definition."""
    network = model.network_
    for x in product(*map(range, network.sizes)):
        parents = network.graph.parents
        yield x, np.prod([table[tuple(x[u] for u in (*parents[v], v))] for v, table in enumerate(network.tables)])


@pytest.fixture(scope="module")
def model():
    return BayesianNetwork(EDGES).fit(garden())


# ---- tables ------------------------------------------------------------------------------------------------------------


def test_shares_of_the_counts(model):
    """p(wet | rain, hose) is the share among the rows with these parents, in the order of the edges."""
    table = garden()
    for i, rain in enumerate(("no", "yes")):
        for j, hose in enumerate(("no", "yes")):
            some = table[(table.rain == rain) & (table.hose == hose)]
            assert model.tables_["wet"][i, j] == pytest.approx([(some.wet == level).mean() for level in ("no", "yes")])
    assert model.levels_["wet"] == ("no", "yes")
    assert model.edges_ == tuple(EDGES)
    assert model.certificate_.holds
    assert model.n_iter_ == 1


def test_likelihood_of_the_tables(model):
    """The certificate's cost is minus the mean log-likelihood, which other tables do not reach."""
    rows = garden()
    assert model.score(rows) == pytest.approx(-model.certificate_.cost, rel=1e-12)
    assert model.log_likelihood(rows) == pytest.approx(model.score_samples(rows).sum(), rel=1e-12)
    assert BayesianNetwork(EDGES, prior="k2").fit(rows).score(rows) < model.score(rows)


TINY = [[0, 0], [0, 0], [0, 1], [1, 2]]  # b depends on a; of a = 1 there is one row


@pytest.mark.parametrize(
    ("prior", "root", "child"),
    [
        (None, [3 / 4, 1 / 4], [[2 / 3, 1 / 3, 0], [0, 0, 1]]),
        ("dirichlet", [5 / 8, 3 / 8], [[4 / 9, 3 / 9, 2 / 9], [2 / 7, 2 / 7, 3 / 7]]),  # α = 2
        ("bdeu", [4 / 6, 2 / 6], [[7 / 12, 4 / 12, 1 / 12], [1 / 6, 1 / 6, 4 / 6]]),  # α = 2: 1 and 1/3 in a cell
        ("k2", [4 / 6, 2 / 6], [[3 / 6, 2 / 6, 1 / 6], [1 / 4, 1 / 4, 2 / 4]]),
    ],
)
def test_priors(prior, root, child):
    """Pseudo-counts by hand."""
    fit = BayesianNetwork([(0, 1)], prior=prior, alpha=2.0).fit(TINY)
    assert fit.tables_[0] == pytest.approx(root)
    assert fit.tables_[1] == pytest.approx(np.array(child))


def test_parents_that_never_occur_together():
    """Their shares are equal, they are counted, and the tables are not the only best ones; with a prior they are."""
    X = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    fit = BayesianNetwork([(0, 2), (1, 2)]).fit(X)
    assert fit.tables_[2][1, 1].tolist() == [0.5, 0.5]
    assert fit.certificate_.empty == 1
    assert not fit.certificate_.holds
    assert BayesianNetwork([(0, 2), (1, 2)], prior="k2").fit(X).certificate_.holds


def test_weights_are_copies():
    table, copies = garden(60), np.random.default_rng(1).integers(0, 4, 60)
    weighted = BayesianNetwork(EDGES, prior="bdeu").fit(table, sample_weight=copies.astype(float))
    repeated = BayesianNetwork(EDGES, prior="bdeu").fit(table.loc[np.repeat(np.arange(60), copies)])
    for name, expected in repeated.tables_.items():
        assert weighted.tables_[name] == pytest.approx(expected, rel=1e-14)
    assert weighted.score(table, sample_weight=copies) == pytest.approx(
        -repeated.certificate_.cost - prior_of(repeated), rel=1e-12
    )


def prior_of(fit):
    """The log prior in the cost, for a row."""
    return sum((np.log(T) / T.size).sum() for T in fit.tables_.values()) / fit.sums_.weight


def test_independence_of_the_graph(model):
    """What the graph separates is independent in the product of the tables: slip of rain given wet; rain of hose."""
    table = np.zeros(model.network_.sizes)
    for x, p in joint(model):
        table[x] = p
    given_wet = table.sum(axis=1)  # rain, wet, slip
    for wet in (0, 1):
        part = given_wet[:, wet] / given_wet[:, wet].sum()
        assert part == pytest.approx(np.outer(part.sum(axis=1), part.sum(axis=0)))
    roots = table.sum(axis=(2, 3))
    assert roots == pytest.approx(np.outer(roots.sum(axis=1), roots.sum(axis=0)))


# ---- batches -----------------------------------------------------------------------------------------------------------


def test_batches_give_the_whole_fit():
    """`partial_fit` and sums of records give the tables of one fit, also where a level comes late."""
    table = garden().sort_values("slip", ignore_index=True)
    whole = BayesianNetwork(EDGES).fit(table)
    parts = [table[:50], table[50:130], table[130:]]
    model = BayesianNetwork(EDGES)
    for part in parts:
        model.partial_fit(part)
    assert set(parts[0].slip) < set(table.slip)
    records = [(one := BayesianNetwork(EDGES)).summarise(one.open(part)) for part in parts]
    summed = BayesianNetwork(EDGES).fit_sums(records[0] + records[1] + records[2])
    for other in (model, summed):
        assert other.levels_ == whole.levels_
        assert all(np.array_equal(other.tables_[name], whole.tables_[name]) for name in whole.tables_)
        assert list(other.feature_names_in_) == list(table)
        assert other.predict_proba(table[:3], "rain") == pytest.approx(whole.predict_proba(table[:3], "rain"))


def test_batches_need_all_cells():
    """A hole, a hidden node, a fit by EM and given tables leave no counts to add to."""
    hole = garden(20).copy()
    hole.loc[3, "wet"] = None
    with pytest.raises(ValueError, match="a row has a missing cell"):
        BayesianNetwork(EDGES).partial_fit(hole)
    with pytest.raises(ValueError, match="a node is hidden"):
        BayesianNetwork(EDGES, hidden={"h": 2}).partial_fit(garden(20))
    for fitted in (BayesianNetwork(EDGES, prior="k2").fit(hole), BayesianNetwork.from_tables(load("student"))):
        assert fitted.sums_ is None
        with pytest.raises(ValueError, match="use fit"):
            fitted.partial_fit(garden(20))


def test_counts_of_another_graph():
    record = (one := BayesianNetwork(EDGES)).summarise(one.open(garden(20)))
    with pytest.raises(ValueError, match="another graph"):
        BayesianNetwork(EDGES[:2]).fit_sums(record)


# ---- levels and names --------------------------------------------------------------------------------------------------


def test_levels_in_their_order():
    """Given levels keep their order, and one that does not occur is a level too."""
    table = garden(50)
    fit = BayesianNetwork(EDGES, levels={"wet": ["yes", "no", "frozen"], 3: ("no", "yes")}, prior="k2").fit(table)
    assert fit.levels_["wet"] == ("yes", "no", "frozen")
    assert fit.tables_["slip"].shape == (3, 2)
    assert fit.tables_["slip"][2].tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match=r"Column 'wet' holds 'no', which is not among its levels \['yes'\]"):
        BayesianNetwork(EDGES, levels={"wet": ["yes"]}).fit(table)


def test_levels_of_codes():
    """A number of levels, or their names; a code beyond them is refused with its row."""
    X = np.array([[0, 1], [1, 0], [0, 2]])
    fit = BayesianNetwork([(0, 1)], levels={0: 3, 1: ["low", "middle", "high"]}, prior="k2").fit(X)
    assert fit.levels_ == {0: (0, 1, 2), 1: ("low", "middle", "high")}
    assert fit.tables_[1].shape == (3, 3)
    with pytest.raises(ValueError, match=r"column 0 holds codes from 0, whose names cannot be the numbers \[1, 2\]"):
        BayesianNetwork(levels={0: [1, 2]}).fit(X)
    with pytest.raises(ValueError, match="Column 1 holds the code 2 in row 2, but 2 levels are given"):
        BayesianNetwork(levels={1: ["low", "high"]}).fit(X)


def test_edges_by_position_and_by_child():
    """Positions mean columns, a mapping gives the parents, a network its edges and levels; other columns stand alone."""
    table = garden(80)
    expected = BayesianNetwork(EDGES).fit(table)
    for edges in ([(0, 2), (1, 2), (2, 3)], {"wet": ["rain", "hose"], "slip": ["wet"]}, expected.graph_):
        other = BayesianNetwork(edges).fit(table)
        assert other.edges_ == expected.edges_
        assert all(np.array_equal(other.tables_[name], expected.tables_[name]) for name in table)
    asia = load("asia")
    rows = BayesianNetwork.from_tables(asia).sample(30, random_state=0)
    assert BayesianNetwork(asia).fit(pd.DataFrame(rows, columns=asia.nodes)).levels_ == dict(asia.levels)
    alone = BayesianNetwork([("wet", "slip")]).fit(table)
    assert alone.tables_["rain"] == pytest.approx([(table.rain == "no").mean(), (table.rain == "yes").mean()])


@pytest.mark.parametrize(
    ("parameters", "change", "message"),
    [
        ({"edges": [("snow", "wet")]}, {}, r"edges: 'snow' is not a column of X \('rain', 'hose', 'wet', 'slip'\)"),
        ({"hidden": {"wet": 2}}, {}, "hidden: 'wet' is a column of X, too"),
        ({"hidden": {"h": None}}, {}, "hidden: 'h' needs its levels, or their number"),
        ({"edges": [("rain", "wet"), ("wet", "rain")]}, {}, "edges: The edges form a cycle"),
        ({"edges": zip(["rain"], ["wet"], strict=True)}, {}, "edges: Edges are a list of pairs"),
        ({"edges": {"wet": "rain"}}, {}, "edges: The parents of 'wet' must be a list of names, got 'rain'"),
        ({"levels": {"wet": iter(["no", "yes"])}}, {}, "The levels of 'wet' must be a list of them or their number"),
        ({"prior": "dirichlet", "alpha": 1e308}, {}, "alpha of BayesianNetwork must be a number of at least 0 and at most 1e"),
        ({}, {"wet": None}, "Column 'wet' has no known cell, so its levels are unknown"),
        ({"levels": {"wet": 2}}, {}, r"Column 'wet' holds words: give its levels, not their number \(2\)"),
        ({}, {"wet": 1.5}, "Column 'wet' holds measurements such as 1.5: bin them"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*every cell is missing")
def test_refusals(parameters, change, message):
    with pytest.raises(ValueError, match=message):
        BayesianNetwork(**parameters).fit(garden(20).assign(**change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tables": {"rain": "x", "wet": 0}}, "The table of 'rain' must be an array of numbers"),
        ({"tables": {"rain": [0.5, 0.5], "wet": [[0.5, 0.5], [1]]}}, "The table of 'wet' must be an array of numbers"),
        ({"tables": [[0.5, 0.5]]}, "Give the table of each node as a mapping of names"),
        ({"levels": {"rain": 2, "wet": 2}}, "The levels of 'rain' must be a list of them, got 2"),
        ({"parents": [("rain", "wet")]}, "The parents of 'rain' must be a list of names, got 'wet'"),
    ],
)
def test_given_tables_of_other_forms(change, message):
    """What is wrong is named before anything is computed."""
    given = {"tables": {"rain": [0.5, 0.5], "wet": np.eye(2)}, "parents": {"rain": [], "wet": ["rain"]}}
    given["levels"] = dict.fromkeys(given["tables"], ("no", "yes"))
    assert BayesianNetwork.from_tables(**given).query("wet", {"rain": "no"}) == {"no": 1.0, "yes": 0.0}
    with pytest.raises((TypeError, ValueError), match=message):
        BayesianNetwork.from_tables(**given | change)


def test_an_unknown_level_of_many():
    """The message lists twenty levels at most."""
    tables, levels = {"a": np.full(1000, 1e-3)}, {"a": range(1000)}
    model = BayesianNetwork.from_tables(tables, parents={"a": []}, levels=levels)
    with pytest.raises(ValueError, match=r"'a' has no level 'x'; its levels are 0, 1, .*, 19, …\.$"):
        model.query([], {"a": "x"})


def test_a_search_is_no_list_of_edges():
    """A fitted search in place of its edges would lose its fit when the network is cloned."""
    codes = np.array([[0, 0], [1, 1]] * 20)
    search = ChowLiuTree().fit(codes)
    with pytest.raises(ValueError, match=r"got ChowLiuTree\(\): give its edges_"):
        BayesianNetwork(search).fit(codes)
    assert BayesianNetwork(search.edges_).fit(codes).edges_ == search.edges_


def test_before_the_fit():
    """The graph answers, the tables do not."""
    model = BayesianNetwork(EDGES, hidden={"h": 2}, levels={"alone": 2})
    assert model.d_separated("rain", "hose")
    assert set(model.graph_.nodes) == {"rain", "hose", "wet", "slip", "h", "alone"}
    with pytest.raises(NotFittedError):
        model.score_samples(garden(3))
    with pytest.raises(NotFittedError):
        model.sample(3)


# ---- rows --------------------------------------------------------------------------------------------------------------


def test_rows_with_holes(model):
    """ln p, the most probable completion and the posterior of a column, by adding up all completions."""
    rows = [["yes", None, None, "yes"], [None, None, None, None], ["no", "no", "yes", None], [None, "yes", "no", "yes"]]
    table = pd.DataFrame(rows, columns=["rain", "hose", "wet", "slip"])
    codes = [[None if cell is None else ("no", "yes").index(cell) for cell in row] for row in rows]
    filled, logs, posterior = model.predict(table), model.score_samples(table), model.predict_proba(table, "wet")
    assert np.array_equal(model.predict_proba(table), model.predict_proba(table, "slip"))
    for i, row in enumerate(codes):
        agreeing = [(p, x) for x, p in joint(model) if all(c is None or c == y for c, y in zip(row, x, strict=True))]
        assert logs[i] == pytest.approx(np.log(sum(p for p, _ in agreeing)))
        assert filled[i].tolist() == [("no", "yes")[y] for y in max(agreeing)[1]]
        others = [
            (p, x)
            for x, p in joint(model)
            if all(c is None or c == y or v == 2 for v, (c, y) in enumerate(zip(row, x, strict=True)))
        ]
        wet = np.array([sum(p for p, x in others if x[2] == level) for level in (0, 1)])
        assert posterior[i] == pytest.approx(wet / wet.sum())
    assert np.array_equal(model.log_density(table), logs)


def test_levels_not_seen_in_the_fit(model):
    """Such a cell counts as missing, and is told: words and codes."""
    row = pd.DataFrame([["yes", "no", "flooded", "yes"]], columns=["rain", "hose", "wet", "slip"])
    with pytest.warns(UserWarning, match="'flooded'.*not seen in the fit"):
        assert model.predict(row)[0, 2] in ("yes", "no")
    codes = BayesianNetwork([(0, 1)]).fit(TINY)
    with pytest.warns(UserWarning, match="Column 1 holds category 7, not seen in the fit"):
        assert codes.score_samples([[0, 7]]) == pytest.approx(np.log([0.75]))


def test_rows_of_probability_zero():
    """They keep their missing cells, get the marginal probabilities, have −∞, and are told."""
    fit = BayesianNetwork([(0, 1), (1, 2)]).fit([[0, 0, 0], [1, 1, 1], [1, 1, 0]])
    rows = [[0, 1, np.nan], [1, 1, np.nan], [np.nan, 0, np.nan]]
    with pytest.warns(UserWarning, match=r"1 row has probability 0 \(row 0\)"):
        filled = fit.predict(rows)
    assert np.array_equal(filled, [[0, 1, np.nan], [1, 1, 0], [0, 0, 0]], equal_nan=True)
    with pytest.warns(UserWarning, match="probabilities without evidence"):
        posterior = fit.predict_proba([[0, 1, np.nan]])
    assert posterior == pytest.approx(np.array([[2 / 3, 1 / 3]]))
    assert fit.score_samples(rows)[0] == -np.inf
    assert fit.score(rows) == -np.inf


# ---- files -------------------------------------------------------------------------------------------------------------


def test_the_network_of_a_dataset_in_a_file(tmp_path):
    """Edges that were given as a network come back as one."""
    asia = load("asia")
    rows = pd.DataFrame(BayesianNetwork.from_tables(asia).sample(50, random_state=0), columns=asia.nodes)
    ap.save(BayesianNetwork(asia).fit(rows), tmp_path / "m.apz")
    back = ap.load(tmp_path / "m.apz")
    assert back.edges.edges == asia.edges
    assert back.edges.card == asia.card
    assert back.partial_fit(rows).sums_.weight == 100


def test_in_a_file(model, tmp_path):
    """A stored network answers alike, and goes on learning."""
    ap.save(model, tmp_path / "m.apz")
    back, more = ap.load(tmp_path / "m.apz"), garden(50, seed=1)
    assert back.graph_ == model.graph_
    assert np.array_equal(back.predict_proba(more), model.predict_proba(more))
    assert back.partial_fit(more).sums_.weight == 450
    both = BayesianNetwork(EDGES).fit(pd.concat([garden(), more], ignore_index=True))
    assert all(np.array_equal(back.tables_[name], both.tables_[name]) for name in both.tables_)


@pytest.mark.parametrize("damage", ["shape", "parents", "cycle", "levels", "sums", "missing"])
def test_tables_that_do_not_fit(model, damage, tmp_path):
    """Tables, graph and levels that do not go together are refused, on the way in and out."""
    net = model.network_
    bad = {
        "shape": lambda: replace(net, tables=(net.tables[0][:1], *net.tables[1:])),
        "parents": lambda: replace(net, graph=replace(net.graph, parents=((), (), (0, 9), (2,)))),
        "cycle": lambda: replace(net, graph=replace(net.graph, parents=((3,), (), (0, 1), (2,)))),
        "levels": lambda: replace(net, levels=(("no",), *net.levels[1:])),
        "sums": lambda: replace(net, tables=(2 * net.tables[0], *net.tables[1:])),
        "missing": lambda: replace(net, tables=net.tables[:3]),
    }[damage]()
    other = BayesianNetwork(EDGES).settle({**vars(model), "network_": bad})
    with pytest.raises(TypeError, match="its graph, levels and tables do not go together"):
        ap.save(other, tmp_path / "m.apz")
