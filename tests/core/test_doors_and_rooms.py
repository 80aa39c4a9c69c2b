"""The plan of the families of learners, of `evaluation`, of the topics inside it and of `plots`: at the top a file for each
public name, called after it; parts in folders, each with a header.

A door (a file at the top) is what a user imports. It imports no other door's file: what it needs of another public name it
takes from the family, as a user does (`from aprendiz.cluster import KMeans`); helpers of several doors stand in a room.
"""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import aprendiz

ROOT = Path(aprendiz.__file__).parent
FAMILIES = [package.__name__.split(".")[-1] for package in (*aprendiz.FAMILIES, aprendiz.evaluation, aprendiz.plots)]
TOPICS = {
    "evaluation": ["bounds", "criteria", "protocol"],
    "kernel": ["kernels"],
}  # inside a family, each with a table of contents of its own
FAMILIES += [f"{family}.{topic}" for family, topics in TOPICS.items() for topic in topics]
# A public name that stands in the file of another: the record that a function returns, and what is asked together with it.
BESIDE = {
    "Calibration": "calibration",
    "CompleteRows": "drop_missing",
    "ConfusionTable": "confusion",
    "PSDCheck": "check_psd",
    "GradientCheck": "gradcheck",
    "EMResult": "em",
    "ClusterStability": "cluster_stability",
    "ChoiceOfClusters": "choose_k",
    "ChoiceOfK": "choose_n_neighbors",
    "Fold": "evaluation",
    "LearningCurve": "learning_curve",
    "Metric": "metrics",
    "PrecisionRecallCurve": "precision_recall",
    "RegressionErrors": "regression_errors",
    "RocCurve": "roc",
    "Score": "evaluation",
    "SwitchingErrors": "switching_errors",
    "TreeCorrelation": "tree_correlation",
    "EnsembleCurve": "ensemble_curve",
    "plane_criteria": "linear_discriminant",
    "neighbour_bounds": "knn_error",
    "bayes_bounds": "knn_error",
    "LiftCurve": "lift",
    "ExpectedCostCurve": "cost_curve",
    "DetCurve": "det_curve",
    "BiasVariance": "bias_variance",
    "ValidationCurve": "validation_curve",
    "Description": "describe",
    "Normality": "normality",
    "BrokenAssumption": "check_assumptions",
    "Residuals": "residuals",
    "Standing": "comparison",
    "Shattering": "shatters",
    "StructuralRisk": "structural_risk",
    "CriteriaTable": "table",
    "Theory": "theory",
    "PermutationImportance": "permutation_importance",
    "PartialDependence": "partial_dependence",
}

every_family = pytest.mark.parametrize("family", FAMILIES)


def snake(name):
    """`GaussianNB` → gaussian_nb, `KMeans` → k_means, `C45` → c45."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@cache
def tree_of(file):
    return ast.parse(file.read_text(encoding="utf-8"))


def package(family):
    return import_module(f"aprendiz.{family}")


def folder(family):
    return ROOT.joinpath(*family.split("."))


def own_names(family):
    """The public names of a family, without those that it shows from another one, or from a topic inside it."""
    shown = {name: getattr(package(family), name) for name in package(family).__all__}
    inside, topics = f"aprendiz.{family}.", tuple(f"aprendiz.{family}.{topic}." for topic in TOPICS.get(family, ()))
    modules = {name: getattr(value, "__module__", inside) for name, value in shown.items()}
    return [name for name, module in modules.items() if module.startswith(inside) and not module.startswith(topics)]


def doors(family):
    return sorted(file for file in folder(family).glob("*.py") if file.name != "__init__.py")


def rooms(family):
    return sorted(room for room in folder(family).iterdir() if room.is_dir() and any(room.glob("*.py")))


def imported(file):
    """The modules of aprendiz whose files a file imports, wherever in it."""
    found = {node.module for node in ast.walk(tree_of(file)) if isinstance(node, ast.ImportFrom) and node.module}
    found |= {one.name for node in ast.walk(tree_of(file)) if isinstance(node, ast.Import) for one in node.names}
    return {module for module in found if module.startswith("aprendiz.")}


def defined(file):
    """Functions, classes and tables (`METRICS = …`) of a file."""
    body = tree_of(file).body
    tables = {one.id for node in body if isinstance(node, ast.Assign) for one in node.targets if isinstance(one, ast.Name)}
    return tables | {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_names_of_files():
    """What the rule calls the files of some names."""
    files = {"KMeans": "k_means", "MiniBatchKMeans": "mini_batch_k_means", "GaussianNB": "gaussian_nb", "KDTree": "kd_tree"}
    files |= {"ID3": "id3", "C45": "c45", "PCA": "pca", "LassoCV": "lasso_cv", "SGDClassifier": "sgd_classifier"}
    assert {name: snake(name) for name in files} == files


@every_family
def test_a_file_for_each_public_name(family):
    """The file that is called after a public name defines it, and every file at the top is called after one."""
    names = own_names(family)
    for name in names:
        file = folder(family) / f"{BESIDE.get(name, snake(name))}.py"
        assert file in doors(family), name
        assert name in defined(file), name
    assert {file.stem for file in doors(family)} == {snake(name) for name in names if name not in BESIDE}


def test_exceptions_are_public():
    """Names that stand beside others are public names, not called as the file."""
    public = {name for family in FAMILIES for name in package(family).__all__}
    assert BESIDE.keys() <= public
    assert not any(name == file for name, file in BESIDE.items())


@every_family
def test_nothing_imports_a_door(family):
    """No file of a family imports the file of a door, nor that of a topic inside it; helpers stand in rooms."""
    files = {f"aprendiz.{family}.{door.stem}" for door in doors(family)}
    for file in sorted((ROOT / family.split(".")[0]).rglob("*.py")):
        assert not imported(file) & files, file.relative_to(ROOT)


@pytest.mark.parametrize(("family", "topic"), [(family, topic) for family, topics in TOPICS.items() for topic in topics])
def test_topics_inside_a_family(family, topic):
    """A topic is an attribute of its family, without an import of its own; it is listed, and so are its names."""
    inside = getattr(package(family), topic)
    assert topic in dir(package(family))
    assert topic not in package(family).__all__
    assert inside.__all__ == dir(inside)
    for name in inside.__all__:
        assert getattr(inside, name).__name__ == name


def test_names_that_two_families_show():
    """One object, wherever it is asked for."""
    assert aprendiz.evaluation.bounds.stoller_erm is aprendiz.linear.stoller_erm
    assert "stoller_erm" not in own_names("evaluation.bounds")


@every_family
def test_rooms_have_headers(family):
    """Every folder says what it is for."""
    for room in rooms(family):
        header = ast.get_docstring(tree_of(room / "__init__.py"))
        assert header, room.name
        assert len(header) > 40, room.name


@every_family
def test_no_cycles(family):
    """At the top of the files of a family, no import leads back."""
    modules = {}
    for file in folder(family).rglob("*.py"):
        if file.name != "__init__.py":
            modules[".".join(file.relative_to(ROOT.parent).with_suffix("").parts)] = file
    ways = {
        name: [node.module for node in tree_of(file).body if isinstance(node, ast.ImportFrom) and node.module in modules]
        for name, file in modules.items()
    }
    done, path = set(), []

    def visit(name):
        assert name not in path, " → ".join([*path[path.index(name) :], name])
        if name not in done:
            path.append(name)
            for other in ways[name]:
                visit(other)
            done.add(path.pop())

    for name in modules:
        visit(name)
