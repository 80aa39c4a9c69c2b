"""Results in notebooks: what a table holds is shown as text, long tables are cut, and nothing is run or loaded."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz import DecisionTreeClassifier, LinearRegression, NearestMean, SelectKBest, selection_bias
from aprendiz.core.certificate import Certificate
from aprendiz.core.html import MOST_ROWS, Html, box, element, opening, sentence, sentences, table, title, verbatim
from aprendiz.evaluation import KFolds, compare, compare_over_tables, evaluate
from aprendiz.lab import Experiment, RunComparison, ask, chosen_methods, read
from aprendiz.lab.outcome import conclude
from aprendiz.lab.report.findings import findings_of
from aprendiz.locale import language
from aprendiz.selection import relevance

EVIL = '<script>alert("1")</script>'
EVIL_CLASS = "yes <img src=x onerror=alert(2)> & 'no'"
VOID = {"path", "use", "rect", "meta", "img", "br"}


class Reader(HTMLParser):
    """The elements of a page, its text, and whether each element is closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.open, self.attributes = set(), [], [], set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data.strip())


def read_page(page):
    """The page, after what every page must keep."""
    found = Reader(page)
    assert found.open == []
    assert not found.tags & {"script", "img", "link", "iframe", "b", "i"}
    assert not any(name.startswith("on") for name in found.attributes)
    assert "@import" not in page
    assert not re.search(r"(src|href)=\"(?!#)", page)
    return found


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """An experiment on a table whose names and words are markup."""
    random, n = np.random.default_rng(0), 60
    frame = pd.DataFrame({EVIL: random.normal(size=n), "city <b>": random.choice(["<i>A</i>", "B & C"], n)})
    frame["\u202eturned"] = np.where(random.random(n) < 0.1, np.nan, random.random(n))
    frame["class <u>"] = np.where(frame[EVIL] + 0.3 * random.normal(size=n) > 0, EVIL_CLASS, "no")
    path = tmp_path_factory.mktemp("html") / "t <x>.csv"
    frame.to_csv(path, index=False)
    found = read(path)
    experiment = Experiment(found, ask(found, target="class <u>", folds=3), chosen_methods("classification", "GaussianNB"))
    list(experiment.steps())
    return conclude(experiment)


def test_elements():
    """Text is escaped, markup is not escaped twice, and only markup counts as markup."""
    assert element("p", "a < b") == "<p>a &lt; b</p>"
    assert element("p", element("em", "x"), kind='a"b') == '<p class="a&quot;b"><em>x</em></p>'
    assert title("A & B", "<c>") == '<p class="title">A &amp; B <span>&lt;c&gt;</span></p>'
    assert opening("more", sentence("s")) == "<details><summary>more</summary><p>s</p></details>"
    assert verbatim("<pre>") == "<pre>&lt;pre&gt;</pre>"
    assert isinstance(box(), Html)
    assert not isinstance(element("p") + "<script>", Html)


@pytest.mark.parametrize("count", [0, 1, MOST_ROWS, MOST_ROWS + 1, 5000])
def test_long_tables(count):
    """The first rows, and how many follow; rows that are not counted are not read to their end."""
    read_so_far = []

    def rows():
        for i in range(count):
            read_so_far.append(i)
            yield (f"row {i}", i)

    shown = table(["name", "n"], rows(), count=count, numbers=(1,))
    assert shown == table(["name", "n"], [(f"row {i}", i) for i in range(count)], numbers=(1,))
    assert shown.count("<tr>") == 1 + min(count, MOST_ROWS)
    assert len(read_so_far) <= MOST_ROWS
    assert ("… and" in shown) == (count > MOST_ROWS)
    if count == 5000:
        assert "… and 4,980 more" in shown
        assert "… and 4,980 more" in sentences([str(i) for i in range(count)])
    with pytest.raises(ValueError, match="zip"):
        table(["a", "b"], [("only one",)])


def test_long_cells():
    """A cell of a thousand letters is cut."""
    assert len(table(["x"], [("y" * 1000,)])) < 500


def test_certificate():
    """Claim and numbers in the language of the reader."""
    found = Certificate("the gap is <small>", True, {"gap": 0.00123456, "rows": 12345, "kept": True, "path": np.zeros((3, 4))})
    text = "".join(read_page(found._repr_html_()).text)
    assert "✓ holds: the gap is <small>" in text
    assert all(words in text for words in ("0.00123", "12,345", "yes", "<array 3 × 4>"))
    with language("es"):
        text = "".join(read_page(found._repr_html_()).text)
    assert all(words in text for words in ("se cumple", "0,00123", "12.345"))
    broken = "".join(read_page(Certificate("c", False, {})._repr_html_()).text)
    assert "does not hold: c" in broken
    assert "later" in "".join(read_page(Certificate.later(lambda: Certificate("later", True, {}))._repr_html_()).text)


def test_what_a_table_holds_is_text(outcome):
    """Names, levels and classes that are markup are read as text in every box."""
    found = outcome.experiment.table
    page = read_page(found._repr_html_())
    assert EVIL in page.text
    assert "t <x>.csv" in page.text
    assert "\u202eturned" in page.text
    assert "unicode-bidi:isolate" in found._repr_html_()  # a name that turns the direction turns its own cell alone
    text = " ".join(page.text)
    assert "60 rows × 4 columns" in text
    for value in found.frame[EVIL][:5]:
        assert aprendiz.locale.number(value, 6) in page.text
    assert repr(found) == "Table('t <x>.csv', 60 rows × 4 columns)"
    for one in (outcome, outcome.results, outcome.results.comparison, outcome.evaluation, *findings_of(outcome)):
        page = read_page(one._repr_html_())
        assert len(repr(one)) < 800
    runs = RunComparison("accuracy", None, {EVIL: {"GaussianNB": outcome.evaluation.score("accuracy")}}, ("<note>",))
    assert f"Scores on {EVIL}" in read_page(runs._repr_html_()).text
    assert "GaussianNB" in read_page(runs._repr_html_()).text
    assert "class <u>" in "".join(read_page(outcome._repr_html_()).text)


