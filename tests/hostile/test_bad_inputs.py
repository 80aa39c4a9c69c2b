"""Bad tables, targets, weights and new rows: every learner refuses them in clear words, or knows what they mean.

What is bad, and what the refusal must name, stands in `bad_tables.py`; what may come of it, in `attack.py`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from laws.subjects import BY_DOOR
from scipy import sparse
from sklearn.exceptions import NotFittedError

import aprendiz
from hostile.attack import (
    CODES,
    GOOD,
    LEARNERS,
    N,
    answers,
    attack,
    changed,
    dense,
    differs,
    every_learner,
    fingerprint,
    framed,
    good,
    learners,
    make,
    report,
    takes_weights,
    takes_words,
    target,
    to_run,
    unsound,
)
from hostile.bad_tables import Odd, bad_tables, bad_targets, bad_weights, later_frames, later_tables, odd_tables, spoiled

WITH_PRIORS = ("BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "NaiveBayes")
ASKED = ("predict", "predict_proba", "predict_log_proba", "transform", "decision_function", "score_samples", "kneighbors")


def cases(of, cls):
    """The cases of a kind for a learner, without forms that only the way in tells apart, unless it stands for its way in."""
    return {name: case for name, case in made(of, good(cls) is CODES).items() if cls in BY_DOOR or not case.form}


@cache
def made(of, coded):
    """All cases of a kind, made once: nobody may change them."""
    return of(CODES if coded else GOOD)


def was_changed(case):
    """Has somebody changed what was given? Then the next learner gets a new one."""
    if fingerprint(case.given) == case.bytes:
        return False
    made.cache_clear()
    return True


def means_something(cls, case):
    """Does the learner know what to do with it? (None in place of new rows is the rows of the fit, to neighbours.)"""
    known = {
        None: False,
        "missing": "missing" in cls.allows,
        "words": takes_words(cls),
        "own rows": "neighbors" in cls.__module__,
    }
    return known.get(case.meaning, True)


FITTED = {}


def fitted(cls, form="array"):
    """A model with the attributes that it has, one for each learner and form of its rows: whoever changes it puts it right."""
    if (cls, form) not in FITTED:
        model = make(cls).fit(good(cls) if form == "array" else framed(cls), target(cls))
        FITTED[cls, form] = model, dict(vars(model))
    return FITTED[cls, form]


def restore(model, attributes):
    vars(model).clear()
    vars(model).update(attributes)


# ---- fits ------------------------------------------------------------------------------------------------------------


def leaves_cells_unknown(cls, table):
    """Is a cell that the table does not store an unknown one, and are there such cells?"""
    return "sparse" in cls.exceptions and bool(table.data.all())


def fault_of_fit(cls, case, *given, **weights):
    """A fit of a learner that was fitted before, to something bad: the fault, if there is one."""
    model, before = fitted(cls)
    meant = means_something(cls, case)
    _, refusal, fault = attack(lambda: model.fit(*given, **weights), words=() if meant else case.words)
    others = changed(model, before)
    found, after = (None, None) if fault or refusal else attack_answers(model, given[0])
    restore(model, before)
    if was_changed(case):
        return "the input was changed"
    if fault or refusal:
        return fault or (f"refused, but {others} changed" if others else None)
    if isinstance(case, Odd):
        thin = sparse.issparse(case.given) and ("layout" in cls.exceptions or leaves_cells_unknown(cls, case.given))
        return after or differs(found, plain_answers(cls, sparse.csr_matrix(case.plain) if thin else case.plain))
    if not meant:
        return "answered"
    return after or unsound({name: said for name, said in found.items() if case.meaning != "missing" or name != "transform"})


def attack_answers(model, X):
    """The answers to the rows of a fit that succeeded, or the fault."""
    found, refusal, fault = attack(lambda: answers(model, X))
    return found, f"{refusal} (after the fit)" if refusal else fault


PLAIN = {}


def plain_answers(cls, table):
    """The answers to a table in its plain form."""
    if (cls, id(table)) not in PLAIN:
        found, _, fault = attack(lambda: answers(make(cls).fit(table, target(cls)), table))
        assert fault is None
        PLAIN[cls, id(table)] = table, found  # the table stays, and so does its id
    return PLAIN[cls, id(table)][1]


@every_learner
def test_bad_tables(cls):
    """No learner learns from a table that makes no sense to it."""
    y, faults = target(cls), {}
    for name, case in to_run(cases(bad_tables, cls)):
        empty = getattr(case.given, "shape", None) is not None and case.given.shape[:1] == (0,)
        faults[name] = fault_of_fit(cls, case, case.given, None if y is None else y[:0] if empty else y)
    report(cls, faults)


@every_learner
def test_odd_tables(cls):
    """A table in another form is refused, or learned as the same table in its plain form."""
    odd = to_run(cases(odd_tables, cls))
    report(cls, {name: fault_of_fit(cls, case, case.given, target(cls)) for name, case in odd})


@learners(lambda cls: cls.target != "none")
def test_bad_targets(cls):
    """No learner learns what is no target."""
    bad = bad_targets(target(cls), cls.target)
    if getattr(cls, "least_classes", 2) == 1:
        del bad["y: one class"]
    if getattr(cls, "several_targets", False):
        del bad["y: two columns"]
    if getattr(cls, "cuts_quantities", False):
        del bad["y: measurements"]
    report(cls, {name: fault_of_fit(cls, case, good(cls), case.given) for name, case in to_run(bad)})


@learners(takes_weights)
def test_bad_weights(cls):
    """Nor with weights that count nothing."""
    bad = bad_weights(N)
    report(cls, {name: fault_of_fit(cls, case, good(cls), target(cls), sample_weight=case.given) for name, case in to_run(bad)})


def test_one_class_that_counts():
    """A logistic model has no finite answer where only one class has weight."""
    cls = aprendiz.LogisticRegression
    with pytest.raises(ValueError, match=r"'yes'.*class|class.*'yes'"):
        cls().fit(GOOD, target(cls), sample_weight=(target(cls) == "yes").astype(float))


@pytest.mark.filterwarnings("ignore:.*not seen in the fit")  # categories of rows without weight
@learners(lambda cls: cls.__name__ in WITH_PRIORS)
def test_a_class_without_weight(cls):
    """Naive Bayes gives a class whose rows have no weight the probability 0, and finite answers."""
    y = target(cls)
    P = make(cls).fit(good(cls), y, sample_weight=(y == "yes").astype(float)).predict_proba(good(cls))
    np.testing.assert_allclose(P, np.tile([0.0, 1.0], (N, 1)), atol=1e-300)


@pytest.mark.parametrize(("name", "option"), [("StandardScaler", "with_mean"), ("RobustScaler", "with_centering")])
def test_sparse_cannot_be_centred(name, option):
    """Centring would fill a sparse table: refused with the remedy, at fit and at transform."""
    model = LEARNERS[name]()
    with pytest.raises(ValueError, match=f"{option}=False"):
        model.fit(sparse.csr_matrix(GOOD))
    model.fit(GOOD)
    with pytest.raises(ValueError, match=f"{option}=False"):
        model.transform(sparse.csr_matrix(GOOD))


@every_learner
def test_sparse_tables(cls):
    """A sparse table is refused with the remedy by those who do not declare that they take it, and by no others."""
    model = make(cls, **{name: False for name in ("with_mean", "with_centering") if name in cls().get_params()})
    if "sparse" in cls.allows:
        model.fit(sparse.csr_matrix(good(cls)), target(cls))
        return
    with pytest.raises(TypeError, match="toarray"):
        model.fit(sparse.csr_matrix(good(cls)), target(cls))


@every_learner
def test_input_is_not_changed(cls):
    """A fit that succeeds changes nothing of what it was given either."""
    y, w = target(cls), np.arange(N) % 3 + 1.0
    given = [good(cls).copy(), *([framed(cls), np.asfortranarray(good(cls))] if cls in BY_DOOR else [])]
    before = [fingerprint(value) for value in (*given, y, w)]
    for X in given:
        answers(make(cls).fit(X, y, **({"sample_weight": w} if takes_weights(cls) else {})), X)
    assert [fingerprint(value) for value in (*given, y, w)] == before


# ---- afterwards ------------------------------------------------------------------------------------------------------


@every_learner
def test_bad_new_rows(cls):
    """Whatever a fitted learner is asked about rows that make no sense, it refuses, and it is as it was."""
    faults = {}
    for form, tables in (("array", cases(later_tables, cls)), ("frame", later_frames(framed(cls)))):
        for name, case in to_run(tables):
            faults[name] = fault_of_new_rows(cls, case, form)
    report(cls, faults)


def fault_of_new_rows(cls, case, form):
    model, before = fitted(cls, form)
    meant = means_something(cls, case)
    for method in (method for method in ASKED if hasattr(model, method)):
        found, refusal, fault = attack(
            lambda method=method: getattr(model, method)(case.given), words=() if meant else case.words
        )
        if was_changed(case):
            fault = "the input was changed"
        elif others := changed(model, before):
            restore(model, before)
            fault = f"{others} changed"
        elif not fault and not refusal and isinstance(case, Odd):
            fault = differs({method: dense(found)}, {method: dense(getattr(model, method)(case.plain))})
        elif not fault and not refusal and not meant:
            fault = "answered"
        if fault:
            return f"{method}: {fault}"
    return None


@learners(lambda cls: hasattr(cls, "inverse_transform"))
def test_another_number_of_coordinates(cls):
    """Coordinates to be mapped back are counted and checked too."""
    model = make(cls, **({"add_indicator": True} if "add_indicator" in cls().get_params() else {})).fit(good(cls), target(cls))
    count = len(model.get_feature_names_out())
    with pytest.raises(ValueError, match=rf"\b4\b.*\b{count}\b|\b{count}\b.*\b4\b"):
        model.inverse_transform(np.ones((5, 4)))
    with pytest.raises(ValueError, match=r"row 7, column 1"):
        model.inverse_transform(spoiled(good(cls)[:, :count], np.inf))


@learners(lambda cls: cls in BY_DOOR and any(hasattr(cls, method) for method in ASKED))
def test_array_where_a_frame_was(cls):
    """An array for a learner that knows names is taken, with scikit-learn's warning."""
    with pytest.warns(UserWarning, match="valid feature names"):
        answers(fitted(cls, "frame")[0], good(cls))


