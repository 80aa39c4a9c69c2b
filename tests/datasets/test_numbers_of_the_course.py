"""Every number that the course states of these data, recomputed from them in a few lines."""

from fractions import Fraction
from itertools import combinations, product
from math import isclose, log2, prod

import numpy as np
import pytest

from aprendiz.datasets import load

TUMOUR = load("tumour").columns
ATTRIBUTES = ("size", "smoothness", "symmetry")
ROWS = list(zip(*TUMOUR.values(), strict=True))


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


# ---- tumour ----------------------------------------------------------------------------------------------------------


def share(column, word, diagnosis):
    """The rows of this diagnosis that have the word in the column, and all rows of this diagnosis."""
    of_class = TUMOUR["diagnosis"] == diagnosis
    return int((of_class & (TUMOUR[column] == word)).sum()), int(of_class.sum())


def test_a_10_counts():
    """14 rows, 5 malignant; large 4/5 and 1/9, medium smoothness 1/5 and 5/9, symmetric 1/5 and 5/9."""
    assert len(ROWS) == 14
    assert [share("size", "large", kind) for kind in ("malignant", "benign")] == [(4, 5), (1, 9)]
    assert [share("smoothness", "medium", kind) for kind in ("malignant", "benign")] == [(1, 5), (5, 9)]
    assert [share("symmetry", "yes", kind) for kind in ("malignant", "benign")] == [(1, 5), (5, 9)]


def naive_bayes(row, alpha):
    """P(malignant | row) with α added to each count, in rational numbers."""
    levels = load("tumour").levels

    def joint(kind):
        total = share("size", "large", kind)[1]
        factors = (
            Fraction(share(name, word, kind)[0] + alpha, total + alpha * len(levels[name]))
            for name, word in zip(ATTRIBUTES, row, strict=True)
        )
        return Fraction(total, 14) * prod(factors)

    return joint("malignant") / (joint("malignant") + joint("benign"))


def test_a_10_and_a_27_naive_bayes():
    """324/949 = 0.341412 and 0.353017 for (large, medium, yes); 0 and 0.343750 for (small, high, no)."""
    assert naive_bayes(("large", "medium", "yes"), 0) == Fraction(324, 949)
    assert float(Fraction(324, 949)) == printed(0.341412, 6)
    assert float(naive_bayes(("large", "medium", "yes"), 1)) == printed(0.353017, 6)
    assert naive_bayes(("small", "high", "no"), 0) == 0
    assert float(naive_bayes(("small", "high", "no"), 1)) == printed(0.343750, 6)


def entropy(shares):
    return -sum(p * log2(p) for p in shares if p)


def gini(shares):
    return 1 - sum(p * p for p in shares)


def error(shares):
    return 1 - max(shares)


def impurity(measure, rows):
    malignant = sum(row[-1] == "malignant" for row in rows) / len(rows)
    return measure((malignant, 1 - malignant))


def groups(rows, column):
    return {word: [row for row in rows if row[column] == word] for word in sorted({row[column] for row in rows})}


def decrease(measure, rows, column):
    children = groups(rows, column).values()
    return impurity(measure, rows) - sum(len(child) / len(rows) * impurity(measure, child) for child in children)


def test_a_11_gains():
    """Entropy of the root 0.940286; gains 0.424623, 0.118159, 0.090276."""
    assert impurity(entropy, ROWS) == printed(0.940286, 6)
    assert [decrease(entropy, ROWS, j) for j in range(3)] == [printed(g, 6) for g in (0.424623, 0.118159, 0.090276)]


def test_a_11_the_printed_gain_of_smoothness_is_impossible():
    """No split of 5 and 9 rows into three values has a gain that rounds to 0.119; 0.118159 is the nearest to it."""

    def gain(malignant, benign):
        parts = [(m, b) for m, b in zip(malignant, benign, strict=True) if m + b]
        return entropy((5 / 14, 9 / 14)) - sum((m + b) / 14 * entropy((m / (m + b), b / (m + b))) for m, b in parts)

    def thirds(n):
        return [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]

    gains = np.array([gain(m, b) for m in thirds(5) for b in thirds(9)])
    assert np.abs(gains - 0.119).min() > 0.0005
    assert gains[np.abs(gains - 0.119).argmin()] == printed(0.118159, 6)


