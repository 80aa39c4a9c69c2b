"""The report: one offline page, whole and well formed, and the numbers behind it, for every kind of table."""

import csv
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from scipy.stats import binom

import aprendiz
from aprendiz.lab import Experiment, ask, chosen_methods, read
from aprendiz.lab.card import shorten
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.pages.environment import MOST_NAMES
from aprendiz.lab.report import write_outcome
from aprendiz.lab.report.page import environment
from aprendiz.locale import _, language

OF_CLASSES = {"confusion", "roc", "precision_recall"}
OF_ALL = {"rows", "map", "learning_curve", "coefficients", "permutation", "dependence"}
OF_TREES = {"rows", "map", "learning_curve", "importances", "permutation", "dependence"}
LONG = ["a class whose name is " + 60 * word for word in ("very ", "quite ", "rather ")]


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(4)


# ---- tables ----------------------------------------------------------------------------------------------------------


def two_classes(n=60):
    """Numbers, words and a hole; two classes."""
    a, b, noise = normal(0, 3, n)
    words = np.random.default_rng(1).choice(["red", "blue", "white"], n)
    return {"a": ["", *a[1:]], "b": b, "colour": words, "y": np.where(a + b + noise > 0, "yes", "no")}


def regression(n=60):
    a, b, noise = normal(2, 3, n)
    return {"a": a, "b": b, "group": np.arange(n) % 3, "price": (3 * a - b + noise).round(3)}


def many_classes(k=15, each=8):
    codes = np.arange(k * each) % k
    centres = 3 * normal(3, k, 2)
    X = centres[codes] + normal(4, k * each, 2)
    return {"a": X[:, 0].round(3), "b": X[:, 1].round(3), "y": [f"class {code:02d}" for code in codes]}


def one_column(n=60):
    a, noise = normal(5, 2, n)
    return {"a": a, "y": np.where(a + 0.5 * noise > 0, "yes", "no")}


def long_names(n=60):
    a, b, noise = normal(6, 3, n)
    place = np.digitize(a + b + 0.5 * noise, [-1, 1])
    return {f"{LONG[0]}!": a, "b": b, "y": [LONG[k] for k in place]}


def zero_and_one(n=60):
    a, b, noise = normal(7, 3, n)
    return {"a": a, "b": b, "y": (a + b + noise > 0).astype(int)}


class Broken(aprendiz.GaussianNB):
    def fit(self, X, y=None, sample_weight=None):
        raise ValueError("it does <not> work")


LOGISTIC = Method("LogisticRegression", aprendiz.LogisticRegression(), {"C": [0.1, 1.0]})
PLAIN = Method("LogisticRegression", aprendiz.LogisticRegression(), {})
BAYES = Method("GaussianNB", aprendiz.GaussianNB(), {})
RIDGE = Method("Ridge", aprendiz.Ridge(), {})
FOREST = Method("RandomForestClassifier", aprendiz.RandomForestClassifier(10, random_state=0), {})
BROKEN = Method("Broken", Broken(), {})

# table, methods, language, pictures
CASES = {
    "two classes": (two_classes, [LOGISTIC, BAYES], "en", OF_CLASSES | OF_ALL),
    "dos clases": (two_classes, [BAYES], "es", OF_CLASSES | OF_ALL - {"coefficients"}),
    "regression": (regression, [RIDGE], "en", {"residuals", "intervals"} | OF_ALL),
    "many classes": (many_classes, [PLAIN], "en", OF_CLASSES | OF_ALL),
    "one column": (one_column, [PLAIN], "en", (OF_CLASSES | OF_ALL) - {"rows", "map"}),
    "long names": (long_names, [BAYES], "en", OF_CLASSES | OF_ALL - {"coefficients"}),
    "a forest": (two_classes, [FOREST], "es", OF_CLASSES | OF_TREES),
    "zero and one": (zero_and_one, [BAYES, BROKEN], "en", OF_CLASSES | OF_ALL - {"coefficients"}),
}


def outcome_of(folder, columns, methods):
    """An experiment of three folds on the last column, and what it has led to."""
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    table = read(path)
    question = ask(table, target=list(columns)[-1], folds=3)
    experiment = Experiment(table, question, [*chosen_methods(question.task)[:1], *methods])
    for _step in experiment.steps():
        pass
    return conclude(experiment)