@every_learner
def test_not_fitted(cls):
    """A learner that was not fitted says so, also after a fit that failed."""
    model = make(cls)
    with pytest.raises(ValueError, match=r"infinity"):
        model.fit(spoiled(good(cls), np.inf), target(cls))
    assert vars(model).keys() == model.get_params(deep=False).keys()
    if not any(hasattr(cls, method) for method in ASKED):
        return
    with pytest.raises(NotFittedError, match=cls.__name__):
        answers(model, good(cls))


@learners(lambda cls: hasattr(cls, "partial_fit"))
def test_more_rows_that_are_bad(cls):
    """A partial_fit that is refused loses nothing: the next one goes on as if it had not been tried."""
    half, y = N // 2, target(cls)
    first, second = (None, None) if y is None else (y[:half], y[half:])
    announced = {"classes": np.unique(y)} if getattr(cls, "announced", False) else {}
    tried, straight = (make(cls).partial_fit(good(cls)[:half], first, **announced) for _ in range(2))
    before = answers(tried, good(cls))
    for bad in (spoiled(good(cls), np.inf)[:half], good(cls)[:half, :2]):
        with pytest.raises(ValueError, match=r"row 7|features"):
            tried.partial_fit(bad, first)
    assert differs(answers(tried, good(cls)), before, 0.0) is None
    for model in (tried, straight):
        model.partial_fit(good(cls)[half:], second)
    assert differs(answers(tried, good(cls)), answers(straight, good(cls)), 0.0) is None


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", "MultinomialNB"])
def test_labels_that_were_not_announced(name):
    """A label that `classes` did not announce is refused with its row and the classes; so are other `classes`."""
    cls = LEARNERS[name]
    y = target(cls)
    model = make(cls).partial_fit(good(cls), y, classes=["no", "yes"])
    before = dict(vars(model))
    with pytest.raises(ValueError, match=r"'perhaps' in row 8.*'no', 'yes'"):
        model.partial_fit(good(cls), np.where(np.arange(N) == 8, "perhaps", y))
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(good(cls), y, classes=["no", "yes", "perhaps"])
    assert changed(model, before) == []


# ---- the attack itself -----------------------------------------------------------------------------------------------


class Careless(aprendiz.StandardScaler):
    """A learner without a door."""

    def fit(self, X, y=None, sample_weight=None):
        self.mean_ = np.asarray(X)[0, 0]
        if isinstance(X, np.ndarray) and X.flags.writeable and X.dtype == float:
            X[0, 0] = 3.0
        return self


def test_the_attack_notices():
    """A learner that takes what it gets, forgets half of it and changes its input has faults of each kind."""
    FITTED[Careless, "array"] = (model := Careless(), dict(vars(model)))
    tables = bad_tables(GOOD.copy())
    fault = {
        name: fault_of_fit(Careless, tables[name], tables[name].given) for name in ("inf", "nothing", "an empty list", "a cube")
    }
    assert fault["inf"] == "the input was changed"
    assert "IndexError" in fault["nothing"]
    assert "IndexError" in fault["an empty list"]
    assert fault["a cube"] is not None