def test_a_25_other_impurities():
    """Gini 0.459184 and error 0.357143 at the root; their decreases; gain ratios that rank symmetry above smoothness."""
    assert impurity(gini, ROWS) == printed(0.459184, 6)
    assert impurity(error, ROWS) == printed(0.357143, 6)
    assert [decrease(gini, ROWS, j) for j in range(3)] == [printed(g, 6) for g in (0.230612, 0.073469, 0.054422)]
    assert [decrease(error, ROWS, j) for j in range(3)] == pytest.approx([3 / 14, 1 / 14, 0], abs=1e-15)
    sizes = [entropy([len(child) / 14 for child in groups(ROWS, j).values()]) for j in range(3)]
    ratios = [decrease(entropy, ROWS, j) / sizes[j] for j in range(3)]
    assert ratios == [printed(r, 6) for r in (0.269191, 0.077197, 0.091630)]


def id3(rows):
    """The tree of ID3: a class, or (column, children by word); every choice must be without ties."""
    if len({row[-1] for row in rows}) == 1:
        return rows[0][-1]
    gains = [decrease(entropy, rows, j) for j in range(3)]
    best = int(np.argmax(gains))
    assert sum(isclose(gain, gains[best]) for gain in gains) == 1
    return best, {word: id3(child) for word, child in groups(rows, best).items()}


def test_tree_of_id3():
    """Size first; large tumours by symmetry, medium ones by smoothness, small ones benign; no ties, no contradictions."""
    assert id3(ROWS) == (
        0,
        {
            "large": (2, {"no": "malignant", "yes": "benign"}),
            "medium": (1, {"high": "malignant", "medium": "benign"}),
            "small": "benign",
        },
    )


def test_m_03_cost_complexity_path():
    """5, 3 and 1 leaves at α = 0, 1/14 and 3/28, from g(t) = (R(t) − R(branch)) / (leaves − 1)."""

    def wrong(rows):
        malignant = sum(row[-1] == "malignant" for row in rows)
        return Fraction(min(malignant, len(rows) - malignant), 14)

    def strength(rows, leaves):
        return (wrong(rows) - sum(wrong(leaf) for leaf in leaves)) / (len(leaves) - 1)

    by_size = groups(ROWS, 0)
    large, medium = list(groups(by_size["large"], 2).values()), list(groups(by_size["medium"], 1).values())
    leaves = [*large, *medium, by_size["small"]]
    assert len(leaves) == 5
    assert strength(by_size["large"], large) == strength(by_size["medium"], medium) == Fraction(1, 14)
    assert strength(ROWS, leaves) > Fraction(1, 14)
    assert len(by_size) == 3
    assert strength(ROWS, list(by_size.values())) == Fraction(3, 28)


# ---- traffic, five points, nine points -------------------------------------------------------------------------------


def least_squares(target, *columns):
    """Coefficients, R² and residual standard deviation of a linear model with intercept."""
    A = np.column_stack([np.ones(len(target)), *columns])
    theta = np.linalg.lstsq(A, target)[0]
    rest = ((target - A @ theta) ** 2).sum()
    return theta, 1 - rest / ((target - target.mean()) ** 2).sum(), np.sqrt(rest / (len(target) - A.shape[1]))


def test_e_02_and_e_05_traffic():
    """The three fits of the course, and what they leave."""
    density, speed = load("traffic").columns.values()
    assert len(speed) == 24
    theta, fit, spread = least_squares(np.sqrt(speed), density)
    assert theta.tolist() == [printed(6.3797, 4), printed(-0.0278, 4)]
    assert (fit, spread) == (printed(0.9687, 4), printed(0.211508, 6))
    theta, fit, spread = least_squares(np.sqrt(speed), density, density**2)
    assert theta.tolist() == [printed(7.0026, 4), printed(-0.0507, 4), printed(1.48606e-4, 9)]
    assert (fit, spread) == (printed(0.9931, 4), printed(0.102006, 6))
    theta, fit, _ = least_squares(speed, density)
    assert theta.tolist() == [printed(38.1295, 4), printed(-0.242465, 6)]
    assert fit == printed(0.943815, 6)


