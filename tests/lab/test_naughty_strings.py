"""Strings that break programs, as cells, levels, class labels and names of columns: they come back as they were.

What a CSV file cannot give back, and why:
- the words that mean a missing cell ("", "NA", "nan", …), for nothing tells them from a cell that is missing;
- a cell of nothing but spaces, which is missing too;
- white space around the name of a column: it is left out;
- a cell between single quotes, in a file without double ones: they are taken for the quotes of the file;
- half a surrogate pair: no encoding of text has it;
- NUL at the end of a class label: NumPy's arrays of text leave it out.
"""

import ast
import csv
import json
from html.parser import HTMLParser

import numpy as np
import pytest

import aprendiz
from aprendiz.cli.main import main
from aprendiz.lab import Experiment, ask, chosen_methods, neutral, read
from aprendiz.lab.card import shorten
from aprendiz.lab.dialect import MISSING
from aprendiz.lab.methods import Method
from aprendiz.lab.outcome import conclude
from aprendiz.lab.report import write_outcome
from aprendiz.lab.sniffing import PERHAPS_MISSING

LONG = "long " * 20_000

NAUGHTY = {
    # characters that are not seen, or change what is seen
    "control characters": "a\x01b\x07c\x08d\x0be\x0cf\x7fg\x80h\x9fi",
    "escape sequence": "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "separators of ASCII": "a\x1cb\x1dc\x1ed\x1fe",
    "NUL": "a\0b",
    "right to left": "שלום \u202eabc\u202c مرحبا",
    "isolates and marks": "\u2066x\u2069\u200fy\u200e",
    "combining": "Z\u0351\u036b\u0343\u036aa\u0321\u0353l\u035a\u0347g\u0320o\u0328",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "joined emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇪🇸",
    "beyond the first plane": "𝕏𠜎𐍈",
    "zero width": "zero\u200bwidth\u200c\u200d\u2060space",
    "nothing but zero width": "\u200b",
    "byte-order mark": "a\ufeffb",
    "no characters": "\ufffe\uffff\ue000\ufffd",
    "spaces of Unicode": "a\u00a0b\u2003c\u3000d",
    "ends of lines of Unicode": "a\u2028b\u2029c\u0085d",
    "case that changes length": "ẞß İı ŉ",
    # quotes, separators, ends of lines
    "double quotes": 'say "once" ""twice""',
    "a double quote": '"',
    "a single quote": "'",
    "single quotes": "it's 'so'",
    "other quotes": "«a» “b” ‘c’ „d“ `e` ´f´ ‹g›",
    "backslash": "\\",
    "backslash n": "a\\nb\\tc",
    "comma": "a,b",
    "semicolon": "a;b",
    "tab": "a\tb",
    "bar": "a|b",
    "nothing but commas": ",,,",
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "both": "a\r\nb",
    "blank lines": "a\n\n\nb",
    "hash": "# not a comment",
    "separator line": "sep=;",
    "space before": " x",
    "space after": "x ",
    # what other programs would run
    "formula": "=1+2",
    "formula with a sign": "+1+2",
    "formula with a minus": "-2+3",
    "formula with at": "@SUM(A1:A9)",
    "formula after a tab": "\t=1+2",
    "formula of a command": "=cmd|' /C calc'!A0",
    "markup": "<script>alert(1)</script>",
    "end of the page": "</td></tr></table></main></body></html><img src=x onerror=alert(1)>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "entities": "&amp;&lt;&#60;&nbsp",
    "comment of markup": "<!-- x --><![CDATA[y]]>",
    "picture with code": "<svg/onload=alert(1)>",
    "end of the style": "</style><script>x</script>",
    "template": "{{ 7*7 }}",
    "template block": "{% for x in y %}",
    "template comment": "{# x #}",
    "format": "{0} {} {name!r:>{width}}",
    "percent": "%s %d %(name)s %n %",
    "shell": "$(touch x) `id` ; rm -rf x",
    "mathematics": "$\\frac{1}{2}$ $x_1$",
    "broken mathematics": "$\\frac{$ ^_{",
    "colours of a terminal": "[red]x[/red] [/] [link=x]",
    "SQL": "'; DROP TABLE x; --",
    "path": "../../etc/passwd",
    "end of a docstring": '""" + x + """',
    # what looks like something else
    "code with zeros": "007",
    "large number": "12345678901234567890",
    "hexadecimal": "0x1F",
    "infinity": "inf",
    "truth": "True",
    "nearly missing": "n.a",
    "None": "None",
    "minus": "-",
    "point": ".",
    "star": "*",
}
ENDS_OF_LINES = [string for string in NAUGHTY.values() if "\n" in string or "\r" in string]