class Report:
    """A report: its page as text and parsed, and its numbers as they stand in the file."""

    def __init__(self, outcome, folder):
        self.outcome, self.folder = outcome, folder
        self.returned = write_outcome(outcome, folder)
        self.text = (folder / "report.html").read_text(encoding="utf-8")
        self.page = Page(self.text)
        self.numbers = json.loads((folder / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Reports by the name of their case, each made once."""
    known = {}

    def report(name):
        if name not in known:
            table, methods, speech, _pictures = CASES[name]
            folder = tmp_path_factory.mktemp("report")
            with language(speech):
                known[name] = Report(outcome_of(folder, table(), methods), folder)
        return known[name]

    return report


@pytest.fixture(params=CASES)
def report(request, made):
    return made(request.param)


# ---- the page --------------------------------------------------------------------------------------------------------

EMPTY = {"meta", "br", "hr", "img", "input", "link", "base"}
BLOCKS = {"p", "div", "ul", "table", "section", "figure", "pre", "h1", "h2", "h3", "details"}


class Page(HTMLParser):
    """What is in a page: elements, identifiers, references, cells, texts; and what is wrong with how they are nested."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.faults, self.open = [], [], []
        self.rows, self.texts = [], []
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is not closed" for tag, _ in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag in BLOCKS and any(above == "p" for above, _ in self.open):
            self.faults.append(f"{tag} inside p")
        if tag not in EMPTY:
            self.open.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append((f"{tag} {dict(attributes).get('class', '')}", []))

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.faults.append(f"{tag} is closed where another is open")

    def handle_data(self, text):
        self.texts.append(text)
        if any(tag in ("td", "th") for tag, _ in self.open):
            self.rows[-1][-1][1].append(text)

    def cells(self):
        """The texts of the cells of every row of every table."""
        return [["".join(texts).strip() for _kind, texts in row] for row in self.rows]

    def of_kind(self, kind):
        """The texts of the cells of a kind, such as `td n`: numbers."""
        return ["".join(texts).strip() for row in self.rows for one, texts in row if one == kind]

    def attributes(self, *names):
        """The values of some attributes, of all elements."""
        return [one[name] for _tag, one in self.elements for name in names if name in one]


def test_tags_are_balanced(report):
    assert report.page.faults == []
    assert report.text.startswith("<!DOCTYPE html>")
    tags = [tag for tag, _attributes in report.page.elements]
    assert all(tags.count(tag) == 1 for tag in ("html", "head", "body", "main", "h1"))


def test_identifiers_are_unique(report):
    """And every reference inside the page leads to one."""
    identifiers = report.page.attributes("id")
    assert len(set(identifiers)) == len(identifiers)
    references = report.page.attributes("href", "xlink:href")
    inside = [one.removeprefix("#") for one in references if not one.startswith("data:")]
    inside += re.findall(r"url\(#([^)]*)\)", report.text)
    assert len(inside) > 8
    assert set(inside) <= set(identifiers)


def test_pictures_have_their_names(report):
    """What a picture is labelled by is in the page, and is its title."""
    labels = report.page.attributes("aria-labelledby")
    assert labels
    assert set(labels) <= set(report.page.attributes("id"))


def test_nothing_is_loaded(report):
    """No script, no outside picture, font or style; a browser is told to refuse them as well."""
    tags = {tag for tag, _ in report.page.elements}
    assert not tags & {"script", "link", "iframe", "object", "embed", "base", "form", "img", "audio", "video", "foreignobject"}
    addresses = report.page.attributes("href", "xlink:href", "src", "srcset", "data", "action", "poster", "background")
    assert all(one.startswith(("#", "data:image/png;base64,")) for one in addresses)
    assert not [name for _tag, attributes in report.page.elements for name in attributes if name.startswith("on")]
    assert not re.search(r"url\((?!#)", report.text)
    assert "@import" not in report.text
    policy = next(one["content"] for _, one in report.page.elements if one.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_size(report):
    assert (report.folder / "report.html").stat().st_size < 2_000_000
    assert {path.name for path in report.folder.iterdir()} == {
        *("table.csv", "report.html", "results.json", "experiment.py", "model.apz"),
    }


@pytest.mark.parametrize("name", CASES)
def test_pictures(made, name):
    """All that the task allows, each with a caption, and the numbers of each in results.json."""
    report = made(name)
    keys = [one.removesuffix("-title") for one in report.page.attributes("aria-labelledby")]
    assert len(set(keys)) == len(keys)
    assert set(keys) == CASES[name][3]
    assert len([tag for tag, _ in report.page.elements if tag == "figcaption"]) == len(keys)
    for key in keys:
        assert numbers_behind(report.numbers, key), key


def numbers_behind(numbers, key):
    """What results.json has of a picture."""
    predictions = numbers["predictions"]
    return {
        "confusion": lambda: predictions["confusion"]["counts"],
        "residuals": lambda: predictions["observed"] and predictions["predicted"],
        "intervals": lambda: numbers["coverage"]["checked"],
        "rows": lambda: numbers["plane"]["points"],
        "map": lambda: numbers["map"]["points"] and 0.5 < numbers["map"]["trustworthiness"] <= 1,
        "learning_curve": lambda: numbers["learning_curve"]["unseen"],
        "coefficients": lambda: numbers["model"]["coefficients"],
        "importances": lambda: numbers["model"]["importances"],
        "permutation": lambda: numbers["column_effects"]["importances"],
        "dependence": lambda: numbers["column_effects"]["dependence"],
    }.get(key, lambda: all(key in curve for curve in predictions["curves"].values()))()


# ---- the numbers -----------------------------------------------------------------------------------------------------


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def test_strict_json(report):
    """No NaN or infinity, and what is returned is what is written."""
    text = (report.folder / "results.json").read_text(encoding="utf-8")
    assert json.loads(text, parse_constant=refuse) == report.numbers == report.returned


def test_the_leaderboard_is_in_the_page(report):
    """For each method its score with the interval, the difference and all measures, as results.json has them."""
    with language(report.numbers["language"]):
        written = environment().filters
        rows = report.page.cells()
        for place, method in enumerate(report.numbers["leaderboard"]):
            score = method["scores"][report.numbers["question"]["metric"]]
            first, second, *_pairs = (row for row in rows if row[0] == method["method"] and len(row) > 2)
            metric = report.numbers["question"]["metric"]
            assert first[1:3] == [written["score"](score["value"], metric), written["interval"](score, metric)]
            difference = [written["score"](method["difference"], metric), written["chance"](method["p_value"])]
            assert first[5:7] == (difference if place else ["", ""])
            assert first[7] == "3/3"
            assert second[1:] == [written["score"](one["value"], name) for name, one in method["scores"].items()]
    assert report.numbers["leaderboard"][0]["method"] == report.numbers["best"]


def test_scores_are_written_with_four_decimals(made):
    """An independent reading of the first line: 0.8167, in Spanish 0,8167."""
    for name, sign in (("two classes", "."), ("dos clases", ",")):
        report = made(name)
        value = report.numbers["leaderboard"][0]["scores"]["accuracy"]["value"]
        assert f"{value:.4f}".replace(".", sign) in report.page.texts


def leaves(value):
    """All numbers of a document, and how many entries its lists have."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [len(value), *(leaf for one in value for leaf in leaves(one))]
    return [] if value is None or isinstance(value, (str, bool)) else [value]


def test_results_hold_every_number_of_the_page(report):
    """Each number in a cell of the page is one of results.json, as some part of the page writes it."""
    known = {"–", "", *(str(number) for number in leaves(report.numbers) if isinstance(number, int))}
    with language(report.numbers["language"]):
        written = environment().filters
        for number in leaves(report.numbers):
            known |= {written[how](number) for how in ("score", "number", "chance", "seconds", "percent")}
            known |= {written["score"](number, "log_loss")}
            known |= {written["whole"](number)} if isinstance(number, int) else set()
    shown = [part for cell in report.page.of_kind("td n") for part in re.split(r" – |/", cell)]
    shown += re.findall(r'<span class="soft n">([^<]*)</span>', report.text)  # rows of levels
    assert len(shown) > 20
    assert set(shown) <= known


def test_results_hold_every_name_of_the_page(report):
    """Names of columns and classes, sentences of the findings and of the notes."""
    numbers, texts = report.numbers, " ".join(report.page.texts)
    for name in numbers["question"]["features"][:MOST_NAMES]:
        assert shorten(name, 40) in texts
    for finding in numbers["findings"]:
        assert {finding["sentence"], finding["why"], finding["remedy"]} <= set(report.page.texts)
    assert [column["name"] for column in numbers["table"]["columns"]] == list(report.outcome.experiment.table.frame)
    for reason in numbers["question"]["reasons"].values():
        assert reason in texts
    assert numbers["table"]["fingerprint"] in texts
    assert all(version in texts for version in numbers["versions"].values())


def test_chosen_parameters_are_in_the_page(made):
    report = made("two classes")
    assert report.numbers["best"] == "LogisticRegression"
    assert report.numbers["model"]["tuned"] == report.outcome.parameters
    assert f"Tuned parameters: C = {report.outcome.parameters['C']:g}." in report.page.texts


def test_numbers_are_those_of_the_experiment(report):
    """Scores of the folds, the confusion table or the errors, from the evaluation itself."""
    outcome, numbers = report.outcome, report.numbers
    for method in numbers["leaderboard"]:
        found = outcome.results.evaluations[method["method"]]
        for name, score in method["scores"].items():
            np.testing.assert_array_equal(np.array(score["folds"], float), found.score(name).folds)  # null is NaN
    answers = outcome.evaluation.pooled
    if numbers["question"]["task"] == "regression":
        assert numbers["predictions"]["errors"]["mae"] == pytest.approx(np.abs(answers.truth - answers.prediction).mean())
        return
    counts = np.array(numbers["predictions"]["confusion"]["counts"])
    assert counts.sum() == len(answers.truth)
    assert np.trace(counts) == (answers.truth == answers.prediction).sum()
    assert sum(numbers["question"]["classes"].values()) == len(outcome.experiment.y)


# ---- languages -------------------------------------------------------------------------------------------------------


def test_language(report):
    speech = report.numbers["language"]
    assert ("html", {"lang": speech}) in report.page.elements
    with language(speech):
        for words in ("Findings", "Methods", "The model", "How it was computed"):
            assert _(words) in report.page.texts


def test_both_languages_have_the_same_numbers(made, tmp_path):
    """One outcome, written twice: other words, the same numbers."""
    english = made("two classes")
    with language("es"):
        spanish = Report(english.outcome, tmp_path)
    assert spanish.numbers["language"] == "es"
    assert leaves(spanish.numbers) == leaves(english.numbers)
    assert "Findings" not in spanish.page.texts
    assert [one["code"] for one in spanish.numbers["findings"]] == [one["code"] for one in english.numbers["findings"]]


# ---- single cases ----------------------------------------------------------------------------------------------------


def test_many_classes(made):
    """A row, a curve and coefficients for each of fifteen classes."""
    report = made("many classes")
    labels = [f"class {code:02d}" for code in range(15)]
    assert [one["label"] for one in report.numbers["predictions"]["classes"]] == labels
    assert list(report.numbers["predictions"]["curves"]) == labels
    assert [one["towards"] for one in report.numbers["model"]["coefficients"]] == labels
    rows = [row for row in report.page.cells() if row[0] in labels and len(row) == 6]
    assert [row[0] for row in rows] == labels
    assert all(row[1] == "8" for row in rows)


def test_a_table_of_one_column(made):
    """There is no plane of the rows."""
    report = made("one column")
    assert report.numbers["plane"] is None
    assert report.numbers["question"]["features"] == ["a"]


def test_long_names_are_cut_short(made):
    """In the page, not in the numbers."""
    report = made("long names")
    assert set(report.numbers["question"]["classes"]) == set(LONG)
    assert f"{LONG[0]}!" in report.numbers["question"]["features"]
    cells = report.page.of_kind("td name")
    assert {shorten(name, 40) for name in LONG} <= set(cells)
    assert not any(name in report.text for name in LONG)


def test_zero_and_one_are_whole(made):
    """A target of numbers: its classes are 0 and 1 everywhere, not 0.0 and 1.0."""
    report = made("zero and one")
    assert list(report.numbers["question"]["classes"]) == ["0", "1"]
    assert report.numbers["predictions"]["confusion"]["labels"] == ["0", "1"]
    assert list(report.numbers["predictions"]["curves"]) == ["0", "1"]
    assert {"0", "1"} <= set(report.page.of_kind("td name"))
    assert not {"0.0", "1.0"} & set(report.page.of_kind("td name"))
    assert not re.search(r">\s*[01]\.0\s*<", report.text)
    assert set(aprendiz.load(report.folder / "model.apz").predict(report.folder / "table.csv")) <= {"0", "1"}


def test_a_method_that_failed(made):
    """It is named with its reason, and is not among the others."""
    report = made("zero and one")
    assert report.numbers["failures"] == {"Broken": "it does <not> work"}
    assert "Broken" not in {method["method"] for method in report.numbers["leaderboard"]}
    assert "it does <not> work" in report.page.texts
    assert [one["code"] for one in report.numbers["findings"]].count("method_failed") == 1


def test_rows_too_few_for_a_learning_curve(tmp_path):
    """Nine rows, a parameter to be tuned: two rows cannot be divided for that. The curve is left out, and the page says so."""
    columns = {"a": np.arange(9) % 3 + 0.1 * normal(9, 9), "y": ["yes", "no", "no"] * 3}
    tuned = Method("LogisticRegression", aprendiz.LogisticRegression(), {"C": [1.0, 10.0]})
    report = Report(outcome_of(tmp_path, columns, [tuned]), tmp_path)
    assert report.numbers["best"] == "LogisticRegression"
    assert report.numbers["learning_curve"] is None
    assert "learning_curve-title" not in report.page.attributes("aria-labelledby")
    assert any(text.startswith("There is no learning curve") for text in report.page.texts)


def test_names_that_coincide_once_encoded(tmp_path):
    """The level `red` of `colour` beside a column `colour_red`: both are in the list of coefficients."""
    columns = {"colour_red": normal(8, 60), **two_classes()}
    report = Report(outcome_of(tmp_path, columns, [PLAIN]), tmp_path)
    assert report.numbers["best"] == "LogisticRegression"
    assert len(report.numbers["model"]["coefficients"][0]["largest"]) == 6


# ---- theory, comparison, calibration -------------------------------------------------------------------------------------


def test_theory(made):
    """Errors and rows are those of the confusion table; the intervals are those of the exact tails and of Hoeffding's formula;
    what a cross-validation does not guarantee is said. A regression has no such box."""
    report = made("two classes")
    found, counts = report.numbers["theory"], np.array(report.numbers["predictions"]["confusion"]["counts"])
    n, k = int(counts.sum()), int(counts.sum() - counts.trace())
    assert (found["test_rows"]["rows"], found["test_rows"]["errors"]) == (n, k)
    exact, hoeffding = found["test_rows"]["bounds"]
    assert binom.sf(k - 1, n, exact["low"]) == pytest.approx(0.025)
    assert binom.cdf(k, n, exact["high"]) == pytest.approx(0.025)
    assert hoeffding["high"] == pytest.approx(min(1.0, k / n + np.sqrt(np.log(2 / 0.05) / (2 * n))))
    accuracy = report.numbers["leaderboard"][0]["scores"]["accuracy"]
    assert found["folds"]["low"] == pytest.approx(1 - accuracy["high"])
    assert not found["one_classifier"]
    assert "as if one fixed classifier had been tested" in report.text
    assert 'id="theory"' in report.text
    assert made("regression").numbers["theory"] is None
    assert 'id="theory"' not in made("regression").text


def test_bounds_of_the_class(made):
    """A linear model has a bound by its VC dimension, one more than its columns, vacuous for so few rows; a forest has the
    reason why there is none."""
    report = made("one column")
    training = report.numbers["theory"]["training_rows"]
    assert (training["dimension"], [one["verdict"] for one in training["bounds"]]) == (2, ["vacuous"])
    assert "vacuous: it reaches 1" in report.text
    assert made("a forest").numbers["theory"]["training_rows"] == {"reason": "votes"}
    assert "no tiene aquí cota de este tipo" in made("a forest").text


def test_how_it_was_compared(made):
    """The test below the leaderboard; folds of fewer than thirty rows are a broken assumption, and named."""
    report = made("two classes")
    comparison = report.numbers["comparison"]
    assert comparison["tests"] == ["corrected_t"]
    broken = {one["code"]: one["sentence"] for one in comparison["assumptions"] if one["broken"]}
    assert "20 rows, fewer than 30" in broken["test_rows"]
    assert f"<strong>{broken['test_rows']}</strong>" in report.text
    assert "Test: corrected t of folds" in report.text
    assert "That folds share training rows is corrected for." in report.text


def test_certificates_of_folds(made):
    """In how many folds the claim of each fit holds, in the language of the page; least squares would look for it later."""
    for name, best in (
        ("two classes", "LogisticRegression"),
        ("dos clases", "GaussianNB"),
        ("a forest", "RandomForestClassifier"),
    ):
        report = made(name)
        (method,) = (one for one in report.numbers["leaderboard"] if one["method"] == best)
        (found,) = method["certificates"]
        folds = report.outcome.results.evaluations[best].folds
        assert {fold.certificate[0] for fold in folds} == {report.outcome.fitted.certificate_.claim}
        assert (found["held"], found["folds"]) == (sum(fold.certificate[1] for fold in folds), 3)
        assert found["claim"] in report.text
    assert "se cumple en los 3 ajustes de los pliegues" in made("dos clases").text
    assert made("regression").numbers["leaderboard"][0]["certificates"] == []


@pytest.mark.parametrize("name", ["two classes", "many classes"])
def test_calibration_of_every_method(made, name):
    """A picture for the second of two classes, for the largest of many, of each method, of the best openly; the Brier score in
    parts that add up, and the calibration error beside that of chance."""
    report = made(name)
    methods = [one["predictions"]["calibration"] for one in report.numbers["leaderboard"]]
    labels = ["yes"] if name == "two classes" else [f"class {k:02d}" for k in range(6)]
    assert all([one["label"] for one in classes] == labels for classes in methods)
    assert report.numbers["predictions"]["calibration"] == methods[0]
    titles = [f"Calibration of the probabilities of class {label}<" for label in labels]
    assert [report.text.count(one) for one in titles] == [len(methods)] * len(labels)
    for one in (one for classes in methods for one in classes):
        parts, bins = one["brier"], one["bins"]
        assert parts["brier_of_bins"] == pytest.approx(parts["reliability"] - parts["resolution"] + parts["uncertainty"])
        assert sum(one["histogram"]) == sum(bins["rows"]) == sum(report.numbers["question"]["classes"].values())
    best = methods[0][0]
    assert f"Brier score {best['brier']['brier']:.4f}; of the bins" in report.text
    assert f"Calibration error {best['error']:.4f}; by chance {best['error_by_chance']:.4f}." in report.text
    inside = [low <= o <= high for o, low, high in zip(*(best["bins"][k] for k in ("observed", "low", "high")), strict=True)]
    figure = report.text.split('id="calibration"')[1].split("</svg>")[0]
    assert (figure.count('class="inside"'), figure.count('class="outside"')) == (sum(inside), len(inside) - sum(inside))


def test_bias_and_variance_on_demand(tmp_path):
    """The parts add up to the error of the bootstrap samples; without the wish there is no box."""
    columns = two_classes()
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])
    table = read(path)
    experiment = Experiment(table, ask(table, target="y", folds=3), chosen_methods("classification", "GaussianNB"))
    assert len(list(experiment.steps())) == 6
    for parts in (True, False):
        numbers = write_outcome(conclude(experiment, parts=parts), tmp_path / f"report-{parts}")
        assert ('id="parts"' in (tmp_path / f"report-{parts}" / "report.html").read_text(encoding="utf-8")) == parts
        assert (numbers["bias_variance"] is not None) == parts
        if parts:
            found = {name: one["mean"] for name, one in numbers["bias_variance"]["parts"].items()}
            assert found["bias"] + found["variance"] == pytest.approx(found["total"])
            assert 0 < found["total"] < 1