def test_a_14_and_a_21_five_points():
    """y = 4 + 0.8 x, mean squared error 0.96; R² = 4/7, residual standard deviation 1.264911, standard error 0.4."""
    points = load("five_points")
    x = points.columns["x"]
    theta, fit, spread = least_squares(points.y, x)
    assert theta == pytest.approx([4, 0.8], rel=1e-13)
    assert np.mean((points.y - 4 - 0.8 * x) ** 2) == pytest.approx(0.96, rel=1e-13)
    assert fit == pytest.approx(4 / 7, rel=1e-13)
    assert spread == printed(1.264911, 6)
    assert spread / np.sqrt(((x - x.mean()) ** 2).sum()) == pytest.approx(0.4, rel=1e-13)


def test_d_17_two_medoids():
    """Alternation from −7 and 13 stops at −1.3 and 6.4, cost 27.2; BUILD costs 26.8; the optimum 26.2 is one swap away."""
    x = load("nine_points").columns["x"]
    apart = np.abs(x[:, None] - x)

    def cost(medoids):
        return apart[:, list(medoids)].min(axis=1).sum()

    medoids, before = [0, 8], None
    while medoids != before:
        before, nearest = medoids, apart[:, medoids].argmin(axis=1)
        clusters = [np.flatnonzero(nearest == k) for k in range(2)]
        medoids = [int(members[apart[np.ix_(members, members)].sum(axis=0).argmin()]) for members in clusters]
    assert x[medoids].tolist() == [-1.3, 6.4]
    assert cost(medoids) == pytest.approx(27.2, rel=1e-12)

    first = int(apart.sum(axis=0).argmin())
    second = min(set(range(9)) - {first}, key=lambda j: cost((first, j)))
    assert cost((first, second)) == pytest.approx(26.8, rel=1e-12)
    best = min(combinations(range(9), 2), key=cost)
    assert cost(best) == pytest.approx(26.2, rel=1e-12)
    assert {first, second} & set(best)


# ---- matrices --------------------------------------------------------------------------------------------------------


def test_a_01_eyes_and_hair():
    """p(brown) = 15/45, p(brown, blond) = 10/45, p(brown | blond) = 10/30."""
    table = load("eyes_hair")
    counts, brown, blond = table.values, table.rows.index("brown"), table.columns.index("blond")
    assert (counts[brown].sum(), counts[brown, blond], counts[:, blond].sum(), counts.sum()) == (15, 10, 30, 45)
    assert counts.tolist() == [[5, 10], [10, 20]]


def complete(values, known, strength):
    """The matrix M that minimises ½‖known cells of (A − M)‖² + λ‖M‖*, by shrinking singular values again and again."""
    M = np.zeros_like(values)
    for _ in range(20_000):
        U, s, V = np.linalg.svd(np.where(known, values, M), full_matrices=False)
        before, M = M, (U * np.maximum(s - strength, 0)) @ V
        if np.abs(M - before).max() < 1e-13:
            break
    return M


def test_d_13_ratings():
    """Nine known cells; σ₁ of the zero-filled matrix 8.345052; objective and nuclear norm at λ = 1 and 0.1."""
    ratings = load("ratings")
    nan = np.nan
    drawn = [[5, nan, 4, nan, nan, nan], [nan, 3, nan, nan, 4, nan], [nan, nan, nan, 3, 4, nan], [nan, 4, 4, nan, nan, 5]]
    np.testing.assert_array_equal(ratings.values, drawn)
    assert ratings.known.sum() == 9
    filled = np.nan_to_num(ratings.values)
    assert np.linalg.norm(filled, 2) == printed(8.345052, 6)
    assert not complete(filled, ratings.known, 8.3451).any()
    for strength, objective, nuclear in ((1.0, 18.367710, 16.917646), (0.1, 1.971292, 19.552915)):
        M = complete(filled, ratings.known, strength)
        assert np.linalg.norm(M, "nuc") == printed(nuclear, 6)
        loss = 0.5 * ((filled - M)[ratings.known] ** 2).sum()
        assert loss + strength * np.linalg.norm(M, "nuc") == printed(objective, 6)
        assert np.linalg.matrix_rank(M, tol=1e-6) == 1