def written(path, columns, separator=",", encoding="utf-8", end="\r\n", quoting=csv.QUOTE_MINIMAL):
    """A CSV file of some columns."""
    with path.open("w", newline="", encoding=encoding) as file:
        out = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    return path


# ---- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("string", NAUGHTY.values(), ids=NAUGHTY)
def test_a_cell(tmp_path, string):
    """Among plain words, in a file of which nothing is told."""
    cells = ["plain", string] * 5
    table = read(written(tmp_path / "t.csv", {"number": range(10), "word": cells}))
    assert list(table.frame) == ["number", "word"]
    assert table.frame["word"].tolist() == cells


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("encoding", "quoting"), [("utf-8", csv.QUOTE_MINIMAL), ("utf-8-sig", csv.QUOTE_ALL), ("utf-16", csv.QUOTE_MINIMAL)]
)
def test_all_cells(tmp_path, separator, encoding, quoting):
    """All in one file, with any separator, twice: as levels, and each once as text."""
    strings = [*NAUGHTY.values(), LONG]
    columns = {
        "number": range(2 * len(strings)),
        "level": 2 * strings,
        "text": [*strings, *(f"{string}!" for string in strings)],
    }
    table = read(written(tmp_path / "t.csv", columns, separator, encoding, quoting=quoting))
    assert table.dialect.separator == separator
    assert table.frame["level"].tolist() == columns["level"]
    assert set(table.frame["level"].cat.categories) == set(strings)
    assert table.frame["text"].tolist() == columns["text"]


def test_a_file_of_one_column(tmp_path):
    """Where nothing separates cells, every line is one, and cells with ends of lines are in quotes."""
    cells = [string for string in NAUGHTY.values() if string not in (",,,", "a\x1cb\x1dc\x1ed\x1fe")]
    table = read(written(tmp_path / "t.csv", {"word": cells}), separator="", header=True)
    assert table.frame["word"].tolist() == cells


@pytest.mark.parametrize("string", ['a\\"b', '\\"', 'C:\\"Program Files"\\x'])
def test_a_backslash_before_a_quote(tmp_path, string):
    cells = ["plain", string] * 5
    assert read(written(tmp_path / "t.csv", {"number": range(10), "word": cells})).frame["word"].tolist() == cells


@pytest.mark.parametrize("string", ["\u00a0", "\u3000", "\u2003\u2003"])
def test_other_spaces_are_no_missing_cell(tmp_path, string):
    """A cell is missing if it holds nothing but spaces: the one of the keyboard, in Python's rule."""
    cells = ["plain", string] * 5
    assert read(written(tmp_path / "t.csv", {"number": range(10), "word": cells})).frame["word"].tolist() == cells


def test_words_that_mean_missing(tmp_path):
    """They do not come back, unless the file is said to have no missing cells."""
    words = [*MISSING, " ", "    "]
    path = written(
        tmp_path / "t.csv", {"number": range(10), **{f"word {j}": ["plain", word] * 5 for j, word in enumerate(words)}}
    )
    found, kept = read(path).frame, read(path, missing=[]).frame
    for j, word in enumerate(words):
        assert found[f"word {j}"].isna().tolist() == [False, True] * 5
        assert kept[f"word {j}"].tolist() == ["plain", word] * 5


