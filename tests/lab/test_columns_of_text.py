"""Columns of text in the laboratory: a planted word is found, whatever the script; learned in the fit; kept in model files."""

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz import persistence
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.lab import ask, chosen_methods, prepared, read
from aprendiz.lab.columns import MixedWithText, TextColumns, TextDirections
from aprendiz.lab.methods import Method
from aprendiz.lab.report.numbers import numbers_of
from aprendiz.lab.report.telling_words import words_of

FILL = tuple("the a this that with from room staff street hotel breakfast window bed view station water table".split())  # noqa: SIM905
GOOD, BAD = ("excellent", "lovely", "clean"), ("awful", "dirty", "rude")
LEARNERS = ["DecisionTreeClassifier", "GaussianNB", "CategoricalNB", "KNeighborsClassifier", "MultinomialNB"]
SCHEMA = Columns((Column("comment", "text"), Column("size", "numeric"), Column("city", "categorical", ("Lugo", "Vigo", "Zas"))))


def reviews(n, seed=0):
    """Texts of which one word tells the class, in a column beside two that tell nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    words = [[*rng.choice(FILL, 8), rng.choice(GOOD if k else BAD)] for k in y]
    texts = [" ".join(rng.permutation(one)) for one in words]
    frame = {"comment": texts, "size": rng.random(n).round(3), "city": rng.choice(["Lugo", "Vigo", "Zas"], n)}
    return frame, np.array(["bad", "good"])[y]


def file_of(tmp_path, columns):
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def test_a_planted_word_decides(concluded):
    """Linear models and naive Bayes of words find it; the report names the words, by column, for each class."""
    columns, y = reviews(160)
    methods = [Method(name, getattr(aprendiz, name)(), {}) for name in ("LinearSVC", "ComplementNB")]
    outcome = concluded({**columns, "y": y.tolist()}, methods)
    assert outcome.results.question.features == ("comment", "size", "city")
    scores = {name: found.score("accuracy").value for name, found in outcome.results.evaluations.items()}
    assert scores["LinearSVC"] > 0.9
    assert scores["ComplementNB"] > 0.8
    for name in scores.keys() - {"DummyClassifier"}:
        pipeline = outcome.experiment.final(name)
        told = words_of(Handed(outcome, pipeline))
        assert {one["term"] for one in told["good"][:3]} == {*GOOD}
        assert {one["term"] for one in told["bad"][:3]} == {*BAD}
    numbers = numbers_of(outcome)
    assert numbers["model"]["words"]["good"][0]["column"] == "comment"
    sentences = {finding["code"]: finding["sentence"] for finding in numbers["findings"]}
    assert "excellent" in sentences["telling_words"]
    terms = numbers["model"]["coefficients"][0]["columns"] - 1 - len(set(columns["city"]))
    assert f"has rows: {terms} for 160 rows." in sentences["more_terms_than_rows"]
    assert "more_columns_than_rows" not in sentences
    names = [one["column"] for one in numbers["model"]["coefficients"][0]["largest"][:6]]
    assert {*names} == {f"comment: {word}" for word in (*GOOD, *BAD)}


class Handed:
    """An outcome whose model is another one."""

    def __init__(self, outcome, pipeline):
        self.results, self.experiment, self.pipeline = outcome.results, outcome.experiment, pipeline
        self.fitted = pipeline[-1]


def test_words_that_tell_a_number():
    """With a number as the target, the words that lead up and those that lead down."""
    columns, y = reviews(200)
    frame, target = pd.DataFrame(columns), 10.0 * (y == "good")
    model = prepared(aprendiz.Ridge(alpha=0.1), frame, columns=SCHEMA).fit(frame, target)
    new, truth = reviews(60, seed=1)
    found = model.predict(pd.DataFrame(new))
    assert np.mean((found > 5) == (truth == "good")) > 0.9
    order = np.argsort(model[-1].coef_)
    names = model[:-1].get_feature_names_out()[order]
    assert {*names[:3]} == {f"comment: {word}" for word in BAD}
    assert {*names[-3:]} == {f"comment: {word}" for word in GOOD}


@pytest.mark.parametrize(
    "name", ["DecisionTreeClassifier", "GaussianNB", "CategoricalNB", "KNeighborsClassifier", "MultinomialNB"]
)
def test_every_learner_gets_text(name, tmp_path):
    """Terms, or a few directions for learners of few columns; the model comes back from its file."""
    columns, y = reviews(120)
    frame = pd.DataFrame(columns)
    model = prepared(getattr(aprendiz, name)(), frame, columns=SCHEMA).fit(frame, y)
    assert model.score(frame, y) > 0.75
    width = len(model[:-1].get_feature_names_out())
    assert width == model[-1].n_features_in_
    assert width < 40 or name in ("KNeighborsClassifier", "MultinomialNB")
    persistence.save(model, tmp_path / "model.apz")
    new = pd.DataFrame({"comment": [None, "rude rude", "日本"], "size": [0.5, None, 0.1], "city": ["Lugo", None, "Oslo"]})
    np.testing.assert_array_equal(persistence.load(tmp_path / "model.apz").predict(new), model.predict(new))


def test_terms_are_those_of_the_fit():
    """Words of other rows are not known, and do not move the weights; no text at all is no column."""
    columns, _ = reviews(40)
    frame, text = pd.DataFrame(columns), Columns((SCHEMA["comment"],))
    model = TextColumns(text).fit(frame[:20])
    before = model.transform(frame[20:]).toarray()
    np.testing.assert_array_equal(TextColumns(text).fit(frame[:20].assign(size=1.0)).transform(frame[20:]).toarray(), before)
    known = {word for line in frame["comment"][:20] for word in line.split()}
    assert {word for name in model.get_feature_names_out() for word in name.removeprefix("comment: ").split()} <= known
    assert model.transform(pd.DataFrame({"comment": ["unheard words"]})).nnz == 0
    empty = TextColumns(text).fit(pd.DataFrame({"comment": [None, "", " "]}))
    assert empty.transform(frame).shape == (40, 0)
    assert TextDirections(text).fit(pd.DataFrame({"comment": ["", None]})).transform(frame).shape == (40, 0)


def test_directions_are_those_of_the_weights():
    """Distances between rows are as among the weights, but for what the last directions leave out."""
    columns, _ = reviews(80)
    frame, text = pd.DataFrame(columns), Columns((SCHEMA["comment"],))
    directions = TextDirections(text, most=20)
    Z, X = directions.fit_transform(frame), TextColumns(text).fit_transform(frame).toarray()
    left = np.linalg.svd(X, compute_uv=False)
    np.testing.assert_allclose((X**2).sum() - (Z**2).sum(), (left[20:] ** 2).sum(), rtol=1e-6)
    np.testing.assert_allclose(directions.transform(frame), Z, atol=1e-9)
    whole = MixedWithText(SCHEMA).fit(frame).transform(frame)
    assert list(whole.columns[:2]) == ["size", "city"]
    assert whole.shape == (80, 2 + 30)


JAPANESE = "朝食は駅の近くで食べましたそして窓から海が見えました"
SCRIPTS = {
    "Japanese": (
        ("良い部屋", "素晴らしい"),
        ("汚い部屋", "騒がしい"),
        "朝食は駅の近くで食べましたそして窓から海が見えました",
        "",
    ),
    "Thai": (("ยอดเยี่ยม",), ("สกปรกมาก",), "ห้องพักอยู่ใกล้สถานีรถไฟและมีหน้าต่าง", ""),
    "Russian": (("отличный",), ("ужасный",), "номер отеля окно завтрак улица вокзал стол кровать", " "),
    "Arabic": (("ممتاز",), ("سيئ",), "الغرفة الفندق الشارع المحطة الطاولة النافذة السرير", " "),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts(script, tmp_path):
    """Prose is recognised with spaces between words or without, and its signal is found."""
    good, bad, fill, space = SCRIPTS[script]
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=120)
    pieces = fill.split() if space else [fill[i : i + 4] for i in range(0, len(fill), 4)]
    texts = [space.join([*rng.choice(pieces, 6), rng.choice(good if k else bad), str(rng.integers(10))]) for k in y]
    table = read(file_of(tmp_path, {"text": texts, "y": np.array(["no", "sí"])[y]}))
    question = ask(table, target="y")
    assert [role.role for role in table.roles] == ["text", "feature"]
    X, target, _ = question.data(table)
    model = prepared(aprendiz.LinearSVC(), X, columns=question.columns(table)).fit(X[:80], target[:80])
    assert model.score(X[80:], target[80:]) > 0.9


def test_which_text_is_learned_from(tmp_path):
    """Prose is, also where it comes again; names of the rows are not; short answers stay categories."""
    rng = np.random.default_rng(0)
    prose = [f"the {a} met the {b} at noon" for a in FILL for b in FILL][:200]
    columns = {
        "id": [f"r{k:05d}" for k in range(400)],
        "answer": rng.choice(["yes, very much so", "no, not at all really"], 400),
        "twice": prose + prose,
        "y": rng.choice(["a", "b"], 400),
    }
    table = read(file_of(tmp_path, columns))
    roles = {role.name: role.role for role in table.roles}
    assert roles == {"id": "identifier", "answer": "feature", "twice": "text", "y": "feature"}
    question = ask(table, target="y")
    assert question.has_text(table)
    names = [method.name for method in chosen_methods("classification", text=True)]
    assert {"ComplementNB", "MultinomialNB", "LinearSVC"} < {*names}
    assert question.features == ("answer", "twice")


def test_very_many_levels():
    """A hundred thousand distinct words are counted, not tabulated: only the most frequent get a column."""
    cells = [f"word{k} word{k % 50}" for k in range(100_000)]
    text = TextColumns(Columns((Column("comment", "text"),)), most=60)
    X = text.fit_transform(pd.DataFrame({"comment": [f"{cell} and more" for cell in cells]}))
    assert X.shape == (100_000, 60)
