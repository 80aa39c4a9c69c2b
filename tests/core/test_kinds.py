"""What classifiers say they are: generative, discriminative or discriminant."""

import pytest

import aprendiz
from aprendiz.core.learner import Classifier

CLASSIFIERS = [cls for _, cls in aprendiz.all_learners() if issubclass(cls, Classifier)]
BY_NAME = {cls.__name__: cls for cls in CLASSIFIERS}


@pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda c: c.__name__)
def test_kind_says_what_it_can_do(cls):
    """Posteriors are there unless it is a discriminant; a generative one has a density of each class."""
    model = cls()
    assert model.kind_ in ("generative", "discriminative", "discriminant")
    assert hasattr(model, "predict_proba") == (model.kind_ != "discriminant")
    if model.kind_ == "generative":
        assert hasattr(model, "predict_joint_log_proba")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("GaussianNB", "generative"),
        ("LinearDiscriminantAnalysis", "generative"),
        ("LogisticRegression", "discriminative"),
        ("Perceptron", "discriminant"),
        ("FisherDiscriminant", "discriminant"),
    ],
)
def test_kinds_of_the_text(name, kind):
    """The three kinds of A III.2.5, with the examples of the text."""
    assert BY_NAME[name]().kind_ == kind


def test_kind_may_depend_on_the_loss():
    """A hinge has no posteriors, the logistic loss has."""
    assert aprendiz.SGDClassifier(loss="hinge").kind_ == "discriminant"
    assert aprendiz.SGDClassifier(loss="log_loss").kind_ == "discriminative"
    assert aprendiz.OneVsRestClassifier(aprendiz.Perceptron()).kind_ == "discriminant"
    assert aprendiz.OneVsRestClassifier(aprendiz.LogisticRegression()).kind_ == "discriminative"
