"""`aprendiz methods`: the list, and the explanation of one method; exit codes as the help lists them."""

import pytest

import aprendiz
from aprendiz.cli.exit_codes import codes_in_words
from aprendiz.lab.explaining.explanation import TASKS, explain_method, explained
from aprendiz.lab.explaining.parameters import first_sentence, parameters_of
from aprendiz.lab.methods import BASELINE, SHORTLIST, learners
from aprendiz.locale import language

from .calls import call


@pytest.mark.parametrize("task", TASKS)
def test_every_method_is_explained(task):
    """Each method that can be compared has an idea, advice and a page; each parameter of its signature is told, tuned ones with
    their values, or is said to do nothing."""
    for name, cls in learners(task).items():
        found = explain_method(name)
        assert task in found.tasks
        assert found.idea
        if name not in BASELINE.values():
            assert found.page is not None
            assert found.advice, name
        told = [one.name for one in found.parameters] + list(found.idle)
        assert set(told) == set(cls().get_params()) or name.startswith("Dummy")
        assert {one.name: one.tuned for one in found.parameters if one.tuned} == dict(getattr(cls, "tuning", {}))
        assert found.compared == any(name in (*SHORTLIST[one], BASELINE[one]) for one in found.tasks)


def test_an_explanation():
    """In any capitals; what is tuned comes first, with its default and its values."""
    said = call("methods", "logisticREGRESSION")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "LogisticRegression  (classification; compared by default)"
    for heading in ("Idea", "When to use it", "Parameters"):
        assert heading in lines
    first = lines[lines.index("Parameters") + 1].strip()
    name, default = first.split("=")
    assert name in aprendiz.LogisticRegression.tuning
    assert default == repr(getattr(aprendiz.LogisticRegression(), name))
    assert "tuned: 0.01" in said.out
    assert said.out.rstrip().endswith("logistic_regression.md")
    assert max(map(len, lines[:-1])) <= 100


def test_in_spanish():
    """Headings in Spanish; it is said that the descriptions are not."""
    said = call("methods", "C45", "--lang", "es").out
    assert "Cuándo usarlo" in said
    assert "están en inglés" in said
    with language("es"):
        assert "clasificación" in next(explain_method("SVC").lines())


def test_methods_that_are_not_compared():
    """Any public learner is explained."""
    assert "sin objetivo" in call("methods", "KMeans", "--lang", "es").out
    assert set(dict(aprendiz.all_learners())) <= set(explained())


@pytest.mark.parametrize(
    ("name", "near"), [("Kmens", "KMeans"), ("LogistcRegression", "LogisticRegression"), ("forest", "Forest")]
)
def test_names_that_there_are_not(name, near):
    """Code 2, with near names."""
    said = call("methods", name)
    assert said.code == 2
    assert near in said.err
    assert "Did you mean" in said.err
    assert call("methods", "zzzzzz").err.count("Did you mean") == 0


def test_the_list_stays():
    """Without a name, a line for each method."""
    said = call("methods").out
    assert all(name in said for task in TASKS for name in learners(task))


def test_sentences_of_docstrings():
    """The first sentence, not the first full stop."""
    assert first_sentence("As in e.g. 0.5 of them. Another.") == "As in e.g. 0.5 of them."
    assert first_sentence("Of `poly`. 1 by default") == "Of poly. 1 by default"
    words = {one.name: one.words for one in parameters_of(aprendiz.LassoCV)}
    assert words["cv"].endswith(".")


# ---- exit codes ----------------------------------------------------------------------------------------------------------


def test_codes_in_the_help():
    """The help lists each, in both languages."""
    for name in ("en", "es"):
        with language(name):
            said = " ".join(call("--help", "--lang", name).out.split())
            for code, words in codes_in_words():
                assert f"{code} {words}" in said


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--version",), 0),
        (("methods",), 0),
        ((), 2),
        (("rn",), 2),
        (("run", "--no-such-option"), 2),
        (("run", "no-such-file.csv"), 2),
        (("show", "no-such-model.apz"), 2),
    ],
)
def test_codes(arguments, code):
    """Done is 0; what the user can put right is 2."""
    assert call(*arguments).code == code


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (MemoryError, 1), (RuntimeError, 1)])
def test_codes_of_what_goes_wrong(monkeypatch, capsys, error, code):
    """Ctrl-C with nothing to report is 130, as in shells; a mistake of ours is 1."""

    def raised(**given):
        raise error

    monkeypatch.setattr("aprendiz.cli.listing.methods", raised)
    assert call("methods").code == code
