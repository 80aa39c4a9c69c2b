"""Learners that fail for some sets of columns: these are worse than all others, it is said once, and interrupts go on."""

import pickle
import re
import warnings
from itertools import combinations

import numpy as np
import pytest
from joblib import parallel_config
from sklearn import feature_selection, linear_model
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.model_selection import KFold, cross_val_score

import aprendiz as ap

random = np.random.default_rng(0)
X = random.normal(size=(90, 6))
TWO = (X[:, 0] + X[:, 1] + random.normal(size=90) > 0).astype(int)
CV = KFold(3)
SEARCHES = {
    "forward": lambda learner, **told: ap.SequentialSelection(learner, cv=CV, **told),
    "floating": lambda learner, **told: ap.SequentialSelection(learner, direction="floating", cv=CV, **told),
    "drop-in": lambda learner, **told: ap.SequentialFeatureSelector(learner, tol=1e-3, cv=CV, **told),
    "genetic": lambda learner: ap.GeneticSelection(learner, cv=CV, population_size=10, n_iter_no_change=3, random_state=0),
    "annealing": lambda learner: ap.AnnealingSelection(learner, cv=CV, max_iter=10, random_state=0),
}
every = pytest.mark.parametrize("name", SEARCHES)


class Picky(linear_model.LinearRegression):
    """Refuses the tables of which `refuses` is true, with the error that it is given."""

    def __init__(self, refuses=None, error=ArithmeticError):
        super().__init__()
        self.refuses, self.error = refuses, error

    def fit(self, X, y, sample_weight=None):
        if self.refuses(X):
            raise self.error("not this one\nand more lines")
        return super().fit(X, y)


def holds_in_one_fold(table, column=4):
    """Is the column there, and the rows those outside of the first fold?"""
    return bool((table[0] == X[30, column]).any())


def more_than_two(table):
    return table.shape[1] > 2


def always(table):
    return True


def test_as_scikit_learn():
    """A column that fails in one fold is not chosen, as there; they warn for every set, here it is said once."""
    told = {"n_features_to_select": 4, "cv": CV}
    with pytest.warns(FitFailedWarning) as caught:
        ours = ap.SequentialFeatureSelector(Picky(holds_in_one_fold), **told).fit(X, TWO)
    with pytest.warns(FitFailedWarning) as many:
        theirs = feature_selection.SequentialFeatureSelector(Picky(holds_in_one_fold), **told).fit(X, TWO)
    assert np.array_equal(ours.support_, theirs.support_)
    assert not ours.support_[4]
    assert len(caught) == 1 < len(many)
    assert caught[0].filename == __file__
    words = r"Picky failed in 4 of 54 fits .* fold 0, a set of size 1, columns \[4\]: ArithmeticError: not this one$"
    assert re.search(words, str(caught[0].message))


def test_a_first_column_that_fails():
    """NaN is worse than any number, wherever it stands (the `max` of scikit-learn keeps a NaN that comes first)."""
    with pytest.warns(FitFailedWarning):
        found = ap.SequentialFeatureSelector(
            Picky(lambda table: holds_in_one_fold(table, 0)), n_features_to_select=3, cv=CV
        ).fit(X, TWO)
    rest = ap.SequentialFeatureSelector(linear_model.LinearRegression(), n_features_to_select=3, cv=CV).fit(X[:, 1:], TWO)
    assert np.array_equal(found.support_, [False, *rest.support_])


@every
def test_the_best_of_the_others(name):
    """Sets that cannot be judged are passed over; the best of the others is found, and the certificate holds."""
    with pytest.warns(FitFailedWarning) as caught:
        found = SEARCHES[name](Picky(more_than_two)).fit(X, TWO)
    assert len([one for one in caught if one.category is FitFailedWarning]) == 1
    sets = [list(some) for size in (1, 2) for some in combinations(range(6), size)]
    best = max(cross_val_score(linear_model.LinearRegression(), X[:, some], TWO, cv=CV).mean() for some in sets)
    assert found.score_ == pytest.approx(best, abs=1e-12)
    assert found.certificate_.holds


@every
def test_a_fit_that_fails_at_the_end(name, monkeypatch):
    """Fits that fail do not vouch for updated answers: they score NaN, it is said, and nothing is certified."""

    def fails(self, *told):
        raise ArithmeticError("no digits")

    monkeypatch.setattr(linear_model.LinearRegression, "fit", fails)
    with pytest.warns(FitFailedWarning, match=r"LinearRegression failed in 3 of 3 fits.*ArithmeticError: no digits") as caught:
        found = SEARCHES[name](linear_model.LinearRegression()).fit(X, TWO)
    assert [one.filename for one in caught if one.category is FitFailedWarning] == [__file__]
    assert np.isnan(found.fold_scores_).all()
    assert not found.certificate_.holds


@every
def test_all_sets_fail(name):
    """There is no choice, and the error says where it began; the cause is there to look at."""
    with pytest.raises(ValueError, match=r"cannot go on.*Picky failed in .* fold 0.*ArithmeticError: not this one") as caught:
        SEARCHES[name](Picky(always)).fit(X, TWO)
    assert isinstance(caught.value.__cause__, ArithmeticError)


