"""What theory says of a classifier: the bounds of the right rows, and which of them say nothing."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from aprendiz import (
    DecisionTreeClassifier,
    ERMHyperplane,
    GaussianNB,
    KNeighborsClassifier,
    LinearRegression,
    LogisticRegression,
    StollerCut,
)
from aprendiz.evaluation import bounds, theory
from aprendiz.locale import language

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(400, 2))
Y = np.where(X[:, 0] + 0.5 * RANDOM.normal(size=400) > 0.3, "yes", "no")
NEW, TRUTH = X[200:], Y[200:]
X, Y = X[:200], Y[:200]


def named(observed):
    return {bound.name: bound for bound in observed.bounds}


def test_held_out_rows_have_intervals():
    """Those of `bounds`, from the errors of these rows; nothing over the class of the model."""
    model = LogisticRegression().fit(X, Y)
    found = theory(model, NEW, TRUTH, delta=0.1)
    k = int((model.predict(NEW) != TRUTH).sum())
    assert found.training is None
    assert (found.held_out.n, found.held_out.errors) == (200, k)
    assert found.held_out.baseline == pytest.approx(min((TRUTH == "yes").mean(), (TRUTH == "no").mean()))
    said = named(found.held_out)
    for name in ("wilson", "clopper_pearson", "hoeffding", "empirical_bernstein"):
        assert (said[name].low, said[name].high) == getattr(bounds, name)(200, errors=k, delta=0.1)
    assert said.keys().isdisjoint({"vc_bound", "finite_class"})


def test_training_rows_have_bounds_over_the_class():
    """The VC bound of the training error alone; no interval, for these rows chose the model."""
    model = LogisticRegression().fit(X, Y)
    found = theory(model, X, Y, rows="training")
    error = (model.predict(X) != Y).mean()
    assert found.held_out is None
    assert found.training.dimension == 3
    assert [bound.name for bound in found.training.bounds] == ["vc_bound"]
    assert found.training.bounds[0].high == pytest.approx(error + bounds.vc_bound(200, dimension=3, delta=0.05), rel=1e-12)
    assert found.vacuous == {"vc_bound": "vacuous"}


def test_both_kinds_stand_apart():
    model = LogisticRegression().fit(X, Y)
    both = theory(model, NEW, TRUTH, training=(X, Y))
    assert both.held_out == theory(model, NEW, TRUTH).held_out
    assert both.training == theory(model, X, Y, rows="training").training
    text = str(both)
    assert text.index("200 held-out rows, not used in the fit") < text.index("Hoeffding") < text.index("200 training rows")
    assert text.index("200 training rows") < text.index("Vapnik–Chervonenkis")
    assert "vacuous: it reaches 1" in text


def test_rows_choose_the_size_of_a_tree():
    """The trees of as many leaves get a part of δ; without errors, the bound of consistent rules stands beside the other."""
    tree = DecisionTreeClassifier().fit(X, Y)
    leaves = tree.get_n_leaves()
    found = theory(tree, X, Y, rows="training")
    h = bounds.vc_dimension("trees", 2, leaves=leaves)
    delta = 0.05 / (leaves * (leaves + 1))
    assert found.training.errors == 0
    assert named(found.training)["vc_bound"].high == pytest.approx(bounds.vc_bound(200, dimension=h, delta=delta), rel=1e-12)
    consistent = named(found.training)["vc_bound, consistent"]
    assert consistent.high == pytest.approx(bounds.vc_bound(200, dimension=h, delta=delta, consistent=True), rel=1e-12)


def test_neighbours_have_none_and_it_is_said_why():
    found = theory(KNeighborsClassifier().fit(X, Y), NEW, TRUTH, training=(X, Y))
    assert found.training.bounds == ()
    assert "neighbours label any distinct rows in any way" in str(found)
    with language("es"):
        assert "la dimensión VC es infinita" in str(found)
        assert "filas reservadas" in str(found)


def test_what_the_user_knows():
    """A dimension or a number of rules of one's own."""
    model = KNeighborsClassifier().fit(X, Y)
    found = theory(model, X, Y, rows="training", dimension=7, size=50)
    error = found.training.error
    assert named(found.training)["vc_bound"].high == pytest.approx(error + bounds.vc_bound(200, dimension=7, delta=0.05))
    assert named(found.training)["finite_class"].high == pytest.approx(error + bounds.finite_class(200, size=50, delta=0.05))
    assert not found.training.reason


def test_constant_rules():
    """Two of them: dimension 1; no bound is below the error of the most frequent class."""
    found = theory(DummyClassifier().fit(X, Y), X, Y, rows="training")
    assert found.training.dimension == 1
    assert set(found.vacuous) == {bound.name for bound in found.training.bounds}


def test_rules_of_least_training_error():
    """How far they are from the best rule, where the theorem says something, and only if all candidates were tried."""
    cut = theory(StollerCut().fit(X, Y), X, Y, rows="training")
    assert cut.training.excess == bounds.stoller_erm(200, delta=0.05, columns=2)
    assert "exceeds that of the best rule" in str(cut)
    plane = theory(ERMHyperplane(n_candidates="all").fit(X, Y), X, Y, rows="training")
    assert plane.training.excess == bounds.hyperplane_erm(200, d=2, delta=0.05)
    some = theory(ERMHyperplane(n_candidates=50, random_state=0).fit(X, Y), X, Y, rows="training")
    assert some.training.excess is None
    assert theory(GaussianNB().fit(X, Y), X, Y, rows="training").training.excess is None


def test_what_says_nothing():
    """From 1 on, or from the error of the most frequent class on; a good interval is neither."""
    model = LogisticRegression().fit(X, Y)
    assert theory(model, NEW[:8], TRUTH[:8]).vacuous["empirical_bernstein"] == "vacuous"
    constant = theory(DummyClassifier().fit(X, Y), NEW, TRUTH)  # it is the most frequent class
    assert constant.vacuous == dict.fromkeys(("wilson", "clopper_pearson", "hoeffding", "empirical_bernstein"), "baseline")
    many = theory(model, NEW, TRUTH)
    assert "wilson" not in many.vacuous


def test_refusals():
    model = LogisticRegression().fit(X, Y)
    with pytest.raises(TypeError, match="predicts numbers"):
        theory(LinearRegression().fit(X, X[:, 0]), X, X[:, 0])
    with pytest.raises(ValueError, match="rows must be 'held-out' or 'training'"):
        theory(model, X, Y, rows="test")
    with pytest.raises(ValueError, match="leave out training"):
        theory(model, X, Y, rows="training", training=(X, Y))
    with pytest.raises(ValueError, match="delta must be a probability"):
        theory(model, X, Y, delta=0)
    with pytest.raises(ValueError, match="y has 199 rows, X has 200"):
        theory(model, X, Y[1:])
    with pytest.raises(TypeError, match="make them one type"):
        theory(model, X, np.zeros(200, int))
    with pytest.raises(ValueError, match="dimension must be a whole number"):
        theory(model, X, Y, rows="training", dimension=0)