def test_words_that_may_mean_missing(tmp_path):
    """Among numbers they are missing, among words they are words; if they are among both, words."""
    numbers = {f"number {j}": [word, *["3.5"] * 19] for j, word in enumerate(PERHAPS_MISSING)}
    words = {"word": [*PERHAPS_MISSING, *["plain"] * (20 - len(PERHAPS_MISSING))]}
    frame = read(written(tmp_path / "numbers.csv", numbers)).frame
    assert frame.isna().sum().tolist() == [1] * len(numbers)
    assert (frame.iloc[1:] == 3.5).all(axis=None)
    frame = read(written(tmp_path / "both.csv", {**numbers, **words})).frame
    assert frame["word"].tolist() == words["word"]
    assert not frame.isna().any(axis=None)


def test_cells_between_single_quotes(tmp_path):
    """They are quotes, unless the file is said to have others."""
    path = written(tmp_path / "t.csv", {"number": range(4), "word": ["'a'", "'b'"] * 2})
    assert read(path).frame["word"].tolist() == ["a", "b"] * 2
    assert read(path, quote='"', escape='"').frame["word"].tolist() == ["'a'", "'b'"] * 2


def test_half_a_pair_of_surrogates(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        written(tmp_path / "t.csv", {"word": ["\ud83d"]})


# ---- names of columns ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["=1+2", " x ", "\u2003x\u00a0", '"', "'", "# x", "sep=;", "a,b", "a;b", "a\tb", "007", "\u200b"]
)
def test_a_name(tmp_path, name):
    """In a file of which nothing is told. White space around it is left out."""
    table = read(written(tmp_path / "t.csv", {"number": range(10), name: np.arange(10) ** 2}))
    assert list(table.frame) == ["number", name.strip()]
    assert table.frame[name.strip()].tolist() == [k * k for k in range(10)]


@pytest.mark.parametrize(("name", "end"), [("a\nb", "\n"), ("\n\n=1", "\n"), ("a\rb", "\r\n"), ("a\r\nb", "\r\n")])
def test_a_name_of_several_lines(tmp_path, name, end):
    assert_squares_below(tmp_path, name, end)


@pytest.mark.parametrize(("name", "end"), [("a\nb", "\r\n"), ('"""\nx', "\r\n"), ("a\rb", "\n"), ("a\r\nb", "\n")])
def test_a_name_with_another_end_of_line(tmp_path, name, end):
    """Spreadsheets write \\n inside a cell and \\r\\n after a row."""
    assert_squares_below(tmp_path, name, end)


def assert_squares_below(folder, name, end):
    """Ten rows are read below a name."""
    path = written(folder / "t.csv", {"number": range(10), name: np.arange(10) ** 2}, end=end, quoting=csv.QUOTE_ALL)
    assert read(path).frame[name.strip()].tolist() == [k * k for k in range(10)]


def test_all_names(tmp_path):
    """More than fit on the card, which shows them in a line each, without any control character."""
    names = [*dict.fromkeys(one.strip() for one in NAUGHTY.values() if one not in ENDS_OF_LINES), LONG.strip()]
    table = read(written(tmp_path / "t.csv", {name: np.arange(10) * j for j, name in enumerate(names, start=1)}))
    assert list(table.frame) == names
    card = table.card()
    assert all(sign.isprintable() or sign == "\n" for sign in card)
    assert max(map(len, card.splitlines())) < 200


# ---- a run -----------------------------------------------------------------------------------------------------------


def experiment_on(path, target, learner, **options):
    """An experiment of two folds, without tuning and without a learning curve."""
    table = read(path, **options)
    baseline = chosen_methods("classification")[:1]
    methods = [*baseline, Method(type(learner).__name__, learner, {})]
    experiment = Experiment(table, ask(table, target=target, folds=2), methods)
    list(experiment.steps())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aprendiz.lab.outcome.LONGEST_CURVE", 0.0)
        return conclude(experiment)


