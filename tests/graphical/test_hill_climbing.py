"""HillClimbing: the best graph of a few nodes by exhaustion, moves by their definition, what is known, networks found again."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from family_scores import best_score, graph_score, random_network_rows
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz.core.parameters import ParameterError
from aprendiz.graphical import BayesianNetwork, HillClimbing, network_score
from aprendiz.graphical.structure.edge_moves import find_paths, paths_after_addition

SCORES = ("bic", "aic", "k2", "bdeu")


@pytest.mark.parametrize("seed", range(12))
def test_best_of_all_graphs(seed):
    """With a few restarts, no graph of up to five nodes has a higher score."""
    name, nodes = SCORES[seed % 4], (3, 4, 5)[seed % 3]
    codes = random_network_rows(seed, nodes, 120)
    model = HillClimbing(criterion=name, n_restarts=20, perturb=6, random_state=0).fit(codes)
    assert model.score_ == pytest.approx(best_score(codes, name), rel=1e-12)
    assert model.certificate_.holds


def neighbours(parents):
    """The graphs one arrow away, by definition: every matrix with a changed pair that has no cycle."""
    d = len(parents)
    arrows = np.zeros((d, d), int)
    for v, own in enumerate(parents):
        arrows[list(own), v] = 1
    for u in range(d):
        for v in range(u):
            for pair in {(0, 0), (0, 1), (1, 0)} - {(arrows[u, v], arrows[v, u])}:
                other = arrows.copy()
                other[u, v], other[v, u] = pair
                if not np.linalg.matrix_power(other, d).any():
                    yield [tuple(np.flatnonzero(column)) for column in other.T]


@pytest.mark.parametrize("seed", range(4))
def test_no_neighbour_is_better(seed):
    """The certificate: all graphs one arrow away, with scores by definition."""
    codes = random_network_rows(seed + 20, 5, 150)
    model = HillClimbing(criterion=SCORES[seed], patience=0).fit(codes)
    known = model.certificate_
    around = [graph_score(codes, one, SCORES[seed]) for one in neighbours(model.graph_.parents)]
    assert known.holds
    assert known.moves == len(around)
    assert max(around) - model.score_ == pytest.approx(known.gain, abs=1e-9)
    assert max(around) <= model.score_ + 1e-9


def test_moves_lead_to_the_answer():
    """Each move changes the score by what it says, and the last one gives the graph."""
    codes = random_network_rows(7, 6, 300)
    model = HillClimbing(criterion="aic").fit(codes)
    edges, scores = set(), []
    for kind, parent, child, score in model.moves_:
        {"add": edges.add, "remove": edges.remove, "reverse": edges.remove}[kind]((parent, child))
        if kind == "reverse":
            edges.add((child, parent))
        scores.append(score)
        assert network_score(sorted(edges), codes, criterion="aic").score == score
    assert edges == set(model.edges_)
    assert scores[-1] == model.score_ == sum(model.contributions_)


def test_words_and_codes():
    """Words give the graph of their codes, by name; weights count rows."""
    codes = random_network_rows(2, 4, 200)
    frame = pd.DataFrame(np.array(["ash", "birch", "cedar"])[codes], columns=list("abcd"))
    by_code, by_word = HillClimbing().fit(codes), HillClimbing().fit(frame)
    assert by_word.edges_ == tuple(("abcd"[u], "abcd"[v]) for u, v in by_code.edges_)
    assert by_word.score_ == by_code.score_
    twice = HillClimbing().fit(codes, sample_weight=np.full(len(codes), 2.0))
    assert twice.score_ == HillClimbing().fit(np.vstack([codes, codes])).score_
    assert BayesianNetwork(by_word.edges_).fit(frame).score(frame) <= 0


def test_what_is_known():
    """Required arrows stand, forbidden ones do not, tiers are kept, and nobody has more parents than allowed."""
    codes = random_network_rows(11, 6, 400)
    known = {"required": [(5, 0)], "forbidden": {1: [0, 2, 3], 0: [1]}, "tiers": [[5, 4], [0, 1, 2]]}
    model = HillClimbing(criterion="aic", max_parents=2, n_restarts=3, random_state=1, **known).fit(codes)
    edges = set(model.edges_)
    assert (5, 0) in edges
    assert not edges & {(0, 1), (2, 1), (3, 1), (1, 0)}
    assert not edges & {(u, v) for u in (0, 1, 2) for v in (4, 5)}
    assert max(len(parents) for parents in model.graph_.parents) <= 2
    free = HillClimbing(criterion="aic").fit(codes)
    assert free.score_ > model.score_
    assert HillClimbing(max_parents=0).fit(codes).edges_ == ()


def test_an_arrow_may_be_required_against_the_score():
    noise = np.random.default_rng(0).integers(0, 2, (200, 3))
    assert HillClimbing().fit(noise).edges_ == ()
    assert HillClimbing(required=[(2, 0)]).fit(noise).edges_ == ((2, 0),)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"required": [(0, 1), (2, 1)], "max_parents": 1}, "1 has 2 required parents, more than max_parents=1"),
        ({"required": [(0, 9)]}, "9"),
        ({"alpha": 0.0}, "alpha of HillClimbing"),
        ({"criterion": "mdl"}, "criterion of HillClimbing"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises((ValueError, ParameterError), match=message):
        HillClimbing(**settings).fit(np.array([[0, 1, 0], [1, 0, 0], [1, 1, 1]]))


def test_missing_cells_are_named():
    frame = pd.DataFrame({"rain": ["yes", "no", "yes"], "grass": ["wet", None, "dry"]})
    with pytest.raises(ValueError, match="row 1, column 'grass'"):
        HillClimbing().fit(frame)
    with pytest.raises(ValueError, match="NaN"):
        HillClimbing().fit([[0.0, 1.0], [1.0, np.nan]])


def test_budget_and_max_iter():
    """A search that stops early says so, and its certificate does not hold."""
    codes = random_network_rows(9, 5, 200)
    with pytest.warns(ConvergenceWarning, match=r"Raise max_iter \(it is 1\)\."):
        model = HillClimbing(criterion="aic", max_iter=1).fit(codes)
    assert len(model.edges_) == model.n_iter_ == 1
    assert not model.certificate_.holds
    assert model.certificate_.gain > 0


def test_paths_are_kept_up():
    """What leads where after an addition is what a fresh look finds."""
    rng = np.random.default_rng(0)
    arrows = np.zeros((12, 12), bool)
    reach, again = arrows.copy(), arrows.copy()
    for _ in range(60):
        u, v = rng.integers(0, 12, 2)
        if u != v and not arrows[u, v] and not reach[v, u]:
            arrows[u, v] = True
            paths_after_addition(reach, u, v)
            closure = np.linalg.matrix_power(np.eye(12) + arrows, 12) - np.eye(12) > 0
            np.testing.assert_array_equal(reach, closure)
            find_paths(arrows, again)
            np.testing.assert_array_equal(again, closure)


def test_asia_is_learned_back():
    """From 20 000 rows the skeleton of asia, but for the arrow of a visit that one in a hundred makes."""
    network = BayesianNetwork.from_tables(aprendiz.datasets.load("asia"))
    rows = pd.DataFrame(network.sample(20_000, random_state=0), columns=network.graph_.nodes)
    model = HillClimbing().fit(rows)
    found, true = ({frozenset(edge) for edge in edges} for edges in (model.edges_, network.graph_.edges))
    assert found <= true
    assert len(true - found) <= 2


def test_restarts_go_on_anywhere():
    """Continued from any state of any start, a search ends with the same bits; each start begins near the best graph so far."""
    codes = random_network_rows(13, 6, 150)
    model = HillClimbing(criterion="aic", n_restarts=2, perturb=3, patience=4, random_state=5)
    states = list(model.steps(codes))
    assert [state.start for state in states] == sorted(state.start for state in states)
    assert {state.start for state in states} == {0, 1, 2}
    fitted = model.fit(codes)
    for since in states[:: len(states) // 6]:
        last = list(model.steps(codes, since=since))[-1] if not since.settled else since
        found = model.attributes(last, model.open(codes))
        np.testing.assert_array_equal(found["edge_indices_"], fitted.edge_indices_)
        assert found["score_"] == fitted.score_
    begins = [(before, after) for before, after in pairwise(states) if after.start != before.start]
    for before, after in begins:
        best, new = ({tuple(edge) for edge in edges} for edges in (before.best().top, after.edges))
        assert 0 < len(best ^ new) <= 2 * 3
        assert len(after.log) == len(after.moves) == 0


def test_of_equal_moves_the_first():
    """a → b and b → a are equal: the first column is the parent, whatever the columns hold."""
    codes = random_network_rows(4, 2, 300)
    assert HillClimbing().fit(codes).edges_ == HillClimbing().fit(codes[:, ::-1]).edges_ == ((0, 1),)


def test_files_and_many_blocks(tmp_path):
    """Rows of a file, in blocks that bring new levels, give the bits of those in memory; words in another order too."""
    codes = random_network_rows(6, 5, 20_000)
    codes = codes[np.argsort(codes[:, 0], kind="stable")]
    frame = pd.DataFrame({f"x{j}": column for j, column in enumerate(codes.T)})
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=5_000)
    memory, file = (HillClimbing(criterion="bdeu").fit(X) for X in (frame, aprendiz.rows(tmp_path / "rows.parquet")))
    assert memory.score_ == file.score_
    assert memory.edges_ == file.edges_
    np.testing.assert_array_equal(memory.contributions_, file.contributions_)


def test_changed_pairs_rest():
    """A pair is changed again within `tabu` moves only for a new best graph; so a search leaves its maximum for good."""
    codes = random_network_rows(17, 6, 200)
    states = list(HillClimbing(criterion="aic", tabu=3, patience=12).steps(codes))
    for before, after in pairwise(states[:-1]):
        pair = set(after.moves[-1, 1:3])
        if any(pair == set(move) for move in before.moves[-3:, 1:3]):
            assert after.units > before.top_units
    maximum = next(state for state in states if state.stale == 12)
    visited = {state.edges.tobytes() for state in states[maximum.top_moves :]}
    assert len(visited) > 6