# ---- the number game -------------------------------------------------------------------------------------------------


def test_sets_of_the_number_game():
    """The members are those of the names, within 1 … 100, and so many as the course says."""
    sets = load("number_game").sets
    numbers = range(1, 101)
    two = {2**k for k in range(1, 7)}
    wanted = {
        "two": two,
        "even": {x for x in numbers if x % 2 == 0},
        "odd": {x for x in numbers if x % 2 == 1},
        "prime": {x for x in numbers if x > 1 and all(x % q for q in range(2, x))},
        "nine": {x for x in numbers if x % 10 == 9},
        "two without 32": two - {32},
        "two with 37": two | {37},
    }
    assert sets == wanted
    assert [len(members) for members in sets.values()] == [6, 50, 50, 25, 10, 5, 7]


def test_a_06_and_a_23_number_game():
    """Likelihoods, posterior, predictive and evidence after 16, 8, 2, 64."""
    game, seen = load("number_game"), {16, 8, 2, 64}
    assert sum(game.prior.values()) == pytest.approx(1, rel=1e-15)
    assert game.weights["even"] == game.weights["odd"] == 5 * game.weights["two"] == 500 * game.weights["two with 37"]
    likelihood = {name: len(members) ** -4.0 if seen <= members else 0.0 for name, members in game.sets.items()}
    for name, value in {"two without 32": 1.6e-3, "two": 7.716049e-4, "two with 37": 4.164931e-4, "even": 1.6e-7}.items():
        assert likelihood[name] == pytest.approx(value, rel=1e-6)
    assert max(likelihood, key=likelihood.get) == "two without 32"
    evidence = sum(game.prior[name] * likelihood[name] for name in game.sets)
    assert evidence == pytest.approx(6.087326e-5, rel=1e-6)
    posterior = {name: game.prior[name] * likelihood[name] / evidence for name in game.sets}
    for name, value in {"two": 0.973548, "two without 32": 0.020187, "two with 37": 0.005255, "even": 0.001009}.items():
        assert posterior[name] == printed(value, 6)
    for number, value in {2: 0.167066, 32: 0.163029, 37: 7.5071e-4, 10: 2.0187e-5}.items():
        predictive = sum(posterior[name] / len(members) for name, members in game.sets.items() if number in members)
        assert predictive == pytest.approx(value, rel=5e-5 if value < 0.01 else 5e-6)


# ---- networks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["student", "dsep_five", "dsep_seven", "asia", "alarm"])
def test_networks_are_well_formed(name):
    """Parents stand before their children; each table has an axis per parent and one more, and its rows sum to one."""
    network = load(name)
    for place, node in enumerate(network.nodes):
        assert set(network.parents[node]) <= set(network.nodes[:place])
    for node, table in network.tables.items():
        assert table.shape == tuple(len(network.levels[v]) for v in (*network.parents[node], node))
        np.testing.assert_allclose(table.sum(axis=-1), 1, rtol=1.1e-7 if node in ("HREKG", "HRSAT") else 1e-15)
    assert set(network.tables) in (set(), set(network.nodes))


def free_parameters(network):
    size = {node: len(levels) for node, levels in network.levels.items()}
    return sum((size[node] - 1) * prod(size[parent] for parent in network.parents[node]) for node in network.nodes)


def test_sizes_of_the_networks_of_articles():
    """asia: 8 nodes, 8 arrows, 18 parameters; alarm: 37 nodes, 46 arrows, 509 parameters, as the literature counts them."""
    for name, size in {"asia": (8, 8, 18), "alarm": (37, 46, 509)}.items():
        network = load(name)
        assert (len(network), len(network.edges), free_parameters(network)) == size


