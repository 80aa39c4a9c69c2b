"""Trees for tests: grown at random over mixed columns, made by hand, or taken from scikit-learn."""

import numpy as np

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.tree.reading.labelled_tree import Labelled, expected_costs
from aprendiz.tree.shared.nodes import Tree, starts

SCHEMA = Columns(
    (
        Column("height", "numeric"),
        Column("size", "categorical", ("large", "medium", "small", "tiny")),
        Column("grade", "ordinal", ("A", "B", "C", "D", "E")),
        Column("smokes", "binary", (False, True)),
        Column("the age", "numeric"),
    )
)
STRANGE = "never seen"


class Grower:
    """Nodes with random questions, numbered depth first."""

    def __init__(self, rng, schema, *, missing, surrogates, classes):
        self.rng, self.schema, self.missing, self.surrogates, self.classes = rng, schema, missing, surrogates, classes
        self.nodes = []

    def grow(self, depth, weight):
        node = len(self.nodes)
        entry = {"weight": weight, "children": [], "feature": -2, "threshold": -2.0, "levels": [], "missing": 0, "stand": []}
        self.nodes.append(entry)
        if depth == 0 or weight < 2 or (node and self.rng.uniform() < 0.2):
            return node
        branches = self.ask(entry)
        if self.missing == "own":
            branches, entry["missing"] = branches + 1, branches
        elif self.missing == "fractional" and self.rng.uniform() < 0.5:
            entry["missing"] = -1
        else:
            entry["missing"] = int(self.rng.integers(branches))
        if self.surrogates:
            entry["stand"] = [self.stand_in(branches) for _ in range(self.rng.integers(3))]
        cuts = self.rng.dirichlet(np.full(branches, 2.0))
        entry["children"] = [self.grow(depth - 1, weight * cut) for cut in cuts]
        return node

    def ask(self, entry):
        """A question; gives the number of its branches."""
        j = entry["feature"] = int(self.rng.integers(len(self.schema)))
        column = self.schema.columns[j]
        if column.kind == "numeric":
            entry["threshold"] = float(self.rng.normal())
            return 2
        if column.kind == "ordinal":
            entry["threshold"] = self.rng.integers(len(column.levels) - 1) + 0.5
            return 2
        branches = int(self.rng.integers(2, len(column.levels) + 1))
        levels = np.r_[np.arange(branches), self.rng.integers(-1, branches, len(column.levels) - branches)]
        entry["threshold"], entry["levels"] = np.nan, self.rng.permutation(levels).tolist()
        return branches

    def stand_in(self, branches):
        j = int(self.rng.integers(len(self.schema)))
        column = self.schema.columns[j]
        first = int(self.rng.integers(2))
        if column.kind == "numeric":
            return j, float(self.rng.normal()), first, []
        if column.kind == "ordinal":
            return j, 1.5, first, []
        return j, np.nan, 0, self.rng.integers(-1, branches, len(column.levels)).tolist()

    def tree(self):
        nodes, stand = self.nodes, [one for node in self.nodes for one in node["stand"]]
        size = self.classes or 1
        value = self.rng.dirichlet(np.ones(size), len(nodes)) if self.classes else self.rng.normal(size=(len(nodes), 1))
        weight = np.array([node["weight"] for node in nodes])
        return Tree(
            feature=np.array([node["feature"] for node in nodes]),
            threshold=np.array([node["threshold"] for node in nodes]),
            child_start=starts([len(node["children"]) for node in nodes]),
            children=np.array([child for node in nodes for child in node["children"]], np.int64),
            level_start=starts([len(node["levels"]) for node in nodes]),
            level_branch=np.array([branch for node in nodes for branch in node["levels"]], np.int32),
            missing_branch=np.array([node["missing"] for node in nodes], np.int32),
            impurity=self.rng.uniform(size=len(nodes)),
            n_node_samples=np.ceil(weight).astype(np.int64),
            weighted_n_node_samples=weight,
            value=value[:, None, :],
            surrogate_start=starts([len(node["stand"]) for node in nodes]),
            surrogate_feature=np.array([one[0] for one in stand], np.int64),
            surrogate_threshold=np.array([one[1] for one in stand], float),
            surrogate_first=np.array([one[2] for one in stand], np.int32),
            surrogate_level_start=starts([len(one[3]) for one in stand]),
            surrogate_level_branch=np.array([branch for one in stand for branch in one[3]], np.int32),
            surrogate_agreement=np.full(len(stand), 0.9),
        )


def random_labelled(seed, *, depth=4, missing="branch", surrogates=False, classes=("a", "b", "c"), schema=SCHEMA, costs=None):
    """A tree with random questions over mixed columns."""
    rng = np.random.default_rng(seed)
    grower = Grower(rng, schema, missing=missing, surrogates=surrogates, classes=len(classes or ()))
    grower.grow(depth, 200.0)
    return with_answers(grower.tree(), schema.names, schema, classes, costs)