def table_of(labels, levels, names, each=4):
    """Some rows of each label; a column of levels, and columns of numbers with the names; three of them know the label."""
    rng = np.random.default_rng(0)
    n, codes = each * len(labels), np.arange(each * len(labels)) % len(labels)
    numbers = {name: (rng.normal(size=n) + (j < 3) * codes).round(4) for j, name in enumerate(names)}
    return {**numbers, "level": [levels[k] for k in rng.integers(0, len(levels), n)], "class": [labels[k] for k in codes]}


HALVES = (slice(None, None, 2), slice(1, None, 2))


@pytest.fixture(scope="module", params=HALVES, ids=["even", "odd"])
def run(request, tmp_path_factory):
    """One half of the strings as labels, the other half as levels and names."""
    labels, others = ([*NAUGHTY.values()][half] for half in (request.param, HALVES[request.param == HALVES[0]]))
    names = [*dict.fromkeys(one.strip() for one in others if one not in ENDS_OF_LINES)][:20]
    home = tmp_path_factory.mktemp("run")
    path = written(home / "t.csv", table_of(labels, [*others, LONG], [*names, LONG.strip()]))
    outcome = experiment_on(path, "class", aprendiz.GaussianNB())
    write_outcome(outcome, home)
    return labels, names, outcome, home


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text by element."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, text):
        self.texts.append(text)


def test_a_report_of_naughty_labels(run):
    """Nothing of them became an element or an attribute, and each is in the page as a text, in one line and cut short."""
    labels, names, _outcome, home = run
    page = Page((home / "report.html").read_text(encoding="utf-8"))
    assert not {"script", "img", "iframe", "object", "link", "form"} & {tag for tag, _ in page.elements}
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert len([tag for tag, _ in page.elements if tag == "main"]) == 1
    for string in [*labels, *names]:
        assert shorten(string, 40) in page.texts or shorten(string, 28) in page.texts, string
    assert "49" not in page.texts


def test_numbers_of_naughty_labels(run):
    """results.json holds every label as it is."""
    labels, names, _outcome, home = run
    numbers = json.loads((home / "results.json").read_text(encoding="utf-8"))
    assert set(numbers["question"]["classes"]) == set(labels)
    assert set(numbers["predictions"]["curves"]) == set(labels)
    assert {*names, "level", LONG.strip()} == set(numbers["question"]["features"])
    assert (home / "report.html").stat().st_size < 2_000_000