def test_numbers_of_an_evaluation(outcome):
    """The scores are those of `score`, with the sign of the language; folds have a row each."""
    found = outcome.evaluation
    with language("es"):
        text = read_page(found._repr_html_()).text
        score = found.score("accuracy")
        assert aprendiz.locale.number(score.value) in text
        assert "," in aprendiz.locale.number(score.value)
    for fold in found.folds:
        assert str(fold.trained_on) in text


def test_comparisons():
    """Learners from best to worst; ranks over tables."""
    random = np.random.default_rng(0)
    scores = {"<A>": random.normal(0.8, 0.02, 10), "B": random.normal(0.9, 0.02, 10), "C": random.normal(0.5, 0.02, 10)}
    text = read_page(compare(scores, metric="accuracy", n_test=10, n_train=90)._repr_html_()).text
    places = [text.index(name) for name in ("B", "<A>", "C")]
    assert places == sorted(places)
    tables = {f"t{i}": {name: one + 0.01 * random.normal() for name, one in scores.items()} for i in range(6)}
    assert "mean rank" in read_page(compare_over_tables(tables, metric="accuracy")._repr_html_()).text


def test_selection():
    """The verdict on columns, and the bias of choosing them outside the folds."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(80, 30)), columns=[EVIL, *(f"x{j}" for j in range(29))])
    y = (X[EVIL] > 0).to_numpy().astype(int)
    text = read_page(relevance(X, y)._repr_html_()).text
    assert text[text.index(EVIL) + 1] == "relevant"
    assert "… and 10 more" in text
    model = aprendiz.lab.preparation.Pipeline([("select", SelectKBest(k=3)), ("learner", NearestMean())])
    found = selection_bias(model, X.to_numpy(), y, permutations=2, protocol=KFolds(3))
    assert found.sentence in read_page(found._repr_html_()).text


def test_rows(tmp_path):
    """Rows in a file: columns, target, the name of the file."""
    pd.DataFrame({EVIL: [1.0, 2.0], "y": [0, 1]}).to_csv(tmp_path / "t.csv", index=False)
    rows = aprendiz.rows(str(tmp_path / "t.csv"), target="y")
    text = read_page(rows._repr_html_()).text
    assert {EVIL, "t.csv", "y"} <= set(text)
    many = aprendiz.core.sources.arrays.ArrayRows(np.zeros((7, 30)), names=[f"c{j}" for j in range(30)])
    assert "… and 10 more" in "".join(read_page(many._repr_html_()).text)
    assert "7 rows × 30 columns" in "".join(read_page(many._repr_html_()).text)
    assert repr(many) == "<ArrayRows: 7 × 30 columns>"


def test_regression_summary():
    """The table of the coefficients in the same frame."""
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=[EVIL, "b"])
    found = LinearRegression().fit(X, X["b"] + np.arange(30) % 2).summary()
    assert EVIL in read_page(found._repr_html_()).text


# ---- trees ---------------------------------------------------------------------------------------------------------------


def drawn(model):
    """The box below scikit-learn's diagram."""
    page = model._repr_html_()
    return page[page.index('<div class="aprendiz-box">') :]


def test_trees():
    """A small tree is drawn whole, a large one down to a level, and a learner without a tree is scikit-learn's diagram."""
    from matplotlib import pyplot

    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 3)), columns=[EVIL, "b", "c"])
    y = np.where(X[EVIL] > 0, EVIL_CLASS, "no")
    small = DecisionTreeClassifier().fit(X, y)
    page = read_page(drawn(small))
    assert "svg" in page.tags
    assert "2 leaves, depth 1" in page.text
    assert pyplot.get_fignums() == []  # or the notebook would show the figure once more
    large = DecisionTreeClassifier(random_state=0).fit(X, random.integers(0, 2, 200))
    depth = re.search(r"Drawn down to depth (\d+)", drawn(large))
    tree = large.tree_
    assert (tree.depth <= int(depth[1])).sum() <= 31 < (tree.depth <= int(depth[1]) + 1).sum()
    assert "aprendiz-box" not in DecisionTreeClassifier()._repr_html_()
    assert "aprendiz-box" in small._repr_mimebundle_()["text/html"]
    ids = re.findall(r'\bid="([^"]+)"', drawn(small) + drawn(large))
    assert len(ids) == len(set(ids))  # two trees in one page


def test_trees_without_matplotlib(monkeypatch):
    """The tree as text."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    model = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [EVIL, "no"])
    page = read_page(drawn(model))
    assert model.to_text(max_depth=1) in page.text


def test_without_ipython():
    """The boxes need no notebook, and nothing of IPython is imported."""
    code = (
        "import sys\nsys.modules['IPython'] = None\nfrom aprendiz.core.certificate import Certificate\n"
        "print(Certificate('c', True, {'a': 1.5})._repr_html_())"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "holds: c" in "".join(read_page(shown.stdout).text)


def test_evaluate_needs_no_names():
    """An evaluation of plain arrays."""
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    assert "Evaluation" in read_page(evaluate(NearestMean(), X, y, protocol=KFolds(4))._repr_html_()).text