def test_a_wanted_size_that_cannot_be_reached():
    """A number of columns that was asked for is no less; the best size is what it is."""
    model = ap.SequentialFeatureSelector(Picky(more_than_two), n_features_to_select=4, cv=CV)
    with pytest.raises(ValueError, match="cannot go on"):
        model.fit(X, TWO)
    backward = ap.SequentialSelection(Picky(more_than_two), direction="backward", cv=CV)
    with pytest.raises(ValueError, match=r"a set of size 6, columns \[0, 1, 2, 3, 4, 5\]"):
        backward.fit(X, TWO)


def test_all_columns_where_no_fewer_can_be_judged():
    """Backward, with the score of all columns alone, all of them are the best."""
    with pytest.warns(FitFailedWarning):
        found = ap.SequentialSelection(
            Picky(lambda table: table.shape[1] < 6), direction="backward", cv=CV, max_features=6
        ).fit(X, TWO)
    assert found.support_.all()


def test_by_processes():
    """The same, and as many are counted; what another process says can be sent."""
    told, said = {"n_features_to_select": 2, "cv": CV}, "Picky failed in 2 of 33 fits"
    with pytest.warns(FitFailedWarning, match=said):
        one = ap.SequentialFeatureSelector(Picky(holds_in_one_fold), **told).fit(X, TWO)
    with pytest.warns(FitFailedWarning, match=said), parallel_config("threading"):
        two = ap.SequentialFeatureSelector(Picky(holds_in_one_fold), n_jobs=2, **told).fit(X, TWO)
    assert np.array_equal(one.support_, two.support_)
    folds = ap.SequentialFeatureSelector(Picky(always), **told).open(X, TWO).folds
    scores, failed = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(folds)).judged(one.support_)))
    assert np.isnan(scores).all()
    assert [(fit.fold, fit.cause, fit.error) for fit in failed] == [
        (k, "ArithmeticError: not this one", None) for k in range(3)
    ]


@pytest.mark.parametrize("learner", [ap.LinearDiscriminantAnalysis(), ap.KNeighborsClassifier()])
def test_a_measure_that_fails(learner):
    """A fold whose test rows are of one class has no logarithmic loss: updated or fitted, it is said."""
    order = np.argsort(TWO)
    cv = [(np.arange(0, 90, 2), np.arange(1, 10, 2)), (np.arange(1, 90, 2), np.arange(0, 90, 2))]
    model = ap.SequentialFeatureSelector(learner, n_features_to_select=2, cv=cv, scoring="neg_log_loss")
    with pytest.raises(ValueError, match=f"cannot go on.*{type(learner).__name__} failed in 6 of 12 fits.*one label"):
        model.fit(X[order], TWO[order])


@pytest.mark.parametrize("cls", [ap.RFECV, ap.RecursiveElimination])
def test_elimination_cannot_go_on(cls):
    """Without a fit there is no saying what should leave: the error goes on, as in scikit-learn, and says where it was."""
    with pytest.raises(ArithmeticError) as theirs:
        feature_selection.RFECV(Picky(holds_in_one_fold), cv=CV).fit(X, TWO)
    with pytest.raises(ArithmeticError) as ours:
        cls(Picky(holds_in_one_fold), cv=CV).fit(X, TWO)
    assert str(ours.value) == str(theirs.value)
    assert ours.value.__notes__ == ["This was the fit to the training rows of fold 0, and to a set of columns of size 6."]


@every
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_is_no_fault_of_a_set(name, error):
    """Interrupts, exits and a lack of memory go on."""
    with pytest.raises(error):
        SEARCHES[name](Picky(always, error)).fit(X, TWO)


class Interrupted(ap.LogisticRegression):
    """Somebody presses Ctrl-C while it learns from two columns."""

    def states(self, rows, since=None):
        for state in super().states(rows, since):
            yield state
            if rows.columns == 2:
                raise KeyboardInterrupt


def test_interrupts_inside_a_fit():
    """Inside `training`, Ctrl-C while a fold is fitted ends the search with what was chosen before, not the fit alone; and
    neither progress nor budget are those of the fits."""
    seen, model = [], ap.SequentialFeatureSelector(Interrupted(), n_features_to_select=3, cv=CV)

    def progress(learner, _):
        seen.append(type(learner).__name__)

    with (
        ap.training(progress=progress),
        warnings.catch_warnings(record=True) as said,
    ):
        warnings.simplefilter("always")
        model.fit(X, TWO)
    assert model.support_.sum() == 1
    assert set(seen) == {"SequentialFeatureSelector"}
    assert [(one.category, "interrupted" in str(one.message)) for one in said] == [(ConvergenceWarning, True)]
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, TWO)


@pytest.mark.parametrize("cls", [ap.RFE, ap.SequentialSelection])
def test_a_budget_breaks_off_no_fit(cls):
    """What is settled when the time is over comes from whole fits."""
    with ap.training(budget=0), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = cls(ap.LogisticRegression()).fit(X, TWO)
    assert len(said) == 1
    if cls is ap.RFE:
        np.testing.assert_array_equal(model.estimator_.coef_, ap.LogisticRegression().fit(X, TWO).coef_)