def chain(depth):
    """A chain of questions about one number, each with a leaf as its first branch."""
    asks = np.append(np.tile([True, False], depth), False)
    nodes = 2 * depth + 1
    tree = Tree.of(
        feature=np.where(asks, 0, -2),
        threshold=np.where(asks, np.arange(float(nodes)), -2.0),
        child_start=starts(2 * asks),
        children=np.array([[node + 1, node + 2] for node in np.flatnonzero(asks)]).ravel(),
        impurity=np.zeros(nodes),
        n_node_samples=np.ones(nodes, int),
        weighted_n_node_samples=np.ones(nodes),
        value=np.ones((nodes, 1, 1)),
    )
    return with_answers(tree, ("x",), None, None)


def with_answers(tree, names, schema, classes, costs=None):
    """The tree with the answer of least cost in each node, or its mean."""
    if classes is None:
        return Labelled(tree, tuple(names), schema, None, None, tuple(float(v) for v in tree.value[:, 0, 0]))
    costs = 1.0 - np.eye(len(classes)) if costs is None else np.asarray(costs, float)
    best = expected_costs(tree, costs).argmin(axis=1)
    return Labelled(tree, tuple(names), schema, tuple(classes), costs, tuple(classes[k] for k in best))


def random_rows(seed, count=60, *, holes=0.0, schema=SCHEMA):
    """Rows of cells: numbers, levels, None, and (where cells may be missing) levels that the fit did not see."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(count):
        row = [
            float(rng.normal()) if column.kind == "numeric" else column.levels[rng.integers(len(column.levels))]
            for column in schema.columns
        ]
        for j in np.flatnonzero(rng.uniform(size=len(row)) < holes):
            strange = schema.columns[j].kind == "categorical" and rng.uniform() < 0.5
            row[j] = STRANGE if strange else None
        rows.append(row)
    return rows


def leaves_of(labelled, cells, node=0, part=1.0):
    """The leaves of a row with its parts there, by the definitions of tree/shared/nodes.py and nothing else."""
    tree = labelled.tree
    if tree.feature[node] == -2:
        return {int(node): part}
    branch = taken(labelled, cells, tree.feature[node], tree.threshold[node], tree.levels_of(node), 0)
    for s in range(tree.surrogate_start[node], tree.surrogate_start[node + 1]):
        if branch is None:
            levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
            threshold, first = tree.surrogate_threshold[s], tree.surrogate_first[s]
            branch = taken(labelled, cells, tree.surrogate_feature[s], threshold, levels, first)
    if branch is None:
        branch = tree.missing_branch[node]
    children = tree.children_of(node)
    if branch >= 0:
        return leaves_of(labelled, cells, children[branch], part)
    weight = tree.weighted_n_node_samples[children]
    found = {}
    for child, share in zip(children, weight / weight.sum(), strict=True):
        found |= leaves_of(labelled, cells, child, part * share)
    return found


def taken(labelled, cells, column, threshold, levels, first):
    """The branch of a known cell, else None."""
    cell, words = cells[column], labelled.levels(column)
    if cell is None or cell != cell or (words and cell not in words):
        return None
    code = words.index(cell) if words else cell
    if not np.isnan(threshold):
        return first if code <= threshold else 1 - first
    return None if levels[code] == -1 else levels[code]


def answer_of(labelled, cells):
    """What a tree answers for a row, by the same definitions."""
    parts = leaves_of(labelled, cells)
    if len(parts) == 1:
        return labelled.answers[next(iter(parts))]
    value = sum(part * labelled.tree.value[leaf, 0] for leaf, part in parts.items())
    return float(value[0]) if labelled.classes is None else labelled.classes[int(np.argmin(value @ labelled.costs))]


def from_scikit_learn(model, names=None):
    """The tree of a model of scikit-learn."""
    theirs, n = model.tree_, model.tree_.node_count
    asks = theirs.children_left >= 0
    pairs = np.column_stack([theirs.children_left, theirs.children_right])[asks]
    tree = Tree.of(
        feature=np.where(asks, theirs.feature, -2).astype(np.int64),
        threshold=np.asarray(theirs.threshold, float),
        child_start=starts(np.where(asks, 2, 0)),
        children=pairs.ravel().astype(np.int64),
        impurity=np.asarray(theirs.impurity, float),
        n_node_samples=np.asarray(theirs.n_node_samples, np.int64),
        weighted_n_node_samples=np.asarray(theirs.weighted_n_node_samples, float),
        value=np.asarray(theirs.value, float),
    )
    names = names or [f"x{j}" for j in range(model.n_features_in_)]
    classes = tuple(model.classes_.tolist()) if hasattr(model, "classes_") else None
    assert n == tree.node_count
    return with_answers(tree, names, None, classes)