def test_code_of_naughty_names(run):
    """experiment.py is Python, and the names stand in it as they are."""
    _labels, names, _outcome, home = run
    code = ast.parse((home / "experiment.py").read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(code) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert {*names, "class", "t.csv"} <= texts


def test_a_model_of_naughty_labels(run):
    """It is kept and loaded, and predicts the labels as they are."""
    labels, _names, outcome, home = run
    loaded = aprendiz.load(home / "model.apz")
    predicted = loaded.predict(home / "t.csv")
    np.testing.assert_array_equal(predicted, outcome.pipeline.predict(outcome.experiment.X))
    assert set(predicted) <= set(labels)
    assert len(set(predicted)) > len(labels) / 2


def harmless(string):
    """What a spreadsheet would run has an apostrophe before it."""
    return "'" + string if string[0] in "=+-@\t\r" and len(string) > 1 else string


def test_predictions_are_read_back(run, tmp_path):
    """The file that predict writes: the same cells, levels and labels, formulas with their apostrophe."""
    _labels, _names, outcome, home = run
    assert_read_back(outcome, home, tmp_path)


def assert_read_back(outcome, home, folder):
    """Predictions of the training table, written and read."""
    assert main(["predict", str(home / "model.apz"), str(home / "t.csv"), "-o", str(folder / "p.csv"), "--lang", "en"]) == 0
    frame, table = read(folder / "p.csv", header=True).frame, outcome.experiment.table.frame
    expected = outcome.pipeline.predict(outcome.experiment.X)
    assert frame["level"].tolist() == [harmless(level) for level in table["level"]]
    assert frame["class"].tolist() == [harmless(label) for label in table["class"]]
    assert frame["predicted_class"].tolist() == [harmless(label) for label in expected]
    probability = frame[[f"probability_{label}".strip() for label in outcome.pipeline.classes_]]
    np.testing.assert_array_equal(probability, outcome.pipeline.predict_proba(outcome.experiment.X))


def test_predictions_without_ends_of_lines_are_read_back(tmp_path, capsys):
    """The same for all strings that hold no end of a line."""
    strings = [one for one in NAUGHTY.values() if one not in ENDS_OF_LINES]
    path = written(tmp_path / "t.csv", table_of(strings, [*strings, LONG], ["a", "b"]))
    outcome = experiment_on(path, "class", aprendiz.GaussianNB())
    aprendiz.save(outcome.model(), tmp_path / "model.apz")
    assert_read_back(outcome, tmp_path, tmp_path)
    assert f"{len(outcome.experiment.y)} rows predicted" in capsys.readouterr().err


def test_apostrophes():
    """The rule of the test is that of the writer, for every string here."""
    assert [neutral(one) for one in NAUGHTY.values()] == [harmless(one) for one in NAUGHTY.values()]


def test_coefficients_of_naughty_names(tmp_path):
    """Two classes and a linear model: names and levels stand beside the coefficients, mathematics is not set."""
    names = [*dict.fromkeys(one.strip() for one in NAUGHTY.values() if one not in ENDS_OF_LINES)]
    columns = table_of(["$a$ {{ b }}", "<c>"], ["=1+2", "$x_1$ $", "</td>"], names, each=40)
    outcome = experiment_on(written(tmp_path / "t.csv", columns), "class", aprendiz.LogisticRegression())
    assert outcome.results.best == "LogisticRegression"
    numbers = write_outcome(outcome, tmp_path)
    (towards,) = numbers["model"]["coefficients"]
    assert {*names, "level_=1+2", "level_</td>"} <= {one["column"] for one in towards["largest"]}
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "script" not in {tag for tag, _ in page.elements}
    assert any(attributes.get("aria-labelledby") == "coefficients-title" for _, attributes in page.elements)


def test_a_label_of_a_hundred_thousand_characters(tmp_path):
    """It is in the numbers as it is, and in the page cut short."""
    rng = np.random.default_rng(0)
    columns = {"x": np.arange(12) % 2 + 0.3 * rng.normal(size=12), "class": ["short", LONG] * 6}
    outcome = experiment_on(written(tmp_path / "t.csv", columns), "class", aprendiz.GaussianNB())
    numbers = write_outcome(outcome, tmp_path)
    assert set(numbers["question"]["classes"]) == {"short", LONG}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert shorten(LONG, 40) in page
    assert LONG not in page


def test_a_model_tells_of_naughty_names_in_a_line_each(run):
    """`aprendiz show`: a line for each column it needs, none of them endless."""
    _labels, names, outcome, _home = run
    lines = outcome.model().describe().split("\n")
    assert len(lines) < len(names) + 12
    assert max(map(len, lines)) < 500


def test_truth_values_as_labels(tmp_path, capsys):
    """The prediction is written as the target is."""
    rng = np.random.default_rng(0)
    columns = {"x": rng.normal(size=40), "z": rng.normal(size=40), "class": ["true", "false"] * 20}
    path = written(tmp_path / "t.csv", columns)
    aprendiz.save(experiment_on(path, "class", aprendiz.GaussianNB()).model(), tmp_path / "model.apz")
    assert main(["predict", str(tmp_path / "model.apz"), str(path), "--lang", "en"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["predicted_class"] for row in rows} <= {row["class"] for row in rows} == {"true", "false"}