def test_a_12_and_a_28_parameters():
    """student: 15, 6 if independent, 47 in the full table; dsep_seven: 21 and 127."""
    student, seven = load("student"), load("dsep_seven")
    assert free_parameters(student) == 15
    assert sum(len(levels) - 1 for levels in student.levels.values()) == 6
    assert prod(len(levels) for levels in student.levels.values()) - 1 == 47
    assert free_parameters(seven) == 21
    assert prod(len(levels) for levels in seven.levels.values()) - 1 == 127


def joint_table(network):
    """Every assignment of values with its probability."""
    for values in product(*network.levels.values()):
        world = dict(zip(network.levels, values, strict=True))
        place = {node: network.levels[node].index(value) for node, value in world.items()}
        factors = (table[tuple(place[v] for v in (*network.parents[node], node))] for node, table in network.tables.items())
        yield world, float(prod(factors))


def probability(worlds, event, given=None):
    def weight(wanted):
        return sum(p for world, p in worlds if wanted.items() <= world.items())

    return weight({**event, **(given or {})}) / weight(given or {})


def test_a_35_student():
    """The queries of the course, by going through all 48 assignments."""
    worlds = list(joint_table(load("student")))
    assert len(worlds) == 48
    assert probability(worlds, {"Letter": "l1"}) == printed(0.502336, 6)
    assert probability(worlds, {"Letter": "l1"}, {"Int": "i0"}) == printed(0.388600, 6)
    assert probability(worlds, {"Letter": "l1"}, {"Int": "i0", "Diff": "d0"}) == printed(0.513000, 6)
    assert probability(worlds, {"Int": "i1"}, {"Grade": "g3"}) == printed(0.078947, 6)
    assert probability(worlds, {"Diff": "d1"}, {"Grade": "g3"}) == printed(0.629291, 6)
    assert probability(worlds, {"Int": "i1"}, {"Grade": "g3", "SAT": "s1"}) == printed(0.578313, 6)
    assert probability(worlds, {"Int": "i1"}, {"Letter": "l0"}) == printed(0.140022, 6)
    one = {"Int": "i1", "Diff": "d0", "Grade": "g2", "SAT": "s1", "Letter": "l0"}
    assert probability(worlds, one) == printed(0.004608, 6)


def paths(network, start, end):
    """All paths without repeated nodes, whatever the direction of the arrows."""
    near = {node: {b if a == node else a for a, b in network.edges if node in (a, b)} for node in network.nodes}

    def walk(path):
        if path[-1] == end:
            yield path
        else:
            for node in near[path[-1]] - set(path):
                yield from walk((*path, node))

    return set(walk((start,)))


def is_open(network, path, given):
    """Whether no node of the path blocks it."""

    def below(node):
        return {node}.union(*(below(child) for parent, child in network.edges if parent == node))

    def passes(a, node, b):
        if {(a, node), (b, node)} <= set(network.edges):
            return bool(below(node) & given)
        return node not in given

    return all(passes(*triple) for triple in zip(path, path[1:], path[2:], strict=False))


def separated(network, a, b, *given):
    return not any(is_open(network, path, set(given)) for path in paths(network, a, b))


def test_a_29_five_nodes():
    """a and b: separated given nothing and given f, joined given c or e."""
    network = load("dsep_five")
    assert set(network.edges) == {("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")}
    assert separated(network, "a", "b")
    assert not separated(network, "a", "b", "c")
    assert not separated(network, "a", "b", "e")
    assert separated(network, "a", "b", "f")


def test_a_30_seven_nodes():
    """The four paths of the course from x1 to x3; separated given nothing and x2, joined given x6, x4 or x7."""
    network = load("dsep_seven")
    assert paths(network, "x1", "x3") == {
        ("x1", "x5", "x3"),
        ("x1", "x5", "x7", "x4", "x3"),
        ("x1", "x4", "x7", "x5", "x3"),
        ("x1", "x4", "x3"),
    }
    assert separated(network, "x1", "x3")
    assert separated(network, "x1", "x3", "x2")
    for node in ("x6", "x4", "x7"):
        assert not separated(network, "x1", "x3", node)
    assert is_open(network, ("x1", "x4", "x3"), {"x6"})
