"""`aprendiz run`: what it says and leaves behind, where it writes, how it goes on, and what it makes of hostile tables."""

import io
import json
import os
import shutil
import subprocess
import sys
import time
from html.parser import HTMLParser

import pytest

from aprendiz.cli.main import main

from .calls import QUICK, WRITES, Said, assert_whole, call, columns_of, results, scores, tree, written

COMMAND = [sys.executable, "-c", "import sys; from aprendiz.cli.main import main; sys.exit(main())"]


# ---- a run -----------------------------------------------------------------------------------------------------------------


def first_line_after():
    """Seconds from the start of a process to its first line."""
    start = time.perf_counter()
    with subprocess.Popen([*COMMAND, "run", "table.csv"], stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        seconds = time.perf_counter() - start
        process.kill()
    assert "table.csv" in line
    return seconds


def test_first_line_comes_at_once(table):
    """Within 0.3 s, for it is said before anything heavy is imported; the best of three, for the machine has other work too."""
    assert min(first_line_after() for _ in range(3)) < 0.3
    heavy = "print({'numpy', 'pandas', 'sklearn', 'numba', 'duckdb', 'rich', 'matplotlib'} & set(sys.modules))"
    code = f"import sys; from aprendiz.cli.main import main; main(['--version']); {heavy}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "set()"


def test_what_a_run_leaves(whole_run):
    """Page, numbers, code, model and folds, all of them whole, and nothing else."""
    names = {name for name, content in tree(whole_run / "out").items() if content is not None}
    folds = {f"folds/{name}" for name in WRITES[:5]}
    assert names == folds | set(WRITES[5:])
    assert_whole(whole_run / "out")


def test_what_a_run_says(table, no_pictures):
    """The question with its reasons, a line for each fold, the scores, and where everything is; nothing of it is an error."""
    said = call("run", "table.csv", *QUICK)
    assert (said.code, said.err) == (0, "")
    found = results("table-report")
    best = found["leaderboard"][0]
    for words in ("40 rows × 4 columns", "kind", "fold 1 of 2", "fold 2 of 2", found["best"], "table-report/report.html"):
        assert words in said.out
    assert f"{best['scores'][found['question']['metric']]['value']:.4f}" in said.out


def test_bias_and_variance_are_an_option(table, no_pictures):
    """Off by default; asked for, the parts stand in the numbers."""
    assert call("run", "table.csv", "--out", "plain", *QUICK).code == 0
    assert results("plain")["bias_variance"] is None
    said = call("run", "table.csv", "--out", "more", "--bias-variance", *QUICK)
    assert "bias and variance" in said.out
    assert results("more")["bias_variance"]["replicates"] == 50


def test_same_call_same_results(table, no_pictures, whole_scores):
    """Nothing but times depends on the moment."""
    assert call("run", "table.csv", "--out", "out", *QUICK).code == 0
    assert scores("out") == whole_scores


def test_in_spanish(table):
    """What is said, and the page, are in the language of the call; the numbers are the same."""
    said = call("run", "table.csv", "--out", "out", "--lang", "es", *QUICK)
    assert said.code == 0, said.err
    assert "pliegue 1 de 2" in said.out
    assert "Cómo predecir" in text_of("out/report.html")
    assert results("out")["language"] == "es"


def test_table_that_comes_along(here, no_pictures):
    """Without a table there is one; it is put beside the report, and the run can be gone on with."""
    said = call("run", *QUICK)
    assert said.code == 0, said.err
    assert (here / "breast_cancer-report" / "breast_cancer.csv").is_file()
    before = scores("breast_cancer-report")
    assert call("run", "--resume", *QUICK).code == 0
    assert scores("breast_cancer-report") == before


def test_odd_headers_are_noted(here, no_pictures):
    """Names that come twice or are empty are read, renamed and noted, in the numbers and on the page."""
    columns = columns_of()
    written("table.csv", [("size", columns["size"]), ("size", columns["age"]), ("", columns["age"]), ("kind", columns["kind"])])
    assert call("run", "table.csv", "--out", "out", *QUICK).code == 0
    notes = results("out")["table"]["notes"]
    assert any("'size'" in note and "'size_2'" in note for note in notes)
    assert any("'column_3'" in note for note in notes)
    page = text_of("out/report.html")
    assert all(note in page for note in notes)


def test_budget_that_is_spent_at_once(table, no_pictures, whole_scores):
    """The baseline of the first fold is all there is; it is said, and the run can be gone on with."""
    said = call("run", "table.csv", "--out", "out", "--budget", "0.000001", *QUICK)
    assert said.code == 0, said.err
    assert "too short for a single fold of any method" in said.out
    assert "continue  aprendiz run table.csv --out out" in said.out
    assert said.out.rstrip().endswith("--resume")
    found = results("out")
    assert found["stopped"] == "budget"
    assert [one["method"] for one in found["leaderboard"]] == ["DummyClassifier"]
    assert "stopped" in [finding["code"] for finding in found["findings"]]
    assert call("run", "table.csv", "--out", "out", "--resume", *QUICK).code == 0
    assert scores("out") == whole_scores


def test_subjects_and_leaks(here, no_pictures):
    """Groups that are clear and columns that are suspected are said before the first fold, and the script asks the same."""
    patients = [i // 4 for i in range(40)]
    kinds = ["ill" if patient % 2 else "well" for patient in patients]
    sizes = [f"{10 * patient % 7}.{i % 4}" for i, patient in enumerate(patients)]
    columns = {"patient": patients, "size": sizes, "copy": [kind[:1] for kind in kinds], "kind": kinds}
    written("table.csv", columns)
    said = call("run", "table.csv", "--out", "out", *QUICK)
    assert said.code == 0, said.err
    assert "column 'copy' is set aside, because it may leak the target" in said.out
    assert "groups" in said.out
    assert results("out")["question"]["groups"] == "patient"
    assert results("out")["question"]["set_aside"] == ["copy"]
    assert set(results("out")["alternatives"]) == {"apart", "with them"}
    said = call("run", "table.csv", "--out", "again", "--no-groups", "--keep", "copy", *QUICK)
    assert said.code == 0, said.err
    assert "column 'copy' may leak the target" in said.out
    found = results("again")
    assert (found["question"]["groups"], found["question"]["set_aside"], found["alternatives"]) == (None, [], {})


# ---- the code that reproduces it -------------------------------------------------------------------------------------------


def test_script_reproduces_the_scores(whole_run):
    """In a process of its own, from another folder."""
    said = subprocess.run([sys.executable, whole_run / "out" / "experiment.py"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "All scores are those of results.json." in said.stdout


@pytest.mark.parametrize(
    "given",
    [
        ["--target", "size", "--methods", "Ridge"],
        ["--target", "kind", "--methods", "GaussianNB", "--groups", "site", "--missing", "-9", "--leave-out", "code"],
        ["--target", "kind", "--methods", "CategoricalNB", "--type", "site=text", "--seed", "7", "--metric", "auc"],
        ["--target", "kind", "--methods", "GaussianNB", "--no-groups", "--keep", "copy"],
    ],
    ids=["a quantity", "groups and gaps", "types and seed", "no groups and a column kept"],
)
def test_script_asks_the_same_question(here, no_pictures, fork, given):
    """Whatever was asked for is in the code: how the table is read, the question, the folds, the methods."""
    columns = columns_of()
    ages = ["-9" if i % 7 == 0 else age for i, age in enumerate(columns["age"])]
    written("table.csv", {**columns, "age": ages, "site": [i % 5 for i in range(40)], "kind": columns["kind"]})
    if "copy" in given:
        written("table.csv", {**columns, "copy": [kind[:2] for kind in columns["kind"]], "kind": columns["kind"]})
    said = call("run", "table.csv", "--out", "out", "--folds", "3", *given)
    assert said.code == 0, said.err
    process = fork(script=here / "out" / "experiment.py")
    assert process.code() == 0, process.out + process.err


def test_script_notices_another_score(whole_run, here, fork):
    """A digit of a score in results.json is enough."""
    shutil.copytree(whole_run, here / "copy")
    file = here / "copy" / "out" / "results.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    found["leaderboard"][0]["scores"]["accuracy"]["value"] += 1e-9
    file.write_text(json.dumps(found), encoding="utf-8")
    process = fork(script=here / "copy" / "out" / "experiment.py")
    assert process.code() == 1
    assert "accuracy is" in process.out


def test_script_runs_nothing_of_the_table(here, no_pictures, fork):
    """Names that are code stay names: of the table, of the target, of a column."""
    code = '"""+open("harm.txt","w").name+"""'
    columns = columns_of()
    written(f"{code}.csv", {f"size{code}": columns["size"], "age": columns["age"], code: columns["kind"]})
    said = call("run", f"{code}.csv", "--target", code, "--out", "out", *QUICK)
    assert said.code == 0, said.err
    process = fork(script=here / "out" / "experiment.py")
    assert process.code() == 0, process.err
    assert not (here / "harm.txt").exists()


# ---- the folder of a run -----------------------------------------------------------------------------------------------


def test_folders_get_numbers(table, no_pictures):
    """Nothing is written over: the next run has the next folder, and --resume means the last one."""
    for name in ("table-report", "table-report-2"):
        assert call("run", "table.csv", *QUICK).code == 0
        assert (table.parent / name / "report.html").is_file()
    before = tree(table.parent / "table-report")
    (table.parent / "table-report-2" / "report.html").unlink()
    assert call("run", "table.csv", "--resume", *QUICK).code == 0
    assert (table.parent / "table-report-2" / "report.html").is_file()
    assert tree(table.parent / "table-report") == before


def test_folder_that_is_empty_is_taken(table, no_pictures):
    os.mkdir("out")
    assert call("run", "table.csv", "--out", "out", *QUICK).code == 0
    assert results("out")["stopped"] is None


def test_folder_that_holds_something_is_refused(table, refused):
    os.mkdir("out")
    (table.parent / "out" / "notes.txt").write_text("mine")
    refused("run", "table.csv", "--out", "out", *QUICK, words=["out", "not empty", "--resume", "--out"])


def test_nothing_to_go_on_with(table, refused):
    """No folder, an empty one, one of something else."""
    refused("run", "table.csv", "--resume", *QUICK, words=["no run to resume", "table-report", "--out"])
    os.mkdir("out")
    refused("run", "table.csv", "--out", "out", "--resume", *QUICK, words=["no run to resume", "out", "omit --resume"])
    (table.parent / "out" / "notes.txt").write_text("mine")
    refused("run", "table.csv", "--out", "out", "--resume", *QUICK, words=["no run to resume", "out"])


@pytest.fixture
def done(whole_run, here):
    """A folder with a finished run of table.csv."""
    shutil.copytree(whole_run / "out", here / "out")
    shutil.copy(whole_run / "table.csv", here / "table.csv")
    return here / "out"


@pytest.mark.parametrize(
    ("given", "word"),
    [
        pytest.param(
            ["--target", "code"],
            "target",
        ),
        (["--metric", "auc"], "measure"),
        (["--seed", "1"], "protocol"),
        (["--folds", "3"], "protocol"),
        (["--leave-out", "age"], "columns"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_going_on_with_another_question_is_refused(done, refused, given, word):
    """What differs is named; what is there stays."""
    words = ["out", "another run", word, "another folder"]
    refused("run", "table.csv", "--out", "out", "--resume", *QUICK, *given, words=words)


def test_going_on_with_another_table_is_refused(done, refused):
    """One cell is enough."""
    columns = columns_of()
    columns["age"][5] = "33.33"
    written("table.csv", columns)
    refused("run", "table.csv", "--out", "out", "--resume", *QUICK, words=["out", "another run", "the table", "another folder"])


def test_going_on_adds_methods(done, no_pictures, whole_scores):
    """The folds that are there are not done again; those of another method are added to them."""
    kept = {name: content for name, content in tree(done).items() if name.startswith("folds")}
    said = call("run", "table.csv", "--out", "out", "--resume", "--folds", "2", "--methods", "GaussianNB,CategoricalNB")
    assert said.code == 0, said.err
    after = tree(done)
    assert {name: after[name] for name in kept} == kept
    methods = {one["method"]: one["scores"] for one in results("out")["leaderboard"]}
    assert set(methods) == {"DummyClassifier", "GaussianNB", "CategoricalNB"}
    assert all(methods[one["method"]] == one["scores"] for one in whole_scores["leaderboard"])


def test_damaged_fold_is_done_again(done, no_pictures, whole_scores):
    """A fold that cannot be read is no fold."""
    (done / "folds" / "GaussianNB-1.npz").write_bytes(b"PK\x03\x04 damaged")
    assert call("run", "table.csv", "--out", "out", "--resume", *QUICK).code == 0
    assert scores("out") == whole_scores


@pytest.mark.parametrize("content", ["{", "[]", ""])
def test_damaged_key_is_refused(done, refused, content):
    (done / "folds" / "key.json").write_text(content)
    refused("run", "table.csv", "--out", "out", "--resume", *QUICK, words=["out", "folder"])


# ---- hostile tables ----------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a page with their attributes, where its links go, its text, and the number of its pictures."""

    def __init__(self, page):
        super().__init__()
        self.kinds, self.links, self.words, self.pictures = set(), set(), [], 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.pictures += tag == "figure"
        self.kinds |= {(tag, None), *((tag, name) for name, _value in attrs)}
        self.links |= {value for name, value in attrs if name in ("href", "xlink:href", "src")}

    def handle_data(self, data):
        self.words.append(data)


def elements_of(path):
    with open(path, encoding="utf-8") as file:
        return Elements(file.read())


def text_of(path):
    return "".join(elements_of(path).words)


def run_of(folder, file, column, level, target, label):
    """A run of a table with certain names in it."""
    columns = columns_of()
    names = {
        column: columns["size"],
        "words": [level if code == "001" else code for code in columns["code"]],
        target: [label if kind == "big" else kind for kind in columns["kind"]],
    }
    written(file, names)
    said = call("run", file, "--target", target, "--out", folder, "--folds", "2", "--methods", "LogisticRegression")
    assert said.code == 0, said.err
    return said


@pytest.fixture(scope="module")
def plain_page(tmp_path_factory):
    """The page of a run of the same table with harmless names."""
    folder = tmp_path_factory.mktemp("plain")
    run_of(str(folder / "out"), str(folder / "plain.csv"), "column", "level", "target", "label")
    return elements_of(folder / "out" / "report.html")


def test_page_has_no_element_of_the_table(plain_page):
    """Names, cells, classes and the name of the file are text: the page has the elements and attributes of any other."""
    hostile = {
        "file": "<b onclick=alert(1)>.csv",
        "column": '<img src=x onerror="alert(2)">',
        "level": "</td><script>alert(3)</script>",
        "target": '--!></title><iframe srcdoc="4">',
        "label": "'\"><svg onload=alert(5)>{{ 5 }}",
    }
    run_of("out", **hostile)
    found = elements_of("out/report.html")
    assert found.kinds <= plain_page.kinds
    assert all(link.startswith(("#", "data:image/")) for link in found.links)
    words = "".join(found.words)
    assert [value for value in hostile.values() if value[:14] not in words] == []


def test_pictures_do_not_take_names_for_formulas(plain_page):
    """A dollar is a dollar, not the beginning of mathematics that cannot be read."""
    run_of("out", "dollars.csv", "$a^$", "$\\frac{$", "$_$", "$\\x$")
    assert elements_of("out/report.html").pictures == plain_page.pictures > 0


def test_formulas_are_text_on_the_page(here):
    """What a spreadsheet would run is shown as it is."""
    formulas = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "=1+1"]
    run_of("out", "=1.csv", *formulas)
    words = text_of("out/report.html")
    assert all(formula in words for formula in ("=1.csv", *formulas))


def assert_tame(*texts):
    """Nothing in a text can steer a terminal."""
    for text in texts:
        assert [sign for sign in text if not (sign.isprintable() or sign == "\n")] == []


def test_terminal_is_not_steered(here, no_pictures):
    """Escape sequences in the names of columns, classes and files are not sent to the terminal; nor are turned directions."""
    names = {"column": "\x1b[31mred", "level": "\x9b2J", "target": "\x1b]0;title\x07", "label": "\u202ebig"}
    said = run_of("out", "\x1b[5m.csv", **names)
    assert_tame(said.out, said.err)
    shown, absent = call("show", "out/model.apz"), call("run", "\x1b[5m.csv", "--target", "\x1b[1m")
    assert (shown.code, absent.code) == (0, 2)
    assert_tame(shown.out, shown.err, absent.out, absent.err)


def test_terminal_is_not_steered_by_failures(table, no_pictures, monkeypatch):
    """What a method says when it fails may quote a cell."""
    from aprendiz.lab import experiment

    def failing(number, learner, *given, **more):
        if "GaussianNB" in repr(learner):
            raise ValueError("no number: \x1b[31m")
        return done(number, learner, *given, **more)

    done = experiment.run
    monkeypatch.setattr(experiment, "run", failing)
    said = call("run", "table.csv", "--out", "out", *QUICK)
    assert said.code == 0
    assert "no number" in said.out
    assert_tame(said.out, said.err)


def test_name_that_is_not_utf8(here, no_pictures):
    """A file from an old disk: its name is shown as well as it can be."""
    name = os.fsdecode(b"a\xf1o.csv")
    written(name, columns_of())
    said = call("run", name, "--out", "out", *QUICK)
    assert said.code == 0, said.err
    assert_whole("out")


# ---- streams -----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self):
        return True


def test_on_a_terminal(table, no_pictures, monkeypatch):
    """The leaderboard is drawn in place, and the cursor is given back."""
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout", screen)
    assert main(["run", "table.csv", "--out", "out", *QUICK]) == 0
    hidden, shown = screen.getvalue().rfind("\x1b[?25l"), screen.getvalue().rfind("\x1b[?25h")
    assert 0 <= hidden < shown
    assert "fold 1 of 2" not in screen.getvalue()
    assert "out/report.html" in screen.getvalue()


def test_terminal_that_lacks_letters(table, no_pictures, monkeypatch):
    """A terminal of another encoding gets signs for the letters it has not."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    code = main(["run", "table.csv", "--out", "out", *QUICK])
    said = Said(code, out.buffer.getvalue().decode("ascii"), err.buffer.getvalue().decode("ascii"))
    assert said.code == 0, said.err
